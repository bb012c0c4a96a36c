"""All available games: those that ship with Upcard, one folder each, and those from outside.

Games from outside come from the files and folders in `UPCARD_GAMES` (separated as in PATH), and from installed packages
with entry points in the group `upcard.games`; `load_file` loads any other file. A broken game is logged in one line and
skipped.
"""

from __future__ import annotations

from typing import Any

from upcard.games.outside import UnknownGame, from_outside, is_one_broken, load_file, what_is_missing
from upcard.games.pickling import NotImportable, recall, recipe
from upcard.games.shipped import SLUGS, VARIANTS, shipped
from upcard.rules.errors import BadGame
from upcard.rules.game import Game
from upcard.rules.phrases import brief
from upcard.rules.renamed import former_names
from upcard.rules.sentences import sentence


def load(slug: str) -> type[Game[Any]]:
    """Return the game of this name. Raises UnknownGame."""
    if not isinstance(slug, str):
        raise UnknownGame(f"a game is given by its name, not by {brief(slug)}")
    if slug in SLUGS or slug in VARIANTS:
        return shipped(slug)
    outside = from_outside()
    if slug not in outside:
        known = ", ".join([*SLUGS, *VARIANTS, *outside])
        raise UnknownGame(sentence("there is no game {name} (there are: {known})", name=brief(slug), known=known))
    return outside[slug]


def names() -> list[str]:
    """Return the names of all games that `load` finds: shipped games, shipped variants, games from outside."""
    return [*SLUGS, *VARIANTS, *from_outside()]


__all__ = [
    "SLUGS",
    "VARIANTS",
    "BadGame",
    "NotImportable",
    "UnknownGame",
    "from_outside",
    "is_one_broken",
    "load",
    "load_file",
    "names",
    "recall",
    "recipe",
    "what_is_missing",
]

__getattr__ = former_names(__name__, Elsewhere="NotImportable")
