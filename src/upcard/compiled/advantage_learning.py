"""Lessons for a learned policy: it plays against itself, and moves are tried by playing out the deal after them.

Moves are tried with the true cards. Over many deals, positions that look the same to a seat occur with all hidden cards
as often as the policy makes them, so that nothing needs to be inferred. A single playout says little; many lessons make
up for that.
"""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np

from upcard.compiled.loops import (
    LONGEST_MATCH,
    apply,
    below,
    chance_speaks,
    choose,
    choose_move,
    finish_deal,
    list_for,
    not_for_ever,
    utility,
)
from upcard.compiled.program import called, of_game
from upcard.rules.cards import lowest
from upcard.rules.rng import LUCK
from upcard.rules.state import NOTHING

RARE, ODD = 5, 12
"""One decision in RARE becomes a lesson. One move in ODD is a random legal one, so that lessons also cover positions
that good play avoids."""
FAST, SLOW = 0.9, 0.999
"""Adam's decay rates for the mean of gradients and of their squares."""

NOTHING_MORE = -1
"""Pads rows of indices of weights."""
SLOWLY = 0.2
"""The learning rate of the hidden units' weights, relative to the others."""

begin = of_game("begin")
reasons = of_game("reasons")
surroundings = of_game("surroundings")
unseen_by = of_game("unseen_by")


# ------------------------------------------------------------------------------------------------------------- lessons


@called
def pick(moves: Any, n: int, favourite: int, rng: Any, picked: Any) -> int:
    """Write to `picked` the favourite and as many other moves as fit, from a random place in the list on; returns their
    number."""
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
    """Write the utility of a seat at the end of the deal after each of these moves, played out at the next table with
    the same random numbers."""
    s = tables[at + 1]
    luck = scratch.rng[0]
    for i in range(len(moves)):
        scratch.rng[0] = luck
        tables[at + 1] = tables[at]
        apply(opt, s, me, moves[i])
        finish_deal(opt, s, scratch, policies)
        worths[i] = utility(opt, s, me)


@called
def take_lesson(
    tables: Any,
    opt: Any,
    me: int,
    n: int,
    rng: Any,
    scratch: Any,
    policies: Any,
    around: Any,
    speaks: Any,
    worths: Any,
    picked: Any,
) -> int:
    """Take one lesson for `take_lessons`, at the last table but one, where a seat has n moves; returns how many were
    tried."""
    at = len(tables) - 2
    s = tables[at]
    favourite = int(choose(opt, s, me, scratch.moves, n, below(scratch.rng, LUCK)))
    number = pick(scratch.moves, n, favourite, rng, picked)
    unseen = unseen_by(opt, s, me)
    first = begin(opt, s, me, scratch.weights, unseen, scratch.room)
    for k in range(surroundings(opt, s, me, first, unseen, scratch.room)):
        around[k] = scratch.room[k]
    for i in range(number):
        for k in range(reasons(opt, s, me, picked[i], favourite, first, unseen, scratch.room)):
            speaks[i, k] = scratch.room[k]
    try_out(tables, at, opt, me, scratch, policies, picked[:number], worths)
    return number


