"""The measures of a game, each with its definition and source.

Measures are computed from sums over deals or matches (see `upcard.lab.sums`), so that memory does not grow with their
number, and so that two ways to play can be compared on the same packs in every measure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from upcard.lab.blocks import FloatArray
from upcard.lab.columns import ColumnArray, Played, check_played
from upcard.lab.comparison import FEW
from upcard.lab.intervals import Interval, as_share, at_least, simultaneous_level, surely_not, unseen
from upcard.lab.sums import GROUPS, Sums, estimate, evaluated

Columns = Mapping[str, ColumnArray]
"""Columns as arrays of deals by seats: see `upcard.lab.dealing.columns`."""
BOTH = "deal", "match"
NO_SHARES = 1 << 30


@dataclass(frozen=True)
class Measure:
    """One measure of a game."""

    name: str
    title: str
    definition: str
    source: str
    rows: Callable[[Columns], FloatArray]
    """Returns for each deal or match the numbers whose sums the measure is computed from."""
    of: Callable[[FloatArray], FloatArray]
    """Returns the measure's numbers from these sums, followed by the number of deals or matches."""
    labels: Callable[[int], list[str]]
    """Returns the names of its numbers, for a number of seats."""
    units: tuple[str, ...] = BOTH
    even: bool = False
    """Whether its numbers, all of them shares, would be 1 / the number of seats in an even game."""
    shares_from: int = NO_SHARES
    """From which of its numbers on they are shares of something: from 0 if all are."""
    cases: int = -1
    """The index of the sum with the number of cases that a share is of: by default all deals or matches."""
    weighed: bool = False
    """Whether it needs decisions to be weighed: see `upcard.lab.weighing`."""


@dataclass(frozen=True)
class Measured:
    """One number of a measure, with its interval."""

    measure: str
    label: str
    value: float
    """NaN if there was no case of it."""
    interval: Interval
    """All intervals of one measure together are right in 95 of 100 cases."""
    even: float | None = None
    """What the number would be in an even game; None if the measure has no such value."""
    told: bool = False
    """Whether it differs significantly from what an even game would show (by Holm's procedure over all numbers of the
    measure, so this can be true even if the interval includes that value)."""

    def __str__(self) -> str:
        if isnan(self.value):
            return f"{self.label}: {self.interval}"
        text = f"{self.label}: {self.value:.4g} ({self.interval:.4g})"
        if self.even is None:
            return text
        return f"{text}; even is {self.even:.3g}{'' if self.told else ', and cannot be told from it'}"


def means(totals: FloatArray) -> FloatArray:
    return np.asarray(totals[:-1] / totals[-1])


def _per_seat(seats: int) -> list[str]:
    return [f"seat {seat}" for seat in range(seats)]


def _places(seats: int) -> list[str]:
    return ["the dealer", *(f"{place} left of the dealer" for place in range(1, seats))]


def _won_by_place(tables: Columns) -> FloatArray:
    won, dealer = tables["won"], tables["dealer"][:, :1]
    return np.take_along_axis(won, (dealer + np.arange(won.shape[1])) % won.shape[1], axis=1)


def _won_by_first(tables: Columns) -> FloatArray:
    first, seats = tables["first"][:, :1], np.arange(tables["won"].shape[1])
    has = first == seats
    return np.stack([(tables["won"] * has).sum(axis=1), has.sum(axis=1)], axis=1)


def _ratio(totals: FloatArray) -> FloatArray:
    return np.array([totals[0] / totals[1]])


def _length(tables: Columns) -> FloatArray:
    moves = tables["moves"][:, 0].astype(float)
    return np.stack([moves, moves * moves], axis=1)


def _length_of(totals: FloatArray) -> FloatArray:
    mean, square = totals[:2] / totals[2]
    return np.array([mean, np.sqrt(max(square - mean * mean, 0))])


def _choice(tables: Columns) -> FloatArray:
    return np.stack([tables[name][:, 0].astype(float) for name in ("choices", "forced", "moves")], axis=1)


