"""Oh Hell: the worked examples of its page, and every clause."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from playing import explained, refused, refused_header
from playing import seen_by as sees

from upcard import Match, games
from upcard.engine.views import seen_event, told_text
from upcard.games.oh_hell import OhHell
from upcard.rules import Mark
from upcard.rules.cards import CLUBS, pack, text
from upcard.table.scene import describe

OH_HELL = games.load("oh-hell")
PACK = [text(card) for card in pack()]


def deal(top: str) -> str:
    """A deal event whose pack begins with these cards."""
    first = top.split()
    return " ".join(["deal", *first, *[card for card in PACK if card not in first]])


def deal_hands(hands: Sequence[str], upcard: str, dealer: int = 0) -> str:
    """The deal event that gives each seat these cards and turns up that one."""
    held = [hand.split() for hand in hands]
    rounds = [held[(dealer + 1 + k) % len(held)][i] for i in range(len(held[0])) for k in range(len(held))]
    return deal(" ".join([*rounds, upcard]))


def play(match: Match, *events: str) -> Match:
    for event in events:
        match.event(event)
    return match


def dealt(hands: Sequence[str], upcard: str, bids: Sequence[int] = (), dealer: int = 0, **options: Any) -> Match:
    """A match whose first deal has these hands; with bids it stands at the first lead."""
    size = len(hands[0].split())
    match = Match("oh-hell", len(hands), dealer=dealer, options={"order": "down", "max_cards": size, **options})
    play(match, deal_hands(hands, upcard, dealer))
    seats = [(dealer + 1 + k) % len(hands) for k in range(len(hands))]
    return play(match, *(f"{seat} bid {bids[seat]}" for seat in seats if bids))


def state(match: Match) -> Any:
    """The whole state, with the fields of this game."""
    return match.state


def options(match: Match) -> Any:
    """The options as this game's rules read them."""
    return match.options


def bad_header(players: object = 5, dealer: object = 0, **options: object) -> str | None:
    return refused_header("oh-hell", players, dealer, **options)


def said(marks: Sequence[Mark | tuple[str, object]]) -> dict[str, object]:
    return {mark[0]: mark[1] for mark in marks}


def play_at_random(match: Match, rng: random.Random) -> Match:
    while not match.done:
        if match.awaiting:
            match.event(match.draw_lots(rng))
        else:
            seat = rng.choice(match.to_act)
            match.event(f"{seat} {rng.choice(match.legal(seat))}")
    return match


FIRST = deal("7h Qs 2d Ah 9c 5h")
"""Example 1: hearts are trumps, seats 0 to 4 hold 9c 7h Qs 2d Ah."""

THREE = ["As 4d 2c", "Ks 9d 3c", "Qs Td 5c"]


# ------------------------------------------------------------------------------------------- players, pack and deals


@pytest.mark.clause("OH-1")
def test_three_to_seven_play_five_by_default() -> None:
    assert [Match("oh-hell", players).players for players in (3, 4, 5, 6, 7)] == [3, 4, 5, 6, 7]
    assert Match("oh-hell").players == 5
    assert [bad_header(players) for players in (2, 8, 0, True, "5")] == ["OH-1"] * 5


@pytest.mark.clause("OH-2", "OH-22")
@pytest.mark.parametrize(
    ("first", "second", "taker"), [("Ad", "Kd", 0), ("2d", "3d", 1), ("Td", "9d", 0), ("Td", "Jd", 1)]
)
def test_ace_is_high_and_two_is_low(first: str, second: str, taker: int) -> None:
    match = dealt([first, second, "2c"], "5h", [1, 0, 0])
    play(match, f"0 {first}", f"1 {second}", "2 2c")
    assert match.report()["last"]["tricks"][taker] == 1


def sizes(players: int, **options: Any) -> list[int]:
    """The size of each deal, by playing a match."""
    match = Match("oh-hell", players, options=options)
    rng = random.Random(1)
    found = []
    while not match.done:
        if match.awaiting:
            found.append(match.report()["cards"])
            assert match.report()["deals_in_match"] >= len(found)
            match.event(match.draw_lots(rng))
            assert [len(hand) for hand in match.report()["hands"]] == [found[-1]] * players
        seat = match.to_act[0]
        match.event(f"{seat} {match.legal(seat)[0]}")
    assert match.report()["deals_in_match"] == len(found)
    return found


