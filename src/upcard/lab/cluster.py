"""Work distributed over a Dask cluster, in the same chunks and order as on one machine, so the results are the same."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from itertools import islice
from typing import Any

from upcard.engine.errors import UpcardError
from upcard.rules.phrases import brief, how_to_get

AHEAD = 2
"""The number of chunks queued for each thread of the cluster."""
PATIENCE = 10
"""Seconds to wait for the scheduler."""
SILENCE = 3
"""Seconds without a result before checking whether there are any workers."""

log = logging.getLogger("upcard.lab")


class Lost(UpcardError):
    """All workers are permanently lost. Results that they have returned remain valid."""


def spread_over(address: str, make: Callable[[], Any], todo: Iterator[tuple[int, int]]) -> Generator[Any]:
    """Yield the results of the chunks, in order. If a worker is lost, another one takes over its chunks. If there are
    no workers, wait for some and log that once.

    Every worker needs the same version of Upcard, and the files of variants and players under the same paths. Raises
    UpcardError for an invalid address, if no scheduler answers there, and if Dask is not installed; Lost if the
    scheduler disappears later, or workers are killed repeatedly.
    """
    dask = _dask()
    try:
        dask.comm.get_address_host_port(address)  # with any other address, the client would hang when the program exits
    except (ValueError, TypeError):
        raise UpcardError(f"a scheduler's address looks like tcp://10.0.0.1:8786, not {brief(address)}") from None
    try:
        client = dask.Client(address, timeout=PATIENCE, set_as_default=False)
    except OSError:
        raise UpcardError(f"no Dask scheduler answers at {brief(address)}") from None
    with _quiet(), client:
        pickled = dask.protocol.pickle.dumps(make)
        ahead = AHEAD * max(1, sum(client.nthreads().values()))
        waiting = deque(client.submit(work, pickled, *chunk, pure=False) for chunk in islice(todo, ahead))
        try:
            while waiting:
                yield _result(waiting.popleft(), client, address)
                waiting.extend(client.submit(work, pickled, *chunk, pure=False) for chunk in islice(todo, 1))
        finally:
            client.cancel(list(waiting))


def _dask() -> Any:
    """Dask's package. Raises UpcardError if it is not installed."""
    try:
        import distributed  # optional, and slow to import
    except ImportError:
        raise UpcardError(f"this needs Dask: {how_to_get('cluster')}") from None
    return distributed


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's logging; failures are reported by our own one-line errors."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "tornado.application")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _result(future: Any, client: Any, address: str) -> Any:
    """Wait for the result of a chunk. Raises Lost if the cluster cannot return it."""
    dask = _dask()
    try:
        return _awaited(future, client, address)
    except dask.KilledWorker:
        raise Lost("the cluster's workers are killed repeatedly: their logs say why") from None
    except (CancelledError, dask.comm.CommClosedError):
        raise Lost(f"the Dask scheduler at {brief(address)} is gone") from None


def _awaited(future: Any, client: Any, address: str) -> Any:
    """Wait for the result of a chunk, and log once if there are no workers."""
    warned = False
    while not future.done():
        try:
            return future.result(SILENCE)
        except TimeoutError:
            if not warned and not client.scheduler_info()["workers"]:
                log.warning("there are no workers at %s: waiting for some", address)
                warned = True
    return future.result()


_own = threading.local()


def work(pickled: bytes, first: int, number: int) -> Any:
    """Compute one chunk on a worker of the cluster. `pickled` is the pickled `make`, which each thread calls only
    once."""
    if getattr(_own, "pickled", None) != pickled:
        _own.pickled, _own.work = pickled, _dask().protocol.pickle.loads(pickled)()
    return _own.work(first, number)
