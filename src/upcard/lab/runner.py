"""Matches played in batches, compiled or event by event in Python, with the same packs and the same kinds of result."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled import loops
from upcard.compiled.program import program
from upcard.engine.chance import PACKS, PLAY, SplitMix, key_of, stream
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.mistakes import BadRules
from upcard.engine.worlds import NoWorld
from upcard.lab.seating import BadPlayer, Lineup, fault
from upcard.lab.weighing import COLUMNS, Lot, Scales
from upcard.laws.numbers import try_numbers
from upcard.players import Player
from upcard.policies.learned import learned_of
from upcard.rules import cards
from upcard.rules.game import Game
from upcard.rules.state import AWAITING, DEAL, NOBODY, seats_of

log = logging.getLogger("upcard.lab")

ResultRows = NDArray[np.int64]
"""A row for each match: the scores, then the other results of `upcard.compiled.loops.play_matches`."""
WHOLE = 0
"""Instead of a number of deals: play to the end of the match."""


def compiled_kinds(game: type[Game[Any]], kinds: list[int]) -> list[int]:
    """The policies that these kinds of player use in a game: the heuristic instead of a learned policy that the game
    does not have."""
    if learned_of(game) is not None:
        return kinds
    return [loops.HEURISTIC if kind == loops.LEARNED else kind for kind in kinds]


@lru_cache(maxsize=256)
def _try(setup: Game[Any]) -> None:
    """Log the remarks on other numbers, once for each table."""
    for remark in try_numbers(setup):
        log.warning(remark)


@dataclass(frozen=True)
class MatchSpec:
    """The specification of matches for a worker: the setup, the players and the seed."""

    setup: Game[Any]
    seating: Lineup
    seed: int
    dealer: int | None = None
    """The first dealer of every match; None if each seat is the first dealer in turn."""
    most: int = WHOLE
    """The most deals to play of a match, or WHOLE."""
    with_states: bool = False
    """Whether to record the states after the first deal and at the end."""
    rollouts: int = 0
    """The number of rollouts per move used to weigh one decision of each match: see `upcard.lab.weighing`."""
    luck: int = 0
    """The number of the random stream that players draw from; it does not affect the packs."""

    def __post_init__(self) -> None:
        """Try other numbers than a game's own by some laws. Raises UpcardError if one is broken."""
        _try(self.setup)

    @property
    def kinds(self) -> list[int] | None:
        """The policies of all seats in compiled loops; None if a player runs in Python."""
        return None if self.seating.kinds is None else compiled_kinds(self.setup.game, self.seating.kinds)

    @property
    def apart(self) -> bool:
        """Whether matches run in Python, so that parallel work needs processes."""
        return self.seating.apart or self.rollouts > 0

    def begun(self) -> list[Match[Any]]:
        """New matches, one per seat; match n starts from the one at index n modulo the number of seats."""
        seats = range(self.setup.players)
        return [Match(self.setup, dealer=seat if self.dealer is None else self.dealer) for seat in seats]

    def worker(self) -> CompiledRunner | PythonRunner:
        """A new worker, compiled if possible."""
        return PythonRunner(self) if self.apart else CompiledRunner(self)


@dataclass(frozen=True)
class Batch:
    """A batch of matches with their results."""

    first: int
    results: ResultRows
    begun: NDArray[Any]
    dealt: NDArray[Any]
    """The states after the first deal, if `MatchSpec.with_states`."""
    ended: NDArray[Any]
    """The states at the end, if `MatchSpec.with_states`."""
    weighed: NDArray[np.float64]
    """The numbers `upcard.lab.weighing.COLUMNS` of one decision of each match, if `MatchSpec.rollouts`."""

    def told(self, what: int) -> NDArray[np.int64]:
        """One of the results after the scores, for example `loops.MOVES`."""
        return self.results[:, self.players + what]

    def by_seat(self, block: int) -> NDArray[np.int64]:
        """A block of results by seat: the scores (0), the number of deals after which it was behind (1), or the
        utilities (2)."""
        start = (0, self.players + loops.SETTLED + 1, 2 * self.players + loops.SETTLED + 1)[block]
        return self.results[:, start : start + self.players]

    @property
    def players(self) -> int:
        return len(self.begun)


