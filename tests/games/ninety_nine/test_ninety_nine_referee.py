"""The worked examples of Ninety-Nine, its refusals and random matches, against the slow referee."""

from random import Random
from typing import Any

import pytest
from games.ninety_nine.referee import SHORT, TEXT_OPTIONS, Referee
from referee_base import RANKS, Refused, pack

BIDS = {
    0: "Ad Kd Qd",
    1: "As Kd Qd",
    2: "As Ks Kd",
    3: "As Ks Qs",
    4: "As Kd Kc",
    5: "As Ks Kc",
    9: "Kc 9c 6c",
}


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


def deal_text(referee: Referee) -> str:
    return " ".join(["deal", *(referee.chance() or [])])


def dealt(players: int, dealer: int, hands: list[str], **options: object) -> Referee:
    """A first round in which the seats (and last the dummy) hold these cards, the rest shared out among them."""
    referee = Referee(players, dealer, options)
    order = [1 - dealer, 2, dealer] if players == 2 else [(dealer + 1 + step) % players for step in range(players)]
    piles = [hand.split() for hand in hands]
    rest = [card for card in pack(RANKS if players == 4 else SHORT) if all(card not in pile for pile in piles)]
    size = 13 if players == 4 else 12
    for pile in piles:
        while len(pile) < size:
            pile.append(rest.pop())
    play(referee, " ".join(["deal", *[piles[who][place] for place in range(size) for who in order]]))
    return referee


def scored(bids: list[int], tricks: list[int], premium: list[str | None], **options: object) -> dict[str, Any]:
    """The report after a round with these bids and tricks; with two players the dummy's stand last."""
    players = 2 if len(premium) == 2 else len(bids)
    referee = Referee(players, 0, options)
    finish(referee, bids, tricks, premium)
    return referee.report()


def finish(referee: Referee, bids: list[int], tricks: list[int], premium: list[str | None]) -> None:
    play(referee, deal_text(referee))
    live = referee.players
    referee.bids = [BIDS[bid].split() for bid in bids[:live]]
    referee.tricks = list(tricks[:live])
    if live == 2:
        referee.dummy_bid, referee.dummy_tricks = BIDS[bids[2]].split(), tricks[2]
    referee.premium = list(premium)
    referee.hands = [[] for _ in range(live)]
    referee.finish_round()


def test_nn_11_nn_31_to_nn_34_example_1_ninety_nine() -> None:
    report = scored([3, 9, 1], [0, 9, 0], [None, "reveal", None])
    assert report["last"] == {"bids": [3, 9, 1], "tricks": [0, 9, 0], "made": [False, True, False], "gain": [0, 99, 0]}
    assert (report["points"], report["scores"], report["dealer"]) == ([0, 99, 0], [0, 99, 0], 1)
    referee = Referee(3, 0, {})
    finish(referee, [3, 9, 1], [0, 9, 0], [None, "reveal", None])
    play(referee, deal_text(referee))
    assert referee.report()["trump"] == "s"  # NN-9


def test_nn_33_example_2_a_failed_revelation() -> None:
    report = scored([1, 2, 4], [1, 3, 5], [None, None, "reveal"])
    assert report["last"]["gain"] == [91, 63, 5]


def test_nn_9_nn_32_example_3_all_four() -> None:
    referee = Referee(4, 3, {})
    finish(referee, [2, 3, 1, 4], [2, 3, 1, 4], [None] * 4)
    assert referee.report()["scores"] == [2, 3, 1, 4]
    play(referee, deal_text(referee))
    assert (referee.report()["trump"], referee.report()["deal"]) == (None, 2)


def test_nn_9_trumps_by_success() -> None:
    for made, trump in ((0, "d"), (1, "s"), (2, "h"), (3, "c")):
        referee = Referee(3, 0, {})
        finish(referee, [1, 2, 3], [seat + 1 if seat < made else 0 for seat in range(3)], [None] * 3)
        play(referee, deal_text(referee))
        assert referee.report()["trump"] == trump
    referee = Referee(3, 0, {"trump": "diamonds-first"})
    play(referee, deal_text(referee))
    assert referee.report()["trump"] == "d"


