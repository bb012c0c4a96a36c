"""Matches played in batches, compiled or event by event in Python, with the same packs and the same kinds of result."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled import loops
from upcard.compiled.program import program
from upcard.engine.chance import PACKS, PLAY, SplitMix, key_of, stream
from upcard.engine.deal_conditions import ConditionedDeal, DealCondition, Dealing
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.mistakes import BadRules, fault
from upcard.engine.setup import check_dealer
from upcard.engine.worlds import NoWorld
from upcard.lab.arguments import integer_from
from upcard.lab.decision_value import COLUMNS, Lot, Scales, checked_rollouts
from upcard.lab.seating import BadPlayer, By, Lineup
from upcard.laws.numbers import try_numbers
from upcard.players import Player
from upcard.policies.learned import learned_of
from upcard.rules import cards
from upcard.rules.game import Game
from upcard.rules.phrases import brief
from upcard.rules.state import AWAITING, DEAL, NOBODY, seats_of

log = logging.getLogger("upcard.lab")

UNITS = "deal", "match"
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
    """The number of rollouts per move used to weigh one decision of each match: see `upcard.lab.decision_value`."""
    luck: int = 0
    """The number of the random stream that players draw from; it does not affect the packs."""
    condition: DealCondition | None = None
    """The condition on the first deal of every match."""

    def __post_init__(self) -> None:
        """Try other numbers than a game's own by some laws. Raises UpcardError if one is broken."""
        _try(self.setup)

    @property
    def kinds(self) -> list[int] | None:
        """The policies of all seats in compiled loops; None if a player runs in Python."""
        return None if self.seating.kinds is None else compiled_kinds(self.setup.game, self.seating.kinds)

    @property
    def needs_processes(self) -> bool:
        """Whether matches run in Python, so that parallel work needs processes."""
        return self.seating.needs_processes or self.rollouts > 0

    def begun(self) -> list[Match[Any]]:
        """New matches, one per seat; match n starts from the one at index n modulo the number of seats."""
        seats = range(self.setup.players)
        return [Match(self.setup, dealer=seat if self.dealer is None else self.dealer) for seat in seats]

    def tables(self, spare: int = 1) -> NDArray[Any]:
        """The states of `begun` as compiled code takes them, and spare records as a workspace."""
        run, begun = program(self.setup.game), self.begun()
        tables: NDArray[Any] = run.states(len(begun) + spare)
        for place, match in enumerate(begun):
            run.put(tables, place, match.state)
        return tables

    def worker(self) -> CompiledRunner | PythonRunner:
        """A new worker, compiled if possible."""
        return PythonRunner(self) if self.needs_processes else CompiledRunner(self)


def match_spec(
    unit: str,
    setup: Game[Any],
    by: By,
    seed: int,
    dealer: int | None = None,
    rollouts: int = 0,
    condition: DealCondition | None = None,
) -> MatchSpec:
    """The specification for the workers: for `unit` "deal" only the first deal of each match, for "match" all of it.
    Raises UpcardError for wrong arguments, and for a condition that no deal can meet."""
    if unit not in UNITS:
        raise UpcardError(f"a unit is {' or '.join(UNITS)}, not {brief(unit)}")
    seed, dealer = integer_from("seed", seed, None), None if dealer is None else check_dealer(setup, dealer)
    lineup, first = Lineup.of(by, setup.players), unit == "deal"
    lineup.check(setup.game)
    rolls = checked_rollouts(rollouts)
    spec = MatchSpec(setup, lineup, seed, dealer, 1 if first else WHOLE, first, rolls, condition=condition)
    if condition is not None:
        FirstDeals(spec, condition)  # refuses what no deal can meet
    return spec


CONDITIONED = 0x5DEECE66D
"""Changes the key of the random stream for deals under a condition, which is none that a match continues with."""


class FirstDeals:
    """The first deals of matches under a condition, each from a random stream of its own."""

    def __init__(self, spec: MatchSpec, condition: DealCondition) -> None:
        seats = range(spec.setup.players)
        dealers = seats if spec.dealer is None else [spec.dealer]
        self._dealings = [Dealing(spec.setup, dealer, condition) for dealer in dealers]
        self._key = key_of(spec.seed) ^ CONDITIONED

    def __call__(self, number: int) -> ConditionedDeal:
        """The first deal of match `number`. Raises UpcardError if none is found."""
        dealing = self._dealings[number % len(self._dealings)]
        return dealing.deal(SplitMix(stream(self._key, number, PACKS)))


