"""Training a learned policy by self-play: it is fitted to the results of moves that are tried out in rollouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled import loops
from upcard.compiled.advantage_learning import NOTHING_MORE, descend, take_lessons
from upcard.compiled.program import program
from upcard.lab.arena import results_by_player, seatings
from upcard.lab.comparison import Comparison, paired
from upcard.lab.runner import CompiledRunner, MatchSpec, match_spec
from upcard.lab.seating import Lineup
from upcard.policies.learned import policy_of
from upcard.policies.weights import UNIT
from upcard.rules.game import Game

AT_ONCE = 8192
"""The number of lessons collected at a time."""
MOST_MOVES = 24
"""The most moves tried in a lesson."""
BATCH = 2048
"""The number of lessons per step of gradient descent."""
RATE = 0.02
"""The initial learning rate."""
PULL = 1e-5
"""The strength of weight decay."""
HEAT = 0.02
"""The entropy bonus per nat, in standard deviations of a deal's results."""
TRUST = 2.0
"""The initial weight of the heuristic's choice."""
FRESH = 3
"""The policy is fitted to the lessons of this many of the most recent rounds."""
AGAIN = 6
"""The number of passes over the lessons for a policy with hidden units, which learn more slowly than linear weights."""
SPREAD = 0.1
"""The standard deviation of the initial weights of hidden units."""
SLIGHT = 0.02
"""Weights up to this size are set to 0."""
LEAN = 0.25
"""The amount added at the end to the weight of the heuristic's choice, so that it is preferred among equally good
moves."""


@dataclass(frozen=True)
class Lessons:
    """The results of the moves tried at many decisions; each decision is a lesson."""

    around: NDArray[np.int32]
    """By decision, the indices of the position's features for the hidden units, padded with NOTHING_MORE."""
    speaks: NDArray[np.int32]
    """By decision and move, the indices of the weights that apply to the move, padded with NOTHING_MORE."""
    worths: NDArray[np.float64]
    """By decision and move, the result, in standard deviations of all results."""
    numbers: NDArray[np.int64]
    """By decision, the number of moves tried; the first one is the heuristic's."""


class School:
    """The training of a policy for one game."""

    def __init__(self, setup: Game[Any], seed: int) -> None:
        self.setup, self.policy, self.run = setup, policy_of(setup.game), program(setup.game)
        self.rng = np.random.default_rng(seed)
        self.tables, self.options = match_spec("match", setup, "random", seed).tables(2), self.run.options(setup)
        self.packs, self.scratch = (self.run.scratch(int(self.rng.integers(1 << 63))) for _ in range(2))
        self.policies = loops.rollout_policies(setup.players, loops.LEARNED)
        self.matches = 0
        self.weights = np.zeros(self.policy.size)
        self.weights[self.policy.favourites()] = TRUST
        self.weights[self.policy.inner :] = self.rng.normal(0, SPREAD, self.policy.size - self.policy.inner)

    def lessons(self, number: int) -> list[Lessons]:
        """At least `number` lessons from play by the current policy, in whole lots of `AT_ONCE`."""
        return [self._lot() for _ in range(-(-number // AT_ONCE))]

    def _lot(self) -> Lessons:
        around = np.full((AT_ONCE, self.policy.most_around), NOTHING_MORE, np.int32)
        speaks = np.full((AT_ONCE, MOST_MOVES, self.policy.most_speaks), NOTHING_MORE, np.int32)
        worths, numbers = np.zeros((AT_ONCE, MOST_MOVES)), np.zeros(AT_ONCE, np.int64)
        self.scratch["weights"] = as_integers(self.weights)
        self.matches = self.run.entry(take_lessons)(
            self.tables,
            self.options,
            self.packs,
            self.scratch,
            self.policies,
            self.matches,
            around,
            speaks,
            worths,
            numbers,
            np.zeros(MOST_MOVES, np.int64),
        )
        moves, asked = int(numbers.max()), int((speaks != NOTHING_MORE).any(axis=(0, 1)).sum())
        tried = np.arange(MOST_MOVES) < numbers[:, None]
        usual = float(worths[tried].std()) or 1.0
        return Lessons(around, speaks[:, :moves, :asked].copy(), worths[:, :moves] / usual, numbers)

    def fit(self, lots: list[Lessons]) -> None:
        """Fit the weights to lessons by Adam, to maximise the average result of the policy."""
        policy, passes = self.policy, AGAIN if self.policy.units else 1
        noted, sums = np.zeros((4, policy.size)), np.zeros((MOST_MOVES, policy.units))
        step, steps = 0, passes * len(lots) * (AT_ONCE // BATCH)
        for i in np.concatenate([self.rng.permutation(len(lots)) for _ in range(passes)]):
            lot, order = lots[i], self.rng.permutation(AT_ONCE)
            step = self.run.entry(descend)(
                self.weights,
                noted,
                sums,
                lot.around,
                lot.speaks,
                lot.worths,
                lot.numbers,
                order,
                BATCH,
                policy.width,
                policy.inner,
                step,
                steps,
                RATE,
                PULL,
                HEAT,
            )


def as_integers(weights: NDArray[Any]) -> NDArray[np.int64]:
    """Weights as the integers of a policy, in multiples of 1 / UNIT; those up to `SLIGHT` become 0."""
    significant = np.where(np.abs(weights) > SLIGHT, weights, 0.0)
    return np.round(significant * UNIT).astype(np.int64)


def train_policy(
    setup: Game[Any], lessons: int, rounds: int, seed: int, progress: Callable[[int], None] | None = None
) -> NDArray[np.int64]:
    """Train a policy on `lessons` lessons in each of `rounds` rounds, and return its weights.

    The entropy bonus makes the policy indifferent between moves with equal results. So at the end it is biased towards
    the heuristic's choice, which makes claims when it can. `progress` is called with the number of rounds done.
    """
    school = School(setup, seed)
    taken: list[list[Lessons]] = []
    for done in range(rounds):
        taken = [*taken, school.lessons(lessons)][-FRESH:]
        school.fit([lot for lots in taken for lot in lots])
        if progress:
            progress(done + 1)
    weights = as_integers(school.weights)
    favourites = np.array(school.policy.favourites())
    weights[favourites[weights[favourites] != 0]] += round(LEAN * UNIT)
    return weights


def over_casual(setup: Game[Any], weights: NDArray[np.int64], number: int, seed: int) -> tuple[Comparison, Comparison]:
    """Compare a policy with these weights with casual players, over `number` matches, each played in all seatings.
    Returns the paired differences, policy minus casual, in the share of matches won per seat and in points per
    match."""
    rows = seatings(2, setup.players)
    seated = [Lineup.of([("casual", "medium")[who] for who in row], setup.players) for row in rows]
    runners = [CompiledRunner(MatchSpec(setup, lineup, seed)) for lineup in seated]
    for runner in runners:
        runner.play_as_learned(weights)
    results = results_by_player((runner(0, number) for runner in runners), rows, 2)
    won, points = (paired(f"{what}, casual and medium", *results[:, i].T) for i, what in enumerate(("won", "points")))
    return won, points
