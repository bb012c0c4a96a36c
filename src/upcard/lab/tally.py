"""Sums over matches: all that a summary of a simulation needs, in the same memory for any number of them."""

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

from upcard.lab import intervals
from upcard.lab.intervals import Interval
from upcard.lab.playing import Table

TOLD = 4
"""Numbers in a row of results after the scores."""
Results = NDArray[np.int64]
"""A row for each match: the scores, the set of the seats that have won, the deals, the moves, and the seat that was the
first to act alone (-1: nobody)."""


@dataclass(frozen=True)
class Spread:
    """How far apart numbers are: the least and the largest, and what a tenth, half and nine tenths of them do not
    exceed."""

    least: int
    tenth: int
    half: int
    nine_tenths: int
    most: int

    @staticmethod
    def of(counts: Mapping[int, int]) -> Spread:
        """Of numbers of which it is counted how often each occurs."""
        numbers = sorted(counts)
        reached = list(accumulate(counts[number] for number in numbers))
        tenth, half, nine_tenths = (
            numbers[bisect_left(reached, ceil(reached[-1] * tenths / 10))] for tenths in (1, 5, 9)
        )
        return Spread(numbers[0], tenth, half, nine_tenths, numbers[-1])


@dataclass(frozen=True)
class Share:
    """A share of matches, and where it lies in 95 of 100 cases."""

    share: float
    between: Interval


@dataclass(frozen=True)
class Seat:
    """How one seat fared."""

    seat: int
    player: str
    wins: float
    """Matches won; of one won together, a share."""
    mean: float
    """The mean score of a match."""
    error: float
    """Its standard error."""
    share_between: Interval
    """Where the share of matches that it wins lies, in 95 of 100 cases."""
    mean_between: Interval | None
    """Where the mean score lies; None for fewer than five matches."""
    scores: Spread


@dataclass(frozen=True)
class Summary:
    """How many matches went."""

    game: str
    matches: int
    seed: int
    mean_moves: float
    mean_deals: float
    seats: list[Seat]
    moves: Spread
    deals: Spread
    from_dealer: list[Share]
    """How often the first dealer wins, then the seat after it, and so on round the table."""
    beginner: Share | None
    """How often it wins who was the first to act alone; None where nobody was."""
    moves_between: Interval | None
    """Where the mean of the moves lies, in 95 of 100 cases; None for fewer than five matches."""
    deals_between: Interval | None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Tally:
    """The sums."""

    def __init__(self, players: int) -> None:
        self.matches = self.deals = self.moves = 0
        self.scores, self.squares = [0] * players, [0] * players
        self.shared = np.zeros((players + 1, players), np.int64)
        """How many matches a seat has won as one of so many."""
        self.counts: list[Counter[int]] = [Counter() for _ in range(players + 2)]
        """How often each score of a seat has occurred, each number of deals, and each number of moves."""
        self.places = np.zeros(players)
        """The wins of each place after the first dealer."""
        self.began = np.zeros(2)
        """The wins of whoever was the first to act alone, and how many matches had somebody who was."""

    def add(self, results: Results, dealer: int | None) -> None:
        """The matches that come next; the first dealer is always this one, or each seat in turn."""
        players = len(self.scores)
        scores, won = results[:, :players], wins(results)
        deals, moves, began = results[:, players + 1], results[:, players + 2], results[:, players + 3]
        np.add.at(self.shared, won.sum(axis=1), won)
        for seat in range(players):
            self.scores[seat] += int(scores[:, seat].sum())
            self.squares[seat] += sum(score * score for score in scores[:, seat].tolist())
        for counter, column in zip(self.counts, (*scores.T, deals, moves), strict=True):
            numbers, often = np.unique(column, return_counts=True)
            counter.update(dict(zip(numbers.tolist(), often.tolist(), strict=True)))
        rows = np.arange(len(results))
        shares = won / won.sum(axis=1, keepdims=True)
        dealers = (self.matches + rows) % players if dealer is None else np.full(len(rows), dealer)
        for place in range(players):
            self.places[place] += shares[rows, (dealers + place) % players].sum()
        self.began += shares[rows, began][began >= 0].sum(), (began >= 0).sum()
        self.matches += len(results)
        self.deals += int(deals.sum())
        self.moves += int(moves.sum())

    def numbers(self) -> dict[str, NDArray[Any]]:
        """All of it, for a file; sums as texts, because they may be of any size."""
        sums = [self.matches, self.deals, self.moves, *self.scores, *self.squares]
        counted = {f"count {k}": np.array(list(counter.items())) for k, counter in enumerate(self.counts)}
        sums_too = {"shared": self.shared, "places": self.places, "began": self.began}
        return {"sums": np.array(list(map(str, sums)))} | sums_too | counted

    def load(self, numbers: Mapping[str, NDArray[Any]]) -> None:
        """What a file has kept."""
        players = len(self.scores)
        self.matches, self.deals, self.moves, *sums = map(int, numbers["sums"])
        self.scores, self.squares = sums[:players], sums[players:]
        self.shared, self.places, self.began = (numbers[name] for name in ("shared", "places", "began"))
        self.counts = [Counter(dict(numbers[f"count {k}"].tolist())) for k in range(players + 2)]

    def summary(self, table: Table) -> Summary:
        seats = [self._seat(seat, name) for seat, name in enumerate(table.seating.names)]
        *_, deals, moves = map(Spread.of, self.counts)
        places = [self._share(won, self.matches) for won in self.places.tolist()]
        won, began = self.began.tolist()
        deals_between, moves_between = map(_mean_between, self.counts[-2:])
        return Summary(
            table.setup.game.slug,
            self.matches,
            table.seed,
            self.moves / self.matches,
            self.deals / self.matches,
            seats,
            moves,
            deals,
            places,
            self._share(won, int(began)) if began else None,
            moves_between,
            deals_between,
        )

    def _share(self, won: float, number: int) -> Share:
        return Share(won / number, intervals.of_share(won / number, number))

    def _seat(self, seat: int, name: str) -> Seat:
        number, total = self.matches, self.scores[seat]
        won = float(sum(times / many for many, times in enumerate(self.shared[:, seat].tolist()) if many))
        spread = number * self.squares[seat] - total * total
        error = (spread / (number * number * (number - 1))) ** 0.5 if number > 1 else 0.0
        mean = total / number
        between = intervals.of_mean(mean, error, number) if number >= intervals.FEWEST else None
        scores = Spread.of(self.counts[seat])
        return Seat(seat, name, won, mean, error, intervals.of_share(won / number, number), between, scores)


def _mean_between(counts: Mapping[int, int]) -> Interval | None:
    """Where the mean of numbers lies of which it is counted how often each occurs."""
    number = sum(counts.values())
    if number < intervals.FEWEST:
        return None
    mean = sum(value * often for value, often in counts.items()) / number
    squares = sum(often * (value - mean) ** 2 for value, often in counts.items())
    return intervals.of_mean(mean, (squares / (number * (number - 1))) ** 0.5, number)


def wins(results: Results) -> NDArray[np.bool_]:
    """Whether each seat has won, match by match, alone or with others."""
    players = results.shape[1] - TOLD
    return np.asarray(results[:, players, None] >> np.arange(players) & 1 == 1)
