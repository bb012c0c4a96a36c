"""Sums over deals, from which measures and their intervals are computed in constant memory.

A measure is a function of sums over independent deals. Deals are divided into groups by their number, and the standard
error is estimated by leaving out one group at a time (the grouped jackknife of Quenouille and Tukey). The only
systematic difference between deals is the dealer, who changes from one to the next, and every large group contains all
dealers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.lab import intervals
from upcard.lab.arguments import between
from upcard.lab.blocks import FloatArray
from upcard.lab.checkpoint import Keep, gather
from upcard.lab.intervals import CERTAIN, FINEST, Interval, planned

GROUPS = 127
"""The number of groups: enough for intervals that are hardly wider than necessary. Up to this many deals, each is its
own group. It is a prime, so that every group contains all dealers at any number of seats: otherwise the advantage of
dealing would count as chance."""

Estimates = tuple[list[float], list[Interval]]
"""Numbers, and the confidence interval of each."""


class Sums:
    """Sums of rows of numbers, one row for each deal, by group; the last column is the number of deals."""

    def __init__(self, width: int) -> None:
        self.groups = np.zeros((GROUPS, width + 1))

    def add(self, rows: NDArray[Any]) -> None:
        """Add the rows of the next deals."""
        counted = np.concatenate([rows, np.ones((len(rows), 1))], axis=1)
        groups = (self.number + np.arange(len(rows))) % GROUPS
        for first in range(0, len(rows), GROUPS):  # no group twice in one addition: much faster than np.add.at
            self.groups[groups[first : first + GROUPS]] += counted[first : first + GROUPS]

    def numbers(self) -> dict[str, FloatArray]:
        """The sums, to be saved in a file."""
        return {"sums": self.groups}

    def load(self, numbers: Mapping[str, FloatArray]) -> None:
        """Restore saved sums."""
        self.groups[:] = numbers["sums"]

    @property
    def number(self) -> int:
        """The number of deals."""
        return int(self.groups[:, -1].sum())


def summed(
    play: Callable[..., Generator[NDArray[Any]]],
    number: int,
    width: int,
    largest: int,
    keep: Keep,
    progress: Callable[[int], None] | None,
    is_enough: Callable[[Sums], bool],
) -> Sums:
    """Play deals up to `number`, or until `is_enough`, in chunks of at most `largest`, and sum up their rows of `width`
    numbers; `progress` is called with the number of deals played.

    `play(first=...)` yields the rows of the deals in order, starting with the first deal that is not in the checkpoint
    `keep`. On Ctrl-C or the loss of all workers, the sums so far are returned, if there are any. Raises UpcardError if
    more deals than `number` are saved.
    """
    sums = Sums(width)
    keep.load(sums.load)
    keep.check(sums.number, number)
    gather(sums, play(first=sums.number), largest, keep, progress, lambda: is_enough(sums))
    return sums


def precision_of(precision: float | None) -> float | None:
    """The half-width required of intervals of shares. Raises UpcardError unless it is between `FINEST` and 0.5, or
    None."""
    return None if precision is None else between("precision", precision, FINEST, 0.5)


def are_precise(between: Sequence[Interval], number: int, precision: float) -> bool:
    """Whether none of these intervals from `number` deals is wider than ± `precision`."""
    return planned(number, max(interval.half for interval in between), precision) <= number


def estimate(of: Callable[..., Any], *sums: Sums, certain: float = CERTAIN) -> Estimates:
    """The numbers that a function returns for these sums, with their confidence intervals by the jackknife.

    All sums must be over the same deals. The function receives each as an array that ends with the number of deals. The
    intervals are infinite for fewer than five deals, and for numbers that are undefined (NaN) without some group.
    """
    totals = [group_sums.groups.sum(axis=0) for group_sums in sums]
    values = evaluated(of, totals)
    groups = np.flatnonzero(sums[0].groups[:, -1])
    if len(groups) < intervals.FEWEST:
        return values.tolist(), [Interval(float("-inf"), float("inf"))] * len(values)
    rests = [
        [total - group_sums.groups[group] for total, group_sums in zip(totals, sums, strict=True)] for group in groups
    ]
    without = np.array([evaluated(of, rest) for rest in rests])
    errors = np.sqrt((len(groups) - 1) * without.var(axis=0)).tolist()
    between = [
        intervals.of_mean(value, error, len(groups), certain)
        for value, error in zip(values.tolist(), errors, strict=True)
    ]
    return values.tolist(), between


def evaluated(of: Callable[..., Any], totals: Sequence[FloatArray]) -> FloatArray:
    """The numbers that a function returns for these totals; NaN for a division of 0 by 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.atleast_1d(np.asarray(of(*totals), float))
