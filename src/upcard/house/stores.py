"""Stored tables, the protocols of the stores that a house needs, and a store in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from upcard.engine.errors import BadRecord, IllegalMove, UpcardError
from upcard.house.room import Room
from upcard.rules.sentences import sentence
from upcard.table.journal import AnyEntry, Journal, Plan, TookBack
from upcard.table.state import Seating, TableState
from upcard.table.stores import overtaken


@dataclass(frozen=True)
class StoredTable:
    """A table as stored, with its entries; perhaps without some of them where only a summary is wanted."""

    plan: Plan
    done: bool
    entries: list[AnyEntry] = field(default_factory=list)
    played: float | None = field(default=None, compare=False)
    """The time of its last entry, in seconds since 1970, if the store notes it apart."""

    def standing(self) -> TableState:
        """The state of its table after all entries. Raises UpcardError if its game or the game's rules have changed."""
        other_rules = sentence("match {name} was played by different rules and cannot be continued", name=self.plan.id)
        try:
            state = TableState(self.plan)
            for entry in self.entries:
                state.follow(entry)
        except (BadRecord, IllegalMove):
            raise UpcardError(other_rules) from None
        if state.match.game.identity != self.plan.rules:
            raise UpcardError(other_rules)
        return state


class TableStore(Journal, Protocol):
    """The storage of all tables of a house. Every call raises NotWritten if the store cannot be written or read.

    Where a call returns several tables, it may leave out events of their matches.
    """

    async def begin(self, plan: Plan, entries: Sequence[AnyEntry], *, done: bool = False) -> None:
        """Store a new table with its first entries; `done` if they end its match. Raises Overtaken if there is one with
        this id."""
        ...

    async def load(self, table: str) -> StoredTable | None:
        """A table with all its entries; None if there is none."""
        ...

    async def of(
        self, identity: str, among: Sequence[str], created_before: float | None = None
    ) -> Sequence[StoredTable]:
        """The tables of these games at which somebody sits, the newest first."""
        ...

    async def finished(self, identity: str) -> Sequence[StoredTable]:
        """The finished tables at which somebody sits, the newest first, at least with the last event of each match."""
        ...

    async def listed(self, among: Sequence[str]) -> Sequence[StoredTable]:
        """The tables of these games that are listed and in play, the newest first."""
        ...


@dataclass(frozen=True)
class DayScore:
    """How somebody's match of the deal of a day ended."""

    table: str
    """The id of their table."""
    name: str
    score: int
    lead: int
    """How far ahead of the others they were, as the game counts it."""
    won: bool


class DayStore(Protocol):
    """The storage of the deals of days (as in ISO 8601). Every call raises NotWritten if the store cannot be written or
    read."""

    async def secret_of_day(self, day: str) -> str | None:
        """The secret of a day; None if nobody has played its deal."""
        ...

    async def begin_day(self, day: str, secret: str) -> str:
        """Store the secret of a day unless it has one; returns that which it has. What is stored about days more than a
        week before may be deleted."""
        ...

    async def note_day_score(self, day: str, score: DayScore) -> None:
        """Store a score. Raises Overtaken if there is one of the same table."""
        ...

    async def day_scores(self, day: str) -> Sequence[DayScore]:
        """All scores of a day, in no particular order."""
        ...


class RoomStore(Protocol):
    """The storage of the rooms of a house. Every call raises NotWritten if the store cannot be written or read."""

    async def save_room(self, room: Room) -> None:
        """Store a version of a room: the first, or the one after that which is stored. Raises Overtaken if another one
        is stored."""
        ...

    async def load_room(self, room: str) -> Room | None:
        """A room; None if there is none."""
        ...

    async def rooms_of(self, identity: str) -> Sequence[Room]:
        """The rooms to which somebody belongs, the latest changed first."""
        ...


def is_over(entries: Sequence[AnyEntry], done: bool) -> bool:
    """Whether a match is over once these entries are appended that are said to leave it `done`."""
    return done and not isinstance(entries[-1], TookBack)


def own_tables(
    tables: Iterable[StoredTable],
    identity: str,
    among: Sequence[str] | None = None,
    created_before: float | None = None,
) -> list[StoredTable]:
    """The tables of these games, or of all, at which somebody sits, the newest first."""
    return [
        stored
        for stored in newest_first(tables)
        if (among is None or stored.plan.game in among)
        and (created_before is None or stored.plan.created < created_before)
        and any(place.identity == identity for place in Seating(stored.plan, stored.entries).places)
    ]


def listed_tables(tables: Iterable[StoredTable], among: Sequence[str]) -> list[StoredTable]:
    """The tables of these games that are listed and in play, the newest first."""
    in_play = [stored for stored in newest_first(tables) if stored.plan.game in among and not stored.done]
    return [stored for stored in in_play if Seating(stored.plan, stored.entries).settings.listed]


def newest_first(tables: Iterable[StoredTable]) -> list[StoredTable]:
    """The tables in the order in which lists show them."""
    return sorted(tables, key=lambda stored: stored.plan.created, reverse=True)


class MemoryStore:
    """Tables, rooms and days that live as long as the process."""

    def __init__(self) -> None:
        self._tables: dict[str, StoredTable] = {}
        self._rooms: dict[str, Room] = {}
        self._days: dict[str, str] = {}
        self._day_scores: dict[str, dict[str, DayScore]] = {}

    async def begin(self, plan: Plan, entries: Sequence[AnyEntry], *, done: bool = False) -> None:
        if plan.id in self._tables:
            raise overtaken()
        self._tables[plan.id] = StoredTable(plan, done, [*entries])

    async def append(self, table: str, first: int, entries: Sequence[AnyEntry], *, done: bool) -> None:
        stored = self._tables[table]
        if first != len(stored.entries) + 1:
            raise overtaken()
        self._tables[table] = StoredTable(stored.plan, is_over(entries, done), [*stored.entries, *entries])

    async def since(self, table: str, seq: int) -> list[AnyEntry]:
        return self._tables[table].entries[seq:] if table in self._tables else []

    async def load(self, table: str) -> StoredTable | None:
        return self._tables.get(table)

    async def of(self, identity: str, among: Sequence[str], created_before: float | None = None) -> list[StoredTable]:
        return own_tables(self._tables.values(), identity, among, created_before)

    async def finished(self, identity: str) -> list[StoredTable]:
        return [stored for stored in own_tables(self._tables.values(), identity) if stored.done]

    async def listed(self, among: Sequence[str]) -> list[StoredTable]:
        return listed_tables(self._tables.values(), among)

    async def save_room(self, room: Room) -> None:
        stored = self._rooms.get(room.id)
        if room.version != (1 if stored is None else stored.version + 1):
            raise overtaken()
        self._rooms[room.id] = room

    async def load_room(self, room: str) -> Room | None:
        return self._rooms.get(room)

    async def rooms_of(self, identity: str) -> list[Room]:
        own = [room for room in self._rooms.values() if room.member(identity) is not None]
        return sorted(own, key=lambda room: room.changed, reverse=True)

    async def secret_of_day(self, day: str) -> str | None:
        return self._days.get(day)

    async def begin_day(self, day: str, secret: str) -> str:
        return self._days.setdefault(day, secret)

    async def note_day_score(self, day: str, score: DayScore) -> None:
        scores = self._day_scores.setdefault(day, {})
        if score.table in scores:
            raise overtaken()
        scores[score.table] = score

    async def day_scores(self, day: str) -> list[DayScore]:
        return [*self._day_scores.get(day, {}).values()]
