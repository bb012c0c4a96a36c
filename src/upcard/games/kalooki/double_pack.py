"""Rules shared by games with two packs and jokers. A hand is three numbers (see `MeldState`): `hand`, the set of cards
in it; `twice`, the subset of those that it has twice; and the number of jokers.

Runs use places instead of ranks, because the ace is both low and high: place 0 is the low ace, 1 to 12 are two to king,
13 is the high ace. A set of places is one number, like a set of cards.
"""

from typing import Any

from upcard.rules.cards import ACE, JOKER, SUIT_CARDS, Card, Cards, Rank, Suit, bit
from upcard.rules.knowledge import Holding
from upcard.rules.marks import large, rule
from upcard.rules.renamed import former_names
from upcard.rules.state import GameState, PerSeat, held, per_seat

PlaceSet = int
"""A set of places in a run, one bit each."""
Ranks = int
"""A set of ranks, one bit each."""
Suits = int
"""A set of suits, one bit each."""

HIGH_ACE = 13
WHOLE_PACK = (1 << 52) - 1
LOWEST_RANKS = 0x8004002001
"""The two of each suit. Multiplying this by a set of ranks gives the set of all cards of these ranks."""
ALL_ACES = LOWEST_RANKS << ACE

# --------------------------------------------------------------------------------------------------------- the hands


class MeldState(GameState):
    """Hands from a double pack with jokers, and the part of each that everybody knows."""

    hand: PerSeat = held(shown="shown")  # the cards of each seat, one copy of each
    twice: PerSeat = held(shown="shown_twice", cards="second")  # those of which the seat holds both copies
    jokers: PerSeat = held(shown="shown_jokers", cards="jokers")  # the number of jokers of each seat
    shown: PerSeat = per_seat(of="set")  # the part of each hand that all have seen
    shown_twice: PerSeat = per_seat(of="set")  # those of which all have seen both copies
    shown_jokers: PerSeat = per_seat()  # the number of jokers that all have seen


HAND = Holding("hand", "twice", "jokers")
SHOWN = Holding("shown", "shown_twice", "shown_jokers")


@large
@rule
def gain(s: Any, seat: int, c: Card, seen: bool) -> None:
    """Add a card to a hand; `seen` means that everybody knows which card it is."""
    if c == JOKER:
        s.jokers[seat] += 1
        s.shown_jokers[seat] += seen
        return
    s.twice[seat] |= s.hand[seat] & bit(c)
    s.hand[seat] |= bit(c)
    if seen:
        s.shown_twice[seat] |= s.shown[seat] & bit(c)
        s.shown[seat] |= bit(c)


@large
@rule
def lose(s: Any, seat: int, c: Card) -> None:
    """Remove a card from a hand, openly. If the seat holds two of it, the one that everybody knows is removed first."""
    if c == JOKER:
        s.jokers[seat] -= 1
        s.shown_jokers[seat] = max(s.shown_jokers[seat] - 1, 0)
        return
    s.hand[seat] = once_less(s.hand[seat], s.twice[seat], bit(c))
    s.twice[seat] &= ~bit(c)
    s.shown[seat] = once_less(s.shown[seat], s.shown_twice[seat], bit(c))
    s.shown_twice[seat] &= ~bit(c)


@rule
def show_hand(s: Any, seat: int) -> None:
    """Make a whole hand known to everybody."""
    s.shown[seat] = s.hand[seat]
    s.shown_twice[seat] = s.twice[seat]
    s.shown_jokers[seat] = s.jokers[seat]


@rule
def empty_handed(s: Any, seat: int) -> bool:
    """Whether a seat holds neither cards nor jokers."""
    return not s.hand[seat] and not s.jokers[seat]


@rule
def once_less(hand: Cards, twice: Cards, gone: Cards) -> Cards:
    """The new `hand` after removing one copy of each of the cards `gone`; the new `twice` is `twice & ~gone`."""
    return hand & ~(gone & ~twice)


# ---------------------------------------------------------------------------------------------------------- places


@rule
def places_of(cards: Cards, suit: Suit) -> PlaceSet:
    """The places in a run of this suit that these cards can fill; an ace fills both of its places."""
    ranks = cards >> 13 * suit & SUIT_CARDS
    return ranks << 1 | ranks >> ACE


@rule
def cards_at(places: PlaceSet, suit: Suit) -> Cards:
    """The cards at these places of a run in this suit."""
    return (places >> 1 | (places & 1) << ACE) << 13 * suit


@rule
def in_rank(suits: Suits, rank: Rank) -> Cards:
    """The cards of a rank in these suits."""
    return (suits * 0x1001001001 & LOWEST_RANKS) << rank  # four copies, each shifted by another 12 bits


@rule
def column(cards: Cards, rank: Rank) -> Suits:
    """The suits in which a set contains the card of this rank."""
    ranks = cards >> rank
    return ranks & 1 | ranks >> 12 & 2 | ranks >> 24 & 4 | ranks >> 36 & 8


__getattr__ = former_names(__name__, Places="PlaceSet")
