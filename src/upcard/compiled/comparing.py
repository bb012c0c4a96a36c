"""Loops over the results of rollouts and over the likelihoods of worlds. They call no rules of a game."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from upcard.compiled.comparison import (
    CHANCE,
    COST,
    COST_ERROR,
    GAP,
    GAP_ERROR,
    LEAST_GAP,
    MEAN,
    MOST_GAP,
    SPREAD,
    WIN,
    WORLDS,
)
from upcard.compiled.loops import STREAM_STEP, below
from upcard.compiled.portable import LEAST, exp_of
from upcard.compiled.program import inner
from upcard.compiled.worlds import FINE

HALVINGS = 20


def compare_moves(utilities: Any, wins: Any, drawn: Any, best: int, by_move: Any, sums: Any, together: Any) -> int:
    """Compare moves by their ends in the same worlds: see `upcard.compiled.comparison.MoveComparison`.

    The rows of `by_move` and the numbers in `together` are its results. All moves are compared with `best`, or with the
    one of the highest value if it is negative. `drawn` has the number of each trial's world, and `sums` room for a sum
    by world. Returns the move with which the others are compared.
    """
    moves, trials = utilities.shape
    spread = spread_of(utilities)
    together[SPREAD] = spread
    unit = spread if spread > 0.0 else 1.0
    highest = 0
    for k in range(moves):
        points, won = 0, 0.0
        for i in range(trials):
            points += utilities[k, i]
            won += wins[k, i]
        by_move[k, MEAN] = (points / unit + WIN * won) / trials  # from whole numbers, so that equal moves are equal
        if by_move[k, MEAN] > by_move[highest, MEAN]:
            highest = k
    if best < 0:
        best = highest
    for i in range(len(sums)):
        sums[i] = 0.0
    for i in range(trials):
        sums[drawn[i]] = 1.0
    worlds = 0
    for i in range(len(sums)):
        worlds += sums[i] > 0.0
    together[WORLDS] = worlds
    for k in range(moves):
        points, won = 0, 0.0
        least = np.inf
        most = -np.inf
        for i in range(trials):
            more = utilities[best, i] / unit + WIN * wins[best, i] - (utilities[k, i] / unit + WIN * wins[k, i])
            least = min(least, more)
            most = max(most, more)
            points += utilities[best, i] - utilities[k, i]
            won += wins[best, i] - wins[k, i]
        gap = (points / unit + WIN * won) / trials
        cost = points / trials
        by_move[k, GAP] = gap
        by_move[k, LEAST_GAP] = least
        by_move[k, MOST_GAP] = most
        by_move[k, COST] = cost
        by_move[k, CHANCE] = won / trials
        for i in range(len(sums)):
            sums[i] = 0.0
        for i in range(trials):
            more = utilities[best, i] / unit + WIN * wins[best, i] - (utilities[k, i] / unit + WIN * wins[k, i])
            sums[drawn[i]] += more - gap
        by_move[k, GAP_ERROR] = error_of(sums, worlds, trials)
        for i in range(len(sums)):
            sums[i] = 0.0
        for i in range(trials):
            sums[drawn[i]] += utilities[best, i] - utilities[k, i] - cost
        by_move[k, COST_ERROR] = error_of(sums, worlds, trials)
    return best


@inner
def spread_of(utilities: Any) -> float:
    """The standard deviation of all utilities."""
    moves, trials = utilities.shape
    total = 0.0
    for k in range(moves):
        for i in range(trials):
            total += utilities[k, i]
    mean = total / (moves * trials)
    squares = 0.0
    for k in range(moves):
        for i in range(trials):
            squares += (utilities[k, i] - mean) ** 2
    return sqrt(squares / (moves * trials))


@inner
def error_of(sums: Any, worlds: int, trials: int) -> float:
    """The standard error of a mean, from the sums of the differences from it by world. A world drawn again has no new
    information about where the cards are, so its trials are clustered."""
    squares = 0.0
    for i in range(len(sums)):
        squares += sums[i] * sums[i]
    return sqrt(squares * worlds / max(1, worlds - 1)) / trials


def temper_weights(logs: Any, impossible: Any, least: Any, weights: Any) -> int:
    """Write weights with the sum 1 from log-likelihoods, tempered as little as possible to reach an effective sample
    size (1 / the sum of squared weights) of at least a fraction `least[0]` of the possible worlds. Worlds whose
    logarithm is not greater than `impossible[0]` get 0. Uniform if no world is possible. Returns the number of possible
    worlds."""
    possible = 0
    highest = -np.inf
    for i in range(len(logs)):
        if logs[i] > impossible[0]:
            possible += 1
            highest = max(highest, logs[i])
    if possible == 0:
        for i in range(len(logs)):
            weights[i] = 1.0 / len(logs)
        return 0
    low, high = 0.0, 1.0
    if temper(logs, impossible[0], highest, high, weights) < least[0] * possible:
        for _ in range(HALVINGS):
            middle = (low + high) / 2.0
            if temper(logs, impossible[0], highest, middle, weights) >= least[0] * possible:
                low = middle
            else:
                high = middle
        temper(logs, impossible[0], highest, low, weights)
    return possible


@inner
def temper(logs: Any, impossible: float, highest: float, power: float, weights: Any) -> float:
    """Write the weights of this tempering; returns their effective sample size."""
    total = 0.0
    for i in range(len(logs)):
        weights[i] = exp_of(power * max(logs[i] - highest, LEAST)) if logs[i] > impossible else 0.0
        total += weights[i]
    squares = 0.0
    for i in range(len(logs)):
        weights[i] /= total
        squares += weights[i] * weights[i]
    return 1.0 / squares


def draw_worlds(weights: Any, sums: Any, rng: Any, seeds: Any, drawn: Any) -> int:
    """Write the numbers of worlds drawn by weight, one for each seed; `sums` and `rng` are working memory. Returns how
    many were drawn."""
    total = 0.0
    for i in range(len(weights)):
        total += weights[i]
        sums[i] = total
    rng[0] = seeds[0] ^ np.uint64(STREAM_STEP)
    for i in range(len(drawn)):
        share = total * below(rng, FINE) / FINE
        low, high = 0, len(weights) - 1
        while low < high:
            middle = (low + high) // 2
            if sums[middle] > share:
                high = middle
            else:
                low = middle + 1
        drawn[i] = low
    return len(drawn)
