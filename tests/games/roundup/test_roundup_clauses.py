"""Roundup!: the worked examples of its page, and every clause."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from playing import random_event, refused, refused_header, seen_by

from upcard import Match, games
from upcard.engine.views import seen_event, told_text
from upcard.engine.worlds import Worlds
from upcard.games.roundup.rules import DUE, PLAY
from upcard.rules.cards import NO_CARD, SUITS, as_list, as_set, bit, card, pack, read, text
from upcard.rules.lineage import literal_twins
from upcard.rules.state import DEAL, NOTHING
from upcard.table.log import Log
from upcard.table.scene import MarkView, ZoneView, describe

ROUNDUP = games.load("roundup")
PACK = [text(card) for card in pack()]
NUMBERS = as_set(pack("A23456789T"))
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Fay"]


def deal(hands: Sequence[str], dealer: int = 0, cards: Sequence[str] = PACK) -> str:
    """A deal event that gives each seat at least these cards; the others come as they lie in the pack."""
    seats = [(dealer + 1 + i) % len(hands) for i in range(len(cards))]
    wanted = [hand.split() for hand in hands]
    rest = [card for card in cards if not any(card in hand for hand in wanted)]
    given = [hand + [rest.pop(0) for _ in range(seats.count(seat) - len(hand))] for seat, hand in enumerate(wanted)]
    return " ".join(["deal", *(given[seat].pop(0) for seat in seats)])


def play(match: Match[Any], *events: str) -> Match[Any]:
    for event in events:
        match.event(event)
    return match


def dealt(hands: Sequence[str], dealer: int = 0, **options: Any) -> Match[Any]:
    """A match whose first round deals these cards."""
    match = Match(ROUNDUP, len(hands), dealer=dealer, options=options)
    return play(match, deal(hands, dealer))


def position(
    stacks: Mapping[str, int],
    face_up: Sequence[str],
    down: Sequence[str],
    bids: Sequence[str] = (),
    turn: int = 0,
    **options: Any,
) -> Match[Any]:
    """The middle of a round; `stacks` are closed in the order named.

    Number cards that nobody is said to hold are face down in the last seat, face cards in the discard pile.
    """
    match = dealt([""] * len(down), **options)
    s = match.state
    s.stacked, s.fits = 0, as_set(card(12, suit) for suit in range(4))
    for suit, height in stacks.items():
        for rank in "A23456789T"[:height]:
            table(match).grow(s, cards_of(rank + suit)[0])
    left = table(match).dealt & ~s.stacked
    for seat in range(match.players):
        s.face_up[seat], s.hand[seat] = as_set(cards_of(face_up[seat])), as_set(cards_of(down[seat]))
        s.bids[seat] = cards_of(bids[seat])[0] if bids and bids[seat] else NO_CARD
        left &= ~(s.face_up[seat] | s.hand[seat])
    s.hand[match.players - 1] |= left & NUMBERS
    for face in as_list(left & ~NUMBERS):
        s.discards[s.thrown] = face
        s.thrown += 1
    s.down[: match.players] = [hand.bit_count() for hand in s.hand[: match.players]]
    s.holding = sum(1 << seat for seat in range(match.players) if s.hand[seat] or s.face_up[seat])
    s.phase, s.to_act = PLAY, 1 << turn
    return match


def cards_of(names: str) -> list[int]:
    return [found for found in map(read, names.split()) if found is not None]


def table(match: Match[Any]) -> Any:
    """The options as this game's rules read them."""
    return match.options


def told(match: Match[Any], seat: int | None) -> str:
    """What a seat is told of the last event."""
    return told_text(ROUNDUP, seen_event(match.events[-1], seat))


FOUR = ["Ah 9h 4h 2s 3s", "As 9s 7s 2h 3h", "5d 6d 7d", "2c 3c 4c Kc Qc"]
"""Hands of example 2; seat 3 has face cards too."""


# ------------------------------------------------------------------------------------------- players, pack and deal


@pytest.mark.clause("RU-1")
def test_two_to_six_play_four_by_default() -> None:
    assert [Match(ROUNDUP, players).players for players in (2, 3, 4, 5, 6)] == [2, 3, 4, 5, 6]
    assert Match(ROUNDUP).players == 4
    assert [refused_header(ROUNDUP, players) for players in (1, 7, 0, True, "4")] == ["RU-1"] * 5


@pytest.mark.clause("RU-2")
def test_forty_number_cards_and_twelve_face_cards() -> None:
    match = play(Match(ROUNDUP, 2), deal(["", ""]))
    cards = [card for hand in match.report()["hands"] for card in hand]
    assert sorted(cards) == sorted(PACK)
    assert len(match.legal(0)) + len(match.legal(1)) == NUMBERS.bit_count() == 40
    assert {move[4] for move in match.legal(0) + match.legal(1)} == set("A23456789T")


@pytest.mark.clause("RU-3")
def test_the_record_names_the_first_dealer_and_the_deal_goes_round() -> None:
    match, rng, dealers = Match(ROUNDUP, 3, dealer=1), Random(2), []
    while not match.done:
        if match.awaiting == "deal":
            dealers.append(match.report()["dealer"])
        match.event(random_event(match, rng))
    assert dealers == [(1 + round) % 3 for round in range(len(dealers))]
    assert match.report()["dealer"] == dealers[-1]
    assert [refused_header(ROUNDUP, 4, dealer) for dealer in (4, -1, None, "0")] == ["RU-3"] * 4


@pytest.mark.clause("RU-4", "RU-5")
def test_example_1_unequal_deal() -> None:
    match = play(Match(ROUNDUP, 5, dealer=3), " ".join(["deal", *PACK]))
    hands = match.report()["hands"]
    assert [len(hand) for hand in hands] == [11, 10, 10, 10, 11]
    assert hands[4] == PACK[0::5]
    assert hands[0] == PACK[1::5]
    assert hands[3] == PACK[4::5]


@pytest.mark.clause("RU-4", "RU-5")
@pytest.mark.parametrize(
    ("players", "sizes", "even", "kings"),
    [
        (2, [26, 26], [26, 26], ""),
        (3, [18, 17, 17], [17] * 3, "Kc"),
        (4, [13] * 4, [13] * 4, ""),
        (5, [11, 11, 10, 10, 10], [10] * 5, "Kd Kc"),
        (6, [9, 9, 9, 9, 8, 8], [8] * 6, "Ks Kh Kd Kc"),
    ],
)
def test_hands_differ_by_a_card_unless_kings_stay_out(
    players: int, sizes: list[int], even: list[int], kings: str
) -> None:
    for option, expected, out in (("off", sizes, ""), ("on", even, kings)):
        cards = [card for card in PACK if card not in out.split()]
        match = Match(ROUNDUP, players, dealer=players - 1, options={"even_deal": option})
        if out:
            assert refused(match, " ".join(["deal", *PACK])) == "RU-4"
        assert refused(match, " ".join(["deal", *cards[1:]])) == "RU-4"
        assert refused(match, " ".join(["deal", *cards[1:], cards[1]])) == "RU-4"
        play(match, " ".join(["deal", *cards]))
        assert [len(hand) for hand in match.report()["hands"]] == expected


