"""Games from outside: from files and folders, and from installed packages."""

from __future__ import annotations

import hashlib
import logging
import os
import sys
from functools import cache
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from upcard.games.shipped import SLUGS, VARIANTS, is_shipped
from upcard.rules import pages
from upcard.rules.errors import UpcardError
from upcard.rules.game import BadGame, Game

GROUP = "upcard.games"
"""The entry points under which installed packages offer a game."""
Games = dict[str, Game[Any]]

log = logging.getLogger("upcard.games")


class UnknownGame(UpcardError):
    """There is no game of this name, or a file that holds none."""


def load_file(path: str | Path) -> Games:
    """The games of a Python file, or of a folder with an `__init__.py`, by name. Raises UnknownGame, in one line.

    The file is executed under a name of its own, and once more when it has been edited since; the game that it declares
    and the variants that it makes of any game are found in its globals.
    """
    file = Path(path).expanduser().resolve()
    if file.is_dir():
        file = file / "__init__.py"
    if not file.is_file():
        raise UnknownGame(f"{file} is no file with a game")
    return _games_in(file, _content(file))


def _content(file: Path) -> str:
    """A text for exactly what stands in this file, or folder, now."""
    total = hashlib.sha256()
    for one in sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file]:
        total.update(one.name.encode() + one.read_bytes())
    return total.hexdigest()


def _module_name(file: Path) -> str:
    """A name that every process gives to this file, as compiled code is kept under it; once it was edited, another."""
    told = file.parent.name if file.name == "__init__.py" else file.stem
    named = "".join(letter if letter.isalnum() else "_" for letter in told)
    name = f"upcard_game_{named}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
    return name if name not in sys.modules else f"{name}_{next(_edits)}"


_edits = count(1)


@cache
def _games_in(file: Path, content: str) -> Games:
    name = _module_name(file)
    module = _execute(file, name)
    declared = {id(one): one for one in vars(module).values() if isinstance(one, Game) and not is_shipped(one)}
    games = [game for game in declared.values() if game.package == name or game.base is not None]
    found = {game.slug: game for game in games}
    if twice := [game.slug for game in games if found[game.slug] is not game]:
        raise UnknownGame(f"{file}: two games are called {twice[0]}: give one of them another name")
    if taken := found.keys() & {*SLUGS, *VARIANTS}:
        raise UnknownGame(f"{file}: a game called {min(taken)} comes with Upcard: say another slug=…")
    if not found:
        raise UnknownGame(f"{file} holds no game: call `GAME = define_game(__name__, …)` or make a variant in it")
    return found


def _execute(file: Path, name: str) -> ModuleType:
    folders = [str(file.parent)] if file.name == "__init__.py" else None
    spec = spec_from_file_location(name, file, submodule_search_locations=folders)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        for one in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
            del sys.modules[one]
        raise UnknownGame(f"{file}: {_in_one_line(error, file)}") from error
    return module


def _in_one_line(error: Exception, file: Path) -> str:
    """What went wrong in a file, with the line where it did."""
    if isinstance(error, BadGame):
        return str(error)
    where = ""
    trace = error.__traceback__
    while trace is not None:
        here = Path(trace.tb_frame.f_code.co_filename)
        if here.parent == file.parent:
            where = f"{here.name}, line {trace.tb_lineno}: "
        trace = trace.tb_next
    if isinstance(error, SyntaxError):
        where = f"{Path(error.filename or file).name}, line {error.lineno}: "
        error = SyntaxError(error.msg)
    return f"{where}{' '.join(str(error).split()) or type(error).__name__}"


# ------------------------------------------------------------------------------------------------- where they are found


def from_outside() -> Games:
    """The games of `UPCARD_GAMES` and of installed packages, by name; what is broken is told once and left out."""
    found: Games = {}
    for path in filter(None, os.environ.get("UPCARD_GAMES", "").split(os.pathsep)):
        for file in _files_in(Path(path).expanduser()):
            _add(found, _loaded(file))
    _add(found, _installed())
    return found


@cache
def _loaded(file: Path) -> Games:
    """The games of a file when they were first asked for: a table that is being played keeps its rules."""
    try:
        return load_file(file)
    except UnknownGame as error:
        log.warning("%s", error)
        return {}


def _files_in(path: Path) -> list[Path]:
    """A file or a game's folder itself; of any other folder all files and game folders in it."""
    if path.is_file() or (path / "__init__.py").is_file() or not path.is_dir():
        return [path]
    inside = sorted(path.iterdir())
    return [one for one in inside if (one / "__init__.py").is_file() or (one.suffix == ".py" and one.name[0] != "_")]


@cache
def _installed() -> Games:
    found: Games = {}
    for point in entry_points(group=GROUP):
        try:
            game = point.load()
        except Exception as error:
            _say_once(f"the installed game {point.name} cannot be loaded: {' '.join(str(error).split())}")
            continue
        if isinstance(game, Game):
            _add(found, {game.slug: game})
        else:
            _say_once(f"the installed game {point.name} is {point.value}, which is no game")
    return found


def _add(found: Games, games: Games) -> None:
    for slug, game in games.items():
        if slug in (*SLUGS, *VARIANTS) or (slug in found and found[slug] is not game):
            _say_once(f"{game.file}: a game called {slug} is there already")
        else:
            found[slug] = game
            if missing := what_is_missing(game):
                _say_once(f"{slug} has no {missing}")


def what_is_missing(game: Game[Any]) -> str:
    """What a game can do without, but people will miss: in words, empty if nothing."""
    missing = [] if pages.page(game) else ["page of rules (rulebook.md)"]
    missing += [] if game.heuristic else ["heuristic (casual computer players move at random)"]
    return " and no ".join(missing)


_told: set[str] = set()


def _say_once(line: str) -> None:
    if line not in _told:
        _told.add(line)
        log.warning("%s", line)
