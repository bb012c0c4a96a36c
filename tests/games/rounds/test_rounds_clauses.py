"""Rounds, clause by clause: positions from the rulebook, and what the report or a view then shows."""

from itertools import chain
from random import Random

import pytest
from games.rounds.positions import (
    ALLOWED,
    PACK,
    ROUNDS,
    at_scores,
    closing,
    game_that_brings,
    hand,
    last_round,
    legal,
    options_of,
    play,
    random_game,
    table,
)
from playing import refused, refused_header

from upcard import Match, games
from upcard.engine.worlds import Worlds
from upcard.players.quick import Heuristic
from upcard.rules import cards
from upcard.rules.cards import CardSet
from upcard.rules.lineage import literal_twins
from upcard.table.scene import MarkView, describe

# -------------------------------------------------------------------------------------------------------- the deal


@pytest.mark.clause("RD-6", "RD-7", "RD-12", "RD-14")
def test_example_1_the_deal() -> None:
    pack = [card for card in PACK if card != "Jc"]
    pack.insert(18, "Jc")
    match = Match(ROUNDS, dealer=1)
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
    match = Match(ROUNDS, dealer=dealer)
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
    match = Match(ROUNDS)
    for wrong in (PACK[:51], [*PACK, "As"], [*PACK[:51], "As"]):
        assert refused(match, f"deal {' '.join(wrong)}") == "RD-10"
    assert refused(match, "deal") == "RD-10"
    assert refused(match, "0 As") == refused(match, "As") == "RD-56"
    assert refused(match, f"deal {' '.join(PACK[:51])} *") == "RD-56"
    assert refused(match, f"deal {' '.join(PACK[:51])} Xx") == "RD-56"


@pytest.mark.clause("RD-4", "RD-5")
def test_the_deal_alternates_and_is_counted_by_games() -> None:
    match = Match(ROUNDS, dealer=1)
    for number, dealer in ((1, 1), (2, 0), (3, 1)):
        for _ in random_game(match, number):
            if match.to_act:
                assert (match.report()["deal"], match.report()["dealer"]) == (number, dealer)
    assert match.report()["dealer"] == 0


@pytest.mark.clause("RD-1", "RD-3", "RD-59")
def test_a_wrong_header_is_refused() -> None:
    assert refused_header(ROUNDS, 3) == "RD-1"
    assert refused_header(ROUNDS, 2, 2) == "RD-3"
    wrong: list[dict[str, object]] = [{"revokes": "yes"}, {"target": 150}, {"jokers": 1}]
    assert {refused_header(ROUNDS, 2, 0, **options) for options in wrong} == {"RD-59"}


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
        match = Match(ROUNDS, dealer=seed & 1, options={"round_lead": round_lead})
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
        match = Match(ROUNDS)
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
        match = Match(ROUNDS)
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
        assert match.setup.consistent(world, 0) is possible


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
        match = Match(ROUNDS, options={"target": 400, **ALLOWED}, dealer=seed & 1, chance=Random(seed))
        rng = Random(seed)
        while not match.done and len(match.events) < 180:
            seat, scores, now = match.to_act[0], match.scores, match.state
            if seat == 0:
                move = heuristic.choose(match.view(0), rng)
                if cards.read(move) is not None and now.in_trick:
                    assert options_of(match).lawful(now.hand[0], now.led, now.forced) & CardSet.of(move)
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
    numbers = [number for number in ROUNDS.declared_numbers.values() if isinstance(number.value, int)]
    assert not [twin for number in numbers for twin in literal_twins(ROUNDS, number.value)]


@pytest.mark.clause("RD-60")
def test_the_author_has_other_options_than_the_usual_table() -> None:
    game, author = games.load("rounds"), {"revokes": "allowed"}
    assert (game.author, game.author_clause) == (author, "RD-60")
    assert all(game.declared_options[name].default_for(4) != value for name, value in author.items())
