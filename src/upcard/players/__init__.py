"""Computer players: a view in, a move out.

A player gets what its seat sees and a generator of random numbers. It never gets a state or a match, so it cannot peek.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol

from upcard.match import UpcardError
from upcard.players.limits import Limit, Rollouts, Seconds
from upcard.views import View


class Player(Protocol):
    """Whoever decides for a seat."""

    def choose(self, view: View, rng: Random) -> str:
        """One of the legal moves of the view's seat, as text. The same view and generator give the same move."""
        ...


@dataclass(frozen=True)
class Kind:
    """A kind of computer player."""

    name: str
    title: str
    """For people."""
    help: str
    make: Callable[[Limit | None], Player]


def _random(limit: Limit | None) -> Player:
    from upcard.players.random_player import RandomPlayer

    return RandomPlayer()


def _thumb(limit: Limit | None) -> Player:
    from upcard.players.thumb import Thumb

    return Thumb()


def _search(limit: Limit | None) -> Player:
    from upcard.players.search import Search

    return Search(limit or Seconds())


PLAYERS = {
    kind.name: kind
    for kind in (
        Kind("random", "Random", "any legal move", _random),
        Kind("thumb", "Casual", "plays at once, by rules of thumb", _thumb),
        Kind("search", "Strong", "thinks for a second: tries its moves on deals that fit what it has seen", _search),
    )
}
"""Every kind, by name."""

LEVELS = {"casual": PLAYERS["thumb"], "strong": PLAYERS["search"]}
"""Those that people are offered to play against, from the weakest to the strongest."""


def player(name: str, limit: Limit | None = None) -> Player:
    """The player of this name, or of this level.

    `limit` is how long a searching player may think; "search:500" says it in rollouts. Raises UpcardError.
    """
    word, colon, number = name.partition(":")
    kinds = PLAYERS | LEVELS
    if word not in kinds:
        raise UpcardError(f"there is no player {name!r:.40} (there are: {', '.join(kinds)})")
    if colon:
        if kinds[word].name != "search" or not number.isdecimal() or not 0 < int(number[:9]) == int(number):
            raise UpcardError(f"a player with a number is search:ROLLOUTS, not {name!r:.40}")
        limit = Rollouts(int(number))
    return kinds[word].make(limit)


__all__ = ["LEVELS", "PLAYERS", "Kind", "Limit", "Player", "Rollouts", "Seconds", "player"]
