"""Computer players: a view in, a move out.

A player gets its seat's view and a random number generator. It never gets a state or a match, so it cannot peek.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Protocol

from upcard.engine.errors import UpcardError
from upcard.engine.views import View
from upcard.players.thinking_limits import Limit, Rollouts, Seconds
from upcard.rules.game import Game
from upcard.rules.phrases import brief
from upcard.rules.renamed import former_names


class Player(Protocol):
    """An object that makes the decisions of a seat."""

    def choose(self, view: View[Any], rng: Random) -> str:
        """A legal move of the view's seat, as text. The same view and generator state give the same move."""
        ...


@dataclass(frozen=True)
class Kind:
    """A kind of computer player."""

    name: str
    title: str
    """The name shown to people."""
    help: str
    make: Callable[[Limit | None], Player]


def _random(limit: Limit | None) -> Player:
    from upcard.players.quick import RandomPlayer

    return RandomPlayer()


def _easy(limit: Limit | None) -> Player:
    from upcard.players.quick import Easy

    return Easy()


def _heuristic(limit: Limit | None) -> Player:
    from upcard.players.quick import Heuristic

    return Heuristic()


def _learned(limit: Limit | None) -> Player:
    from upcard.players.quick import LearnedPlayer

    return LearnedPlayer()


def _search(limit: Limit | None) -> Player:
    from upcard.players.search import Search

    return Search(limit)


def _expert(limit: Limit | None) -> Player:
    from upcard.players.search import Search

    return Search(limit or Seconds(LONG), expert=True)


LONG = 0.7
"""Seconds that an expert thinks; with all overhead it moves within one second."""

PLAYERS = {
    kind.name: kind
    for kind in (
        Kind("random", "Random", "any legal move", _random),
        Kind("easy", "Easy", "plays at once, but errs in one decision of three", _easy),
        Kind("heuristic", "Casual", "plays at once, by rules of thumb", _heuristic),
        Kind("learned", "Medium", "plays at once, as it has learned by playing against itself", _learned),
        Kind("search", "Strong", "tries its moves on a hundred deals or more that fit what it has seen", _search),
        Kind(
            "expert",
            "Expert",
            "thinks: tries them on thousands, and in some games asks what the others would have done with those cards",
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
"""The levels that people play against, from the weakest to the strongest."""


def levels_of(game: type[Game[Any]]) -> list[str]:
    """The levels available in a game, from the weakest to the strongest. Raises UpcardError for anything but a game's
    class."""
    from upcard.policies.learned import learned_of

    if not (isinstance(game, type) and issubclass(game, Game)):
        raise UpcardError(f"levels are those of a game's class, not of {brief(game)}")

    has = {"easy": game.defines("choose"), "learned": learned_of(game) is not None}
    return [name for name, kind in LEVELS.items() if has.get(kind.name, True)]


_NAMED = PLAYERS | LEVELS
"""All kinds and levels."""


def player_kind(name: str) -> Kind:
    """The kind of player with this name, which may include a number of rollouts, such as "search:500". Raises
    UpcardError."""
    kind = _NAMED.get(name.partition(":")[0]) if isinstance(name, str) else None
    if kind is None:
        raise UpcardError(f"there is no player {brief(name)} (there are: {', '.join(PLAYERS | LEVELS)})")
    return kind


_luck = Random()
"""Seeded by the operating system in every process."""


def reseed() -> None:
    """Seed the generators of this process by the operating system again, since another may have begun with a copy of
    its memory."""
    _luck.seed()
    random.seed()


def choose(level: str, view: View[Any], limit: Limit | None = None) -> str:
    """The move of a computer player of this level, with its own source of randomness. This may take a while, or up to
    `limit` for players that search.

    The time taken can reveal something about the hand (forced and solved moves take no time), so callers should make
    the move only after a fixed time.
    """
    is_usual = limit is None and isinstance(level, str)  # nothing else can be remembered
    return (_usual_player(level) if is_usual else player(level, limit)).choose(view, _luck)


@lru_cache
def _usual_player(name: str) -> Player:
    """The player with this name, as limited as usual: players have no state of their own."""
    return player(name)


def player(name: str, limit: Limit | None = None) -> Player:
    """The player with this name or of this level. Raises UpcardError if there is none.

    `limit` is how long a searching player may think; names such as "search:500" or "expert:500" give it in rollouts.
    """
    kind = player_kind(name)
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
    "levels_of",
    "player",
    "player_kind",
    "reseed",
]


__getattr__ = former_names(__name__, kind_of="player_kind")
