"""OpenSpiel: its own test suites, unchanged, for all games, and what they do not cover."""

import linecache
import pickle
import subprocess
import sys
import unittest
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.tests import games_sim_test
from playing import any_table

from upcard import Match, UpcardError, envs, games
from upcard.engine.actions import action_space
from upcard.envs.history import Recall
from upcard.envs.spiel import register
from upcard.envs.spiel_course import as_text
from upcard.games.oh_hell import OhHell
from upcard.games.pickling import NotImportable
from upcard.rules import text
from upcard.rules.cards import CLUBS, all_of, as_list, bit, highest
from upcard.rules.game import Game
from upcard.rules.options import whole

TABLES = pytest.mark.parametrize("number", range(3))
SHORT: dict[str, dict[str, object]] = {
    "cinch": {"target": 11},
    "kalooki": {"contracts": "1"},
    "klaberjass": {"target": 51},
    "loo": {"rounds": 1},
    "ninety-nine": {"target": 50},
    "oh-hell": {"max_cards": 2},
    "rounds": {"target": 100},
    "roundup": {"target": 5},
    "sixty-six": {"target": 1},
}


def short(game: type[Game], number: int = 0) -> Any:
    """A game of short matches, with few rows of history; by number with other players and options."""
    told = any_table(game, number)
    return envs.open_spiel(**told | {"options": told.get("options", {}) | SHORT.get(game.slug, {}), "history": 4})


@pytest.mark.long
def test_random_simulation(game: type[Game]) -> None:
    """At one of the tables: after each event the whole match is written down and played again."""
    pyspiel.random_sim_test(short(game, len(game.slug) % 3), num_sims=1, serialize=True, verbose=False)


@pytest.mark.long
@TABLES
def test_pickled_simulation(game: type[Game], number: int) -> None:
    games_sim_test.GamesSimTest().sim_game(short(game, number))


@pytest.mark.long
@TABLES
def test_the_api_test(game: type[Game], number: int) -> None:
    spiel = short(game, number)
    name = spiel.get_type().short_name
    case = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), {"game_name": name, "game": spiel})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun > 3
    assert result.failures + result.errors == []


def play(spiel: Any, seed: int) -> Any:
    """A state at the end of a random match."""
    return play_to_the_end(spiel.new_initial_state(), Random(seed))


def play_to_the_end(state: Any, rng: Random) -> Any:
    while not state.is_terminal():
        if state.is_chance_node():
            cards, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(cards, weights)[0])
        elif state.is_simultaneous_node():
            state.apply_actions([rng.choice(state.legal_actions(i) or [0]) for i in range(state.num_players())])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.long
def test_a_match_ends_as_the_engine_says(game: type[Game]) -> None:
    state = play(short(game), 1)
    match = state.course.match
    assert match.done
    assert sum(state.returns()) == pytest.approx(0)
    assert [seat for seat, got in enumerate(state.returns()) if got == max(state.returns())] == match.winners


@pytest.mark.long
def test_the_past_of_a_long_match_is_kept_with_it() -> None:
    state = play(envs.open_spiel("rolling-stone", 4, {"deals": 15}, history=4), 2)
    again = pickle.loads(pickle.dumps(state)).course
    assert len(again.lines(0)) > 1000
    assert all(again.lines(who) == state.course.lines(who) for who in (*range(4), None))


def test_chance_speaks_card_by_card() -> None:
    state = envs.open_spiel("sixty-six", options={"target": 1}).new_initial_state()
    dealt = Match("sixty-six", chance=Random(1)).events[0].items
    for number, card in enumerate(dealt):
        outcomes = state.chance_outcomes()
        assert len(outcomes) == 24 - number
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        state.apply_action(card)
    assert state.course.match.events[0].text == f"deal {' '.join(map(text, dealt))}"
    assert state.current_player() == state.course.match.to_act[0]


def test_seat_0_is_the_first_dealer() -> None:
    """The other environments draw one by lot."""
    assert {envs.open_spiel(game).new_initial_state().course.match.first_dealer for game in games.SLUGS} == {0}


@pytest.mark.long
def test_secret_bids_are_simultaneous() -> None:
    spiel = envs.open_spiel("oh-hell", 3, {"max_cards": 1})
    state = spiel.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert state.is_simultaneous_node()
    before = [state.information_state_string(seat) for seat in range(3)]
    assert len(set(before)) == 3
    turns = pyspiel.convert_to_turn_based(spiel)
    assert turns.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    state.apply_actions([state.legal_actions(seat)[1] for seat in range(3)])
    assert state.information_state_string(0).startswith(before[0].rpartition("\n")[0])
    assert "0 bid 1, 1 bid 1, 2 bid 1" in state.information_state_string(2)


