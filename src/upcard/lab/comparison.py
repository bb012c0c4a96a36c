"""Paired comparison of two ways to play the same deals: `upcard.lab.compare`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from upcard.engine.errors import UpcardError
from upcard.lab import intervals
from upcard.lab.arguments import between, looks_of
from upcard.lab.columns import ColumnArray, Played, check_played
from upcard.lab.intervals import CERTAIN, Interval
from upcard.lab.sums import sum_in_order
from upcard.rules.phrases import brief, counted, whole_number
from upcard.rules.renamed import former_names

SURE = 1.43
"""The difference that is detected with 80 % power, in half-widths of its interval: (1.96 + 0.84) / 1.96."""
FEW = 10
"""With fewer differing pairs than this, intervals also allow for differences that have not occurred yet."""
UNTOUCHED = "nothing changed at all; these players may never use what differs, which says nothing about other players"


@dataclass(frozen=True)
class Comparison:
    """The paired difference between two ways to play the same deals, with its confidence interval."""

    what: str
    number: int
    """The number of pairs."""
    first: float
    """The mean of the first."""
    second: float
    interval: Interval
    """The interval of the difference, second minus first; infinite for fewer than five pairs."""
    alone: float
    """The half-width that the interval would have if the two had been dealt different cards."""
    differing: int
    """The number of pairs in which the two differ."""
    untouched: bool
    """Whether the two are the same in every pair and every column, not only in the compared one."""
    certain: float = CERTAIN

    @property
    def difference(self) -> float:
        return self.second - self.first

    @property
    def told(self) -> bool:
        """Whether the difference is significant: the interval excludes 0."""
        return bool(self.differing) and not self.interval.has(0)

    def pairs_for(self, precision: float) -> int:
        """The number of pairs needed for an interval of ± `precision`, estimated from these pairs. Raises UpcardError
        unless `precision` is a positive number, and for fewer than five pairs."""
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
        """The difference with its interval, and whether it is significant, in words."""
        if not self.differing:
            return f"no difference in any of {self.number}"
        if math.isinf(self.interval.half):
            return "too few to say"
        measured, wanted = self.measured, abs(self.difference) / SURE
        if self.told or wanted <= intervals.FINEST:
            return measured if self.told else f"{measured}: not significant"
        needed = self.pairs_for(wanted)
        return f"{measured}: not significant; if it is that large, {rounded(needed)} would probably show it"

    @property
    def remarks(self) -> list[str]:
        """Further remarks for the reader."""
        if self.untouched:
            return [UNTOUCHED]
        if not self.differing or math.isinf(self.interval.half):
            return []
        gain = self.alone / self.interval.half if self.interval.half else 1
        paired = f"; on the same deals the interval is {gain:.1f} times narrower" if gain > 1.1 else ""
        return [f"{self.differing} of {self.number} differ{paired}"]

    def as_dict(self) -> dict[str, object]:
        """Plain data for JSON; the ends of an infinite interval are None."""
        own = {name: getattr(self, name) for name in "what number first second difference told differing".split()}
        return own | self.interval.plain | {"certain": self.certain, "untouched": self.untouched}


def compare(a: Played, b: Played, what: str, *, seat: int | None = None, looks: int = 1) -> Comparison:
    """The paired difference of a column, `b` minus `a`, deal by deal; both must have the same deals of the same seed.

    The values compared are those of `seat`, or the means over all seats. Use it for two variants, two sets of options
    or two sets of players: what they have in common, above all the cards, cancels out. If you make several comparisons,
    pass their number as `looks`: the intervals then have simultaneous coverage (Bonferroni): all of them together are
    right in 95 of 100 cases. Raises UpcardError if `a` and `b` do not match, and for an unknown or non-numeric column.
    """
    for played in (a, b):
        check_played("compared", played)
    if (a.unit, a.seed, a.number) != (b.unit, b.seed, b.number):
        raise UpcardError(
            f"what is compared needs the same seed and number, not {counted(a.number, a.unit)} of seed {a.seed} "
            f"with {counted(b.number, b.unit)} of seed {b.seed}"
        )
    if a.setup.players != b.setup.players:
        raise UpcardError(
            f"what is compared needs the same number of players, not {a.setup.players} and {b.setup.players}"
        )
    first, second = (_values(deals, what, seat) for deals in (a, b))
    return paired(what, first, second, untouched=_same(a, b), looks=looks_of(looks))


def paired(what: str, a: ColumnArray, b: ColumnArray, *, untouched: bool = False, looks: int = 1) -> Comparison:
    """The comparison of two arrays of numbers, paired by index; `what` is their name."""
    pairs = Pairs([what])
    pairs.add(a[:, None], b[:, None])
    return pairs.comparisons(untouched=untouched, looks=looks)[0]


class Pairs:
    """Sums over pairs of numbers, of one kind or several, for comparisons in constant memory. They depend only on the
    pairs and their order, not on the chunks in which they are added."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self.kinds, self.number = kinds, 0
        self.differing = np.zeros(len(kinds), np.int64)
        self.sums = np.zeros((5, len(kinds)))
        """The sums of a, b, a², b² and (b - a)²."""
        self.least, self.most = np.full(len(kinds), math.inf), np.full(len(kinds), -math.inf)
        """The least and the greatest of all numbers."""

    def add(self, a: ColumnArray, b: ColumnArray) -> None:
        """Add the next pairs; both arrays have the shape (pairs, kinds)."""
        a, b = a.astype(float), b.astype(float)
        terms = np.stack([a, b, a * a, b * b, (b - a) ** 2])
        self.number += len(a)
        self.differing += (a != b).sum(axis=0)
        self.sums = sum_in_order(self.sums, terms.swapaxes(0, 1))
        self.least = np.minimum(self.least, np.minimum(a, b).min(axis=0, initial=math.inf))
        self.most = np.maximum(self.most, np.maximum(a, b).max(axis=0, initial=-math.inf))

    def numbers(self) -> dict[str, ColumnArray]:
        """The sums, to be saved in a file."""
        own = {"differing": self.differing, "pair sums": self.sums, "least": self.least, "most": self.most}
        return own | {"pairs": np.array(self.number)}

    def load(self, numbers: Mapping[str, ColumnArray]) -> None:
        """Restore saved sums."""
        self.number = int(numbers["pairs"])
        names = "differing", "pair sums", "least", "most"
        self.differing, self.sums, self.least, self.most = (numbers[name] for name in names)

    def comparisons(self, *, untouched: bool = False, looks: int = 1) -> list[Comparison]:
        """The comparisons of the pairs so far, one for each kind."""
        certain = intervals.simultaneous_level(looks)
        rows = zip(self.kinds, self.sums.T.tolist(), self.differing.tolist(), self._reach(), strict=True)
        return [_compared(*row, self.number, untouched, certain) for row in rows]

    def _reach(self) -> list[float]:
        """The range of the numbers of each kind: the greatest minus the least."""
        return [max(0.0, reach) for reach in (self.most - self.least).tolist()]


def _compared(
    what: str, sums: list[float], differing: int, reach: float, number: int, untouched: bool, certain: float
) -> Comparison:
    a, b = sums[0] / number, sums[1] / number
    error_a, error_b, error = (
        _error(square, mean, number) for square, mean in zip(sums[2:], (a, b, b - a), strict=True)
    )
    # If few pairs differ, their variance says little: allow for the rate of differences that have not occurred yet.
    rare = intervals.unseen(number, certain) * reach if differing < FEW else 0.0
    interval = intervals.at_least(intervals.of_mean(b - a, error, number, certain), rare)
    alone = intervals.of_mean(0, math.hypot(error_a, error_b), number, certain).half
    return Comparison(what, number, a, b, interval, alone, differing, untouched, certain)


def _error(square: float, mean: float, number: int) -> float:
    """The standard error of a mean, from the sum of squares."""
    return math.sqrt(max(0.0, square / number - mean * mean) / (number - 1)) if number > 1 else 0.0


def _values(deals: Played, what: str, seat: int | None) -> ColumnArray:
    table = deals.by_deal(what)
    if what in deals.kinds:
        raise UpcardError(f"{what} is not a number, and cannot be compared")
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


__getattr__ = former_names(__name__, one_by_one="sum_in_order")