@pytest.mark.clause("RU-6", "RU-50")
def test_a_seat_sees_its_own_face_down_cards_and_nobody_elses() -> None:
    match = dealt(FOUR)
    for seat in range(4):
        hands = seen_by(match, seat).hand
        assert hands[seat] == match.state.hand[seat]
        assert [hands[other] for other in range(4) if other != seat] == [0, 0, 0]
        assert match.view(seat).sizes == (13, 13, 13, 13)


# ------------------------------------------------------------------------------------------------------------- bids


@pytest.mark.clause("RU-7", "RU-10", "RU-50")
def test_bids_come_at_once_in_any_order_and_are_hidden_until_the_last() -> None:
    ends = []
    bids = ["Ah", "2h", "5d", "2c"]
    for seats in ([0, 1, 2, 3], [3, 1, 0, 2]):
        match = dealt(FOUR)
        for seat in seats:
            assert match.phase == "bid"
            assert seat in match.to_act
            assert bids[seat] in match.report()["hands"][seat]
            for other in (None, *range(4)):
                seen = [card != NO_CARD for card in seen_by(match, other).bids[:4]]
                assert seen == [who == other and who not in match.to_act for who in range(4)]
            play(match, f"{seat} bid {bids[seat]}")
        ends.append(match.report())
        assert [seen_by(match, seat).bids[0] for seat in (None, 1)] == [read("Ah")] * 2
    assert ends[0] == ends[1]
    assert ends[0]["bids"] == bids
    assert ends[0]["face_up"] == [[bid] for bid in bids]
    assert [len(hand) for hand in ends[0]["hands"]] == [12] * 4


@pytest.mark.clause("RU-7", "RU-52")
def test_a_bid_cannot_be_taken_back_and_nobody_hears_it() -> None:
    match = dealt(FOUR)
    play(match, "1 bid As")
    assert refused(match, "1 bid 9s") == refused(match, "1 bid As") == refused(match, "1 bid Ks") == "RU-52"
    assert match.report()["bids"] == [None, "As", None, None]
    assert [told(match, seat) for seat in (None, 0, 1)] == ["bid", "bid", "bid As"]


@pytest.mark.clause("RU-8")
def test_a_bid_is_any_number_card_of_ones_own() -> None:
    match = dealt(FOUR)
    held = match.report()["hands"][3]
    assert set(match.legal(3)) == {f"bid {card}" for card in held if card[0] not in "JQK"}
    assert refused(match, "3 bid Kc") == "RU-8"
    assert refused(match, "3 pass") == "RU-51"
    play(match, "0 bid Ah", "1 bid 2h", "3 bid 2c")
    assert match.phase == "bid"  # nobody may decline, and two may bid hearts


FACES = "Js Qs Ks Jh Qh Kh Jd Qd Kd"


@pytest.mark.clause("RU-9", "RU-44")
def test_who_has_only_face_cards_does_not_bid() -> None:
    match = dealt(["", FACES, "", "", "", ""], dealer=0)
    assert match.to_act == [0, 2, 3, 4, 5]
    assert refused(match, "1 bid As") == "RU-52"
    for seat in match.to_act:
        play(match, f"{seat} {match.legal(seat)[0]}")
    report = match.report()
    assert (report["bids"][1], report["face_up"][1], len(report["hands"][1])) == (None, [], 9)
    assert describe(match.view(0)).seats[1].marks == [MarkView("Bid", "–")]


@pytest.mark.clause("RU-10", "RU-11")
def test_face_up_cards_are_their_owners_to_play_and_number_cards() -> None:
    match = play(dealt(FOUR), "0 bid Ah", "1 bid 2h", "2 bid 5d", "3 bid 2c")
    assert match.legal(0) == ["Ah"]
    play(match, "0 Ah")
    assert refused(match, "1 5d") == refused(match, "1 2c") == "RU-53"
    assert match.legal(1) == ["2h"]
    rng = Random(4)
    while not match.done:
        match.event(random_event(match, rng))
        assert not [hand for hand in match.state.face_up if hand & ~NUMBERS]


# ------------------------------------------------------------------------------------------------------- who begins


@pytest.mark.clause("RU-12")
def test_the_lowest_card_begins_and_the_ace_is_lowest() -> None:
    assert play(dealt(FOUR), "0 bid 2s", "1 bid As", "2 bid 5d", "3 bid 3c").to_act == [1]
    assert play(dealt(FOUR), "0 bid 9h", "1 bid 9s", "2 bid 7d", "3 bid 4c").to_act == [3]
    left = play(dealt(FOUR, dealer=1, first_player="left"), "0 bid Ah", "1 bid As", "2 bid 5d", "3 bid 2c")
    assert (left.phase, left.to_act) == ("play", [2])


@pytest.mark.clause("RU-12", "RU-13", "RU-14")
def test_example_2_tie_for_the_lead() -> None:
    match = play(dealt(FOUR, dealer=2), "0 bid Ah", "1 bid As", "2 bid 5d", "3 bid 2c")
    assert (match.phase, match.to_act) == ("tie", [0, 1])
    play(match, "1 show 9s")
    assert (match.to_act, match.report()["face_up"][1]) == ([0], ["As"])
    assert [seen_by(match, seat).shows[1] for seat in (None, 0, 1)] == [NO_CARD, NO_CARD, read("9s")]
    assert told(match, 0) == "show"
    play(match, "0 show 9h")
    assert (match.phase, match.to_act) == ("tie", [0, 1])
    assert match.report()["face_up"] == [["Ah", "9h"], ["As", "9s"], ["5d"], ["2c"]]
    play(match, "0 show 4h", "1 show 7s")
    assert (match.phase, match.to_act) == ("play", [0])
    assert [len(cards) for cards in match.report()["face_up"]] == [3, 3, 1, 1]


@pytest.mark.clause("RU-14")
def test_who_shows_a_higher_card_is_out_of_the_tie() -> None:
    match = play(dealt(["Ah 8h", "As 8s", "Ad 8d", "Ac 9c"]), *(f"{i} bid A{suit}" for i, suit in enumerate("hsdc")))
    assert match.to_act == [0, 1, 2, 3]
    play(match, "0 show 8h", "1 show 8s", "2 show 8d", "3 show 9c")
    assert match.to_act == [0, 1, 2]


@pytest.mark.clause("RU-13", "RU-15", "RU-53")
def test_the_card_shown_is_a_number_card_from_the_face_down_hand() -> None:
    match = play(dealt(["Ah Kh", "As", "5d", "2c"]), "0 bid Ah", "1 bid As", "2 bid 5d", "3 bid 2c")
    assert all(move[5] in "A23456789T" for move in match.legal(0))
    assert refused(match, "0 show Kh") == "RU-15"
    assert refused(match, "0 show Ah") == "RU-53"
    assert refused(match, "2 show 6d") == "RU-52"
    assert refused(match, "0 bid 9h") == refused(match, "0 9h") == "RU-51"


