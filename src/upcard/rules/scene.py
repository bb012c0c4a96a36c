"""The words in which a game describes its table to whoever looks at it: zones, marks, a headline, a prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from upcard.rules.cards import NO_SUIT, SUIT_NAMES, Card, Cards
from upcard.rules.state import GameState, Row

ROLES = {
    "trick": "the cards of the unfinished trick, each with who played it",
    "stock": "face-down cards to be drawn from",
    "upcard": "the card turned up beside or under the stock",
    "discard": "a pile of thrown cards",
    "pile": "any other pile: only its top, if any, is seen",
    "row": "cards that lie open side by side for everybody",
    "meld": "cards that belong together, before the seat that laid them",
    "aside": "cards that a seat has laid aside, before this seat",
    "dummy": "the hand that nobody holds",
}
"""What a zone is to whoever draws it. A page knows these, and no game."""


class Mark(NamedTuple):
    """Something that is said of a seat: "Bid 3"."""

    label: str
    value: object
    role: str = ""
    """Where it can be drawn better than in words: "bid" and "tricks" (how many were bid, how many taken), "points",
    "chips"."""


def by_seat(s: GameState, *marks: Mark) -> list[list[Mark]]:
    """Per seat these marks, which have for their value the row of all seats."""
    rows: list[tuple[str, Any, str]] = [*marks]
    return [[Mark(label, values[seat], role) for label, values, role in rows] for seat in range(s.players)]


@dataclass(slots=True)
class Zone:
    """Something on the table beside the seats."""

    id: str
    role: str
    label: str
    cards: tuple[Card, ...] = ()
    count: int | None = None
    """How many cards, where not all of them are seen."""
    owner: int | None = None
    number: int | None = None
    seats: tuple[int, ...] = ()
    """For a trick: who played each card."""


def trumps_told(trump: int) -> str:
    """ " · hearts are trumps", for a headline; nothing where no suit is."""
    return "" if trump == NO_SUIT else f" · {SUIT_NAMES[trump]} are trumps"


@dataclass(slots=True)
class Scene:
    """What a game says of its table, made from a view.

    The trick, and who leads and is ahead in it, are drawn from the state where the game does not say otherwise.
    """

    headline: str
    prompt: str = ""
    """What the seats to act are asked, as "name the trump suit"; where it is empty, of who plays to a trick, to lead
    any card or to follow."""
    zones: Sequence[Zone] = ()
    marks: Sequence[Sequence[Mark | tuple[str, object]]] = ()
    """Per seat, the most important first."""
    trump: int = NO_SUIT
    leader: int | None = None
    sides: Sequence[int | None] = ()
    """Per seat the side it plays for, where seats score together."""
    target: str | None = None
    """A zone id with {number} in it: where a move with a number goes."""
    result: Sequence[str] = ()
    """How the last deal ended, in words; {0} stands for the name of seat 0. Nobody is told before one has ended."""
    finished: Sequence[Sequence[Mark]] = ()
    """Per seat, the marks of the last finished deal, apart from those of the next one; told like `result`."""
    strength: Row | Sequence[int] = ()
    """For sorting a hand: how strong each rank is; empty for ace high."""
    trump_strength: Row | Sequence[int] = ()
    """The same for the trump suit, where its ranks have another order."""
    trumps: Cards = 0
    """Cards that are trumps besides those of the trump suit (a trump rank): shown right of it."""
    ahead: int | None = None
    """Who takes the trick as it lies."""
    worth: Mapping[Card, int] = field(default_factory=dict)
    """What each card counts in a move whose label says {worth}."""
    pot: int | None = None
    """The chips on the table, in a game that is played for them."""
