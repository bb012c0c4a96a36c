"""Many deals or matches between computer players, as columns: `upcard.lab.deals` and `upcard.lab.matches`."""

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
"""The number of deals played before their columns are extracted, small enough that their states fit in a core's
cache."""

GIGA = 1e9


class How(TypedDict, total=False):
    """The keyword arguments of `deals` and `matches`."""

    seed: int
    """By default 1. The same seed gives the same packs, whatever the players and the rules."""
    by: By
    """One player for all seats or one for each: names, or objects with `choose(view, rng)`. By default "random"."""
    dealer: int | None
    """The seat that always deals first. By default the first dealer changes from one deal or match to the next."""
    rollouts: int
    """The number of rollouts per move with which one decision of each deal or match is weighed, for the columns
    `advantage`, `span`, `hopeless` and `hangs`; by default 0, for none. With rollouts all players run in Python, which
    is slower, and draw other random numbers: the packs stay the same, the play does not."""
    jobs: int | None
    """The number of cores to use, by default all. The columns do not depend on it."""
    cluster: str | None
    """The address of a Dask cluster that does the work instead."""
    progress: Callable[[int], None] | None
    """Called with the number of deals or matches played so far."""
    kept: str | Path | None
    """A file in which results are saved, every half minute and at the end. A later call with the same arguments, or a
    larger number, continues from there."""


def deals(setup: Game[Any] | type[Game[Any]] | str, number: int, **how: Unpack[How]) -> Played:
    """Play `number` deals, each the first of a match, and return them as columns (see `Played`). `How` explains the
    keyword arguments `seed`, `by`, `dealer`, `rollouts`, `jobs`, `cluster`, `progress` and `kept`.

    Deal n is the first deal of match n of `upcard simulate` with the same seed. If Ctrl-C or the loss of all workers
    (logged as a warning) cuts it short, the deals played so far are returned, if there are any. Raises UpcardError for
    wrong arguments, and for more deals than fit in memory.
    """
    return _played("deal", setup, number, **_known(how))


def matches(setup: Game[Any] | type[Game[Any]] | str, number: int, **how: Unpack[How]) -> Played:
    """The same for whole matches, which are those of `upcard simulate` with the same seed."""
    return _played("match", setup, number, **_known(how))


def _known(how: How) -> How:
    """The keyword arguments. Raises UpcardError for one that does not exist."""
    if unknown := [name for name in how if name not in How.__annotations__]:
        hint = ": give a Setup with so many" if unknown[0] == "players" else ""
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
    number, seed, seating = (
        integer_from("number", number),
        integer_from("seed", seed, None),
        Lineup.of(by, setup.players),
    )
    table = match_spec(unit, setup, seating, seed, dealer, rollouts)
    jobs = jobs_of(jobs)
    check_function("progress", progress)
    keep = Keep(kept, plural(unit), [table])
    so_far = _Columns(unit, table, number)
    keep.load(so_far.load)
    size, jobs, first = chunk_limit(table, PIECE), min(jobs, number), so_far.number
    parts = map_chunks(table.worker, number, largest=size, jobs=jobs, apart=table.apart, first=first, cluster=cluster)
    gather(so_far, parts, size, keep, progress)
    joined = so_far.numbers()
    if "tricks" in joined and not joined["tricks"].any():
        del joined["tricks"]  # these rules blank them before the deal ends
    return _as_played(unit, table, joined)


def dealt(table: MatchSpec, part: Batch) -> Played:
    """The deals of a part."""
    return _as_played("deal", table, columns(table, part))


def _as_played(unit: str, table: MatchSpec, values: dict[str, ColumnArray]) -> Played:
    kinds = {name: kind for name, kind in _kinds(table.setup.game).items() if name in values}
    return Played(unit, table.setup, table.seed, tuple(table.seating.names), len(values["won"]), values, kinds)


class _Columns:
    """The columns of the deals or matches so far: those read from a file, and those played since."""

    def __init__(self, unit: str, table: MatchSpec, asked: int) -> None:
        self._unit, self._table, self._asked = unit, table, asked
        self._pieces: list[dict[str, ColumnArray]] = []
        self.number = 0

    def load(self, numbers: Mapping[str, ColumnArray]) -> None:
        """Begin with saved columns, or with as much of them as is asked for."""
        self._pieces = [{name: column[: self._asked] for name, column in numbers.items()}]
        self.number = len(self._pieces[0]["won"])

    def add(self, part: Batch) -> None:
        """Add the columns of the next ones. Raises UpcardError if all of them would not fit in memory."""
        piece = columns(self._table, part)
        if not self.number:
            each = sum(column.nbytes for column in piece.values()) / len(part.results)
            check_room(f"columns of {rounded(self._asked)} {plural(self._unit)}", self._asked * each)
        self._pieces.append(piece)
        self.number += len(part.results)

    def numbers(self) -> dict[str, ColumnArray]:
        """The columns, put together."""
        if len(self._pieces) > 1:
            self._pieces = [{name: np.concatenate([one[name] for one in self._pieces]) for name in self._pieces[0]}]
        return self._pieces[0]


