"""Many matches between computer players: `upcard simulate`.

The packs of a match depend on the seed and the match's number only. So the same seed with other players gives the same
packs, and comparing them needs fewer matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled import loops
from upcard.compiled.program import program
from upcard.engine.chance import key_of
from upcard.engine.match import Match
from upcard.engine.setup import Setup
from upcard.lab import intervals
from upcard.lab.comparison import Comparison, paired
from upcard.lab.intervals import Interval
from upcard.lab.jobs import pieces, spread
from upcard.lab.seating import By, Driver, Seating, Table, begun, whole
from upcard.rules import cards
from upcard.rules.state import AWAITING

PIECE = 512
"""Matches that compiled loops play at a time at most: a second's work in the slowest game."""

Progress = Callable[[int], None]
Write = Callable[[dict[str, Any]], None]
Results = NDArray[np.int64]
"""A row for each match: the scores, the set of the seats that have won, the deals and the moves."""


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
    share_between: Interval
    """Where the share of matches that it wins lies, in 95 of 100 cases."""
    mean_between: Interval | None
    """Where the mean score lies; None for fewer than five matches."""


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


class Stopped(KeyboardInterrupt):
    """Somebody has stopped a simulation; `summary` is of the matches played so far."""

    def __init__(self, summary: Summary) -> None:
        super().__init__()
        self.summary = summary


def simulate(
    setup: Setup[Any],
    matches: int,
    seed: int,
    *,
    by: By,
    records: Write | None = None,
    results: Callable[[Results], None] | None = None,
    progress: Progress | None = None,
    jobs: int = 1,
) -> Summary:
    """Play matches and sum them up. `by` names the player of each seat; the first dealer changes from match to match.

    `records` gets the record of every match, `results` the rows of some matches at a time, in order, and `progress` how
    many are done. The same seed gives the same matches, whatever the number of `jobs`; records are written by one.
    Raises UpcardError for wrong players, and Stopped, with what there is, when Ctrl-C comes after the first matches.
    """
    matches, seed, seating = whole("matches", matches), whole("seed", seed, None), Seating.of(by, setup.players)
    apart = seating.kinds is None
    make = partial(Plain if apart else Compiled, Table(setup, seating, seed))
    tally = Tally(setup.players)
    if records:
        parts = _recorded(make(), matches, records)
    else:
        parts = spread(make, matches, largest=1 if apart else PIECE, jobs=min(jobs, matches), apart=apart)
    try:
        for part in parts:
            tally.add(part)
            if results:
                results(part)
            if progress:
                progress(tally.matches)
    except KeyboardInterrupt:
        if tally.matches == 0:
            raise
        raise Stopped(tally.summary(setup, seed, seating)) from None
    return tally.summary(setup, seed, seating)


def _recorded(table: Compiled | Plain, matches: int, records: Write) -> Iterator[Results]:
    for first, number in pieces(matches, 1):
        part = table(first, number)
        records(table.record())
        yield part


class Tally:
    """Sums over matches: all that a summary needs, in the same memory for any number of them."""

    def __init__(self, players: int) -> None:
        self.matches = self.deals = self.moves = 0
        self.scores, self.squares = [0] * players, [0] * players
        self.shared = np.zeros((players + 1, players), np.int64)
        """How many matches a seat has won as one of so many."""

    def add(self, results: Results) -> None:
        players = len(self.scores)
        scores, won = results[:, :players], wins(results)
        self.matches += len(results)
        self.deals += int(results[:, players + 1].sum())
        self.moves += int(results[:, players + 2].sum())
        np.add.at(self.shared, won.sum(axis=1), won)
        for seat in range(players):
            self.scores[seat] += int(scores[:, seat].sum())
            self.squares[seat] += sum(score * score for score in scores[:, seat].tolist())

    def summary(self, setup: Setup[Any], seed: int, seating: Seating) -> Summary:
        seats = [self._seat(seat, name) for seat, name in enumerate(seating.names)]
        moves, deals = self.moves / self.matches, self.deals / self.matches
        return Summary(setup.game.slug, self.matches, seed, moves, deals, seats)

    def _seat(self, seat: int, name: str) -> Seat:
        number, total = self.matches, self.scores[seat]
        won = float(sum(times / many for many, times in enumerate(self.shared[:, seat].tolist()) if many))
        spread = number * self.squares[seat] - total * total
        error = (spread / (number * number * (number - 1))) ** 0.5 if number > 1 else 0.0
        mean = total / number
        between = intervals.of_mean(mean, error, number) if number >= intervals.FEWEST else None
        return Seat(seat, name, won, mean, error, intervals.of_share(won / number, number), between)


