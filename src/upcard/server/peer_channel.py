"""Several servers on one PostgreSQL database: they notify each other of what they write and who looks at which table,
and agree on the one server that moves the computer players of a table.

The journal stays consistent without this, since no two entries of a table share a number; it saves work and waiting.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
import socket
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

import msgspec
import psycopg
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from upcard.server.peers import (
    BEAT,
    LAPSE,
    Beat,
    DeviceNews,
    Hello,
    Here,
    PeerMessage,
    PeerPresence,
    People,
    Relayed,
    read_peer_message,
)
from upcard.server.sessions import DEADLINE, connecting, handle, setting
from upcard.table.messages import Aside
from upcard.table.stores import reason

CHANNEL, PEOPLE = "upcard", "upcard_people"
"""The notification channels for journal entries, and for everything that is not stored."""
ME = secrets.token_hex(4)
"""The id by which a server recognizes its own notifications."""
AGAIN = 1.0
"""Seconds until a lost connection to the database is reopened."""
MOST_LED = 1000
"""The most tables that one server leads: the database has room for a few thousand locks."""
FAREWELL = 1.0
"""Seconds that a server may take to say goodbye to the others when it shuts down."""
GATHERING = 0.05
"""Seconds over which arrivals and departures are collected into one message."""

LEASE = 10_000
"""Milliseconds of silence after which PostgreSQL ends this server's session, so that others get its locks."""

log = logging.getLogger("upcard.server")
_SET_WHERE_KNOWN = "SELECT set_config(name, %s, false) FROM pg_settings WHERE name = %s"
_NOTIFY = sql.text("SELECT pg_notify(:channel, payload) FROM unnest(CAST(:payloads AS text[])) AS payload")


def notify(connection: Connection, places: Iterable[str]) -> None:
    """Notify all servers, once this transaction commits, that these tables or rooms have changed."""
    connection.execute(_NOTIFY, {"channel": CHANNEL, "payloads": [f"{ME} {place}" for place in places]})


class Hearer(Protocol):
    """The receiver of what `Neighbours` report; see `upcard.server.live_rooms.Hearing`."""

    def hear(self, place: str | None) -> None:
        """Called when another server has written to a table or a room; None: perhaps to any."""

    def people_stirred(self, place: str) -> None:
        """Called when the people who look at a table or a room through other servers have changed."""

    def hear_aside(self, place: str, to: str | None, message: Aside) -> None:
        """Called with a message for those who look at a table or a room: for one person, or for all if `to` is None."""


