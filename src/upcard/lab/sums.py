"""Sums over deals: what a measure is worked out from, and how sure it is, in the same memory for any number of deals.

A measure is a function of sums over independent deals. The deals fall into groups by their number; leaving out one
group after the other says how far the measure would have come out otherwise (the jackknife by groups of Quenouille and
Tukey). Deals are alike but for the dealer, who goes round with their number: so a group of many has all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.lab import intervals
from upcard.lab.intervals import CERTAIN, Interval
from upcard.lab.jobs import uninterrupted
from upcard.lab.keeping import Keep

GROUPS = 127
"""Enough for intervals that are hardly wider than they could be; deals up to this number are a group each. A prime, so
that no group keeps step with the dealers, at any number of seats: what dealing is worth would count as chance."""

Numbers = NDArray[np.float64]
Estimates = tuple[list[float], list[Interval]]
"""Numbers, and an interval for each."""


class Sums:
    """Sums of rows of numbers, one row for each deal; beside them how many rows there are."""

    def __init__(self, width: int) -> None:
        self.groups = np.zeros((GROUPS, width + 1))

    def add(self, first: int, rows: NDArray[Any]) -> None:
        """The rows of deals from number `first` on."""
        counted = np.concatenate([rows, np.ones((len(rows), 1))], axis=1)
        np.add.at(self.groups, np.arange(first, first + len(rows)) % GROUPS, counted)

    @property
    def number(self) -> int:
        """How many deals."""
        return int(self.groups[:, -1].sum())


def summed(
    play: Callable[..., Generator[NDArray[Any]]],
    number: int,
    width: int,
    keep: Keep,
    progress: Callable[[int], None] | None,
) -> Sums:
    """The sums of rows that come in pieces, those of the first deals first; `progress` gets how many there are.

    `play` gives the rows of the deals from number `first` on: that is how many `keep` has already. Ctrl-C ends it with
    what there is, if there is something. Raises UpcardError for fewer deals than are kept.
    """
    sums = Sums(width)
    if keep.found:
        sums.groups[:] = keep.found["sums"]
    first = sums.number
    keep.check(first, number)
    try:
        with closing(play(first=first)) as parts:
            for rows in parts:
                with uninterrupted():
                    sums.add(sums.number, rows)
                if keep.due:
                    keep.write({"sums": sums.groups})
                if progress:
                    progress(sums.number)
    except KeyboardInterrupt:
        if not sums.number:
            raise
    finally:
        if sums.number > first:
            keep.write({"sums": sums.groups})
    return sums


def estimate(of: Callable[..., Any], *sums: Sums, certain: float = CERTAIN) -> Estimates:
    """What the function makes of sums over the same deals, each with their number last, and how sure that is.

    The intervals are infinite for fewer than five deals.
    """
    totals = [one.groups.sum(axis=0) for one in sums]
    found = _numbers(of, totals)
    groups = np.flatnonzero(sums[0].groups[:, -1])
    if len(groups) < intervals.FEWEST:
        return found.tolist(), [Interval(float("-inf"), float("inf"))] * len(found)
    parts = [[total - one.groups[group] for total, one in zip(totals, sums, strict=True)] for group in groups]
    without = np.array([_numbers(of, part) for part in parts])
    errors = np.sqrt((len(groups) - 1) * without.var(axis=0)).tolist()
    between = [
        intervals.of_mean(value, error, len(groups), certain)
        for value, error in zip(found.tolist(), errors, strict=True)
    ]
    return found.tolist(), between


def _numbers(of: Callable[..., Any], totals: list[Numbers]) -> Numbers:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.atleast_1d(np.asarray(of(*totals), float))
