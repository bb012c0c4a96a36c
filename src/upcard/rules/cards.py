"""Cards, packs and sets of cards.

A card is a number: 13 times its suit plus its rank, in the order `23456789TJQKA` and `cdhs`; a joker is 52. A set of
cards is one number with a bit for each card, so that "the hearts in this hand" is one `&`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from upcard.rules.marks import machine, rule
from upcard.rules.phrases import brief
from upcard.rules.sentences import Sentence, joined_by, sentence

if TYPE_CHECKING:
    from upcard.rules.state import Row

Card = int
"""A card, from 0 to 51; 52 is a joker, -1 no card."""
Suit = int
"""A suit, from clubs, 0, to spades, 3; -1 is no suit."""
Rank = int
"""A rank, from the two, 0, to the ace, 12."""
Cards = int
"""A set of cards, one bit each."""

RANKS = "23456789TJQKA"
"""The letters of the ranks, by number."""
SUITS = "cdhs"
"""The letters of the suits, by number."""
TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(13)
"""The ranks."""
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
"""The suits."""
JOKER: Card = 52
"""A joker as a card; all jokers are alike."""
NO_CARD: Card = -1
"""The value for "no card"."""
NO_SUIT: Suit = -1
"""The value for "no suit"."""
SUIT_CARDS = 0x1FFF
"""The set of all clubs. Shift it by 13 bits for each further suit."""

SUIT_SIGNS = "♣♦♥♠"
"""The signs of the suits for people, by number."""
SUIT_NAMES = tuple(map(Sentence, ("clubs", "diamonds", "hearts", "spades")))
"""The names of the suits, by number."""
RANK_NAMES = [*map(Sentence, "two three four five six seven eight nine ten jack queen king ace".split())]
"""The names of the ranks, by number."""


def pack(ranks: str = RANKS) -> list[Card]:
    """The cards of these ranks in all four suits, in pack order (s h d c, high to low)."""
    return [suit * 13 + rank for suit in (3, 2, 1, 0) for rank in range(12, -1, -1) if RANKS[rank] in ranks]


def ranking(high_to_low: str) -> tuple[int, ...]:
    """A row of strengths by rank: 0 for a rank that is not in the pack, then 1, 2, … up to the strongest.

    >>> ranking("A T K Q J 9")[ACE]
    6

    Raises ValueError for a word that is not a rank, and for a repeated rank.
    """
    order = high_to_low.split()[::-1]
    if not set(order) <= set(RANKS) or len(set(order)) < len(order):
        raise ValueError(
            f"ranks ({RANKS}) with spaces between them, the strongest first, each once, not {high_to_low!r:.60}"
        )
    return tuple(order.index(rank) + 1 if rank in order else 0 for rank in RANKS)


def values(**worth: int) -> tuple[int, ...]:
    """A row of card values by rank, 0 by default: `values(A=11, T=10)`. Raises ValueError for an unknown rank."""
    if wrong := set(worth) - set(RANKS):
        raise ValueError(f"worths by rank ({RANKS}), not {min(wrong)!r:.60}")
    return tuple(worth.get(rank, 0) for rank in RANKS)


_TEXTS = (*(rank + suit for suit in SUITS for rank in RANKS), "*")


def text(card: Card) -> str:
    """The text of a card in notation: `As`, `Td`, `*` for a joker."""
    return _TEXTS[card]


def named(number: int) -> str:
    """The text of a card for a message, or the number itself if it is not a card."""
    return text(number) if 0 <= number <= JOKER else brief(number)


_JOKER = Sentence("Joker")


def sign(card: Card) -> str:
    """The text of a card for people: `A♠`, `10♦`, `Joker`."""
    if card == JOKER:
        return _JOKER
    return ("10" if card % 13 == TEN else RANKS[card % 13]) + SUIT_SIGNS[card // 13]


def spoken(card: Card) -> Sentence:
    """The spoken name of a card: `ace of spades`, `joker`."""
    if card == JOKER:
        return sentence("joker")
    return sentence("{rank} of {suit}", rank=RANK_NAMES[card % 13], suit=SUIT_NAMES[card // 13])


def signs(cards: Cards) -> str:
    """The cards of a set for people: `A♠ 10♦`."""
    return signs_of(as_list(cards))


def signs_of(cards: Iterable[Card]) -> Sentence:
    """These cards for people, in this order: `A♠ 10♦`."""
    return _signs_of(tuple(cards))


@lru_cache(maxsize=1 << 12)
def _signs_of(cards: tuple[Card, ...]) -> Sentence:
    return joined_by(" ", map(sign, cards))


_SUIT_LETTERS = {
    letter: suit for signs in (SUITS, SUITS.upper(), SUIT_SIGNS, "♧♢♡♤") for suit, letter in enumerate(signs)
}
_RANK_TEXTS = {r: i for i, r in enumerate(RANKS)} | {r.lower(): i for i, r in enumerate(RANKS)} | {"10": TEN}
_CARDS = {r + s: 13 * suit + rank for r, rank in _RANK_TEXTS.items() for s, suit in _SUIT_LETTERS.items()} | {
    "*": JOKER
}


def read(word: str) -> Card | None:
    """The card that a text names (`As`, `as`, `A♠`, `10♦`, `*`), or None."""
    return _CARDS.get(word)


def read_suit(word: str) -> Suit | None:
    """The suit that a letter or sign names, or None."""
    return _SUIT_LETTERS.get(word)


def read_rank(word: str) -> Rank | None:
    """The rank that a text names, or None."""
    return _RANK_TEXTS.get(word)


def as_set(cards: Iterable[Card]) -> Cards:
    """The set of these cards."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def as_list(cards: Cards) -> list[Card]:
    """The cards of a set in pack order: suits s h d c, in a suit the ace first; the joker last."""
    if not cards:
        return []
    s, h, d, c = cards >> 39 & SUIT_CARDS, cards >> 26 & SUIT_CARDS, cards >> 13 & SUIT_CARDS, cards & SUIT_CARDS
    joker = [JOKER] * (cards >> JOKER & 1)
    return [*_of_suit(39, s), *_of_suit(26, h), *_of_suit(13, d), *_of_suit(0, c), *joker]


