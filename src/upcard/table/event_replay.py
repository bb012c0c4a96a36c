"""Going through a finished match again, event by event, with its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from upcard.engine.events import Event
from upcard.engine.match import Match
from upcard.table.log import Log
from upcard.table.viewpoints import Viewpoint


@dataclass(frozen=True)
class ReplayedEvent:
    """One event. `match` is the match after it, and only valid until the next event is asked for."""

    match: Match[Any]
    event: Event
    log: Log

    def line(self, eyes: Viewpoint) -> str:
        """The event in words, from a point of view; with all cards face up, as the seat that acted was told it."""
        return self.log.last(self.event.seat if eyes == "all" else eyes).text


def replay_events(match: Match[Any], events: Iterable[str], names: Sequence[str]) -> Iterator[ReplayedEvent]:
    """Apply these events to a match one by one, yielding each. Raises IllegalMove at one the rules do not allow."""
    log = Log(match)
    for text in events:
        before = match.state.copy()
        event = match.event(text)
        log.note(len(match.events), before, match, event, names)
        yield ReplayedEvent(match, event, log)
