"""The measures of a game, each with its definition and source.

Measures are computed from sums over deals or matches (see `upcard.lab.sums`), so that memory does not grow with the
number of deals, and two ways to play can be compared in every measure by paired differences on the same packs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.lab.columns import ColumnArray, Played, check_played
from upcard.lab.comparison import FEW
from upcard.lab.distributions import DISTRIBUTED, Distribution
from upcard.lab.intervals import Interval, as_share, at_least, simultaneous_level, surely_not, unseen
from upcard.lab.sums import GROUPS, FloatArray, Sums, estimate, evaluated

Columns = Mapping[str, ColumnArray]
"""Columns as arrays with the shape (deals, seats): see `upcard.lab.columns.columns`."""
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
    """Returns, for each deal or match, a row of numbers; the measure is computed from their sums."""
    of: Callable[[FloatArray], FloatArray]
    """Returns the measure's numbers from these sums, followed by the number of deals or matches."""
    labels: Callable[[int], list[str]]
    """Returns the names of the measure's numbers, for a number of seats."""
    units: tuple[str, ...] = BOTH
    even: bool = False
    """Whether its numbers, all of them shares, would be 1 / the number of seats in an even game."""
    shares_from: int = NO_SHARES
    """The index of the first of its numbers that is a share; all later ones are shares too."""
    cases: int = -1
    """The index of the sum with the number of cases behind a share: by default, all deals or matches."""
    weighed: bool = False
    """Whether it needs weighed decisions: see `upcard.lab.decision_value`."""


@dataclass(frozen=True)
class Measured:
    """One number of a measure, with its interval."""

    measure: str
    label: str
    value: float
    """NaN if it never occurred."""
    interval: Interval
    """All intervals of one measure together are right in 95 of 100 cases (simultaneous coverage)."""
    even: float | None = None
    """The value in an even game; None if the measure has no such value."""
    told: bool = False
    """Whether the number differs significantly from `even` (by Holm's procedure over all numbers of the measure, so
    this can be true even if the interval includes `even`)."""

    def __str__(self) -> str:
        if isnan(self.value):
            return f"{self.label}: {self.interval}"
        text = f"{self.label}: {self.value:.4g} ({self.interval:.4g})"
        if self.even is None:
            return text
        return f"{text}; even is {self.even:.3g}{'' if self.told else ', not significantly different'}"


def means(totals: FloatArray) -> FloatArray:
    return np.asarray(totals[:-1] / totals[-1])


def _per_seat(seats: int) -> list[str]:
    return [f"seat {seat}" for seat in range(seats)]


def _places(seats: int) -> list[str]:
    return ["the dealer", *(f"{place} left of the dealer" for place in range(1, seats))]


def _won_by_place(columns: Columns) -> FloatArray:
    won, dealer = columns["won"], columns["dealer"][:, :1]
    return np.take_along_axis(won, (dealer + np.arange(won.shape[1])) % won.shape[1], axis=1)


def _won_by_first(columns: Columns) -> FloatArray:
    first, seats = columns["first"][:, :1], np.arange(columns["won"].shape[1])
    has = first == seats
    return np.stack([(columns["won"] * has).sum(axis=1), has.sum(axis=1)], axis=1)


def _ratio(totals: FloatArray) -> FloatArray:
    return np.array([totals[0] / totals[1]])


def _length(columns: Columns) -> FloatArray:
    moves = columns["moves"][:, 0].astype(float)
    return np.stack([moves, moves * moves], axis=1)


def _length_of(totals: FloatArray) -> FloatArray:
    mean, square = totals[:2] / totals[2]
    return np.array([mean, np.sqrt(max(square - mean * mean, 0))])


def _choice(columns: Columns) -> FloatArray:
    return np.stack([columns[name][:, 0].astype(float) for name in ("choices", "forced", "moves")], axis=1)


def _choice_of(totals: FloatArray) -> FloatArray:
    return np.asarray(totals[:2] / totals[2])


def _spread(columns: Columns) -> FloatArray:
    points = np.sort(columns["points"].astype(float), axis=1)
    return np.stack([points.std(axis=1, ddof=1), points[:, -1] - points[:, 0]], axis=1)


def _shared(columns: Columns) -> FloatArray:
    return np.asarray((columns["won"].max(axis=1) < 1).astype(float)[:, None])


def _rest(columns: Columns) -> FloatArray:
    deals, settled = columns["deals"][:, 0], columns["settled"][:, 0]
    return np.asarray(((deals - settled) / deals)[:, None])


def _drama(columns: Columns) -> FloatArray:
    """For how long the match's winner was behind; of several winners, the one that was behind least often."""
    deals = columns["deals"][:, 0]
    behind = np.where(columns["won"] > 0, columns["behind"], deals[:, None]).min(axis=1)
    return np.stack([behind / deals, (2 * behind >= deals).astype(float)], axis=1)


