"""Computer players that take their time think in processes of their own, so that no table ever waits for another.

How long they take says nothing about their cards: a move that was clear at once is made after the same time as any.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import secrets
import signal
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.process import BaseProcess
from random import Random
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from upcard import games
from upcard.engine.setup import Setup
from upcard.engine.views import View
from upcard.players import choose
from upcard.players.readiness import is_quick, make_ready, quicker, settle_in, slowest
from upcard.table.errors import TooMany

if TYPE_CHECKING:
    from upcard.players.advice import Advice

PACE = 1.2
"""Seconds that every move of a slow player takes, however clear it was."""
DEADLINE = 4.0
"""Seconds after which a quicker player moves in its place."""
PATIENCE = 20.0
"""Seconds that somebody waits for advice: the first comes from a process that has just begun."""

log = logging.getLogger("upcard.server")
T = TypeVar("T")
State = Literal["", "getting ready", "thinking"]


def stop(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool at once, whatever they do."""
    for process in [*(pool._processes or {}).values()]:
        process.kill()
    pool.shutdown(wait=True, cancel_futures=True)


class Thinkers:
    """The players of all levels: the quick ones answer here, the slow ones from a few processes.

    The rules of a game are compiled for slow players once on a machine, in a process of its own. Until that is done,
    and where they are too late, the next quicker level moves for them.
    """

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._ready: set[str] = set()
        """The games that can be played at once."""
        self._wanted: dict[str, Setup[Any]] = {}
        """Those that wait for their turn, the most urgent last."""
        self._asked: set[str] = set()
        """Those that have waited, or do."""
        self._hurried: set[str] = set()
        """Those that somebody waits for, or soon may."""
        self._set_aside = ""
        """The game that was begun and waits again, because somebody else is in a hurry."""
        self._eager = False
        self._warmer: asyncio.Task[None] | None = None
        self._warming: BaseProcess | None = None
        self.waiting = 0
        """Moves that are being thought about, or wait for that."""

    def __call__(self, level: str, seen: View[Any]) -> str | Awaitable[str]:
        return choose(level, seen) if is_quick(level) else self.think(level, seen)

    async def think(self, level: str, seen: View[Any]) -> str:
        """The move of a player that takes its time."""
        started = time.monotonic()
        move = await self._in_time(level, seen)
        await asyncio.sleep(max(0.0, started + PACE - time.monotonic()))
        return move

    def state(self, level: str, seen: View[Any]) -> State:
        """What a player of this level does now that it is asked for a move."""
        if is_quick(level):
            return ""
        return "thinking" if seen.game.slug in self._ready else "getting ready"

    async def _in_time(self, level: str, seen: View[Any]) -> str:
        """The move of a slow player, or of a quicker one if it is not ready or too late."""
        if seen.game.slug not in self._ready:
            self.hurry(seen.setup)
            return choose(quicker(level), seen)
        self.waiting += 1
        try:
            return await asyncio.wait_for(self._ask(choose, level, seen), DEADLINE)
        except TimeoutError:
            log.warning("a player of the level %s was too late and a quicker one moved", level)
            return choose(quicker(level), seen)
        finally:
            self.waiting -= 1

    def is_ready(self, setup: Setup[Any]) -> bool:
        """Whether advice on a game can be had at once; if not, it is seen to it that it soon can."""
        self.hurry(setup)
        return setup.game.slug in self._ready

    async def advise(self, seen: View[Any]) -> Advice:
        """What to do in the place of a seat. Raises TooMany if there is no time for that now."""
        from upcard.players.advice import HINT, advise

        self.waiting += 1
        try:
            return await asyncio.wait_for(self._ask(advise, seen, HINT, Random(secrets.randbits(64))), PATIENCE)
        except TimeoutError:
            raise TooMany("Too many players are thinking just now: ask again in a moment") from None
        finally:
            self.waiting -= 1

    async def _ask(self, think: Callable[..., T], *about: Any) -> T:
        try:
            return await self._send(think, *about)
        except BrokenProcessPool:  # killed by somebody, or out of memory: once more with new ones
            self._end_pool()
            return await self._send(think, *about)

    async def _send(self, think: Callable[..., T], *about: Any) -> T:
        if self._pool is None:
            workers = max(1, min(4, (os.cpu_count() or 2) - 1))
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(workers, spawn, initializer=settle_in)
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(think, *about))

    # --------------------------------------------------------------------------------------------------- getting ready

    def warm(self, *setups: Setup[Any]) -> None:
        """Have these games compiled in the background, one after the other and before all that wait already."""
        for setup in reversed(setups):
            slug = setup.game.slug
            if slug not in self._asked or self._wanted.pop(slug, None) is not None:
                self._asked.add(slug)
                self._wanted[slug] = setup
        if self._wanted and (self._warmer is None or self._warmer.done()):
            self._warmer = asyncio.create_task(self._warm_all())

    def warm_all(self) -> None:
        """Have all games compiled in the background."""
        self._eager = True
        self.warm(*[Setup(games.load(slug)) for slug in games.names()])

    def hurry(self, setup: Setup[Any]) -> None:
        """Have this game compiled at once: one that nobody waits for is set aside."""
        slug = setup.game.slug
        if slug in self._ready:
            return
        self._hurried.add(slug)
        self.warm(setup)
        if self._warming is not None and self._warming.name not in self._hurried:
            with contextlib.suppress(ValueError, AttributeError):  # closed already, or not yet begun
                self._warming.kill()
                self._set_aside = self._warming.name

    def expect(self, setup: Setup[Any]) -> None:
        """Somebody may soon want advice on a game: in a house that warms up, it is made ready now."""
        if self._eager:
            self.hurry(setup)

    async def _warm_all(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        while self._wanted:
            slug, setup = self._wanted.popitem()
            process = self._warming = spawn.Process(target=make_ready, args=(setup, slowest()), name=slug, daemon=True)
            await asyncio.to_thread(process.start)
            await asyncio.to_thread(process.join)
            if process.exitcode == 0:
                self._ready.add(slug)
            elif self._set_aside == slug:
                self._wanted = {slug: setup} | self._wanted
            elif process.exitcode not in (-signal.SIGTERM, -signal.SIGINT):  # with which the house closes
                log.error("%s could not be made ready for strong players", slug)
                self._asked.discard(slug)
            process.close()
            self._warming, self._set_aside = None, ""

    # ---------------------------------------------------------------------------------------------------------- ending

    def close(self) -> None:
        """Stop thinking, at once."""
        if self._warmer is not None:
            self._warmer.cancel()
            self._warmer = None
        if self._warming is not None:
            with contextlib.suppress(ValueError, AttributeError):  # closed already, or not yet begun
                self._warming.kill()
        self._end_pool()

    def _end_pool(self) -> None:
        if self._pool is not None:
            stop(self._pool)
            self._pool = None
