"""Lessons for a learned policy: it plays against itself, and moves are tried by playing the deal out after them.

The cards lie as they lie: over many deals those who see the same meet all that may be hidden from them as often as the
policy brings it about, so nobody has to guess it. One end of the deal says little; many lessons make up for that.
"""

from __future__ import annotations

import operator
from math import exp, log
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from upcard.compiled.loops import (
    LONGEST_MATCH,
    LUCK,
    apply,
    below,
    chance_speaks,
    choose,
    decide,
    finish_deal,
    list_moves,
    not_for_ever,
    utility,
)
from upcard.compiled.program import called, of_game
from upcard.rules.cards import lowest
from upcard.rules.state import NOTHING

RARE, ODD = 5, 12
"""One decision in so many becomes a lesson; one move in so many is any legal one, so that it is also seen what to do
where one should not be."""
FAST, SLOW = 0.9, 0.999
"""How much of what Adam has noted of slopes, and of their squares, is kept from step to step."""

score = of_game("score")
situation_of = of_game("situation_of")
unseen_by = of_game("unseen_by")


# -------------------------------------------------------------------------------------------------------- what speaks


def notes(most: int) -> Any:
    """Weights of nothing that note which of them are asked for, at most so many."""
    return np.zeros(1, [("number", np.int64), ("asked", np.int64, (most,))])


@overload(operator.getitem)
def _note(weights: Any, place: Any) -> Any:
    """Asked for as weights are, they note that."""
    if not isinstance(weights, types.Record) or "asked" not in weights.fields:
        return None

    def note(weights: Any, place: Any) -> Any:
        weights.asked[weights.number] = place
        weights.number += 1
        return 0

    return note


# ------------------------------------------------------------------------------------------------------------- lessons


@called
def list_for(s: Any, opt: Any, me: int, scratch: Any) -> int:
    """List all legal moves of a seat into `scratch`; returns how many."""
    return list_moves(s, opt, me, scratch.moves)


@called
def pick(moves: Any, n: int, favourite: int, rng: Any, picked: Any) -> int:
    """The favourite, and as many of the other moves as there is room for, from anywhere in the list; how many."""
    picked[0] = favourite
    number = 1
    first = below(rng, n)
    for i in range(n):
        move = moves[(first + i) % n]
        if move != favourite and number < len(picked):
            picked[number] = move
            number += 1
    return number


@called
def try_out(tables: Any, at: int, opt: Any, me: int, scratch: Any, policies: Any, moves: Any, worths: Any) -> None:
    """What each of these moves comes to for a seat at the end of the deal, played out at the next table with the same
    luck for all."""
    s = tables[at + 1]
    luck = scratch.rng[0]
    for i in range(len(moves)):
        scratch.rng[0] = luck
        tables[at + 1] = tables[at]
        apply(s, opt, me, moves[i])
        finish_deal(s, opt, scratch, policies)
        worths[i] = utility(s, opt, me)


@called
def take_lesson(
    tables: Any,
    opt: Any,
    me: int,
    n: int,
    rng: Any,
    scratch: Any,
    policies: Any,
    noting: Any,
    width: int,
    speaks: Any,
    worths: Any,
    picked: Any,
) -> int:
    """One row of `take_lessons`, of the last table but one, where a seat has n moves; how many of them were tried."""
    at = len(tables) - 2
    s = tables[at]
    favourite = int(choose(s, opt, me, scratch.moves, n, below(scratch.rng, LUCK)))
    number = pick(scratch.moves, n, favourite, rng, picked)
    first = situation_of(s, opt, me) * width
    unseen = unseen_by(s, opt, me)
    for i in range(number):
        noting.number = 0
        score(s, opt, me, picked[i], favourite, noting, first, unseen)
        for k in range(noting.number):
            speaks[i, k] = noting.asked[k]
    try_out(tables, at, opt, me, scratch, policies, picked[:number], worths)
    return number


