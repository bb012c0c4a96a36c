"""Whole deals of self-play for a learned policy, and the gradient of its results in its weights.

A move that was made is made more likely in proportion to how well the deal then went for its seat: the score function
estimator of the policy gradient (REINFORCE, Williams 1992). One deal says something of every decision in it, where a
lesson (see `upcard.compiled.advantage_learning`) plays out a deal for every move of one decision. So this learns faster
where deals are long and a single move seldom decides, and says less of each move.
"""

from __future__ import annotations

from math import exp
from typing import Any

from upcard.compiled.advantage_learning import begin, reasons, unseen_by
from upcard.compiled.loops import (
    LONGEST_MATCH,
    apply,
    below,
    chance_speaks,
    choose,
    list_for,
    not_for_ever,
    utility,
)
from upcard.compiled.program import called
from upcard.rules.cards import lowest
from upcard.rules.rng import LUCK
from upcard.rules.state import DEAL, NOTHING

FAINT = 0.002
"""Nothing is noted of moves less likely than this that are not made."""


@called
def pick_noting(
    opt: Any, s: Any, me: int, n: int, scratch: Any, weights: Any, chances: Any, speaks: Any, pushes: Any, at: int
) -> tuple[int, int]:
    """One of the n moves in `scratch`, as likely as the policy makes it. The gradient of the logarithm of its chance is
    noted in `speaks` (weight and seat) and `pushes` from `at` on; also returns where that ends."""
    favourite = int(choose(opt, s, me, scratch.moves, n, below(scratch.rng, LUCK)))
    unseen = unseen_by(opt, s, me)
    first = begin(opt, s, me, scratch.weights, unseen, scratch.room)
    end = at
    most = -1e300
    for i in range(n):
        total = 0.0
        for k in range(reasons(opt, s, me, scratch.moves[i], favourite, first, unseen, scratch.room)):
            total += weights[scratch.room[k]]
            speaks[end, 0] = scratch.room[k]
            speaks[end, 1] = i
            end += 1
        chances[i] = total
        most = max(most, total)
    total = 0.0
    for i in range(n):
        chances[i] = exp(chances[i] - most)
        total += chances[i]
    left = below(scratch.rng, LUCK) / LUCK * total
    picked = 0
    while picked < n - 1 and left >= chances[picked]:
        left -= chances[picked]
        picked += 1
    kept = at
    for place in range(at, end):
        i = speaks[place, 1]
        chance = chances[i] / total
        if i == picked or chance > FAINT:
            speaks[kept, 0] = speaks[place, 0]
            speaks[kept, 1] = me
            pushes[kept] = (1.0 if i == picked else 0.0) - chance
            kept += 1
    return int(scratch.moves[picked]), kept


def learn_from_deals(
    tables: Any,
    opts: Any,
    packs: Any,
    scratch: Any,
    weights: Any,
    deals: int,
    first: int,
    room: int,
    slope: Any,
    changes: Any,
    chances: Any,
    speaks: Any,
    pushes: Any,
) -> int:
    """Play this many deals by a policy, and add the gradient of what each changed for its seats to `slope`.

    The first tables are new matches, one for each first dealer; at the last one a match is played, from call to call.
    `first` is the number of the next match; returns that of the one after the last. `changes` gets, by deal, the sum of
    the squares of what it changed in the seats' utility. `room` is the most features of a move; decisions for which
    `speaks` is too short are not learned from.
    """
    players = len(tables) - 1
    opt = opts[0]
    s = tables[players]
    for deal in range(deals):
        if s.awaiting == NOTHING:
            tables[players] = tables[first % players]
            first += 1
        before = chances[-players:]
        for seat in range(players):
            before[seat] = utility(opt, s, seat)
        begun = False
        at = 0
        moves = 0
        silence = 0
        while True:
            if s.to_act != 0:
                silence = 0
                me = lowest(s.to_act)
                n = list_for(opt, s, me, scratch[0])
                move = scratch[0].moves[0]
                if n > 1 and at + n * room <= len(pushes):
                    move, at = pick_noting(opt, s, me, n, scratch[0], weights, chances, speaks, pushes, at)
                elif n > 1:
                    move = choose(opt, s, me, scratch[0].moves, n, below(scratch[0].rng, LUCK))
                apply(opt, s, me, move)
                moves += 1
                if moves > LONGEST_MATCH:
                    raise ValueError("a deal does not end")
            elif s.awaiting == NOTHING or (s.awaiting == DEAL and begun):
                break
            else:
                begun = True
                silence = not_for_ever(silence)
                chance_speaks(opt, s, packs[0].rng, packs[0].order)
        changes[deal] = 0.0
        for seat in range(players):
            before[seat] = utility(opt, s, seat) - before[seat]
            changes[deal] += before[seat] ** 2
        for place in range(at):
            slope[speaks[place, 0]] += before[speaks[place, 1]] * pushes[place]
    return first