EIGHT_FACES = "Js Qs Ks Jh Qh Kh Jd Qd"


def dealt_3() -> Match[Any]:
    """Example 3, before the bids."""
    return dealt(["4h", "As 9s Qc", "5d", f"Ah {EIGHT_FACES}", "3c", "4c"], dealer=5)


BIDS_3 = [f"{seat} bid {card}" for seat, card in enumerate("4h As 5d Ah 3c 4c".split())]


def wait(match: Match[Any]) -> str:
    """A pass of the seat to act, or else any move."""
    seat = match.to_act[0]
    moves = match.legal(seat)
    return f"{seat} {next((move for move in moves if move.startswith('pass')), moves[0])}"


@pytest.mark.clause("RU-16")
def test_example_3_no_way_out_of_a_tie() -> None:
    match = play(dealt_3(), *BIDS_3)
    assert (match.phase, match.to_act) == ("play", [1])
    assert [len(cards) for cards in match.report()["face_up"]] == [1] * 6
    other = dealt([f"Ah {EIGHT_FACES[:-3]}", "As 9s", "5d", "4h", "3c", "4c"], dealer=0)
    play(other, "0 bid Ah", "1 bid As", "2 bid 5d", "3 bid 4h", "4 bid 3c", "5 bid 4c")
    assert other.to_act == [1]  # the dealer's left is nearest, the dealer last


# ------------------------------------------------------------------------------------------------------------ turns


@pytest.mark.clause("RU-17", "RU-52")
def test_turns_go_clockwise() -> None:
    match = position({}, ["", "", "", ""], ["9s 8s", "9h 8h", "9d 8d", ""], turn=2)
    assert refused(match, "3 pass Tc") == refused(match, "9 pass 9d") == "RU-52"
    turns = []
    for move in ("2 pass 9d", f"3 pass {text(as_list(match.state.hand[3])[-1])}", "0 pass 9s", "1 pass 9h"):
        turns += match.to_act
        play(match, move)
    assert turns == [2, 3, 0, 1]


@pytest.mark.clause("RU-18", "RU-39")
def test_a_seat_without_cards_is_passed_over_and_still_scores() -> None:
    match = position({}, ["", "", "", ""], ["9s Jd", "", "9d 8d", ""], bids=["9s", "9h", "9d", "9c"])
    play(match, "0 pass 9s")
    assert match.to_act == [2]
    play(match, "2 pass 9d")
    assert match.to_act == [3]
    end = position(
        {"s": 10, "d": 10, "c": 10, "h": 9}, ["Th", "", "", ""], ["Kd", "", "Ks", ""], ["9s", "8h", "2s", "3s"]
    )
    assert play(end, "0 Th").report()["last"]["points"] == [0, 3, 0, 0]
    alone = position({"s": 9}, ["", "", "", "Ts"], ["", "", "", ""], turn=3)
    assert play(alone, "3 Ts").to_act == [3]


@pytest.mark.clause("RU-19", "RU-20")
def test_stacks_grow_from_the_ace_to_the_ten() -> None:
    match = position({"s": 2}, [""] * 4, ["Ah 3s 4s Ts", "", "", ""])
    assert set(match.legal(0)) & set(PACK) == {"Ah", "3s"}
    assert refused(match, "0 4s") == "RU-20"
    assert play(match, "0 3s").report()["stacks"] == [3, 0, 0, 0]
    last = position({"d": 10, "h": 9}, [""] * 4, ["Th 4s", "", "", ""])
    assert last.report()["closed"] == ["d"]
    report = play(last, "0 Th").report()
    assert (report["closed"], report["stacks"]) == (["d", "h"], [0, 10, 10, 0])


@pytest.mark.clause("RU-21", "RU-25", "RU-27", "RU-31")
def test_what_may_be_done_in_a_turn() -> None:
    match = position({"s": 1}, ["9h", "", ""], ["2s 3s 5d Kd", "4c", ""])
    legal_moves = match.legal(0)
    assert {move for move in legal_moves if move in PACK} == {"2s"}
    assert {move for move in legal_moves if move.startswith("pass")} == {"pass 2s", "pass 3s", "pass 5d"}
    assert len([move for move in legal_moves if move.startswith("king Kd")]) == 20
    play(match, "0 2s")
    assert (match.phase, match.to_act) == ("play", [1])  # just one, although 3s fits now


@pytest.mark.clause("RU-22")
def test_example_4_must_play() -> None:
    match = position({"h": 4, "s": 1}, ["", "", "5h", ""], ["", "", "2s Kd", ""], turn=2)
    assert match.legal(2) == ["5h"]
    tries = ["2s", "pass 2s", "pass", "king Kd 1 7", "king Kd 2 7", "Kd", "pass Kd", "pass 5h"]
    assert [refused(match, f"2 {move}") for move in tries] == ["RU-22"] * 8


CHAIN: dict[str, Any] = {
    "stacks": {"h": 4, "c": 8},
    "face_up": ["5h 6h 9c 2s", "", ""],
    "down": ["Tc 7h Jd", "3s", ""],
}


@pytest.mark.clause("RU-23", "RU-24", "RU-26")
def test_example_5_chain() -> None:
    match = position(**CHAIN)
    assert set(match.legal(0)) == {"5h", "9c"}
    play(match, "0 5h")
    assert (match.phase, match.to_act) == ("more", [0])
    assert set(match.legal(0)) == {"6h", "9c", "stop"}
    assert [refused(match, f"0 {move}") for move in ("2s", "Tc", "7h", "Jd", "pass 7h", "pass", "jack Jd 1")] == [
        "RU-20",
        *["RU-24"] * 6,
    ]
    stopped = play(match.fork(), "0 stop")
    assert (stopped.phase, stopped.to_act) == ("play", [1])
    play(match, "0 6h")
    assert set(match.legal(0)) == {"9c", "stop"}
    play(match, "0 9c")
    assert (match.phase, match.to_act) == ("play", [1])  # 7h and Tc fit, but lie face down


@pytest.mark.clause("RU-23", "RU-24", "RU-26")
def test_just_one_card_with_chain_single_and_never_from_both_hands() -> None:
    match = position(**CHAIN, chain="single")
    play(match, "0 5h")
    assert (match.phase, match.to_act) == ("play", [1])
    down = position({"h": 4}, ["6h", ""], ["5h", ""])
    play(down, "0 5h")
    assert (down.phase, down.to_act) == ("play", [1])  # 6h fits only now, and has to wait