def test_an_information_state_does_not_tell_what_is_hidden() -> None:
    """Two deals that differ only in the other hand are one information state of this seat."""
    dealt = list(Match("sixty-six", chance=Random(1)).events[0].items)
    told = set()
    seen = set()
    hands = set()
    spiel = envs.open_spiel("sixty-six")
    for swap in (False, True):
        order = dealt[:]
        state = spiel.new_initial_state()
        if swap:  # a card of the other hand with one of the stock
            other = next(i for i, card in enumerate(order) if card in hands_of(dealt)[1])
            order[other], order[-1] = order[-1], order[other]
        for card in order:
            state.apply_action(card)
        hands.add(state.course.match.view(1).text())
        told.add(state.information_state_string(0))
        seen.add(np.array(state.observation_tensor(0)).tobytes())
    assert len(hands) == 2
    assert len(told) == len(seen) == 1


def hands_of(order: list[int]) -> list[list[int | None]]:
    match = Match("sixty-six")
    match.event(f"deal {' '.join(map(text, order))}")
    return [match.view(seat).hand() for seat in range(2)]


def test_a_marriage_that_was_shown_is_seen() -> None:
    """The cards are where they were before, but the observation and the information state are different."""
    leads = (Match("sixty-six", chance=Random(seed)) for seed in range(100))
    match = next(one for one in leads if "meld" in " ".join(one.legal(one.to_act[0])))
    state = envs.open_spiel("sixty-six").new_initial_state()
    for card in match.events[0].items:
        state.apply_action(card)
    seat, before = state.current_player(), state.clone()
    state.apply_action(next(action for action, move in match.actions(seat).items() if move.startswith("meld")))
    assert len(state.legal_actions()) < len(before.legal_actions())
    for one in (0, 1):
        assert state.observation_string(one) != before.observation_string(one)
        assert state.observation_tensor(one) != before.observation_tensor(one)
        assert state.information_state_tensor(one) != before.information_state_tensor(one)


def test_tables_are_parameters() -> None:
    spiel = envs.open_spiel("oh-hell", 7, {"bidding": "hook"}, history=9)
    again = pyspiel.load_game(str(spiel))
    assert (again.setup, again.recall.most) == (spiel.setup, 9)
    with pytest.raises(UpcardError, match="history is a whole number from 0 up, not -1"):
        envs.open_spiel("oh-hell", history=-1)
    assert pyspiel.load_game("upcard_oh_hell(players=7)").setup.options.max_cards == 7
    assert pyspiel.load_game("upcard_kalooki(contracts=19)").setup.options.chosen["contracts"] == "19"
    assert spiel.num_distinct_actions() == 52 + 8  # bids from 0 to 7


def test_numbers_of_a_table_may_be_those_of_numpy() -> None:
    players, rows, rounds = np.array([6, 3, 1])
    game = envs.open_spiel("loo", players, {"rounds": rounds}, history=rows)
    assert str(game) == str(envs.open_spiel("loo", 6, {"rounds": 1}, history=3))


def test_a_variant_has_a_name_of_its_own() -> None:
    quick, quicker = (
        games.load("sixty-six").variant("quick-sixty-six", numbers={"enough": enough}) for enough in (50, 40)
    )
    assert register(quick) == register(quick) != register(quicker)
    assert register(quick).startswith("upcard_quick_sixty_six_")
    one, other = envs.open_spiel(quick), envs.open_spiel(quicker)
    assert (one.setup.game, other.setup.game) == (quick, quicker)
    assert one != other
    for game in (one, other):
        for again in (
            pickle.loads(pickle.dumps(game)),
            pickle.loads(pickle.dumps(game.new_initial_state())).get_game(),
        ):
            assert again.setup.game == game.setup.game


def test_an_option_may_be_minus_one() -> None:
    """Which for an option whose usual value depends on the players stands for that value."""

    class AboveOhHell(OhHell):
        title = "Above"
        above: int = whole(0, -3, 3, clause="OH-1", help="?")

    assert [envs.open_spiel(AboveOhHell, 3, {"above": above}).setup.options.above for above in (-2, -1, 1)] == [
        -2,
        -1,
        1,
    ]


def test_no_option_has_the_name_of_another_parameter() -> None:
    with pytest.raises(UpcardError, match="every game has something else called history"):

        class WithHistory(OhHell):
            title = "With history"
            history: int = whole(5, 0, 9, clause="OH-1", help="?")


