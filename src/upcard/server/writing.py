"""The thread that writes. It puts all pending writes into one transaction, so that many tables share the cost of one
durable write; a caller continues only when its transaction is on disk.

No caller waits longer than `DEADLINE`: it is refused then, whatever the thread is waiting for.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from upcard.server.heartbeats import Heartbeat, Timekeeper, Vital
from upcard.server.sessions import DEADLINE, DatabaseSession, is_lost, is_of_every_write
from upcard.table.errors import Overtaken
from upcard.table.stores import not_written, overtaken

MOST_AT_ONCE = 500
"""The most writes in one transaction."""
BREATH = 0.02
"""The least time in seconds between the starts of two transactions, in which further writes collect. A transaction
takes as much processor time as half an event, and there are nearly as many as this time allows."""

log = logging.getLogger("upcard.server")
WriteStep = Callable[[Connection], None]


@dataclass(eq=False)
class PendingWrite:
    """Rows for the journal, with steps to run before and after they are inserted, and the future that the caller
    awaits."""

    written: asyncio.Future[None]
    since: float
    """When it was requested, on the timekeeper's clock."""
    rows: Sequence[dict[str, Any]] = ()
    before: WriteStep | None = None
    after: WriteStep | None = None
    is_refused: bool = False
    """Whether its caller was refused before it was written, so that it must not be."""


class JournalWriter:
    """The thread that writes, and the writes that wait for it."""

    def __init__(
        self,
        session: DatabaseSession,
        timekeeper: Timekeeper,
        put_down: Callable[[Connection, Sequence[PendingWrite]], None],
        report: Callable[[Sequence[PendingWrite], Exception | None], None],
    ) -> None:
        """`put_down` writes them all in the transaction it is given; `report` is called with the outcome."""
        self._session = session
        self._now = timekeeper.now
        self._put_down = put_down
        self._report = report
        self._waiting: deque[PendingWrite] = deque()
        self._current: Sequence[PendingWrite] = ()
        """The writes in the present transaction."""
        self._lock = threading.Lock()
        """Held while writes move from `_waiting` to `_current`."""
        self._work = threading.Event()
        """Set while a write waits or the store is closing; the thread sleeps until then."""
        self._closing = False
        self._heartbeat = Heartbeat(timekeeper)
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()
        self.vital = Vital("writer", self._heartbeat, self._thread.is_alive)

    def __len__(self) -> int:
        """The number of waiting writes."""
        return len(self._waiting)

    @property
    def is_stuck(self) -> bool:
        """Whether the thread has ended, or is still busy with writes whose callers were refused."""
        return not self._thread.is_alive() or any(job.is_refused for job in self._current)

    async def write(
        self, rows: Sequence[dict[str, Any]] = (), before: WriteStep | None = None, after: WriteStep | None = None
    ) -> None:
        """Write in one transaction; returns when it is on disk. Raises NotWritten, Overtaken."""
        job = PendingWrite(asyncio.get_running_loop().create_future(), self._now(), rows, before, after)
        self._waiting.append(job)
        if not self._work.is_set():  # waking the other thread costs more than all else here
            self._work.set()
        if not self._thread.is_alive():
            self.refuse_all(RuntimeError("the thread that writes has ended"))
        await job.written

    def is_late(self) -> bool:
        """Whether a write has waited longer than `DEADLINE`. May be called by any thread."""
        with self._lock:
            first = [*self._current[:1], *([self._waiting[0]] if self._waiting else [])]
        return any(job.since < self._now() - DEADLINE and not job.is_refused for job in first)

    def refuse_all(self, error: Exception) -> list[PendingWrite]:
        """Refuse all waiting writes, and abort the present transaction; returns the writes in it, which may have been
        committed all the same. May be called by any thread, repeatedly."""
        with self._lock:
            begun = [*self._current]
            waiting = [self._waiting.popleft() for _ in range(len(self._waiting))]
            for job in (jobs := [*begun, *waiting]):
                job.is_refused = True
        if begun:
            self._session.abort()
        _settle(jobs, error)
        return begun

    def close(self) -> bool:
        """Write everything pending, or refuse it after `DEADLINE`, and end the thread; returns whether it ended."""
        self._closing = True
        self._work.set()
        self._thread.join(3 * DEADLINE)
        if self._thread.is_alive():
            log.error("the thread that writes does not end: what it waits for is given up")
        return not self._thread.is_alive()

    def _run(self) -> None:
        error: BaseException = RuntimeError("the thread that writes has ended")
        try:
            self._write_on()
        except BaseException as unexpected:
            error = unexpected
            log.critical("the thread that writes has ended: %r", error)
        finally:
            self.refuse_all(error if isinstance(error, Exception) else RuntimeError(repr(error)))

    def _write_on(self) -> None:
        began = time.monotonic()
        while not (self._closing and not self._waiting):
            self._work.wait()
            if not self._closing:
                time.sleep(max(0.0, began + BREATH - time.monotonic()))
                self._work.clear()
            began = time.monotonic()
            with self._lock:
                self._current = [self._waiting.popleft() for _ in range(min(MOST_AT_ONCE, len(self._waiting)))]
            self._write_together(self._current)
            self._current = ()
            self._heartbeat.beat()
            if self._waiting:
                self._work.set()

    def _write_together(self, jobs: Sequence[PendingWrite], tries: int = 2) -> None:
        """Write all jobs in one transaction; if that fails, each alone, so that one bad write does not fail the others.

        After a lost connection it tries again. Nothing is written twice, as the numbers of the entries are unique.
        """
        error: Exception | None = None
        if not (jobs := _wanted(jobs)):
            return
        try:
            with self._session.step() as connection, connection.begin():
                self._put_down(connection, jobs)
        except Exception as failed:
            error = failed
        if error is not None and is_lost(error) and tries > 1:
            self._write_together(jobs, tries - 1)
        elif error is not None and len(jobs) > 1 and not is_of_every_write(error):
            for job in jobs:
                self._write_together([job])
        elif jobs := _wanted(jobs):
            self._report(jobs, error)
            _settle(jobs, error)


def _wanted(jobs: Sequence[PendingWrite]) -> Sequence[PendingWrite]:
    """The jobs whose callers have not been refused meanwhile."""
    return [job for job in jobs if not job.is_refused]


def _settle(jobs: Sequence[PendingWrite], error: Exception | None) -> None:
    """Report the outcome of writes to their callers, which may be gone by now, and their event loop too."""

    def settle() -> None:
        for job in jobs:
            if job.written.done():
                continue
            if error is None:
                job.written.set_result(None)
            elif isinstance(error, (IntegrityError, Overtaken)):
                job.written.set_exception(overtaken())
            else:
                job.written.set_exception(not_written(error))

    if jobs:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            jobs[0].written.get_loop().call_soon_threadsafe(settle)
