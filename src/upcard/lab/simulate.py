"""Many matches between computer players: `upcard simulate`.

The packs of a match depend only on the seed and the match's number. So with the same seed, other players get the same
packs, and a paired comparison needs fewer matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from math import inf
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.engine.deal_conditions import Given, Predicate, deal_condition
from upcard.engine.errors import UpcardError
from upcard.lab.arguments import integer_from
from upcard.lab.checkpoint import Checkpoint, Saveable, SavedArrays, load_parts, numbers_of
from upcard.lab.comparison import Comparison, Pairs
from upcard.lab.experiment import Experiment, Progress, accumulate, chunk_limit, is_interim_look
from upcard.lab.intervals import FINEST, planned
from upcard.lab.runner import Batch, MatchSpec, match_spec, same_packs
from upcard.lab.seating import By
from upcard.lab.tally import ResultRows, Summary, Tally, by_name, rows_of_results, wins
from upcard.rules.game import Game

CHUNK = 512
"""The most matches in a chunk for compiled loops: about one second of work in the slowest game."""

Write = Callable[[dict[str, Any]], None]


class Stopped(KeyboardInterrupt):
    """The simulation was cut short; `summary` covers the matches played so far."""

    def __init__(self, summary: Summary) -> None:
        super().__init__()
        self.summary = summary


@dataclass(frozen=True)
class Precision:
    """A stopping rule: no seat's interval, of its share of wins or of its mean score, is wider than ± `half`."""

    what: str
    """"wins" or "score"."""
    half: float

    def __post_init__(self) -> None:
        if self.what not in ("wins", "score") or not FINEST < self.half < inf:
            raise _no_precision(f"{self.what}={self.half}")

    @staticmethod
    def read(words: str) -> Precision:
        """Parse `wins=0.01` or `score=2`; a bare number means wins. Raises UpcardError for anything else."""
        what, _, number = words.partition("=") if "=" in words else ("wins", "=", words)
        try:
            half = float(number)
        except ValueError:
            half = 0.0
        if what == "wins" and 0.5 <= half < inf:
            raise UpcardError(f"a precision of wins is a share below 0.5: for ± 1 % use wins=0.01, not {words!r:.40}")
        if what not in ("wins", "score") or not FINEST < half < inf:
            raise _no_precision(words)
        return Precision(what, half)

    def reached(self, summary: Summary) -> bool:
        """Whether a summary has this precision."""
        return self.matches(summary) <= summary.matches

    def matches(self, summary: Summary) -> int:
        """The number of matches needed for this precision, estimated from a summary."""
        if self.what == "wins":
            halves = [seat.share_between.half for seat in summary.seats]
        else:
            halves = [seat.mean_between.half if seat.mean_between else inf for seat in summary.seats]
        return self.needed(summary.matches, halves)

    def needed(self, number: int, halves: list[float]) -> int:
        """The number of matches needed, estimated from `number` matches that gave intervals with these half-widths."""
        return planned(number, max(halves), self.half)

    def needed_for(self, differences: list[Comparison]) -> int:
        """The number of matches needed for differences of this precision, estimated from these."""
        halves = [difference.interval.half for difference in differences if difference.what.startswith(self.what)]
        return self.needed(differences[0].number, halves)


def _no_precision(words: str) -> UpcardError:
    return UpcardError(f"a precision is wins=SHARE or score=POINTS, above {FINEST:g}, not {words!r:.40}")


def simulate(
    setup: Game[Any],
    matches: int,
    seed: int = 1,
    *,
    by: By,
    dealer: int | None = None,
    precision: Precision | None = None,
    records: Write | None = None,
    results: Callable[[ResultRows], None] | None = None,
    progress: Progress | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    kept: str | Path | None = None,
    given: Given | None = None,
    where: Predicate | None = None,
) -> Summary:
    """Play matches and summarise them. `by` names the player of each seat. The first dealer changes from match to match
    unless a `dealer` is given. With a `precision`, play stops when it is reached, and `matches` is an upper limit.

    `records` is called with the record of every match, `results` with the rows of each batch of matches, in order; with
    `records` there is only one job. `seed`, `jobs`, `cluster`, `progress`, `kept`, `given` and `where` are as in
    `upcard.lab.deals`; `kept` cannot be combined with `records` or `results`, which would lack the earlier matches.
    Raises UpcardError for wrong arguments. If Ctrl-C or the loss of all workers (logged as a warning) cuts the run
    short after the first match, raises Stopped with the summary so far.
    """
    if kept and (records or results):
        raise UpcardError("only sums can be resumed from a file: records and tables are written in a single run")
    spec = match_spec("match", setup, by, seed, dealer, condition=deal_condition(given, where))
    tally, matches = Tally(setup.players), integer_from("matches", matches)
    reduce = partial(rows_and_records, with_records=records is not None)
    jobs, cluster = (1, None) if records else (jobs, cluster)
    experiment = Experiment("simulation", [spec], reduce, matches, CHUNK, jobs, cluster, progress, kept)

    def is_enough() -> bool:
        return precision is not None and precision.reached(tally.summary(spec))

    if experiment.run(_Simulation(spec, tally, results, records), is_enough):
        raise Stopped(tally.summary(spec))
    return tally.summary(spec)


