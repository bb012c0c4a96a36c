"""Pauses that take no time, for tests of code that sleeps."""

import asyncio
from collections.abc import Callable

import pytest


def without_pauses(patch: pytest.MonkeyPatch, told: Callable[[float], object]) -> None:
    """In this event loop `asyncio.sleep` takes no time, but tells how many seconds it would have.

    Servers of other tests, each in a thread of its own, sleep as before.
    """
    here, sleep = asyncio.get_running_loop(), asyncio.sleep

    async def pause(seconds: float) -> None:
        if asyncio.get_running_loop() is here:
            told(seconds)
        else:
            await sleep(seconds)

    patch.setattr(asyncio, "sleep", pause)
