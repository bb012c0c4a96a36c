"""The messages from a table to its clients; see docs/protocol.md. The page's types are generated from these."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from upcard.table.changes import SceneChanges
from upcard.table.clocks import ClockView
from upcard.table.journal import EndReason, Origin, OriginKind, Proposed
from upcard.table.scene import SceneView
from upcard.table.seats import OccupantKind
from upcard.table.settings import Settings

_encoder = msgspec.json.Encoder()


class SeatSummary(Struct):
    """Who has a seat."""

    seat: int
    name: str | None
    who: OccupantKind
    level: str | None
    """Of a computer player."""
    here: bool
    """Whether this player looks at the table now; computer players always do."""
    away_since: float | None = None
    substitute: str | None = None
    """The level of the computer player that plays meanwhile for somebody who is away, or until somebody comes."""
    substitute_at: float | None = None
    """The time from which the others may let a computer player step in, if they wait for this seat."""
    link: bool = False
    """Whether there is a link that moves this seat to another device; told to its own player only."""
    thinking: Literal["", "getting ready", "thinking"] = ""
    """What the computer player at this seat is doing, if that takes a while."""


class Proposal(Struct):
    """A proposal that not all of the others have agreed to yet."""

    seat: int
    what: Proposed
    agreed: list[int]
    waits_for: list[int]


class KnockView(Struct):
    """Somebody who asks the host for a seat."""

    number: int
    """For `let in` and `decline`."""
    name: str
    seat: int | None
    """The seat they want; None if any will do."""


class OwnKnock(Struct):
    """How it is with a person who cannot sit down unless the host lets them in."""

    state: Literal["needed", "waiting", "declined"]
    """`sit` asks the host; they have asked; the host has said no."""
    again_at: float | None = None
    """The time from which they may ask again; None if they may now, or are waiting."""


class Shuffles(Struct):
    """What the shuffles of a match are made of: docs/fair-shuffles.md."""

    commitment: str
    """The SHA-256 of the server's secret."""
    pledged: list[str | None]
    """Per seat, the SHA-256 of its nonce."""
    nonces: list[str | None]
    """Per seat, its nonce, once it was given."""
    settled: bool
    """Whether they are fixed."""
    waits_for: list[int]
    """The seats that have not yet given the nonce that they pledged: with `reveal`."""
    until: float | None
    """The time from which they count as absent."""
    dealer: bool
    """Whether who deals first is drawn too. The match record must say the same."""


class TableView(Struct):
    """A table as one person is told of it, without its cards. Times are in seconds since 1970."""

    id: str
    game: str
    title: str
    players: int
    options: dict[str, Any]
    settings: Settings
    created: float
    you: int | None
    host: bool
    host_seat: int | None
    """The seat of the host; None if nobody sits."""
    started: bool
    done: bool
    ended: EndReason | None
    """How the match was given up, if it was: "closed" by the house; "unfinished": the record goes no further."""
    practice: bool
    """Alone with computer players: here one may take back freely."""
    seats: list[SeatSummary]
    watching: int
    """How many people without a seat are watching."""
    may: list[str]
    """The actions that this person may ask for now."""
    free: Literal["held", "open", "invited"] | None
    """The seat that this person can take, if there is one: held for them, open to anybody, or open to whoever has the
    invitation link."""
    knock: OwnKnock | None
    """None for everybody who has a seat, may sit down without asking, or finds no seat free."""
    knocks: list[KnockView]
    """Who asks for a seat; shown to the host only."""
    asked: Proposal | None
    propose_at: float | None
    """The time from which this person may propose something again; None if they may now."""
    next: str | None
    """The table of the rematch, when somebody has asked for one."""
    origin: Origin | None
    """The match that this one continues."""
    brought: OriginKind | None
    """Whether this is a record that somebody brought, or was played on from one."""
    invite: str | None
    """The secret of the invitation link, told to those who sit here: `/t/{id}#invite={invite}`."""
    clocks: list[ClockView] | None
    """Per seat; None at a table without clocks."""
    shuffles: Shuffles | None
    """None where nobody can check them."""
    now: float
    """The server's time."""


class LogLine(Struct):
    """What happened, in words."""

    seq: int
    text: str


class Message(Struct, tag_field="type", dict=True):
    """The base of all messages. A message is encoded only once, so it must not be changed after it was sent."""

    @cached_property
    def json(self) -> str:
        """The message as JSON, as it is sent."""
        return _encoder.encode(self).decode()


class Welcome(Message, tag="welcome"):
    """Everything that a person needs to begin with; sent again when they sit down and when moves are taken back."""

    table: TableView
    seq: int
    scene: SceneView
    log: list[LogLine]


class EventHappened(Message, tag="event"):
    """Something happened in the match; there is one message for each event, in order."""

    seq: int
    base: int
    """The `seq` of the message before it: whoever has another one asks for a welcome."""
    changes: SceneChanges
    log: LogLine
    oldest: int
    """Earlier lines of the log must be forgotten: at some tables finished tricks may not be looked at again."""
    clocks: list[ClockView] | UnsetType = UNSET
    """As they stand now, at a table with clocks."""
    may: list[str] | UnsetType = UNSET
    """What the person at this seat may ask of the table now."""
    substitute_at: list[float | None] | UnsetType = UNSET
    """Per seat, as in the table; missing where nobody may be replaced, now or later, for a move that is awaited."""


class TableChanged(Message, tag="table"):
    """Somebody sat down or left, something was agreed or proposed."""

    table: TableView
    seq: int
    base: int
    changes: SceneChanges
    """Prompts contain names, which may be others now."""
    log: list[LogLine]
    """What it was, where the story of the match tells it."""


class PeopleChanged(Message, tag="people"):
    """Somebody came or went."""

    here: list[bool]
    away_since: list[float | None]
    watching: int
    substitute_at: list[float | None]
    """A player who is gone is waited for less long than one who is here."""


class Thinking(Message, tag="thinking"):
    """What a computer player is doing, if that takes a while."""

    seat: int
    state: Literal["getting ready", "thinking", "done"]


class NudgeHeard(Message, tag="nudge"):
    """Somebody reminds this person that it is their turn."""

    by: int


class Notice(Message, tag="notice"):
    """A word from the server: that it is about to restart, that it cannot write just now, that all is well again."""

    kind: Literal["closing", "trouble", "well"]
    text: str


class Refused(Message, tag="refused"):
    """Nothing changed; `id` is empty if the message was not a move at all."""

    id: str
    text: str
    clause: str | None


class Accepted(Message, tag="accepted"):
    """The move is on disk as entry `seq`. This is sent before the message about what the move did."""

    id: str
    seq: int


class Alive(Message, tag="alive"):
    """The answer to a `ping`."""

    now: float


AnyMessage = (
    Welcome | EventHappened | TableChanged | PeopleChanged | Thinking | NudgeHeard | Notice | Refused | Accepted | Alive
)
Aside = Thinking | NudgeHeard
"""Messages about things that are not in the journal."""
