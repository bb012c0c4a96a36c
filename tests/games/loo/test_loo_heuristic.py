"""Loo by rules of thumb."""

from random import Random
from typing import Any

import pytest
from games.loo.positions import LOO, dealt, five, options, play, state
from playing import seen_by as sees

from upcard import Match, Setup
from upcard.engine.chance import shuffler
from upcard.games.loo import heuristic
from upcard.games.loo.heuristic import SURE
from upcard.games.loo.rules import PLAY


def heuristic_move(match: Match, seat: int) -> str:
    """The move of a player who is handed a view."""
    seen = match.view(seat)
    moves = seen.legal_moves()
    return LOO.notation.text(options(match).choose(sees(match, seat), seat, moves, len(moves), 0))


@pytest.mark.clause("LO-44")
def test_the_heuristic_beats_chance() -> None:
    rng, won = Random(7), 0
    for number in range(6):
        match = Match("loo", 5, options={"rounds": 1}, chance=shuffler(number))
        while not match.done:
            seat = match.to_act[0]
            match.play(seat, heuristic_move(match, seat) if seat == 2 else rng.choice(match.legal(seat)))
        won += match.winners == [2]
    assert won >= 4


def test_the_heuristic_on_plain_hands() -> None:
    match = dealt(["Ah Kh Jc 3s 2d", "2s 3c 4d 5d 6c", "As Ks Qs 5s 4s", "", ""], "2h")
    assert heuristic_move(match, 1) == "pass"
    play(match, "1 pass")
    assert heuristic_move(match, 2) == "play", "a flush is worth the pot"
    play(match, "2 play", "3 pass", "4 pass")
    assert heuristic_move(match, 0) == "play"
    play(match, "0 play")
    assert heuristic_move(match, 2) == "flush"
    play(match, "2 no", "0 no", "2 keep")
    assert heuristic_move(match, 0) == "discard 3s 2d"
    drawing = dealt(five(s1="As Ks Qs 5s 2d", s2="2c 3c 4d 5d 6c"), "Th", [1, 2], "exchange")
    assert heuristic_move(drawing, 1) == "discard 2d"
    led = dealt(five(s1="Ah 3d 3s 4s 2d", s2="2c 3c 4d 5d 6c"), "Th", [1, 2], "play")
    assert heuristic_move(led, 1) == "civil Ah"
    assert state(led).phase == PLAY


@pytest.mark.parametrize("size", [5, 7])
def test_chances_told_at_once_are_those_told_one_by_one(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {"size": size, "stake": size, "looed": size}
    game = LOO.variant("loo-by-size", numbers=numbers, most_moves=1 << size)
    match = Match(game, 5, options={"rounds": 1}, chance=shuffler(size))
    while not match.done:
        seat = match.to_act[0]
        move = heuristic_move(match, seat)
        with monkeypatch.context() as change:
            change.setattr(heuristic, "AT_ONCE", 0)
            assert heuristic_move(match, seat) == move
        match.play(seat, move)


def test_the_chance_of_none_is_rounded_down_card_by_card() -> None:
    table: Any = Setup("loo").options
    for many in range(1, 54):
        for such in range(many + 1):
            chance = SURE
            for drawn in range(1, many + 1):
                left = many - drawn + 1
                chance = chance * max(left - such, 0) // left
                assert table.without(drawn, such, many) == chance
