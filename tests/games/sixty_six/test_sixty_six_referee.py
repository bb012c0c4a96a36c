"""The worked examples of Sixty-Six and its refusals, against the slow referee."""

import pytest
from games.sixty_six.referee import RANKS, Referee
from referee_base import Refused, pack


def fresh(**options: object) -> Referee:
    """Dealer 0, so that seat 1 leads first."""
    return Referee(2, 0, dict(options))


def deal_text(nondealer: str, dealer: str, upcard: str, stock: str = "") -> str:
    """A deal in which the nondealer and the dealer get these six cards; the stock begins with the cards given."""
    one, two, top = nondealer.split(), dealer.split(), stock.split()
    used = [*one, *two, upcard, *top]
    rest = [card for card in pack(RANKS) if card not in used]
    return "deal " + " ".join([*one[:3], *two[:3], *one[3:], *two[3:], upcard, *top, *rest])


def play(referee: Referee, *events: str) -> None:
    for text in events:
        referee.event(text)


def refuse(referee: Referee, text: str) -> str:
    """The clause under which the event is refused; nothing may change."""
    before = referee.report()
    with pytest.raises(Refused) as caught:
        referee.event(text)
    assert referee.report() == before
    return caught.value.clause


def place(hand_0: str, hand_1: str, leader: int, points: list[int], tricks: list[int], upcard: str | None) -> Referee:
    """A position in the middle of a deal with trumps hearts, dealer 0."""
    referee = fresh()
    referee.event("deal " + " ".join(pack(RANKS)))
    return put(referee, hand_0, hand_1, leader, points, tricks, upcard)


def put(
    referee: Referee, hand_0: str, hand_1: str, leader: int, points: list[int], tricks: list[int], upcard: str | None
) -> Referee:
    referee.hands = [hand_0.split(), hand_1.split()]
    referee.leader = leader
    referee.points = list(points)
    referee.tricks = list(tricks)
    referee.trump = "h"
    referee.upcard = upcard
    referee.stock = [] if upcard is None else ["9c"]
    return referee


def last(referee: Referee) -> tuple[object, object, object]:
    result = referee.report()["last"]
    assert isinstance(result, dict)
    return result["how"], result["winner"], result["vp"]


PENDING = deal_text("Kh Qh As 9d 9c Jc", "Ah 9s Td Kd Qd Jd", "Jh", "Ks Js")


def test_ss_7_to_ss_11_the_deal() -> None:
    referee = fresh()
    assert referee.report()["hands"] == [[], []]
    assert referee.report()["stock"] == 0
    assert sorted(referee.chance() or []) == sorted(pack(RANKS))
    play(referee, PENDING)
    report = referee.report()
    assert report["hands"] == [["Ah", "9s", "Td", "Kd", "Qd", "Jd"], ["Kh", "Qh", "As", "9d", "9c", "Jc"]]
    assert (report["upcard"], report["trump"], report["stock"]) == ("Jh", "h", 11)
    assert (report["to_act"], report["leader"], report["phase"], report["awaiting"]) == ([1], 1, "lead", None)
    assert referee.chance() is None
    assert set(report["legal"]["1"]) == {"Kh", "Qh", "As", "9d", "9c", "Jc", "meld Kh Qh", "close", "declare"}


def test_ss_19_to_ss_22_example_1_pending_marriage() -> None:
    referee = fresh()
    play(referee, PENDING, "1 meld Kh Qh")
    assert referee.report()["shown"] == ["Kh", "Qh"]
    assert set(referee.report()["legal"]["1"]) == {"Kh", "Qh", "declare"}
    play(referee, "1 Qh", "0 Ah")
    report = referee.report()
    assert (report["points"], report["pending"], report["shown"]) == ([14, 0], [0, 40], [])
    assert "Ks" in report["hands"][0] and "Js" in report["hands"][1]
    play(referee, "0 9s", "1 As")
    assert referee.report()["points"] == [14, 51]
    assert referee.report()["pending"] == [0, 0]


