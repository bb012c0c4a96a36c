"""The worked examples of Linger Longer, its refusals and random matches, against the slow referee."""

from random import Random

import pytest
from games.linger_longer.referee import TEXT_OPTIONS, Referee
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


def position(hands: list[str], leader: int, trump: str = "h", **options: object) -> Referee:
    """The middle of a deal: these hands, the rest of the pack as the stock; who holds nothing is out."""
    referee = Referee(len(hands), 0, options)
    referee.event(deal_text())
    referee.hands = [hand.split() for hand in hands]
    referee.stock = [card for card in pack() if all(card not in hand for hand in referee.hands)]
    referee.active = [seat for seat in range(len(hands)) if referee.hands[seat]]
    referee.leader = leader
    referee.trump = trump
    return referee


FOUR = "As Ks Qs Js Ah Kh Qh Jh Ad Kd Qd Jd Ac Kc Qc Jc 2s"


def test_ll_5_ll_7_ll_8_example_1_trump_and_order() -> None:
    referee = Referee(4, 2, {})
    report = referee.report()
    assert (report["deal"], report["awaiting"], report["hands"], report["active"]) == (0, "deal", [[]] * 4, [])
    assert (report["stock"], report["discard"], report["trump"], report["leader"]) == (0, 0, None, None)
    assert sorted(referee.chance() or []) == sorted(pack())
    play(referee, deal_text(FOUR))
    report = referee.report()
    assert report["hands"][3] == ["As", "Ah", "Ad", "Ac"]
    assert report["hands"][2] == ["Js", "Jh", "Jd", "Jc"]
    assert (report["upcard"], report["trump"], report["to_act"], report["leader"]) == ("Jc", "c", [3], 3)
    assert (report["stock"], report["discard"], report["active"]) == (36, 0, [0, 1, 2, 3])
    play(referee, "3 As", "0 Ks", "1 Qs", "2 Js")
    report = referee.report()
    assert report["hands"][3] == ["Ah", "Ad", "Ac", "2s"]
    assert (report["stock"], report["discard"], report["tricks"]) == (35, 4, [0, 0, 0, 1])
    assert (report["to_act"], report["trick"], report["points"]) == ([3], [], [0] * 4)


def test_ll_15_example_2_staying_in_with_the_last_card() -> None:
    referee = position(["Kd", "2d 3d", "4d", ""], 0)
    play(referee, "0 Kd", "1 2d", "2 4d")
    report = referee.report()
    assert ([len(hand) for hand in report["hands"]], report["active"]) == ([1, 1, 0, 0], [0, 1])
    assert (report["phase"], report["to_act"]) == ("play", [0])


def test_ll_18_ll_23_example_3_all_run_out_together() -> None:
    referee = position(["", "2d", "", "5d"], 1, deals=1)
    play(referee, "1 2d", "3 5d")
    report = referee.report()
    assert (report["done"], report["scores"], report["winners"]) == (True, [0, 0, 0, 1], [3])
    assert report["last"] == {"deal": 1, "winner": 3, "tricks": [0, 0, 0, 1], "points": [0, 0, 0, 1]}
    assert ([len(hand) for hand in report["hands"]], report["active"]) == ([0, 0, 0, 1], [3])
    assert (report["points"], report["tricks"], report["trump"]) == ([0, 0, 0, 1], [0, 0, 0, 1], "h")
    assert (report["awaiting"], report["to_act"], report["dealer"]) == (None, [], 0)
    assert refuse(referee, "nonsense") == "LL-31"


def test_ll_18_example_4_several_run_out() -> None:
    referee = position(["2d 2c", "3d", "Kd 3c", "4d", "5d 4c"], 0)
    play(referee, "0 2d", "1 3d", "2 Kd", "3 4d", "4 5d")
    assert (referee.report()["active"], referee.report()["phase"]) == ([0, 2, 4], "play")
    play(referee, "2 3c")
    assert referee.report()["to_act"] == [4]  # LL-16: seat 3 is passed over


