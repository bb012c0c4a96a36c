"""Give memory back to the system after many connections have closed: the allocator of glibc keeps it otherwise."""

from __future__ import annotations

import asyncio
import ctypes

MANY = 100
"""The connections that must have closed before it is worth it."""
SOON = 5.0
"""Seconds from then until it is done: more may close."""


class Trimmer:
    """Counts closed connections, and gives their memory back a while after many have closed."""

    def __init__(self) -> None:
        self._closed = 0

    def count(self) -> None:
        """Count one closed connection."""
        self._closed += 1
        if self._closed == MANY:
            asyncio.get_running_loop().call_later(SOON, self._begin)

    def _begin(self) -> None:
        self._closed = 0
        asyncio.get_running_loop().run_in_executor(None, trim)


def trim() -> None:
    """Give free memory back to the system, where its allocator can."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):  # another allocator, or not on Linux
        return
