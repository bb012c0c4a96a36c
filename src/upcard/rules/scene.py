"""Scenes: descriptions of a game's table for a viewer, with zones, marks, a headline and a prompt."""

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
"""The roles of zones. User interfaces draw zones by their roles, without knowing the game."""


class Mark(NamedTuple):
    """A fact about a seat, such as "Bid 3"."""

    label: str
    value: object
    role: str = ""
    """"bid", "tricks", "points" or "chips", for marks that user interfaces can draw better than as text."""


def by_seat(s: GameState, *marks: Mark) -> list[list[Mark]]:
    """The marks of each seat. The value of each given mark is a row with an entry for each seat."""
    rows: list[tuple[str, Any, str]] = [*marks]
    return [[Mark(label, values[seat], role) for label, values, role in rows] for seat in range(s.players)]


@dataclass(slots=True)
class Zone:
    """A place on the table other than the seats' hands."""

    id: str
    role: str
    label: str
    cards: tuple[Card, ...] = ()
    count: int | None = None
    """The number of cards, if not all of them are visible."""
    owner: int | None = None
    number: int | None = None
    seats: tuple[int, ...] = ()
    """For a trick: the seat that played each card."""


def trumps_told(trump: int) -> str:
    """ " · hearts are trumps", for a headline; empty if there is no trump suit."""
    return "" if trump == NO_SUIT else f" · {SUIT_NAMES[trump]} are trumps"


@dataclass(slots=True)
class Scene:
    """The description of a table, made from a view.

    The trick, its leader and the seat that is winning it are taken from the state unless they are given here.
    """

    headline: str
    prompt: str = ""
    """The request to the seats to act, such as "name the trump suit". If it is empty, seats that play to a trick are
    asked to lead or follow."""
    zones: Sequence[Zone] = ()
    marks: Sequence[Sequence[Mark | tuple[str, object]]] = ()
    """The marks of each seat, the most important first."""
    trump: int = NO_SUIT
    leader: int | None = None
    sides: Sequence[int | None] = ()
    """The side that each seat plays for, if seats score together."""
    target: str | None = None
    """The id of the zone where a move with a number is made, with {number} in it."""
    result: Sequence[str] = ()
    """The result of the last deal, in sentences with {0} for the name of seat 0. Not shown before the end of a deal."""
    finished: Sequence[Sequence[Mark]] = ()
    """The marks of each seat for the last finished deal; shown together with `result`."""
    strength: Row | Sequence[int] = ()
    """The strength of each rank, for sorting hands; empty for ace high."""
    trump_strength: Row | Sequence[int] = ()
    """The strength of each rank in the trump suit, if it differs."""
    trumps: Cards = 0
    """Further trumps outside the trump suit (such as a trump rank), which are sorted to its right."""
    ahead: int | None = None
    """The seat that is winning the trick so far."""
    worth: Mapping[Card, int] = field(default_factory=dict)
    """The value of each card, for moves with {worth} in their label."""
    pot: int | None = None
    """The chips in the pot, in a game that is played for chips."""
