"""Tests of Plain Tricks: every clause of its page is named by a test, and all laws of card games hold."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from upcard import IllegalMove, Match, Setup, UpcardError, games
from upcard.laws import LAWS, Law

[GAME] = games.load_file(Path(__file__).parents[1]).values()
DEAL = (
    "deal Kh Qh 2d Ah 4h 3h 9d 7h As Ks Kd 5d 9c 8d Tc 6d Jd Td Jc Qc 3d 5c 4c Kc 7c 6c 3s 2s 2c 9s 8s Js 7s 3c 8c "
    "Ac 4d 7d Qd Ad 2h 5h 6h 8h 9h Th Jh 4s 5s 6s Ts Qs"
)
"""Seat 0 deals to four players; the upcard is 7s."""


def dealt(**options: object) -> Match[Any]:
    """A match in its first deal."""
    match = Match(GAME, 4, dealer=0, options=options)
    match.event(DEAL)
    return match


def test_the_pack_has_the_cards_for_all_hands() -> None:  # PT-4, PT-5
    small = GAME.variant("small", numbers={"pack": "AKQJT9"})
    with pytest.raises(UpcardError, match=r"3 players × 8 cards \+ the upcard are 25, the pack has 24 \(PT-5\)"):
        Setup(small, 3)
    assert Setup(small, 3, {"trumps": "none"})


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_the_laws_hold(law: Law) -> None:
    assert law.verdict(GAME).broken is None


@pytest.mark.clause("PT-1", "PT-2", "PT-16")
def test_players_and_pack() -> None:
    assert GAME.player_counts == (2, 3, 4, 5)
    with pytest.raises(IllegalMove, match="PT-16"):
        Match(GAME, 4).event("deal As Ks")


@pytest.mark.clause("PT-4", "PT-5", "PT-6")
def test_the_deal() -> None:
    match = dealt()
    assert match.view(1).text().startswith("0: ·· ·· ·· ·· ·· ·· ·· ··")
    assert match.legal(1) == ["2c", "7c", "9c", "3d", "Jd", "4h", "Kh", "As"]
    assert match.report()["trump"] == "s"
    assert dealt(trumps="none").report()["trump"] is None


@pytest.mark.clause("PT-7", "PT-8")
def test_following_suit() -> None:
    """Seat 1 leads a heart, and seat 2, which has hearts, must play one."""
    match = dealt()
    assert match.to_act == [1]
    match.play(1, "Kh")
    assert match.legal(2) == ["3h", "Qh"]
    with pytest.raises(IllegalMove, match="PT-7"):
        match.play(3, "2d")
    with pytest.raises(IllegalMove, match="PT-4"):
        match.play(2, "As")


@pytest.mark.clause("PT-3", "PT-9", "PT-10", "PT-11", "PT-12", "PT-13", "PT-14", "PT-15")
def test_a_match() -> None:
    """A deal is worth one point for each trick, and two more."""
    match, rng = Match(GAME, 4, dealer=2, options={"deals": 2}), Random(1)
    while not match.done:
        if match.awaiting:
            match.event(match.draw_lots(rng))
        else:
            match.play(match.to_act[0], rng.choice(match.legal(match.to_act[0])))
    report = match.report()
    assert sum(report["last"]) == 8 + 2
    assert sum(report["scores"]) == 2 * (8 + 2)
    assert report["winners"] == [seat for seat in range(4) if report["scores"][seat] == max(report["scores"])]
    with pytest.raises(IllegalMove, match="PT-15"):
        match.event(DEAL)


@pytest.mark.clause("PT-17", "PT-18")
def test_invalid_events_and_options() -> None:
    with pytest.raises(IllegalMove, match="PT-17"):
        dealt().play(1, "bid 3")
    with pytest.raises(ValueError, match="PT-18"):
        Match(GAME, 4, options={"deals": 99})
