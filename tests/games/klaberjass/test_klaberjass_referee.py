"""The worked examples of Klaberjass, its refusals and random matches, against the slow referee."""

from random import Random
from typing import Any

import pytest
from games.klaberjass.referee import BIDDING_WORDS, NATURAL, TALK, TEXT_OPTIONS, Referee, sequences
from referee_base import Refused, pack, refuse

CARDS = pack(NATURAL)
WORDS = [*BIDDING_WORDS, *TALK, "yes", "no", "dix", *CARDS, *[f"bela {card}" for card in CARDS]]


def deal_text(nondealer: str, dealer: str, upcard: str, bottom: str = "") -> str:
    """A deal that gives these hands of nine; the last three cards of each come after the bidding."""
    first, second = nondealer.split(), dealer.split()
    assert len(first) == len(second) == 9
    top = [*first[:3], *second[:3], *first[3:6], *second[3:6], upcard, *first[6:], *second[6:]]
    rest = [card for card in CARDS if card not in [*top, bottom]]
    return " ".join(["deal", *top, *rest, *bottom.split()])


def play(referee: Referee, *events: str) -> None:
    for text in events:
        referee.event(text)


def declaring(nondealer: str, dealer: str, upcard: str, **options: object) -> Referee:
    """Seat 0 deals, seat 1 accepts: the nondealer's declaration is next."""
    referee = Referee(2, 0, options)
    play(referee, deal_text(nondealer, dealer, upcard), "1 accept")
    return referee


def ranked(hand: str, trump: str) -> list[str]:
    """The sequences of a hand, best first."""
    return [" ".join(run) for run in sequences(hand.split(), trump)]


def only_legal(referee: Referee) -> list[str]:
    (moves,) = referee.report()["legal"].values()
    return sorted(moves)


def play_out(referee: Referee) -> dict[str, Any]:
    """The rest of the deal, everybody playing the first card that is legal, without calls."""
    while referee.phase == "play":
        seat = referee.to_act()[0]
        referee.event(f"{seat} {referee.playable(seat)[0]}")
    return referee.report()


# Nondealer first. No trump, no sequence beyond the one named, trump hearts by an upcard Ah.
NINE_HIGH = "9s 8s 7s Kh 8h Kc Tc As Ad"
QUEEN_HIGH = "Qd Jd Td 7h 9h 8c 7c Ks Qc"


def test_kj_9_to_kj_11_the_deal() -> None:
    referee = Referee(2, 0, {})
    report = referee.report()
    assert (report["deal"], report["awaiting"], report["hands"], report["round"]) == (0, "deal", [[], []], 0)
    assert (report["holder"], report["meld"], report["shown"], report["bela"]) == (None, 0, [], [0, 0])
    assert sorted(referee.chance() or []) == sorted(CARDS)
    play(referee, " ".join(["deal", *CARDS]))
    report = referee.report()
    assert report["hands"] == [CARDS[3:6] + CARDS[9:12], CARDS[0:3] + CARDS[6:9]]
    assert (report["upcard"], report["trump"], report["stock"], report["leader"]) == (CARDS[12], None, None, None)
    assert (report["to_act"], report["legal"]) == ([1], {"1": ["accept", "pass", "schmeiss"]})
    play(referee, "1 pass", "0 pass", "1 name s")
    report = referee.report()
    assert report["hands"][1][6:] == CARDS[13:16]
    assert report["hands"][0][6:] == CARDS[16:19]
    assert (report["trump"], report["maker"], report["round"], report["phase"]) == ("s", 1, 2, "declare")
    assert (report["upcard"], report["bottom"]) == (CARDS[12], None)


def test_kj_31_kj_33_kj_37_example_1_the_talk() -> None:
    referee = declaring(NINE_HIGH, QUEEN_HIGH, "Ah")
    assert only_legal(referee) == ["none", "twenty"]
    play(referee, "1 twenty")
    assert only_legal(referee) == ["dix", "good", "how high"]
    play(referee, "0 how high")
    assert only_legal(referee) == ["good", "not good"]
    assert refuse(referee, "0 dix") == "KJ-24"
    play(referee, "0 not good")
    report = referee.report()
    assert (report["holder"], report["meld"], report["shown"], report["phase"]) == (0, 20, [], "play")
    assert (report["leader"], report["to_act"]) == (1, [1])

    for words in (["0 good"], ["0 how high", "0 good"]):
        referee = declaring(NINE_HIGH, QUEEN_HIGH, "Ah")
        play(referee, "1 twenty", *words)
        assert referee.report()["holder"] == 1


