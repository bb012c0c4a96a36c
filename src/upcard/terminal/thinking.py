"""Computer players that think in the background, so that leaving the table does not have to wait for them."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

from upcard import players
from upcard.engine.errors import UpcardError
from upcard.engine.views import View
from upcard.players.warmup import is_quick, make_ready, quick, slowest
from upcard.rules.game import Game
from upcard.rules.phrases import how_to_get
from upcard.table.errors import Refusal
from upcard.workers import Compilation, Compile, aside

if TYPE_CHECKING:
    from upcard.players.advice import Advice

PATIENCE = 1.0
"""Seconds that a slow player's move waits for compilation before a quicker player makes it."""
EVEN = {"strong": 0.2, "expert": 0.9}
"""The least time in seconds of a slow player's move, at any pace: otherwise quick moves would reveal something about
its cards."""


class Players:
    """The computer players, with their own random generator."""

    def __init__(self, luck: Random, compile: Compile = make_ready, *, patience: float = PATIENCE) -> None:
        """A slow player's move waits `patience` seconds for `compile` before a quicker player makes it."""
        self._luck = luck
        self._compile = compile
        self._patience = patience
        self._compilations: dict[str, asyncio.Future[int]] = {}
        """The compilations by level, each with the exit status of its process."""

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
            from upcard.players.reasons import explained
        except ImportError:
            raise Refusal(f"Hints need more packages: {how_to_get('fast')}") from None
        try:
            while not await self._is_ready(slowest(), seen.setup):
                pass
        except OSError as error:
            raise Refusal(f"There is no hint: no process can be started: {error}") from None
        try:
            return await aside(lambda: explained(seen, advise(seen, HINT, self._luck), self._luck))
        except UpcardError as error:  # a game from outside that cannot be compiled, or has no deal that fits the view
            raise Refusal(f"There is no hint: {error}") from None

    async def _is_ready(self, level: str, setup: Game[Any]) -> bool:
        """Whether everything that slow players need is compiled. Compiles it in a separate process. Raises OSError if
        none can be started."""
        if level not in self._compilations:
            self._compilations[level] = asyncio.ensure_future(Compilation(setup, level, self._compile).start())
        await asyncio.wait([self._compilations[level]], timeout=self._patience)
        return self._compilations[level].done()
