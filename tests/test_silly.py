"""A sample of `bench/silly.py`: moves that people laugh at, which casual and medium players do not make.

The positions are too few for shares to compare, but a player that makes such moves has become worse.
"""

import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from playing import GAMES

from upcard.rules.game import Game

sys.path.append(str(Path(__file__).parents[1] / "bench"))
from mine import decisions
from silly_moves import KINDS
from silly_moves.judging import cost_of, judge, positions, share_interval

SAMPLED = [game.slug for game in GAMES if game.slug in ("cinch", "oh-hell", "sixty-six")]
"""Games whose rollouts are quick."""
EACH, WORLDS, DEALS = 8, 100, 8


def test_there_are_thirty_kinds_over_all_games() -> None:
    assert sum(map(len, KINDS.values())) >= 30 and all(KINDS.values())
    titles = [(slug, title) for slug, ones in KINDS.items() for title, _ in ones]
    assert len({*titles}) == len(titles)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_silly_moves_are_some_of_several_legal_moves(game: type[Game]) -> None:
    for view in islice(decisions(game.slug, Random(1)), 100):
        moves = view.legal_moves()
        for _, silly in KINDS[game.slug]:
            ones = silly(view.setup, view.state, view.seat or 0, moves)
            assert {*ones} < {*moves}


@pytest.mark.parametrize("slug", SAMPLED)
def test_casual_and_medium_players_make_hardly_any(slug: str) -> None:
    records = judge(slug, EACH, 1, WORLDS, ("casual", "medium"), DEALS)
    for level in ("casual", "medium"):
        costs = [cost for (_, other), record in records.items() if other == level for cost in record.costs]
        assert len(costs) >= EACH
        assert sum(cost > 0 for cost in costs) <= 1


def test_a_false_claim_costs_points_and_a_right_one_nothing() -> None:
    costs = {"claims without enough points": 0.0, "does not claim with enough points": 0.0}
    for title, view, silly in positions("sixty-six", 2, 1, DEALS):
        if title in costs:
            costs[title] += cost_of(view, silly[0], WORLDS, 1)
    assert min(costs.values()) > 0


def test_intervals_of_shares_contain_the_share() -> None:
    for some, number in ((0, 5), (5, 5), (1, 300), (150, 300)):
        low, high = share_interval(some, number)
        assert 0 <= low <= some / number <= high <= 1.0000001
    assert share_interval(0, 0) == (0.0, 1.0)