def test_nn_17_nn_18_example_4_who_may_offer() -> None:
    referee = dealt(3, 0, ["", "", ""])
    for seat in (2, 0, 1):
        play(referee, f"{seat} {referee.legal(seat)[0]}")
    assert (referee.report()["phase"], referee.report()["to_act"]) == ("premium", [1])
    assert [len(hand) for hand in referee.report()["hands"]] == [9, 9, 9]
    play(referee, "1 declare")
    assert referee.report()["legal"] == {"2": ["pass", "reveal"]}
    assert refuse(referee, "2 declare") == "NN-18"
    assert referee.report()["premium"] == [None] * 3
    play(referee, "2 reveal")
    report = referee.report()
    assert (report["phase"], report["leader"], report["to_act"]) == ("play", 1, [1])
    assert report["offers"] == [None, "declare", "reveal"]
    assert report["premium"] == [None, None, "reveal"]


def two_players() -> Referee:
    """Seat 0 deals; the bids are made and nobody declares."""
    hands = ["8s Jh 6d 7d 8d", "Ks Qh 6c 7c 8c", "9d 9c 8h As 7h"]
    referee = dealt(2, 0, hands)
    assert referee.report()["dummy"]["bid"] == ["8h", "9d", "9c"]  # NN-15
    play(referee, "0 bid 8d 7d 6d", "1 bid 8c 7c 6c")
    assert refuse(referee, "1 reveal") == "NN-20"
    play(referee, "1 pass", "0 pass")
    return referee


def test_nn_28_nn_29_example_5_the_dummy_leads() -> None:
    referee = two_players()
    assert referee.report()["to_act"] == [1]
    play(referee, "1 Ks", "0 8s")
    assert refuse(referee, "1 Qh") == "NN-28"
    assert all(move.startswith("dummy ") for move in referee.legal(1))
    play(referee, "1 dummy As")
    report = referee.report()
    assert (report["leader"], report["dummy"]["tricks"], report["tricks"]) == ("dummy", 1, [0, 0])
    assert report["to_act"] == [1]
    assert refuse(referee, "1 Qh") == "NN-29"
    play(referee, "1 dummy 7h")
    assert refuse(referee, "0 dummy Jh") == "NN-29"
    play(referee, "0 Jh")
    assert referee.report()["trick"] == [["dummy", "7h"], [0, "Jh"]]
    play(referee, "1 Qh")
    report = referee.report()
    assert (report["leader"], report["tricks"], report["to_act"], report["trick"]) == (1, [0, 1], [1], [])


def test_nn_39_nn_40_example_6_both_fail() -> None:
    referee = Referee(2, 0, {})
    finish(referee, [3, 4, 4], [2, 5, 2], ["declare", "declare"])
    assert referee.last == {"bids": [3, 4, 4], "tricks": [2, 5, 2], "made": [False, False, True], "gain": [2, 5, 92]}
    assert referee.report()["scores"] == [2, 5]
    play(referee, deal_text(referee))
    assert referee.report()["trump"] == "s"


def test_nn_36_nn_40_example_7_a_dummy_that_hits() -> None:
    report = scored([2, 3, 3], [2, 4, 3], [None, None])
    assert (report["scores"], report["last"]["gain"]) == ([22, 4], [22, 4, 53])


def test_nn_38_nn_39_declarations_with_two_players() -> None:
    # One declares and fails, the other does not declare; then both declare and one succeeds.
    assert scored([3, 2, 0], [4, 4, 1], ["declare", None])["last"]["gain"] == [4, 34, 31]
    assert scored([3, 2, 0], [3, 4, 2], ["declare", "declare"])["last"]["gain"] == [3 + 30 + 30 + 30, 4, 2 + 30]
    assert scored([3, 2, 9], [3, 2, 4], ["declare", "declare"])["last"]["gain"] == [43, 42, 14]


