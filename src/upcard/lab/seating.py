"""Who sits where: computer players by name, or objects that choose."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from upcard.compiled import loops
from upcard.engine.chance import PACKS, SplitMix, key_of, stream
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.setup import Setup
from upcard.players import Player, kind_of, player
from upcard.players.limits import Rollouts

POLICIES = {"random": loops.RANDOM, "heuristic": loops.HEURISTIC}
"""The players that compiled loops know."""
SEARCH_LIMIT = Rollouts(1000)
"""How long a searching player thinks here unless its name says more: no clock, so that the seed decides everything."""

By = str | Player | Sequence[str | Player]
"""Who plays: one for all seats, or one for each."""


@dataclass(frozen=True)
class Seating:
    """The players of a table, seat by seat."""

    players: tuple[str | Player, ...]

    @staticmethod
    def of(by: By, seats: int) -> Seating:
        """One player for all seats, or one each. Raises UpcardError for a wrong number or a player that is none."""
        named = list(by) if isinstance(by, Sequence) and not isinstance(by, str) else [by] * seats
        if len(named) != seats:
            raise UpcardError(f"{len(named)} players are named for {seats} seats")
        for one in named:
            if isinstance(one, str):
                player(one, SEARCH_LIMIT)
            elif not callable(getattr(one, "choose", None)):
                raise UpcardError(f"a player is a name or has a method choose(view, rng), not {one!r:.40}")
        return Seating(tuple(named))

    @property
    def names(self) -> list[str]:
        return [one if isinstance(one, str) else type(one).__name__ for one in self.players]

    @property
    def kinds(self) -> list[int] | None:
        """The policies of compiled loops; None if somebody must be asked in Python."""
        names = [kind_of(one).name if isinstance(one, str) else "" for one in self.players]
        return [POLICIES[name] for name in names] if all(name in POLICIES for name in names) else None

    def seated(self) -> list[Player]:
        return [player(one, SEARCH_LIMIT) if isinstance(one, str) else one for one in self.players]


@dataclass(frozen=True)
class Table:
    """What is played by whom, with which luck: all that a worker needs to begin."""

    setup: Setup[Any]
    seating: Seating
    seed: int


class Driver:
    """Plays a match event by event, for players that take their time: the same chance as compiled loops give it."""

    def __init__(self, match: Match[Any], seated: Sequence[Player], seed: int, number: int) -> None:
        self.match = match
        self.moves = 0
        self._seated = seated
        self._chance = SplitMix(stream(key_of(seed), number, PACKS))
        self._luck = [Random(f"{seed} {number} {seat}") for seat in range(match.players)]

    def step(self) -> None:
        """The next event."""
        match = self.match
        if match.awaiting:
            match.event(match.draw_lots(self._chance))
        else:
            seat = match.to_act[0]
            match.play(seat, self._seated[seat].choose(match.view(seat), self._luck[seat]))
            self.moves += 1


def begun(setup: Setup[Any]) -> list[Match[Any]]:
    """Matches about to begin, one for each first dealer."""
    return [Match(setup, dealer=dealer) for dealer in range(setup.players)]


def whole(name: str, number: object, least: int | None = 1) -> int:
    """A whole number, of any kind that is one, from `least` up. Raises UpcardError."""
    try:
        found = operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        found = None
    if found is None or (least is not None and found < least):
        bound = "" if least is None else f" from {least} up"
        raise UpcardError(f"{name} is a whole number{bound}, not {number!r:.40}")
    return found