@pytest.mark.clause("OH-3", "OH-4")
def test_sizes_go_up_to_the_largest_and_down_again() -> None:
    assert sizes(5) == [*range(1, 11), *range(10, 0, -1)]
    assert max(sizes(3)) == max(sizes(4)) == 10
    assert sizes(6) == [*range(1, 9), *range(8, 0, -1)]
    assert sizes(7) == [*range(1, 8), *range(7, 0, -1)]


@pytest.mark.clause("OH-3")
def test_other_orders_of_sizes() -> None:
    assert sizes(5, max_cards=3) == [1, 2, 3, 3, 2, 1]
    assert sizes(5, max_cards=3, order="down_up") == [3, 2, 1, 1, 2, 3]
    assert sizes(5, max_cards=3, order="up") == [1, 2, 3]
    assert sizes(5, max_cards=3, order="down") == [3, 2, 1]
    assert sizes(7, order="down", max_cards=1) == [1]


@pytest.mark.clause("OH-6", "OH-7")
def test_the_record_names_the_first_dealer_and_the_deal_goes_round() -> None:
    match = Match("oh-hell", 3, dealer=1, options={"max_cards": 2})
    dealers = []
    rng = random.Random(2)
    while not match.done:
        if match.awaiting:
            dealers.append(match.report()["dealer"])
            match.event(match.draw_lots(rng))
        match.event(f"{match.to_act[0]} {match.legal(match.to_act[0])[0]}")
    assert dealers == [1, 2, 0, 1]
    assert match.report()["dealer"] == 1
    assert [bad_header(5, dealer) for dealer in (5, -1, None, "0")] == ["OH-6"] * 4


@pytest.mark.clause("OH-8", "OH-9", "OH-10")
def test_example_1_the_deal() -> None:
    match = play(Match("oh-hell"), FIRST)
    report = match.report()
    assert report["hands"] == [["9c"], ["7h"], ["Qs"], ["2d"], ["Ah"]]
    assert (report["upcard"], report["trump"], report["stock"], report["leader"]) == ("5h", "h", None, None)
    assert report["phase"] == "bid"
    play(match, *(f"{seat} bid 0" for seat in range(5)))
    assert match.report()["upcard"] == "5h"  # it stays, and belongs to nobody


@pytest.mark.clause("OH-8", "OH-10")
def test_cards_go_round_singly_the_dealer_last() -> None:
    match = Match("oh-hell", dealer=3, options={"order": "down"})
    play(match, deal(" ".join(PACK)))
    assert match.report()["hands"][4] == PACK[0:50:5]
    assert match.report()["hands"][3] == PACK[4:50:5]
    assert match.report()["upcard"] == PACK[50]
    assert state(match).undealt.bit_count() == 1


# ------------------------------------------------------------------------------------------------------------- bids


@pytest.mark.clause("OH-11", "OH-16")
def test_bids_come_in_any_order_and_play_begins_with_the_last() -> None:
    ends = []
    for seats in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        match = dealt(THREE, "5h")
        assert match.to_act == [0, 1, 2]
        for seat in seats:
            assert match.phase == "bid"
            play(match, f"{seat} bid {seat}")
            assert seat not in match.to_act or match.phase == "play"
        ends.append(match.report())
    assert ends[0] == ends[1] == ends[2]
    assert (ends[0]["phase"], ends[0]["bids"], ends[0]["to_act"]) == ("play", [0, 1, 2], [2])


@pytest.mark.clause("OH-12", "OH-13")
def test_a_bid_is_a_number_of_tricks_and_there_is_no_passing() -> None:
    match = dealt(THREE, "5h")
    assert match.legal(1) == ["bid 0", "bid 1", "bid 2", "bid 3"]
    assert [refused(match, f"1 bid {n}") for n in (4, 11, 64, 10**9, 10**30)] == ["OH-12"] * 5
    assert refused(match, "1 pass") == "OH-41"
    play(match, "1 bid 0")
    assert match.report()["bids"] == [None, 0, None]


