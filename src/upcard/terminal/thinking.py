"""Computer players that think in the background, so that leaving the table does not have to wait for them."""

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
from upcard.engine.errors import UpcardError
from upcard.engine.views import View
from upcard.players.warmup import is_quick, make_ready, quick, slowest
from upcard.rules.game import Game
from upcard.rules.phrases import how_to_get
from upcard.table.errors import Refusal

if TYPE_CHECKING:
    from upcard.players.advice import Advice

PATIENCE = 1.0
"""Seconds that a move waits for the compilation of a slow player before a quicker player makes it."""
EVEN = {"strong": 0.2, "expert": 0.9}
"""The least time in seconds of a slow player's move, at any pace: otherwise quick moves would reveal something about
its cards."""

T = TypeVar("T")


class Players:
    """The computer players, with their own random generator."""

    def __init__(self, luck: Random) -> None:
        self._luck = luck
        self._readying: dict[str, asyncio.Task[None]] = {}

    async def __call__(self, level: str, seen: View[Any]) -> str:
        if not is_quick(level) and not await self._is_ready(level, seen.setup):
            level = quick()
        pause = asyncio.sleep(EVEN.get(level, 0.0))
        move, _ = await asyncio.gather(aside(lambda: players.player(level).choose(seen, self._luck)), pause)
        return move

    async def advise(self, seen: View[Any]) -> Advice:
        """Advise a seat, once the rules are compiled. Raises Refusal if the packages that this needs are missing, if no
        process can be started to compile the rules, or if no advice is possible with them."""
        try:
            from upcard.players.advice import HINT, advise
        except ImportError:
            raise Refusal(f"Hints need more packages: {how_to_get('fast')}") from None
        try:
            while not await self._is_ready(slowest(), seen.setup):
                pass
        except OSError as error:
            raise Refusal(f"There is no hint: no process can be started: {error}") from None
        try:
            return await aside(lambda: advise(seen, HINT, self._luck))
        except UpcardError as error:  # a game from outside that cannot be compiled, or has no deal that fits the view
            raise Refusal(f"There is no hint: {error}") from None

    async def _is_ready(self, level: str, setup: Game[Any]) -> bool:
        """Whether everything that slow players need is compiled. Compiles it in a separate process."""
        if level not in self._readying:
            process = multiprocessing.get_context("spawn").Process(target=make_ready, args=(setup, level), daemon=True)
            with redirect_stderr(sys.__stderr__):  # Textual's stderr has no file for the process to inherit
                process.start()
            self._readying[level] = asyncio.create_task(aside(process.join))
        await asyncio.wait([self._readying[level]], timeout=PATIENCE)
        return self._readying[level].done()


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
        with suppress(RuntimeError):  # the loop is closed: nobody is waiting for this any more
            loop.call_soon_threadsafe(resolve, settle, outcome)

    threading.Thread(target=run, daemon=True).start()
    return await future
