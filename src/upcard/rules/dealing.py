"""What deals share: so many cards each, the stock that is left of the pack, and what follows when one is over.

Those that deal and draw work on any state with the hands (`hand`) of its seats, and with a `stock` whose top lies last
and of which `left` says how many cards it has.
"""

from __future__ import annotations

from typing import Any

from upcard.rules.cards import NO_CARD, Card, bit
from upcard.rules.marks import rule
from upcard.rules.seats import left_of
from upcard.rules.state import DEAL, RESHUFFLE, GameState, Pile


@rule
def deal_in_lots(s: Any, order: Pile, size: int, lot: int) -> int:
    """Deal so many cards to each seat, in lots, left of the dealer first; returns how many were dealt in all."""
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
    """These cards of the order, from `first` on and before `end`, become the stock."""
    s.left = end - first
    for i in range(s.left):
        s.stock[i] = order[end - 1 - i]


@rule
def draw_top(s: Any) -> Card:
    """The top card leaves the stock."""
    left = s.left - 1
    top: Card = s.stock[left]
    s.stock[left] = NO_CARD
    s.left = left
    return top


@rule
def swap_upcard(s: Any, seat: int, own: Card) -> None:
    """A seat fetches the upcard, for all to see (`shown`), and leaves a card of its own in its place."""
    s.hand[seat] ^= bit(own) | bit(s.upcard)
    s.shown[seat] = s.shown[seat] & ~bit(own) | bit(s.upcard)
    s.upcard = own


@rule
def await_deal(s: GameState, dealer: int) -> None:
    """The next deal is awaited, in the first phase; this seat deals."""
    s.phase = 0
    s.to_act = 0
    s.awaiting = DEAL
    s.dealer = dealer


@rule
def await_reshuffle(s: GameState, phase: int) -> None:
    """The stock is to be made anew, in this phase."""
    s.phase = phase
    s.to_act = 0
    s.awaiting = RESHUFFLE


@rule
def finish_match(s: GameState, done: int, winners: int) -> None:
    """The match is over, in the last phase, `done`; these seats have won."""
    s.phase = done
    s.to_act = 0
    s.winners = winners
