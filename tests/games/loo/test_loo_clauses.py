"""Loo: the clauses of the deal, of settling, of the match and of the options."""

from random import Random

import pytest
from games.loo.positions import (
    LOO,
    NO_FLUSHES,
    PACK,
    SWEEP,
    bad_header,
    deal_hands,
    dealt,
    declare,
    five,
    free_deal,
    hurry,
    last,
    looed_deal,
    play,
    random_matches,
    scene,
    state,
)
from playing import play_out, random_event, refused

from upcard import Match, games
from upcard.rules.cards import read, text
from upcard.rules.lineage import literal_twins
from upcard.table.scene import describe

# ------------------------------------------------------------------------------------------- players, cards, the deal


@pytest.mark.clause("LO-1")
def test_five_to_ten_play_six_by_default() -> None:
    assert [Match("loo", players).players for players in range(5, 11)] == [5, 6, 7, 8, 9, 10]
    assert Match("loo").players == 6
    assert [bad_header(players) for players in (4, 11, 0, True, "6")] == ["LO-1"] * 5


@pytest.mark.clause("LO-2", "LO-35")
@pytest.mark.parametrize(("first", "second", "taker"), [("Ad", "Kd", 1), ("2d", "3d", 2), ("Td", "Jd", 2)])
def test_ace_is_high_and_two_is_low(first: str, second: str, taker: int) -> None:
    hands = five(s1=f"{first} 4s 5s 4c 5c", s2=f"{second} 6s 7s 6c 7c")
    match = dealt(hands, inside=[1, 2], phase="play")
    play(match, f"1 {first}", f"2 {second}")
    assert match.report()["tricks"][taker] == 1
    assert match.report()["leader"] == taker
    assert sorted(str(match.events[0]).split()[1:]) == sorted(PACK)


@pytest.mark.clause("LO-3", "LO-28", "LO-30")
def test_example_1_pam_is_no_club() -> None:
    lead = "9c 5d 6d 7d 5s"
    match = dealt(five(s1=lead, s2="Jc 4c Ks 2h 3h"), "Th", [1, 2], "play")
    play(match, "1 9c")
    assert match.legal(2) == ["4c"]
    assert refused(match, "2 Jc") == "LO-28"
    assert refused(match, "2 2h") == "LO-28"
    match = dealt(five(s1=lead, s2="Jc 4d Ks 2h 3h"), "Th", [1, 2], "play")
    play(match, "1 9c")
    assert sorted(match.legal(2)) == ["2h", "3h", "Jc"]
    assert refused(match, "2 Ks") == "LO-30"


@pytest.mark.clause("LO-3", "LO-35")
def test_pam_beats_the_ace_of_trumps_and_is_followed_with_trumps() -> None:
    match = dealt(five(s1="Jc 4d Ks 2c 3h", s2="Ah Qc 4s 5s 6d"), "Th", [1, 2], "play")
    play(match, "1 Jc")
    assert match.legal(2) == ["Ah"]
    play(match, "2 Ah")
    assert match.report()["tricks"] == [0, 1, 0, 0, 0]


@pytest.mark.clause("LO-4", "LO-39")
def test_everybody_starts_at_0_and_may_go_below_without_limit() -> None:
    match = Match("loo", 5, options={"rounds": 10, "penalty": "pot"})
    assert match.report()["scores"] == [0] * 5
    play_out(match, Random(4))
    assert match.report()["deal"] >= 50
    assert min(match.scores) < -50
    assert all(type(score) is int for score in match.scores)


@pytest.mark.clause("LO-5")
def test_any_seat_may_deal_first() -> None:
    for dealer in range(7):
        match = Match("loo", 7, dealer=dealer)
        assert match.report()["dealer"] == dealer
        assert play(match, match.draw_lots(Random(1))).to_act == [(dealer + 1) % 7]
    assert [bad_header(6, dealer) for dealer in (-1, 6, True, "0", None)] == ["LO-5"] * 5


@pytest.mark.clause("LO-6")
def test_the_dealer_pays_five_when_the_cards_are_dealt() -> None:
    match = Match("loo", 6, dealer=2)
    assert (match.report()["pot"], match.report()["scores"]) == (0, [0] * 6)
    play(match, match.draw_lots(Random(1)))
    assert (match.report()["pot"], match.report()["scores"]) == (5, [0, 0, -5, 0, 0, 0])


