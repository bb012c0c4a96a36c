"""The worked examples of five-card Loo, its refusals and random matches, against the slow referee."""

from random import Random

import pytest
from games.loo.referee import SWITCHES, TEXT_OPTIONS, Referee
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


def deal(referee: Referee, hands: list[str], upcard: str) -> None:
    """The next deal, in which the seats hold at least these cards."""
    piles = [hand.split() for hand in hands]
    piles += [[] for _ in range(referee.players - len(piles))]
    rest = [card for card in reversed(pack()) if card not in [upcard, "Jc"] and all(card not in pile for pile in piles)]
    cards = []
    for place in range(5):
        for step in range(referee.players):
            pile = piles[(referee.dealer + 1 + step) % referee.players]
            cards.append(pile[place] if place < len(pile) else rest.pop(0))
    rest += [card for card in ["Jc"] if card not in [upcard, *cards]]
    play(referee, " ".join(["deal", *cards, upcard, *rest]))


def in_seats(referee: Referee, seats: list[int]) -> None:
    """These seats are in, the others pass."""
    while referee.phase == "declare":
        (seat,) = referee.to_act()
        play(referee, f"{seat} {'play' if seat in seats else 'pass'}")


def answer(referee: Referee, word: str) -> None:
    """Everybody says this in the phase that is on."""
    phase = referee.phase
    while referee.phase == phase:
        play(referee, f"{referee.to_act()[0]} {word}")


def playing(hands: list[str], trump: str, trick: list[str], leader: int = 0, **options: object) -> Referee:
    """The play, with this much of a trick lying there; the first hands are those of seats 0, 1, …, all in."""
    referee = Referee(5, 4, options)
    deal(referee, [], "2c")
    in_seats(referee, [0, 1, 2, 3, 4])
    answer(referee, "no")
    answer(referee, "keep")
    answer(referee, "no")
    referee.trump = trump
    referee.hands = [hand.split() for hand in hands] + [[] for _ in range(5 - len(hands))]
    referee.leader = leader
    referee.trick = [((leader + place) % 5, card) for place, card in enumerate(trick)]
    return referee


def test_lo_3_lo_28_lo_30_example_1_pam_is_no_club() -> None:
    referee = playing(["", "Jc 4c Ks 2h 3h"], "h", ["9c"])
    assert referee.legal(1) == ["4c"]
    assert refuse(referee, "1 Jc") == "LO-28"
    referee = playing(["", "Jc Ks 2h 3h"], "h", ["9c"])
    assert sorted(referee.legal(1)) == ["2h", "3h", "Jc"]
    assert refuse(referee, "1 Ks") == "LO-30"


def test_lo_31_lo_33_lo_34_example_2_civil_or_not() -> None:
    for hand, called, card in [
        ("Jc 7s 5d", True, "7s"),
        ("Jc 7s 5d", False, "Jc"),
        ("Jc 7d 5d", True, "Jc"),
        ("Jc 7d 5d", False, "Jc"),
    ]:
        referee = playing(["", "", "As 2d", hand, "2s 3d"], "s", [], 2)
        assert sorted(referee.legal(2)) == ["2d", "As", "civil As"]
        assert refuse(referee, "2 civil 2d") == "LO-33"
        play(referee, "2 civil As" if called else "2 As")
        assert (referee.report()["civil"], referee.report()["trick"]) == (called, [[2, "As"]])
        assert referee.legal(3) == [card]
        if hand == "Jc 7s 5d":
            assert refuse(referee, "3 Jc" if called else "3 7s") == ("LO-33" if called else "LO-31")
    referee = playing(["As 2d"], "s", [], civil=False)
    assert sorted(referee.legal(0)) == ["2d", "As"]
    assert refuse(referee, "0 civil As") == "LO-49"


