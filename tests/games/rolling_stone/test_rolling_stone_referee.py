"""The worked examples of Rolling Stone, its refusals and random matches, against the slow referee."""

from random import Random

import pytest
from games.rolling_stone.referee import PACK_RANKS, TEXT_OPTIONS, Referee
from referee_base import Refused, pack


def deal_text(players: int = 4) -> str:
    return " ".join(["deal", *pack(PACK_RANKS[players])])


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


def position(hands: list[str], leader: int, **options: object) -> Referee:
    """The middle of a deal: these hands, everything else on the discard pile."""
    referee = Referee(len(hands), 0, options)
    referee.event(deal_text(len(hands)))
    referee.hands = [hand.split() for hand in hands]
    referee.discards = [card for card in referee.whole_pack() if all(card not in hand for hand in referee.hands)]
    referee.leader = leader
    return referee


def test_rs_2_rs_6_example_1_packs() -> None:
    for players, size in ((4, 32), (5, 40), (6, 48)):
        referee = Referee(players, players - 1, {})
        report = referee.report()
        assert (report["deal"], report["awaiting"], report["hands"]) == (0, "deal", [[]] * players)
        assert len(referee.chance() or []) == size
        play(referee, deal_text(players))
        cards = deal_text(players).split()[1:]
        report = referee.report()
        assert report["hands"] == [cards[seat::players] for seat in range(players)]
        assert (report["to_act"], report["leader"], report["phase"]) == ([0], 0, "play")
        assert (report["trump"], report["upcard"], report["stock"], report["discard"]) == (None, None, None, 0)


def test_rs_8_to_rs_10_example_2_a_complete_trick() -> None:
    referee = position(["Th As", "9h Ks", "Kh Qs", "7h Js"], 1)
    discard = referee.report()["discard"]
    play(referee, "1 9h", "2 Kh", "3 7h")
    assert referee.report()["trick"] == [[1, "9h"], [2, "Kh"], [3, "7h"]]
    play(referee, "0 Th")
    report = referee.report()
    assert (report["leader"], report["to_act"], report["trick"]) == (2, [2], [])
    assert (report["discard"], report["tricks"], report["taken"]) == (discard + 4, [0, 0, 1, 0], [0] * 4)
    assert report["played"] == 1


def test_rs_11_rs_12_rs_15_example_3_a_broken_trick() -> None:
    referee = position(["9h 8h", "Ts 9s", "As Ks", "7s 8s"], 2)
    discard = referee.report()["discard"]
    play(referee, "2 As", "3 7s")
    assert referee.report()["legal"] == {"0": ["take"]}
    play(referee, "0 take")
    report = referee.report()
    assert sorted(report["hands"][0]) == ["7s", "8h", "9h", "As"]
    assert (report["to_act"], report["leader"], report["trick"], report["discard"]) == ([0], 0, [], discard)
    assert (report["tricks"], report["taken"], report["played"]) == ([0] * 4, [1, 0, 0, 0], 1)
    play(referee, "0 As")
    assert referee.report()["to_act"] == [1]


def test_rs_11_example_4_the_smallest_pick_up() -> None:
    referee = position(["Jc As", "9h 8h", "Qs Js", "Kc Ks"], 0)
    play(referee, "0 Jc", "1 take")
    assert (referee.report()["hands"][1], referee.report()["to_act"]) == (["9h", "8h", "Jc"], [1])


def test_rs_16_rs_17_example_5_at_once() -> None:
    referee = position(["7h As", "8h", "9h", "Ks Kd"], 0)
    play(referee, "0 7h", "1 8h")
    report = referee.report()
    assert (report["done"], report["winners"], report["scores"]) == (True, [1], [0, 1, 0, 0])
    assert (report["trick"], report["leader"], report["played"]) == ([[0, "7h"], [1, "8h"]], 0, 0)
    assert report["last"] == {
        "deal": 1,
        "winners": [1],
        "limit": False,
        "left": [1, 0, 1, 2],
        "points": [0, 1, 0, 0],
    }
    assert (report["points"], report["to_act"], report["awaiting"]) == ([0, 1, 0, 0], [], None)
    assert refuse(referee, "nonsense") == "RS-28"


