"""A sample of the blunders that `bench/mine.py` finds: moves that another move hardly ever loses to.

The deals are too few for shares to compare, but a player that exceeds the limits has become worse.
"""

import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from playing import GAMES

from upcard import Match

sys.path.append(str(Path(__file__).parents[1] / "bench"))
from mine import Verdict, decisions, judged, mine

SAMPLED = [game.slug for game in GAMES if game.slug in ("cinch", "oh-hell", "sixty-six")]
"""Games whose rollouts are quick."""
DEALS, WORLDS = 4, 100
MOST = {"casual": 0.05, "medium": 0.05}
"""The largest share of decisions that may be blunders."""


@pytest.mark.parametrize("slug", SAMPLED)
def test_hardly_any_decision_is_a_blunder(slug: str) -> None:
    number, blunders = mine(slug, DEALS, 1, WORLDS, (*MOST,))
    assert number > 50
    for level, most in MOST.items():
        assert len(blunders[level]) <= most * number, [*map(str, blunders[level])]


@pytest.mark.parametrize("slug", SAMPLED)
def test_the_best_move_is_no_blunder_and_the_worst_often_one(slug: str) -> None:
    worst = 0
    for at, view in enumerate(decisions(slug, Random(2))):
        verdict = judged(view, WORLDS, at)
        order = np.argsort(verdict.values[:, : WORLDS // 2].mean(axis=1), kind="stable")
        assert verdict.blunder(verdict.moves[order[-1]]) is None
        worst += verdict.blunder(verdict.moves[order[0]]) is not None
    assert worst


def verdict_of(rows: list[list[int]]) -> Verdict:
    """A verdict about as many moves as there are rows, each with its utilities in the worlds of either half."""
    utilities = np.array([row + row for row in rows])
    view = Match("oh-hell", chance=Random(1)).view(0)
    return Verdict(view, view.legal_moves()[: len(rows)], utilities, utilities.astype(np.float64))


@pytest.mark.parametrize(
    ("better", "worse", "is_blunder"), [(100, 0, True), (20, 0, True), (19, 0, False), (60, 1, True), (60, 2, False)]
)
def test_a_blunder_is_often_worse_and_hardly_ever_better(better: int, worse: int, is_blunder: bool) -> None:
    """In how many of a hundred worlds another move does better and worse."""
    verdict = verdict_of([[0] * 100, [1] * better + [-1] * worse + [0] * (100 - better - worse)])
    blunder = verdict.blunder(verdict.moves[0])
    assert (blunder is not None) == is_blunder
    if blunder is not None:
        assert (blunder.better, blunder.cost) == (verdict.moves[1], (better - worse) / 100)
    assert verdict.blunder(verdict.moves[1]) is None