def test_variants_that_come_with_upcard_are_registered() -> None:
    assert pyspiel.load_game("upcard_schnapsen").setup.game == games.load("schnapsen")


ELSEWHERE = """
import pickle, sys
state = pickle.loads(sys.stdin.buffer.read())
print(state.get_game().setup.game.declared_numbers["enough"].value, state.observation_string(0))
"""


@pytest.mark.long
def test_a_state_of_a_variant_goes_to_another_process() -> None:
    quick = games.load("sixty-six").variant("quick-sixty-six", numbers={"enough": 40})
    state = dealt(envs.open_spiel(quick))
    told = subprocess.run([sys.executable, "-c", ELSEWHERE], input=pickle.dumps(state), capture_output=True, check=True)
    assert told.stdout.decode().strip() == f"40 {state.observation_string(0)}"


def test_a_variant_that_no_other_process_can_load_is_told_of() -> None:
    cell, name = (
        "from upcard.games.sixty_six import SixtySix\n"
        "from upcard.rules import override\n"
        "class Typed(SixtySix):\n"
        "    title = 'Typed'\n"
        "    @override\n"
        "    def utility(self, s, me):\n"
        "        return s.scores[me]\n",
        "cell 2.py",
    )
    linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
    scope: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(cell, name, "exec"), scope)
    state = envs.open_spiel(scope["Typed"]).new_initial_state()
    with pytest.raises(NotImportable, match="typed was made in a notebook or at a prompt"):
        pickle.dumps(state)


def test_a_table_that_cannot_be_is_refused() -> None:
    with pytest.raises(UpcardError, match="Sixty-Six is for 2 players, not 5"):
        envs.open_spiel("sixty-six", 5)


def where(state: Any) -> tuple[object, ...]:
    """Everything that an action changes."""
    course = state.course
    return (
        str(state),
        state.history(),
        course.order[:],
        [course.lines(who) for who in course.past],
        len(course.match.events),
    )


def dealt(spiel: Any) -> Any:
    state = spiel.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[-1][0])
    return state


WRONG: list[tuple[str, Any, str]] = [
    ("undealt", lambda state: state.apply_action(99), "chance has 24 cards to choose from, .* but not 99$"),
    ("undealt", lambda state: state.apply_action(5), "but not 7c$"),
    ("undealt", lambda state: state.apply_actions([0, 0]), "no seat is to act: chance comes first"),
    ("undealt", lambda state: state.action_to_string(-1, 53), "a card is a whole number from 0 to 52, not 53"),
    ("dealt", lambda state: state.apply_action(10**6), "an action is a whole number from 0 to 42, not 1000000"),
    ("dealt", lambda state: state.apply_action(({*range(24)} - {*state.legal_actions()}).pop()), "is not possible"),
    ("bids", lambda state: state.apply_action(52), "3 seats act at once: apply_actions takes an action for each"),
    ("bids", lambda state: state.apply_actions([52]), "there must be 3 actions, one for each seat, not 1"),
    ("bids", lambda state: state.apply_actions([52, 52, 999]), "an action is a whole number from 0 to 62, not 999"),
    ("bids", lambda state: state.apply_actions([52, 52, 0]), "2 'As' is not possible"),
    ("bids", lambda state: state.string_to_action("bid 0"), "string_to_action takes the seat, and then the text"),
    ("bids", lambda state: state.string_to_action(0, "bid 9"), "'bid 9' is not an action of player 0 now"),
    ("undealt", lambda state: resampled(state, 0, 1), "no seat is to act: chance comes first"),
    ("dealt", lambda state: resampled(state, 2, 1), "there is no seat 2: the seats are 0 to 1"),
    ("dealt", lambda state: pickle.dumps(resampled(state, 0, 1)), "cannot be pickled: no history leads to it"),
    ("over", lambda state: state.apply_action(0), "the match is over"),
    ("over", lambda state: state.apply_actions([0, 0]), "the match is over"),
]


@pytest.mark.long
def test_what_is_bid_at_once_is_found_by_its_text() -> None:
    state = dealt(envs.open_spiel("oh-hell", 3))
    for seat in range(3):
        for action in state.legal_actions(seat):
            assert state.string_to_action(seat, state.action_to_string(seat, action)) == action


