"""The worked examples of Rounds and its refusals, against the slow referee."""

import copy
import random
from collections.abc import Callable

import pytest
from games.rounds.referee import Referee, Trick
from referee_base import Refused, pack, refuse


def game(dealer: int = 1, **options: object) -> Referee:
    return Referee(2, dealer, options)


def position(upcard: str, first: str, second: str, **options: object) -> Referee:
    """Round 1 with dealer 1, so that seat 0 leads; the hands may be short of nine cards and are then filled up."""
    hands = [first.split(), second.split()]
    spare = [card for card in pack() if card not in [upcard, *hands[0], *hands[1]]]
    for hand in hands:
        hand += [spare.pop() for _ in range(9 - len(hand))]
    return exact(upcard, hands, spare, **options)


def small(upcard: str, first: str, second: str, **options: object) -> Referee:
    """The same, but the hands hold just these cards."""
    referee = position(upcard, first, second, **options)
    referee.hands = [first.split(), second.split()]
    return referee


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


def random_game(referee: Referee, dice: random.Random) -> None:
    """One whole game, from its deal, by seats that never break a rule or ask for anything."""
    cards = pack()
    dice.shuffle(cards)
    referee.event(" ".join(["deal", *cards]))
    while referee.phase == "play":
        seat = referee.to_act()[0]
        referee.event(f"{seat} {dice.choice(referee.playable(seat))}")


def game_that_brings(before: Referee, points: list[int]) -> Referee:
    """The state after one more game in which the seats make these points."""
    for seed in range(5000):
        referee = copy.deepcopy(before)
        random_game(referee, random.Random(seed))
        assert referee.last is not None
        if referee.last["points"] == points:
            return referee
    raise AssertionError("no such game was found")


# The worked examples.


def test_example_1_rd_6_to_rd_8_the_deal() -> None:
    cards = pack()
    cards.remove("Jc")
    cards.insert(18, "Jc")
    referee = game(1)
    assert referee.chance() is not None
    referee.event(" ".join(["deal", *cards]))
    report = referee.report()
    assert report["hands"] == [cards[0:18:2], cards[1:18:2]]
    assert (report["trump"], report["trump_rank"], report["upcard"]) == ("c", "J", "Jc")
    assert (report["stock"], report["round"], report["leader"], report["deal"]) == (33, 1, 0, 1)
    assert [card for card in pack() if referee.is_rank_trump(card)] == ["Js", "Jh", "Jd"]
    assert referee.chance() is None


def test_rd_8_rd_9_rd_11_the_later_deals_of_a_game() -> None:
    cards = pack()
    random.Random(4).shuffle(cards)
    referee = game(0)
    referee.event(" ".join(["deal", *cards]))
    for number, start, stock in ((1, 0, 33), (2, 19, 22), (3, 30, 11), (4, 41, 0)):
        assert (referee.round, len(referee.stock), referee.leader) == (number, stock, 1)
        size = 9 if number == 1 else 5
        for seat, offset in ((1, 0), (0, 1)):
            assert referee.hands[seat][-size:] == cards[start + offset : start + 2 * size : 2]
        assert referee.pile[-1] == cards[start + 2 * size]
        while referee.round == number:
            seat = referee.to_act()[0]
            referee.event(f"{seat} {referee.playable(seat)[0]}")
    assert [len(hand) for hand in referee.hands] == [4, 4]
    assert (referee.round, referee.leader, referee.pile) == (5, 1, [cards[18], cards[29], cards[40], cards[51]])


def test_example_2_rd_19_forced_rank_trump() -> None:
    for answer in ("Jd", "Jh"):
        referee = small("Jc", "Js 5s", "Jh Jd 9d Ah")
        referee.event("0 Js")
        assert moves(referee, 1) == {"Jd", "Jh"}
        assert refuse(referee, "1 9d") == "RD-19"
        referee.event(f"1 {answer}")
        assert referee.leader == 0 and referee.tricks_won() == [1, 0]


def test_example_3_rd_18_no_rank_trump_in_place_of_a_trump() -> None:
    referee = small("Jc", "Js 5s", "4c 9c Jh As")
    referee.event("0 Js")
    assert moves(referee, 1) == {"4c", "9c"}
    assert refuse(referee, "1 Jh") == "RD-18"
    other = small("Jc", "Js 5s", "4c 9c Jh As", rank_suit="trump")
    other.event("0 Js")
    assert moves(other, 1) == {"4c", "9c", "Jh"}
    assert refuse(other, "1 As") == "RD-18"


