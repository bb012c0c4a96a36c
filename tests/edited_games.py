"""Games with something in their files replaced: the small game, and a copy of Oh Hell."""

import shutil
from pathlib import Path

from upcard import games
from upcard.rules.game import Game

HERE = Path(__file__).parent
SHIPPED = Path(games.__file__).parent
CLASS = "class SmallGame("
SIZE = "    size: int = number("
APPLY = "    @override\n    def apply("


def edited(folder: Path, text: str, other: str) -> type[Game]:
    """The small game with a text of its file replaced."""
    folder.mkdir(exist_ok=True)
    source = (HERE / "small_game.py").read_text()
    assert text in source
    (folder / "small_game.py").write_text(source.replace(text, other, 1))
    [game] = games.load_file(folder / "small_game.py").values()
    return game


def odd_hell(folder: Path, text: str, other: str) -> Path:
    """A copy of Oh Hell under another name, with a text of its rules replaced."""
    home = Path(shutil.copytree(SHIPPED / "oh_hell", folder / "odd_hell"))
    for file, before, after in (("__init__.py", "class OhHell(", "class OddHell("), ("rules.py", text, other)):
        source = (home / file).read_text()
        assert before in source
        (home / file).write_text(source.replace(before, after))
    return home