def same_packs(setups: Iterable[Game[Any]]) -> bool:
    """Whether all of these setups deal the same cards in the same order from the same seed."""
    return len({Match(setup, dealer=0).draw_lots(SplitMix(0)) for setup in setups}) == 1


@dataclass(frozen=True)
class Batch:
    """A batch of matches, or of their first deals, with their results."""

    runner: CompiledRunner | PythonRunner
    first: int
    results: NDArray[Any]
    """A row for each match: see `upcard.compiled.loops.row_type`."""
    dealt: NDArray[Any]
    """The states after the first deal, if `MatchSpec.with_states`."""
    ended: NDArray[Any]
    """The states at the end, if `MatchSpec.with_states`."""
    weighed: NDArray[np.float64]
    """The numbers `upcard.lab.decision_value.COLUMNS` of one decision of each match, if `MatchSpec.rollouts`."""

    @property
    def spec(self) -> MatchSpec:
        return self.runner.spec

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers of the matches."""
        return np.arange(self.first, self.first + len(self.results))

    @property
    def begun(self) -> NDArray[Any]:
        """The states with which the matches began."""
        return np.asarray(self.runner.tables[self.numbers % self.spec.setup.players])

    @property
    def points(self) -> NDArray[np.int64]:
        """The points of each seat, with the shape (matches, seats)."""
        return np.asarray(self.results["scores"] - self.begun["scores"][:, : self.spec.setup.players])

    @property
    def won(self) -> NDArray[np.float64]:
        """The share of each match that each seat has won; if only the first deal was played, the winners are the seats
        with the highest utility after it. Joint winners share equally."""
        if self.spec.most == WHOLE:
            won = self.results["winners"][:, None] >> np.arange(self.spec.setup.players) & 1
        else:
            won = (standing := self.results["standing"]) == standing.max(axis=1, keepdims=True)
        return np.asarray(won / won.sum(axis=1, keepdims=True))

    def records(self) -> list[dict[str, Any]]:
        """The records of the matches. Call it before the next batch is played."""
        return [self.runner.record(number) for number in self.numbers.tolist()]


def first_deals_of(spec: MatchSpec) -> FirstDeals | None:
    """The first deals of matches under a condition; None without one."""
    return None if spec.condition is None else FirstDeals(spec, spec.condition)


class CompiledRunner:
    """Plays matches in compiled loops."""

    def __init__(self, spec: MatchSpec) -> None:
        assert spec.kinds is not None
        self.spec, self.run = spec, program(spec.setup.game)
        self.begun, self.tables = spec.begun(), spec.tables()
        self.options = self.run.options(spec.setup)
        self.policies = loops.policies_of(spec.kinds)
        self.key = key_of(spec.seed)
        self.luck = stream(self.key, spec.luck, PLAY) >> 1 if spec.luck else self.key
        self.packs, self.scratch = self.run.scratch(), self.run.scratch()
        self.trace = np.zeros(0, np.int64)
        self.first_deals = first_deals_of(spec)
        self._play_matches = self.run.entry(loops.play_matches)

    def play_as_learned(self, weights: NDArray[np.int64]) -> None:
        """Let seats with the learned policy use these weights instead of the game's."""
        self.policies = loops.policies_of(self.spec.seating.kinds or [])
        self.scratch["weights"] = weights

    def __call__(self, first: int, number: int) -> Batch:
        """Play `number` matches from number `first` on."""
        return self._play(first, number)[0]

    def _play(self, first: int, number: int) -> tuple[Batch, int]:
        spec = self.spec
        results = np.zeros(number, loops.row_type(spec.setup.players))
        dealt, ended = (self.run.states(number if spec.with_states else 0) for _ in range(2))
        rows = results.view(np.int64).reshape(number, -1)
        room = self._starts(first, number), self.options, self.packs, self.scratch, self.policies
        end: int = self._play_matches(*room, self.key, self.luck, first, spec.most, rows, dealt, ended, self.trace)
        return Batch(self, first, results, dealt, ended, np.zeros((0, 0))), end

    def _starts(self, first: int, number: int) -> NDArray[Any]:
        """The tables from which these matches start, for `play_matches`."""
        if self.first_deals is None:
            return self.tables
        starts: NDArray[Any] = self.run.states(number + 1)
        for match in range(first, first + number):
            self.run.put(starts, match % number, self.first_deals(match).match.state)
        return starts

    def record(self, number: int) -> dict[str, Any]:
        """The record of a match, which is replayed to trace its events."""
        _, end = self._play(number, 1)
        if end > len(self.trace):
            self.trace = np.zeros(2 * end, np.int64)
            self._play(number, 1)
        start = self.first_deals(number).match if self.first_deals else self.begun[number % len(self.begun)]
        record = start.record()
        return record | {"events": record["events"] + self._events(self.trace[:end].tolist())}

    def _events(self, trace: list[int]) -> list[str]:
        moves = self.spec.setup.game.notation
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
        self.spec, self.run = spec, program(spec.setup.game)
        self.begun, self.tables, self.seated = spec.begun(), spec.tables(), spec.seating.seated()
        self.first_deals = first_deals_of(spec)
        self.played: dict[int, Match[Any]] = {}
        """The matches of the last batch, by number."""
        self.scales = None
        if spec.rollouts:
            to_the_end = spec.most == WHOLE
            self.scales = Scales(spec.setup, spec.kinds, spec.rollouts, spec.seed, to_the_end=to_the_end)

    def __call__(self, first: int, number: int) -> Batch:
        """Play `number` matches from number `first` on."""
        seats, recorded = self.spec.setup.players, number if self.spec.with_states else 0
        results = np.zeros(number, loops.row_type(seats))
        dealt, ended = self.run.states(recorded), self.run.states(recorded)
        weighed = np.zeros((number if self.scales else 0, len(COLUMNS)))
        self.played = {at: self._start(at, seats) for at in range(first, first + number)}
        for row, (at, match) in enumerate(self.played.items()):
            lot = Lot(Random(f"{self.spec.seed} {at} decision")) if self.scales else None
            driver = Driver(match, self.seated, self.spec, at, lot)
            if self.first_deals is None:
                driver.step()
            if recorded:
                self.run.put(dealt, row, match.state)
            driver.play(self.spec.most)
            if recorded:
                self.run.put(ended, row, match.state)
            driver.write(results[row])
            if lot and self.scales:
                weighed[row] = self.scales.weigh(lot, at)
        return Batch(self, first, results, dealt, ended, weighed)

    def _start(self, number: int, seats: int) -> Match[Any]:
        """The match with this number before its first deal, or under a condition just after it."""
        return self.first_deals(number).match if self.first_deals else self.begun[number % seats].fork()

    def record(self, number: int) -> dict[str, Any]:
        """The record of a match of the last batch."""
        return self.played[number].record()


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
        self._begins = self._leader = NOBODY
        self._counts = dict.fromkeys(("moves", "choices", "forced", "changes", "settled"), 0)
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
        state, choices = self.match.state, len(self.match.legal_moves(seat))
        self._counts["moves"] += 1
        self._counts["choices"] += choices
        self._counts["forced"] += choices == 1
        if self._lot:
            self._lot(self.match, seat)
        if self._begins == NOBODY and self._deals == 1:
            if state.to_act & (state.to_act - 1):
                self._together = state.phase
            elif state.phase != self._together:
                self._begins = seats_of(state.to_act)[0]

    def _count_standing(self) -> None:
        match = self.match
        self._standing = [match.setup.utility(match.state, seat) for seat in range(match.players)]
        leaders = [seat for seat, worth in enumerate(self._standing) if worth == max(self._standing)]
        self._behind = [times + (seat not in leaders) for seat, times in enumerate(self._behind)]
        if len(leaders) == 1 and self._leader != leaders[0]:
            self._counts["changes"] += self._leader != NOBODY
            self._leader, self._counts["settled"] = leaders[0], self._deals

    def write(self, row: Any) -> None:
        """Write the results to a row: see `upcard.compiled.loops.row_type`."""
        state = self.match.state
        ends = {"winners": state.winners, "deals": state.deals, "begins": self._begins, "leader": self._leader}
        seats = {"scores": self.match.scores, "behind": self._behind, "standing": self._standing}
        for name, value in {**seats, **ends, **self._counts}.items():
            row[name] = value
