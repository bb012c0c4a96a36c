"""Endgames of two with no card left face down: each knows what the other holds, so they can be solved."""

from __future__ import annotations

from random import Random

import numpy as np

from upcard import fast
from upcard.game import only
from upcard.players import compiled
from upcard.views import View
from upcard.worlds import Worlds

NODES = 200_000
"""Longer endgames are given up: about a tenth of a second at most."""
DEEPEST = 64


def solved(view: View, moves: list[int], rng: Random) -> int | None:
    """The first of these moves that is best against perfect play; None where that cannot be known."""
    game, seat = view.game, view.seat
    if seat is None or view.state.players != 2 or view.state.to_act != only(seat):
        return None
    if game.complete or game.aside or any(view.piles.values()):
        return None
    compiled.prepare(game)
    tables = fast.states(game, DEEPEST)
    fast.put(tables, 0, Worlds(view).sample(rng))
    levels = compiled.levels(game, DEEPEST)
    nodes = np.array([NODES])
    options = fast.options_record(game, view.options)
    best: int = compiled.solve_moves(tables, options, levels, seat, np.array(moves), nodes)
    return None if best < 0 else moves[best]
