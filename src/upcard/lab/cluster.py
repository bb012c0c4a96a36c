"""Work spread over a Dask cluster, in the same pieces and order as on one machine, so the results are the same."""

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
from upcard.lab.errors import Lost
from upcard.rules.phrases import brief, how_to_get

AHEAD = 2
"""The number of pieces queued for each thread of the cluster."""
PATIENCE = 10
"""Seconds to wait for the scheduler."""
SILENCE = 3
"""Seconds without a result after which it is asked whether there are any workers."""

log = logging.getLogger("upcard.lab")


def spread_over(address: str, make: Callable[[], Any], todo: Iterator[tuple[int, int]]) -> Generator[Any]:
    """The results of the pieces, in order. If a worker is lost, another takes over its pieces. While there are no
    workers it waits for some, and logs that once.

    Every worker needs the same version of Upcard, and the files of variants and players under the same paths. Raises
    UpcardError for an invalid address, if no scheduler answers there, and if Dask is not installed; Lost if the
    scheduler is gone later, or workers are killed again and again.
    """
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
        from distributed.protocol import pickle
    except ImportError:
        raise UpcardError(f"this needs Dask: {how_to_get('cluster')}") from None
    try:
        get_address_host_port(address)  # a client made of anything else waits in vain when the program ends
    except (ValueError, TypeError):
        raise UpcardError(f"a scheduler's address is like tcp://10.0.0.1:8786, not {brief(address)}") from None
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except OSError:
        raise UpcardError(f"no Dask scheduler answers at {brief(address)}") from None
    with _quiet(), client:
        pickled = pickle.dumps(make)
        ahead = AHEAD * max(1, sum(client.nthreads().values()))
        waiting = deque(client.submit(work, pickled, *piece, pure=False) for piece in islice(todo, ahead))
        try:
            while waiting:
                yield _result(waiting.popleft(), client, address)
                waiting.extend(client.submit(work, pickled, *piece, pure=False) for piece in islice(todo, 1))
        finally:
            client.cancel(list(waiting))


@contextmanager
def _quiet() -> Iterator[None]:
    """A context in which Dask logs nothing: what is wrong is told by our errors, in one line."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "tornado.application")]
    levels = [one.level for one in loggers]
    for one in loggers:
        one.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for one, level in zip(loggers, levels, strict=True):
            one.setLevel(level)


def _result(piece: Any, client: Any, address: str) -> Any:
    """The result of a piece, once it is there. Raises Lost if the cluster cannot give it."""
    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    try:
        return _awaited(piece, client, address)
    except KilledWorker:
        raise Lost("workers of the cluster are killed again and again: their logs say why") from None
    except (CancelledError, CommClosedError):
        raise Lost(f"the Dask scheduler at {brief(address)} is gone") from None


def _awaited(piece: Any, client: Any, address: str) -> Any:
    """Wait for the result of a piece, and log once if there is no worker that could do it."""
    warned = False
    while not piece.done():
        try:
            return piece.result(SILENCE)
        except TimeoutError:
            if not warned and not client.scheduler_info()["workers"]:
                log.warning("there are no workers at %s: waiting for some", address)
                warned = True
    return piece.result()


_own = threading.local()


def work(told: bytes, first: int, number: int) -> Any:
    """Do one piece on a worker of the cluster. `told` is the pickled `make`, which each thread calls only once."""
    from distributed.protocol import pickle

    if getattr(_own, "told", None) != told:
        _own.told, _own.work = told, pickle.loads(told)()
    return _own.work(first, number)