def take_lessons(
    tables: Any,
    opts: Any,
    packs: Any,
    scratch: Any,
    policies: Any,
    noting: Any,
    width: int,
    first: int,
    speaks: Any,
    worths: Any,
    numbers: Any,
    picked: Any,
) -> int:
    """Fill the rows with lessons: by move what speaks for it (places of weights, of which a situation has `width`) and
    what it came to, and how many moves there were; the first is the heuristic's.

    The first tables are matches about to begin, one for each first dealer, of which the `first` is played next; at the
    other two one works. Returns the number of the match after the last.
    """
    players = len(tables) - 2
    opt = opts[0]
    s = tables[players]
    row = 0
    while row < len(speaks):
        tables[players] = tables[first % players]
        first += 1
        moves = 0
        silence = 0
        while row < len(speaks) and (s.to_act != 0 or s.awaiting != NOTHING):
            if s.to_act == 0:
                chance_speaks(s, opt, packs[0].rng, packs[0].order)
                silence = not_for_ever(silence)
                continue
            me = lowest(s.to_act)
            n = list_for(s, opt, me, scratch[0])
            move = scratch[0].moves[0]
            if n > 1 and below(packs[0].rng, RARE) == 0:
                numbers[row] = take_lesson(
                    tables,
                    opt,
                    me,
                    n,
                    packs[0].rng,
                    scratch[0],
                    policies,
                    noting[0],
                    width,
                    speaks[row],
                    worths[row],
                    picked,
                )
                row += 1
                list_for(s, opt, me, scratch[0])
            if n > 1:
                if below(packs[0].rng, ODD) == 0:
                    move = scratch[0].moves[below(packs[0].rng, n)]
                else:
                    move = decide(s, opt, me, scratch[0], policies)
            apply(s, opt, me, move)
            silence = 0
            moves += 1
            if moves > LONGEST_MATCH:
                raise ValueError("a match does not end")
    return first


# ------------------------------------------------------------------------------------------------------------- fitting


@called
def add_slope(
    slope: Any, weights: Any, chances: Any, speaks: Any, worths: Any, number: int, heat: float, part: float
) -> None:
    """Add to the slope how much less the policy is worth in one lesson for each weight; `heat` is what a nat of entropy
    is worth."""
    most = -np.inf
    for i in range(number):
        chances[i] = 0.0
        for place in speaks[i]:
            chances[i] += weights[place]
        most = max(most, chances[i])
    total = 0.0
    for i in range(number):
        chances[i] = exp(chances[i] - most)
        total += chances[i]
    mean = 0.0
    for i in range(number):
        chances[i] /= total
        mean += chances[i] * (worths[i] - heat * log(chances[i] + 1e-9))
    for i in range(number):
        push = part * chances[i] * (mean - worths[i] + heat * log(chances[i] + 1e-9)) / heat
        for place in speaks[i]:
            slope[place] += push


def descend(
    weights: Any,
    noted: Any,
    speaks: Any,
    worths: Any,
    numbers: Any,
    order: Any,
    batch: int,
    step: int,
    steps: int,
    rate: float,
    pull: float,
    heat: float,
) -> int:
    """Move the weights, batch by batch, to where the policy is worth more, by Adam with a rate that falls to nothing
    over so many `steps`. The last weight stays 0. `noted` has rows for slopes, means, squares and chances. Returns the
    steps taken so far."""
    slope, mean, square, chances = noted[0], noted[1], noted[2], noted[3]
    for first in range(0, len(order) - batch + 1, batch):
        for place in range(len(weights)):
            slope[place] = pull * weights[place]
        for row in order[first : first + batch]:
            add_slope(slope, weights, chances, speaks[row], worths[row], numbers[row], heat, 1.0 / batch)
        step += 1
        for place in range(len(weights) - 1):
            mean[place] = FAST * mean[place] + (1 - FAST) * slope[place]
            square[place] = SLOW * square[place] + (1 - SLOW) * slope[place] ** 2
            due = mean[place] / (1 - FAST**step) / (np.sqrt(square[place] / (1 - SLOW**step)) + 1e-8)
            weights[place] -= rate * (1 - step / (steps + 1)) * due
    return step
