"""The clocks of a table: a time for each move, and a bank for moves that take longer."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from upcard.engine.events import Event
from upcard.rules.seats import acts
from upcard.rules.state import GameState
from upcard.table.journal import (
    AnyEntry,
    Extended,
    Happened,
    Left,
    Moved,
    Returned,
    Seated,
    Substituted,
    Swapped,
    TookBack,
)
from upcard.table.seats import Occupant
from upcard.table.settings import Clock


class Turns:
    """The turns of one match."""

    def __init__(self, players: int) -> None:
        self.events: list[int] = []
        """For each event of the match, the number of its entry."""
        self.since = [0] * players
        """For each seat, the number of the entry since which it has been asked for its present move."""
        self.moved = [0] * players
        """For each seat, the number of the entry with its last move."""
        self.due = [0.0] * players
        """For each seat, the time since which it has been asked for its present move."""

    def note(self, seq: int, at: float, event: Event, to_act: int) -> None:
        """Record the event of entry `seq`. The time of seats that it asks for a move counts from `at`; `to_act` is the
        set of seats that were to act before it, as bits."""
        self.events.append(seq)
        for seat in range(len(self.since)):
            if seat == event.seat or not to_act >> seat & 1:
                self.since[seat], self.due[seat] = seq, at
        if event.seat is not None:
            self.moved[event.seat] = seq

    def take_back(self, entry: TookBack, seq: int) -> int:
        """Record that entry `seq` takes events back; return the number of the entry with the last event left, or 0."""
        del self.events[entry.events :]
        players = len(self.since)
        self.since, self.moved, self.due = [seq] * players, [seq] * players, [entry.at] * players
        return self.events[-1] if self.events else 0


BETWEEN_DEALS = 5.0
"""Seconds after the end of a deal in which no clock runs, so that everybody can look at the result."""
GRACE = 15.0
"""Seconds left to somebody whose clock ran out while no program had the table in memory."""


class ClockView(Struct):
    """The clock of one seat."""

    bank: float
    """Seconds left in the bank when this move began."""
    since: float | None
    """The time since which the clock has been running; None while it is stopped. What a move needs beyond its own time
    is taken from the bank."""


class Clocks:
    """The bank time used by each seat. All of it follows from the times in the journal: it is the same in every program
    that has the table, and neither a restart nor another server gives anybody more time.

    A player who gives up a seat and returns has the same time left: nobody gains time by leaving.
    """

    def __init__(self, players: int, turns: Turns) -> None:
        self._turns = turns
        self._extended: dict[int, tuple[float, float]] = {}
        """By seat, the time since when it was due as its move was extended, and until when it was."""
        self._taken = [0.0] * players
        self._sits: list[str | None] = [None] * players
        """For each seat, the identity of the last person who took it."""
        self._gone: dict[str | None, float] = {}
        """By identity, the bank used by people who have given up their seat."""
        self._moved_for: set[int] = set()
        """The seats where a computer player moves for an absent person."""

    def note(self, entry: AnyEntry, seat: int | None) -> None:
        """Apply a journal entry; `seat` is the seat whose move it is; None if it is not a move."""
        match entry:
            case Happened(taken=taken) if seat is not None:
                self._taken[seat] += taken
            case Seated(seat=newcomer, place=place):
                self._sits[newcomer] = place.identity
                if place.identity not in self._gone:
                    self._turns.due[newcomer] = entry.at
                self._taken[newcomer] = self._gone.pop(place.identity, 0.0)
            case Left(seat=gone):
                self._gone[self._sits[gone]] = self._taken[gone]
                self._moved_for.discard(gone)
            case Swapped(seats=(one, two)):
                self._sits[one], self._sits[two] = self._sits[two], self._sits[one]
            case Substituted(seat=away, late=late):
                self._moved_for.add(away)
                self._taken[away] = float("inf") if late else self._taken[away]
            case Extended(seats=seats, until=until):
                self._extended |= {late: (self._turns.due[late], until) for late in seats}
            case Returned(seat=back) | Moved(seat=back):
                if back in self._moved_for:
                    self._turns.due[back] = entry.at
                self._moved_for.discard(back)
                self._sits[back] = entry.identity if isinstance(entry, Moved) else self._sits[back]

    def taken(self, clock: Clock, seat: int, now: float) -> float:
        """The seconds that a move made now takes from the bank."""
        if self._until(seat) is not None:
            return 0.0
        over = now - self._turns.due[seat] - clock.per_move
        return round(min(max(0.0, over), self._left(clock, seat)), 3)

    def zero(self, clock: Clock, seat: int) -> float:
        """The time at which a seat that is to move runs out of time."""
        until = self._until(seat)
        return self._turns.due[seat] + clock.per_move + self._left(clock, seat) if until is None else until

    def lapsed(self, clock: Clock, seat: int, opened: float) -> bool:
        """Whether the clock of a seat that is to move had run out by the time at which this program got the table, and
        its move has not been extended since."""
        return self._until(seat) is None and self.zero(clock, seat) <= opened

    def views(self, clock: Clock, running: Sequence[int]) -> list[ClockView]:
        """The clocks of all seats, the same for every viewer; `running` are the seats whose clocks run."""
        return [
            ClockView(self._left(clock, seat), self._since(clock, seat) if seat in running else None)
            for seat in range(len(self._taken))
        ]

    def _since(self, clock: Clock, seat: int) -> float:
        """The time since which the clock would have been running, to run out when it does."""
        until = self._until(seat)
        return self._turns.due[seat] if until is None else until - clock.per_move - self._left(clock, seat)

    def _until(self, seat: int) -> float | None:
        """The time until which the present move of a seat is extended; None if it is not."""
        due, until = self._extended.get(seat, (None, None))
        return until if due == self._turns.due[seat] else None

    def _left(self, clock: Clock, seat: int) -> float:
        return round(max(0.0, clock.bank - self._taken[seat]), 3)


def running(places: Sequence[Occupant], state: GameState) -> list[int]:
    """The seats whose clocks run: those of people who are to move and have no substitute."""
    themselves = [seat for seat, place in enumerate(places) if place.who == "person" and not place.substitute]
    return [seat for seat in themselves if acts(state, seat)]