@pytest.mark.parametrize(("when", "ask", "message"), WRONG, ids=[f"{when}: {what}" for when, _, what in WRONG])
def test_what_cannot_be_done_is_said_in_one_line_and_changes_nothing(when: str, ask: Any, message: str) -> None:
    two, three = envs.open_spiel("sixty-six", options={"target": 1}), envs.open_spiel("oh-hell", 3)
    states = {"undealt": two.new_initial_state, "dealt": lambda: dealt(two), "bids": lambda: dealt(three)}
    state = play(two, 1) if when == "over" else states[when]()
    before = where(state)
    with pytest.raises(UpcardError, match=message) as said:
        ask(state)
    assert "\n" not in str(said.value)
    assert where(state) == before


def test_a_seat_that_is_not_there_observes_nothing() -> None:
    state = dealt(envs.open_spiel("sixty-six"))
    observer = state.get_game().make_py_observer()
    for ask in (observer.set_from, observer.string_from):
        with pytest.raises(UpcardError, match="there is no seat -1: the seats are 0 to 1"):
            ask(state, -1)


NONE, ONE, ALL = (getattr(pyspiel.PrivateInfoType, name) for name in ("NONE", "SINGLE_PLAYER", "ALL_PLAYERS"))


@pytest.mark.parametrize("recalls", [False, True])
def test_what_everybody_sees_is_the_same_for_all(game: type[Game], recalls: bool) -> None:
    """With perfect recall, too."""
    spiel = short(game)
    public = spiel.make_py_observer(pyspiel.IIGObservationType(perfect_recall=recalls, private_info=NONE))
    rng = Random(1)
    state = dealt(spiel)
    for _ in range(12):
        if state.is_terminal():
            break
        told = set()
        for seat in range(spiel.num_players()):
            public.set_from(state, seat)
            told.add((public.string_from(state, seat), public.tensor.tobytes()))
        assert len(told) == 1
        assert as_text(state.course.match.view(None)) in public.string_from(state, 0)
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        elif state.is_simultaneous_node():
            state.apply_actions([rng.choice(state.legal_actions(i) or [0]) for i in range(spiel.num_players())])
        else:
            state.apply_action(rng.choice(state.legal_actions()))


def test_other_kinds_of_observers_are_refused() -> None:
    spiel = envs.open_spiel("sixty-six")
    for told in ({"private_info": ALL}, {"private_info": ONE, "public_info": False}):
        with pytest.raises(UpcardError, match=r"cannot show what all|without public_info, private_info must"):
            spiel.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True, **told))


def test_what_a_seat_sees_alone_is_its_hand() -> None:
    spiel = envs.open_spiel("sixty-six")
    kind = pyspiel.IIGObservationType(perfect_recall=False, public_info=False, private_info=ONE)
    private, state = spiel.make_py_observer(kind), dealt(spiel)
    for seat in range(2):
        private.set_from(state, seat)
        assert private.string_from(state, seat) == f"{seat}: hand {state.course.match.view(seat).state.hand}"
        assert {name for name, numbers in private.dict.items() if numbers.any()} == {"hand", "observer"}
        assert private.dict["hand"].sum() == 6


def resampled(state: Any, seat: int, seed: int) -> Any:
    return state.resample_from_infostate(seat, Random(seed).random)


def test_a_resampled_state_is_the_same_to_its_player_and_tells_nothing_of_the_others(game: type[Game]) -> None:
    """Its hands may be different, and the history that comes with it does not mention them."""
    spiel, rng = short(game), Random(3)
    state = dealt(spiel)
    others = set()
    for number in range(40):
        if state.is_terminal():
            break
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
            continue
        seat = state.position.acting()[0]
        drawn = resampled(state, seat, number)
        assert drawn.information_state_string(seat) == state.information_state_string(seat)
        assert drawn.information_state_tensor(seat) == state.information_state_tensor(seat)
        assert drawn.legal_actions(seat) == state.legal_actions(seat)
        assert drawn.current_player() == state.current_player()
        assert drawn.history() == []
        for other in range(spiel.num_players()):
            others.add(drawn.observation_string(other) != state.observation_string(other))
            past = drawn.information_state_string(other).splitlines()[:-1]
            assert other == seat or past == drawn.course.lines(None)
        if state.is_simultaneous_node():
            state.apply_actions([rng.choice(state.legal_actions(i) or [0]) for i in range(spiel.num_players())])
        else:
            if number % 10 == 0:
                play_to_the_end(drawn.clone(), rng)
            state.apply_action(rng.choice(state.legal_actions()))
    assert others == {False, True}


def test_a_sampler_may_give_any_kind_of_float() -> None:
    state = dealt(envs.open_spiel("sixty-six"))
    drawn = [state.resample_from_infostate(0, lambda kind=kind: kind(0.5)) for kind in (float, np.float32)]
    assert drawn[0].course.match.state == drawn[1].course.match.state