@pytest.mark.clause("OH-14")
def test_a_bid_cannot_be_changed() -> None:
    match = play(dealt(THREE, "5h"), "1 bid 2")
    assert refused(match, "1 bid 2") == refused(match, "1 bid 3") == refused(match, "1 nonsense") == "OH-14"


@pytest.mark.clause("OH-15")
def test_bids_may_add_up_to_anything_unless_there_is_a_hook() -> None:
    assert dealt(THREE, "5h", [1, 1, 1]).phase == "play"
    assert dealt(THREE, "5h", [1, 1, 1], bidding="turns").phase == "play"
    hook = play(dealt(THREE, "5h", bidding="hook"), "1 bid 1", "2 bid 1")
    assert hook.legal(0) == ["bid 0", "bid 2", "bid 3"]
    assert describe(hook.view(0)).prompt == "Your turn: bid 0 to 3, but not 1"
    assert refused(hook, "0 bid 1") == "OH-12"
    assert "with a hook the dealer’s may not bring the sum to it: 0, 2 or 3" in explained(hook, "0 bid 1")
    full = play(dealt(THREE, "5h", bidding="hook"), "1 bid 3", "2 bid 3")
    assert describe(full.view(0)).prompt == "Your turn: bid 0 to 3"
    assert full.legal(0) == ["bid 0", "bid 1", "bid 2", "bid 3"]


@pytest.mark.clause("OH-11", "OH-14", "OH-16", "OH-40")
def test_bids_in_turns_go_round_from_the_dealers_left() -> None:
    match = dealt(THREE, "5h", dealer=1, bidding="turns")
    for seat in (2, 0, 1):
        assert match.to_act == [seat]
        assert refused(match, f"{(seat + 1) % 3} bid 0") == ("OH-14" if seat == 1 else "OH-40")
        play(match, f"{seat} bid 1")
    assert match.to_act == [2]
    assert match.phase == "play"


# ------------------------------------------------------------------------------------------------------------- play


def leader(bids: Sequence[int], dealer: int, **options: Any) -> list[int]:
    hands = [f"A{suit} K{suit}" for suit in "shdc"] + ["Qs Js"]
    return dealt(hands, "2c", bids, dealer, **options).to_act


@pytest.mark.clause("OH-17", "OH-18")
def test_example_2_the_highest_bidder_leads() -> None:
    assert leader([2, 1, 0, 2, 1], 3) == [0]
    assert leader([1, 1, 0, 2, 1], 3) == [3]
    assert leader([0, 1, 0, 0, 0], 3) == [1]
    assert leader([2, 1, 0, 2, 1], 3, tie_lead="dealer") == [3]
    assert leader([1, 2, 2, 1, 1], 3, tie_lead="dealer") == [1]
    assert leader([1, 2, 0, 1, 1], 3, first_lead="left") == [4]
    assert leader([1, 2, 0, 1, 1], 4, first_lead="left", tie_lead="dealer") == [0]


@pytest.mark.clause("OH-18")
def test_example_3_all_zero() -> None:
    assert leader([0] * 5, 4) == [0]
    assert leader([0] * 5, 4, bidding="turns") == [0]
    assert leader([0] * 5, 4, tie_lead="dealer") == [4]


@pytest.mark.clause("OH-19", "OH-20", "OH-21", "OH-23", "OH-42")
def test_who_leads_what_and_who_must_follow() -> None:
    match = dealt(["As 4d 2c", "Ks 9h 3c", "Qh Td 5c"], "5h", [3, 0, 0])
    assert set(match.legal(0)) == {"As", "4d", "2c"}  # anything may be led
    play(match, "0 As")
    assert match.to_act == [1]
    assert match.legal(1) == ["Ks"]
    assert refused(match, "1 3c") == refused(match, "1 9h") == "OH-20"
    assert refused(match, "1 Qh") == "OH-42"
    play(match, "1 Ks")
    assert set(match.legal(2)) == {"Qh", "Td", "5c"}  # no spade: anything
    assert match.report()["trick"] == [[0, "As"], [1, "Ks"]]
    play(match, "2 Qh")
    assert match.report()["tricks"] == [0, 0, 1]
    assert (match.to_act, match.report()["leader"], match.report()["trick"]) == ([2], 2, [])
    play(match, "2 5c", "0 2c", "1 3c")
    assert match.to_act == [2]
    play(match, "2 Td", "0 4d", "1 9h")
    assert match.report()["last"]["tricks"] == [0, 1, 2]


