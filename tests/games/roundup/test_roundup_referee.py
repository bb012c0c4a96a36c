"""The worked examples of Roundup!, its refusals and random matches, against the slow referee."""

from random import Random

import pytest
from games.roundup.referee import NUMBER_OPTIONS, TEXT_OPTIONS, Referee
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


def dealt(players: int, dealer: int, hands: list[str], **options: object) -> Referee:
    """A round in which the seats hold at least these cards."""
    referee = Referee(players, dealer, options)
    order = [(dealer + 1 + step) % players for step in range(players)]
    piles = [hand.split() for hand in hands]
    rest = [card for card in pack() if all(card not in pile for pile in piles)]
    cards = []
    for number in range(52):
        pile = piles[order[number % players]]
        place = number // players
        cards.append(pile[place] if place < len(pile) else rest.pop(0))
    play(referee, " ".join(["deal", *cards]))
    return referee


def turn(down: list[str], up: list[str], stacks: dict[str, int], seat: int, **options: object) -> Referee:
    """The start of a turn in the middle of a round."""
    referee = dealt(len(down), 0, [""] * len(down), **options)
    referee.hands = [hand.split() for hand in down]
    referee.face_up = [hand.split() for hand in up]
    referee.stacks |= stacks
    referee.begin(seat)
    return referee


def test_ru_4_ru_5_example_1_unequal_deal() -> None:
    referee = Referee(5, 3, {})
    assert (referee.report()["awaiting"], referee.report()["dealer"], referee.report()["deal"]) == ("deal", 3, 0)
    play(referee, " ".join(["deal", *pack()]))
    assert [len(hand) for hand in referee.report()["hands"]] == [11, 10, 10, 10, 11]
    assert referee.report()["hands"][4][:2] == ["As", "9s"]
    for players, size in ((2, 52), (3, 51), (4, 52), (5, 50), (6, 48)):
        assert len(Referee(players, 0, {"even_deal": "on"}).chance() or []) == size


def test_ru_12_to_ru_14_example_2_tie_for_the_lead() -> None:
    referee = dealt(4, 3, ["Ah 9h 4h", "As 9s 7s", "5d", "2c"])
    assert refuse(referee, "0 show 9h") == "RU-51"
    play(referee, "3 bid 2c", "0 bid Ah", "1 bid As")
    assert (referee.report()["to_act"], referee.report()["bids"]) == ([2], ["Ah", "As", None, "2c"])
    assert "Ah" in referee.report()["hands"][0]
    play(referee, "2 bid 5d")
    report = referee.report()
    assert (report["phase"], sorted(report["to_act"]), report["face_up"][0]) == ("tie", [0, 1], ["Ah"])
    play(referee, "0 show 9h")
    assert refuse(referee, "0 show 4h") == "RU-52"
    assert "9h" in referee.report()["hands"][0]
    play(referee, "1 show 9s")
    assert (referee.report()["phase"], sorted(referee.report()["to_act"])) == ("tie", [0, 1])
    play(referee, "1 show 7s", "0 show 4h")
    report = referee.report()
    assert (report["phase"], report["to_act"]) == ("play", [0])
    assert report["face_up"] == [["Ah", "9h", "4h"], ["As", "9s", "7s"], ["5d"], ["2c"]]


def test_ru_16_example_3_no_way_out_of_a_tie() -> None:
    faces = "Js Jh Jd Jc Qs Qh Qd Qc"
    referee = dealt(6, 5, ["2s", "As", "2h", f"Ah {faces}", "2d", "2c"])
    play(referee, "0 bid 2s", "1 bid As", "2 bid 2h", "3 bid Ah", "4 bid 2d", "5 bid 2c")
    report = referee.report()
    assert (report["phase"], report["to_act"], report["face_up"][1]) == ("play", [1], ["As"])


