"""Loo: the clauses of what each seat sees, and of the record."""

from random import Random
from typing import Any

import pytest
from games.loo.positions import (
    LOO,
    NAMES,
    NO_FLUSHES,
    cards,
    deal_hands,
    dealt,
    declare,
    five,
    hurry,
    last,
    looed_deal,
    marks,
    options,
    play,
    scene,
    state,
    ten_players,
)
from playing import refused
from playing import seen_by as sees

from upcard import Match
from upcard.engine.views import seen_event, told_text, view
from upcard.engine.worlds import Worlds
from upcard.rules import DEAL, RESHUFFLE
from upcard.rules.cards import NO_CARD, as_list, read, text
from upcard.rules.report import common_fields
from upcard.table.log import event_line
from upcard.table.scene import describe

# ----------------------------------------------------------------------------------------------- what each seat sees


@pytest.mark.clause("LO-45")
def test_what_everybody_sees() -> None:
    hands = five(s1="Ah Kh Qh 3s 2d", s3="2c 3c Jh Th 4c", s4="4s 5s 3d 7d 8c")
    match = dealt(hands, "2h", [1, 3, 4], "exchange", top="9s")
    play(match, "1 discard 3s", "3 keep", "4 keep")
    hurry(match, "play")
    play(match, "1 civil Ah", "3 Jh")
    for seat in (None, 0, 4):
        report, own = match.report(), sees(match, seat)
        seen = common_fields(own) | match.setup.report(own)
        names = ("upcard", "pot", "in", "stock", "discard", "civil", "leader", "tricks", "last")
        assert all(seen[name] == report[name] for name in names)
        assert match.setup.trick(own) == [(1, read("Ah")), (3, read("Jh"))]
        told = describe(match.view(seat), match.last_trick, NAMES)
        assert told.headline == "Deal 1 of 10 · pot 5 · hearts are trumps"
        assert [zone.id for zone in told.zones[:4]] == ["trick", "upcard", "stock", "dead"]
        assert [zone.count for zone in told.zones[:4]] == [2, 1, 25, 11]
        assert (told.zones[0].seats, told.ahead, told.pot, told.order.trumps) == ([1, 3], 1, 5, ["Jc"])
        assert "Pam be civil" in scene(match, seat).prompt
        assert marks(match, seat) == [
            {"Said": "pass"},
            {"Drew": 1, "Tricks": 0},
            {"Said": "pass"},
            {"Drew": 0, "Tricks": 0},
            {"Drew": 0, "Tricks": 0},
        ]
    play(match, "4 4s")
    assert sees(match, 0).played == cards("Ah Jh 4s")


@pytest.mark.clause("LO-45")
def test_who_is_in_out_or_not_yet_asked_is_seen_while_players_declare() -> None:
    match = play(dealt(NO_FLUSHES), "1 play", "2 pass")
    assert marks(match) == [{"Said": "–"}, {"Said": "play"}, {"Said": "pass"}, {"Said": "–"}, {"Said": "–"}]


@pytest.mark.clause("LO-45", "LO-48")
def test_others_hear_how_many_cards_are_changed_but_not_which() -> None:
    match = dealt(five(s1="As 4d 5c 6c 7d", s2="2c 3d 4c 8d 9d"), "Th", [1, 2], "exchange")
    event = match.play(1, "discard 4d 5c")
    for seat, words, line in (
        (0, "discard ·· ··", "Bo changes (2 cards)"),
        (1, "discard 4d 5c", "Bo changes 4♦ 5♣"),
    ):
        told = seen_event(event, seat)
        assert (told_text(LOO, told), event_line(match.setup, told, NAMES)) == (words, line)


