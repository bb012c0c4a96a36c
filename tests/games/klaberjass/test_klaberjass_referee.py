"""Cases of Klaberjass that the random matches of `test_referees.py` do not reach, against the slow referee."""

from typing import Any

import pytest
from games.klaberjass.referee import NATURAL, Referee, sequences
from referee_base import pack, refuse

CARDS = pack(NATURAL)


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


def test_kj_35_example_2_same_height_both_plain() -> None:
    hands = ("Ks Qs Js 9s 8s 7s 7h 8d 7d", "Kc Qc Jc Ts 8c 9c Td Jd 8h")
    for equal, holder, meld in (("none", None, 0), ("nondealer", 1, 40)):
        referee = declaring(*hands, "Ah", equal=equal)
        play(referee, "1 twenty", "0 how high", "0 also")
        report = referee.report()
        assert (report["holder"], report["meld"]) == (holder, meld)
        points = play_out(referee)
        assert points["shown"] == ([] if holder is None else [["Ks", "Qs", "Js"], ["9s", "8s", "7s"]])


def test_kj_27_kj_28_several_sequences_in_order() -> None:
    assert ranked("Ac Kc Qc 9c 8c 7c Ts 9s 8s", "d") == ["Ac Kc Qc", "Ts 9s 8s", "9c 8c 7c"]
    assert ranked("Td 9d 8d Ts 9s 8s Th 9h 8h", "d") == ["Td 9d 8d", "Ts 9s 8s", "Th 9h 8h"]
    assert ranked("Ks Qs Js Ts 9h 8h 7h", "h") == ["Ks Qs Js Ts", "9h 8h 7h"]
    assert ranked("As Ks Qs Th 9h 8h 7h", "c") == ["Th 9h 8h 7h", "As Ks Qs"]
    assert ranked("As Ks Qs Js 9s 8s", "s") == ["As Ks Qs Js"]
    assert ranked("8s 7s As Ks", "s") == []


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
