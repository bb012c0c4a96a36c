"""Cases of Sixty-Six that the random matches of `test_referees.py` do not reach, against the slow referee."""

import pytest
from games.sixty_six.referee import RANKS, Referee
from referee_base import Refused, pack


def fresh(**options: object) -> Referee:
    """Dealer 0, so that seat 1 leads first."""
    return Referee(2, 0, dict(options))


def deal_text(nondealer: str, dealer: str, upcard: str, stock: str = "") -> str:
    """A deal in which the nondealer and the dealer get these six cards; the stock begins with the cards given."""
    one, two, top = nondealer.split(), dealer.split(), stock.split()
    used = [*one, *two, upcard, *top]
    rest = [card for card in pack(RANKS) if card not in used]
    return "deal " + " ".join([*one[:3], *two[:3], *one[3:], *two[3:], upcard, *top, *rest])


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


def place(hand_0: str, hand_1: str, leader: int, points: list[int], tricks: list[int], upcard: str | None) -> Referee:
    """A position in the middle of a deal with trumps hearts, dealer 0."""
    referee = fresh()
    referee.event("deal " + " ".join(pack(RANKS)))
    return put(referee, hand_0, hand_1, leader, points, tricks, upcard)


def put(
    referee: Referee, hand_0: str, hand_1: str, leader: int, points: list[int], tricks: list[int], upcard: str | None
) -> Referee:
    referee.hands = [hand_0.split(), hand_1.split()]
    referee.leader = leader
    referee.points = list(points)
    referee.tricks = list(tricks)
    referee.trump = "h"
    referee.upcard = upcard
    referee.stock = [] if upcard is None else ["9c"]
    return referee


def last(referee: Referee) -> tuple[object, object, object]:
    result = referee.report()["last"]
    assert isinstance(result, dict)
    return result["how"], result["winner"], result["vp"]


PENDING = deal_text("Kh Qh As 9d 9c Jc", "Ah 9s Td Kd Qd Jd", "Jh", "Ks Js")


@pytest.mark.parametrize(
    ("points", "tricks", "result"),
    [
        ([70, 33], [3, 2], ("plain", 0, 1)),
        ([70, 32], [3, 2], ("schneider", 0, 2)),
        ([70, 0], [3, 1], ("schneider", 0, 2)),
        ([70, 0], [4, 0], ("schwarz", 0, 3)),
    ],
)
def test_ss_34_example_6_victory_points(points: list[int], tricks: list[int], result: tuple[object, ...]) -> None:
    referee = place("Kd Qd 9s", "As Ts Jd", 0, points, tricks, "Jh")
    referee.pending = [0, 40] if tricks[1] == 0 else [0, 0]
    play(referee, "0 declare")
    assert last(referee) == result


def test_ss_39_the_other_player_declares() -> None:
    referee = place("9s Qd", "As Jd", 0, [45, 60], [2, 1], "Jh")
    play(referee, "0 close", "0 9s", "1 As", "1 declare")
    assert last(referee) == ("bad-close", 1, 2)


def finish_level(referee: Referee, points: list[int]) -> None:
    """Plays one trick of no worth besides the last trick's 10, which seat 0 wins."""
    put(referee, "9h", "9s", 0, [points[0] - 10, points[1]], [6, 5], None)
    play(referee, "0 9h", "1 9s")
    assert referee.report()["points"] == points


@pytest.mark.parametrize(("carry", "waiting", "total"), [("add", 2, 4), ("one", 1, 3), ("none", 0, 2)])
def test_ss_37_ss_40_ss_41_example_9_void_and_extra(carry: str, waiting: int, total: int) -> None:
    referee = fresh(carry=carry)
    cards = "deal " + " ".join(pack(RANKS))
    play(referee, cards)
    finish_level(referee, [65, 65])
    assert last(referee) == ("void", None, 0)
    assert referee.report()["dealer"] == 1
    play(referee, cards)
    finish_level(referee, [80, 70])
    assert last(referee) == ("void", None, 0)
    assert referee.report()["carry"] == waiting
    play(referee, cards)
    put(referee, "Kd Qd 9s", "As Ts Jd", 0, [64, 20], [4, 1], None)
    play(referee, "0 declare")
    assert last(referee) == ("bad-declare", 1, total)
    assert (referee.report()["carry"], referee.report()["scores"]) == (0, [0, total])


def test_ss_35_example_10_both_have_66() -> None:
    for both, result, waiting in [("void", ("void", None, 0), 1), ("declarer", ("plain", 0, 1), 0)]:
        referee = fresh(both=both)
        referee.event("deal " + " ".join(pack(RANKS)))
        put(referee, "Ks Qs As", "Js Jd Jc", 1, [40, 71], [2, 6], None)
        play(referee, "1 Js", "0 As", "0 meld Ks Qs", "0 declare")
        assert referee.report()["points"] == [73, 71]
        assert last(referee) == result
        assert referee.report()["carry"] == waiting


def test_ss_43_and_ss_44_the_end_of_the_match() -> None:
    referee = fresh(target=3)
    play(referee, PENDING, "1 declare")
    report = referee.report()
    assert (report["done"], report["phase"], report["winners"], report["dealer"]) == (True, "done", [0], 0)
    assert (report["to_act"], report["legal"], report["awaiting"], report["leader"]) == ([], {}, None, None)
    assert refuse(referee, PENDING) == "SS-48"
    assert refuse(referee, "0 Ah") == "SS-48"
    referee = fresh()
    for _ in range(100):
        assert not referee.report()["done"]
        play(referee, PENDING)
        finish_level(referee, [65, 65])
    report = referee.report()
    assert (report["done"], report["winners"], report["deal"], report["carry"]) == (True, [0, 1], 100, 100)