@lru_cache(maxsize=4 << 13)
def _of_suit(lowest: Card, ranks: int) -> tuple[Card, ...]:
    """The cards of one suit, the highest first: `lowest` is the suit's lowest card, `ranks` has a bit for each card."""
    return tuple(lowest + rank for rank in range(12, -1, -1) if ranks >> rank & 1)


class CardSet(int):
    """A set of cards that prints as `{K♥ Q♥}`. It is an integer, equal to the plain integers used for sets elsewhere.

    >>> CardSet.of("Kh Qh 9c")
    {K♥ Q♥ 9♣}
    >>> len(CardSet.of("Kh Qh")), JOKER in CardSet.of("Kh Qh")
    (2, False)
    """

    @classmethod
    def of(cls, texts: str) -> CardSet:
        """The set of the cards in a text. Raises ValueError for a word that is not a card."""
        by_word = {word: read(word) for word in texts.split()}
        if wrong := [word for word, named in by_word.items() if named is None]:
            raise ValueError(f"{wrong[0]!r} is no card")
        return cls(as_set(named for named in by_word.values() if named is not None))

    def __iter__(self) -> Iterator[Card]:
        return iter(as_list(self))

    def __len__(self) -> int:
        return self.bit_count()

    def __contains__(self, card: Card) -> bool:
        return bool(self >> card & 1)

    def __repr__(self) -> str:
        return "{" + signs(self) + "}"

    __str__ = __repr__


@rule
def card(rank: Rank, suit: Suit) -> Card:
    """The card of a rank and a suit."""
    return suit * 13 + rank


@rule
def bit(c: Card) -> Cards:
    """The set of only this card."""
    return 1 << c


@rule
def suit_of(c: Card) -> Suit:
    """The suit of a card, from 0 to 3, or 4 for a joker. (For these numbers `c * 79 >> 10` equals `c // 13`.)"""
    return c * 79 >> 10


@rule
def rank_of(c: Card) -> Rank:
    """The rank of a card, from 0 to 12, or 0 for a joker."""
    return c - (c * 79 >> 10) * 13


@rule
def all_of(suit: Suit) -> Cards:
    """All thirteen cards of a suit."""
    return SUIT_CARDS << 13 * suit


@rule
def of_suit(cards: Cards, suit: Suit) -> Cards:
    """The cards of a set that are of this suit."""
    return cards & SUIT_CARDS << 13 * suit


@rule
def of_rank(cards: Cards, rank: Rank) -> Cards:
    """The cards of a set that are of this rank."""
    return cards & 0x8004002001 << rank


@rule
def below_in_suit(cards: Cards, rank: Rank) -> Cards:
    """The cards of this rank in a set that also has the next higher card of their suit: queens with their kings."""
    return of_rank(cards & cards >> 1, rank)


@machine("llvm.ctpop")
@rule
def count(cards: Cards) -> int:
    """The number of cards in a set."""
    return cards.bit_count()


@rule
def total_worth(cards: Cards, value: Row) -> int:
    """The sum of the values of the cards in a set; `value` is a row by rank."""
    total = 0
    for rank in range(13):
        total += value[rank] * count(of_rank(cards, rank))
    return total


@machine("llvm.cttz")
@rule
def lowest(cards: Cards) -> Card:
    """The card with the lowest number in a set that is not empty; within a suit, the lowest rank."""
    return (cards & -cards).bit_length() - 1


@machine("llvm.ctlz")
@rule
def leading_zeros(cards: Cards) -> int:
    """The number of zero bits above the highest card, of 64."""
    return 64 - cards.bit_length()


@rule
def highest(cards: Cards) -> Card:
    """The card with the highest number in a set that is not empty; within a suit, the highest rank."""
    return 63 - leading_zeros(cards)


@rule
def nth_card(cards: Cards, k: int) -> Card:
    """The card with the k-th lowest number in a set, from 0."""
    for _ in range(k):
        cards &= cards - 1
    return lowest(cards)
