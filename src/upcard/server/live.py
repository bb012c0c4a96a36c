"""The tables of a server, shared with other servers on the same database, and their connections to browsers."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from upcard.house.bodies import Look, MakeMove
from upcard.house.house import answer_message, read_message
from upcard.house.services import ComputerPlayers, Requester
from upcard.house.stores import StoredTable
from upcard.house.tables import Tables
from upcard.languages.localizing import reader, text_for_reader
from upcard.rules.sentences import sentence
from upcard.server.limits import Doorkeeper, client_of, household
from upcard.server.pacing import MESSAGE, SENDING, Pacing, move_time, welcome_time
from upcard.server.storage import Store
from upcard.server.uvicorn_protocols import GONE, WRITE, text_frame
from upcard.table.errors import Refusal
from upcard.table.journal import AnyEntry
from upcard.table.messages import AnyMessage, Aside, Notice, Refused
from upcard.table.presence import Client
from upcard.table.seats import seat_of
from upcard.table.table import Table
from upcard.workers import FairQueue, measured

if TYPE_CHECKING:
    from upcard.server.peer_channel import Neighbours

MOST_WAITING = 256
"""Messages that may queue up for a slow browser before it is disconnected; it reconnects and gets a welcome."""
REFUSED = 1008
"""The close code of a refused WebSocket, whose reason the page shows."""
SIGNED_OUT = 4401
"""The close code of a WebSocket whose browser has become another person's device: its page begins anew."""
MOST_REASON = 123
"""The longest reason that the frame which closes a WebSocket can carry, in bytes."""
MOST_SIZE = 256 * 1024
"""The total length of the messages that may queue up for it, in bytes."""
MESSAGES_PER_SECOND, BURST = 20.0, 40.0
"""Messages that are read from one connection: per second in the long run, and at once."""
LOOKS_APART = 1.0
"""Seconds between two answers to `look` over one connection."""
MOST_NONSENSE = 30
"""The number of messages not understood after which a connection is closed."""
NONSENSE = sentence("This page sent too many messages that a table does not understand: reload it")

SLICE = 0.001
"""Seconds of loading a table, and of the pauses in between."""
MANY = 100
"""The number of closed connections after which their memory is returned to the system."""
SOON = 5.0
"""Seconds to wait then, as more connections may close."""

T = TypeVar("T")

# ------------------------------------------------------------------------------------------------------------- tables


