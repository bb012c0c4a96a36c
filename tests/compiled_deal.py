"""A deal in compiled code, by the loop that compiles fastest."""

from typing import Any

from upcard import Match, shuffler
from upcard.compiled import loops
from upcard.compiled.program import program
from upcard.rules.game import Game


def compiled_scores(game: type[Game[Any]]) -> list[int]:
    """The scores of two players after a deal at random, the same cards and the same luck for any game."""
    run, match = program(game), Match(game, 2, chance=shuffler(1))
    tables = run.states(2)
    run.put(tables, 0, match.state)
    run.entry(loops.rollouts)(tables, 0, 1, run.options(match.setup), run.scratch(1), None, 1)
    scores: list[int] = run.get(tables, 1).scores
    return scores[:2]
