"""Rules of thumb, one file per game: sensible play at once, from what a seat sees.

Each file has `choose(s, opt, me, moves, n, luck)`, a rule like those of the games: it returns one of the first n of the
legal moves. `luck` is a random number below 2**31, to vary what is as good as something else. It looks at nothing that
the seat `me` may not see.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from upcard.game import Buffer, Game
from upcard.match import UpcardError

Choose = Callable[[Any, Any, int, Buffer, int, int], int]


def load(game: Game) -> Choose:
    """The rule of thumb of a game. Raises UpcardError if it has none."""
    choose = _find(f"{__name__}.{game.slug.replace('-', '_')}")
    if choose is None:
        raise UpcardError(f"there are no rules of thumb for {game.title}")
    return choose


@cache
def _find(module: str) -> Choose | None:
    try:
        choose: Choose = import_module(module).choose
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return None
    return choose