@pytest.mark.clause("RU-24")
def test_stop_is_for_after_a_card() -> None:
    assert refused(position(**CHAIN), "0 stop") == "RU-24"
    assert refused(position({}, ["", ""], ["9d", ""]), "0 stop") == "RU-24"


@pytest.mark.clause("RU-27", "RU-28", "RU-29", "RU-30")
def test_example_9_passing() -> None:
    match = position({}, ["Tc", ""], ["9d Kd", "9s"])
    assert {move for move in match.legal(0) if move.startswith("pass")} == {"pass 9d"}
    assert [refused(match, f"0 pass{price}") for price in (" Kd", "", " Tc")] == ["RU-28"] * 3
    play(match, "0 pass 9d", "1 pass 9s")
    assert match.report()["face_up"] == [["9d", "Tc"], ["9s"]]
    assert {move for move in match.legal(0) if move.startswith("pass")} == {"pass Kd"}
    assert [refused(match, f"0 pass{price}") for price in ("", " Tc")] == ["RU-29"] * 2
    play(match, "0 pass Kd", "1 pass 8s")
    assert match.report()["discards"][-1] == "Kd"
    assert match.legal(0) == ["pass"]
    assert refused(match, "0 pass Tc") == "RU-30"
    play(match, "0 pass")
    assert match.to_act == [1]


@pytest.mark.clause("RU-27", "RU-28")
def test_a_card_that_fits_may_be_passed_too() -> None:
    match = position({"d": 8}, ["", ""], ["9d Jd", ""])
    assert {"9d", "pass 9d", "jack Jd 1"} <= set(match.legal(0))
    assert play(match, "0 pass 9d").report()["face_up"][0] == ["9d"]


# ------------------------------------------------------------------------------------------------------- face cards


def attack(down: Sequence[str], face_up: Sequence[str] = ("", "", "", ""), **options: Any) -> Match[Any]:
    """Seat 0 is to play; what is not said is at seat 3."""
    return position({}, face_up, down, **options)


@pytest.mark.clause("RU-31")
def test_a_face_card_is_not_put_on_a_stack() -> None:
    match = attack(["Kd 9d", "", "8s", ""])
    assert refused(match, "0 Kd") == "RU-31"
    assert refused(match, "0 pass Kd") == "RU-28"
    assert refused(match, "0 queen Kd 1 s") == refused(match, "0 jack Kd 1") == "RU-51"


@pytest.mark.clause("RU-32", "RU-34", "RU-38")
def test_any_other_seat_and_any_name() -> None:
    match = attack(["Jd Qd Kd 9d", "", "8s", ""])
    moves = match.legal(0)
    assert {move for move in moves if move.startswith("jack")} == {f"jack Jd {seat}" for seat in (1, 2, 3)}
    assert {move for move in moves if move.startswith("queen")} == {
        f"queen Qd {seat} {suit}" for seat in (1, 2, 3) for suit in SUITS
    }
    assert {move for move in moves if move.startswith("king")} == {
        f"king Kd {seat} {rank}" for seat in (1, 2, 3) for rank in "A23456789T"
    }
    assert [refused(match, f"0 {move}") for move in ("jack Jd 0", "queen Qd 0 s", "king Kd 0 7")] == ["RU-32"] * 3
    tries = ("jack Jd 4", "queen Qd 1", "queen Qd 1 7", "king Kd 1 J", "king Kd 1 h", "jack Jd 1 s", "jack 9d 1")
    assert [refused(match, f"0 {move}") for move in tries] == ["RU-51"] * 7
    assert refused(match, "0 jack Js 1") == "RU-53"
    for move in ("jack Jd 1", "queen Qd 1 s", "king Kd 1 7", "queen Qd 2 h", "king Kd 2 7"):
        report = play(match.fork(), f"0 {move}").report()
        assert (report["phase"], report["to_act"], report["attack"]) == ("play", [2], None)  # seat 1 has no card
        assert report["discards"][-1] == move.split()[1]


@pytest.mark.clause("RU-33", "RU-40")
def test_a_used_face_card_is_discarded_at_once() -> None:
    match = play(attack(["Qd 9d", "3h 9h", "8s", ""]), "0 queen Qd 1 h")
    report = match.report()
    assert (report["discards"][-1], report["hands"][0]) == ("Qd", ["9d"])
    assert report["attack"] == {"seat": 0, "card": "Qd", "target": 1, "name": "h"}
    play(match, "1 give 9h")
    assert not [card for card in match.report()["discards"] if card[0] not in "JQK"]


@pytest.mark.clause("RU-34", "RU-35")
def test_a_jack_takes_any_face_down_card() -> None:
    match = attack(["Jd 9d", "3h Kh", "8s", ""], ["", "9h", "", ""])
    play(match, "0 jack Jd 1")
    assert (match.phase, match.awaiting, match.to_act) == ("draw", "draw", [])
    assert match.report()["attack"] == {"seat": 0, "card": "Jd", "target": 1, "name": None}
    assert {match.draw_lots(Random(seed)) for seed in range(30)} == {"draw 3h", "draw Kh"}
    assert [refused(match, f"draw {card}") for card in ("9h", "9d", "As")] == ["RU-35"] * 3
    assert [refused(match, event) for event in ("draw", "draw x", "draw 3h Kh", "draw *", "1 pass 3h")] == ["RU-51"] * 5
    number = play(match.fork(), "draw 3h").report()
    assert (number["face_up"][1], number["hands"][1], number["to_act"]) == (["9h", "3h"], ["Kh"], [1])
    face = play(match, "draw Kh").report()
    assert (face["face_up"][1], face["hands"][1], face["discards"][-1]) == (["9h"], ["3h"], "Kh")


@pytest.mark.clause("RU-35", "RU-41", "RU-45")
def test_example_8_jack_takes_the_last_card() -> None:
    match = position({}, [""] * 5, ["Jh 9h", "8h", "7h", "Qc", ""])
    play(match, "0 jack Jh 3")
    assert match.awaiting == "draw"  # also when only one card is possible
    report = play(match, "draw Qc").report()
    assert (report["discards"][-1], report["first_out"], report["points"]) == ("Qc", 3, [0, 0, 0, 1, 0])


@pytest.mark.clause("RU-36", "RU-38", "RU-53")
def test_example_6_queen() -> None:
    match = attack(["Qd 9d", "5s", "3h 9h Kh 4c", ""], ["", "", "8h", ""])
    play(match, "0 queen Qd 2 h")
    assert (match.phase, match.to_act) == ("give", [2])
    assert set(match.legal(2)) == {"give 3h", "give 9h", "give Kh"}
    assert refused(match, "2 give 4c") == "RU-36"
    assert refused(match, "2 give 8h") == refused(match, "2 give Th") == "RU-53"
    assert refused(match, "2 3h") == refused(match, "2 pass 3h") == "RU-51"
    assert refused(match, "1 give 5s") == "RU-52"
    assert play(match.fork(), "2 give 3h").report()["face_up"][2] == ["8h", "3h"]
    report = play(match, "2 give Kh").report()
    assert (report["discards"][-1], report["face_up"][2], report["to_act"]) == ("Kh", ["8h"], [1])