@pytest.mark.clause("LO-46", "LO-48")
def test_a_seat_sees_its_own_hand_and_what_it_threw_away_itself() -> None:
    match = dealt(five(s1="As 4d 5c 6c 7d", s2="2c 3d 4c 8d 9d"), "Th", [1, 2], "exchange")
    play(match, "1 discard 4d 5c")
    own = scene(match, 1)
    assert [text(card) for card in own.zones[-1].cards] == ["4d", "5c"]
    assert own.zones[-1].owner == 1
    for seat in (None, 0, 2):
        seen = sees(match, seat)
        assert (seen.thrown[1], seen.buried[1], seen.hand[1]) == (0, 0, 0)
        assert seen.stock == [NO_CARD] * len(seen.stock)
        assert match.view(seat).aside["buried"] == (5, 2, 0, 5, 5)
    assert len(as_list(sees(match, 0).thrown[0])) == 5, "who passed knows that hand"
    assert sees(match, 0).thrown[3] == 0


@pytest.mark.clause("LO-46", "LO-48")
def test_after_a_reshuffle_a_seat_still_knows_what_it_threw_away() -> None:
    match = ten_players([1, 2, 3, 4])
    thrown = state(match).buried[5]
    two = next(move for move in match.legal(1) if len(move.split()) == 3)
    play(match, f"1 {two}")
    assert (state(match).awaiting, sees(match, 5).buried[5]) == (RESHUFFLE, thrown)
    play(match, match.draw_lots(Random(2)))
    assert (sees(match, 5).buried[5], sees(match, 5).thrown[5]) == (0, thrown)
    assert sees(match, 6).thrown[5] == 0


@pytest.mark.clause("LO-24", "LO-46", "LO-48")
def test_worlds_keep_to_what_a_seat_knows_of_cards_that_were_shuffled_again() -> None:
    rng = Random(6)
    for _ in range(6):
        match = ten_players([1, 2, 3, 4])
        while match.phase == "exchange":
            seats = match.to_act
            large = [move for seat in seats for move in match.legal(seat) if len(move.split()) > 3]
            match.event(match.draw_lots(rng) if match.awaiting else f"{seats[0]} {rng.choice(large)}")
            if match.awaiting or match.phase != "exchange":
                continue
            for seat in (1, 2, 5):
                seen = match.view(seat)
                again = sees(match, seat).thrown[seat] & ~sees(match, seat).buried[seat]
                made: Any = Worlds(seen).sample(rng)
                assert view(match.setup, made, seat) == seen
                drawn = [other for other in (1, 2, 3, 4) if state(match).changed[other] > 0]
                for other in {0, 1, 2, 3, 4, 6, 7, 8, 9} - {*drawn, seat}:
                    assert made.hand[other] & again == made.buried[other] & again == 0
                assert options(match).consistent(state(match), seat)
                (told,) = options(match).hypotheses(sees(match, seat), seat)
                assert not any(state(match).hand[other] & told.lacks[other] for other in range(10) if other != seat)


@pytest.mark.clause("LO-47")
def test_a_shown_flush_is_seen_by_all_and_a_looed_board_lays_all_hands_open() -> None:
    hands = five(s1="As Ks Qs 3s 2s", s2="2d 3d 4c 5c 6d", s4="7c 8c 9d Td 7s")
    match = dealt(hands, "Th", [1, 2, 4], "early")
    assert match.view(0).hand(1) == [None] * 5
    play(match, "1 flush")
    for seat in (None, 0, 2):
        assert [text(card) for card in match.view(seat).hand(1) if card is not None] == "As Ks Qs 3s 2s".split()
        assert match.view(seat).hand(4) == ([None] * 5)
    play(match, "2 no", "4 no")
    assert scene(match, 0).result == [
        "{1} looes the board with a flush and takes the pot of 5",
        "Looed, 5 chips each: {2} and {4}",
        "{1} held A♠ K♠ Q♠ 3♠ 2♠",
        "{2} held 6♦ 3♦ 2♦ 5♣ 4♣",
        "{4} held 7♠ 10♦ 9♦ 8♣ 7♣",
    ]


@pytest.mark.clause("LO-48")
def test_cards_of_a_deal_that_was_not_played_are_never_seen() -> None:
    match = Match("loo", 5)
    play(match, deal_hands(NO_FLUSHES, "2h"), "1 play", "2 pass", "3 pass", "4 pass")
    one = play(match, "0 pass").state
    other = Match("loo", 5)
    swapped = [NO_FLUSHES[1], NO_FLUSHES[0], *NO_FLUSHES[2:]]
    play(other, deal_hands(swapped, "2h"), "1 play", "2 pass", "3 pass", "4 pass", "0 pass")
    for seat in (None, 0, 1):
        assert view(match.setup, one, seat).state == other.view(seat).state
        assert describe(match.view(seat), (), NAMES).result == ["Bo takes the pot of 5"]


