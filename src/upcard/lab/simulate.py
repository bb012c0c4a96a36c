"""Many matches between computer players: `upcard simulate`.

The packs of a match depend on the seed and the match's number only. So the same seed with other players gives the same
packs, and comparing them needs fewer matches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled import loops
from upcard.compiled.program import program
from upcard.engine.chance import PACKS, SplitMix, key_of, stream
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.setup import Setup
from upcard.players import Player, kind_of, player
from upcard.players.limits import Rollouts
from upcard.rules import cards
from upcard.rules.state import AWAITING, seats_of

POLICIES = {"random": loops.RANDOM, "heuristic": loops.HEURISTIC}
"""The players that compiled loops know."""
SEARCH_LIMIT = Rollouts(1000)
"""How long a searching player thinks here unless its name says more: no clock, so that the seed decides everything."""
PAUSE = 0.1
"""Seconds between two reports of progress, about."""

Progress = Callable[[int], None]
Write = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Seat:
    """How one seat fared."""

    seat: int
    player: str
    wins: float
    """Matches won; of one won together, a share."""
    mean: float
    """The mean score of a match."""
    error: float
    """Its standard error."""


@dataclass(frozen=True)
class Summary:
    """How many matches went."""

    game: str
    matches: int
    seed: int
    mean_moves: float
    mean_deals: float
    seats: list[Seat]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def simulate(
    setup: Setup[Any],
    matches: int,
    seed: int,
    *,
    by: Sequence[str],
    records: Write | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Play matches and sum them up. `by` names the player of each seat; the first dealer changes from match to match.

    `records` gets the record of every match, `progress` how many are done. The same seed gives the same matches. Raises
    UpcardError for wrong players.
    """
    players = setup.players
    begun = [Match(setup, dealer=dealer) for dealer in range(players)]
    if len(by) != players:
        raise UpcardError(f"{len(by)} players are named for {players} seats")
    seated = [player(name, SEARCH_LIMIT) for name in by]
    kinds = [kind_of(name).name for name in by]
    table: Compiled | Plain
    if all(kind in POLICIES for kind in kinds):
        table = Compiled(begun, [POLICIES[kind] for kind in kinds], seed)
    else:
        table = Plain(begun, seated, seed)
    results = np.zeros((matches, players + 3), np.int64)
    done, step = 0, 1
    while done < matches:
        step = 1 if records else min(step, matches - done)
        started = time.perf_counter()
        table.play(done, results[done : done + step])
        done += step
        if records:
            records(table.record())
        if progress:
            progress(done)
        if time.perf_counter() - started < PAUSE / 2:
            step *= 2
    return _summary(setup, seed, by, results)


def _summary(setup: Setup[Any], seed: int, by: Sequence[str], results: NDArray[np.int64]) -> Summary:
    matches, players = len(results), len(by)
    seats = []
    winners = [seats_of(won) for won in results[:, players].tolist()]
    for seat, name in enumerate(by):
        scores = results[:, seat]
        wins = sum(1 / len(won) for won in winners if seat in won)
        error = float(scores.std(ddof=1)) / matches**0.5 if matches > 1 else 0.0
        seats.append(Seat(seat, name, wins, float(scores.mean()), error))
    deals, moves = results[:, players + 1], results[:, players + 2]
    return Summary(setup.game.slug, matches, seed, float(moves.mean()), float(deals.mean()), seats)


class Compiled:
    """Matches at machine speed."""

    def __init__(self, begun: Sequence[Match[Any]], kinds: Sequence[int], seed: int) -> None:
        self.begun = begun
        run = program(begun[0].game)
        self.tables = run.states(len(begun) + 1)
        for dealer, match in enumerate(begun):
            run.put(self.tables, dealer, match.state)
        self.options = run.options(begun[0].setup)
        self.policies = loops.policies_of(list(kinds))
        self.key = key_of(seed)
        self.packs, self.scratch = run.scratch(), run.scratch()
        self.trace = np.zeros(0, np.int64)
        self.last = 0
        self._play_matches = run.entry(loops.play_matches)

    def play(self, first: int, results: NDArray[np.int64]) -> None:
        """Play matches from this number on, one for each row of the results."""
        self.last = first + len(results) - 1
        self._play(first, results)

    def _play(self, first: int, results: NDArray[np.int64]) -> int:
        end: int = self._play_matches(
            self.tables, self.options, self.packs, self.scratch, self.policies, self.key, first, results, self.trace
        )
        return end

    def record(self) -> dict[str, Any]:
        """The record of the last match: it is played again, and traced."""
        results = np.zeros((1, len(self.tables) + 2), np.int64)
        end = self._play(self.last, results)
        if end > len(self.trace):
            self.trace = np.zeros(2 * end, np.int64)
            self._play(self.last, results)
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


class Plain:
    """Matches event by event, for players that take their time."""

    def __init__(self, begun: Sequence[Match[Any]], seated: Sequence[Player], seed: int) -> None:
        self.begun = begun
        self.seated = seated
        self.seed = seed
        self.last = begun[0]

    def play(self, first: int, results: NDArray[np.int64]) -> None:
        """Play matches from this number on, one for each row of the results."""
        for number, row in enumerate(results, first):
            match, moves = self._play(number)
            row[:] = [*match.scores, match.state.winners, match.state.deals, moves]
            self.last = match

    def _play(self, number: int) -> tuple[Match[Any], int]:
        match = self.begun[number % len(self.begun)].fork()
        chance = SplitMix(stream(key_of(self.seed), number, PACKS))
        luck = [Random(f"{self.seed} {number} {seat}") for seat in range(match.players)]
        moves = 0
        while not match.done:
            if match.awaiting:
                match.event(match.draw_lots(chance))
            else:
                seat = match.to_act[0]
                match.play(seat, self.seated[seat].choose(match.view(seat), luck[seat]))
                moves += 1
        return match, moves

    def record(self) -> dict[str, Any]:
        """The record of the last match."""
        return self.last.record()
