"""Cinch: the worked examples of its page, and every clause."""

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from playing import explained, refused, refused_header
from playing import seen_by as sees

from upcard import Match, games
from upcard.engine.setup import Setup
from upcard.engine.views import seen_event, told_text
from upcard.engine.worlds import Worlds
from upcard.lab.simulate import simulate
from upcard.rules.cards import SUITS, as_list, as_set, pack, read, text
from upcard.rules.lineage import literal_twins
from upcard.table.scene import describe

CINCH = games.load("cinch")
PACK = [text(card) for card in pack()]
RED_TRUMPS = [*(rank + "h" for rank in "AKQJT98765"), "5d", "4h", "3h", "2h"]
"""The trumps when hearts are, from the highest."""


def deal(hands: Sequence[str], stub: str = "", dealer: int = 3) -> str:
    """The deal event that gives these cards, the hands filled up to nine with cards that are no hearts and not `5d`.

    All other cards follow the named ones in the stub.
    """
    named = [hand.split() for hand in hands]
    rest = [card for card in PACK if card not in " ".join([*hands, stub]).split()]
    for hand in named:
        while len(hand) < 9:
            hand.append(rest.pop(next(i for i, card in enumerate(rest) if card not in RED_TRUMPS)))
    dealt = [named[(dealer + 1 + k) % 4][3 * i + j] for i in range(3) for k in range(4) for j in range(3)]
    return " ".join(["deal", *dealt, *stub.split(), *rest])


def play(match: Match, *events: str) -> Match:
    for event in events:
        match.event(event)
    return match


def named(
    hands: Sequence[str], stub: str = "", declarer: int = 0, bid: int = 1, dealer: int = 3, **options: Any
) -> Match:
    """A match whose first declarer has just named hearts; nobody else has bid."""
    match = play(Match("cinch", dealer=dealer, options=options), deal(hands, stub, dealer))
    for k in range(1, 5):
        seat = (dealer + k) % 4
        play(match, f"{seat} bid {bid}" if seat == declarer and bid else f"{seat} pass")
    return play(match, f"{declarer} trump h")


def position(hands: Sequence[str], declarer: int = 0, bid: int = 1, trump: str = "h", **options: Any) -> Match:
    """A match in which the declarer is about to lead to the first of as many tricks as the hands have cards."""
    match = play(Match("cinch", dealer=3, options=options), deal(["", "", "", ""]))
    play(match, "0 pass", "1 pass", "2 pass", "3 bid 1", f"3 trump {trump}")
    s = state(match)
    trumps = s.trumps
    s.clear()
    s.trump, s.trumps, s.declarer, s.bid = SUITS.index(trump), trumps, declarer, bid
    for seat, hand in enumerate(hands):
        s.hand[seat] = as_set(cards(hand))
    options_of(match).begin_play(s)
    return match


def cards(names: str) -> list[int]:
    found = map(read, names.split())
    return [card for card in found if card is not None]


def state(match: Match) -> Any:
    """The whole state, with the fields of this game."""
    return match.state


def options_of(match: Match) -> Any:
    """The options as this game's rules read them."""
    return match.options


def bad_header(players: object = 4, dealer: object = 0, **options: object) -> str | None:
    return refused_header(CINCH, players, dealer, **options)


def hand(match: Match, seat: int) -> set[str]:
    return set(match.report()["hands"][seat])


def tricks(match: Match, *played: str) -> Match:
    """Play whole tricks, each written as the cards in order of play."""
    for trick in played:
        for card in trick.split():
            play(match, f"{match.to_act[0]} {card}")
    return match


def outcome(match: Match) -> tuple[list[int], list[int]]:
    """Points and what was gained in the last deal, of seats 0 and 1."""
    last = match.report()["last"]
    return last["points"][:2], last["gained"][:2]


# ------------------------------------------------------------------------------------------- players, pack and trumps


@pytest.mark.clause("CI-1", "CI-6")
def test_four_play_in_two_partnerships() -> None:
    assert Match("cinch").players == 4
    assert [bad_header(players) for players in (2, 3, 5, True, "4")] == ["CI-1"] * 5
    assert [Match("cinch", dealer=dealer).state.dealer for dealer in range(4)] == [0, 1, 2, 3]
    assert [bad_header(dealer=dealer) for dealer in (-1, 4, True, "0")] == ["CI-6"] * 4
    match = tricks(position(["Ah 2h", "Kh 9s", "Qh 8s", "Jh 7s"]), "Ah Kh Qh Jh")
    assert match.report()["tricks"] == [1, 0, 1, 0]
    assert match.report()["points"] == [1, 0, 1, 0]
    assert [seat.side for seat in describe(match.view(0)).seats] == [0, 1, 0, 1]


@pytest.mark.clause("CI-2", "CI-7")
def test_nine_cards_each_three_at_a_time() -> None:
    match = Match("cinch", dealer=1)
    assert sorted(match.draw_lots(random.Random(1)).split()[1:]) == sorted(PACK)
    for event in ("deal", "deal As", "deal " + " ".join(PACK[1:]), f"deal {' '.join(PACK)} As", "deal * " + PACK[1]):
        assert refused(match, event) == "CI-2"
    play(match, "deal " + " ".join(PACK))
    report = match.report()
    assert [hand(match, seat) for seat in (2, 3, 0, 1)] == [
        {*PACK[3 * k : 3 * k + 3], *PACK[12 + 3 * k : 15 + 3 * k], *PACK[24 + 3 * k : 27 + 3 * k]} for k in range(4)
    ]
    assert report["stub"] == PACK[36:]
    assert (report["phase"], report["to_act"], report["dealer"], report["deal"]) == ("bid", [2], 1, 1)


