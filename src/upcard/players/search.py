"""Search: try the moves in worlds (determinizations) that fit what the seat has seen.

Every candidate is played in the same worlds with the same random numbers, after which all players follow the heuristic
or the learned policy to the end of the deal. The worse half of the candidates is dropped repeatedly (sequential
halving), so that most of the time is spent on close calls.
"""

from __future__ import annotations

import time
from math import ceil, log2
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled import loops
from upcard.compiled.worlds import Dealer
from upcard.engine.views import View
from upcard.engine.worlds import worlds_for
from upcard.players.blunders import no_blunder
from upcard.players.endgame_solver import FEWER_NODES, NODES, solved
from upcard.players.inference import Believed
from upcard.players.quick import Computer, casual_move, medium_move
from upcard.players.search_open_moves import ANSWERING, answered, exposes, may_expose
from upcard.players.thinking_limits import Limit, Rollouts
from upcard.policies.hand_features import hands_of
from upcard.policies.learned import learned_of
from upcard.rules.game import Game
from upcard.rules.notation import verb_of

SOME = {loops.LEARNED: 100, loops.HEURISTIC: 300}
"""Rollouts of a strong player by rollout policy: heuristic rollouts are less informative, so it plays more of them. A
fixed number makes it equally strong on every machine; it takes a few hundredths of a second."""
MOST_MOVES = 512
"""If there are more moves than this, only some of each verb are tried."""
MANY, EACH = 24, 16
"""If there are more than `MANY` moves, each is tried in `EACH` new worlds before half of them are dropped, however
short the limit is: with 220 bids it is not enough to follow the favourite."""
FIRST_LOOK = 0.5
"""The fraction of the limit in which advice about more than `MANY` moves finds those that are compared."""
AT_ONCE, MOST_AT_ONCE = 128, 4096
"""The number of rollouts before the first check of the limit, which then doubles each time up to the number that fits
into the processor's caches: larger batches take longer than estimated."""
MOST_WORLDS = 1 << 16
"""The most worlds in which moves are tried, whatever the limit: more add no information and take long to evaluate."""
WIN = 2.0
"""The value of winning the match, in units of the standard deviation of a deal's results."""
DOUBT, DOUBTED = 0.5, 64
"""The number of standard errors by which a move must look better to overrule the choice of the rollout policy: `DOUBT`,
and twice as many if it was tried in only `DOUBTED` worlds, since the best of several moves looks better than it is."""
FEW = 64
"""With fewer worlds an expert follows the rollout policy."""
OPENLY = 1.9
"""The number of standard errors by which a move that lays cards open must look better."""
CLEAR, CLEAR_AFTER = 6.0, 256
"""Thinking ends early when one move leads all others by this many standard errors, after at least this many worlds."""

SMALL_POOL = 1024
"""The number of worlds that a strong player weighs."""

WorldSource = Dealer | Believed


class Search(Computer):
    """A player that searches within a limit."""

    def __init__(self, limit: Limit | None = None, rollouts: int | None = None, *, expert: bool = False) -> None:
        """Without a limit, that of a strong player is used: see `SOME`. `rollouts` is the policy of the rollouts,
        HEURISTIC or LEARNED, or None for `best_rollouts`. An expert also uses the settings for experts that the game
        declares: see `upcard.rules.game.Game`."""
        self.limit = limit
        self.rollouts = rollouts
        self.expert = expert

    def move(self, view: View[Any], rng: Random) -> int:
        moves = view.legal_moves()
        if len(moves) == 1:
            return moves[0]
        best = self._search(view, moves, rng)
        return no_blunder(view, best) if self.expert else best

    def _search(self, view: View[Any], moves: list[int], rng: Random) -> int:
        rollouts = best_rollouts(view.game) if self.rollouts is None else self.rollouts
        limit = self.limit or Rollouts(SOME[rollouts])
        moves = candidates(moves, favourite_of(view, moves, rollouts, rng), rng)
        begun = time.perf_counter()
        best = solved(view, moves, rng, NODES if self.expert else FEWER_NODES)
        if best is not None:
            return best
        asks = self.expert and view.game.ANSWERED and may_expose(view)
        worlds_for(view)  # counting them can take half a second
        limit = limit.without(time.perf_counter() - begun + (ANSWERING if asks else 0.0))
        trial = MoveTrial(
            view, moves, rng, rollouts, worlds_of(view, rng) if self.expert else worlds_at_once(view, rng)
        )
        stages = ceil(log2(len(trial.moves)))
        for stage in range(stages):
            trial.run(limit, (stage + 1) / stages)
            if self.expert and trial.is_clear():
                break
            if stage < stages - 1:
                trial.drop_half()
        best = trial.best(FEW if self.expert else 0)
        return withstanding(view, trial, best, rng) if asks and exposes(view, best, rng) else best