class CompiledRunner:
    """Plays matches in compiled loops."""

    def __init__(self, spec: MatchSpec) -> None:
        assert spec.kinds is not None
        self.table = spec
        self.begun = spec.begun()
        self.run = program(spec.setup.game)
        self.tables = _tables(self.run, self.begun)
        self.options = self.run.options(spec.setup)
        self.policies = loops.policies_of(spec.kinds)
        self.key = key_of(spec.seed)
        self.luck = stream(self.key, spec.luck, PLAY) >> 1 if spec.luck else self.key
        self.packs, self.scratch = self.run.scratch(), self.run.scratch()
        self.none = self.run.states(0)
        self.trace = np.zeros(0, np.int64)
        self.last = 0
        self._play_matches = self.run.entry(loops.play_matches)

    def play_as_learned(self, weights: NDArray[np.int64]) -> None:
        """Let seats with the learned policy use these weights instead of the game's."""
        self.policies = loops.policies_of(self.table.seating.kinds or [])
        self.scratch["weights"] = weights

    def __call__(self, first: int, number: int) -> Batch:
        """Play `number` matches from number `first` on."""
        self.last = first + number - 1
        return self._play(first, number)[0]

    def _play(self, first: int, number: int) -> tuple[Batch, int]:
        results = np.zeros((number, loops.width_of(self.table.setup.players)), np.int64)
        dealt, ended = (self.run.states(number) if self.table.with_states else self.none for _ in range(2))
        end: int = self._play_matches(
            self.tables,
            self.options,
            self.packs,
            self.scratch,
            self.policies,
            self.key,
            self.luck,
            first,
            self.table.most,
            results,
            dealt,
            ended,
            self.trace,
        )
        return Batch(first, results, self.tables[:-1], dealt, ended, np.zeros((0, 0))), end

    def record(self) -> dict[str, Any]:
        """The record of the last match, which is replayed to trace its events."""
        _, end = self._play(self.last, 1)
        if end > len(self.trace):
            self.trace = np.zeros(2 * end, np.int64)
            self._play(self.last, 1)
        record = self.begun[self.last % len(self.begun)].record()
        return record | {"events": self._events(self.trace[:end].tolist())}

    def _events(self, trace: list[int]) -> list[str]:
        moves = self.begun[0].game.notation
        events = []
        at = 0
        while at < len(trace):
            if trace[at] < 0:
                kind, number = AWAITING[-trace[at]], trace[at + 1]
                events.append(f"{kind} {' '.join(map(cards.text, trace[at + 2 : at + 2 + number]))}")
                at += 2 + number
            else:
                events.append(f"{trace[at]} {moves.text(trace[at + 1])}")
                at += 2
        return events


class PythonRunner:
    """Plays matches event by event in Python: for players that cannot be compiled, and for weighing decisions."""

    def __init__(self, spec: MatchSpec) -> None:
        self.table = spec
        self.begun = spec.begun()
        self.seated = spec.seating.seated()
        self.run = program(spec.setup.game)
        self.tables = _tables(self.run, self.begun)
        self.last: Match[Any] = self.begun[0]
        self.scales = None
        if spec.rollouts:
            to_the_end = spec.most == WHOLE
            self.scales = Scales(spec.setup, spec.kinds, spec.rollouts, spec.seed, to_the_end=to_the_end)

    def __call__(self, first: int, number: int) -> Batch:
        """Play `number` matches from number `first` on."""
        seats, recorded = self.table.setup.players, number if self.table.with_states else 0
        results = np.zeros((number, loops.width_of(seats)), np.int64)
        dealt, ended = self.run.states(recorded), self.run.states(recorded)
        weighed = np.zeros((number if self.scales else 0, len(COLUMNS)))
        for row in range(number):
            self.last = match = self.begun[(first + row) % seats].fork()
            lot = Lot(Random(f"{self.table.seed} {first + row} decision")) if self.scales else None
            driver = Driver(match, self.seated, self.table, first + row, lot)
            driver.step()
            if recorded:
                self.run.put(dealt, row, match.state)
            driver.play(self.table.most)
            if recorded:
                self.run.put(ended, row, match.state)
            results[row] = driver.row()
            if lot and self.scales:
                weighed[row] = self.scales.weigh(lot, first + row)
        return Batch(first, results, self.tables[:-1], dealt, ended, weighed)

    def record(self) -> dict[str, Any]:
        """The record of the last match."""
        return self.last.record()


