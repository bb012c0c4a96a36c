"""Replays of finished matches, deal by deal and move by move, as a seat saw them or with all cards face up."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

from upcard.engine.match import Match
from upcard.rules.state import DEAL
from upcard.server.messages import DealScore, Replay, ReplayStep, ScoreSheet
from upcard.table.changes import changes
from upcard.table.errors import Unacceptable
from upcard.table.eyes import Eyes, seen
from upcard.table.messages import TableView
from upcard.table.retelling import retell
from upcard.table.scene import SceneView
from upcard.table.standing import match_after
from upcard.table.table import Table

MOST_KEPT = 20
"""The number of score sheets and replayed deals kept in memory."""

T = TypeVar("T")
Begin = Callable[[], None]
"""Called before something is worked out; may refuse that."""


@dataclass(frozen=True)
class Retold:
    """One deal of a match, event by event, as it was seen from somewhere."""

    deals: int
    """The number of deals that were begun."""
    start: SceneView
    steps: list[ReplayStep]


class Replays:
    """Score sheets and replays. They are worked out one at a time, so that play goes on beside them, and the latest are
    kept. It is for the caller to ask who may see them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, asyncio.Task[Any]] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()

    async def score_sheet(self, table: Table, begin: Begin) -> ScoreSheet:
        """The scores of the finished deals of a match. Raises what `begin` raises."""
        match, names = table.match.fork(), table.names
        return await self._once((table.plan.id, table.seq), begin, lambda: score_sheet(match, names))

    async def replay(self, table: Table, deal: int, seat: Eyes, told: TableView, begin: Begin) -> Replay:
        """One deal of a match, for somebody who was `told` so much of its table. Raises what `begin` raises, and
        Unacceptable if there is no such deal or seat."""
        match, names = table.match.fork(), table.names
        key = table.plan.id, table.seq, deal, seat
        retold = await self._once(key, begin, lambda: retell_deal(match, names, deal, seat))
        deals = retold.deals if told.done else finished_deals(match)
        return Replay(told, [*names], deals, deal, seat, retold.start, retold.steps)

    async def _once(self, key: Hashable, begin: Begin, work_out: Callable[[], T]) -> T:
        """What is worked out for this key; only who asks for it first begins it."""
        if key not in self._kept:
            self._kept[key] = asyncio.create_task(self._in_turn(begin, work_out))
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        try:
            return await asyncio.shield(self._kept[key])
        except Exception:
            self._kept.pop(key, None)
            raise

    async def _in_turn(self, begin: Begin, work_out: Callable[[], T]) -> T:
        begin()
        async with self._one_at_a_time:
            return await asyncio.to_thread(work_out)


def score_sheet(match: Match[Any], names: Sequence[str]) -> ScoreSheet:
    """The scores of the finished deals of a match."""
    return ScoreSheet([*names], [*_deals(match, names)], match.winners if match.done else [])


def _deals(match: Match[Any], names: Sequence[str]) -> Iterator[DealScore]:
    first = dealer = 0
    for told in retell(match_after(match, 0), _texts(match, 0), names):
        now, played = told.match, len(told.match.events)
        if told.event.word == "deal" and told.event.seat is None:
            first, dealer = played - 1, now.state.dealer
        elif now.done or now.state.awaiting == DEAL:
            scene = seen(now, None, names)
            yield DealScore(now.state.deals, dealer, now.scores, scene.finished, scene.result, first, played)


def retell_deal(match: Match[Any], names: Sequence[str], deal: int, seat: Eyes) -> Retold:
    """One deal of a match. Raises Unacceptable if there is no such deal or seat."""
    bounds = _bounds(match)
    if deal not in range(1, len(bounds) + 1):
        raise Unacceptable(f"There is no deal {deal}: the match has {len(bounds)}")
    if isinstance(seat, int) and seat not in range(match.players):
        raise Unacceptable(f"There is no seat {seat}")
    first, end = bounds[deal - 1]
    before = match_after(match, first)
    start = scene = seen(before, seat, names)
    steps = []
    for told in retell(before, _texts(match, first, end), names):
        after = seen(told.match, seat, names)
        line = told.line(seat)
        steps.append(ReplayStep(len(told.match.events), told.event.seat, line, changes(scene, after)))
        scene = after
    return Retold(len(bounds), start, steps)


def finished_deals(match: Match[Any]) -> int:
    """How many deals of a match are over."""
    deals: int = match.state.deals
    return deals if match.done or match.state.awaiting == DEAL else deals - 1


def _bounds(match: Match[Any]) -> list[tuple[int, int]]:
    """For each deal, the number of events before its start and up to its end."""
    events = match.events
    first = [i for i, event in enumerate(events) if event.word == "deal" and event.seat is None]
    return [*pairwise([*first, len(events)])]


def _texts(match: Match[Any], first: int, end: int | None = None) -> list[str]:
    return [event.text for event in match.events[first:end]]
