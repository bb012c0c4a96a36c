"""How long tests wait for what a program that works does at once."""

import asyncio
import time
from collections.abc import Callable

PATIENCE = 60.0
"""Seconds: enough on a machine that is slow and busy."""


async def until(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until something holds. Raises TimeoutError after so many seconds."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.01)


def wait_until(holds: Callable[[], object]) -> None:
    """Like `until`, without an event loop."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.01)
