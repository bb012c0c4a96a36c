"""Judges decisions with silly moves: how often a level errs, and what that costs."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, sqrt
from random import Random
from typing import Any

import numpy as np
from mine import LEVELS, decisions, judged

from silly_moves.kinds import KINDS
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


def cost_of(view: View[Any], move: int, worlds: int, seed: int) -> float:
    """What a move costs in the worlds of its view, 0 if it is not clearly worse than the best one."""
    verdict = judged(view, worlds, seed)
    half = worlds // 2
    best = int(verdict.values[:, :half].mean(axis=1).argmax())
    mine = verdict.moves.index(move)
    gain = verdict.values[best, half:] - verdict.values[mine, half:]
    error = float(gain.std()) / sqrt(len(gain))
    if best == mine or float(gain.mean()) <= CLEARLY * error:
        return 0.0
    return max(0.0, float((verdict.utilities[best, half:] - verdict.utilities[mine, half:]).mean()))


def positions(slug: str, number: int, seed: int, deals: int = MOST_DEALS) -> Iterator[tuple[str, View[Any], list[int]]]:
    """Views with a title of their kind and the moves that look silly: at most `number` of each kind, and what there is
    of rare ones in this many deals."""
    seen = dict.fromkeys((title for title, _ in KINDS[slug]), 0)
    for deal in range(deals):
        for view in decisions(slug, Random(f"silly {slug} {seed} {deal}")):
            moves = view.legal_moves()
            for title, silly in KINDS[slug]:
                ones = silly(view.setup, view.state, view.seat or 0, moves) if seen[title] < number else []
                if ones:
                    seen[title] += 1
                    yield title, view, ones
        if min(seen.values()) >= number:
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
    """The records by kind and level. After as many seconds no further position is judged. Raises UpcardError for a
    level that there is not."""
    records = {(title, level): Record([]) for title, _ in KINDS[slug] for level in levels}
    begun = time.perf_counter()
    for at, (title, view, silly) in enumerate(positions(slug, number, seed, deals)):
        if time.perf_counter() - begun > seconds:
            break
        moves = {view.game.notation.text(move): move for move in view.legal_moves()}
        costs: dict[int, float] = {}
        for level in levels:
            move = moves[player(level).choose(view, Random(f"{slug} {seed} {at}"))]
            if move in silly and move not in costs:
                costs[move] = cost_of(view, move, worlds, at)
            cost = costs.get(move, 0.0)
            records[title, level].costs.append(cost)
            records[title, level].errors += cost > 0
    return records
