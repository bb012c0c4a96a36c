"""Rounds, clause by clause: positions from the rulebook, and what the report or a view then shows."""

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

import pytest
from playing import refused, refused_header

from upcard import Match
from upcard.engine.chance import shuffler
from upcard.engine.worlds import Worlds
from upcard.games.rounds import GAME
from upcard.games.rounds.revokes import lawful
from upcard.games.rounds.rules import State
from upcard.players.heuristic import Heuristic
from upcard.rules import cards
from upcard.rules.cards import CardSet, text
from upcard.rules.variants import twins_of
from upcard.table.log import Log
from upcard.table.scene import LastTrick, MarkView, describe

PACK = [text(card) for card in cards.pack()]
ALLOWED: dict[str, Any] = {"revokes": "allowed"}


def table(seat_0: str = "", seat_1: str = "", upcard: str = "5c", dealer: int = 1, **options: object) -> Match[State]:
    """A match with its first deal made; unless said otherwise seat 0 leads and clubs are trumps, and fives.

    Hands shorter than nine cards are filled up with plain diamonds and hearts, then spades, low cards first.
    """
    hands = [seat_0.split(), seat_1.split()]
    rest = [card for card in PACK if card not in [*hands[0], *hands[1], upcard]]
    rest.sort(key=lambda card: (card[0] == upcard[0], "dhsc".index(card[1]), "23456789TJQKA".index(card[0])))
    for hand in hands:
        while len(hand) < 9:
            hand.append(rest.pop(0))
    match = Match(GAME, dealer=dealer, options=options)
    first, second = hands[1 - dealer], hands[dealer]
    match.event(f"deal {' '.join([*chain(*zip(first, second, strict=True)), upcard, *rest])}")
    return match


def last_round(seat_0: str, seat_1: str, pile: str, **options: object) -> Match[State]:
    """Seat 0 leads to round 5, the seats hold these four cards, the pile is this one. Revokes are allowed.

    So whatever is asked for, nobody has had to part with these cards.
    """
    kept = [seat_0.split(), seat_1.split()]
    turned = pile.split()
    others = [card for card in PACK if card not in kept[0] + kept[1] + turned]
    for seed in range(100):
        rest = Random(seed).sample(others, len(others))
        hands = chain(*zip(kept[0] + rest[:5], kept[1] + rest[5:10], strict=True))
        later = [[*rest[i : i + 10], upcard] for i, upcard in zip((10, 20, 30), turned[1:], strict=True)]
        match = Match(GAME, dealer=1, options={**ALLOWED, **options})
        match.event(f"deal {' '.join([*hands, turned[0], *chain(*later)])}")
        while match.report()["round"] < 5 and (spare := legal(match) - {*kept[0], *kept[1], "call"}):
            play(match, min(spare))
        if match.report()["round"] == 5:
            return match
    raise AssertionError("no such round was found")


def play(match: Match[State], line: str) -> Match[State]:
    """The seats to act play this line: "Ks 2c, call, 9d"."""
    for part in line.split(", "):
        for move in part.split() if cards.read(part[:2]) is not None else [part]:
            match.event(f"{match.to_act[0]} {move}")
    return match


def legal(match: Match[State]) -> set[str]:
    """The moves of the seat to act."""
    return set(match.legal(match.to_act[0]))


def hand(match: Match[State], seat: int) -> set[str]:
    return set(match.report()["hands"][seat])


def seen(match: Match[State], viewer: int | None, seat: int) -> set[str]:
    """The cards of a seat that a viewer sees."""
    return {text(card) for card in match.view(viewer).hand(seat) if card is not None}


def random_game(match: Match[State], seed: int) -> Iterator[Match[State]]:
    """One game with random lawful cards, nobody ever questioning anything: the match after each event."""
    rng = Random(seed)
    match.event(match.draw_lots(rng))
    yield match
    while match.to_act:
        match.event(f"{match.to_act[0]} {rng.choice(sorted(legal(match)))}")
        yield match


def game_that_brings(match: Match[State], points: list[int]) -> Match[State]:
    """The match after a game that brings the seats these points."""
    for seed in range(3000):
        *_, after = random_game(match.fork(), seed)
        if after.report()["last"]["points"] == points:
            return after
    raise AssertionError("no such game was found")


