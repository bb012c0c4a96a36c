"""The worked examples of Kalooki, and what each clause refuses, against the slow referee."""

from collections import Counter

import pytest
from games.kalooki.referee import CONTRACTS, PACK, Meld, Referee, four_place
from referee_base import Refused


def cards(text: str) -> list[str]:
    return text.split()


def deal(referee: Referee, hands: dict[int, str] | None = None, upcard: str = "", stock: str = "") -> str:
    """A `deal` event that gives these hands (filled up), this upcard and this beginning of the stock."""
    rest = Counter(PACK)
    wanted = {seat: cards(text) for seat, text in (hands or {}).items()}
    top = cards(upcard) + cards(stock)
    rest.subtract([card for hand in wanted.values() for card in hand] + top)
    assert min(rest.values()) >= 0
    spare = sorted(rest.elements(), reverse=True)  # the jokers last
    n, size = referee.players, CONTRACTS[referee.contract][0]
    full = []
    for seat in range(n):
        hand = list(wanted.get(seat, []))
        while len(hand) < size:
            hand.append(spare.pop(0))
        full.append(hand)
    dealt = [full[(referee.dealer + 1 + i) % n][i // n] for i in range(size * n)]
    return "deal " + " ".join(dealt + top + spare)


def table(*melds: str, hand: str, owner: int = 0, contracts: str = "123456789", **options: object) -> Referee:
    """Seat 1 of four, down, in phase play with this hand; these melds on the table are seat 0's unless told."""
    referee = Referee(4, 0, {"contracts": contracts, **options})
    referee.event(deal(referee))
    referee.event("1 take")
    referee.hands[1] = cards(hand)
    referee.down = [True, True, False, False]
    for text in melds:
        laid = cards(text)
        low = place(laid)
        referee.melds.append(Meld(len(referee.melds) + 1, owner, "four" if low else "three", laid, low))
    return referee


def place(laid: list[str]) -> int:
    naturals = [card[0] for card in laid if card != "*"]
    if len(set(naturals)) == 1:
        return 0
    if len(laid) == 4:
        return four_place(laid) or 0
    index = next(i for i, card in enumerate(laid) if card != "*")
    return "A23456789TJQKA".index(laid[index][0], 1 if index else 0) + 1 - index


def shown(referee: Referee, number: int) -> str:
    return " ".join(referee.report()["melds"][number - 1]["cards"])


def legal(referee: Referee) -> set[str]:
    report = referee.report()
    assert len(report["to_act"]) == 1
    moves = report["legal"][str(report["to_act"][0])]
    assert len(moves) == len(set(moves))
    return set(moves)


def refuse(referee: Referee, event: str, clause: str) -> None:
    before = referee.report()
    with pytest.raises(Refused) as refused:
        referee.event(event)
    assert refused.value.clause == clause
    assert referee.report() == before


def play(referee: Referee, *events: str) -> None:
    for event in events:
        referee.event(event)


# --- The worked examples ---------------------------------------------------------------------------------------------


def test_example_1_the_walking_joker_ka_44_ka_46() -> None:
    referee = table("9s Ts * Qs Ks", hand="Js As 7s 8s 8s 2h 3h")
    play(referee, "1 tack Js 1")
    assert shown(referee, 1) == "9s Ts Js Qs Ks *"
    play(referee, "1 tack As 1")
    assert shown(referee, 1) == "* 9s Ts Js Qs Ks As"
    assert {"tack 7s 1", "tack 8s 1"} <= legal(referee)
    play(referee, "1 tack 8s 1")
    assert shown(referee, 1) == "* 8s 9s Ts Js Qs Ks As"
    assert "tack 7s 1" in legal(referee)
    other = table("* 9s Ts Js Qs Ks As", hand="7s 6s 8s 2h")
    play(other, "1 tack 7s 1")
    assert shown(other, 1) == "7s * 9s Ts Js Qs Ks As"
    play(other, "1 tack 8s 1")
    assert shown(other, 1) == "* 7s 8s 9s Ts Js Qs Ks As"


def test_example_2_jokers_apart_ka_35_ka_45_ka_46() -> None:
    referee = table("5d * 7d *", hand="* 6d 8d 2h")
    assert not {"tack * 1", "tack 6d 1"} & legal(referee)
    refuse(referee, "1 tack * 1", "KA-45")
    refuse(referee, "1 tack 6d 1", "KA-46")
    play(referee, "1 tack 8d 1")
    assert shown(referee, 1) == "5d * 7d 8d *"


def test_example_3_which_end_ka_44() -> None:
    referee = table("4h 5h 6h 7h", "Jc Qc Kc Ac", "Ad 2d 3d 4d", hand="8h 3h Tc 5d Kd 2c")
    assert {move for move in legal(referee) if move.startswith("tack")} == {"tack 8h 1", "tack Tc 2", "tack 5d 3"}
    refuse(referee, "1 tack 3h 1", "KA-44")
    refuse(referee, "1 tack Kd 3", "KA-44")
    whole = table("Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd", hand="Ad * 2c")
    assert legal(whole) == {"discard Ad", "discard 2c"}
    refuse(whole, "1 tack Ad 1", "KA-44")
    refuse(whole, "1 tack * 1", "KA-45")
    other = table("2d 3d 4d 5d 6d * 8d 9d Td Jd Qd Kd Ad", hand="Ad * 7d 2c")
    refuse(other, "1 tack 7d 1", "KA-46")
    refuse(other, "1 tack Ad 1", "KA-44")


def called() -> Referee:
    """Four players, seat 1 active, the upcard of seat 0."""
    referee = Referee(4, 3, {})
    play(referee, deal(referee, {0: "9h"}, "3s", "Kc 4h 5h 6h"), "0 take", "0 discard 9h", "1 stock")
    return referee


def test_example_4_a_call_allowed_ka_13_to_ka_18() -> None:
    referee = called()
    assert referee.report()["phase"] == "call"
    assert legal(referee) == {"call", "pass"}
    play(referee, "2 pass", "3 call")
    assert referee.report()["caller"] == 3
    assert referee.report()["to_act"] == [1]
    assert legal(referee) == {"allow", "refuse"}
    play(referee, "1 allow")
    report = referee.report()
    assert report["hands"][3][-2:] == ["9h", "Kc"]
    assert report["hands"][1][-1] == "4h"
    assert report["calls"] == [0, 0, 0, 1]
    assert report["phase"] == "play"
    assert report["upcard"] is None


def test_example_4_a_call_refused_ka_18() -> None:
    referee = called()
    play(referee, "2 pass", "3 call", "1 refuse")
    report = referee.report()
    assert report["hands"][1][-1] == "9h"
    assert len(report["hands"][3]) == 9
    assert report["calls"] == [0] * 4
    assert report["phase"] == "play"
    assert report["caller"] is None


def test_example_4_a_call_with_the_active_player_down_ka_19() -> None:
    referee = called()
    referee.down[1] = True
    play(referee, "2 pass", "3 call")
    report = referee.report()
    assert report["hands"][3][-2:] == ["9h", "Kc"]
    assert report["hands"][1][-1] == "4h"
    assert report["phase"] == "play"


def exactly() -> Referee:
    referee = Referee(4, 0, {})
    play(referee, deal(referee, {1: "7s 7h 7d Qs Qc * 2h 2d 2c"}, "9c"), "1 take")
    return referee


def test_example_5_exactly_enough_ka_37_ka_39_ka_49_ka_53() -> None:
    referee = exactly()
    play(referee, "1 lay 7s 7h 7d")
    assert legal(referee) == {"lay 2h 2d 2c", "lay Qs Qc *"}
    assert referee.report()["left"] == [2, 0]
    refuse(referee, "1 lay 2h 2d *", "KA-39")
    refuse(referee, "1 discard 9c", "KA-39")
    play(referee, "1 lay Qs Qc *", "1 lay 2h 2d 2c")
    assert referee.report()["down"] == [False, True, False, False]
    play(referee, "1 discard 9c")
    report = referee.report()
    assert report["last"]["how"] == "bent"
    assert report["last"]["out"] == 1
    assert report["phase"] == "deal"
    assert report["dealer"] == 1
    assert report["contract"] == 2
    assert report["need"] == [2, 1]
    assert report["points"] == report["scores"]
    assert report["points"][1] == 0


@pytest.mark.parametrize(("bend", "points"), [("double", 166), ("single", 83)])
def test_example_6_counting_ka_51_to_ka_53(bend: str, points: int) -> None:
    referee = Referee(3, 0, {"bend": bend})
    play(referee, deal(referee, {1: "7s 7h 7d Qs Qc * 2h 2d 2c"}, "9c"), "1 take")
    referee.hands[2] = cards("* As Ah Td 7c")
    play(referee, "1 lay 7s 7h 7d", "1 lay Qs Qc *", "1 lay 2h 2d 2c", "1 discard 9c")
    assert referee.report()["points"][2] == points


def test_example_7_twice_empty_ka_24_to_ka_28() -> None:
    referee = Referee(4, 1, {"contracts": "12", "calls": 0})
    for attempt in (1, 2, 3):
        assert referee.report()["attempt"] == attempt
        assert referee.report()["dealer"] == 1
        play(referee, deal(referee))
        throw_out(referee)
        assert referee.report()["last"] == {"how": "thrown", "out": None, "points": [0, 0, 0, 0]}
    report = referee.report()
    assert report["attempt"] == 1
    assert report["dealer"] == 2
    assert report["contract"] == 2
    assert report["deal"] == 3
    for _ in range(3):
        play(referee, deal(referee))
        throw_out(referee)
    report = referee.report()
    assert report["done"]
    assert report["dealer"] == 2
    assert report["attempt"] == 3
    assert report["contract"] == 2
    assert report["winners"] == [0, 1, 2, 3]
    assert report["deal"] == 6


def throw_out(referee: Referee) -> None:
    """Everybody draws from the stock and throws a natural card until the deal is over."""
    deals, reshuffles = referee.deals, 0
    while referee.report()["phase"] in ("draw", "play", "reshuffle"):
        if referee.phase == "reshuffle":
            under = referee.chance()
            assert under is not None
            upcard = referee.report()["upcard"]
            refuse(referee, "reshuffle " + " ".join(under[1:]), "KA-24")
            play(referee, "reshuffle " + " ".join(under))
            reshuffles += 1
            assert referee.report()["upcard"] == upcard
            assert referee.report()["discards"] == [upcard]
        elif referee.phase == "draw":
            play(referee, f"{referee.active} stock")
        else:
            moves = [move for move in legal(referee) if move.startswith("discard")]
            play(referee, f"{referee.active} {moves[0]}")
    assert reshuffles == 1
    assert referee.deals == deals


# --- Headers and options ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "dealer", "options", "clause"),
    [
        (2, 0, {}, "KA-1"),
        (6, 0, {}, "KA-1"),
        (True, 0, {}, "KA-1"),
        (4, 4, {}, "KA-8"),
        (4, -1, {}, "KA-8"),
        (4, True, {}, "KA-8"),
        (4, 0, {"contracts": ""}, "KA-3"),
        (4, 0, {"contracts": "1230"}, "KA-3"),
        (4, 0, {"contracts": 123}, "KA-3"),
        (4, 0, {"contracts": "1111111111"}, "KA-3"),
        (4, 0, {"calls": 7}, "KA-14"),
        (4, 0, {"calls": True}, "KA-14"),
        (4, 0, {"calls": "3"}, "KA-14"),
        (4, 0, {"overcall": "no"}, "KA-21"),
        (4, 0, {"bend": True}, "KA-53"),
        (4, 0, {"threes": None}, "KA-33"),
        (4, 0, {"first_upcard": "joker"}, "KA-9"),
        (4, 0, {"jokers": 4}, "KA-59"),
    ],
)
def test_refused_headers(players: int, dealer: int, options: dict[str, object], clause: str) -> None:
    with pytest.raises(Refused) as refused:
        Referee(players, dealer, options)
    assert refused.value.clause == clause


def test_first_upcard_ka_9() -> None:
    referee = Referee(3, 0, {"first_upcard": "natural"})
    play(referee, deal(referee, upcard="*", stock="* 4d 5d"))
    assert referee.report()["upcard"] == "4d"
    assert referee.stock[0] == "5d"
    assert referee.stock[-2:] == ["*", "*"]
    referee = Referee(3, 0, {})
    play(referee, deal(referee, upcard="*", stock="* 4d 5d"), "1 take")
    assert referee.hands[1][-1] == "*"


def test_overcall_penalty_ka_21() -> None:
    referee = Referee(4, 3, {"calls": 1, "overcall": "penalty", "contracts": "1"})
    play(referee, deal(referee, {0: "7s 7h 7d Qs Qc * 2h 2d 2c", 1: "9h"}, "3s", "9c"))
    referee.calls[1] = 1
    play(referee, "0 stock", "1 call")
    report = referee.report()
    assert report["points"] == [0, 50, 0, 0]
    assert report["to_act"] == [2]
    assert report["calls"] == [0, 1, 0, 0]
    referee.calls[2] = 1
    play(referee, "2 call", "3 pass")
    assert referee.report()["points"] == [0, 50, 50, 0]
    assert referee.report()["phase"] == "play"
    referee.fines[0] = 50
    play(referee, "0 lay 7s 7h 7d", "0 lay Qs Qc *", "0 lay 2h 2d 2c")
    referee.hands[1], referee.hands[2], referee.hands[3] = ["9h"], ["As"], ["Ah"]
    play(referee, "0 discard 9c")
    report = referee.report()
    assert report["points"] == [50, 59, 65, 1] == report["scores"]
    assert report["last"]["how"] == "bent"
    assert report["done"]
    assert report["winners"] == [3]


def test_threes_distinct_ka_33() -> None:
    hand = "7s 7s 7h 7h 7d 7d Qs Qc *"
    free = Referee(3, 0, {})
    play(free, deal(free, {1: hand}, "9c"), "1 take")
    assert "lay 7s 7s 7h" in legal(free)
    strict = Referee(3, 0, {"threes": "distinct"})
    play(strict, deal(strict, {1: hand}, "9c"), "1 take")
    assert not [move for move in legal(strict) if move.startswith("lay")]
    strict.hands[1] = cards("7s 7s 7h 7h 7d 7d Qs Qc * 2s 2s 2h")
    play(strict, "1 lay 7s 7s 7h")
    assert legal(strict) == {"lay Qs Qc *", "lay 2s 2s 2h"}  # 2s 2s * would leave the queens short
    refuse(strict, "1 lay 7h 7d 7d", "KA-33")


# --- What is refused -------------------------------------------------------------------------------------------------


def test_chance_and_turns_ka_7_ka_59_ka_14_ka_12() -> None:
    referee = Referee(4, 3, {})
    for event in ("0 take", "reshuffle Kh", "draw Kh", "take", "", "9 stock", "² take"):
        refuse(referee, event, "KA-59")
    for event in ("0 call", "0 call Kh", "7 call"):
        refuse(referee, event, "KA-14")
    refuse(referee, "deal", "KA-7")
    refuse(referee, "deal " + " ".join(PACK[:-1]), "KA-7")
    refuse(referee, "deal " + " ".join([*PACK[:-1], "As"]), "KA-7")
    play(referee, deal(referee, {0: "9h"}))
    refuse(referee, "deal " + " ".join(PACK), "KA-59")
    refuse(referee, "0 stock now", "KA-59")
    refuse(referee, "0 discard 9h", "KA-59")
    refuse(referee, "1 take", "KA-59")
    refuse(referee, "0 call", "KA-14")
    play(referee, "0 stock")
    refuse(referee, "2 pass", "KA-59")
    refuse(referee, "0 take", "KA-59")
    refuse(referee, "2 call", "KA-14")
    referee.down[0] = True
    refuse(referee, "0 take", "KA-12")


def test_own_discard_ka_14() -> None:
    referee = called()
    play(referee, "2 pass", "3 pass")  # seat 0 is not asked about its own discard
    assert referee.report()["phase"] == "play"


def test_lay_refused_while_not_down() -> None:
    referee = Referee(3, 0, {"contracts": "7"})
    play(referee, deal(referee, {1: "Qd Kd Ad 2d 3d * * 7s 7h 8s 8h 8d 9h 9d"}, "6s"), "1 take")
    referee.hands[1] = cards("Qd Kd Ad 2d 3d 4d * * * * 7s 7h 7h 8s 8h 8d 9h 9d Ts Ac")
    for event, clause in [
        ("lay", "KA-38"),
        ("lay 7s 7h", "KA-38"),
        ("lay 7s 7h 7h * *", "KA-38"),
        ("lay 6c 7s", "KA-59"),
        ("lay 7s 7s 7h", "KA-59"),
        ("lay xx yy zz", "KA-59"),
        ("lay Qd Kd Ad 2d", "KA-32"),
        ("lay Kd * 2d 3d", "KA-32"),
        ("lay * Ad 2d 3d", "KA-32"),
        ("lay Kd * * 3d", "KA-32"),
        ("lay Ad * * 4d", "KA-35"),
        ("lay * * * *", "KA-35"),
        ("lay Kd * * 7s", "KA-35"),
        ("lay Ad 2d 3d Kd", "KA-31"),
        ("lay 4d 3d 2d Ad", "KA-31"),
        ("lay 8s * Ts Ac", "KA-31"),
        ("lay 7s 7h 7h *", "KA-31"),
        ("lay 7s 8s *", "KA-30"),
        ("lay 7h 7s *", "KA-30"),
        ("lay * 7s 7h", "KA-30"),
        ("lay 7s * *", "KA-34"),
        ("lay * * *", "KA-34"),
        ("tack 7s 1", "KA-42"),
        ("tack 6c 1", "KA-59"),
        ("tack 7s", "KA-59"),
        ("discard *", "KA-48"),
        ("discard 6c", "KA-59"),
        ("discard", "KA-59"),
        ("hold", "KA-50"),
        ("take", "KA-59"),
        ("call", "KA-14"),
        ("bend", "KA-59"),
    ]:
        refuse(referee, "1 " + event, clause)


def test_the_contract_cannot_be_met_ka_39() -> None:
    referee = Referee(3, 0, {"contracts": "4"})
    play(referee, deal(referee, {1: "5s 6s 7s 8s 5h 6h 7h 8h 5d 6d * 8d"}, "9s"), "1 take")
    refuse(referee, "1 lay 5s 5h 5d", "KA-39")  # no three is asked for
    refuse(referee, "1 lay 5s 6s * 8s", "KA-39")  # the diamonds need the joker
    assert legal(referee) >= {"lay 6s 7s 8s 9s", "lay 5d 6d * 8d"}
    play(referee, "1 lay 5d 6d * 8d", "1 lay 6s 7s 8s 9s")
    assert legal(referee) == {"lay 5h 6h 7h 8h"}
    refuse(referee, "1 tack 5s 2", "KA-39")
    refuse(referee, "1 tack Kc 2", "KA-59")
    refuse(referee, "1 stock", "KA-59")
    refuse(referee, "1 hold", "KA-39")
    refuse(referee, "1 call", "KA-14")


def test_a_second_four_of_a_suit_ka_33() -> None:
    referee = table("5h 6h 7h 8h", hand="Th Jh Qh Kh 9h Ts", owner=1)
    refuse(referee, "1 lay Th Jh Qh Kh", "KA-33")
    other = table("5h 6h 7h 8h", hand="Th Jh Qh Kh 9h Ts", owner=0)
    assert "lay Th Jh Qh Kh" in legal(other)


def test_tack_refused_ka_42_ka_43() -> None:
    referee = table("7s 7h 7d", hand="7c 8c * 2h")
    assert legal(referee) == {"discard 7c", "discard 8c", "discard 2h", "tack 7c 1", "tack * 1"}
    refuse(referee, "1 tack 8c 1", "KA-43")
    for number in ("0", "2", "01", "x"):
        refuse(referee, f"1 tack 7c {number}", "KA-42")
    play(referee, "1 tack * 1", "1 tack 7C 1")
    assert shown(referee, 1) == "7s 7h 7d 7c *"


def test_replacing_ka_46_ka_47() -> None:
    referee = table("Ts Js Qs *", "* 3s 4s 5s", "7h 7d *", "* Tc Jc * Kc Ac", hand="Ks As 7c Qc 9c 2h")
    moves = {move for move in legal(referee) if move.startswith("tack")}
    # 9c would walk its joker to the eight; the queen's joker would lie beside the one at the low end
    assert moves == {"tack Ks 1", "tack As 1", "tack 7c 3", "tack 9c 4"}
    refuse(referee, "1 tack Qc 4", "KA-46")
    play(referee, "1 tack As 1")
    assert shown(referee, 1) == "Ts Js Qs * As"
    play(referee, "1 tack Ks 1")
    assert shown(referee, 1) == "* Ts Js Qs Ks As"
    play(referee, "1 tack 9c 4", "1 tack 7c 3")
    assert shown(referee, 4) == "* 9c Tc Jc * Kc Ac"
    assert shown(referee, 3) == "7h 7d 7c *"
    low = table("* 2s 3s 4s", hand="As 2h 3h")
    play(low, "1 tack As 1")
    assert shown(low, 1) == "As 2s 3s 4s *"
    high = table("Js Qs Ks *", hand="As Ts 3h")
    assert {"tack As 1", "tack Ts 1"} <= legal(high)
    play(high, "1 tack As 1")
    assert shown(high, 1) == "* Js Qs Ks As"


def test_hold_ka_50() -> None:
    referee = table("5d * 7d *", hand="*")
    upcard = referee.report()["upcard"]
    assert legal(referee) == {"hold"}
    refuse(referee, "1 discard *", "KA-48")
    play(referee, "1 hold")
    report = referee.report()
    assert report["upcard"] == upcard
    assert report["turns"] == 1
    assert report["to_act"] == [2]
    must = table("5d * 7d *", "7s 7h 7d", hand="* *")
    assert legal(must) == {"tack * 2"}
    refuse(must, "1 hold", "KA-50")
    play(must, "1 tack * 2", "1 tack * 2")
    assert must.report()["last"]["how"] == "out"


def test_no_upcard_ka_23() -> None:
    referee = table("5d * 7d *", hand="*")
    referee.discards, referee.throwers = [], []
    top = referee.stock[0]
    play(referee, "1 hold")
    assert referee.report()["phase"] == "play"
    assert referee.hands[2][-1] == top


def test_three_hundred_turns_ka_29() -> None:
    referee = Referee(3, 0, {})
    play(referee, deal(referee))
    for _ in range(300):
        seat = referee.active
        play(referee, f"{seat} take", f"{seat} discard {min(set(referee.hands[seat or 0]) - {'*'})}")
    report = referee.report()
    assert report["last"]["how"] == "thrown"
    assert report["turns"] == 300
    assert report["attempt"] == 2


def test_reshuffle_inside_an_allowed_call_ka_17_ka_24() -> None:
    for length, phase in ((0, "reshuffle"), (1, "reshuffle")):
        referee = called()
        referee.discards = [*referee.stock[length:], *referee.discards]
        referee.throwers = [None] * (len(referee.discards) - 1) + [0]
        referee.stock = referee.stock[:length]
        play(referee, "2 call", "1 allow")
        report = referee.report()
        assert report["phase"] == phase
        assert report["caller"] is None
        assert report["active"] == 1
        assert len(report["hands"][2]) == 10 + length
        assert report["calls"] == [0, 0, 1, 0]
        under = referee.chance()
        assert under == report["discards"][:-1]
        refuse(referee, "1 discard Kh", "KA-59")
        play(referee, "reshuffle " + " ".join(under or []))
        report = referee.report()
        assert len(report["hands"][2]) == 11
        assert len(report["hands"][1]) == 10
        assert report["phase"] == "play"
    referee = called()
    referee.stock = []
    play(referee, "2 call", "1 allow")
    assert referee.report()["last"]["how"] == "thrown"  # KA-26