class Neighbours:
    """The other servers on the same database, as one server knows them. Bound to the event loop that created it."""

    def __init__(self, url: sql.URL, hearer: Hearer, me: str = ME) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._connecting = connecting(url)
        self._hearer = hearer
        self._me = me
        self._line: psycopg.AsyncConnection | None = None
        """The connection that runs all queries and owns all locks."""
        self._led: OrderedDict[str, None] = OrderedDict()
        """The tables that this server leads, the least recently used first."""
        self._one_at_a_time = asyncio.Lock()
        self._is_reachable = True
        """Whether the last query was answered."""
        self._heard = 0.0
        """When the last notification arrived, on the monotonic clock; this server's own beats count too."""
        self._here = Here()
        self._presence = PeerPresence()
        self._stirred: set[str] = set()
        """The tables whose people at other servers have changed since the last report to the hearer."""
        self._outgoing: list[PeerMessage] = []
        self.on_device_news: Callable[[DeviceNews], None] = lambda news: None
        """Called when a device has become another person's through another server."""
        self._has_news = asyncio.Event()
        self._listens = False
        self.tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._send_news())]

    async def close(self) -> None:
        """Say goodbye to the other servers and disconnect from the database."""
        with _cut_off(self._line, FAREWELL), contextlib.suppress(TimeoutError):
            async with asyncio.timeout(2 * FAREWELL):
                await self._one_at_a_time.acquire()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if self._one_at_a_time.locked():
            self._one_at_a_time.release()
        if self._is_reachable:
            with contextlib.suppress(psycopg.Error):
                await self._notify([People((), anew=True)], FAREWELL)
        if self._line is not None:
            await self._line.close()

    async def _connect(self) -> psycopg.AsyncConnection:
        return await psycopg.AsyncConnection.connect(self._address, autocommit=True, **self._connecting)

    # --------------------------------------------------------------------------------------------- who looks on where

    def at(self, table: str) -> frozenset[str]:
        """The identities of the people who look at a table through other servers."""
        return self._presence.at(table)

    def came(self, table: str, identity: str) -> None:
        """Note that somebody has opened a window on a table at this server."""
        if self._here.came((table, identity)):
            self._has_news.set()

    def went(self, table: str, identity: str) -> None:
        """Note that somebody has closed a window on a table at this server."""
        if self._here.went((table, identity)):
            self._has_news.set()

    def say(self, table: str, to: str | None, message: Aside) -> None:
        """Send a message to those who look at a table through other servers, if anybody does."""
        if self.at(table):
            self._queue(Relayed(table, to, message))

    def announce(self, news: DeviceNews) -> None:
        """Notify the other servers that a device has become another person's."""
        self._queue(news)

    def _queue(self, message: PeerMessage) -> None:
        self._outgoing.append(message)
        self._has_news.set()

    async def _send_news(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT):  # wait_for of Python 3.11 may ignore that the task is cancelled
                    await self._has_news.wait()
            await asyncio.sleep(GATHERING)
            self._has_news.clear()
            messages, self._outgoing = [*self._outgoing, *self._here.news()], []
            try:
                await self._notify(messages or [Beat()])
            except psycopg.Error:  # `_listen` logs it
                self._here.name_all()
                await asyncio.sleep(AGAIN)
            if self._listens:
                self._stir(self._presence.lapse(time.monotonic()))

    async def _notify(self, messages: Sequence[PeerMessage], deadline: float = DEADLINE) -> None:
        payloads = [f"{self._me} {msgspec.json.encode(message).decode()}" for message in messages]
        query = "SELECT pg_notify(%s, payload) FROM unnest(%s::text[]) AS payload"
        await self._ask(query, PEOPLE, payloads, deadline=deadline)

    # ------------------------------------------------------------------------------------------------ what they send

    async def _listen(self) -> None:
        while True:
            try:
                async with await self._connect() as line:
                    with _cut_off(line, DEADLINE):
                        await line.execute(f"LISTEN {CHANNEL}; LISTEN {PEOPLE}")
                    self._begin_to_listen()
                    while self._heard + LAPSE > time.monotonic():
                        async for notification in line.notifies(timeout=BEAT):
                            self._hear(notification)
                log.error("other servers are not heard: the database has sent nothing for %g seconds", LAPSE)
            except psycopg.Error as error:
                log.error("other servers are not heard: %s", reason(error))
            self._listens = False
            await asyncio.sleep(AGAIN)

    def _begin_to_listen(self) -> None:
        self._listens = True
        self._heard = time.monotonic()
        self._presence.wait_for_all(time.monotonic())
        self._hearer.hear(None)
        self._queue(Hello())

    def _hear(self, notification: psycopg.Notify) -> None:
        self._heard = time.monotonic()
        sender, _, text = notification.payload.partition(" ")
        if sender == self._me:
            return
        if notification.channel == CHANNEL:
            self._hearer.hear(text)
            return
        with contextlib.suppress(ValueError):  # a message that only newer servers know
            self._follow(sender, read_peer_message(text))

    def _follow(self, sender: str, message: PeerMessage) -> None:
        now = time.monotonic()
        known = self._presence.heard(sender, now)
        match message:
            case People():
                known = known or message.anew
                self._stir(self._presence.follow(sender, message, now))
            case Hello():
                self._here.name_all()
                self._has_news.set()
            case Relayed(table, to, aside):
                self._hearer.hear_aside(table, to, aside)
            case DeviceNews():
                self.on_device_news(message)
        if not known and not isinstance(message, Hello):
            self._queue(Hello())

    def _stir(self, tables: set[str]) -> None:
        """Report these tables to the hearer after a short delay, since one message may undo the last one."""
        if tables and not self._stirred:
            asyncio.get_running_loop().call_later(GATHERING, self._report_stirred)
        self._stirred |= tables

    def _report_stirred(self) -> None:
        stirred, self._stirred = self._stirred, set()
        for table in stirred:
            self._hearer.people_stirred(table)

    # ------------------------------------------------------------------------------------------------------ who leads

    @contextlib.asynccontextmanager
    async def lead(self, table: str) -> AsyncIterator[bool]:
        """A context that yields whether this server leads a table, i.e. moves its computer players; at most one does.

        It remains the leader until it lets go or its connection is lost, since asking at every move would cost as much
        as the move.
        """
        if table in self._led:
            self._led.move_to_end(table)
            yield True
        else:
            yield await self._try_to_lead(table)
            while len(self._led) > MOST_LED:
                await self.let_go(next(iter(self._led)))

    async def let_go(self, table: str) -> None:
        """Give up the lead of a table, so that any server may take it."""
        if table in self._led:
            del self._led[table]
            with contextlib.suppress(psycopg.Error):
                await self._ask("SELECT pg_advisory_unlock(%s)", _key(table))

    async def _try_to_lead(self, table: str) -> bool:
        """Ask the database for the lead. While it is unreachable, every server leads, and the first to write wins."""
        if not self._is_reachable:
            return True
        try:
            granted = bool(await self._ask("SELECT pg_try_advisory_lock(%s)", _key(table)))
        except psycopg.Error:
            return True
        if granted:
            self._led[table] = None
        return granted

    async def _ask(self, question: str, *about: Any, deadline: float = DEADLINE) -> Any:
        """The first value of a query's first row. Raises psycopg.Error, after which all locks may be lost."""
        async with self._one_at_a_time:
            try:
                if self._line is None or self._line.closed:
                    self._led.clear()
                    self._line = await self._open()
                with _cut_off(self._line, deadline):
                    answer = await (await self._line.execute(question, about)).fetchone()
            except psycopg.Error:
                self._led.clear()
                self._is_reachable = False
                raise
            self._is_reachable = True
            return None if answer is None else answer[0]

    async def _open(self) -> psycopg.AsyncConnection:
        line = await self._connect()
        try:
            with _cut_off(line, DEADLINE):
                await line.execute(setting())
                await line.execute(_SET_WHERE_KNOWN, (str(LEASE), "idle_session_timeout"))
        except psycopg.Error:
            await line.close()
            raise
        return line


@contextlib.contextmanager
def _cut_off(line: psycopg.AsyncConnection | None, seconds: float) -> Iterator[None]:
    """Shut the connection's socket down after this many seconds, so that waiting for it raises an error.

    Cancelling the waiting task would not help: psycopg then asks the database to cancel the query, and waits for that.
    """

    def cut() -> None:
        with contextlib.suppress(OSError, psycopg.Error):
            if line is not None:
                with handle(line) as line_again:
                    line_again.shutdown(socket.SHUT_RDWR)

    timer = asyncio.get_running_loop().call_later(seconds, cut)
    try:
        yield
    finally:
        timer.cancel()


def _key(table: str) -> int:
    return int.from_bytes(hashlib.sha256(table.encode()).digest()[:8], signed=True)