def test_kj_34_example_2_same_height_one_in_trumps() -> None:
    referee = declaring("Kh Qh Jh 9s 8s 7s Tc 8d 7d", "Ks Qs Js 9c 8c 7c Td Jd 9d", "Ah")
    play(referee, "1 twenty", "0 how high")
    assert only_legal(referee) == ["also", "good"]
    play(referee, "0 also")
    report = referee.report()
    assert (report["holder"], report["meld"]) == (1, 40)  # with the twenty of spades


def test_kj_35_example_2_same_height_both_plain() -> None:
    hands = ("Ks Qs Js 9s 8s 7s 7h 8d 7d", "Kc Qc Jc Ts 8c 9c Td Jd 8h")
    for equal, holder, meld in (("none", None, 0), ("nondealer", 1, 40)):
        referee = declaring(*hands, "Ah", equal=equal)
        play(referee, "1 twenty", "0 how high", "0 also")
        report = referee.report()
        assert (report["holder"], report["meld"]) == (holder, meld)
        points = play_out(referee)
        assert points["shown"] == ([] if holder is None else [["Ks", "Qs", "Js"], ["9s", "8s", "7s"]])


def test_kj_39_kj_52_example_3_no_trick_no_points() -> None:
    # The dealer's hearts beat everything; the nondealer holds a fifty of spades and the bela.
    hands = ("Ts 9s 8s 7s Kh Qh 7d 8d 7c", "Jh 9h Ah Th Ac Tc Kc Qc Jc", "8h")
    for words, points in ((["Kh", "Qh"], 0), (["bela Kh", "bela Qh"], 20), (["bela Kh", "Qh"], 0)):
        referee = declaring(*hands)
        play(referee, "1 fifty", "0 good", "1 7d", "0 Jh")
        report = referee.report()
        assert (report["shown"], report["meld"], report["points"][1]) == ([["Ts", "9s", "8s", "7s"]], 50, 0)
        play(referee, "0 Ah")
        assert only_legal(referee) == ["Kh", "Qh", "bela Kh", "bela Qh"]
        play(referee, f"1 {words[0]}")
        assert referee.report()["bela"] == [0, 0]
        play(referee, "0 Th", f"1 {words[1]}")
        assert (referee.report()["points"][1], referee.report()["bela"]) == (points, [0, points])
        report = play_out(referee)
        assert (report["tricks"], report["points"][1]) == ([9, 0], points)
        assert report["last"]["how"] == "bate"
        assert report["scores"] == [sum(report["points"]), 0]


def test_kj_39_at_once_or_with_the_first_trick() -> None:
    referee = declaring("As Ks Qs 7d 8d 7c 8c Tc 8h", "Ts Js 9s Ah Th Kh 7h Jd Kd", "Qh")
    play(referee, "1 twenty", "0 good", "1 As", "0 9s")
    assert referee.report()["points"] == [0, 31]
    referee = declaring("As Ks Qs 7d 8d 7c 8c Tc 8h", "Ts Js 9s Ah Th Kh 7h Jd Kd", "Qh")
    play(referee, "1 twenty", "0 good", "1 7d", "0 Jd")
    assert (referee.report()["points"], referee.report()["shown"]) == ([2, 0], [["As", "Ks", "Qs"]])
    play(referee, "0 9s", "1 As")
    assert referee.report()["points"] == [2, 31]


def test_kj_5_kj_27_kj_28_example_4_natural_order() -> None:
    hand = "Ah Kh Qh Jh Th 9h 7s 8d 9c"
    assert ranked(hand, "h") == ["Ah Kh Qh Jh Th 9h"]
    referee = declaring(hand, "8h As Ks Ts Ad Kd Ac Kc Tc", "7h")
    play(referee, "1 fifty", "0 good", "1 bela Kh")
    assert refuse(referee, "0 bela 8h") == "KJ-49"
    play(referee, "0 8h", "1 bela Qh")
    assert (referee.report()["meld"], referee.report()["bela"]) == (50, [0, 20])
    assert referee.report()["points"][1] == 4 + 50 + 20