def at_scores(first: int, second: int, **options: object) -> Match[State]:
    """A match that awaits a deal at these scores."""
    match = Match(GAME, options=options)
    match.state.scores = [first, second]
    return match


# -------------------------------------------------------------------------------------------------------- the deal


@pytest.mark.clause("RD-6", "RD-7", "RD-12", "RD-14")
def test_example_1_the_deal() -> None:
    pack = [card for card in PACK if card != "Jc"]
    pack.insert(18, "Jc")
    match = Match(GAME, dealer=1)
    assert match.awaiting == "deal"
    match.event(f"deal {' '.join(pack)}")
    assert [hand(match, 0), hand(match, 1)] == [set(pack[0:18:2]), set(pack[1:18:2])]
    report = match.report()
    assert (report["trump"], report["trump_rank"], report["upcard"], report["pile"]) == ("c", "J", "Jc", ["Jc"])
    assert (report["stock"], report["round"], report["leader"], report["phase"]) == (33, 1, 0, "play")
    assert match.state.rank_trumps == CardSet.of("Js Jh Jd")


@pytest.mark.clause("RD-8", "RD-9", "RD-10", "RD-11", "RD-12", "RD-26")
@pytest.mark.parametrize("dealer", [0, 1])
def test_four_deals_from_one_pack(dealer: int) -> None:
    match = Match(GAME, dealer=dealer)
    sizes = {}
    before: list[set[str]] = [set(), set()]
    for _ in random_game(match, 5):
        pack, report = str(match.events[0]).split()[1:], match.report()
        number, played = report["round"], str(match.events[-1]).split()[1]
        if number not in sizes and not match.done and match.to_act:
            sizes[number] = report["stock"]
            start = 0 if number == 1 else 19 + 11 * (number - 2)
            end = 18 if number == 1 else start + 10
            if number < 5:
                for seat, cut in ((1 - dealer, start), (dealer, start + 1)):
                    assert hand(match, seat) == before[seat] - {played} | set(pack[cut:end:2])
                turned = [pack[i] for i in (18, 29, 40, 51)]
                assert report["pile"] == turned[:number]
                assert (report["upcard"], report["trump"]) == (turned[number - 1], turned[number - 1][1])
            else:
                assert [hand(match, 0), hand(match, 1)] == [held - {played} for held in before]
                assert report["upcard"] == pack[51]
            for viewer in (0, 1, None):
                pile = next(zone for zone in describe(match.view(viewer)).zones if zone.id == "pile")
                assert pile.cards == report["pile"]
        before = [hand(match, 0), hand(match, 1)]
    assert sizes == {1: 33, 2: 22, 3: 11, 4: 0, 5: 0}
    assert sum(event.word == "deal" for event in match.events) == 1
    assert len(match.events) == 1 + 48


@pytest.mark.clause("RD-10", "RD-56")
def test_a_deal_has_all_cards_once() -> None:
    match = Match(GAME)
    for wrong in (PACK[:51], [*PACK, "As"], [*PACK[:51], "As"]):
        assert refused(match, f"deal {' '.join(wrong)}") == "RD-10"
    assert refused(match, "deal") == "RD-10"
    assert refused(match, "0 As") == refused(match, "As") == "RD-56"
    assert refused(match, f"deal {' '.join(PACK[:51])} *") == "RD-56"
    assert refused(match, f"deal {' '.join(PACK[:51])} Xx") == "RD-56"


@pytest.mark.clause("RD-4", "RD-5")
def test_the_deal_alternates_and_is_counted_by_games() -> None:
    match = Match(GAME, dealer=1)
    for number, dealer in ((1, 1), (2, 0), (3, 1)):
        for _ in random_game(match, number):
            if match.to_act:
                assert (match.report()["deal"], match.report()["dealer"]) == (number, dealer)
    assert match.report()["dealer"] == 0


@pytest.mark.clause("RD-1", "RD-3", "RD-59")
def test_a_wrong_header_is_refused() -> None:
    assert refused_header(GAME, 3) == "RD-1"
    assert refused_header(GAME, 2, 2) == "RD-3"
    wrong: list[dict[str, object]] = [{"revokes": "yes"}, {"target": 150}, {"jokers": 1}]
    assert {refused_header(GAME, 2, 0, **options) for options in wrong} == {"RD-59"}


