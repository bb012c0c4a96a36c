"""Many matches between computer players: `upcard simulate`.

The packs of a match depend on the seed and the match's number only. So the same seed with other players gives the same
packs, and comparing them needs fewer matches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard import cards, fast
from upcard.game import AWAITING, Game, seats_of
from upcard.match import Match, UpcardError
from upcard.players import LEVELS, PLAYERS, Player, compiled, player
from upcard.players.limits import Rollouts

SLIPS = {"random": compiled.ALWAYS, "thumb": compiled.NEVER}
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
    game: Game,
    players: int,
    options: Mapping[str, object],
    matches: int,
    seed: int,
    *,
    by: Sequence[str],
    records: Write | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Play matches and sum them up. `by` names the player of each seat; the first dealer changes from match to match.

    `records` gets the record of every match, `progress` how many are done. The same seed gives the same matches. Raises
    UpcardError for wrong options or players.
    """
    begun = [Match(game, players, dealer=dealer, options=options) for dealer in range(players)]
    if len(by) != players:
        raise UpcardError(f"{len(by)} players are named for {players} seats")
    seated = [player(name, SEARCH_LIMIT) for name in by]
    kinds = [(PLAYERS | LEVELS)[name.partition(":")[0]].name for name in by]
    table: Compiled | Plain
    if all(kind in SLIPS for kind in kinds):
        table = Compiled(begun, [SLIPS[kind] for kind in kinds], seed)
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
    return _summary(game, seed, by, results)


def _summary(game: Game, seed: int, by: Sequence[str], results: NDArray[np.int64]) -> Summary:
    matches, players = len(results), len(by)
    seats = []
    winners = [seats_of(won) for won in results[:, players].tolist()]
    for seat, name in enumerate(by):
        scores = results[:, seat]
        wins = sum(1 / len(won) for won in winners if seat in won)
        error = float(scores.std(ddof=1)) / matches**0.5 if matches > 1 else 0.0
        seats.append(Seat(seat, name, wins, float(scores.mean()), error))
    deals, moves = results[:, players + 1], results[:, players + 2]
    return Summary(game.slug, matches, seed, float(moves.mean()), float(deals.mean()), seats)


class Compiled:
    """Matches at machine speed."""

    def __init__(self, begun: Sequence[Match], slips: Sequence[int], seed: int) -> None:
        self.begun = begun
        game = begun[0].game
        compiled.prepare(game)
        self.tables = fast.states(game, len(begun) + 1)
        for dealer, match in enumerate(begun):
            fast.put(self.tables, dealer, match.state)
        self.options = fast.options_record(game, begun[0].options)
        self.slips = np.array(slips)
        self.key = _key(seed)
        self.chance_desk = fast.desk(game, 0)
        self.desk = fast.desk(game, 0)
        self.trace = np.zeros(0, np.int64)
        self.last = 0

    def play(self, first: int, results: NDArray[np.int64]) -> None:
        """Play matches from this number on, one for each row of the results."""
        self.last = first + len(results) - 1
        self._play(first, results)

    def _play(self, first: int, results: NDArray[np.int64]) -> int:
        return compiled.play_matches(
            self.tables, self.options, self.chance_desk, self.desk, self.slips, self.key, first, results, self.trace
        )

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
        moves = self.begun[0].game.moves
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

    def __init__(self, begun: Sequence[Match], seated: Sequence[Player], seed: int) -> None:
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

    def _play(self, number: int) -> tuple[Match, int]:
        match = self.begun[number % len(self.begun)].fork()
        chance = FastShuffler(match.game, _key(self.seed), number)
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


class FastShuffler:
    """The generator of compiled matches, for plain ones: the same packs for the same match."""

    def __init__(self, game: Game, key: int, match: int) -> None:
        fast.prepare(game)
        self.rng = np.array([compiled.stream(key, match, 0)], np.uint64)

    def shuffle(self, x: list[Any], /) -> None:
        order = np.array(x)
        fast.shuffle(self.rng, order, len(x))
        x[:] = order.tolist()

    def choice(self, seq: Sequence[Any], /) -> Any:
        return seq[fast.below(self.rng, len(seq))]


def _key(seed: int) -> int:
    """Where the generators of a seed begin; any whole number is a seed."""
    entropy = (abs(seed), int(seed < 0))
    return int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0] >> np.uint64(1))