@pytest.mark.clause("OH-19")
def test_a_trump_may_be_led_at_once() -> None:
    match = dealt(["9h 4d", "Ks 3c", "Qh Td"], "5h", [1, 0, 0])
    play(match, "0 9h")
    assert match.legal(2) == []
    play(match, "1 3c")
    assert match.legal(2) == ["Qh"]


@pytest.mark.clause("OH-20", "OH-21", "OH-22")
def test_example_7_winning_a_trick() -> None:
    match = dealt(["Td", "Ad", "2s", "Kd", "Ah"], "5s", [1, 0, 0, 0, 0])
    play(match, "0 Td", "1 Ad", "2 2s", "3 Kd", "4 Ah")
    assert match.report()["last"]["tricks"] == [0, 0, 1, 0, 0]


@pytest.mark.clause("OH-22")
def test_the_higher_of_two_trumps_and_the_suit_led_win() -> None:
    match = dealt(["Td", "9s", "2s", "Kd", "Ah"], "5s", [1, 0, 0, 0, 0])
    play(match, "0 Td", "1 9s", "2 2s", "3 Kd", "4 Ah")
    assert match.report()["last"]["tricks"] == [0, 1, 0, 0, 0]
    match = dealt(["Td", "9d", "Ac", "Kc", "Ah"], "5s", [1, 0, 0, 0, 0])
    play(match, "0 Td", "1 9d", "2 Ac", "3 Kc", "4 Ah")
    assert match.report()["last"]["tricks"] == [1, 0, 0, 0, 0]


# ------------------------------------------------------------------------------------------------------------ score


def score(size: int, bid: int, tricks: int, **options: Any) -> int:
    return OhHell(5, options).points_for(size, bid, tricks)


@pytest.mark.clause("OH-5", "OH-24", "OH-26", "OH-27")
def test_example_4_the_sources_own() -> None:
    assert score(6, 3, 3) == 26
    assert score(6, 2, 2) == 12
    assert score(6, 0, 0) == 10
    assert [score(6, 3, tricks) for tricks in range(7)] == [0, 0, 0, 26, 0, 0, 0]


@pytest.mark.clause("OH-28")
def test_example_5_half_or_more() -> None:
    assert [score(5, 2, 2), score(5, 3, 3), score(9, 4, 4), score(9, 5, 5)] == [12, 26, 14, 30]
    least = [min(bid for bid in range(size + 1) if score(size, bid, bid) >= 20) for size in range(1, 11)]
    assert least == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


@pytest.mark.clause("OH-26")
def test_example_6_the_top_score_and_option_double() -> None:
    assert score(10, 10, 10) == 40
    assert score(10, 10, 10, double="off") == 20


@pytest.mark.clause("OH-25")
def test_a_missed_bid_loses_nothing_unless_the_table_says_so() -> None:
    assert [score(6, 3, tricks) for tricks in (0, 2, 4, 6)] == [0, 0, 0, 0]
    assert [score(6, 3, tricks, miss="difference") for tricks in (0, 2, 3, 4, 6)] == [-3, -1, 26, -1, -3]
    match = dealt(["Td", "9d", "2s"], "5h", [0, 1, 1], miss="difference")
    assert play(match, "1 9d", "2 2s", "0 Td").report()["scores"] == [-1, -1, -1]


@pytest.mark.clause("OH-45")
def test_a_trick_can_score_a_point_also_with_a_missed_bid() -> None:
    assert [score(6, 3, tricks, miss="tricks") for tricks in (0, 2, 3, 4, 6)] == [0, 2, 26, 4, 6]
    assert [score(6, bid, bid, miss="tricks", double="off") for bid in (0, 1, 4)] == [10, 11, 14]
    match = dealt(["Td", "9d", "2s"], "5h", [0, 1, 1], miss="tricks")
    assert play(match, "1 9d", "2 2s", "0 Td").scores == [1, 0, 0]


