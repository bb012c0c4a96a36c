"""Training a learned policy: the search plays against itself, and the policy is fitted to what it found moves worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.loops import HEURISTIC
from upcard.engine.match import Match
from upcard.engine.policy import UNIT, Policy, policy_of
from upcard.engine.setup import Setup
from upcard.engine.views import View
from upcard.players.heuristic import heuristic_move
from upcard.players.limits import Rollouts
from upcard.players.search import Trial, candidates

BATCH = 1024
STEPS = 600
RATE = 0.05
"""How far a weight moves in a step, at first."""
PULL = 1e-4
"""How much weights are drawn to nothing."""
HEAT = 0.02
"""How much of a deal's usual change a policy may give away to be less predictable, for each nat of entropy."""
HELD_BACK = 10
"""One decision in so many is not fitted to, but used to tell how well it was."""
LEAST_SEEN = 3
"""What was seen in fewer decisions gets no weight."""


@dataclass(frozen=True)
class Decision:
    """The moves that a player had, the heuristic's first."""

    speaks: list[list[int]]
    """By move, the weights that speak for it."""
    worth: list[float]
    """By move, how good the search found it; 1 is what a deal usually changes."""


class _Weights:
    """Weights of nothing that note which of them are asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __getitem__(self, place: int) -> int:
        self.asked.append(place)
        return 0


def what_speaks(view: View[Any], moves: list[int], policy: Policy) -> list[list[int]]:
    """By move, the weights that speak for it; the first move is the heuristic's."""
    seat, state, options = view.seat or 0, view.state, view.options
    at = policy.situation_of(state, options, seat) * policy.width
    unseen = policy.unseen_by(state, options, seat)
    speaks = []
    for move in moves:
        weights = _Weights()
        policy.score(state, options, seat, move, moves[0], weights, at, unseen)
        speaks.append(weights.asked)
    return speaks


def decisions(setup: Setup[Any], rollouts: int, seed: int) -> Iterator[Decision]:
    """What the search decides in matches against itself, one after the other; one in eight moves is any, so that it is
    also seen what to do where one should not be."""
    rng, policy = Random(seed), policy_of(setup.game)
    while True:
        match = Match(setup, chance=rng)
        while not match.done:
            seat = rng.choice(match.to_act)
            view = match.view(seat)
            moves = view.legal_moves()
            move = moves[0]
            if len(moves) > 1:
                moves = candidates(moves, heuristic_move(view, moves, rng), rng)
                trial = Trial(view, moves, rng, HEURISTIC)
                trial.run(Rollouts(rollouts), 1)
                worth = trial.values().mean(axis=1).tolist()
                yield Decision(what_speaks(view, moves, policy), worth)
                move = rng.choice(moves) if rng.randrange(8) == 0 else trial.best()
            match.play(seat, view.game.notation.text(move))


@dataclass(frozen=True)
class Fit:
    """Weights, and how much the best moves of a policy fall short in decisions that it was not fitted to."""

    weights: list[int]
    short: float
    """Of what the search found best, on average; 1 is what a deal usually changes."""
    heuristic: float
    """The same for the heuristic."""


def fit(made: list[Decision], number: int, seed: int) -> Fit:
    """Fit so many weights to decisions: the policy that is worth most on average, by Adam."""
    moves = max(len(one.speaks) for one in made)
    width = max(len(asked) for one in made for asked in one.speaks)
    speaks = np.full((len(made), moves, width), number, np.int32)
    worth = np.full((len(made), moves), -np.inf)
    for i, one in enumerate(made):
        worth[i, : len(one.worth)] = one.worth
        for k, asked in enumerate(one.speaks):
            speaks[i, k, : len(asked)] = asked
    back = np.arange(len(made)) % HELD_BACK == 0
    seen = np.bincount(speaks[~back].ravel(), minlength=number + 1)
    weights = _descend(speaks[~back], worth[~back], number, np.random.default_rng(seed))
    weights[seen < LEAST_SEEN] = 0.0
    weights[number] = 0.0
    whole = np.round(weights * UNIT)
    chosen = _chances(whole, speaks[back], worth[back]).argmax(axis=1)
    best, rows = worth[back].max(axis=1), np.arange(len(chosen))
    short = (best - worth[back][rows, chosen]).mean()
    return Fit(whole[:number].astype(int).tolist(), float(short), float((best - worth[back][:, 0]).mean()))


def _chances(weights: NDArray[Any], speaks: NDArray[Any], worth: NDArray[Any]) -> NDArray[Any]:
    scores = weights[speaks].sum(axis=2)
    scores[np.isinf(worth)] = -np.inf
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances: NDArray[Any] = scores / scores.sum(axis=1, keepdims=True)
    return chances


def _descend(speaks: NDArray[Any], worth: NDArray[Any], number: int, rng: np.random.Generator) -> NDArray[Any]:
    weights, mean, square = (np.zeros(number + 1) for _ in range(3))
    for step in range(1, STEPS + 1):
        batch = rng.integers(0, len(speaks), min(BATCH, len(speaks)))
        chances = _chances(weights, speaks[batch], worth[batch])
        gain = np.where(np.isinf(worth[batch]), 0.0, worth[batch]) - HEAT * np.log(chances + 1e-9)
        pushes = chances * ((chances * gain).sum(axis=1, keepdims=True) - gain) / HEAT
        pushes = np.broadcast_to(pushes[:, :, None], speaks[batch].shape)
        slope = np.bincount(speaks[batch].ravel(), pushes.ravel(), number + 1) / len(batch) + PULL * weights
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        rate = RATE * (1 - step / (STEPS + 1))
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        weights[number] = 0.0
    return weights
