"""The tables in play, and the lines to the browsers that look at them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections import OrderedDict
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from litestar import WebSocket

from upcard import games
from upcard.engine.chance import shuffler
from upcard.engine.errors import BadRecord, IllegalMove
from upcard.server.messages import Computer, Me, Move, NewTable
from upcard.server.storage import Kept, Store
from upcard.table.table import (
    Entry,
    Face,
    Place,
    Plan,
    Refusal,
    Table,
    Think,
    Unacceptable,
    clean_name,
    computer,
    summary,
)

MOST_RECENT = 200
"""So many tables stay in memory though nobody looks at them."""
MOST_WAITING = 256
"""Messages that may wait for a slow browser before it is let go; it comes back and gets a welcome."""
MOVES_PER_SECOND = 10.0
BURST = 30.0
_ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"

log = logging.getLogger("upcard.server")

# ------------------------------------------------------------------------------------------------------------- tables


class Tables:
    """All tables: those in memory, and those that only the store knows until somebody asks."""

    def __init__(self, store: Store, think: Think) -> None:
        self._store = store
        self._think = think
        self._live: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._recent: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table | None]] = {}

    async def get(self, table_id: str) -> Table | None:
        """The table of this id, as its players left it; None if there is none."""
        table = self._live.get(table_id)
        if table is None:
            if table_id not in self._loading:
                loading = self._loading[table_id] = asyncio.create_task(self._load(table_id))
                loading.add_done_callback(lambda _: self._loading.pop(table_id))
            table = await asyncio.shield(self._loading[table_id])
        if table is not None:
            self._keep(table)
        return table

    async def _load(self, table_id: str) -> Table | None:
        found = await self._store.load(table_id)
        if found is None:
            return None
        try:
            table = await asyncio.to_thread(self._rebuild, *found)
        except (BadRecord, IllegalMove) as error:  # the rules have changed under it
            log.error("table %s cannot be replayed: %s", table_id, error)
            raise Refusal("This table was played by other rules than these and cannot go on", error.clause) from None
        self._keep(table)
        table.wake()
        return table

    def _rebuild(self, kept: Kept, entries: list[Entry]) -> Table:
        return Table(kept.plan, kept.places, self._store, self._think, entries=entries)

    def _keep(self, table: Table) -> None:
        self._live[table.plan.id] = table
        self._recent[table.plan.id] = table
        self._recent.move_to_end(table.plan.id)
        while len(self._recent) > MOST_RECENT:
            self._recent.popitem(last=False)

    async def open(self, wish: NewTable, identity: str) -> Table:
        """A new table. Raises Refusal, BadRecord."""
        table_id = "".join(secrets.choice(_ID_LETTERS) for _ in range(10))
        dealer = shuffler().choice(range(max(1, min(wish.players, 10))))
        plan = Plan(table_id, wish.game, wish.players, dealer, wish.options, identity)
        table = await Table.open(plan, _places(wish, identity), self._store, self._think)
        self._keep(table)
        return table

    async def of(self, identity: str) -> list[dict[str, Any]]:
        """The tables at which somebody sits, newest first."""
        found = []
        for kept in await self._store.of(identity):
            table = self._live.get(kept.plan.id)
            if table is not None:
                found.append(table.summary(identity))
            elif kept.plan.game in games.names():
                title = games.load(kept.plan.game).title
                found.append(summary(kept.plan, kept.places, title, kept.done, identity, set()))
        return found


def _places(wish: NewTable, identity: str) -> list[Place]:
    if len(wish.seats) != wish.players:
        raise Unacceptable(f"There are {len(wish.seats)} seats for {wish.players} players")
    if sum(isinstance(seat, Me) for seat in wish.seats) != 1:
        raise Unacceptable("Whoever makes a table takes one of its seats")
    me = Place("person", clean_name(wish.name, ()), None, identity)
    places: list[Place] = []
    for seat in wish.seats:
        if isinstance(seat, Me):
            places.append(me)
        elif isinstance(seat, Computer):
            places.append(computer(seat.level, [*places, me]))
        else:
            places.append(Place())
    return places


# -------------------------------------------------------------------------------------------------------------- lines


class Line:
    """One browser window at one table. What it is told waits in a bounded queue, so that nobody waits for it."""

    def __init__(self, socket: WebSocket[Any, Any, Any], table: Table, identity: str | None) -> None:
        self._socket = socket
        self._table = table
        self._identity = identity
        self._waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue(MOST_WAITING)
        self._lost = asyncio.Event()

    async def talk(self) -> None:
        """Until one side goes."""
        face = Face(self._identity, self._hear)
        self._table.join(face)
        tasks = [asyncio.create_task(step) for step in (self._send(), self._receive(), self._lost.wait())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._table.leave(face)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if self._lost.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._socket.close(1013, "too slow"), 1)

    def _hear(self, message: dict[str, Any]) -> None:
        try:
            self._waiting.put_nowait(message)
        except asyncio.QueueFull:
            self._lost.set()

    async def _send(self) -> None:
        while True:
            message = await self._waiting.get()
            await self._socket.send_text(msgspec.json.encode(message).decode())

    async def _receive(self) -> None:
        allowance, last = BURST, time.monotonic()
        while True:
            event = await self._socket.receive()
            if event["type"] != "websocket.receive":
                return
            now = time.monotonic()
            allowance, last = min(BURST, allowance + (now - last) * MOVES_PER_SECOND) - 1, now
            if allowance < 0:  # whoever sends too much is read more slowly
                await asyncio.sleep(-allowance / MOVES_PER_SECOND)
            await self._answer(event.get("text") or event.get("bytes") or "")

    async def _answer(self, text: str | bytes) -> None:
        try:
            move = msgspec.json.decode(text, type=Move)
        except (ValueError, RecursionError):
            self._hear({"type": "refused", "id": "", "text": "This is no message to a table", "clause": None})
            return
        await self._table.move(self._identity, move.id, move.seq, move.text, self._hear)