@pytest.mark.clause("CI-3", "CI-4", "CI-30")
def test_every_trump_beats_those_below_it() -> None:
    for above, below in pairwise(RED_TRUMPS):
        for first, second, taker in ((above, below, 0), (below, above, 1)):
            match = position([f"{first} 2s", f"{second} 3s", "4s 6s", "7s 8s"])
            tricks(match, f"{first} {second} 4s 7s")
            assert match.report()["leader"] == taker


@pytest.mark.clause("CI-3", "CI-4", "CI-27", "CI-28")
def test_example_1_the_left_pedro() -> None:
    def taker(*order: str) -> int:
        match = position([f"{card} {rank}d" for card, rank in zip(order, "2346", strict=True)], trump="c")
        return int(tricks(match, " ".join(order)).report()["leader"])

    assert taker("4c", "5s", "5c", "6c") == 3
    assert taker("4c", "5s", "5c", "9d") == 2
    assert taker("4c", "5s", "9h", "9d") == 1
    match = position(["2c Qs 2d", "5s 9s Kd", "3d 4d 6d", "7d 8d 9d"], trump="c")
    assert play(match, "0 2c").legal(1) == ["5s"]
    assert refused(match, "1 9s") == "CI-27"
    match = position(["2c Qs 2d", "5s 9s Kd", "3d 4d 6d", "7d 8d 9d"], trump="c")
    assert sorted(play(match, "0 Qs").legal(1)) == ["5s", "9s"]
    led = position(["5s 2d", "9s 3c", "As 3d", "4d 6d"], trump="c")
    assert play(led, "0 5s").legal(1) == ["3c"]  # leading it leads trumps
    assert sorted(play(led, "1 3c").legal(2)) == ["3d", "As"]


@pytest.mark.clause("CI-5", "CI-30")
def test_plain_suits_rank_from_ace_to_two() -> None:
    for above, below in zip("AKQJT987643", "KQJT9876432", strict=True):
        match = position([f"{below}s 2d", f"{above}s 3d", "4c 4d", "7c 6d"])
        assert tricks(match, f"{below}s {above}s 4c 7c").report()["leader"] == 1


# ---------------------------------------------------------------------------------------------------------- bidding


@pytest.mark.clause("CI-8", "CI-9", "CI-10", "CI-11")
def test_each_speaks_once_and_the_highest_bidder_names_trumps() -> None:
    match = play(Match("cinch", dealer=2), deal(["", "", "", "Ah"], dealer=2))
    assert (match.to_act, match.report()["bid"], match.report()["bids"]) == ([3], None, [])
    assert match.legal(3) == ["pass", *(f"bid {number}" for number in range(1, 15))]
    play(match, "3 pass")
    assert (match.report()["bid"], match.report()["declarer"]) == (0, None)
    play(match, "0 bid 5")
    assert match.legal(1) == ["pass", *(f"bid {number}" for number in range(6, 15))]
    assert [refused(match, f"1 bid {number}") for number in (0, 5, 15, 99)] == ["CI-9"] * 4
    play(match, "1 bid 14")
    assert match.legal(2) == ["pass"]
    play(match, "2 pass")
    report = match.report()
    assert (report["bids"], report["bid"], report["declarer"]) == (["3 pass", "0 5", "1 14", "2 pass"], 14, 1)
    assert (report["phase"], report["to_act"]) == ("trump", [1])
    assert sorted(match.legal(1)) == ["trump c", "trump d", "trump h", "trump s"]
    assert not hand(match, 1) & set(RED_TRUMPS)
    assert play(match, "1 trump h").report()["trump"] == "h"


@pytest.mark.clause("CI-9")
def test_option_min_bid() -> None:
    match = play(Match("cinch", options={"min_bid": 6}), deal(["", "", "", ""], dealer=0))
    assert match.legal(1)[:2] == ["pass", "bid 6"]
    assert refused(match, "1 bid 5") == "CI-9"
    assert explained(match, "1 bid 5").endswith("at least 6 and at most 14: 6 to 14.")


@pytest.mark.clause("CI-12", "CI-37")
def test_all_pass_and_the_dealer_must_name_trumps() -> None:
    match = play(Match("cinch", dealer=3), deal(["", "", "", ""]), "0 pass", "1 pass", "2 pass", "3 pass")
    report = match.report()
    assert (report["phase"], report["to_act"], report["declarer"], report["bid"]) == ("trump", [3], 3, 0)
    without_points = position(["Ah", "9s", "Jh", "8s"], declarer=1, bid=0)  # nothing can be broken
    assert outcome(tricks(without_points, "9s Jh 8s Ah")) == ([3, 0], [3, 0])


@pytest.mark.clause("CI-12", "CI-36")
def test_example_8_nobody_bids() -> None:
    match = position(["5h 7s 4s", "8s Th 3h", "5d 6s 2s", "9s Jh Ah"], declarer=3, bid=0)
    tricks(match, "9s 5h 8s 5d", "7s Th 6s Jh", "Ah 4s 3h 2s")
    assert match.report()["last"] == {
        "deal": 1,
        "dealer": 3,
        "declarer": 3,
        "bid": 0,
        "trump": "h",
        "points": [10, 4, 10, 4],
        "gained": [6, 0, 6, 0],
    }


