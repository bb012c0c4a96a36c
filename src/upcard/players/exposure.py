"""Moves that lay cards open: the others then play against them, which rollouts by heuristic do not show.

Such a move is tried once more, against players who look ahead, and made only if it is better than the others even so.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.answers import try_answered
from upcard.compiled.worlds import Dealer
from upcard.engine.mistakes import SLACK
from upcard.engine.views import View, view
from upcard.engine.worlds import Worlds

SOME = 4
"""Moves of a view that are looked at to find a game where moves lay cards open: such words stand last."""
WORLDS, ENDS = 128, 4
"""In so many worlds, everybody trying each move with so many ends of the deal."""


def exposes(seen: View[Any], move: int, rng: Random) -> bool:
    """Whether a move lays open a card of its seat that it does not name, in a world of this view."""
    if move < 64:
        return False
    game, seat = seen.game, seen.seat or 0
    state = Worlds(seen).sample(rng)
    mine = {*game.hand.cards(state, seat)}
    for name in game.aside:
        mine |= {card for card in range(64) if getattr(state, name)[seat] >> card & 1}
    before = _open_cards(seen, state)
    game.apply(state, seen.options, seat, move)
    return bool((_open_cards(seen, state) - before - {*game.notation.cards(move)}) & mine)


def make_ready_for(views: Iterable[View[Any]], policies: NDArray[Any]) -> None:
    """Have compiled what is needed where one of these seats has a move that lays cards open."""
    for seen in views:
        moves = seen.legal_moves()[-SOME:]
        if any(exposes(seen, move, Random(1)) for move in moves):
            answered(Dealer(seen), moves, policies, 1)
            return


def _open_cards(seen: View[Any], state: Any) -> set[int]:
    return set(seen.game.all_cards(view(seen.setup, state, None).state))


def answered(
    dealer: Dealer, moves: list[int], policies: NDArray[Any], seed: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The same as `Dealer.try_moves`, against players who look ahead."""
    run = dealer.program
    tables = run.states(WORLDS + 2)
    tables[:WORLDS] = dealer.deal(WORLDS, seed)
    utilities = np.zeros((len(moves), WORLDS), np.int64)
    wins = np.zeros((len(moves), WORLDS))
    tried = np.zeros(run.game.most_moves + SLACK, np.int64)
    run.entry(try_answered)(
        tables,
        dealer.options,
        dealer.scratch,
        policies,
        dealer.worlds.me,
        np.array(moves, np.int64),
        tried,
        ENDS,
        utilities,
        wins,
    )
    return utilities, wins
