"""Scenes: descriptions of a game's table for a viewer, with zones, marks, a headline and a prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from upcard.rules.cards import NO_SUIT, SUIT_NAMES, Card, Cards
from upcard.rules.sentences import sentence
from upcard.rules.state import GameState, Row


class ZoneRole(NamedTuple):
    """The purpose of a zone, and where it belongs."""

    text: str
    place: str
    """One of PLACES."""


PLACES = {
    "focus": "the middle of the table, where play happens",
    "tray": "beside the middle, with what cards are drawn from and thrown on",
    "seat": "before the seat that owns it",
    "rail": "among the other seats",
}
"""The parts of a table where zones are drawn. A zone with a `goal` belongs to the focus whatever its role."""
ROLES = {
    "trick": ZoneRole("the cards of the unfinished trick, each with who played it", "focus"),
    "stock": ZoneRole("face-down cards to be drawn from", "tray"),
    "upcard": ZoneRole("the card turned up beside or under the stock", "tray"),
    "discard": ZoneRole("a pile of thrown cards", "tray"),
    "pile": ZoneRole("any other pile: only its top, if any, is seen", "tray"),
    "row": ZoneRole("cards that lie open side by side for everybody", "tray"),
    "meld": ZoneRole("cards that belong together, before the seat that laid them", "seat"),
    "aside": ZoneRole("cards that a seat has laid aside, before this seat", "seat"),
    "dummy": ZoneRole("the hand that nobody holds", "rail"),
}
"""The roles of zones. User interfaces draw zones by their roles, without knowing the game."""
MARK_ROLES = {
    "bid": "the number of tricks or points that the seat undertakes to take",
    "tricks": "the tricks that it has taken",
    "points": "its points in this deal",
    "chips": "the chips that it has won or paid",
    "maker": "it chose the trumps, and must make its contract",
    "declared": "cards or sequences that it has declared or shown",
    "pending": "points that count once it has taken a trick",
    "closed": "it has closed the stock",
    "drew": "the number of cards that it has changed or drawn",
    "down": "it has laid down its contract",
    "out": "it has passed or run out of cards, and does not act while others do",
}
"""The roles of the marks of a seat. Marks without a role are drawn as text."""
TABLE_MARK_ROLES = {
    "bids": "the sum of all bids, of the number of tricks",
    "suit": "the value of a suit for a bid; its label is the sign of the suit",
    "three": "the sets of three cards of one rank that the viewer has laid, of those in the contract",
    "four": "the sequences of four cards that the viewer has laid, of those in the contract",
}
"""The roles of the marks of the whole table."""


class Mark(NamedTuple):
    """A fact about a seat, such as "Bid 3"."""

    label: str
    value: object
    role: str = ""
    """One of MARK_ROLES, or of TABLE_MARK_ROLES for a mark of the table, if user interfaces can draw it better than as
    text."""
    of: int | None = None
    """The largest possible value, or the one to be reached."""


def by_seat(s: GameState, *marks: Mark) -> list[list[Mark]]:
    """The marks of each seat. The value of each given mark is a row with an entry for each seat."""
    rows: list[tuple[str, Any, str, int | None]] = [*marks]
    return [[Mark(label, values[seat], role, of) for label, values, role, of in rows] for seat in range(s.players)]


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
    goal: int | None = None
    """The number of cards at which it is complete."""
    suit: int = NO_SUIT
    """The suit of all its cards, if they share one."""
    backers: tuple[int, ...] = ()
    """The seats that have bet on it, as far as the viewer knows."""


def trump_fact(trump: int) -> str:
    """ "hearts are trumps", for the `facts` of a headline; empty if there is no trump suit."""
    return "" if trump == NO_SUIT else sentence("{suit} are trumps", suit=SUIT_NAMES[trump])


def trumps_told(trump: int) -> str:
    """Like `trump_fact`, as the end of a text, in English only: for games that compose their headlines."""
    return "" if trump == NO_SUIT else f" · {trump_fact(trump)}"


@dataclass(slots=True)
class Scene:
    """The description of a table, made from a view.

    The trick, its leader and the seat that is winning it are taken from the state unless they are given here.
    """

    headline: str
    prompt: str = ""
    """The request to the seats to act: `your_turn("name the trump suit")`. If it is empty, seats that play to a trick
    are asked to lead or follow."""
    zones: Sequence[Zone] = ()
    marks: Sequence[Sequence[Mark | tuple[str, object]]] = ()
    """The marks of each seat, the most important first."""
    table: Sequence[Mark] = ()
    """The marks of the whole table, for what all seats count together."""
    counts: bool = False
    """Whether the numbers of cards in the hands decide the deal, so that they should be drawn as numbers."""
    trump: int = NO_SUIT
    leader: int | None = None
    sides: Sequence[int | None] = ()
    """The side that each seat plays for, if seats score together."""
    target: str | None = None
    """The id of the zone where a move with a number is made, with {number} in it."""
    result: Sequence[str] = ()
    """The result of the last deal, in sentences with a `Player` for every name. Not shown before the end of a deal."""
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
