"""Confidence intervals for means and shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, inf, isfinite, isinf, isnan
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from upcard.engine.errors import UpcardError
from upcard.lab.arguments import between, check_function, integer_from
from upcard.rules.phrases import brief

CERTAIN = 0.95
"""The default confidence level: the probability that an interval contains the true value."""

FEWEST = 5
"""The fewest numbers for which the interval of their mean is finite."""


FINEST = 1e-9
"""The finest precision that can be asked for; for a finer one, the planned number would overflow."""


ENOUGH = 100
"""The fewest deals or matches after which a precision counts as reached; with fewer, intervals may be narrow by
chance."""


@dataclass(frozen=True)
class Interval:
    """A confidence interval, from `low` to `high`."""

    low: float
    high: float

    @property
    def half(self) -> float:
        """Half its width: the number after a ±."""
        return (self.high - self.low) / 2

    @property
    def percent(self) -> Interval:
        """The interval of a share, in percent."""
        return Interval(100 * self.low, 100 * self.high)

    @property
    def plain(self) -> dict[str, float | None]:
        """Both bounds for JSON; infinite ones are None."""
        return {name: None if isinf(end) else end for name, end in (("low", self.low), ("high", self.high))}

    def has(self, number: float) -> bool:
        return self.low <= number <= self.high

    def __format__(self, form: str) -> str:
        """Both bounds in this format; words if they are infinite."""
        return "too few to say" if isinf(self.half) else f"{self.low:{form}} to {self.high:{form}}"


def quantile(freedom: int, certain: float = CERTAIN) -> float:
    """The half-width of a confidence interval in standard errors: the quantile of Student's t, by its expansion in
    1/freedom (Abramowitz and Stegun 26.7.5), accurate to three digits from 4 degrees of freedom up."""
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
    """Which of several values differ significantly from `number`, by Holm's procedure: in 95 of 100 cases, none of them
    is a false positive.

    Each value is the middle of its interval. The intervals must have simultaneous coverage (Bonferroni, see
    `simultaneous_level`), by Student's t with `freedom` degrees of freedom. The most significant value is judged by its
    interval, each next one by a narrower interval, as if the values before it had not been tested; the first that fails
    ends the procedure.
    """
    sure = [False] * len(between)
    freedom = max(1, freedom)  # a single deal is never significant: its intervals are infinite
    off = [_halves_off(number, interval) for interval in between]
    widest = quantile(freedom, simultaneous_level(len(between)))
    for before, place in enumerate(sorted(range(len(off)), key=lambda place: -off[place])):
        if off[place] * widest <= quantile(freedom, simultaneous_level(len(off) - before)):
            break
        sure[place] = True
    return sure


def _halves_off(number: float, between: Interval) -> float:
    """The distance of a number from the middle of an interval, in half-widths."""
    if isinf(between.half) or number == between.low == between.high:
        return 0.0
    return abs(number - (between.low + between.high) / 2) / between.half if between.half else inf


def simultaneous_level(intervals: int) -> float:
    """The confidence level of each interval that gives all of them together a coverage of 95 % (Bonferroni)."""
    return 1 - (1 - CERTAIN) / intervals


def of_mean(mean: float, error: float, number: int, certain: float = CERTAIN) -> Interval:
    """The confidence interval of a mean of `number` independent numbers with this standard error; infinite for fewer
    than five, and if the standard error is unknown (NaN)."""
    if number < FEWEST or isnan(error):
        return Interval(float("-inf"), float("inf"))
    half = quantile(number - 1, certain) * error
    return Interval(mean - half, mean + half)


def of_numbers(numbers: NDArray[Any], certain: float = CERTAIN) -> Interval:
    """The confidence interval of the mean of independent numbers."""
    error = float(numbers.std(ddof=1)) / len(numbers) ** 0.5 if len(numbers) > 1 else 0.0
    return of_mean(float(numbers.mean()), error, len(numbers), certain)


def planned(number: int, half: float, wanted: float) -> int:
    """The number of deals or matches needed for an interval of ± `wanted`, if `number` of them gave ± `half`: at least
    `ENOUGH`; twice `number` if `half` is infinite."""
    return max(ENOUGH, ceil(number * (half / wanted) ** 2) if isfinite(half) else 2 * number)


def bootstrap(
    rows: ArrayLike,
    of: Callable[[NDArray[Any]], float],
    *,
    certain: float = CERTAIN,
    samples: int = 1000,
    seed: int = 1,
) -> Interval:
    """A confidence interval for any statistic `of` the rows of a table, by Efron's percentile bootstrap.

    Each row must be an independent case, usually a deal. The rows are resampled with replacement `samples` times, and
    the interval is the central `certain` of the resulting values. It is infinite for fewer than five rows; use at least
    a few dozen. The same seed gives the same interval. Raises UpcardError for rows that are not numbers, and if `of`
    does not return a number.
    """
    rows, samples, seed = _numbers_in_rows(rows), integer_from("samples", samples), integer_from("seed", seed, 0)
    check_function("the statistic of the rows", of)
    certain = between("certain", certain, 0, 1)
    rng, number = np.random.default_rng(seed), len(rows)
    values = [of(rows[rng.integers(0, number, number)]) for _ in range(samples)]
    if np.shape(values) != (samples,) or np.asarray(values).dtype.kind not in "biuf" or np.isnan(values).any():
        raise UpcardError("the statistic of the rows is one number")
    if number < FEWEST:
        return Interval(-inf, inf)
    low, high = np.quantile(values, [(1 - certain) / 2, (1 + certain) / 2])
    return Interval(float(low), float(high))


def _numbers_in_rows(rows: object) -> NDArray[Any]:
    """The rows as an array. Raises UpcardError unless they are numbers."""
    try:
        table = np.asarray(rows)
    except (ValueError, TypeError):
        table = np.array(None)
    if table.dtype.kind not in "biuf" or table.ndim == 0 or not len(table):
        raise UpcardError(f"rows are an array of numbers with at least one row, not {brief(rows)}")
    if np.isnan(table).any():
        raise UpcardError("rows are numbers, and some of these are not a number (NaN)")
    return table


def of_share(share: float, number: int, certain: float = CERTAIN) -> Interval:
    """Wilson's interval for a share of `number` independent cases. It never extends beyond 0 or 1.

    If cases can count in part, as shared wins do, it is slightly wider than necessary.
    """
    return _wilson(share, _looseness(number, certain))


def as_share(share: float, interval: Interval, number: int, certain: float = CERTAIN) -> Interval:
    """Wilson's interval for a share whose error was estimated in another way. That estimate is given as `interval`, and
    determines an effective number of independent cases. The result always extends up to the bound for an event that
    never happened in `number` cases, and down to the bound for one that always did."""
    if isinf(interval.half):
        return interval
    fewest, rare = _looseness(number, certain), unseen(number, certain)
    wilson = _wilson(share, interval.half**2 / (share * (1 - share)) if 0 < share < 1 else fewest)
    return Interval(min(wilson.low, 1 - rare), max(wilson.high, rare))


def unseen(number: int, certain: float = CERTAIN) -> float:
    """The upper confidence bound for the probability of an event that never happened in `number` cases."""
    return _wilson(0, _looseness(number, certain)).high


def at_least(interval: Interval, half: float) -> Interval:
    """An interval, widened around its middle to ± `half` if it is narrower."""
    middle = (interval.low + interval.high) / 2
    return interval if interval.half >= half else Interval(middle - half, middle + half)


def within(interval: Interval) -> Interval:
    """An interval with both bounds clipped to between 0 and 1; an infinite one is returned unchanged."""
    if isinf(interval.half):
        return interval
    return Interval(*(min(1.0, max(0.0, end)) for end in (interval.low, interval.high)))


def _looseness(number: int, certain: float) -> float:
    """The squared normal quantile divided by the number of cases, on which Wilson's interval depends."""
    return NormalDist().inv_cdf((1 + certain) / 2) ** 2 / number


def _wilson(share: float, loose: float) -> Interval:
    middle = (share + loose / 2) / (1 + loose)
    half = (share * (1 - share) * loose + loose * loose / 4) ** 0.5 / (1 + loose)
    return Interval(max(0.0, middle - half) if share > 0 else 0.0, min(1.0, middle + half) if share < 1 else 1.0)
