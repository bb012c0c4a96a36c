"""Duplicate play: players meet on the same deals in each other's seats.

Every deal is played in all seatings, so that every player has each seat's cards equally often. Each deal yields one
number per player; in the paired differences between players, the luck of the cards cancels out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.engine.deal_conditions import Given, Predicate, deal_condition
from upcard.engine.errors import UpcardError
from upcard.engine.setup import setup_of
from upcard.lab import intervals
from upcard.lab.arguments import listed_players
from upcard.lab.checkpoint import SavedArrays, load_parts, numbers_of
from upcard.lab.comparison import Comparison, Pairs
from upcard.lab.experiment import Experiment
from upcard.lab.intervals import Interval
from upcard.lab.runner import Batch, match_spec
from upcard.lab.seating import distinct_names
from upcard.lab.simulate import Precision
from upcard.lab.sums import Blocks, FloatArray, first_in_samples
from upcard.players import Player
from upcard.rules.game import Game
from upcard.rules.phrases import brief, counted

CHUNK = 64
"""The most deals in a chunk for compiled players, each played in all seatings."""
ALL = 4
"""Up to this many players are seated in every order; more players only in one order and its reverse."""
WHAT = "won", "points"
"""The quantities in which players are compared."""


def seatings(players: int, seats: int) -> list[tuple[int, ...]]:
    """All seatings, each as the player's index for every seat. Every player has every seat equally often.

    The players are seated round the table in turn, repeatedly until it is full: in every order (with more than four
    players: in one order and its reverse), and starting from every seat. Raises UpcardError for fewer than two players,
    or more players than seats.
    """
    if not 2 <= players <= seats:
        some = "2" if seats == 2 else f"from 2 to {seats}"
        raise UpcardError(f"{some} players meet at a table of {seats}, not {players}")
    usual = tuple(range(players))
    orders = permutations(usual) if players <= ALL else (usual, usual[::-1])
    rows = {tuple(order[seat % players] for seat in range(seats)) for order in orders}
    return sorted({row[turn:] + row[:turn] for row in rows for turn in range(seats)})


@dataclass(frozen=True)
class Standing:
    """The results of one player."""

    player: str
    won: float
    """The mean share of deals or matches that it wins per seat; an equal share is 1 / the number of seats."""
    won_between: Interval
    points: float
    points_between: Interval
    best: float
    """The share of bootstrap samples of the deals in which it wins the most."""


class Totals:
    """The results of an arena so far, as sums in constant memory: by block of deals, and by pair of players."""

    def __init__(self, players: Sequence[str]) -> None:
        self.blocks = Blocks((len(WHAT), len(players)))
        pairs = [*combinations(players, 2)]
        self.pairs = {what: Pairs([f"{what}, {a} and {b}" for a, b in pairs]) for what in WHAT}
        self._a, self._b = np.array([*combinations(range(len(players)), 2)]).T

    @property
    def number(self) -> int:
        """The number of deals."""
        return self.blocks.number

    def add(self, rows: NDArray[np.float64]) -> None:
        """Add the next deals: see `results_by_player`."""
        self.blocks.add(rows)
        for row, pairs in enumerate(self.pairs.values()):
            pairs.add(rows[:, row, self._a], rows[:, row, self._b])

    def numbers(self) -> SavedArrays:
        """The sums, to be saved in a file."""
        return numbers_of({"deals": self.blocks, **self.pairs})

    def load(self, numbers: SavedArrays) -> None:
        """Restore saved sums."""
        load_parts({"deals": self.blocks, **self.pairs}, numbers)


@dataclass(frozen=True, eq=False)
class Arena:
    """The results of an `arena`: for every deal and player, the mean over all seatings and its seats in them."""

    setup: Game[Any]
    unit: str
    """The unit played with each pack: one "deal", or the "match" that begins with it."""
    seed: int
    players: tuple[str, ...]
    seatings: int
    totals: Totals

    @property
    def number(self) -> int:
        """The number of deals or matches."""
        return self.totals.number

    @property
    def block(self) -> int:
        """The number of deals in a row of `won` and `points`: 1 for up to 65,536 deals, larger for more."""
        return self.totals.blocks.size

    @property
    def won(self) -> NDArray[np.float64]:
        """The share won, with the shape (deals, players); if `block` is above 1, the means of blocks of deals."""
        return self.totals.blocks.means[:, 0]

    @property
    def points(self) -> NDArray[np.float64]:
        """The points, in the same shape as `won`."""
        return self.totals.blocks.means[:, 1]

    def standings(self) -> list[Standing]:
        """The players' results, in descending order of the share won."""
        best = first_in_samples(self.totals.blocks.sums[:, 0])
        rows = [self._standing(place, best[place]) for place in range(len(self.players))]
        return sorted(rows, key=lambda row: -row.won)

    def _standing(self, place: int, best: float) -> Standing:
        blocks = self.totals.blocks
        won, points = blocks.mean[:, place].tolist()
        won_between = intervals.as_share(won, blocks.between(0, place), self.number)
        return Standing(self.players[place], won, won_between, points, blocks.between(1, place), float(best))

    def comparisons(self, what: str = "won") -> list[Comparison]:
        """The paired difference between every two players in "won" or "points": the later player minus the earlier.

        All intervals together are right in 95 of 100 cases (simultaneous coverage). Raises UpcardError for any other
        `what`.
        """
        if what not in WHAT:
            raise UpcardError(f"players are compared in 'won' or 'points', not {brief(what)}")
        pairs = self.totals.pairs
        same = not any(sums.differing.any() for sums in pairs.values())
        return pairs[what].comparisons(untouched=same, looks=len(pairs[what].kinds))

    def needed(self, precision: Precision) -> int:
        """The number of deals needed for all differences to be this precise, estimated from these deals. Raises
        UpcardError for anything but a Precision."""
        _check_precision(precision)
        halves = [one.interval.half for one in self.comparisons({"wins": "won"}.get(precision.what, "points"))]
        return precision.needed(self.number, halves)

    def __str__(self) -> str:
        rows = [f"{counted(self.number, self.unit)} of {self.setup.game.slug}, each in {self.seatings} seatings"]
        rows += [f"  {row.player}: {100 * row.won:.1f} % won, {row.points:+.3g} points" for row in self.standings()]
        return "\n".join([*rows, *map(str, self.comparisons())])


