"""OpenSpiel's states over compiled code: they agree with the engine, their copies are independent, C++ knows them."""

import pickle
from random import Random
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from playing import any_table

from upcard import UpcardError, envs
from upcard.envs.observation import Observer
from upcard.rules.game import Game


def take(state: Any, rng: Random) -> None:
    """Take a random action."""
    if state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    elif state.is_simultaneous_node():
        state.apply_actions([rng.choice(state.legal_actions(i) or [0]) for i in range(state.num_players())])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def dealt(spiel: Any, seed: int = 1) -> Any:
    state, rng = spiel.new_initial_state(), Random(seed)
    while state.is_chance_node():
        take(state, rng)
    return state


@pytest.mark.long
@pytest.mark.parametrize("number", range(2))
def test_states_agree_with_the_engine(game: type[Game], number: int) -> None:
    spiel = envs.open_spiel(**any_table(game, number), history=4)
    observer, rng, state = Observer(spiel.setup), Random(number), spiel.new_initial_state()
    for _ in range(400):
        match = state.course.match
        assert state.is_terminal() == match.done
        if match.done:
            break
        assert state.is_chance_node() == (match.awaiting is not None)
        if state.is_chance_node():
            assert dict(state.chance_outcomes()) == pytest.approx(match.chance_outcomes(state.course.order))
        else:
            for seat in range(match.players):
                assert state.legal_actions(seat) == [*match.actions(seat)]
                assert (state.position.observe(seat) == observer.observe(match.view(seat))).all()
        take(state, rng)


def test_copies_are_independent(game: type[Game]) -> None:
    state, rng = dealt(envs.open_spiel(game, history=4)), Random(1)
    before = str(state), state.legal_actions(), state.history()
    for copy in (state.clone(), state.child(state.legal_actions()[0]) if state.is_player_node() else state.clone()):
        for _ in range(10):
            if not copy.is_terminal():
                take(copy, rng)
        assert len(copy.history()) > len(before[2])
        assert (str(state), state.legal_actions(), state.history()) == before
    kept = state.clone()
    take(state, rng)
    assert (str(kept), kept.legal_actions(), kept.history()) == before


@pytest.mark.long
@pytest.mark.xdist_group("oh-hell")
def test_the_part_in_c_learns_of_all_actions() -> None:
    """Whoever moves a state, and in whatever order."""
    spiel = envs.open_spiel("oh-hell", 3, {"max_cards": 2}, history=4)
    state, rng, actions = spiel.new_initial_state(), Random(1), []
    for number in range(60):
        if state.is_terminal():
            break
        if number % 3 == 0:
            state = state.clone()
        if number % 5 == 0:
            state = pyspiel.State.clone(state)
        if state.is_simultaneous_node():
            chosen = [rng.choice(state.legal_actions(seat) or [0]) for seat in range(3)]
            (pyspiel.State.apply_actions if number % 2 else type(state).apply_actions)(state, chosen)
            actions += chosen
        else:
            action = rng.choice(state.legal_actions())
            (pyspiel.State.apply_action if number % 2 else type(state).apply_action)(state, action)
            actions.append(action)
        if number % 7 == 0:
            assert state.history() == actions
    assert state.history() == actions
    assert pickle.loads(pickle.dumps(state)).history() == actions
    again = spiel.deserialize_state(state.serialize())
    assert (str(again), again.history(), again.move_number()) == (str(state), actions, state.move_number())


def test_one_deal_is_a_game(game: type[Game]) -> None:
    for utility in ("share", "points"):
        spiel = envs.open_spiel(game, episode="deal", utility=utility, history=4)
        state, rng = spiel.new_initial_state(), Random(2)
        while not state.is_terminal():
            assert state.returns() == [0] * spiel.num_players()
            take(state, rng)
        match = state.course.match
        assert match.state.deals == 1
        assert match.done or match.awaiting == "deal"
        assert sum(state.returns()) == pytest.approx(0)
        assert state.legal_actions() == []
        with pytest.raises(UpcardError, match="the match is over"):
            state.apply_action(0)
        standings = [match.setup.utility(match.state, seat) for seat in range(match.players)]
        best = [seat for seat, standing in enumerate(standings) if standing == max(standings)]
        assert [seat for seat, got in enumerate(state.returns()) if got == max(state.returns())] == best
        if utility == "points":
            gaps = [got - state.returns()[0] for got in state.returns()]
            assert gaps == pytest.approx([standing - standings[0] for standing in standings])
        assert pyspiel.load_game(str(spiel)).episode == "deal"
        assert pickle.loads(pickle.dumps(spiel)).utility == utility


def test_what_is_no_episode_and_no_utility_is_refused() -> None:
    with pytest.raises(UpcardError, match=r"^episode is 'match' or 'deal', not 'hand'$"):
        envs.open_spiel("sixty-six", episode="hand")
    with pytest.raises(UpcardError, match=r"^utility is 'share' or 'points', not 'money'$"):
        envs.open_spiel("sixty-six", utility="money")


@pytest.mark.long
def test_openspiels_suite_plays_usual_tables_by_the_deal(game: type[Game]) -> None:
    pyspiel.random_sim_test(envs.open_spiel(game, episode="deal", utility="points"), 1, True, False)


@pytest.mark.xdist_group("sixty-six")
def test_openspiels_suite_plays_a_usual_match() -> None:
    pyspiel.random_sim_test(envs.open_spiel("sixty-six"), 1, True, False)


@pytest.mark.long
@pytest.mark.xdist_group("klaberjass")
def test_a_search_plays_a_usual_table() -> None:
    spiel = envs.open_spiel("klaberjass", episode="deal", utility="points")
    luck = mcts.np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(spiel, mcts.RandomRolloutEvaluator(1, luck), 100.0, 20, random_state=luck)
    state = dealt(spiel)
    assert bot.step(state) in state.legal_actions()
