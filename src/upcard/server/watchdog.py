"""The watchdog: it ends the process when a part of it is dead, and until then notifies systemd that it works."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Sequence

from upcard.server.heartbeats import Vital

BROKEN = 70
"""The exit status of a server that ends by itself because a part of it is dead, or its database is damaged."""

log = logging.getLogger("upcard.server")


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