def test_kj_27_kj_28_several_sequences_in_order() -> None:
    assert ranked("Ac Kc Qc 9c 8c 7c Ts 9s 8s", "d") == ["Ac Kc Qc", "Ts 9s 8s", "9c 8c 7c"]
    assert ranked("Td 9d 8d Ts 9s 8s Th 9h 8h", "d") == ["Td 9d 8d", "Ts 9s 8s", "Th 9h 8h"]
    assert ranked("Ks Qs Js Ts 9h 8h 7h", "h") == ["Ks Qs Js Ts", "9h 8h 7h"]
    assert ranked("As Ks Qs Th 9h 8h 7h", "c") == ["Th 9h 8h 7h", "As Ks Qs"]
    assert ranked("As Ks Qs Js 9s 8s", "s") == ["As Ks Qs Js"]
    assert ranked("8s 7s As Ks", "s") == []


@pytest.mark.parametrize(
    ("lead", "hand", "cards", "clause"),
    [
        ("Ah", "9h Th 7h 8s", "9h", "KJ-42"),
        ("Jh", "9h Th 7h 8s", "9h Th 7h", "KJ-43"),
        ("Ks", "7h 8d 9d", "7h", "KJ-44"),
        ("Ks", "7h 8s As", "8s As", "KJ-43"),
        ("Ks", "8d 9d", "8d 9d", ""),
        ("Ah", "8d 9d", "8d 9d", ""),
    ],
)
def test_kj_42_to_kj_46_example_5_obligations(lead: str, hand: str, cards: str, clause: str) -> None:
    referee = declaring(NINE_HIGH, QUEEN_HIGH, "Ah")
    play(referee, "1 none", "0 none")
    referee.trick = [(1, lead)]
    referee.hands[0] = hand.split()
    assert referee.playable(0) == cards.split()
    for card in hand.split():
        if card not in cards.split():
            assert refuse(referee, f"0 {card}") == clause
            assert refuse(referee, f"0 bela {card}") == clause


def test_kj_23_to_kj_25_example_6_dix() -> None:
    referee = declaring("9s 8s 7s Tc 8h Kc Ac As Ad", "7h Qh Jd Td 9h 8c 7c Ks Qc", "Kh")
    assert refuse(referee, "1 dix") == "KJ-23"
    play(referee, "1 twenty")
    assert refuse(referee, "0 how high") == "KJ-31"
    play(referee, "0 dix")
    report = referee.report()
    assert (report["upcard"], report["to_act"]) == ("7h", [0])
    assert {"Kh", "Qh"} <= set(report["hands"][0])
    assert "7h" not in report["hands"][0]
    assert only_legal(referee) == ["good"]
    assert refuse(referee, "0 dix") == "KJ-23"
    play(referee, "0 good", "1 8h")
    assert "bela Kh" in only_legal(referee)

    referee = declaring("9s 8s 7s Tc 8h Kc Ac As Ad", "7h Qh Jd Td 9h 8c 7c Ks Qc", "Kh")
    play(referee, "1 twenty", "0 good")
    assert refuse(referee, "1 dix") == "KJ-23"
    play(referee, "1 8h")
    assert refuse(referee, "0 dix") == "KJ-24"

    referee = Referee(2, 0, {})
    play(referee, deal_text("9s 8s 7s Tc 8h Kc Ac As Ad", "7h Qh Jd Td 9h 8c 7c Ks Qc", "Kh"))
    play(referee, "1 pass", "0 pass", "1 name s")
    assert only_legal(referee) == ["none", "twenty"]
    assert refuse(referee, "1 dix") == "KJ-23"