def test_ss_21_pending_points_do_not_count_and_stay_listed() -> None:
    referee = fresh()
    play(referee, PENDING, "1 meld Kh Qh", "1 declare")
    assert last(referee) == ("bad-declare", 0, 3)
    report = referee.report()
    assert (report["pending"], report["points"], report["scores"]) == ([0, 40], [0, 0], [3, 0])
    assert (report["dealer"], report["phase"], report["awaiting"], report["leader"]) == (1, "deal", "deal", None)


def test_ss_30_example_2_declaring_after_a_marriage() -> None:
    referee = place("Kd Qd 9s", "As Ts Jd", 0, [48, 20], [3, 1], None)
    play(referee, "0 meld Kd Qd", "0 declare")
    assert referee.report()["points"] == [68, 20]
    assert last(referee) == ("schneider", 0, 2)


def test_ss_23_to_ss_27_example_3_nine_then_close() -> None:
    cards = deal_text("9h Kd As 9d 9c Jc", "Kh 9s Td Ts Qd Jd", "Ah")
    referee = fresh()
    play(referee, cards, "1 exchange", "1 close")
    report = referee.report()
    assert (report["upcard"], report["closed"], report["stock"]) == ("9h", 1, 11)
    play(referee, "1 Kd")
    assert set(referee.report()["legal"]["0"]) == {"Td", "Qd", "Jd"}
    assert refuse(referee, "0 9s") == "SS-17"
    play(referee, "0 Td")
    assert [len(hand) for hand in referee.report()["hands"]] == [5, 5]

    referee = fresh()
    play(referee, cards, "1 close")
    assert refuse(referee, "1 exchange") == "SS-25"
    assert "exchange" not in referee.report()["legal"]["1"]


def test_ss_15_and_ss_17_example_4_end_of_the_stock() -> None:
    referee = fresh()
    play(referee, deal_text("9s Js Qs Ks Ts As", "9d Jd Qd Kd Td Ad", "9h"))
    for count in range(6):
        leader = referee.report()["to_act"][0]
        hand = referee.report()["hands"]
        lead = next(card for card in hand[leader] if card[1] in "sd")
        referee.event(f"{leader} {lead}")
        answer = next(card for card in hand[1 - leader] if card[1] in "sd" and card[1] != lead[1])
        referee.event(f"{1 - leader} {answer}")
        assert referee.report()["stock"] == [9, 7, 5, 3, 1, 0][count]
    report = referee.report()
    loser = 1 - report["leader"]
    assert "9h" in report["hands"][loser]
    assert (report["upcard"], report["trump"]) == (None, "h")
    assert [len(hand) for hand in report["hands"]] == [6, 6]
    assert refuse(referee, f"{report['leader']} close") == "SS-28"


def test_ss_18_example_5_no_duty_to_win() -> None:
    referee = place("Ks Jd Jc", "As 9s 9h", 0, [0, 0], [3, 3], None)
    play(referee, "0 Ks")
    assert set(referee.report()["legal"]["1"]) == {"As", "9s"}
    assert refuse(referee, "1 9h") == "SS-17"
    referee = place("Ks Jd", "Ad 9h", 0, [0, 0], [3, 3], None)
    play(referee, "0 Ks")
    assert set(referee.report()["legal"]["1"]) == {"Ad", "9h"}


