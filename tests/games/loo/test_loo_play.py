"""Loo: the clauses of the exchange and of the play."""

from random import Random

import pytest
from games.loo.positions import LOO, PACK, dealt, five, last, play, state, ten_players
from playing import refused

from upcard import Match
from upcard.rules.cards import as_list, read, text
from upcard.table.scene import describe

# ----------------------------------------------------------------------------------------------------- the exchange


@pytest.mark.clause("LO-22")
def test_none_to_five_cards_may_be_changed() -> None:
    match = dealt(five(s1="As 4d 5c 6c 7d", s2="2c 3d 4c 8d 9d"), "Th", [1, 2], "exchange")
    moves = match.legal(1)
    assert len(moves) == 32 == len(set(moves)) == LOO.most_moves
    assert {"keep", "discard As", "discard 6c", "discard As 7d 4d 6c 5c", "discard 4d 5c"} <= set(moves)
    for thrown in ("discard Kh", "discard As As", "discard 5c 4d", "discard *", "discard As x", "discard 1"):
        assert refused(match, f"1 {thrown}") == "LO-22"
    assert refused(match, "1 discard As 7d 4d 6c 5c Kh") == "LO-22"
    for word in ("no", "As", "play", "discards As", "keep As", "discard"):
        assert refused(match, f"1 {word}") == "LO-49"
    play(match, "1 keep")
    assert (match.to_act, sorted(match.report()["hands"][1])) == ([2], sorted("As 4d 5c 6c 7d".split()))
    play(match, "2 discard 9d 8d 3d 4c 2c")
    assert len(match.report()["hands"][2]) == 5
    assert match.report()["discard"] == 15 + 5


@pytest.mark.clause("LO-23")
def test_the_cards_come_from_the_top_of_the_stock() -> None:
    hands = five(s1="As 4d 5c 6c 7d", s2="2c 3d 4c 8d 9d")
    match = dealt(hands, "Th", [1, 2], "exchange", top="Qh 2s 3s")
    play(match, "1 discard 4d 5c", "2 discard 3d")
    assert sorted(match.report()["hands"][1]) == sorted("As 6c 7d Qh 2s".split())
    assert sorted(match.report()["hands"][2]) == sorted("2c 4c 8d 9d 3s".split())
    assert match.report()["stock"] == 23
    assert state(match).changed[:5] == [-1, 2, 1, -1, -1]


@pytest.mark.clause("LO-9", "LO-23", "LO-24", "LO-25")
def test_example_8_ten_players() -> None:
    match = ten_players([1, 2, 3, 4])
    dead = [card for seat in range(10) for card in map(text, as_list(state(match).buried[seat]))]
    hand = match.report()["hands"][1]
    assert (match.report()["stock"], match.report()["discard"], len(dead)) == (1, 30, 30)
    thrown = [card for card in PACK if card in hand][:3]
    play(match, f"1 discard {' '.join(thrown)}")
    assert (match.awaiting, match.phase, match.to_act, match.report()["legal"]) == ("reshuffle", "exchange", [], {})
    assert len(match.report()["hands"][1]) == 3, "two are still to be drawn"
    assert match.report()["discard"] == 30
    for wrong in (dead[1:], [*dead[1:], thrown[0]], [*dead, thrown[0]], [*dead[1:], "Jc"], []):
        assert refused(match, " ".join(["reshuffle", *wrong])) == "LO-24"
    play(match, " ".join(["reshuffle", *dead]))
    report = match.report()
    assert sorted(report["hands"][1]) == sorted([*(set(hand) - set(thrown)), "Jc", *dead[:2]])
    assert (report["stock"], report["discard"], match.to_act) == (28, 3, [2])
    assert [text(card) for card in state(match).stock[:28]][::-1] == dead[2:]


@pytest.mark.clause("LO-24")
def test_a_stock_that_ends_with_a_draw_is_not_renewed_before_somebody_needs_a_card() -> None:
    match = ten_players([1, 2, 3, 4])
    play(match, f"1 {next(move for move in match.legal(1) if len(move.split()) == 2)}")
    assert (match.awaiting, match.report()["stock"], match.report()["discard"]) == (None, 0, 31)
    play(match, "2 keep")
    assert match.awaiting is None
    play(match, f"3 {next(move for move in match.legal(3) if len(move.split()) == 2)}")
    assert match.awaiting == "reshuffle"
    assert len(match.draw_lots(Random(1)).split()) == 1 + 31


@pytest.mark.clause("LO-25")
def test_nobody_may_throw_away_more_than_can_be_drawn() -> None:
    match = ten_players(range(10))
    hand = [card for card in PACK if card in match.report()["hands"][1]]
    assert sorted(match.legal(1)) == sorted(["keep", *(f"discard {card}" for card in hand)])
    assert refused(match, f"1 discard {hand[0]} {hand[1]}") == "LO-25"
    assert refused(match, f"1 discard {hand[1]} {hand[0]}") == "LO-22"
    play(match, f"1 discard {hand[0]}")
    assert max(len(move.split()) for move in match.legal(2)) == 2
    one = match.legal(2)[1]
    play(match, f"2 {one}", f"reshuffle {hand[0]}")
    assert hand[0] in match.report()["hands"][2]


