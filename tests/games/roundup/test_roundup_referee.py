"""Cases of Roundup that the random matches of `test_referees.py` do not reach, against the slow referee."""

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


def test_ru_16_example_3_no_way_out_of_a_tie() -> None:
    faces = "Js Jh Jd Jc Qs Qh Qd Qc"
    referee = dealt(6, 5, ["2s", "As", "2h", f"Ah {faces}", "2d", "2c"])
    play(referee, "0 bid 2s", "1 bid As", "2 bid 2h", "3 bid Ah", "4 bid 2d", "5 bid 2c")
    report = referee.report()
    assert (report["phase"], report["to_act"], report["face_up"][1]) == ("play", [1], ["As"])


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