def test_ss_18_option_endplay_strict() -> None:
    for led, hand, allowed in [
        ("Ks", "As 9s 9h", {"As"}),
        ("As", "Ts 9s 9h", {"Ts", "9s"}),
        ("Ks", "Ad 9h", {"9h"}),
        ("Ks", "Ad 9c", {"Ad", "9c"}),
        ("Kh", "Ah 9h Ts", {"Ah"}),
    ]:
        referee = fresh(endplay="strict")
        referee.event("deal " + " ".join(pack(RANKS)))
        put(referee, f"{led} Jd Jc", hand, 0, [0, 0], [3, 3], None)
        play(referee, f"0 {led}")
        assert set(referee.report()["legal"]["1"]) == allowed
    referee = fresh(endplay="strict")
    referee.event("deal " + " ".join(pack(RANKS)))
    put(referee, "Ks Jd Jc", "As 9s 9h", 0, [0, 0], [3, 3], None)
    play(referee, "0 Ks")
    assert refuse(referee, "1 9s") == "SS-18"
    assert refuse(referee, "1 9h") == "SS-17"
    put(referee, "Jd Jc", "Ad 9h Jh", 0, [0, 0], [3, 3], None)
    assert refuse(referee, "1 Ad") == "SS-18"


@pytest.mark.parametrize(
    ("points", "tricks", "result"),
    [
        ([70, 33], [3, 2], ("plain", 0, 1)),
        ([70, 32], [3, 2], ("schneider", 0, 2)),
        ([70, 0], [3, 1], ("schneider", 0, 2)),
        ([70, 0], [4, 0], ("schwarz", 0, 3)),
    ],
)
def test_ss_34_example_6_victory_points(points: list[int], tricks: list[int], result: tuple[object, ...]) -> None:
    referee = place("Kd Qd 9s", "As Ts Jd", 0, points, tricks, "Jh")
    referee.pending = [0, 40] if tricks[1] == 0 else [0, 0]
    play(referee, "0 declare")
    assert last(referee) == result


def test_ss_38_example_7_wrong_claim() -> None:
    for other in (0, 40, 80):
        referee = place("Kd Qd 9s", "As Ts Jd", 0, [64, other], [4, 1], None)
        play(referee, "0 declare")
        assert last(referee) == ("bad-declare", 1, 2)
    referee = place("Kd Qd 9s", "As Ts Jd", 0, [64, 0], [4, 0], "Jh")
    play(referee, "0 declare")
    assert last(referee) == ("bad-declare", 1, 3)


def test_ss_38_the_earlier_close_decides() -> None:
    referee = place("Kd 9s", "As Js", 0, [20, 0], [1, 0], "Jh")
    play(referee, "0 close", "0 9s", "1 As", "1 Js", "0 Kd")
    assert last(referee) == ("bad-close", 1, 3)
    referee = place("Kd Ks 9s", "Ad As Js", 0, [20, 0], [1, 0], "Jh")
    play(referee, "0 close", "0 9s", "1 Js", "1 As", "0 Ks", "1 Ad", "0 Kd")
    assert last(referee) == ("bad-close", 1, 3)
    referee = place("Kd Ad 9s", "Jd As Ks", 0, [20, 0], [1, 0], "Jh")
    play(referee, "0 close", "0 9s", "1 Ks", "1 As", "0 Kd")
    assert refuse(referee, "0 declare") == "SS-48"
    referee = place("Kd Ad 9s", "Jd As Ks", 0, [20, 0], [1, 0], "Jh")
    play(referee, "0 close", "0 9s", "1 Ks", "1 Jd", "0 Ad", "0 declare")
    assert last(referee) == ("bad-declare", 1, 3)


def test_ss_39_example_8_failed_close() -> None:
    referee = place("9s Ad", "As Jd", 0, [49, 30], [0, 0], "Jh")
    referee.tricks = [2, 0]
    play(referee, "0 close", "0 9s", "1 As", "1 Jd", "0 Ad")
    assert referee.report()["points"] == [72, 41]
    assert last(referee) == ("plain", 0, 1)
    referee = place("9s Qd", "As Jd", 0, [45, 30], [2, 0], "Jh")
    play(referee, "0 close", "0 9s", "1 As", "1 Jd", "0 Qd")
    assert referee.report()["points"] == [60, 41]
    assert last(referee) == ("bad-close", 1, 3)
    referee = place("9s Qd", "As Jd", 0, [45, 30], [2, 1], "Jh")
    play(referee, "0 close", "0 9s", "1 As", "1 Jd", "0 Qd")
    assert last(referee) == ("bad-close", 1, 2)


