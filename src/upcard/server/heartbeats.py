"""Heartbeats of a server's parts, timed by a clock that stops while the whole process is suspended."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

TICK = 0.25
"""Seconds between two ticks of a timekeeper."""
LONGEST_TICK = 1.0
"""The most seconds that count between two ticks: if more pass, the process was suspended, or the machine asleep."""
STUCK = 120.0
"""Seconds without a heartbeat after which a part counts as dead."""

log = logging.getLogger("upcard.server")


class Timekeeper:
    """A thread that advances a clock every `TICK` seconds and then runs checks.

    The clock counts the seconds in which this process ran, so that nothing is late because of a suspended process.
    """

    def __init__(self) -> None:
        self._seconds = 0.0
        self._checks: list[Callable[[], None]] = []
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="timekeeper", daemon=True)
        self._thread.start()

    def now(self) -> float:
        """Seconds on the clock."""
        return self._seconds

    def add(self, check: Callable[[], None]) -> None:
        """Run a check after every tick from now on, in the timekeeper's thread."""
        self._checks.append(check)

    def close(self) -> None:
        """Stop the clock and the checks."""
        self._closed.set()
        self._thread.join()

    def _run(self) -> None:
        last = time.monotonic()
        while not self._closed.wait(TICK):
            now = time.monotonic()
            self._seconds += min(now - last, LONGEST_TICK)
            last = now
            for check in [*self._checks]:
                try:
                    check()
                except Exception as error:  # the other checks still run
                    log.error("a check of the server failed: %r", error)


class Heartbeat:
    """When a part of the server was last known to work, in seconds on a timekeeper's clock."""

    def __init__(self, timekeeper: Timekeeper) -> None:
        self._now = timekeeper.now
        self._last = self._now()

    def beat(self) -> None:
        """Note that the part works."""
        self._last = self._now()

    @property
    def age(self) -> float:
        """Seconds since the last beat."""
        return self._now() - self._last


@dataclass(frozen=True)
class Vital:
    """A part without which the server cannot work."""

    name: str
    heartbeat: Heartbeat
    is_alive: Callable[[], bool] = lambda: True
    longest: float = STUCK
    """Seconds without a heartbeat after which it counts as dead."""

    @property
    def is_dead(self) -> bool:
        return not self.is_alive() or self.heartbeat.age > self.longest