@pytest.mark.parametrize(
    ("trick", "hand", "cards", "clause"),
    [
        ("8d Jd", "Qd Td 3d", "Qd", "LO-29"),
        ("8d Jd", "Td 3d", "Td 3d", ""),
        ("8d 2h", "Qd Td 3d", "Qd Td 3d", ""),
        ("8d Jd", "Qd Td 3h", "Qd", "LO-29"),
        ("Kd 9h", "Qh 4h As", "Qh", "LO-31"),
        ("Kd 9h", "6h 4h", "6h 4h", ""),
        ("Kh 9h", "Qh As", "Qh", "LO-28"),
        ("Kh 9h", "Ah Qh", "Ah", "LO-31"),
        ("Kd 9d", "As Ks", "As Ks", ""),
    ],
)
def test_lo_29_to_lo_32_examples_3_and_4(trick: str, hand: str, cards: str, clause: str) -> None:
    referee = playing(["", "", hand], "h", trick.split())
    assert sorted(referee.legal(2)) == sorted(cards.split())
    forbidden = [card for card in hand.split() if card not in cards.split()]
    for card in forbidden[:1]:
        assert refuse(referee, f"2 {card}") == clause
    referee = playing(["", "", hand], "h", trick.split(), head=False)
    led = [card for card in hand.split() if card[1] == trick[1]]
    assert referee.legal(2) == (led or [card for card in hand.split() if card[1] == "h"] or hand.split())


def test_lo_14_lo_18_to_lo_21_example_5_which_flush() -> None:
    for flush_pays, paid in (("in", [5, 0, 0, 0, 5]), ("all", [5, 0, 5, 0, 5])):
        referee = Referee(5, 4, {"flush_pays": flush_pays})
        deal(referee, ["2s 2h 4s 4h 4d", "Kc Qc 9c 4c 3c", "", "Jc 8d 5d 3d 2d"], "5c")
        in_seats(referee, [0, 1, 3, 4])
        assert (referee.report()["in"], referee.report()["discard"], referee.report()["stock"]) == ([0, 1, 3, 4], 5, 26)
        assert refuse(referee, "0 flush") == "LO-14"
        play(referee, "0 no", "1 flush", "3 flush", "4 no")
        report = referee.report()
        assert report["last"] == {
            "deal": 1,
            "dealer": 4,
            "pot": 5,
            "tricks": [0, 0, 0, 5, 0],
            "won": [0, 0, 0, 5, 0],
            "paid": paid,
            "flush": 3,
        }
        assert (report["pot"], report["dealer"], report["phase"]) == (sum(paid), 0, "deal")
        assert report["scores"] == [-paid[0], 0, -paid[2], 5, -10]
        assert (report["hands"], report["trump"], report["upcard"], report["in"]) == ([[]] * 5, None, None, [*range(5)])


def test_lo_19_example_6_equal_flushes() -> None:
    referee = Referee(5, 0, {})
    deal(referee, ["", "", "As Ts 8s 5s 2s", "", "Ad Td 8d 5d 2d"], "2h")
    in_seats(referee, [2, 4, 0])
    play(referee, "2 flush", "4 flush", "0 no")
    assert referee.last is not None
    assert (referee.last["flush"], referee.last["paid"]) == (2, [5, 0, 0, 0, 0])


def test_lo_14_kinds_of_flush() -> None:
    referee = Referee(5, 4, {})
    deal(referee, ["Jc As Qs 2s 3s", "Ah Kh Qh Jh 2h", "Ad Kd Qd Jd 9d", "Ac Kc Qc 9c 2c"], "3h")
    assert [referee.flush_rank(seat)[0] for seat in (0, 1, 2, 3)] == [2, 1, 0, 0]
    referee = Referee(5, 4, {})
    deal(referee, ["Jc Ac Kc Qc 2c"], "3c")
    assert referee.flush_rank(0) == (2, [0, -1, -2, -12])


def test_lo_36_to_lo_40_example_7_a_pot_of_fifteen() -> None:
    referee = Referee(5, 4, {})
    referee.pot = 10
    referee.scores = [-10, 0, 0, 0, 0]
    deal(referee, ["", "Ah Kh Qh As Ks", "", "2c 3c 4c Ad Kd", "2s 3s 4s 5s 6s"], "5h")
    assert (referee.report()["pot"], referee.report()["scores"]) == (15, [-10, 0, 0, 0, -5])
    in_seats(referee, [1, 3, 4])
    answer(referee, "no")
    answer(referee, "keep")
    answer(referee, "no")
    assert (referee.report()["leader"], referee.report()["phase"]) == (1, "play")
    referee.hands = [
        [],
        ["Ah", "Kh", "Qh", "2d", "3d"],
        [],
        ["2c", "3c", "4c", "Ad", "Kd"],
        ["2s", "3s", "4s", "5s", "6s"],
    ]
    for lead, card in (("Ah", "2c"), ("Kh", "3c"), ("Qh", "4c"), ("3d", "Kd")):
        play(referee, f"1 {lead}", f"3 {card}", f"4 {referee.hands[4][0]}")
    assert (referee.report()["tricks"], referee.report()["points"]) == ([0, 3, 0, 1, 0], [0, 9, 0, 3, 0])
    play(referee, "3 Ad", "4 6s", "1 2d")
    report = referee.report()
    assert (report["last"]["won"], report["last"]["paid"]) == ([0, 9, 0, 6, 0], [0, 0, 0, 0, 5])
    assert (report["scores"], report["pot"]) == ([-10, 9, 0, 6, -10], 5)
    deal(referee, [], "2c")
    assert referee.report()["pot"] == 10