def test_ss_39_the_other_player_declares() -> None:
    referee = place("9s Qd", "As Jd", 0, [45, 60], [2, 1], "Jh")
    play(referee, "0 close", "0 9s", "1 As", "1 declare")
    assert last(referee) == ("bad-close", 1, 2)


def finish_level(referee: Referee, points: list[int]) -> None:
    """Plays one trick of no worth besides the last trick's 10, which seat 0 wins."""
    put(referee, "9h", "9s", 0, [points[0] - 10, points[1]], [6, 5], None)
    play(referee, "0 9h", "1 9s")
    assert referee.report()["points"] == points


@pytest.mark.parametrize(("carry", "waiting", "total"), [("add", 2, 4), ("one", 1, 3), ("none", 0, 2)])
def test_ss_37_ss_40_ss_41_example_9_void_and_extra(carry: str, waiting: int, total: int) -> None:
    referee = fresh(carry=carry)
    cards = "deal " + " ".join(pack(RANKS))
    play(referee, cards)
    finish_level(referee, [65, 65])
    assert last(referee) == ("void", None, 0)
    assert referee.report()["dealer"] == 1
    play(referee, cards)
    finish_level(referee, [80, 70])
    assert last(referee) == ("void", None, 0)
    assert referee.report()["carry"] == waiting
    play(referee, cards)
    put(referee, "Kd Qd 9s", "As Ts Jd", 0, [64, 20], [4, 1], None)
    play(referee, "0 declare")
    assert last(referee) == ("bad-declare", 1, total)
    assert (referee.report()["carry"], referee.report()["scores"]) == (0, [0, total])


def test_ss_35_example_10_both_have_66() -> None:
    for both, result, waiting in [("void", ("void", None, 0), 1), ("declarer", ("plain", 0, 1), 0)]:
        referee = fresh(both=both)
        referee.event("deal " + " ".join(pack(RANKS)))
        put(referee, "Ks Qs As", "Js Jd Jc", 1, [40, 71], [2, 6], None)
        play(referee, "1 Js", "0 As", "0 meld Ks Qs", "0 declare")
        assert referee.report()["points"] == [73, 71]
        assert last(referee) == result
        assert referee.report()["carry"] == waiting


def test_ss_5_last_trick() -> None:
    for option, closed, bonus in [("always", 0, 10), ("open", 0, 0), ("open", None, 10)]:
        referee = fresh(last=option)
        referee.event("deal " + " ".join(pack(RANKS)))
        put(referee, "9h", "9s", 0, [70, 10], [6, 5], None)
        referee.closed = closed
        play(referee, "0 9h", "1 9s")
        assert referee.report()["points"] == [70 + bonus, 10]


def test_ss_24_option_exchange() -> None:
    cards = deal_text("9h Kd As 9d 9c Jc", "Kh 9s Td Ts Qd Jd", "Ah")
    referee = fresh(exchange="trick")
    play(referee, cards)
    assert "exchange" not in referee.report()["legal"]["1"]
    assert refuse(referee, "1 exchange") == "SS-24"
    play(referee, "1 As", "0 9s")
    assert "exchange" in referee.report()["legal"]["1"]
    play(referee, "1 exchange")
    assert refuse(referee, "1 exchange") == "SS-23"


def test_ss_43_and_ss_44_the_end_of_the_match() -> None:
    referee = fresh(target=3)
    play(referee, PENDING, "1 declare")
    report = referee.report()
    assert (report["done"], report["phase"], report["winners"], report["dealer"]) == (True, "done", [0], 0)
    assert (report["to_act"], report["legal"], report["awaiting"], report["leader"]) == ([], {}, None, None)
    assert refuse(referee, PENDING) == "SS-48"
    assert refuse(referee, "0 Ah") == "SS-48"
    referee = fresh()
    for _ in range(100):
        assert not referee.report()["done"]
        play(referee, PENDING)
        finish_level(referee, [65, 65])
    report = referee.report()
    assert (report["done"], report["winners"], report["deal"], report["carry"]) == (True, [0, 1], 100, 100)


