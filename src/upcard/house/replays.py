"""Replays of finished matches, deal by deal and move by move, as a seat saw them or with all cards face up.

A match is given to what computes them as a transcript, so that another process can do it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import msgspec
from msgspec import UNSET, Raw

from upcard.engine.errors import BadRecord, IllegalMove
from upcard.engine.match import Match
from upcard.engine.records import header, text_of
from upcard.house.bodies import DealScore, Replay, ReplayStep, ScoreSheet
from upcard.house.services import Requester, WorkPool
from upcard.languages.answers import encoder_for
from upcard.rules.game import Game
from upcard.rules.phrases import brief
from upcard.rules.sentences import sentence
from upcard.rules.state import DEAL
from upcard.table.changes import scene_changes
from upcard.table.errors import Refusal, Unacceptable
from upcard.table.event_replay import replay_events
from upcard.table.messages import TableView
from upcard.table.scene import Viewpoint, scene_for
from upcard.table.seats import recorded_names
from upcard.table.state import match_after
from upcard.table.table import Table

MOST_KEPT = 20
"""The number of score sheets and replayed deals kept in memory."""
MOST_EVENTS = 20_000
"""The most events of a record that is opened as a table."""
LONGEST_ANSWER = 4_000_000
"""The largest score sheet or replayed deal, in bytes of JSON."""
TOO_LONG = sentence(
    "This is too long to be shown here: save the record of the match, and watch it with `upcard replay`"
)


@dataclass(frozen=True)
class Transcript:
    """The setup and the events of a match, from which it can be replayed; cheap to send to another process."""

    setup: Game[Any]
    dealer: int
    events: str
    """The texts of the events, one per line."""

    @classmethod
    def of(cls, match: Match[Any]) -> Transcript:
        return cls(match.setup, match.first_dealer, "\n".join([event.text for event in match.events]))

    @property
    def texts(self) -> list[str]:
        """The texts of the events."""
        return self.events.split("\n") if self.events else []

    def match(self) -> Match[Any]:
        """The match after its last event."""
        match: Match[Any] = Match(self.setup, dealer=self.dealer)
        for text in self.texts:
            match.event(text)
        return match


@dataclass(frozen=True)
class CheckedRecord:
    """A match record that has been checked."""

    transcript: Transcript
    names: list[str]
    done: bool
    """Whether its match is over."""


@dataclass(frozen=True)
class Retold:
    """One deal of a match, event by event, from one point of view."""

    deals: int
    """The number of deals begun in the match."""
    start: Raw
    """A `SceneView`."""
    steps: Raw
    """A list of `ReplayStep`."""


class Replays:
    """Score sheets and replays, computed by a pool of workers; the latest are cached. Callers must check who may see
    them."""

    def __init__(self, workers: WorkPool) -> None:
        self._workers = workers
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._running: dict[Hashable, asyncio.Task[Any]] = {}

    async def score_sheet(self, table: Table, requester: Requester, language: str) -> bytes:
        """The scores of the finished deals of a match, a `ScoreSheet` as JSON in a language. Raises TooMany, and
        Refusal if it is too long."""
        key = table.plan.id, table.seq, language
        about = lambda: (_score_sheet, Transcript.of(table.match), table.names, language)
        sheet: bytes = await self._once(key, requester, about)
        return sheet

    async def replay(
        self, table: Table, deal: int, seat: Viewpoint, view: TableView, requester: Requester, language: str
    ) -> Replay:
        """One deal of a match in a language, for a person to whom its table is shown as `view`. Raises TooMany, Refusal
        if it is too long, and Unacceptable if there is no such deal or seat."""
        names, finished = table.names, finished_deals(table.match)
        key = table.plan.id, table.seq, deal, seat, language
        about = lambda: (_retell_deal, Transcript.of(table.match), names, deal, seat, language)
        retold: Retold = await self._once(key, requester, about)
        deals, start, steps = retold.deals if view.done else finished, cast(Any, retold.start), cast(Any, retold.steps)
        return Replay(view, [*names], deals, deal, seat, start, steps)

    async def _once(self, key: Hashable, requester: Requester, work: Callable[[], tuple[Any, ...]]) -> Any:
        """Return the result for this key, cached or computed. A requester for whom it is being computed already waits
        for that; others do not, as it may be far back in that requester's queue."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        running = self._running.get((key, requester))
        if running is None:
            running = self._running[key, requester] = asyncio.create_task(self._workers.run(requester, *work()))
            running.add_done_callback(lambda done: self._done((key, requester), done))
        self._kept[key] = result = await asyncio.shield(running)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return result

    def _done(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        del self._running[key]
        if not task.cancelled():
            task.exception()  # the requester may be gone


def read_record(text: bytes) -> CheckedRecord:
    """Check a match record and replay its match. Raises msgspec.DecodeError for anything but JSON, and BadRecord."""
    record = msgspec.json.decode(text_of(text))
    try:
        match = header(record)
        if len(record["events"]) > MOST_EVENTS:
            message = "it has more than {most} events, which is too long to be opened here"
            raise BadRecord(sentence(message, most=MOST_EVENTS))
        for event in record["events"]:
            match.event(event)
    except IllegalMove as error:
        event = brief(record["events"][error.index])
        raise BadRecord(
            sentence("event {number} is not possible: {event}", number=error.index, event=event), error.clause
        ) from None
    return CheckedRecord(Transcript.of(match), recorded_names(record, match.players, first=1), match.done)


def _score_sheet(transcript: Transcript, names: Sequence[str], language: str) -> bytes:
    return bytes(_encoded(score_sheet(transcript.match(), names), language))


def _encoded(answer: object, language: str) -> Raw:
    """An answer as JSON in a language. Raises Refusal if it is too long."""
    text = encoder_for(language).encode(answer)
    if len(text) > LONGEST_ANSWER:
        raise Refusal(TOO_LONG)
    return Raw(text)


def score_sheet(match: Match[Any], names: Sequence[str]) -> ScoreSheet:
    """The scores of the finished deals of a match."""
    return ScoreSheet([*names], [*_deals(match, names)], match.winners if match.done else [])


def _deals(match: Match[Any], names: Sequence[str]) -> Iterator[DealScore]:
    first = dealer = 0
    for replayed in replay_events(match_after(match, 0), _texts(match, 0), names):
        now, played = replayed.match, len(replayed.match.events)
        if replayed.event.word == "deal" and replayed.event.seat is None:
            first, dealer = played - 1, now.state.dealer
        elif now.done or now.state.awaiting == DEAL:
            scene = scene_for(now, None, names)
            yield DealScore(now.state.deals, dealer, now.scores, scene.finished, scene.result, first, played)


def _retell_deal(transcript: Transcript, names: Sequence[str], deal: int, seat: Viewpoint, language: str) -> Retold:
    """One deal of a match in a language. Raises Unacceptable if there is no such deal or seat."""
    match = transcript.match()
    bounds = _bounds(match)
    if deal not in range(1, len(bounds) + 1):
        raise Unacceptable(sentence("There is no deal {deal}: the match has {last}", deal=deal, last=len(bounds)))
    if isinstance(seat, int) and seat not in range(match.players):
        raise Unacceptable(sentence("There is no seat {seat}", seat=seat))
    first, end = bounds[deal - 1]
    before = match_after(match, first)
    scene = scene_for(before, seat, names)
    start, steps = _encoded(scene, language), []
    for replayed in replay_events(before, _texts(match, first, end), names):
        after, event = scene_for(replayed.match, seat, names), replayed.event
        line = replayed.line(seat)
        changes, spoken = scene_changes(scene, after), replayed.utterances or UNSET
        steps.append(ReplayStep(len(replayed.match.events), event.seat, line, changes, spoken))
        scene = after
    return Retold(len(bounds), start, _encoded(steps, language))


def finished_deals(match: Match[Any]) -> int:
    """The number of finished deals of a match."""
    deals: int = match.state.deals
    return deals if match.done or match.state.awaiting == DEAL else deals - 1


def finished_part(match: Match[Any]) -> Match[Any]:
    """The match up to the end of its last finished deal, at its beginning if there is none."""
    ends = [end for _, end in _bounds(match)[: finished_deals(match)]]
    return match_after(match, ends[-1] if ends else 0)


def _bounds(match: Match[Any]) -> list[tuple[int, int]]:
    """For each deal, the number of events before its start and up to its end."""
    events = match.events
    first = [i for i, event in enumerate(events) if event.word == "deal" and event.seat is None]
    return [*pairwise([*first, len(events)])]


def _texts(match: Match[Any], first: int, end: int | None = None) -> list[str]:
    return [event.text for event in match.events[first:end]]
