"""Sums over blocks of deals, which are drawn like deals in a bootstrap, in constant memory.

Few deals are blocks of their own. Where they are many, consecutive ones share a block: blocks of the same size have
independent sums, and of thousands of them the bootstrap says of the mean what it says of the deals themselves (the
non-overlapping block bootstrap, Carlstein 1986; the deals being independent, any size of block will do).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.lab import intervals
from upcard.lab.intervals import Interval

MOST = 1 << 16
"""The most blocks. Even from half as many, as there are after joining, the width of an interval is known to 0.4 %."""
RESAMPLED = 1000

FloatArray = NDArray[np.float64]


class Blocks:
    """Sums of the rows of consecutive deals: up to `MOST` deals each is a block; whenever there would be more blocks,
    every two are joined. They depend only on the deals and their order, not on the parts in which they are added."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        """`shape` is that of a row."""
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
        """The sums, blocks by numbers of a row; the last block may be incomplete."""
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
        """The interval of the mean of the number at this place of the rows."""
        complete = self.sums[: self.number // self.size]
        spread = complete.std(axis=0, ddof=min(1, len(complete) - 1))[place]
        return intervals.of_mean(float(self.mean[place]), float(spread) / (self.size * self.number) ** 0.5, self.number)

    def numbers(self) -> dict[str, NDArray[Any]]:
        """The sums, to be saved in a file."""
        return {"blocks": self.sums, "deals": np.array(self.number), "size": np.array(self.size)}

    def load(self, numbers: Mapping[str, NDArray[Any]]) -> None:
        """Set the sums to saved ones."""
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
