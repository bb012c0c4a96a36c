"""Replays of finished matches, deal by deal and move by move, as a seat saw them or with all cards face up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from upcard.engine.match import Match
from upcard.rules.state import DEAL
from upcard.server.messages import DealScore, Replay, ReplayStep, ScoreSheet
from upcard.table.changes import changes
from upcard.table.errors import Unacceptable
from upcard.table.eyes import Eyes, seen
from upcard.table.messages import TableView
from upcard.table.retelling import retell
from upcard.table.standing import match_after


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


def replay(match: Match[Any], names: Sequence[str], deal: int, seat: Eyes, table: TableView) -> Replay:
    """One deal of a finished match. Raises Unacceptable if there is no such deal or seat."""
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
    deals = len(bounds) if table.done else finished_deals(match)
    return Replay(table, [*names], deals, deal, seat, start, steps)


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
