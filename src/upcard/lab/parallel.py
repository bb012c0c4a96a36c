"""Work distributed over cores in chunks. Their bounds are fixed, and their results are collected in order."""

from __future__ import annotations

import logging
import math
import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from upcard.engine.errors import UpcardError
from upcard.lab.arguments import integer_from
from upcard.lab.cluster import Lost, spread_over
from upcard.players.warmup import settle_in

log = logging.getLogger("upcard.lab")

R = TypeVar("R")
ChunkFunction = Callable[[int, int], R]
"""(first, number): compute the results of `number` matches or deals from number `first` on."""
AHEAD = 2
"""The number of chunks queued for each worker: enough to keep it busy, few enough to save memory."""
PER_CORE = 4
"""The most workers per core: more would only take memory and time to start."""
PATIENCE = 60.0
"""Seconds to wait for a chunk before warning that a rule may never return."""
TRIES = 2
"""How many times in a row workers are started if they are killed before the first result."""


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def jobs_of(jobs: int | None) -> int:
    """The number of workers, by default one per core. Raises UpcardError."""
    return cores() if jobs is None else integer_from("jobs", jobs)


def memory() -> float:
    """The machine's memory in bytes; infinite if unknown."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return math.inf


def end_of_chunk(first: int, largest: int) -> int:
    """The end of the chunk that begins with `first`. The ends are fixed, wherever the work began: first 1, 3, 7 and so
    on, so that there is soon some progress to report, and later `largest` apart."""
    return min((1 << (first + 1).bit_length()) - 1, first + largest - (first + 1) % largest)


def chunk_bounds(number: int, largest: int, first: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the chunks from `first` up to `number`, as pairs of a first number and a size."""
    while first < number:
        end = min(number, end_of_chunk(first, largest))
        yield first, end - first
        first = end


def map_chunks(
    make: Callable[[], ChunkFunction[R]],
    number: int,
    *,
    largest: int,
    jobs: int,
    in_processes: bool,
    first: int = 0,
    cluster: str | None = None,
) -> Generator[R]:
    """Yield the results of all chunks from `first` on, in order, regardless of the number of jobs.

    Every worker creates its own `ChunkFunction` by calling `make`. Workers are threads, or processes with
    `in_processes`, as players that run in Python need; there are at most `PER_CORE` per core. If a process is killed,
    its chunks are computed again; if the caller closes the generator, all processes end at once. `cluster` is the
    address of a Dask cluster to use instead. `largest` is the largest number of deals or matches in a chunk.

    Raises UpcardError if workers cannot be started or reached, and Lost if they are repeatedly killed before the first
    result.
    """
    todo = partial(chunk_bounds, number, largest, first)
    if cluster is not None:
        yield from spread_over(cluster, make, todo())
        return
    jobs = min(jobs, PER_CORE * cores())
    if jobs == 1:
        work = make()
        yield from (work(*chunk) for chunk in todo())
        return
    returned = tries = 0
    while tries < TRIES:
        tries += 1
        started = SPAWN.RawValue("b") if in_processes else None
        with _workers(make, jobs, started) as workers:
            try:
                for result in _in_order(workers, islice(todo(), returned, None), AHEAD * jobs):
                    returned, tries = returned + 1, 0
                    yield result
                return
            except BrokenProcessPool:
                if started is not None and not started.value and not returned:
                    raise UpcardError(CANNOT_START) from None
                continue  # a worker was killed: start new ones for the remaining chunks
            except BaseException:
                _end(workers)  # their results are no longer needed, and could take long
                raise
            finally:
                workers.shutdown(wait=False, cancel_futures=True)
    raise Lost(KILLED)


SPAWN = multiprocessing.get_context("spawn")
CANNOT_START = (
    "worker processes cannot start: put your script's main code under `if __name__ == '__main__':` "
    "and your players into a module that can be imported, or use jobs=1"
)
KILLED = "worker processes are killed repeatedly: if memory is short, fewer jobs need less, and no player may exit"
SILENT = (
    "no results for %.0f s: unless compiling or playing takes that long, a rule never returns; `upcard check-game` "
    "shows which"
)


def _workers(make: Callable[[], ChunkFunction[Any]], jobs: int, started: Any | None) -> Executor:
    """Create the workers: processes, each of which sets `started` to 1 when it has started, or threads if `started` is
    None."""
    if started is None:
        return Threads(jobs, make)
    try:
        pickle.dumps(make)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UpcardError(CANNOT_START) from error
    return ProcessPoolExecutor(jobs, SPAWN, initializer=_settle_in, initargs=(make, started))


class Threads(Executor):
    """Daemon threads, which unlike those of `ThreadPoolExecutor` do not prevent the program from exiting: a faulty rule
    may never return, and a thread cannot be stopped."""

    def __init__(self, number: int, make: Callable[[], ChunkFunction[Any]]) -> None:
        self._make, self._number = make, number
        self._todo: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        for _ in range(number):
            threading.Thread(target=self._serve, daemon=True).start()

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._todo.put((future, partial(function, *args, **kwargs)))
        return future

    def _serve(self) -> None:
        _begin(self._make)
        while item := self._todo.get():
            future, function = item
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function())
                except BaseException as error:
                    future.set_exception(error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the threads end after their current call, or after all that were submitted. Nothing waits for them."""
        with suppress(Empty):
            while cancel_futures and (item := self._todo.get_nowait()):
                item[0].cancel()
        for _ in range(self._number):
            self._todo.put(None)


def _end(workers: Executor) -> None:
    """Terminate worker processes. Threads finish their current chunk, which is short, or end with the program."""
    for process in list((getattr(workers, "_processes", None) or {}).values()):
        process.terminate()


def _in_order(workers: Executor, todo: Iterator[tuple[int, int]], ahead: int) -> Iterator[Any]:
    with _without_ctrl_c():
        waiting: deque[Future[Any]] = deque(workers.submit(_work, *chunk) for chunk in islice(todo, ahead))
    warned = False
    while waiting:
        if not warned and not wait([waiting[0]], PATIENCE).done:
            log.warning(SILENT, PATIENCE)
            warned = True
        yield waiting.popleft().result()
        waiting.extend(workers.submit(_work, *chunk) for chunk in islice(todo, 1))


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Postpone Ctrl-C to the end of the context in this process; processes started in it never receive Ctrl-C."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Postpone Ctrl-C to the end of the context, so that nothing is left half done."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is None:
        yield  # other threads never receive it, and a handler not installed from Python could not be restored
        return
    received = False

    def note(*args: object) -> None:
        nonlocal received
        received = True

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if received:
            signal.raise_signal(signal.SIGINT)


_own = threading.local()


def _begin(make: Callable[[], ChunkFunction[Any]]) -> None:
    _own.make = make


def _settle_in(make: Callable[[], ChunkFunction[Any]], started: Any) -> None:
    started.value = 1
    settle_in()
    _begin(make)


def _work(first: int, number: int) -> Any:
    """Compute one chunk. The worker creates its `ChunkFunction` only for its first chunk, so that errors are raised
    there."""
    if not hasattr(_own, "work"):
        _own.work = _own.make()
    return _own.work(first, number)
