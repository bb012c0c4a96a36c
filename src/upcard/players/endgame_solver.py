"""Two-player endgames with no face-down card left: each player knows the other's hand, so they can be solved."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from upcard.compiled.program import program
from upcard.compiled.solver import levels, solve_moves
from upcard.engine.views import View
from upcard.engine.worlds import worlds_for
from upcard.rules.knowledge import aside_fields
from upcard.rules.seats import only

NODES = 200_000
"""The most positions examined, in about a tenth of a second; larger endgames are not solved."""
DEEPEST = 64


def solved(view: View[Any], moves: list[int], rng: Random) -> int | None:
    """The first of these moves that is best against perfect play; None if the endgame cannot be solved."""
    game, seat = view.game, view.seat
    if seat is None or view.state.players != 2 or view.state.to_act != only(seat):
        return None
    if game.defines("complete") or aside_fields(game.state, game.hand) or any(view.piles.values()):
        return None
    run = program(game)
    tables = run.states(DEEPEST)
    run.put(tables, 0, worlds_for(view).sample(rng))
    nodes = np.array([NODES])
    solve = run.entry(solve_moves)
    best: int = solve(tables, run.options(view.setup), levels(run, DEEPEST), seat, np.array(moves), nodes)
    return None if best < 0 else moves[best]