def test_ru_9_a_player_with_face_cards_only() -> None:
    referee = dealt(6, 5, ["As", "2s", "Js Jh Jd Jc Qs Qh Qd Qc Kc", "2h", "2d", "2c"])
    assert sorted(referee.report()["to_act"]) == [0, 1, 3, 4, 5]
    play(referee, "0 bid As", "1 bid 2s", "3 bid 2h", "4 bid 2d", "5 bid 2c")
    report = referee.report()
    assert (report["phase"], report["bids"][2], report["face_up"][2]) == ("play", None, [])


def test_ru_22_example_4_must_play() -> None:
    referee = turn(["3d", "3c", "2s Kd", "4d"], ["", "", "5h", ""], {"h": 4, "s": 1}, 2)
    assert referee.report()["legal"] == {"2": ["5h"]}
    for text in ("2s", "pass 2s", "jack Jd 0", "king Kd 0 7", "king Kd 2 7", "Kd"):
        assert refuse(referee, f"2 {text}") == ("RU-53" if text == "jack Jd 0" else "RU-22")
    play(referee, "2 5h")
    assert (referee.report()["stacks"], referee.report()["to_act"]) == ([1, 5, 0, 0], [3])


def test_ru_23_ru_24_example_5_chain() -> None:
    referee = turn(["Ks", "2d", "3d", "4d"], ["5h 6h 9c", "", "", ""], {"h": 4, "c": 8}, 0)
    assert refuse(referee, "0 stop") == "RU-24"
    play(referee, "0 5h")
    assert (referee.report()["phase"], sorted(referee.legal(0))) == ("more", ["6h", "9c", "stop"])
    assert refuse(referee, "0 Ks") == refuse(referee, "0 pass Ks") == "RU-24"
    play(referee, "0 6h", "0 9c")
    assert (referee.report()["phase"], referee.report()["to_act"]) == ("play", [1])
    referee = turn(["Ks", "2d", "3d", "4d"], ["5h 6h 9c", "", "", ""], {"h": 4, "c": 8}, 0, chain="single")
    play(referee, "0 5h")
    assert referee.report()["to_act"] == [1]
    referee = turn(["Ks", "2d", "3d", "4d"], ["5h 6h 9c", "", "", ""], {"h": 4}, 0)
    play(referee, "0 5h")
    assert refuse(referee, "0 9c") == "RU-20"
    play(referee, "0 stop")
    assert referee.report()["to_act"] == [1]


def test_ru_36_ru_38_example_6_queen() -> None:
    for card, discards in (("3h", ["Qd"]), ("Kh", ["Qd", "Kh"])):
        referee = turn(["Qd 4d", "2d", "3h 9h Kh 5s"], ["", "", ""], {}, 0)
        play(referee, "0 queen Qd 2 h")
        report = referee.report()
        assert (report["phase"], report["attack"]) == ("give", {"seat": 0, "card": "Qd", "target": 2, "name": "h"})
        assert report["legal"] == {"2": ["give 3h", "give 9h", "give Kh"]}
        assert refuse(referee, "2 give 5s") == "RU-36"
        assert refuse(referee, "2 give Kc") == "RU-53"
        play(referee, f"2 give {card}")
        report = referee.report()
        assert (report["discards"], report["to_act"], report["attack"]) == (discards, [1], None)
        assert report["face_up"][2] == (["3h"] if card == "3h" else [])


def test_ru_32_ru_38_example_7_king_without_effect() -> None:
    referee = turn(["Ks 4d", "2d", "3h"], ["", "7h", ""], {}, 0)
    play(referee, "0 king Ks 1 7")
    report = referee.report()
    assert (report["discards"], report["face_up"], report["to_act"]) == (["Ks"], [[], ["7h"], []], [1])


def test_ru_35_ru_41_example_8_jack_takes_the_last_card() -> None:
    referee = turn(["Jh 4d", "2d", "3h", "Qc"], ["", "", "", ""], {}, 0)
    play(referee, "0 jack Jh 3")
    report = referee.report()
    assert (report["phase"], report["awaiting"], report["to_act"]) == ("draw", "draw", [])
    assert (referee.chance(), report["attack"]["name"]) == (["Qc"], None)
    assert refuse(referee, "draw 2d") == "RU-35"
    assert refuse(referee, "3 Qc") == refuse(referee, "draw") == "RU-51"
    play(referee, "draw Qc")
    report = referee.report()
    assert (report["discards"], report["first_out"], report["points"]) == (["Jh", "Qc"], 3, [0, 0, 0, 1])
    play(referee, "1 pass 2d", "2 pass 3h")
    assert referee.report()["to_act"] == [0]  # RU-18