def _column(name: str) -> Callable[[Columns], FloatArray]:
    """The rows of a measure that is a column with the same value for all seats."""
    return lambda columns: np.asarray(columns[name][:, :1].astype(float))


def _by_decision(*names: str) -> Callable[[Columns], FloatArray]:
    """The rows of a measure of the sampled decision, weighted by the number of decisions in its deal or match."""

    def rows(columns: Columns) -> FloatArray:
        moves = columns["moves"][:, 0].astype(float)
        return np.stack([*(moves * columns[name][:, 0] for name in names), moves], axis=1)

    return rows


def _per_decision(totals: FloatArray) -> FloatArray:
    return np.asarray(totals[:-2] / totals[-2])


def _fixed(*labels: str) -> Callable[[int], list[str]]:
    return lambda seats: list(labels)


MEASURES = (
    Measure(
        "seats",
        "Balance of the seats",
        "The share that each seat wins; a shared win counts in part.",
        "Ludii's Balance and AdvantageP1, here for every seat and with intervals. If the dealer rotates, it measures "
        "whether the players are equal, not whether a place is good.",
        lambda columns: columns["won"],
        means,
        _per_seat,
        even=True,
        shares_from=0,
    ),
    Measure(
        "places",
        "Advantage of dealing",
        "The share won at each place, counted to the left from the (first) dealer.",
        "CardStock's Fairness considers the first player only.",
        _won_by_place,
        means,
        _places,
        even=True,
        shares_from=0,
    ),
    Measure(
        "first",
        "Advantage of beginning",
        "The share won by the first player to act alone in the (first) deal: after secret bids, the one who begins the "
        "play. "
        "Deals without such a player do not count.",
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
        "The number of decisions of all seats together: its mean, and its standard deviation from one deal or match "
        "to the next.",
        "Ludii's Duration in moves; CardStock's GameLength.",
        _length,
        _length_of,
        _fixed("mean of moves", "standard deviation of moves"),
    ),
    Measure(
        "choice",
        "Choice",
        "The mean number of legal moves in a decision, and the share of forced decisions, with only one legal move.",
        "Ludii's BranchingFactor, and 1 minus its DecisionMoves.",
        _choice,
        _choice_of,
        _fixed("legal moves of a decision", "share of forced moves"),
        shares_from=1,
    ),
    Measure(
        "spread",
        "Spread of the points",
        "How far apart the seats' points are: their standard deviation, and the highest minus the lowest; both are "
        "means over deals or matches.",
        "Ludii's ScoreDifference, for more than two players.",
        _spread,
        means,
        _fixed("standard deviation of points", "highest minus lowest points"),
    ),
    Measure(
        "shared",
        "Shared wins",
        "The share of deals or matches without a sole winner.",
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
        "Deals after the decision",
        "The share of a match's deals that are played after the last change of the lead.",
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
        "How often in a match a new player takes the sole lead.",
        "Ludii's LeadChange, after Browne; ties do not count.",
        _column("changes"),
        means,
        _fixed("changes of the lead"),
        units=("match",),
    ),
    Measure(
        "drama",
        "Drama",
        "The share of a match's deals after which the eventual winner is behind, and the share of matches in which "
        "that is the case after at least half of the deals.",
        "Browne's Drama, by the score. CardStock's does not work for a single winner, as its authors note.",
        _drama,
        means,
        _fixed("share of deals with the winner behind", "matches won from behind"),
        units=("match",),
        shares_from=0,
    ),
    Measure(
        "stakes",
        "Value of a choice",
        "How much more the best legal move of a decision wins than a random one, and than the worst: means over all "
        "decisions, in which forced ones count as 0. One decision of each deal or match is evaluated by rollouts from "
        "the true cards. Half of the rollouts choose the moves and the other half judge them, so chance does not "
        "inflate the numbers; they are more likely too small than too large.",
        "Ludii's BranchingFactor and similar measures count moves; this is the regret of a random player.",
        _by_decision("advantage", "span"),
        _per_decision,
        _fixed("gain of the best move over a random one", "gain of the best move over the worst"),
        weighed=True,
    ),
    Measure(
        "kingmaking",
        "Kingmaking",
        "How often a player who can no longer win decides who does. First, the share of decisions made by a player "
        "who wins in no rollout of any move. Second, over all decisions, the probability that such a player decides "
        "who wins: the total variation distance between the winners after two of its moves, which half of the rollouts "
        "choose and the other half judge. With two players it is 0.",
        "Board game critics coined the word; no measure of it is in common use. Total variation is the smallest share "
        "of cases in which it matters which of the two moves is made.",
        _by_decision("hopeless", "hangs"),
        _per_decision,
        _fixed("decisions by players who cannot win", "decisions in which a player who cannot win settles who does"),
        shares_from=0,
        weighed=True,
    ),
)
"""All measures that need each pack to be played only once; the last of them need rollouts. `upcard.lab.luck` and
`upcard.lab.card_values` need more."""


