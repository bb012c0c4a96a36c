"""Work spread over cores: pieces that depend on their numbers only, handed out and taken back in order."""

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
from itertools import islice
from typing import Any, TypeVar

from upcard.engine.errors import UpcardError
from upcard.players.readiness import settle_in

R = TypeVar("R")
Work = Callable[[int, int], R]
"""(first, number): so many matches or deals from the first on."""
AHEAD = 2
"""Pieces that wait for each worker: enough to keep it busy, few enough to keep memory small."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory() -> float:
    """Bytes of memory that this machine has; infinite where it does not tell."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return math.inf


def pieces(number: int, largest: int, first: int = 0) -> Iterator[tuple[int, int]]:
    """The first and the number of each piece, from `first` up to a number: small ones to begin with, so that there is
    soon something to tell."""
    size = 1
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
    cluster: str | None = None,
) -> Generator[R]:
    """What the pieces give, in order, whatever the number of jobs.

    Every worker makes its own `Work`. Compiled code runs in threads; `apart` is for players written in Python, which
    need processes: what a killed one had is done by another, and all end at once where nobody takes any more of it.
    With the address of a `cluster` its workers do it instead.
    Raises UpcardError if workers cannot be started or reached, or are killed before they have done anything.
    """
    if jobs < 1:
        raise UpcardError(f"jobs is a whole number from 1 up, not {jobs}")
    if cluster is not None:
        from upcard.lab.cluster import spread_over

        yield from spread_over(cluster, make, pieces(number, largest, first))
        return
    if jobs == 1:
        work = make()
        yield from (work(*piece) for piece in pieces(number, largest, first))
        return
    given, before = 0, -1
    while given > before:
        before = given
        with _workers(make, jobs, apart) as workers:
            try:
                for part in _in_order(workers, islice(pieces(number, largest, first), given, None), AHEAD * jobs):
                    given += 1
                    yield part
                return
            except BrokenProcessPool:
                continue  # somebody has killed a worker: others do what is not done
            except BaseException:
                _end(workers)  # nobody wants any more what they are at, however long it takes them
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
    """Of threads the pieces that they are at are short; processes are ended."""
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
    """Processes that are started meanwhile do not hear Ctrl-C, not even before they have settled in; this one hears it
    right after."""
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
    """Ctrl-C that comes meanwhile is heard right after, so that nothing is left half done."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is None:
        yield  # other threads never hear it, and what another language listens with cannot be put back
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
    """A worker makes what it works with when the first piece comes, so that its errors are those of the piece."""
    if not hasattr(_own, "work"):
        _own.work = _own.make()
    return _own.work(first, number)