def worlds_of(view: View[Any], rng: Random, pool: int | None = None) -> WorldSource:
    """The worlds in which an expert tries moves: uniform, or drawn from a pool by inference."""
    dealer, share = Dealer(view), view.game.INFERS
    return Believed(dealer, rng.getrandbits(63), pool, share) if share else dealer


def worlds_at_once(view: View[Any], rng: Random) -> WorldSource:
    """The worlds in which a strong player tries moves: uniform, or in games with hand features weighed by these, which
    takes a few milliseconds for a small pool."""
    return worlds_of(view, rng, SMALL_POOL) if hands_of(view.game) else Dealer(view)


def withstanding(view: View[Any], trial: MoveTrial, best: int, rng: Random) -> int:
    """Replace a best move that lays cards open by the best move that does not, unless it is better even against players
    who look ahead."""
    open_moves = [move for move in trial.standing if move == best or exposes(view, move, rng)]
    quiet = [move for move in trial.standing if move not in open_moves]
    if not quiet:
        return best
    moves = [max(quiet, key=trial.standing.__getitem__), *open_moves]
    values = worths(*answered(Dealer(view), moves, trial.policies, rng.getrandbits(63)))
    return moves[clearly_best(values, FEW, doubt=OPENLY)]


def best_rollouts(game: type[Game[Any]]) -> int:
    """The policy for rollouts of a game: the learned one if there is one, otherwise the heuristic."""
    return loops.HEURISTIC if learned_of(game) is None else loops.LEARNED


def other_rollouts(view: View[Any]) -> NDArray[Any] | None:
    """The policies of rollouts by which the results of `best_rollouts` can be checked: the heuristic, where those are
    learned; None if there is no other policy. They have the type of the learned ones, so they need no other code."""
    if best_rollouts(view.game) != loops.LEARNED or not view.game.defines("choose"):
        return None
    return np.array([(loops.HEURISTIC, loops.SOMETIMES, loops.NEVER, 0)] * view.state.players, loops.WITH_LEARNED)


def favourite_of(view: View[Any], moves: list[int], rollouts: int, rng: Random) -> int:
    """The move that a player by the rollout policy makes."""
    return (medium_move if rollouts == loops.LEARNED else casual_move)(view, moves, rng)


def candidates(moves: list[int], favourite: int, rng: Random) -> list[int]:
    """The moves to try, the favourite first: all of them, or some of each verb from a very long list."""
    rest = [move for move in moves if move != favourite]
    if len(moves) > MOST_MOVES:
        rng.shuffle(rest)
        seen: dict[int, int] = {}
        place = {}
        for move in rest:
            place[move] = seen[verb_of(move)] = seen.get(verb_of(move), 0) + 1
        rest = sorted(rest, key=place.__getitem__)[: MOST_MOVES - 1]
    return [favourite, *rest]


def promising(
    view: View[Any], moves: list[int], rng: Random, rollouts: int, worlds: WorldSource, limit: Limit
) -> tuple[list[int], float]:
    """The favourite and the moves that did best at a first look, or all moves if they are few; and the fraction of the
    limit that is left."""
    if len(moves) <= MANY:
        return moves, 1.0
    trial = MoveTrial(view, moves, rng, rollouts, worlds)
    stages = ceil(log2(len(moves) / MANY))
    for stage in range(stages):
        trial.run(limit, FIRST_LOOK * (stage + 1) / stages)
        trial.drop_half()
    return trial.moves, 1 - FIRST_LOOK


