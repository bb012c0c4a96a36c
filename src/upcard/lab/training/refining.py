"""Refining a learned policy by the results of whole deals of self-play (a policy gradient)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.policy_gradient import learn_from_deals
from upcard.compiled.program import program
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.lab.parallel import cores
from upcard.lab.runner import match_spec
from upcard.policies.learned import policy_of
from upcard.policies.weights import UNIT
from upcard.rules.game import Game

TABLES, DEALS = 4, 2048
"""The number of tables at which the policy plays, and of deals at each of them per update of the weights. These are
fixed, so that the weights do not depend on the number of cores."""
FAITH = 3.5
"""The initial weight of the heuristic's choice: among ten other moves, it is made three times in four."""
RATE = 0.15
"""The initial learning rate; it falls linearly to 0."""
FAST, SLOW = 0.9, 0.99
"""Adam's decay rates for the means of the gradients and of their squares."""
SLIGHT = 1e-7
"""Adam's epsilon, which prevents a division by zero."""
NOTED = 1 << 19
"""The most features of moves that can be recorded per deal."""


class SelfPlay:
    """A table for self-play of a policy."""

    def __init__(self, setup: Game[Any], seed: int) -> None:
        self.policy, self.run, self.players = policy_of(setup.game), program(setup.game), setup.players
        self.tables, self.options = match_spec("match", setup, "random", seed).tables(), self.run.options(setup)
        luck = np.random.default_rng(seed)
        self.packs, self.scratch = (self.run.scratch(int(luck.integers(1 << 63))) for _ in range(2))
        self.matches = 0
        self.changes = np.zeros(DEALS)
        self.chances = np.zeros(setup.game.most_moves + setup.players)
        self.speaks, self.pushes = np.zeros((NOTED, 2), np.int32), np.zeros(NOTED)

    def slope(self, weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
        """The gradient of the results with respect to the weights, summed over `DEALS` deals, and the sum of the
        results' mean squares over the seats."""
        slope = np.zeros(len(weights))
        self.matches = self.run.entry(learn_from_deals)(
            self.tables,
            self.options,
            self.packs,
            self.scratch,
            weights,
            DEALS,
            self.matches,
            self.policy.most_speaks,
            slope,
            self.changes,
            self.chances,
            self.speaks,
            self.pushes,
        )
        return slope, float(self.changes.sum()) / self.players


def faithful(setup: Game[Any]) -> NDArray[np.int64]:
    """The weights of an untrained policy, which mostly plays like the heuristic."""
    policy = policy_of(setup.game)
    weights = np.zeros(policy.size, np.int64)
    weights[policy.favourites()] = round(FAITH * UNIT)
    return weights


def check_refinable(game: type[Game[Any]]) -> None:
    """Raises UpcardError for a game whose policy has hidden units."""
    if policy_of(game).units:
        raise UpcardError(f"the policy of {game.slug} has hidden units, and cannot be refined by whole deals")


def refine(
    setup: Game[Any],
    weights: NDArray[np.int64],
    deals: int,
    seed: int,
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.int64]:
    """Refine weights by at least this many deals of self-play, on all cores. Returns the new weights.

    One table has the number of players of `setup`; the others have the game's other numbers of players in turn.
    `progress` is called with the number of deals done. Raises UpcardError for a policy with hidden units.
    """
    check_refinable(setup.game)
    learned = weights / UNIT
    numbers = [setup.players, *(number for number in setup.game.player_counts if number != setup.players)]
    setups = [Setup(setup.game, number, setup.chosen) for number in numbers]
    tables = [SelfPlay(setups[at % len(setups)], seed * TABLES + at) for at in range(TABLES)]
    mean, square = np.zeros_like(learned), np.zeros_like(learned)
    steps = -(-deals // (TABLES * DEALS))
    with ThreadPoolExecutor(min(TABLES, cores())) as workers:
        for step in range(1, steps + 1):
            played = list(workers.map(SelfPlay.slope, tables, [learned] * TABLES))
            usual = np.sqrt(sum(squares for _, squares in played) / (TABLES * DEALS)) or 1.0
            slope = sum(slope for slope, _ in played) / (TABLES * DEALS * usual)
            mean = FAST * mean + (1 - FAST) * slope
            square = SLOW * square + (1 - SLOW) * slope**2
            due = mean / (1 - FAST**step) / (np.sqrt(square / (1 - SLOW**step)) + SLIGHT)
            learned = learned + RATE * (1 - step / (steps + 1)) * due
            if progress:
                progress(min(deals, step * TABLES * DEALS))
    learned[square == 0] = 0  # no move with these features was ever tried
    return np.round(learned * UNIT).astype(np.int64)
