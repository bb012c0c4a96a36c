"""Helpers for the tests of the live table: a journal in memory, a client, opening and playing a table."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

from waiting import PATIENCE

from upcard.engine.views import View
from upcard.players import LEVELS, choose
from upcard.table.actions import AnyAction
from upcard.table.changes import applied
from upcard.table.errors import NotWritten, Overtaken
from upcard.table.journal import AnyEntry, Happened, Plan, decode_entry, encode
from upcard.table.messages import (
    AnyMessage,
    EventHappened,
    TableChanged,
    Welcome,
)
from upcard.table.presence import Client
from upcard.table.scene import SceneView
from upcard.table.seats import Occupant
from upcard.table.table import Table

LEVEL_NAMES = list(LEVELS)


class Notebook:
    """A journal in memory, which can be held up or fail."""

    def __init__(self) -> None:
        self.entries: list[AnyEntry] = []
        self.done = False
        self.failing = False
        self.open = asyncio.Event()
        self.open.set()

    async def _write(self, entries: Sequence[AnyEntry]) -> None:
        await self.open.wait()
        if self.failing:
            raise NotWritten("This could not be saved (the disk is full)")
        self.entries += [decode_entry(encode(entry)) for entry in entries]

    async def begin(self, plan: Plan, entries: Sequence[AnyEntry]) -> None:
        await self._write(entries)

    async def append(self, table: str, first: int, entries: Sequence[AnyEntry], *, done: bool) -> None:
        await self.open.wait()
        if first != len(self.entries) + 1:
            raise Overtaken("Somebody else was quicker")
        await self._write(entries)
        self.done = done

    async def since(self, table: str, seq: int) -> Sequence[AnyEntry]:
        return self.entries[seq:]

    @property
    def events(self) -> list[str]:
        return [entry.text for entry in self.entries if isinstance(entry, Happened)]


class Ear:
    """A client that remembers what it was told, and puts the scene together from the changes."""

    def __init__(self, identity: str | None) -> None:
        self.messages: list[AnyMessage] = []
        self.client = Client(identity, self.hear)
        self.seq = 0
        self.scene: SceneView | None = None

    def hear(self, message: AnyMessage) -> None:
        self.messages.append(message)
        if isinstance(message, Welcome):
            self.seq, self.scene = message.seq, message.scene
        elif isinstance(message, (EventHappened, TableChanged)):
            assert message.base == self.seq
            assert self.scene is not None
            self.seq, self.scene = message.seq, applied(self.scene, message.changes)

    def kinds(self) -> list[str]:
        return [str(message.__struct_config__.tag) for message in self.messages]

    def events(self) -> list[EventHappened]:
        return [message for message in self.messages if isinstance(message, EventHappened)]


async def casual(level: str, seen: View[Any]) -> str:
    return choose(level, seen)


def plan(game: str = "sixty-six", players: int = 2, dealer: int = 0, **options: Any) -> Plan:
    return Plan("abc", game, players, dealer, options, "ann")


ANN, BO, ADA = (
    Occupant("person", "Ann", None, "ann"),
    Occupant("person", "Bo", None, "bo"),
    Occupant("computer", "Ada", "casual"),
)


async def opened(*places: Occupant, journal: Notebook | None = None, seed: int = 1, **options: Any) -> Table:
    table = await Table.open(plan(**options), places, journal or Notebook(), casual, LEVEL_NAMES, Random(seed))
    await settle(table)
    return table


def again(entries: Sequence[AnyEntry], start: Plan | None = None, seed: int = 1) -> Table:
    """A table made again from its journal."""
    journal = Notebook()
    journal.entries = [*entries]
    return Table(start or plan(), journal, casual, LEVEL_NAMES, entries=entries, chance=Random(seed))


async def settle(table: Table) -> None:
    """Until nothing happens by itself any more."""
    async with asyncio.timeout(PATIENCE):
        while table._driving is not None and not table._driving.done():
            await asyncio.sleep(0)


async def say(table: Table, identity: str | None, move_id: str, seq: int, text: str) -> Any:
    answers: list[AnyMessage] = []
    await table.move(identity, move_id, seq, text, answers.append)
    await settle(table)
    (answer,) = answers
    return answer


async def ask(table: Table, identity: str | None, action: AnyAction) -> None:
    await table.ask(identity, action)
    await settle(table)
