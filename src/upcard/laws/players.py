"""The law of heuristics."""

from __future__ import annotations

from upcard.laws.law import Broken, NotTried, Trial, last_event
from upcard.players.heuristic import heuristic_move


def heuristics_choose(trial: Trial) -> None:
    """The heuristic chooses one of the legal moves, at every turn, and changes nothing of what it looks at."""
    if trial.game.heuristic is None:
        raise NotTried("it has no heuristic")
    for match in trial.moments():
        for seat in match.to_act:
            seen, before = match.view(seat), match.view(seat)
            heuristic_move(seen, seen.legal_moves(), trial.rng)
            if seen.state != before.state:
                raise Broken(f"{last_event(match)} the heuristic changes the state of seat {seat} when it looks at it")
