"""When something is due at a table because time has passed: a clock runs out, or a person who has knocked is gone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from upcard.table.clients import Clients
from upcard.table.clocks import GRACE, running
from upcard.table.journal import AnyEntry, Extended, KnockEnded, Substituted
from upcard.table.knocks import ABSENCE
from upcard.table.requests import without
from upcard.table.seats import is_full, stand_in
from upcard.table.state import TableState


class Alarm:
    """Runs a step at a time that may be changed until then. While none is set, it refers to no step, so that it keeps
    nothing in memory."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Future[None] | None = None

    @property
    def is_set(self) -> bool:
        return self._timer is not None

    def set(self, seconds: float, step: Callable[[], Awaitable[None]]) -> None:
        """Run this step after this many seconds, in place of the one set before."""
        self.clear()
        self._timer = asyncio.get_running_loop().call_later(max(0.0, seconds), self._ring, step)

    def clear(self) -> None:
        """Run no step. One that has begun is carried on."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self, step: Callable[[], Awaitable[None]]) -> None:
        self._timer = None
        self._task = asyncio.ensure_future(step())


def out_of_time_at(state: TableState, clients: Clients) -> float | None:
    """The time at which the first clock runs out; None if none is running."""
    clock, places = state.seating.settings.clock, state.seating.places
    if clock is None or state.done or not is_full(places):
        return None
    return min((clients.clocks.zero(clock, seat) for seat in running(places, state.match.state)), default=None)


def lapses(state: TableState, clients: Clients) -> list[AnyEntry]:
    """The entries that let computer players move for those who have run out of time, or leave a little time to those
    who have while no program had the table."""
    clock, clocks, places, now = state.seating.settings.clock, clients.clocks, state.seating.places, time.time()
    if clock is None or state.done:
        return []
    late = [seat for seat in running(places, state.match.state) if clocks.zero(clock, seat) <= now]
    extended = [seat for seat in late if clocks.lapsed(clock, seat, clients.opened)]
    late = [seat for seat in late if seat not in extended]
    level = stand_in(places)
    return [
        *([Extended(seats=extended, until=round(now + GRACE, 3))] if extended else []),
        *[Substituted(seat=seat, level=level, late=True) for seat in late],
        *(without(state.seating, {*late}) if late else []),
    ]


def knock_ends_at(state: TableState, clients: Clients) -> float | None:
    """The earliest time at which somebody who has knocked may have been away for too long; None if nobody waits."""
    waiting = state.seating.knocks.waiting.values()
    if not waiting or state.done:
        return None
    away_from = time.time() + ABSENCE
    return min(clients.waits_until(knock) or away_from for knock in waiting)


def ended_knocks(state: TableState, clients: Clients) -> list[AnyEntry]:
    """The entries that end the knocks of those who have been away for too long."""
    now, waiting = time.time(), state.seating.knocks.waiting.values()
    if state.done:
        return []
    gone = [knock for knock in waiting if (clients.waits_until(knock) or now + 1) <= now]
    return [KnockEnded(identity=knock.identity, name=knock.name, why="gone") for knock in gone]
