"""The policy gradient of a learned policy, from whole deals of self-play.

A move that was made becomes more likely in proportion to the result of the deal for its seat: the score function
estimator of the policy gradient (REINFORCE, Williams 1992). One deal is evidence about every decision in it, whereas a
sample of `upcard.compiled.advantage_learning` plays out a deal for every move of one decision. So this method learns
faster if deals are long and single moves are seldom decisive, but is less precise about each move.
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

NEGLIGIBLE = 0.002
"""Moves less likely than this that are not made are left out of the gradient."""


@called
def sample_move(
    opt: Any,
    s: Any,
    me: int,
    n: int,
    scratch: Any,
    weights: Any,
    probabilities: Any,
    features: Any,
    factors: Any,
    at: int,
) -> tuple[int, int]:
    """A sample from the policy's distribution of the n moves in `scratch`. The gradient of its log-probability is
    written to `features` (weight and seat) and `factors` from index `at` on. Returns the move and the end index."""
    favourite = int(choose(opt, s, me, scratch.moves, n, below(scratch.rng, LUCK)))
    unseen = unseen_by(opt, s, me)
    first = begin(opt, s, me, scratch.weights, unseen, scratch.room)
    end = at
    most = -1e300
    for i in range(n):
        total = 0.0
        for k in range(reasons(opt, s, me, scratch.moves[i], favourite, first, unseen, scratch.room)):
            total += weights[scratch.room[k]]
            features[end, 0] = scratch.room[k]
            features[end, 1] = i
            end += 1
        probabilities[i] = total
        most = max(most, total)
    total = 0.0
    for i in range(n):
        probabilities[i] = exp(probabilities[i] - most)
        total += probabilities[i]
    left = below(scratch.rng, LUCK) / LUCK * total
    picked = 0
    while picked < n - 1 and left >= probabilities[picked]:
        left -= probabilities[picked]
        picked += 1
    to = at
    for place in range(at, end):
        i = features[place, 1]
        probability = probabilities[i] / total
        if i == picked or probability > NEGLIGIBLE:
            features[to, 0] = features[place, 0]
            features[to, 1] = me
            factors[to] = (1.0 if i == picked else 0.0) - probability
            to += 1
    return int(scratch.moves[picked]), to


def learn_from_deals(
    tables: Any,
    opts: Any,
    packs: Any,
    scratch: Any,
    weights: Any,
    deals: int,
    first: int,
    room: int,
    gradient: Any,
    changes: Any,
    probabilities: Any,
    features: Any,
    factors: Any,
) -> int:
    """Play this many deals by a policy, and add to `gradient` the policy gradient, with the changes of the seats'
    utilities as returns.

    The first tables are new matches, one for each first dealer; at the last table a match is played, which continues
    from call to call. `first` is the number of the next match; returns the number of the match after the last one.
    `changes` gets, by deal, the sum of the squared changes of the seats' utilities. `room` is the largest number of
    features of a move; decisions for which `features` is too short are left out.
    """
    players = len(tables) - 1
    opt = opts[0]
    s = tables[players]
    for deal in range(deals):
        if s.awaiting == NOTHING:
            tables[players] = tables[first % players]
            first += 1
        before = probabilities[-players:]
        for seat in range(players):
            before[seat] = utility(opt, s, seat)
        dealt = False
        at = 0
        moves = 0
        silence = 0
        while True:
            if s.to_act != 0:
                silence = 0
                me = lowest(s.to_act)
                n = list_for(opt, s, me, scratch[0])
                move = scratch[0].moves[0]
                if n > 1 and at + n * room <= len(factors):
                    move, at = sample_move(opt, s, me, n, scratch[0], weights, probabilities, features, factors, at)
                elif n > 1:
                    move = choose(opt, s, me, scratch[0].moves, n, below(scratch[0].rng, LUCK))
                apply(opt, s, me, move)
                moves += 1
                if moves > LONGEST_MATCH:
                    raise ValueError("a deal does not end")
            elif s.awaiting == NOTHING or (s.awaiting == DEAL and dealt):
                break
            else:
                dealt = True
                silence = not_for_ever(silence)
                chance_speaks(opt, s, packs[0].rng, packs[0].order)
        changes[deal] = 0.0
        for seat in range(players):
            before[seat] = utility(opt, s, seat) - before[seat]
            changes[deal] += before[seat] ** 2
        for place in range(at):
            gradient[features[place, 0]] += before[features[place, 1]] * factors[place]
    return first
