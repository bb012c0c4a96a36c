"""Loo: the clauses of flushes."""

from typing import Any

import pytest
from games.loo.positions import cards, dealt, five, last, play, scene
from playing import refused

from upcard import Setup
from upcard.games.loo.rules import NO_FLUSH
from upcard.rules.cards import CLUBS, HEARTS, SUITS


def rank(hand: str, trump: str = "h") -> int:
    table: Any = Setup("loo").options
    position = table.state()
    position.trump = SUITS.index(trump)
    return table.flush_rank(position, cards(hand))


@pytest.mark.clause("LO-14")
@pytest.mark.parametrize(
    ("hand", "flush"),
    [
        ("As Ks Qs 3s 2s", True),
        ("Jc Ks Qs 3s 2s", True),
        ("Jc Kc Qc 3c 2c", True),
        ("Jc Kh Qh 3h 2h", True),
        ("Jc Ks Qs 3s 2d", False),
        ("Jc Ks Qs 3s 2h", False),
        ("As Ks Qs 3s 2d", False),
        ("Jc Kc Qc 3c 2d", False),
    ],
)
def test_what_a_flush_is(hand: str, flush: bool) -> None:
    table: Any = Setup("loo").options
    for trump in (HEARTS, CLUBS):
        position = table.state()
        position.trump = trump
        assert (table.flush_kind(position, cards(hand)) != NO_FLUSH) is flush
    match = dealt(five(s1=hand), "9h", [1, 2], "early")
    assert ("flush" in match.legal(1)) is flush
    if not flush:
        assert refused(match, "1 flush") == "LO-14"


@pytest.mark.clause("LO-14", "LO-18")
def test_four_clubs_and_pam_are_a_mouche_even_when_clubs_are_trumps() -> None:
    assert rank("Jc 5c 4c 3c 2c", "c") > rank("Ac Kc Qc Tc 9c", "c")
    assert rank("Jc 5s 4s 3s 2s") > rank("Ah Kh Qh Jh Th") > rank("As Ks Qs Js Ts") > 0


@pytest.mark.clause("LO-19")
def test_of_the_same_kind_the_higher_cards_decide_from_the_top_down() -> None:
    assert rank("As 6s 4s 3s 2s") > rank("Kd Qd Jd Td 9d")
    assert rank("Ks Qs 4s 3s 2s") > rank("Kd Jd Td 9d 8d")
    assert rank("Ks Qs 5s 4s 3s") > rank("Kd Qd 5d 4d 2d")
    assert rank("Ks Qs 5s 4s 3s") == rank("Kd Qd 5d 4d 3d")


@pytest.mark.clause("LO-15", "LO-17")
def test_everyone_in_is_asked_before_the_exchange_and_need_not_show() -> None:
    match = dealt(five(s1="As Ks Qs 3s 2s", s2="2d 3d 4c 5c 6d", s4="7c 8c 9d Td 7s"), "Th", [1, 2, 4], "early")
    assert match.to_act == [1]
    assert sorted(match.legal(1)) == ["flush", "no"]
    play(match, "1 no")
    assert (match.to_act, match.legal(2)) == ([2], ["no"])
    play(match, "2 no", "4 no")
    assert match.phase == "exchange"


@pytest.mark.clause("LO-16", "LO-17", "LO-20")
def test_a_flush_kept_back_may_be_shown_after_the_exchange_and_ends_the_deal() -> None:
    match = dealt(five(s1="As Ks Qs 3s 2s", s2="2d 3d 4c 5c 6d", s4="7c 8c 9d Td 7s"), "Th", [1, 2, 4], "late")
    assert match.to_act == [1]
    play(match, "1 flush")
    assert match.to_act == [2], "a round is asked to its end"
    play(match, "2 no", "4 no")
    assert match.awaiting == "deal"
    assert (last(match)["flush"], last(match)["tricks"], last(match)["won"]) == (1, [0, 5, 0, 0, 0], [0, 5, 0, 0, 0])


@pytest.mark.clause("LO-16")
def test_the_late_round_begins_when_all_have_exchanged() -> None:
    hands = five(s1="As Ks Qs 3s 2d", s2="2c 3d 4c 5c 6d")
    match = dealt(hands, "Th", [1, 2], "exchange", top="4s 5s")
    play(match, "1 discard 2d")
    assert match.to_act == [2]
    play(match, "2 keep")
    assert (match.phase, sorted(match.legal(1)), match.legal(2)) == ("late", ["flush", "no"], [])
    play(match, "1 no", "2 no")
    assert (match.phase, match.to_act) == ("play", [1])


