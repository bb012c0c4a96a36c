"""The README and the pages behind it say what is so: their examples run, every game and command is named."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playing import GAMES
from typer.main import get_command

from upcard.cli import app
from upcard.rules import Game

ROOT = Path(__file__).parent.parent


def test_the_examples_of_the_readme_run() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.parametrize("page", ["change-a-rule", "engine", "environments", "lab", "records", "write-a-game"])
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


def run_commands(commands: str, folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", commands], cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_the_readme_lists_every_game(game: Game) -> None:
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
