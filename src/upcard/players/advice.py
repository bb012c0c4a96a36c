"""Advice: which move is best from a seat's view, by how much, and whether the difference is significant.

Every move is tried in the same worlds (determinizations), as in the search, but none is dropped: each is compared with
the best. Costs are in points of the game, measured as the seat's lead over the others' average at the end of the deal.
A proven blunder is never called best.

The margins cover chance, but not the errors of the policy that plays the deals out. So part of the limit is spent on a
second judgement, by rollouts of another policy: a move is not called worse if the two contradict each other, and it is
quite surely worse only if both agree.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from statistics import NormalDist
from typing import Any

from upcard.compiled.comparison import WIN, MoveComparison, compare_ends
from upcard.compiled.dealer import Dealer
from upcard.compiled.machine import machine_of
from upcard.compiled.words import REAL, WordArray, integers, reals, zeros
from upcard.engine.errors import UpcardError
from upcard.engine.mistakes import obey
from upcard.engine.views import View
from upcard.engine.worlds import NoWorld
from upcard.players.blunders import blunders, is_near_the_end
from upcard.players.endgame_solver import solved_ends
from upcard.players.inference import POOL
from upcard.players.reasons import Reason
from upcard.players.search import (
    MoveTrial,
    best_rollouts,
    candidates,
    favourite_of,
    other_rollouts,
    promising,
    worlds_of,
)
from upcard.players.search_open_moves import answered, exposes
from upcard.players.thinking_limits import Limit, Seconds
from upcard.policies.hand_features import hands_of

CERTAIN = 0.95
"""The simultaneous confidence level of all margins in one piece of advice."""
HINT = Seconds(1.0)
"""The limit for a hint, for which a person waits."""
SECOND = 0.3
"""The fraction of the limit for the second judgement."""
ONE_WORLD = zeros(1)
"""The world of ends that are the same in all worlds: see `MoveTrial.drawn`."""
WEIGHED = 4 * POOL
"""The number of worlds weighed for advice in games whose experts infer worlds, unless they use hand features."""

Ends = tuple[WordArray, WordArray]
"""By move and world: the seat's standing after the deal, and its share of a won match (see `Dealer.try_moves`)."""


@dataclass(frozen=True)
class Rated:
    """A move, compared with the best."""

    move: int
    text: str
    cost: float
    """The points by which the deal ends worse with this move on average; negative if only the end of the match counts
    against it."""
    margin: float
    """The half-width of the confidence interval of `cost`."""
    chance: float
    """The fraction by which the match is won less often with this move, if the match can end with this deal."""
    loss: float
    """The cost with `chance` converted to points; moves are ranked by it."""
    clear: float
    """The gap to the best move in units of its margin: above 1 the move is significantly worse. Infinite only in exact
    advice."""
    proven: bool = False
    """Whether it is a proven blunder: another move is never worse and sometimes better, whatever the others do."""
    second: float | None = None
    """Like `clear`, by the rollouts of another policy; below -1 they find it significantly better than the best move.
    None if there is no second judgement."""

    @property
    def is_worse(self) -> bool:
        return self.proven or (self.clear > 1 and not self.is_disputed)

    @property
    def is_disputed(self) -> bool:
        """Whether the two judgements contradict each other."""
        return self.second is not None and self.second < -1

    @property
    def is_confirmed(self) -> bool:
        """Whether both judgements find the move significantly worse."""
        return self.clear > 1 and self.second is not None and self.second > 1


@dataclass(frozen=True)
class Advice:
    """The moves of one decision, the best first."""

    moves: list[Rated]
    worlds: int
    """The number of worlds in which each move was tried."""
    exact: bool
    """Whether there is no uncertainty: the seat knows all cards, and the deal was solved to its end."""
    passed: int = 0
    """The number of other moves, dropped after a first look."""
    reason: Reason | None = None
    """The reason for the best move: see `upcard.players.reasons`."""

    @property
    def best(self) -> Rated:
        return self.moves[0]

    @cached_property
    def close(self) -> list[Rated]:
        """The best move, and those not significantly worse."""
        return [rated for rated in self.moves if not rated.is_worse]


def advise(seen: View[Any], limit: Limit, rng: Random, also: int | None = None) -> Advice:
    """Advise a seat that is to act, from its view alone.

    The worlds are drawn as an expert draws them. If there are very many moves, only those that did best at a first look
    are compared, and the move `also` in any case. With a limit in rollouts, the same view and generator give the same
    advice. Raises UpcardError if the seat has nothing to decide.
    """
    moves = seen.legal_moves()
    if not moves:
        raise UpcardError("there is nothing to decide for this seat now")
    tried = candidates(moves, favourite_of(seen, moves, best_rollouts(seen.game), rng), rng)
    if also is not None and also not in tried:
        tried.append(also)
    if len(tried) == 1:
        return Advice([Rated(tried[0], seen.game.notation.text(tried[0]), 0.0, 0.0, 0.0, 0.0, 0.0)], 0, True)
    try:
        ends = played_out(seen, tried, rng)
        if ends is not None:
            return _compared(seen, tried, ends, ONE_WORLD, exact=True)
        tried, ends, drawn, second = _tried_out(seen, tried, limit, rng, also)
    except NoWorld:  # no sampled world fits what players claimed, so the moves cannot be compared
        return _compared(seen, tried, (zeros(len(tried), 1), zeros(len(tried), 1, kind=REAL)), ONE_WORLD)
    wrong = blunders(seen) if is_near_the_end(seen) else {}
    return replace(_compared(seen, tried, ends, drawn, wrong, second), passed=len(moves) - len(tried))


