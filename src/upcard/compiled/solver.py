"""A solver for two-player deals with all cards open: an alpha-beta search over the rules."""

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
"""The value of winning the match, greater than any utility of a deal."""


def levels(program: Program, number: int) -> NDArray[Any]:
    """Working memory of `solve_moves` for a search of depth `number`."""
    names = ("seat", "low", "high", "number", "tried")
    moves = ("moves", np.int64, (program.game.most_moves + SLACK,))
    return np.zeros(number, [moves, *((name, np.int64) for name in names)])


@inner
def over(s: Any) -> bool:
    """Whether the deal is over."""
    return bool(s.to_act == 0 and s.awaiting <= DEAL)


@inner
def end_value(opt: Any, s: Any, me: int) -> int:
    """The value of a finished two-player deal for `me`."""
    value = int(utility(opt, s, me))
    if s.awaiting == NOTHING:
        value += WON * ((s.winners >> me & 1) - (s.winners >> (1 - me) & 1))
    return value


@inner
def begin_level(opt: Any, s: Any, level: Any) -> None:
    """Prepare a level of the search: list the moves of the seat to act."""
    level.seat = lowest(s.to_act)
    level.tried = 0
    level.number = list_moves(opt, s, level.seat, level.moves)


@inner
def solve(tables: Any, opt: Any, levels: Any, me: int, low: int, high: int, nodes: Any) -> int:
    """The value of the deal at tables[1] for `me` if both players see all cards and play perfectly.

    An alpha-beta search between `low` and `high`, on the tables and levels from 1 on. It is not recursive, because
    numba cannot cache recursive functions. If nodes[0] runs out, or a chance event is awaited, nodes[0] becomes
    negative and the result is meaningless.
    """
    depth = 1
    levels[1].low = low
    levels[1].high = high
    value = low
    returned = False  # from the level below, with `value`
    while depth > 0:
        level = levels[depth]
        if not returned and over(tables[depth]):
            value = min(max(end_value(opt, tables[depth], me), level.low), level.high)
            returned = True
            depth -= 1
            continue
        if not returned:
            nodes[0] -= 1
            if nodes[0] < 0 or tables[depth].to_act == 0 or depth + 1 == len(tables):
                nodes[0] = -1
                return low
            begin_level(opt, tables[depth], level)
        elif level.seat == me:
            level.low = max(level.low, value)
        else:
            level.high = min(level.high, value)
        if level.tried == level.number or level.low >= level.high:
            value = level.low if level.seat == me else level.high
            returned = True
            depth -= 1
            continue
        tables[depth + 1] = tables[depth]
        apply(opt, tables[depth + 1], level.seat, level.moves[level.tried])
        level.tried += 1
        levels[depth + 1].low = level.low
        levels[depth + 1].high = level.high
        returned = False
        depth += 1
    return value


def solve_moves(tables: Any, opts: Any, levels: Any, me: int, moves: Any, nodes: Any) -> int:
    """The index of the first move with the highest value for `me` at tables[0]; -1 if the search was given up."""
    best = -1
    most = -4 * WON
    for k in range(len(moves)):
        tables[1] = tables[0]
        apply(opts[0], tables[1], me, moves[k])
        value = solve(tables, opts[0], levels, me, most, 4 * WON, nodes)
        if nodes[0] < 0:
            return -1
        if value > most:
            most = value
            best = k
    return best
