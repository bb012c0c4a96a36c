"""The journal of a table: everything that happened at it, in order, and nothing else.

Entries are only ever appended. Who sits where, the match and its record all follow from them: see `Standing`. The
number of an entry, from 1, is the table's clock; it counts more than the events of the match.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from upcard.engine.events import Event
from upcard.engine.match import Match
from upcard.table.seats import Place


@dataclass(frozen=True)
class Plan:
    """What is fixed when a table is made."""

    id: str
    game: str
    players: int
    dealer: int
    options: Mapping[str, Any]
    host: str
    """The identity of whoever made it."""
    created: float = field(default_factory=time.time)


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """The base of all entries."""

    at: float = msgspec.field(default_factory=lambda: round(time.time(), 3))
    """When it happened, in seconds since 1970."""


class Happened(Entry, frozen=True, tag="event"):
    """An event of the match."""

    text: str
    """As the match record has it."""
    move_id: str | None = None
    """What the client called the move."""


class Seated(Entry, frozen=True, tag="seated"):
    """Somebody took a seat, a computer player among them."""

    seat: int
    place: Place


class Left(Entry, frozen=True, tag="left"):
    """Somebody gave a seat up; it is open again."""

    seat: int


class Substituted(Entry, frozen=True, tag="substituted"):
    """From now on a computer player moves for a person who is away or gone."""

    seat: int
    level: str


class Returned(Entry, frozen=True, tag="returned"):
    """A person plays again where a substitute did."""

    seat: int


class RanOut(Entry, frozen=True, tag="clock"):
    """A seat's time ran out."""

    seat: int


class TookBack(Entry, frozen=True, tag="took back"):
    """Events of the match were taken back; so many are left."""

    events: int


class Ended(Entry, frozen=True, tag="ended"):
    """The match was given up before its end."""

    why: str


AnyEntry = Happened | Seated | Left | Substituted | Returned | RanOut | TookBack | Ended
_reader = msgspec.json.Decoder(AnyEntry)


def write(entry: AnyEntry) -> str:
    """An entry as it is kept."""
    return msgspec.json.encode(entry).decode()


def read(text: str) -> AnyEntry:
    """An entry that was kept. Raises ValueError."""
    entry: AnyEntry = _reader.decode(text)
    return entry


class Journal(Protocol):
    """Where tables are written down. Each call returns when it is safe, or raises NotWritten: then nothing was kept."""

    async def begin(self, plan: Plan, entries: Sequence[AnyEntry]) -> None:
        """A new table and its first entries."""
        ...

    async def append(self, table: str, seq: int, entry: AnyEntry, *, done: bool) -> None:
        """Entry number `seq`; `done` if the match is over with it. Raises Overtaken if there is such an entry
        already."""
        ...


class NoJournal:
    """For a table that need not outlive its program."""

    async def begin(self, plan: Plan, entries: Sequence[AnyEntry]) -> None:
        pass

    async def append(self, table: str, seq: int, entry: AnyEntry, *, done: bool) -> None:
        pass


class Standing:
    """Where a table stands: what follows from its entries, one after the other."""

    def __init__(self, plan: Plan) -> None:
        """Raises BadRecord if the plan is no match."""
        self.plan = plan
        self.match: Match[Any] = Match(plan.game, plan.players, dealer=plan.dealer, options=plan.options)
        self.places = [Place() for _ in range(plan.players)]
        self.seq = 0
        self.ended: str | None = None
        """Why the match was given up, if it was."""

    @property
    def done(self) -> bool:
        return self.match.done or self.ended is not None

    def follow(self, entry: AnyEntry, after: Match[Any] | None = None) -> Event | None:
        """Let an entry follow; the event of the match, if it is one. `after` is the match after it, where that is
        known.

        Raises IllegalMove if the rules do not allow it.
        """
        event = None
        if isinstance(entry, Happened):
            if after is None:
                event = self.match.event(entry.text)
            else:
                self.match, event = after, after.events[-1]
        elif isinstance(entry, Seated):
            self.places[entry.seat] = entry.place
        elif isinstance(entry, Left):
            self.places[entry.seat] = Place()
        elif isinstance(entry, Substituted):
            self._replace(entry.seat, entry.level)
        elif isinstance(entry, Returned):
            self._replace(entry.seat, None)
        elif isinstance(entry, TookBack):
            self.match = self._match_of(self.match.events[: entry.events])
        elif isinstance(entry, Ended):
            self.ended = entry.why
        self.seq += 1
        return event

    def _replace(self, seat: int, substitute: str | None) -> None:
        self.places[seat] = msgspec.structs.replace(self.places[seat], substitute=substitute)

    def _match_of(self, events: Iterable[Event]) -> Match[Any]:
        match: Match[Any] = Match(self.match.setup, dealer=self.plan.dealer)
        for event in events:
            match.event(event.text)
        return match
