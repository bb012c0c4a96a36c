"""The README and the documentation are correct: their examples run, and every game and command is mentioned."""

import doctest
import hashlib
import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playing import GAMES
from typer.main import get_command

import upcard
from upcard import Match, envs, games, lab, laws, players, rules
from upcard.cli import app
from upcard.engine.chance import FairStream
from upcard.engine.fairness import drawn_dealer
from upcard.rules.game import Game

ROOT = Path(__file__).parent.parent


def test_the_examples_of_the_readme_run() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


LONG = ("change-a-rule", "write-a-game")


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.long] if page in LONG else [])
        for page in ("change-a-rule", "engine", "environments", "lab", "records", "write-a-game")
    ],
)
def test_the_examples_of_a_page_run(page: str, tmp_path: Path) -> None:
    """In the order of the page, in one folder: files are written, Python is executed, and commands are run."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(python|sh)(?: file=(\S+))?\n(.*?)```", text, re.DOTALL)
    assert blocks
    scope: dict[str, object] = {}
    for kind, file, content in blocks:
        if file:
            (tmp_path / file).write_text(content, encoding="utf-8")
        elif kind == "python":
            exec(content, scope)
        else:
            run_commands(content, tmp_path)


@pytest.mark.long
def test_a_match_is_checked_with_the_lines_of_the_page_and_with_the_command(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "fair-shuffles.md").read_text(encoding="utf-8")
    lines, commands = re.findall(r"```(?:python file=verify.py|sh)\n(.*?)```", text, re.DOTALL)
    (tmp_path / "verify.py").write_text(lines, encoding="utf-8")
    record = fair_match()
    (tmp_path / "match.json").write_text(json.dumps(record), encoding="utf-8")
    run_commands(commands, tmp_path)
    fair = record["about"]["fair"]
    for change in (
        {"nonces": [None, None]},
        {"from": 1},
        {"from": -1, "dealer": False},
        {"from": 999, "dealer": False},
    ):
        record["about"]["fair"] = fair | change
        (tmp_path / "match.json").write_text(json.dumps(record), encoding="utf-8")
        for command in commands.splitlines():
            with pytest.raises(AssertionError, match=r"deals? first|does not follow|cannot be read|nothing"):
                run_commands(command, tmp_path)


def fair_match() -> dict[str, Any]:
    """The record of a match whose luck follows from a secret and a nonce."""
    secret, nonces = b"5" * 64, ["a1" * 32, None]
    match: Match[Any] = Match("sixty-six", dealer=drawn_dealer(secret, nonces), options={"target": 3})
    for index in itertools.count():
        match.event(match.draw_lots(FairStream(secret, nonces, index)))
        while not match.awaiting and not match.done:
            match.play(match.to_act[0], match.legal(match.to_act[0])[0])
        if match.done:
            break
    pledged = [nonce and hashlib.sha256(nonce.encode()).hexdigest() for nonce in nonces]
    fair = {"secret": secret.hex(), "pledged": pledged, "nonces": nonces, "from": 0, "dealer": True}
    return match.record() | {"about": {"fair": fair | {"commitment": hashlib.sha256(secret).hexdigest()}}}


def run_commands(commands: str, folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", commands], cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_the_readme_lists_every_game(game: type[Game]) -> None:
    assert (
        f"[{game.title}](src/upcard/games/{game.slug.replace('-', '_')}/rulebook.md)"
        in (ROOT / "README.md").read_text()
    )


def test_every_command_is_in_the_documentation() -> None:
    documents = "".join(path.read_text() for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
    commands = [*get_command(app).commands]  # type: ignore[attr-defined]
    assert commands
    for command in commands:
        assert f"upcard {command}" in documents, command


PUBLIC = [upcard, envs, games, lab, laws, players, rules]


@pytest.mark.parametrize("package", PUBLIC, ids=lambda package: package.__name__)
def test_every_public_name_is_in_the_reference(package: ModuleType) -> None:
    shown = set(names_in_the_reference())
    public = {name: getattr(package, name) for name in package.__all__ if name != "Any"}
    assert [name for name in public if name not in shown] == []
    assert [name for name, value in public.items() if isfunction(value) and not value.__doc__] == []


def names_in_the_reference() -> Iterator[str]:
    """What the reference shows of each module: all that begins there, or only the members that it names."""
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    for shown, members in re.findall(r"^::: (\S+)(?:\n    options: \{ members: \[(.*)\] \})?$", text, re.MULTILINE):
        try:
            module = import_module(shown)
        except ModuleNotFoundError:
            yield shown.rpartition(".")[2]
            continue
        if members:
            yield from members.split(", ")
        else:
            yield from getattr(module, "__all__", ())
            yield from (name for name, value in vars(module).items() if begins_in(shown, value))


def begins_in(module: str, value: object) -> bool:
    """Whether a value is a module's own, not imported there. Numbers and texts do not say, nor do names for `int`."""
    return getattr(value, "__module__", module) in (module, "builtins")
