"""Processes that think: they compute the moves of slow computer players, hints, reviews and replays, and compile games.

A move comes before a hint, and a hint before a review: moves are computed by processes of their own, and all other work
by processes of low priority, in which people who sit at the table concerned have precedence. Requesters take turns, and
each is charged the processor time of its work. Work that takes too long is killed with its process, and harms no other.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from functools import partial
from multiprocessing.process import BaseProcess
from typing import Any, Protocol, TypeVar, cast

from upcard.engine.errors import UpcardError
from upcard.house.services import Requester
from upcard.players.warmup import FAULTY, make_ready, slowest, step_back
from upcard.rules.game import Game
from upcard.rules.sentences import sentence
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

BUSY = sentence("Too much is being worked out just now: ask again in a moment")
OF_ONE = sentence("Too much is being worked out for your address: wait until it is done")
TOO_LONG = sentence("This takes too long to work out and was stopped")
NOT_NOW = sentence("This could not be worked out just now: ask again in a moment")

log = logging.getLogger("upcard.server")
T = TypeVar("T")
SPAWN = multiprocessing.get_context("spawn")


def number_of_workers() -> int:
    """The number of processes for one kind of work: one less than the machine has processors, and at least one."""
    return max(1, min(MOST_WORKERS, (os.cpu_count() or 2) - 1))


# ---------------------------------------------------------------------------------------------------------- processes


class Processes:
    """Processes that do what they are given, in order. They start when they are first needed, and again after one of
    them has died."""

    def __init__(self, number: int, set_up: Callable[[], None]) -> None:
        """Each process begins with `set_up`."""
        self._number = number
        self._set_up = set_up
        self._executor: ProcessPoolExecutor | None = None

    @property
    def ids(self) -> list[int]:
        """The numbers of the processes that run."""
        return [] if self._executor is None else [*(self._executor._processes or {})]

    def start(self) -> Future[int]:
        """Start the first process, unless it runs already: it sets itself up at once, which takes a second. The future
        is done when it is ready. Raises OSError if no process can be started."""
        return self._started().submit(int)

    def submit(self, work: Callable[..., T], *about: Any) -> Future[T]:
        """Queue a piece of work. Raises OSError if no process can be started."""
        return self._started().submit(work, *about)

    async def do(self, work: Callable[..., T], *about: Any) -> T:
        """Return what `work(*about)` returns in one of the processes, and raise what it raises. If they die meanwhile,
        killed from outside or out of memory, new ones try once more. Raises OSError if no process can be started."""
        executor = self._started()
        try:
            return await asyncio.wrap_future(executor.submit(work, *about))
        except BrokenProcessPool:
            if self._executor is executor:  # another caller may have ended it already
                self.kill()
            return await asyncio.wrap_future(self.submit(work, *about))

    def _started(self) -> ProcessPoolExecutor:
        if self._executor is None:
            self._executor = ProcessPoolExecutor(self._number, SPAWN, initializer=self._set_up)
        return self._executor

    def kill(self) -> None:
        """Kill the processes, whatever they are doing; those who wait for them get BrokenProcessPool."""
        executor, self._executor = self._executor, None
        if executor is not None:
            for process in [*(executor._processes or {}).values()]:
                process.kill()
            executor.shutdown(wait=True)


async def aside(work: Callable[[], T]) -> T:
    """The result of `work`, computed in a daemon thread, for which the program does not wait when it ends."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def resolve(settle: Callable[[Any], None], outcome: object) -> None:
        if not future.done():
            settle(outcome)

    def run() -> None:
        settle: Callable[[Any], None] = future.set_exception
        outcome: object
        try:
            outcome = work()
            settle = future.set_result
        except SystemExit:  # unchanged, it would end the event loop
            outcome = UpcardError("a game or a player has called sys.exit")
        except Exception as error:
            outcome = error
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is waiting for this any more
            loop.call_soon_threadsafe(resolve, settle, outcome)

    threading.Thread(target=run, daemon=True).start()
    return await future


# ---------------------------------------------------------------------------------------------------------- compiling

Compile = Callable[[Game[Any], str], None]
"""Compiles everything that a player of a level needs in a game, in a process of its own; see `make_ready`."""


class Compilation:
    """A process that compiles a game for the players of one level."""

    def __init__(self, setup: Game[Any], level: str, compile: Compile = make_ready) -> None:
        self.setup = setup
        self.was_killed = False
        self._process: BaseProcess | None = SPAWN.Process(target=compile, args=(setup, level), daemon=True)

    def start(self) -> Awaitable[int]:
        """Start the process; the result is its exit status, when it has ended. Raises OSError if it cannot start."""
        process = self._process
        assert process is not None
        with contextlib.redirect_stderr(sys.__stderr__):  # Textual's stderr has no file for the process to inherit
            process.start()
        return self._end(process)

    async def _end(self, process: BaseProcess) -> int:
        await aside(process.join)
        self._process, status = None, cast(int, process.exitcode)
        process.close()
        return status

    def kill(self) -> None:
        """End the process at once, if it runs."""
        if self._process is not None and self._process.pid is not None:
            self.was_killed = True
            self._process.kill()


