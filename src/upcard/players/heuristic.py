"""The casual player, which plays at once, by the game's heuristic."""

from __future__ import annotations

from random import Random
from typing import Any

from upcard.engine.mistakes import heuristic_choice
from upcard.engine.views import View
from upcard.players.computer import Computer
from upcard.rules.rng import LUCK


class Heuristic(Computer):
    """Plays by the heuristic of the game; in plain Python, so that it can start without compiling."""

    def move(self, view: View[Any], rng: Random) -> int:
        return heuristic_move(view, view.legal_moves(), rng)


def heuristic_move(view: View[Any], moves: list[int], rng: Random) -> int:
    """The heuristic's choice among these moves of a view; a random one if the game has no heuristic."""
    luck = rng.randrange(LUCK)
    if not view.game.defines("choose"):
        return moves[luck % len(moves)]
    return heuristic_choice(view.setup, view.state, view.seat or 0, moves, luck)
