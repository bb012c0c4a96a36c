"""The messages to and from the rooms of a house: docs/protocol.md."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from upcard.house.bodies import Body, ComputerSeat, Open, OptionValue
from upcard.table.actions import Hex, Name, React, Say, Secret, ShortText, Unsay
from upcard.table.messages import Alive, ChatMessage, ChatRemoved, Message, Reaction
from upcard.table.seats import OccupantKind
from upcard.table.settings import Clock, Settings

MemberNumber = Annotated[int, Meta(ge=1, le=1_000_000)]

# ------------------------------------------------------------------------------------------------------ to the server


class NewRoom(Body):
    """`POST /api/rooms`."""

    name: Name
    """That of the person who opens it."""


class MemberSeat(Body, tag_field="who", tag="member"):
    """A seat for a member of the room."""

    member: MemberNumber


class NextMatch(Body):
    """`POST /api/rooms/{id}/tables`: the next match in a room."""

    after: Annotated[int, Meta(ge=0)]
    """`opened` of the room, so that two people do not open two tables."""
    game: ShortText
    players: int
    options: dict[ShortText, OptionValue]
    seats: Annotated[list[MemberSeat | ComputerSeat | Open], Meta(max_length=10)]
    settings: Settings = Settings()
    pledge: Hex | None = None
    """The pledge of the person who opens the table, if they have a seat, as in the action `sit`."""


class RoomAction(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """The base of the actions in a room: `POST /api/rooms/{id}/actions`."""


class JoinRoom(RoomAction, frozen=True, tag="join"):
    """Come into a room by its link."""

    name: Name
    invite: Secret


class RenameMember(RoomAction, frozen=True, tag="rename"):
    """Take another name in this room, from the next match on."""

    name: Name


class LeaveRoom(RoomAction, frozen=True, tag="leave"):
    """Leave a room. A seat at its table stays yours."""


class ExpelMember(RoomAction, frozen=True, tag="remove"):
    """The host removes a member for good and makes a new link. A seat at a table stays theirs until the table's host
    removes them there too."""

    member: MemberNumber


class PassHost(RoomAction, frozen=True, tag="pass on"):
    """The host makes somebody else the host."""

    member: MemberNumber


class TakeHost(RoomAction, frozen=True, tag="take over"):
    """Become the host in place of one who has been away for a while."""


class RenewRoom(RoomAction, frozen=True, tag="renew"):
    """The host makes a new link to the room; the old one no longer counts."""


class ChangeTalk(RoomAction, frozen=True, tag="change"):
    """The host decides whether people may write in their own words."""

    chat: bool


AnyRoomAction = (
    JoinRoom
    | RenameMember
    | LeaveRoom
    | ExpelMember
    | PassHost
    | TakeHost
    | RenewRoom
    | ChangeTalk
    | Say
    | React
    | Unsay
)
"""The last three are those of a table; a room ignores their `name`, and the host of the room removes words."""

# ----------------------------------------------------------------------------------------------------- from the server


class MemberView(Struct):
    """A member of a room."""

    number: int
    name: str
    doing: Literal["away", "here", "sitting", "watching"]
    """`here`: has the room open; `sitting` and `watching`: at its table."""
    played: int
    """The matches with a winner at whose end they had a seat."""
    won: int


class RoomSeat(Struct):
    """A seat at the present table of a room."""

    name: str | None
    who: OccupantKind
    member: int | None
    """The number of the member who sits there or for whom it is held."""


class RoomTable(Struct):
    """The latest table of a room."""

    id: str
    game: str
    title: str
    started: bool
    done: bool
    seats: list[RoomSeat]
    you: int | None
    """Your seat."""
    free: Literal["held", "open"] | None
    """Whether a seat is held for you there, or another is free; during play, that of a computer player who stands in
    for somebody who left. None if you have a seat."""
    invite: str | None
    """The secret of the table's invitation link."""
    clock: Clock | None


class RoomResult(Struct):
    """A finished match of a room."""

    table: str
    game: str
    title: str
    winners: list[str] | None
    """Their names; None if nobody has won."""


class RoomRemark(Struct):
    """A change of a room, in words."""

    at: float
    """In seconds since 1970."""
    text: str


class RoomView(Struct):
    """A room as shown to one person. Who is not a member learns only that it exists. Times are in seconds since
    1970."""

    id: str
    you: int | None
    """Your number; None if you are not a member."""
    host: int | None
    """The number of the host."""
    members: list[MemberView]
    table: RoomTable | None
    results: list[RoomResult]
    """The latest finished matches, the oldest first."""
    turn: list[int | None]
    """Per seat, the member for the next match with as many players: everybody one seat further on; null for others."""
    opened: int
    """How many matches have been opened here."""
    remarks: list[RoomRemark]
    invite: str | None
    """The secret of the room's link, sent to members: `/r/{id}#invite={invite}`."""
    chat: bool
    """Whether people may write in their own words here."""
    may: list[str]
    """The actions that this person may ask for now; `play`: open the next match."""
    now: float
    """The server's time."""


class RoomInfo(Struct):
    """One line of `GET /api/rooms`: a room of yours."""

    id: str
    names: list[str]
    """The names of its members, the host first."""
    created: float
    changed: float


class RoomShown(Message, tag="room"):
    """A room as its window is to show it from now on: the first message, and sent again after every change."""

    room: RoomView


RoomMessage = RoomShown | ChatMessage | ChatRemoved | Reaction | Alive
"""The messages to a window on a room."""
