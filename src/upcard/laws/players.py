"""The laws of heuristics."""

from __future__ import annotations

from typing import Any

from upcard.engine.match import Match
from upcard.engine.mistakes import obey, reconsidered
from upcard.laws.law import Broken, NotTried, Trial, last_event
from upcard.players.quick import casual_move
from upcard.policies.learned import policy_of
from upcard.rules.rng import LUCK


def heuristics_choose(trial: Trial) -> None:
    """The heuristic always chooses a legal move, and does not change the state."""
    if not trial.game.defines("choose"):
        raise NotTried("it has no heuristic")
    for match in trial.moments():
        for seat in match.to_act:
            seen, before = match.view(seat), match.view(seat)
            casual_move(seen, seen.legal_moves(), trial.rng)
            if seen.state != before.state:
                raise Broken(f"{last_event(match)} the heuristic of seat {seat} changes the state")


def heuristics_look_at_nothing_hidden(trial: Trial) -> None:
    """The heuristic's choice, and the features that it computes for a learned policy, do not depend on hidden cards. In
    compiled play all cards lie open: a heuristic that looked at them would play better there than at a table."""
    if not trial.game.defines("choose"):
        raise NotTried("it has no heuristic")
    weights = [trial.rng.randrange(-2000, 2000) for _ in range(policy_of(trial.game).size)]
    for match in trial.moments(150):
        for seat in match.to_act:
            luck, seen = trial.rng.randrange(LUCK), match.view(seat)
            hidden, open_ = (_chosen(match, state, seat, luck, weights) for state in (seen.state, match.state))
            for what, move, other in zip(CHOOSERS, hidden, open_, strict=True):
                if move != other:
                    raise Broken(
                        f"{last_event(match)} {what} depends on what seat {seat} has not seen: it chooses "
                        f"`{match.game.notation.text(move)}`, but `{match.game.notation.text(other)}` with all cards "
                        "open"
                    )


CHOOSERS = ("the heuristic", "a feature of the policy", "`reconsider`", "`reconsider`")


def _chosen(match: Match[Any], state: Any, seat: int, luck: int, weights: list[int]) -> tuple[int, ...]:
    """The moves that the heuristic and a policy with these weights choose in this state, and reconsidered ones."""
    game, policy, moves = match.game, policy_of(match.game), match.legal_moves(seat)
    asked = state, seat, moves, len(moves), luck
    move = obey(game, policy.learned, match.setup, *asked, moves[0], weights, 0, [0] * policy.room)
    favourite = obey(game, match.setup.choose, *asked)
    final = (reconsidered(match.setup, state, seat, moves, moves[0], careful) for careful in (0, 1))
    return favourite, move, *final