class Compilations:
    """Compiles games for slow players in the background, one after the other, once per machine."""

    def __init__(self, compile: Compile = make_ready) -> None:
        self._compile = compile
        self._ready: set[str] = set()
        """The games that can be played at once."""
        self._faulty: set[str] = set()
        """The games whose rules cannot be compiled."""
        self._waiting: dict[str, Game[Any]] = {}
        """The games that wait to be compiled, the most urgent last."""
        self._asked: set[str] = set()
        """The games that wait or have waited to be compiled."""
        self._hurried: set[str] = set()
        """The games that somebody waits for, or soon may."""
        self._task: asyncio.Task[None] | None = None
        self._running: Compilation | None = None

    def is_ready(self, setup: Game[Any]) -> bool:
        """Whether a game is compiled."""
        return setup.game.slug in self._ready

    def is_faulty(self, setup: Game[Any]) -> bool:
        """Whether the rules of a game cannot be compiled."""
        return setup.game.slug in self._faulty

    def add(self, *setups: Game[Any]) -> None:
        """Compile these games, one after the other, before all that are waiting already."""
        for setup in reversed(setups):
            slug = setup.game.slug
            if slug not in self._asked or self._waiting.pop(slug, None) is not None:
                self._asked.add(slug)
                self._waiting[slug] = setup
        if self._waiting and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._compile_all())

    def hurry(self, setup: Game[Any]) -> None:
        """Compile this game at once, and interrupt the present compilation if nobody waits for that one."""
        slug = setup.game.slug
        if slug in self._ready:
            return
        self._hurried.add(slug)
        self.add(setup)
        if self._running is not None and self._running.setup.game.slug not in self._hurried:
            self._running.kill()

    async def _compile_all(self) -> None:
        while self._waiting:
            slug, setup = self._waiting.popitem()
            self._running = Compilation(setup, slowest(), self._compile)
            try:
                status = await self._running.start()
            except OSError as error:  # when asked for again, it may start
                log.error("no process can be started to make %s ready for strong players: %s", slug, error)
                self._asked.discard(slug)
                continue
            if status == 0:
                self._ready.add(slug)
            elif self._running.was_killed:  # for a more urgent one
                self._waiting = {slug: setup} | self._waiting
            elif status not in (-signal.SIGTERM, -signal.SIGINT):  # sent when the house closes
                log.error("%s could not be made ready for strong players: see `upcard check-game %s`", slug, slug)
                if status == FAULTY:
                    self._faulty.add(slug)
                else:  # when asked for again, it may go well
                    self._asked.discard(slug)

    async def finish(self) -> None:
        """Wait until all games that were asked for are compiled, or cannot be."""
        if self._task is not None:
            await self._task

    def close(self) -> None:
        """Stop compiling at once."""
        if self._task is not None:
            self._task.cancel()
        if self._running is not None:
            self._running.kill()


# -------------------------------------------------------------------------------------------------------------- turns


class FairQueue:
    """Lets a few requesters at a time do expensive work. The addresses take turns, and people who sit at the table
    concerned have priority. Addresses of one household count as one address."""

    def __init__(self, at_once: int, household: Callable[[str | None], str] = str) -> None:
        """`household` returns the key under which an address is counted."""
        self._free = at_once
        self._household = household
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
        mine = len(queues.get(self._household(requester.address), ()))
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
        queues.setdefault(self._household(requester.address), deque()).append(place)
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


class Account(Protocol):
    """The budgets from which work is paid."""

    def begin_work(self, client: str | None, *, seated: bool) -> None:
        """Charge the least time for a piece of work. Raises TooMany if too little is left."""

    def end_work(self, client: str | None, seconds: float) -> None:
        """Charge the processor time that a piece of work took, instead of the least."""


class WorkerPool:
    """Processes of low priority for work that anyone can ask for: replays, scores, records, hints and reviews."""

    def __init__(
        self,
        account: Account,
        household: Callable[[str | None], str] = str,
        *,
        workers: int | None = None,
        imports: Sequence[str] = (),
    ) -> None:
        """`household` returns the key under which an address is counted. `imports` are the modules that a new process
        imports in advance."""
        self._account = account
        self._queue = FairQueue(workers or number_of_workers(), household)
        self._set_up = partial(_set_up, step_back, tuple(imports))
        self._idle: list[Processes] = []
        self._all: set[Processes] = set()
        self._is_closed = False

    @property
    def waiting(self) -> int:
        """The number of pieces of work that run or wait."""
        return len(self._queue) + len(self._all) - len(self._idle)

    @property
    def ids(self) -> list[int]:
        """The numbers of the processes that run."""
        return [process for worker in self._all for process in worker.ids]

    def prepare(self) -> None:
        """Start a process in advance, so that the first requester need not wait for it."""
        if not self._all:
            with contextlib.suppress(OSError):  # it is tried again at the first request
                self._idle.append(self._started())

    def admit(self, requester: Requester) -> None:
        """Charge the least time for a piece of work. Raises TooMany if there is no room for it, or if this address has
        used up its budget."""
        self._queue.check(requester)
        self._account.begin_work(requester.address, seated=requester.seated)

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
            self._account.end_work(requester.address, seconds)
        if error is not None:
            raise error
        return cast(T, result)

    async def _do(self, job: Callable[[], T], limit: float) -> T:
        """Return what the job returns; try again if its process ends prematurely, killed or out of memory."""
        for _ in range(TRIES):
            worker = None
            try:
                worker = self._idle.pop() if self._idle else self._started()
                await asyncio.wait_for(asyncio.wrap_future(worker.start()), STARTING)
                work: Future[T] = worker.submit(run_within, limit + GRACE, job)
                result = await asyncio.wait_for(asyncio.wrap_future(work), limit)
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

    def _started(self) -> Processes:
        """One more process. Raises OSError if it cannot start."""
        if self._is_closed:
            raise TooMany(NOT_NOW)
        worker = Processes(1, self._set_up)
        worker.start()
        self._all.add(worker)
        return worker

    def close(self) -> None:
        """Kill all processes, whatever they are doing."""
        self._is_closed = True
        for worker in self._all:
            worker.kill()
        self._idle.clear()
        self._all.clear()


def _set_up(settle: Callable[[], None], imports: Sequence[str]) -> None:
    settle()
    for name in imports:
        importlib.import_module(name)


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
