"""Comparisons of moves by their ends in many worlds."""

from __future__ import annotations

from dataclasses import dataclass

from upcard.compiled.machine import Machine
from upcard.compiled.words import REAL, WordArray, zeros

WIN = 2.0
"""The value of winning the match, in units of the standard deviation of a deal's results."""
MEAN, GAP, GAP_ERROR, LEAST_GAP, MOST_GAP, COST, COST_ERROR, CHANCE = range(8)
"""The columns of a comparison, a row for each move."""
SPREAD, WORLDS = range(2)
"""The numbers of a comparison for all moves together."""


@dataclass(frozen=True)
class MoveComparison:
    """Moves compared with one of them by the values of their ends: utilities in units of their standard deviation, plus
    `WIN` for the match. Errors are standard errors; trials in the same world count as one (see `MoveTrial.drawn`)."""

    best: int
    """The move with which all are compared."""
    spread: float
    """The standard deviation of all utilities."""
    worlds: int
    """The number of different worlds."""
    values: list[float]
    """By move, the mean value."""
    gaps: list[float]
    """By move, the mean of the best move's value minus its own."""
    gap_errors: list[float]
    least_gaps: list[float]
    """By move, the smallest difference in a trial."""
    most_gaps: list[float]
    """By move, the greatest difference in a trial."""
    costs: list[float]
    """By move, the mean of the best move's utility minus its own."""
    cost_errors: list[float]
    chances: list[float]
    """By move, the mean of the best move's share of the match minus its own."""


def compare_ends(
    run: Machine, utilities: WordArray, wins: WordArray, drawn: WordArray, best: int = -1
) -> MoveComparison:
    """Compare moves by their utilities and their shares of the match, by move and world, with the move of the highest
    value or with another one. `drawn` has the numbers of the worlds, from 0 on."""
    by_move, together = zeros(len(utilities), 8, kind=REAL), zeros(2, kind=REAL)
    sums = zeros(max(drawn.numbers) + 1, kind=REAL)
    best = run.call("compare_moves", utilities, wins, drawn, best, by_move, sums, together)
    spread, worlds = together.numbers
    columns = [by_move.numbers[column::8].tolist() for column in range(8)]
    return MoveComparison(best, spread, int(worlds), *columns)
