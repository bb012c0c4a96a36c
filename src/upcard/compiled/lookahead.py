"""Evaluation of moves against players with a one-move lookahead: each tries all its moves in rollouts first."""

from __future__ import annotations

from typing import Any

import numpy as np

from upcard.compiled.loops import (
    GOLDEN,
    NEVER,
    apply,
    chance_speaks,
    finish_deal,
    heuristic_policy,
    list_moves,
    share_of_match,
    utility,
)
from upcard.compiled.program import inner
from upcard.rules.cards import lowest
from upcard.rules.state import DEAL

MOST_TRIED = 16
"""A seat with more moves than this does not look ahead; it plays by the heuristic."""


@inner
def look_ahead(tables: Any, at: int, opt: Any, scratch: Any, policies: Any, tried: Any, ends: int) -> int:
    """The best move for the seat to act at table `at`. Each move is followed by `ends` rollouts to the end of the deal,
    with the same random numbers for all moves; they are played at the next table."""
    s = tables[at + 1]
    seat = lowest(tables[at].to_act)
    n = list_moves(opt, tables[at], seat, tried)
    if n == 1:
        return int(tried[0])
    if n > MOST_TRIED:
        return heuristic_policy(opt, tables[at], seat, scratch, NEVER, NEVER)
    seed = scratch.rng[0]
    best = 0
    most = -(1 << 60)
    for i in range(n):
        scratch.rng[0] = seed
        total = 0
        for _ in range(ends):
            tables[at + 1] = tables[at]
            apply(opt, s, seat, tried[i])
            finish_deal(opt, s, scratch, policies)
            total += utility(opt, s, seat)
        if total > most:
            most = total
            best = i
    scratch.rng[0] = seed + np.uint64(GOLDEN)
    return int(tried[best])


def try_answered(
    tables: Any,
    opts: Any,
    scratch: Any,
    policies: Any,
    me: int,
    moves: Any,
    tried: Any,
    ends: int,
    utilities: Any,
    wins: Any,
) -> None:
    """Like `upcard.compiled.worlds.try_moves` in the worlds of the first tables, with the same random numbers for all
    moves in a world, except that all seats then look ahead."""
    worlds = utilities.shape[1]
    opt = opts[0]
    s = tables[worlds]
    for w in range(worlds):
        seed = scratch[0].rng[0]
        for k in range(len(moves)):
            scratch[0].rng[0] = seed
            tables[worlds] = tables[w]
            apply(opt, s, me, moves[k])
            while s.to_act != 0 or s.awaiting > DEAL:
                if s.to_act == 0:
                    chance_speaks(opt, s, scratch[0].rng, scratch[0].order)
                    continue
                seat = lowest(s.to_act)
                apply(opt, s, seat, look_ahead(tables, worlds, opt, scratch[0], policies, tried, ends))
            utilities[k, w] = utility(opt, s, me)
            wins[k, w] = share_of_match(s, me)