# -------------------------------------------------------------------------------------------------------- the record


@pytest.mark.clause("LO-2", "LO-49")
def test_deals_come_when_they_are_awaited_and_name_all_cards() -> None:
    match = Match("loo", 5)
    assert state(match).awaiting == DEAL
    good = match.draw_lots(Random(6))
    for event in ("0 play", "9 play", "reshuffle Ah", "draw Ah", "nonsense", ""):
        assert refused(match, event) == "LO-49"
    for event in ("deal", "deal As Ks", good + " As", good.replace("As", "Ks"), good.replace("As", "*"), "deal x"):
        assert refused(match, event) == "LO-2"
    play(match, good)
    assert refused(match, good) == refused(match, "reshuffle As") == "LO-49"


@pytest.mark.clause("LO-49")
def test_words_and_seats_that_do_not_fit_the_phase() -> None:
    match = dealt(NO_FLUSHES)
    for event in (
        "2 play",
        "7 play",
        f"{10**9} play",
        f"{10**30} pass",
        "1 no",
        "1 flush",
        "1 keep",
        "1 As",
        "1 civil As",
        "1 play now",
        "play",
        "1",
    ):
        assert refused(match, event) == "LO-49"
    hurry(declare(match, [1, 2]), "early")
    for event in ("1 play", "1 keep", "1 As", "2 no", "1 discard 2c", "1 flush 2c"):
        assert refused(match, event) == "LO-49"
    hurry(match, "play")
    for event in ("1 play", "1 keep", "1 no", "1 flush", "1 discard 2c", "1 2c 3c", "1 Zz"):
        assert refused(match, event) == "LO-49"


@pytest.mark.clause("LO-49")
def test_while_a_reshuffle_is_awaited_nobody_moves() -> None:
    match = ten_players([1, 2, 3, 4])
    play(match, f"1 {next(move for move in match.legal(1) if len(move.split()) == 3)}")
    for event in ("1 keep", "2 keep", str(match.events[0]), "draw As"):
        assert refused(match, event) == "LO-49"


@pytest.mark.clause("LO-39", "LO-45")
def test_when_a_deal_is_over_its_last_trick_and_its_chips_are_still_seen() -> None:
    match = looed_deal(Match("loo", 5))
    told = describe(match.view(0), match.last_trick, NAMES)
    assert told.last_trick is not None
    assert (told.last_trick.taker, told.last_trick.seats) == (1, [1, 2])
    assert [[mark.label, mark.value] for mark in told.finished[1]] == [["Chips", "5"], ["Tricks", "5"]]
    assert [[mark.label, mark.value] for mark in told.finished[2]] == [["Chips", "-5"], ["Tricks", "0"]]
    assert told.result == ["Looed, 5 chips each: Cy"]
    assert (told.pot, told.headline) == (5, "Deal 1 of 10 · pot 5")


@pytest.mark.clause("LO-39", "LO-49")
def test_when_a_deal_is_over_its_cards_are_gathered() -> None:
    match = looed_deal(Match("loo", 5))
    report = match.report()
    assert (report["hands"], report["trump"], report["upcard"], report["leader"]) == ([[]] * 5, None, None, None)
    assert (report["tricks"], report["points"], report["stock"], report["discard"]) == ([0] * 5, [0] * 5, 0, 0)
    assert (report["in"], report["civil"], report["trick"]) == ([0, 1, 2, 3, 4], False, [])
    assert (report["phase"], report["awaiting"], report["dealer"], report["pot"]) == ("deal", "deal", 1, 5)
    assert last(match) == {
        "deal": 1, "dealer": 0, "pot": 5, "tricks": [0, 5, 0, 0, 0], "won": [0, 5, 0, 0, 0], "paid": [0, 0, 5, 0, 0],
        "flush": None,
    }  # fmt: skip