@pytest.mark.clause("CI-12", "CI-39", "CI-42")
def test_option_all_pass_redeal() -> None:
    match = play(Match("cinch", dealer=1, options={"all_pass": "redeal"}), deal(["", "", "", ""], dealer=1))
    report = play(match, "2 pass", "3 pass", "0 pass", "1 pass").report()
    assert (report["awaiting"], report["dealer"], report["deal"], report["scores"]) == ("deal", 2, 1, [0] * 4)
    assert report["last"] == {
        "deal": 1,
        "dealer": 1,
        "declarer": None,
        "bid": 0,
        "trump": None,
        "points": [0] * 4,
        "gained": [0] * 4,
    }
    assert describe(match.view(0)).result == ["All pass: the deal is thrown in"]
    state(match).deals = 99
    play(match, deal(["", "", "", ""], dealer=2), "3 pass", "0 pass", "1 pass", "2 pass")
    assert (match.done, match.winners) == (True, [0, 1, 2, 3])


# -------------------------------------------------------------------------------------------- throwing and filling up


@pytest.mark.clause("CI-13", "CI-14", "CI-18")
def test_plain_cards_are_thrown_and_hands_filled_in_turn() -> None:
    stub = "2s 3s 4s 6s 7s 8s 9s 2c 3c 4c 6c 7c"
    match = named(["Ah 9h 8h", "Kh 7h 6h", "Qh 4h 3h", "Jh 5h 5d 2h"], stub, declarer=3)
    assert hand(match, 0) == {"Ah", "9h", "8h", "2s", "3s", "4s"}
    assert hand(match, 1) == {"Kh", "7h", "6h", "6s", "7s", "8s"}
    assert hand(match, 2) == {"Qh", "4h", "3h", "9s", "2c", "3c"}
    assert hand(match, 3) == {"Jh", "5h", "5d", "2h"}
    assert match.report()["stub"][:3] == ["4c", "6c", "7c"]
    assert state(match).kept[:] == [3, 3, 3, 4]
    move = match.events[-1].move or 0
    told = options_of(match).aftermath(state(match), 3, move, state(match))
    assert told == "Thrown: {0} 6, {1} 6, {2} 6, {3} 5; drawn: {0} 3, {1} 3, {2} 3"
    assert [as_list(thrown) for thrown in state(match).discards[:]] != [[]] * 4
    assert all(not set(map(text, as_list(thrown))) & set(RED_TRUMPS) for thrown in state(match).discards[:])
    six = named(["Ah Kh Qh Jh Th 9h", "8h 7h", "6h 5h", "5d 4h"], declarer=0)
    assert hand(six, 0) == {"Ah", "Kh", "Qh", "Jh", "Th", "9h"}


@pytest.mark.clause("CI-15")
def test_who_has_seven_trumps_throws_down_to_six() -> None:
    match = named(["Ah Kh Qh Jh Th 9h 8h", "7h 6h 5h 5d 4h 3h 2h", "", ""], declarer=2, dealer=2)
    assert (match.phase, match.to_act) == ("discard", [0])
    assert sorted(match.legal(0)) == sorted(f"discard {card}" for card in ("Ah", "Kh", "Qh", "Jh", "Th", "9h", "8h"))
    for cards in ("", "8h 9h", "9h 8h", "2c", "7h", "xx", "8h 8h"):
        assert refused(match, f"0 discard {cards}".strip()) == "CI-15"
    play(match, "0 discard 8h")
    assert match.to_act == [1]
    assert "discard 5d" in match.legal(1)
    report = play(match, "1 discard 3h").report()
    assert report["dead"] == ["0 8h", "1 3h"]
    assert (len(hand(match, 0)), len(hand(match, 1))) == (6, 6)


@pytest.mark.clause("CI-15")
def test_three_of_nine_trumps_in_pack_order() -> None:
    match = named(["Ah Kh Qh Jh Th 9h 8h 7h 5d", "", "", ""])
    moves = match.legal(0)
    assert len(moves) == len(set(moves)) == 84 == CINCH.most_moves
    assert "discard 9h 7h 5d" in moves
    assert refused(match, "0 discard 5d 7h 9h") == refused(match, "0 discard 9h 7h") == "CI-15"
    play(match, "0 discard 9h 7h 5d")
    assert match.report()["dead"] == ["0 9h", "0 7h", "0 5d"]
    two = named(["Ah Kh Qh Jh Th 9h 8h 7h", "", "", ""])
    assert len(set(two.legal(0))) == 28


@pytest.mark.clause("CI-16", "CI-17", "CI-33")
def test_example_5_the_ten_thrown_away() -> None:
    hands = ["Ah Kh Jh", "Qh Th 9h 8h 5h 4h 2h", "3h 5d", "7h 6h"]
    match = named(hands, declarer=0)
    assert "discard Th" in match.legal(1)  # advice, not a ban
    assert play(match, "1 discard Th").report()["credited"] == ["Th"]
    declarers = play(named(hands, declarer=3), "1 discard Th")
    assert (declarers.report()["credited"], declarers.report()["dead"]) == ([], ["1 Th"])
    end = position(["Ah", "Kh", "Qh", "Jh"], declarer=0, bid=4)
    state(end).credited = as_set(cards("Th 5d"))
    assert outcome(tricks(end, "Ah Kh Qh Jh")) == ([9, 0], [9, 0])


SHORT = ["9s 8s", "9c 8c", "9d", "Ah Kh Qh"]
"""The dealer is seat 3; the others hold no trump at all."""


@pytest.mark.clause("CI-19", "CI-47")
def test_the_dealers_right_hand_neighbour_takes_back_plain_cards() -> None:
    match = named(SHORT, declarer=3)
    assert (match.phase, match.to_act) == ("recall", [2])
    assert (match.report()["stub"], len(hand(match, 2))) == ([], 4)
    own = set(map(text, as_list(state(match).discards[2])))
    assert set(match.legal(2)) == {f"take {card}" for card in own}
    assert refused(match, "2 take 9s") == refused(match, "2 take xx") == refused(match, "2 take Ah") == "CI-19"
    assert refused(match, "2 take 9d 9d") == refused(match, "2 take") == refused(match, "2 9d") == "CI-47"
    play(match, "2 take 9d")
    assert refused(match, "2 take 9d") == "CI-19"
    back = sorted(own - {"9d"})[0]
    play(match, f"2 take {back}")
    assert {"9d", back} <= hand(match, 2)
    # CI-22: nothing is left for the dealer
    assert (match.phase, match.to_act, len(hand(match, 3))) == ("recall", [3], 3)
    for _ in range(3):
        play(match, f"3 {match.legal(3)[0]}")
    assert (match.phase, match.to_act) == ("play", [3])