@pytest.mark.clause("RU-37", "RU-38")
def test_a_king_names_a_number() -> None:
    match = play(attack(["Kd 9d", "7s 7h 6c", "As", ""]), "0 king Kd 1 7")
    assert match.report()["attack"] == {"seat": 0, "card": "Kd", "target": 1, "name": "7"}
    assert set(match.legal(1)) == {"give 7s", "give 7h"}
    assert refused(match, "1 give 6c") == "RU-37"
    assert play(match, "1 give 7h").report()["face_up"][1] == ["7h"]
    one = play(attack(["Kd 9d", "7s", "As", ""]), "0 king Kd 2 A")
    assert one.legal(2) == ["give As"]  # she is asked although there is no choice


@pytest.mark.clause("RU-32", "RU-38", "RU-39")
def test_example_7_king_without_effect() -> None:
    match = attack(["Ks 9d", "6s", "5s", ""], ["", "7h", "", ""])
    report = play(match, "0 king Ks 1 7").report()
    assert (report["discards"][-1], report["face_up"][1], report["to_act"]) == ("Ks", ["7h"], [1])


@pytest.mark.clause("RU-39")
def test_the_turn_goes_on_from_the_attacker() -> None:
    match = play(attack(["Qd 9d", "5s", "3h", ""]), "0 queen Qd 2 h", "2 give 3h")
    assert match.to_act == [1]
    drawn = play(attack(["Jd 9d", "5s", "3h", ""]), "0 jack Jd 2", "draw 3h")
    assert drawn.to_act == [1]


# ---------------------------------------------------------------------------------------------- end of a round, scores


@pytest.mark.clause("RU-41", "RU-45")
def test_who_is_out_of_cards_first_has_a_point() -> None:
    played = play(position({"h": 4}, ["", "", ""], ["5h", "6h", ""]), "0 5h").report()
    assert (played["first_out"], played["points"]) == (0, [1, 0, 0])
    chain = play(position({"h": 4}, ["5h", "6h", ""], ["", "", ""]), "0 5h", "1 6h").report()
    assert (chain["first_out"], chain["points"]) == (0, [1, 0, 0])  # the second one gets nothing
    passed = play(position({}, ["", "", ""], ["Kd", "6h", ""], out_point=2), "0 pass Kd").report()
    assert (passed["first_out"], passed["points"]) == (0, [2, 0, 0])
    given = play(position({}, ["", "", ""], ["Qd 2c", "Kd", ""], out_point=0), "0 queen Qd 1 d", "1 give Kd").report()
    assert (given["first_out"], given["points"]) == (1, [0, 0, 0])
    shown = play(position({}, ["", "", ""], ["Qd 2c", "3d", ""]), "0 queen Qd 1 d", "1 give 3d").report()
    assert shown["first_out"] is None


@pytest.mark.clause("RU-33", "RU-42")
def test_the_attacker_is_out_before_the_target() -> None:
    match = play(position({}, ["", "", ""], ["Qd", "Kd", ""]), "0 queen Qd 1 d")
    assert match.report()["first_out"] == 0
    report = play(match, "1 give Kd").report()
    assert (report["first_out"], report["points"]) == (0, [1, 0, 0])


def closing(bids: Sequence[str], first_out: int = -1, last: str = "c", **options: Any) -> Match[Any]:
    """Seat 0 is about to close the last suit with the ten that is its last number card."""
    stacks = {suit: 10 for suit in "shdc" if suit != last} | {last: 9}
    down = ["Kd"] + ["Ks Jc", "Kh Jd", "Kc Jh", "Qs", "Qh"][: len(bids) - 1]
    match = position(stacks, [f"T{last}"] + [""] * (len(bids) - 1), down, bids, **options)
    if first_out >= 0:
        match.state.first_out = first_out
        match.state.points[first_out] = table(match).out_point
    return match


@pytest.mark.clause("RU-43", "RU-44", "RU-45")
def test_example_10_scores() -> None:
    report = play(closing(["2c", "2h", "3c", "2s"], first_out=2), "0 Tc").report()
    assert report["scores"] == [2, 0, 3, 0]
    last = {"points": [2, 0, 3, 0], "closed": ["s", "h", "d", "c"], "bids": ["2c", "2h", "3c", "2s"], "first_out": 2}
    assert report["last"] == last


@pytest.mark.clause("RU-43")
def test_the_round_ends_with_the_fortieth_card_even_in_mid_turn() -> None:
    stacks = {"s": 10, "h": 10, "d": 9, "c": 9}
    match = position(stacks, ["Td Tc", "", "", ""], ["Kd", "Ks", "", ""], ["9d", "9c", "", ""])
    play(match, "0 Td")
    assert match.phase == "more"
    report = play(match, "0 Tc").report()
    assert (report["phase"], report["last"]["closed"], report["last"]["points"]) == ("deal", list("shdc"), [0, 3, 0, 0])
    assert report["last"]["first_out"] is None  # the King is left


@pytest.mark.clause("RU-41", "RU-43", "RU-45")
def test_the_fortieth_card_may_be_the_last_of_its_hand() -> None:
    match = closing(["2c", "2h"])
    match.state.hand[0] = match.state.down[0] = 0
    assert play(match, "0 Tc").report()["last"]["points"] == [4, 0]


@pytest.mark.clause("RU-44", "RU-46")
@pytest.mark.parametrize(
    ("bids", "points"),
    [
        ("2c 2h 3d 2s", [3, 0, 0, 0]),
        ("2h 2c 3c 2s", [0, 2, 2, 0]),
        ("2c 3c 2h 4c", [1, 1, 0, 1]),
        ("2c 3c 4c 5c", [0, 0, 0, 0]),
        ("2c 3c 4c 5c 6c 2h", [0] * 6),
        ("2h 3h 4h 5h", [0, 0, 0, 0]),
    ],
)
def test_points_for_the_suit_closed_last(bids: str, points: list[int]) -> None:
    report = play(closing(bids.split()), "0 Tc").report()
    assert report["last"]["points"] == report["scores"] == points
    assert max(play(closing(bids.split(), first_out=0), "0 Tc").scores) <= 4


@pytest.mark.clause("RU-44")
def test_with_goal_first_the_suit_closed_first_counts() -> None:
    assert play(closing(["2c", "2s", "3h", "3d"], goal="first"), "0 Tc").scores == [0, 3, 0, 0]