def test_rs_16_rs_17_option_finish() -> None:
    referee = position(["7h As", "8h", "9h", "Ks Kd"], 0, finish="trick", score="cards")
    play(referee, "0 7h", "1 8h", "2 9h")
    assert referee.report()["done"] is False
    play(referee, "3 take")
    report = referee.report()
    assert (report["winners"], report["scores"], report["trick"]) == ([1, 2], [0, 6, 6, 0], [])
    assert (report["taken"], report["played"], report["last"]["left"]) == ([0, 0, 0, 1], 1, [1, 0, 0, 5])
    # The trick that empties a hand is also the last that the limit allows: the limit does not decide.
    referee = position(["7h As", "8h", "9h Qd", "Kh Kd"], 0, finish="trick", limit=10)
    referee.taken = [9, 0, 0, 0]
    play(referee, "0 7h", "1 8h", "2 9h", "3 Kh")
    report = referee.report()
    assert (report["last"]["winners"], report["last"]["limit"], report["played"]) == ([1], False, 10)


def test_rs_16_example_6_leading_the_last_card() -> None:
    referee = position(["7h", "8h As", "9h Qd", "Ks Kd"], 0)
    play(referee, "0 7h")
    assert referee.report()["winners"] == [0]


def test_rs_18_rs_19_example_7_the_limit() -> None:
    hands = ["7s 8s 9s Ts Js", "7h 8h 9h Th Jh Qh Kh Ah Qs", "7d 8d 9d Td Jd Qd", "7c 8c 9c Tc Jc Qc Kc Ac"]
    # The pips: 7 + 8 + 9 + four tens + the ace's 1 in hearts and in clubs, the queen of spades, the 7 of diamonds.
    for score, points in (("win", 1), ("cards", 18), ("pips", 65 + 65 + 10 + 7)):
        referee = position(hands, 2, score=score)
        referee.tricks, referee.taken = [99, 0, 0, 0], [0, 100, 0, 0]
        play(referee, "2 7d", "3 take")
        report = referee.report()
        assert (report["played"], report["trick"], report["leader"]) == (200, [], 3)
        assert report["last"] == {
            "deal": 1,
            "winners": [0, 2],
            "limit": True,
            "left": [5, 9, 5, 9],
            "points": [points, 0, points, 0],
        }
        assert (report["done"], report["scores"], report["winners"]) == (True, [points, 0, points, 0], [0, 2])


def test_rs_20_option_score() -> None:
    for score, points in (("win", 1), ("cards", 4), ("pips", 1 + 10 + 9 + 10)):
        referee = position(["8h", "As Jd", "9h", "Kd"], 0, score=score, deals=2)
        play(referee, "0 8h")
        report = referee.report()
        assert report["scores"] == [points, 0, 0, 0]
        assert (report["awaiting"], report["dealer"], report["hands"]) == ("deal", 1, [[]] * 4)
        assert (report["trick"], report["leader"], report["discard"], report["played"]) == ([], None, 0, 0)
        assert (report["tricks"], report["taken"], report["points"]) == ([0] * 4, [0] * 4, [0] * 4)
        assert report["last"]["points"] == [points, 0, 0, 0]


def test_rs_22_option_next_dealer() -> None:
    for choice, dealer in (("left", 1), ("winner", 2)):
        referee = position(["8h As", "7h Jd", "9h", "Kh Kd"], 0, next_dealer=choice, deals=2)
        play(referee, "0 8h", "1 7h", "2 9h")
        assert referee.report()["dealer"] == dealer
    referee = position(["8h As", "7h Jd", "9h", "Kh"], 0, next_dealer="winner", deals=2, finish="trick")
    play(referee, "0 8h", "1 7h", "2 9h", "3 Kh")
    assert (referee.report()["last"]["winners"], referee.report()["dealer"]) == ([2, 3], 1)


