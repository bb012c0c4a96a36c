"""How often each number occurs, over any number of deals or matches, and its bars for a plot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from upcard.lab.columns import ColumnArray

MOST_BARS = 30
"""The most bars of a distribution: numbers that are more different than this share bars."""
MOST_NUMBERS = 100_000
"""The most different numbers that are counted, so that memory does not grow; later ones are left out."""


@dataclass(frozen=True)
class Distributed:
    """A number of deals or matches whose distribution is shown."""

    title: str
    """With its unit."""
    of: Callable[[Mapping[str, ColumnArray]], NDArray[np.int64]]


DISTRIBUTED = {
    "length": Distributed("decisions of a {unit}", lambda columns: columns["moves"][:, 0]),
    "spread": Distributed("points of a seat in a {unit}", lambda columns: columns["points"].ravel()),
    "deals": Distributed("deals of a match", lambda columns: columns["deals"][:, 0]),
}
"""By measure, the number behind it."""


class Distribution:
    """How often each whole number occurs."""

    def __init__(self, counts: Iterable[tuple[int, int]] = ()) -> None:
        self.counts = Counter(dict(counts))

    def add(self, values: NDArray[np.int64]) -> None:
        """Count these numbers."""
        different, often = np.unique(values, return_counts=True)
        for value, times in zip(different.tolist(), often.tolist(), strict=True):
            if value in self.counts or len(self.counts) < MOST_NUMBERS:
                self.counts[value] += times

    def numbers(self) -> NDArray[np.int64]:
        """The numbers with how often each occurs, to be saved in a file."""
        return np.array(sorted(self.counts.items()), np.int64).reshape(-1, 2)

    def bars(self, width: int, least: int) -> list[tuple[int, float]]:
        """The first number of each bar of this width, counted from `least`, with the share of numbers in it."""
        total, shares = self.counts.total(), Counter[int]()
        for value, times in self.counts.items():
            shares[least + (value - least) // width * width] += times
        return [(first, times / total) for first, times in sorted(shares.items())]


def common_bars(distributions: Iterable[Distribution]) -> tuple[int, int]:
    """The width of bars that shows several distributions, and the first number of the first bar."""
    numbers = [number for one in distributions for number in one.counts]
    least, most = min(numbers), max(numbers)
    return max(1, ceil((most - least + 1) / MOST_BARS)), least
