"""Deals of two with all cards open, solved: alpha-beta over the rules themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.loops import apply, list_moves, utility
from upcard.compiled.program import Program, inner
from upcard.engine.mistakes import SLACK
from upcard.rules.cards import lowest
from upcard.rules.state import DEAL, NOTHING

WON = 1 << 20
"""What winning the match counts: more than any utility of a deal."""


def levels(program: Program, number: int) -> NDArray[Any]:
    """Room for `solve_moves` to go so deep."""
    names = ("seat", "low", "high", "number", "tried")
    moves = ("moves", np.int64, (program.game.most_moves + SLACK,))
    return np.zeros(number, [moves, *((name, np.int64) for name in names)])


@inner
def over(s: Any) -> bool:
    """Whether the deal is over."""
    return bool(s.to_act == 0 and s.awaiting <= DEAL)


@inner
def end_worth(s: Any, opt: Any, me: int) -> int:
    """What the end of a deal of two is worth to `me`."""
    worth = int(utility(s, opt, me))
    if s.awaiting == NOTHING:
        worth += WON * ((s.winners >> me & 1) - (s.winners >> (1 - me) & 1))
    return worth


@inner
def begin_level(s: Any, opt: Any, level: Any) -> None:
    """The moves of the seat to act, none of them tried."""
    level.seat = lowest(s.to_act)
    level.tried = 0
    level.number = list_moves(s, opt, level.seat, level.moves)


@inner
def solve(tables: Any, opt: Any, levels: Any, me: int, low: int, high: int, nodes: Any) -> int:
    """What the deal at tables[1] is worth to `me` if both of two players see all cards and play perfectly.

    Alpha-beta between `low` and `high`, at the tables and levels from 1 on; it does not call itself, because numba
    cannot keep on disk what does. When nodes[0] runs out, or chance must speak, it falls below zero, and the answer
    means nothing.
    """
    depth = 1
    levels[1].low = low
    levels[1].high = high
    worth = low
    returned = False  # from the level below, with `worth`
    while depth > 0:
        level = levels[depth]
        if not returned and over(tables[depth]):
            worth = min(max(end_worth(tables[depth], opt, me), level.low), level.high)
            returned = True
            depth -= 1
            continue
        if not returned:
            nodes[0] -= 1
            if nodes[0] < 0 or tables[depth].to_act == 0 or depth + 1 == len(tables):
                nodes[0] = -1
                return low
            begin_level(tables[depth], opt, level)
        elif level.seat == me:
            level.low = max(level.low, worth)
        else:
            level.high = min(level.high, worth)
        if level.tried == level.number or level.low >= level.high:
            worth = level.low if level.seat == me else level.high
            returned = True
            depth -= 1
            continue
        tables[depth + 1] = tables[depth]
        apply(tables[depth + 1], opt, level.seat, level.moves[level.tried])
        level.tried += 1
        levels[depth + 1].low = level.low
        levels[depth + 1].high = level.high
        returned = False
        depth += 1
    return worth


def solve_moves(tables: Any, opts: Any, levels: Any, me: int, moves: Any, nodes: Any) -> int:
    """The place of the move that is worth most to `me` at the first table, the first of several; -1 if given up."""
    best = -1
    most = -4 * WON
    for k in range(len(moves)):
        tables[1] = tables[0]
        apply(tables[1], opts[0], me, moves[k])
        worth = solve(tables, opts[0], levels, me, most, 4 * WON, nodes)
        if nodes[0] < 0:
            return -1
        if worth > most:
            most = worth
            best = k
    return best