# --------------------------------------------------------------------------------------------------------- the play


@pytest.mark.clause("RD-17", "RD-19", "RD-22")
@pytest.mark.parametrize("answer", ["Jd", "Jh"])
def test_example_2_forced_rank_trump(answer: str) -> None:
    match = play(table("Js", "Jh Jd 9d Ah", "Jc"), "Js")
    assert legal(match) == {"Jd", "Jh"}
    assert refused(match, "1 9d") == "RD-19"
    assert play(match, answer).report()["leader"] == 0


@pytest.mark.clause("RD-18", "RD-19", "RD-59")
def test_example_3_no_rank_trump_in_place_of_a_trump() -> None:
    match = play(table("Js", "4c 9c Jh As", "Jc"), "Js")
    assert legal(match) == {"4c", "9c"}
    assert refused(match, "1 Jh") == "RD-18"
    other = play(table("Js", "4c 9c Jh As", "Jc", rank_suit="trump"), "Js")
    assert legal(other) == {"4c", "9c", "Jh"}
    assert refused(other, "1 As") == "RD-18"


@pytest.mark.clause("RD-13", "RD-18", "RD-21")
def test_example_4_a_rank_trump_follows_its_own_suit() -> None:
    held = "Jd As Ks Qs Ts 2h 3h 4h 6h"
    match = play(table("9d", held, "Jc"), "9d")
    assert legal(match) == {"Jd"}
    assert play(match, "Jd").report()["leader"] == 1
    assert legal(play(table("9d", held, "Jc", rank_suit="trump"), "9d")) == set(held.split())


@pytest.mark.clause("RD-13", "RD-19")
def test_rank_trumps_that_belong_to_the_trump_suit_are_forced_as_such() -> None:
    match = play(table("8c", "Jd As", "Jc", rank_suit="trump"), "8c")
    assert legal(match) == {"Jd"}
    assert refused(match, "1 As") == "RD-18"


@pytest.mark.clause("RD-2", "RD-14", "RD-21", "RD-22", "RD-23")
@pytest.mark.parametrize(
    ("led", "answer", "leader"),
    [
        ("9s", "Ts", 1),
        ("9s", "8s", 0),
        ("As", "Ks", 0),
        ("Qs", "As", 1),
        ("As", "2c", 1),  # a trump
        ("2s", "Ah", 0),  # neither suit nor trump
        ("Ac", "5d", 1),  # the rank beats the suit
        ("5d", "Ac", 0),
        ("5d", "5s", 0),  # two of the rank
        ("Kc", "Ac", 1),
        ("Ad", "5d", 1),
        ("5d", "Ad", 0),
        ("5d", "2h", 0),
    ],
)
def test_who_wins_a_trick(led: str, answer: str, leader: int) -> None:
    match = table(led, answer, revokes="allowed")
    assert play(match, f"{led} {answer}").report()["leader"] == leader
    assert match.report()["tricks"] == [1 - leader, leader]
    assert match.to_act == [leader]


@pytest.mark.clause("RD-15", "RD-16", "RD-20")
def test_any_card_may_be_led_and_thrown_by_a_void_hand() -> None:
    match = table("Ks", "2c 3c 4c 6h 7h 8h 9h Th Jh")
    assert match.to_act == [0]
    assert legal(match) == hand(match, 0)
    assert legal(play(match, "Ks")) == hand(match, 1)


