"""Conditions on the first deal of a match: cards at given places, and a predicate.

Given cards are put in their places, and the others shuffled around them, so that every deal that meets the condition is
equally likely. A predicate is met by rejection: deals are drawn until one meets it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import comb, perm
from operator import and_
from typing import Any

from upcard.engine.chance import Shuffler
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.mistakes import cards_of_chance, fault
from upcard.rules import cards
from upcard.rules.cards import Card
from upcard.rules.game import Game
from upcard.rules.phrases import brief, whole_number
from upcard.rules.sentences import Sentence, as_sentence, sentence

MOST_TRIES = 100_000
"""The number of deals after which a condition counts as impossible."""
UPCARD = "upcard"
"""The name of the place of the upcard; seats are named by their numbers."""

Predicate = Callable[[Match[Any]], object]
"""Whether a match meets a condition just after its first deal."""
Given = Mapping[Any, str]
"""Cards in notation, by the number of their seat or by "upcard"."""


@dataclass(frozen=True)
class DealCondition:
    """A condition on the first deal of a match."""

    given: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    """The places with the cards that they must have, in the order of their names."""
    where: Predicate | None = None

    def __str__(self) -> str:
        texts = [f"{place}={' '.join(map(cards.text, some))}" for place, some in self.given]
        return "; ".join([*texts, *([f"where {predicate_name(self.where)}"] if self.where else [])])


def predicate_name(predicate: Predicate) -> str:
    """The name of a predicate for people."""
    return str(getattr(predicate, "__name__", predicate))


def deal_condition(given: Given | None = None, where: Predicate | None = None) -> DealCondition | None:
    """A condition; None without cards and predicate. Raises UpcardError for anything that is not a card, for a place
    that is no seat and not the upcard, and for a predicate that cannot be called."""
    if where is not None and not callable(where):
        raise UpcardError(f"`where` is a function of a match, not {brief(where)}")
    if given is not None and not isinstance(given, Mapping):
        raise UpcardError(f'given cards are listed by place, as in {{0: "As Ks", "upcard": "Td"}}, not {brief(given)}')
    by_place: dict[str, tuple[Card, ...]] = {}
    for place, texts in (given or {}).items():
        name = _place(place)
        if name in by_place:
            raise UpcardError(_twice(name))
        by_place[name] = _cards(texts)
    if not by_place and where is None:
        return None
    return DealCondition(tuple(sorted(by_place.items())), where)


def given_in(line: str) -> dict[str, str]:
    """The cards in a line such as `0=As Ks; upcard=Td`, by place. Raises UpcardError for a part without cards, and for
    a place that is there twice."""
    given: dict[str, str] = {}
    for part in filter(None, map(str.strip, re.split(r"[;\n]", line))):
        place, equals, some = map(str.strip, part.partition("="))
        if not equals:
            raise UpcardError(
                sentence("cards are given as in 0=As Ks or upcard=Td, not as {part}", part=brief(part[:40]))
            )
        if place in given:
            raise UpcardError(_twice(place))
        given[place] = some
    return given


def _twice(place: str) -> Sentence:
    if place == UPCARD:
        return sentence("the upcard is given twice")
    return sentence("the cards of seat {seat} are given twice", seat=place)


def _place(place: object) -> str:
    seat = int(place) if isinstance(place, str) and place.isdecimal() and len(place) < 4 else whole_number(place)
    if seat is not None and seat >= 0:
        return str(seat)
    if place == UPCARD:
        return UPCARD
    raise UpcardError(
        sentence("cards are given for the number of a seat or for the upcard, not for {place}", place=brief(place))
    )


def _cards(texts: object) -> tuple[Card, ...]:
    if not isinstance(texts, str):
        raise UpcardError(f'given cards are a text, as in "As Td", not {brief(texts)}')
    words = texts.replace(",", " ").split()
    read = [cards.read(word) for word in words]
    if wrong := [word for word, card in zip(words, read, strict=True) if card is None]:
        raise UpcardError(
            sentence("{word} is not a card: write rank and suit, as in As or Td", word=brief(wrong[0][:40]))
        )
    if not words:
        raise UpcardError(sentence("no cards are given: write rank and suit, as in As or Td"))
    return tuple(card for card in read if card is not None)


def pool_of(begun: Match[Any]) -> list[Card]:
    """The cards that the first deal of a match shuffles, in pack order."""
    return cards_of_chance(begun.setup, begun.state)


class FirstOrder:
    """A source of chance that gives the cards of the first shuffle in a certain order, and then does as another one."""

    def __init__(self, order: Sequence[Card], after: Shuffler) -> None:
        self._order: list[Card] | None = [*order]
        self._after = after

    def shuffle(self, x: list[Any], /) -> None:
        if self._order is None:
            self._after.shuffle(x)
        else:
            x[:], self._order = self._order, None

    def choice(self, seq: Sequence[Any], /) -> Any:
        return self._after.choice(seq)


def dealt_in(begun: Match[Any], order: list[Card]) -> Match[Any]:
    """A copy of a match that begins, after its first deal in this order."""
    match = begun.fork()
    match.event(f"deal {' '.join(map(cards.text, order))}")
    return match


def contents(match: Match[Any]) -> dict[str, Counter[Card]]:
    """The cards at each place after a deal."""
    seats = {str(seat): Counter(match.game.hand.cards(match.state, seat)) for seat in range(match.players)}
    upcard = match.report().get("upcard")
    card = cards.read(upcard) if isinstance(upcard, str) else None
    return {**seats, UPCARD: Counter([] if card is None else [card])}


def indices_by_place(begun: Match[Any]) -> dict[str, list[int]]:
    """By place, the indices in the order of the deal of the cards that go there. A card that is turned up in a hand has
    two places."""
    pool = pool_of(begun)
    if len({*pool}) == len(pool):
        there = contents(dealt_in(begun, pool))
        return {place: [at for at, card in enumerate(pool) if card in some] for place, some in there.items()}
    return _indices_of_copies(begun, pool)


def _indices_of_copies(begun: Match[Any], pool: list[Card]) -> dict[str, list[int]]:
    """`indices_by_place` of packs with several copies of a card. A card with two copies is put at each index in turn,
    its other copy always at the last index."""
    card = next(card for card, number in Counter(pool).items() if number == 2)
    rest = [other for other in pool if other != card]
    pairs: list[Counter[str]] = []
    for at in range(len(rest) + 1):
        order = [*rest[:at], card, *rest[at:], card]
        pairs.append(Counter({place: some[card] for place, some in contents(dealt_in(begun, order)).items()}))
    last = reduce(and_, pairs)
    places = [*(pair - last for pair in pairs), last]
    return {place: [at for at, own in enumerate(places) if own[place]] for place in pairs[0]}


def _too_many(place: str, room: int, given: int) -> Sentence:
    """The refusal of more cards than a place gets."""
    if place == UPCARD:
        return sentence("the upcard is one card, and {given} are given", given=given)
    return sentence(
        "seat {seat} gets {n} card, and {given} are given",
        "seat {seat} gets {n} cards, and {given} are given",
        seat=place,
        n=room,
        given=given,
    )


@dataclass(frozen=True)
class ConditionedDeal:
    """A first deal that meets a condition."""

    match: Match[Any]
    """The match after it."""
    order: list[Card]
    tries: int
    """The number of deals with the given cards that were drawn until one met the condition."""


class Dealing:
    """First deals that meet a condition, by a first dealer. Raises UpcardError if no deal can meet it."""

    def __init__(self, setup: Game[Any], dealer: int, condition: DealCondition) -> None:
        self.condition = condition
        self._begun = Match(setup, dealer=dealer)
        self._pool = pool_of(self._begun)
        given = dict(condition.given)
        indices = indices_by_place(self._begun)
        taken = indices[UPCARD] if UPCARD in given else []
        self._indices = {
            place: own if place == UPCARD else [at for at in own if at not in taken] for place, own in indices.items()
        }
        """By place, the indices of the cards that go there; those of seats without the upcard, if that is given."""
        self._check(setup)

    def _check(self, setup: Game[Any]) -> None:
        copies = Counter(self._pool)
        for place, some in self.condition.given:
            room = len(self._indices.get(place, ()))
            if place != UPCARD and int(place) >= setup.players:
                last = setup.players - 1
                raise UpcardError(sentence("there is no seat {seat}: seats are 0 to {last}", seat=place, last=last))
            if place == UPCARD and not room:
                title = as_sentence(setup.game.title, setup.game)
                raise UpcardError(sentence("{game} has no upcard at the beginning of a deal", game=title))
            if len(some) > room:
                raise UpcardError(_too_many(place, room, len(some)))
            copies.subtract(some)
        if missing := [card for card, number in copies.items() if number < 0]:
            raise UpcardError(self._lacking(missing[0]))

    def _lacking(self, card: Card) -> Sentence:
        """The refusal of a card that is given more often than the pack has it."""
        number = self._pool.count(card)
        if number == 0:
            return sentence("{card} is not in the pack", card=cards.sign(card))
        given = sum(some.count(card) for _, some in self.condition.given)
        message = "{card} is given {times} times, and the pack has {number}"
        return sentence(message, card=cards.sign(card), times=given, number=number)

    def deal(self, chance: Shuffler, most_tries: int | None = None) -> ConditionedDeal:
        """Draw a deal. Raises UpcardError if none of `most_tries` meets the condition, by default `MOST_TRIES`, and for
        a predicate that fails."""
        most = MOST_TRIES if most_tries is None else most_tries
        for tries in range(1, most + 1):
            order = self._order(chance)
            ways = self._ways(order)
            if ways > 1 and chance.choice(range(ways)):
                continue
            match = dealt_in(self._begun, order)
            if self._is_met(match):
                return ConditionedDeal(match, order, tries)
        places = {"tries": f"{most:,}", "condition": str(self.condition)}
        raise UpcardError(sentence("none of {tries} deals meets the condition {condition}", **places))

    def _order(self, chance: Shuffler) -> list[Card]:
        """An order of the pack with the given cards in their places: each index of a place and each order of the other
        cards is equally likely."""
        order: list[Card | None] = [None] * len(self._pool)
        rest = self._pool[:]
        for place, some in self.condition.given:
            free = self._indices[place][:]
            for card in some:
                order[free.pop(chance.choice(range(len(free))))] = card
                rest.remove(card)
        chance.shuffle(rest)
        others = iter(rest)
        return [next(others) if card is None else card for card in order]

    def _ways(self, order: list[Card]) -> int:
        """In how many ways the given cards can be chosen among the copies at their places. An order is drawn that many
        times as often as others."""
        ways = 1
        for place, some in self.condition.given:
            there = Counter(order[index] for index in self._indices[place])
            for card, number in Counter(some).items():
                ways *= comb(there[card], number)
        return ways

    def _is_met(self, match: Match[Any]) -> bool:
        there = contents(match)
        if any(Counter(some) - there[place] for place, some in self.condition.given):
            return False  # rules that turn up another card in place of some
        return self.condition.where is None or self._accepts(self.condition.where, match)

    def _accepts(self, where: Predicate, match: Match[Any]) -> bool:
        try:
            return bool(where(match))
        except UpcardError:
            raise
        except Exception as error:
            raise UpcardError(f"{predicate_name(where)} fails: {fault(error)}") from error

    @property
    def share_with_cards(self) -> float:
        """The share of all deals that have the given cards at their places, each copy counted for itself: exact for
        packs without copies, and otherwise to be multiplied by the share of orders that `deal` does not reject."""
        copies, share, number = Counter(self._pool), 1.0, 0
        for place, some in self.condition.given:
            for card, times in Counter(some).items():
                share *= comb(copies[card], times)
                copies[card] -= times
            share *= perm(len(self._indices[place]), len(some))
            number += len(some)
        return share / perm(len(self._pool), number)
