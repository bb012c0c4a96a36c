"""Benchmarks of the rules on this machine: `upcard bench`."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from upcard.compiled import loops
from upcard.compiled.program import program
from upcard.engine.chance import key_of
from upcard.engine.match import Match, let_happen
from upcard.engine.mistakes import MOST_CHANCE
from upcard.engine.setup import Setup
from upcard.lab.runner import match_spec
from upcard.rules.game import Game
from upcard.rules.seats import acts

SECONDS = 0.4
REPEATS = 5


@dataclass(frozen=True)
class Speed:
    """The speed of uniformly random play of one game on one core, in moves per second. Chance events do not count."""

    game: str
    players: int
    rollouts: float
    """Compiled: one deal, the largest of a match, played out repeatedly."""
    matches: float
    """Compiled: whole matches, with shuffling and dealing."""
    plain: float
    """Plain Python: whole matches."""
    first_call: float
    """Seconds until compiled code first runs: the time to compile it or to load it from the cache."""


class Bench:
    """Random play of one game, ready to be timed."""

    def __init__(self, game: type[Game[Any]], players: int | None = None, seed: int = 1) -> None:
        setup = Setup(game, players)
        self.setup = setup
        run = program(game)
        self.tables = run.states(2)
        run.put(self.tables, 0, biggest_deal(game, setup.players).state)
        self.options, self.scratch = run.options(setup), run.scratch(key_of(seed))
        self._rollouts, self._matches = run.entry(loops.rollouts), match_spec("match", setup, "random", seed).worker()
        self._played = 0
        start = time.perf_counter()
        self.play_matches(1)
        self.play_rollouts(1)
        self.first_call = time.perf_counter() - start

    def play_matches(self, number: int) -> int:
        """Play whole matches; returns the number of moves."""
        batch = self._matches(self._played, number)
        self._played += number
        return int(batch.results["moves"].sum())

    def play_rollouts(self, number: int) -> int:
        """Play out the same deal `number` times; returns the number of moves."""
        played: int = self._rollouts(self.tables, 0, 1, self.options, self.scratch, None, number)
        return played

    def play_plain(self, number: int) -> int:
        """Play whole matches in plain Python, with moves as numbers; returns the number of moves."""
        setup, rng = self.setup, Random(1)
        buffer = [0] * max(setup.most_moves, MOST_CHANCE)
        moves = 0
        for _ in range(number):
            state = Match(setup).state
            while state.to_act or state.awaiting:
                if state.awaiting:
                    order = buffer[: setup.cards_to_shuffle(state, buffer)]
                    rng.shuffle(order)
                    let_happen(setup, state, order)
                    continue
                me = next(seat for seat in range(state.players) if acts(state, seat))
                n = setup.legal_moves(state, me, buffer)
                setup.apply(state, me, buffer[int(rng.random() * n)])
                moves += 1
        return moves


def biggest_deal(game: type[Game[Any]], players: int) -> Match[Any]:
    """A random match, stopped when the hands have the most cards."""
    rng = Random(1)
    match = Match(game, players, chance=rng)
    best, most = match.fork(), 0
    while not match.done:
        held = sum(len(game.hand.cards(match.state, seat)) for seat in range(players))
        if held > most:
            best, most = match.fork(), held
        seat = match.to_act[0]
        match.play(seat, rng.choice(match.legal(seat)))
    return best


def rate(play: Callable[[int], int]) -> float:
    """Moves per second: the median of several runs. `play` takes a number of games and returns the moves played."""
    number = 1
    while True:
        start = time.perf_counter()
        play(number)
        if (took := time.perf_counter() - start) > SECONDS / 4:
            break
        number *= 2
    number = max(1, int(number * SECONDS / took))
    runs = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        moves = play(number)
        runs.append(moves / (time.perf_counter() - start))
    return statistics.median(runs)


def measure_speed(game: type[Game[Any]], players: int | None = None) -> Speed:
    """Measure the speeds of one game, by default with its usual number of players."""
    bench = Bench(game, players)
    return Speed(
        game.slug,
        bench.setup.players,
        rate(bench.play_rollouts),
        rate(bench.play_matches),
        rate(bench.play_plain),
        bench.first_call,
    )
