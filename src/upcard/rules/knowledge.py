"""The fields that contain cards, and public knowledge about hidden cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Any, NamedTuple

from upcard.rules.cards import JOKER, NO_CARD, Card, Cards, as_list
from upcard.rules.state import Field, GameState, Seen


@dataclass(frozen=True)
class Holding:
    """The names of the fields with the cards of each seat.

    With a double pack, a card of which a seat has two copies is in both sets; equal cards are not distinguished.
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

    def sizes(self, s: Any) -> tuple[int, ...]:
        """The numbers of cards that the seats hold."""
        if self.second is None and self.jokers is None:
            return tuple([held_cards.bit_count() for held_cards in getattr(s, self.first)[: s.players]])
        return tuple([self.size(s, seat) for seat in range(s.players)])

    def size(self, s: Any, seat: int) -> int:
        """The number of cards that a seat holds."""
        number: int = getattr(s, self.first)[seat].bit_count()
        if self.second is not None:
            number += getattr(s, self.second)[seat].bit_count()
        if self.jokers is not None:
            number += getattr(s, self.jokers)[seat]
        return number

    def put(self, s: Any, seat: int, held_cards: Iterable[Card]) -> None:
        """Replace the cards that a seat holds."""
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
    """The cards in all fields of a state that are declared with `cards=`."""
    return [card for name, spec in s.fields.items() if spec.cards for card in field_cards(spec, getattr(s, name))]


def field_cards(spec: Field, value: int | list[int]) -> list[Card]:
    """The cards that a value of this field represents."""
    if isinstance(value, list):
        return [card for number in value for card in field_cards(spec, number)]
    if spec.cards == "jokers":
        return [JOKER] * value
    if spec.cards == "card":
        return [] if value == NO_CARD else [value]
    return as_list(value) if spec.cards else []


@cache
def hidden_fields(state: type[GameState]) -> list[tuple[str, Field]]:
    """The fields of a state that are not entirely public, with their names."""
    return [(name, spec) for name, spec in state.fields.items() if spec.seen is not Seen.ALL]


@cache
def pile_fields(state: type[GameState]) -> list[str]:
    """The fields of a state with face-down cards that belong to no seat."""
    return [name for name, spec in hidden_fields(state) if spec.seen is Seen.NOBODY and spec.cards]


@cache
def aside_fields(state: type[GameState], hand: Holding) -> list[str]:
    """The fields of a state with sets of cards that a seat has laid aside face down: it knows them, and they are not in
    its hand."""
    hands = (hand.first, hand.second, hand.jokers)
    return [
        name
        for name, spec in state.fields.items()
        if spec.seen is Seen.OWNER and spec.cards == "set" and name not in hands
    ]


def shown_to_lack(s: Any) -> list[Cards]:
    """The cards that each seat has shown it does not hold: the field `lacks`, if the state has it."""
    lacks: list[Cards] = getattr(s, "lacks", [0] * s.players)
    return lacks


def fields_with(s: Any, card: Card) -> list[str]:
    """The names of the fields that contain a card."""
    return [name for name, spec in s.fields.items() if card in field_cards(spec, getattr(s, name))]


@dataclass(frozen=True)
class Hypothesis:
    """One way in which the claims made so far can be true: cards that each hand holds, and cards that it lacks."""

    holds: tuple[Cards, ...]
    lacks: tuple[Cards, ...]


@dataclass(frozen=True)
class KnownCount:
    """Public knowledge about a hand, cards laid aside, or a pile: `number` of its cards are among `cards`."""

    field: str
    seat: int
    """NOBODY for a pile."""
    number: int
    """A number above the size of the place means all of its cards."""
    cards: Cards
    gone: int = 0
    """The number of cards of the set that have left the place openly since; they may be some of those counted."""


@dataclass(frozen=True)
class NewStock:
    """Public knowledge since a new stock was made of cards that everybody had seen, while all others were in hands.

    All hidden cards that hands have gained since come from this stock.
    """

    cards: Counter[Card]
    """The cards of the stock when it was made."""
    hidden: Sequence[int]
    """The number of hidden cards in each hand at that time."""
    happened: Sequence[tuple[int, Card]]
    """The events since, in order: a seat and the hidden card that left its hand openly, or NO_CARD if it drew one from
    the stock."""

    def gone(self, seat: int | None) -> list[Card]:
        """The hidden cards that have left the hand of a seat."""
        return [card for who, card in self.happened if who == seat and card != NO_CARD]

    def ways(self, me: int | None, held: Counter[Card], stock: Counter[Card]) -> Counter[Origins]:
        """The number of ways in which the hands of the seats other than `me` can have arisen, by their origins.

        `held` are the cards that these hands had when the stock was made, `stock` the cards of the stock that `me` has
        not drawn.
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
    """The origins of the hidden cards in the hands since a new stock was made."""

    older: tuple[int, ...]
    """For each seat, the number of its hidden cards from before the new stock."""
    newer: tuple[int, ...]
    """For each seat, the number of its hidden cards from the new stock."""
    gone: tuple[Card, ...]
    """The cards that were drawn from the new stock and have left the hands since, in ascending order."""

    def left_of(self, stock: Counter[Card]) -> Counter[Card]:
        """The cards of the new stock that nobody has seen since."""
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
"""The number of ways in which a hand can have arisen, by the number of cards of each age that are left in it."""


class Turn(NamedTuple):
    """A public event in the history of a hand: a card left it, then it was shown to lack cards, then it drew cards."""

    card: Card = NO_CARD
    lacks: Cards = 0
    drawn: int = 0


@dataclass(frozen=True)
class HandHistory:
    """The initial number of hidden cards in a hand, and its public history. Cards that were already public when they
    left are not part of it."""

    hidden: int
    turns: Sequence[Turn]

    def ages(self, unseen: Cards) -> list[tuple[list[tuple[int, Cards]], int]]:
        """The possible compositions of the hand by age, with the number of ways in which each can have arisen.

        A composition is a list of (number of cards, unseen cards that they cannot be), the oldest cards first: a hand
        that draws may again hold what it lacked, but only among the cards drawn since. The composition that allows most
        hands comes last.
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
        """The ways after a card of one of these ages has left."""
        after: Ways = Counter()
        for left, number in ways.items():
            for age in ages:
                if left[age]:
                    after[(*left[:age], left[age] - 1, *left[age + 1 :])] += number
        return after


def merged(ways: Ways, lacks: list[Cards]) -> tuple[Ways, list[Cards]]:
    """Merge ages with the same lacks. These are neighbours, since older cards lack everything that younger ones do."""
    for age in reversed(range(1, len(lacks))):
        if lacks[age] == lacks[age - 1]:
            together: Ways = Counter()
            for left, number in ways.items():
                both = left[age - 1] + left[age]
                together[(*left[: age - 1], both, *left[age + 1 :])] += number * comb(both, left[age])
            ways, lacks = together, [*lacks[:age], *lacks[age + 1 :]]
    return ways, lacks