def take_lessons(
    tables: Any,
    opts: Any,
    packs: Any,
    scratch: Any,
    policies: Any,
    first: int,
    around: Any,
    speaks: Any,
    worths: Any,
    numbers: Any,
    picked: Any,
) -> int:
    """Play matches until all rows are filled with lessons.

    A row has the indices of the position's features (`around`) and, for each move that was tried, the indices of the
    weights that speak for it (`speaks`) and its result (`worths`); `numbers` says how many moves there are, of which
    the first is the heuristic's. `first` is the number of the first match. The first tables are new matches, one for
    each first dealer; the other two are workspaces. Returns the number of the match after the last one.
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
                chance_speaks(opt, s, packs[0].rng, packs[0].order)
                silence = not_for_ever(silence)
                continue
            me = lowest(s.to_act)
            n = list_for(opt, s, me, scratch[0])
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
                    around[row],
                    speaks[row],
                    worths[row],
                    picked,
                )
                row += 1
                list_for(opt, s, me, scratch[0])
            if n > 1:
                if below(packs[0].rng, ODD) == 0:
                    move = scratch[0].moves[below(packs[0].rng, n)]
                else:
                    move = choose_move(opt, s, me, scratch[0], policies)
            apply(opt, s, me, move)
            silence = 0
            moves += 1
            if moves > LONGEST_MATCH:
                raise ValueError("a match does not end")
    return first


# ------------------------------------------------------------------------------------------------------------- fitting


@called
def add_row(sums: Any, weights: Any, row: int) -> None:
    for unit in range(len(sums)):
        sums[unit] += weights[row + unit]


@called
def push_row(slope: Any, row: int, pushes: Any) -> None:
    for unit in range(len(pushes)):
        slope[row + unit] += pushes[unit]


@called
def scored(weights: Any, around: Any, speaks: Any, sums: Any, width: int, inner: int) -> float:
    """The score of a move, including the output of the hidden units, whose inputs are written to `sums`: see
    `upcard.policies.learned`."""
    units = len(sums)
    sums[:] = 0.0
    for place in around:
        if place != NOTHING_MORE:
            add_row(sums, weights, inner + place * units)
    total = 0.0
    at = speaks[0] // width * width
    for place in speaks:
        if place == NOTHING_MORE:
            break
        total += weights[place]
        add_row(sums, weights, inner + (place - at) * units)
    for unit in range(units):
        total += weights[len(weights) - units + unit] * max(0.0, sums[unit])
    return total


@called
def push_all(
    slope: Any, weights: Any, push: float, around: Any, speaks: Any, sums: Any, width: int, inner: int
) -> None:
    """Add `push` times the gradient of a move's score to `slope`. Replaces `sums` by the gradients of the units."""
    units = len(sums)
    outer = len(weights) - units
    for unit in range(units):
        slope[outer + unit] += push * max(0.0, sums[unit])
        sums[unit] = push * weights[outer + unit] if sums[unit] > 0.0 else 0.0
    for place in around:
        if place != NOTHING_MORE:
            push_row(slope, inner + place * units, sums)
    at = speaks[0] // width * width
    for place in speaks:
        if place == NOTHING_MORE:
            break
        slope[place] += push
        push_row(slope, inner + (place - at) * units, sums)


@called
def add_slope(
    slope: Any,
    weights: Any,
    chances: Any,
    sums: Any,
    around: Any,
    speaks: Any,
    worths: Any,
    number: int,
    width: int,
    inner: int,
    heat: float,
    part: float,
) -> None:
    """Add to `slope` the gradient of one lesson's loss, which is minus the policy's expected result plus `heat` per nat
    of entropy."""
    most = -np.inf
    for i in range(number):
        chances[i] = scored(weights, around, speaks[i], sums[i], width, inner)
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
        push_all(slope, weights, push, around, speaks[i], sums[i], width, inner)


def descend(
    weights: Any,
    noted: Any,
    sums: Any,
    around: Any,
    speaks: Any,
    worths: Any,
    numbers: Any,
    order: Any,
    batch: int,
    width: int,
    inner: int,
    step: int,
    steps: int,
    rate: float,
    pull: float,
    heat: float,
) -> int:
    """Improve the weights batch by batch, by Adam with a learning rate that falls linearly to 0 over `steps` steps.

    The weights from `inner` on belong to the hidden units: see `upcard.policies.learned`. `noted` has four rows, for
    the gradient, its mean, the mean of its square, and the probabilities of moves; `sums` is working memory by move and
    unit. Returns the number of steps taken so far.
    """
    slope, mean, square, chances = noted[0], noted[1], noted[2], noted[3]
    for first in range(0, len(order) - batch + 1, batch):
        for place in range(len(weights)):
            slope[place] = pull * weights[place]
        for row in order[first : first + batch]:
            add_slope(
                slope,
                weights,
                chances,
                sums,
                around[row],
                speaks[row],
                worths[row],
                numbers[row],
                width,
                inner,
                heat,
                1.0 / batch,
            )
        step += 1
        for place in range(len(weights)):
            mean[place] = FAST * mean[place] + (1 - FAST) * slope[place]
            square[place] = SLOW * square[place] + (1 - SLOW) * slope[place] ** 2
            due = mean[place] / (1 - FAST**step) / (np.sqrt(square[place] / (1 - SLOW**step)) + 1e-8)
            weights[place] -= rate * (1 - step / (steps + 1)) * (due if place < inner else SLOWLY * due)
    return step
