"""Cases of Rounds that the random matches of `test_referees.py` do not reach, against the slow referee."""

import pytest
from games.rounds.referee import Referee, Trick
from referee_base import pack, refuse


def game(dealer: int = 1, **options: object) -> Referee:
    return Referee(2, dealer, options)


def position(upcard: str, first: str, second: str, **options: object) -> Referee:
    """Round 1 with dealer 1, so that seat 0 leads; the hands may be short of nine cards and are then filled up."""
    hands = [first.split(), second.split()]
    spare = [card for card in pack() if card not in [upcard, *hands[0], *hands[1]]]
    for hand in hands:
        hand += [spare.pop() for _ in range(9 - len(hand))]
    return exact(upcard, hands, spare, **options)


def exact(upcard: str, hands: list[list[str]], spare: list[str], **options: object) -> Referee:
    referee = game(1, **options)
    cards = [card for pair in zip(hands[0], hands[1], strict=True) for card in pair]
    referee.event(" ".join(["deal", *cards, upcard, *spare]))
    return referee


def play(referee: Referee, *events: str) -> None:
    for text in events:
        referee.event(text)


def moves(referee: Referee, seat: int) -> set[str]:
    return set(referee.report()["legal"][str(seat)])


# The worked examples.


def last_trick(**options: object) -> Referee:
    """The fourth trick of round 5: seat 0 has two tricks, seat 1 one, and the pile holds the 2 of hearts."""
    referee = game(1, **options)
    referee.event(" ".join(["deal", *pack()]))
    referee.round = 5
    referee.stock = []
    referee.pile = ["3c", "4c", "2h", "5c"]
    referee.hands = [["7s"], ["8s"]]
    referee.history = [
        Trick(5, 0, "Ts", "9s", owner=0),
        Trick(5, 0, "Td", "9d", owner=0),
        Trick(5, 0, "Th", "6h", owner=1),
    ]
    referee.leader = 0
    return referee


def test_rd_37_ten_equal_extra_games_draw_the_match() -> None:
    referee = last_trick()
    referee.scores = [220, 200]
    referee.tie_break = True
    referee.extra_games = 8
    play(referee, "0 7s", "1 8s")
    assert (referee.phase, referee.scores, referee.extra_games) == ("deal", [220, 220], 9)
    tenth = last_trick()
    tenth.scores = [220, 200]
    tenth.tie_break = True
    tenth.extra_games = 9
    play(tenth, "0 7s", "1 8s")
    assert (tenth.phase, tenth.winners, tenth.winning_score) == ("done", [0, 1], 0)


def test_example_11_rd_47_bonus_ends_the_match() -> None:
    hands = ["2s 2d As Ks Qs 7s Ts 9s 8s".split(), "Ac Kc Qc Tc 9c 8c 7c 6c 5c".split()]
    spare = [card for card in pack() if card not in ["Jc", *hands[0], *hands[1]]]
    referee = game(0, revokes="allowed")
    cards = [card for pair in zip(hands[1], hands[0], strict=True) for card in pair]
    referee.event(" ".join(["deal", *cards, "Jc", *spare]))
    referee.scores = [160, 140]
    play(referee, "1 Ac", "0 2d", "1 call", "1 Kc")
    assert (referee.scores, referee.exposed) == ([185, 140], [False, True])
    play(referee, "0 2s", "1 call")
    report = referee.report()
    assert (report["scores"], report["winners"], report["winning_score"]) == ([210, 140], [0], 70)
    assert report["done"] and report["last"] is None and report["round"] == 1
    assert (report["tricks"], report["to_act"], report["legal"]) == ([0, 2], [], {})


# The closing step.


# Refusals.


@pytest.mark.parametrize("revokes", ["enforced", "allowed"])
def test_refused_moves(revokes: str) -> None:
    referee = position("Jc", "8h As", "Kh 2s", revokes=revokes)
    unreadable = ("0", "0 ", "0 fold", "0 *", "0 1h", "0 As Ks", "0 call As", "0 correct", "0 correct x", "0 Accept")
    for text in (*unreadable, "", "As", "x As", "reshuffle As", "0  As", "2 fold"):
        assert refuse(referee, text) == "RD-56"
    for text in ("1 Kh", "2 As", "1 call", "1 accept", "1 correct Kh"):
        assert refuse(referee, text) == "RD-57"
    assert refuse(referee, "0 call") == "RD-44"
    assert refuse(referee, "0 accept") == "RD-48"
    assert refuse(referee, "0 correct As") == "RD-41"
    assert refuse(referee, "0 Kh") == "RD-58"
    play(referee, "0 8♥")
    assert refuse(referee, "1 As") == "RD-58"
    if revokes == "enforced":
        assert refuse(referee, "1 2s") == "RD-18"
    else:
        assert moves(referee, 1) == set(referee.hands[1])
