"""Work spread over cores in pieces, which depend only on their numbers and are collected in order."""

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
from upcard.lab.errors import Lost
from upcard.players.warmup import settle_in

log = logging.getLogger("upcard.lab")

R = TypeVar("R")
ChunkFunction = Callable[[int, int], R]
"""(first, number): do the work for `number` matches or deals from number `first` on."""
AHEAD = 2
"""The number of pieces queued for each worker: enough to keep it busy, few enough to save memory."""
PER_CORE = 4
"""The most workers for each core: more of them only take memory and time to start."""
PATIENCE = 60.0
"""Seconds to wait for a piece, after which it is said that a rule may never return."""
TRIES = 2
"""How often in a row workers are started that are killed before they have done anything."""


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory() -> float:
    """The machine's memory in bytes; infinite if unknown."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return math.inf


def end_of_piece(first: int, largest: int) -> int:
    """Where a piece ends that begins with `first`. These are fixed numbers, wherever the work began: 1, 3, 7 and so on,
    so that there is soon some progress to report, then `largest` apart."""
    return min((1 << (first + 1).bit_length()) - 1, first + largest - (first + 1) % largest)


def pieces(number: int, largest: int, first: int = 0) -> Iterator[tuple[int, int]]:
    """The pieces from `first` up to `number`, as pairs of a first number and a size."""
    while first < number:
        end = min(number, end_of_piece(first, largest))
        yield first, end - first
        first = end


def map_chunks(
    make: Callable[[], ChunkFunction[R]],
    number: int,
    *,
    largest: int,
    jobs: int,
    apart: bool,
    first: int = 0,
    cluster: str | None = None,
) -> Generator[R]:
    """The results of all pieces from `first` on, in order, whatever the number of jobs.

    Every worker makes its own `Work` by calling `make`. Workers are threads, or processes if `apart` is true, which
    players written in Python need; there are at most `PER_CORE` for each core. If a process is killed, its pieces are
    done again; if the caller closes the generator, all processes end at once. `cluster` is the address of a Dask
    cluster to use instead.

    Raises UpcardError if workers cannot be started or reached, and Lost if they are killed again and again before they
    have done anything.
    """
    if jobs < 1:
        raise UpcardError(f"jobs is a whole number from 1 up, not {jobs}")
    todo = partial(pieces, number, largest, first)
    if cluster is not None:
        from upcard.lab.cluster import spread_over

        yield from spread_over(cluster, make, todo())
        return
    jobs = min(jobs, PER_CORE * cores())
    if jobs == 1:
        work = make()
        yield from (work(*piece) for piece in todo())
        return
    given = tries = 0
    while tries < TRIES:
        tries += 1
        started = SPAWN.RawValue("b") if apart else None
        with _workers(make, jobs, started) as workers:
            try:
                for part in _in_order(workers, islice(todo(), given, None), AHEAD * jobs):
                    given, tries = given + 1, 0
                    yield part
                return
            except BrokenProcessPool:
                if started is not None and not started.value and not given:
                    raise UpcardError(CANNOT_START) from None
                continue  # a worker was killed: start new ones for the pieces that are left
            except BaseException:
                _end(workers)  # nobody wants their results any more, and they may take long
                raise
            finally:
                workers.shutdown(wait=False, cancel_futures=True)
    raise Lost(KILLED)


SPAWN = multiprocessing.get_context("spawn")
CANNOT_START = (
    "worker processes cannot start: put what your script does under `if __name__ == '__main__':` "
    "and players into a module that they can import, or say jobs=1"
)
KILLED = (
    "worker processes are killed again and again: where memory is short, fewer jobs need less, and no player may end "
    "its process"
)
SILENT = (
    "no results for %.0f s: unless it takes so long to compile or to play, a rule never returns; `upcard check-game` "
    "says where"
)


def _workers(make: Callable[[], ChunkFunction[Any]], jobs: int, started: Any | None) -> Executor:
    """Workers: processes, each of which sets `started` to 1 when it has started, or threads if that is None."""
    if started is None:
        return Threads(jobs, make)
    try:
        pickle.dumps(make)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UpcardError(CANNOT_START) from error
    return ProcessPoolExecutor(jobs, SPAWN, initializer=_settle_in, initargs=(make, started))


class Threads(Executor):
    """Threads that do not keep the program from ending, unlike those of `ThreadPoolExecutor`: rules that are wrong may
    never end, and nothing can stop a thread."""

    def __init__(self, number: int, make: Callable[[], ChunkFunction[Any]]) -> None:
        self._make, self._number = make, number
        self._todo: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        for _ in range(number):
            threading.Thread(target=self._serve, daemon=True).start()

    def submit(self, do: Callable[..., Any], /, *told: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._todo.put((future, partial(do, *told, **named)))
        return future

    def _serve(self) -> None:
        _begin(self._make)
        while given := self._todo.get():
            future, do = given
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(do())
                except BaseException as error:
                    future.set_exception(error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the threads end after what they are doing, or after all that was submitted. Nothing waits for them."""
        with suppress(Empty):
            while cancel_futures and (given := self._todo.get_nowait()):
                given[0].cancel()
        for _ in range(self._number):
            self._todo.put(None)


def _end(workers: Executor) -> None:
    """Terminate worker processes. Threads are left to finish their pieces, which are short, or end with the program."""
    for process in list((getattr(workers, "_processes", None) or {}).values()):
        process.terminate()


def _in_order(workers: Executor, todo: Iterator[tuple[int, int]], ahead: int) -> Iterator[Any]:
    with _without_ctrl_c():
        waiting: deque[Future[Any]] = deque(workers.submit(_work, *piece) for piece in islice(todo, ahead))
    told = False
    while waiting:
        if not told and not wait([waiting[0]], PATIENCE).done:
            log.warning(SILENT, PATIENCE)
            told = True
        yield waiting.popleft().result()
        waiting.extend(workers.submit(_work, *piece) for piece in islice(todo, 1))


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """A context that postpones Ctrl-C to its end for this process; processes started in it never receive it."""
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
    """A context that postpones Ctrl-C to its end, so that nothing is left half done."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is None:
        yield  # other threads never receive it, and a handler not installed from Python could not be restored
        return
    heard = False

    def hear(*told: object) -> None:
        nonlocal heard
        heard = True

    before = signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if heard:
            signal.raise_signal(signal.SIGINT)


_own = threading.local()


def _begin(make: Callable[[], ChunkFunction[Any]]) -> None:
    _own.make = make


def _settle_in(make: Callable[[], ChunkFunction[Any]], started: Any) -> None:
    started.value = 1
    settle_in()
    _begin(make)


def _work(first: int, number: int) -> Any:
    """Do one piece. The worker makes its `Work` only when the first piece comes, so that errors are raised there."""
    if not hasattr(_own, "work"):
        _own.work = _own.make()
    return _own.work(first, number)
