"""Sums over matches, from which the summary of a simulation is computed in constant memory."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import accumulate
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.loops import row_type
from upcard.lab import intervals
from upcard.lab.intervals import Interval
from upcard.lab.runner import Batch, MatchSpec
from upcard.lab.sums import sum_in_order

ResultRows = NDArray[np.int64]
"""A row for each match: the scores, the set of the winners, the number of deals, of moves, and the first seat to act
alone (-1: none)."""
AFTER_SCORES = 4


def rows_of_results(batch: Batch) -> ResultRows:
    """The first columns of the results of matches, those that a summary needs."""
    rows = batch.results.view(np.int64).reshape(len(batch.results), -1)
    return rows[:, : batch.spec.setup.players + AFTER_SCORES]


def by_name(rows: ResultRows) -> NDArray[Any]:
    """Rows of results as records with the names of `row_type`."""
    names = row_type(rows.shape[1] - AFTER_SCORES).descr[: 1 + AFTER_SCORES]
    return np.ascontiguousarray(rows).view(names)[:, 0]


@dataclass(frozen=True)
class Spread:
    """The distribution of numbers: minimum, 10 % quantile, median, 90 % quantile and maximum."""

    least: int
    tenth: int
    half: int
    nine_tenths: int
    most: int

    @staticmethod
    def of(counts: Mapping[int, int]) -> Spread:
        """The distribution of numbers, given how often each occurs."""
        numbers = sorted(counts)
        reached = list(accumulate(counts[number] for number in numbers))
        tenth, half, nine_tenths = (
            numbers[bisect_left(reached, ceil(reached[-1] * tenths / 10))] for tenths in (1, 5, 9)
        )
        return Spread(numbers[0], tenth, half, nine_tenths, numbers[-1])


@dataclass(frozen=True)
class Share:
    """A share of matches, with its 95 % confidence interval."""

    share: float
    between: Interval

    @staticmethod
    def of(won: float, number: int) -> Share:
        """The share of `number` matches."""
        return Share(won / number, intervals.of_share(won / number, number))


@dataclass(frozen=True)
class Seat:
    """The results of one seat."""

    seat: int
    player: str
    wins: float
    """The number of matches won; a joint win counts in part."""
    mean: float
    """The mean score of a match."""
    error: float
    """The standard error of `mean`."""
    share_between: Interval
    """The 95 % confidence interval of the share of matches won."""
    mean_between: Interval | None
    """The 95 % confidence interval of the mean score; None for fewer than five matches."""
    scores: Spread


@dataclass(frozen=True)
class Summary:
    """The summary of many matches."""

    game: str
    matches: int
    seed: int
    mean_moves: float
    mean_deals: float
    seats: list[Seat]
    moves: Spread
    deals: Spread
    from_dealer: list[Share]
    """The share of matches won by the first dealer, by the seat after it, and so on round the table."""
    beginner: Share | None
    """The share of matches won by the first seat to act alone; None if there never was one."""
    moves_between: Interval | None
    """The 95 % confidence interval of the mean number of moves; None for fewer than five matches."""
    deals_between: Interval | None
    """The 95 % confidence interval of the mean number of deals; None for fewer than five matches."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Tally:
    """The sums over all matches so far."""

    def __init__(self, players: int) -> None:
        self.shared = np.zeros((players + 1, players), np.int64)
        """By number of winners and seat, the number of matches won."""
        self.counts: list[Counter[int]] = [Counter() for _ in range(players + 2)]
        """How often each score of each seat, each number of deals, and each number of moves has occurred."""
        self.places = np.zeros(players)
        """The wins of each place, counted from the first dealer."""
        self.began = np.zeros(2)
        """The wins of the first seat to act alone, and the number of matches with such a seat."""

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.counts[-1].total()

    def add(self, results: ResultRows, dealer: int | None) -> None:
        """Add the next matches. `dealer` is the first dealer of all matches; None if each seat is the first dealer in
        turn."""
        players, named, won = len(self.places), by_name(results), wins(results)
        rows = np.arange(len(results))
        shares = won / won.sum(axis=1, keepdims=True)
        dealers = (self.matches + rows) % players if dealer is None else np.full(len(rows), dealer)
        by_place = np.take_along_axis(shares, (dealers[:, None] + np.arange(players)) % players, axis=1)
        self.places = sum_in_order(self.places, by_place)
        began = named["begins"]
        beginners = np.stack([shares[rows, began], np.ones(len(rows))], axis=1)
        self.began = sum_in_order(self.began, beginners[began >= 0])
        np.add.at(self.shared, won.sum(axis=1), won)
        for counter, column in zip(self.counts, (*named["scores"].T, named["deals"], named["moves"]), strict=True):
            numbers, often = np.unique(column, return_counts=True)
            counter.update(dict(zip(numbers.tolist(), often.tolist(), strict=True)))

    def numbers(self) -> dict[str, NDArray[Any]]:
        """The sums, to be saved in a file."""
        counted = {f"count {k}": np.array(list(counter.items())) for k, counter in enumerate(self.counts)}
        return {"shared": self.shared, "places": self.places, "began": self.began} | counted

    def load(self, numbers: Mapping[str, NDArray[Any]]) -> None:
        """Restore saved sums."""
        self.shared, self.places, self.began = (numbers[name] for name in ("shared", "places", "began"))
        self.counts = [Counter(dict(numbers[f"count {k}"].tolist())) for k in range(len(self.counts))]

    def summary(self, spec: MatchSpec) -> Summary:
        matches, (*_, deals, moves) = self.matches, self.counts
        won, began = self.began.tolist()
        return Summary(
            spec.setup.game.slug,
            matches,
            spec.seed,
            power_sums(moves)[1] / matches,
            power_sums(deals)[1] / matches,
            [self._seat(seat, name) for seat, name in enumerate(spec.seating.names)],
            Spread.of(moves),
            Spread.of(deals),
            [Share.of(won_here, matches) for won_here in self.places.tolist()],
            Share.of(won, int(began)) if began else None,
            _mean_between(moves),
            _mean_between(deals),
        )

    def _seat(self, seat: int, name: str) -> Seat:
        number, total, squares = power_sums(self.counts[seat])
        won = float(sum(times / many for many, times in enumerate(self.shared[:, seat].tolist()) if many))
        spread = number * squares - total * total
        error = (spread / (number * number * (number - 1))) ** 0.5 if number > 1 else 0.0
        mean = total / number
        between = intervals.of_mean(mean, error, number) if number >= intervals.FEWEST else None
        scores = Spread.of(self.counts[seat])
        return Seat(seat, name, won, mean, error, intervals.of_share(won / number, number), between, scores)


def power_sums(counts: Mapping[int, int]) -> tuple[int, int, int]:
    """The number of values, their sum and the sum of their squares, given how often each occurs. They are Python
    integers, because sums of large scores do not fit in 64 bits."""
    terms = [(often, often * value, often * value * value) for value, often in counts.items()]
    number, total, squares = map(sum, zip(*terms, strict=True))
    return number, total, squares


def _mean_between(counts: Mapping[int, int]) -> Interval | None:
    """The confidence interval of the mean of numbers, given how often each occurs; None for fewer than five."""
    number, total, _ = power_sums(counts)
    if number < intervals.FEWEST:
        return None
    mean = total / number
    squares = sum(often * (value - mean) ** 2 for value, often in counts.items())
    return intervals.of_mean(mean, (squares / (number * (number - 1))) ** 0.5, number)


def wins(results: ResultRows) -> NDArray[np.bool_]:
    """Whether each seat has won each match, alone or with others."""
    players = results.shape[1] - AFTER_SCORES
    return np.asarray(by_name(results)["winners"][:, None] >> np.arange(players) & 1 == 1)
