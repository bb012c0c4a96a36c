"""Wrong arguments are reported in one line; matches, views and games are copied, compared and pickled."""

import copy
import json
import pickle
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from small_game import SmallGame

from upcard import Match, Setup, UpcardError, games, shuffler
from upcard.engine.worlds import world
from upcard.players import player


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda match: match.view(9), "there is no seat 9: the seats are 0 to 1"),
        (lambda match: match.view("1"), "a seat is a whole number, not '1'"),
        (lambda match: match.actions(2), "there is no seat 2: the seats are 0 to 1"),
        (lambda match: match.history(9), "there is no seat 9: the seats are 0 to 1"),
        (lambda match: match.history(0, -1), "`since` is a whole number of events from 0 up, not -1"),
        (lambda match: match.history(0, "x"), "`since` is a whole number of events from 0 up, not 'x'"),
        (lambda match: match.legal(7), "there is no seat 7: the seats are 0 to 1"),
        (lambda match: match.legal_moves(-1), "there is no seat -1: the seats are 0 to 1"),
        (lambda match: match.told(2), "there is no seat 2: the seats are 0 to 1"),
        (lambda match: match.play(-1, "As"), "event 1: there is no seat -1 (SS-48)"),
        (lambda match: match.apply(-1, 0), "event 1: there is no seat -1 (SS-48)"),
        (lambda match: match.draw_lots(shuffler(1)), "no chance event is awaited"),
        (
            lambda _: Match("loo").draw_lots(cast(Any, 3)),
            "chance must be able to shuffle, like upcard.shuffler(), not 3",
        ),
        (lambda match: match.view(0).hand(2), "there is no seat 2: the seats are 0 to 1"),
        (lambda match: match.view(None).hand(-1), "there is no seat -1: the seats are 0 to 1"),
        (lambda match: match.apply("1", 0), "a seat is a whole number, not '1'"),
        (lambda match: match.in_world(3), "a world is a state of Sixty-Six, not 3"),
        (
            lambda _: Match("oh-hell", 3).in_world(Match("oh-hell", 5).state),
            "a world of this match has 3 players, not 5",
        ),
        (lambda _: Match("sixty-six").told(0), "nothing has happened yet"),
        (lambda _: Match("loo", options=cast(Any, 3)), "options are a dictionary of names and values, not 3 (LO-49)"),
        (
            lambda _: Match("loo", options=cast(Any, [])),
            "options are a dictionary of names and values, not a list (LO-49)",
        ),
        (
            lambda _: Match("loo", options=cast(Any, False)),
            "options are a dictionary of names and values, not false (LO-49)",
        ),
        (
            lambda match: world(match, Random(1)),
            "what a seat sees is a View, such as match.view(0), not a Match",
        ),
        (
            lambda match: player("casual").choose(match, Random(1)),
            "what a seat sees is a View, such as match.view(0), not a Match",
        ),
        (lambda _: Match("loo", chance=cast(Any, 3)), "chance must be able to shuffle, like upcard.shuffler(), not 3"),
        (
            lambda _: Match("loo", chance=cast(Any, Random)),
            "chance must be able to shuffle, like upcard.shuffler(), not a type",
        ),
        (lambda match: match.play("1", "As"), "a seat is a whole number, not '1'"),
        (lambda match: match.play(0, None), "a move is a text, not null"),
        (lambda match: match.legal_moves(None), "a seat is a whole number, not null"),
        (lambda match: match.view(0).allows(5), "a move is a text, not 5"),
        (lambda match: match.legal_moves(True), "a seat is a whole number, not true"),
        (lambda match: match.view(np.int64(9)), "there is no seat 9: the seats are 0 to 1"),
        (lambda match: match.view(np.float32(0)), "a seat is a whole number, not a float32"),
        (lambda match: match.apply(match.to_act[0], True), "an action is a whole number from 0 to 42, not true"),
        (lambda _: Match("loo", np.int64(99)), "Loo is for 5, 6, 7, 8, 9 or 10 players, not 99 (LO-1)"),
        (lambda _: Match("loo", True), "Loo is for 5, 6, 7, 8, 9 or 10 players, not true (LO-1)"),
        (lambda _: Match("loo", dealer=False), "the dealer is a seat from 0 to 5, not false (LO-5)"),
        (
            lambda _: Match("loo", options={"rounds": True}),
            "option rounds is a whole number from 1 to 10, not true (LO-41)",
        ),
        (lambda _: shuffler(cast(Any, [1])), "a seed is a whole number, not a list"),
        (lambda _: shuffler(cast(Any, "one")), "a seed is a whole number, not 'one'"),
        (lambda _: shuffler(cast(Any, 1.5)), "a seed is a whole number, not 1.5"),
        (lambda _: shuffler(True), "a seed is a whole number, not true"),
        (lambda _: Match(Setup("loo"), 3), "a setup has its players and options already"),
        (lambda _: Match(Setup("loo"), options={"rounds": 1}), "a setup has its players and options already"),
    ],
)
def test_wrong_arguments_are_told(call: Any, told: str) -> None:
    with pytest.raises(UpcardError) as refused:
        call(Match("sixty-six", chance=shuffler(1)))
    assert str(refused.value) == told


