"""Games from outside: from files and folders, and from installed packages."""

from __future__ import annotations

import ast
import hashlib
import logging
import os
import sys
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from importlib.util import cache_from_source, module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from upcard.games.shipped import SLUGS, VARIANTS, games_of
from upcard.rules import pages
from upcard.rules.errors import BadGame, UpcardError
from upcard.rules.game import Game, GameClass
from upcard.rules.lineage import file_of
from upcard.rules.phrases import brief
from upcard.rules.twins import twins_of

GROUP = "upcard.games"
"""The entry point group under which installed packages offer a game."""
Games = dict[str, type[Game[Any]]]

log = logging.getLogger("upcard.games")


class UnknownGame(UpcardError):
    """Raised if no game has this name, or if a file has no valid game."""


def load_file(path: str | Path) -> Games:
    """Return the games of a Python file, or of a folder with an `__init__.py`, by name. Raises UnknownGame.

    The file is executed under a generated module name, and again if it has been edited since the last call. Its games
    are the classes with a title that it defines, and the variants that it makes of any game.
    """
    if not isinstance(path, str | Path):
        raise UnknownGame(f"a game is loaded from the path of a file, not from {brief(path)}")
    try:
        file = Path(path).expanduser().resolve()
    except (OSError, RuntimeError, ValueError):
        raise UnknownGame(f"{brief(str(path))} is not the path of a file") from None
    try:
        if file.is_dir():
            file = file / "__init__.py"
        if not file.is_file():
            name = str(file)
            raise UnknownGame(f"{name if len(name) < 400 else brief(name)} does not exist")
        content = _content(file)
    except OSError as error:
        name = str(error.filename or file)
        raise UnknownGame(f"{name if len(name) < 400 else brief(name)} cannot be read: {error.strerror}") from None
    return _games_in(file, content)


def _content(file: Path) -> str:
    """Hash the current content of a file, or of the Python files in its folder if it is a package."""
    total = hashlib.sha256()
    for one in _sources(file):
        total.update(one.name.encode() + one.read_bytes())
    return total.hexdigest()


def _sources(file: Path) -> list[Path]:
    return sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file]


def _module_name(file: Path) -> str:
    """Return the module name for a file: the same in every process, because compiled code is cached under it, and a new
    one once the file has been edited."""
    stem = file.parent.name if file.name == "__init__.py" else file.stem
    named = "".join(letter if letter.isalnum() else "_" for letter in stem)
    name = f"upcard_game_{named}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
    return name if name not in sys.modules else f"{name}_{next(_edits)}"


_edits = count(1)


@cache
def _games_in(file: Path, content: str) -> Games:
    name = _module_name(file)
    module = _execute(file, name)
    games = games_of(module)
    _check_names(file, module)
    for game in games:
        if change := next(twins_of(game).outdated(), None):
            raise UnknownGame(_placed(change, file))
    by_slug = {game.slug: game for game in games}
    if twice := [game.slug for game in games if by_slug[game.slug] is not game]:
        raise UnknownGame(f"{file}: two games are called {twice[0]}: give one of them another name")
    if taken := by_slug.keys() & {*SLUGS, *VARIANTS}:
        raise UnknownGame(f"{file}: a game called {min(taken)} comes with Upcard: choose another slug = …")
    if not by_slug:
        raise UnknownGame(f"{file} has no game: write a class with a title in it, as in class Whist(Game[WhistState])")
    return by_slug


def _check_names(file: Path, module: ModuleType) -> None:
    """Raise UnknownGame if two classes of games share a name: the first would be lost."""
    lines: dict[str, int] = {}
    for node in ast.parse(file.read_bytes()).body:
        if isinstance(node, ast.ClassDef) and isinstance(getattr(module, node.name, None), GameClass):
            if node.name in lines:
                raise UnknownGame(
                    f"{file}: line {node.lineno}: there is a class {node.name} in line {lines[node.name]} as well"
                )
            lines[node.name] = node.lineno


