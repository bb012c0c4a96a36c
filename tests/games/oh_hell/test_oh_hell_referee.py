"""The worked examples of Oh Hell and its refusals, against the slow referee."""

import pytest
from games.oh_hell.referee import Referee
from referee_base import Refused, pack


def deal_text(start: str = "") -> str:
    """A deal whose pack starts with these cards."""
    top = start.split()
    return " ".join(["deal", *top, *[card for card in pack() if card not in top]])


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


def bid_all(referee: Referee, bids: list[int]) -> None:
    for seat, number in enumerate(bids):
        referee.event(f"{seat} bid {number}")


FIRST = deal_text("7h Qs 2d Ah 9c 5h")


def test_oh_8_oh_9_oh_28_example_1_size_1() -> None:
    referee = Referee(5, 0, {})
    report = referee.report()
    assert (report["cards"], report["deals_in_match"], report["deal"], report["awaiting"]) == (1, 20, 0, "deal")
    assert sorted(referee.chance() or []) == sorted(pack())
    play(referee, FIRST)
    report = referee.report()
    assert report["hands"] == [["9c"], ["7h"], ["Qs"], ["2d"], ["Ah"]]
    assert (report["upcard"], report["trump"], report["stock"], report["leader"]) == ("5h", "h", None, None)
    assert sorted(report["to_act"]) == [0, 1, 2, 3, 4]
    assert report["legal"]["3"] == ["bid 0", "bid 1"]
    bid_all(referee, [0, 0, 0, 0, 1])
    assert referee.report()["leader"] == 4
    play(referee, "4 Ah", "0 9c", "1 7h", "2 Qs", "3 2d")
    report = referee.report()
    assert report["scores"] == [10, 10, 10, 10, 22]
    assert report["last"] == {
        "deal": 1,
        "bids": [0, 0, 0, 0, 1],
        "tricks": [0, 0, 0, 0, 1],
        "points": [10, 10, 10, 10, 22],
    }
    assert (report["cards"], report["dealer"], report["deal"], report["phase"]) == (2, 1, 1, "deal")
    assert (report["hands"], report["bids"], report["tricks"]) == ([[]] * 5, [None] * 5, [0] * 5)
    assert (report["points"], report["trump"], report["upcard"], report["leader"]) == ([0] * 5, None, None, None)


def second_deal(bids: list[int], dealer: int, **options: object) -> int:
    """Who leads in a deal of size 2 with these bids and this dealer."""
    referee = Referee(5, dealer, {"order": "down", "max_cards": 2, **options})
    play(referee, deal_text())
    for step in range(1, 6):
        seat = (dealer + step) % 5
        referee.event(f"{seat} bid {bids[seat]}")
    leader = referee.report()["leader"]
    assert isinstance(leader, int)
    assert referee.report()["to_act"] == [leader]
    return leader


def test_oh_17_oh_18_example_2_who_leads() -> None:
    assert second_deal([2, 1, 0, 2, 1], 3) == 0
    assert second_deal([2, 1, 0, 2, 1], 3, tie_lead="dealer") == 3
    assert second_deal([1, 1, 0, 2, 1], 3) == 3
    assert second_deal([1, 2, 0, 1, 1], 3, first_lead="left") == 4
    assert second_deal([1, 2, 2, 1, 1], 3, tie_lead="dealer") == 1


def test_oh_18_example_3_all_zero() -> None:
    assert second_deal([0, 0, 0, 0, 0], 4) == 0
    assert second_deal([0, 0, 0, 0, 0], 4, bidding="turns") == 0


@pytest.mark.parametrize(
    ("size", "bid", "tricks", "points"),
    [
        (6, 3, 3, 26),  # OH-26, OH-27, example 4
        (6, 2, 2, 12),
        (6, 3, 2, 0),
        (6, 3, 4, 0),
        (5, 2, 2, 12),  # OH-28, example 5
        (5, 3, 3, 26),
        (9, 4, 4, 14),
        (9, 5, 5, 30),
        (10, 10, 10, 40),  # OH-26, example 6
        (1, 0, 0, 10),
    ],
)
def test_oh_24_to_oh_28_examples_4_5_6(size: int, bid: int, tricks: int, points: int) -> None:
    referee = Referee(5, 0, {})
    referee.size = size
    assert referee.points_for(bid, tricks) == points


def test_oh_25_oh_26_options_miss_and_double() -> None:
    referee = Referee(5, 0, {"miss": "difference", "double": "off"})
    referee.size = 6
    assert [referee.points_for(bid, 3) for bid in (0, 2, 3, 6)] == [-3, -1, 13, -3]


def test_oh_20_to_oh_22_example_7_winning_a_trick() -> None:
    referee = Referee(5, 4, {})
    play(referee, deal_text("Td Ad 2s Kd Ah 5s"))
    bid_all(referee, [0, 0, 0, 0, 0])
    play(referee, "0 Td", "1 Ad", "2 2s", "3 Kd", "4 Ah")
    last = referee.report()["last"]
    assert isinstance(last, dict)
    assert last["tricks"] == [0, 0, 1, 0, 0]