ROBBING = ["Ah Kh Qh", "Jh Th 9h", "8h 7h", "6h 4h 2h"]
"""The others draw 3, 3 and 4 of the stub, seat 3 deals and finds six cards there."""
DRAWN = "2s 3s 4s 6s 7s 8s 2c 3c 4c 6c"


@pytest.mark.clause("CI-20", "CI-24")
def test_the_dealer_takes_from_the_stub_what_is_wanted() -> None:
    match = named(ROBBING, f"{DRAWN} 5h 5d 3h 2d 3d 4d")
    assert (match.phase, match.to_act) == ("rob", [3])
    assert sorted(match.legal(3)) == sorted(f"take {card}" for card in ("5h", "5d", "3h", "2d", "3d", "4d"))
    assert refused(match, "3 take 2s") == refused(match, "3 take 6h") == refused(match, "3 take x") == "CI-20"
    play(match, "3 take 2d")
    assert refused(match, "3 take 2d") == "CI-20"
    report = play(match, "3 take 5d", "3 take 4d").report()
    assert hand(match, 3) == {"6h", "4h", "2h", "2d", "5d", "4d"}
    assert (report["phase"], report["left"], report["stub"]) == ("play", ["5h", "3h"], ["5h", "3h", "3d"])


@pytest.mark.clause("CI-21", "CI-45")
def test_a_dealer_with_six_trumps_does_not_look() -> None:
    match = named(["Ah Kh Qh", "Jh", "Th", "9h 8h 7h 6h 5h 5d"])
    assert (match.phase, state(match).robber, match.report()["left"]) == ("play", -1, [])
    assert sees(match, 3).stub == 0
    assert len(match.report()["stub"]) == 3


@pytest.mark.clause("CI-18", "CI-22")
def test_example_7_a_short_stub() -> None:
    match = named(["Ah Kh", "Qh", "Jh", "Th 9h"])
    assert (match.phase, match.to_act, match.report()["stub"]) == ("recall", [3], [])
    assert [len(hand(match, seat)) for seat in range(4)] == [6, 6, 6, 4]
    assert state(match).drawn[:] == [4, 5, 5, 2]
    assert len(match.legal(3)) == 7
    play(match, f"3 {match.legal(3)[0]}")
    assert len(match.legal(3)) == 6
    assert play(match, f"3 {match.legal(3)[0]}").phase == "play"
    # exactly enough: neither robbing nor taking back
    assert named(["Ah Kh", "Qh Jh", "Th 9h", "8h 7h"]).phase == "play"


@pytest.mark.clause("CI-23")
def test_example_6_robbing_by_a_defender() -> None:
    hands = ["Ah Kh Qh", "Jh Th 9h", "8h 7h 5h", "6h 4h 2h"]
    drawn = "2s 3s 4s 6s 7s 8s 2c 3c 4c"
    for dealer_takes, left, credited in (
        ("2d 3d 4d", ["3h", "5d"], ["5d"]),
        ("5d 2d 3d", ["3h"], []),
        ("3h 2d 3d", ["5d"], ["5d"]),
    ):
        match = named(hands, f"{drawn} 5d 3h 2d 3d 4d 6d 7d")
        play(match, *(f"3 take {card}" for card in dealer_takes.split()))
        assert (match.report()["left"], match.report()["credited"]) == (left, credited)
        free = named(hands, f"{drawn} 5d 3h 2d 3d 4d 6d 7d", bury="free")
        assert play(free, *(f"3 take {card}" for card in dealer_takes.split())).report()["credited"] == []
        ours = named(hands, f"{drawn} 5d 3h 2d 3d 4d 6d 7d", declarer=1)
        assert play(ours, *(f"3 take {card}" for card in dealer_takes.split())).report()["credited"] == []


@pytest.mark.clause("CI-23")
def test_a_defender_who_took_only_scoring_cards_is_charged_nothing() -> None:
    match = named(["Ah Kh Qh", "9h 8h 7h", "6h 4h 3h", "2h Th"], f"{DRAWN[:-3]} Jh 5h 5d 2d 3d 4d 6d")
    assert match.phase == "rob"
    report = play(match, "3 take Jh", "3 take 5h", "3 take 2d", "3 take 3d").report()
    assert report["credited"] == ["5d"]
    few = named(["Ah Kh Qh", "9h 8h 7h", "6h", "4h 3h 2h Th"], "2s 3s 4s 6s 7s 8s 2c 3c 4c 6c 7c Jh 5h 5d 2d 3d")
    report = play(few, "3 take Jh", "3 take 5h").report()
    assert (report["left"], report["credited"]) == (["5d"], [])


# ----------------------------------------------------------------------------------------------------------- the play


@pytest.mark.clause("CI-25", "CI-26")
def test_the_declarer_leads_any_card_and_takers_lead() -> None:
    match = position(["Ah 2s", "Kh 3s", "Qh 4s", "Jh 7s"], declarer=2)
    assert (match.to_act, sorted(match.legal(2)), match.report()["leader"]) == ([2], ["4s", "Qh"], 2)
    assert refused(match, "2 Ah") == refused(match, "2 *") == "CI-26"
    play(match, "2 4s", "3 Jh", "0 Ah")
    assert match.report()["trick"] == [[2, "4s"], [3, "Jh"], [0, "Ah"]]
    play(match, "1 3s")
    assert (match.report()["leader"], match.legal(0)) == (0, ["2s"])


