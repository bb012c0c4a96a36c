"""Best replies: which player wins most at a table of which others, and whether one of them is always best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.engine.errors import UpcardError
from upcard.engine.setup import setup_of
from upcard.lab.arguments import check_function, integer_from, jobs_of, listed_players
from upcard.lab.blocks import FloatArray
from upcard.lab.checkpoint import Keep
from upcard.lab.dealing import chunk_limit, match_spec, win_shares
from upcard.lab.duplicate import PIECE, check_unit
from upcard.lab.intervals import Interval, at_least, simultaneous_level, unseen
from upcard.lab.parallel import map_chunks
from upcard.lab.runner import MatchSpec
from upcard.lab.seating import Lineup, distinct_names
from upcard.lab.sums import Sums, are_precise, estimate, precision_of, summed
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
    `number` is an upper limit. If the run is cut short by Ctrl-C or by the loss of all workers (logged as a warning),
    it returns the results so far, if there are any. They are saved in the file `kept`, from which a later call with the
    same arguments, or a larger `number`, resumes. `cluster` is the address of a Dask cluster to use. Raises UpcardError
    for wrong arguments.
    """
    setup, players = setup_of(setup), listed_players(players)
    number, seed, jobs = integer_from("number", number), integer_from("seed", seed, None), jobs_of(jobs)
    check_function("progress", progress)
    names = distinct_names(players)
    check_unit(unit)
    precision = precision_of(precision)
    ids = [player if isinstance(player, str) else id(player) for player in players]
    if len(set(ids)) != len(ids) or len(ids) < 2:
        raise UpcardError("replies need at least two players, all different")
    seats, many = range(setup.players), range(len(players))
    seated = {
        (one, others, seat): Lineup.of([players[one if at == seat else others] for at in seats], setup.players)
        for one, others, seat in product(many, many, seats)
    }
    specs = {key: match_spec(unit, setup, lineup, seed) for key, lineup in seated.items()}
    apart = any(spec.apart for spec in specs.values())
    make = partial(OneAmongOthers, specs, len(players))
    size = min(chunk_limit(spec, PIECE) for spec in specs.values())
    keep = Keep(kept, "replies", list(specs.values()))
    play = partial(map_chunks, make, number, largest=size, jobs=min(jobs, number), apart=apart, cluster=cluster)

    def is_enough(sums: Sums) -> bool:
        return precision is not None and are_precise(_differences(sums, len(players))[1], sums.number, precision)

    sums = summed(play, number, len(players) ** 2, size, keep, progress, is_enough)
    return _replies(names, sums, is_enough(sums))


class OneAmongOthers:
    """Plays the same packs with one player in every seat in turn, among others that are all alike."""

    def __init__(self, specs: dict[tuple[int, int, int], MatchSpec], players: int) -> None:
        self.workers = {key: (spec, spec.worker()) for key, spec in specs.items()}
        self.players = players

    def __call__(self, first: int, number: int) -> NDArray[np.float64]:
        """The share that the one player wins with each pack, averaged over its seats: one row for each pack, and one
        column for each pair of the one player and the others."""
        won = np.zeros((number, self.players, self.players))
        for (one, others, seat), (spec, worker) in self.workers.items():
            batch = worker(first, number)
            won[:, one, others] += win_shares(spec, batch)[:, seat]
        return won.reshape(number, -1) * self.players**2 / len(self.workers)


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