@pytest.mark.clause("OH-46")
def test_deals_without_trumps_turn_a_card_up_that_beats_nothing() -> None:
    match = dealt(["Td", "9d", "2h"], "5h", [0, 1, 1], no_trump="largest")
    report = match.report()
    assert (report["trump"], report["upcard"]) == (None, "5h")
    assert describe(match.view(0)).headline.endswith("no trumps")
    assert play(match, "1 9d", "2 2h", "0 Td").report()["last"]["tricks"] == [1, 0, 0]


@pytest.mark.clause("OH-46")
@pytest.mark.parametrize(
    ("no_trump", "deals"), [("never", []), ("largest", [3, 4]), ("fifth", [5])], ids=["never", "largest", "fifth"]
)
def test_which_deals_have_no_trumps(no_trump: str, deals: list[int]) -> None:
    match, rng = Match("oh-hell", 3, options={"max_cards": 3, "no_trump": no_trump}), random.Random(8)
    without: set[int] = set()
    while not match.done:
        if match.awaiting:
            match.event(match.draw_lots(rng))
        else:
            match.play(match.to_act[0], rng.choice(match.legal(match.to_act[0])))
        report = match.report()
        if report["upcard"] and report["trump"] is None:
            without.add(report["deal"])
    assert without == {*deals}


@pytest.mark.clause("OH-5", "OH-24", "OH-28", "OH-29")
def test_example_1_the_score_is_added_when_the_deal_is_over() -> None:
    match = play(Match("oh-hell"), FIRST, *(f"{seat} bid {int(seat == 4)}" for seat in range(5)))
    play(match, "4 Ah", "0 9c", "1 7h", "2 Qs")
    assert match.report()["points"] == match.report()["scores"] == [0] * 5
    report = play(match, "3 2d").report()
    assert report["scores"] == [10, 10, 10, 10, 22]
    last = {"deal": 1, "bids": [0, 0, 0, 0, 1], "tricks": [0, 0, 0, 0, 1], "points": [10, 10, 10, 10, 22]}
    assert report["last"] == last
    assert (report["cards"], report["dealer"], report["deal"], report["phase"]) == (2, 1, 1, "deal")
    assert (report["hands"], report["bids"], report["tricks"]) == ([[]] * 5, [None] * 5, [0] * 5)
    assert (report["points"], report["trump"], report["upcard"], report["leader"]) == ([0] * 5, None, None, None)


@pytest.mark.clause("OH-29")
def test_a_deal_is_played_out_even_if_nobody_can_make_their_bid() -> None:
    match = dealt(["As Ks Qs", "2d 3d 4d", "2c 3c 4c"], "5h", [0, 3, 3], dealer=2)
    play(match, "1 2d", "2 2c", "0 As", "1 3d", "2 3c", "0 Ks")
    assert (match.phase, match.to_act) == ("play", [1])


# -------------------------------------------------------------------------------------------------- the end of a match


@pytest.mark.clause("OH-30", "OH-37")
def test_example_8_a_shared_match() -> None:
    match = Match("oh-hell", options={"order": "down", "max_cards": 1})
    play(match, FIRST, *(f"{seat} bid {int(seat == 4)}" for seat in range(5)))
    state(match).scores[:5] = [204, 188, 204, 80, 155]
    report = play(match, "4 Ah", "0 9c", "1 7h", "2 Qs", "3 2d").report()
    assert report["scores"] == [214, 198, 214, 90, 177]
    assert (report["done"], report["phase"], report["winners"]) == (True, "done", [0, 2])
    assert (report["dealer"], report["cards"], report["leader"], report["upcard"]) == (0, 1, 4, "5h")
    assert (report["bids"], report["tricks"]) == ([0, 0, 0, 0, 1], [0, 0, 0, 0, 1])
    assert report["points"] == report["last"]["points"] == [10, 10, 10, 10, 22]
    assert (report["to_act"], report["legal"], report["awaiting"]) == ([], {}, None)
    for event in ("nonsense", FIRST, "0 bid 1", "4 Ah", "draw Ah", "9 Ah"):
        assert refused(match, event) == "OH-37"