def arena(
    setup: Game[Any] | type[Game[Any]] | str,
    number: int,
    players: Sequence[str | Player],
    *,
    unit: str = "match",
    seed: int = 1,
    dealer: int | None = None,
    precision: Precision | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int], None] | None = None,
    kept: str | Path | None = None,
    given: Given | None = None,
    where: Predicate | None = None,
) -> Arena:
    """Let players (names, or objects with `choose`) play the same deals in each other's seats: see `seatings`.

    In every seating, deal or match n has the packs and random numbers of match n of `upcard simulate` with the same
    seed. Memory does not grow with `number`. With a `precision`, play stops when the differences are that precise. The
    other arguments, and a run that is cut short, are as in `upcard.lab.deals`. Raises UpcardError for wrong arguments.
    """
    setup, players = setup_of(setup), listed_players(players)
    if precision is not None:
        _check_precision(precision)
    rows = seatings(len(players), setup.players)
    condition = deal_condition(given, where)
    specs = [match_spec(unit, setup, [players[who] for who in row], seed, dealer, condition=condition) for row in rows]
    reduce = partial(results_by_player, rows=rows, players=len(players))
    experiment = Experiment("arena", specs, reduce, number, CHUNK, jobs, cluster, progress, kept)
    names = distinct_names(players)
    results = Arena(setup, unit, specs[0].seed, names, len(rows), Totals(names))

    def is_enough() -> bool:
        return precision is not None and results.needed(precision) <= results.number

    experiment.run(results.totals, is_enough)
    return results


def results_by_player(batches: Iterable[Batch], rows: Sequence[Sequence[int]], players: int) -> FloatArray:
    """The mean share won and the mean points of each player in the same deals, as an array with the shape (deals, 2,
    players). There is a batch for each of the `rows`, which come from `seatings`."""
    results = (_by_player(batch, np.array(row), players) for row, batch in zip(rows, batches, strict=True))
    return np.asarray(sum(results) / len(rows))


def _by_player(batch: Batch, row: NDArray[np.int64], players: int) -> FloatArray:
    results = np.stack([batch.won, batch.points], axis=1)
    return np.stack([results[:, :, row == player].mean(axis=2) for player in range(players)], axis=2)


def _check_precision(precision: object) -> None:
    if not isinstance(precision, Precision):
        raise UpcardError(f"a precision is a Precision from upcard.lab.simulate, not {brief(precision)}")
