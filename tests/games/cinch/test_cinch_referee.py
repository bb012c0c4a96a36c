"""Cases of Cinch that the random matches of `test_referees.py` do not reach, against the slow referee."""

import pytest
from games.cinch.referee import Referee, trumps_high_to_low
from referee_base import Refused, pack


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


def deal(referee: Referee, hands: list[str], stub: str = "") -> None:
    """The next deal: the seats hold at least these cards and as few other hearts as can be, these top the stub."""
    piles = [hand.split() for hand in hands]
    top = stub.split()
    rest = [card for card in pack() if card not in top and all(card not in pile for pile in piles)]
    rest.sort(key=lambda card: card in trumps_high_to_low("h"))
    for pile in piles:
        while len(pile) < 9:
            pile.append(rest.pop(0))
    cards = []
    for place in (0, 3, 6):
        for step in range(4):
            cards += piles[(referee.dealer + 1 + step) % 4][place : place + 3]
    play(referee, " ".join(["deal", *cards, *top, *rest]))


def bid(referee: Referee, seat: int, number: int) -> None:
    """This seat bids and the others pass; nobody bids when the number is 0."""
    for _ in range(4):
        (speaker,) = referee.to_act()
        play(referee, f"{speaker} bid {number}" if speaker == seat and number else f"{speaker} pass")


def named(hands: list[str], stub: str = "", **options: object) -> Referee:
    """Seat 0 deals, seat 1 declares and has named hearts."""
    referee = Referee(4, 0, options)
    deal(referee, hands, stub)
    bid(referee, 1, 6)
    play(referee, "1 trump h")
    return referee


def playing(hands: list[str], trump: str, leader: int, **options: object) -> Referee:
    """The play of a deal that seat 1 declares; everybody holds these cards."""
    referee = named([""] * 4, "", **options)
    referee.trump = trump
    referee.hands = [hand.split() for hand in hands]
    referee.phase, referee.leader = "play", leader
    return referee


def test_ci_32_ci_34_ci_35_example_4_not_all_fourteen() -> None:
    referee = named(["", "Ah Qh Jh Th 9h 8h 7h", "Kh 6h 5h 5d 4h 3h 2h", ""])
    assert (referee.report()["phase"], referee.report()["to_act"], len(referee.legal(1))) == ("discard", [1], 7)
    play(referee, "1 discard Ah", "2 discard 2h")
    assert (referee.report()["dead"], referee.report()["credited"]) == (["1 Ah", "2 2h"], [])
    while referee.phase != "play":
        (seat,) = referee.to_act()
        play(referee, f"{seat} {referee.legal(seat)[0]}")
    # Seat 1 takes the first five tricks with the three in the first, seat 2 the last with the king.
    order = {1: "Qh Jh Th 9h 8h 7h", 2: "3h 4h 5h 5d 6h Kh"}
    for number in range(6):
        play(referee, f"1 {order[1].split()[number]}", f"2 {order[2].split()[number]}")
        for seat in (3, 0):
            play(referee, f"{seat} {referee.legal(seat)[0]}")
        if number == 4:
            assert (referee.report()["points"], referee.report()["tricks"]) == ([0, 12, 0, 12], [0, 5, 0, 5])
    assert referee.last is not None
    assert (referee.last["points"], referee.last["gained"]) == ([1, 13, 1, 13], [0, 12, 0, 12])
    # Without the 4, 3 and 2 the left pedro is low.
    for low, points in (("taken", [1, 7]), ("played", [2, 6])):
        referee = playing([""] * 4, "h", 1, low=low)
        referee.played = [(0, 0, "Ah"), (1, 2, "5d"), (1, 1, "Kh"), (1, 3, "Jh")]
        referee.count_deal()
        assert referee.last is not None
        assert referee.last["points"] == points * 2


def test_ci_15_ci_16_example_5_the_ten_thrown_away() -> None:
    for holder, credited, points in ((2, ["Th"], 1), (3, [], 0)):
        hands = [""] * 4
        hands[holder] = "Qh Th 9h 8h 5h 4h 2h"
        referee = named(hands)
        play(referee, f"{holder} discard Th")
        assert (referee.report()["credited"], referee.report()["dead"]) == (credited, [f"{holder} Th"])
        assert referee.report()["points"] == [0] * 4
        referee.played = [(0, 0, "Ah"), (0, 0, "2h")]
        referee.count_deal()
        assert referee.last is not None
        assert referee.last["points"] == [2, points, 2, points]


