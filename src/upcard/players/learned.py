"""The medium player, which plays at once, by the game's learned policy, or by its heuristic if there is none."""

from __future__ import annotations

from random import Random
from typing import Any

from upcard.engine.views import View
from upcard.players.computer import Computer
from upcard.players.heuristic import heuristic_move
from upcard.policies.learned import learned_of, policy_of
from upcard.rules.rng import LUCK


class LearnedPlayer(Computer):
    """Plays the move that its policy rates best; in plain Python, so that it can start without compiling."""

    def move(self, view: View[Any], rng: Random) -> int:
        return learned_move(view, view.legal_moves(), rng)


def learned_move(view: View[Any], moves: list[int], rng: Random) -> int:
    """The move that the learned policy rates best; the heuristic's choice if there is no policy."""
    favourite = heuristic_move(view, moves, rng)
    learned = learned_of(view.game)
    if learned is None or len(moves) == 1:
        return favourite
    policy = policy_of(view.game)
    luck, room = rng.randrange(LUCK), [0] * policy.room
    return policy.learned(
        view.setup, view.state, view.seat or 0, moves, len(moves), luck, favourite, learned.weights, 0, room
    )
