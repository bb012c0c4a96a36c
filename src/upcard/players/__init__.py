"""Computer players: a view in, a move out.

A player gets what its seat sees and a generator of random numbers. It never gets a state or a match, so it cannot peek.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from upcard.engine.errors import UpcardError
from upcard.engine.views import View
from upcard.players.limits import Limit, Rollouts, Seconds
from upcard.rules.game import Game
from upcard.rules.words import brief


class Player(Protocol):
    """Whoever decides for a seat."""

    def choose(self, view: View[Any], rng: Random) -> str:
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


def _easy(limit: Limit | None) -> Player:
    from upcard.players.easy import Easy

    return Easy()


def _heuristic(limit: Limit | None) -> Player:
    from upcard.players.heuristic import Heuristic

    return Heuristic()


def _learned(limit: Limit | None) -> Player:
    from upcard.players.learned import LearnedPlayer

    return LearnedPlayer()


def _search(limit: Limit | None) -> Player:
    from upcard.players.search import Search

    return Search(limit)


def _expert(limit: Limit | None) -> Player:
    from upcard.players.search import Search

    return Search(limit or Seconds(LONG), expert=True)


LONG = 0.7
"""Seconds that an expert thinks: with all that surrounds it, its move comes within one."""

PLAYERS = {
    kind.name: kind
    for kind in (
        Kind("random", "Random", "any legal move", _random),
        Kind("easy", "Easy", "plays at once, and errs in one choice of three", _easy),
        Kind("heuristic", "Casual", "plays at once, by rules of thumb", _heuristic),
        Kind("learned", "Medium", "plays at once, as it has learned by playing against itself", _learned),
        Kind("search", "Strong", "tries its moves on a hundred deals that fit what it has seen", _search),
        Kind(
            "expert",
            "Expert",
            "thinks: tries them on thousands, and asks what the others would have done with such cards",
            _expert,
        ),
    )
}
"""Every kind, by name."""

LEVELS = {
    "easy": PLAYERS["easy"],
    "casual": PLAYERS["heuristic"],
    "medium": PLAYERS["learned"],
    "strong": PLAYERS["search"],
    "expert": PLAYERS["expert"],
}
"""Those that people play against, from the weakest to the strongest."""


def levels_of(game: Game[Any]) -> list[str]:
    """The levels that people are offered at a game, from the weakest to the strongest."""
    from upcard.engine.policy import learned_of

    has = {"easy": game.heuristic is not None, "learned": learned_of(game) is not None}
    return [name for name, kind in LEVELS.items() if has.get(kind.name, True)]


_NAMED = PLAYERS | LEVELS | {"thumb": PLAYERS["heuristic"]}
"""All of these, and a name from before that scripts may use."""


def kind_of(name: str) -> Kind:
    """The kind of player that a name stands for: "search:500" for a search. Raises UpcardError."""
    found = _NAMED.get(name.partition(":")[0]) if isinstance(name, str) else None
    if found is None:
        raise UpcardError(f"there is no player {brief(name)} (there are: {', '.join(PLAYERS | LEVELS)})")
    return found


_luck = Random()
"""It begins anew with every program, from what the operating system gives."""


def choose(level: str, view: View[Any]) -> str:
    """The move of a computer player of this level, with luck of its own; it may take its time.

    How long that is can tell something of the hand (a forced move and a solved one come at once), so whoever asks makes
    the move only after a usual time.
    """
    return player(level).choose(view, _luck)


def player(name: str, limit: Limit | None = None) -> Player:
    """The player of this name, or of this level.

    `limit` is how long a searching player may think; "search:500", "expert:500" say it in rollouts. Raises UpcardError.
    """
    kind = kind_of(name)
    _, colon, number = name.partition(":")
    if colon:
        thinks = kind.name in ("search", "expert")
        if not thinks or not (number.isascii() and number.isdecimal()) or not 0 < int(number[:9]) == int(number):
            raise UpcardError(f"a player with a number is search:ROLLOUTS or expert:ROLLOUTS, not {name!r:.40}")
        limit = Rollouts(int(number))
    return kind.make(limit)


__all__ = [
    "LEVELS",
    "PLAYERS",
    "Kind",
    "Limit",
    "Player",
    "Rollouts",
    "Seconds",
    "choose",
    "kind_of",
    "levels_of",
    "player",
]