def test_ci_40_ci_41_the_end() -> None:
    for scores, collected, winners in (([0, 47], [5, 9], [1, 3]), ([50, 48], [9, 5], [0, 2]), ([0, 46], [5, 9], [])):
        referee = playing([""] * 4, "h", 1)
        referee.sides = list(scores)
        referee.highest = 4
        referee.played = [(0, 0, "5h"), (1, 1, "5d"), (1, 1, "Ah"), (1, 1, "Jh"), (1, 1, "Th"), (1, 1, "2h")]
        if collected == [9, 5]:
            referee.played = [(1, 1, "5h"), (0, 0, "5d"), (0, 0, "Ah"), (0, 0, "Jh"), (0, 0, "Th"), (0, 0, "2h")]
        referee.count_deal()
        assert referee.last is not None
        assert referee.last["points"] == collected * 2
        assert (referee.winners, referee.phase) == (winners, "done" if winners else "deal")
    referee = playing([""] * 4, "h", 1, score="setback")
    referee.sides = [50, 46]
    referee.highest = 4
    referee.played = [(0, 0, "5h"), (1, 1, "5d"), (1, 1, "Ah"), (1, 1, "Jh"), (1, 1, "Th"), (1, 1, "2h")]
    referee.count_deal()
    assert (referee.sides, referee.winners) == ([55, 55], [1, 3])
    assert refuse(referee, "0 pass") == "CI-47"


def test_ci_47_refused_events() -> None:
    referee = Referee(4, 3, {})
    for text in ["", "nonsense", "0 pass", "draw As", "reshuffle"]:
        assert refuse(referee, text) == "CI-47"
    for wrong in [pack()[1:], [*pack(), "As"], [*pack()[1:], "Kh"], []]:
        assert refuse(referee, " ".join(["deal", *wrong])) == "CI-2"
    deal(referee, ["Ah Kh Qh Jh Th 9h 8h As Ks", "", "", ""])
    for text in ["deal", "1 pass", "00 pass", "0 bid", "0 bid x", "0 bid 4 5", "0 As", "0 trump s", "0 take As", "0"]:
        assert refuse(referee, text) == "CI-47"
    assert refuse(referee, "0 bid 0") == refuse(referee, "0 bid 15") == "CI-9"
    play(referee, "0 bid 4")
    assert referee.report()["declarer"] is None
    assert refuse(referee, "1 bid 4") == "CI-9"
    play(referee, "1 pass", "2 pass", "3 bid 14")
    assert referee.report()["declarer"] == 3
    for text in ["3 trump x", "3 trump", "3 pass", "0 trump s", "3 bid 14", "3 trump ss"]:
        assert refuse(referee, text) == "CI-47"
    play(referee, "3 trump h")
    for text in ["discard Ah Kh", "discard As", "discard Ks", "discard", "discard 2h", "discard xx"]:
        assert refuse(referee, f"0 {text}") == "CI-15"
    for text in ["0 take Ah", "0 Ah", "1 discard Ah"]:
        assert refuse(referee, text) == "CI-47"
    play(referee, "0 discard a♥")
    while referee.phase != "play":
        (seat,) = referee.to_act()
        assert refuse(referee, f"{seat} take Ah") == ("CI-20" if referee.phase == "rob" else "CI-19")
        assert refuse(referee, f"{seat} take") == "CI-47"
        play(referee, f"{seat} {referee.legal(seat)[0]}")
    for text in ["3 pass", "0 Kh", "3 xx", "3 Ks Qs"]:
        assert refuse(referee, text) == "CI-47"
    assert refuse(referee, "3 Ah") == "CI-26"


def test_ci_9_ci_25_options_min_bid_and_lead_trump() -> None:
    referee = Referee(4, 3, {"min_bid": 6})
    deal(referee, [""] * 4)
    assert referee.legal(0) == ["pass", *[f"bid {number}" for number in range(6, 15)]]
    assert refuse(referee, "0 bid 5") == "CI-9"
    play(referee, "0 bid 14")
    assert referee.legal(1) == ["pass"]
    referee = playing(["2s", "As 5d", "3s", "4s"], "h", 1, lead_trump=True)
    assert referee.legal(1) == ["5d"]
    assert refuse(referee, "1 As") == "CI-25"