def test_ru_42_the_attacker_was_first() -> None:
    referee = turn(["Jh", "2d", "Qc"], ["", "", ""], {}, 0, out_point=2)
    play(referee, "0 jack Jh 2", "draw Qc")
    assert (referee.report()["first_out"], referee.report()["points"]) == (0, [2, 0, 0])


def test_ru_28_to_ru_30_example_9_passing() -> None:
    referee = turn(["9d Kd", "2d"], ["", ""], {}, 0)
    assert refuse(referee, "0 pass Kd") == refuse(referee, "0 pass") == "RU-28"
    play(referee, "0 pass 9d", "1 pass 2d")
    assert refuse(referee, "0 pass 9d") == refuse(referee, "0 pass") == "RU-29"
    play(referee, "0 pass Kd")
    assert (referee.report()["discards"], referee.report()["face_up"][0]) == (["Kd"], ["9d"])
    play(referee, "1 pass")
    assert referee.report()["legal"] == {"0": ["pass"]}
    assert refuse(referee, "0 pass 9d") == "RU-30"


def last_card(bids: list[str | None], scores: list[int], first_out: int | None, **options: object) -> Referee:
    """Seat 0 has just closed the last stack, clubs; hearts were closed first."""
    referee = turn(["Tc 9h", "2d", "3d", "4d"], [""] * 4, {"s": 10, "h": 10, "d": 10, "c": 9}, 0, **options)
    referee.closed = ["h", "s", "d"]
    referee.bids = bids
    referee.scores = scores
    referee.first_out = first_out
    if first_out is not None:
        referee.points[first_out] = 1
    play(referee, "0 Tc")
    return referee


def test_ru_44_ru_45_example_10_scores() -> None:
    report = last_card(["Ac", "Ad", "2c", "Ah"], [0, 0, 0, 0], 2).report()
    assert report["last"] == {
        "points": [2, 0, 3, 0],
        "closed": ["h", "s", "d", "c"],
        "bids": ["Ac", "Ad", "2c", "Ah"],
        "first_out": 2,
    }
    assert (report["scores"], report["awaiting"], report["dealer"]) == ([2, 0, 3, 0], "deal", 1)
    assert (report["hands"], report["stacks"], report["closed"]) == ([[]] * 4, [0] * 4, [])
    assert (report["bids"], report["points"], report["first_out"]) == ([None] * 4, [0] * 4, None)
    assert last_card(["Ac", "Ad", "2c", "Ah"], [0] * 4, None, goal="first").scores == [0, 0, 0, 3]
    assert last_card(["Ac", "3c", "2c", "Ah"], [0] * 4, None).scores == [1, 1, 1, 0]
    assert last_card(["Ac", "3c", "2c", "4c"], [0] * 4, None).scores == [0] * 4


def test_ru_47_example_11_tie_at_ten() -> None:
    referee = last_card(["Ah", "2h", "3h", "Ac"], [11, 11, 4, 0], None)
    assert (referee.scores, referee.phase) == ([11, 11, 4, 3], "deal")
    report = last_card(["Ah", "2c", "3h", "As"], [11, 11, 4, 3], 3).report()
    assert (report["scores"], report["winners"], report["done"]) == ([11, 14, 4, 4], [1], True)
    assert (report["dealer"], report["stacks"], report["hands"][0]) == (0, [10] * 4, ["9h"])


