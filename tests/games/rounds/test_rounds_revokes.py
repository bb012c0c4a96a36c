"""Rounds with revokes allowed, clause by clause: proofs, corrections, calls and the closing step."""

from random import Random

import pytest
from games.rounds.positions import (
    ALLOWED,
    PACK,
    ROUNDS,
    at_scores,
    closing,
    hand,
    last_round,
    legal,
    options_of,
    play,
    seen,
    table,
)
from playing import refused

from upcard import Match
from upcard.engine.chance import shuffler
from upcard.engine.worlds import Worlds
from upcard.games.rounds.rules import RoundsState
from upcard.table.log import Log
from upcard.table.scene import LastTrick, describe

# ------------------------------------------------------------------------------------------ revokes and corrections


@pytest.mark.clause("RD-39", "RD-57", "RD-58")
def test_where_revokes_are_not_allowed_none_of_their_moves_exist() -> None:
    match = play(table("Ks 4s", "3s 2c"), "Ks")
    assert refused(match, "1 2c") == "RD-18"
    assert refused(match, "1 Ks") == "RD-58"
    assert refused(match, "0 4s") == "RD-57"
    assert refused(match, "1 call") == "RD-44"
    assert refused(match, "1 accept") == "RD-48"
    assert refused(match, "1 correct 3s") == "RD-41"


@pytest.mark.clause("RD-40", "RD-16")
def test_a_follower_may_play_anything_unless_its_hand_is_open() -> None:
    match = play(table("Ks 4s", "3s 2c 9d 8d", **ALLOWED), "Ks")
    assert legal(match) == hand(match, 1)
    play(match, "2c 9d, call")
    assert match.report()["exposed"] == [False, True]
    play(match, f"{max(card for card in hand(match, 0) if card[1] == 'd')}")
    assert match.to_act == [0]
    play(match, "4s")
    assert legal(match) - {"call"} == {"3s"}


@pytest.mark.clause("RD-43", "RD-49", "RD-51", "RD-54")
def test_example_7_a_proved_revoke() -> None:
    match = play(table("8h 2h", "3h 2s", "Ah", **ALLOWED), "8h 2s")
    assert match.report()["exposed"] == [False, False]
    play(match, "2h 3h")
    report = match.report()
    assert (report["tricks"], report["leader"], report["exposed"]) == ([2, 0], 0, [False, True])
    assert (report["points"], report["scores"]) == ([10, 0], [0, 0])
    assert seen(match, 0, 1) == hand(match, 1)
    assert seen(match, 1, 0) == set()
    assert "call" not in legal(match)


@pytest.mark.clause("RD-43", "RD-51")
def test_a_proof_by_a_lead() -> None:
    match = play(table("Ks Qs 4h", "3s 2c As", **ALLOWED), "Ks 2c")
    assert match.report()["tricks"] == [0, 1]
    play(match, "As")
    assert match.report()["exposed"] == [False, True]
    assert match.report()["tricks"] == [1, 0]
    assert match.to_act == [0]
    play(match, "Qs")
    assert (match.report()["tricks"], match.report()["leader"]) == ([2, 0], 0)
    assert match.report()["points"] == [3 + 4 + 2, 0]


@pytest.mark.clause("RD-43")
def test_a_card_proves_several_revokes() -> None:
    match = play(table("Ks Qs Js", "4s 5s 2h 3h", **ALLOWED), "Ks 2h Qs 3h")
    assert match.report()["exposed"] == [False, False]
    play(match, "Js 4s")
    assert match.report()["tricks"] == [3, 0]
    assert match.report()["exposed"] == [False, True]
    assert "call" not in legal(match)


@pytest.mark.clause("RD-43")
def test_of_two_proofs_in_a_trick_the_followers_decides() -> None:
    match = table("Ks 3d 9c 2h 3h 4h 6h 7h 8h", "4s 2c 9d Ah Kh Qh Jh Th 9h", **ALLOWED)
    play(match, "Ks 2c 9d 9c")
    assert match.report()["tricks"] == [1, 1]
    play(match, "3d")
    assert match.report()["exposed"] == [True, False]
    assert match.report()["tricks"] == [0, 2]
    play(match, "4s")
    assert match.report()["exposed"] == [True, True]
    assert (match.report()["tricks"], match.report()["leader"]) == ([2, 1], 0)


@pytest.mark.clause("RD-42", "RD-43")
def test_a_proving_lead_that_is_taken_back() -> None:
    match = play(table("Ks 2s 3d 3h", "4s 2c Ad", **ALLOWED), "Ks 2c Ad 3h")
    assert match.report()["tricks"] == [0, 2]
    play(match, "4s")
    assert (match.report()["tricks"], match.report()["exposed"]) == ([1, 1], [False, True])
    play(match, "correct 3d")
    assert (match.report()["tricks"], match.report()["leader"], match.report()["trick"]) == ([1, 1], 1, [])
    assert {"3h"} <= hand(match, 0)
    assert {"4s"} <= hand(match, 1)
    play(match, "4s 2s")
    assert match.report()["tricks"] == [1, 2]


