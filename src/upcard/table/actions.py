"""The actions of a person at a table besides moves: `POST /api/tables/{id}/actions`. Anything else is rejected."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from upcard.table.messages import Phrase, ReactionKind
from upcard.table.settings import Settings

ShortText = Annotated[str, Meta(max_length=40)]
Name = Annotated[str, Meta(max_length=120)]
Words = Annotated[str, Meta(max_length=800)]
Secret = Annotated[str, Meta(max_length=64)]
SeatNumber = Annotated[int, Meta(ge=0, le=9)]
Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""32 bytes as hexadecimal digits. `max_length` excludes a trailing line break, which `$` would let pass."""


class Action(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """The base of all actions: no unknown fields."""


class Sit(Action, frozen=True, tag="sit"):
    """Take a seat: an open one, or one that a computer player occupies until somebody comes. If the table's `knock` is
    not None, this asks the host for it instead."""

    name: Name
    seat: SeatNumber | None = None
    invite: Secret | None = None
    """From the invitation link; not needed at a listed table or for a seat reserved for this person."""
    pledge: Hex | None = None
    """The SHA-256 of a nonce: its 64 hexadecimal digits, as text. `reveal` sends the nonce when play begins."""


class Fill(Action, frozen=True, tag="fill"):
    """The host gives an open seat to a computer player; all of them if `seat` is None."""

    level: ShortText
    seat: SeatNumber | None = None


class Offer(Action, frozen=True, tag="offer"):
    """The host gives a computer player's seat to the next person who comes; during play the computer player moves until
    then. `fill` takes it back."""

    seat: SeatNumber


class Swap(Action, frozen=True, tag="swap"):
    """The host lets two seats change places, before the start."""

    seats: tuple[SeatNumber, SeatNumber]


class Remove(Action, frozen=True, tag="remove"):
    """The host removes somebody from a seat; during play, a computer player takes over. The invitation link is renewed,
    and newcomers must knock from now on."""

    seat: SeatNumber
    block: bool = False
    """Whether they are barred from this table."""


class Renew(Action, frozen=True, tag="renew"):
    """The host makes a new invitation link; the old one no longer counts."""


class LetIn(Action, frozen=True, tag="let in"):
    """The host gives a seat to somebody who has knocked."""

    knock: Annotated[int, Meta(ge=1)]
    """Its number, from `knocks` in the table."""


class Decline(Action, frozen=True, tag="decline"):
    """The host gives no seat to somebody who has knocked."""

    knock: Annotated[int, Meta(ge=1)]


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Stop waiting to be let in."""


class Leave(Action, frozen=True, tag="leave"):
    """Give up your seat; during play, a computer player takes over until somebody else sits down."""


class Resign(Action, frozen=True, tag="resign"):
    """Give up your seat for good: a computer player plays it to the end."""


class Substitute(Action, frozen=True, tag="substitute"):
    """Let a computer player move for somebody who is away, once the others have waited long enough."""

    seat: SeatNumber


class ComeBack(Action, frozen=True, tag="come back"):
    """Take over from your substitute. Opening a connection to the table does this too."""


class Abandon(Action, frozen=True, tag="abandon"):
    """Propose that the match ends here, without a winner. All people at the table must agree."""


class TakeBack(Action, frozen=True, tag="take back"):
    """Take back your last move, or everything after the first `events` events when alone with computer players."""

    events: Annotated[int, Meta(ge=0)] | None = None


class Concede(Action, frozen=True, tag="concede"):
    """Propose to end the match in favour of the others. Of two players the other need not agree."""


class Claim(Action, frozen=True, tag="claim"):
    """Claim all the remaining tricks when about to lead. It is granted if what the player can see proves it; computer
    players then play the deal to its end."""


class Answer(Action, frozen=True, tag="answer"):
    """Agree to the proposal, or decline it."""

    agree: bool


class Rematch(Action, frozen=True, tag="rematch"):
    """Another match for the same players, with the seats rotated: the first who asks creates its table, the others get
    the same one."""

    pledge: Hex | None = None
    """As in `sit`, from the person who creates the table."""


class Reveal(Action, frozen=True, tag="reveal"):
    """Reveal the nonce that you pledged to the shuffles, once every seat is taken."""

    nonce: Hex


class Nudge(Action, frozen=True, tag="nudge"):
    """Remind somebody that it is their turn."""

    seat: SeatNumber


class Say(Action, frozen=True, tag="say"):
    """Send a phrase, or a text where the host allows that, to the others at the table. While a match is in play, people
    who watch are heard by those who watch only."""

    phrase: Phrase | None = None
    text: Words | None = None
    name: Name | None = None
    """The name of somebody who has no seat."""


class React(Action, frozen=True, tag="react"):
    """Show the others a reaction; they hear it as they hear `say`."""

    kind: ReactionKind
    name: Name | None = None
    """As in `say`."""


class Unsay(Action, frozen=True, tag="unsay"):
    """The host removes a message."""

    number: ShortText


class Change(Action, frozen=True, tag="change"):
    """The host changes the settings of the table."""

    settings: Settings


AnyAction = (
    Sit
    | Fill
    | Offer
    | Swap
    | Remove
    | Renew
    | LetIn
    | Decline
    | Withdraw
    | Leave
    | Resign
    | Substitute
    | ComeBack
    | Abandon
    | TakeBack
    | Concede
    | Claim
    | Answer
    | Rematch
    | Reveal
    | Nudge
    | Say
    | React
    | Unsay
    | Change
)
