"""A sample of `bench/silly.py`: moves that people laugh at, which casual and medium players do not make.

The positions are too few for shares to compare, but a player that makes such moves has become worse.
"""

import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from playing import GAMES

from upcard.players import Player, player
from upcard.players.endgame_solver import opponent
from upcard.rules.cards import as_set, read, text
from upcard.rules.game import Game

sys.path.append(str(Path(__file__).parents[1] / "bench"))
import mine
from mine import decisions, judged
from silly_moves import KINDS, judging
from silly_moves.judging import judge, positions, share_interval
from silly_moves.rolling_stone import leads_high

SAMPLED = [game.slug for game in GAMES if game.slug in ("cinch", "oh-hell", "sixty-six")]
"""Games whose rollouts are quick."""
EACH, WORLDS, DEALS = 8, 100, 12


def test_there_are_thirty_kinds_over_all_games() -> None:
    assert sum(map(len, KINDS.values())) >= 30 and all(KINDS.values())
    titles = [(slug, kind.title) for slug, ones in KINDS.items() for kind in ones]
    assert len({*titles}) == len(titles)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_silly_moves_are_some_of_several_legal_moves(game: type[Game]) -> None:
    for view in islice(decisions(game.slug, Random(1)), 100):
        moves = view.legal_moves()
        for kind in KINDS[game.slug]:
            ones = kind.silly(view.setup, view.state, view.seat or 0, moves)
            assert {*ones} < {*moves}


@pytest.mark.long
@pytest.mark.parametrize("slug", SAMPLED)
def test_casual_and_medium_players_make_hardly_any(slug: str) -> None:
    records = judge(slug, EACH, 1, WORLDS, ("casual", "medium"), DEALS)
    for level in ("casual", "medium"):
        costs = [cost for (_, other), record in records.items() if other == level for cost in record.costs]
        assert len(costs) >= EACH
        assert sum(cost > 0 for cost in costs) <= 1


def test_a_false_claim_costs_points_and_a_right_one_nothing() -> None:
    costs = {"claims without enough points": 0.0, "does not claim with enough points": 0.0}
    for position in positions("sixty-six", 2, 1, DEALS):
        if position.kind.title in costs:
            costs[position.kind.title] += position.cost_of(position.silly[0], WORLDS, 1)
    assert min(costs.values()) > 0


def test_only_what_could_be_made_instead_makes_a_move_an_error() -> None:
    wrong = next(one for one in positions("sixty-six", 2, 1, DEALS) if "without enough" in one.kind.title)
    assert wrong.cost_of(wrong.silly[0], WORLDS, 1) > 0
    alone = wrong._replace(kind=wrong.kind._replace(serves_as=lambda move, other: False))
    assert alone.cost_of(alone.silly[0], WORLDS, 1) == 0
    all_silly = wrong._replace(silly=wrong.view.legal_moves())
    assert all_silly.cost_of(wrong.silly[0], WORLDS, 1) == 0


@pytest.mark.long
def test_known_cards_are_judged_by_perfect_play() -> None:
    number = 0
    for view in (view for seed in range(3) for view in decisions("rounds", Random(seed)) if opponent(view) is not None):
        verdict = judged(view, 2, 1)
        moves = [view.game.notation.text(move) for move in verdict.moves]
        move = player("expert:1").choose(view, Random(1))
        assert (verdict.utilities[moves.index(move)] == verdict.utilities.max(axis=0)).all()
        number += 1
    assert number > 5


def test_the_clock_starts_when_everything_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []

    def note(event: str) -> float:
        events.append(event)
        return 0.0

    monkeypatch.setattr(judging, "warm_up", lambda *given: note("compile"))
    monkeypatch.setattr(judging, "time", SimpleNamespace(perf_counter=lambda: note("clock")))
    judge("sixty-six", 1, 1, 2, ("casual",), 1)
    assert events[:3] == ["compile", "clock", "clock"]


def test_everything_is_compiled_in_the_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    levels: list[str] = []

    def asked(level: str) -> Player:
        levels.append(level)
        return player(level)

    monkeypatch.setattr(mine, "player", asked)
    mine.warm_up("sixty-six", ("casual", "medium"))
    assert {*levels} == {"casual", "medium"}


def test_a_deal_gives_at_most_one_position_of_each_kind() -> None:
    number = Counter(one.kind.title for one in positions("sixty-six", 100, 1, 5))
    assert 1 < max(number.values()) <= 5


def test_a_high_lead_is_silly_only_where_a_lower_card_could_be_led() -> None:
    def silly(hand: str, known: str) -> list[str]:
        mine, its = ([card for word in words.split() if (card := read(word)) is not None] for words in (hand, known))
        s = SimpleNamespace(led=0, players=4, hand=[as_set(mine)], known=[0, as_set(its)])
        return [text(one) for one in leads_high(None, s, 0, mine)]

    assert silly("Kh 9h 7s", "Th") == ["Kh"]
    assert silly("Kh 7s", "Th") == []  # the only heart
    assert silly("Kh 9h 7s", "Ah") == []  # beaten by the next seat
    assert silly("Kh 9h 7s", "Ts") == []  # need not be followed


def test_intervals_of_shares_contain_the_share() -> None:
    for some, number in ((0, 5), (5, 5), (1, 300), (150, 300)):
        low, high = share_interval(some, number)
        assert 0 <= low <= some / number <= high <= 1.0000001
    assert share_interval(0, 0) == (0.0, 1.0)