def test_nn_45_nn_46_example_8_no_bonus() -> None:
    referee = Referee(3, 0, {"match": "games"})
    referee.game_points, referee.scores = [95, 40, 57], [95, 40, 57]
    finish(referee, [2, 4, 3], [3, 3, 3], [None] * 3)
    assert referee.report()["scores"] == [98, 43, 90]
    assert referee.report()["game_points"] == [98, 43, 90]
    referee.game_points, referee.scores = [98, 43, 80], [98, 43, 80]
    finish(referee, [5, 2, 1], [4, 4, 1], [None] * 3)
    report = referee.report()
    assert (report["scores"], report["bonuses"]) == ([102, 47, 80 + 31 + 100], [0, 0, 1])
    assert (report["game_no"], report["game_points"], report["done"]) == (2, [0, 0, 0], False)
    play(referee, deal_text(referee))
    assert referee.report()["trump"] is None  # NN-46


def test_nn_47_the_match_ends_with_the_last_bonus() -> None:
    referee = Referee(3, 0, {"match": "games", "bonuses": 1})
    referee.game_points, referee.scores = [90, 0, 0], [90, 500, 0]
    finish(referee, [2, 4, 3], [2, 3, 4], [None] * 3)
    report = referee.report()
    assert (report["done"], report["winners"], report["dealer"]) == (True, [1], 0)
    assert (report["game_no"], report["game_points"], report["bonuses"]) == (1, [122, 3, 4], [1, 0, 0])


def test_nn_41_nn_42_example_9_level_at_the_top() -> None:
    referee = Referee(3, 0, {})
    referee.scores = [201, 200, 157]
    finish(referee, [4, 0, 5], [3, 4, 4], [None] * 3)
    assert (referee.scores, referee.phase) == ([204, 204, 161], "deal")
    finish(referee, [4, 0, 5], [3, 4, 2], [None] * 3)
    report = referee.report()
    assert (report["winners"], report["scores"], report["done"]) == ([1], [207, 208, 163], True)
    assert refuse(referee, "0 pass") == "NN-52"


def test_nn_16_options_premiums_and_trump_turn_up() -> None:
    referee = Referee(3, 0, {"premiums": "no", "trump": "turn-up"})
    cards = [card for card in pack(SHORT) if card != "Qh"]
    cards.insert(0, "*")
    play(referee, " ".join(["deal", *cards, "Qh"]))
    assert (referee.report()["upcard"], referee.report()["trump"]) == ("Qh", "h")
    assert "*" in referee.report()["hands"][1]
    assert referee.legal(1)[-1].endswith(" *")
    play(referee, f"0 {referee.legal(0)[0]}", f"1 {referee.legal(1)[0]}", f"2 {referee.legal(2)[0]}")
    report = referee.report()
    assert (report["phase"], report["offers"], report["premium"]) == ("play", [None] * 3, [None] * 3)
    play(referee, "1 *")
    hearts = [card for card in referee.hands[2] if card[1] == "h"]
    assert sorted(referee.legal(2)) == sorted(hearts or referee.hands[2])
    for upcard in ("9d", "*"):
        referee = Referee(3, 0, {"trump": "turn-up"})
        play(referee, " ".join(["deal", *[card for card in [*pack(SHORT), "*"] if card != upcard], upcard]))
        assert (referee.report()["upcard"], referee.report()["trump"]) == (upcard, None)


