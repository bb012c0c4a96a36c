"""Several servers on one PostgreSQL: what one writes the others hear of, and one moves the computer players of a table.

Nothing is lost without it, since no two entries of a table have one number; it spares them work and people waiting.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable

import psycopg
import sqlalchemy as sql
from sqlalchemy.engine import Connection

CHANNEL = "upcard"
ME = secrets.token_hex(4)
"""By this a server knows what it said itself."""
AGAIN = 1.0
"""Seconds until a lost line to the database is opened again."""
MOST_LED = 1000
"""So many tables one server leads at most: the database has room for some thousand locks."""

log = logging.getLogger("upcard.server")
_NOTIFY = sql.text("SELECT pg_notify(:channel, told) FROM unnest(CAST(:told AS text[])) AS told")


def notify(connection: Connection, tables: Iterable[str]) -> None:
    """When this transaction is written, let all servers know that there is something new at these tables."""
    connection.execute(_NOTIFY, {"channel": CHANNEL, "told": [f"{ME} {table}" for table in tables]})


class Neighbours:
    """The other servers on one database, as one server knows of them. Belongs to the event loop it was made in."""

    def __init__(self, url: sql.URL, hear: Callable[[str | None], None]) -> None:
        """`hear` is told the id of each table at which something is new; None when it may be any."""
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._hear = hear
        self._locks: psycopg.AsyncConnection | None = None
        self._led: OrderedDict[str, None] = OrderedDict()
        """The tables that this server leads, the one that it led longest ago first."""
        self._one_at_a_time = asyncio.Lock()
        self._listener = asyncio.create_task(self._listen())

    async def close(self) -> None:
        """Let go of the database."""
        self._listener.cancel()
        await asyncio.gather(self._listener, return_exceptions=True)
        if self._locks is not None:
            await self._locks.close()

    async def _connect(self) -> psycopg.AsyncConnection:
        return await psycopg.AsyncConnection.connect(self._address, autocommit=True)

    async def _listen(self) -> None:
        while True:
            try:
                async with await self._connect() as line:
                    await line.execute(f"LISTEN {CHANNEL}")
                    self._hear(None)
                    async for told in line.notifies():
                        sender, _, table = told.payload.partition(" ")
                        if sender != ME:
                            self._hear(table)
            except psycopg.Error as error:
                log.error("other servers are not heard: %s", " ".join(str(error).split())[:100])
            await asyncio.sleep(AGAIN)

    @contextlib.asynccontextmanager
    async def lead(self, table: str) -> AsyncIterator[bool]:
        """Whether this server moves the computer players of a table: while it does, no other does. What it leads it
        keeps until it lets go or is gone, since asking at every move would cost as much as the move."""
        if table in self._led:
            self._led.move_to_end(table)
            yield True
        else:
            yield await self._ask("SELECT pg_try_advisory_lock(%s)", table)
            while len(self._led) > MOST_LED:
                await self.let_go(next(iter(self._led)))

    async def let_go(self, table: str) -> None:
        """From now on any server may lead here."""
        if table in self._led:
            del self._led[table]
            await self._ask("SELECT pg_advisory_unlock(%s)", table, leads=False)

    async def _ask(self, question: str, table: str, *, leads: bool = True) -> bool:
        """All locks belong to one line to the database; while there is none, whoever writes first leads."""
        key = int.from_bytes(hashlib.sha256(table.encode()).digest()[:8], signed=True)
        async with self._one_at_a_time:
            try:
                if self._locks is None or self._locks.closed:
                    self._led.clear()
                    self._locks = await self._connect()
                answer = await (await self._locks.execute(question, [key])).fetchone()
            except psycopg.Error:
                self._led.clear()
                return True
            granted = answer is not None and bool(answer[0])
            if leads and granted:
                self._led[table] = None
            return granted
