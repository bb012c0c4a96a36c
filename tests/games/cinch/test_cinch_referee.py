"""The worked examples of Cinch, its refusals and random matches, against the slow referee."""

from random import Random

import pytest
from games.cinch.referee import TEXT_OPTIONS, Referee, trumps_high_to_low
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


def test_ci_3_ci_4_ci_27_ci_28_example_1_ranks() -> None:
    assert trumps_high_to_low("c") == "Ac Kc Qc Jc Tc 9c 8c 7c 6c 5c 5s 4c 3c 2c".split(" ")
    hand = "5s 9s Kd"
    referee = playing(["2h 3h 4h", hand, "6h 7h 8h", "9h Th Jh"], "c", 0)
    referee.hands[0] = ["9c", "As", "Ah"]
    play(referee, "0 9c")
    assert referee.legal(1) == ["5s"]
    assert refuse(referee, "1 9s") == "CI-27"
    referee = playing(["9c As Ah", hand, "6h 7h 8h", "9h Th Jh"], "c", 0)
    play(referee, "0 As")
    assert sorted(referee.legal(1)) == ["5s", "9s"]
    assert refuse(referee, "1 Kd") == "CI-28"
    referee = playing(["9c As Ah", "5c Kd Qd", "6h 7h 8h", "9h Th Jh"], "c", 0)
    play(referee, "0 As")
    assert referee.legal(1) == ["5c"]
    for cards, winner in (("4c 5s 2c 3c", 1), ("5c 5s 6c 4c", 2), ("5s 5c 4c 3c", 1), ("As Kd Qs 2c", 3)):
        referee = playing([f"{card} Ah" for card in cards.split()], "c", 0)
        play(referee, *[f"{seat} {card}" for seat, card in enumerate(cards.split())])
        assert (referee.leader, referee.report()["tricks"][winner]) == (winner, 1)


def counted(number: int, collected: list[int], **options: object) -> Referee:
    """After a deal with a contract for seats 1 and 3, hearts trumps, in which these sides collected so much."""
    referee = playing([""] * 4, "h", 1, **options)
    referee.highest = number
    ours, theirs = collected[1], collected[0]
    fillers = iter([*[card for card in pack() if card[1] in "sc"], "2d", "3d", "4d", "6d"])
    cards: list[tuple[int, str]] = []
    for card, value in (("5h", 5), ("5d", 5), ("Ah", 1), ("Jh", 1), ("Th", 1), ("2h", 1)):
        if value <= ours:
            ours -= value
            cards.append((1, card))
        else:
            theirs -= value
            cards.append((0, card))
    assert (ours, theirs) == (0, 0)
    referee.played = [(seat, seat, card) for seat, card in cards]
    while len(referee.played) < 24:
        referee.played.append((2, 2, next(fillers)))
    referee.count_deal()
    return referee


@pytest.mark.parametrize(
    ("number", "collected", "gained", "setback"),
    [
        (9, [7, 7], [16, 0], [7, -9]),  # example 2
        (4, [9, 5], [4, 0], [9, 5]),  # example 3
        (4, [5, 9], [0, 4], [5, 9]),
        (4, [7, 7], [0, 0], [7, 7]),  # CI-38
        (0, [10, 4], [6, 0], [10, 4]),  # example 8
    ],
)
def test_ci_36_to_ci_38_examples_2_3_8(
    number: int, collected: list[int], gained: list[int], setback: list[int]
) -> None:
    for score, expected in (("difference", gained), ("setback", setback)):
        referee = counted(number, collected, score=score)
        report = referee.report()
        assert report["last"] == {
            "deal": 1,
            "dealer": 0,
            "declarer": 1,
            "bid": number,
            "trump": "h",
            "points": collected * 2,
            "gained": expected * 2,
        }
        assert (report["scores"], report["dealer"], report["awaiting"]) == (expected * 2, 1, "deal")
        assert (report["hands"], report["bids"], report["bid"], report["declarer"]) == ([[]] * 4, [], None, None)
        assert (report["trump"], report["stub"], report["leader"], report["points"]) == (None, [], None, [0] * 4)


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


@pytest.mark.parametrize(
    ("taken", "credited", "bury"),
    [
        ("2s 3s 4s", ["5d"], "counted"),
        ("5d 2s 3s", [], "counted"),
        ("2s 3s 4s", [], "free"),
    ],
)
def test_ci_20_ci_23_ci_24_example_6_robbing(taken: str, credited: list[str], bury: str) -> None:
    # Seats 1, 2 and 3 keep four, three and three trumps: they draw the eight cards on top of the stub.
    hands = ["Ah Kh Qh", "Jh Th 9h 8h", "7h 6h 5h", "4h 2h Ac"]
    referee = named(hands, "Kc Qc Jc Tc 9c 8c 7c 6c 5c 5d 3h 2s 3s 4s 6s 7s", bury=bury)
    report = referee.report()
    assert (report["phase"], report["to_act"], len(report["hands"][0])) == ("rob", [0], 3)
    assert report["stub"] == ["5c", "5d", "3h", "2s", "3s", "4s", "6s", "7s"][-len(report["stub"]) :]
    assert refuse(referee, "0 take Kc") == "CI-20"
    play(referee, *[f"0 take {card}" for card in taken.split()])
    report = referee.report()
    assert (report["phase"], report["leader"], report["credited"]) == ("play", 1, credited)
    assert report["left"] == (["3h"] if "5d" in taken else ["3h", "5d"])
    assert [len(hand) for hand in report["hands"]] == [6] * 4