@pytest.mark.clause("RU-3", "RU-43")
def test_after_a_round_everything_of_it_is_gone_but_the_result() -> None:
    report = play(closing(["2c", "2h", "3c", "2s"], first_out=2), "0 Tc").report()
    assert (report["phase"], report["awaiting"], report["dealer"], report["deal"]) == ("deal", "deal", 1, 1)
    assert report["hands"] == report["face_up"] == [[]] * 4
    assert (report["bids"], report["stacks"], report["closed"]) == ([None] * 4, [0] * 4, [])
    assert (report["discards"], report["first_out"], report["points"]) == ([], None, [0] * 4)
    match = closing(["2c", "2h"])
    play(match, "0 Tc")
    blank = Match(ROUNDUP, 2)
    for name in ("hand", "face_up", "down", "bids", "shows", "closed", "discards", "lacks", "points", "stuck", "tied"):
        assert getattr(match.state, name) == getattr(blank.state, name), name


@pytest.mark.clause("RU-47")
def test_example_11_tie_at_ten() -> None:
    match = closing(["2c", "2h", "3h", "2s"])
    match.state.scores[:4] = [8, 11, 4, 3]
    report = play(match, "0 Tc").report()
    assert (report["scores"], report["done"], report["awaiting"]) == ([11, 11, 4, 3], False, "deal")
    again = closing(["2h", "2c", "3h", "2s"], first_out=3)
    again.state.scores[:4] = [11, 11, 4, 3]
    report = play(again, "0 Tc").report()
    assert (report["scores"], report["done"], report["winners"]) == ([11, 14, 4, 4], True, [1])


@pytest.mark.clause("RU-47")
def test_the_highest_of_several_with_ten_wins() -> None:
    match = closing(["2c", "3c", "3h", "2s"])
    match.state.scores[:4] = [9, 8, 0, 0]
    assert play(match, "0 Tc").winners == [0]
    short = closing(["2c", "2h"], target=5)
    short.state.scores[:2] = [2, 4]
    assert play(short, "0 Tc").winners == [0]
    on = closing(["2c", "2h"], target=15)
    on.state.scores[:2] = [9, 0]
    assert play(on, "0 Tc").awaiting == "deal"


@pytest.mark.clause("RU-47", "RU-51")
def test_when_the_match_is_over_everything_stays() -> None:
    match = closing(["2c", "2h", "3h", "2s"], first_out=1)
    match.state.scores[:4] = [9, 0, 0, 0]
    report = play(match, "0 Tc").report()
    assert (report["phase"], report["dealer"], report["to_act"], report["legal"]) == ("done", 0, [], {})
    assert (report["closed"], report["bids"], report["first_out"]) == (list("shdc"), ["2c", "2h", "3h", "2s"], 1)
    assert (report["points"], report["scores"], report["hands"][0]) == ([3, 1, 0, 0], [12, 1, 0, 0], ["Kd"])
    for event in ("nonsense", "deal As", "0 pass Kd", "draw Kd", "9 As", "0 bid As"):
        assert refused(match, event) == "RU-51"


@pytest.mark.clause("RU-48")
def test_the_match_ends_after_sixty_rounds() -> None:
    for rounds, done in ((59, False), (60, True)):
        match = closing(["2h", "3h", "4h", "2s"])
        match.state.deals = rounds
        match.state.scores[:4] = [3, 9, 9, 0]
        report = play(match, "0 Tc").report()
        assert (report["done"], report["winners"]) == (done, [1, 2] if done else [])


@pytest.mark.clause("RU-49")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_round_has_at_most_92_moves_that_count(players: int) -> None:
    match, rng = Match(ROUNDUP, players), Random(players)
    while match.report()["deal"] < 4:
        match.event(random_event(match, rng))
        assert match.awaiting or match.done or all(match.legal(seat) for seat in match.to_act)
        if match.awaiting == "deal":
            begun = max(i for i, event in enumerate(match.events) if event.word == "deal")
            moves = [event for event in match.events[begun + 1 :] if event.seat is not None]
            idle = [move for move in moves if move.said in ("pass", "stop") or move.word in ("give", "bid", "show")]
            assert len(moves) - len(idle) <= 92


# ------------------------------------------------------------------------------------------------ what each seat sees


@pytest.mark.clause("RU-50")
def test_everybody_sees_what_lies_open_and_what_was_done() -> None:
    match = attack(["Qd 9d", "3h Kh 5c", "8s", ""], ["9c", "", "", ""], bids=["9c", "2h", "3h", "4h"])
    play(match, "0 queen Qd 1 h")
    for seat in (None, 0, 2, 3):
        seen = match.setup.report(seen_by(match, seat))
        assert seen == {name: match.report()[name] for name in seen}
        assert seen_by(match, seat).down[:4] == match.state.down[:4]
        assert seen_by(match, seat).hand[1] == 0
        assert match.view(seat).legal_moves() == []
    assert match.view(1).legal() == match.legal(1)
    play(match, "1 give Kh")
    assert told(match, None) == "give Kh"


@pytest.mark.clause("RU-50")
def test_the_bids_stay_visible_after_the_card_was_played() -> None:
    match = play(dealt(FOUR), "0 bid Ah", "1 bid 2h", "2 bid 5d", "3 bid 2c", "0 Ah")
    assert describe(match.view(2)).seats[0].marks == [MarkView("Bid", "A♥")]


def logged(match: Match[Any], *events: str) -> list[str]:
    """What a watcher reads about these events."""
    log = Log(match)
    for event in events:
        log.note(len(match.events), match.state.copy(), match, match.event(event), NAMES[: match.players])
    return [line.text for line in log.lines(None, len(events))]


@pytest.mark.clause("RU-7", "RU-13", "RU-50")
def test_the_log_opens_bids_and_each_round_of_a_tie_break() -> None:
    bids = ["0 bid Ah", "1 bid As", "2 bid 5d", "3 bid 2c"]
    lines = logged(dealt(FOUR), *bids, "1 show 9s", "0 show 9h", "0 show 4h", "1 show 7s")
    assert lines == [
        "Ann has bid",
        "Bo has bid",
        "Cy has bid",
        "All is revealed: Ann bids A♥, Bo bids A♠, Cy bids 5♦, Di bids 2♣",
        "Bo has chosen a card",
        "All is revealed: Ann shows 9♥, Bo shows 9♠",
        "Ann has chosen a card",
        "All is revealed: Ann shows 4♥, Bo shows 7♠",
    ]


@pytest.mark.clause("RU-35", "RU-50")
def test_the_log_tells_attacks_and_what_they_took() -> None:
    match = attack(["Jd Qd 9d", "3h Kh", "8s", ""])
    assert logged(match, "0 jack Jd 1", "draw 3h", "1 pass Kh") == [
        "Ann plays J♦ at Bo",
        "A card is drawn by lot: 3♥",
        "Bo passes, which costs K♥",
    ]