@pytest.mark.clause("LO-14", "LO-18", "LO-19", "LO-20", "LO-21")
@pytest.mark.parametrize(("flush_pays", "paid"), [("in", [5, 0, 0, 0, 5]), ("all", [5, 0, 5, 0, 5])])
def test_example_5_which_flush(flush_pays: str, paid: list[int]) -> None:
    hands = ["2s 3s 4d 6d 7h", "Kc Qc 9c 4c 3c", "4s 5s 7d 8h 9h", "Jc 8d 5d 3d 2d", "6s 7s 9d Td Th"]
    match = dealt(hands, "5c", [0, 1, 3, 4], "early", flush_pays=flush_pays)
    play(match, "1 flush", "3 flush", "4 no", "0 no")
    assert last(match)["flush"] == 3
    assert last(match)["won"] == [0, 0, 0, 5, 0]
    assert last(match)["tricks"] == [0, 0, 0, 5, 0]
    assert last(match)["paid"] == paid
    assert match.report()["pot"] == sum(paid)


@pytest.mark.clause("LO-19", "LO-21")
def test_example_6_equal_flushes() -> None:
    hands = ["Qc 3h 4s 7c 6d", "2c 3d 4c 6c 7d", "As Ts 8s 5s 2s", "3c 4d 6s 7s 9h", "Ad Td 8d 5d 2d"]
    match = dealt(hands, "Kh", [2, 4, 0], "early")
    play(match, "2 flush", "4 flush", "0 no")
    assert (last(match)["flush"], last(match)["paid"]) == (2, [5, 0, 0, 0, 0])


@pytest.mark.clause("LO-50")
def test_equal_flushes_can_share_the_pot_and_odd_chips_go_to_the_first_in_turn() -> None:
    hands = ["Qc 3h 4s 7c 6d", "2c 3d 4c 6c 7d", "As Ts 8s 5s 2s", "3c 4d 6s 7s 9h", "Ad Td 8d 5d 2d"]
    match = dealt(hands, "Kh", [2, 4, 0], "early", level="share")
    play(match, "2 flush", "4 flush", "0 no")
    assert (last(match)["flush"], last(match)["won"]) == (2, [0, 0, 3, 0, 2])
    assert (last(match)["tricks"], last(match)["paid"]) == ([0, 0, 5, 0, 0], [5, 0, 0, 0, 0])
    assert match.report()["pot"] + sum(match.scores) == 0
    said = " / ".join(scene(match, None).result)
    assert "{2} looes the board with a flush and takes 3 of the pot of 5" in said
    assert "{4} looes the board with a flush and takes 2 of the pot of 5" in said


@pytest.mark.clause("LO-50")
def test_a_worse_flush_has_no_share() -> None:
    hands = ["Qc 3h 4s 7c 6d", "2c 3d 4c 6c 7d", "As Ts 8s 5s 2s", "3c 4d 6s 7s 9h", "Ad Td 9d 5d 2d"]
    match = dealt(hands, "Kh", [2, 4, 0], "early", level="share")
    play(match, "2 flush", "4 flush", "0 no")
    assert (last(match)["flush"], last(match)["won"]) == (4, [0, 0, 0, 0, 5])


@pytest.mark.clause("LO-19", "LO-21")
def test_only_shown_flushes_compete_but_holding_one_is_enough_not_to_pay() -> None:
    hands = five(s1="5s 4s 6s 3s 2s", s2="Jc Ad Kd Qd Td", s3="2c 3d 4c 5c 6d", s4="7c 8c 9d 8d 7s")
    match = dealt(hands, "Th", [1, 2, 3, 4], "early")
    play(match, "1 flush", "2 no", "3 no", "4 no")
    assert (last(match)["flush"], last(match)["won"][1]) == (1, 5)
    assert last(match)["paid"] == [0, 0, 0, 5, 5]


@pytest.mark.clause("LO-21", "LO-11")
def test_who_is_in_with_pam_does_not_pay_and_with_flush_pays_all_nor_who_passed_with_pam_or_a_flush() -> None:
    hands = ["Ad Kd Qd 3d 2d", "As Ks Qs 3s 2s", "Jc 4d 5c 6c 7d", "8c 9d Td 4s 5s", "2c 3c 6d 7s 8s"]
    match = dealt(hands, "Th", [1, 2], "early", flush_pays="all")
    play(match, "1 flush", "2 no")
    assert last(match)["paid"] == [0, 0, 0, 5, 5]
    match = dealt(hands, "Th", [1, 3], "early", flush_pays="all")
    play(match, "1 flush", "3 no")
    assert last(match)["paid"] == [0, 0, 0, 5, 5]
    match = dealt(hands, "Th", [1, 3], "early")
    play(match, "1 flush", "3 no")
    assert last(match)["paid"] == [0, 0, 0, 5, 0]