def _choice_of(totals: FloatArray) -> FloatArray:
    return np.asarray(totals[:2] / totals[2])


def _spread(tables: Columns) -> FloatArray:
    points = np.sort(tables["points"].astype(float), axis=1)
    return np.stack([points.std(axis=1, ddof=1), points[:, -1] - points[:, 0]], axis=1)


def _shared(tables: Columns) -> FloatArray:
    return np.asarray((tables["won"].max(axis=1) < 1).astype(float)[:, None])


def _rest(tables: Columns) -> FloatArray:
    deals, settled = tables["deals"][:, 0], tables["settled"][:, 0]
    return np.asarray(((deals - settled) / deals)[:, None])


def _drama(tables: Columns) -> FloatArray:
    """How long the match's winner was behind; of several winners, the one that was behind least often."""
    deals = tables["deals"][:, 0]
    behind = np.where(tables["won"] > 0, tables["behind"], deals[:, None]).min(axis=1)
    return np.stack([behind / deals, (2 * behind >= deals).astype(float)], axis=1)


def _column(name: str) -> Callable[[Columns], FloatArray]:
    """The rows of a measure that is a column with the same value for all seats."""
    return lambda tables: np.asarray(tables[name][:, :1].astype(float))


def _by_decision(*names: str) -> Callable[[Columns], FloatArray]:
    """The columns of the decision that was drawn, weighted by the number of decisions in its deal or match."""

    def rows(tables: Columns) -> FloatArray:
        moves = tables["moves"][:, 0].astype(float)
        return np.stack([*(moves * tables[name][:, 0] for name in names), moves], axis=1)

    return rows


def _per_decision(totals: FloatArray) -> FloatArray:
    return np.asarray(totals[:-2] / totals[-2])


def _fixed(*labels: str) -> Callable[[int], list[str]]:
    return lambda seats: list(labels)