def test_ci_18_ci_22_example_7_a_short_stub() -> None:
    referee = named(["Ah Kh", "Qh Jh", "Th", "9h"], "8h 7h 6h 5h 5d 4h 3h 2h")
    report = referee.report()
    assert (report["phase"], report["to_act"], report["stub"], len(report["hands"][0])) == ("recall", [0], [], 4)
    assert len(report["legal"]["0"]) == 7
    assert refuse(referee, "0 take Ah") == "CI-19"
    play(referee, f"0 {referee.legal(0)[0]}")
    assert len(referee.legal(0)) == 6
    play(referee, f"0 {referee.legal(0)[0]}")
    assert (referee.report()["phase"], [len(hand) for hand in referee.hands]) == ("play", [6] * 4)


def test_ci_19_the_right_hand_neighbour_takes_back() -> None:
    referee = named([""] * 4, "Ah Kh Qh Jh Th 9h 8h 7h 6h 5h 5d 4h 3h 2h")
    report = referee.report()
    assert (report["phase"], report["to_act"], [len(hand) for hand in report["hands"]]) == ("recall", [3], [0, 6, 6, 4])
    first, second = referee.legal(3)[:2]
    play(referee, f"3 {first}", f"3 {second}")
    assert (referee.report()["to_act"], len(referee.legal(0))) == ([0], 9)


def test_ci_21_a_dealer_with_six_trumps() -> None:
    referee = named(["Ah Kh Qh Jh Th 9h", "8h 7h", "6h 5h", "4h 3h"])
    report = referee.report()
    assert (report["phase"], report["leader"], len(report["stub"]), report["left"]) == ("play", 1, 4, [])


def test_ci_12_example_8_nobody_bids() -> None:
    referee = Referee(4, 3, {})
    deal(referee, [""] * 4)
    assert (referee.report()["bid"], referee.report()["to_act"]) == (None, [0])
    bid(referee, 0, 0)
    report = referee.report()
    assert (report["phase"], report["declarer"], report["bid"], report["to_act"]) == ("trump", 3, 0, [3])
    assert report["bids"] == ["0 pass", "1 pass", "2 pass", "3 pass"]
    referee = Referee(4, 3, {"all_pass": "redeal"})
    for number in range(100):
        deal(referee, [""] * 4)
        bid(referee, 0, 0)
        assert referee.last is not None
        assert (referee.last["deal"], referee.last["declarer"], referee.last["trump"]) == (number + 1, None, None)
    assert (referee.report()["winners"], referee.report()["dealer"]) == ([0, 1, 2, 3], 2)  # CI-42


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
    for text in ["3 trump x", "3 trump", "3 pass", "0 trump s", "3 bid 14", "3 trump S"]:
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


@pytest.mark.parametrize(
    ("players", "dealer", "options", "clause"),
    [
        (3, 0, {}, "CI-1"),
        ("4", 0, {}, "CI-1"),
        (4, 4, {}, "CI-6"),
        (4, True, {}, "CI-6"),
        (4, 0, {"colour": "red"}, "CI-47"),
        (4, 0, {"target": 10}, "CI-40"),
        (4, 0, {"target": "51"}, "CI-40"),
        (4, 0, {"min_bid": True}, "CI-9"),
        (4, 0, {"all_pass": "again"}, "CI-12"),
        (4, 0, {"low": None}, "CI-32"),
        (4, 0, {"score": 1}, "CI-36"),
        (4, 0, {"bury": "no"}, "CI-23"),
        (4, 0, {"lead_trump": 1}, "CI-25"),
    ],
)
def test_refused_headers(players: int, dealer: int, options: dict[str, object], clause: str) -> None:
    with pytest.raises(Refused) as caught:
        Referee(players, dealer, options)
    assert caught.value.clause == clause


@pytest.mark.parametrize("seed", range(12))
def test_ci_40_random_matches_end(seed: int) -> None:
    rng = Random(seed)
    options: dict[str, object] = {name: rng.choice(values) for name, values in TEXT_OPTIONS.items()}
    options |= {"target": rng.choice([11, 51]), "min_bid": rng.choice([1, 6]), "lead_trump": rng.choice([True, False])}
    referee = Referee(4, rng.randrange(4), options)
    while not referee.report()["done"]:
        cards = referee.chance()
        if cards is not None:
            rng.shuffle(cards)
            referee.event(" ".join(["deal", *cards]))
            continue
        if referee.phase == "play" and not referee.played and not referee.trick:
            assert [len(hand) for hand in referee.hands] == [6] * 4
        held = [*referee.stub, *[card for hand in referee.hands for card in hand]]
        assert len(set(held)) == len(held)
        (seat,) = referee.to_act()
        moves = referee.legal(seat)
        assert moves
        referee.event(f"{seat} {'pass' if 'pass' in moves and rng.random() < 0.6 else rng.choice(moves)}")
        if referee.phase in ("deal", "done") and referee.last is not None and referee.last["trump"] is not None:
            assert 2 <= sum(referee.last["points"]) // 2 <= 14
    assert referee.report()["winners"]
