"""When each seat was asked for its move, and when it last made one: by entry numbers and by the clock."""

from __future__ import annotations

from upcard.engine.events import Event
from upcard.table.journal import TookBack


class Turns:
    """The turns of one match."""

    def __init__(self, players: int) -> None:
        self.events: list[int] = []
        """For each event of the match, the number of its entry."""
        self.since = [0] * players
        """Per seat, the number of the entry since which it has been asked for the same move."""
        self.moved = [0] * players
        """Per seat, the number of its own last move."""
        self.due = [0.0] * players
        """Per seat, the time since which it has been asked for the same move."""

    def note(self, seq: int, at: float, event: Event, to_act: int) -> None:
        """Entry `seq` is this event; `to_act` are the seats that were to act before it."""
        self.events.append(seq)
        for seat in range(len(self.since)):
            if seat == event.seat or not to_act >> seat & 1:
                self.since[seat], self.due[seat] = seq, at
        if event.seat is not None:
            self.moved[event.seat] = seq

    def take_back(self, entry: TookBack, seq: int) -> int:
        """Entry `seq` takes events back; the number of the last one that is left."""
        del self.events[entry.events :]
        players = len(self.since)
        self.since, self.moved, self.due = [seq] * players, [seq] * players, [entry.at] * players
        return self.events[-1] if self.events else 0
