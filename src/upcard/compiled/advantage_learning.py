"""Training of a learned policy by the values of moves: in self-play, moves are evaluated by playing out the deal.

Rollouts start from the true cards. Over many deals, an information state of a seat occurs with each arrangement of the
hidden cards as often as the policy leads to it, so that nothing needs to be inferred. A sample (a lesson) is one
decision with the values of its moves, each from a single rollout. These are noisy; many samples make up for that.
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

SAMPLE_EVERY, RANDOM_EVERY = 5, 12
"""One decision in SAMPLE_EVERY becomes a sample. One move in RANDOM_EVERY is a random legal one, so that samples also
cover positions that good play avoids."""
MEAN_DECAY, SQUARE_DECAY = 0.9, 0.999
"""Adam's decay rates for the mean of gradients and of their squares."""

NOTHING_MORE = -1
"""Pads rows of indices of weights."""
UNIT_RATE = 0.2
"""The learning rate of the hidden units' weights, relative to the others."""

begin = of_game("begin")
reasons = of_game("reasons")
surroundings = of_game("surroundings")
unseen_by = of_game("unseen_by")


# ------------------------------------------------------------------------------------------------------------- samples


@called
def pick_moves(moves: Any, n: int, favourite: int, rng: Any, picked: Any) -> int:
    """Write to `picked` the favourite and as many other moves as fit, from a random index in the list on; returns their
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
def play_out(tables: Any, at: int, opt: Any, me: int, scratch: Any, policies: Any, moves: Any, values: Any) -> None:
    """Write the utility of a seat at the end of the deal after each of these moves, played out at the next table with
    the same random numbers."""
    s = tables[at + 1]
    seed = scratch.rng[0]
    for i in range(len(moves)):
        scratch.rng[0] = seed
        tables[at + 1] = tables[at]
        apply(opt, s, me, moves[i])
        finish_deal(opt, s, scratch, policies)
        values[i] = utility(opt, s, me)


@called
def take_sample(
    tables: Any,
    opt: Any,
    me: int,
    n: int,
    rng: Any,
    scratch: Any,
    policies: Any,
    state_features: Any,
    move_features: Any,
    values: Any,
    picked: Any,
) -> int:
    """Write one sample for `take_lessons`, from the last table but one, where a seat has n moves; returns the number of
    moves that were tried."""
    at = len(tables) - 2
    s = tables[at]
    favourite = int(choose(opt, s, me, scratch.moves, n, below(scratch.rng, LUCK)))
    number = pick_moves(scratch.moves, n, favourite, rng, picked)
    unseen = unseen_by(opt, s, me)
    first = begin(opt, s, me, scratch.weights, unseen, scratch.room)
    for k in range(surroundings(opt, s, me, first, unseen, scratch.room)):
        state_features[k] = scratch.room[k]
    for i in range(number):
        for k in range(reasons(opt, s, me, picked[i], favourite, first, unseen, scratch.room)):
            move_features[i, k] = scratch.room[k]
    play_out(tables, at, opt, me, scratch, policies, picked[:number], values)
    return number


def take_lessons(
    tables: Any,
    opts: Any,
    packs: Any,
    scratch: Any,
    policies: Any,
    first: int,
    state_features: Any,
    move_features: Any,
    values: Any,
    numbers: Any,
    picked: Any,
) -> int:
    """Play matches until all rows are filled with samples.

    A row consists of the indices of the position's features (`state_features`) and, for each move that was tried, the
    indices of its features' weights (`move_features`) and its value (`values`); `numbers` is the number of these moves,
    of which the first is the heuristic's. `first` is the number of the first match. The first tables are new matches,
    one for each first dealer; the other two are workspaces. Returns the number of the match after the last one.
    """
    players = len(tables) - 2
    opt = opts[0]
    s = tables[players]
    row = 0
    while row < len(move_features):
        tables[players] = tables[first % players]
        first += 1
        moves = 0
        silence = 0
        while row < len(move_features) and (s.to_act != 0 or s.awaiting != NOTHING):
            if s.to_act == 0:
                chance_speaks(opt, s, packs[0].rng, packs[0].order)
                silence = not_for_ever(silence)
                continue
            me = lowest(s.to_act)
            n = list_for(opt, s, me, scratch[0])
            move = scratch[0].moves[0]
            if n > 1 and below(packs[0].rng, SAMPLE_EVERY) == 0:
                numbers[row] = take_sample(
                    tables,
                    opt,
                    me,
                    n,
                    packs[0].rng,
                    scratch[0],
                    policies,
                    state_features[row],
                    move_features[row],
                    values[row],
                    picked,
                )
                row += 1
                list_for(opt, s, me, scratch[0])
            if n > 1:
                if below(packs[0].rng, RANDOM_EVERY) == 0:
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
    """Add the input weights at `row` to the sums of the units."""
    for unit in range(len(sums)):
        sums[unit] += weights[row + unit]


@called
def add_to_row(gradient: Any, row: int, by_unit: Any) -> None:
    """Add the gradients of the units to the gradient of the input weights at `row`."""
    for unit in range(len(by_unit)):
        gradient[row + unit] += by_unit[unit]


@called
def score_of_move(weights: Any, state_features: Any, move_features: Any, sums: Any, width: int, inner: int) -> float:
    """The score of a move, including the output of the hidden units, whose inputs are written to `sums`: see
    `upcard.policies.learned`."""
    units = len(sums)
    sums[:] = 0.0
    for place in state_features:
        if place != NOTHING_MORE:
            add_row(sums, weights, inner + place * units)
    total = 0.0
    at = move_features[0] // width * width
    for place in move_features:
        if place == NOTHING_MORE:
            break
        total += weights[place]
        add_row(sums, weights, inner + (place - at) * units)
    for unit in range(units):
        total += weights[len(weights) - units + unit] * max(0.0, sums[unit])
    return total


@called
def add_score_gradient(
    gradient: Any,
    weights: Any,
    factor: float,
    state_features: Any,
    move_features: Any,
    sums: Any,
    width: int,
    inner: int,
) -> None:
    """Add `factor` times the gradient of a move's score to `gradient`. Replaces `sums` by the gradients of the
    units."""
    units = len(sums)
    outer = len(weights) - units
    for unit in range(units):
        gradient[outer + unit] += factor * max(0.0, sums[unit])
        sums[unit] = factor * weights[outer + unit] if sums[unit] > 0.0 else 0.0
    for place in state_features:
        if place != NOTHING_MORE:
            add_to_row(gradient, inner + place * units, sums)
    at = move_features[0] // width * width
    for place in move_features:
        if place == NOTHING_MORE:
            break
        gradient[place] += factor
        add_to_row(gradient, inner + (place - at) * units, sums)


@called
def add_gradient(
    gradient: Any,
    weights: Any,
    probabilities: Any,
    sums: Any,
    state_features: Any,
    move_features: Any,
    values: Any,
    number: int,
    width: int,
    inner: int,
    temperature: float,
    part: float,
) -> None:
    """Add to `gradient` a fraction `part` of the gradient of one sample's loss, which is minus the policy's expected
    value, minus `temperature` per nat of its entropy, all divided by `temperature`."""
    most = -np.inf
    for i in range(number):
        probabilities[i] = score_of_move(weights, state_features, move_features[i], sums[i], width, inner)
        most = max(most, probabilities[i])
    total = 0.0
    for i in range(number):
        probabilities[i] = exp(probabilities[i] - most)
        total += probabilities[i]
    mean = 0.0
    for i in range(number):
        probabilities[i] /= total
        mean += probabilities[i] * (values[i] - temperature * log(probabilities[i] + 1e-9))
    for i in range(number):
        factor = part * probabilities[i] * (mean - values[i] + temperature * log(probabilities[i] + 1e-9)) / temperature
        add_score_gradient(gradient, weights, factor, state_features, move_features[i], sums[i], width, inner)


def descend(
    weights: Any,
    memory: Any,
    sums: Any,
    state_features: Any,
    move_features: Any,
    values: Any,
    numbers: Any,
    order: Any,
    batch: int,
    width: int,
    inner: int,
    step: int,
    steps: int,
    rate: float,
    decay: float,
    temperature: float,
) -> int:
    """Improve the weights batch by batch, by Adam with a learning rate that falls linearly to 0 over `steps` steps.

    The weights from `inner` on belong to the hidden units: see `upcard.policies.learned`. `memory` has four rows, for
    the gradient, its mean, the mean of its square, and the probabilities of moves; `sums` is working memory by move and
    unit. `decay` is the strength of weight decay; for `temperature` see `add_gradient`. Returns the number of steps
    taken so far.
    """
    gradient, mean, square, probabilities = memory[0], memory[1], memory[2], memory[3]
    for first in range(0, len(order) - batch + 1, batch):
        for place in range(len(weights)):
            gradient[place] = decay * weights[place]
        for row in order[first : first + batch]:
            add_gradient(
                gradient,
                weights,
                probabilities,
                sums,
                state_features[row],
                move_features[row],
                values[row],
                numbers[row],
                width,
                inner,
                temperature,
                1.0 / batch,
            )
        step += 1
        for place in range(len(weights)):
            mean[place] = MEAN_DECAY * mean[place] + (1 - MEAN_DECAY) * gradient[place]
            square[place] = SQUARE_DECAY * square[place] + (1 - SQUARE_DECAY) * gradient[place] ** 2
            update = mean[place] / (1 - MEAN_DECAY**step) / (np.sqrt(square[place] / (1 - SQUARE_DECAY**step)) + 1e-8)
            weights[place] -= rate * (1 - step / (steps + 1)) * (update if place < inner else UNIT_RATE * update)
    return step
