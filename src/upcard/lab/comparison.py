"""Two ways to play the same deals, compared deal by deal: `upcard.lab.compare`."""

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
from upcard.rules.phrases import brief, counted, whole_number

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


def paired(what: str, a: ColumnArray, b: ColumnArray, *, untouched: bool = False, looks: int = 1) -> Comparison:
    """The same for two arrays of numbers, paired by index; `what` is their name."""
    pairs = Pairs([what])
    pairs.add(a[:, None], b[:, None])
    return pairs.comparisons(untouched=untouched, looks=looks)[0]


class Pairs:
    """Sums over pairs of numbers, of one kind or several, from which comparisons are made in constant memory. They
    depend only on the pairs and their order, not on the parts in which they are added."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self.kinds, self.number = kinds, 0
        self.differing = np.zeros(len(kinds), np.int64)
        self.sums = np.zeros((5, len(kinds)))
        """The sums of a, b, a², b² and (b - a)²."""
        self.least, self.most = np.full(len(kinds), math.inf), np.full(len(kinds), -math.inf)
        """The least and the greatest of all numbers."""

    def add(self, a: ColumnArray, b: ColumnArray) -> None:
        """Add the next pairs, as tables of pairs by kinds."""
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
        """Set the sums to saved ones."""
        self.number = int(numbers["pairs"])
        names = "differing", "pair sums", "least", "most"
        self.differing, self.sums, self.least, self.most = (numbers[name] for name in names)

    def comparisons(self, *, untouched: bool = False, looks: int = 1) -> list[Comparison]:
        """The comparisons of the pairs so far, one for each kind."""
        certain = intervals.simultaneous_level(looks)
        rows = zip(self.kinds, self.sums.T.tolist(), self.differing.tolist(), self._reach(), strict=True)
        return [_compared(*row, self.number, untouched, certain) for row in rows]

    def _reach(self) -> list[float]:
        """How far the numbers of each kind are apart."""
        return [max(0.0, reach) for reach in (self.most - self.least).tolist()]


def sum_in_order(sums: ColumnArray, rows: ColumnArray) -> ColumnArray:
    """The sums and all rows, added in order: floats that are added in parts would depend on the parts."""
    result: ColumnArray = np.add.accumulate(np.concatenate([sums[None], rows]))[-1]
    return result


def _compared(
    what: str, sums: list[float], differing: int, reach: float, number: int, untouched: bool, certain: float
) -> Comparison:
    a, b = sums[0] / number, sums[1] / number
    error_a, error_b, error = (
        _error(square, mean, number) for square, mean in zip(sums[2:], (a, b, b - a), strict=True)
    )
    # What pairs like those that have not been seen may make of it matters where few differ, whose spread says little.
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