def test_example_4_rd_13_a_rank_trump_follows_its_own_suit() -> None:
    referee = small("Jc", "9d 5s", "Jd As 3c")
    referee.event("0 9d")
    assert moves(referee, 1) == {"Jd"}
    assert refuse(referee, "1 As") == "RD-18"
    referee.event("1 Jd")
    assert referee.leader == 1
    other = small("Jc", "9d 5s", "Jd As 3c", rank_suit="trump")
    other.event("0 9d")
    assert moves(other, 1) == {"Jd", "As", "3c"}


def test_rank_suit_trump_names_rd_18_where_only_rank_trumps_can_follow() -> None:
    referee = small("Jc", "5c 5s", "Jd As", rank_suit="trump")
    referee.event("0 5c")
    assert moves(referee, 1) == {"Jd"}
    assert refuse(referee, "1 As") == "RD-18"


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


def test_example_5_rd_25_the_last_trick() -> None:
    referee = last_trick()
    play(referee, "0 7s", "1 8s")
    assert referee.last == {"points": [0, 20], "rounds_won": [0, 1]}
    report = referee.report()
    assert (report["phase"], report["awaiting"], report["dealer"]) == ("deal", "deal", 0)
    assert report["scores"] == [0, 20]
    assert report["hands"] == [[], []] and report["pile"] == [] and report["points"] == [0, 0]


def test_rd_25_a_finished_match_keeps_its_last_game() -> None:
    referee = last_trick()
    referee.scores = [150, 190]
    play(referee, "0 7s", "1 8s")
    report = referee.report()
    assert (report["phase"], report["winners"], report["winning_score"]) == ("done", [1], 60)
    assert (report["tricks"], report["points"], report["rounds_won"]) == ([2, 3], [0, 20], [0, 1])
    assert (report["round"], report["dealer"], report["stock"]) == (5, 1, 0)
    assert report["pile"] == ["3c", "4c", "2h", "5c"] and report["upcard"] == "5c"
    assert (report["leader"], report["to_act"], report["legal"]) == (None, [], {})
    assert refuse(referee, " ".join(["deal", *pack()])) == "RD-56"


def test_example_6_rd_34_tie() -> None:
    referee = game(0)
    referee.scores = [140, 160]
    referee = game_that_brings(referee, [60, 40])
    assert (referee.scores, referee.tie_break, referee.phase, referee.dealer) == ([200, 200], True, "deal", 1)
    referee = game_that_brings(referee, [60, 40])
    report = referee.report()
    assert (report["scores"], report["winners"], report["winning_score"]) == ([260, 240], [0], 20)
    assert report["done"] and report["tie_break"] and report["dealer"] == 1 and report["deal"] == 2


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


def test_example_7_rd_43_proved_revoke() -> None:
    referee = position("Ah", "8h 2h 5c", "3h 2s 7d", revokes="allowed")
    play(referee, "0 8h", "1 2s", "0 2h", "1 3h")
    report = referee.report()
    assert (report["tricks"], report["leader"], report["exposed"]) == ([2, 0], 0, [False, True])
    assert report["scores"] == [0, 0]
    assert "call" not in moves(referee, 0)


def proving_lead() -> Referee:
    """Seat 1 revokes on the first trick and, after seat 0 has revoked on the third, leads the card that proves it."""
    hands = ["Ks 8s 4d Kd 2c 4c 5c 6c 7c".split(), "Qs 3c 9d Td 8c 9c Tc Jc Qc".split()]
    spare = [card for card in pack() if card not in ["Ah", *hands[0], *hands[1]]]
    referee = exact("Ah", hands, spare, revokes="allowed")
    play(referee, "0 Ks", "1 3c", "0 4d", "1 9d", "1 Td", "0 2c", "1 Qs")
    return referee


def test_rd_43_a_proving_lead_exposes_at_once_and_loses_its_trick() -> None:
    referee = proving_lead()
    assert (referee.tricks_won(), referee.exposed, referee.scores) == ([1, 2], [False, True], [0, 0])
    assert moves(referee, 0) == {"8s", "Kd", "4c", "5c", "6c", "7c", "correct Kd", "call"}
    play(referee, "0 8s")
    assert (referee.tricks_won(), referee.leader) == ([2, 2], 0)


