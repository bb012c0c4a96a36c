"""What a table tells those who look at it: docs/protocol.md. The types of the page are made from these."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from upcard.table.scene import SceneView


class SeatSummary(Struct):
    """Who has a seat."""

    seat: int
    name: str | None
    who: str
    """"person", "computer" or "open"."""
    level: str | None
    here: bool
    """Whether this player looks at the table now; computer players always do."""
    substitute: str | None = None
    """The level of the computer player that plays for somebody who is away."""


class TableView(Struct):
    """A table as one person is told of it, without its cards."""

    id: str
    game: str
    title: str
    players: int
    options: dict[str, Any]
    you: int | None
    host: bool
    started: bool
    done: bool
    seats: list[SeatSummary]


class LogLine(Struct):
    """What happened, in words."""

    seq: int
    text: str


class Message(Struct, tag_field="type"):
    """The base of all messages."""


class Welcome(Message, tag="welcome"):
    """All that somebody needs to begin with; comes again when this person sits down."""

    table: TableView
    seq: int
    scene: SceneView
    log: list[LogLine]


class EventHappened(Message, tag="event"):
    """Something happened in the match; one message an event, in order."""

    seq: int
    scene: SceneView
    log: LogLine
    oldest: int
    """Lines of the log before this one are to be forgotten: at some tables finished tricks cannot be looked through."""


class TableChanged(Message, tag="table"):
    """Somebody sat down, left, came back."""

    table: TableView
    seq: int


class Refused(Message, tag="refused"):
    """Nothing changed; `id` is empty if what came was no move at all."""

    id: str
    text: str
    clause: str | None


class Accepted(Message, tag="accepted"):
    """The move is on disk as entry `seq`; comes before what is told of it."""

    id: str
    seq: int


AnyMessage = Welcome | EventHappened | TableChanged | Refused | Accepted
