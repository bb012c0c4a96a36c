"""Experiments: the same packs are played at one table or several, in chunks, until there are enough results.

Every entry point of the lab describes its `Experiment`, and runs it with the sums or columns that it fills.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from upcard.lab.arguments import check_function, integer_from
from upcard.lab.checkpoint import Checkpoint, Saveable
from upcard.lab.cluster import Lost
from upcard.lab.intervals import ENOUGH
from upcard.lab.parallel import end_of_chunk, jobs_of, map_chunks, uninterrupted
from upcard.lab.runner import Batch, MatchSpec

log = logging.getLogger("upcard.lab")

CUT_SHORT = KeyboardInterrupt, Lost
"""The exceptions that end an experiment early."""

Progress = Callable[[int], None]
R = TypeVar("R")
R_contra = TypeVar("R_contra", contravariant=True)


class Accumulator(Protocol[R_contra]):
    """The results of an experiment so far."""

    @property
    def number(self) -> int:
        """The number of deals or matches."""

    def add(self, part: R_contra, /) -> None:
        """Add the next ones."""


class SavedAccumulator(Accumulator[R_contra], Saveable, Protocol[R_contra]):
    """Results that a checkpoint can save."""


@dataclass
class Experiment(Generic[R]):
    """Tables at which the same packs are played, with the number, the workers and the checkpoint. Raises UpcardError
    for wrong arguments."""

    kind: str
    """The kind of results, for the checkpoint: with all arguments on which they depend, except those in `specs`."""
    specs: Sequence[MatchSpec]
    """The tables at which the same packs are played."""
    reduce: Callable[[Iterator[Batch]], R]
    """A function that can be pickled. It gets the batches of a chunk, one for each table; its value is added to the
    results."""
    number: int
    """The number of deals or matches; with a stopping rule, the most."""
    chunk: int
    """The most deals or matches in a chunk, if all players are compiled; if not, chunks have one."""
    jobs: int | None = None
    """The number of workers, by default one per core."""
    cluster: str | None = None
    """The address of a Dask cluster to use instead."""
    progress: Progress | None = None
    """Called with the number of deals or matches after every chunk."""
    kept: str | Path | None = None
    """The file of the checkpoint."""

    def __post_init__(self) -> None:
        self.number = integer_from("number", self.number)
        self.jobs = min(jobs_of(self.jobs), self.number)
        check_function("progress", self.progress)

    def run(self, results: SavedAccumulator[R], is_enough: Callable[[], bool] | None = None) -> bool:
        """Play up to `number` deals or matches, or until `is_enough()`, from the first that is not in the checkpoint
        on, and add them to the results. Returns whether that was cut short: see `accumulate`.

        Raises UpcardError if the checkpoint is of something else, or has sums of more than `number`.
        """
        checkpoint = Checkpoint(self.kept, self.kind, self.specs)
        checkpoint.load(results)
        checkpoint.check(results.number, self.number)

        def stop() -> bool:
            return is_enough is not None and is_interim_look(results.number, self.largest) and is_enough()

        def save(only_if_due: bool) -> None:
            checkpoint.save(results, only_if_due)

        return accumulate(results, self.chunks(results.number), stop, save, self.progress)

    def chunks(self, first: int) -> Generator[R]:
        """Play from number `first` on, and yield the chunks in order."""
        return map_chunks(
            partial(ChunkWorker, self.specs, self.reduce),
            self.number,
            largest=self.largest,
            jobs=jobs_of(self.jobs),
            in_processes=need_processes(self.specs),
            first=first,
            cluster=self.cluster,
        )

    @property
    def largest(self) -> int:
        """The most deals or matches in a chunk."""
        return chunk_limit(self.specs, self.chunk)


def need_processes(specs: Iterable[MatchSpec]) -> bool:
    """Whether a player at one of these tables runs in Python, so that workers need their own processes."""
    return any(spec.needs_processes for spec in specs)


def chunk_limit(specs: Iterable[MatchSpec], compiled: int) -> int:
    """The most deals or matches in a chunk: `compiled`, or 1 if a player runs in Python."""
    return 1 if need_processes(specs) else compiled


class ChunkWorker(Generic[R]):
    """Plays chunks at all tables of an experiment."""

    def __init__(self, specs: Iterable[MatchSpec], reduce: Callable[[Iterator[Batch]], R]) -> None:
        self.runners, self.reduce = [spec.worker() for spec in specs], reduce

    def __call__(self, first: int, number: int) -> R:
        """Play `number` deals or matches from number `first` on."""
        return self.reduce(runner(first, number) for runner in self.runners)


def accumulate(
    results: Accumulator[R],
    chunks: Generator[R],
    stop: Callable[[], bool],
    save: Callable[[bool], None],
    progress: Progress | None,
) -> bool:
    """Add chunks to the results until `stop()`. Returns whether Ctrl-C or the loss of all workers, which is logged as a
    warning, cut that short; raises KeyboardInterrupt or Lost if there are no results yet.

    `save(True)` is called after every chunk, to save the results if that is due, and `save(False)` at the end.
    """
    first = results.number
    try:
        with closing(chunks):
            if stop():
                return False
            for chunk in chunks:
                with uninterrupted():
                    results.add(chunk)
                save(True)
                if progress:
                    progress(results.number)
                if stop():
                    break
    except CUT_SHORT as error:
        if not results.number:
            raise
        if isinstance(error, Lost):
            log.warning("%s", error)
        return True
    finally:
        if results.number > first:
            save(False)
    return False


def is_interim_look(number: int, largest: int) -> bool:
    """Whether to test the stopping rule after this many deals or matches: only at ends of chunks about 2 % apart,
    because the test can take longer than the play. These numbers are fixed, so that a resumed run stops where an
    uninterrupted one would have stopped."""
    before = number - min(largest, (number + 1) // 2)
    return number >= ENOUGH and end_of_chunk(before, largest) == number and _coarse(before) < _coarse(number)


def _coarse(number: int) -> int:
    """A number rounded down to six significant bits."""
    rest = max(0, number.bit_length() - 6)
    return number >> rest << rest
