"""The threads that read from the database. No caller waits beyond its deadline, and the number of waiting callers is
bounded."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from upcard.server.heartbeats import Heartbeat, Timekeeper, Vital
from upcard.server.sessions import DEADLINE, DatabaseSession, is_lost

READERS = 4
MOST_READS = 1000
"""The most reads that may wait or run at once."""

T = TypeVar("T")


@dataclass(eq=False)
class PendingRead:
    """A read that waits or runs, with the future that its caller awaits."""

    answer: asyncio.Future[Any]
    until: float
    """When its caller is refused, on the timekeeper's clock."""
    session: DatabaseSession | None = None
    """The session in which it runs; None while it does not."""
    is_refused: bool = False


class ReaderPool:
    """The threads that read, each with a session of its own."""

    def __init__(self, engine: sql.Engine, timekeeper: Timekeeper) -> None:
        self._engine = engine
        self._now = timekeeper.now
        self._own = threading.local()
        self._sessions: list[DatabaseSession] = []
        self._pending: set[PendingRead] = set()
        self._heartbeat = Heartbeat(timekeeper)
        self._threads = ThreadPoolExecutor(READERS, "reader", self._begin)
        self.vital = Vital("readers", self._heartbeat, lambda: not getattr(self._threads, "_broken", False))

    def __len__(self) -> int:
        """The number of reads that wait or run."""
        return len(self._pending)

    @property
    def is_full(self) -> bool:
        return len(self._pending) >= MOST_READS

    async def read(self, read: Callable[[Connection], T], *, deadline: float = DEADLINE, is_fresh: bool = False) -> T:
        """Return what `read` returns in one of the threads; `is_fresh` over a new connection, which has nothing cached.

        Raises TimeoutError after the deadline in seconds, RuntimeError if the pool has ended, and whatever `read`
        raises.
        """
        loop = asyncio.get_running_loop()
        reading = PendingRead(loop.create_future(), self._now() + deadline)

        def run() -> None:
            answer: Any = None
            error: Exception | None = None
            try:
                answer = self._run(reading, read, is_fresh)
            except BaseException as failed:
                error = failed if isinstance(failed, Exception) else RuntimeError(repr(failed))
            finally:
                self._pending.discard(reading)
                self._heartbeat.beat()
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(_answer, reading.answer, answer, error)

        self._pending.add(reading)
        try:
            self._threads.submit(run)
        except RuntimeError:
            self._pending.discard(reading)
            raise
        answer: T = await reading.answer
        return answer

    def refuse_late(self) -> None:
        """Refuse the reads that have waited too long. May be called by any thread, repeatedly."""
        for reading in [*self._pending]:
            if reading.until < self._now():
                _refuse(reading)

    def refuse_all(self) -> None:
        """Refuse all reads that wait or run. May be called by any thread."""
        for reading in [*self._pending]:
            _refuse(reading)

    def close(self) -> None:
        """Refuse all pending reads, and end the threads."""
        self.refuse_all()
        self._threads.shutdown(wait=False)
        until = time.monotonic() + DEADLINE
        while self._pending and time.monotonic() < until:
            time.sleep(0.01)

    def disconnect(self) -> None:
        """Disconnect from the database, after the threads have ended."""
        for session in [] if self._pending else self._sessions:
            session.close()

    def _begin(self) -> None:
        """Give a new thread its session."""
        self._own.session = DatabaseSession(self._engine)
        self._sessions.append(self._own.session)

    def _run(self, reading: PendingRead, read: Callable[[Connection], T], is_fresh: bool) -> T | None:
        if reading.is_refused or reading.answer.done():  # nobody waits any more
            return None
        session = DatabaseSession(self._engine) if is_fresh else self._own.session
        reading.session = session
        try:
            with session.step() as connection:
                return read(connection)
        except Exception as error:
            if not is_lost(error) or reading.is_refused:
                raise
            with session.step() as connection:
                return read(connection)
        finally:
            reading.session = None
            if is_fresh:
                session.close()


def _refuse(reading: PendingRead) -> None:
    """Raise TimeoutError in the caller of a read, and abort the read if it runs."""
    reading.is_refused = True
    if (session := reading.session) is not None:
        session.abort()
    error = TimeoutError("the database did not answer in time")
    with contextlib.suppress(RuntimeError):  # the loop is closed
        reading.answer.get_loop().call_soon_threadsafe(_answer, reading.answer, None, error)


def _answer(answer: asyncio.Future[Any], value: Any, error: Exception | None) -> None:
    if answer.done():
        return
    if error is None:
        answer.set_result(value)
    else:
        answer.set_exception(error)