@pytest.mark.clause("LO-24", "LO-25")
def test_option_stock_limit() -> None:
    match = ten_players([1, 2, 3, 4], stock="limit")
    assert max(len(move.split()) for move in match.legal(1)) == 2
    hand = [card for card in PACK if card in match.report()["hands"][1]]
    assert refused(match, f"1 discard {hand[0]} {hand[1]}") == "LO-25"
    play(match, f"1 discard {hand[0]}")
    assert match.legal(2) == ["keep"]
    hand = [card for card in PACK if card in match.report()["hands"][2]]
    assert refused(match, f"2 discard {hand[0]}") == "LO-25"


# --------------------------------------------------------------------------------------------------------- the play


@pytest.mark.clause("LO-26", "LO-27")
def test_the_first_in_leads_any_card_and_who_takes_a_trick_leads_to_the_next() -> None:
    hands = five(s2="As 4d 5c 6c 7d", s4="2s 3d 4c 8d 9d", s0="Ks 3c 9c Td 8c")
    match = dealt(hands, "Th", [2, 4, 0], "play")
    assert (match.to_act, sorted(match.legal(2))) == ([2], sorted("As 4d 5c 6c 7d".split()))
    assert refused(match, "2 Ks") == refused(match, "2 *") == "LO-27"
    assert refused(match, "4 2s") == "LO-49"
    play(match, "2 As")
    assert (match.to_act, match.legal(4)) == ([4], ["2s"])
    play(match, "4 2s")
    assert match.report()["trick"] == [[2, "As"], [4, "2s"]]
    play(match, "0 Ks")
    assert (match.to_act, match.report()["leader"], match.report()["trick"]) == ([2], 2, [])
    play(match, "2 5c", "4 4c", "0 8c")
    assert refused(match, "4 9d") == "LO-49"
    assert match.last_trick == [(2, read("5c")), (4, read("4c")), (0, read("8c"))]
    assert match.to_act == [0]
    while match.phase == "play":
        play(match, f"{match.to_act[0]} {match.legal(match.to_act[0])[0]}")
    assert sum(last(match)["tricks"]) == 5


@pytest.mark.clause("LO-26")
def test_option_ace_lead() -> None:
    hands = five(s1="Ah Jc 5c 6c 7d", s2="2s 3d 4c 8d 9d")
    match = dealt(hands, "Th", [1, 2], "play", ace_lead=True)
    assert sorted(match.legal(1)) == ["Ah", "civil Ah"]
    assert refused(match, "1 Jc") == "LO-26"
    assert refused(match, "1 2s") == "LO-27"
    assert refused(match, "1 civil Jc") == "LO-33"
    assert describe(match.view(1)).prompt == "Your turn: lead the ace of trumps"
    play(match, "1 Ah", "2 2s")
    assert describe(match.view(1)).prompt == "Your turn: lead a card"
    assert len(match.legal(1)) == 4
    assert dealt(hands, "Th", [1, 2], "play", ace_lead=True, civil=False).legal(1) == ["Ah"]
    without = dealt(five(s1="Kh Jc 5c 6c 7d", s2="2s 3d 4c 8d 9d"), "Th", [1, 2], "play", ace_lead=True)
    assert len(without.legal(1)) == 5
    play(without, "1 5c")
    assert state(without).lacks[1] == 1 << (read("Ah") or 0)


@pytest.mark.clause("LO-28", "LO-34", "LO-31", "LO-33")
def test_example_2_civil_or_not() -> None:
    def led(hand: str, call: str) -> Match:
        hands = five(s2="As 4d 6d Kd 3h", s3=hand)
        return play(dealt(hands, "2s", [2, 3], "play"), f"2 {call}")

    match = led("Jc 7s 5d 6h 8h", "civil As")
    assert match.report()["civil"] is True
    assert match.legal(3) == ["7s"]
    assert describe(match.view(3)).prompt == "Your turn: follow A♠, higher if you can (Pam be civil)"
    assert refused(match, "3 Jc") == "LO-33"
    assert refused(match, "3 5d") == "LO-28"
    play(match, "3 7s")
    assert (match.report()["civil"], match.report()["tricks"][2]) == (False, 1)
    match = led("Jc 7s 5d 6h 8h", "As")
    assert match.report()["civil"] is False
    assert match.legal(3) == ["Jc"]
    assert refused(match, "3 7s") == "LO-31"
    for call in ("civil As", "As"):
        match = led("Jc 7d 5d 6h 8h", call)
        assert match.legal(3) == ["Jc"]
        assert refused(match, "3 7d") == "LO-28"
        assert play(match, "3 Jc").report()["tricks"][3] == 1


