"""Deals or matches between computer players, as columns: `upcard.lab.deals` and `upcard.lab.matches`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np

from upcard.compiled import loops
from upcard.engine.chance import SplitMix
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.setup import check_dealer, setup_of
from upcard.lab.arguments import check_function, integer_from, jobs_of
from upcard.lab.checkpoint import Keep, gather
from upcard.lab.columns import ColumnArray, Played
from upcard.lab.comparison import rounded
from upcard.lab.parallel import map_chunks, memory
from upcard.lab.runner import WHOLE, Batch, MatchSpec
from upcard.lab.seating import By, Lineup
from upcard.lab.weighing import COLUMNS, checked_rollouts
from upcard.rules.game import Game
from upcard.rules.phrases import plural

PIECE = 256
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
    kept: str | Path | None
    """A checkpoint file, in which results are saved every half minute and at the end. A later call with the same
    arguments, or a larger number, resumes from it."""


def deals(setup: Game[Any] | type[Game[Any]] | str, number: int, **how: Unpack[How]) -> Played:
    """Play `number` deals, each the first of a match, and return them as columns (see `Played`). `How` explains the
    keyword arguments `seed`, `by`, `dealer`, `rollouts`, `jobs`, `cluster`, `progress` and `kept`.

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
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int], None] | None = None,
    kept: str | Path | None = None,
) -> Played:
    setup = setup_of(setup)
    number, seed, lineup = (
        integer_from("number", number),
        integer_from("seed", seed, None),
        Lineup.of(by, setup.players),
    )
    spec = match_spec(unit, setup, lineup, seed, dealer, rollouts)
    jobs = jobs_of(jobs)
    check_function("progress", progress)
    keep = Keep(kept, plural(unit), [spec])
    so_far = _Columns(unit, spec, number)
    keep.load(so_far.load)
    size, jobs, first = chunk_limit(spec, PIECE), min(jobs, number), so_far.number
    batches = map_chunks(spec.worker, number, largest=size, jobs=jobs, apart=spec.apart, first=first, cluster=cluster)
    gather(so_far, batches, size, keep, progress)
    joined = so_far.numbers()
    if "tricks" in joined and not joined["tricks"].any():
        del joined["tricks"]  # these rules clear them before the deal ends
    return _as_played(unit, spec, joined)


def dealt(spec: MatchSpec, batch: Batch) -> Played:
    """The deals of a batch."""
    return _as_played("deal", spec, columns(spec, batch))


def _as_played(unit: str, spec: MatchSpec, values: dict[str, ColumnArray]) -> Played:
    kinds = {name: kind for name, kind in _kinds(spec.setup.game).items() if name in values}
    return Played(unit, spec.setup, spec.seed, tuple(spec.seating.names), len(values["won"]), values, kinds)


class _Columns:
    """The columns of the deals or matches so far: those read from a file, and those played since."""

    def __init__(self, unit: str, spec: MatchSpec, asked: int) -> None:
        self._unit, self._spec, self._asked = unit, spec, asked
        self._chunks: list[dict[str, ColumnArray]] = []
        self.number = 0

    def load(self, numbers: Mapping[str, ColumnArray]) -> None:
        """Start with saved columns, at most the number of deals or matches asked for."""
        self._chunks = [{name: column[: self._asked] for name, column in numbers.items()}]
        self.number = len(self._chunks[0]["won"])

    def add(self, batch: Batch) -> None:
        """Add the columns of the next batch. Raises UpcardError if the whole experiment would not fit in memory."""
        chunk = columns(self._spec, batch)
        if not self.number:
            each = sum(column.nbytes for column in chunk.values()) / len(batch.results)
            check_room(f"columns of {rounded(self._asked)} {plural(self._unit)}", self._asked * each)
        self._chunks.append(chunk)
        self.number += len(batch.results)

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


def match_spec(
    unit: str, setup: Game[Any], lineup: Lineup, seed: int, dealer: int | None = None, rollouts: int = 0
) -> MatchSpec:
    """The specification for the workers: for `unit` "deal" only the first deal of each match, for "match" all of it.
    Raises UpcardError for wrong arguments."""
    dealer = None if dealer is None else check_dealer(setup, dealer)
    first = unit == "deal"
    lineup.check(setup.game)
    return MatchSpec(setup, lineup, seed, dealer, 1 if first else WHOLE, first, checked_rollouts(rollouts))


def same_packs(setups: Iterable[Game[Any]]) -> bool:
    """Whether all of these setups deal the same cards in the same order from the same seed."""
    return len({Match(setup, dealer=0).draw_lots(SplitMix(0)) for setup in setups}) == 1


