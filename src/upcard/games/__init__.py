"""The games, one file each. A game is listed by its file being here: `sixty_six.py` is `sixty-six`."""

import pkgutil
from functools import cache
from importlib import import_module

from upcard.game import Game, brief

SLUGS = tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)))


class UnknownGame(ValueError):
    """There is no game of this name."""


@cache
def load(slug: str) -> Game:
    """The game of this name. Raises UnknownGame."""
    if slug not in SLUGS:
        raise UnknownGame(f"there is no game {brief(slug)} (there are: {', '.join(SLUGS)})")
    game: Game = import_module(f"upcard.games.{slug.replace('-', '_')}").GAME
    return game