def _execute(file: Path, name: str) -> ModuleType:
    folders = [str(file.parent)] if file.name == "__init__.py" else None
    spec = spec_from_file_location(name, file, submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise UnknownGame(f"{file} is no Python file: its name must end in .py")
    module = module_from_spec(spec)
    sys.modules[name] = module
    _forget_bytecode(file)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        for one in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
            del sys.modules[one]
        raise UnknownGame(_in_one_line(error, file)) from error
    return module


def _forget_bytecode(file: Path) -> None:
    """Have a file recompiled, with the other files of its folder if it is a package. Python considers bytecode current
    if the source still has the same length and the same second of last modification; both may be true after an edit."""
    for one in _sources(file):
        with suppress(OSError):  # bytecode that cannot be deleted cannot be written either
            os.unlink(cache_from_source(one))


def _placed(message: str, file: Path) -> str:
    """Replace the file name at the beginning of a message ("name, line …") by the path."""
    name = message.partition(", line ")[0]
    if name != file.name and name in [source.name for source in _sources(file)]:
        return f"{file.with_name(name)}{message.removeprefix(name)}"
    return f"{file}: {message.removeprefix(f'{file.name}, ')}"


def _in_one_line(error: BaseException, file: Path) -> str:
    """Format an error as one line that begins with the file and line of the mistake."""
    if isinstance(error, BadGame):
        return _placed(str(error), file)
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
    return _placed(f"{where}{_words(error)}", file)


def _words(error: BaseException) -> str:
    """Return an error's message on one line."""
    if isinstance(error, SystemExit):
        return "this would end the program"
    return " ".join(str(error).split()) or type(error).__name__


# ------------------------------------------------------------------------------------------------- finding games


def from_outside() -> Games:
    """Return the games of `UPCARD_GAMES` and of installed packages, by name. Broken ones are logged once and
    skipped."""
    loaded: Games = {}
    for file in _files():
        _add(loaded, _loaded(file))
    _add(loaded, _installed())
    return loaded


def is_one_broken() -> bool:
    """Whether a file of `UPCARD_GAMES` was skipped, which may be why a game is missing."""
    return not all(map(_loaded, _files()))


def _files() -> list[Path]:
    """List the files of `UPCARD_GAMES`."""
    paths = filter(None, os.environ.get("UPCARD_GAMES", "").split(os.pathsep))
    return [file for path in paths for file in _files_in(Path(path).expanduser())]


@cache
def _loaded(file: Path) -> Games:
    """Return the games of a file as of the first request, so that tables keep their rules."""
    try:
        return load_file(file)
    except UnknownGame as error:
        log.warning("%s", error)
        return {}


def _files_in(path: Path) -> list[Path]:
    """Return the path itself if it is a file or the folder of a game; otherwise all files and game folders in it."""
    try:
        if path.is_file() or (path / "__init__.py").is_file() or not path.is_dir():
            return [path]
        inside = sorted(path.iterdir())
    except OSError as error:
        _say_once(f"{path} cannot be read: {error.strerror}")
        return []
    return [one for one in inside if (one / "__init__.py").is_file() or (one.suffix == ".py" and one.name[0] != "_")]


@cache
def _installed() -> Games:
    installed: Games = {}
    for point in entry_points(group=GROUP):
        try:
            game = point.load()
        except (Exception, SystemExit) as error:
            _say_once(f"the installed game {point.name} cannot be loaded: {_words(error)}")
            continue
        if isinstance(game, type) and issubclass(game, Game):
            _add(installed, {game.slug: game})
        else:
            _say_once(f"the installed game {point.name} is {point.value}, which is no game")
    return installed


def _add(known: Games, games: Games) -> None:
    for slug, game in games.items():
        if slug in (*SLUGS, *VARIANTS) or (slug in known and known[slug] is not game):
            _say_once(f"{file_of(game)}: there is already a game called {slug}")
        else:
            known[slug] = game
            if missing := what_is_missing(game):
                _say_once(f"{slug} has no {missing}")


def what_is_missing(game: type[Game[Any]]) -> str:
    """Name the optional parts that a game lacks and people would miss; empty if there are none."""
    missing = [] if pages.page(game) else ["page of rules (rulebook.md)"]
    missing += [] if game.defines("choose") else ["heuristic (casual computer players move at random)"]
    return " and no ".join(missing)


_told: set[str] = set()


def _say_once(line: str) -> None:
    if line not in _told:
        _told.add(line)
        log.warning("%s", line)
