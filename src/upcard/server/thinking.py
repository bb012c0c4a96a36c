"""Computer players that take their time think in processes of their own, so that no table ever waits for another."""

from __future__ import annotations

import asyncio
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from upcard.engine.views import View
from upcard.players import LEVELS, choose

QUICK = ("random", "heuristic")
"""Players that answer in less time than it takes to ask another process."""


class Thinkers:
    """The players of all levels: the quick ones answer here, the slow ones from a few processes."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def __call__(self, level: str, seen: View[Any]) -> str:
        if LEVELS[level].name in QUICK:
            return choose(level, seen)
        try:
            return await self._ask(level, seen)
        except BrokenProcessPool:  # killed by somebody, or out of memory: once more with new ones
            self.close()
            return await self._ask(level, seen)

    async def _ask(self, level: str, seen: View[Any]) -> str:
        if self._pool is None:
            workers = max(1, min(4, (os.cpu_count() or 2) - 1))
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(workers, spawn, initializer=_settle_in)
        return await asyncio.get_running_loop().run_in_executor(self._pool, choose, level, seen)

    def close(self) -> None:
        """Stop thinking."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _settle_in() -> None:
    """In a new process: leave Ctrl-C to the server, and go when it goes, however it goes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = multiprocessing.parent_process()
    if server is not None:
        threading.Thread(target=_follow, args=(server.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(0)