@pytest.mark.clause("CI-25")
def test_option_lead_trump() -> None:
    match = position(["Ah 2s", "Kh 3s", "Qh 4s", "Jh 7s"], lead_trump=True)
    assert match.legal(0) == ["Ah"]
    assert refused(match, "0 2s") == "CI-25"
    assert tricks(match, "Ah Kh Qh Jh").legal(0) == ["2s"]
    without = position(["3d 2s", "Kh 3s", "Qh 4s", "Jh 7s"], lead_trump=True)
    assert sorted(without.legal(0)) == ["2s", "3d"]
    second = tricks(position(["As 2s 3h", "Kh 3s 7c", "Qh 4s 8c", "Jh 7s 9c"], lead_trump=True), "3h Kh Qh Jh")
    assert sorted(second.legal(1)) == ["3s", "7c"]


@pytest.mark.clause("CI-27", "CI-28", "CI-29")
def test_following() -> None:
    hands = ["2h 2s 2d", "3h 3s 3d", "5d 4d 4c", "6c 6d 6s"]
    trump_led = play(position(hands), "0 2h")
    assert trump_led.legal(1) == ["3h"]
    assert refused(trump_led, "1 3s") == "CI-27"
    assert play(trump_led, "1 3h").legal(2) == ["5d"]
    assert sorted(play(trump_led, "2 5d").legal(3)) == ["6c", "6d", "6s"]  # CI-29
    plain_led = play(position(hands), "0 2s")
    assert sorted(plain_led.legal(1)) == ["3h", "3s"]
    assert refused(plain_led, "1 3d") == "CI-28"
    assert play(plain_led, "1 3s").legal(2) == ["5d"]  # a trump but none of the suit led
    assert refused(plain_led, "2 4c") == "CI-28"
    assert play(plain_led, "2 5d").legal(3) == ["6s"]
    low = play(position(["Ah 2s", "Kh 3h", "4h 6s", "7s 8s"]), "0 Ah")
    assert sorted(low.legal(1)) == ["3h", "Kh"]  # never a duty to play high


@pytest.mark.clause("CI-4", "CI-28")
def test_who_has_a_trump_but_none_of_the_suit_led_is_told_so() -> None:
    both = "You can follow suit or play a trump, so you must do one or the other"
    led = play(position(["2s 2d", "4h 3c", "5d 4c", "6c 6d"]), "0 2s")
    assert explained(led, "1 3c") == f"{both}: 4♥."
    pedro_led = play(position(["2d 2s", "5d 3c", "4d 4c", "6c 6d"]), "0 2d")
    assert explained(pedro_led, "1 3c") == f"{both}: 5♦."  # the left pedro is no diamond


@pytest.mark.clause("CI-30")
def test_the_highest_trump_takes_the_trick_else_the_suit_led() -> None:
    assert tricks(position(["As 2d", "2h 3d", "3h 4d", "Ks 6d"]), "As 2h 3h Ks").report()["leader"] == 2
    assert tricks(position(["Ts 2d", "Ad 3d", "Qs 4d", "Js 6d"]), "Ts Ad Qs Js").report()["leader"] == 2
    match = tricks(position(["Ts 2d", "Ad 3d", "Qs 4d", "Js 6d"]), "Ts Ad Qs Js")
    assert [set(map(text, as_list(played))) for played in state(match).played[:]] == [{"Ts"}, {"Ad"}, {"Qs"}, {"Js"}]
    assert hand(match, 2) == {"4d"}


# ---------------------------------------------------------------------------------------------------------- the score


@pytest.mark.clause("CI-31", "CI-32", "CI-34")
def test_high_to_who_played_it_low_to_who_took_it() -> None:
    match = tricks(position(["Kh 2s", "3h 3s", "Qh 4s", "4h 6s"]), "Kh 3h Qh 4h", "2s 3s 4s 6s")
    assert outcome(match)[0] == [2, 0]
    played = tricks(position(["Kh 2s", "3h 3s", "Qh 4s", "4h 6s"], low="played"), "Kh 3h Qh 4h", "2s 3s 4s 6s")
    assert outcome(played)[0] == [1, 1]
    later = tricks(position(["9h 3h", "8h 2h", "7h 4s", "6h 6s"]), "9h 8h 7h 6h", "3h 2h 4s 6s")
    assert outcome(later)[0] == [2, 0]
    lost = tricks(position(["9h 2h", "8h 3h", "7h 4s", "6h 6s"]), "9h 8h 7h 6h", "2h 3h 4s 6s")
    assert outcome(lost)[0] == [1, 1]


@pytest.mark.clause("CI-33", "CI-36")
def test_the_scoring_cards_go_to_who_takes_them() -> None:
    match = position(["Ah Jh Kd", "Kh Th 3s", "5d 4s 6s", "5h 2h 7s"])
    tricks(match, "Ah Kh 5d 5h")
    assert match.report()["points"] == [10, 0, 10, 0]
    tricks(match, "Jh Th 4s 2h")
    assert match.report()["points"] == [12, 0, 12, 0]
    assert outcome(tricks(match, "Kd 3s 6s 7s")) == ([14, 0], [14, 0])
    assert match.report()["points"] == [0] * 4