def wins(results: Results) -> NDArray[np.bool_]:
    """Whether each seat has won, match by match, alone or with others."""
    players = results.shape[1] - 3
    return np.asarray(results[:, players, None] >> np.arange(players) & 1 == 1)


def differences(a: Results, b: Results) -> list[Comparison]:
    """What the same matches came to, played in two ways: wins and scores of each seat, and how long they are.

    The intervals are so wide that all of them together are right in 95 of 100 cases.
    """
    players = a.shape[1] - 3
    one, other = (won / won.sum(axis=1, keepdims=True) for won in (wins(a), wins(b)))
    pairs = [(f"wins of seat {seat}", one[:, seat], other[:, seat]) for seat in range(players)]
    pairs += [(f"score of seat {seat}", a[:, seat], b[:, seat]) for seat in range(players)]
    pairs += [("deals", a[:, players + 1], b[:, players + 1]), ("moves", a[:, players + 2], b[:, players + 2])]
    untouched = np.array_equal(a, b)
    return [paired(what, x, y, untouched=untouched, looks=len(pairs)) for what, x, y in pairs]


class Compiled:
    """Matches at machine speed."""

    def __init__(self, table: Table) -> None:
        kinds = table.seating.kinds
        assert kinds is not None
        self.begun = begun(table.setup)
        run = program(table.setup.game)
        self.tables = run.states(len(self.begun) + 1)
        for dealer, match in enumerate(self.begun):
            run.put(self.tables, dealer, match.state)
        self.options = run.options(table.setup)
        self.policies = loops.policies_of(kinds)
        self.key = key_of(table.seed)
        self.packs, self.scratch = run.scratch(), run.scratch()
        self.trace = np.zeros(0, np.int64)
        self.last = 0
        self._play_matches = run.entry(loops.play_matches)

    def __call__(self, first: int, number: int) -> Results:
        """So many matches from this number on."""
        self.last = first + number - 1
        return self._play(first, number)[0]

    def _play(self, first: int, number: int) -> tuple[Results, int]:
        results = np.zeros((number, len(self.tables) + 2), np.int64)
        end: int = self._play_matches(
            self.tables, self.options, self.packs, self.scratch, self.policies, self.key, first, results, self.trace
        )
        return results, end

    def record(self) -> dict[str, Any]:
        """The record of the last match: it is played again, and traced."""
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


class Plain:
    """Matches event by event, for players that take their time."""

    def __init__(self, table: Table) -> None:
        self.begun = begun(table.setup)
        self.seated = table.seating.seated()
        self.seed = table.seed
        self.last: Match[Any] = self.begun[0]

    def __call__(self, first: int, number: int) -> Results:
        """So many matches from this number on."""
        return np.array([self._play(match) for match in range(first, first + number)], np.int64)

    def _play(self, number: int) -> list[int]:
        self.last = match = self.begun[number % len(self.begun)].fork()
        driver = Driver(match, self.seated, self.seed, number)
        while not match.done:
            driver.step()
        return [*match.scores, match.state.winners, match.state.deals, driver.moves]

    def record(self) -> dict[str, Any]:
        """The record of the last match."""
        return self.last.record()
