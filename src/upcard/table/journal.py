"""The journal of a table: everything that happened at it, in order, and nothing else.

Entries are only ever appended. Who sits where, the match and its record all follow from them: see `standing`. The
number of an entry, from 1, is the table's clock; it counts more than the events of the match.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec
from msgspec import Struct, field

from upcard.table.seats import Place
from upcard.table.settings import Settings

Proposed = Literal["abandon", "take back", "concede"]
"""What people can agree on."""


class Origin(Struct, frozen=True):
    """Where a table comes from that was made out of another match."""

    table: str | None
    """None for a record that somebody brought along."""
    events: int
    """So many events were played before."""


class Plan(Struct, frozen=True):
    """What is fixed when a table is made."""

    id: str
    game: str
    players: int
    dealer: int
    """Who deals first, unless that is drawn."""
    options: Mapping[str, Any]
    host: str
    """The identity of whoever made it."""
    created: float = field(default_factory=time.time)
    settings: Settings = Settings()
    origin: Origin | None = None
    rules: Any = None
    """The identity of the game's rules, where they are not those that come with Upcard."""
    invite: str = ""
    """The secret of the invitation link."""
    secret: str = ""
    """What the shuffles are made of, 64 bytes in hexadecimal digits: told to nobody before the match is over. Empty at
    a table that takes its chance from elsewhere."""
    draws_dealer: bool = False
    """Whether who deals first is drawn like the shuffles, once these are fixed."""


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """The base of all entries."""

    at: float = field(default_factory=lambda: round(time.time(), 3))
    """When it happened, in seconds since 1970."""


class Happened(Entry, frozen=True, tag="event"):
    """An event of the match."""

    text: str
    """As the match record has it."""
    move_id: str | None = None
    """What the client called the move."""
    taken: float = 0.0
    """The seconds that it took from the player's bank, at a table with clocks."""
    winners: list[int] | None = None
    """Who has won, if the match is over with it."""


class Seated(Entry, frozen=True, tag="seated"):
    """Somebody took a seat, a computer player among them, or a seat is held for somebody."""

    seat: int
    place: Place


class Left(Entry, frozen=True, tag="left"):
    """Somebody gave a seat up or lost it; `place` is who has it now: in play a computer player goes on."""

    seat: int
    place: Place = Place()
    why: Literal["left", "resigned", "removed"] = "left"
    blocked: str | None = None
    """The identity of somebody who may not come back."""


class Swapped(Entry, frozen=True, tag="swapped"):
    """Two seats changed places before the start."""

    seats: tuple[int, int]


class Substituted(Entry, frozen=True, tag="substituted"):
    """From now on a computer player moves for a person who is away."""

    seat: int
    level: str
    late: bool = False
    """Whether their time was up."""


class Returned(Entry, frozen=True, tag="returned"):
    """A person plays again where a substitute did."""

    seat: int


class Asked(Entry, frozen=True, tag="asked"):
    """Somebody proposed something that others must agree to."""

    seat: int
    what: Proposed
    events: int | None = None
    """For taking back: so many events are to be left."""


class Answered(Entry, frozen=True, tag="answered"):
    """Somebody agreed to what is proposed, or not."""

    seat: int
    agree: bool


class Claimed(Entry, frozen=True, tag="claimed"):
    """Somebody takes all the rest of the tricks of this deal: it is played to its end for all."""

    seat: int


class TookBack(Entry, frozen=True, tag="took back"):
    """Events of the match were taken back; so many are left."""

    seat: int
    events: int


class Linked(Entry, frozen=True, tag="linked"):
    """There is a link that moves a seat to another device; `digest` is the SHA-256 of its secret, empty for none."""

    seat: int
    digest: str


class Moved(Entry, frozen=True, tag="moved"):
    """A person sits before another device now."""

    seat: int
    identity: str


class Revealed(Entry, frozen=True, tag="revealed"):
    """Somebody gave the nonce that they had pledged to the shuffles."""

    seat: int
    nonce: str


class Settled(Entry, frozen=True, tag="settled"):
    """From now on the shuffles are fixed; whoever has not given a nonce is absent from them."""


class Changed(Entry, frozen=True, tag="changed"):
    """The table is kept in another way."""

    settings: Settings


class Hinted(Entry, frozen=True, tag="hinted"):
    """Somebody was advised on a move, here and perhaps later."""

    seat: int


class Followed(Entry, frozen=True, tag="followed"):
    """There is a table for one more match."""

    table: str


class Ended(Entry, frozen=True, tag="ended"):
    """The match was given up before its end."""

    why: Literal["abandoned", "conceded", "closed"]
    by: int | None = None
    """Who conceded it."""


AnyEntry = (
    Happened
    | Seated
    | Left
    | Swapped
    | Substituted
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
_plans = msgspec.json.Decoder(Plan)


def write(value: AnyEntry | Plan) -> str:
    """An entry or a plan as it is kept."""
    return msgspec.json.encode(value).decode()


def read(text: str) -> AnyEntry:
    """An entry that was kept. Raises ValueError."""
    entry: AnyEntry = _reader.decode(text)
    return entry


def read_plan(text: str) -> Plan:
    """A plan that was kept. Raises ValueError."""
    plan: Plan = _plans.decode(text)
    return plan


def kind(entry: AnyEntry) -> str:
    """The word for what an entry is."""
    return str(entry.__struct_config__.tag)


class Journal(Protocol):
    """Where tables are written down. Each call returns when it is safe, or raises NotWritten: then nothing was kept."""

    async def begin(self, plan: Plan, entries: Sequence[AnyEntry]) -> None:
        """A new table and its first entries."""
        ...

    async def append(self, table: str, first: int, entries: Sequence[AnyEntry], *, done: bool) -> None:
        """Entries number `first` and so on, all or none; `done` if the match is over with them. Raises Overtaken if
        there is such an entry already."""
        ...

    async def since(self, table: str, seq: int) -> Sequence[AnyEntry]:
        """The entries after number `seq`."""
        ...


class NoJournal:
    """For a table that need not outlive its program."""

    async def begin(self, plan: Plan, entries: Sequence[AnyEntry]) -> None:
        pass

    async def append(self, table: str, first: int, entries: Sequence[AnyEntry], *, done: bool) -> None:
        pass

    async def since(self, table: str, seq: int) -> Sequence[AnyEntry]:
        return ()