def test_refused_events() -> None:
    referee = fresh()
    for text in ["1 Kh", "nonsense", "", "draw Kh", "reshuffle Kh", "0 declare"]:
        assert refuse(referee, text) == "SS-48"
    whole = pack(RANKS)
    for cards in [whole[:-1], [*whole, "Kh"], [*whole[:-1], whole[0]], [*whole[:-1], "2h"], []]:
        assert refuse(referee, " ".join(["deal", *cards])) == "SS-10"

    play(referee, deal_text("Kh Qh Ks Qs 9h Jc", "Ah Th Td Kd Qd Jd", "Jh", "9c 9d"))
    for text in [PENDING, "0 Ah", "2 Kh", "²  Kh", "01 Kh", "1 ", "1 bid 3", "1 Kh Qh", "1 close now", "1 meld Kh"]:
        assert refuse(referee, text) == "SS-48"
    assert refuse(referee, "1 Ah") == "SS-11"
    for text in ["1 meld Kd Qd", "1 meld Qh Kh", "1 meld Kh Qs"]:
        assert refuse(referee, text) == "SS-20"
    play(referee, "1 meld Kh Qh")
    assert refuse(referee, "1 Jc") == "SS-22"
    assert refuse(referee, "1 Ah") == "SS-11"
    assert refuse(referee, "1 meld Ks Qs") == "SS-22"
    assert refuse(referee, "1 exchange") == "SS-25"
    assert refuse(referee, "1 close") == "SS-25"
    play(referee, "1 Kh")
    assert refuse(referee, "0 meld Kd Qd") == "SS-20"
    assert refuse(referee, "0 exchange") == "SS-23"
    assert refuse(referee, "0 close") == "SS-26"
    assert refuse(referee, "0 declare") == "SS-30"
    assert refuse(referee, "0 Kh") == "SS-11"
    play(referee, "0 Qd", "1 close")
    assert refuse(referee, "1 close") == "SS-28"
    assert refuse(referee, "1 exchange") == "SS-25"
    play(referee, "1 meld Ks Qs")
    assert referee.report()["points"] == [0, 67]
    assert refuse(referee, "1 close") == "SS-25"
    play(referee, "1 Ks")
    play(referee, "0 Jd")
    play(referee, "1 Jc", "0 Td")
    assert refuse(referee, "1 exchange") == "SS-24"


def test_input_also_takes_other_spellings() -> None:
    referee = fresh()
    play(referee, PENDING.replace("Td", "10♦").replace("Ah", "aH"), "1 meld K♥ qh", "1 kh", "0 10d")
    assert referee.report()["tricks"] == [0, 1]


@pytest.mark.parametrize(
    ("players", "dealer", "options", "clause"),
    [
        (3, 0, {}, "SS-1"),
        (True, 0, {}, "SS-1"),
        (2, 2, {}, "SS-6"),
        (2, -1, {}, "SS-6"),
        (2, False, {}, "SS-6"),
        (2, 0, {"colour": "red"}, "SS-48"),
        (2, 0, {"target": 0}, "SS-43"),
        (2, 0, {"target": 22}, "SS-43"),
        (2, 0, {"target": True}, "SS-43"),
        (2, 0, {"target": "7"}, "SS-43"),
        (2, 0, {"endplay": "loose"}, "SS-17"),
        (2, 0, {"last": None}, "SS-5"),
        (2, 0, {"exchange": 1}, "SS-24"),
        (2, 0, {"both": ["void"]}, "SS-34"),
        (2, 0, {"carry": "two"}, "SS-37"),
        (2, 0, {"count": "Shown"}, "SS-46"),
    ],
)
def test_refused_headers(players: int, dealer: int, options: dict[str, object], clause: str) -> None:
    with pytest.raises(Refused) as caught:
        Referee(players, dealer, options)
    assert caught.value.clause == clause
