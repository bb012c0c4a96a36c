"""Computer players think beside the table, and nobody who leaves it waits for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from upcard import players
from upcard.engine.views import View


class Players:
    """The computer players, with luck of their own."""

    def __init__(self, luck: Random) -> None:
        self._luck = luck

    async def __call__(self, level: str, seen: View[Any]) -> str:
        return await aside(lambda: players.player(level).choose(seen, self._luck))


async def aside(work: Callable[[], str]) -> str:
    """What this comes to, worked out in a thread that the program does not wait for when it ends."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str] = loop.create_future()

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