class LiveTables(Tables):
    """The tables of a server, with its connections and its neighbours."""

    def __init__(self, store: Store, players: ComputerPlayers, doorkeeper: Doorkeeper) -> None:
        super().__init__(store, players, doorkeeper, LoadingThread(doorkeeper))
        self._database = store
        self._pacing = Pacing(doorkeeper)
        self._trimmer = Trimmer()
        self._connections: set[Connection] = set()
        self._trouble: Notice | None = None
        """The notice sent to every new window while there is trouble."""
        self._neighbours: Neighbours | None = None
        self._catching_up: set[asyncio.Task[None]] = set()

    async def connect(
        self, socket: WebSocket[Any, Any, Any], table: Table, identity: str, device: str | None = None
    ) -> None:
        """Connect a browser window with a table until one side closes the connection. Raises Refusal if there is no
        room for it."""
        if self._neighbours is not None:  # it may have seen later entries through another server
            await self._catch_up(table.plan.id)
        connection = Connection(socket, table, identity, self._pacing, lambda: self._trouble, device=device)
        self._connections.add(connection)
        if self._neighbours is not None:
            self._neighbours.came(table.plan.id, identity)
        try:
            await connection.talk()
        finally:
            self._connections.discard(connection)
            self._trimmer.count()
            if self._neighbours is not None:
                self._neighbours.went(table.plan.id, identity)

    def tell_all(self, notice: Notice) -> None:
        """Send a notice to every connected window; one of trouble also to windows that connect before it is over."""
        self._trouble = notice if notice.kind == "trouble" else None
        for connection in self._connections:
            connection.hear(notice)

    def sign_out(self, owners: Mapping[str, str], why: str) -> None:
        """Close the connections of devices that have become somebody else's; `owners` are the persons, by device."""
        for connection in self._connections:
            if owners.get(connection.device or "", connection.identity) != connection.identity:
                connection.sign_out(why)

    async def game_of(self, table_id: str) -> str | None:
        """The game of a table, without loading it; None if there is no such table. Raises NotWritten."""
        table = self._live.get(table_id)
        return await self._database.game_of(table_id) if table is None else table.plan.game

    async def forget(self, before: float) -> int:
        """Delete tables made before this time and unchanged since; returns how many. Raises NotWritten."""
        forgotten = await self._database.forget(before)
        pending = [task for (table_id, _), task in self._loading.items() if table_id in forgotten]
        await asyncio.gather(*pending, return_exceptions=True)  # what was read before would stay in memory
        for table_id in forgotten:
            self._live.pop(table_id, None)
            self._recent.pop(table_id, None)
            self._finished.pop(table_id, None)
        return len(forgotten)

    async def notice_closed(self) -> None:
        """Catch up with tables that an administrator has closed in the database. Raises NotWritten."""
        in_play = [table_id for table_id, table in self._live.items() if not table.done]
        for table_id in await self._database.over(in_play):
            self.hear(table_id)

    def _rebuild(self, stored: StoredTable) -> Table:
        return super()._rebuild(replace(stored, entries=PacedEntries(stored.entries)))

    # ------------------------------------------------------------------------------------------------- other servers

    def meet(self, neighbours: Neighbours) -> None:
        """Share the tables with other servers from now on."""
        self._neighbours = neighbours

    def _lead(self, table_id: str) -> AbstractAsyncContextManager[bool]:
        return contextlib.nullcontext(True) if self._neighbours is None else self._neighbours.lead(table_id)

    def _spread(self, table_id: str, to: str | None, message: Aside) -> None:
        if self._neighbours is not None:
            self._neighbours.say(table_id, to, message)

    def _elsewhere(self, table_id: str) -> frozenset[str]:
        """The identities of the people who look at a table through other servers."""
        return frozenset() if self._neighbours is None else self._neighbours.at(table_id)

    def people_stirred(self, table_id: str) -> None:
        """Update a table after a change of the people who look at it through other servers."""
        if (table := self._live.get(table_id)) is not None:
            table.look_elsewhere(self._elsewhere(table_id))

    def hear_aside(self, table_id: str, to: str | None, message: Aside) -> None:
        """Pass on another server's message to those who look at a table: to one person, or to all if `to` is None."""
        if (table := self._live.get(table_id)) is not None:
            table.hear_aside(message, to)

    def hear(self, table_id: str | None) -> None:
        """Catch up with a table whose journal another server has written to, or with all tables for None."""
        everywhere = {*self._live, *(loading for loading, _ in self._loading)}
        for each_id in [table_id] if table_id is not None else everywhere:
            task = asyncio.create_task(self._catch_up(each_id))
            self._catching_up.add(task)
            task.add_done_callback(self._catching_up.discard)

    async def _catch_up(self, table_id: str) -> None:
        with contextlib.suppress(Refusal):  # the table stays as it was until the next entry is announced
            if loading := [task for (of, _), task in self._loading.items() if of == table_id]:
                await asyncio.wait(loading)
            if (table := self._live.get(table_id)) is not None:
                await table.catch_up()
            elif self._neighbours is not None:  # nobody here looks at it any more
                await self._neighbours.let_go(table_id)


class LoadingThread:
    """Loads tables in a thread, one at a time; the addresses take turns."""

    def __init__(self, doorkeeper: Doorkeeper) -> None:
        self._doorkeeper = doorkeeper
        self._queue = FairQueue(1, household)

    def turn(self, requester: Requester) -> AbstractAsyncContextManager[None]:
        return self._queue.turn(requester)

    async def run(self, requester: Requester, work: Callable[..., T], *about: Any) -> T:
        result, error, seconds = await asyncio.to_thread(measured, time.thread_time, work, *about)
        if not requester.seated:
            self._doorkeeper.end_work(requester.address, seconds)
        if error is not None:
            raise error
        return cast(T, result)


class PacedEntries(list[AnyEntry]):
    """Entries whose iteration in a thread pauses again and again, so that the event loop does not have to wait."""

    def __iter__(self) -> Iterator[AnyEntry]:
        began = time.perf_counter()
        for entry in super().__iter__():
            yield entry
            if time.perf_counter() - began > SLICE:
                time.sleep(SLICE)
                began = time.perf_counter()


def close_reason(text: str) -> str:
    """A reason in the reader's language, cut to fit into the frame that closes a WebSocket."""
    return text_for_reader(text).encode()[:MOST_REASON].decode(errors="ignore")


# -------------------------------------------------------------------------------------------------------- connections


