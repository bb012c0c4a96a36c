"""Melds on the table: threes (sets of one rank) and fours (runs of one suit) of two packs and jokers.

A meld is one number. Bits 0 to 2 are its owner, and 3 to 7 its kind (a three's rank, or 13 plus a four's suit). Bits
8 to 21 are its cards (a four's places; a three's suits, and four bits higher the suits that it has twice). The bits
from 22 on are its jokers (their places in a four, their number in a three).
"""

from upcard.games.kalooki.double_pack import HIGH_ACE, WHOLE_PACK, PlaceSet, cards_at, column, in_rank, places_of
from upcard.rules.cards import (
    ACE,
    JOKER,
    Card,
    Cards,
    Rank,
    Suit,
    bit,
    count,
    highest,
    lowest,
    of_rank,
    rank_of,
    suit_of,
)
from upcard.rules.marks import rule
from upcard.rules.notation import item, items_of

Meld = int
"""A meld on the table as one number."""


@rule
def three_meld(owner: int, rank: Rank, ones: Cards, twos: Cards, jokers: int) -> Meld:
    """A three of these natural cards and jokers; `twos` are the cards that it contains twice."""
    return owner | rank << 3 | (column(ones, rank) | column(twos, rank) << 4) << 8 | jokers << 22


@rule
def four_meld(owner: int, suit: Suit, low: int, gaps: PlaceSet) -> Meld:
    """A four of four cards from place `low` on, with jokers in these gaps (counted from `low`)."""
    return owner | 13 + suit << 3 | 15 << low << 8 | gaps << low << 22


@rule
def meld_of(owner: int, lay: int) -> Meld:
    """The meld that a `lay` makes: a three of three cards or a four of four."""
    ones = 0
    twos = 0
    gaps = 0
    mark = 0  # a natural card; `at` is its position in the meld
    at = 0
    for i in range(items_of(lay)):
        c = item(lay, i)
        if c == JOKER:
            gaps |= 1 << i
        else:
            twos |= ones & bit(c)
            ones |= bit(c)
            mark = c
            at = i
    if items_of(lay) == 3:
        return three_meld(owner, rank_of(mark), ones, twos, count(gaps))
    low = 0 if rank_of(mark) == ACE and at < 3 else rank_of(mark) + 1 - at  # an ace that is not the last card is low
    return four_meld(owner, suit_of(mark), low, gaps)


@rule
def owner_of(meld: Meld) -> int:
    """The seat that laid a meld."""
    return meld & 7


@rule
def is_four(meld: Meld) -> bool:
    """Whether a meld is a four, a run in one suit, rather than a three."""
    return meld >> 3 & 31 >= 13


@rule
def kind_of(meld: Meld) -> int:
    """A three's rank, or 13 plus a four's suit."""
    return meld >> 3 & 31


@rule
def span_of(meld: Meld) -> PlaceSet:
    """The places that a four covers, jokers included."""
    return meld >> 8 & 0x3FFF


@rule
def jokers_in(meld: Meld) -> PlaceSet:
    """The places of a four's jokers, or the number of a three's."""
    return meld >> 22


@rule
def open_place(span: PlaceSet) -> int:
    """The next place of a four: upwards to the ace, then downwards to the two, never to a second ace; -1 if there is
    none."""
    if span >> HIGH_ACE & 1:
        low = lowest(span)
        return low - 1 if low > 1 else -1
    high = highest(span)
    return -1 if high == HIGH_ACE - 1 and span & 1 else high + 1


@rule
def end_place(span: PlaceSet) -> int:
    """The place in a four next to its open one."""
    return lowest(span) if span >> HIGH_ACE & 1 else highest(span)


@rule
def takes(meld: Meld) -> Cards:
    """The cards, possibly including the joker, that can be tacked on to a meld."""
    if not is_four(meld):
        return of_rank(WHOLE_PACK, kind_of(meld)) | bit(JOKER)
    suit = kind_of(meld) - 13
    span = span_of(meld)
    place = open_place(span)
    if place < 0:
        return 0
    end = 1 << end_place(span)
    on = cards_at(1 << place, suit)
    if jokers_in(meld) & end:  # no second joker may be next to this one
        return on | cards_at(end, suit)
    return on | cards_at(jokers_in(meld), suit) | bit(JOKER)


@rule
def tacked(meld: Meld, card: Card) -> Meld:
    """The meld with one of the cards in `takes(meld)` tacked on."""
    if not is_four(meld):
        if card == JOKER:
            return meld + (1 << 22)
        suit = suit_of(card)
        return meld | 1 << (12 if meld >> 8 + suit & 1 else 8) + suit
    place = 1 << open_place(span_of(meld))
    grown = meld | place << 8
    if card == JOKER:
        return grown | place << 22
    stood_for = jokers_in(meld) & places_of(bit(card), suit_of(card))
    return (grown ^ stood_for << 22) | place << 22 if stood_for else grown


@rule
def meld_naturals(meld: Meld) -> tuple[Cards, Cards]:
    """The natural cards of a meld, and the subset that it contains twice."""
    kind = kind_of(meld)
    span = span_of(meld)
    if is_four(meld):
        return cards_at(span & ~jokers_in(meld), kind - 13), 0
    return in_rank(span & 15, kind), in_rank(span >> 4, kind)


def meld_cards(meld: Meld) -> list[Card]:
    """The cards of a meld: a three by suit with its jokers last, a four from low to high."""
    kind = kind_of(meld)
    if is_four(meld):
        suit = kind - 13
        places = [place for place in range(HIGH_ACE + 1) if span_of(meld) >> place & 1]
        return [JOKER if jokers_in(meld) >> place & 1 else 13 * suit + (place + 12) % 13 for place in places]
    cards: list[Card] = []
    for suit in (3, 2, 1, 0):
        copies = (meld >> 8 + suit & 1) + (meld >> 12 + suit & 1)
        cards += [13 * suit + kind] * copies
    return cards + [JOKER] * jokers_in(meld)