def test_ll_22_ll_23_example_5_a_clean_sweep() -> None:
    for score, points in (("cards", 3), ("one", 1)):
        referee = Referee(3, 2, {"score": score})
        play(referee, deal_text("As Ks Qs Ah Kh Qh Ad Kd Qd"))
        play(referee, "0 As", "1 Ks", "2 Qs", "0 Ah", "1 Kh", "2 Qh", "0 Ad", "1 Kd")
        assert referee.report()["scores"] == [0, 0, 0]
        play(referee, "2 Qd")
        report = referee.report()
        assert (report["scores"], report["awaiting"], report["dealer"]) == ([points, 0, 0], "deal", 0)
        assert report["last"] == {"deal": 1, "winner": 0, "tricks": [3, 0, 0], "points": [points, 0, 0]}
        assert (report["hands"], report["tricks"], report["points"]) == ([[]] * 3, [0] * 3, [0] * 3)
        assert (report["stock"], report["discard"], report["active"]) == (0, 0, [])
        assert (report["trump"], report["upcard"], report["leader"]) == (None, None, None)


def test_ll_9_to_ll_11_example_6_nothing_to_follow_with() -> None:
    referee = position(["9d 2c", "Ad 2d 5h", "3c 4c"], 0)
    play(referee, "0 9d")
    assert sorted(referee.report()["legal"]["1"]) == ["2d", "Ad"]
    assert refuse(referee, "1 5h") == "LL-9"
    for card, winner in (("5h", 1), ("As", 2)):
        referee = position(["9d 2c", "As 5h", "Kd 4c"], 0)
        play(referee, "0 9d")
        assert sorted(referee.report()["legal"]["1"]) == ["5h", "As"]
        play(referee, f"1 {card}", "2 Kd")
        assert referee.report()["leader"] == winner


def test_ll_26_example_7_a_shared_match() -> None:
    referee = position(["", "2d", "", "5d"], 1)
    referee.deals, referee.scores = 4, [3, 5, 0, 4]
    play(referee, "1 2d", "3 5d")
    assert (referee.report()["scores"], referee.report()["winners"]) == ([3, 5, 0, 5], [1, 3])


def test_ll_20_ll_21_reshuffle() -> None:
    referee = position(["2d 2c", "3d", "Kd"], 0, deals=1)
    referee.stock = []
    referee.discards = ["As"]
    play(referee, "0 2d", "1 3d", "2 Kd")
    report = referee.report()
    assert (report["phase"], report["awaiting"], report["to_act"], report["legal"]) == (
        "reshuffle",
        "reshuffle",
        [],
        {},
    )
    assert (report["leader"], report["stock"], report["discard"], report["trick"]) == (2, 0, 4, [])
    assert (report["active"], report["tricks"]) == ([0, 1, 2], [0, 0, 1])
    assert sorted(referee.chance() or []) == ["2d", "3d", "As", "Kd"]
    for text in ["reshuffle", "reshuffle As 2d 3d", "reshuffle As 2d 3d 3d", "reshuffle As 2d 3d Kd 2c"]:
        assert refuse(referee, text) == "LL-21"
    for text in [deal_text(), "2 Kd", "0 2c", "draw As"]:
        assert refuse(referee, text) == "LL-32"
    play(referee, "reshuffle As 2d 3d Kd")
    report = referee.report()
    assert (report["hands"], report["active"], report["stock"]) == ([["2c"], [], ["As"]], [0, 2], 3)
    assert (report["discard"], report["to_act"], report["awaiting"]) == (0, [2], None)


def test_ll_20_reshuffle_for_the_last_winner() -> None:
    referee = position(["2d", "3d", ""], 0, deals=1)
    referee.stock = []
    play(referee, "0 2d", "1 3d")
    assert referee.report()["awaiting"] == "reshuffle"
    play(referee, "reshuffle 2d 3d")
    report = referee.report()
    assert (report["done"], report["hands"], report["scores"]) == (True, [[], ["2d"], []], [0, 1, 0])
    assert (report["stock"], report["discard"], report["leader"]) == (1, 0, 1)


def test_ll_7_option_trump() -> None:
    referee = Referee(3, 2, {"trump": "turned", "cards": 17})
    play(referee, deal_text())
    report = referee.report()
    assert (report["upcard"], report["trump"], report["stock"], report["discard"]) == (pack()[51], "c", 0, 0)
    referee = Referee(4, 2, {"trump": "none"})
    play(referee, deal_text(FOUR))
    report = referee.report()
    assert (report["upcard"], report["trump"], report["stock"]) == (None, None, 36)


def test_ll_25_option_next_dealer() -> None:
    for choice, dealer in (("left", 1), ("winner", 3)):
        referee = position(["", "2d", "", "5d"], 1, next_dealer=choice)
        play(referee, "1 2d", "3 5d")
        assert referee.report()["dealer"] == dealer


