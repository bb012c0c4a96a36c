"""Sessions with the database: each belongs to one thread, and another thread can abort what it waits for.

A TCP timeout alone is not enough: a proxy may acknowledge every packet and forward none.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DataError, IntegrityError, OperationalError, SQLAlchemyError

from upcard.server.troubles import Trouble
from upcard.table.stores import LOCK_TIMEOUT

DEADLINE = 8.0
"""Seconds that one step with the database may take, including the wait for its turn. Slow disks take some."""
CONNECTING: dict[str, Any] = {
    "connect_timeout": 3,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": round(DEADLINE * 1000),
}
"""Connection parameters for PostgreSQL, unless its URL sets them."""
SETTINGS = {
    "idle_in_transaction_session_timeout": round(DEADLINE * 1000),
    "lock_timeout": round(LOCK_TIMEOUT * 1000),
    "statement_timeout": 60_000,
}
"""Settings of a PostgreSQL session, in milliseconds. They end what this server has given up, and so release the locks
for which the next attempt would wait."""
DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""SQLite's primary error codes for a damaged file."""
TRUNCATED = {sqlite3.SQLITE_IOERR | 2 << 8, sqlite3.SQLITE_IOERR | 33 << 8}
"""SQLite's extended error codes for a file that ends too early, and for a damaged file system."""
DAMAGE_STATES = {"XX001", "XX002"}
"""PostgreSQL's error codes for a damaged table and a damaged index."""

LOCKED_STATES = {"55P03", "57014"}
"""PostgreSQL's error codes for a lock, or an answer, that did not come in time."""


def connecting(url: sql.URL) -> dict[str, Any]:
    """Connection parameters with timeouts, except those that the URL itself sets; empty for other drivers."""
    if url.get_backend_name() != "postgresql" or url.get_driver_name() not in ("psycopg", "psycopg2"):
        return {}
    return {name: value for name, value in CONNECTING.items() if name not in url.query}


class Damaged(Exception):
    """The file of a database is damaged in a way that the database itself did not report."""


class DatabaseSession:
    """A session of one thread with the database, which is reopened after a failure."""

    def __init__(self, engine: sql.Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._abort: Callable[[], None] | None = None
        self._line: socket.socket | None = None

    @contextlib.contextmanager
    def step(self) -> Iterator[Connection]:
        """A context with the connection, for one step of the session's thread. What the step does not commit is rolled
        back."""
        try:
            connection = self._open() if self._connection is None else self._connection
            yield connection
            if connection.in_transaction():
                connection.rollback()
        finally:
            left = self._connection
            if left is not None and (left.invalidated or left.in_transaction()):
                self.close()

    def abort(self) -> None:
        """Make a step that waits for the database fail, if there is one. Called from another thread.

        A connection that is still being opened fails by its own timeout.
        """
        if (abort := self._abort) is not None:
            with contextlib.suppress(OSError, sqlite3.Error):
                abort()

    def close(self) -> None:
        """Disconnect; the next step connects again."""
        if (connection := self._connection) is not None:
            with contextlib.suppress(SQLAlchemyError, sqlite3.Error, OSError):
                connection.close()
        if self._line is not None:
            self._line.close()
        self._connection = self._abort = self._line = None

    def _open(self) -> Connection:
        file = self._engine.url.database
        if self._engine.dialect.name == "sqlite" and not os.path.exists(file or ""):
            raise FileNotFoundError(Trouble.MISSING.value)  # SQLite would create a new one
        connection = self._connection = self._engine.connect()
        driver: Any = connection.connection.driver_connection
        if self._engine.dialect.name == "sqlite":
            self._abort = driver.interrupt
        elif self._engine.driver == "psycopg":
            self._line = handle(driver)
            self._abort = partial(self._line.shutdown, socket.SHUT_RDWR)
            try:
                driver.autocommit = True
                driver.execute(setting())
                driver.autocommit = False
            except Exception as error:
                self.close()
                raise OperationalError(None, None, error) from None
        return connection


def handle(driver: Any) -> socket.socket:
    """A second handle on the socket of a connection of psycopg, to shut it down from outside.

    It stays valid whatever the driver does, whose own file descriptor may soon be that of another socket.
    """
    return socket.fromfd(driver.pgconn.socket, socket.AF_INET, socket.SOCK_STREAM)


def setting(**more: int) -> str:
    """The SQL that applies `SETTINGS`, and further ones, to a PostgreSQL session."""
    return "; ".join(f"SET {name} = {value}" for name, value in (SETTINGS | more).items())


def is_damage(error: BaseException) -> bool:
    """Whether an error of the database shows that what it stores is damaged."""
    cause = getattr(error, "orig", None) or error
    code = getattr(cause, "sqlite_errorcode", None) or 0
    return (
        isinstance(error, Damaged)
        or code & 0xFF in DAMAGE
        or code in TRUNCATED
        or getattr(cause, "sqlstate", None) in DAMAGE_STATES
    )


def is_lost(error: BaseException) -> bool:
    """Whether a step failed because its connection was lost, so that it may succeed over a new one."""
    return bool(getattr(error, "connection_invalidated", False))


def is_of_database(error: BaseException) -> bool:
    """Whether a failed write is a fault of the database, and not of the data."""
    return isinstance(error, (SQLAlchemyError, OSError)) and not isinstance(error, (IntegrityError, DataError))


def is_of_every_write(error: BaseException) -> bool:
    """Whether every other write would fail in the same way, perhaps after as long a wait: the database is locked, or
    cannot be reached."""
    cause = getattr(error, "orig", None) or error
    if isinstance(cause, sqlite3.Error):
        return (getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    unconnected = isinstance(error, OperationalError) and error.statement is None
    return unconnected or is_lost(error) or getattr(cause, "sqlstate", None) in LOCKED_STATES
