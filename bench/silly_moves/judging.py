"""Judges decisions with silly moves: how often a level errs, and what that costs."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, sqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np
from mine import LEVELS, decisions, judged, warm_up

from silly_moves.kinds import KINDS, Kind
from upcard.engine.views import View
from upcard.players import player

CLEARLY = 3.0
"""The number of standard errors by which a move must be worse to count as an error."""
MOST_DEALS = 400
"""The number of deals in which positions of a rare kind are looked for."""


@dataclass
class Record:
    """The decisions of one kind by one level."""

    costs: list[float]
    """The cost of each, 0 if it is no error."""
    errors: int = 0

    def line(self, name: str, level: str) -> str:
        number = len(self.costs)
        low, high = share_interval(self.errors, number)
        mean, error = (float(np.mean(self.costs)), float(np.std(self.costs)) / sqrt(number)) if number else (0.0, 0.0)
        share = 100 * self.errors / max(1, number)
        return (
            f"{name:14} {level:7} {self.errors} of {number} ({share:.2f} %, {100 * low:.2f} to {100 * high:.2f}), "
            f"{mean:.4f} ± {1.96 * error:.4f} each"
        )


def share_interval(some: int, number: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if number == 0:
        return 0.0, 1.0
    z, share = 1.96, some / number
    middle = share + z * z / (2 * number)
    width = z * sqrt(share * (1 - share) / number + z * z / (4 * number * number))
    return max(0.0, (middle - width) / (1 + z * z / number)), (middle + width) / (1 + z * z / number)


class Position(NamedTuple):
    """A decision at which some moves look silly."""

    view: View[Any]
    kind: Kind
    silly: list[int]

    def cost_of(self, move: int, worlds: int, seed: int) -> float:
        """The cost of a silly move in the worlds of the view, 0 if it is not clearly worse than the best move that is
        not of the kind and could be made instead."""
        verdict = judged(self.view, worlds, seed)
        instead = [
            row
            for row, other in enumerate(verdict.moves)
            if other not in self.silly and self.kind.serves_as(move, other)
        ]
        if not instead:
            return 0.0
        half, mine = verdict.values.shape[1] // 2, verdict.moves.index(move)
        best = max(instead, key=lambda row: float(verdict.values[row, :half].mean()))
        gain = verdict.values[best, half:] - verdict.values[mine, half:]
        if float(gain.mean()) <= CLEARLY * float(gain.std()) / sqrt(len(gain)):
            return 0.0
        return max(0.0, float((verdict.utilities[best, half:] - verdict.utilities[mine, half:]).mean()))


def positions(slug: str, number: int, seed: int, deals: int = MOST_DEALS) -> Iterator[Position]:
    """At most `number` positions of each kind, and as many of rare ones as these deals have. A deal gives at most one
    of each kind, since those of a deal are alike."""
    missing = dict.fromkeys(KINDS[slug], number)
    for deal in range(deals):
        rng = Random(f"silly {slug} {seed} {deal}")
        by_kind: dict[Kind, list[Position]] = {kind: [] for kind, left in missing.items() if left}
        for view in decisions(slug, rng):
            moves = view.legal_moves()
            for kind, ones in by_kind.items():
                silly = kind.silly(view.setup, view.state, view.seat or 0, moves)
                ones += [Position(view, kind, silly)] if silly else []
        for kind, ones in by_kind.items():
            if ones:
                missing[kind] -= 1
                yield rng.choice(ones)
        if not any(missing.values()):
            return


def judge(
    slug: str,
    number: int,
    seed: int,
    worlds: int,
    levels: tuple[str, ...] = LEVELS,
    deals: int = MOST_DEALS,
    seconds: float = inf,
) -> dict[tuple[str, str], Record]:
    """The records by kind and level. After as many seconds, compiling not counted, no further position is judged.
    Raises UpcardError for a level that there is not."""
    records = {(kind.title, level): Record([]) for kind in KINDS[slug] for level in levels}
    warm_up(slug, levels)
    begun = time.perf_counter()
    for at, position in enumerate(positions(slug, number, seed, deals)):
        if time.perf_counter() - begun > seconds:
            break
        view, silly = position.view, position.silly
        moves = {view.game.notation.text(move): move for move in view.legal_moves()}
        costs: dict[int, float] = {}
        for level in levels:
            move = moves[player(level).choose(view, Random(f"{slug} {seed} {at}"))]
            if move in silly and move not in costs:
                costs[move] = position.cost_of(move, worlds, at)
            cost = costs.get(move, 0.0)
            record = records[position.kind.title, level]
            record.costs.append(cost)
            record.errors += cost > 0
    return records