def test_rd_43_a_revoke_on_a_proving_lead_wins_that_trick_all_the_same() -> None:
    referee = proving_lead()
    play(referee, "0 4c")
    assert (referee.tricks_won(), referee.leader) == ([2, 2], 0)
    assert "correct 8s" in moves(referee, 0)


def test_rd_43_the_later_proof_decides() -> None:
    referee = proving_lead()
    play(referee, "0 Kd")
    assert (referee.tricks_won(), referee.leader, referee.exposed) == ([1, 3], 1, [True, True])


def test_rd_43_a_proving_lead_is_taken_back() -> None:
    referee = proving_lead()
    play(referee, "0 correct Kd")
    assert (referee.tricks_won(), referee.leader, referee.exposed) == ([2, 1], 0, [False, True])
    assert "Qs" in referee.hands[1] and "2c" in referee.hands[0]
    play(referee, "0 8s")
    assert moves(referee, 1) == {"Qs", "call"}
    play(referee, "1 Qs")
    assert (referee.tricks_won(), referee.leader) == ([2, 2], 1)


def right_call() -> Referee:
    referee = position("Jc", "Ks 4d 8h", "3s 2c 9d", revokes="allowed")
    play(referee, "0 Ks", "1 2c", "1 9d")
    return referee


def test_example_8_rd_45_right_call() -> None:
    referee = right_call()
    assert referee.tricks_won() == [0, 1]
    assert "call" in moves(referee, 0)
    play(referee, "0 call")
    report = referee.report()
    assert (report["tricks"], report["scores"], report["exposed"]) == ([1, 0], [25, 0], [False, True])
    assert (report["to_act"], report["trick"], report["leader"]) == ([0], [[1, "9d"]], 1)
    assert refuse(referee, "0 call") == "RD-44"
    play(referee, "0 4d")
    assert referee.to_act() == [1]
    assert "correct 3s" not in moves(referee, 1)


def test_example_9_rd_46_wrong_call() -> None:
    hands = ["Ks 4d 8h Qs Ts 9s 8s 7s 6s".split(), "2c 9d 3c 4c 5c 6c 7c 8c 9c".split()]
    spare = [card for card in pack() if card not in ["Jc", *hands[0], *hands[1]]]
    referee = exact("Jc", hands, spare, revokes="allowed")
    play(referee, "0 Ks", "1 2c", "1 9d", "0 call")
    report = referee.report()
    assert (report["tricks"], report["scores"], report["exposed"]) == ([0, 1], [0, 25], [True, False])
    assert moves(referee, 0) == {"4d"}
    assert refuse(referee, "0 8h") == "RD-18"


def test_example_10_rd_42_correction() -> None:
    referee = position("Jc", "8h As", "Kh 2s", revokes="allowed")
    play(referee, "0 8h", "1 2s", "0 As")
    assert "correct Kh" in moves(referee, 1)
    assert refuse(referee, "1 correct 2s") == "RD-41"
    play(referee, "1 correct Kh")
    report = referee.report()
    assert "2s" in report["hands"][1] and "As" in report["hands"][0] and "Kh" not in report["hands"][1]
    assert (report["trick"], report["tricks"], report["leader"], report["to_act"]) == ([], [0, 1], 1, [1])
    assert not any(move.startswith("correct") for move in moves(referee, 1))


def test_rd_41_a_revoke_is_quitted_by_the_next_card() -> None:
    referee = position("Jc", "8h As 5h", "Kh 2s 3s", revokes="allowed")
    play(referee, "0 8h", "1 2s", "0 As", "1 3s")
    assert refuse(referee, "0 correct Kh") == "RD-41"
    play(referee, "0 5h")
    assert refuse(referee, "1 correct Kh") == "RD-41"


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


def test_rd_35_a_bonus_in_an_extra_game_does_not_end_the_match() -> None:
    referee = right_call()
    referee.scores = [200, 200]
    referee.tie_break = True
    play(referee, "0 call")
    assert (referee.phase, referee.scores) == ("play", [225, 200])


# The closing step.


