"""Where cards are held, and what a table has shown of cards that nobody sees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from upcard.rules.cards import JOKER, NO_CARD, Card, Cards, as_list

if TYPE_CHECKING:
    from upcard.rules.state import Field


@dataclass(frozen=True)
class Holding:
    """Where cards are held: the names of the fields that hold them, seat by seat.

    In a double pack a card that is held twice has its bit in both sets, so that equal cards cannot be told apart.
    """

    first: str
    second: str | None = None
    jokers: str | None = None

    def cards(self, s: Any, seat: int) -> list[Card]:
        """The cards that a seat holds, in pack order, jokers last."""
        held_cards = as_list(getattr(s, self.first)[seat])
        if self.second is not None:
            twice = getattr(s, self.second)[seat]
            held_cards = [c for c in held_cards for _ in range(1 + (twice >> c & 1))]
        if self.jokers is not None:
            held_cards += [JOKER] * getattr(s, self.jokers)[seat]
        return held_cards

    def size(self, s: Any, seat: int) -> int:
        """How many cards a seat holds."""
        number: int = getattr(s, self.first)[seat].bit_count()
        if self.second is not None:
            number += getattr(s, self.second)[seat].bit_count()
        if self.jokers is not None:
            number += getattr(s, self.jokers)[seat]
        return number

    def put(self, s: Any, seat: int, held_cards: Iterable[Card]) -> None:
        """Make these the cards that the seat holds."""
        first = second = jokers = 0
        for c in held_cards:
            if c == JOKER and self.jokers is not None:
                jokers += 1
            elif first >> c & 1:
                second |= 1 << c
            else:
                first |= 1 << c
        getattr(s, self.first)[seat] = first
        if self.second is not None:
            getattr(s, self.second)[seat] = second
        if self.jokers is not None:
            getattr(s, self.jokers)[seat] = jokers


def cards_in(s: Any) -> list[Card]:
    """The cards in every place that a state declares."""
    return [card for name, spec in s.fields.items() if spec.cards for card in cards_at(spec, getattr(s, name))]


def cards_at(spec: Field, value: int | list[int]) -> list[Card]:
    """The cards that a field of this kind has in a number, or in a row of numbers."""
    if isinstance(value, list):
        return [card for number in value for card in cards_at(spec, number)]
    if spec.cards == "jokers":
        return [JOKER] * value
    if spec.cards == "card":
        return [] if value == NO_CARD else [value]
    return as_list(value) if spec.cards else []


def fields_with(s: Any, card: Card) -> list[str]:
    """The fields in which a card lies."""
    return [name for name, spec in s.fields.items() if card in cards_at(spec, getattr(s, name))]


@dataclass(frozen=True)
class Hypothesis:
    """One way in which what was said can be true: per seat, cards that are then in the hand and cards that are not."""

    holds: tuple[Cards, ...]
    lacks: tuple[Cards, ...]


@dataclass(frozen=True)
class KnownCount:
    """What everybody knows of a hand, of what a seat has laid aside or of a pile: so many of its cards are of a set."""

    field: str
    seat: int
    """NOBODY for a pile."""
    number: int
    """As many as there are, if it is more."""
    cards: Cards
    gone: int = 0
    """So many cards of the set have left the place in the open since: any of the known ones may be among them."""
