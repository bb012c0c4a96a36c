"""Where cards are held, and what a table has shown of cards that nobody sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

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


@dataclass(frozen=True)
class NewStock:
    """What everybody has seen since a stock was made of cards that all had seen, the other unseen cards being in hands.

    All hidden cards that hands have got since come from this stock.
    """

    cards: Counter[Card]
    hidden: Sequence[int]
    """How many hidden cards each hand had."""
    happened: Sequence[tuple[int, Card]]
    """A seat, and the card that left its hidden cards in the open; NO_CARD: it drew one from the stock."""

    def gone(self, seat: int | None) -> list[Card]:
        """What has left the hidden cards of a seat."""
        return [card for who, card in self.happened if who == seat and card != NO_CARD]

    def ways(self, me: int | None, held: Counter[Card], stock: Counter[Card]) -> Counter[Origins]:
        """In how many ways the hands of the seats but `me` can have come about, by what is left in them.

        `held` are the cards that they had when the stock was made, `stock` those in it that `me` has not drawn.
        """
        sizes = tuple([0 if seat == me else number for seat, number in enumerate(self.hidden)])
        ways = Counter({Origins(sizes, (0,) * len(sizes), ()): 1})
        gone: Counter[Card] = Counter()
        for seat, card in self.happened:
            after: Counter[Origins] = Counter()
            for one, number in ways.items() if seat != me else ():
                if card == NO_CARD:
                    after[one.with_drawn(seat)] += number * (one.newer[seat] + 1)
                    continue
                drawn = one.gone.count(card)
                if one.older[seat] and (copies := held[card] - gone[card] + drawn) > 0:
                    after[one.without_older(seat)] += number * copies
                if one.newer[seat] and (copies := stock[card] - drawn) > 0:
                    after[one.without_newer(seat, card)] += number * copies
            if seat != me:
                ways = after
                gone[card] += 1
        return ways


class Origins(NamedTuple):
    """Of what hands hold since a new stock was made, where it came from."""

    older: tuple[int, ...]
    """By seat, how many of its hidden cards it held before."""
    newer: tuple[int, ...]
    """By seat, how many it has drawn from the new stock."""
    gone: tuple[Card, ...]
    """The cards that were drawn from the new stock and have left the hands again, in order of the pack."""

    def left_of(self, stock: Counter[Card]) -> Counter[Card]:
        """What of the new stock nobody has seen again."""
        return stock - Counter(self.gone)

    def with_drawn(self, seat: int) -> Origins:
        return self._replace(newer=changed(self.newer, seat, 1))

    def without_older(self, seat: int) -> Origins:
        return self._replace(older=changed(self.older, seat, -1))

    def without_newer(self, seat: int, card: Card) -> Origins:
        return self._replace(newer=changed(self.newer, seat, -1), gone=tuple(sorted([*self.gone, card])))


def changed(numbers: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    return *numbers[:seat], numbers[seat] + by, *numbers[seat + 1 :]


Ways = Counter[tuple[int, ...]]
"""By how many cards of each age are left in a hand, in how many ways that can have come about."""


class Turn(NamedTuple):
    """What everybody has seen happen to a hand: a card left it, then it was shown to lack some, then it drew others."""

    card: Card = NO_CARD
    lacks: Cards = 0
    drawn: int = 0


@dataclass(frozen=True)
class HandHistory:
    """How many hidden cards a hand had at first, and what has happened to it since. A card that everybody saw before it
    left is of no account."""

    hidden: int
    turns: Sequence[Turn]

    def ages(self, unseen: Cards) -> list[tuple[list[tuple[int, Cards]], int]]:
        """What its hidden cards may be, each with in how many ways that can have come about, what allows most last.

        It is a list of (how many cards, which of the unseen cards they are not), the oldest cards first: a hand that
        draws may hold again what it lacked before, but only among the cards that it drew since.
        """
        lacks: list[Cards] = [0]
        ways: Ways = Counter({(self.hidden,): 1})
        for turn in self.turns:
            if turn.card != NO_CARD:
                ways = self._without(ways, [age for age, lacking in enumerate(lacks) if not lacking >> turn.card & 1])
            lacks = [lacking | turn.lacks for lacking in lacks]
            if turn.drawn:
                lacks.append(0)
                ways = Counter({(*left, turn.drawn): number for left, number in ways.items()})
                ways, lacks = merged(ways, lacks)
        ways, lacks = merged(ways, [lacking & unseen for lacking in lacks])
        return [([*zip(left, lacks, strict=True)], ways[left]) for left in sorted(ways, reverse=True)]

    @staticmethod
    def _without(ways: Ways, ages: Sequence[int]) -> Ways:
        """A card is gone that was of one of these ages."""
        after: Ways = Counter()
        for left, number in ways.items():
            for age in ages:
                if left[age]:
                    after[(*left[:age], left[age] - 1, *left[age + 1 :])] += number
        return after


def merged(ways: Ways, lacks: list[Cards]) -> tuple[Ways, list[Cards]]:
    """The same with cards of different ages taken together that lack the same; these are neighbours, since older ones
    lack all that younger ones do."""
    for age in reversed(range(1, len(lacks))):
        if lacks[age] == lacks[age - 1]:
            together: Ways = Counter()
            for left, number in ways.items():
                both = left[age - 1] + left[age]
                together[(*left[: age - 1], both, *left[age + 1 :])] += number * comb(both, left[age])
            ways, lacks = together, [*lacks[:age], *lacks[age + 1 :]]
    return ways, lacks