def test_kj_19_kj_20_example_7_compelled() -> None:
    deal = deal_text(NINE_HIGH, QUEEN_HIGH, "Ah")
    referee = Referee(2, 0, {})
    play(referee, deal, "1 schmeiss")
    assert (referee.report()["phase"], referee.report()["legal"]) == ("answer", {"0": ["no", "yes"]})
    play(referee, "0 no")
    report = referee.report()
    assert (report["maker"], report["trump"], report["phase"], report["to_act"]) == (1, "h", "declare", [1])
    assert [len(hand) for hand in report["hands"]] == [9, 9]

    referee = Referee(2, 0, {})
    play(referee, deal, "1 pass", "0 pass", "1 pass", "0 schmeiss", "1 no")
    assert (referee.report()["phase"], referee.report()["to_act"]) == ("name", [0])
    assert only_legal(referee) == ["name c", "name d", "name s"]
    for word in ("pass", "schmeiss", "accept", "name h"):
        assert refuse(referee, f"0 {word}") == "KJ-20"
    play(referee, "0 name c")
    report = referee.report()
    assert (report["maker"], report["trump"], report["to_act"], report["round"]) == (0, "c", [1], 2)
    assert "dix" not in only_legal(referee)

    # A dix is open when the upcard's suit is trump after a refused schmeiss (KJ-23).
    referee = Referee(2, 0, {})
    play(referee, deal, "1 pass", "0 schmeiss", "1 no", "1 none")
    assert (referee.report()["maker"], "dix" in only_legal(referee)) == (0, True)


def test_kj_16_kj_18_thrown_in() -> None:
    for words in (["1 schmeiss", "0 yes"], ["1 pass", "0 pass", "1 pass", "0 pass"]):
        referee = Referee(2, 0, {})
        play(referee, deal_text(NINE_HIGH, QUEEN_HIGH, "Ah"), *words)
        report = referee.report()
        assert (report["awaiting"], report["dealer"], report["deal"], report["scores"]) == ("deal", 0, 1, [0, 0])
        assert report["last"] == {"how": "thrown", "hand": [0, 0], "added": [0, 0]}
        assert ([len(hand) for hand in report["hands"]], report["upcard"]) == ([6, 6], "Ah")
        assert (report["round"], report["maker"], report["trump"]) == (1 if len(words) == 2 else 2, None, None)


@pytest.mark.parametrize(
    ("maker", "points", "how", "added", "dealer"),
    [
        (0, [61, 58], "made", [61, 58], 0),
        (1, [58, 61], "made", [58, 61], 1),
        (0, [58, 58], "level", [0, 58], 1),
        (1, [67, 52], "bate", [119, 0], 0),
    ],
)
def test_kj_54_to_kj_57_example_8_counting(
    maker: int, points: list[int], how: str, added: list[int], dealer: int
) -> None:
    for choice in ("winner", "alternate"):
        for first in (0, 1):
            referee = Referee(2, first, {"deal": choice})
            referee.maker, referee.points = maker, points
            referee.finish_deal()
            assert referee.last == {"how": how, "hand": points, "added": added}
            assert (referee.scores, referee.phase) == (added, "deal")
            assert referee.dealer == (dealer if choice == "winner" else 1 - first)


@pytest.mark.parametrize(
    ("scores", "points", "winners", "after"),
    [
        ([470, 480], [66, 60], [1], [536, 540]),
        ([440, 430], [61, 60], [0], [501, 490]),
        ([439, 439], [61, 60], [], [500, 499]),
        ([480, 481], [61, 60], [], [541, 541]),
    ],
)
def test_kj_58_kj_59_example_9_the_end(
    scores: list[int], points: list[int], winners: list[int], after: list[int]
) -> None:
    referee = Referee(2, 1, {})
    referee.maker, referee.scores, referee.points = 0, scores, points
    referee.finish_deal()
    report = referee.report()
    assert (report["scores"], report["winners"], report["done"]) == (after, winners, winners != [])
    assert report["dealer"] == (1 if winners else 0)
    if winners:
        assert (report["awaiting"], report["to_act"], report["legal"]) == (None, [], {})
        assert refuse(referee, "nonsense") == "KJ-66"
        assert refuse(referee, " ".join(["deal", *CARDS])) == "KJ-66"