@pytest.mark.clause("CI-34", "CI-35")
def test_example_4_not_all_fourteen() -> None:
    hands = ["Ah Kh Qh Jh Th 9h 8h", "7h 6h 5h 5d 4h 3h 2h", "", ""]
    match = named(hands, declarer=0)
    play(match, "0 discard Ah", "1 discard 2h")
    while match.phase != "play":
        seat = match.to_act[0]
        play(match, f"{seat} {match.legal(seat)[0]}")
    while match.phase == "play":
        seat = match.to_act[0]
        best = max(match.legal(seat), key=lambda card: -RED_TRUMPS.index(card) if card in RED_TRUMPS else -99)
        play(match, f"{seat} {best}")
    # the king is high, the three is low, in tricks of seat 0 as all of seat 1's trumps
    assert outcome(match)[0] == [14, 0]
    left_low = tricks(position(["Ah 9h", "5d 3s", "8h 4s", "7h 6s"]), "Ah 5d 8h 7h", "9h 3s 4s 6s")
    assert outcome(left_low)[0] == [7, 0]  # low and the left pedro are the same card
    jack_high = tricks(position(["Jh 2s", "9s 3s", "8s 4s", "7s 6s"]), "Jh 9s 8s 7s", "2s 3s 4s 6s")
    assert outcome(jack_high)[0] == [3, 0]


SEVEN_ALL = ["Ah 4s 9s", "Jh Kh 3s", "5h 6s 8s", "2h Th 5d"]
"""The side of seat 0 gets high, low and the right pedro, the other the left one, jack and ten."""
SEVEN_ALL_PLAYED = ("Ah Kh 5h 2h", "4s Jh 6s Th", "3s 8s 5d 9s")


@pytest.mark.clause("CI-37")
def test_example_2_broken() -> None:
    match = tricks(position(SEVEN_ALL, bid=9), *SEVEN_ALL_PLAYED)
    assert outcome(match) == ([7, 7], [0, 16])
    assert match.scores == [0, 16, 0, 16]


@pytest.mark.clause("CI-36", "CI-38")
def test_example_3_made_and_yet() -> None:
    hands = ["Kh 4s 9s", "9h Jh Ah", "5h 6s 8s", "6h Th 5d"]
    assert outcome(tricks(position(hands, bid=4), "Kh 9h 5h 6h", "4s Ah 6s Th", "Jh 8s 5d 9s")) == ([5, 9], [0, 4])
    hands = [hands[3], *hands[:3]]
    assert outcome(tricks(position(hands, bid=4), "6h Kh 9h 5h", "4s Ah 6s Th", "Jh 8s 5d 9s")) == ([9, 5], [4, 0])
    assert outcome(tricks(position(SEVEN_ALL, bid=4), *SEVEN_ALL_PLAYED)) == ([7, 7], [0, 0])


@pytest.mark.clause("CI-36", "CI-41")
def test_option_setback() -> None:
    made = tricks(position(SEVEN_ALL, bid=7, score="setback"), *SEVEN_ALL_PLAYED)
    assert outcome(made) == ([7, 7], [7, 7])
    broken = tricks(position(SEVEN_ALL, bid=8, score="setback"), *SEVEN_ALL_PLAYED)
    assert (outcome(broken), broken.scores) == (([7, 7], [-8, 7]), [-8, 7, -8, 7])


# --------------------------------------------------------------------------------------------------- the match's end


LAST = ["Ah", "9h", "8h", "7h"]
"""The last trick: the side of seat 0 takes high and low."""


def last_trick(scores: Sequence[int], declarer: int = 0, bid: int = 1, deals: int = 1, **options: Any) -> Match:
    match = position(LAST, declarer, bid, **options)
    state(match).scores[:] = scores
    state(match).deals = deals
    return tricks(match, " ".join((LAST * 2)[declarer : declarer + 4]))


@pytest.mark.clause("CI-39", "CI-40")
def test_the_next_dealer_and_the_target() -> None:
    match = last_trick([48, 40, 48, 40])
    report = match.report()
    assert (report["scores"], report["awaiting"], report["dealer"]) == ([50, 40, 50, 40], "deal", 0)
    assert report["last"]["dealer"] == 3
    assert (report["hands"], report["tricks"], report["points"]) == ([[]] * 4, [0] * 4, [0] * 4)
    assert (report["trump"], report["leader"], report["declarer"], report["bid"]) == (None, None, None, None)
    match = last_trick([49, 50, 49, 50])
    assert (match.done, match.winners, match.report()["dealer"]) == (True, [0, 2], 3)
    assert last_trick([9, 0, 9, 0], target=11).winners == [0, 2]
    assert not last_trick([60, 50, 60, 50], target=63).done
    assert refused(match, "0 Ah") == refused(match, deal(["", "", "", ""])) == refused(match, "x") == "CI-47"


@pytest.mark.clause("CI-41")
def test_both_sides_may_arrive_together() -> None:
    both = position(["Ah", "Kh", "Jh", "Qh"], declarer=1, score="setback", bid=0)
    state(both).scores[:] = [50, 52, 50, 52]
    tricks(both, "Kh Jh Qh Ah")
    assert (both.scores, both.winners) == ([53, 52, 53, 52], [0, 2])
    level = position(["Ah", "Kh", "Jh", "Qh"], declarer=1, score="setback", bid=0)
    state(level).scores[:] = [50, 53, 50, 53]
    assert tricks(level, "Kh Jh Qh Ah").winners == [1, 3]


@pytest.mark.clause("CI-42")
def test_a_match_has_at_most_a_hundred_deals() -> None:
    assert not last_trick([0, 0, 0, 0], deals=99).done
    assert last_trick([0, 9, 0, 9], deals=100).winners == [1, 3]
    assert last_trick([0, 2, 0, 2], deals=100).winners == [0, 1, 2, 3]


# ------------------------------------------------------------------------------------------------- what each seat sees


