"""Advice: which move is best from what a seat sees, by how much, and whether that can be told at all.

Every move is tried in the same worlds, as the search does, but none is dropped: each is compared with the best. Points
are those of the game, as far as they put the seat ahead of the others' average when the deal ends. What is proven to be
a blunder is never called best.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.worlds import Dealer
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.mistakes import obey
from upcard.engine.views import View, view
from upcard.engine.worlds import NoWorld, Worlds
from upcard.players.endgame import solved
from upcard.players.exposure import answered, exposes
from upcard.players.gains import ANSWERED, gains_by
from upcard.players.inference import POOL
from upcard.players.limits import Limit, Rollouts, Seconds
from upcard.players.proof import blunders, is_near_the_end
from upcard.players.search import (
    WIN,
    Trial,
    best_rollouts,
    candidates,
    favourite_of,
    promising,
    standard_error,
    worlds_of,
    worths,
)
from upcard.rules.state import DEAL, NOTHING, seats_of

CERTAIN = 0.95
"""How often all margins of one piece of advice hold at once, as far as luck goes."""
HINT = Seconds(1.0)
"""For somebody who waits for it."""
REVIEW = Rollouts(4_000)
"""For each of the many decisions of a match."""
WEIGHED = 4 * POOL
"""So many worlds are weighed for advice where an expert draws them by what the others have done."""

Kind = Literal["best", "close", "costly"]
Ends = tuple[NDArray[np.int64], NDArray[np.float64]]
"""By move and world: how well the seat stands after the deal, and how much of the match is won (see `try_moves`)."""


@dataclass(frozen=True)
class Rated:
    """A move, compared with the best."""

    move: int
    text: str
    cost: float
    """How many points worse the deal ends with it on average; below 0 where only the end of the match speaks against
    it."""
    margin: float
    """The uncertainty of `cost`, to each side."""
    chance: float
    """How much more seldom the match is won with it, as a share, where it can end with this deal."""
    loss: float
    """The cost with the chance counted as points: what moves are ranked by."""
    clear: float
    """The gap to the best in its own margins: above 1 the move is worse, else that cannot be told. Infinite only in
    advice that is exact."""
    proven: bool = False
    """Whether another move is never worse and sometimes better, whatever the others hold and play."""

    @property
    def is_worse(self) -> bool:
        return self.clear > 1 or self.proven


@dataclass(frozen=True)
class Advice:
    """The moves of one decision, the best first."""

    moves: list[Rated]
    worlds: int
    """In so many each move was tried."""
    exact: bool
    """Whether nothing was left to find out: the seat knows all cards, and the deal was played out to its end."""
    passed: int = 0
    """So many more moves were passed over after a first look."""

    @property
    def best(self) -> Rated:
        return self.moves[0]

    @cached_property
    def close(self) -> list[Rated]:
        """The best, and those that cannot be told from it."""
        return [rated for rated in self.moves if not rated.is_worse]


def advise(seen: View[Any], limit: Limit, rng: Random, also: int | None = None) -> Advice:
    """What to do in the place of a seat that is to act, from what it sees alone.

    The worlds are those of an expert. Of very many moves those are compared that did best at a first look; `also` is
    one that must be among them. With a limit in rollouts the same view and generator give the same advice. Raises
    UpcardError for a seat that has nothing to decide.
    """
    moves = seen.legal_moves()
    if not moves:
        raise UpcardError("there is nothing to decide for this seat now")
    tried = candidates(moves, favourite_of(seen, moves, best_rollouts(seen.game), rng), rng)
    if len(tried) == 1:
        return Advice([Rated(tried[0], seen.game.notation.text(tried[0]), 0.0, 0.0, 0.0, 0.0, 0.0)], 0, True)
    try:
        ends = played_out(seen, tried, rng)
        if ends is not None:
            spread = float(ends[0].std()) or 1.0
            return _compared(seen, tried, ends, ends[0] / spread + WIN * ends[1])
        tried, ends, values, drawn = _tried_out(seen, tried, limit, rng, also)
    except NoWorld:  # what was said is too rare to be met by chance: then nothing can be told
        values = np.zeros((len(tried), 1))
        return _compared(seen, tried, (values.astype(np.int64), values), values, np.zeros(1, np.int64))
    wrong = blunders(seen) if is_near_the_end(seen) else {}
    return replace(_compared(seen, tried, ends, values, drawn, wrong), passed=len(moves) - len(tried))


def _tried_out(
    seen: View[Any], moves: list[int], limit: Limit, rng: Random, also: int | None
) -> tuple[list[int], Ends, NDArray[np.float64], NDArray[np.int64]]:
    """The moves that are compared, their ends, how good these are, and in which worlds (see `Trial.drawn`). Where
    rollouts would lay cards open everybody looks ahead, as an expert then asks for."""
    rollouts, worlds = best_rollouts(seen.game), worlds_of(seen, rng, WEIGHED)
    tried = promising(seen, moves, rng, rollouts, worlds, limit)
    if also is not None and also not in tried:
        tried.append(also)
    trial = Trial(seen, tried, rng, rollouts, worlds)
    trial.run(limit, 1.0)
    best = tried[int(trial.values().mean(axis=1).argmax())]
    if gains_by(seen.game, ANSWERED) and exposes(seen, best, rng):
        ends = answered(Dealer(seen), tried, trial.policies, rng.getrandbits(63))
        return tried, ends, worths(*ends), np.arange(ends[0].shape[1])
    return tried, (trial.utilities, trial.wins), trial.values(), trial.drawn


def _compared(
    seen: View[Any],
    moves: list[int],
    ends: Ends,
    values: NDArray[np.float64],
    drawn: NDArray[np.int64] | None = None,
    wrong: Collection[int] = (),
) -> Advice:
    """The moves ranked by their values, those last that are proven to be wrong; the margins hold for all of them at
    once. Where it is not told which worlds were `drawn` there is but one, and nothing is left to luck."""
    utilities, wins = ends
    best = max((k for k, move in enumerate(moves) if move not in wrong), key=values.mean(axis=1).__getitem__)
    reach = NormalDist().inv_cdf(1 - (1 - CERTAIN) / 2 / (len(moves) - 1))
    point = _point(seen)
    spread = (float(utilities.std()) or 1.0) / point
    rated = []
    for k, move in enumerate(moves):
        cost, margin = _mean(utilities[best] - utilities[k], reach, drawn)
        gap, doubt = _mean(values[best] - values[k], reach, drawn)
        chance = float((wins[best] - wins[k]).mean()) / 2
        clear = 0.0 if gap <= 0 else gap / doubt if doubt else float("inf")
        loss = cost / point + 2 * WIN * chance * spread
        text = seen.game.notation.text(move)
        proven = move in wrong
        rated.append((proven, gap, Rated(move, text, cost / point, margin / point, chance, loss, clear, proven)))
    rated.sort(key=lambda one: one[:2])
    return Advice([one for *_, one in rated], utilities.shape[1], exact=drawn is None)


def _mean(numbers: NDArray[Any], reach: float, drawn: NDArray[np.int64] | None) -> tuple[float, float]:
    """The mean, and so many standard errors of it; none where nothing was drawn. It is never surer than if one more
    world had gone the other way: what has not been met yet may still be possible."""
    mean = float(numbers.mean())
    if drawn is None:
        return mean, 0.0
    return mean, reach * max(standard_error(numbers, drawn), 2 * abs(mean) / len(np.unique(drawn)))


def _point(seen: View[Any]) -> int:
    """What one point of its own is worth to a seat, in the measure of the game's `utility`."""
    game, state, me = seen.game, seen.state.copy(), seen.seat or 0
    before = obey(game, game.utility, state, seen.options, me)
    state.scores[me] += 1
    return abs(obey(game, game.utility, state, seen.options, me) - before) or 1


