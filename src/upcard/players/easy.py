"""The easy player: the heuristic of the game, with occasional errors like those of beginners."""

from __future__ import annotations

from random import Random
from typing import Any

from upcard.engine.views import View
from upcard.players.computer import Computer
from upcard.players.heuristic import heuristic_move
from upcard.policies.similar_moves import SLIPS, slip_of
from upcard.rules.rng import LUCK


class Easy(Computer):
    """Plays the heuristic's choice, or a similar move in one of `SLIPS` decisions; in plain Python, so that it can
    start without compiling."""

    def move(self, view: View[Any], rng: Random) -> int:
        moves = view.legal_moves()
        move = heuristic_move(view, moves, rng)
        if rng.randrange(SLIPS) == 0:
            move = slip_of(view.game)(view.state, moves, len(moves), move, rng.randrange(LUCK))
        return move
