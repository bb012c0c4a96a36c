"""The journal of a table: everything that happened at it, in order, and nothing else.

Entries are only ever appended. The seating, the match and its record are all derived from them; see
`upcard.table.state`.
Entries are numbered from 1; events of the match are only some of them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec
from msgspec import Struct, field

from upcard.table.seats import Occupant
from upcard.table.settings import Settings

Proposed = Literal["abandon", "take back", "concede"]
"""The proposals that people can make to each other."""


OriginKind = Literal["record", "played on", "set up"]
"""`record`: the table only shows an imported record; `played on`: its match was played on from one; `set up`: somebody
chose cards of its first deal."""


class Origin(Struct, frozen=True):
    """The origin of a table that continues another match, or that begins with cards of somebody's choice."""

    table: str | None
    """None for an imported record, and for chosen cards."""
    events: int
    """The number of events played there."""


class Plan(Struct, frozen=True):
    """The properties of a table that are fixed when it is created."""

    id: str
    game: str
    players: int
    dealer: int
    """The first dealer, unless `draws_dealer`."""
    options: Mapping[str, Any]
    host: str
    """The identity of the person who created it."""
    created: float = field(default_factory=time.time)
    settings: Settings = Settings()
    origin: Origin | None = None
    rules: Any = None
    """The identity of the game's rules, if they are not the ones that come with Upcard."""
    invite: str = ""
    """The secret of the first invitation link; `Seating.invite` is that of the present one."""
    secret: str = ""
    """The server's seed for the shuffles, 64 bytes as hexadecimal digits, kept secret until the match is over. Empty if
    the table gets its randomness from another source."""
    draws_dealer: bool = False
    """Whether the first dealer is drawn like the shuffles, once these are fixed."""
    from_record: bool = False
    """Whether the match was played on from an imported record."""
    room: str | None = None
    """The room in which it was opened, if it was."""
    set_up: bool = False
    """Whether somebody chose cards of the first deal."""
    day: str | None = None
    """The day (as in ISO 8601) whose deal it is, the same for everybody at the house; None at any other table."""

    @property
    def brought(self) -> OriginKind | None:
        """How the table comes from an imported record or from chosen cards; None if it does not."""
        if self.set_up:
            return "set up"
        if self.origin is not None and self.origin.table is None:
            return "record"
        return "played on" if self.from_record else None


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """The base of all entries."""

    at: float = field(default_factory=lambda: round(time.time(), 3))
    """When it happened, in seconds since 1970."""


class Happened(Entry, frozen=True, tag="event"):
    """An event of the match."""

    text: str
    """The event in the notation of match records."""
    move_id: str | None = None
    """The client's id for the move."""
    taken: float = 0.0
    """The seconds it took from the player's bank, at a table with clocks."""
    winners: list[int] | None = None
    """The winners, if this event ends the match."""


class Seated(Entry, frozen=True, tag="seated"):
    """A person or computer player took a seat, or a seat was reserved for somebody."""

    seat: int
    place: Occupant
    let_in: bool = False
    """Whether the host let in a person who had knocked."""


class Left(Entry, frozen=True, tag="left"):
    """Somebody gave up or lost a seat; `place` is its new occupant: during play, a computer player."""

    seat: int
    place: Occupant = Occupant()
    why: Literal["left", "resigned", "removed"] = "left"
    blocked: str | None = None
    """The identity of the person who left, if they may not come back."""
    invite: str = ""
    """The secret of the new invitation link, if the old one no longer counts."""


class Renewed(Entry, frozen=True, tag="renewed"):
    """The host made a new invitation link; the old one no longer counts."""

    seat: int
    invite: str


class Knocked(Entry, frozen=True, tag="knocked"):
    """Somebody new asked to sit down, or is still waiting (`again`)."""

    identity: str
    name: str
    seat: int | None = None
    """The seat they want; None if any will do."""
    pledge: str | None = None
    """As in `Occupant`."""
    again: bool = False


class KnockEnded(Entry, frozen=True, tag="knock ended"):
    """Somebody who had knocked is no longer waiting. Being let in, and the loss of the last open seat, end a knock
    without this entry."""

    identity: str
    name: str
    why: Literal["declined", "withdrawn", "gone"]


class Offered(Entry, frozen=True, tag="offered"):
    """The host gave a computer player's seat to the next person who comes; `place` is open from now on."""

    seat: int
    place: Occupant


class Swapped(Entry, frozen=True, tag="swapped"):
    """Two seats changed places before the start."""

    seats: tuple[int, int]


class Substituted(Entry, frozen=True, tag="substituted"):
    """A computer player starts to move for an absent person."""

    seat: int
    level: str
    late: bool = False
    """Whether this is because their time ran out."""