@pytest.mark.clause("RU-50")
def test_a_scene_shows_stacks_face_up_hands_and_the_attack() -> None:
    match = attack(["Qd 9d", "3h Kh 5c", "8s", ""], ["9c Ts 2c", "", "", ""], bids=["9c", "2h", "3h", "4h"])
    scene = describe(match.view(0), (), NAMES)
    assert scene.headline == "Round 1 · to 10 points"
    assert scene.prompt == "Your turn: use a face card, or pass with a number card"
    assert [zone.id for zone in scene.zones] == [*(f"stack-{s}" for s in "shdc"), "face-up-0", "discards"]
    assert scene.zone("face-up-0") == ZoneView("face-up-0", "meld", "Face up", ["Ts", "2c", "9c"], 3, owner=0)
    labels = {move.text: move.label for move in scene.offers.moves}
    assert labels["queen Qd 1 h"] == "Q♦ at Bo: ♥"
    assert labels["pass 9d"] == "Pass with 9♦"
    play(match, "0 queen Qd 1 h")
    scene = describe(match.view(1), (), NAMES)
    assert scene.prompt == "Your turn: give up a face-down card of hearts"
    assert scene.zone("attack") == ZoneView("attack", "row", "Hearts", ["Qd"], 1, owner=0)
    assert describe(match.view(0), (), NAMES).prompt == "Waiting for Bo"


@pytest.mark.clause("RU-19", "RU-44", "RU-45")
def test_a_scene_tells_closed_suits_and_how_the_round_went() -> None:
    match = closing(["2c", "2h", "3c", ""], first_out=2)
    scene = describe(match.view(0), (), NAMES)
    assert scene.headline == "Round 1 · to 10 points · closed: ♠ ♥ ♦"
    spades = [f"{rank}s" for rank in "A23456789T"]
    assert scene.zones[0] == ZoneView("stack-s", "pile", "Spades, closed", spades, 10, goal=10, suit="s")
    assert scene.seats[2].marks[1] == MarkView("Out", "first", "out")
    assert scene.finished == []
    play(match, "0 Tc")
    scene = describe(match.view(None), (), NAMES)
    assert scene.result == [
        "Closed in this order: spades, hearts, diamonds, clubs",
        "Cy was the first without cards",
    ]
    assert scene.seats[2].marks == [MarkView("Bid", "–")]
    assert scene.finished[2:] == [
        [MarkView("Points", "3", "points"), MarkView("Bid", "3♣"), MarkView("Out", "first")],
        [MarkView("Points", "0", "points"), MarkView("Bid", "–")],
    ]


@pytest.mark.clause("RU-24", "RU-30", "RU-37")
def test_prompts_say_what_can_be_done() -> None:
    def prompt(match: Match[Any], seat: int = 0) -> str:
        return describe(match.view(seat)).prompt.removeprefix("Your turn: ")

    assert prompt(dealt(FOUR)) == "lay a number card of the suit that you think will be closed last"
    assert prompt(dealt(FOUR, goal="first")).endswith("closed first")
    assert prompt(position(**CHAIN)) == "play a face-up card that fits"
    assert prompt(play(position(**CHAIN), "0 5h")) == "play another face-up card, or stop"
    can = prompt(position({"h": 4}, ["", ""], ["5h Jd", ""]))
    assert can == "play a card that fits, use a face card, or pass with a number card"
    assert prompt(position({"h": 4}, ["", ""], ["Jd", ""])) == "use a face card, or pass with a face card"
    assert prompt(position({}, ["9h", ""], ["", ""])) == "pass"
    king = play(attack(["Kd 9d", "7s", "As", ""]), "0 king Kd 2 A")
    assert prompt(king, 2) == "give up a face-down card of rank ace"
    tie = play(dealt(FOUR), "0 bid Ah", "1 bid As", "2 bid 5d", "3 bid 2c")
    assert prompt(tie).startswith("a tie for the lowest card")


# ----------------------------------------------------------------------------------------------- what answers prove


@pytest.mark.clause("RU-38")
def test_an_attack_without_effect_shows_what_is_not_there() -> None:
    match = play(attack(["Qd Kd 9d", "3h", "8s", ""]), "0 queen Qd 2 h")
    assert match.state.lacks[2] == as_set(cards_of(" ".join(card for card in PACK if card[1] == "h")))
    match = play(attack(["Qd Kd 9d", "3h", "8s", ""]), "0 king Kd 1 7")
    assert match.state.lacks[1] == as_set(cards_of("7s 7h 7d 7c"))
    assert play(match, "1 pass 3h").state.lacks[1] == as_set(cards_of("7s 7h 7d 7c"))


@pytest.mark.clause("RU-29")
def test_who_passes_with_a_face_card_has_no_number_card() -> None:
    match = play(attack(["Qd Kd", "3h", "8s", ""]), "0 pass Kd")
    assert match.state.lacks[0] == NUMBERS
    assert play(match, "1 pass 3h").state.lacks[1] == 0


@pytest.mark.clause("RU-9", "RU-13", "RU-38")
def test_who_is_asked_for_a_card_has_one_in_every_world() -> None:
    rng = Random(3)
    give = play(attack(["Qd 9d", "3h 8c 5c", "8s", ""]), "0 queen Qd 1 h")
    hearts = as_set(cards_of(" ".join(card for card in PACK if card[1] == "h")))
    tie = play(dealt(FOUR), "0 bid Ah", "1 bid As", "2 bid 5d", "3 bid 2c", "1 show 9s")
    for _ in range(50):
        assert Worlds(give.view(0)).sample(rng).hand[1] & hearts
        made = Worlds(tie.view(0)).sample(rng)
        assert made.hand[1] >> made.shows[1] & 1
    bidding = play(dealt_3(), "3 bid Ah")
    made = Worlds(bidding.view(0)).sample(rng)
    assert made.hand[3] >> made.bids[3] & 1
    made.hand[3] &= ~NUMBERS
    assert not table(bidding).consistent(made, 0)
    made.bids[3] = NO_CARD
    table(bidding).complete(made, 0, rng)
    assert made.bids[3] == NO_CARD


@pytest.mark.clause("RU-16")
def test_of_the_seats_of_a_tie_that_could_not_go_on_one_has_only_face_cards() -> None:
    match = play(dealt_3(), *BIDS_3)
    assert match.state.stuck == 0b1010
    found = {(not made.hand[1] & NUMBERS, not made.hand[3] & NUMBERS) for made in sampled(match, 0, 40)}
    assert found == {(True, False), (False, True)}
    assert all(not made.hand[3] & NUMBERS for made in sampled(match, 1, 20))  # seat 1 sees its own
    assert len(table(match).hypotheses(seen_by(match, 3), 3)) == 1
    assert any(made.hand[1] & NUMBERS for made in sampled(match, 3, 20))
    play(match, "1 As")
    while not match.state.lacks[3]:  # until seat 3 has to pass with a face card
        assert match.state.stuck == 0b1010
        play(match, "1 queen Qc 4 s" if match.to_act == [1] else wait(match))
    assert (match.state.stuck, match.state.lacks[3]) == (0, NUMBERS)


def sampled(match: Match[Any], seat: int, number: int) -> list[Any]:
    worlds, rng = Worlds(match.view(seat)), Random(7)
    return [worlds.sample(rng) for _ in range(number)]