@pytest.mark.clause("RD-42", "RD-43", "RD-49")
def test_a_proof_by_a_correction() -> None:
    match = play(table("Ks Qs 2d", "4s 5s 3h 6h", **ALLOWED), "Ks 3h Qs 6h 2d")
    assert legal(match) >= {"correct 4s", "correct 5s"}
    play(match, "correct 4s")
    report = match.report()
    assert (report["tricks"], report["exposed"], report["leader"], report["trick"]) == ([2, 0], [False, True], 0, [])
    assert {"3h", "4s"} & hand(match, 1) == set()
    assert {"6h", "5s"} <= hand(match, 1)
    assert "call" not in legal(match)


@pytest.mark.clause("RD-19", "RD-40", "RD-43")
def test_a_rank_trump_proves_where_it_was_asked_for() -> None:
    match = play(table("8c 2d", "5d 9h", **ALLOWED), "8c 9h")
    assert match.report()["exposed"] == [False, False]
    play(match, "2d 5d")
    assert (match.report()["tricks"], match.report()["exposed"]) == ([2, 0], [False, True])
    with_a_club = play(table("8c 2d", "5d 9h 2c", **ALLOWED), "8c 9h 2d 5d")
    assert (with_a_club.report()["tricks"], with_a_club.report()["exposed"]) == ([1, 1], [False, False])


@pytest.mark.clause("RD-49")
def test_an_illegal_card_that_proves_another_is_settled_with_it() -> None:
    match = play(table("Ks Ad", "4s 3h 6d", **ALLOWED), "Ks 3h Ad 4s")
    assert match.report()["tricks"] == [2, 0]
    assert "call" not in legal(match)
    play(match, min(hand(match, 0)))
    assert not any(move.startswith("correct") for move in legal(match))


@pytest.mark.clause("RD-41", "RD-42")
def test_example_10_a_correction() -> None:
    match = play(table("8h As", "Kh 2s", **ALLOWED), "8h 2s As")
    before = hand(match, 1)
    play(match, "correct Kh")
    report = match.report()
    assert (report["tricks"], report["points"], report["leader"], report["trick"]) == ([0, 1], [0, 3], 1, [])
    assert match.to_act == [1]
    assert "As" in hand(match, 0)
    assert hand(match, 1) == before - {"Kh"} | {"2s"}
    assert describe(match.view(0)).last_trick is None
    assert describe(match.view(0), match.last_trick).last_trick == LastTrick(["8h", "Kh"], [0, 1], 1)


@pytest.mark.clause("RD-41")
def test_a_revoke_is_correctable_until_the_revokers_next_card() -> None:
    match = play(table("8h Kd Qd", "Kh 2s 3d 4d", **ALLOWED), "8h 2s Kd")
    assert {"correct Kh"} <= legal(match)
    assert refused(match, "1 correct 2s") == "RD-41"
    assert refused(match, "1 correct 3d") == "RD-41"
    play(match, "3d Qd")
    assert "correct Kh" not in legal(match)
    assert refused(match, "1 correct Kh") == "RD-41"
    lawful = play(table("8h", "Kh", **ALLOWED), "8h Kh")
    assert not any(move.startswith("correct") for move in legal(lawful))


@pytest.mark.clause("RD-42")
def test_the_retracted_lead_may_be_led_again_and_the_corrected_trick_is_lawful() -> None:
    match = play(table("Kh As", "8h 2s", **ALLOWED), "Kh 2s As, correct 8h")
    assert "As" in legal(match)
    play(match, "call")
    assert match.scores == [0, 25]


@pytest.mark.clause("RD-42", "RD-43", "RD-45", "RD-46")
def test_the_log_tells_how_a_question_of_revokes_ended() -> None:
    open_hand = "’s hand lies open for the rest of the round"
    right = told(table("Ks 4d", "3s 2c 9d", **ALLOWED), "Ks", "2c", "9d", "call")
    assert right == f"Ann calls a revoke. There was a revoke: Ann scores 25 and gets 1 revoked trick; Bo{open_hand}"
    wrong = told(table("Ks 4d 6h", "2c 9d Ah Kh Qh Jh Th 9h 8h", **ALLOWED), "Ks", "2c", "9d", "call")
    assert wrong == f"Ann calls a revoke. There was no revoke: Bo scores 25; Ann{open_hand}"
    proved = told(table("8h 2h", "3h 2s", "Ah", **ALLOWED), "8h", "2s", "2h", "3h")
    assert proved.endswith(f"This proves a revoke: the revoked trick and this one go to Ann; Bo{open_hand}")
    corrected = told(table("8h As", "Kh 2s", **ALLOWED), "8h", "2s", "As", "correct Kh")
    assert corrected == "Bo corrects a revoke: K♥ and takes the trick. A♠ goes back to Ann’s hand"
    assert told(table("Ks 4d", "3s 2c 9d", **ALLOWED), "Ks", "2c", "9d") == "Bo plays 9♦", "no word of a revoke before"