class Measuring:
    """Sums for all measures of a unit ("deal" or "match"), over any number of deals or matches."""

    def __init__(self, unit: str, seats: int, weighed: bool = False) -> None:
        self.seats = seats
        self.number = 0
        self.sums: dict[str, Sums] = {}
        self.measures = {
            measure.name: measure for measure in MEASURES if unit in measure.units and weighed >= measure.weighed
        }
        self.distributions = {name: Distribution() for name in self.measures if name in DISTRIBUTED}

    def add(self, columns: Columns) -> None:
        """Add the columns of the next deals or matches."""
        self.number += len(columns["won"])
        for name, measure in self.measures.items():
            rows = measure.rows(columns)
            self.sums.setdefault(name, Sums(rows.shape[1])).add(rows)
        for name, distribution in self.distributions.items():
            distribution.add(DISTRIBUTED[name].of(columns))

    def numbers(self) -> dict[str, NDArray[Any]]:
        """The sums of every measure, to be saved in a file."""
        counts = {f"counts of {name}": one.numbers() for name, one in self.distributions.items()}
        return {name: sums.groups for name, sums in self.sums.items()} | counts

    def load(self, numbers: Mapping[str, NDArray[Any]]) -> None:
        """Restore saved sums."""
        for name in self.measures:
            self.sums[name] = Sums(numbers[name].shape[1] - 1)
            self.sums[name].groups[:] = numbers[name]
        self.number = self.sums[name].number
        self.distributions = {name: Distribution(numbers[f"counts of {name}"].tolist()) for name in self.distributions}

    def found(self) -> list[Measured]:
        """The numbers of every measure so far."""
        return [number for name, measure in self.measures.items() for number in self._numbers(measure, self.sums[name])]

    def differences(self, other: Measuring, looks: int | None = None) -> list[Measured]:
        """The paired differences on the same packs: the numbers of `other` minus the ones here.

        The intervals have simultaneous coverage: all of one measure together are right in 95 of 100 cases; with
        `looks`, any `looks` intervals together.
        """
        return [number for name in self.measures for number in self._differ(name, other, looks)]

    def widest(self, name: str, others: Sequence[Measuring] = ()) -> float:
        """The half-width of the widest interval of a measure; with `others`, of its differences from each of them."""
        rows = [self._differ(name, other, None) for other in others] or [
            self._numbers(self.measures[name], self.sums[name])
        ]
        return max(number.interval.half for row in rows for number in row)

    def _differ(self, name: str, other: Measuring, looks: int | None) -> list[Measured]:
        measure = self.measures[name]
        labels, sums = measure.labels(self.seats), (self.sums[name], other.sums[name])
        certain = simultaneous_level(looks or len(labels))
        values, raw = estimate(lambda a, b: measure.of(b) - measure.of(a), *sums, certain=certain)
        # If few packs differ, allow for differences that have not occurred: of 1 in a share, of its size in a number.
        reach = np.abs(evaluated(measure.of, [self.sums[name].groups.sum(axis=0)]))
        reach[measure.shares_from :] = 1
        reach[self._differing(measure, other) >= FEW] = 0
        rare = unseen(min(self._cases(measure), other._cases(measure)), certain)
        between = [at_least(interval, rare * far) for interval, far in zip(raw, reach.tolist(), strict=True)]
        surely = [not interval.has(0) for interval in between] if looks else surely_not(0, between, self._freedom)
        rows = zip(labels, values, between, surely, strict=True)
        return [Measured(name, label, value, interval, 0, sure) for label, value, interval, sure in rows]

    def _differing(self, measure: Measure, other: Measuring) -> NDArray[np.int64]:
        """For each number of a measure, the number of groups of packs in which it differs."""
        groups = zip(self.sums[measure.name].groups, other.sums[measure.name].groups, strict=True)
        ours, theirs = zip(*[(evaluated(measure.of, [a]), evaluated(measure.of, [b])) for a, b in groups], strict=True)
        return np.asarray((np.abs(np.array(ours) - np.array(theirs)) > 0).sum(axis=0))

    def _cases(self, measure: Measure) -> int:
        """The number of cases behind the shares of a measure."""
        return max(1, int(self.sums[measure.name].groups[:, measure.cases].sum()))

    @property
    def _freedom(self) -> int:
        return min(self.number, GROUPS) - 1

    def _numbers(self, measure: Measure, sums: Sums) -> list[Measured]:
        labels = measure.labels(self.seats)
        certain = simultaneous_level(len(labels))
        values, raw = estimate(measure.of, sums, certain=certain)
        between = [*raw]
        for k in range(measure.shares_from, len(labels)):
            values[k] = float(np.clip(values[k], 0, 1))  # an unbiased estimate may be below 0
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
