"""Share the event loop's time among the WebSockets: a budget for each address, and about a millisecond at a stretch."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

from upcard.players.warmup import is_quick
from upcard.server.limits import Doorkeeper
from upcard.table.clients import LONGEST_LOG
from upcard.table.table import Table

MESSAGE = 0.0001
"""Seconds to receive a message, and to refuse it or find its answer."""
SENDING = 0.0001
"""Seconds to send a message that has been encoded already."""
EVENT = 0.0006
"""Seconds to carry out one event, and to describe and send it to those who sit at the table."""
WELCOME, LOG_LINE = 0.0005, 0.000005
"""Seconds to build and encode a welcome, and for each line of the log in it."""
LONGEST_STRETCH = 0.001
"""Seconds that messages may take in one turn of the event loop, before everything else has its turn again."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.01, 1.0
"""Seconds between two checks of an address's budget for the next message, at least and at most."""


def move_time(table: Table) -> float:
    """The seconds that a move takes, including the answers of quick computer players."""
    quick = sum(place.played_by is not None and is_quick(place.played_by) for place in table.places)
    return MESSAGE + EVENT * (1 + quick)


def welcome_time(table: Table) -> float:
    """The seconds that it takes to build a welcome."""
    return WELCOME + LOG_LINE * min(table.seq, LONGEST_LOG)


class Pacing:
    """Decides when each message of a WebSocket is handled."""

    def __init__(self, doorkeeper: Doorkeeper, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._doorkeeper = doorkeeper
        self._sleep = sleep
        self._lines: WeakValueDictionary[tuple[str | None, bool], asyncio.Lock] = WeakValueDictionary()
        """The queues of waiting messages, by address and whether it has a seat at the table concerned. Only the first
        in a queue checks the budget."""
        self._turns = Turnstile()

    async def pay(self, client: str | None, seconds: float, *, seated: bool) -> None:
        """Charge this much of the event loop's time to an address, and wait for its turn."""
        line = self._lines.get((client, seated))
        if (line is not None and line.locked()) or self._doorkeeper.loop_time(client, seconds, seated=seated):
            line = line or self._lines.setdefault((client, seated), asyncio.Lock())
            async with line:
                await self._afford(client, seconds, seated=seated)
        await self._turns.enter(seconds, first=seated)

    async def _afford(self, client: str | None, seconds: float, *, seated: bool) -> None:
        pause = SHORTEST_PAUSE / 2
        while wait := self._doorkeeper.loop_time(client, seconds, seated=seated):
            pause = min(max(wait, 2 * pause), LONGEST_PAUSE)  # longer each time, as others of its network wait too
            await self._sleep(pause)


class Turnstile:
    """Admits work so that one turn of the event loop takes about `LONGEST_STRETCH` seconds, and urgent work before the
    rest."""

    def __init__(self) -> None:
        self._left = LONGEST_STRETCH
        self._is_used = False
        self._first: deque[tuple[float, asyncio.Future[None]]] = deque()
        self._others: deque[tuple[float, asyncio.Future[None]]] = deque()

    async def enter(self, seconds: float, *, first: bool) -> None:
        """Wait for a turn of the event loop in which there is time for work of this length."""
        if self._left > 0 and not self._first and (first or not self._others):
            self._use(seconds)
            return
        entering = asyncio.get_running_loop().create_future()
        (self._first if first else self._others).append((seconds, entering))
        await entering

    def _use(self, seconds: float) -> None:
        self._left -= seconds
        if not self._is_used:
            self._is_used = True
            asyncio.get_running_loop().call_soon(self._renew)

    def _renew(self) -> None:
        """Begin the next turn, and admit the work that fits into it."""
        self._left, self._is_used = LONGEST_STRETCH, False
        for waiting in (self._first, self._others):
            while waiting and self._left > 0:
                seconds, entering = waiting.popleft()
                if not entering.done():  # its connection may be gone
                    entering.set_result(None)
                    self._use(seconds)
