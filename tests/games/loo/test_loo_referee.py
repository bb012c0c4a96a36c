"""Cases of Loo that the random matches of `test_referees.py` do not reach, against the slow referee."""

import pytest
from games.loo.referee import Referee
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


def test_lo_14_kinds_of_flush() -> None:
    referee = Referee(5, 4, {})
    deal(referee, ["Jc As Qs 2s 3s", "Ah Kh Qh Jh 2h", "Ad Kd Qd Jd 9d", "Ac Kc Qc 9c 2c"], "3h")
    assert [referee.flush_rank(seat)[0] for seat in (0, 1, 2, 3)] == [2, 1, 0, 0]
    referee = Referee(5, 4, {})
    deal(referee, ["Jc Ac Kc Qc 2c"], "3c")
    assert referee.flush_rank(0) == (2, [0, -1, -2, -12])


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
