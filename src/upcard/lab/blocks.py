"""Sums over blocks of deals, in constant memory. A bootstrap resamples the blocks instead of the deals.

Up to `MOST` deals, each is a block. With more deals, consecutive ones share a block. Blocks of the same size have
independent sums, and with thousands of blocks the bootstrap of the mean gives the same interval as with single deals
(the non-overlapping block bootstrap, Carlstein 1986; because deals are independent, any block size is valid).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.lab import intervals
from upcard.lab.intervals import Interval

MOST = 1 << 16
"""The maximum number of blocks. Joining halves it, and even then the width of an interval is accurate to 0.4 %."""
RESAMPLED = 1000

FloatArray = NDArray[np.float64]


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
