"""The messages over HTTP and WebSocket, besides those of `upcard.table`; see docs/protocol.md.

The page's types are generated from these. What browsers send is validated against them before anything else.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from upcard.server.hosting import LONGEST_PASSPHRASE
from upcard.table.actions import Hex, Name, SeatNumber, Secret, ShortText
from upcard.table.advising import Mistake
from upcard.table.changes import SceneChanges
from upcard.table.messages import TableView
from upcard.table.scene import MarkView, SceneView
from upcard.table.settings import Settings

OptionValue = Annotated[str, Meta(max_length=120)] | int | bool


class Body(Struct, forbid_unknown_fields=True):
    """The base of what is sent to the server: no unknown fields."""


# ------------------------------------------------------------------------------------------------------ to the server


class Me(Body, tag_field="who", tag="me"):
    """A seat for whoever makes the table."""


class ComputerSeat(Body, tag_field="who", tag="computer"):
    """A seat for a computer player."""

    level: ShortText


class Open(Body, tag_field="who", tag="open"):
    """A seat for whoever comes."""


class NewTable(Body):
    """`POST /api/tables`."""

    game: ShortText
    players: int
    options: dict[ShortText, OptionValue]
    name: Name
    seats: Annotated[list[Me | ComputerSeat | Open], Meta(max_length=10)]
    settings: Settings = Settings()
    pledge: Hex | None = None
    """As in the action `sit`, of whoever makes the table."""


class NewFork(Body):
    """`POST /api/tables/{id}/fork`: go on from the middle of a finished match against computer players."""

    events: Annotated[int, Meta(ge=0)]
    """The number of events of the match that are kept."""
    seat: SeatNumber
    name: Name
    level: ShortText
    pledge: Hex | None = None
    """As in the action `sit`."""


class Enter(Body):
    """`POST /api/club/enter`."""

    passphrase: Annotated[str, Meta(max_length=LONGEST_PASSPHRASE)]


class Redeem(Body):
    """`POST /api/tables/{id}/redeem`: take one's seat to this device. Also of `POST /api/tables/{id}/linked`."""

    secret: Secret


class MakeMove(Body, tag_field="type", tag="move"):
    """A move, over the WebSocket."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    seq: Annotated[int, Meta(ge=0)]
    text: Annotated[str, Meta(max_length=200)]


class Look(Body, tag_field="type", tag="look"):
    """Asks for a welcome, after a change whose base is not what the page has."""


class Ping(Body, tag_field="type", tag="ping"):
    """Asks whether the line is alive."""


ToTable = MakeMove | Look | Ping

# ----------------------------------------------------------------------------------------------------- from the server


class Failure(Struct):
    """Any answer that reports a failure."""

    error: str
    clause: str | None


class Club(Struct):
    """`GET /api/club`: the house."""

    title: str
    version: str
    locked: bool
    """Whether one needs a passphrase to play here."""
    admitted: bool
    """Whether this browser has given it, or none is needed."""
    address: str | None
    """Where others can reach the page; None if only this machine can."""
    closing: bool
    """Whether the server is about to restart."""


class OptionBounds(Struct):
    """What an option can be."""

    default: OptionValue
    low: int | None
    high: int | None


class GameOption(Struct):
    """A choice of the rules."""

    name: str
    kind: Literal["whole", "choice", "flag", "digits"]
    default: OptionValue
    low: int | None
    high: int | None
    values: list[OptionValue] | None
    help: str
    clause: str | None
    by_players: dict[str, OptionBounds] | UnsetType = UNSET
    """Where it differs by the number of players."""


class GameInfo(Struct):
    """A game, for the lobby."""

    slug: str
    title: str
    family: str
    players: list[int]
    default_players: int
    summary: str
    length: str
    difficulty: str
    picture: list[list[str]]
    """Cards that are typical of it, in groups that lie together."""
    short: dict[str, Any] | None
    """The options of a match of about a quarter of an hour; None where the usual one is short."""
    levels: list[str]
    """Of computer players, from the weakest to the strongest."""
    options: list[GameOption]


class Page(Struct):
    """A page of text."""

    title: str
    html: str


class LevelInfo(Struct):
    """A kind of computer player."""

    name: str
    title: str
    help: str


class GettingReady(Struct):
    """What was asked for is being prepared: ask again in a moment."""

    says: str


class SeatLink(Struct):
    """`POST /api/tables/{id}/link`: what moves one's seat to another device: `/t/{id}#seat={secret}`."""

    secret: str


class LinkedSeat(Struct):
    """`POST /api/tables/{id}/linked`: the seat that a link moves to another device."""

    seat: int


class DealScore(Struct):
    """One finished deal."""

    deal: int
    dealer: int
    scores: list[int]
    """After it."""
    marks: list[list[MarkView]]
    """Per seat, how the deal went."""
    result: list[str]
    """How it ended, in words."""
    first: int
    """The number of the event with which it began, from 0."""
    events: int
    """The number of events of the match up to its end."""


class ScoreSheet(Struct):
    """`GET /api/tables/{id}/score`: the finished deals of a match."""

    names: list[str]
    deals: list[DealScore]
    winners: list[int]


class ReplayStep(Struct):
    """One event of a replay."""

    events: int
    """The number of events of the match up to and including it."""
    seat: int | None
    text: str
    changes: SceneChanges


class Replay(Struct):
    """`GET /api/tables/{id}/replay?deal=1&seat=0`: one deal of a finished match."""

    table: TableView
    names: list[str]
    deals: int
    deal: int
    seat: int | Literal["all"] | None
    """From whose seat it is seen; None: as everybody saw it."""
    start: SceneView
    steps: list[ReplayStep]


class Review(Struct):
    """`POST /api/tables/{id}/review?seat=0`: what a seat's decisions in a finished match were worth, as far as it is
    known by now."""

    seat: int
    state: Literal["waiting", "running", "done", "failed"]
    done: int
    """The number of decisions that are judged by now."""
    of: int
    """The number of all decisions; 0 until they are counted."""
    summary: str
    """How many were best, too close to tell, or cost something."""
    mistakes: list[Mistake]
    """The costliest first."""


class Statistic(Struct):
    """One line of `GET /api/statistics`: how one's finished matches of a game went, against some kind of opponents."""

    game: str
    title: str
    against: str
    """`people`, or the strongest level of the computer players where nobody else sat there."""
    matches: int
    won: int


class Health(Struct):
    """`GET /health`."""

    status: Literal["ok", "closing", "failing"]
    version: str
    tables: int
    sockets: int
    trouble: str | None
    """What is wrong with the stored tables; None if nothing is."""
    parts: dict[str, float]
    """For each part of the server, the seconds since it was last known to work."""