def check_room(what: str, size: float) -> None:
    """Raises UpcardError if results of so many bytes do not fit in memory. It must hold them twice: in pieces, and
    joined."""
    wanted, there = 2 * size, memory()
    if wanted > there:
        raise UpcardError(
            f"{what} need about {rounded(int(wanted / GIGA))} GB of memory, and there are {there / GIGA:.0f} here: "
            "ask for fewer, or use `upcard lab report`, which keeps no more than sums"
        )


def match_spec(
    unit: str, setup: Game[Any], seating: Lineup, seed: int, dealer: int | None = None, rollouts: int = 0
) -> MatchSpec:
    """The table that workers play at: for `unit` "deal" only the first deal of each match, for "match" all of it.
    Raises UpcardError."""
    dealer = None if dealer is None else check_dealer(setup, dealer)
    first = unit == "deal"
    seating.check(setup.game)
    return MatchSpec(setup, seating, seed, dealer, 1 if first else WHOLE, first, checked_rollouts(rollouts))


def same_packs(setups: Iterable[Game[Any]]) -> bool:
    """Whether all of these are dealt the same cards in the same order when they have the same seed."""
    return len({Match(setup, dealer=0).draw_lots(SplitMix(0)) for setup in setups}) == 1


def chunk_limit(table: MatchSpec, compiled: int) -> int:
    """The largest number of matches in a piece: `compiled`, or 1 for players written in Python."""
    return 1 if table.apart else compiled


# ----------------------------------------------------------------------------------------------------------- columns


def columns(table: MatchSpec, part: Batch) -> dict[str, ColumnArray]:
    """The columns of these deals or matches, as arrays of deals by seats."""
    number, seats = len(part.results), table.setup.players
    numbers = np.arange(part.first, part.first + number)[:, None]
    begun = part.begun[numbers[:, 0] % len(part.begun)]
    first = table.most != WHOLE
    values = {
        "deal" if first else "match": numbers,
        "seat": np.arange(seats)[None, :],
        "player": np.arange(seats)[None, :],
        "dealer": begun["dealer"][:, None],
        "first": part.told(loops.BEGINS)[:, None],
        "moves": part.told(loops.MOVES)[:, None],
        "choices": part.told(loops.CHOICES)[:, None],
        "forced": part.told(loops.FORCED)[:, None],
        "points": part.by_seat(0) - begun["scores"][:, :seats],
        "won": win_shares(table, part),
    }
    if first:
        values |= _dealt(table, part)
    else:
        values |= {name: part.told(what)[:, None] for name, what in OF_MATCHES.items()} | {"behind": part.by_seat(1)}
    if table.rollouts:
        values |= dict(zip(COLUMNS, part.weighed.T[:, :, None], strict=True))
    return {name: np.array(np.broadcast_to(column, (number, seats))) for name, column in values.items()}


OF_EVERY_GAME = "deal", "seat", "player", "dealer", "first", "moves", "choices", "forced", "points", "won"
OF_MATCHES = {"deals": loops.DEALS, "changes": loops.CHANGES, "settled": loops.SETTLED}


def win_shares(table: MatchSpec, part: Batch) -> ColumnArray:
    """The share of each match that each seat has won; if only the first deal was played, it is won by the seats that
    stand best after it. Joint winners share equally."""
    if table.most == WHOLE:
        won = part.told(loops.WINNERS)[:, None] >> np.arange(part.players) & 1
    else:
        won = (standing := part.by_seat(2)) == standing.max(axis=1, keepdims=True)
    return np.asarray(won / won.sum(axis=1, keepdims=True))


def _dealt(table: MatchSpec, part: Batch) -> dict[str, ColumnArray]:
    """The columns that only deals have."""
    game, seats, dealt, ended = table.setup.game, table.setup.players, part.dealt, part.ended
    values = {"dealer": dealt["dealer"][:, None], "hand": dealt[game.hand.first][:, :seats]}
    for name, field in (("hand_twice", game.hand.second), ("hand_jokers", game.hand.jokers)):
        if field is not None:
            values[name] = dealt[field][:, :seats]
    for name, field in _told_fields(game).items():
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


def _told_fields(game: type[Game[Any]]) -> dict[str, str]:
    """By column name, the state fields with results that outlast the deal: `last_bids` is the column `bids`. None
    replaces a column that every game has, and one whose name a column of weighed decisions has keeps its own."""
    fields = game.state.fields
    lengths = None, fields["scores"].length
    kept = [name for name, spec in fields.items() if spec.kept and spec.length in lengths]
    short = {name: name.removeprefix("last_") for name in kept if name.startswith("last_")}
    named = {name if own in COLUMNS else own: name for name, own in short.items()}
    if "tricks" in fields:
        named.setdefault("tricks", "tricks")
    return {name: field for name, field in named.items() if name not in OF_EVERY_GAME}


def _kinds(game: type[Game[Any]]) -> dict[str, str]:
    """What the numbers in columns stand for, as in `Played.kinds`."""
    kinds = {name: game.state.fields[field].of for name, field in _told_fields(game).items()}
    kinds = {name: kind for name, kind in kinds.items() if kind in ("set", "card", "suit")}
    twice = {"hand_twice": "set"} if game.hand.second else {}
    return kinds | {"player": "player", "hand": "set"} | twice
