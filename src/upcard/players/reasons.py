"""The reasons of advice: the findings in favour of the best move.

With known cards that is the answer that refutes another move; otherwise a way to end the deal at once, a proof, a trick
that cannot be lost, and in how many deals the seat meets its objective.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from upcard.compiled.dealer import Dealer
from upcard.compiled.seat_policies import rollout_records
from upcard.engine.mistakes import obey
from upcard.engine.views import View, view
from upcard.engine.worlds import NoWorld, worlds_for
from upcard.players.endgame_solver import solved
from upcard.players.quick import heuristic_move
from upcard.players.search import best_rollouts
from upcard.rules.cards import as_set, bit
from upcard.rules.seats import only
from upcard.rules.state import DEAL
from upcard.rules.tricks import TrickState

if TYPE_CHECKING:
    from upcard.players.advice import Advice

DEALS = 100
"""The number of deals in which it is counted how often the objective is met."""
WORLDS = 8
"""The number of worlds in which a way out must be the same."""
LONGEST = 24
"""The most moves of a way out."""


@dataclass(frozen=True)
class Reason:
    """The reason for the best move of a decision."""

    against: int | None = None
    """The best of the moves that are worse, with which it is compared."""
    is_known: bool = False
    """Whether all cards are known and the deal was solved to its end."""
    answer: int | None = None
    """With known cards, the answer that refutes the move `against`."""
    way_out: tuple[int, ...] | None = None
    """The seat's next moves if with these the deal ends at once, whatever the others hold."""
    proven: int | None = None
    """A move that is proven to be a blunder."""
    takes: bool = False
    """Whether the trick is won for certain."""
    objective: str = ""
    """The objective of the seat in the deal, to be read after "you"."""
    reached: int = 0
    """In how many of `deals` it succeeds with the best move."""
    reached_against: int | None = None
    """The same with the move `against`."""
    deals: int = 0


def explained(seen: View[Any], advice: Advice, rng: Random) -> Advice:
    """The advice with its reason, if there is a choice. What the deals are played out by, and in which worlds, is as in
    the advice itself, except that worlds are not weighed."""
    if len(advice.moves) < 2:
        return advice
    try:
        return replace(advice, reason=_reason(seen, advice, rng))
    except NoWorld:
        return advice


def _reason(seen: View[Any], advice: Advice, rng: Random) -> Reason:
    best = advice.best.move
    against = next((rated.move for rated in advice.moves if rated.is_worse), None)
    if advice.exact:
        return Reason(against, is_known=True, answer=None if against is None else answer_to(seen, against, rng))
    way = way_out(seen, best, rng)
    if way is not None:
        return Reason(against, way_out=way)
    proven = next((rated.move for rated in advice.moves if rated.proven), None)
    reached = successes(seen, best, rng.getrandbits(63))
    other = None if against is None else successes(seen, against, rng.getrandbits(63))
    objective = seen.setup.objective(seen.state, seen.seat or 0)
    return Reason(
        against,
        proven=proven,
        takes=takes_trick(seen, best, rng),
        objective=objective,
        reached=reached,
        reached_against=other,
        deals=DEALS,
    )


def answer_to(seen: View[Any], move: int, rng: Random) -> int | None:
    """The best answer to a move where all cards are known; None if nobody answers it."""
    state = worlds_for(seen).sample(rng)
    obey(seen.game, seen.setup.apply, state, seen.seat or 0, move)
    for seat in range(state.players):
        if state.to_act == only(seat) and seat != seen.seat:
            now = view(seen.setup, state, seat)
            moves = now.legal_moves()
            return moves[0] if len(moves) == 1 else solved(now, moves, rng)
    return None


def way_out(seen: View[Any], move: int, rng: Random) -> tuple[int, ...] | None:
    """The seat's moves after this one with which the deal ends before another seat acts and before anything is drawn,
    the same in several worlds; None if the heuristic finds no such moves."""
    me = seen.seat or 0
    lines = set()
    for _ in range(WORLDS):
        state = worlds_for(seen).sample(rng)
        line: list[int] = []
        obey(seen.game, seen.setup.apply, state, me, move)
        while state.to_act == only(me) and len(line) < LONGEST:
            now = view(seen.setup, state, me)
            line.append(heuristic_move(now, now.legal_moves(), Random(0)))
            obey(seen.game, seen.setup.apply, state, me, line[-1])
        if state.to_act or state.awaiting > DEAL:
            return None
        lines.add(tuple(line))
        if len(lines) > 1 or not is_ahead(seen, state):
            return None
    return lines.pop()


def is_ahead(seen: View[Any], end: Any) -> bool:
    """Whether the seat met its objective at the end of the deal."""
    return seen.setup.meets_objective(end, seen.seat or 0, seen.state)


def takes_trick(seen: View[Any], move: int, rng: Random) -> bool:
    """Whether a card wins the trick whatever the others hold: nobody who plays after it can have one that is better."""
    me, game = seen.seat or 0, seen.game
    if not issubclass(game.state, TrickState) or move not in game.notation.cards(move):
        return False
    state = worlds_for(seen).sample(rng)
    trick = sum(state.tricks)
    obey(game, seen.setup.apply, state, me, move)
    if state.to_act == 0 or state.awaiting or sum(state.tricks) > trick or not state.in_trick:
        return False  # the seat plays last and sees whether its card wins
    unseen = set().union(*(one.unseen for one in worlds_for(seen).widest))
    known = {card for seat in range(state.players) if seat != me for card in seen.hand(seat) if card is not None}
    later = as_set(sorted(unseen | known))
    return bool(state.ahead == me and not state.better & later and state.better & bit(move) == 0)


def successes(seen: View[Any], move: int, seed: int) -> int:
    """In how many of `DEALS` deals that fit what the seat has seen it meets its objective after this move."""
    dealer = Dealer(seen)
    rng = Random(seed)
    seeds = [rng.getrandbits(64) for _ in range(DEALS)]
    policies = rollout_records(seen.state.players, best_rollouts(seen.game))
    return sum(is_ahead(seen, end) for end in dealer.play_out(policies, move, seeds))