@pytest.mark.clause("RD-43", "RD-55")
def test_the_log_speaks_of_a_proof_when_there_is_one_and_never_before() -> None:
    seen, accepted = {True: 0, False: 0}, 0
    for seed in range(60):
        match, rng = Match(ROUNDS, options=ALLOWED, chance=shuffler(seed)), Random(seed)
        while not match.done and len(match.events) < 120:
            seat, before = match.to_act[0], match.state.copy()
            event = match.play(seat, rng.choice([move for move in match.legal(seat) if move != "call"]))
            after = match.state
            if (after.deals, after.round) == (before.deals, before.round):
                said = "proves" in options_of(match).aftermath(after, seat, event.move or 0, before)
                assert said == bool(before.open_tricks[seat] & ~after.open_tricks[seat]), event
                seen[said] += 1
            elif event.text.endswith(" accept"):
                assert options_of(match).aftermath(after, seat, event.move or 0, before) == ""
                accepted += 1
    assert min(*seen.values(), accepted) > 100


def told(match: Match[RoundsState], *moves: str) -> str:
    """The last line of the log after these moves of the seats to act."""
    log = Log(match)
    for move in moves:
        before = match.state.copy()
        log.note(len(match.events), before, match, match.play(match.to_act[0], move), ["Ann", "Bo"])
    return log.last(None).text


# -------------------------------------------------------------------------------------------------------- the call


@pytest.mark.clause("RD-44", "RD-45", "RD-50", "RD-51")
def test_example_8_a_right_call() -> None:
    match = play(table("Ks 4d", "3s 2c 9d", **ALLOWED), "Ks 2c 9d")
    play(match, "call")
    report = match.report()
    assert (report["tricks"], report["points"], report["scores"]) == ([1, 0], [3, 0], [25, 0])
    assert (report["exposed"], report["to_act"], report["trick"]) == ([False, True], [0], [[1, "9d"]])
    assert seen(match, 0, 1) == hand(match, 1)
    assert refused(match, "0 call") == "RD-44"
    assert play(match, "4d").report()["leader"] == 1


@pytest.mark.clause("RD-40", "RD-44", "RD-46", "RD-54", "RD-55")
def test_example_9_a_wrong_call() -> None:
    match = play(table("Ks 4d 6h", "2c 9d Ah Kh Qh Jh Th 9h 8h", **ALLOWED), "Ks 2c 9d")
    assert seen(match, 0, 1) == set()
    play(match, "call")
    report = match.report()
    assert (report["scores"], report["exposed"], report["tricks"]) == ([0, 25], [True, False], [0, 1])
    assert seen(match, 0, 1) == hand(match, 1), "the called hand is shown"
    assert seen(match, 1, 0) == hand(match, 0)
    assert legal(match) == {card for card in hand(match, 0) if card[1] == "d"}
    assert refused(match, "0 6h") == "RD-18"
    play(match, "4d")
    assert seen(match, 0, 1) == set(), "and taken up again"
    world = Worlds(match.view(0)).sample(Random(1))
    assert world.hand[1] == match.state.hand[1], "but it has been seen"
    assert seen(match, None, 0) == hand(match, 0)


@pytest.mark.clause("RD-45", "RD-53")
def test_a_call_brings_all_revoked_tricks_and_one_bonus() -> None:
    """The record keeps the tricks in order, so an older one can be called as well."""
    match = play(table("Ks Qs 2d 3d", "4s 2c 3c Ad", **ALLOWED), "Ks 2c Ad 2d 3c 3d")
    assert match.report()["tricks"] == [0, 3]
    play(match, f"{min(hand(match, 1) - {'4s'})}, call")
    assert (match.scores, match.report()["tricks"]) == ([25, 0], [1, 2])
    match = play(table("Ks Qs", "4s 2h 3h", **ALLOWED), "Ks 2h Qs 3h, call")
    assert (match.scores, match.report()["tricks"], match.to_act) == ([25, 0], [2, 0], [0])