def test_lo_9_lo_24_lo_25_example_8_ten_players() -> None:
    referee = Referee(10, 9, {})
    deal(referee, [], "2c")
    assert (referee.report()["stock"], referee.report()["discard"]) == (1, 0)
    in_seats(referee, [2, 3, 5, 9])
    answer(referee, "no")
    report = referee.report()
    assert (report["phase"], report["to_act"], report["discard"]) == ("exchange", [2], 30)
    assert len(report["legal"]["2"]) == 32
    hand = [card for card in pack() if card in referee.hands[2]]
    play(referee, "2 discard " + " ".join(hand[:3]))
    report = referee.report()
    assert (report["awaiting"], report["to_act"], report["stock"], report["discard"]) == ("reshuffle", [], 0, 30)
    assert len(report["hands"][2]) == 3
    dead = referee.chance() or []
    assert refuse(referee, " ".join(["reshuffle", *dead, hand[0]])) == "LO-24"
    assert refuse(referee, "2 keep") == refuse(referee, "deal") == "LO-49"
    play(referee, " ".join(["reshuffle", *dead]))
    report = referee.report()
    assert (report["stock"], report["discard"], report["to_act"]) == (28, 3, [3])
    assert set(report["hands"][2]) >= {*hand[3:], dead[0], dead[1]}


def test_lo_25_too_many_discards() -> None:
    referee = Referee(10, 9, {})
    deal(referee, [], "2c")
    in_seats(referee, list(range(10)))
    answer(referee, "no")
    hand = [card for card in pack() if card in referee.hands[0]]
    assert len(referee.legal(0)) == 6
    assert refuse(referee, "0 discard " + " ".join(hand[:2])) == "LO-25"
    referee = Referee(10, 9, {"stock": "limit"})
    deal(referee, [], "2c")
    in_seats(referee, [0, 1])
    answer(referee, "no")
    play(referee, f"0 {referee.legal(0)[1]}")
    assert referee.legal(1) == ["keep"]


def test_lo_41_to_lo_43_example_9_the_end() -> None:
    for looed_to in (12, 13, 18):
        referee = Referee(6, 0, {})
        while referee.phase != "done":
            deal(referee, ["2d 3d 4d 5d 6d", "2s 3s 4s 5s 6s"] if referee.deals + 1 < looed_to else [], "2c")
            if referee.deals < looed_to or looed_to == 18:
                in_seats(referee, [2, 3])
                referee.tricks = [0, 0, 0, 4, 0, 0]
                referee.phase, referee.leader = "play", 3
                referee.hands[2], referee.hands[3] = ["2d"], ["Ad"]
                play(referee, "3 Ad", "2 2d")
            else:
                in_seats(referee, [3])
            assert referee.last is not None
        report = referee.report()
        assert (report["deal"], report["pot"], sum(report["scores"])) == (looed_to, 0, 0)
        assert (report["last"]["paid"], report["dealer"]) == ([0] * 6, (looed_to - 1) % 6)
        assert (report["to_act"], report["awaiting"]) == ([], None)
        assert refuse(referee, "0 play") == "LO-49"


def test_lo_12_lo_13_the_last_one_in() -> None:
    referee = Referee(5, 0, {})
    deal(referee, [], "2c")
    in_seats(referee, [])
    assert referee.last is not None
    assert (referee.last["won"], referee.last["tricks"], referee.deals) == ([5, 0, 0, 0, 0], [0] * 5, 1)
    deal(referee, [], "2c")
    in_seats(referee, [3])
    assert (referee.last["won"], referee.report()["scores"]) == ([0, 0, 0, 5, 0], [0, -5, 0, 5, 0])