class Driver:
    """Plays a match event by event, with the same packs as compiled loops, and collects the same results."""

    def __init__(
        self, match: Match[Any], seated: Sequence[Player], spec: MatchSpec, number: int, lot: Lot | None = None
    ) -> None:
        self.match, self._lot = match, lot
        self._seated, self._spec, self._number = seated, spec, number
        self._chance = SplitMix(stream(key_of(spec.seed), number, PACKS))
        own = f" {spec.luck}" if spec.luck else ""
        self._luck = [Random(f"{spec.seed} {number} {seat}{own}") for seat in range(match.players)]
        self._deals = self._together = -1
        self._results = [0] * (loops.SETTLED + 1)
        self._results[loops.BEGINS] = self._results[loops.LEADER] = NOBODY
        self._behind, self._standing = [0] * match.players, [0] * match.players

    def play(self, most: int) -> None:
        """Play to the end of the match or of its first `most` deals."""
        state = self.match.state
        self._deals = 1
        while True:
            if not state.to_act and state.awaiting <= DEAL:
                self._count_standing()
                if self.match.done or self._deals == most:
                    return
                self._deals += 1
            self.step()

    def step(self) -> None:
        """Play the next event. Raises BadPlayer if a player fails or makes an illegal move."""
        match = self.match
        if match.awaiting:
            match.event(match.draw_lots(self._chance))
            return
        seat = match.to_act[0]
        self._count_decision(seat)
        try:
            move = self._seated[seat].choose(match.view(seat), self._luck[seat])
        except BadRules:
            raise
        except NoWorld as error:
            reason = f"no deal of {match.game.slug} fits what this seat has seen: {error}"
            raise self._blamed(seat, reason) from error
        except (Exception, SystemExit) as error:
            raise self._blamed(seat, fault(error)) from error
        try:
            match.play(seat, move)
        except BadRules:
            raise
        except UpcardError as error:
            raise self._blamed(seat, str(error).removeprefix(f"event {len(match.events)}: ")) from error

    def _blamed(self, seat: int, reason: str) -> BadPlayer:
        """An error that names the player, the reason, and the match and event at which it occurred."""
        where = f"match {self._number} of seed {self._spec.seed}, event {len(self.match.events)}"
        return BadPlayer(f"{self._spec.seating.names[seat]} on seat {seat}, {where}: {reason}")

    def _count_decision(self, seat: int) -> None:
        state, results, choices = self.match.state, self._results, len(self.match.legal_moves(seat))
        results[loops.MOVES] += 1
        results[loops.CHOICES] += choices
        results[loops.FORCED] += choices == 1
        if self._lot:
            self._lot(self.match, seat)
        if results[loops.BEGINS] == NOBODY and self._deals == 1:
            if state.to_act & (state.to_act - 1):
                self._together = state.phase
            elif state.phase != self._together:
                results[loops.BEGINS] = seats_of(state.to_act)[0]

    def _count_standing(self) -> None:
        match, results = self.match, self._results
        self._standing = [match.setup.utility(match.state, seat) for seat in range(match.players)]
        leaders = [seat for seat, worth in enumerate(self._standing) if worth == max(self._standing)]
        self._behind = [times + (seat not in leaders) for seat, times in enumerate(self._behind)]
        if len(leaders) == 1 and results[loops.LEADER] != leaders[0]:
            results[loops.CHANGES] += results[loops.LEADER] != NOBODY
            results[loops.LEADER], results[loops.SETTLED] = leaders[0], self._deals

    def row(self) -> list[int]:
        """The match's row of results: see `loops.play_matches`."""
        state = self.match.state
        self._results[loops.WINNERS], self._results[loops.DEALS] = state.winners, state.deals
        return [*self.match.scores, *self._results, *self._behind, *self._standing]


def _tables(run: Any, begun: Sequence[Match[Any]]) -> NDArray[Any]:
    """An array with the states of new matches, and one more record as a workspace."""
    tables: NDArray[Any] = run.states(len(begun) + 1)
    for place, match in enumerate(begun):
        run.put(tables, place, match.state)
    return tables
