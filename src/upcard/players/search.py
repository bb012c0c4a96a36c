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

from upcard.compiled.comparison import MoveComparison, compare_ends
from upcard.compiled.dealer import Dealer
from upcard.compiled.seat_policies import HEURISTIC, LEARNED, checking_records, rollout_records
from upcard.compiled.words import REAL, WordArray, integers, zeros
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

SOME = {LEARNED: 100, HEURISTIC: 300}
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
    dealer = Dealer(view)
    utilities, wins = answered(dealer, moves, trial.policies, rng.getrandbits(63))
    drawn = integers(range(utilities.shape[1]))
    return moves[clearly_best(compare_ends(dealer.run, utilities, wins, drawn), FEW, OPENLY)]


def best_rollouts(game: type[Game[Any]]) -> int:
    """The policy for rollouts of a game: the learned one if there is one, otherwise the heuristic."""
    return HEURISTIC if learned_of(game) is None else LEARNED


def other_rollouts(view: View[Any]) -> WordArray | None:
    """The policies of rollouts by which the results of `best_rollouts` can be checked: the heuristic, where those are
    learned; None if there is no other policy."""
    if best_rollouts(view.game) != LEARNED or not view.game.defines("choose"):
        return None
    return checking_records(view.state.players)


def favourite_of(view: View[Any], moves: list[int], rollouts: int, rng: Random) -> int:
    """The move that a player by the rollout policy makes."""
    return (medium_move if rollouts == LEARNED else casual_move)(view, moves, rng)


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
        policies: WordArray | None = None,
    ) -> None:
        """`policies` replaces the usual policies of rollouts of this kind."""
        self.moves = moves
        self.are_many = len(moves) > MANY
        self.rng = rng
        self.dealer = dealer or Dealer(view)
        self.policies = rollout_records(view.state.players, rollouts) if policies is None else policies
        self.utilities = zeros(len(moves), 0)
        """By move and world, the seat's standing after the deal."""
        self.wins = zeros(len(moves), 0, kind=REAL)
        """By move and world, the seat's share of a won match, if the match has ended."""
        self.drawn = integers(())
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
        seeds = [self.rng.getrandbits(64) for _ in range(worlds)]
        if isinstance(self.dealer, Believed):
            drawn = self.dealer.draw(seeds)
            utilities, wins = self.dealer.try_in(drawn, self.policies, self.moves, seeds)
        else:
            drawn = integers(range(len(self.drawn), len(self.drawn) + worlds))
            utilities, wins = self.dealer.try_moves(self.policies, self.moves, seeds)
        self.utilities, self.wins = self.utilities.beside(utilities), self.wins.beside(wins)
        self.drawn = integers(self.drawn.numbers + drawn.numbers)
        self.rollouts += worlds * len(self.moves)

    def compared(self, best: int = -1) -> MoveComparison:
        """The moves compared with the one of the highest value, or with another one."""
        return compare_ends(self.dealer.run, self.utilities, self.wins, self.drawn, best)

    def drop_half(self) -> None:
        """Keep only the better half, and the favourite."""
        values = self.note_standing()
        order = sorted(range(len(values)), key=lambda k: -values[k])
        better = sorted({0, *order[: (len(self.moves) + 1) // 2]})
        self.moves = [self.moves[k] for k in better]
        self.utilities, self.wins = self.utilities.rows(better), self.wins.rows(better)

    def is_clear(self) -> bool:
        """Whether one move is so much better than all others that more worlds would not change it."""
        if len(self.drawn) < CLEAR_AFTER:
            return False
        compared = self.compared()
        leads = zip(compared.gaps, compared.gap_errors, strict=True)
        return all(gap > CLEAR * error for k, (gap, error) in enumerate(leads) if k != compared.best)

    def best(self, few: int = 0) -> int:
        """The move that did best; the favourite unless another is clearly better (see `clearly_best`), or if it always
        wins the match."""
        self.note_standing()
        if min(self.wins.row(0)) == 1:
            return self.moves[0]
        return self.moves[clearly_best(self.compared(), few)]

    def note_standing(self) -> list[float]:
        """The mean values of the moves still being tried, which are also recorded in `standing`."""
        values = self.compared().values
        self.standing |= zip(self.moves, values, strict=True)
        return values


def clearly_best(compared: MoveComparison, few: int = 0, doubt: float | None = None) -> int:
    """The move with the highest mean value if it is clearly better than the first, or nowhere worse and somewhere
    better; otherwise the first. With fewer than `few` worlds it is always the first. `doubt` is in standard errors;
    without it, see `DOUBT`."""
    doubt = DOUBT * (1 + DOUBTED / compared.worlds) if doubt is None else doubt
    is_better = compared.gaps[0] > doubt * compared.gap_errors[0] or compared.least_gaps[0] == 0 < compared.most_gaps[0]
    return compared.best if is_better and compared.worlds >= few else 0
