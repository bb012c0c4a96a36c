"""The web application: the protocol in docs/protocol.md over HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from upcard.house.days import Days
from upcard.house.house import House
from upcard.languages.localizing import text_for_reader
from upcard.rules.sentences import Sentence, sentence
from upcard.server import routes
from upcard.server.admissions import Admissions
from upcard.server.day_storage import DayStorage
from upcard.server.devices import Devices
from upcard.server.guard import PEER, Guard
from upcard.server.heartbeats import Heartbeat, Vital
from upcard.server.hosting import Hosting
from upcard.server.limits import Doorkeeper, household
from upcard.server.live import LiveTables
from upcard.server.live_rooms import Hearing, LiveRooms
from upcard.server.reviews import Reviews
from upcard.server.routes.failures import FAILURE_HANDLERS, AnyRequest
from upcard.server.routes.page import built_page
from upcard.server.storage import Store
from upcard.server.thinking import Thinkers
from upcard.server.troubles import Trouble
from upcard.table.errors import NotWritten
from upcard.table.messages import Notice
from upcard.workers import WorkerPool

if TYPE_CHECKING:
    from upcard.server.peer_channel import Neighbours

log = logging.getLogger("upcard.server")
MOST_POSTED = 64 * 1024
PRESSED = CompressionConfig(backend="gzip", minimum_size=1000, gzip_compress_level=5, exclude_opt_key="zipped")
"""The compression of the API's answers; the page's files are compressed in advance."""
A_DAY = 86_400.0
FORGETTING = 3600.0
"""Seconds between two searches for expired tables and admissions."""
BEATING = 0.5
"""Seconds between two heartbeats of the event loop."""
LAGS = 60
"""The number of heartbeats over which the greatest lag is reported."""
LOOP_STUCK = 30.0
"""Seconds without a heartbeat of the event loop after which the process ends."""
WORK = "upcard.compiled.native", "upcard.players.search", "upcard.house.replays"
"""The modules that most work for people needs; a new process imports them in advance."""
NOTICING = 2.0
"""Seconds between two probes of the database, and searches for tables that an administrator has closed."""


def _log_end(task: asyncio.Task[None]) -> None:
    """Log that a task has ended by an exception."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.critical("a task of the server has ended: %r", error)


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Schedule a call in a loop from another thread, unless the loop is closed."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(call)