def test_lo_10_lo_26_options_club_law_and_ace_lead() -> None:
    referee = Referee(5, 0, {"club_law": True, "ace_lead": True})
    deal(referee, ["", "Ac Kd"], "Jc")
    assert (referee.report()["phase"], referee.report()["in"]) == ("early", [0, 1, 2, 3, 4])
    answer(referee, "no")
    answer(referee, "keep")
    answer(referee, "no")
    assert sorted(referee.legal(1)) == ["Ac", "civil Ac"]
    assert refuse(referee, "1 Kd") == "LO-26"
    assert refuse(referee, "1 civil Kd") == "LO-33"


def test_lo_49_refused_events() -> None:
    referee = Referee(5, 0, {})
    for text in ["", "nonsense", "0 play", "draw As", "reshuffle"]:
        assert refuse(referee, text) == "LO-49"
    for wrong in [pack()[1:], [*pack(), "As"], [*pack()[1:], "Kh"], []]:
        assert refuse(referee, " ".join(["deal", *wrong])) == "LO-2"
    deal(referee, ["", "Jc As"], "2c")
    for text in ["deal", "2 play", "01 play", "1 flush", "1 no", "1 As", "1 play play", "1"]:
        assert refuse(referee, text) == "LO-49"
    in_seats(referee, [0, 1])
    for text in ["1 keep", "1 play", "1 As", "0 no"]:
        assert refuse(referee, text) == "LO-49"
    assert refuse(referee, "1 flush") == "LO-14"
    answer(referee, "no")
    for text in ["1 discard Jc As", "1 discard As As", "1 discard Kd", "1 discard"]:
        assert refuse(referee, text) == "LO-22"
    for text in ["1 no", "1 keep As", "reshuffle"]:
        assert refuse(referee, text) == "LO-49"
    answer(referee, "keep")
    answer(referee, "no")
    for text in ["1 keep", "1 As Jc", "1 civil", "1 xx", "0 As"]:
        assert refuse(referee, text) == "LO-49"
    assert refuse(referee, "1 Kd") == refuse(referee, "1 civil Kd") == "LO-27"
    assert refuse(referee, "1 civil As") == "LO-33"
    play(referee, "1 a♠")
    assert referee.report()["trick"] == [[1, "As"]]


@pytest.mark.parametrize(
    ("players", "dealer", "options", "clause"),
    [
        (4, 0, {}, "LO-1"),
        (11, 0, {}, "LO-1"),
        ("6", 0, {}, "LO-1"),
        (6, 6, {}, "LO-5"),
        (6, True, {}, "LO-5"),
        (6, 0, {"colour": "red"}, "LO-49"),
        (6, 0, {"rounds": True}, "LO-41"),
        (6, 0, {"rounds": 11}, "LO-41"),
        (6, 0, {"penalty": "ten"}, "LO-21"),
        (6, 0, {"flush_pays": True}, "LO-11"),
        (6, 0, {"stock": None}, "LO-24"),
        (6, 0, {"head": 1}, "LO-29"),
        (6, 0, {"civil": "true"}, "LO-33"),
        (6, 0, {"club_law": 0}, "LO-10"),
        (6, 0, {"ace_lead": None}, "LO-26"),
    ],
)
def test_refused_headers(players: int, dealer: int, options: dict[str, object], clause: str) -> None:
    with pytest.raises(Refused) as caught:
        Referee(players, dealer, options)
    assert caught.value.clause == clause


@pytest.mark.parametrize("seed", range(12))
def test_lo_37_random_matches_end(seed: int) -> None:
    rng = Random(seed)
    options: dict[str, object] = {name: rng.choice(values) for name, values in TEXT_OPTIONS.items()}
    options |= {name: rng.choice([True, False]) for name in SWITCHES} | {"rounds": 1}
    players = 5 + seed % 6
    referee = Referee(players, rng.randrange(players), options)
    while not referee.report()["done"]:
        report = referee.report()
        assert sum(report["scores"]) + report["pot"] == 0
        assert report["pot"] % 5 == 0
        cards = referee.chance()
        if cards is not None:
            rng.shuffle(cards)
            referee.event(" ".join([referee.awaiting() or "", *cards]))
            continue
        if referee.phase != "play":
            held = sum(len(hand) for hand in referee.hands)
            assert held + report["stock"] + report["discard"] == 51
        (seat,) = referee.to_act()
        moves = referee.legal(seat)
        eager = [move for move in moves if move in ("play", "flush") or move.startswith("civil")]
        referee.event(f"{seat} {rng.choice(eager or moves) if rng.random() < 0.5 else rng.choice(moves)}")
    assert referee.report()["winners"]
    assert players <= referee.deals <= 2 * players