@pytest.mark.clause("LO-7", "LO-8", "LO-9")
@pytest.mark.parametrize(("players", "stock"), [(5, 26), (6, 21), (7, 16), (8, 11), (9, 6), (10, 1)])
def test_five_cards_each_one_at_a_time_then_the_upcard_then_the_stock(players: int, stock: int) -> None:
    match = Match("loo", players, dealer=1)
    order = match.draw_lots(Random(players)).split()[1:]
    report = play(match, " ".join(["deal", *order])).report()
    for k in range(players):
        assert sorted(report["hands"][(2 + k) % players]) == sorted(order[k : 5 * players : players])
    assert report["upcard"] == order[5 * players]
    assert report["trump"] == order[5 * players][1]
    assert report["stock"] == stock
    top_first = [text(card) for card in state(match).stock[:stock]][::-1]
    assert top_first == order[5 * players + 1 :]


@pytest.mark.clause("LO-8")
def test_with_pam_turned_up_clubs_are_trumps_without_it() -> None:
    match = dealt(five(s1="Ac 4d 5d 6s 7s", s2="Tc Kd 2s 3s 4h"), "Jc", [1, 2], "play")
    assert match.report()["trump"] == "c"
    assert "Pam is out" in scene(match, None).headline
    play(match, "1 Ac", "2 Tc")
    assert match.report()["tricks"][1] == 1
    assert match.report()["upcard"] == "Jc"


# ------------------------------------------------------------------------------------------------------- in or out


@pytest.mark.clause("LO-10", "LO-11", "LO-26")
def test_everybody_is_asked_once_in_turn() -> None:
    match = dealt(NO_FLUSHES, dealer=3)
    asked = []
    for word in ("pass", "play", "pass", "play"):
        asked.append(match.to_act[0])
        assert sorted(match.legal(asked[-1])) == ["pass", "play"]
        play(match, f"{asked[-1]} {word}")
        assert refused(match, f"{asked[-1]} play") == "LO-49"
    assert asked == [4, 0, 1, 2]
    assert match.report()["in"] == [0, 2, 3]
    assert match.report()["hands"][4] == match.report()["hands"][1] == []
    assert match.report()["discard"] == 10
    play(match, "3 play")
    assert (match.phase, match.to_act) == ("early", [0])
    assert hurry(match, "play").report()["leader"] == 0


@pytest.mark.clause("LO-11")
def test_who_passes_neither_wins_nor_pays() -> None:
    match = looed_deal(Match("loo", 6))
    assert last(match)["won"][3:] == last(match)["paid"][3:] == [0, 0, 0]
    assert match.scores == [-5, 5, -5, 0, 0, 0]


@pytest.mark.clause("LO-12")
def test_if_all_others_pass_the_dealer_takes_the_pot_unasked() -> None:
    match = dealt(NO_FLUSHES, dealer=3)
    play(match, "4 pass", "0 pass", "1 pass", "2 pass")
    assert match.awaiting == "deal"
    nothing = [0] * 5
    assert last(match) == {
        "deal": 1, "dealer": 3, "pot": 5, "tricks": nothing, "won": [0, 0, 0, 5, 0], "paid": nothing, "flush": None,
    }  # fmt: skip
    assert match.scores == nothing
    assert scene(match, None).result == ["{3} takes the pot of 5"]


@pytest.mark.clause("LO-13")
def test_a_single_player_who_is_in_takes_the_pot() -> None:
    match = dealt(NO_FLUSHES)
    play(match, "1 pass", "2 play", "3 pass", "4 pass")
    assert match.to_act == [0]
    play(match, "0 pass")
    assert (match.awaiting, last(match)["won"], last(match)["tricks"]) == ("deal", [0, 0, 5, 0, 0], [0] * 5)
    assert match.scores == [-5, 0, 5, 0, 0]


# --------------------------------------------------------------------------------------------------------- settling


@pytest.mark.clause("LO-36", "LO-38", "LO-39", "LO-40")
def test_example_7_a_pot_of_fifteen() -> None:
    match = Match("loo", 5, dealer=4)
    hands = five(s0=SWEEP, s1="2s 3s 4d 5d 6c", s2="4s 5s 6d 7d 8c")
    hurry(declare(play(match, deal_hands(hands, "2h", 4)), [0, 1, 2]), "play")
    while match.phase == "play":
        play(match, f"{match.to_act[0]} {match.legal(match.to_act[0])[0]}")
    assert (last(match)["paid"], match.report()["pot"], match.report()["dealer"]) == ([0, 5, 5, 0, 0], 10, 0)
    before = match.scores
    hands = five(s1="Ah Kh Qh 3s 2d", s3="2c 3c 9h Th 4c", s4="4s 5s 6d 7d 8c")
    hurry(declare(play(match, deal_hands(hands, "2h")), [1, 3, 4]), "play")
    assert match.report()["pot"] == 15
    play(match, "1 Ah", "3 9h", "4 4s", "1 Kh", "3 Th", "4 5s", "1 Qh", "3 2c", "4 6d")
    assert match.report()["points"] == [0, 9, 0, 0, 0]
    play(match, "1 3s", "3 3c", "4 7d", "1 2d", "3 4c", "4 8c")
    assert last(match)["tricks"] == [0, 5, 0, 0, 0]
    assert (last(match)["won"], last(match)["paid"]) == ([0, 15, 0, 0, 0], [0, 0, 0, 5, 5])
    assert match.scores == [before[0] - 5, before[1] + 15, before[2], before[3] - 5, before[4] - 5]
    assert play(match, match.draw_lots(Random(2))).report()["pot"] == 15
    assert match.report()["dealer"] == 1


