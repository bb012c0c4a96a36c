"""Work spread over cores in pieces, which depend only on their numbers and are collected in order."""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from upcard.engine.errors import UpcardError
from upcard.players.readiness import settle_in

R = TypeVar("R")
Work = Callable[[int, int], R]
"""(first, number): do the work for `number` matches or deals from number `first` on."""
AHEAD = 2
"""The number of pieces queued for each worker: enough to keep it busy, few enough to save memory."""


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory() -> float:
    """The machine's memory in bytes; infinite if unknown."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return math.inf


def pieces(number: int, largest: int, first: int = 0, size: int = 1) -> Iterator[tuple[int, int]]:
    """The pieces from `first` up to `number`, as pairs of a first number and a size. The first ones are small, so that
    there is soon some progress to report; the very first has `size`."""
    while first < number:
        size = min(size, largest, number - first)
        yield first, size
        first += size
        size *= 2


def spread(
    make: Callable[[], Work[R]],
    number: int,
    *,
    largest: int,
    jobs: int,
    apart: bool,
    first: int = 0,
    size: int = 1,
    cluster: str | None = None,
) -> Generator[R]:
    """The results of all pieces from `first` on, in order, whatever the number of jobs; the first has `size`.

    Every worker makes its own `Work` by calling `make`. Workers are threads, or processes if `apart` is true, which
    players written in Python need. If a process is killed, its pieces are done again; if the caller closes the
    generator, all processes end at once. `cluster` is the address of a Dask cluster to use instead.

    Raises UpcardError if workers cannot be started or reached, or are killed before they have done anything.
    """
    if jobs < 1:
        raise UpcardError(f"jobs is a whole number from 1 up, not {jobs}")
    todo = partial(pieces, number, largest, first, size)
    if cluster is not None:
        from upcard.lab.cluster import spread_over

        yield from spread_over(cluster, make, todo())
        return
    if jobs == 1:
        work = make()
        yield from (work(*piece) for piece in todo())
        return
    given, before = 0, -1
    while given > before:
        before = given
        with _workers(make, jobs, apart) as workers:
            try:
                for part in _in_order(workers, islice(todo(), given, None), AHEAD * jobs):
                    given += 1
                    yield part
                return
            except BrokenProcessPool:
                continue  # a worker was killed: start new ones for the pieces that are left
            except BaseException:
                _end(workers)  # nobody wants their results any more, and they may take long
                raise
            finally:
                workers.shutdown(wait=False, cancel_futures=True)
    raise UpcardError(KILLED if given else CANNOT_START)


CANNOT_START = (
    "worker processes cannot start: put what your script does under `if __name__ == '__main__':` "
    "and players into a module that they can import, or say jobs=1"
)
KILLED = "worker processes are killed again and again: where memory is short, fewer jobs need less"


def _workers(make: Callable[[], Work[Any]], jobs: int, apart: bool) -> Executor:
    if apart:
        try:
            pickle.dumps(make)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise UpcardError(CANNOT_START) from error
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(jobs, spawn, initializer=_settle_in, initargs=(make,))
    return ThreadPoolExecutor(jobs, initializer=_begin, initargs=(make,))


def _end(workers: Executor) -> None:
    """Terminate worker processes. Threads are left to finish their pieces, which are short."""
    for process in list((getattr(workers, "_processes", None) or {}).values()):
        process.terminate()


def _in_order(workers: Executor, todo: Iterator[tuple[int, int]], ahead: int) -> Iterator[Any]:
    with _without_ctrl_c():
        waiting: deque[Future[Any]] = deque(workers.submit(_work, *piece) for piece in islice(todo, ahead))
    while waiting:
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


def _begin(make: Callable[[], Work[Any]]) -> None:
    _own.make = make


def _settle_in(make: Callable[[], Work[Any]]) -> None:
    settle_in()
    _begin(make)


def _work(first: int, number: int) -> Any:
    """Do one piece. The worker makes its `Work` only when the first piece comes, so that errors are raised there."""
    if not hasattr(_own, "work"):
        _own.work = _own.make()
    return _own.work(first, number)