def rows_and_records(batches: Iterator[Batch], with_records: bool) -> list[tuple[ResultRows, dict[str, Any] | None]]:
    """The rows of all matches together, or the row and the record of each."""
    batch = next(batches)
    rows = rows_of_results(batch)
    if not with_records:
        return [(rows, None)]
    return [(rows[place : place + 1], record) for place, record in enumerate(batch.records())]


@dataclass(frozen=True)
class _Simulation:
    """The sums of a simulation, which passes on results and records as they are added."""

    spec: MatchSpec
    tally: Tally
    results: Callable[[ResultRows], None] | None
    records: Write | None

    @property
    def number(self) -> int:
        return self.tally.matches

    def add(self, part: Sequence[tuple[ResultRows, dict[str, Any] | None]]) -> None:
        """Add the next matches."""
        for rows, record in part:
            self.tally.add(rows, self.spec.dealer)
            if self.results:
                self.results(rows)
            if self.records and record:
                self.records(record)

    def numbers(self) -> SavedArrays:
        """The sums, to be saved in a file."""
        return self.tally.numbers()

    def load(self, numbers: SavedArrays) -> None:
        """Restore saved sums."""
        self.tally.load(numbers)


@dataclass(frozen=True)
class Side:
    """One of two ways to play."""

    setup: Game[Any]
    by: By


@dataclass(frozen=True)
class Compared:
    """The results of the same matches, played in two ways."""

    first: Summary
    second: Summary
    differences: list[Comparison]
    """The differences in the wins and scores of each seat, deals and moves. All intervals together are right in 95 of
    100 cases (simultaneous coverage)."""
    same_packs: bool
    """Whether both were dealt the same cards."""


def sweep(
    first: Side,
    others: Sequence[Side],
    matches: int,
    seed: int = 1,
    *,
    dealer: int | None = None,
    precision: Precision | None = None,
    progress: Progress | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    kept: Sequence[str | Path | None] | None = None,
    given: Given | None = None,
    where: Predicate | None = None,
) -> list[Compared]:
    """Compare each of the `others` with `first`, match by match on the same packs (paired differences).

    All sides are played in parallel, and the matches of `first` only once. `precision` applies to the differences: each
    of the others is played until its own differences are that precise. If the run is cut short by Ctrl-C or by the loss
    of all workers (logged as a warning), it returns the results so far, if there are any of each. `kept` has a file for
    each of the others, used as in `simulate`; `given` and `where` are as there. Raises UpcardError if the sides do not
    have the same number of players, and for other wrong arguments.
    """
    if any(first.setup.players != other.setup.players for other in others):
        raise UpcardError("what is compared needs the same number of players")
    condition = deal_condition(given, where)
    sides = first, *others
    usual, *specs = (match_spec("match", side.setup, side.by, seed, dealer, condition=condition) for side in sides)
    matches, files = integer_from("matches", matches), kept or [None] * len(specs)
    pairs = [_Pair(usual, spec, file, matches) for spec, file in zip(specs, files, strict=True)]
    for _, group in groupby(sorted(pairs, key=_played), _played):
        if _play([*group], matches, precision, jobs=jobs, cluster=cluster, progress=progress):
            break
    return [pair.compared() for pair in pairs]


def _play(pairs: list[_Pair], matches: int, precision: Precision | None, **how: Any) -> bool:
    """Continue comparisons that have the same first side and the same number of matches so far, each until it has the
    precision. Returns whether that was cut short."""
    while (pairs := [pair for pair in pairs if not pair.reached(precision)]) and _played(pairs[0]) < matches:
        specs = [pairs[0].specs[0], *(pair.specs[1] for pair in pairs)]
        experiment = Experiment("comparison", specs, rows_of_all, matches, CHUNK, **how)
        together = _Together(pairs)
        stop = partial(together.reached, precision)  # the others continue without those that have it
        if accumulate(together, experiment.chunks(together.number), stop, together.save, experiment.progress):
            return True
    return False


