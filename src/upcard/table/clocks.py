"""The clocks of a table that has some: so much time for every move, and a bank for when that is not enough."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from upcard.rules.seats import acts
from upcard.rules.state import GameState
from upcard.table.journal import AnyEntry, Happened, Moved, Returned, Seated, Substituted
from upcard.table.seats import Place
from upcard.table.settings import Clock
from upcard.table.turns import Turns


class ClockView(Struct):
    """The clock of one seat."""

    bank: float
    """Seconds left in the bank when this move began."""
    since: float | None
    """Since when the clock runs; None while it stands. It takes from the bank what a move needs beyond its own time."""


class Clocks:
    """What each seat has taken from its bank. Nobody's clock runs before `opened`: then the house was closed."""

    def __init__(self, players: int, turns: Turns, opened: float) -> None:
        self._turns = turns
        self._opened = opened
        self._taken = [0.0] * players

    def note(self, entry: AnyEntry, seat: int | None) -> None:
        """Let an entry follow; `seat` is who has moved with it."""
        match entry:
            case Happened(taken=taken) if seat is not None:
                self._taken[seat] += taken
            case Seated(seat=newcomer):
                self._taken[newcomer] = 0.0
                self._turns.due[newcomer] = entry.at
            case Substituted(seat=late, late=True):
                self._taken[late] = float("inf")
            case Returned(seat=back) | Moved(seat=back):
                self._turns.due[back] = entry.at

    def taken(self, clock: Clock, seat: int, now: float) -> float:
        """What a move that is made now takes from the bank."""
        over = now - self._since(seat) - clock.per_move
        return round(min(max(0.0, over), self._left(clock, seat)), 3)

    def zero(self, clock: Clock, seat: int) -> float:
        """The time at which a seat that is to move has none left."""
        return self._since(seat) + clock.per_move + self._left(clock, seat)

    def views(self, clock: Clock, running: Sequence[int]) -> list[ClockView]:
        """The clocks as everybody sees them."""
        return [
            ClockView(self._left(clock, seat), self._since(seat) if seat in running else None)
            for seat in range(len(self._taken))
        ]

    def _since(self, seat: int) -> float:
        return max(self._turns.due[seat], self._opened)

    def _left(self, clock: Clock, seat: int) -> float:
        return round(max(0.0, clock.bank - self._taken[seat]), 3)


def running(places: Sequence[Place], state: GameState) -> list[int]:
    """The seats whose clocks run: those of people who are to move themselves."""
    themselves = [seat for seat, place in enumerate(places) if place.who == "person" and not place.substitute]
    return [seat for seat in themselves if acts(state, seat)]