@pytest.mark.clause("LO-36")
def test_every_trick_is_a_fifth_of_the_pot() -> None:
    hands = five(s1="Ah Kh Qh 3s 2d", s3="2c 3c Jh Th 4c", s4="4s 5s 3d 7d 8c")
    match = dealt(hands, "2h", [1, 3, 4], "play")
    play(match, "1 Ah", "3 Jh", "4 4s", "1 Kh", "3 Th", "4 5s", "1 3s", "3 2c", "4 3d")
    assert match.report()["points"] == [0, 3, 0, 0, 0]
    match = dealt(five(s1="Ah Kh 3s 4s 2d", s3="2c 3c Jh Th 5s", s4="6s 5h 3d 7d 8c"), "2h", [1, 3, 4], "play")
    play(match, "1 Ah", "3 Jh", "4 5h", "1 3s", "3 5s", "4 6s", "4 8c", "1 Kh", "3 2c", "1 2d", "3 Th", "4 3d")
    play(match, "3 3c", "4 7d", "1 4s")
    assert last(match)["tricks"] == last(match)["won"] == [0, 2, 0, 2, 1]
    assert last(match)["paid"] == [0] * 5


@pytest.mark.clause("LO-37", "LO-39")
def test_each_deal_pays_out_the_whole_pot_and_scores_and_pot_add_up_to_zero() -> None:
    for seed, match in enumerate(random_matches(25)):
        rng = Random(seed)
        while not match.done:
            seats = match.to_act
            match.event(match.draw_lots(rng) if match.awaiting else f"{seats[0]} {rng.choice(match.legal(seats[0]))}")
            report = match.report()
            assert sum(report["scores"]) + report["pot"] == 0
            assert report["pot"] % 5 == 0
            if report["last"]:
                assert sum(report["last"]["won"]) == report["last"]["pot"]


@pytest.mark.clause("LO-38", "LO-21")
def test_option_penalty_pot() -> None:
    match = Match("loo", 5, options={"penalty": "pot"})
    pots = []
    for _ in range(7):
        looed_deal(match)
        pots.append((last(match)["pot"], max(last(match)["paid"])))
    assert pots == [(5, 5), (10, 10), (15, 15), (20, 20), (25, 25), (30, 30), (35, 35)]
    match = Match("loo", 5, options={"penalty": "pot", "rounds": 10})
    for _ in range(25):
        looed_deal(match)
    assert (last(match)["pot"], max(last(match)["paid"])) == (105, 100)


@pytest.mark.clause("LO-38")
def test_who_was_in_and_won_no_trick_pays_five() -> None:
    match = looed_deal(Match("loo", 6))
    assert last(match)["paid"] == [0, 0, 5, 0, 0, 0]
    assert (match.report()["pot"], match.report()["dealer"], match.scores) == (5, 1, [-5, 5, -5, 0, 0, 0])


# -------------------------------------------------------------------------------------------------------- the match


@pytest.mark.clause("LO-40", "LO-41", "LO-42", "LO-44")
@pytest.mark.parametrize(("players", "chosen", "deals"), [(5, {}, 10), (6, {}, 12), (7, {"rounds": 1}, 7)])
def test_everybody_deals_twice_and_an_empty_pot_ends_the_match(
    players: int, chosen: dict[str, object], deals: int
) -> None:
    match = Match("loo", players, dealer=2, options=chosen)
    dealers = []
    while not match.done:
        dealers.append(match.report()["dealer"])
        free_deal(match)
    assert dealers == [(2 + k) % players for k in range(deals)]
    assert match.winners == list(range(players))
    assert match.report()["dealer"] == dealers[-1]
    assert refused(match, "0 play") == refused(match, "deal") == refused(match, "") == "LO-49"


