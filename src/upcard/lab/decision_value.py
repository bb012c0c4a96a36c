"""The value of a decision: each of its moves is followed by rollouts, and the winners are counted.

One decision of each deal or match, drawn uniformly, is weighed. Rollouts start from the true cards, with the same
random numbers after each move. One half of the rollouts chooses the best move and the other half judges it, so that
chance alone does not make one move look better than another.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled import loops
from upcard.compiled.loops import PLAY, apply, chance_speaks, choose_move, not_for_ever, stream, utility
from upcard.compiled.program import program
from upcard.engine.chance import key_of
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.lab.arguments import integer_from
from upcard.rules.cards import lowest
from upcard.rules.game import Game
from upcard.rules.phrases import brief
from upcard.rules.state import DEAL

FEWEST = 8
"""The fewest rollouts per move."""
WEIGHED = 16
"""The most moves of a decision that are tried; of more moves, this many are drawn at random."""
CHOOSE = -1
"""Instead of a move: the seat to act moves by its policy."""
COLUMNS = "advantage", "span", "hopeless", "hangs"
"""The numbers for a decision: those of `by_best`, then those of `by_hopeless`."""
Shares = NDArray[np.float64]
"""The share that each seat wins, with the shape (moves, rollouts, seats)."""


def checked_rollouts(rollouts: object) -> int:
    """The number of rollouts per move. Raises UpcardError unless it is 0 or an even number from `FEWEST` up."""
    number = integer_from("rollouts", rollouts, 0)
    if number % 2 or 0 < number < FEWEST:
        raise UpcardError(f"rollouts are an even number from {FEWEST} up, or 0 for none, not {brief(number)}")
    return number


class Lot:
    """Samples one decision of a match uniformly while it is played (reservoir sampling)."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.number = 0

    def __call__(self, match: Match[Any], seat: int) -> None:
        """Consider the next decision."""
        self.number += 1
        if self.rng.randrange(self.number) == 0:
            self.state, self.seat, self.moves = match.state.copy(), seat, match.legal_moves(seat)


class Scales:
    """Weighs decisions by rollouts of each move, to the end of the match or of the deal."""

    def __init__(self, setup: Game[Any], kinds: list[int] | None, rollouts: int, seed: int, to_the_end: bool) -> None:
        self.run = program(setup.game)
        self.seats, self.rollouts, self.to_the_end = setup.players, rollouts, to_the_end
        self.key = key_of(seed)
        self.tables, self.options, self.scratch = self.run.states(2), self.run.options(setup), self.run.scratch()
        self.policies = loops.policies_of(kinds) if kinds else loops.rollout_policies(setup.players)

    def weigh(self, lot: Lot, number: int) -> list[float]:
        """The numbers `COLUMNS` for the sampled decision of deal or match `number`."""
        moves = lot.moves if len(lot.moves) <= WEIGHED else lot.rng.sample(lot.moves, WEIGHED)
        self.run.put(self.tables, 0, lot.state)
        best = np.zeros((len(moves), self.rollouts, self.seats), np.int64)
        luck = self.key, number * self.rollouts, self.to_the_end
        room = self.tables, self.options, self.scratch, self.policies
        self.run.entry(play_on)(*room, lot.seat, np.array(moves), *luck, best)
        won = best / best.sum(axis=2, keepdims=True)
        return [*by_best(won[:, :, lot.seat]), *by_hopeless(won, lot.seat)]


def by_best(won: Shares) -> tuple[float, float]:
    """The gain of the best move over a random one, and over the worst; `won` has the shape (moves, rollouts)."""
    chosen, judged = won[:, ::2].mean(axis=1), won[:, 1::2].mean(axis=1)
    best, worst = int(chosen.argmax()), int(chosen.argmin())
    return float(judged[best] - judged.mean()), float(judged[best] - judged[worst])


def by_hopeless(won: Shares, seat: int) -> tuple[float, float]:
    """Whether a seat wins in no rollout of any move (1 or 0), and if so, how much its move affects the others' chances.

    The second number is the greatest total variation distance between the winners after two of its moves.
    """
    if won[:, :, seat].any():
        return 0.0, 0.0
    chosen, judged = won[:, ::2].mean(axis=1), won[:, 1::2].mean(axis=1)
    between = chosen[:, None] - chosen
    one, other = np.unravel_index(int(np.abs(between).sum(axis=2).argmax()), between.shape[:2])
    gains = between[one, other] > 0
    return 1.0, float((judged[one] - judged[other])[gains].sum())


def play_on(
    tables: Any,
    opts: Any,
    scratch: Any,
    policies: Any,
    me: int,
    moves: Any,
    key: int,
    first: int,
    to_the_end: bool,
    best: Any,
) -> None:
    """Follow each move of a seat at the first table by rollouts, played at the second table. Rollout k of every move
    uses the random stream `first` + k. Sets `best`, by move, rollout and seat, to 1 for each seat with the highest
    utility after the deal, or for each that has won the match."""
    opt = opts[0]
    players = best.shape[2]
    for k in range(len(moves)):
        for rollout in range(best.shape[1]):
            scratch[0].rng[0] = stream(key, first + rollout, PLAY)
            tables[1] = tables[0]
            s = tables[1]
            move = moves[k]
            silence = 0
            while True:
                if s.to_act != 0:
                    who = lowest(s.to_act) if move == CHOOSE else me
                    apply(opt, s, who, choose_move(opt, s, who, scratch[0], policies) if move == CHOOSE else move)
                    move = CHOOSE
                    silence = 0
                elif s.awaiting > DEAL or (to_the_end and s.awaiting == DEAL):
                    chance_speaks(opt, s, scratch[0].rng, scratch[0].order)
                    silence = not_for_ever(silence)
                else:
                    break
            if to_the_end:
                for seat in range(players):
                    best[k, rollout, seat] = s.winners >> seat & 1
            else:
                highest = utility(opt, s, 0)
                for seat in range(1, players):
                    highest = max(highest, utility(opt, s, seat))
                for seat in range(players):
                    best[k, rollout, seat] = utility(opt, s, seat) == highest