def rows_of_all(batches: Iterator[Batch]) -> list[ResultRows]:
    """The rows of the same matches at each table."""
    return [rows_of_results(batch) for batch in batches]


class _Pair:
    """The sums of a comparison so far, and the file in which they are saved."""

    def __init__(self, first: MatchSpec, second: MatchSpec, file: str | Path | None, asked: int) -> None:
        self.specs, self.largest = (first, second), chunk_limit((first, second), CHUNK)
        players = first.setup.players
        self.first, self.second, self.differences = Tally(players), Tally(players), Differences(players)
        self._parts: dict[str, Saveable] = {"first": self.first, "second": self.second, "differences": self.differences}
        self.checkpoint = Checkpoint(file, "comparison", self.specs)
        self.checkpoint.load(self)
        self.checkpoint.check(self.number, asked)

    @property
    def number(self) -> int:
        """The number of matches."""
        return self.first.matches

    def add(self, first: ResultRows, second: ResultRows) -> None:
        """Add the next matches, as played in both ways."""
        self.first.add(first, self.specs[0].dealer)
        self.second.add(second, self.specs[1].dealer)
        self.differences.add(first, second)

    def numbers(self) -> SavedArrays:
        """The sums, to be saved in a file."""
        return numbers_of(self._parts)

    def load(self, numbers: SavedArrays) -> None:
        """Restore saved sums."""
        load_parts(self._parts, numbers)

    def reached(self, precision: Precision | None) -> bool:
        """Whether the differences have this precision; always false except at numbers of matches after which the
        stopping rule is tested."""
        if precision is None or not is_interim_look(self.number, self.largest):
            return False
        return precision.needed_for(self.differences.comparisons()) <= self.number

    def compared(self) -> Compared:
        """The results so far."""
        first, second = self.first.summary(self.specs[0]), self.second.summary(self.specs[1])
        same = same_packs(spec.setup for spec in self.specs)
        return Compared(first, second, self.differences.comparisons(), same)


_played = attrgetter("number")


@dataclass(frozen=True)
class _Together:
    """Comparisons that are played at the same time."""

    pairs: list[_Pair]

    @property
    def number(self) -> int:
        return self.pairs[0].number

    def add(self, rows: Sequence[ResultRows]) -> None:
        """Add the next matches: the rows of the common first side, and of the second side of each comparison."""
        for pair, theirs in zip(self.pairs, rows[1:], strict=True):
            pair.add(rows[0], theirs)

    def reached(self, precision: Precision | None) -> bool:
        """Whether one of them has the precision."""
        return any(pair.reached(precision) for pair in self.pairs)

    def save(self, only_if_due: bool) -> None:
        """Save each in its file."""
        for pair in self.pairs:
            pair.checkpoint.save(pair, only_if_due)


class Differences:
    """Paired differences between two ways to play the same matches, in wins and scores of each seat, deals and
    moves."""

    def __init__(self, players: int) -> None:
        names = [f"{what} of seat {seat}" for what in ("wins", "score") for seat in range(players)]
        self.pairs = Pairs([*names, "deals", "moves"])
        self.untouched = True

    def add(self, a: ResultRows, b: ResultRows) -> None:
        self.untouched = self.untouched and np.array_equal(a, b)
        self.pairs.add(_compared(a), _compared(b))

    def numbers(self) -> dict[str, NDArray[Any]]:
        """The sums, to be saved in a file."""
        return self.pairs.numbers() | {"untouched": np.array(self.untouched)}

    def load(self, numbers: Mapping[str, NDArray[Any]]) -> None:
        """Restore saved sums."""
        self.pairs.load(numbers)
        self.untouched = bool(numbers["untouched"])

    def comparisons(self) -> list[Comparison]:
        """The differences, with intervals that together are right in 95 of 100 cases (simultaneous coverage)."""
        return self.pairs.comparisons(untouched=self.untouched, looks=len(self.pairs.kinds))


def _compared(results: ResultRows) -> NDArray[np.float64]:
    """The compared numbers of each match: the shares won and the scores of all seats, deals and moves."""
    won, named = wins(results), by_name(results)
    length = np.stack([named["deals"], named["moves"]], axis=1)
    return np.hstack([won / won.sum(axis=1, keepdims=True), named["scores"], length])
