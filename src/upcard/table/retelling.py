"""Going through a finished match again, event by event, with its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from upcard.engine.events import Event
from upcard.engine.match import Match
from upcard.table.eyes import Eyes
from upcard.table.log import Log


@dataclass(frozen=True)
class Told:
    """One event. `match` is the match after it, and only valid until the next event is asked for."""

    match: Match[Any]
    event: Event
    log: Log

    def line(self, eyes: Eyes) -> str:
        """The event in words, from a point of view; with all cards face up, as the seat that acted was told it."""
        return self.log.last(self.event.seat if eyes == "all" else eyes).text


def retell(match: Match[Any], events: Iterable[str], names: Sequence[str]) -> Iterator[Told]:
    """Apply these events to a match one by one, yielding each. Raises IllegalMove at one the rules do not allow."""
    log = Log(match)
    for text in events:
        before = match.state.copy()
        event = match.event(text)
        log.note(len(match.events), before, match, event, names)
        yield Told(match, event, log)
