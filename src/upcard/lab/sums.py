"""Sums over deals in constant memory, by group for the jackknife and by block for the bootstrap.

A measure is a function of sums over independent deals. Deals are divided into groups by their number, and the standard
error is estimated by leaving out one group at a time (the grouped jackknife of Quenouille and Tukey). The only
systematic difference between deals is the dealer, who changes from one to the next, and every large group contains all
dealers.

For the bootstrap, up to `MOST` deals are a block each. With more deals, consecutive ones share a block. Blocks of the
same size have independent sums, and with thousands of blocks the bootstrap of the mean gives the same interval as with
single deals (the non-overlapping block bootstrap, Carlstein 1986; because deals are independent, any block size is
valid).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.lab import intervals
from upcard.lab.arguments import between
from upcard.lab.intervals import CERTAIN, FINEST, Interval, planned

GROUPS = 127
"""The number of groups: enough for intervals that are hardly wider than necessary. Up to this many deals, each is its
own group. It is a prime, so that every group contains all dealers at any number of seats: otherwise the advantage of
dealing would count as chance."""

MOST = 1 << 16
"""The maximum number of blocks. Joining halves it, and even then the width of an interval is accurate to 0.4 %."""
RESAMPLED = 1000

FloatArray = NDArray[np.float64]
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


class Blocks:
    """Sums of the rows of consecutive deals. Up to `MOST` deals, each is a block; when there would be more blocks,
    neighbouring ones are joined in pairs. The sums depend only on the deals and their order, not on the chunks in which
    they are added."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        """`shape` is the shape of a row."""
        self.number, self.size = 0, 1
        self._sums = np.zeros((MOST, *shape))

    def add(self, rows: FloatArray) -> None:
        """Add the rows of the next deals."""
        while len(rows):
            if self.number == self.size * len(self._sums):
                half = len(self._sums) // 2
                self._sums[:half] = self._sums[::2] + self._sums[1::2]
                self._sums[half:] = 0
                self.size *= 2
            now = rows[: self.size * len(self._sums) - self.number]
            np.add.at(self._sums, (self.number + np.arange(len(now))) // self.size, now)
            self.number += len(now)
            rows = rows[len(now) :]

    @property
    def sums(self) -> FloatArray:
        """The sums, with the shape (blocks, *shape of a row); the last block may be incomplete."""
        return self._sums[: -(-self.number // self.size)]

    @property
    def means(self) -> FloatArray:
        """The means of the deals of each block."""
        deals = np.minimum(self.size, self.number - self.size * np.arange(len(self.sums)))
        return np.asarray((self.sums.T / deals).T)

    @property
    def mean(self) -> FloatArray:
        """The mean of all deals."""
        return np.asarray(self.sums.sum(axis=0) / self.number)

    def between(self, *place: int) -> Interval:
        """The confidence interval of the mean of the number at this index of the rows."""
        complete = self.sums[: self.number // self.size]
        spread = complete.std(axis=0, ddof=min(1, len(complete) - 1))[place]
        return intervals.of_mean(float(self.mean[place]), float(spread) / (self.size * self.number) ** 0.5, self.number)

    def numbers(self) -> dict[str, NDArray[Any]]:
        """The sums, to be saved in a file."""
        return {"blocks": self.sums, "deals": np.array(self.number), "size": np.array(self.size)}

    def load(self, numbers: Mapping[str, NDArray[Any]]) -> None:
        """Restore saved sums."""
        self.number, self.size = int(numbers["deals"]), int(numbers["size"])
        self._sums[: len(numbers["blocks"])] = numbers["blocks"]


def first_in_samples(rows: FloatArray, samples: int = RESAMPLED, seed: int = 1) -> FloatArray:
    """For each column, the share of bootstrap samples of the rows in which it has the highest sum."""
    rng = np.random.default_rng(seed)
    number, first = len(rows), np.zeros(rows.shape[1])
    for _ in range(samples):
        drawn = np.bincount(rng.integers(0, number, number), minlength=number).astype(float)
        sums = drawn @ rows
        best = np.isclose(sums, sums.max(), rtol=1e-12, atol=1e-12)
        first += best / best.sum()
    return first / samples


def sum_in_order(sums: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
    """Add all rows to the sums, one after another: the rounding of floats would otherwise depend on the chunks."""
    result: NDArray[Any] = np.add.accumulate(np.concatenate([sums[None], rows]))[-1]
    return result