MEASURES = (
    Measure(
        "seats",
        "Balance of the seats",
        "The share that each seat wins; a shared win counts as its part.",
        "Ludii's Balance and AdvantageP1, here for every seat and with intervals. If the dealer goes round, it says "
        "whether the players are equal, not whether a place is good.",
        lambda tables: tables["won"],
        means,
        _per_seat,
        even=True,
        shares_from=0,
    ),
    Measure(
        "places",
        "Advantage of dealing",
        "The share won at each place, counted to the left from the (first) dealer.",
        "CardStock's Fairness looks at the first player only.",
        _won_by_place,
        means,
        _places,
        even=True,
        shares_from=0,
    ),
    Measure(
        "first",
        "Advantage of beginning",
        "The share won by whoever acts first alone in the (first) deal: after secret bids, whoever begins the play. "
        "Deals without such a seat do not count.",
        "Ludii's AdvantageP1, for games in which the cards decide who begins.",
        _won_by_first,
        _ratio,
        _fixed("who begins"),
        even=True,
        shares_from=0,
        cases=1,
    ),
    Measure(
        "length",
        "Length",
        "The number of decisions, by all seats together: its mean, and its standard deviation from one deal or match "
        "to the next.",
        "Ludii's Duration in moves; CardStock's GameLength.",
        _length,
        _length_of,
        _fixed("mean of moves", "standard deviation of moves"),
    ),
    Measure(
        "choice",
        "Choice",
        "The mean number of legal moves in a decision, and the share of decisions that leave no choice, with just one "
        "legal move.",
        "Ludii's BranchingFactor, and 1 minus its DecisionMoves.",
        _choice,
        _choice_of,
        _fixed("legal moves of a decision", "share of forced moves"),
        shares_from=1,
    ),
    Measure(
        "spread",
        "Spread of the points",
        "How far apart the seats score: the standard deviation of their points, and the highest minus the lowest; both "
        "as means.",
        "Ludii's ScoreDifference, for more than two.",
        _spread,
        means,
        _fixed("standard deviation of points", "highest minus lowest points"),
    ),
    Measure(
        "shared",
        "Shared wins",
        "The share of deals or matches that nobody wins alone.",
        "Ludii's Drawishness, CardStock's NoTies.",
        _shared,
        means,
        _fixed("shared wins"),
        shares_from=0,
    ),
    Measure(
        "deals",
        "Deals in a match",
        "The mean number of deals.",
        "Ludii's Duration in turns, for matches of several deals.",
        _column("deals"),
        means,
        _fixed("deals"),
        units=("match",),
    ),
    Measure(
        "decided",
        "What is left when it is decided",
        "The share of a match's deals that are played after somebody new has come to lead alone for the last time.",
        "Browne's Decisiveness, here judged by the lead in the score, which everybody sees, not by a search.",
        _rest,
        means,
        _fixed("share of the deals after the last change of the lead"),
        units=("match",),
        shares_from=0,
    ),
    Measure(
        "changes",
        "Changes of the lead",
        "How often in a match somebody comes to lead alone after somebody else did.",
        "Ludii's LeadChange, after Browne; ties do not count.",
        _column("changes"),
        means,
        _fixed("changes of the lead"),
        units=("match",),
    ),
    Measure(
        "drama",
        "Drama",
        "The share of a match's deals after which the later winner is behind, and the share of matches in which that "
        "is so after at least half of the deals.",
        "Browne's Drama, by the score. CardStock's does not work for a single winner, as its authors say.",
        _drama,
        means,
        _fixed("share of deals with the winner behind", "matches won from behind"),
        units=("match",),
        shares_from=0,
    ),
    Measure(
        "stakes",
        "What a choice is worth",
        "How much more the best legal move of a decision wins than a random one, and than the worst: means over all "
        "decisions, of which forced ones count as 0. One decision of each deal or match is played on by rollouts from "
        "the cards as they lie. Half of them choose the moves and the other half judge them, so luck adds nothing, and "
        "the numbers are rather too small than too large.",
        "Ludii's BranchingFactor and the like count moves; this is the regret of a player at random.",
        _by_decision("advantage", "span"),
        _per_decision,
        _fixed("gain of the best move over a random one", "gain of the best move over the worst"),
        weighed=True,
    ),
    Measure(
        "kingmaking",
        "Kingmaking",
        "How often a player who can no longer win decides who does. First, the share of decisions taken by a player "
        "who wins in no rollout of any move. Second, over all decisions, how likely such a player decides who wins: "
        "how far two of its moves are apart in who wins (total variation), chosen by half of the rollouts and judged "
        "by the other half. With two players it is 0.",
        "Board game critics coined the word; no measure of it is in common use. Total variation is the smallest share "
        "of cases in which it matters which of the two moves is made.",
        _by_decision("hopeless", "hangs"),
        _per_decision,
        _fixed("decisions by players who cannot win", "decisions in which a player who cannot win settles who does"),
        shares_from=0,
        weighed=True,
    ),
)
"""All measures for which it is enough to play each pack once, the last of them with rollouts. `upcard.lab.luck` and
`upcard.lab.card_values` need more than that."""


