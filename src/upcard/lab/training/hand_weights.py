"""Training the weights of hand features ("signs"), which distinguish the true hands from other possible ones.

At sampled decisions of deals, the true cards are compared with random worlds that fit the view of the seat to move. The
weights of the signs are those that maximise the likelihood of picking the true cards from among the worlds: a
conditional logit (McFadden 1974), fitted by Newton's method.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.dealer import Dealer
from upcard.compiled.hands import count_signs
from upcard.compiled.program import program
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.setup import Setup
from upcard.engine.views import View
from upcard.lab.intervals import Interval, of_numbers
from upcard.lab.sums import FloatArray
from upcard.players import player
from upcard.policies.hand_features import MOST_SIGNS
from upcard.policies.weights import UNIT
from upcard.rules.game import Game

BESIDE = 63
"""The number of worlds with which the true cards are compared."""
EACH = 6
"""The most decisions sampled per deal."""
PULL = 1.0
"""The strength of the L2 regularisation of the weights."""
STEPS, CLOSE = 30, 1e-3
"""The most steps of Newton's method, and the largest change of a weight at which it stops."""


@dataclass(frozen=True)
class DecisionSample:
    """The signs at one decision, in the true cards and in other worlds."""

    signs: NDArray[np.int64]
    """The indices of the signs whose counts differ between the worlds."""
    counts: NDArray[np.int16]
    """The count of each of these signs in each world, with the shape (worlds, signs); the true cards come first."""


def moments(
    game: type[Game[Any]], deals: int, seed: int, each: int = EACH, progress: Callable[[int], None] | None = None
) -> list[DecisionSample]:
    """Sample decisions from this many deals of medium players, at most `each` per deal, in matches with each number of
    players in turn. `progress` is called with the number of deals done."""
    samples: list[DecisionSample] = []
    rng, medium, match = Random(seed), player("medium"), None
    players = cycle(game.player_counts)
    for done in range(deals):
        if match is None or match.done:
            match = Match(Setup(game, next(players)), chance=rng)
        decisions, deal = [], match.state.deals
        while match.state.deals == deal and not match.done:
            view = match.view(match.to_act[0])
            if len(view.legal_moves()) > 1:
                decisions.append((view, match.state.copy()))
            match.play(match.to_act[0], medium.choose(view, rng))
        samples += [moment(view, state, rng) for view, state in rng.sample(decisions, min(each, len(decisions)))]
        if progress:
            progress(done + 1)
    return samples


def moment(view: View[Any], state: Any, rng: Random) -> DecisionSample:
    """The sample of the true state and random worlds of a view."""
    dealer, run = Dealer(view), program(view.game)
    tables = run.states(BESIDE + 1)
    tables[1:] = dealer.deal(BESIDE, rng.getrandbits(63)).numpy
    run.put(tables, 0, state)
    counts = np.zeros((len(tables), view.game.HAND_SIGNS), np.int16)
    run.entry(count_signs)(tables, dealer.options.numpy, dealer.worlds.me, np.zeros(MOST_SIGNS, np.int64), counts)
    (signs,) = np.nonzero((counts != counts[0]).any(axis=0))
    return DecisionSample(signs, counts[:, signs])


def fit(samples: list[DecisionSample], number: int) -> NDArray[np.int64]:
    """The weights of this many signs, in multiples of 1 / UNIT."""
    weights = np.zeros(number)
    here = plausibility(samples, weights)
    for _ in range(STEPS):
        slope, bend = -PULL * weights, PULL * np.eye(number)
        for sample in samples:
            shares = pick_probabilities(sample, weights)
            mean = shares @ sample.counts
            spread = sample.counts - mean
            slope[sample.signs] += sample.counts[0] - mean
            bend[np.ix_(sample.signs, sample.signs)] += (spread * shares[:, None]).T @ spread
        step = np.linalg.solve(bend, slope)
        while (there := plausibility(samples, weights + step)) < here:  # too far
            step /= 2
        weights, here = weights + step, there
        if np.abs(step).max() < CLOSE:
            break
    return np.round(weights * UNIT).astype(np.int64)


def plausibility(samples: list[DecisionSample], weights: FloatArray) -> float:
    """The objective of `fit`: the log-likelihood of picking the true cards in every sample, minus the regularisation
    term."""
    return float(sum(_logs(sample, weights)[0] for sample in samples) - PULL * (weights @ weights) / 2)


def pick_probabilities(sample: DecisionSample, weights: FloatArray) -> FloatArray:
    """The probability of each world to be picked from the sample."""
    return np.asarray(np.exp(_logs(sample, weights)))


def _logs(sample: DecisionSample, weights: FloatArray) -> FloatArray:
    worth = sample.counts @ weights[sample.signs]
    worth -= worth.max()
    return np.asarray(worth - np.log(np.exp(worth).sum()))


def known(samples: list[DecisionSample], weights: NDArray[np.int64]) -> Interval:
    """How much the weights know of the hidden cards: the interval of the mean logarithm of the probability of picking
    the true cards relative to chance; 0 if they know nothing."""
    gains = [_logs(sample, weights / UNIT)[0] + np.log(len(sample.counts)) for sample in samples]
    return of_numbers(np.array(gains))


def learn_hand_weights(
    game: type[Game[Any]], deals: int, seed: int, progress: Callable[[int], None] | None = None
) -> tuple[NDArray[np.int64], Interval]:
    """Learn the weights of a game's signs from this many deals. Returns them with how much is `known` with them, tested
    at one decision in each of a quarter as many other deals. Raises UpcardError if the game has no signs."""
    number = game.HAND_SIGNS
    if not number:
        raise UpcardError(f"{game.slug} has no signs of hands: give its class HAND_SIGNS and the method `hand_signs`")
    weights = fit(moments(game, deals, seed, progress=progress), number)
    return weights, known(moments(game, max(2, deals // 4), seed + 1, each=1), weights)
