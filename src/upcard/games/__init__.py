"""All games that can be played here: those that come with Upcard, one folder each, and those from outside.

Games from outside are found in the files and folders that `UPCARD_GAMES` names (separated as in PATH), and in installed
packages by the entry point group `upcard.games`; `load_file` loads any other. A broken one is told in one line and
leaves the others alone.
"""

from __future__ import annotations

import logging
import os
import pkgutil
import sys
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from upcard.rules import pages
from upcard.rules.game import BadGame, Game
from upcard.rules.variants import Change, derive, root_of
from upcard.rules.words import brief

SLUGS = tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__) if module.ispkg))
"""The games that come with Upcard."""
GROUP = "upcard.games"

log = logging.getLogger("upcard.games")


class UnknownGame(ValueError):
    """There is no game of this name, or a file that holds none."""


def load(slug: str) -> Game[Any]:
    """The game of this name, wherever it comes from. Raises UnknownGame."""
    if slug in SLUGS:
        return _shipped(slug)
    outside = from_outside()
    if slug not in outside:
        raise UnknownGame(f"there is no game {brief(slug)} (there are: {', '.join([*SLUGS, *outside])})")
    return outside[slug]


def names() -> list[str]:
    """The names of all games that can be loaded, those from outside last."""
    return [*SLUGS, *from_outside()]


@cache
def _shipped(slug: str) -> Game[Any]:
    game: Game[Any] = import_module(f"upcard.games.{slug.replace('-', '_')}").GAME
    return game


# ------------------------------------------------------------------------------------------------------- from outside

_files: dict[Path, dict[str, Game[Any]]] = {}
_told: set[str] = set()


def load_file(path: str | Path) -> dict[str, Game[Any]]:
    """The games of a Python file, or of a folder with an `__init__.py`, by name. Raises UnknownGame, in one line.

    A file is executed once a process, under a name of its own; the game that it declares and the variants that it makes
    of any game are found in its globals.
    """
    file = Path(path).expanduser().resolve()
    if file.is_dir():
        file = file / "__init__.py"
    if file not in _files:
        _files[file] = _load(file)
    return _files[file]


def _load(file: Path) -> dict[str, Game[Any]]:
    if not file.is_file():
        raise UnknownGame(f"{file} is no file with a game")
    named = file.parent.name if file.name == "__init__.py" else file.stem
    name = f"upcard_game_{named}_{abs(hash(file)) % 10**8}".replace("-", "_").replace(".", "_")
    folders = [str(file.parent)] if file.name == "__init__.py" else None
    spec = spec_from_file_location(name, file, submodule_search_locations=folders)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise UnknownGame(f"{file}: {_in_one_line(error, file)}") from error
    found = [one for one in vars(module).values() if isinstance(one, Game) and one.slug not in SLUGS]
    if not found:
        raise UnknownGame(f"{file} holds no game: call `define_game(__name__, …)` or make a variant in it")
    games = {}
    for game in found:
        if game.package == name and game.base is None and game.slug.startswith("upcard-game-"):
            game = _renamed(game, named)
        games[game.slug] = game
    return games


def _renamed(game: Game[Any], named: str) -> Game[Any]:
    """A game that says no name is called after its file or folder."""
    object.__setattr__(game, "slug", named.replace("_", "-"))
    return game


def _in_one_line(error: Exception, file: Path) -> str:
    """What went wrong in a file, with the line where it did."""
    if isinstance(error, BadGame):
        return str(error)
    line = getattr(error, "lineno", None)
    trace = error.__traceback__
    while line is None and trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).parent == file.parent:
            where = f"{Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno}: "
        trace = trace.tb_next
    where = f"line {line}: " if line is not None else locals().get("where", "")
    return f"{where}{' '.join(str(error).split()) or type(error).__name__}"


def from_outside() -> dict[str, Game[Any]]:
    """The games of `UPCARD_GAMES` and of installed packages, by name; what is broken is told once and left out."""
    found: dict[str, Game[Any]] = {}
    for path in filter(None, os.environ.get("UPCARD_GAMES", "").split(os.pathsep)):
        for file in _files_in(Path(path).expanduser()):
            try:
                games = load_file(file)
            except UnknownGame as error:
                _say_once(str(error))
                continue
            _add(found, games)
    _add(found, _installed())
    return found


def _files_in(path: Path) -> list[Path]:
    """A file or a game's folder itself; of any other folder all files and game folders in it."""
    if path.is_file() or (path / "__init__.py").is_file() or not path.is_dir():
        return [path]
    inside = sorted(path.iterdir())
    return [one for one in inside if (one / "__init__.py").is_file() or (one.suffix == ".py" and one.name[0] != "_")]


@cache
def _installed() -> dict[str, Game[Any]]:
    found: dict[str, Game[Any]] = {}
    for point in entry_points(group=GROUP):
        try:
            game = point.load()
        except Exception as error:
            _say_once(f"the installed game {point.name} cannot be loaded: {' '.join(str(error).split())}")
            continue
        _add(found, {game.slug: game} if isinstance(game, Game) else {})
    return found


def _add(found: dict[str, Game[Any]], games: dict[str, Game[Any]]) -> None:
    for slug, game in games.items():
        if slug in SLUGS or (slug in found and found[slug] is not game):
            _say_once(f"{game.file}: a game called {slug} is there already")
        else:
            found[slug] = game
            if missing := what_is_missing(game):
                _say_once(f"{slug} has no {missing}")


def what_is_missing(game: Game[Any]) -> str:
    """What a game can do without, but people will miss: in words, empty if nothing."""
    missing = [] if pages.page(game) else ["page of rules (rulebook.md)"]
    missing += [] if game.heuristic else ["heuristic: casual computer players move at random"]
    return " and no ".join(missing)


def _say_once(line: str) -> None:
    if line not in _told:
        _told.add(line)
        log.warning("%s", line)


# ---------------------------------------------------------------------------------------------- in another process


class Elsewhere(ValueError):
    """A game that another process cannot load."""


def recipe(game: Game[Any]) -> tuple[Any, ...]:
    """How another process has the same game: the arguments of `recall`. Raises Elsewhere, in one line, if it cannot."""
    if game.base is None and game.slug in SLUGS and _shipped(game.slug) is game:
        return "shipped", game.slug
    change = game.change
    if game.base is not None and change is not None and not change.needs_modules and _plain(change):
        return "varied", game.base, change
    if game.file is None or not game.file.is_file():
        raise Elsewhere(
            f"{game.slug} was made in a notebook or at a prompt, where other processes do not find it: "
            "save it in a file and load it with upcard.games.load_file"
        )
    return "file", str(game.file), game.slug, game.identity


def _plain(change: Change) -> bool:
    values = [*change.numbers.values(), *change.said.values(), *change.options.values()]
    return not any(callable(value) for value in values)


def recall(kind: str, *told: Any) -> Game[Any]:
    """The game of a recipe. Raises UnknownGame if what is found there now has other rules."""
    if kind == "shipped":
        return load(*told)
    if kind == "varied":
        return derive(*told)
    file, slug, identity = told
    game = load_file(file).get(slug)
    if game is None or game.identity != identity:
        raise UnknownGame(f"{file} has no game {brief(slug)} with the same rules as before: was it edited?")
    return game


__all__ = [
    "SLUGS",
    "BadGame",
    "Elsewhere",
    "UnknownGame",
    "from_outside",
    "load",
    "load_file",
    "names",
    "recall",
    "recipe",
    "root_of",
    "what_is_missing",
]