def closing() -> Referee:
    """The closing step of round 1: seat 1 has revoked in the fifth trick, with the king of spades in the hand."""
    hands = ["Ah Kh Qh Jh 2s Ad Kd Qd Jd".split(), "2h 3h 4h 5h Ks 3c 4c 5c 6c".split()]
    spare = [card for card in pack() if card not in ["9c", *hands[0], *hands[1]]]
    referee = exact("9c", hands, spare, revokes="allowed")
    play(referee, "0 Ah", "1 2h", "0 Kh", "1 3h", "0 Qh", "1 4h", "0 Jh", "1 5h", "0 2s", "1 3c")
    return referee


def test_rd_48_follower_then_leader_accept() -> None:
    referee = closing()
    assert (referee.phase, referee.leader, referee.tricks_won()) == ("close", None, [4, 1])
    assert moves(referee, 1) == {"accept", "correct Ks"}
    assert refuse(referee, "1 4c") == "RD-48"
    assert refuse(referee, "0 accept") == "RD-57"
    assert refuse(referee, "1 call") == "RD-44"
    play(referee, "1 accept")
    assert moves(referee, 0) == {"accept", "call"}
    called = copy.deepcopy(referee)
    play(called, "0 call")
    assert (called.tricks_won(), called.scores, moves(called, 0)) == ([5, 0], [25, 0], {"accept"})
    play(referee, "0 accept")
    assert (referee.phase, referee.round, referee.rounds_won) == ("play", 2, [1, 0])


def test_rd_48_correction_goes_on_with_the_same_seat() -> None:
    referee = closing()
    play(referee, "1 correct Ks")
    assert (referee.phase, referee.to_act(), referee.tricks_won()) == ("close", [1], [4, 1])
    assert moves(referee, 1) == {"accept"}
    play(referee, "1 accept", "0 call")
    assert (referee.scores, referee.exposed) == ([0, 25], [True, False])
    play(referee, "0 accept")
    assert referee.exposed == [False, False]


def test_round_lead_winner_follows_the_owner_of_the_last_trick() -> None:
    for option, leader in (("nondealer", 0), ("winner", 1)):
        referee = closing()
        referee.options["round_lead"] = option
        play(referee, "1 accept", "0 accept")
        assert referee.leader == leader
    referee = closing()
    referee.options["round_lead"] = "winner"
    play(referee, "1 accept", "0 call", "0 accept")
    assert referee.leader == 0


def test_sweep_rd_28() -> None:
    for sweep in (0, 10):
        referee = closing()
        referee.options["sweep"] = sweep
        play(referee, "1 accept", "0 call", "0 accept")
        assert referee.round_points == [10 + sweep, 0]


# Refusals.


@pytest.mark.parametrize(
    ("make", "clause"),
    [
        (lambda: Referee(3, 0, {}), "RD-1"),
        (lambda: Referee(3, 7, {"no": 1}), "RD-1"),
        (lambda: Referee(2, 2, {"no": 1}), "RD-3"),
        (lambda: Referee(2, True, {}), "RD-3"),
        (lambda: Referee(2, 0, {"no": 1}), "RD-59"),
        (lambda: Referee(2, 0, {"target": "200"}), "RD-59"),
        (lambda: Referee(2, 0, {"target": 200.0}), "RD-59"),
        (lambda: Referee(2, 0, {"target": 150}), "RD-59"),
        (lambda: Referee(2, 0, {"sweep": False}), "RD-59"),
        (lambda: Referee(2, 0, {"revokes": ["allowed"]}), "RD-59"),
        (lambda: Referee(2, 0, {"rank_suit": None}), "RD-59"),
    ],
)
def test_refused_headers(make: Callable[[], Referee], clause: str) -> None:
    with pytest.raises(Refused) as caught:
        make()
    assert caught.value.clause == clause


def test_rd_56_rd_10_refused_deals() -> None:
    referee = game(1)
    cards = pack()
    assert refuse(referee, "0 As") == "RD-56"
    assert refuse(referee, "deal") == "RD-10"
    assert refuse(referee, " ".join(["deal", *cards[1:]])) == "RD-10"
    assert refuse(referee, " ".join(["deal", *cards[1:], cards[1]])) == "RD-10"
    assert refuse(referee, " ".join(["deal", *cards[1:], "*"])) == "RD-56"
    assert refuse(referee, " ".join(["deal", *cards[1:], "1s"])) == "RD-56"
    assert refuse(referee, "draw As") == "RD-56"
    referee.event(" ".join(["deal", *[card.lower() for card in cards]]))
    assert refuse(referee, " ".join(["deal", *cards])) == "RD-56"


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
