"""How fast the rules run here: `upcard bench`."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from upcard import fast
from upcard.game import Game, GameState, acts, legal
from upcard.match import Match

SECONDS = 0.4
REPEATS = 5


@dataclass(frozen=True)
class Speed:
    """Uniformly random play of one game on one core, in moves a second (chance not counted)."""

    game: str
    players: int
    rollouts: float
    """Compiled, from a dealt hand (of the biggest deal of a match) to the end of the deal, again and again."""
    matches: float
    """Compiled, whole matches with all shuffling and dealing."""
    plain: float
    """Whole matches as plain Python."""
    first_call: float
    """Seconds until compiled code runs for the first time: compiling, or loading what was compiled before."""


class Bench:
    """Compiled random play of one game, ready to be timed."""

    def __init__(self, game: Game, players: int | None = None, seed: int = 1) -> None:
        match = Match(game, players)
        self.match = match
        self.tables = fast.states(game, 3)
        fast.put(self.tables, 0, match.state)
        self.options = fast.options_record(game, match.options)
        self.desk = fast.desk(game, seed)
        start = time.perf_counter()
        self.play_matches(1)
        fast.put(self.tables, 2, biggest_deal(game, match.players))
        self.play_rollouts(1)
        self.first_call = time.perf_counter() - start

    def play_matches(self, number: int) -> int:
        """Whole matches; returns the moves played."""
        moves = 0
        for _ in range(number):
            self.tables[1] = self.tables[0]
            moves += fast.play_match(self.tables, 1, self.options, self.desk)
        return moves

    def play_rollouts(self, number: int) -> int:
        """Ends of one dealt hand; returns the moves played."""
        return fast.rollouts(self.tables, 2, 1, self.options, self.desk, number)

    def play_plain(self, number: int) -> int:
        """Whole matches as plain Python, driven by numbers as search and simulation drive them; the moves played."""
        game, options, rng = self.match.game, self.match.options, Random(1)
        buffer = [0] * max(game.most_moves, fast.MOST_CHANCE)
        moves = 0
        for _ in range(number):
            state = self.match.state.copy()
            while state.to_act or state.awaiting:
                if state.awaiting:
                    order = buffer[: game.gather(state, options, buffer)]
                    rng.shuffle(order)
                    game.chance(state, options, order)
                    continue
                me = next(seat for seat in range(state.players) if acts(state, seat))
                n = legal(game, state, options, me, buffer)
                game.apply(state, options, me, buffer[int(rng.random() * n)])
                moves += 1
        return moves


def biggest_deal(game: Game, players: int) -> GameState:
    """The state after that deal of a random match in which the seats hold the most cards."""
    rng = Random(1)
    match = Match(game, players, chance=rng)
    best, most = match.state.copy(), 0
    while not match.done:
        held = sum(len(game.hand.cards(match.state, seat)) for seat in range(players))
        if held > most:
            best, most = match.state.copy(), held
        seat = match.to_act[0]
        match.play(seat, rng.choice(match.legal(seat)))
    return best


def rate(play: Callable[[int], int]) -> float:
    """Moves a second: the median of some runs."""
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


def measure(game: Game, players: int | None = None) -> Speed:
    """The speeds of one game, at its usual number of players if none is given."""
    bench = Bench(game, players)
    return Speed(
        game.slug,
        bench.match.players,
        rate(bench.play_rollouts),
        rate(bench.play_matches),
        rate(bench.play_plain),
        bench.first_call,
    )
