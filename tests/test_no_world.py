"""A game whose rules leave a seat without a possible world: the table goes on, and the lab names the game."""

import logging
from collections import Counter
from random import Random
from typing import Any

import pytest
from sitting_down import LEVEL_NAMES, Notebook, plan, settle

from upcard import Match, Setup, lab
from upcard.compiled.dealer import Dealer
from upcard.engine.views import View
from upcard.engine.worlds import NoWorld
from upcard.games.loo import Loo
from upcard.games.loo.rules import LooState
from upcard.lab.seating import BadPlayer
from upcard.players import Rollouts, choose, player, warmup
from upcard.players.advice import advise
from upcard.rules import override
from upcard.rules.knowledge import Hypothesis
from upcard.table.seats import Occupant
from upcard.table.table import Table


class Worldless(Loo):
    title = "Worldless"

    @override
    def hypotheses(self, s: LooState, me: int) -> list[Hypothesis]:
        """Nothing that was said can have been meant."""
        return []


def seen() -> View[Any]:
    match: Match[Any] = Match(Worldless, chance=Random(1))
    return match.view(match.to_act[0])


@pytest.mark.xdist_group("loo")
def test_who_searches_finds_none_and_advice_can_tell_nothing() -> None:
    for search in (lambda: Dealer(seen()), lambda: player("strong").choose(seen(), Random(1))):
        with pytest.raises(NoWorld, match="no reading of what was said"):
            search()
    advice = advise(seen(), Rollouts(10), Random(1))
    assert len(advice.close) == len(advice.moves) > 1


@pytest.mark.xdist_group("loo")
def test_a_move_that_is_judged_is_compared_though_there_are_too_many_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.players.search.MOST_MOVES", 1)
    for move in seen().legal_moves():
        assert move in [rated.move for rated in advise(seen(), Rollouts(10), Random(1), also=move).moves]


@pytest.mark.xdist_group("loo")
def test_players_get_ready_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[View[Any]] = []

    def chosen(level: str, seen: View[Any]) -> str:
        if level != "strong":
            return choose(level, seen)
        with pytest.raises(NoWorld) as none:
            choose(level, seen)
        refused.append(seen)
        raise none.value

    monkeypatch.setattr(warmup, "step_back", lambda: None)
    monkeypatch.setattr(warmup, "choose", chosen)
    warmup.make_ready(Setup(Worldless), "strong")
    assert len(refused) == 3, "it goes on to the end of the deal"


@pytest.mark.xdist_group("loo")
def test_the_lab_names_the_game() -> None:
    told = (
        "^strong on seat 1, match 0 of seed 7, event 1: no deal of worldless fits what this seat has seen: no reading"
    )
    with pytest.raises(BadPlayer, match=told):
        lab.deals(Setup(Worldless), 1, by="strong", seed=7, dealer=0, jobs=1)


@pytest.mark.parametrize("at_once", [False, True])
async def test_at_the_table_casual_players_move_instead_and_it_is_said_once(
    caplog: pytest.LogCaptureFixture, at_once: bool
) -> None:
    asked, luck = Counter[str](), Random(1)

    def quickly(level: str, seen: View[Any]) -> str:
        asked[level] += 1
        if level == "strong":
            raise NoWorld("none fits what was said")
        return player(level).choose(seen, luck)

    async def slowly(level: str, seen: View[Any]) -> str:
        return quickly(level, seen)

    seats = [Occupant("computer", name, "strong") for name in ("Ada", "Basil")]
    think = quickly if at_once else slowly
    table = await Table.open(plan(target=1), seats, Notebook(), think, LEVEL_NAMES, Random(1))
    with caplog.at_level(logging.ERROR):
        await settle(table)
    assert table.match.done
    assert asked["casual"] == asked["strong"] > 5
    assert [record.getMessage() for record in caplog.records] == [
        f"table {table.plan.id}: no deal of sixty-six fits what a player has seen (none fits what was said): "
        "simple players move instead; `upcard check-game` may say more"
    ]