def test_oh_30_example_8_a_shared_match() -> None:
    referee = Referee(5, 0, {"order": "down", "max_cards": 1})
    play(referee, FIRST)
    bid_all(referee, [0, 0, 0, 0, 1])
    referee.scores = [204, 188, 204, 80, 155]
    play(referee, "4 Ah", "0 9c", "1 7h", "2 Qs", "3 2d")
    report = referee.report()
    assert report["scores"] == [214, 198, 214, 90, 177]
    assert (report["done"], report["phase"], sorted(report["winners"])) == (True, "done", [0, 2])
    assert (report["dealer"], report["cards"], report["leader"], report["upcard"]) == (0, 1, 4, "5h")
    assert (report["bids"], report["tricks"]) == ([0, 0, 0, 0, 1], [0, 0, 0, 0, 1])
    assert report["points"] == [10, 10, 10, 10, 22]
    assert (report["to_act"], report["legal"], report["awaiting"]) == ([], {}, None)
    assert refuse(referee, "nonsense") == "OH-37"
    assert refuse(referee, FIRST) == "OH-37"


def test_oh_3_oh_4_sizes() -> None:
    assert Referee(5, 0, {}).sizes == [*range(1, 11), *range(10, 0, -1)]
    assert Referee(3, 0, {}).sizes == Referee(4, 0, {}).sizes == Referee(5, 0, {}).sizes
    assert len(Referee(6, 0, {}).sizes) == 16
    assert len(Referee(7, 0, {}).sizes) == 14
    assert Referee(5, 0, {"max_cards": 3, "order": "down_up"}).sizes == [3, 2, 1, 1, 2, 3]
    assert Referee(5, 0, {"max_cards": 3, "order": "up"}).sizes == [1, 2, 3]
    assert Referee(5, 0, {"max_cards": 3, "order": "down"}).sizes == [3, 2, 1]


def test_oh_12_oh_15_option_bidding() -> None:
    referee = Referee(5, 0, {"bidding": "hook", "order": "down", "max_cards": 2})
    play(referee, deal_text())
    assert referee.report()["to_act"] == [1]
    assert refuse(referee, "2 bid 1") == "OH-40"
    play(referee, "1 bid 1", "2 bid 0", "3 bid 0", "4 bid 0")
    assert refuse(referee, "1 bid 1") == "OH-14"
    assert referee.report()["legal"] == {"0": ["bid 0", "bid 2"]}
    assert refuse(referee, "0 bid 1") == "OH-12"
    play(referee, "0 bid 2")
    assert referee.report()["leader"] == 0


def test_oh_44_refused_events() -> None:
    referee = Referee(5, 0, {"order": "down"})
    for text in ["", "nonsense", "deal2", "0", "01 bid 1", "-1 bid 1", "² bid 1"]:
        assert refuse(referee, text) == "OH-41"
    for text in ["0 bid 1", "0 foo", "draw Kh", "reshuffle"]:
        assert refuse(referee, text) == "OH-38"
    for cards in [pack()[1:], [*pack(), "Kh"], [*pack()[1:], "Kh"], [*pack()[1:], "*"], []]:
        assert refuse(referee, " ".join(["deal", *cards])) == "OH-39"
    # Seat 1 gets As 9s 4s …, seat 2 Ks 8s …: every fifth card of the pack in order.
    play(referee, deal_text())
    for text in [deal_text(), "deal", "draw Kh", "reshuffle"]:
        assert refuse(referee, text) == "OH-38"
    for text in ["0 As", "0 bid", "0 bid 01", "0 bid -1", "0 bid +1", "0 bid x", "0 bid 1 2", "0 pass", "0 bid 1.0"]:
        assert refuse(referee, text) == "OH-41"
    assert refuse(referee, "0 bid 11") == "OH-12"
    assert refuse(referee, "0 bid " + "9" * 5000) == "OH-12"
    assert refuse(referee, "5 bid 1") == "OH-40"
    play(referee, "3 bid 10")
    assert refuse(referee, "3 foo") == "OH-14"
    play(referee, "0 bid 1", "1 bid 1", "2 bid 1", "4 bid 1")
    assert refuse(referee, deal_text()) == "OH-38"
    assert refuse(referee, "4 Kh") == "OH-40"
    assert refuse(referee, "3 bid 3") == "OH-41"
    assert refuse(referee, "3 As") == "OH-42"
    assert set(referee.report()["legal"]["3"]) == set(referee.hands[3])
    play(referee, "3 q♠")
    assert referee.report()["trick"] == [[3, "Qs"]]
    spades = {card for card in referee.hands[4] if card[1] == "s"}
    assert set(referee.report()["legal"]["4"]) == spades
    other = next(card for card in referee.hands[4] if card[1] != "s")
    assert refuse(referee, f"4 {other}") == "OH-20"


@pytest.mark.parametrize(
    ("players", "dealer", "options", "clause"),
    [
        (2, 0, {}, "OH-1"),
        (8, 0, {}, "OH-1"),
        ("5", 0, {}, "OH-1"),
        (5, 5, {}, "OH-6"),
        (5, True, {}, "OH-6"),
        (5, -1, {}, "OH-6"),
        (5, 0, {"colour": "red"}, "OH-43"),
        (5, 0, {"max_cards": 11}, "OH-43"),
        (6, 0, {"max_cards": 9}, "OH-43"),
        (7, 0, {"max_cards": 8}, "OH-43"),
        (5, 0, {"max_cards": 0}, "OH-43"),
        (5, 0, {"max_cards": True}, "OH-43"),
        (5, 0, {"max_cards": 5.0}, "OH-43"),
        (5, 0, {"order": "sideways"}, "OH-43"),
        (5, 0, {"bidding": None}, "OH-43"),
        (5, 0, {"double": True}, "OH-43"),
    ],
)
def test_refused_headers(players: int, dealer: int, options: dict[str, object], clause: str) -> None:
    with pytest.raises(Refused) as caught:
        Referee(players, dealer, options)
    assert caught.value.clause == clause