@pytest.mark.clause("RU-16")
def test_a_number_card_that_comes_to_light_tells_who_has_none() -> None:
    match = play(dealt_3(), *BIDS_3, "1 As")
    while match.to_act != [1]:
        assert not match.state.lacks[3]
        play(match, wait(match) if match.to_act != [3] else "3 Ah")
    play(match, "1 pass 9s")
    assert (match.state.stuck, match.state.lacks[3], match.state.lacks[1]) == (0, NUMBERS, 0)


# ----------------------------------------------------------------------------------------------- errors and options


@pytest.mark.clause("RU-51")
def test_events_that_are_not_due() -> None:
    match = Match(ROUNDUP)
    assert refused(match, "0 bid As") == refused(match, "draw As") == refused(match, "nonsense") == "RU-51"
    assert refused(match, "deal x") == refused(match, f"deal {' '.join(PACK[1:])} *") == "RU-51"
    assert refused(match, "deal") == refused(match, "deal As") == "RU-4"
    play(match, deal(FOUR))
    for event in ("0 show Ah", "0 give Ah", "0 Ah", "0 stop", "0 bid", "0 bid Ah 9h", "0 bid x", "0 bid *", "0"):
        assert refused(match, event) == "RU-51"
    play(match, "0 bid Ah", "1 bid 2h", "2 bid 5d", "3 bid 2c", "0 Ah")
    for event in ("1 bid 3h", "1 show 3h", "1 give 3h", "1 pass 3h 9s", "1 stop now", "1 fold", "1 3h 9s", "1 *"):
        assert refused(match, event) == "RU-51"
    assert refused(match, deal(FOUR)) == refused(match, "draw As") == refused(match, "reshuffle As") == "RU-51"


@pytest.mark.clause("RU-52")
def test_a_seat_that_is_not_to_act() -> None:
    match = attack(["9d", "3h", "8s", ""])
    assert refused(match, "1 pass 3h") == refused(match, "1 pass As") == refused(match, "4 pass 9d") == "RU-52"


@pytest.mark.clause("RU-53")
def test_a_card_that_the_seat_does_not_hold() -> None:
    match = attack(["9d", "3h", "8s", ""], ["", "9h", "", ""])
    for move in ("3h", "9h", "pass 3h", "king Kd 1 7", "Kd"):
        assert refused(match, f"0 {move}") == "RU-53"
    assert refused(dealt(FOUR), "0 bid As") == "RU-53"


@pytest.mark.clause("RU-54")
def test_options_that_the_page_does_not_list_are_refused() -> None:
    for wrong in ({"target": 11}, {"goal": "middle"}, {"chain": True}, {"first_player": 0}, {"out_point": "1"}):
        assert refused_header(ROUNDUP, **wrong) == "RU-54"
    assert (
        refused_header(ROUNDUP, even_deal="yes")
        == refused_header(ROUNDUP, kings=4)
        == refused_header(ROUNDUP, out_point=True)
        == "RU-54"
    )
    assert Match(ROUNDUP, options={"target": 20, "out_point": 0, "even_deal": "on"}).phase == "deal"


# ---------------------------------------------------------------------------------------------------------- the rest


@pytest.mark.clause("RU-32")
def test_no_seat_ever_has_more_moves_than_declared() -> None:
    """A hand's moves are counted card by card; without number cards, each face card is a pass too."""
    most = 0
    for players in range(2, 7):
        others = players - 1
        faces = [10 * others + 1] * 4 + [4 * others + 1] * 4 + [others + 1] * 4
        size = -(-52 // players)
        number_cards = max(0, size - 12)
        most = max(most, sum(faces[:size]) + 2 * number_cards)
    assert most == ROUNDUP.most_moves
    match = position({"s": 10}, [""] * 6, ["Ks Kh Kd Kc Qs Qh Qd Qc Js", "As", "", "", "", ""])
    buffer = [0] * ROUNDUP.most_moves
    assert match.setup.legal_moves(match.state, 0, buffer) == ROUNDUP.most_moves


def chosen(match: Match[Any], seat: int = 0) -> str:
    moves = match.legal_moves(seat)
    return ROUNDUP.notation.text(table(match).choose(seen_by(match, seat), seat, moves, len(moves), 0))


@pytest.mark.clause("RU-8", "RU-24", "RU-28", "RU-36", "RU-37")
def test_rules_of_thumb_keep_their_suit_and_bring_on_the_others() -> None:
    hand = "2h 4h 5h 8h 9s 3c 4d 6d Jd Qd Kd 7s Th"
    assert chosen(dealt([hand, "", "", ""])) == "bid Th"
    kept: dict[str, Any] = {"bids": ["Th", "9c", "", ""]}
    both = position({"h": 4, "c": 2}, ["Th", "9c", "", ""], ["5h 3c", "", "", ""], **kept)
    assert chosen(both) == "3c"
    own = position({"h": 4, "c": 2}, ["Th", "9c", "", ""], ["5h 9d", "", "", ""], **kept)
    assert chosen(own) == "pass 9d"
    up = position({"h": 4, "c": 2}, ["5h 3c", "9c", "", ""], ["9d", "", "", ""], **kept)
    assert chosen(up) == "3c"
    more = position({"h": 4, "c": 2}, ["5h 3c As", "9c", "", ""], ["9d", "", "", ""], **kept)
    assert chosen(play(more, "0 3c")) == "stop"  # keeps the ace for the next turn
    last = position({"s": 10, "d": 10, "c": 10, "h": 4}, ["Th", "", "", ""], ["5h Kd", "", "", ""], **kept)
    assert chosen(last) == "5h"
    king = position({"s": 10, "d": 10, "c": 2}, ["Th", "9c", "", ""], ["5h Kd", "3c 2h", "", ""], **kept)
    assert chosen(king) == "king Kd 1 3"  # who bid clubs may well hold back the three
    asked = play(attack(["Qd 9d", "3h 9h Kh", "8s", ""], bids=["9c", "Th", "", ""]), "0 queen Qd 1 h")
    assert chosen(asked, 1) == "give Kh"


def test_a_state_starts_blank() -> None:
    match = Match(ROUNDUP)
    assert (match.state.phase, match.state.awaiting) == (DUE, DEAL)
    play(match, deal(FOUR))
    assert match.state.awaiting == NOTHING
    assert bit(read("As") or 0) & match.state.hand[1]


def test_no_number_of_the_rules_has_a_twin_that_a_variant_would_miss() -> None:
    for name, number in ROUNDUP.declared_numbers.items():
        if type(number.value) is int:
            assert list(literal_twins(ROUNDUP, number.value)) == [], name


@pytest.mark.clause("RU-55")
def test_the_usual_table_is_as_the_author_wrote_it() -> None:
    assert (games.load("roundup").author, games.load("roundup").author_clause) == ({}, "RU-55")
