"""When each seat was asked for its move, and when it last made one, as entry numbers and as times."""

from __future__ import annotations

from upcard.engine.events import Event
from upcard.table.journal import TookBack


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
