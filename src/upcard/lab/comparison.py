"""Two ways to play the same deals, compared deal by deal: `upcard.lab.compare`."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from upcard.engine.errors import UpcardError
from upcard.lab import intervals
from upcard.lab.arguments import between, looks_of
from upcard.lab.columns import Column, Played, check_played, plural
from upcard.lab.intervals import CERTAIN, Interval
from upcard.rules.words import brief, whole_number

SURE = 1.43
"""How many times half its interval a difference must be to be shown four times in five: (1.96 + 0.84) / 1.96."""
UNTOUCHED = "nothing changed at all; these players may never meet what differs, which says nothing about others"


@dataclass(frozen=True)
class Comparison:
    """By how much the second differs from the first, over the same deals, and how sure that is."""

    what: str
    number: int
    """Pairs."""
    first: float
    """Its mean."""
    second: float
    interval: Interval
    """Of the difference, second minus first; infinite for fewer than five pairs."""
    alone: float
    """Half the width that the interval would have if the two had been dealt different cards."""
    differing: int
    """In how many pairs the two are not the same."""
    untouched: bool
    """Whether nothing at all is different between the two, in no pair and nothing that was looked at."""
    certain: float = CERTAIN

    @property
    def difference(self) -> float:
        return self.second - self.first

    @property
    def told(self) -> bool:
        """Whether it can be told that there is a difference."""
        return bool(self.differing) and not self.interval.has(0)

    def pairs_for(self, precision: float) -> int:
        """How many pairs it takes for ± this much, planned from what was seen. Raises UpcardError for no precision."""
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
        """In words: the difference with its interval, or that it cannot be told."""
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
        """What else a reader has to know."""
        if self.untouched:
            return [UNTOUCHED]
        if not self.differing or math.isinf(self.interval.half):
            return []
        surer = self.alone / self.interval.half if self.interval.half else 1
        compared = f"; on the same deals it is {surer:.1f} times as sure" if surer > 1.1 else ""
        return [f"{self.differing} of {self.number} differ{compared}"]

    def as_dict(self) -> dict[str, object]:
        """Plain data; the ends of an interval without ends are None."""
        own = {name: getattr(self, name) for name in "what number first second difference told differing".split()}
        return own | self.interval.plain | {"certain": self.certain, "untouched": self.untouched}


def compare(a: Played, b: Played, what: str, *, seat: int | None = None, looks: int = 1) -> Comparison:
    """How a column of `b` differs from that of `a`, which are deals of the same numbers and seed.

    Taken is the mean over all seats of a deal, or what `seat` has. Two variants, two sets of options or two sets of
    players are compared like this; what is the same for both, above all the cards, drops out. Where several things are
    looked at, `looks` says how many: the intervals are then so much wider (Bonferroni) that all are right together in
    95 of 100 cases. Raises UpcardError for deals that do not go together, an unknown column, or one that is no number.
    """
    for played in (a, b):
        check_played("compared", played)
    if (a.unit, a.seed, a.number) != (b.unit, b.seed, b.number):
        raise UpcardError(
            f"what is compared has the same seed and number, not {a.number} {plural(a.unit)} of seed {a.seed} "
            f"with {b.number} {plural(b.unit)} of seed {b.seed}"
        )
    if a.setup.players != b.setup.players:
        raise UpcardError(
            f"what is compared has the same number of players, not {a.setup.players} and {b.setup.players}"
        )
    one, other = (_values(deals, what, seat) for deals in (a, b))
    return paired(what, one, other, untouched=_same(a, b), looks=looks_of(looks))


def paired(what: str, a: Column, b: Column, *, untouched: bool = False, looks: int = 1) -> Comparison:
    """The same for two rows of numbers, of which those at the same place belong together."""
    pairs = Pairs(what)
    pairs.add(a, b)
    return pairs.comparison(untouched=untouched, looks=looks)


class Pairs:
    """Sums over pairs of numbers: all that a comparison needs, in the same memory for any number of them."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.number = self.differing = 0
        self.sums = np.zeros(5)
        """Of both and the difference, of which the last three squared: a, b, a², b², (b - a)²."""

    def add(self, a: Column, b: Column) -> None:
        a, b = a.astype(float), b.astype(float)
        difference = b - a
        self.number += len(a)
        self.differing += int((difference != 0).sum())
        self.sums += [a.sum(), b.sum(), a @ a, b @ b, difference @ difference]

    def comparison(self, *, untouched: bool = False, looks: int = 1) -> Comparison:
        """What they come to so far."""
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
            intervals.of_mean(float(b - a), error, number, certain),
            intervals.of_mean(0, math.hypot(error_a, error_b), number, certain).half,
            self.differing,
            untouched,
            certain,
        )


def _error(square: float, mean: float, number: int) -> float:
    """The standard error of a mean, from the sum of the squares."""
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
    """Whether every deal has gone the same way, as far as the columns tell."""
    names = set(a) & set(b) - {"player"}
    return all(np.array_equal(a[name], b[name]) for name in names)


def rounded(number: int) -> str:
    """A planned number with two digits that count: more would be a pretence."""
    scale = 10 ** max(0, len(str(number)) - 2)
    return f"{math.ceil(number / scale) * scale:,}".replace(",", " ")
