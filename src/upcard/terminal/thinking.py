"""Computer players think beside the table, and nobody who leaves it waits for them."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stderr, suppress
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from upcard import players
from upcard.engine.setup import Setup
from upcard.engine.views import View
from upcard.players.readiness import is_quick, make_ready, quicker, slowest
from upcard.table.errors import Refusal

if TYPE_CHECKING:
    from upcard.players.advice import Advice

PATIENCE = 1.0
"""Seconds that a move waits for a slow player to be made ready, before a quicker one makes it."""
EVEN = {"strong": 0.2, "expert": 0.9}
"""Seconds that a move of a slow player takes at any pace, however clear it was: else it would tell of its cards."""

T = TypeVar("T")


class Players:
    """The computer players, with luck of their own."""

    def __init__(self, luck: Random) -> None:
        self._luck = luck
        self._readying: dict[str, asyncio.Task[None]] = {}

    async def __call__(self, level: str, seen: View[Any]) -> str:
        if not is_quick(level) and not await self._is_ready(level, seen.setup):
            level = quicker(level)
        pause = asyncio.sleep(EVEN.get(level, 0.0))
        move, _ = await asyncio.gather(aside(lambda: players.player(level).choose(seen, self._luck)), pause)
        return move

    async def advise(self, seen: View[Any]) -> Advice:
        """What to do in the place of a seat, once the rules are compiled for that. Raises Refusal if they cannot be."""
        try:
            from upcard.players.advice import HINT, advise
        except ImportError:
            raise Refusal("Hints need more packages: pip install filelock numba numpy") from None
        while not await self._is_ready(slowest(), seen.setup):
            pass
        return await aside(lambda: advise(seen, HINT, self._luck))

    async def _is_ready(self, level: str, setup: Setup[Any]) -> bool:
        """Whether slow players need not wait any more for what is compiled for them, in a process of its own."""
        if level not in self._readying:
            process = multiprocessing.get_context("spawn").Process(target=make_ready, args=(setup, level), daemon=True)
            with redirect_stderr(sys.__stderr__):  # a screen's own has no file, and a process inherits files
                process.start()
            self._readying[level] = asyncio.create_task(aside(process.join))
        await asyncio.wait([self._readying[level]], timeout=PATIENCE)
        return self._readying[level].done()


async def aside(work: Callable[[], T]) -> T:
    """What this comes to, worked out in a thread that the program does not wait for when it ends."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def tell(settle: Callable[[Any], None], what: object) -> None:
        if not answer.done():
            settle(what)

    def run() -> None:
        try:
            settle, what = answer.set_result, work()
        except Exception as error:
            settle, what = answer.set_exception, error  # type: ignore[assignment]
        with suppress(RuntimeError):  # the table is closed: nobody waits for this any more
            loop.call_soon_threadsafe(tell, settle, what)

    threading.Thread(target=run, daemon=True).start()
    return await answer
