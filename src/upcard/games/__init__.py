"""All games that can be played here: those that come with Upcard, one folder each, a variant or two, and those
from outside.

Games from outside are found in the files and folders that `UPCARD_GAMES` names (separated as in PATH), and in installed
packages by the entry point group `upcard.games`; `load_file` loads any other. A broken one is told in one line and
leaves the others alone.
"""

from __future__ import annotations

from typing import Any

from upcard.games.elsewhere import Elsewhere, recall, recipe
from upcard.games.outside import UnknownGame, from_outside, load_file, what_is_missing
from upcard.games.shipped import SLUGS, VARIANTS, shipped
from upcard.rules.game import BadGame, Game
from upcard.rules.words import brief


def load(slug: str) -> Game[Any]:
    """The game of this name, wherever it comes from. Raises UnknownGame."""
    if slug in SLUGS or slug in VARIANTS:
        return shipped(slug)
    outside = from_outside()
    if slug not in outside:
        raise UnknownGame(f"there is no game {brief(slug)} (there are: {', '.join([*SLUGS, *VARIANTS, *outside])})")
    return outside[slug]


def names() -> list[str]:
    """The names of all games that can be loaded: those that come with Upcard, variants that do, those from outside."""
    return [*SLUGS, *VARIANTS, *from_outside()]


__all__ = [
    "SLUGS",
    "VARIANTS",
    "BadGame",
    "Elsewhere",
    "UnknownGame",
    "from_outside",
    "load",
    "load_file",
    "names",
    "recall",
    "recipe",
    "what_is_missing",
]
