"""The README and the pages behind it say what is so: their examples run, every game and command is named."""

import doctest
import re
from pathlib import Path

import pytest
from playing import GAMES

from upcard.cli import app
from upcard.rules import Game

ROOT = Path(__file__).parent.parent


def test_the_examples_of_the_readme_run() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


def test_the_examples_of_the_engine_page_run() -> None:
    scope: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "engine.md").read_text(), re.DOTALL)
    assert len(blocks) > 1
    for block in blocks:
        exec(block, scope)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_the_readme_lists_every_game(game: Game) -> None:
    assert f"[{game.title}](src/upcard/games/{game.slug.replace('-', '_')}/rulebook.md)" in (ROOT / "README.md").read_text()


def test_every_command_is_in_the_documentation() -> None:
    documents = "".join(path.read_text() for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
    commands = [
        command.name or command.callback.__name__ for command in app.registered_commands if command.callback
    ]
    assert commands
    for command in commands:
        assert f"upcard {command}" in documents, command