class Connection:
    """One browser window at one table. Its messages wait in a bounded queue, so that a slow one delays nobody."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        table: Table,
        identity: str | None,
        pacing: Pacing,
        trouble: Callable[[], Notice | None] = lambda: None,
        *,
        device: str | None = None,
    ) -> None:
        """`trouble` returns the notice for new windows while there is trouble, otherwise None; `device` is the browser
        to which the window belongs."""
        self.identity = identity
        self.device = device
        self._socket = socket
        self._table = table
        self._pacing = pacing
        self._trouble = trouble
        self._client = client_of(socket.scope)
        self._language = reader.get()
        self._observer = Client(identity, self.hear, self._let_go)
        self._waiting: asyncio.Queue[AnyMessage] = asyncio.Queue(MOST_WAITING)
        self._size = 0
        """The total length of the messages in the queue and of the one that is being sent."""
        self._looking: asyncio.Task[None] | None = None
        """The task that answers `look`, while a welcome is due."""
        self._looked_at = -LOOKS_APART
        self._nonsense = 0
        """The number of messages not understood."""
        extensions = socket.scope.get("extensions") or {}
        self._lost = cast(asyncio.Event, extensions.get(GONE) or asyncio.Event())
        self._write = cast(Callable[[bytes], bool], extensions.get(WRITE) or (lambda frame: False))
        self._closing: tuple[int, str] | None = None
        """The code and reason with which the server closes the connection."""

    async def talk(self) -> None:
        """Send and receive until one side closes the connection. Raises Refusal if there is no room at the table."""
        tasks = [asyncio.create_task(step) for step in (self._send(), self._receive(), self._lost.wait())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._table.leave(self._observer)
            tasks += [self._looking] if self._looking is not None else []
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._looking = None
            del self._observer  # a cycle with this connection and its table: only the collector would free them
        if self._closing is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._socket.close(*self._closing), 1)

    @property
    def _is_seated(self) -> bool:
        return seat_of(self._table.places, self.identity) is not None

    async def _pay(self, seconds: float) -> None:
        """Wait until there is time for work that takes this many seconds."""
        await self._pacing.pay(self._client, seconds, seated=self._is_seated)

    def hear(self, message: AnyMessage) -> None:
        """Send a message to a player at once, if possible; otherwise queue it. A browser whose queue is full is
        disconnected."""
        data = message.encoded(self._language)
        if not self._size and self._is_seated and self._write(text_frame(data)):
            return
        size = len(data)
        if self._waiting.full() or (self._size and self._size + size > MOST_SIZE):
            self._close(1013, "too slow")
            return
        self._size += size
        self._waiting.put_nowait(message)

    def sign_out(self, why: str) -> None:
        """Close the connection, as its browser is somebody else's device now."""
        self._close(SIGNED_OUT, why)

    def _let_go(self, why: str) -> None:
        self._close(REFUSED, why)

    def _close(self, code: int, reason: str) -> None:
        self._closing = self._closing or (code, close_reason(reason))
        self._lost.set()

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, OSError):  # the task's exception would keep the table alive
            while True:
                message = await self._waiting.get()
                if not self._is_seated:  # a move pays for the people at the table, but not for a crowd of others
                    await self._pay(SENDING)
                data = message.encoded(self._language)
                await self._socket.send_text(data.decode())
                self._size -= len(data)

    async def _receive(self) -> None:
        await self._pay(MESSAGE + welcome_time(self._table))
        self._table.admit(self._observer.identity)  # again, as others may have come meanwhile
        self._table.join(self._observer)
        if (trouble := self._trouble()) is not None:
            self.hear(trouble)
        allowance, last = BURST, time.monotonic()
        while True:
            event = await self._socket.receive()
            if event["type"] != "websocket.receive":
                return
            now = time.monotonic()
            allowance, last = min(BURST, allowance + (now - last) * MESSAGES_PER_SECOND) - 1, now
            if allowance < 0:  # slow down a browser that sends too much
                await asyncio.sleep(-allowance / MESSAGES_PER_SECOND)
            await self._answer(event.get("text") or event.get("bytes") or "")

    async def _answer(self, text: str | bytes) -> None:
        try:
            message = read_message(text)
        except (ValueError, RecursionError):
            await self._pay(MESSAGE)
            self._refuse()
            return
        await self._pay(move_time(self._table) if isinstance(message, MakeMove) and self._is_seated else MESSAGE)
        if not isinstance(message, Look):
            await answer_message(self._table, self._observer, message)
        elif self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

    def _refuse(self) -> None:
        """Answer a message that is not understood; disconnect a browser that sends many."""
        self._nonsense += 1
        if self._nonsense > MOST_NONSENSE:
            self._let_go(NONSENSE)
        else:
            self.hear(Refused("", sentence("This is not a message to a table"), None))

    async def _look(self) -> None:
        """Send a welcome, `LOOKS_APART` seconds after the last one at the earliest; it answers every `look` until
        then."""
        await asyncio.sleep(max(0.0, self._looked_at + LOOKS_APART - time.monotonic()))
        has_welcome = self._table.has_welcome(self._observer.identity)
        await self._pay(MESSAGE if has_welcome else MESSAGE + welcome_time(self._table))
        self._looked_at = time.monotonic()
        self._table.look(self._observer)


class Trimmer:
    """Counts closed connections, and returns their memory to the system a while after many have closed, as glibc's
    allocator does not do so by itself."""

    def __init__(self) -> None:
        self._closed = 0

    def count(self) -> None:
        """Count one closed connection."""
        self._closed += 1
        if self._closed == MANY:
            asyncio.get_running_loop().call_later(SOON, self._begin)

    def _begin(self) -> None:
        self._closed = 0
        asyncio.get_running_loop().run_in_executor(None, trim)


def trim() -> None:
    """Return free memory to the system, if the allocator supports that."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):  # another allocator, or not on Linux
        return
