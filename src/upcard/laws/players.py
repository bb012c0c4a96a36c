"""The laws of heuristics."""

from __future__ import annotations

from typing import Any

from upcard.engine.match import Match
from upcard.engine.mistakes import obey
from upcard.laws.law import Broken, NotTried, Trial, last_event
from upcard.players.heuristic import heuristic_move
from upcard.policies.learned import policy_of
from upcard.rules.rng import LUCK


def heuristics_choose(trial: Trial) -> None:
    """The heuristic always chooses a legal move, and does not change the state that it looks at."""
    if not trial.game.defines("choose"):
        raise NotTried("it has no heuristic")
    for match in trial.moments():
        for seat in match.to_act:
            seen, before = match.view(seat), match.view(seat)
            heuristic_move(seen, seen.legal_moves(), trial.rng)
            if seen.state != before.state:
                raise Broken(f"{last_event(match)} the heuristic changes the state of seat {seat} when it looks at it")


def heuristics_look_at_nothing_hidden(trial: Trial) -> None:
    """The heuristic, and the features that it gives to a learned policy, are the same if all cards lie open. In
    compiled play they do: a heuristic that looked at hidden cards would play better there than at a table."""
    if not trial.game.defines("choose"):
        raise NotTried("it has no heuristic")
    weights = [trial.rng.randrange(-2000, 2000) for _ in range(policy_of(trial.game).size)]
    for match in trial.moments(150):
        for seat in match.to_act:
            luck, seen = trial.rng.randrange(LUCK), match.view(seat)
            one, other = (_chosen(match, state, seat, luck, weights) for state in (seen.state, match.state))
            for who, ours, theirs in zip(("the heuristic", "what a policy looks at"), one, other, strict=True):
                if ours != theirs:
                    raise Broken(
                        f"{last_event(match)} {who} depends on what seat {seat} has not seen: it would choose "
                        f"`{match.game.notation.text(ours)}`, and `{match.game.notation.text(theirs)}` with all cards "
                        "open"
                    )


def _chosen(match: Match[Any], state: Any, seat: int, luck: int, weights: list[int]) -> tuple[int, int]:
    """The moves that the heuristic, and a policy with these weights, choose in this state."""
    game, policy, moves = match.game, policy_of(match.game), match.legal_moves(seat)
    asked = state, seat, moves, len(moves), luck
    move = obey(game, policy.learned, match.setup, *asked, moves[0], weights, 0, [0] * policy.room)
    return obey(game, match.setup.choose, *asked), move