def _tried_out(
    seen: View[Any], moves: list[int], limit: Limit, rng: Random, also: int | None
) -> tuple[list[int], Ends, WordArray, MoveTrial | None]:
    """The moves compared, their ends, the worlds (see `MoveTrial.drawn`), and the trial of the second judgement, if
    there is one. Moves that lay cards open are tried against players who look ahead, as an expert
    does."""
    rollouts, worlds = best_rollouts(seen.game), worlds_of(seen, rng, None if hands_of(seen.game) else WEIGHED)
    tried, left = promising(seen, moves, rng, rollouts, worlds, limit)
    if also is not None and also not in tried:
        tried.append(also)
    trial = MoveTrial(seen, tried, rng, rollouts, worlds)
    policies = other_rollouts(seen)
    trial.run(limit, left if policies is None else left * (1 - SECOND))
    best = tried[trial.compared().best]
    if seen.game.ANSWERED and exposes(seen, best, rng):
        ends = answered(Dealer(seen), tried, trial.policies, rng.getrandbits(63))
        return tried, ends, integers(range(ends[0].shape[1])), None
    second = None
    if policies is not None:
        second = MoveTrial(seen, tried, rng, rollouts, worlds, policies)
        second.run(limit, left * SECOND)
    return tried, (trial.utilities, trial.wins), trial.drawn, second


def _compared(
    seen: View[Any],
    moves: list[int],
    ends: Ends,
    drawn: WordArray,
    wrong: Collection[int] = (),
    second: MoveTrial | None = None,
    exact: bool = False,
) -> Advice:
    """Rank the moves by the values of their ends, the proven blunders `wrong` last. The margins hold for all moves
    simultaneously; if the ends are `exact`, there is no sampling error. `second` is a trial of the same moves for the
    second judgement."""
    run = machine_of(seen.game)
    compared = compare_ends(run, *ends, drawn)
    best = max((k for k, move in enumerate(moves) if move not in wrong), key=compared.values.__getitem__)
    if best != compared.best:
        compared = compare_ends(run, *ends, drawn, best)
    reach = 0.0 if exact else NormalDist().inv_cdf(1 - (1 - CERTAIN) / 2 / (len(moves) - 1))
    point = point_of(seen)
    spread = (compared.spread or 1.0) / point
    rated = []
    checks = None if second is None else second.compared(best)
    for k, move in enumerate(moves):
        cost, gap = compared.costs[k], compared.gaps[k]
        margin = _margin(cost, compared.cost_errors[k], compared, reach)
        doubt = _margin(gap, compared.gap_errors[k], compared, reach)
        chance = compared.chances[k] / 2
        clear = 0.0 if gap <= 0 else gap / doubt if doubt else float("inf")
        loss = cost / point + 2 * WIN * chance * spread
        text = seen.game.notation.text(move)
        proven = move in wrong
        check = None
        if checks is not None:
            check = _in_margins(checks.gaps[k], _margin(checks.gaps[k], checks.gap_errors[k], checks, reach))
        one = Rated(move, text, cost / point, margin / point, chance, loss, clear, proven, check)
        rated.append((proven, gap, one))
    rated.sort(key=lambda one: one[:2])
    return Advice([one for *_, one in rated], len(drawn), exact)


def _margin(mean: float, error: float, compared: MoveComparison, reach: float) -> float:
    """A margin of `reach` standard errors. It is at least the effect of one more world with the opposite result, since
    outcomes that have not occurred may still be possible."""
    return reach * max(error, 2 * abs(mean) / compared.worlds)


def _in_margins(gap: float, margin: float) -> float:
    """A gap in units of its margin."""
    return gap / margin if margin else 0.0


def point_of(seen: View[Any]) -> int:
    """The value of one point to a seat, in units of the game's `utility`."""
    game, state, me = seen.game, seen.state.copy(), seen.seat or 0
    before = obey(game, seen.setup.utility, state, me)
    state.scores[me] += 1
    return abs(obey(game, seen.setup.utility, state, me) - before) or 1


# ------------------------------------------------------------------------------------------- when all cards are known


def played_out(seen: View[Any], moves: list[int], rng: Random) -> Ends | None:
    """The ends of perfect play after each move, in the only possible world; None if the deal cannot be solved."""
    ends = solved_ends(seen, moves, rng)
    if ends is None:
        return None
    return integers(utility for utility, _ in ends).as_matrix(), reals(won for _, won in ends).as_matrix()