@pytest.mark.clause("OH-30")
def test_negative_totals_can_win() -> None:
    match = dealt(["Td", "9d", "2s"], "5h", [0, 1, 1], miss="difference")
    assert play(match, "1 9d", "2 2s", "0 Td").winners == [0, 1, 2]


@pytest.mark.clause("OH-31")
def test_a_match_of_five_has_650_moves() -> None:
    match = play_at_random(Match("oh-hell"), random.Random(3))
    moves = [event for event in match.events if event.seat is not None]
    assert (len(moves), sum(event.word == "bid" for event in moves)) == (650, 100)


# ------------------------------------------------------------------------------------------------ what each seat sees


@pytest.mark.clause("OH-32")
def test_everybody_sees_the_deal_the_upcard_and_the_scores() -> None:
    match = play(Match("oh-hell"), FIRST, *(f"{seat} bid {int(seat == 4)}" for seat in range(5)))
    play(match, "4 Ah", "0 9c", "1 7h", "2 Qs", "3 2d", deal("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc"), "1 bid 2")
    for seat in (None, 0, 4):
        state = sees(match, seat)
        assert (text(state.upcard), state.trump, state.size) == ("Qc", CLUBS, 2)
        seen = match.setup.report(state)
        assert seen["last"]["bids"] == [0, 0, 0, 0, 1]
        assert seen["last"] == match.report()["last"]
        assert sees(match, seat).scores == match.state.scores
        assert (sees(match, seat).dealer, match.view(seat).to_act) == (1, [0, 2, 3, 4])
        scene = match.setup.scene(sees(match, seat), seat)
        assert scene.headline == "Deal 2 of 20 · 2 cards · clubs are trumps"
        assert scene.result == ["Everybody made their bid"]
        assert [zone.id for zone in describe(match.view(seat)).zones] == ["trick", "upcard"]


@pytest.mark.clause("OH-33", "OH-36")
def test_a_hand_is_its_owners_alone_and_the_undealt_cards_nobodys() -> None:
    match = play(Match("oh-hell"), FIRST)
    assert match.view(0).text() == "0: 9c | 1: ·· | 2: ·· | 3: ·· | 4: ··"
    assert match.view(None).text() == "0: ·· | 1: ·· | 2: ·· | 3: ·· | 4: ··"
    assert [sees(match, seat).undealt for seat in (None, 0, 4)] == [0, 0, 0]
    last = dealt(["Td", "9d", "2s"], "5h", [0, 1, 1])
    play(last, "1 9d", "2 2s", "0 Td")
    assert last.done
    assert sees(last, 0).undealt == 0


@pytest.mark.clause("OH-34")
def test_a_bid_is_secret_until_all_are_in() -> None:
    match = play(dealt(THREE, "5h"), "1 bid 3")
    other = play(dealt(THREE, "5h"), "1 bid 0")
    for seat in (None, 0, 2):
        assert sees(match, seat) == sees(other, seat)
        scene = match.setup.scene(sees(match, seat), seat)
        assert scene == other.setup.scene(sees(other, seat), seat)
        assert [said(marks)["Bid"] for marks in scene.marks] == ["–", "secret", "–"]
        assert match.view(seat).to_act == [0, 2]
    assert sees(match, 1) != sees(other, 1)
    assert said(match.setup.scene(sees(match, 1), 1).marks[1])["Bid"] == 3
    play(match, "0 bid 1", "2 bid 1")
    assert said(match.setup.scene(sees(match, 0), 0).marks[1])["Bid"] == 3


@pytest.mark.clause("OH-34")
def test_what_is_told_of_a_bid() -> None:
    for bidding, words in (("fingers", "bid"), ("turns", "bid 2")):
        event = dealt(THREE, "5h", bidding=bidding).play(1, "bid 2")
        told = [told_text(OH_HELL, seen_event(event, seat)) for seat in (0, None, 1)]
        assert told == [words, words, "bid 2"]


