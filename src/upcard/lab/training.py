"""Training a learned policy: it plays against itself, and is fitted to what each of its moves came to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled import loops
from upcard.compiled.lessons import NOTHING_MORE, descend, take_lessons
from upcard.compiled.program import program
from upcard.engine.policy import UNIT, policy_of
from upcard.engine.setup import Setup
from upcard.lab.comparison import Comparison, paired
from upcard.lab.duplicate import Duplicates, seatings
from upcard.lab.playing import Compiled, Table
from upcard.lab.seating import Seating

AT_ONCE = 8192
"""Lessons that are taken and kept together."""
MOST_MOVES = 24
"""Of a longer list of moves some are tried."""
BATCH = 2048
RATE = 0.02
"""How far a weight moves in a step, at first."""
PULL = 1e-5
"""How much weights are drawn to nothing."""
HEAT = 0.02
"""How much of a deal's usual change a policy may give away to be less predictable, for each nat of entropy."""
TRUST = 2.0
"""The weight, at first, of being what the heuristic would do."""
FRESH = 3
"""The policy is fitted to the lessons of so many rounds, the last ones."""
AGAIN = 6
"""So often the units of a network are fitted to the same lessons, which learn more slowly than what just adds up."""
SPREAD = 0.1
"""How much the weights of units differ at first."""
SLIGHT = 0.02
"""Weights up to this size are left out."""
LEAN = 0.25
"""So much more speaks in the end for what the heuristic would do: of moves that come to the same it is made."""


@dataclass(frozen=True)
class Lessons:
    """What moves came to, decision by decision."""

    around: NDArray[np.int32]
    """By decision, the places of what surrounds it for the units, filled up with NOTHING_MORE."""
    speaks: NDArray[np.int32]
    """By decision and move, the places of the weights that speak for it, filled up with NOTHING_MORE."""
    worths: NDArray[np.float64]
    """By decision and move, what it came to; 1 is what a deal usually changes."""
    numbers: NDArray[np.int64]
    """By decision, how many moves were tried; the first is the heuristic's."""


class School:
    """A policy that learns one game."""

    def __init__(self, setup: Setup[Any], seed: int) -> None:
        self.setup, self.policy, self.run = setup, policy_of(setup.game), program(setup.game)
        self.rng = np.random.default_rng(seed)
        begun = Table(setup, Seating.of(["random"] * setup.players, setup.players), seed).begun()
        self.tables = self.run.states(len(begun) + 2)
        for dealer, match in enumerate(begun):
            self.run.put(self.tables, dealer, match.state)
        self.options = self.run.options(setup)
        self.packs, self.scratch = (self.run.scratch(int(self.rng.integers(1 << 63))) for _ in range(2))
        self.policies = loops.rollout_policies(setup.players, loops.LEARNED)
        self.matches = 0
        self.weights = np.zeros(self.policy.size)
        self.weights[self.policy.favourites()] = TRUST
        self.weights[self.policy.inner :] = self.rng.normal(0, SPREAD, self.policy.size - self.policy.inner)

    def lessons(self, number: int) -> list[Lessons]:
        """So many lessons, rounded up to whole lots, of the policy as it is."""
        return [self._lot() for _ in range(-(-number // AT_ONCE))]

    def _lot(self) -> Lessons:
        around = np.full((AT_ONCE, self.policy.most_around), NOTHING_MORE, np.int32)
        speaks = np.full((AT_ONCE, MOST_MOVES, self.policy.most_speaks), NOTHING_MORE, np.int32)
        worths, numbers = np.zeros((AT_ONCE, MOST_MOVES)), np.zeros(AT_ONCE, np.int64)
        self.scratch["weights"] = whole(self.weights)
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
        """Fit the weights to lessons: the policy that is worth most on average, by Adam."""
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


def whole(weights: NDArray[Any]) -> NDArray[np.int64]:
    """Weights as a policy has them, without the slight ones."""
    found = np.where(np.abs(weights) > SLIGHT, weights, 0.0)
    return np.round(found * UNIT).astype(np.int64)


def train(
    setup: Setup[Any], lessons: int, rounds: int, seed: int, progress: Callable[[int], None] | None = None
) -> NDArray[np.int64]:
    """The weights of a policy that has learned from so many lessons in each of so many rounds. Being unpredictable has
    taught it to tell apart only what differs, so in the end it leans to the heuristic, which claims what it can."""
    school = School(setup, seed)
    taken: list[list[Lessons]] = []
    for done in range(rounds):
        taken = [*taken, school.lessons(lessons)][-FRESH:]
        school.fit([lot for lots in taken for lot in lots])
        if progress:
            progress(done + 1)
    weights = whole(school.weights)
    favourites = np.array(school.policy.favourites())
    weights[favourites[weights[favourites] != 0]] += round(LEAN * UNIT)
    return weights


def over_casual(setup: Setup[Any], weights: NDArray[np.int64], number: int, seed: int) -> tuple[Comparison, Comparison]:
    """What share of matches a seat wins more by a policy with these weights than casual players do, and how many points
    it makes more in a match, over so many matches, each played by all seatings."""
    sitting = seatings(2, setup.players)
    seated = [Seating.of([("casual", "medium")[who] for who in row], setup.players) for row in sitting]
    match = Duplicates([Table(setup, seating, seed) for seating in seated], sitting, 2)
    for _, worker in match.tables:
        assert isinstance(worker, Compiled)
        worker.play_as_learned(weights)
    rows = match(0, number)
    won, points = (paired(f"{what}, casual and medium", *rows[:, i].T) for i, what in enumerate(("won", "points")))
    return won, points