@pytest.mark.clause("LO-42", "LO-44")
def test_example_9_the_end() -> None:
    match = Match("loo", 6)
    for _ in range(11):
        free_deal(match)
    looed_deal(match)
    assert (match.done, match.report()["deal"], match.report()["pot"]) == (False, 12, 5)
    play(match, match.draw_lots(Random(3)))
    assert match.report()["pot"] == 10
    assert "Extra deal 1 of at most 6" in scene(match, 0).headline
    declare(match, [])
    assert (match.done, match.report()["deal"], match.phase) == (True, 13, "done")
    assert match.winners == [seat for seat in range(6) if match.scores[seat] == max(match.scores)]


@pytest.mark.clause("LO-43")
@pytest.mark.parametrize(("penalty", "due"), [("five", [5] * 11), ("pot", list(range(5, 60, 5)))])
def test_in_the_last_of_n_extra_deals_nobody_pays(penalty: str, due: list[int]) -> None:
    match = Match("loo", 6, options={"rounds": 1, "penalty": penalty})
    paid = []
    while not match.done:
        paid.append(max(last(looed_deal(match))["paid"]))
    assert paid == [*due, 0]
    assert (match.report()["pot"], sum(match.scores)) == (0, 0)


@pytest.mark.clause("LO-43", "LO-21")
def test_nor_is_anything_paid_for_a_flush_in_it() -> None:
    match = Match("loo", 5, options={"rounds": 1})
    for _ in range(9):
        looed_deal(match)
    dealer = match.report()["dealer"]
    hands = [""] * 5
    hands[(dealer + 1) % 5] = "As Ks Qs 3s 2s"
    play(match, deal_hands(hands, "2h", dealer))
    declare(match, range(5))
    play(match, *(f"{(dealer + k) % 5} {'flush' if k == 1 else 'no'}" for k in range(1, 6)))
    assert (match.done, last(match)["paid"], match.report()["pot"]) == (True, [0] * 5, 0)


# -------------------------------------------------------------------------------------------------------- options


@pytest.mark.clause("LO-10")
def test_option_club_law() -> None:
    match = Match("loo", 5, options={"club_law": True})
    play(match, deal_hands(five(), "2c"))
    assert (match.phase, match.to_act, match.report()["in"]) == ("early", [1], [0, 1, 2, 3, 4])
    match = Match("loo", 5, options={"club_law": True})
    assert play(match, deal_hands(five(), "2d")).phase == "declare"


@pytest.mark.clause("LO-49")
def test_options_that_do_not_exist_are_refused() -> None:
    assert bad_header(unheard_of=1) == "LO-49"
    assert bad_header(rounds=0) == bad_header(rounds=11) == bad_header(rounds="2") == "LO-41"
    assert bad_header(penalty="ten") == "LO-21"
    assert bad_header(flush_pays=True) == "LO-11"
    assert bad_header(stock=None) == "LO-24"
    assert bad_header(head=1) == bad_header(head="true") == "LO-29"
    assert bad_header(civil=0) == "LO-33"
    assert bad_header(club_law="yes") == "LO-10"
    assert bad_header(ace_lead=1) == "LO-26"


# ----------------------------------------------------------------------------------------------------- the numbers


def test_no_number_of_the_rules_stands_anywhere_else() -> None:
    numbers = [number for number in LOO.declared_numbers.values() if isinstance(number.value, int)]
    assert not [twin for number in numbers for twin in literal_twins(LOO, number.value)]


@pytest.mark.clause("LO-3", "LO-7", "LO-37", "LO-38")
def test_a_variant_with_three_cards_and_another_best_card() -> None:
    three = LOO.variant("three-cards", numbers={"size": 3, "stake": 3, "looed": 6, "pam": read("Qs")})
    match = Match(three, 5, options={"rounds": 1}, chance=Random(3))
    looed = []
    while not match.done:
        assert all(len(hand) <= 3 for hand in match.report()["hands"])
        match.event(random_event(match, Random(len(match.events))))
        assert sum(match.scores) + match.report()["pot"] == 0
        if result := scene(match, None).result:
            looed += [line for line in result if line.startswith("Looed")]
        if match.phase == "play":
            assert describe(match.view(0)).order.trumps == ["Qs"]
    assert looed
    assert all(line.startswith("Looed, 6 chips each") for line in looed)


@pytest.mark.clause("LO-51")
def test_the_author_has_other_options_than_the_usual_table() -> None:
    game, author = games.load("loo"), {"flush_pays": "all"}
    assert (game.author, game.author_clause) == (author, "LO-51")
    assert all(game.declared_options[name].default_for(4) != value for name, value in author.items())
