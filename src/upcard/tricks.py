"""What games of tricks share: following suit, which card beats which."""

from collections.abc import Sequence

from upcard.cards import NO_SUIT, Card, Cards, Suit, bit, lowest, of_suit, rank_of, suit_of
from upcard.compiled import rule

Ranking = Sequence[int]
"""How strong a card is, by rank; see `upcard.cards.ranking`."""


@rule
def beats(card: Card, best: Card, trump: Suit) -> bool:
    """Whether a card, played after `best`, takes the trick from it: ace high, the suits as printed."""
    if suit_of(card) == suit_of(best):
        return card > best
    return suit_of(card) == trump


@rule
def beats_by(card: Card, best: Card, trump: Suit, strength: Ranking) -> bool:
    """`beats` where the ranks have another order."""
    if suit_of(card) == suit_of(best):
        return strength[rank_of(card)] > strength[rank_of(best)]
    return suit_of(card) == trump


@rule
def follow(hand: Cards, suit: Suit) -> Cards:
    """The cards that follow suit, or any if there are none."""
    return of_suit(hand, suit) or hand


@rule
def higher(cards: Cards, best: Card, strength: Ranking) -> Cards:
    """Those of `cards` that are of the suit of `best` and outrank it."""
    out = 0
    left = of_suit(cards, suit_of(best))
    while left:
        card = lowest(left)
        left &= left - 1
        if beats_by(card, best, NO_SUIT, strength):
            out |= bit(card)
    return out