@pytest.mark.clause("OH-34", "OH-35")
def test_open_bids_are_seen_at_once() -> None:
    match = play(dealt(THREE, "5h", bidding="turns"), "1 bid 2")
    scene = match.setup.scene(sees(match, 0), 0)
    assert [said(marks)["Bid"] for marks in scene.marks] == ["–", 2, "–"]


@pytest.mark.clause("OH-35")
def test_during_the_play_bids_tricks_and_the_trick_on_the_table_are_seen() -> None:
    match = dealt(THREE, "5h", [3, 0, 1])
    play(match, "0 As", "1 Ks", "2 Qs", "0 4d", "1 9d")
    for seat in (None, 1):
        seen = sees(match, seat)
        assert [(who, text(card)) for who, card in match.setup.trick(seen)] == [(0, "4d"), (1, "9d")]
        scene = match.setup.scene(seen, seat)
        assert [said(marks) for marks in scene.marks] == [
            {"Bid": 3, "Tricks": 1},
            {"Bid": 0, "Tricks": 0},
            {"Bid": 1, "Tricks": 0},
        ]
        told = describe(match.view(seat))
        assert told.zone("trick").seats == [0, 1]
        assert [one.leader for one in told.seats] == [True, False, False]
    assert describe(match.view(2)).prompt == "Your turn: follow 4♦ if you can"


@pytest.mark.clause("OH-33", "OH-34")
def test_worlds_get_the_bids_that_are_still_secret() -> None:
    rng = random.Random(4)
    match = play(dealt(THREE, "5h"), "1 bid 3")
    filled = set()
    for _ in range(50):
        world = sees(match, 0)
        options(match).complete(world, 0, rng)
        bids = world.bids[:3]
        filled.add(bids[1])
        assert (bids[0], bids[2]) == (-1, -1)
    assert filled == {0, 1, 2, 3}
    turns = play(dealt(THREE, "5h", bidding="turns"), "1 bid 3")
    world = sees(turns, 2)
    options(turns).complete(world, 2, rng)
    assert world.bids[:3] == [-1, 3, -1]


@pytest.mark.clause("OH-33", "OH-34", "OH-36")
def test_what_a_seat_may_do_does_not_depend_on_what_it_cannot_see() -> None:
    rng = random.Random(5)
    for players in OH_HELL.player_counts:
        match = Match("oh-hell", players, options={"max_cards": 3}, chance=rng)
        while not match.done:
            seat = rng.choice(match.to_act)
            assert match.view(seat).legal_moves() == match.legal_moves(seat)
            match.event(f"{seat} {rng.choice(match.legal(seat))}")


# ------------------------------------------------------------------------------------------------------- the record


@pytest.mark.clause("OH-38", "OH-39")
def test_deals_come_when_they_are_awaited_and_name_all_cards() -> None:
    match = Match("oh-hell")
    assert match.awaiting == "deal"
    assert sorted(match.draw_lots(random.Random(6)).split()[1:]) == sorted(PACK)
    for event in ("0 bid 1", "9 bid 1", "0 nonsense", "reshuffle Ah", "draw Ah"):
        assert refused(match, event) == "OH-38"
    twice = FIRST.replace("Qs", "7h")
    for event in ("deal", "deal 7h Qs", FIRST + " 2c", twice, FIRST.replace("Qs", "zz"), FIRST.replace("Qs", "*")):
        assert refused(match, event) == "OH-39"
    play(match, FIRST)
    assert refused(match, FIRST) == refused(match, "reshuffle Ah") == refused(match, "draw Ah") == "OH-38"


