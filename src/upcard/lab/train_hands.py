"""Learning what the signs of hands say: true hands are told from others that the rules allow.

At some decisions of deals, the true cards stand beside worlds that the seat to move cannot tell from them. The weights
of the signs are those with which the true cards are most likely the ones picked from among them: a conditional logit
(McFadden 1974), fitted by Newton's method.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.hands import count_signs
from upcard.compiled.program import program
from upcard.compiled.worlds import Dealer
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.setup import Setup
from upcard.engine.views import View
from upcard.lab.blocks import FloatArray
from upcard.lab.intervals import Interval, of_numbers
from upcard.players import player
from upcard.policies.hand_features import MOST_SIGNS
from upcard.policies.weights import UNIT
from upcard.rules.game import Game

BESIDE = 63
"""The number of worlds beside the true cards."""
EACH = 6
"""The most decisions of a deal from which is learned."""
PULL = 1.0
"""The strength of the pull of all weights to 0."""
STEPS, CLOSE = 30, 1e-3
"""The most steps of Newton's method, and the change of all weights below which it ends."""


@dataclass(frozen=True)
class DecisionSample:
    """The signs at one decision, in the true cards and in other worlds."""

    signs: NDArray[np.int64]
    """The signs that are not equally frequent in all of them."""
    counts: NDArray[np.int16]
    """By world, the true cards first, how often each of these signs is there."""


def moments(
    game: type[Game[Any]], deals: int, seed: int, each: int = EACH, progress: Callable[[int], None] | None = None
) -> list[DecisionSample]:
    """Moments of this many deals of medium players, at most `each` of a deal, in matches with each number of players in
    turn. `progress` is called with the number of deals done."""
    found: list[DecisionSample] = []
    rng, medium, match = Random(seed), player("medium"), None
    players = cycle(game.player_counts)
    for done in range(deals):
        if match is None or match.done:
            match = Match(Setup(game, next(players)), chance=rng)
        seen, deal = [], match.state.deals
        while match.state.deals == deal and not match.done:
            view = match.view(match.to_act[0])
            if len(view.legal_moves()) > 1:
                seen.append((view, match.state.copy()))
            match.play(match.to_act[0], medium.choose(view, rng))
        found += [moment(view, state, rng) for view, state in rng.sample(seen, min(each, len(seen)))]
        if progress:
            progress(done + 1)
    return found


def moment(view: View[Any], state: Any, rng: Random) -> DecisionSample:
    """The true state beside random worlds of a view."""
    dealer, run = Dealer(view), program(view.game)
    tables = run.states(BESIDE + 1)
    tables[1:] = dealer.deal(BESIDE, rng.getrandbits(63))
    run.put(tables, 0, state)
    counts = np.zeros((len(tables), view.game.HAND_SIGNS), np.int16)
    run.entry(count_signs)(tables, dealer.options, dealer.worlds.me, np.zeros(MOST_SIGNS, np.int64), counts)
    (signs,) = np.nonzero((counts != counts[0]).any(axis=0))
    return DecisionSample(signs, counts[:, signs])


def fit(samples: list[DecisionSample], number: int) -> NDArray[np.int64]:
    """The weights of this many signs, in multiples of 1 / UNIT."""
    weights = np.zeros(number)
    here = plausibility(samples, weights)
    for _ in range(STEPS):
        slope, bend = -PULL * weights, PULL * np.eye(number)
        for one in samples:
            shares = pick_probabilities(one, weights)
            mean = shares @ one.counts
            spread = one.counts - mean
            slope[one.signs] += one.counts[0] - mean
            bend[np.ix_(one.signs, one.signs)] += (spread * shares[:, None]).T @ spread
        step = np.linalg.solve(bend, slope)
        while (there := plausibility(samples, weights + step)) < here:  # too far
            step /= 2
        weights, here = weights + step, there
        if np.abs(step).max() < CLOSE:
            break
    return np.round(weights * UNIT).astype(np.int64)


def plausibility(samples: list[DecisionSample], weights: FloatArray) -> float:
    """What `fit` maximises: the logarithm of the probability that the true cards are picked every time, less the
    pull."""
    return float(sum(_logs(one, weights)[0] for one in samples) - PULL * (weights @ weights) / 2)


def pick_probabilities(one: DecisionSample, weights: FloatArray) -> FloatArray:
    """By world, the probability that it is picked from among them."""
    return np.asarray(np.exp(_logs(one, weights)))


def _logs(one: DecisionSample, weights: FloatArray) -> FloatArray:
    worth = one.counts @ weights[one.signs]
    worth -= worth.max()
    return np.asarray(worth - np.log(np.exp(worth).sum()))


def known(samples: list[DecisionSample], weights: NDArray[np.int64]) -> Interval:
    """How much is known of the hidden cards: the mean logarithm of how much likelier the true cards are picked than by
    chance; 0 if nothing is known."""
    return of_numbers(np.array([_logs(one, weights / UNIT)[0] + np.log(len(one.counts)) for one in samples]))


def learn_hand_weights(
    game: type[Game[Any]], deals: int, seed: int, progress: Callable[[int], None] | None = None
) -> tuple[NDArray[np.int64], Interval]:
    """The weights of the signs of a game, learned from this many deals, and how much is `known` with them at one
    decision of each of a quarter as many others. Raises UpcardError if the game has no signs."""
    number = game.HAND_SIGNS
    if not number:
        raise UpcardError(f"{game.slug} has no signs of hands: give its class HAND_SIGNS and the method `hand_signs`")
    weights = fit(moments(game, deals, seed, progress=progress), number)
    return weights, known(moments(game, max(2, deals // 4), seed + 1, each=1), weights)
