"""How sure a number is: intervals for means and for shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, inf, isfinite, isinf
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from upcard.engine.errors import UpcardError
from upcard.lab.arguments import between, check_function, whole
from upcard.rules.words import brief

CERTAIN = 0.95
"""How often an interval has the true number in it, unless something else is said."""

FEWEST = 5
"""Numbers that an interval of a mean is made of at least."""


FINEST = 1e-9
"""Nothing is ever known ± so little: plans for it would be beyond all numbers."""


ENOUGH = 100
"""Deals or matches that are played at least before a precision counts as reached: intervals of fewer may be narrow by
luck."""


@dataclass(frozen=True)
class Interval:
    """From here to there."""

    low: float
    high: float

    @property
    def half(self) -> float:
        """Half its width: what stands behind a ±."""
        return (self.high - self.low) / 2

    @property
    def percent(self) -> Interval:
        """The same of a share, in hundredths."""
        return Interval(100 * self.low, 100 * self.high)

    @property
    def plain(self) -> dict[str, float | None]:
        """Both ends for JSON, which has no infinity."""
        return {name: None if isinf(end) else end for name, end in (("low", self.low), ("high", self.high))}

    def has(self, number: float) -> bool:
        return self.low <= number <= self.high

    def __format__(self, form: str) -> str:
        """Both ends in this form, or in words that there are none."""
        return "too few to say" if isinf(self.half) else f"{self.low:{form}} to {self.high:{form}}"


def quantile(freedom: int, certain: float = CERTAIN) -> float:
    """How many standard errors an interval reaches to each side: Student's t by its expansion in 1/freedom (Abramowitz
    and Stegun 26.7.5), right to three digits from 4 degrees of freedom up."""
    z = NormalDist().inv_cdf((1 + certain) / 2)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(sum(term / freedom**power for power, term in enumerate(terms)))


def surely_not(number: float, between: Sequence[Interval], freedom: int) -> list[bool]:
    """Which of several values, each in the middle of its interval, are surely not this number, all of these verdicts
    being right in 95 of 100 cases (Holm's procedure).

    The intervals are those that hold all values together (Bonferroni), by Student's t with so many degrees of freedom.
    The surest value is judged by its interval; each next one by a narrower one, as if those before had not been looked
    at; the first that cannot be told ends it.
    """
    told = [False] * len(between)
    freedom = max(1, freedom)  # of a single deal nothing is told: its intervals are infinite
    off = [_halves_off(number, one) for one in between]
    widest = quantile(freedom, together(len(between)))
    for before, place in enumerate(sorted(range(len(off)), key=lambda place: -off[place])):
        if off[place] * widest <= quantile(freedom, together(len(off) - before)):
            break
        told[place] = True
    return told


def _halves_off(number: float, between: Interval) -> float:
    """How far a number is from the middle of an interval, in halves of its width."""
    if isinf(between.half) or number == between.low == between.high:
        return 0.0
    return abs(number - (between.low + between.high) / 2) / between.half if between.half else inf


def together(intervals: int) -> float:
    """How certain each of so many intervals is if all are to be right together in 95 of 100 cases (Bonferroni)."""
    return 1 - (1 - CERTAIN) / intervals


def of_mean(mean: float, error: float, number: int, certain: float = CERTAIN) -> Interval:
    """Around the mean of so many independent numbers, by its standard error. All of the line for fewer than five."""
    if number < FEWEST:
        return Interval(float("-inf"), float("inf"))
    half = quantile(number - 1, certain) * error
    return Interval(mean - half, mean + half)


def of_numbers(numbers: NDArray[Any], certain: float = CERTAIN) -> Interval:
    """Around the mean of these independent numbers."""
    error = float(numbers.std(ddof=1)) / len(numbers) ** 0.5 if len(numbers) > 1 else 0.0
    return of_mean(float(numbers.mean()), error, len(numbers), certain)


def planned(number: int, half: float, wanted: float) -> int:
    """How many deals or matches it takes for intervals of ± so much as is `wanted`, where so many gave ± `half`; no
    fewer than `ENOUGH`."""
    return max(ENOUGH, ceil(number * (half / wanted) ** 2) if isfinite(half) else 0)


def bootstrap(
    rows: ArrayLike,
    of: Callable[[NDArray[Any]], float],
    *,
    certain: float = CERTAIN,
    samples: int = 1000,
    seed: int = 1,
) -> Interval:
    """Around what a function makes of the rows of a table, of which each is an independent case, above all a deal.

    The rows are drawn anew, with replacement, so many times, and the middle of what comes out is taken (the percentile
    bootstrap of Efron). It needs some dozens of rows at least; the seed makes it repeatable. Raises UpcardError for
    rows that are no numbers, and for what is made of them and is not one.
    """
    rows, samples, seed = _numbers_in_rows(rows), whole("samples", samples), whole("seed", seed, 0)
    check_function("what is made of the rows", of)
    certain = between("certain", certain, 0, 1)
    rng, number = np.random.default_rng(seed), len(rows)
    found = [of(rows[rng.integers(0, number, number)]) for _ in range(samples)]
    if np.shape(found) != (samples,) or np.asarray(found).dtype.kind not in "biuf" or np.isnan(found).any():
        raise UpcardError("what is made of the rows is one number")
    low, high = np.quantile(found, [(1 - certain) / 2, (1 + certain) / 2])
    return Interval(float(low), float(high))


def _numbers_in_rows(rows: object) -> NDArray[Any]:
    """Raises UpcardError."""
    try:
        table = np.asarray(rows)
    except (ValueError, TypeError):
        table = np.array(None)
    if table.dtype.kind not in "biuf" or table.ndim == 0 or not len(table):
        raise UpcardError(f"rows are an array of numbers, one row at least, not {brief(rows)}")
    if np.isnan(table).any():
        raise UpcardError("rows are numbers, and some of these are none (NaN)")
    return table


def of_share(share: float, number: int, certain: float = CERTAIN) -> Interval:
    """Around a share of so many independent cases (Wilson's): it stays between 0 and 1, and is wide for few cases.

    Where cases count as a part, as shared wins do, it is a little wider than it need be.
    """
    return _wilson(share, _looseness(number, certain))


def as_share(share: float, found: Interval, number: int, certain: float = CERTAIN) -> Interval:
    """Wilson's interval for a share whose error was found otherwise, here as `found`, by which it counts as so many
    independent cases. It never reaches less far than where something was never, or always, so in all of `number` cases:
    no more is known than these tell."""
    if isinf(found.half):
        return found
    fewest = _looseness(number, certain)
    rare = _wilson(0, fewest).high
    one = _wilson(share, found.half**2 / (share * (1 - share)) if 0 < share < 1 else fewest)
    return Interval(min(one.low, 1 - rare), max(one.high, rare))


def within(found: Interval) -> Interval:
    """What of an interval is a share, from 0 to 1; one without ends stays as it is."""
    return found if isinf(found.half) else Interval(max(0.0, found.low), min(1.0, found.high))


def _looseness(number: int, certain: float) -> float:
    """The square of the half-width of a share, by that of one case: all that Wilson's interval needs to know."""
    return NormalDist().inv_cdf((1 + certain) / 2) ** 2 / number


def _wilson(share: float, loose: float) -> Interval:
    middle = (share + loose / 2) / (1 + loose)
    half = (share * (1 - share) * loose + loose * loose / 4) ** 0.5 / (1 + loose)
    return Interval(max(0.0, middle - half) if share > 0 else 0.0, min(1.0, middle + half) if share < 1 else 1.0)