def test_kj_61_two_hundred_deals() -> None:
    referee = Referee(2, 0, {})
    for _ in range(200):
        play(referee, " ".join(["deal", *CARDS]), "1 schmeiss", "0 yes")
    report = referee.report()
    assert (report["done"], report["deal"], report["winners"], report["dealer"]) == (True, 200, [0, 1], 0)


def test_kj_49_to_kj_51_bela_calls() -> None:
    hands = ("Kh Qh 7d 8d 9s 8s 7c 8c Ts", "Ah Th Jh 9h As Ks Qs Ac Tc", "8h")
    referee = declaring(*hands)
    play(referee, "1 none", "0 none", "1 Kh", "0 Ah", "0 Th")
    assert only_legal(referee) == ["Qh"]
    assert refuse(referee, "1 bela Qh") == "KJ-50"
    referee = declaring(*hands, bela="auto")
    play(referee, "1 none", "0 none")
    assert not [move for move in only_legal(referee) if move.startswith("bela")]
    assert refuse(referee, "1 bela Kh") == "KJ-49"
    play(referee, "1 Kh", "0 Ah", "0 Th")
    assert refuse(referee, "1 bela Qh") == "KJ-50"
    play(referee, "1 Qh")
    assert (referee.report()["bela"], referee.report()["points"][1]) == ([0, 20], 20)


def test_kj_11_option_bottom() -> None:
    referee = Referee(2, 0, {"bottom": "shown"})
    play(referee, deal_text(NINE_HIGH, QUEEN_HIGH, "Ah", "Jc"))
    assert referee.report()["bottom"] is None
    play(referee, "1 accept")
    assert referee.report()["bottom"] == "Jc"


def test_kj_13_kj_15_option_schmeiss() -> None:
    referee = Referee(2, 0, {"schmeiss": "no"})
    play(referee, deal_text(NINE_HIGH, QUEEN_HIGH, "Ah"))
    assert only_legal(referee) == ["accept", "pass"]
    assert refuse(referee, "1 schmeiss") == "KJ-13"
    play(referee, "1 pass", "0 pass")
    assert only_legal(referee) == ["name c", "name d", "name s", "pass"]
    assert refuse(referee, "1 schmeiss") == "KJ-15"


def test_refused_events() -> None:
    referee = Referee(2, 0, {})
    for text in ["", "x", "0", "0 ", "1 accept", "01 accept", "reshuffle As", "draw As", "0 x"]:
        assert refuse(referee, text) == "KJ-66"
    for cards in [CARDS[1:], [*CARDS, "As"], [*CARDS[1:], CARDS[1]], [*CARDS[1:], "6s"], []]:
        assert refuse(referee, " ".join(["deal", *cards])) == "KJ-12"
    deal = deal_text(NINE_HIGH, QUEEN_HIGH, "Ah")
    play(referee, deal)
    for text in [deal, "deal", "draw As", "0 pass", "2 pass", "01 pass", "1 fold", "1 name", "1 name x", "1  pass"]:
        assert refuse(referee, text) == "KJ-66"
    for text in ["1 pass ", "1 Pass", "1 name S", "1 bela", "1 not", "1 9s 8s", "1 bela x", "1 bela bela Kh"]:
        assert refuse(referee, text) == "KJ-66"
    for word, clause in [
        ("name s", "KJ-13"),
        ("yes", "KJ-17"),
        ("dix", "KJ-23"),
        ("none", "KJ-29"),
        ("good", "KJ-31"),
        ("also", "KJ-33"),
        ("9s", "KJ-41"),
        ("2s", "KJ-41"),
        ("bela Kh", "KJ-41"),
    ]:
        assert refuse(referee, f"1 {word}") == clause
    play(referee, "1 pass")
    assert refuse(referee, "0 twenty") == "KJ-36"
    play(referee, "0 pass")
    for word in ("accept", "name h"):
        assert refuse(referee, f"1 {word}") == "KJ-15"
    play(referee, "1 schmeiss")
    for word in ("accept", "pass", "schmeiss", "name s"):
        assert refuse(referee, f"0 {word}") == "KJ-17"
    play(referee, "0 no")
    assert refuse(referee, "1 no") == "KJ-17"

    referee = declaring(NINE_HIGH, QUEEN_HIGH, "Ah")
    for word, clause in [("fifty", "KJ-29"), ("good", "KJ-31"), ("pass", "KJ-15"), ("9s", "KJ-41"), ("no", "KJ-17")]:
        assert refuse(referee, f"1 {word}") == clause
    play(referee, "1 none")
    for word, clause in [("fifty", "KJ-36"), ("good", "KJ-31"), ("also", "KJ-33")]:
        assert refuse(referee, f"0 {word}") == clause
    referee = declaring(NINE_HIGH, QUEEN_HIGH, "Ah")
    play(referee, "1 twenty")
    for word in ("none", "twenty", "not good", "also"):
        assert refuse(referee, f"0 {word}") == "KJ-31"
    play(referee, "0 how high")
    for word in ("none", "also", "how high"):
        assert refuse(referee, f"0 {word}") == "KJ-33"
    play(referee, "0 good")
    assert refuse(referee, "1 Qd") == "KJ-41"
    assert refuse(referee, "1 *") == "KJ-41"
    assert refuse(referee, "1 good") == "KJ-31"
    play(referee, "1 k♥")
    assert referee.report()["trick"] == [[1, "Kh"]]


