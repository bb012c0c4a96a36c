"""Two ways to play the same deals, compared deal by deal: `upcard.lab.compare`."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from upcard.engine.errors import UpcardError
from upcard.lab import intervals
from upcard.lab.arguments import between, looks_of
from upcard.lab.columns import Column, Played, check_played
from upcard.lab.intervals import CERTAIN, Interval
from upcard.rules.words import brief, counted, whole_number

SURE = 1.43
"""The difference that is detected four times in five, in half-widths of its interval: (1.96 + 0.84) / 1.96."""
FEW = 10
"""With fewer pairs that differ, those that have not been seen count too."""
UNTOUCHED = "nothing changed at all; these players may never meet what differs, which says nothing about others"


@dataclass(frozen=True)
class Comparison:
    """The difference between two ways to play the same deals, with its confidence interval."""

    what: str
    number: int
    """The number of pairs."""
    first: float
    """The mean of the first."""
    second: float
    interval: Interval
    """The interval of the difference, second minus first; infinite for fewer than five pairs."""
    alone: float
    """The half-width that the interval would have had if the two had been dealt different cards."""
    differing: int
    """The number of pairs in which the two differ."""
    untouched: bool
    """Whether the two are the same in every pair and in every column, not only in what is compared."""
    certain: float = CERTAIN

    @property
    def difference(self) -> float:
        return self.second - self.first

    @property
    def told(self) -> bool:
        """Whether the interval excludes 0, so that the difference is significant."""
        return bool(self.differing) and not self.interval.has(0)

    def pairs_for(self, precision: float) -> int:
        """How many pairs an interval of ± `precision` takes, estimated from these pairs. Raises UpcardError unless
        `precision` is a positive number."""
        between("a precision", precision, intervals.FINEST, math.inf)
        if math.isinf(self.interval.half):
            raise UpcardError("a plan needs at least five pairs")
        return max(intervals.FEWEST, math.ceil(self.number * (self.interval.half / precision) ** 2))

    def __str__(self) -> str:
        first = f"{self.what}: {self.first:.4g} and {self.second:.4g}, {self.verdict}"
        return "\n".join([first, *(f"  {remark}" for remark in self.remarks)])

    @property
    def measured(self) -> str:
        """The difference with its interval."""
        return f"{self.difference:+.3g} ({self.interval:+.3g})"

    @property
    def verdict(self) -> str:
        """The difference with its interval, or that no difference can be told, in words."""
        if not self.differing:
            return f"no difference in any of {self.number}"
        if math.isinf(self.interval.half):
            return "cannot be told: too few"
        seen, wanted = self.measured, abs(self.difference) / SURE
        if self.told or wanted <= intervals.FINEST:
            return seen if self.told else f"{seen}: cannot be told"
        needed = self.pairs_for(wanted)
        return f"{seen}: cannot be told; if it is that large, {rounded(needed)} would probably show it"

    @property
    def remarks(self) -> list[str]:
        """What else a reader should know, in sentences."""
        if self.untouched:
            return [UNTOUCHED]
        if not self.differing or math.isinf(self.interval.half):
            return []
        surer = self.alone / self.interval.half if self.interval.half else 1
        compared = f"; on the same deals it is {surer:.1f} times as sure" if surer > 1.1 else ""
        return [f"{self.differing} of {self.number} differ{compared}"]

    def as_dict(self) -> dict[str, object]:
        """Plain data for JSON; the ends of an infinite interval are None."""
        own = {name: getattr(self, name) for name in "what number first second difference told differing".split()}
        return own | self.interval.plain | {"certain": self.certain, "untouched": self.untouched}


def compare(a: Played, b: Played, what: str, *, seat: int | None = None, looks: int = 1) -> Comparison:
    """How a column of `b` differs from the same column of `a`, deal by deal; both have the same deals of the same seed.

    Compared are the values of `seat`, or the means over all seats. Use it for two variants, two sets of options or two
    sets of players: what they have in common, above all the cards, cancels out. If you make several comparisons, pass
    their number as `looks`: the intervals are then wide enough (Bonferroni) that all of them together are right in 95
    of 100 cases. Raises UpcardError if `a` and `b` do not match, and for an unknown or non-numeric column.
    """
    for played in (a, b):
        check_played("compared", played)
    if (a.unit, a.seed, a.number) != (b.unit, b.seed, b.number):
        raise UpcardError(
            f"what is compared has the same seed and number, not {counted(a.number, a.unit)} of seed {a.seed} "
            f"with {counted(b.number, b.unit)} of seed {b.seed}"
        )
    if a.setup.players != b.setup.players:
        raise UpcardError(
            f"what is compared has the same number of players, not {a.setup.players} and {b.setup.players}"
        )
    one, other = (_values(deals, what, seat) for deals in (a, b))
    return paired(what, one, other, untouched=_same(a, b), looks=looks_of(looks))


def paired(what: str, a: Column, b: Column, *, untouched: bool = False, looks: int = 1) -> Comparison:
    """The same for two arrays of numbers, paired by index; `what` is their name."""
    pairs = Pairs(what)
    pairs.add(a, b)
    return pairs.comparison(untouched=untouched, looks=looks)


class Pairs:
    """Sums over pairs of numbers, from which a comparison is made in constant memory."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.number = self.differing = 0
        self.sums = np.zeros(5)
        """The sums of a, b, a², b² and (b - a)²."""
        self.least, self.most = math.inf, -math.inf
        """The least and the greatest of all numbers."""

    def add(self, a: Column, b: Column) -> None:
        a, b = a.astype(float), b.astype(float)
        difference = b - a
        self.number += len(a)
        self.differing += int((difference != 0).sum())
        self.sums += [a.sum(), b.sum(), a @ a, b @ b, difference @ difference]
        self.least = min(self.least, a.min(initial=math.inf), b.min(initial=math.inf))
        self.most = max(self.most, a.max(initial=-math.inf), b.max(initial=-math.inf))

    def comparison(self, *, untouched: bool = False, looks: int = 1) -> Comparison:
        """The comparison of the pairs so far."""
        number, certain = self.number, intervals.together(looks)
        a, b = self.sums[0] / number, self.sums[1] / number
        error_a, error_b, error = (
            _error(square, mean, number) for square, mean in zip(self.sums[2:], (a, b, b - a), strict=True)
        )
        return Comparison(
            self.what,
            number,
            float(a),
            float(b),
            intervals.at_least(intervals.of_mean(float(b - a), error, number, certain), self._unseen(certain)),
            intervals.of_mean(0, math.hypot(error_a, error_b), number, certain).half,
            self.differing,
            untouched,
            certain,
        )

    def _unseen(self, certain: float) -> float:
        """How much pairs like those that have not been seen may make of the difference: it matters where few differ,
        whose spread says little."""
        reach = max(0.0, self.most - self.least)
        return intervals.unseen(self.number, certain) * reach if self.differing < FEW else 0.0


def _error(square: float, mean: float, number: int) -> float:
    """The standard error of a mean, from the sum of squares."""
    return math.sqrt(max(0.0, square / number - mean * mean) / (number - 1)) if number > 1 else 0.0


def _values(deals: Played, what: str, seat: int | None) -> Column:
    table = deals.by_deal(what)
    if what in deals.kinds:
        raise UpcardError(f"{what} is no number that could be compared")
    if seat is None:
        return np.asarray(table.mean(axis=1))
    number = whole_number(seat)
    if number is None or not 0 <= number < deals.setup.players:
        raise UpcardError(f"a seat is from 0 to {deals.setup.players - 1}, not {brief(seat)}")
    return np.asarray(table[:, number].astype(float))


def _same(a: Played, b: Played) -> bool:
    """Whether all columns of the two are equal."""
    names = set(a) & set(b) - {"player"}
    return all(np.array_equal(a[name], b[name]) for name in names)


def rounded(number: int) -> str:
    """A planned number, rounded up to two significant digits."""
    scale = 10 ** max(0, len(str(number)) - 2)
    return f"{math.ceil(number / scale) * scale:,}".replace(",", " ")
