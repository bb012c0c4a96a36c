"""Rules that trick-taking games share: the trick itself, following suit, and which card beats which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from upcard.rules.cards import NO_CARD, NO_SUIT, Card, Cards, Suit, all_of, bit, lowest, of_suit, rank_of, suit_of
from upcard.rules.marks import rule
from upcard.rules.seats import among, only
from upcard.rules.state import GameState, PerSeat, Row, open_field, open_seat, open_seats, per_seat

Ranking = Sequence[int]
"""A row of strengths by rank: see `upcard.rules.cards.ranking`."""
ANY_CARD: Cards = (1 << 53) - 1
"""The set of all cards and the joker."""


class TrickState(GameState):
    """A state with the current trick, and the facts remembered from earlier tricks.

    The rules below work on any state that has these fields and a field `hand` with the hands of its seats.
    """

    leader: int = open_seat()  # the seat that leads or led the trick
    led: Cards = open_field(of="set")  # the cards that follow the lead; empty before the lead
    better: Cards = open_field(of="set")  # the cards that would now take the lead in the trick
    ahead: int = open_seat()  # the seat that is winning the trick so far
    card: PerSeat = per_seat(NO_CARD, of="card")  # the last card that each seat has played
    in_trick: int = open_seats()  # the seats that have played to the trick
    lacks: PerSeat = per_seat(of="set")  # the cards that each seat has shown it does not hold
    taker: int = open_seat(kept=True)  # the winner of the last trick; kept after the deal
    tricks: PerSeat = per_seat()  # the number of tricks taken in this deal


@rule
def take_lead(s: Any, seat: int) -> None:
    """Begin a trick, with this seat to lead."""
    s.leader = seat
    s.to_act = only(seat)
    s.led = 0
    s.better = ANY_CARD
    s.in_trick = 0


@rule
def lead_trick(s: Any, seat: int, card: Card, follow: Cards, over: Cards) -> None:
    """Lead a card from a hand: a faster `put_in_trick` for the first card of a trick."""
    s.hand[seat] ^= bit(card)
    s.card[seat] = card
    s.in_trick = only(seat)
    s.led = follow
    s.ahead = seat
    s.better = over


@rule
def put_in_trick(s: Any, seat: int, card: Card, follow: Cards, over: Cards) -> None:
    """Play a card from a hand to the trick.

    `follow` is the set of cards that follow this card if it is led; `over` is the set of cards that beat it. A seat
    that does not follow the lead has shown that it lacks all cards that would.
    """
    played = bit(card)
    s.hand[seat] ^= played
    s.card[seat] = card
    s.in_trick |= only(seat)
    s.lacks[seat] |= 0 if s.led & played else s.led
    s.led = s.led or follow
    if s.better & played:
        s.ahead = seat
        s.better = over


@rule
def trick_goes_on(s: Any, seat: int) -> bool:
    """Whether `seat`, the next in turn, still has to play to the trick; if so, it is now to act."""
    if seat == s.leader:
        return False
    s.to_act = only(seat)
    return True


@rule
def follows(s: Any, seat: int) -> Cards:
    """The cards that a seat may play if it must follow the lead: those that follow, or all if it has none."""
    hand: Cards = s.hand[seat]
    return hand & s.led or hand


@rule
def cards_in_trick(s: Any) -> Cards:
    """The set of the cards in the unfinished trick."""
    cards = 0
    for seat in range(s.players):
        if among(s.in_trick, seat):
            cards |= bit(s.card[seat])
    return cards


@rule
def win_trick(s: Any) -> int:
    """Give the trick to the seat that is winning it; returns that seat."""
    s.taker = s.ahead
    s.tricks[s.ahead] += 1
    s.in_trick = 0
    return int(s.ahead)


@rule
def winner_leads(s: Any) -> bool:
    """Give the trick to the seat that is winning it, which leads the next trick if it has cards left; returns whether
    it has."""
    taker = win_trick(s)
    if s.hand[taker] == 0:
        return False
    take_lead(s, taker)
    return True


@rule
def above(card: Card) -> Cards:
    """The higher cards of the same suit, ace high."""
    return all_of(suit_of(card)) & -2 * bit(card)


@rule
def beating(card: Card, trump: Suit) -> Cards:
    """The cards that beat this one, ace high: the higher cards of its suit, and all trumps if it is not a trump."""
    if suit_of(card) == trump or trump == NO_SUIT:
        return above(card)
    return above(card) | all_of(trump)


def trick_of(s: TrickState) -> list[tuple[int, Card]]:
    """The seats and cards of the trick, in order of play."""
    seats = ((s.leader + i) % s.players for i in range(s.players))
    return [(seat, s.card[seat]) for seat in seats if s.in_trick >> seat & 1]


def masks_above(strength: Ranking) -> tuple[int, ...]:
    """A row with, for each rank, the stronger ranks as a set of clubs: the argument of `stronger`."""
    return tuple(sum(1 << other for other in range(13) if strength[other] > strength[rank] > 0) for rank in range(13))


@rule
def stronger(above: Row, card: Card) -> Cards:
    """The cards of the same suit that outrank this one; `above` comes from `masks_above`."""
    return above[rank_of(card)] << 13 * suit_of(card)


@rule
def beats(card: Card, best: Card, trump: Suit) -> bool:
    """Whether a card played after `best` beats it, ace high."""
    if suit_of(card) == suit_of(best):
        return card > best
    return suit_of(card) == trump


@rule
def beats_by(card: Card, best: Card, trump: Suit, strength: Row | Ranking) -> bool:
    """Like `beats`, with another order of the ranks."""
    if suit_of(card) == suit_of(best):
        return strength[rank_of(card)] > strength[rank_of(best)]
    return suit_of(card) == trump


@rule
def follow(hand: Cards, suit: Suit) -> Cards:
    """The cards of a hand that follow suit, or all if there are none."""
    return of_suit(hand, suit) or hand


@rule
def higher(cards: Cards, best: Card, strength: Ranking) -> Cards:
    """The cards that are of the suit of `best` and outrank it."""
    out = 0
    left = of_suit(cards, suit_of(best))
    while left:
        card = lowest(left)
        left &= left - 1
        if beats_by(card, best, NO_SUIT, strength):
            out |= bit(card)
    return out