@pytest.mark.clause("RD-15", "RD-24")
@pytest.mark.parametrize("round_lead", ["nondealer", "winner"])
def test_who_leads_to_a_round(round_lead: str) -> None:
    by_dealer = 0
    for seed in range(6):
        match = Match(GAME, dealer=seed & 1, options={"round_lead": round_lead})
        leaders = []
        for number, _ in enumerate(random_game(match, seed)):
            if number in (0, 10, 20, 30, 40):  # five tricks have been played
                leader = match.report()["leader"]
                assert (match.report()["round"], match.report()["tricks"]) == (1 + number // 10, [0, 0])
                assert leader == 1 - match.report()["dealer"] or leader == match.state.taker
                leaders.append(leader)
        assert leaders[0] == 1 - match.first_dealer
        by_dealer += leaders.count(match.first_dealer)
    assert bool(by_dealer) == (round_lead == "winner")


@pytest.mark.clause("RD-38")
def test_there_is_a_card_to_play_in_every_position_and_nothing_else() -> None:
    for seed in range(5):
        match = Match(GAME)
        for _ in random_game(match, seed):
            if match.to_act:
                assert len(match.to_act) == 1
                assert 1 <= len(legal(match)) <= 9
                assert legal(match) <= hand(match, match.to_act[0])
    match = table()
    assert {refused(match, f"0 {word}") for word in ("pass", "claim", "redeal")} == {"RD-56"}


# ------------------------------------------------------------------------------------------------------- the scores


@pytest.mark.clause("RD-25", "RD-27", "RD-29", "RD-52")
def test_example_5_the_last_trick_brings_the_pile() -> None:
    match = last_round("Ad Kd 2s 7h", "3d 4d 3s 9h", "3c 4c 2h 5c")
    before, won = match.report()["points"], match.report()["rounds_won"]
    play(match, "Ad 3d Kd 4d 2s 3s")
    assert (match.report()["tricks"], match.to_act) == ([2, 1], [1])
    play(match, "9h 7h")
    last = match.report()["last"]
    assert last["points"] == [before[0] + 4 + 3, before[1] + 10 + 10]
    assert last["rounds_won"] == [won[0], won[1] + 1]
    assert match.scores == last["points"]


@pytest.mark.clause("RD-25", "RD-28")
@pytest.mark.parametrize("sweep", [0, 10])
def test_all_five_tricks(sweep: int) -> None:
    match = last_round("Ad Kd Qd 7h", "3d 4d 6d 2h", "3c 4c 6c 5c", sweep=sweep)
    before = match.report()["points"]
    play(match, "Ad 3d Kd 4d Qd 6d 7h 2h")
    assert match.report()["last"]["points"] == [before[0] + 4 + 3 + 2 + 10 + 10 + sweep, before[1]]


@pytest.mark.clause("RD-27", "RD-29", "RD-30", "RD-31")
def test_a_game_shares_out_100_points_at_its_end() -> None:
    worth = {"A": 4, "K": 3, "Q": 2, "J": 1}
    for seed in range(5):
        match = Match(GAME)
        for _ in random_game(match, seed):
            report = match.report()
            if match.to_act:
                held = [*chain(*report["hands"])] + [card for _, card in report["trick"]]
                pack = str(match.events[0]).split()[1:]
                out = set(pack) - set(held) - set(report["pile"]) - set(pack[52 - report["stock"] :])
                value = sum(worth.get(card[0], 0) + 10 * (card == "2h") for card in out)
                assert sum(report["points"]) == value + 10 * sum(report["rounds_won"])
                assert sum(report["rounds_won"]) == report["round"] - 1
                assert report["scores"] == [0, 0]
        assert sum(match.report()["last"]["points"]) == 100
        assert match.report()["scores"] == match.report()["last"]["points"]
        assert match.report()["hands"] == [[], []]
        assert match.report()["points"] == match.report()["tricks"] == match.report()["rounds_won"] == [0, 0]
        assert match.report()["trump"] is match.report()["upcard"] is match.report()["trump_rank"] is None


@pytest.mark.clause("RD-32", "RD-36")
def test_the_target_ends_the_match() -> None:
    match = game_that_brings(at_scores(159, 141), [60, 40])
    report = match.report()
    assert match.done
    assert (report["scores"], report["winners"], report["winning_score"]) == ([219, 181], [0], 38)
    assert (report["phase"], report["round"], sum(report["tricks"])) == ("done", 5, 5)
    assert refused(match, "0 As") == refused(match, f"deal {' '.join(PACK)}") == "RD-56"
    assert not game_that_brings(at_scores(159, 141, target=300), [60, 40]).done
    assert game_that_brings(at_scores(30, 30, target=100), [30, 70]).winners == [1]


@pytest.mark.clause("RD-33")
def test_of_two_at_the_target_the_higher_wins() -> None:
    match = game_that_brings(at_scores(190, 165), [40, 60])
    assert (match.report()["scores"], match.winners) == ([230, 225], [0])


@pytest.mark.clause("RD-34", "RD-36")
def test_example_6_a_tie_is_played_off() -> None:
    match = game_that_brings(at_scores(140, 160), [60, 40])
    assert (match.report()["scores"], match.report()["tie_break"], match.done) == ([200, 200], True, False)
    assert describe(match.view(0)).result[-1] == "The scores are equal: one more game decides"
    again = game_that_brings(match, [50, 50])
    assert (again.report()["scores"], again.done) == ([250, 250], False)
    assert again.report()["dealer"] == 1 - match.report()["dealer"]
    match = game_that_brings(match, [60, 40])
    assert (match.report()["scores"], match.winners, match.report()["winning_score"]) == ([260, 240], [0], 20)


@pytest.mark.clause("RD-37")
def test_after_ten_equal_extra_games_the_match_is_drawn() -> None:
    match = game_that_brings(at_scores(150, 150), [50, 50])
    for _ in range(10):
        assert not match.done
        match = game_that_brings(match, [50, 50])
    assert match.done
    assert (match.winners, match.report()["winning_score"], match.report()["tie_break"]) == ([0, 1], 0, True)


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
    seen = {True: 0, False: 0}
    for seed in range(60):
        match, rng = Match(GAME, options=ALLOWED, chance=shuffler(seed)), Random(seed)
        while not match.done and len(match.events) < 120:
            seat, before = match.to_act[0], match.state.copy()
            event = match.play(seat, rng.choice([move for move in match.legal(seat) if move != "call"]))
            after = match.state
            if (after.deals, after.round) == (before.deals, before.round):
                assert GAME.aftermath is not None
                said = "proves" in GAME.aftermath(after, match.options, seat, event.move or 0, before)
                assert said == bool(before.open_tricks[seat] & ~after.open_tricks[seat]), event
                seen[said] += 1
            elif event.text == "accept":
                assert GAME.aftermath is not None
                assert GAME.aftermath(after, match.options, seat, event.move or 0, before) == ""
    assert min(seen.values()) > 100


def told(match: Match[State], *moves: str) -> str:
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


def closing() -> Match[State]:
    """The closing step of round 1: in the last trick seat 1 has thrown 2h on a spade, though it holds one."""
    match = table("Ks Qs Js Ts 9s 2d 3d 4d 6d", "8s 7s 6s 4s 3s 2h 3h 4h 6h", **ALLOWED)
    return play(match, "Ks 8s Qs 7s Js 6s Ts 4s 9s 2h")


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
    match = Match(GAME, options=ALLOWED, chance=Random(3))
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


# -------------------------------------------------------------------------------------------- what each seat may see


@pytest.mark.clause("RD-55", "RD-40")
def test_a_revoke_looks_like_a_lawful_card() -> None:
    """Seat 1 trumps a spade: in one match it holds a spade, in the other that spade lies in the stock."""
    revoke = table("Ks 4d", "3s 2c 9d 2h 3h 4h 6h 7h 8h", **ALLOWED)
    lawful = table("Ks 4d", "Ah 2c 9d 2h 3h 4h 6h 7h 8h", **ALLOWED)
    for move in ("Ks", "2c", "9d", "4d", "2h"):
        for match in (revoke, lawful):
            play(match, move)
        assert revoke.view(0).state == lawful.view(0).state
        assert revoke.view(0).legal() == lawful.view(0).legal()
        assert describe(revoke.view(0)) == describe(lawful.view(0))
        assert describe(revoke.view(None)) == describe(lawful.view(None))
        assert revoke.view(1).legal() == revoke.legal(1)
    assert revoke.state.hand[1] != lawful.state.hand[1]


@pytest.mark.clause("RD-26", "RD-55")
def test_what_a_seat_sees() -> None:
    match = play(table("Ks 4d", "3s 2c 9d"), "Ks 3s")
    state = match.view(0).state
    assert state.hand[0] == match.state.hand[0]
    assert (state.hand[1], set(state.stock[:])) == (0, {cards.NO_CARD})
    assert match.view(0).sizes == (8, 8)
    assert state.won == match.state.won
    scene = describe(match.view(0))
    assert [zone.count for zone in scene.zones if zone.id == "stock"] == [33]
    assert scene.headline == "Game 1 · round 1 of 5 · trumps: every five, then clubs"
    marks = [MarkView("Tricks", "1", "tricks"), MarkView("Points", "3", "points"), MarkView("Rounds", "0")]
    assert scene.seats[0].marks == marks


@pytest.mark.clause("RD-18", "RD-19", "RD-55")
def test_worlds_keep_to_the_voids_that_have_shown() -> None:
    match = play(table("8c Ks", "Ah Kh Qh Jh Th 9h 8h 7h 6h"), "8c Ah")
    for seed in range(50):
        world = Worlds(match.view(0)).sample(Random(seed))
        assert not world.hand[1] & (cards.all_of(cards.CLUBS) | world.rank_trumps)


@pytest.mark.clause("RD-8", "RD-55")
def test_worlds_know_that_four_cards_were_kept() -> None:
    match = table("Kd Qd Jd Td 9d 2c 3c 4c 6c", "Ah Kh Qh Jh Th 9h 8h 7h 6h")
    play(match, "Kd Ah Qd Kh Jd Qh Td Jh 9d Th")
    assert match.report()["round"] == 2
    diamonds = cards.all_of(cards.DIAMONDS)
    numbers = {(Worlds(match.view(0)).sample(Random(seed)).hand[1] & diamonds).bit_count() for seed in range(200)}
    assert 3 in numbers
    assert max(numbers) <= 5
    world = match.state.copy()
    for held, possible in (("2d 3d 4d 6d 7d 2s 3s 4s 6s", True), ("2d 3d 4d 6d 7d 8d 2s 3s 4s", False)):
        world.hand[1] = CardSet.of(held)
        assert match.game.consistent is not None
        assert match.game.consistent(world, match.options, 0) is possible


@pytest.mark.clause("RD-43", "RD-55")
def test_worlds_heed_that_nothing_was_proved() -> None:
    """Seat 1 threw a heart on a trump lead and then played a rank trump: no proof, so it had a trump and has it yet."""
    match = play(table("8c 2d", "5d 9h 2c", **ALLOWED), "8c 9h 2d 5d")
    assert match.report()["exposed"] == [False, False]
    for seed in range(50):
        world = Worlds(match.view(0)).sample(Random(seed))
        assert world.hand[1] & cards.all_of(cards.CLUBS)


# ----------------------------------------------------------------------------------------------------- the heuristic


@pytest.mark.clause("RD-18", "RD-19", "RD-44")
def test_the_heuristic_plays_lawfully_and_calls_only_what_is_certain() -> None:
    heuristic, right = Heuristic(), 0
    for seed in range(12):
        match = Match(GAME, options={"target": 400, **ALLOWED}, dealer=seed & 1, chance=Random(seed))
        rng = Random(seed)
        while not match.done and len(match.events) < 180:
            seat, scores, now = match.to_act[0], match.scores, match.state
            if seat == 0:
                move = heuristic.choose(match.view(0), rng)
                if cards.read(move) is not None and now.in_trick:
                    assert lawful(now.hand[0], now.led, now.forced) & CardSet.of(move)
            else:
                move = rng.choice([move for move in match.legal(1) if move[:4] not in ("call", "corr")])
            match.play(seat, move)
            if move == "call":
                assert match.scores == [scores[0] + 25, scores[1]]
                right += 1
    assert right > 5


@pytest.mark.clause("RD-41")
def test_the_heuristic_puts_a_revoke_right() -> None:
    match = play(table("8h As", "Kh 2s", **ALLOWED), "8h 2s As")
    assert Heuristic().choose(match.view(1), Random(1)) == "correct Kh"
    assert Heuristic().choose(closing().view(1), Random(1)) == "correct 3s"
    accepted = play(closing(), "accept")
    assert Heuristic().choose(accepted.view(0), Random(1)) == "accept", "what it cannot know it does not call"


# ----------------------------------------------------------------------------------------------------------- numbers


def test_no_number_of_the_rules_stands_anywhere_else() -> None:
    numbers = [number for number in GAME.options.numbers.values() if isinstance(number.value, int)]
    assert not [twin for number in numbers for twin in twins_of(GAME, number.value)]
