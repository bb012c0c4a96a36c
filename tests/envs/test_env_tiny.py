"""The tiny tables: searched exhaustively, and solved by OpenSpiel, with answers known from other sources."""

import unittest
from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts

from upcard import Match, UpcardError, envs
from upcard.engine.actions import action_space
from upcard.engine.records import replay
from upcard.envs import tiny
from upcard.envs.episode import outcome_values
from upcard.lab.simulate import simulate
from upcard.rules import text
from upcard.rules.game import Game

OH_HELL_DEALS = 24
COUNTS = {
    # 24 deals of four cards, 8 ways to bid, and the one card of each seat is played. A seat knows its card and the
    # upcard (12 ways) when it bids, all bids when it leads, and then one of two cards more.
    "oh-hell": (1 + 4 + 12 + 24, OH_HELL_DEALS * (1 + 2 + 4 + 8 * 3), OH_HELL_DEALS * 8, 12 * (3 + 8 * (1 + 2 + 2))),
    # Five cards are dealt card by card, but to the last; for the others there is no formula, they have been counted.
    "rounds": (1 + 5 + 20 + 60 + 120, 968, 304, 242),
    "sixty-six": (1 + 4 + 12 + 24, 144, 120, 120),
}
TABLES = {"oh-hell": tiny.OH_HELL, "rounds": tiny.ROUNDS, "sixty-six": tiny.SIXTY_SIX}


def tree(name: str) -> Any:
    """The game of a tiny table, with one seat acting at a time."""
    spiel = envs.open_spiel(TABLES[name], history=12)
    at_once = spiel.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    return pyspiel.convert_to_turn_based(spiel) if at_once else spiel


@pytest.mark.long
@pytest.mark.parametrize("name", TABLES)
def test_the_api_test_over_a_whole_tree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    *states, known = COUNTS[name]
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, tuple(states))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, known)
    case = type("Case", (api_test.EnforceAPIOnFullTreeBase,), {"game_name": name, "game": tree(name)})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun == 8
    assert result.failures + result.errors == []


def situations(state: Any) -> Iterator[tuple[str, bytes]]:
    """The information states of the seat to act, as texts and as tensors, from here to the end."""
    if not state.is_chance_node() and not state.is_terminal():
        yield state.information_state_string(), np.array(state.information_state_tensor()).tobytes()
    for action in state.legal_actions():
        yield from situations(state.child(action))


@pytest.mark.parametrize("name", ["oh-hell", "sixty-six"])
def test_the_tensor_of_an_information_state_tells_what_its_text_tells(name: str) -> None:
    found = set(situations(tree(name).new_initial_state()))
    assert len(found) == len(dict(found)) == len({tensor for _, tensor in found})


def best_bids(setup: Game, seat: int) -> float:
    """The value of Oh Hell with one card each for a seat that bids perfectly against random bids: all deals and bids
    are tried, and the better bid is chosen for each card with each upcard."""
    worth: dict[Any, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for order in permutations(action_space(setup).pack):
        for bids in product((0, 1), repeat=3):
            match = Match(setup)
            match.event(f"deal {' '.join(map(text, order))}")
            knows = match.state.hand[seat], match.state.upcard
            for who, tricks in enumerate(bids):
                match.play(who, f"bid {tricks}")
            while not match.done:
                [only] = match.legal(match.to_act[0])
                match.play(match.to_act[0], only)
            worth[knows][bids[seat]] += outcome_values(match)[seat] / (OH_HELL_DEALS * 4)
    return sum(max(of_bids.values()) for of_bids in worth.values())


@pytest.mark.long
def test_the_best_response_is_that_of_trying_everything() -> None:
    spiel = tree("oh-hell")
    at_random = policy.UniformRandomPolicy(spiel)
    for seat in range(3):
        found = exploitability.best_response(spiel, at_random, seat)["best_response_value"]
        assert found == pytest.approx(best_bids(tiny.OH_HELL, seat))
        assert found > 0.05


def test_counterfactual_regrets_find_the_equilibrium() -> None:
    spiel = tree("sixty-six")
    solver = cfr.CFRPlusSolver(spiel)
    before = exploitability.nash_conv(spiel, policy.UniformRandomPolicy(spiel))
    for _ in range(10):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(spiel, solver.average_policy()) < 0.025 < before / 5


@pytest.mark.parametrize("name", ["rounds", "sixty-six"])
def test_a_tree_search_over_information_states_plays_a_whole_match(name: str) -> None:
    """OpenSpiel's own search, unchanged, which samples its worlds from information states."""
    spiel, luck = tree(name), np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(spiel, mcts.RandomRolloutEvaluator(1, luck), 1.0, 20, random_state=luck)
    state = spiel.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            state.apply_action(bot.step(state))
    assert sum(state.returns()) == 0


@pytest.mark.long
@pytest.mark.parametrize("name", TABLES)
def test_they_play_compiled_as_they_play_plain(name: str) -> None:
    setup = TABLES[name]
    written: list[Any] = []
    by = ["random", "heuristic", "random"][: setup.players]
    found = simulate(setup, 12, 3, by=by, records=written.append)
    ends = [replay(record, setup.game) for record in written]
    assert all(match.done for match in ends)
    for seat in found.seats:
        assert seat.mean == pytest.approx(sum(match.scores[seat.seat] for match in ends) / len(ends))


def test_a_setup_says_all() -> None:
    with pytest.raises(UpcardError, match="a setup has its players and options already"):
        envs.open_spiel(tiny.OH_HELL, 3)