def shown_last(state: Any, seat: int) -> set[int]:
    """The cards that the last event has shown to a seat, as the tensor of its information state has them."""
    game = state.get_game()
    row = np.array(state.information_state_tensor(seat)[-game.recall.width :])
    return {card for card, number in zip(action_space(game.setup).pack, shown(game.recall, row), strict=True) if number}


def shown(recall: Recall, row: Any) -> Any:
    column = recall.columns["shown"]
    return row[column.start : column.start + column.width]


@pytest.mark.long
def test_the_dealers_card_that_is_turned_up_is_shown() -> None:
    state = dealt(envs.open_spiel("linger-longer", 3))
    upcard = state.course.match.state.upcard
    for seat in range(3):
        assert shown_last(state, seat) == {upcard}


def test_a_deal_does_not_show_what_lay_open_before_it() -> None:
    """The hand that won the last deal is still seen, but the deal has turned up one card only."""
    state = envs.open_spiel("linger-longer", 3, {"deals": 2}).new_initial_state()
    while state.course.match.state.deals < 2:
        state.apply_action(state.legal_actions()[-1])
    assert state.course.match.state.last_hand
    assert shown_last(state, 0) == {state.course.match.state.upcard}


def test_a_card_that_lies_open_after_two_deals_is_shown_twice() -> None:
    match = Match("rolling-stone", 4, chance=Random(1))
    match.apply(match.to_act[0], min(match.actions(match.to_act[0])))
    recall, views = Recall(match.setup, 1, sights=True), []
    for left in (all_of(CLUBS), bit(highest(all_of(CLUBS)))):
        state = match.view(0).state.copy()
        state.last_hand[2] = left
        views.append(replace(match.view(0), state=state))
    (row,) = recall.table([recall.came(match.told(0), *views)])
    assert shown(recall, row).sum() == 1


@pytest.mark.long
@pytest.mark.parametrize("offers", [("declare", "pass", "pass"), ("reveal",)], ids=" ".join)
def test_a_bid_and_a_hand_that_are_exposed_are_shown(offers: tuple[str, ...]) -> None:
    state = dealt(envs.open_spiel("ninety-nine", 3))
    state.apply_actions([state.legal_actions(seat)[0] for seat in range(3)])
    bold = state.current_player()
    for offer in offers:
        state.apply_action(state.string_to_action(offer))
    seen = state.course.match.view(None).state
    assert seen.turned[bold]
    for seat in range(3):
        assert shown_last(state, seat) == {*as_list(seen.turned[bold] | seen.shown[bold])}


def test_a_card_drawn_just_before_a_deal_ends_is_not_forgotten() -> None:
    """The winner of a trick ends the deal at once. The other has drawn a card too, and is not asked again in it."""
    told = set()
    cards = list(Match("sixty-six", chance=Random(1)).events[0].items)
    for swap in (False, True):
        state, order = envs.open_spiel("sixty-six").new_initial_state(), cards[:]
        if swap:  # the card that the other draws, with the one below it in the stock
            order[14], order[-1] = order[-1], order[14]
        for card in order:
            state.apply_action(card)
        for _ in range(2):
            state.apply_action(state.legal_actions()[0])
        other = 1 - state.current_player()
        state.apply_action(state.string_to_action("declare"))
        for card in cards:
            state.apply_action(card)
        told.add(state.information_state_string(other))
    assert len(told) == 2


@pytest.mark.parametrize("slug", ["cinch", "klaberjass", "linger-longer", "loo", "rolling-stone", "sixty-six"])
def test_openspiels_search_in_python_plays_sequential_games(slug: str) -> None:
    spiel = short(games.load(slug))
    state, luck = dealt(spiel), np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(spiel, mcts.RandomRolloutEvaluator(1, luck), 1.0, 2, random_state=luck)
    assert bot.step(state) in state.legal_actions()


def test_a_state_keeps_no_more_rows_than_its_tensor_has() -> None:
    state = play(envs.open_spiel("sixty-six", history=4), 1)
    assert {len(rows) for rows in state.course.rows.values()} == {4}


def test_what_happens_to_a_clone_is_not_told_to_the_state() -> None:
    state = dealt(envs.open_spiel("sixty-six", history=9))
    before = where(state), [state.information_state_tensor(seat) for seat in range(2)]
    play_to_the_end(state.clone(), Random(1))
    assert (where(state), [state.information_state_tensor(seat) for seat in range(2)]) == before