@pytest.mark.clause("CI-43", "CI-44", "CI-46")
def test_what_is_open_and_what_is_not() -> None:
    match = named(ROBBING, f"{DRAWN} 5h 5d 3h 2d 3d 4d", bid=3)
    play(match, "3 take 5h", "3 take 5d", "3 take 2d")
    play(match, "0 Ah", "1 9h")
    for seat in (None, 0, 1, 2):
        seen = sees(match, seat)
        assert (seen.stub, seen.left) == (0, as_set(cards("3h")))
        assert [seen.discards[who] for who in range(4)] == [
            state(match).discards[who] if who == seat else 0 for who in range(4)
        ]
        scene = describe(match.view(seat))
        assert scene.headline == "Deal 1 · to 51 · hearts are trumps · contract 3"
        marks = [{mark.label: mark.value for mark in one.marks} for one in scene.seats]
        assert marks[0] == {"Contract": "3", "Threw": "6", "Drew": "3", "Tricks": "0", "Points": "0"}
        assert marks[3] == {"Bid": "pass", "Threw": "6", "Drew": "3", "Tricks": "0", "Points": "0"}
        zones = {zone.id: zone for zone in scene.zones}
        assert zones["left"].cards == ["3h"]
        assert (zones["stub"].count, zones["stub"].cards) == (2, [])
        assert ("discards" in zones) == (seat is not None)
        assert set(seen.order) == {-1}
    assert match.view(0).text().startswith("0: 4s 3s 2s Kh Qh | 1: ·· ··")


@pytest.mark.clause("CI-45")
def test_the_dealer_looks_through_the_stub() -> None:
    match = named(ROBBING, f"{DRAWN} 5h 5d 3h 2d 3d 4d")
    stub = as_set(cards("5h 5d 3h 2d 3d 4d"))
    assert sees(match, 3).stub == stub
    assert [sees(match, seat).stub for seat in (None, 0, 1, 2)] == [0] * 4
    assert match.view(0).piles == match.view(3).piles == {"stub": 6}
    assert describe(match.view(3)).zone("stub").cards == ["5h", "3h", "5d", "4d", "3d", "2d"]
    event = match.play(3, match.legal(3)[0])
    told = [told_text(CINCH, seen_event(event, seat)) for seat in (None, 0, 1, 2, 3)]
    assert told == ["take"] * 4 + [event.said]
    assert [sees(match, seat).drawn[3] for seat in (None, 0, 3)] == [1, 1, 1]
    assert [sees(match, seat).wasteful[3] for seat in (None, 0)] == [0, 0]
    play(match, "3 take 5h", "3 take 3h")
    assert match.phase == "play"
    assert sees(match, 3).stub == state(match).stub != 0
    assert [sees(match, seat).stub for seat in (None, 0, 1, 2)] == [0] * 4


@pytest.mark.clause("CI-46")
def test_nobody_learns_which_cards_were_taken_back() -> None:
    match = named(SHORT, declarer=3)
    other = named(SHORT, declarer=3)
    play(match, f"2 {match.legal(2)[0]}")
    play(other, f"2 {other.legal(2)[-1]}")
    assert match.state != other.state
    assert [sees(match, seat) == sees(other, seat) for seat in (None, 0, 1, 3)] == [True] * 4
    assert sees(match, 2) != sees(other, 2)


@pytest.mark.clause("CI-13", "CI-19", "CI-24", "CI-45", "CI-46")
def test_worlds_agree_with_what_is_known_of_trumps() -> None:
    rng = random.Random(1)
    robbed = named(ROBBING, f"{DRAWN} 5h 5d 3h 2d 3d 4d")
    play(robbed, "3 take 5h", "3 take 5d", "3 take 2d")
    short = named(SHORT, declarer=3)
    while short.phase == "recall":
        play(short, f"{short.to_act[0]} {short.legal(short.to_act[0])[0]}")
    for match in (robbed, short, named(ROBBING, DRAWN)):
        trumps, true = state(match).trumps, state(match)
        for seat in range(4):
            sampler = Worlds(match.view(seat))
            for _ in range(20):
                made = sampler.sample(rng)
                for who in range(4):
                    assert made.discards[who] & trumps == 0
                    assert (made.hand[who] & trumps).bit_count() >= true.kept[who]
                    assert (made.hand[who] & ~trumps).bit_count() >= true.recalled[who]
                if match.phase == "play":
                    assert made.stub & trumps == 0
                if seat == 3:
                    assert made.stub == true.stub


@pytest.mark.clause("CI-45", "CI-46")
def test_what_a_seat_may_do_does_not_depend_on_what_it_cannot_see() -> None:
    rng = random.Random(5)
    for _ in range(3):
        match = Match("cinch", options={"target": 30}, chance=rng)
        while not match.done:
            seat = match.to_act[0]
            assert match.view(seat).legal_moves() == match.legal_moves(seat)
            match.event(f"{seat} {rng.choice(match.legal(seat))}")


# ------------------------------------------------------------------------------------------------------- the record


@pytest.mark.clause("CI-47")
def test_what_is_impossible() -> None:
    match = Match("cinch", dealer=3)
    assert match.awaiting == "deal"
    for event in ("0 pass", "9 pass", "0 nonsense", "reshuffle Ah", "draw Ah", "", "hello", "deal"):
        assert refused(match, event) == ("CI-2" if event == "deal" else "CI-47")
    play(match, deal(["", "", "", ""]))
    for event in (deal(["", "", "", ""]), "1 pass", "0 As", "0 bid", "0 bid x", "0 bid 01", "0 trump h", "0 take As"):
        assert refused(match, event) == "CI-47"
    play(match, "0 bid 1", "1 pass", "2 pass", "3 pass")
    for event in ("1 trump h", "0 trump x", "0 trump", "0 pass", "0 As"):
        assert refused(match, event) == "CI-47"
    seven = named(["Ah Kh Qh Jh Th 9h 8h", "", "", ""])
    assert refused(seven, "0 Ah") == refused(seven, "1 discard Ah") == refused(seven, "0 take Ah") == "CI-47"
    robbing = named(ROBBING, DRAWN)
    assert refused(robbing, "0 take 5h") == refused(robbing, "3 discard 5h") == refused(robbing, "3 6h") == "CI-47"
    playing = position(LAST)
    for event in ("1 9h", "0 pass", "0 As Ks", "0 play Ah", "0 xx", "4 Ah"):
        assert refused(playing, event) == "CI-47"