class MoveTrial:
    """A trial of some moves, the favourite first."""

    def __init__(
        self,
        view: View[Any],
        moves: list[int],
        rng: Random,
        rollouts: int,
        dealer: WorldSource | None = None,
        policies: NDArray[Any] | None = None,
    ) -> None:
        """`policies` replaces the usual policies of rollouts of this kind."""
        self.moves = moves
        self.are_many = len(moves) > MANY
        self.rng = rng
        self.dealer = dealer or Dealer(view)
        self.policies = loops.rollout_policies(view.state.players, rollouts) if policies is None else policies
        self.utilities: NDArray[np.int64] = np.zeros((len(moves), 0), np.int64)
        """By move and world, the seat's standing after the deal."""
        self.wins: NDArray[np.float64] = np.zeros((len(moves), 0))
        """By move and world, the seat's share of a won match, if the match has ended."""
        self.drawn: NDArray[np.int64] = np.zeros(0, np.int64)
        """By trial, the number of its world; the same world may have been drawn several times."""
        self.standing: dict[int, float] = {}
        """The value of each move when it was last tried."""
        self.rollouts = 0
        self._try(1)  # compile everything before the clock starts
        self.started = time.perf_counter()

    def run(self, limit: Limit, part: float) -> None:
        """Try the moves in more worlds until this fraction of the limit, or of `MOST_WORLDS`, is used up."""
        least = self.utilities.shape[1] + EACH if self.are_many else 0
        most = MOST_WORLDS * part
        while self.utilities.shape[1] < most and (left := limit.left(self.started, self.rollouts, part)) > 0:
            number = min(left, max(AT_ONCE, self.rollouts), MOST_AT_ONCE)
            self._try(ceil(number / len(self.moves)))
        if (missing := least - self.utilities.shape[1]) > 0:
            self._try(missing)

    def _try(self, worlds: int) -> None:
        """Try the moves in this many new worlds."""
        seeds = np.array([self.rng.getrandbits(64) for _ in range(worlds)], np.uint64)
        utilities, wins = self.dealer.try_moves(self.policies, self.moves, seeds)
        self.utilities = np.hstack([self.utilities, utilities])
        self.wins = np.hstack([self.wins, wins])
        new = len(self.drawn) + np.arange(worlds)
        self.drawn = np.append(self.drawn, self.dealer.drawn(seeds) if isinstance(self.dealer, Believed) else new)
        self.rollouts += utilities.size

    def values(self) -> NDArray[np.float64]:
        """By move and world, the value of the end."""
        return worths(self.utilities, self.wins)

    def drop_half(self) -> None:
        """Keep only the better half, and the favourite."""
        means = self.note_standing()
        order = np.argsort(-means, kind="stable")
        better = sorted({0, *order[: (len(self.moves) + 1) // 2].tolist()})
        self.moves = [self.moves[k] for k in better]
        self.utilities, self.wins = self.utilities[better], self.wins[better]

    def is_clear(self) -> bool:
        """Whether one move is so much better than all others that more worlds would not change it."""
        values = self.values()
        if values.shape[1] < CLEAR_AFTER:
            return False
        best = int(values.mean(axis=1).argmax())
        leads = np.delete(values[best] - values, best, axis=0)
        return all(float(lead.mean()) > CLEAR * standard_error(lead, self.drawn) for lead in leads)

    def best(self, few: int = 0) -> int:
        """The move that did best; the favourite unless another is clearly better (see `clearly_best`), or if it always
        wins the match."""
        self.note_standing()
        if self.wins[0].min() == 1:
            return self.moves[0]
        return self.moves[clearly_best(self.values(), few, self.drawn)]

    def note_standing(self) -> NDArray[np.float64]:
        """The mean values of the moves still being tried, which are also recorded in `standing`."""
        means: NDArray[np.float64] = self.values().mean(axis=1)
        self.standing |= zip(self.moves, means.tolist(), strict=True)
        return means


def worths(utilities: NDArray[np.int64], wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values of ends: utilities in units of their standard deviation, plus `WIN` for the match."""
    return utilities / (float(utilities.std()) or 1.0) + WIN * wins


def clearly_best(
    values: NDArray[np.float64], few: int = 0, drawn: NDArray[np.int64] | None = None, doubt: float | None = None
) -> int:
    """The row with the highest mean if it is clearly better than the first, or nowhere worse and somewhere better;
    otherwise the first. With fewer than `few` worlds it is always the first. `drawn` identifies the worlds that are the
    same (see `MoveTrial.drawn`); without it, all differ. `doubt` is in standard errors; without it, see `DOUBT`."""
    best = int(values.mean(axis=1).argmax())
    gain = values[best] - values[0]
    drawn = np.arange(len(gain)) if drawn is None else drawn
    worlds = len(np.unique(drawn))
    doubt = DOUBT * (1 + DOUBTED / worlds) if doubt is None else doubt
    enough = doubt * standard_error(gain, drawn)
    is_better = float(gain.mean()) > enough or (gain.min() == 0 < gain.max())
    return best if is_better and worlds >= few else 0


def standard_error(numbers: NDArray[Any], drawn: NDArray[np.int64]) -> float:
    """The standard error of the mean of numbers from the worlds `drawn` (see `MoveTrial.drawn`). A world drawn again
    has no new information about where the cards are, so its numbers are clustered."""
    worlds, at = np.unique(drawn, return_inverse=True)
    apart = np.bincount(at, numbers - numbers.mean())
    squares = float((apart**2).sum()) * len(worlds) / max(1, len(worlds) - 1)
    return float(np.sqrt(squares)) / len(numbers)