@pytest.mark.clause("RD-44")
def test_only_open_tricks_of_the_other_can_be_called() -> None:
    match = table("Ks Qs", "4s 6s", **ALLOWED)
    assert refused(match, "0 call") == "RD-44"
    play(match, "Ks")
    assert refused(match, "1 call") == "RD-44"
    play(match, "4s, call")
    assert match.scores == [0, 25]
    assert refused(match, "0 call") == "RD-44"
    play(match, "Qs 6s, call")
    assert match.scores == [0, 50]


@pytest.mark.clause("RD-47", "RD-31", "RD-36")
def test_example_11_a_bonus_ends_the_match() -> None:
    match = table("2s 3s", "As Ks", dealer=0, **ALLOWED)
    match.state.scores = [160, 140]
    play(match, "As 2s, call")
    assert (match.scores, match.done) == ([185, 140], False)
    points = match.report()["points"]
    play(match, "Ks 3s, call")
    report = match.report()
    assert (report["scores"], report["winners"], report["winning_score"], match.done) == ([210, 140], [0], 70, True)
    assert report["points"] == [points[0], points[1] + 3]
    assert report["last"] is None
    assert describe(match.view(1)).result == ["A bonus ends the match; this game does not count"]
    assert refused(match, "1 call") == "RD-56"


@pytest.mark.clause("RD-35", "RD-47")
def test_a_bonus_in_an_extra_game_does_not_end_the_match() -> None:
    match = at_scores(75, 75, target=100, **ALLOWED)
    match.state.extra = 1
    match.event(f"deal {' '.join(PACK)}")
    while not match.report()["tricks"][1]:
        play(match, min(legal(match) - {"call"}))
    play(match, "call")
    assert 100 in match.scores
    assert not match.done


# -------------------------------------------------------------------------------------------------- the closing step


@pytest.mark.clause("RD-48", "RD-24")
def test_both_accept_a_round_the_last_follower_first() -> None:
    match = closing()
    assert (match.phase, match.to_act, match.report()["leader"]) == ("close", [1], None)
    assert legal(match) == {"accept", "correct 3s"}
    assert describe(match.view(1)).prompt == "Your turn: accept the round"
    assert refused(match, "1 3h") == "RD-48"
    assert refused(match, "0 accept") == "RD-57"
    play(match, "accept")
    assert (match.phase, match.to_act, legal(match)) == ("close", [0], {"accept", "call"})
    assert describe(match.view(0)).prompt == "Your turn: accept the round, or question it"
    play(match, "accept")
    assert (match.phase, match.report()["round"], match.report()["rounds_won"]) == ("play", 2, [1, 0])
    assert match.report()["points"] == [10 + 3 + 2 + 1 + 10, 0]
    assert not legal(match) & {"call", "accept"}
    assert refused(match, "0 accept") == "RD-48"


@pytest.mark.clause("RD-42", "RD-48")
def test_a_correction_in_the_closing_step() -> None:
    match = play(closing(), "correct 3s")
    assert (match.phase, match.to_act, legal(match)) == ("close", [1], {"accept"})
    assert match.report()["tricks"] == [5, 0]
    assert "2h" in hand(match, 1)


@pytest.mark.clause("RD-48", "RD-54")
def test_a_call_in_the_closing_step() -> None:
    match = play(closing(), "accept, call")
    assert (match.scores, match.report()["exposed"], match.to_act) == ([25, 0], [False, True], [0])
    play(match, "accept")
    assert match.report()["exposed"] == [False, False]
    assert seen(match, 0, 1) == set()


@pytest.mark.clause("RD-48", "RD-55")
def test_both_are_asked_also_when_there_is_nothing_to_ask() -> None:
    match = Match(ROUNDS, options=ALLOWED, chance=Random(3))
    asked: list[list[int]] = []
    while match.report()["round"] < 3:
        if match.phase == "close":
            asked.append(match.to_act)
        play(match, "accept" if match.phase == "close" else sorted(legal(match) - {"call"})[0])
    assert [len(seats) for seats in asked] == [1] * 4
    assert asked[0] != asked[1]
    assert asked[2] != asked[3]


@pytest.mark.clause("RD-43", "RD-51", "RD-52", "RD-25")
def test_a_proof_in_the_last_trick_brings_the_pile_and_ends_the_game_at_once() -> None:
    match = last_round("Ks Ad Ah 3s", "4s 8h 2d 9h", "3c 4c Qs 5c")
    before = match.report()
    play(match, "Ks 8h Ad 2d Ah 9h 3s")
    assert legal(match) - {"call"} == {"4s"}, "who has one card cannot revoke"
    play(match, "4s")
    assert match.phase == "deal"
    assert match.report()["exposed"] == [False, False], "the round has ended"
    last = match.report()["last"]
    assert last["rounds_won"] == [before["rounds_won"][0] + 1, before["rounds_won"][1]]
    assert last["points"] == [before["points"][0] + 3 + 4 + 4 + 2 + 10, before["points"][1]]