def test_nn_52_refused_events() -> None:
    referee = Referee(3, 0, {})
    for text in ["", "nonsense", "0 pass", "draw As", "reshuffle", "1 Ks"]:
        assert refuse(referee, text) == "NN-52"
    for wrong in [pack(SHORT)[1:], pack(), [*pack(SHORT), "*"], [*pack(SHORT)[1:], "Kh"], []]:
        assert refuse(referee, " ".join(["deal", *wrong])) == "NN-6"
    referee = dealt(3, 0, ["Ah Ac Ad 6h", "As Kd 8s", "Ks 9s 6c 6s"])
    for text in ["deal", "3 bid As Kd 8s", "01 bid As Kd 8s", "1 pass", "1 As", "1 fold", "1"]:
        assert refuse(referee, text) == "NN-52"
    for text in ["2 bid 6c Ks 9s", "2 bid Ks 9s", "2 bid Ks Ks 6c", "2 bid Ks 9s Ah", "2 bid Ks 9s 6s 6c", "2 bid"]:
        assert refuse(referee, text) == "NN-11"
    play(referee, "2 bid K♠ 9S 6c", "0 bid Ah Ad Ac")
    assert referee.report()["bids"] == [["Ah", "Ad", "Ac"], None, ["Ks", "9s", "6c"]]
    assert refuse(referee, "2 bid Ks 9s 6c") == "NN-52"
    play(referee, f"1 {next(bid for bid in referee.legal(1) if 'As' not in bid)}")
    for text in ["1 As", "2 pass", "1 pass pass", "1 bid As Kd 8s"]:
        assert refuse(referee, text) == "NN-52"
    play(referee, "1 declare", "2 pass", "0 pass")
    for text in ["2 6s", "1 pass", "1 As Kd", "1 dummy As", "1 xx"]:
        assert refuse(referee, text) == "NN-52"
    assert refuse(referee, "1 6s") == "NN-24"
    play(referee, "1 As")
    other = next(card for card in referee.hands[2] if card[1] != "s")
    assert refuse(referee, f"2 {other}") == "NN-25"
    assert refuse(referee, "2 Ks") == "NN-24"


@pytest.mark.parametrize(
    ("players", "dealer", "options", "clause"),
    [
        (1, 0, {}, "NN-1"),
        (5, 0, {}, "NN-1"),
        ("3", 0, {}, "NN-1"),
        (3, 3, {}, "NN-7"),
        (3, True, {}, "NN-7"),
        (3, 0, {"colour": "red"}, "NN-52"),
        (3, 0, {"match": "game"}, "NN-44"),
        (3, 0, {"target": 49}, "NN-41"),
        (3, 0, {"target": "200"}, "NN-41"),
        (3, 0, {"bonuses": True}, "NN-47"),
        (3, 0, {"trump": None}, "NN-8"),
        (3, 0, {"premiums": True}, "NN-16"),
        (3, 0, {"show": "none"}, "NN-35"),
    ],
)
def test_refused_headers(players: int, dealer: int, options: dict[str, object], clause: str) -> None:
    with pytest.raises(Refused) as caught:
        Referee(players, dealer, options)
    assert caught.value.clause == clause


@pytest.mark.parametrize("seed", range(9))
def test_nn_43_random_matches_end(seed: int) -> None:
    rng = Random(seed)
    options: dict[str, object] = {name: rng.choice(values) for name, values in TEXT_OPTIONS.items()}
    options |= {"target": rng.choice([50, 200]), "bonuses": rng.choice([1, 2])}
    players = 2 + seed % 3
    referee = Referee(players, rng.randrange(players), options)
    while not referee.report()["done"]:
        cards = referee.chance()
        if cards is not None:
            rng.shuffle(cards)
            referee.event(" ".join(["deal", *cards]))
            continue
        seat = rng.choice(referee.to_act())
        referee.event(f"{seat} {rng.choice(referee.legal(seat))}")
        if referee.phase in ("deal", "done"):
            assert referee.last is not None
            assert sum(referee.last["tricks"]) == (10 if players == 4 else 9)
            assert players == 2 or max(referee.last["gain"]) <= {3: 99, 4: 100}[players]  # NN-34
    assert referee.report()["winners"]