@pytest.mark.clause("OH-40", "OH-41")
def test_only_seats_to_act_move_and_only_moves_are_events() -> None:
    match = dealt(THREE, "5h")
    assert refused(match, "3 bid 1") == refused(match, "99 bid 1") == "OH-40"
    for event in ("", "hello", "bid 1", "As", "0", "0 ", "-1 bid 1", "00 bid 1"):
        assert refused(match, event) == "OH-41"
    for move in ("As", "bid", "bid 01", "bid -1", "bid +1", "bid one", "bid 1 2", "bid  1", "BID 1", "bid ²"):
        assert refused(match, f"0 {move}") == "OH-41"
    play(match, "0 bid 3", "1 bid 0", "2 bid 0")
    assert refused(match, "1 Ks") == refused(match, "3 As") == refused(match, "1 nonsense") == "OH-40"
    for move in ("bid 1", "bid", "As Ks", "Xs", "play As"):
        assert refused(match, f"0 {move}") == "OH-41"
    assert refused(match, "0 *") == refused(match, "0 Ks") == "OH-42"


@pytest.mark.clause("OH-43")
def test_options_that_do_not_exist_are_refused() -> None:
    for players, highest in ((3, 10), (4, 10), (5, 10), (6, 8), (7, 7)):
        assert options(Match("oh-hell", players)).max_cards == highest
        assert options(Match("oh-hell", players, options={"max_cards": highest})).max_cards == highest
        assert bad_header(players, max_cards=highest + 1) == bad_header(players, max_cards=0) == "OH-43"
    assert bad_header(max_cards="3") == bad_header(max_cards=True) == bad_header(order="sideways") == "OH-43"
    assert bad_header(bidding=1) == bad_header(unheard_of=1) == "OH-43"


@pytest.mark.clause("OH-44")
def test_of_several_faults_the_first_is_named() -> None:
    match = Match("oh-hell", 3, options={"order": "down", "max_cards": 2, "bidding": "hook"})
    assert refused(match, "rubbish") == "OH-41"  # before OH-38
    assert refused(match, "7 rubbish") == "OH-38"  # before OH-40 and OH-41
    play(match, deal_hands(["As 4d", "Ks 9d", "Qs Td"], "5h"), "1 bid 1")
    assert refused(match, "1 rubbish") == "OH-14"
    assert refused(match, "0 rubbish") == "OH-40"
    assert refused(match, "2 rubbish") == "OH-41"
    assert refused(match, "2 bid 3") == "OH-12"
    play(match, "2 bid 0", "0 bid 2", "0 As")
    assert refused(match, "2 rubbish") == "OH-40"
    assert refused(match, "1 Td") == "OH-42"
    assert refused(match, "1 9d") == "OH-20"


# ------------------------------------------------------------------------------------------------- the heuristic


def heuristic_move(match: Match, seat: int) -> int:
    """The move of a player who is handed a view."""
    seen = sees(match, seat)
    buffer = [0] * OH_HELL.most_moves
    n = match.setup.legal_moves(seen, seat, buffer)
    return int(options(match).choose(seen, seat, buffer, n, 0))


@pytest.mark.clause("OH-5")
def test_the_heuristic_makes_far_more_bids_than_chance() -> None:
    rng = random.Random(7)
    made = [0] * 5
    for _ in range(3):
        match = Match("oh-hell", chance=rng)
        while not match.done:
            seat = match.to_act[0]
            move = heuristic_move(match, seat) if seat == 2 else rng.choice(match.legal_moves(seat))
            match.play(seat, OH_HELL.notation.text(move))
        made = [total + points for total, points in zip(made, match.scores, strict=True)]
    assert made[2] > 2 * max(made[:2] + made[3:])


def test_the_heuristic_on_plain_hands() -> None:
    boss = dealt(["Ah Kh Qh", "Ks 9d 3c", "Qs Td 5c"], "5h")
    assert OH_HELL.notation.text(heuristic_move(boss, 0)) == "bid 3"
    assert OH_HELL.notation.text(heuristic_move(boss, 2)) == "bid 0"
    shed = dealt(["As 2s", "Ks 3s", "Qs 4d"], "5h", [2, 0, 0])
    play(shed, "0 As")
    assert OH_HELL.notation.text(heuristic_move(shed, 1)) == "Ks"  # a winner that is not wanted goes under the ace


@pytest.mark.clause("OH-47")
def test_the_usual_table_is_as_the_author_wrote_it() -> None:
    assert (games.load("oh-hell").author, games.load("oh-hell").author_clause) == ({}, "OH-47")
