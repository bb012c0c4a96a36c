"""Best replies: which player wins most at a table of which others, and whether one of them is always best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from upcard.engine.errors import UpcardError
from upcard.engine.setup import setup_of
from upcard.lab.arena import CHUNK
from upcard.lab.arguments import listed_players
from upcard.lab.experiment import Experiment
from upcard.lab.intervals import Interval, at_least, simultaneous_level, unseen
from upcard.lab.runner import Batch, match_spec
from upcard.lab.seating import distinct_names
from upcard.lab.sums import FloatArray, Sums, are_precise, estimate, precision_of
from upcard.players import Player
from upcard.rules.game import Game
from upcard.rules.phrases import counted


@dataclass(frozen=True)
class Replies:
    """The shares that one player wins at a table where all others are alike. An equal share is 1 / the number of
    seats."""

    players: tuple[str, ...]
    number: int
    """The number of deals or matches; each was played with the one player in every seat in turn."""
    won: dict[tuple[str, str], float]
    """The share won, by (the one player, the others)."""
    more: dict[tuple[str, str, str], Interval]
    """By (a, b, c), the interval of how much more a wins than b when the others are c. All intervals together are right
    in 95 of 100 cases (simultaneous coverage)."""
    reached: bool = False
    """Whether a precision was asked for and these intervals have it."""

    def best(self, others: str) -> str | None:
        """The player that wins significantly more among these others than every other player; None if there is none."""
        for player in self.players:
            if all(self.more[player, rest, others].low > 0 for rest in self.players if rest != player):
                return player
        return None

    @property
    def dominant(self) -> str | None:
        """The player that is significantly best among all kinds of others; None if there is none."""
        best = {self.best(others) for others in self.players}
        return best.pop() if len(best) == 1 else None

    def __str__(self) -> str:
        rows = [
            f"Share won by one player at a table where all others are alike; {counted(self.number, 'pack')}, each with "
            "this player on every seat:"
        ]
        for others in self.players:
            shares = ", ".join(f"{player} {100 * self.won[player, others]:.1f} %" for player in self.players)
            rows.append(f"  among {others}: {shares}; best: {self.best(others) or 'not clear'}")
        rows.append(f"  best against all of them: {self.dominant or 'not clear'}")
        return "\n".join(rows)


def replies(
    setup: Game[Any] | type[Game[Any]] | str,
    number: int,
    players: Sequence[str | Player],
    *,
    unit: str = "match",
    seed: int = 1,
    precision: float | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int], None] | None = None,
    kept: str | Path | None = None,
) -> Replies:
    """Play each player at tables full of each of the players, on the same packs.

    With a `precision`, say 0.02, play stops when every difference between shares won is known to within ± this, and
    `number` is an upper limit. The other arguments, and a run that is cut short, are as in `upcard.lab.deals`. Raises
    UpcardError for wrong arguments.
    """
    setup, players, precision = setup_of(setup), listed_players(players), precision_of(precision)
    ids = [player if isinstance(player, str) else id(player) for player in players]
    if len(set(ids)) != len(ids) or len(ids) < 2:
        raise UpcardError("replies need at least two players, all different")
    many, seats = len(players), range(setup.players)
    specs = [
        match_spec(unit, setup, [players[one if at == seat else others] for at in seats], seed)
        for one, others, seat in product(range(many), range(many), seats)
    ]
    experiment = Experiment("replies", specs, shares_of_one, number, CHUNK, jobs, cluster, progress, kept)
    sums = Sums(many**2)

    def is_enough() -> bool:
        return precision is not None and are_precise(_differences(sums, many)[1], sums.number, precision)

    experiment.run(sums, is_enough)
    return _replies(distinct_names(players), sums, is_enough())


def shares_of_one(batches: Iterable[Batch]) -> FloatArray:
    """The share that one player wins with each pack among others that are all alike, averaged over its seats: one row
    for each pack, and one column for each pair of the one player and the others, as in the order of the batches."""
    won: list[FloatArray] = []
    for place, batch in enumerate(batches):
        seat = place % (seats := batch.spec.setup.players)
        if seat == 0:
            won.append(np.zeros(len(batch.results)))
        won[-1] += batch.won[:, seat]
    return np.stack(won, axis=1) / seats


def _replies(names: tuple[str, ...], sums: Sums, reached: bool) -> Replies:
    many = len(names)
    values = np.reshape(estimate(_means, sums)[0], (many, many)).tolist()
    won = {(names[one], names[others]): values[one][others] for one in range(many) for others in range(many)}
    differences = zip(*_differences(sums, many), strict=True)
    more = {(names[a], names[b], names[c]): between for (a, b, c), between in differences}
    return Replies(names, sums.number, won, more, reached)


def _differences(sums: Sums, many: int) -> tuple[list[tuple[int, int, int]], list[Interval]]:
    """All triples of two players and the others, with the interval of how much more the first wins there than the
    second."""
    pairs = [(one, rest, others) for one, rest, others in product(range(many), repeat=3) if one != rest]

    def differences(totals: FloatArray) -> FloatArray:
        won = _means(totals).reshape(many, many)
        return np.array([won[one, others] - won[rest, others] for one, rest, others in pairs])

    certain = simultaneous_level(len(pairs) // 2)  # each occurs in both directions
    rare = unseen(sums.number, certain)
    return pairs, [at_least(interval, rare) for interval in estimate(differences, sums, certain=certain)[1]]


def _means(totals: FloatArray) -> FloatArray:
    return np.asarray(totals[:-1] / totals[-1])