class Measuring:
    """Sums for all measures of a unit ("deal" or "match"), over any number of deals or matches."""

    def __init__(self, unit: str, seats: int, weighed: bool = False) -> None:
        self.seats = seats
        self.number = 0
        self.sums: dict[str, Sums] = {}
        self.measures = {one.name: one for one in MEASURES if unit in one.units and weighed >= one.weighed}

    def add(self, tables: Columns) -> None:
        """Add the columns of the next deals or matches."""
        self.number += len(tables["won"])
        for name, measure in self.measures.items():
            rows = measure.rows(tables)
            self.sums.setdefault(name, Sums(rows.shape[1])).add(rows)

    def load(self, name: str, groups: FloatArray) -> None:
        """Set the sums of a measure to saved ones."""
        self.sums[name] = Sums(groups.shape[1] - 1)
        self.sums[name].groups[:] = groups

    def found(self) -> list[Measured]:
        """The numbers of every measure so far."""
        return [one for name, measure in self.measures.items() for one in self._told(measure, self.sums[name])]

    def differences(self, other: Measuring, looks: int | None = None) -> list[Measured]:
        """By how much the numbers of `other`, over the same packs, exceed the ones here.

        All intervals of a measure together are right in 95 of 100 cases; with `looks`, that number of intervals.
        """
        return [one for name in self.measures for one in self._differ(name, other, looks)]

    def widest(self, name: str, others: Sequence[Measuring] = ()) -> float:
        """The half-width of the widest interval of a measure; with `others`, of its differences from each of them."""
        numbers = [self._differ(name, other, None) for other in others] or [
            self._told(self.measures[name], self.sums[name])
        ]
        return max(one.interval.half for measured in numbers for one in measured)

    def _differ(self, name: str, other: Measuring, looks: int | None) -> list[Measured]:
        measure = self.measures[name]
        labels, sums = measure.labels(self.seats), (self.sums[name], other.sums[name])
        certain = simultaneous_level(looks or len(labels))
        values, raw = estimate(lambda a, b: measure.of(b) - measure.of(a), *sums, certain=certain)
        # Where few packs differ, others that have not been seen may: a share by 1, another number by as much as it is.
        reach = np.abs(evaluated(measure.of, [self.sums[name].groups.sum(axis=0)]))
        reach[measure.shares_from :] = 1
        reach[self._differing(measure, other) >= FEW] = 0
        rare = unseen(min(self._cases(measure), other._cases(measure)), certain)
        between = [at_least(one, rare * far) for one, far in zip(raw, reach.tolist(), strict=True)]
        surely = [not one.has(0) for one in between] if looks else surely_not(0, between, self._freedom)
        rows = zip(labels, values, between, surely, strict=True)
        return [Measured(name, label, value, interval, 0, sure) for label, value, interval, sure in rows]

    def _differing(self, measure: Measure, other: Measuring) -> NDArray[np.int64]:
        """For each number of a measure, in how many groups of packs it differs."""
        groups = zip(self.sums[measure.name].groups, other.sums[measure.name].groups, strict=True)
        ours, theirs = zip(*[(evaluated(measure.of, [a]), evaluated(measure.of, [b])) for a, b in groups], strict=True)
        return np.asarray((np.abs(np.array(ours) - np.array(theirs)) > 0).sum(axis=0))

    def _cases(self, measure: Measure) -> int:
        """The number of cases that the shares of a measure are of."""
        return max(1, int(self.sums[measure.name].groups[:, measure.cases].sum()))

    @property
    def _freedom(self) -> int:
        return min(self.number, GROUPS) - 1

    def _told(self, measure: Measure, sums: Sums) -> list[Measured]:
        labels = measure.labels(self.seats)
        certain = simultaneous_level(len(labels))
        values, raw = estimate(measure.of, sums, certain=certain)
        between = [*raw]
        for k in range(measure.shares_from, len(labels)):
            values[k] = float(np.clip(values[k], 0, 1))  # an estimate without bias may be below 0
            between[k] = as_share(values[k], raw[k], self._cases(measure), certain)
        even, surely = None, [False] * len(labels)
        if measure.even:
            even = 1 / self.seats
            surely = surely_not(even, between, self._freedom)
        rows = zip(labels, values, between, surely, strict=True)
        return [Measured(measure.name, label, value, interval, even, sure) for label, value, interval, sure in rows]


def measure(played: Played) -> list[Measured]:
    """The numbers of every measure for these deals or matches. Raises UpcardError for anything but a `Played`."""
    check_played("measured", played)
    measuring = Measuring(played.unit, played.setup.players, "hangs" in played.tables)
    measuring.add(played.tables)
    return measuring.found()