@pytest.mark.clause("CI-9", "CI-12", "CI-23", "CI-25", "CI-32", "CI-36", "CI-40", "CI-47")
def test_options_that_do_not_exist_are_refused() -> None:
    assert [bad_header(target=target) for target in (10, 201, "51", True)] == ["CI-40"] * 4
    assert [bad_header(min_bid=number) for number in (0, 11)] == ["CI-9"] * 2
    assert (bad_header(all_pass="x"), bad_header(low="x"), bad_header(score="x")) == ("CI-12", "CI-32", "CI-36")
    assert (bad_header(bury="x"), bad_header(lead_trump=1), bad_header(lead_trump="yes")) == ("CI-23", "CI-25", "CI-25")
    assert bad_header(jokers=1) == "CI-47"


def test_results_are_told_in_words() -> None:
    def told(match: Match) -> list[str]:
        return list(describe(match.view(None), names=["Ann", "Bo", "Cy", "Di"]).result)

    made = told(last_trick([0] * 4))
    assert made == ["Ann and Cy bid 1 with hearts and made it: 2 points against 0", "Ann and Cy score 2"]
    assert told(last_trick([0] * 4, bid=4)) == [
        "Ann and Cy bid 4 with hearts and missed it: 2 points against 0",
        "Bo and Di score 16",
    ]
    assert told(last_trick([0] * 4, bid=4, score="setback"))[1:] == ["Ann and Cy lose 4"]
    free = told(last_trick([0] * 4, declarer=1, bid=0))
    assert free == ["Bo named hearts without a bid: 0 points against 2", "Ann and Cy score 2"]
    level = tricks(position(["Ah", "2h", "9h", "7h"], low="played"), "Ah 2h 9h 7h")
    assert told(level)[1:] == ["Nobody scores"]


@pytest.mark.clause("CI-36", "CI-43")
def test_what_the_last_deal_brought_is_told_apart_from_the_next_one() -> None:
    scene = describe(last_trick([0] * 4, declarer=1).view(0))
    finished = [{mark.label: mark.value for mark in one} for one in scene.finished]
    ours, theirs = {"Points": "2", "Scored": "15"}, {"Points": "0", "Scored": "0"}
    assert finished == [ours, theirs | {"Contract": "1"}, ours, theirs]
    assert describe(Match("cinch").view(0)).finished == []


# -------------------------------------------------------------------------------------------------- the heuristic


def heuristic_move(match: Match, seat: int) -> str:
    """The move of a player who is handed a view."""
    view = match.view(seat)
    moves = view.legal_moves()
    return CINCH.notation.text(options_of(match).choose(sees(match, seat), seat, moves, len(moves), 0))


def test_the_heuristic_plays_for_its_side() -> None:
    sure = play(position(["Ah 3h", "Kh 2s", "5h 9h", "Qh 4h"]), "0 Ah", "1 Kh")
    assert heuristic_move(sure, 2) == "5h"  # points on the partner's sure trick
    lost = play(position(["9h 3h", "Ah 2s", "5h 8h", "Qh 4h"]), "0 9h", "1 Ah")
    assert heuristic_move(lost, 2) == "8h"  # none on the others'
    last = play(position(["9s 3h", "Ks 2s", "Qs 4s", "5h 6s"]), "0 9s", "1 Ks", "2 Qs")
    assert heuristic_move(last, 3) == "5h"  # a pedro brought home


def test_the_heuristic_on_plain_hands() -> None:
    match = play(Match("cinch", dealer=3), deal(["Ah Kh Qh Jh Th 9h 5h 5d", "", "", ""]))
    bid = heuristic_move(match, 0)
    assert bid.startswith("bid")
    assert int(bid.split()[1]) >= 9
    assert heuristic_move(play(match, "0 bid 14"), 1) == "pass"
    play(match, "1 pass", "2 pass", "3 pass")
    assert heuristic_move(match, 0) == "trump h"
    assert heuristic_move(play(match, "0 trump h"), 0) == "discard Qh 9h"  # no scoring card
    robbing = named(ROBBING, f"{DRAWN} 5h 5d 3h 2d 3d 4d")
    assert heuristic_move(robbing, 3) == "take 5h"


@pytest.mark.long
def test_the_heuristic_beats_random_play() -> None:
    summary = simulate(Setup(CINCH, 4), 40, 1, by=["heuristic", "random", "heuristic", "random"])
    assert summary.seats[0].wins == summary.seats[2].wins == 20  # each has half of a shared win


def test_no_number_of_the_rules_stands_somewhere_as_a_literal() -> None:
    for declared in CINCH.declared_numbers.values():
        if isinstance(declared.value, int) and not declared.derived:
            assert list(literal_twins(CINCH, declared.value)) == []


@pytest.mark.clause("CI-48")
def test_the_author_has_other_options_than_the_usual_table() -> None:
    game, author = games.load("cinch"), {"bury": "free"}
    assert (game.author, game.author_clause) == (author, "CI-48")
    assert all(game.declared_options[name].default_for(4) != value for name, value in author.items())