def test_ll_38_refused_events() -> None:
    referee = Referee(4, 2, {})
    for text in ["", "nonsense", "0", "01 As", "-1 As"]:
        assert refuse(referee, text) == "LL-35"
    for text in ["0 As", "3 foo", "draw Kh", "reshuffle"]:
        assert refuse(referee, text) == "LL-32"
    for cards in [pack()[1:], [*pack(), "Kh"], [*pack()[1:], "Kh"], [*pack()[1:], "*"], []]:
        assert refuse(referee, " ".join(["deal", *cards])) == "LL-33"
    play(referee, deal_text(FOUR))
    for text in [deal_text(), "deal", "reshuffle As", "draw As"]:
        assert refuse(referee, text) == "LL-32"
    for text in ["0 Ks", "4 As", "0 foo"]:
        assert refuse(referee, text) == "LL-34"
    for text in ["3 foo", "3 As Ah", "3 pass", "3  As", "3 As "]:
        assert refuse(referee, text) == "LL-35"
    for text in ["3 Ks", "3 *"]:
        assert refuse(referee, text) == "LL-36"
    play(referee, "3 a♠")
    assert refuse(referee, "0 Kh") == "LL-9"


@pytest.mark.parametrize(
    ("players", "dealer", "options", "clause"),
    [
        (2, 0, {}, "LL-1"),
        (7, 0, {}, "LL-1"),
        ("4", 0, {}, "LL-1"),
        (4, 4, {}, "LL-3"),
        (4, True, {}, "LL-3"),
        (4, 0, {"colour": "red"}, "LL-37"),
        (4, 0, {"deals": 0}, "LL-37"),
        (4, 0, {"deals": 21}, "LL-37"),
        (4, 0, {"deals": True}, "LL-37"),
        (4, 0, {"cards": 1}, "LL-37"),
        (4, 0, {"cards": 13}, "LL-37"),
        (3, 0, {"cards": 18}, "LL-37"),
        (4, 0, {"cards": "4"}, "LL-37"),
        (4, 0, {"trump": None}, "LL-37"),
        (4, 0, {"score": "two"}, "LL-37"),
    ],
)
def test_refused_headers(players: int, dealer: int, options: dict[str, object], clause: str) -> None:
    with pytest.raises(Refused) as caught:
        Referee(players, dealer, options)
    assert caught.value.clause == clause


def random_options(players: int, rng: Random) -> dict[str, object]:
    options: dict[str, object] = {name: rng.choice(values) for name, values in TEXT_OPTIONS.items()}
    if rng.random() < 0.7:
        options["cards"] = rng.randint(2, 51 // players)
    if rng.random() < 0.5:
        options["deals"] = rng.randint(1, 6)
    return options


@pytest.mark.parametrize("seed", range(20))
def test_ll_22_ll_27_random_matches_end(seed: int) -> None:
    rng = Random(seed)
    players = rng.randint(3, 6)
    options = random_options(players, rng)
    referee = Referee(players, rng.randrange(players), options)
    cards_each = options.get("cards", players)
    assert isinstance(cards_each, int)
    while not referee.report()["done"]:
        report = referee.report()
        cards = referee.chance()
        if cards is not None:
            rng.shuffle(cards)
            referee.event(" ".join([report["awaiting"], *cards]))
            if report["awaiting"] == "reshuffle":
                assert "cards" in options  # LL-22
            continue
        aside = 1 if options["trump"] == "turned" else 0
        there = sum(len(hand) for hand in report["hands"]) + len(report["trick"])
        assert there + report["stock"] + report["discard"] + aside == 52
        (seat,) = report["to_act"]
        assert seat in report["active"]
        legal = report["legal"][str(seat)]
        if rng.random() < 0.1:
            for card in pack():
                if card not in legal:
                    assert refuse(referee, f"{seat} {card}") in ("LL-36", "LL-9")
        referee.event(f"{seat} {rng.choice(legal)}")
        last = referee.report()["last"]
        if last is not None:
            assert cards_each <= sum(last["tricks"]) <= 2 * cards_each - 1  # LL-22
            assert 1 <= max(last["points"]) <= cards_each  # LL-23
    report = referee.report()
    assert report["deal"] == options.get("deals", players)
