"""Cases of Oh Hell that the random matches of `test_referees.py` do not reach, against the slow referee."""

import pytest
from games.oh_hell.referee import Referee
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


def test_oh_44_refused_events() -> None:
    referee = Referee(5, 0, {"order": "down"})
    for text in ["", "nonsense", "deal2", "0", "01 bid 1", "-1 bid 1", "² bid 1"]:
        assert refuse(referee, text) == "OH-41"
    for text in ["0 bid 1", "0 foo", "draw Kh", "reshuffle"]:
        assert refuse(referee, text) == "OH-38"
    for cards in [pack()[1:], [*pack(), "Kh"], [*pack()[1:], "Kh"], [*pack()[1:], "*"], []]:
        assert refuse(referee, " ".join(["deal", *cards])) == "OH-39"
    # Seat 1 gets As 9s 4s …, seat 2 Ks 8s …: every fifth card of the pack in order.
    play(referee, deal_text())
    for text in [deal_text(), "deal", "draw Kh", "reshuffle"]:
        assert refuse(referee, text) == "OH-38"
    for text in ["0 As", "0 bid", "0 bid 01", "0 bid -1", "0 bid +1", "0 bid x", "0 bid 1 2", "0 pass", "0 bid 1.0"]:
        assert refuse(referee, text) == "OH-41"
    assert refuse(referee, "0 bid 11") == "OH-12"
    assert refuse(referee, "0 bid " + "9" * 5000) == "OH-12"
    assert refuse(referee, "5 bid 1") == "OH-40"
    play(referee, "3 bid 10")
    assert refuse(referee, "3 foo") == "OH-14"
    play(referee, "0 bid 1", "1 bid 1", "2 bid 1", "4 bid 1")
    assert refuse(referee, deal_text()) == "OH-38"
    assert refuse(referee, "4 Kh") == "OH-40"
    assert refuse(referee, "3 bid 3") == "OH-41"
    assert refuse(referee, "3 As") == "OH-42"
    assert set(referee.report()["legal"]["3"]) == set(referee.hands[3])
    play(referee, "3 q♠")
    assert referee.report()["trick"] == [[3, "Qs"]]
    spades = {card for card in referee.hands[4] if card[1] == "s"}
    assert set(referee.report()["legal"]["4"]) == spades
    other = next(card for card in referee.hands[4] if card[1] != "s")
    assert refuse(referee, f"4 {other}") == "OH-20"