@pytest.mark.parametrize(
    ("players", "dealer", "options", "clause"),
    [
        (3, 0, {}, "KJ-1"),
        ("2", 0, {}, "KJ-1"),
        (2, 2, {}, "KJ-8"),
        (2, True, {}, "KJ-8"),
        (2, 0, {"colour": "red"}, "KJ-66"),
        (2, 0, {"target": 50}, "KJ-58"),
        (2, 0, {"target": 2002}, "KJ-58"),
        (2, 0, {"target": "501"}, "KJ-58"),
        (2, 0, {"target": True}, "KJ-58"),
        (2, 0, {"schmeiss": True}, "KJ-13"),
        (2, 0, {"bela": "off"}, "KJ-49"),
        (2, 0, {"equal": "dealer"}, "KJ-35"),
        (2, 0, {"deal": None}, "KJ-57"),
        (2, 0, {"bottom": "open"}, "KJ-11"),
    ],
)
def test_refused_headers(players: int, dealer: int, options: dict[str, object], clause: str) -> None:
    with pytest.raises(Refused) as caught:
        Referee(players, dealer, options)
    assert caught.value.clause == clause


def check_state(referee: Referee, rng: Random) -> None:
    report = referee.report()
    known = [card for hand in report["hands"] for card in hand] + [card for _, card in report["trick"]]
    assert len(set(known)) == len(known)
    if report["phase"] == "play":
        assert len(known) + 2 * sum(report["tricks"]) == 18
        assert report["upcard"] not in known
    if report["to_act"]:
        (seat,) = report["to_act"]
        legal = report["legal"][str(seat)]
        assert legal
        assert len(set(legal)) == len(legal)
        if rng.random() < 0.1:
            for word in WORDS:
                if word not in legal:
                    refuse(referee, f"{seat} {word}")


@pytest.mark.parametrize("seed", range(15))
def test_kj_58_random_matches_end(seed: int) -> None:
    rng = Random(seed)
    options: dict[str, object] = {name: rng.choice(values) for name, values in TEXT_OPTIONS.items()}
    referee = Referee(2, rng.randrange(2), options | {"target": rng.choice([51, 200, 501])})
    while not referee.report()["done"]:
        check_state(referee, rng)
        cards = referee.chance()
        if cards is not None:
            rng.shuffle(cards)
            referee.event(" ".join(["deal", *cards]))
            continue
        (seat,) = referee.to_act()
        moves = referee.legal(seat)
        calls = [move for move in moves if move.startswith("bela")]
        referee.event(f"{seat} {rng.choice(calls or moves)}")
        report = referee.report()
        if report["last"] is not None and report["awaiting"] == "deal" and report["last"]["how"] != "thrown":
            assert (sum(report["tricks"]), report["hands"], report["trick"]) == (9, [[], []], [])
            assert report["last"]["hand"] == report["points"]
    report = referee.report()
    assert report["winners"] == [seat for seat in (0, 1) if report["scores"][seat] == max(report["scores"])]
