"""Knocking: newcomers who wait for the host to let them in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from upcard.rules.sentences import sentence
from upcard.table.errors import TooMany
from upcard.table.journal import AnyEntry, Changed, Ended, Knocked, KnockEnded, Left, Moved, Seated
from upcard.table.seats import Occupant

MOST_KNOCKS, MOST_A_MINUTE = 5, 20
"""The most people who may wait at one table, and the most who may knock there within a minute."""
PAUSES = {"declined": 60.0, "withdrawn": 10.0}
"""Seconds before somebody may knock again, by how their knock ended."""
ABSENCE = 120.0
"""Seconds after which the knock of an absent person ends."""
SPARED = ABSENCE - 75.0
"""The part of these that a restart does not give again. Pages without a connection knock again every 60 seconds."""


@dataclass(frozen=True)
class Knock:
    """A person who waits to be let in."""

    number: int
    """Counted from 1 at each table."""
    identity: str
    name: str
    seat: int | None
    """The seat they want; None if any will do."""
    pledge: str | None
    at: float
    """The time of their latest sign of life in the journal."""


class Knocks:
    """The people who wait to be let in, those who need not knock and those who may not."""

    def __init__(self) -> None:
        self.waiting: dict[str, Knock] = {}
        """By identity, in the order in which they knocked."""
        self.members: set[str] = set()
        """The people who have had a seat here and were not removed: they need not knock."""
        self.ended: dict[str, KnockEnded] = {}
        """By identity, how somebody's latest knock ended, if they may not knock again at once."""
        self._count = 0
        self._latest: list[float] = []
        """The times of the latest knocks, `MOST_A_MINUTE` at most."""

    def follow(self, entry: AnyEntry, places: Sequence[Occupant]) -> None:
        """Apply a journal entry; `places` are those before it."""
        match entry:
            case Knocked():
                self._add(entry)
            case KnockEnded(identity=identity, why=why):
                self.waiting.pop(identity, None)
                if why in PAUSES:
                    self.ended[identity] = entry
            case Seated(place=Occupant(who="person", identity=str(identity))):
                self.waiting.pop(identity, None)
                self.members.add(identity)
            case Moved(seat=seat, identity=identity):
                self.members.discard(places[seat].identity or "")
                self.waiting.pop(identity, None)
                self.members.add(identity)
            case Left(seat=seat, why="removed"):
                self.members.discard(places[seat].identity or "")
            case Ended():
                self.waiting.clear()
            case Changed(settings=settings) if not settings.knock:
                self.waiting.clear()

    def _add(self, entry: Knocked) -> None:
        before = self.waiting.get(entry.identity)
        if before is None:
            self._count += 1
            self._latest = [*self._latest, entry.at][-MOST_A_MINUTE:]
        number = self._count if before is None else before.number
        self.waiting[entry.identity] = Knock(number, entry.identity, entry.name, entry.seat, entry.pledge, entry.at)

    def prune(self, places: Sequence[Occupant]) -> None:
        """Drop the knocks whose seat is taken, and all of them if no person has a seat and could let them in."""
        if not self.waiting:
            return
        empty = {seat for seat, place in enumerate(places) if place.who == "open"}
        if not any(place.who == "person" for place in places):
            empty = set()
        gone = [knock for knock in self.waiting.values() if not (empty if knock.seat is None else empty & {knock.seat})]
        for knock in gone:
            del self.waiting[knock.identity]

    def again_at(self, identity: str) -> float:
        """The time from which this person may knock again; 0 if they never have."""
        ended = self.ended.get(identity)
        return 0.0 if ended is None else ended.at + PAUSES[ended.why]

    def check(self, identity: str, now: float) -> None:
        """Check that somebody who is not waiting yet may knock. Raises TooMany."""
        if (left := self.again_at(identity) - now) > 0:
            raise TooMany(sentence("You can ask again in {n} second", "You can ask again in {n} seconds", n=ceil(left)))
        if len(self.waiting) >= MOST_KNOCKS:
            raise TooMany("Too many people are waiting here already: ask again in a moment")
        if len(self._latest) == MOST_A_MINUTE and self._latest[0] > now - 60:
            raise TooMany("Too many people have asked for a seat here: ask again in a minute")

    def numbered(self, number: int) -> Knock | None:
        """The waiting person with this number; None if there is none."""
        return next((knock for knock in self.waiting.values() if knock.number == number), None)
