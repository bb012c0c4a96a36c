"""Many deals, each the first of a match, by computer players: `upcard.lab.deals`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled import loops
from upcard.compiled.program import program
from upcard.engine.chance import key_of
from upcard.engine.setup import Setup
from upcard.lab.columns import Column, Deals
from upcard.lab.deal_loop import FIRST, MOVES, STANDING, play_deals
from upcard.lab.jobs import cores, spread
from upcard.lab.seating import By, Driver, Seating, Table, begun, whole
from upcard.rules.game import Game
from upcard.rules.state import DEAL, NOBODY, seats_of

PIECE = 256
"""Deals that are played before their columns are read off: few enough for their states to lie in a core's cache."""

RESULTS = ("added", "counted", "gained", "how", "made", "out", "winner")
"""Fields that tell of the last finished deal, besides those that say so with `last_` before their name."""


def deals(
    setup: Setup[Any] | Game[Any] | str,
    number: int,
    *,
    seed: int = 1,
    by: By = "random",
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Deals:
    """Play so many deals, each from the start of a match, and give them as columns: see `Deals`.

    `by` names a player for all seats or one for each, or is objects with `choose(view, rng)`. Deal n is the first deal
    of match n of `upcard simulate` with that seed: the dealer changes from deal to deal, and whoever plays, by
    whichever rules, gets the same pack. `jobs` is how many cores work at it, all if it is not said; the columns do not
    depend on it. `progress` gets how many deals are played. Raises UpcardError for wrong arguments.
    """
    setup = setup if isinstance(setup, Setup) else Setup(setup)
    number, seed, seating = whole("number", number), whole("seed", seed, None), Seating.of(by, setup.players)
    apart = seating.kinds is None
    make = partial(PlainDeals if apart else CompiledDeals, Table(setup, seating, seed))
    parts: list[dict[str, Column]] = []
    done = 0
    jobs = cores() if jobs is None else whole("jobs", jobs)
    for part in spread(make, number, largest=1 if apart else PIECE, jobs=min(jobs, number), apart=apart):
        parts.append(part)
        done += len(part["deal"])
        if progress:
            progress(done)
    tables = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    if "tricks" in tables and not tables["tricks"].any():
        del tables["tricks"]  # the rules have blanked them by the deal's end
    kinds = {name: kind for name, kind in _kinds(setup.game).items() if name in tables}
    return Deals(setup, seed, tuple(seating.names), number, tables, kinds)


class CompiledDeals:
    """Deals at machine speed."""

    def __init__(self, table: Table) -> None:
        kinds = table.seating.kinds
        assert kinds is not None
        self.setup = table.setup
        self.run = program(table.setup.game)
        self.begun = _begun(table.setup)
        self.options, self.policies = self.run.options(table.setup), loops.policies_of(kinds)
        self.key = key_of(table.seed)
        self.packs, self.scratch = self.run.scratch(), self.run.scratch()
        self._play = self.run.entry(play_deals)

    def __call__(self, first: int, number: int) -> dict[str, Column]:
        dealt, ended = self.run.states(number), self.run.states(number)
        told = np.zeros((number, STANDING + self.setup.players), np.int64)
        self._play(
            self.begun,
            self.options,
            self.packs,
            self.scratch,
            self.policies,
            self.key,
            first,
            dealt,
            ended,
            told,
        )
        return columns(self.setup, first, self.begun, dealt, ended, told)


class PlainDeals:
    """Deals event by event, for players that take their time."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seated = table.seating.seated()
        self.run = program(table.setup.game)
        self.matches = begun(table.setup)
        self.begun = _begun(table.setup)

    def __call__(self, first: int, number: int) -> dict[str, Column]:
        setup = self.table.setup
        dealt, ended = self.run.states(number), self.run.states(number)
        told = np.zeros((number, STANDING + setup.players), np.int64)
        for row in range(number):
            match = self.matches[(first + row) % setup.players].fork()
            driver = Driver(match, self.seated, self.table.seed, first + row)
            driver.step()
            self.run.put(dealt, row, match.state)
            told[row, FIRST] = _play_out(driver)
            told[row, MOVES] = driver.moves
            standing = [setup.game.utility(match.state, setup.options, seat) for seat in range(setup.players)]
            told[row, STANDING:] = standing
            self.run.put(ended, row, match.state)
        return columns(setup, first, self.begun, dealt, ended, told)


def _play_out(driver: Driver) -> int:
    """Play the deal to its end; the first seat to act alone after everybody who acted together."""
    state = driver.match.state
    begins, together = NOBODY, -1
    while state.to_act or state.awaiting > DEAL:
        if begins == NOBODY and state.to_act:
            if state.to_act & (state.to_act - 1):
                together = state.phase
            elif state.phase != together:
                begins = seats_of(state.to_act)[0]
        driver.step()
    return begins


def _begun(setup: Setup[Any]) -> NDArray[Any]:
    run, matches = program(setup.game), begun(setup)
    tables = run.states(len(matches))
    for dealer, match in enumerate(matches):
        run.put(tables, dealer, match.state)
    return tables


# ----------------------------------------------------------------------------------------------------------- columns


def columns(
    setup: Setup[Any], first: int, tables: NDArray[Any], dealt: NDArray[Any], ended: NDArray[Any], told: NDArray[Any]
) -> dict[str, Column]:
    """What the columns have of these deals, as tables of deals by seats."""
    game, seats, number = setup.game, setup.players, len(ended)
    shape = number, seats
    numbers = np.arange(first, first + number)[:, None]
    standing = told[:, STANDING:]
    best = standing == standing.max(axis=1, keepdims=True)
    before = tables["scores"][numbers[:, 0] % len(tables), :seats]
    found = {
        "deal": numbers,
        "seat": np.arange(seats)[None, :],
        "player": np.arange(seats)[None, :],
        "dealer": dealt["dealer"][:, None],
        "first": told[:, FIRST, None],
        "hand": dealt[game.hand.first][:, :seats],
        "moves": told[:, MOVES, None],
        "points": ended["scores"][:, :seats] - before,
        "won": best / best.sum(axis=1, keepdims=True),
    }
    for name, field in (("hand_twice", game.hand.second), ("hand_jokers", game.hand.jokers)):
        if field is not None:
            found[name] = dealt[field][:, :seats]
    for name, field in _told_fields(game).items():
        found.setdefault(name, _field(game, field, ended[field], seats))
    if "bids" in found and "tricks" in found:
        found.setdefault("made", found["bids"] == found["tricks"])
    return {name: np.array(np.broadcast_to(column, shape)) for name, column in found.items()}


def _field(game: Game[Any], field: str, values: Column, seats: int) -> Column:
    spec = game.state.fields[field]
    if spec.of == "seats" and spec.length is None:
        return np.asarray(values[:, None] >> np.arange(seats) & 1 == 1)
    column = values[:, None] if spec.length is None else values[:, :seats]
    return np.asarray(column != 0 if spec.of == "flag" else column)


def _told_fields(game: Game[Any]) -> dict[str, str]:
    """What the state still tells when a deal is over, by the columns' names: `last_bids` is the column `bids`."""
    fields = game.state.fields
    lengths = None, fields["scores"].length
    kept = [name for name, spec in fields.items() if spec.kept and spec.length in lengths]
    named = {name.removeprefix("last_"): name for name in kept if name.startswith("last_") or name in RESULTS}
    if "tricks" in fields:
        named.setdefault("tricks", "tricks")
    return named


def _kinds(game: Game[Any]) -> dict[str, str]:
    """What the numbers of the columns are, where they are cards, suits or players."""
    kinds = {name: game.state.fields[field].of for name, field in _told_fields(game).items()}
    kinds = {name: kind for name, kind in kinds.items() if kind in ("set", "card", "suit")}
    twice = {"hand_twice": "set"} if game.hand.second else {}
    return kinds | {"player": "player", "hand": "set"} | twice