class Application:
    """The whole server: an ASGI app that implements the protocol in `docs/protocol.md`."""

    def __init__(self, hosting: Hosting) -> None:
        """Raises SQLAlchemyError or UpcardError if the database cannot be opened."""
        self.hosting = hosting
        self.closing = False
        self.store = Store(hosting.database)
        self.doorkeeper = Doorkeeper(hosting.limits)
        self._thinkers = Thinkers()
        self._workers = WorkerPool(self.doorkeeper, household, imports=WORK)
        self._reviews = Reviews(self._workers, self._thinkers.is_ready)
        self._warm = hosting.warm
        self.tables = LiveTables(self.store, self._thinkers, self.doorkeeper)
        self._rooms = LiveRooms(self.store, self.tables, self.doorkeeper)
        self._devices = Devices(self.store, self.tables, self._rooms)
        self._house = House(
            self.tables,
            self._thinkers,
            budget=self.doorkeeper,
            pool=self._workers,
            reviews=self._reviews,
            rooms=self._rooms,
            days=Days(self.tables, DayStorage(self.store), self.doorkeeper),
        )
        self.admissions = Admissions(self.store, hosting.passphrase) if hosting.passphrase is not None else None
        self._tasks: list[asyncio.Task[None]] = []
        self._rounds = Heartbeat(self.store.timekeeper)
        self._loop = Heartbeat(self.store.timekeeper)
        self._lags: deque[float] = deque([0.0], LAGS)
        """The latest lags of the event loop, in seconds."""
        self._count()
        litestar = self._litestar(State({"behind_tls": hosting.is_behind_tls}))
        who_is = self._devices.owner
        self.guard = Guard(litestar, hosting, self.doorkeeper, self._is_known, who_is, self.admissions)
        self._app: Any = ProxyHeadersMiddleware(self.guard, [*hosting.proxies])  # type: ignore[arg-type]
        self._behind_tunnel: Any = ProxyHeadersMiddleware(self.guard, ["127.0.0.1"])  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if client := scope.get("client"):
            address = client[0].removeprefix("::ffff:")  # how a dual-stack socket names an IPv4 address
            scope["client"], scope[PEER] = (address, client[1]), address  # type: ignore[literal-required]
        through = self._behind_tunnel if self.hosting.is_shared(scope.get("server")) else self._app
        await through(scope, receive, send)

    def _is_known(self, kind: str, name: str, identity: str | None) -> bool:
        """Whether somebody is known to sit at this table or to be in this room."""
        return self.tables.seats(name, identity) if kind == "tables" else self._rooms.is_present(name, identity)

    async def admits(self, request: AnyRequest) -> bool:
        """Whether a browser may come in; always true in a house without a passphrase. Raises TooMany, NotWritten."""
        return await self.guard.admit(request.scope)

    async def say_goodbye(self) -> None:
        """Notify every window that the server is about to shut down, and give the notice a moment to arrive."""
        self.closing = True
        self._workers.close()
        self.tables.tell_all(Notice("closing", sentence("The house is closed for a moment: back in a minute.")))
        await asyncio.sleep(0.05)

    @asynccontextmanager
    async def _alive(self, _app: Litestar) -> AsyncIterator[None]:
        if self._warm:
            self._thinkers.warm_all()
            self._workers.prepare()
        neighbours = self._meet_neighbours()
        self.store.troubles.on_change = partial(_soon, asyncio.get_running_loop(), self._tell_troubles)
        rounds = [asyncio.create_task(step) for step in (self._notice(), self._beat(), self._forget())]
        self._tasks = [*rounds, *(neighbours.tasks if neighbours is not None else [])]
        for task in self._tasks:
            task.add_done_callback(_log_end)
        try:
            yield
        finally:
            self.store.troubles.on_change = lambda: None
            for task in rounds:
                task.cancel()
            self._thinkers.close()
            self._reviews.close()
            if self.admissions is not None:
                self.admissions.close()
            self._workers.close()
            if neighbours is not None:
                await neighbours.close()
            self.store.close()

    async def _forget(self) -> None:
        """Delete expired tables, rooms, admissions and links every `FORGETTING` seconds."""
        while True:
            try:
                await self._devices.forget()
                if self.admissions is not None:
                    await self.admissions.forget()
                while await self._forget_tables() or await self._rooms.forget(self.hosting.keep_days):
                    await asyncio.sleep(0.1)
            except NotWritten as error:
                log.error("expired tables, rooms and admissions could not be deleted: %s", error)
            await asyncio.sleep(FORGETTING)

    async def _forget_tables(self) -> int:
        """Delete some of the expired tables; returns how many. Raises NotWritten."""
        days = self.hosting.keep_days
        return 0 if days is None else await self.tables.forget(time.time() - days * A_DAY)

    async def _notice(self) -> None:
        """Probe the database every `NOTICING` seconds, and notice tables that were closed, and devices and
        admissions that were removed."""
        while True:
            await asyncio.sleep(NOTICING)
            with contextlib.suppress(NotWritten):  # the store logs it
                await self.store.probe()
                await self.tables.notice_closed()
                await self._devices.refresh()
                if self.admissions is not None:
                    await self.admissions.refresh()
            for table_id in self.store.doubtful():
                self.tables.hear(table_id)
            self._rounds.beat()

    async def _beat(self) -> None:
        """Beat for the event loop every `BEATING` seconds, and measure its lag."""
        while True:
            due = time.monotonic() + BEATING
            await asyncio.sleep(BEATING)
            self._lags.append(time.monotonic() - due)
            self._loop.beat()

    def _tell_troubles(self) -> None:
        """Notify every window of the worst trouble with the stored tables, or that all is well again."""
        worst = self.store.troubles.worst
        if worst is None:
            notice = Notice("well", sentence("Play continues."))
        elif worst is Trouble.DAMAGED:
            notice = Notice(
                "trouble", sentence("The stored tables are damaged: play stops until the server is repaired.")
            )
        else:
            notice = Notice(
                "trouble", sentence("Moves cannot be saved: {reason}. The server tries again.", reason=worst.value)
            )
        self.tables.tell_all(notice)

    @property
    def vitals(self) -> list[Vital]:
        """The parts without which the server cannot work."""
        tasks = Vital("housekeeping", self._rounds, lambda: not any(task.done() for task in self._tasks))
        return [Vital("loop", self._loop, longest=LOOP_STUCK), tasks, *self.store.vitals]

    def _count(self) -> None:
        follow = self.store.metrics.follow
        follow("upcard_tables", "Tables in memory.", lambda: len(self.tables))
        follow("upcard_sockets", "Browser windows connected to a table.", lambda: self.doorkeeper.sockets)
        follow("upcard_thinking", "Moves that slow computer players are to make.", lambda: self._thinkers.waiting)
        follow("upcard_loop_lag_seconds", "The greatest recent lag of the event loop.", lambda: max(self._lags))
        follow("upcard_work", "Replays, records, hints and reviews under way.", lambda: self._workers.waiting)

    def _meet_neighbours(self) -> Neighbours | None:
        """Connect with the other servers on the same database; None if the database cannot be shared."""
        if self.store.shared is None:
            return None
        from upcard.server.peer_channel import Neighbours

        neighbours = Neighbours(self.store.shared, Hearing(self.tables, self._rooms))
        self.tables.meet(neighbours)
        self._rooms.meet(neighbours)
        self._devices.meet(neighbours)
        return neighbours

    def _litestar(self, state: State) -> Litestar:
        page = built_page()
        return Litestar(
            routes.HANDLERS,
            dependencies={
                "application": Provide(lambda: self, sync_to_thread=False, use_cache=True),
                "tables": Provide(lambda: self.tables, sync_to_thread=False, use_cache=True),
                "rooms": Provide(lambda: self._rooms, sync_to_thread=False, use_cache=True),
                "house": Provide(lambda: self._house, sync_to_thread=False, use_cache=True),
                "devices": Provide(lambda: self._devices, sync_to_thread=False, use_cache=True),
                "doorkeeper": Provide(lambda: self.doorkeeper, sync_to_thread=False, use_cache=True),
                "assets": Provide(lambda: page, sync_to_thread=False, use_cache=True),
            },
            signature_namespace={"Application": Application},
            exception_handlers=FAILURE_HANDLERS,
            lifespan=[self._alive],
            state=state,
            compression_config=PRESSED,
            request_max_body_size=MOST_POSTED,
            type_encoders={Sentence: text_for_reader},
            openapi_config=None,
            logging_config=None,
        )