class Extended(Entry, frozen=True, tag="extended"):
    """The clocks of these seats had run out while no program had the table in memory: they have until this time for
    their present move, at no cost to their banks."""

    seats: list[int]
    until: float
    """In seconds since 1970."""


class Returned(Entry, frozen=True, tag="returned"):
    """A person takes over from their substitute."""

    seat: int


class Asked(Entry, frozen=True, tag="asked"):
    """Somebody proposed something that others must agree to."""

    seat: int
    what: Proposed
    events: int | None = None
    """For taking back: the number of events to keep."""


class Answered(Entry, frozen=True, tag="answered"):
    """Somebody agreed or disagreed with the proposal."""

    seat: int
    agree: bool


class Claimed(Entry, frozen=True, tag="claimed"):
    """Somebody claimed all remaining tricks of this deal; the deal is then played out for everybody."""

    seat: int


class TookBack(Entry, frozen=True, tag="took back"):
    """Events of the match were taken back; `events` are left."""

    seat: int
    events: int


class Linked(Entry, frozen=True, tag="linked"):
    """A link that moves a seat to another device was made or revoked; `digest` is its secret's SHA-256, or empty."""

    seat: int
    digest: str


class Moved(Entry, frozen=True, tag="moved"):
    """A person moved their seat to another device, which has another identity."""

    seat: int
    identity: str


class Revealed(Entry, frozen=True, tag="revealed"):
    """Somebody revealed the nonce they had pledged to the shuffles."""

    seat: int
    nonce: str


class Settled(Entry, frozen=True, tag="settled"):
    """The shuffles are fixed from now on; nonces that were not revealed do not count."""


class Changed(Entry, frozen=True, tag="changed"):
    """The settings of the table were changed."""

    settings: Settings


class Hinted(Entry, frozen=True, tag="hinted"):
    """Somebody got a hint; recorded once, though there may be more."""

    seat: int


class Followed(Entry, frozen=True, tag="followed"):
    """A table for a rematch was created."""

    table: str


EndReason = Literal["abandoned", "conceded", "closed", "unfinished"]
"""`abandoned`: by agreement, without a winner; `conceded`: in favour of the others; `closed`: by the house;
`unfinished`: not at all, since the record of the match, or the part of it that the present rules allow, stops there."""


class Ended(Entry, frozen=True, tag="ended"):
    """The match was given up before its end."""

    why: EndReason
    by: int | None = None
    """The seat that conceded."""


AnyEntry = (
    Happened
    | Seated
    | Left
    | Renewed
    | Knocked
    | KnockEnded
    | Offered
    | Swapped
    | Substituted
    | Extended
    | Returned
    | Asked
    | Answered
    | Claimed
    | TookBack
    | Linked
    | Moved
    | Revealed
    | Settled
    | Changed
    | Hinted
    | Followed
    | Ended
)
_reader = msgspec.json.Decoder(AnyEntry)
_encoder = msgspec.json.Encoder()
_plans = msgspec.json.Decoder(Plan)


def encode(value: AnyEntry | Plan) -> str:
    """Encode an entry or a plan as JSON."""
    return _encoder.encode(value).decode()


def decode_entry(text: str) -> AnyEntry:
    """Decode an entry. Raises ValueError."""
    entry: AnyEntry = _reader.decode(text)
    return entry


def read_plan(text: str) -> Plan:
    """Decode a plan. Raises ValueError."""
    plan: Plan = _plans.decode(text)
    return plan


def kind(entry: AnyEntry) -> str:
    """The kind of an entry, which is its tag."""
    return str(entry.__struct_config__.tag)


class Journal(Protocol):
    """The storage of tables. Each call returns once its data is safe, or raises NotWritten and has stored nothing."""

    async def begin(self, plan: Plan, entries: Sequence[AnyEntry]) -> None:
        """Store a new table with its first entries."""
        ...

    async def append(self, table: str, first: int, entries: Sequence[AnyEntry], *, done: bool) -> None:
        """Append entries from number `first` on, all or none; `done` if they end the match. Raises Overtaken if an
        entry with one of these numbers exists already."""
        ...

    async def since(self, table: str, seq: int) -> Sequence[AnyEntry]:
        """The entries after number `seq`."""
        ...


class NoJournal:
    """A journal that discards everything, for a table that does not need to survive its process."""

    async def begin(self, plan: Plan, entries: Sequence[AnyEntry]) -> None:
        pass

    async def append(self, table: str, first: int, entries: Sequence[AnyEntry], *, done: bool) -> None:
        pass

    async def since(self, table: str, seq: int) -> Sequence[AnyEntry]:
        return ()