def test_rs_35_refused_events() -> None:
    referee = Referee(4, 3, {})
    for text in ["", "nonsense", "0", "01 As", "-1 As"]:
        assert refuse(referee, text) == "RS-32"
    for text in ["0 As", "3 foo", "draw Kh", "reshuffle", "0 take"]:
        assert refuse(referee, text) == "RS-29"
    cards = pack(PACK_RANKS[4])
    for wrong in [cards[1:], [*cards, "As"], [*cards[1:], "Kh"], [*cards[1:], "2s"], pack(), []]:
        assert refuse(referee, " ".join(["deal", *wrong])) == "RS-30"
    play(referee, deal_text())  # seat 0: As Ts Ah Th …, seat 1: Ks 9s …
    for text in [deal_text(), "deal", "reshuffle As", "draw As"]:
        assert refuse(referee, text) == "RS-29"
    for text in ["1 Ks", "4 As", "1 foo", "1 take"]:
        assert refuse(referee, text) == "RS-31"
    assert refuse(referee, "0 take") == "RS-13"
    for text in ["0 foo", "0 As Ah", "0 6s", "0 *", "0  As", "0 take it", "0 take "]:
        assert refuse(referee, text) == "RS-32"
    assert refuse(referee, "0 Ks") == "RS-33"
    play(referee, "0 a♠")
    assert refuse(referee, "1 take") == "RS-13"
    assert refuse(referee, "1 Kh") == "RS-8"
    referee = position(["Jc As", "9h 8h", "Qs Js", "Kc Ks"], 0)
    play(referee, "0 Jc")
    assert refuse(referee, "1 9h") == "RS-11"
    assert refuse(referee, "1 Kc") == "RS-33"


@pytest.mark.parametrize(
    ("players", "dealer", "options", "clause"),
    [
        (3, 0, {}, "RS-1"),
        (7, 0, {}, "RS-1"),
        ("4", 0, {}, "RS-1"),
        (4, 4, {}, "RS-5"),
        (4, True, {}, "RS-5"),
        (4, 0, {"colour": "red"}, "RS-34"),
        (4, 0, {"deals": 0}, "RS-34"),
        (4, 0, {"deals": 21}, "RS-34"),
        (4, 0, {"deals": True}, "RS-34"),
        (4, 0, {"limit": 9}, "RS-34"),
        (4, 0, {"limit": 1001}, "RS-34"),
        (4, 0, {"limit": "200"}, "RS-34"),
        (4, 0, {"score": None}, "RS-34"),
        (4, 0, {"finish": "now"}, "RS-34"),
    ],
)
def test_refused_headers(players: int, dealer: int, options: dict[str, object], clause: str) -> None:
    with pytest.raises(Refused) as caught:
        Referee(players, dealer, options)
    assert caught.value.clause == clause


@pytest.mark.parametrize("seed", range(20))
def test_rs_24_random_matches_end(seed: int) -> None:
    rng = Random(seed)
    players = rng.randint(4, 6)
    options: dict[str, object] = {name: rng.choice(values) for name, values in TEXT_OPTIONS.items()}
    options["deals"] = rng.randint(1, 4)
    options["limit"] = rng.choice([10, 20, 200])
    referee = Referee(players, rng.randrange(players), options)
    while not referee.report()["done"]:
        report = referee.report()
        cards = referee.chance()
        if cards is not None:
            rng.shuffle(cards)
            referee.event(" ".join(["deal", *cards]))
            continue
        assert sum(len(hand) for hand in report["hands"]) + len(report["trick"]) + report["discard"] == 8 * players
        (seat,) = report["to_act"]
        legal = report["legal"][str(seat)]
        assert legal
        if rng.random() < 0.1:
            for word in ["take", *referee.whole_pack()]:
                if word not in legal:
                    assert refuse(referee, f"{seat} {word}") in ("RS-8", "RS-11", "RS-13", "RS-33")
        referee.event(f"{seat} {rng.choice(legal)}")
        assert referee.played() <= int(str(options["limit"]))
    report = referee.report()
    assert report["deal"] == options["deals"]
    assert report["last"]["limit"] == (0 not in report["last"]["left"])