def test_ru_51_to_ru_53_refused_events() -> None:
    referee = Referee(4, 3, {})
    for text in ["", "nonsense", "0 bid As", "draw As", "reshuffle", "0", " ".join(["deal", "xx", *pack()[1:]])]:
        assert refuse(referee, text) == "RU-51"
    for wrong in [pack()[1:], [*pack(), "As"], [*pack()[1:], "Kh"], []]:
        assert refuse(referee, " ".join(["deal", *wrong])) == "RU-4"
    play(referee, " ".join(["deal", *pack()]))  # seat 0: As Ts 6s 2s Jh …, seat 1: Ks 9s …
    for text in ["deal", "draw As", "0 As", "0 bid", "0 bid xx", "0 bid *", "0 bid As Ks", "0 pass", "01 bid Ks"]:
        assert refuse(referee, text) == "RU-51"
    assert refuse(referee, "4 bid As") == "RU-52"
    assert refuse(referee, "0 bid Ks") == "RU-53"
    assert refuse(referee, "0 bid Jh") == "RU-8"
    play(referee, "0 bid a♠")
    assert refuse(referee, "0 bid Ts") == "RU-52"

    referee = turn(["9d Kd Jc", "2d", "3d"], ["", "", "5c"], {"c": 4}, 0)
    for text in ["jack Kd 1", "king Kd 1", "king Kd 1 J", "king Kd 1 1", "king Kd 01 7", "king Kd 3 7", "give 9d"]:
        assert refuse(referee, f"0 {text}") == "RU-51"
    for text in ["queen Qd 1 x", "bid 9d", "stop now", "pass 9d Kd", "pass xx", "9d 2d", "*"]:
        assert refuse(referee, f"0 {text}") == "RU-51"
    assert refuse(referee, "1 2d") == "RU-52"
    assert refuse(referee, "0 2d") == refuse(referee, "0 queen Qd 1 h") == refuse(referee, "0 pass 2d") == "RU-53"
    assert refuse(referee, "0 Kd") == "RU-31"
    assert refuse(referee, "0 9d") == "RU-20"
    assert refuse(referee, "0 king Kd 0 7") == "RU-32"
    play(referee, "0 king Kd 1 2")
    for text in ["1 2d", "1 pass", "1 give xx"]:
        assert refuse(referee, text) == "RU-51"
    assert refuse(referee, "0 give 9d") == "RU-52"
    referee.hands[1].append("3h")
    assert refuse(referee, "1 give 3h") == "RU-37"


@pytest.mark.parametrize(
    ("players", "dealer", "options", "clause"),
    [
        (1, 0, {}, "RU-1"),
        (7, 0, {}, "RU-1"),
        ("4", 0, {}, "RU-1"),
        (4, 4, {}, "RU-3"),
        (4, False, {}, "RU-3"),
        (4, 0, {"colour": "red"}, "RU-54"),
        (4, 0, {"target": 11}, "RU-54"),
        (4, 0, {"target": "10"}, "RU-54"),
        (4, 0, {"out_point": True}, "RU-54"),
        (4, 0, {"even_deal": True}, "RU-54"),
        (4, 0, {"goal": None}, "RU-54"),
    ],
)
def test_refused_headers(players: int, dealer: int, options: dict[str, object], clause: str) -> None:
    with pytest.raises(Refused) as caught:
        Referee(players, dealer, options)
    assert caught.value.clause == clause


@pytest.mark.parametrize("seed", range(10))
def test_ru_49_random_matches_end(seed: int) -> None:
    rng = Random(seed)
    options: dict[str, object] = {name: rng.choice(values) for name, values in TEXT_OPTIONS.items()}
    options |= {name: rng.choice(numbers) for name, numbers in NUMBER_OPTIONS.items()}
    players = 2 + seed % 5
    referee = Referee(players, rng.randrange(players), options)
    while not referee.report()["done"]:
        cards = referee.chance()
        if cards is not None:
            rng.shuffle(cards)
            referee.event(" ".join(["deal", *cards]) if referee.phase == "deal" else f"draw {cards[0]}")
            continue
        held = sum(len(cards) for cards in referee.hands + referee.face_up)
        assert held + sum(referee.stacks.values()) + len(referee.discards) == len(referee.whole_pack())
        seat = rng.choice(referee.to_act())
        referee.event(f"{seat} {rng.choice(referee.legal(seat))}")
    assert referee.report()["winners"]
