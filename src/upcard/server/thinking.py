"""Slow computer players think in processes of their own, so that no table ever waits for another.

The time they take reveals nothing about their cards: obvious moves take as long as any other.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import signal
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.process import BaseProcess
from typing import Any, Literal, TypeVar

from upcard import games
from upcard.engine.setup import Setup
from upcard.engine.views import View
from upcard.players import choose
from upcard.players.warmup import FAULTY, is_quick, make_ready, quick, sit_down, slowest
from upcard.rules.game import Game
from upcard.table.errors import Refusal

PACE = 1.2
"""The least time in seconds that a move of a slow player takes, however obvious it is."""
DEADLINE = 4.0
"""Seconds after which a quicker player moves instead."""

log = logging.getLogger("upcard.server")
T = TypeVar("T")
State = Literal["", "getting ready", "thinking"]


def stop(pool: ProcessPoolExecutor) -> None:
    """Kill the processes of a pool, whatever they are doing."""
    for process in [*(pool._processes or {}).values()]:
        process.kill()
    pool.shutdown(wait=True, cancel_futures=True)


class Thinkers:
    """The computer players of all levels: quick ones answer in this process, slow ones in a pool of processes.

    The rules of a game are compiled for the slow players once per machine, in a separate process. Until that is done,
    and whenever a slow player is late, a quick one moves instead.
    """

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._ready: set[str] = set()
        """The games that can be played at once."""
        self._faulty: set[str] = set()
        """The games whose rules cannot be compiled."""
        self._wanted: dict[str, Game[Any]] = {}
        """The games that wait to be compiled, the most urgent last."""
        self._asked: set[str] = set()
        """The games that wait or have waited to be compiled."""
        self._hurried: set[str] = set()
        """The games that somebody waits for, or soon may."""
        self._set_aside = ""
        """The game whose compilation was interrupted for a more urgent one; it waits again."""
        self._eager = False
        self._warmer: asyncio.Task[None] | None = None
        self._warming: BaseProcess | None = None
        self.waiting = 0
        """The number of moves that are being computed or waiting to be."""

    def __call__(self, level: str, seen: View[Any]) -> str | Awaitable[str]:
        return choose(level, seen) if is_quick(level) else self.think(level, seen)

    async def think(self, level: str, seen: View[Any]) -> str:
        """The move of a slow player, after `PACE` seconds at the earliest."""
        started = time.monotonic()
        move = await self._in_time(level, seen)
        await asyncio.sleep(max(0.0, started + PACE - time.monotonic()))
        return move

    def state(self, level: str, seen: View[Any]) -> State:
        """The state of a player of this level while it is to move, for the table to show."""
        if is_quick(level):
            return ""
        return "thinking" if seen.game.slug in self._ready else "getting ready"

    async def _in_time(self, level: str, seen: View[Any]) -> str:
        """The move of a slow player, or of a quick one if it is late or its game is not compiled yet."""
        if seen.game.slug not in self._ready:
            self.hurry(seen.setup)
            return choose(quick(), seen)
        self.waiting += 1
        try:
            return await asyncio.wait_for(self._ask(choose, level, seen), DEADLINE)
        except TimeoutError:
            log.warning("a player of the level %s was too late and a quicker one moved", level)
            return choose(quick(), seen)
        finally:
            self.waiting -= 1

    def is_ready(self, setup: Game[Any]) -> bool:
        """Whether advice on a game is available at once; if not, its compilation is hurried.

        Raises Refusal if its rules cannot be compiled.
        """
        if setup.game.slug in self._faulty:
            raise Refusal("There are no hints for this game: its rules are faulty")
        self.hurry(setup)
        return setup.game.slug in self._ready

    async def _ask(self, think: Callable[..., T], *about: Any) -> T:
        pool, job = self._start(), partial(think, *about)
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, job)
        except BrokenProcessPool:  # killed from outside, or out of memory: try once more with new ones
            if self._pool is pool:  # another caller may have ended it already
                self._end_pool()
            return await asyncio.get_running_loop().run_in_executor(self._start(), job)

    def _start(self) -> Executor:
        """Return the pool, started if necessary. Its first process begins at once to import what it needs, which takes
        a second."""
        if self._pool is None:
            workers = max(1, min(4, (os.cpu_count() or 2) - 1))
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(workers, spawn, initializer=sit_down)
            with contextlib.suppress(OSError):  # tables are opened all the same
                self._pool.submit(int)
        return self._pool

    # --------------------------------------------------------------------------------------------------- getting ready

    def warm(self, *setups: Game[Any]) -> None:
        """Compile these games in the background, one after the other, before all that are waiting already."""
        for setup in reversed(setups):
            slug = setup.game.slug
            if slug not in self._asked or self._wanted.pop(slug, None) is not None:
                self._asked.add(slug)
                self._wanted[slug] = setup
        if self._wanted and (self._warmer is None or self._warmer.done()):
            self._warmer = asyncio.create_task(self._warm_all())

    def warm_all(self) -> None:
        """Compile all games in the background."""
        self._eager = True
        self.warm(*[Setup(games.load(slug)) for slug in games.names()])

    def hurry(self, setup: Game[Any]) -> None:
        """Compile this game at once, and interrupt the present compilation if nobody waits for that one."""
        slug = setup.game.slug
        if slug in self._ready:
            return
        self._hurried.add(slug)
        self.warm(setup)
        if self._warming is not None and self._warming.name not in self._hurried:
            with contextlib.suppress(ValueError, AttributeError):  # closed already, or not yet begun
                self._warming.kill()
                self._set_aside = self._warming.name

    def expect(self, setup: Game[Any]) -> None:
        """Prepare for slow players or advice in a game: hurry its compilation and start a process, if the house
        compiles in advance."""
        if self._eager:
            self.hurry(setup)
            self._start()

    async def _warm_all(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        while self._wanted:
            slug, setup = self._wanted.popitem()
            process = self._warming = spawn.Process(target=make_ready, args=(setup, slowest()), name=slug, daemon=True)
            try:
                await asyncio.to_thread(process.start)
                await asyncio.to_thread(process.join)
            except OSError as error:  # when asked for again, it may start
                log.error("no process can be started to make %s ready for strong players: %s", slug, error)
                self._asked.discard(slug)
                self._warming, self._set_aside = None, ""
                continue
            if process.exitcode == 0:
                self._ready.add(slug)
            elif self._set_aside == slug:
                self._wanted = {slug: setup} | self._wanted
            elif process.exitcode not in (-signal.SIGTERM, -signal.SIGINT):  # sent when the house closes
                log.error("%s could not be made ready for strong players: see `upcard check-game %s`", slug, slug)
                if process.exitcode == FAULTY:
                    self._faulty.add(slug)
                else:  # when asked for again, it may go well
                    self._asked.discard(slug)
            process.close()
            self._warming, self._set_aside = None, ""

    # ---------------------------------------------------------------------------------------------------------- ending

    def close(self) -> None:
        """Stop all thinking and compiling at once."""
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
