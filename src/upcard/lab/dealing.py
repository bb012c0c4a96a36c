"""Deals or matches between computer players, as columns: `upcard.lab.deals` and `upcard.lab.matches`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np

from upcard.engine.deal_conditions import Given, Predicate, deal_condition
from upcard.engine.errors import UpcardError
from upcard.engine.setup import setup_of
from upcard.lab.columns import ColumnArray, Played, as_played, columns
from upcard.lab.comparison import rounded
from upcard.lab.experiment import Experiment
from upcard.lab.parallel import memory
from upcard.lab.runner import Batch, match_spec
from upcard.lab.seating import By
from upcard.rules.game import Game
from upcard.rules.phrases import plural

CHUNK = 256
"""The number of deals in a chunk, whose columns are extracted together: small enough that the states fit in a core's
cache."""

GIGA = 1e9


class How(TypedDict, total=False):
    """The keyword arguments of `deals` and `matches`."""

    seed: int
    """By default 1. The same seed gives the same packs, regardless of the players and the rules."""
    by: By
    """One player for all seats, or one for each: names, or objects with `choose(view, rng)`. By default "random"."""
    dealer: int | None
    """The seat that always deals first. By default the first dealer changes from one deal or match to the next."""
    rollouts: int
    """The number of rollouts per move used to weigh one decision of each deal or match, for the columns `advantage`,
    `span`, `hopeless` and `hangs`; by default 0, for none. With rollouts, all players run in Python, which is slower,
    and draw other random numbers: the packs are the same, but the play differs."""
    jobs: int | None
    """The number of cores to use, by default all. The columns do not depend on it."""
    cluster: str | None
    """The address of a Dask cluster to use instead of this machine's cores."""
    progress: Callable[[int], None] | None
    """Called with the number of deals or matches played so far."""
    given: Given | None
    """Cards that seats hold, or that the upcard is, after the first deal: `{0: "As Ks", "upcard": "Td"}`. All other
    cards lie anywhere, every such deal as likely as any other."""
    where: Predicate | None
    """A function of a `Match` just after its first deal, with all cards open; only deals for which it returns true are
    played. Deals are drawn until one does: see `deal_share` for how rare they are."""
    kept: str | Path | None
    """A checkpoint file, in which results are saved every half minute and at the end. A later call with the same
    arguments, or a larger number, resumes from it."""


def deals(setup: Game[Any] | type[Game[Any]] | str, number: int, **how: Unpack[How]) -> Played:
    """Play `number` deals, each the first of a match, and return them as columns (see `Played`). `How` explains the
    keyword arguments `seed`, `by`, `dealer`, `rollouts`, `given`, `where`, `jobs`, `cluster`, `progress` and `kept`.

    Deal n is the first deal of match n of `upcard simulate` with the same seed. If the run is cut short by Ctrl-C or by
    the loss of all workers (logged as a warning), it returns the deals played so far, if there are any. Raises
    UpcardError for wrong arguments, and for more deals than fit in memory.
    """
    return _played("deal", setup, number, **_known(how))


def matches(setup: Game[Any] | type[Game[Any]] | str, number: int, **how: Unpack[How]) -> Played:
    """Like `deals`, for whole matches: those of `upcard simulate` with the same seed."""
    return _played("match", setup, number, **_known(how))


def _known(how: How) -> How:
    """The keyword arguments. Raises UpcardError for one that does not exist."""
    if unknown := [name for name in how if name not in How.__annotations__]:
        hint = ": pass a Setup with that number" if unknown[0] == "players" else ""
        raise UpcardError(f"there is no argument {unknown[0]}{hint} (there are: {', '.join(How.__annotations__)})")
    return how


def _played(
    unit: str,
    setup: Game[Any] | type[Game[Any]] | str,
    number: int,
    *,
    seed: int = 1,
    by: By = "random",
    dealer: int | None = None,
    rollouts: int = 0,
    given: Given | None = None,
    where: Predicate | None = None,
    **how: Any,
) -> Played:
    spec = match_spec(unit, setup_of(setup), by, seed, dealer, rollouts, deal_condition(given, where))
    experiment = Experiment(plural(unit), [spec], columns_of_one, number, CHUNK, **how)
    results = _Columns(unit, experiment.number)
    experiment.run(results)
    values = results.numbers()
    if "tricks" in values and not values["tricks"].any():
        del values["tricks"]  # these rules clear them before the deal ends
    return as_played(spec, values)


def columns_of_one(batches: Iterator[Batch]) -> dict[str, ColumnArray]:
    """The columns of the one table of an experiment."""
    return columns(next(batches))


class _Columns:
    """The columns of the deals or matches so far: those read from a file, and those played since."""

    def __init__(self, unit: str, asked: int) -> None:
        self._unit, self._asked = unit, asked
        self._chunks: list[dict[str, ColumnArray]] = []
        self.number = 0

    def load(self, numbers: Mapping[str, ColumnArray]) -> None:
        """Start with saved columns, at most the number of deals or matches asked for."""
        self._chunks = [{name: column[: self._asked] for name, column in numbers.items()}]
        self.number = len(self._chunks[0]["won"])

    def add(self, chunk: dict[str, ColumnArray]) -> None:
        """Add the columns of the next chunk. Raises UpcardError if the whole experiment would not fit in memory."""
        number = len(chunk["won"])
        if not self.number:
            each = sum(column.nbytes for column in chunk.values()) / number
            check_room(f"columns of {rounded(self._asked)} {plural(self._unit)}", self._asked * each)
        self._chunks.append(chunk)
        self.number += number

    def numbers(self) -> dict[str, ColumnArray]:
        """The columns, concatenated."""
        if len(self._chunks) > 1:
            self._chunks = [{name: np.concatenate([chunk[name] for chunk in self._chunks]) for name in self._chunks[0]}]
        return self._chunks[0]


def check_room(what: str, size: float) -> None:
    """Raises UpcardError if results of this many bytes do not fit in memory twice: in chunks and concatenated."""
    needed, available = 2 * size, memory()
    if needed > available:
        raise UpcardError(
            f"{what} need about {rounded(int(needed / GIGA))} GB of memory, and this machine has "
            f"{available / GIGA:.0f}: ask for fewer, or use `upcard lab report`, which stores only sums"
        )
