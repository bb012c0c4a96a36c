"""Searching: try the moves out in worlds that fit what the seat has seen.

Every candidate is played in the same worlds with the same luck, everybody going on by heuristic to the end of the
deal. The worse half of the candidates is dropped again and again, so that most of the time goes to the close calls.
"""

from __future__ import annotations

import time
from math import ceil, log2
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled import loops
from upcard.compiled.worlds import Dealer
from upcard.engine.policy import learned_of
from upcard.engine.views import View
from upcard.players.endgame import solved
from upcard.players.heuristic import heuristic_move
from upcard.players.limits import Limit
from upcard.rules.game import Game
from upcard.rules.notation import verb_of

MOST_CANDIDATES = 24
AT_ONCE = 128
"""So many rollouts are played before the first look at the limit, then as many again as before each time."""
WIN = 2.0
"""What winning the match is worth, where the usual difference that a deal makes is 1."""
DOUBT = 1.5
"""The heuristic is overruled by a move that looks better by so many standard errors."""


class Search:
    """Thinks within a limit."""

    def __init__(self, limit: Limit, rollouts: int | None = None) -> None:
        """`rollouts` is how everybody plays in them, HEURISTIC or LEARNED; None: as is best for the game."""
        self.limit = limit
        self.rollouts = rollouts

    def choose(self, view: View[Any], rng: Random) -> str:
        return view.game.notation.text(self.move(view, rng))

    def move(self, view: View[Any], rng: Random) -> int:
        """The move as a number."""
        moves = view.legal_moves()
        return moves[0] if len(moves) == 1 else self._search(view, moves, rng)

    def _search(self, view: View[Any], moves: list[int], rng: Random) -> int:
        moves = candidates(moves, heuristic_move(view, moves, rng), rng)
        best = solved(view, moves, rng)
        if best is not None:
            return best
        trial = Trial(view, moves, rng, best_rollouts(view.game) if self.rollouts is None else self.rollouts)
        stages = ceil(log2(len(trial.moves)))
        for stage in range(stages):
            trial.run(self.limit, (stage + 1) / stages)
            if stage < stages - 1:
                trial.drop_half()
        return trial.best()


def best_rollouts(game: Game[Any]) -> int:
    """How everybody plays in rollouts of a game: as learned, where that was measured to be better."""
    found = learned_of(game)
    return loops.LEARNED if found is not None and found.made.get("rollouts") else loops.HEURISTIC


def candidates(moves: list[int], favourite: int, rng: Random) -> list[int]:
    """The moves to try, the favourite first: all of them, or of a long list some of every verb."""
    rest = [move for move in moves if move != favourite]
    if len(moves) > MOST_CANDIDATES:
        rng.shuffle(rest)
        seen: dict[int, int] = {}
        place = {}
        for move in rest:
            place[move] = seen[verb_of(move)] = seen.get(verb_of(move), 0) + 1
        rest = sorted(rest, key=place.__getitem__)[: MOST_CANDIDATES - 1]
    return [favourite, *rest]


class Trial:
    """Some moves that are being tried out, the favourite first."""

    def __init__(self, view: View[Any], moves: list[int], rng: Random, rollouts: int) -> None:
        self.moves = moves
        self.rng = rng
        self.dealer = Dealer(view)
        self.policies = loops.rollout_policies(view.state.players, rollouts)
        self.utilities: NDArray[np.int64] = np.zeros((len(moves), 0), np.int64)
        """By move and world, how well the seat stands after the deal."""
        self.wins: NDArray[np.float64] = np.zeros((len(moves), 0))
        """By move and world, how much of the match is won, if it has ended."""
        self.rollouts = 0
        self._try(1)  # have everything compiled before the clock starts
        self.started = time.perf_counter()

    def run(self, limit: Limit, part: float) -> None:
        """Try the moves in more worlds, until this part of the limit is used."""
        while (left := limit.left(self.started, self.rollouts, part)) > 0:
            self._try(ceil(min(left, max(AT_ONCE, self.rollouts)) / len(self.moves)))

    def _try(self, worlds: int) -> None:
        """Try the moves in so many new worlds."""
        seeds = np.array([self.rng.getrandbits(64) for _ in range(worlds)], np.uint64)
        utilities, wins = self.dealer.try_moves(self.policies, self.moves, seeds)
        self.utilities = np.hstack([self.utilities, utilities])
        self.wins = np.hstack([self.wins, wins])
        self.rollouts += utilities.size

    def values(self) -> NDArray[np.float64]:
        """By move and world, how good the end was: about 1 for what a deal usually changes, more for the match."""
        spread = float(self.utilities.std()) or 1.0
        return self.utilities / spread + WIN * self.wins

    def drop_half(self) -> None:
        """Go on with the better half, and the favourite."""
        order = np.argsort(-self.values().mean(axis=1), kind="stable")
        kept = sorted({0, *order[: (len(self.moves) + 1) // 2].tolist()})
        self.moves = [self.moves[k] for k in kept]
        self.utilities, self.wins = self.utilities[kept], self.wins[kept]

    def best(self) -> int:
        """The move that did best; the favourite, unless another is clearly better or was nowhere worse."""
        values = self.values()
        best = int(values.mean(axis=1).argmax())
        gain = values[best] - values[0]
        error = float(gain.std()) / len(gain) ** 0.5
        is_better = float(gain.mean()) > DOUBT * error or (gain.min() == 0 < gain.max())
        return self.moves[best] if is_better else self.moves[0]
