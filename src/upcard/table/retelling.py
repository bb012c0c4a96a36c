"""A match that is over, gone through once more: event by event, with what each of them was told."""

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
    """One event. `match` stands after it until the next one is asked for."""

    match: Match[Any]
    event: Event
    log: Log

    def line(self, eyes: Eyes) -> str:
        """What it was, in words; with all cards open as whoever did it knows it."""
        return self.log.last(self.event.seat if eyes == "all" else eyes).text


def retell(match: Match[Any], events: Iterable[str], names: Sequence[str]) -> Iterator[Told]:
    """Let these events happen in a match, one after the other. Raises IllegalMove at one that cannot be."""
    log = Log(match)
    for text in events:
        dealer = match.state.dealer
        event = match.event(text)
        log.note(len(match.events), dealer, match, event, names)
        yield Told(match, event, log)