def test_numbers_of_numpy_are_numbers_and_leave_no_trace() -> None:
    """Seats, players and options in loops over arrays: records are JSON all the same."""
    plain = Match("oh-hell", 3, dealer=1, options={"max_cards": 2}, chance=shuffler(1))
    chance = shuffler(cast(Any, np.int64(1)))
    one: Any = Match("oh-hell", np.int64(3), dealer=np.uint8(1), options={"max_cards": np.int32(2)}, chance=chance)
    for seat in np.arange(3):
        assert one.view(seat) == plain.view(int(seat))
        assert type(one.view(seat).seat) is int
        assert one.view(None).hand(seat) == [None]
        assert one.history(seat, np.int64(1)) == plain.history(int(seat))[1:]
        assert (one.history(seat), one.told(seat)) == (plain.history(int(seat)), plain.told(int(seat)))
        assert (one.legal(seat), one.actions(seat)) == (plain.legal(int(seat)), plain.actions(int(seat)))
    for seat, action in zip(np.arange(3), np.array([next(iter(one.actions(seat))) for seat in range(3)]), strict=True):
        assert one.apply(seat, action) == plain.apply(int(seat), int(action))
    seat = np.int64(one.to_act[0])
    assert one.play(seat, one.legal(seat)[0]) == plain.play(int(seat), plain.legal(int(seat))[0])
    assert json.dumps(one.record()) == json.dumps(plain.record())
    tougher = games.load("sixty-six").variant("tougher", numbers={"enough": np.int64(70)})
    assert json.loads(json.dumps(tougher.identity))["numbers"] == {"enough": 70}


def test_a_generator_of_numpy_deals_and_draws() -> None:
    match, rng = Match("roundup", chance=np.random.default_rng(1)), Random(1)
    while not any(event.word == "draw" for event in match.events):
        seat = match.to_act[0]
        match.play(seat, rng.choice(match.legal(seat)))
    assert {type(card) for event in match.events for card in event.items} == {int}


def test_every_whole_number_is_a_seed_of_its_own() -> None:
    packs = [Match("sixty-six", chance=shuffler(seed)).record()["events"] for seed in (1, 1, -1, -1, 0)]
    assert packs[0] == packs[1] != packs[2] == packs[3]
    assert len({*map(str, packs)}) == 3


def test_a_fork_deals_from_a_generator_of_its_own() -> None:
    def next_deal(match: Match) -> str:
        while match.state.deals == 1:
            seat = match.to_act[0]
            match.play(seat, match.legal(seat)[0])
        return next(str(event) for event in match.events[::-1] if event.seat is None)

    def forks(match: Match) -> list[str]:
        return [next_deal(fork) for fork in (match.fork(), match.fork(), match.fork().fork())]

    alone, forked, again = (Match("sixty-six", chance=shuffler(4)) for _ in range(3))
    others = forks(forked)
    assert others == forks(again)
    assert next_deal(forked) == next_deal(again) == next_deal(alone)
    assert len({*others, next_deal(alone)}) == 4


def test_matches_views_and_games_pickle_and_compare() -> None:
    match = Match("oh-hell", 4, chance=shuffler(2))
    seen = match.view(1)
    assert pickle.loads(pickle.dumps(seen)) == seen
    assert len({seen, match.view(1), match.view(2)}) == 2
    assert pickle.loads(pickle.dumps(match.setup)) == match.setup
    assert pickle.loads(pickle.dumps(match.game)) is match.game
    assert copy.deepcopy(match.state) == match.state


def test_what_an_imported_game_of_ones_own_pickles_compares_equal() -> None:
    """Unpickling loads the file once more, so that the game and its state have other classes of the same names."""
    match = Match(SmallGame, chance=shuffler(2))
    for one in (match, match.view(0), match.state, match.setup, match.events[0]):
        assert pickle.loads(pickle.dumps(one)) == one


def test_a_setup_cannot_be_changed() -> None:
    """It is hashed, and was checked when it was made."""
    setup = Setup("oh-hell", 4, {"max_cards": 3})
    for name in ("players", "max_cards", "made", "anything"):
        with pytest.raises(AttributeError, match=f"a table's rules cannot be changed, `{name}` neither"):
            setattr(setup, name, 5)
    with pytest.raises(AttributeError, match="a table's rules cannot be changed"):
        del cast(Any, setup).max_cards
    assert {setup, Setup("oh-hell", 4, {"max_cards": 3}), Setup("oh-hell", 4)} == {setup, Setup("oh-hell", 4)}
    assert hash(setup) == hash(pickle.loads(pickle.dumps(setup)))


def test_the_repr_of_a_match_names_all_who_are_to_act() -> None:
    assert repr(Match("oh-hell", 3, chance=shuffler(1))).endswith(", phase bid, seats 0, 1 and 2 to act>")
    assert repr(Match("sixty-six", chance=shuffler(1))).endswith(", seat 1 to act>")


def test_a_copy_shares_nothing() -> None:
    """Not by `copy.copy` either: what is played in the copy leaves the match as it was."""
    match = Match("oh-hell", 4, chance=shuffler(2))
    before = match.record(), copy.deepcopy(match.state)
    other, state = copy.copy(match), copy.copy(match.state)
    other.play(other.to_act[0], other.legal(other.to_act[0])[0])
    state.hand[0] = 0
    assert (match.record(), match.state) == before