def chunk_limit(spec: MatchSpec, compiled: int) -> int:
    """The largest number of matches in a chunk: `compiled`, or 1 for players that run in Python."""
    return 1 if spec.apart else compiled


# ----------------------------------------------------------------------------------------------------------- columns


def columns(spec: MatchSpec, batch: Batch) -> dict[str, ColumnArray]:
    """The columns of these deals or matches, as arrays with the shape (deals, seats)."""
    number, seats = len(batch.results), spec.setup.players
    numbers = np.arange(batch.first, batch.first + number)[:, None]
    begun = batch.begun[numbers[:, 0] % len(batch.begun)]
    first = spec.most != WHOLE
    values = {
        "deal" if first else "match": numbers,
        "seat": np.arange(seats)[None, :],
        "player": np.arange(seats)[None, :],
        "dealer": begun["dealer"][:, None],
        "first": batch.told(loops.BEGINS)[:, None],
        "moves": batch.told(loops.MOVES)[:, None],
        "choices": batch.told(loops.CHOICES)[:, None],
        "forced": batch.told(loops.FORCED)[:, None],
        "points": batch.by_seat(0) - begun["scores"][:, :seats],
        "won": win_shares(spec, batch),
    }
    if first:
        values |= _dealt(spec, batch)
    else:
        values |= {name: batch.told(what)[:, None] for name, what in OF_MATCHES.items()} | {"behind": batch.by_seat(1)}
    if spec.rollouts:
        values |= dict(zip(COLUMNS, batch.weighed.T[:, :, None], strict=True))
    return {name: np.array(np.broadcast_to(column, (number, seats))) for name, column in values.items()}


OF_EVERY_GAME = "deal", "seat", "player", "dealer", "first", "moves", "choices", "forced", "points", "won"
OF_MATCHES = {"deals": loops.DEALS, "changes": loops.CHANGES, "settled": loops.SETTLED}


def win_shares(spec: MatchSpec, batch: Batch) -> ColumnArray:
    """The share of each match that each seat has won; if only the first deal was played, the winners are the seats with
    the highest utility after it. Joint winners share equally."""
    if spec.most == WHOLE:
        won = batch.told(loops.WINNERS)[:, None] >> np.arange(batch.players) & 1
    else:
        won = (standing := batch.by_seat(2)) == standing.max(axis=1, keepdims=True)
    return np.asarray(won / won.sum(axis=1, keepdims=True))


def _dealt(spec: MatchSpec, batch: Batch) -> dict[str, ColumnArray]:
    """The columns that exist only for deals."""
    game, seats, dealt, ended = spec.setup.game, spec.setup.players, batch.dealt, batch.ended
    values = {"dealer": dealt["dealer"][:, None], "hand": dealt[game.hand.first][:, :seats]}
    for name, field in (("hand_twice", game.hand.second), ("hand_jokers", game.hand.jokers)):
        if field is not None:
            values[name] = dealt[field][:, :seats]
    for name, field in _lasting_fields(game).items():
        values.setdefault(name, _field(game, field, ended[field], seats))
    if "bids" in values and "tricks" in values:
        values.setdefault("made", values["bids"] == values["tricks"])
    return values


def _field(game: type[Game[Any]], field: str, values: ColumnArray, seats: int) -> ColumnArray:
    spec = game.state.fields[field]
    if spec.of == "seats" and spec.length is None:
        return np.asarray(values[:, None] >> np.arange(seats) & 1 == 1)
    column = values[:, None] if spec.length is None else values[:, :seats]
    return np.asarray(column != 0 if spec.of == "flag" else column)


def _lasting_fields(game: type[Game[Any]]) -> dict[str, str]:
    """By column name, the state fields with results that outlast the deal: `last_bids` is the column `bids`. They never
    replace a column that every game has; a field whose short name is a column of weighed decisions uses its full
    name."""
    fields = game.state.fields
    lengths = None, fields["scores"].length
    lasting = [name for name, spec in fields.items() if spec.kept and spec.length in lengths]
    short = {name: name.removeprefix("last_") for name in lasting if name.startswith("last_")}
    named = {name if own in COLUMNS else own: name for name, own in short.items()}
    if "tricks" in fields:
        named.setdefault("tricks", "tricks")
    return {name: field for name, field in named.items() if name not in OF_EVERY_GAME}


def _kinds(game: type[Game[Any]]) -> dict[str, str]:
    """The meaning of the numbers in columns, as in `Played.kinds`."""
    kinds = {name: game.state.fields[field].of for name, field in _lasting_fields(game).items()}
    kinds = {name: kind for name, kind in kinds.items() if kind in ("set", "card", "suit")}
    twice = {"hand_twice": "set"} if game.hand.second else {}
    return kinds | {"player": "player", "hand": "set"} | twice
