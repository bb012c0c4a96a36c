"""Replay of a finished match, event by event, with its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from upcard.engine.events import Event
from upcard.engine.match import Match
from upcard.table.log import Log
from upcard.table.messages import UtteranceView
from upcard.table.scene import Viewpoint


@dataclass(frozen=True)
class ReplayedEvent:
    """One event. `match` is the match after it, and is only valid until the next event is requested."""

    match: Match[Any]
    event: Event
    log: Log

    def line(self, viewpoint: Viewpoint, *, result: bool = True) -> str:
        """The event in words, from a point of view; for "all", from that of the seat that acted. Without `result`, the
        result of a deal that it ends is left out."""
        return self.log.last(self.event.seat if viewpoint == "all" else viewpoint, result=result).text

    @property
    def utterances(self) -> list[UtteranceView]:
        """The words that players say aloud with it."""
        return self.log.utterances()


def replay_events(match: Match[Any], events: Iterable[str], names: Sequence[str]) -> Iterator[ReplayedEvent]:
    """Apply these events to a match one by one, yielding each. Raises IllegalMove at one the rules do not allow."""
    log = Log(match)
    for text in events:
        before = match.state.copy()
        event = match.event(text)
        log.note(len(match.events), before, match, event, names)
        yield ReplayedEvent(match, event, log)
