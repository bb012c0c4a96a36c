"""Heartbeats of a server's parts, timed by a clock that stops while the whole process is suspended, and the watchdog:
it ends the process when a part is dead, and until then notifies systemd that the server works."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

TICK = 0.25
"""Seconds between two ticks of a timekeeper."""
LONGEST_TICK = 1.0
"""The most seconds that count between two ticks: if more pass, the process was suspended, or the machine asleep."""
STUCK = 120.0
"""Seconds without a heartbeat after which a part counts as dead."""
BROKEN = 70
"""The exit status of a server that ends by itself because a part of it is dead, or its database is damaged."""

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


def end_now(status: int) -> None:
    """End the process at once. Nothing is lost: everything acknowledged is on disk."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


class Watchdog:
    """Monitors the parts of a server, and notifies systemd when it is ready, works and stops."""

    def __init__(self, vitals: Sequence[Vital], end: Callable[[int], None] = end_now) -> None:
        """Notify systemd that the server is ready."""
        self._vitals = vitals
        self._end = end
        self._stopped = False
        self._every = _asked_for()
        self._due = time.monotonic() + self._every
        tell_systemd("READY=1")

    def check(self) -> None:
        """Check all parts; a timekeeper calls this after every tick."""
        if self._stopped:
            return
        if dead := next((vital for vital in self._vitals if vital.is_dead), None):
            self._stopped = True
            why = f"has not answered for {dead.heartbeat.age:.0f} s" if dead.is_alive() else "has ended"
            log.critical("the server ends by itself: its part “%s” %s", dead.name, why)
            self._end(BROKEN)
        elif time.monotonic() >= self._due:
            self._due = time.monotonic() + self._every
            tell_systemd("WATCHDOG=1")

    def stop(self) -> None:
        """Stop monitoring, as the server shuts down."""
        self._stopped = True
        tell_systemd("STOPPING=1")


def _asked_for() -> float:
    """Seconds between two signs of life, a third of systemd's timeout; infinite if it expects none."""
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return float("inf")
    try:
        return int(os.environ["WATCHDOG_USEC"]) / 3_000_000
    except (KeyError, ValueError):
        return float("inf")


def tell_systemd(state: str) -> None:
    """Send a message to systemd, if it expects any: see sd_notify(3)."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address or not hasattr(socket, "AF_UNIX"):
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(state.encode(), address)