@pytest.mark.clause("LO-33", "LO-34")
def test_the_call_is_made_with_the_lead_of_the_ace_of_trumps_only() -> None:
    hands = five(s2="As Jc Ad 6d Ks", s3="7s 2c 3c 5d Qs")
    match = dealt(hands, "2s", [2, 3], "play")
    assert len(match.legal(2)) == 6
    assert refused(match, "2 civil Ad") == refused(match, "2 civil Ks") == "LO-33"
    assert refused(match, "2 civil 7s") == "LO-27"
    assert refused(match, "2 civil") == refused(match, "2 civil x") == refused(match, "2 civil As As") == "LO-49"
    play(match, "2 Ks")
    assert refused(match, "3 civil Qs") == "LO-33"
    play(match, "3 Qs", "2 civil As")
    assert match.legal(3) == ["7s"]
    following = dealt(five(s2="3s 4d 6d Kd 3h", s3="As 7d 5d 6h 8h"), "2s", [2, 3], "play")
    assert play(following, "2 3s").legal(3) == ["As"]
    assert refused(following, "3 civil As") == "LO-33"


@pytest.mark.clause("LO-33")
def test_option_civil_off() -> None:
    match = dealt(five(s2="As Jc Ad 6d Ks", s3="7s 2c 3c 5d Qs"), "2s", [2, 3], "play", civil=False)
    assert len(match.legal(2)) == 5
    assert refused(match, "2 civil As") == refused(match, "2 civil 7s") == "LO-49"


@pytest.mark.clause("LO-29")
def test_example_3_heading() -> None:
    def third(hand: str, second: str) -> Match:
        two = {"Jd": "Jd 4s 5s 6c 7c", "2h": "2h 4s 5s 6c 7c"}[second]
        match = dealt(five(s1="8d 2s 3s 2c 3c", s2=two, s3=hand), "Th", [1, 2, 3], "play")
        return play(match, "1 8d", f"2 {second}")

    match = third("Qd Td 3d 6s 7s", "Jd")
    assert match.legal(3) == ["Qd"]
    assert refused(match, "3 Td") == "LO-29"
    assert refused(match, "3 6s") == "LO-28"
    assert sorted(third("5c Td 3d 6s 7s", "Jd").legal(3)) == ["3d", "Td"]
    assert sorted(third("Qd Td 3d 6s 7s", "2h").legal(3)) == ["3d", "Qd", "Td"]


@pytest.mark.clause("LO-30", "LO-31", "LO-32")
def test_example_4_undertrumping() -> None:
    def third(hand: str) -> Match:
        match = dealt(five(s1="Kd 2s 3s 2c 3c", s2="9h 4s 5s 6c 7c", s3=hand), "Th", [1, 2, 3], "play")
        return play(match, "1 Kd", "2 9h")

    match = third("Qh 4h 6s 7s 8s")
    assert describe(match.view(3)).prompt == "Your turn: follow K♦, higher if you can, or else trump"
    assert match.legal(3) == ["Qh"]
    assert refused(match, "3 4h") == "LO-31"
    assert refused(match, "3 6s") == "LO-30"
    match = third("6h 4h 6s 7s 8s")
    assert sorted(match.legal(3)) == ["4h", "6h"]
    play(match, "3 6h")
    assert match.report()["tricks"][2] == 1
    assert len(third("5c 8c 6s 7s 8s").legal(3)) == 5


@pytest.mark.clause("LO-31")
def test_when_trumps_are_led_they_must_be_beaten_too() -> None:
    hands = five(s1="8h 2s 3s 2c 3c", s2="9h 4h 5s 6c 7c", s3="7h 6h 6s 7s 8s")
    match = play(dealt(hands, "Th", [1, 2, 3], "play"), "1 8h")
    assert match.legal(2) == ["9h"]
    assert refused(match, "2 4h") == "LO-31"
    play(match, "2 9h")
    assert sorted(match.legal(3)) == ["6h", "7h"]


@pytest.mark.clause("LO-29", "LO-31")
def test_option_head_off() -> None:
    hands = five(s1="8d 2s 3s 2c 3c", s2="Qd 3d 4h 6c 7c", s3="6h Kh 6s 7s 8s", s4="4c 5c 9h Ah 4s")
    match = play(dealt(hands, "Th", [1, 2, 3, 4], "play", head=False), "1 8d")
    assert describe(match.view(2)).prompt == "Your turn: follow 8♦ if you can, or else trump"
    assert sorted(match.legal(2)) == ["3d", "Qd"]
    assert refused(match, "2 4h") == "LO-28"
    play(match, "2 Qd")
    assert sorted(match.legal(3)) == ["6h", "Kh"]
    assert refused(match, "3 6s") == "LO-30"
    play(match, "3 Kh")
    assert sorted(match.legal(4)) == ["9h", "Ah"]


@pytest.mark.clause("LO-35")
def test_a_card_of_another_suit_takes_no_trick() -> None:
    hands = five(s1="3d 2s 3s 2c 3c", s2="Ac As 5s 6c 7c")
    match = play(dealt(hands, "Th", [1, 2], "play"), "1 3d", "2 Ac")
    assert (match.report()["tricks"], match.to_act) == ([0, 1, 0, 0, 0], [1])
    assert match.report()["hands"][1] == [card for card in match.report()["hands"][1] if card != "3d"]
