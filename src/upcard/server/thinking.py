"""Computer players at a server: slow ones think in other processes, so that no table ever waits for another.

The time they take reveals nothing about their cards: obvious moves take as long as any other.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from upcard import games
from upcard.engine.setup import Setup
from upcard.engine.views import View
from upcard.players import choose
from upcard.players.warmup import is_quick, quick, sit_down
from upcard.rules.game import Game
from upcard.table.errors import Refusal
from upcard.workers import Compilations, Processes, number_of_workers

PACE = 1.2
"""The least time in seconds that a move of a slow player takes, however obvious it is."""
DEADLINE = 4.0
"""Seconds after which a quicker player moves instead."""

log = logging.getLogger("upcard.server")
State = Literal["", "getting ready", "thinking"]
Choose = Callable[[str, View[Any]], str]
"""The move that a player of a level chooses from a view."""


class Thinkers:
    """The computer players of all levels: quick ones answer in this process, slow ones in others.

    The rules of a game are compiled for the slow players once per machine, in a separate process. Until that is done,
    and whenever a slow player is late, a quick one moves instead.
    """

    def __init__(
        self,
        choose: Choose = choose,
        compilations: Compilations | None = None,
        *,
        pace: float = PACE,
        deadline: float = DEADLINE,
        clock: Callable[[], float] = time.monotonic,
        workers: int | None = None,
    ) -> None:
        self._choose = choose
        self._pace = pace
        self._deadline = deadline
        self._clock = clock
        self._processes = Processes(workers or number_of_workers(), sit_down)
        self._compilations = compilations or Compilations()
        self._compiles_ahead = False
        self.waiting = 0
        """The number of moves that are being computed or waiting to be."""

    def __call__(self, level: str, seen: View[Any]) -> str | Awaitable[str]:
        return self._choose(level, seen) if is_quick(level) else self.think(level, seen)

    async def think(self, level: str, seen: View[Any]) -> str:
        """The move of a slow player, after `pace` seconds at the earliest."""
        started = self._clock()
        move = await self._in_time(level, seen)
        await asyncio.sleep(max(0.0, started + self._pace - self._clock()))
        return move

    def state(self, level: str, seen: View[Any]) -> State:
        """The state of a player of this level while it is to move, for the table to show."""
        if is_quick(level):
            return ""
        return "thinking" if self._compilations.is_ready(seen.setup) else "getting ready"

    async def _in_time(self, level: str, seen: View[Any]) -> str:
        """The move of a slow player, or of a quick one if it is late or its game is not compiled yet."""
        if not self._compilations.is_ready(seen.setup):
            self._compilations.hurry(seen.setup)
            return self._choose(quick(), seen)
        self.waiting += 1
        try:
            return await asyncio.wait_for(self._processes.do(self._choose, level, seen), self._deadline)
        except TimeoutError:
            log.warning("a player of the level %s was too late and a quicker one moved", level)
            return self._choose(quick(), seen)
        finally:
            self.waiting -= 1

    def is_ready(self, setup: Game[Any]) -> bool:
        """Whether advice on a game is available at once; if not, its compilation is hurried.

        Raises Refusal if its rules cannot be compiled.
        """
        if self._compilations.is_faulty(setup):
            raise Refusal("There are no hints for this game: its rules are faulty")
        self._compilations.hurry(setup)
        return self._compilations.is_ready(setup)

    def warm_all(self) -> None:
        """Compile all games in the background."""
        self._compiles_ahead = True
        self._compilations.add(*[Setup(games.load(slug)) for slug in games.names()])

    def expect(self, setup: Game[Any]) -> None:
        """Prepare for slow players or advice in a game: hurry its compilation and start a process, if the house
        compiles in advance."""
        if self._compiles_ahead:
            self._compilations.hurry(setup)
            with contextlib.suppress(OSError):  # tables are opened all the same
                self._processes.start()

    @property
    def ids(self) -> list[int]:
        """The numbers of the processes that think."""
        return self._processes.ids

    def close(self) -> None:
        """Stop all thinking and compiling at once."""
        self._compilations.close()
        self._processes.kill()
