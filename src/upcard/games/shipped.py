"""The games that come with Upcard."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from upcard.rules.game import Game

SLUGS = tuple(
    sorted(one.name.replace("_", "-") for one in pkgutil.iter_modules([str(Path(__file__).parent)]) if one.ispkg)
)
"""Their names."""
VARIANTS = ("schnapsen",)
"""The names of variants of them that come with Upcard, each in a module of its own."""


@cache
def shipped(slug: str) -> Game[Any]:
    """The game or variant of this name, one of SLUGS or VARIANTS."""
    game: Game[Any] = import_module(f"upcard.games.{slug.replace('-', '_')}").GAME
    return game


def is_shipped(game: Game[Any]) -> bool:
    """Whether it comes with Upcard, so that every process finds it by its name."""
    return game.slug in (*SLUGS, *VARIANTS) and shipped(game.slug) is game
