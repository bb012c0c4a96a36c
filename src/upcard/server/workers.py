"""Work that anyone can ask for: replays, scores, records, hints and reviews.

It is done in a few processes of low priority. The addresses take turns, and each is charged the processor time of its
pieces of work. A piece that takes too long is killed with its process, and harms no other.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import signal
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar, cast

from upcard.house.services import Requester
from upcard.players.warmup import step_back
from upcard.server.limits import Doorkeeper, household
from upcard.table.errors import TooMany

MOST_WORKERS = 4
MOST_WAITING_OF_ONE = 8
"""The most pieces of work of one address that may wait, counted separately for people who sit at the table
concerned."""
MOST_WAITING_IN_ALL = 64
"""The most pieces of work that may wait, counted separately for people who sit at the table concerned."""
MOST_IN_A_ROW = 3
"""The most turns in a row of people who sit at the table concerned while others wait."""
LIMIT = 20.0
"""Seconds after which a piece of work is killed, unless it has a limit of its own."""
GRACE = 5.0
"""Seconds beyond that limit after which the process ends itself, as its server may have been killed."""
STARTING = 60.0
"""Seconds within which a process must start."""
TRIES = 2
"""The number of times that a piece is begun if its process ends prematurely."""

BUSY = "Too much is being worked out just now: ask again in a moment"
OF_ONE = "Too much is being worked out for your address: wait until it is done"
TOO_LONG = "This takes too long to work out and was stopped"
NOT_NOW = "This could not be worked out just now: ask again in a moment"

log = logging.getLogger("upcard.server")
T = TypeVar("T")


class FairQueue:
    """Lets a few requesters at a time do expensive work. The addresses take turns, and people who sit at the table
    concerned have priority. Addresses within the IPv6 network of one household count as one address."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._queues: dict[bool, OrderedDict[str, deque[asyncio.Future[None]]]] = {
            True: OrderedDict(),
            False: OrderedDict(),
        }
        """The waiting requests, by whether they are seated and by address; the first address has the next turn."""
        self._in_a_row = 0

    def __len__(self) -> int:
        """The number of waiting requests."""
        return sum(len(queue) for queues in self._queues.values() for queue in queues.values())

    def check(self, requester: Requester) -> None:
        """Check that there is room for one more. Raises TooMany."""
        if self._free:
            return
        queues = self._queues[requester.seated]
        mine = len(queues.get(household(requester.address), ()))
        if mine >= MOST_WAITING_OF_ONE:
            raise TooMany(OF_ONE)
        if sum(map(len, queues.values())) >= MOST_WAITING_IN_ALL and max(map(len, queues.values())) <= mine:
            raise TooMany(BUSY)

    @asynccontextmanager
    async def turn(self, requester: Requester) -> AsyncIterator[None]:
        """A context that waits for the requester's turn and then is that turn. Raises TooMany if there is no room, also
        while it waits, if an address with fewer waiting requests needs the room."""
        self.check(requester)
        if self._free:
            self._free -= 1
        else:
            await self._wait(requester)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, requester: Requester) -> None:
        queues, place = self._queues[requester.seated], asyncio.get_running_loop().create_future()
        if sum(map(len, queues.values())) >= MOST_WAITING_IN_ALL:
            _drop_one(queues)
        queues.setdefault(household(requester.address), deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled() and place.exception() is None:  # the turn had come already
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """End a turn, and give it to the next request."""
        while (place := self._next()) is not None:
            if not place.done():
                place.set_result(None)
                return
        self._free += 1

    def _next(self) -> asyncio.Future[None] | None:
        seated, others = self._queues[True], self._queues[False]
        first = bool(seated) and not (others and self._in_a_row >= MOST_IN_A_ROW)
        self._in_a_row = self._in_a_row + 1 if first else 0
        queues = seated if first else others
        if not queues:
            return None
        address, queue = queues.popitem(last=False)
        place = queue.popleft()
        if queue:
            queues[address] = queue
        return place


def _drop_one(queues: OrderedDict[str, deque[asyncio.Future[None]]]) -> None:
    """Refuse the last waiting request of the address with the most."""
    address = max(queues, key=lambda key: len(queues[key]))
    last = queues[address].pop()
    if not last.done():
        last.set_exception(TooMany(BUSY))
    if not queues[address]:
        del queues[address]


class WorkerPool:
    """The processes for this work: one less than the machine has processors, and at least one."""

    def __init__(self, doorkeeper: Doorkeeper, workers: int | None = None) -> None:
        number = workers or max(1, min(MOST_WORKERS, (os.cpu_count() or 2) - 1))
        self._doorkeeper = doorkeeper
        self._queue = FairQueue(number)
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._is_closed = False

    @property
    def waiting(self) -> int:
        """The number of pieces of work that run or wait."""
        return len(self._queue) + len(self._all) - len(self._idle)

    def prepare(self) -> None:
        """Start a process in advance, so that the first requester need not wait for it."""
        if not self._all:
            with contextlib.suppress(OSError):  # it is tried again at the first request
                self._idle.append(self._started())

    def admit(self, requester: Requester) -> None:
        """Charge the least time for a piece of work. Raises TooMany if there is no room for it, or if this address has
        used up its budget."""
        self._queue.check(requester)
        self._doorkeeper.begin_work(requester.address, seated=requester.seated)

    async def run(
        self, requester: Requester, work: Callable[..., T], *about: Any, limit: float = LIMIT, admitted: bool = False
    ) -> T:
        """Return what `work(*about)` returns in another process, when it is this requester's turn.

        `limit` is in seconds, from when it begins; `admitted` means that `admit` was called already. Raises what `work`
        raises. Raises TooMany like `admit`, if it takes too long, or if no process can do it.
        """
        if not admitted:
            self.admit(requester)
        seconds = 0.0
        try:
            async with self._queue.turn(requester):
                began = time.monotonic()
                try:
                    result, error, seconds = await self._do(partial(measured, time.process_time, work, *about), limit)
                except BaseException:  # the processor time is unknown then
                    seconds = time.monotonic() - began
                    raise
        finally:
            self._doorkeeper.end_work(requester.address, seconds)
        if error is not None:
            raise error
        return cast(T, result)

    async def _do(self, job: Callable[[], T], limit: float) -> T:
        """Return what the job returns; try again if its process ends prematurely, killed or out of memory."""
        for _ in range(TRIES):
            worker = None
            try:
                worker = self._idle.pop() if self._idle else self._started()
                result = await worker.do(job, limit)
                self._idle.append(worker)
                return result
            except TimeoutError:
                log.warning("a piece of work took longer than %g seconds and was killed", limit)
                raise TooMany(TOO_LONG) from None
            except (RuntimeError, MemoryError, OSError) as error:  # what the work itself raises is in the result
                if not self._is_closed:
                    log.error("a piece of work has lost its process: %r", error)
            finally:
                if worker is not None and worker not in self._idle:
                    worker.kill()
                    self._all.discard(worker)
        raise TooMany(NOT_NOW)

    def _started(self) -> Worker:
        if self._is_closed:
            raise TooMany(NOT_NOW)
        worker = Worker()
        self._all.add(worker)
        return worker

    def close(self) -> None:
        """Kill all processes, whatever they are doing."""
        self._is_closed = True
        for worker in self._all:
            worker.kill()
        self._idle.clear()
        self._all.clear()


class Worker:
    """One process. It begins at once to import what most work needs, which takes a second."""

    def __init__(self) -> None:
        """Raises OSError if no process can be started."""
        self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=step_back)
        self._ready: Future[None] = self._pool.submit(_get_ready)

    async def do(self, job: Callable[[], T], limit: float) -> T:
        """Return what the job returns. Raises TimeoutError if it takes more than `limit` seconds, BrokenProcessPool if
        the process ends before, and what the job raises."""
        await asyncio.wait_for(asyncio.wrap_future(self._ready), STARTING)
        work = self._pool.submit(run_within, limit + GRACE, job)
        return await asyncio.wait_for(asyncio.wrap_future(work), limit)

    def kill(self) -> None:
        """End the process at once. A waiting `do` raises BrokenProcessPool."""
        for process in [*(self._pool._processes or {}).values()]:
            process.kill()
        self._pool.shutdown(wait=True)


def _get_ready() -> None:
    import upcard.house.replays
    import upcard.players.search  # noqa: F401


def run_within(seconds: float, job: Callable[[], T]) -> T:
    """Return what the job returns. This process ends if it takes longer, where the system supports that."""
    if not hasattr(signal, "setitimer"):
        return job()
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return job()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def measured(
    clock: Callable[[], float], work: Callable[..., T], *about: Any
) -> tuple[T | None, Exception | None, float]:
    """The result of a piece of work or the exception that it raised, and the seconds that it took by this clock."""
    result, raised, began = None, None, clock()
    try:
        result = work(*about)
    except MemoryError:
        raise
    except Exception as error:
        raised = error
    return result, raised, clock() - began
