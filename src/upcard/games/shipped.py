"""The games that come with Upcard."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from upcard.rules.game import Game

SLUGS = tuple(
    sorted(one.name.replace("_", "-") for one in pkgutil.iter_modules([str(Path(__file__).parent)]) if one.ispkg)
)
"""The names of the shipped games."""
VARIANTS = ("schnapsen",)
"""The names of the shipped variants of these games, each in a module of its own."""


@cache
def shipped(slug: str) -> type[Game[Any]]:
    """Return the game or variant of this name, one of SLUGS or VARIANTS."""
    module = import_module(f"upcard.games.{slug.replace('-', '_')}")
    return next(one for one in games_of(module) if one.slug == slug)


def games_of(module: ModuleType) -> list[type[Game[Any]]]:
    """List the games that a module itself defines: classes with a title and without a private name."""
    classes = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Game)]
    whole = [one for one in classes if hasattr(one, "title") and one.__name__[0] != "_"]
    return [one for one in dict.fromkeys(whole) if one.__module__ == module.__name__ or "_given" in vars(one)]


def comes_with_upcard(game: type[Game[Any]]) -> bool:
    """Whether every process finds this game by its name."""
    return game.slug in (*SLUGS, *VARIANTS) and shipped(game.slug) is game
