"""Many matches between computer players: `upcard simulate`.

The packs of a match depend only on the seed and the match's number. So with the same seed, other players get the same
packs, and a paired comparison needs fewer matches.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from math import inf
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.loops import DEALS, MOVES
from upcard.engine.errors import UpcardError
from upcard.engine.setup import check_dealer
from upcard.lab.arguments import integer_from, jobs_of
from upcard.lab.checkpoint import CUT_SHORT, Keep, gather, is_checkpoint, stand
from upcard.lab.comparison import Comparison, Pairs
from upcard.lab.dealing import chunk_limit, same_packs
from upcard.lab.intervals import FINEST, planned
from upcard.lab.parallel import ChunkFunction, map_chunks, pieces, uninterrupted
from upcard.lab.runner import CompiledRunner, MatchSpec, PythonRunner, ResultRows
from upcard.lab.seating import By, Lineup
from upcard.lab.tally import TOLD, Summary, Tally, wins
from upcard.rules.game import Game

PIECE = 512
"""The most matches in a chunk for compiled loops: about one second of work in the slowest game."""

Progress = Callable[[int], None]
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
) -> Summary:
    """Play matches and summarise them. `by` names the player of each seat. The first dealer changes from match to match
    unless a `dealer` is given. With a `precision`, play stops when it is reached, and `matches` is an upper limit.

    `records` is called with the record of every match, `results` with the rows of each batch of matches, in order, and
    `progress` with the number of matches played. The same seed gives the same matches, regardless of the number of
    `jobs`; with `records` there is only one job. `cluster` is the address of a Dask cluster to use. Sums are saved in
    the file `kept`, from which a later call with the same arguments, or more `matches`, resumes; it cannot be combined
    with `records` or `results`, which would lack the earlier matches. Raises UpcardError for wrong arguments. If Ctrl-C
    or the loss of all workers (logged as a warning) cuts the run short after the first match, raises Stopped with the
    summary so far.
    """
    matches, jobs, spec = integer_from("matches", matches), jobs_of(jobs), _table(setup, by, seed, dealer)
    if kept and (records or results):
        raise UpcardError("only sums can be resumed from a file: records and tables are written in a single run")
    tally, keep = Tally(setup.players), Keep(kept, "simulation", [spec])
    keep.load(tally.load)
    keep.check(tally.matches, matches)
    size = chunk_limit(spec, PIECE)
    if records:
        worker = spec.worker()
        chunks = _one_by_one(worker, matches)
        writer = _Writer(tally, dealer, results, lambda: records(worker.record()))
    else:
        chunks = _play_chunks([spec], matches, size, jobs, cluster, tally.matches)
        writer = _Writer(tally, dealer, results)

    def is_enough() -> bool:
        return precision is not None and precision.reached(tally.summary(spec))

    if gather(writer, chunks, size, keep, progress, is_enough):
        raise Stopped(tally.summary(spec))
    return tally.summary(spec)


@dataclass(frozen=True)
class _Writer:
    """A tally that passes on the results of every batch of matches as it is added."""

    tally: Tally
    dealer: int | None
    results: Callable[[ResultRows], None] | None
    record: Callable[[], None] = lambda: None
    """Writes the record of the last match."""

    @property
    def number(self) -> int:
        return self.tally.matches

    def add(self, part: list[ResultRows]) -> None:
        """Add the next batch, the results of one table."""
        (rows,) = part
        self.tally.add(rows, self.dealer)
        if self.results:
            self.results(rows)
        self.record()

    def numbers(self) -> dict[str, NDArray[Any]]:
        """The sums, to be saved in a file."""
        return self.tally.numbers()


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
) -> list[Compared]:
    """Compare each of the `others` with `first`, match by match on the same packs (paired differences).

    All sides are played in parallel, and the matches of `first` only once. `precision` applies to the differences: each
    of the others is played until its own differences are that precise. If the run is cut short by Ctrl-C or by the loss
    of all workers (logged as a warning), it returns the results so far, if there are any of each. `kept` has a file for
    each of the others, used as in `simulate`. Raises UpcardError if not all sides have the same number of players, and
    for other wrong arguments.
    """
    if any(first.setup.players != other.setup.players for other in others):
        raise UpcardError("what is compared needs the same number of players")
    matches, jobs = integer_from("matches", matches), jobs_of(jobs)
    usual, *specs = (_table(side.setup, side.by, seed, dealer) for side in (first, *others))
    files = kept or [None] * len(specs)
    pairs = [_Pair(usual, spec, file) for spec, file in zip(specs, files, strict=True)]
    for pair in pairs:
        pair.keep.check(pair.matches, matches)
    played = attrgetter("matches")
    groups = [[*group] for _, group in groupby(sorted(pairs, key=played), played)]
    try:
        for group in groups:
            _play(group, matches, dealer, precision, progress, jobs, cluster)
    except CUT_SHORT as error:
        stand(error, all(pair.matches for pair in pairs))
    finally:
        for pair in pairs:
            pair.save()
    return [pair.compared() for pair in pairs]


class _Pair:
    """The sums of a comparison so far, and the file in which they are saved."""

    def __init__(self, first: MatchSpec, second: MatchSpec, file: str | Path | None) -> None:
        self.tables = first, second
        self.tallies = [Tally(first.setup.players) for _ in self.tables]
        self.differences = Differences(first.setup.players)
        self.largest = min(chunk_limit(spec, PIECE) for spec in self.tables)
        """The most matches in a chunk."""
        self.keep = Keep(file, "comparison", self.tables)
        self.keep.load(self._load)

    @property
    def matches(self) -> int:
        return self.tallies[0].matches

    def add(self, *parts: ResultRows, dealer: int | None) -> None:
        """Add the next matches, as played in both ways."""
        self.differences.add(*parts)
        for tally, part in zip(self.tallies, parts, strict=True):
            tally.add(part, dealer)

    def reach(self, precision: Precision | None) -> bool:
        """Whether the differences have this precision; always false except at numbers of matches after which the
        stopping rule is tested."""
        if precision is None or not is_checkpoint(self.matches, self.largest):
            return False
        return self.differences.reach(precision)

    def save(self) -> None:
        """Write the sums to the file, if there are any."""
        if self.matches:
            self.keep.write(self._numbers())

    def _load(self, numbers: Mapping[str, NDArray[Any]]) -> None:
        """Restore saved sums."""
        for side, tally in enumerate(self.tallies):
            tally.load({name.removeprefix(f"{side} "): sums for name, sums in numbers.items()})
        self.differences.load(numbers)

    def _numbers(self) -> dict[str, NDArray[Any]]:
        tallies = {
            f"{side} {name}": sums for side, tally in enumerate(self.tallies) for name, sums in tally.numbers().items()
        }
        return tallies | self.differences.numbers()

    def compared(self) -> Compared:
        """The results so far."""
        a, b = (tally.summary(spec) for tally, spec in zip(self.tallies, self.tables, strict=True))
        same = same_packs(spec.setup for spec in self.tables)
        return Compared(a, b, self.differences.comparisons(), same)


def _play(
    pairs: list[_Pair],
    matches: int,
    dealer: int | None,
    precision: Precision | None,
    progress: Progress | None,
    jobs: int,
    cluster: str | None,
) -> None:
    """Continue pairs that have the same first side and the same number of matches so far, each until it has the
    precision."""
    while pairs := [pair for pair in pairs if not pair.reach(precision)]:
        specs = [pairs[0].tables[0], *(pair.tables[1] for pair in pairs)]
        size = min(pair.largest for pair in pairs)
        with closing(_play_chunks(specs, matches, size, jobs, cluster, pairs[0].matches)) as chunks:
            for ours, *theirs in chunks:
                with uninterrupted():
                    for pair, part in zip(pairs, theirs, strict=True):
                        pair.add(ours, part, dealer=dealer)
                for pair in pairs:
                    if pair.keep.due:
                        pair.save()
                if progress:
                    progress(pairs[0].matches)
                if any(pair.reach(precision) for pair in pairs):
                    break  # the others continue without it
            else:
                return


def _table(setup: Game[Any], by: By, seed: int, dealer: int | None) -> MatchSpec:
    first = None if dealer is None else check_dealer(setup, dealer)
    lineup = Lineup.of(by, setup.players)
    lineup.check(setup.game)
    return MatchSpec(setup, lineup, integer_from("seed", seed, None), first)


def _play_chunks(
    specs: Sequence[MatchSpec], matches: int, size: int, jobs: int, cluster: str | None, first: int
) -> Generator[list[ResultRows]]:
    """Yield the results of the same matches at each table, in chunks of at most `size` matches."""
    make, apart, jobs = partial(_side_by_side, specs), any(spec.apart for spec in specs), min(jobs, matches)
    yield from map_chunks(make, matches, largest=size, jobs=jobs, apart=apart, first=first, cluster=cluster)


def _side_by_side(specs: Sequence[MatchSpec]) -> ChunkFunction[list[ResultRows]]:
    """Create a worker that plays the same matches at each table."""
    workers = [spec.worker() for spec in specs]

    def play(first: int, number: int) -> list[ResultRows]:
        batches = (worker(first, number) for worker in workers)
        return [batch.results[:, : batch.players + TOLD] for batch in batches]

    return play


def _one_by_one(worker: CompiledRunner | PythonRunner, matches: int) -> Generator[list[ResultRows]]:
    for first, number in pieces(matches, 1):
        batch = worker(first, number)
        yield [batch.results[:, : batch.players + TOLD]]


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

    def reach(self, precision: Precision) -> bool:
        """Whether the differences have this precision."""
        return precision.needed_for(self.comparisons()) <= self.pairs.number


def _compared(results: ResultRows) -> NDArray[np.float64]:
    """The compared numbers of each match: the shares won and the scores of all seats, deals and moves."""
    players, won = results.shape[1] - TOLD, wins(results)
    scores, length = results[:, :players], results[:, [players + DEALS, players + MOVES]]
    return np.hstack([won / won.sum(axis=1, keepdims=True), scores, length])
