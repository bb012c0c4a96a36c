"""Return memory to the system after many connections have closed, as glibc's allocator does not do so by itself."""

from __future__ import annotations

import asyncio
import ctypes

MANY = 100
"""The number of closed connections after which this is worthwhile."""
SOON = 5.0
"""Seconds to wait then, as more connections may close."""


class Trimmer:
    """Counts closed connections, and returns their memory a while after many have closed."""

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
    """Return free memory to the system, if the allocator supports that."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):  # another allocator, or not on Linux
        return