# ------------------------------------------------------------------------------------------ where all cards are known


def played_out(seen: View[Any], moves: list[int], rng: Random) -> Ends | None:
    """The ends of perfect play after each move, in the one world that there is; None where that cannot be known."""
    if solved(seen, moves, rng) is None:
        return None
    world = Worlds(seen).sample(rng)
    ends = [_end(seen, world.copy(), move, rng) for move in moves]
    known = [end for end in ends if end is not None]
    if len(known) < len(ends):
        return None
    return np.array([[worth] for worth, _ in known]), np.array([[won] for _, won in known])


def _end(seen: View[Any], state: Any, move: int, rng: Random) -> tuple[int, float] | None:
    """How well the seat stands after a move and perfect play of both, and how much of the match is won with it."""
    game, me = seen.game, seen.seat or 0
    seat = me
    while True:
        obey(game, game.apply, state, seen.options, seat, move)
        if state.to_act == 0:
            break
        seat = seats_of(state.to_act)[0]
        now = view(seen.setup, state, seat)
        moves = now.legal_moves()
        best = moves[0] if len(moves) == 1 else solved(now, moves, rng)
        if best is None:
            return None
        move = best
    if state.awaiting > DEAL:
        return None
    won = 0.0
    if state.awaiting == NOTHING:
        won = 2.0 / state.winners.bit_count() - 1.0 if state.winners >> me & 1 else -1.0
    return obey(game, game.utility, state, seen.options, me), won


# -------------------------------------------------------------------------------------------------------------- review


@dataclass(frozen=True)
class Decision:
    """A moment of a match at which a seat had a choice."""

    events: int
    """So many events of the match came before."""
    deal: int
    seen: View[Any]
    """What the seat saw then."""
    move: int
    """What it did."""


@dataclass(frozen=True)
class Verdict:
    """What a decision was worth, on average over the worlds that its seat could not tell apart."""

    events: int
    deal: int
    played: Rated
    advice: Advice

    @property
    def kind(self) -> Kind:
        """Whether it was surely best, too close to tell, or cost something."""
        if self.played.is_worse:
            return "costly"
        return "best" if self.advice.exact or len(self.advice.close) == 1 else "close"

    @property
    def better(self) -> Rated | None:
        """What would have been better; None where nothing was, as far as that can be told."""
        return self.advice.best if self.played.is_worse else None


def decisions(match: Match[Any], seat: int) -> Iterator[Decision]:
    """Every moment of a match at which a seat had a choice, in order. Raises UpcardError for what is no seat."""
    match.view(seat)
    now: Match[Any] = Match(match.setup, dealer=match.first_dealer)
    for number, event in enumerate(match.events):
        if event.seat == seat:
            seen = now.view(seat)
            if len(seen.legal_moves()) > 1:
                yield Decision(number, seen.state.deals, seen, event.move)
        now.event(event.text)


def judge(decision: Decision, limit: Limit = REVIEW, seed: int = 0) -> Verdict:
    """What a decision was worth, from what its seat saw alone: neither the true cards nor what came later count."""
    advice = advise(decision.seen, limit, Random(seed), also=decision.move)
    played = next(rated for rated in advice.moves if rated.move == decision.move)
    return Verdict(decision.events, decision.deal, played, advice)


def review(match: Match[Any], seat: int, limit: Limit = REVIEW, seed: int = 0) -> Iterator[Verdict]:
    """What every decision of a seat was worth, in order. Raises UpcardError for what is no seat."""
    for decision in decisions(match, seat):
        yield judge(decision, limit, seed)


def costliest(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """The moves that were surely not the best, the costliest first."""
    return sorted((one for one in verdicts if one.better), key=lambda one: -one.played.loss)
