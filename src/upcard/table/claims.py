"""Whether a seat takes all remaining tricks, whatever the others hold and play.

It is decided from the claimant's view alone, so that the answer reveals nothing: no card that another seat may hold
beats any of the claimant's when it is led. This covers every world (determinization) of the view, and more. That
nothing but playing cards can happen until the hands are empty is checked by playing out a few sampled worlds.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from upcard.engine.mistakes import listed_moves, obey
from upcard.engine.views import View
from upcard.engine.worlds import NoWorld, whole_pack, worlds_for
from upcard.rules import cards
from upcard.rules.cards import Card, Cards
from upcard.rules.knowledge import shown_to_lack
from upcard.rules.seats import acts, only
from upcard.rules.state import seats_of
from upcard.rules.tricks import TrickState

TRIED = 4
"""The number of sampled worlds whose remaining tricks are played out."""


def takes_the_rest(view: View[Any]) -> bool:
    """Whether the seat of this view is about to lead and takes every remaining trick of the deal."""
    seat = view.seat
    if seat is None or not may_claim(view):
        return False
    rng = Random(0)
    try:
        worlds = [worlds_for(view).sample(rng) for _ in range(TRIED)]
    except NoWorld:
        return False
    others = _may_hold(view, seat)
    moves = view.legal_moves()
    return not any(_beaten_by(view, worlds[0], seat, move) & others for move in moves) and all(
        _plays_out(view, world, seat, rng) for world in worlds
    )


def may_claim(view: View[Any]) -> bool:
    """Whether the seat of this view is about to lead to a trick and can do nothing else."""
    seat, state = view.seat, view.state
    if seat is None or not isinstance(state, TrickState):
        return False
    return _leads(state, seat) and _are_plays(view, view.legal_moves())


def _leads(state: Any, seat: int) -> bool:
    return bool(state.to_act == only(seat) and state.in_trick == 0)


def _only_plays(view: View[Any], state: Any, seat: int) -> bool:
    """Whether a seat can do nothing but play a card."""
    return _are_plays(view, listed_moves(view.setup, state, seat))


def _are_plays(view: View[Any], moves: list[int]) -> bool:
    return bool(moves) and all(view.game.notation.spec(move).plays for move in moves)


def _may_hold(view: View[Any], seat: int) -> Cards:
    """The cards that somebody else may still hold, as far as this seat knows."""
    game, state = view.game, view.state
    others = [other for other in range(state.players) if other != seat and view.sizes[other]]
    in_hands = Counter(card for other in range(state.players) for card in game.hand.cards(state, other))
    gone = Counter(view.setup.all_cards(state)) - in_hands
    mine = Counter(game.hand.cards(state, seat))
    left = cards.as_set((Counter(whole_pack(view.setup)) - gone - mine).keys())
    lacks = shown_to_lack(state)
    held = 0
    for other in others:
        held |= left & ~lacks[other]
    return held


def _beaten_by(view: View[Any], world: Any, seat: int, move: int) -> Cards:
    """The cards that would beat the card led with this move."""
    after = world.copy()
    obey(view.game, view.setup.apply, after, seat, move)
    better: Cards = after.better
    return better


def _plays_out(view: View[Any], state: Any, seat: int, rng: Random) -> bool:
    """Whether the seat takes every trick of a random playout of this world, until its hand is empty."""
    setup = view.setup
    while (held := len(_hand(view, state, seat))) and _leads(state, seat):
        while len(_hand(view, state, seat)) == held or state.in_trick:
            mover = seats_of(state.to_act)[0] if state.to_act else seat
            if not acts(state, mover) or not _only_plays(view, state, mover):
                return False
            obey(setup.game, setup.apply, state, mover, rng.choice(listed_moves(setup, state, mover)))
        if state.taker != seat or len(_hand(view, state, seat)) != held - 1:
            return False
    return not _hand(view, state, seat)


def _hand(view: View[Any], state: Any, seat: int) -> list[Card]:
    return [*view.game.hand.cards(state, seat)]
