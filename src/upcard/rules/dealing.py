"""Rules for dealing cards, for the stock, and for the end of a deal or match.

The rules that deal and draw work on any state with the fields `hand` (the hands of its seats), `stock` (a pile, its top
last) and `left` (the number of cards in the stock).
"""

from __future__ import annotations

from typing import Any

from upcard.rules.cards import NO_CARD, Card, bit
from upcard.rules.marks import rule
from upcard.rules.seats import left_of
from upcard.rules.state import DEAL, RESHUFFLE, GameState, Pile


@rule
def deal_in_lots(s: Any, order: Pile, size: int, lot: int) -> int:
    """Deal `size` cards to each seat, `lot` at a time, starting left of the dealer; returns the number dealt in all."""
    dealt = 0
    for begun in range(0, size, lot):
        seat = s.dealer
        for _ in range(s.players):
            seat = left_of(s, seat)
            for _ in range(min(lot, size - begun)):
                s.hand[seat] |= bit(order[dealt])
                dealt += 1
    return dealt


@rule
def lay_stock(s: Any, order: Pile, first: int, end: int) -> None:
    """Make the stock from the cards `order[first:end]`, the first of them on top."""
    s.left = end - first
    for i in range(s.left):
        s.stock[i] = order[end - 1 - i]


@rule
def draw_top(s: Any) -> Card:
    """Take the top card from the stock and return it."""
    left = s.left - 1
    top: Card = s.stock[left]
    s.stock[left] = NO_CARD
    s.left = left
    return top


@rule
def swap_upcard(s: Any, seat: int, own: Card) -> None:
    """Exchange a card of a seat's hand for the upcard, which everybody then knows to be in the hand (`shown`)."""
    s.hand[seat] ^= bit(own) | bit(s.upcard)
    s.shown[seat] = s.shown[seat] & ~bit(own) | bit(s.upcard)
    s.upcard = own


@rule
def await_deal(s: GameState, dealer: int) -> None:
    """Await the next deal, in the first phase, with this dealer."""
    s.phase = 0
    s.to_act = 0
    s.awaiting = DEAL
    s.dealer = dealer


@rule
def await_reshuffle(s: GameState, phase: int) -> None:
    """Await a reshuffle of the stock, in this phase."""
    s.phase = phase
    s.to_act = 0
    s.awaiting = RESHUFFLE


@rule
def finish_match(s: GameState, done: int, winners: int) -> None:
    """End the match, in the phase `done`, with this set of winners."""
    s.phase = done
    s.to_act = 0
    s.winners = winners
