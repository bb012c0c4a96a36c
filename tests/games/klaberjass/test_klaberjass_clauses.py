"""Klaberjass: the worked examples of its page, and every clause."""

import random
from collections import Counter
from itertools import combinations

import pytest
from playing import explained, play_out, refused, refused_header
from playing import seen_by as sees

from upcard import Match, games
from upcard.engine.views import seen_event, told_text
from upcard.engine.worlds import Worlds
from upcard.games.klaberjass import Klaberjass
from upcard.games.klaberjass.rules import LONG_RUN, NO_RANK, NO_RUN, SHORT_RUN, KlaberjassState
from upcard.rules.cards import (
    CLUBS,
    HEARTS,
    NINE,
    NO_CARD,
    QUEEN,
    SPADES,
    CardSet,
    as_list,
    as_set,
    count,
    pack,
    read,
    text,
)
from upcard.rules.lineage import literal_twins
from upcard.table.scene import describe

PACK = [text(card) for card in pack("AKQJT987")]


KLABERJASS = games.load("klaberjass")
OPTIONS = Klaberjass()
cards = CardSet.of


def deal_hands(nondealer: str, dealer: str, upcard: str, bottom: str = "") -> str:
    """A deal that gives these hands of nine, whose last three cards come after the bidding (or hands of six)."""
    first, second = nondealer.split(), dealer.split()
    top = [*first[:3], *second[:3], *first[3:6], *second[3:6], upcard, *first[6:], *second[6:]]
    rest = [card for card in PACK if card not in [*top, *bottom.split()]]
    return " ".join(["deal", *top, *rest, *bottom.split()])


def play(match: Match[KlaberjassState], *events: str) -> Match[KlaberjassState]:
    for event in events:
        match.event(event)
    return match


def dealt(nondealer: str, dealer: str, upcard: str, **options: object) -> Match[KlaberjassState]:
    """Seat 0 deals; seat 1 is the first to bid."""
    return play(Match(KLABERJASS, options=options), deal_hands(nondealer, dealer, upcard))


def declaring(nondealer: str, dealer: str, upcard: str, **options: object) -> Match[KlaberjassState]:
    """Seat 0 deals, seat 1 accepts; its declaration is next."""
    return play(dealt(nondealer, dealer, upcard, **options), "1 accept")


def playing(nondealer: str, dealer: str, upcard: str, **options: object) -> Match[KlaberjassState]:
    """The same when nothing was declared; seat 1 leads."""
    return play(declaring(nondealer, dealer, upcard, **options), "1 none", "0 none")


def bad_header(players: object = 2, dealer: object = 0, **options: object) -> str | None:
    return refused_header(KLABERJASS, players, dealer, **options)


def scored(
    maker: int, points: list[int], scores: list[int], dealer: int = 1, **options: object
) -> Match[KlaberjassState]:
    """A match in which a deal with these hand scores has just ended."""
    match = Match(KLABERJASS, dealer=dealer, options=options)
    now = match.state
    now.maker, now.points, now.scores, now.deals, now.awaiting = maker, points, scores, 1, 0
    Klaberjass(2, options).score(now)
    return match


def finish_deal(match: Match[KlaberjassState]) -> Match[KlaberjassState]:
    """The rest of the deal, everybody playing the first card that is legal, without calls."""
    while match.phase == "play":
        seat = match.to_act[0]
        match.event(f"{seat} {match.legal(seat)[0]}")
    return match


# Nondealer and dealer, with an Ah turned up: each has one twenty, the dealer the dix.
NINE_HIGH = "9s 8s 7s Kh 8h Kc Tc As Ad"
QUEEN_HIGH = "Qd Jd Td 7h 9h 8c 7c Ks Qc"


# ------------------------------------------------------------------------------------------- players, cards and values


@pytest.mark.clause("KJ-1", "KJ-8")
def test_two_players_and_a_first_dealer() -> None:
    assert Match(KLABERJASS).players == 2
    assert [bad_header(players) for players in (1, 3, "2", True)] == ["KJ-1"] * 4
    assert [bad_header(2, dealer) for dealer in (2, -1, True, None)] == ["KJ-8"] * 4
    assert Match(KLABERJASS, dealer=1).report()["dealer"] == 1


@pytest.mark.clause("KJ-2", "KJ-12")
def test_the_pack_has_32_cards() -> None:
    assert len(PACK) == 32
    match = Match(KLABERJASS)
    wrong = [PACK[1:], [*PACK, "As"], [*PACK[1:], PACK[1]], [*PACK[1:], "6s"], []]
    assert [refused(match, " ".join(["deal", *pack])) for pack in wrong] == ["KJ-12"] * 5
    assert play(match, " ".join(["deal", *PACK])).phase == "bid"


@pytest.mark.clause("KJ-3", "KJ-4", "KJ-47")
@pytest.mark.parametrize(("order", "suit"), [("A T K Q J 9 8 7", "s"), ("J 9 A T K Q 8 7", "h")])
def test_strength_in_a_plain_suit_and_in_trumps(order: str, suit: str) -> None:
    ranks = order.split()
    for i, strong in enumerate(ranks):
        for weak in ranks[i + 1 :]:
            for first, second, taker in ((strong, weak, 0), (weak, strong, 1)):
                match = playing(NINE_HIGH, QUEEN_HIGH, "Ah")
                now = match.state
                now.leader, now.to_act = 0, 1
                now.hand = [cards(f"{first}{suit} 7d"), cards(f"{second}{suit} 8d")]
                play(match, f"0 {first}{suit}", f"1 {second}{suit}")
                assert match.to_act == [taker]
                assert match.report()["tricks"] == [int(taker == 0), int(taker == 1)]


@pytest.mark.clause("KJ-5", "KJ-26", "KJ-27")
def test_sequences_run_in_natural_order_and_are_whole() -> None:
    def found(hand: str) -> list[str]:
        return [" ".join(map(text, run)) for run in OPTIONS.sequences(cards(hand), HEARTS)]

    assert found("Ah Kh Qh Jh Th 9h") == ["Ah Kh Qh Jh Th 9h"]
    assert found("9s 8s 7s") == ["9s 8s 7s"]
    assert found("8s 7s As Ks") == found("Ts Ks Qs 9c 8c") == []
    assert found("As 7c 8c Kd Ad") == []
    assert found("Ks Qs Js 9s 8s 7s") == ["Ks Qs Js", "9s 8s 7s"]
    worth = {"9s 8s 7s": 20, "Ts 9s 8s 7s": 50, "As Ks Qs Js Ts 9s": 50, "As Ks Qs Js Ts 9s 8s": 50}
    assert {hand: OPTIONS.worth_of_all(cards(hand)) for hand in worth} == worth
    assert OPTIONS.worth_of_all(cards("Ks Qs Js 9s 8s 7s 9h 8h 7h")) == 60
    assert OPTIONS.worth_of_all(cards("Ks Qs Js Ts 9h 8h 7h")) == 70
    assert OPTIONS.worth_of_all(cards(" ".join(PACK))) == 200


@pytest.mark.clause("KJ-6", "KJ-7")
def test_what_cards_count() -> None:
    match = playing(NINE_HIGH, QUEEN_HIGH, "Ah")
    count_of = {card: OPTIONS.points_of(match.state, read(card) or 0) for card in PACK}
    assert [count_of[f"{rank}h"] for rank in "J9ATKQ87"] == [20, 14, 11, 10, 4, 3, 0, 0]
    assert [count_of[f"{rank}s"] for rank in "ATKQJ987"] == [11, 10, 4, 3, 2, 0, 0, 0]
    report = finish_deal(match).report()
    in_play = (NINE_HIGH + " " + QUEEN_HIGH).split()
    assert sum(report["points"]) == sum(count_of[card] for card in in_play) + 10
    assert sum(report["points"]) < sum(count_of.values()) + 10  # the rest is counted for nobody


# ------------------------------------------------------------------------------------------------- deal and bidding


@pytest.mark.clause("KJ-9", "KJ-10", "KJ-11", "KJ-15")
def test_the_deal() -> None:
    match = Match(KLABERJASS)
    report = match.report()
    assert (report["round"], report["maker"], report["upcard"], report["last"]) == (0, None, None, None)
    play(match, " ".join(["deal", *PACK]))
    report = match.report()
    assert [set(hand) for hand in report["hands"]] == [{*PACK[3:6], *PACK[9:12]}, {*PACK[0:3], *PACK[6:9]}]
    assert (report["upcard"], report["trump"], report["stock"], report["to_act"]) == (PACK[12], None, None, [1])
    report = play(match, "1 pass", "0 pass", "1 name s").report()
    assert set(report["hands"][1]) == {*PACK[0:3], *PACK[6:9], *PACK[13:16]}
    assert set(report["hands"][0]) == {*PACK[3:6], *PACK[9:12], *PACK[16:19]}
    assert (report["upcard"], report["bottom"], report["trump"]) == (PACK[12], None, "s")
    left = match.state.undealt | match.state.under
    assert {text(card) for card in as_list(left)} == set(PACK[19:])


@pytest.mark.clause("KJ-11", "KJ-65")
def test_the_bottom_card_is_turned_up_only_if_the_table_says_so() -> None:
    hidden = declaring(NINE_HIGH, QUEEN_HIGH, "Ah")
    assert hidden.report()["bottom"] is None
    match = Match(KLABERJASS, options={"bottom": "shown"})
    play(match, deal_hands(NINE_HIGH, QUEEN_HIGH, "Ah", "Jc"))
    assert match.report()["bottom"] is None
    assert sees(match, 0).under == 0
    assert play(match, "1 accept").report()["bottom"] == "Jc"
    assert text(sees(match, 0).bottom) == "Jc"
    scene = describe(match.view(0))
    assert scene.zone("bottom").cards == ["Jc"]
    assert (describe(hidden.view(0)).zone("pack").count, scene.zone("pack").count) == (13, 12)


@pytest.mark.clause("KJ-13", "KJ-14", "KJ-15", "KJ-22")
def test_who_may_bid_what() -> None:
    match = dealt(NINE_HIGH, QUEEN_HIGH, "Ah")
    for seat in (1, 0):
        assert match.to_act == [seat]
        assert set(match.legal(seat)) == {"accept", "pass", "schmeiss"}
        assert refused(match, f"{seat} name s") == "KJ-13"
        play(match, f"{seat} pass")
    assert match.report()["round"] == 2
    for seat in (1, 0):
        assert match.to_act == [seat]
        assert set(match.legal(seat)) == {"name s", "name d", "name c", "pass", "schmeiss"}
        assert refused(match, f"{seat} accept") == refused(match, f"{seat} name h") == "KJ-15"
        if seat == 1:
            play(match, "1 pass")
    assert play(match, "0 name d").report()["maker"] == 0


@pytest.mark.clause("KJ-13", "KJ-15", "KJ-17")
def test_option_schmeiss() -> None:
    match = dealt(NINE_HIGH, QUEEN_HIGH, "Ah", schmeiss="no")
    assert set(match.legal(1)) == {"accept", "pass"}
    assert refused(match, "1 schmeiss") == "KJ-13"
    assert "schmeiss where that is allowed" in explained(match, "1 schmeiss")
    play(match, "1 pass", "0 pass")
    assert set(match.legal(1)) == {"name s", "name d", "name c", "pass"}
    assert refused(match, "1 schmeiss") == "KJ-15"
    assert "schmeiss where that is allowed" in explained(match, "1 schmeiss")
    assert refused(match, "1 yes") == "KJ-17"


@pytest.mark.clause("KJ-16", "KJ-18", "KJ-57")
@pytest.mark.parametrize("words", [["1 pass", "0 pass", "1 pass", "0 pass"], ["1 schmeiss", "0 yes"]])
def test_a_deal_that_is_thrown_in(words: list[str]) -> None:
    for option in ("winner", "alternate"):
        report = play(dealt(NINE_HIGH, QUEEN_HIGH, "Ah", deal=option), *words).report()
        assert (report["phase"], report["dealer"], report["deal"], report["scores"]) == ("deal", 0, 1, [0, 0])
        assert report["last"] == {"how": "thrown", "hand": [0, 0], "added": [0, 0]}
        assert ([len(hand) for hand in report["hands"]], report["upcard"]) == ([6, 6], "Ah")


@pytest.mark.clause("KJ-17", "KJ-19", "KJ-21")
def test_example_7_compelled_in_the_first_round() -> None:
    match = play(dealt(NINE_HIGH, QUEEN_HIGH, "Ah"), "1 schmeiss")
    assert (match.phase, match.to_act, set(match.legal(0))) == ("answer", [0], {"no", "yes"})
    assert [refused(match, f"0 {word}") for word in ("accept", "pass", "schmeiss", "name s")] == ["KJ-17"] * 4
    report = play(match, "0 no").report()
    assert (report["maker"], report["trump"], report["phase"], report["to_act"]) == (1, "h", "declare", [1])
    assert [len(hand) for hand in report["hands"]] == [9, 9]
    assert refused(match, "1 no") == "KJ-17"
    report = play(dealt(NINE_HIGH, QUEEN_HIGH, "Ah"), "1 pass", "0 schmeiss", "1 no").report()
    assert (report["maker"], report["trump"], report["to_act"]) == (0, "h", [1])


@pytest.mark.clause("KJ-20", "KJ-21", "KJ-22")
def test_example_7_compelled_in_the_second_round() -> None:
    match = play(dealt(NINE_HIGH, QUEEN_HIGH, "Ah"), "1 pass", "0 pass", "1 schmeiss", "0 no")
    assert (match.phase, match.to_act) == ("name", [1])
    assert set(match.legal(1)) == {"name s", "name d", "name c"}
    assert [refused(match, f"1 {word}") for word in ("pass", "schmeiss", "accept", "name h")] == ["KJ-20"] * 4
    report = play(match, "1 name c").report()
    assert (report["maker"], report["trump"], report["round"], report["to_act"]) == (1, "c", 2, [1])


# ----------------------------------------------------------------------------------------------------------- the dix


DIX = ("9s 8s 7s Tc 8h Kc Ac As Ad", "7h Qh Jd Td 9h 8c 7c Ks Qc", "Kh")


@pytest.mark.clause("KJ-23", "KJ-24", "KJ-27", "KJ-63")
def test_example_6_the_dix_makes_a_bela() -> None:
    match = declaring(*DIX)
    assert refused(match, "1 dix") == "KJ-23"
    play(match, "1 twenty")
    assert set(match.legal(0)) == {"good", "dix"}
    report = play(match, "0 dix").report()
    assert (report["upcard"], report["to_act"], match.legal(0)) == ("7h", [0], ["good"])
    assert {"Kh", "Qh"} <= set(report["hands"][0])
    assert sees(match, 1).hand[0] == sees(match, None).hand[0] == cards("Kh")
    assert refused(match, "0 dix") == "KJ-23"  # the seven is out of the hand
    play(match, "0 good", "1 8h")
    assert "bela Kh" in match.legal(0)


@pytest.mark.clause("KJ-23", "KJ-27")
def test_the_upcard_may_make_a_sequence() -> None:
    match = declaring("7h Qh Jh Td 9d 8c 7c Ks Qd", "9s 8s 7s Jd 8h Kc Tc As Ad", "Kh")
    assert set(match.legal(1)) == {"none", "dix"}
    assert set(play(match, "1 dix").legal(1)) == {"none", "twenty"}


@pytest.mark.clause("KJ-23", "KJ-24", "KJ-25")
def test_when_there_is_no_exchange() -> None:
    match = declaring(*DIX)
    play(match, "1 twenty", "0 good")
    assert refused(match, "1 dix") == "KJ-23"
    play(match, "1 8h")
    assert refused(match, "0 dix") == "KJ-24"
    after_how_high = play(declaring(NINE_HIGH, QUEEN_HIGH, "Ah"), "1 twenty", "0 how high")
    assert refused(after_how_high, "0 dix") == "KJ-24"
    named = play(dealt(*DIX), "1 pass", "0 pass", "1 name s")
    assert set(named.legal(1)) == {"none", "twenty"}  # it holds 7s
    assert refused(named, "1 dix") == "KJ-23"
    itself = declaring("9s 8s 7s Tc 8h Kc Ac As Ad", "Kh Qh Jd Td 9h 8c 7c Ks Qc", "7h")
    assert refused(itself, "1 dix") == "KJ-23"
    assert "dix" not in play(itself, "1 none").legal(0)


@pytest.mark.clause("KJ-23")
def test_a_refused_schmeiss_in_the_first_round_opens_the_exchange() -> None:
    match = play(dealt(*DIX), "1 schmeiss", "0 no", "1 none")
    assert set(match.legal(0)) == {"none", "dix"}


# ------------------------------------------------------------------------------------------------- the declarations


@pytest.mark.clause("KJ-28")
def test_which_sequence_is_better() -> None:
    ranked = ["Jh Th 9h 8h 7h", "Js Ts 9s 8s", "Td 9d 8d 7d", "Ah Kh Qh", "As Ks Qs", "Kh Qh Jh", "9c 8c 7c"]
    for better, worse in combinations(ranked, 2):
        if better[1] != worse[1]:
            assert OPTIONS.best_sequence(cards(f"{better} {worse}"), HEARTS) == read(better[:2])
    equal = cards("As Ks Qs Ad Kd Qd Ac Kc Qc")
    assert [text(run[0]) for run in OPTIONS.sequences(equal, HEARTS)] == ["As", "Ad", "Ac"]
    assert [text(run[0]) for run in OPTIONS.sequences(equal, CLUBS)] == ["Ac", "As", "Ad"]
    kinds = {"As Ks Qs Js Ts": LONG_RUN, "As Ks Qs Js": LONG_RUN, "As Ks Qs": SHORT_RUN, "As Ks Js": NO_RUN}
    tops = {run: OPTIONS.best_sequence(cards(run), HEARTS) for run in kinds}
    assert {run: OPTIONS.kind_of(cards(run), top) for run, top in tops.items()} == kinds
    assert tops["As Ks Js"] == NO_CARD


@pytest.mark.clause("KJ-29", "KJ-30")
def test_the_nondealer_says_truly_what_is_best_or_nothing() -> None:
    match = declaring(NINE_HIGH, QUEEN_HIGH, "Ah")
    assert set(match.legal(1)) == {"none", "twenty"}
    assert refused(match, "1 fifty") == "KJ-29"
    match = declaring("Ts 9s 8s 7s Ah Kh Qh Kd 8d", QUEEN_HIGH, "Th")
    assert set(match.legal(1)) == {"none", "fifty"}
    assert refused(match, "1 twenty") == "KJ-29"
    report = finish_deal(play(match, "1 none", "0 none")).report()
    assert (report["holder"], report["meld"], report["shown"]) == (None, 0, [])


@pytest.mark.clause("KJ-31", "KJ-32", "KJ-33", "KJ-37")
def test_example_1_the_talk() -> None:
    match = play(declaring(NINE_HIGH, QUEEN_HIGH, "Ah"), "1 twenty")
    assert set(match.legal(0)) == {"good", "how high", "dix"}
    assert [refused(match, f"0 {word}") for word in ("none", "twenty", "not good", "also")] == ["KJ-31"] * 4
    play(match, "0 how high")
    assert describe(match.view(0)).prompt == "Your turn: the twenty is nine high: answer it"
    assert set(match.legal(0)) == {"good", "not good"}
    assert [refused(match, f"0 {word}") for word in ("none", "also", "how high")] == ["KJ-33"] * 3
    report = play(match, "0 not good").report()
    assert (report["holder"], report["meld"], report["shown"], report["to_act"]) == (0, 20, [], [1])
    assert [[(mark.label, mark.value) for mark in seat.marks] for seat in describe(match.view(1)).seats] == [
        [("Points", "0"), ("Tricks", "0"), ("Sequence", "twenty Q wins")],
        [("Points", "0"), ("Maker", "♥"), ("Tricks", "0"), ("Sequence", "twenty 9")],
    ]
    for words in (["0 good"], ["0 how high", "0 good"]):
        assert play(declaring(NINE_HIGH, QUEEN_HIGH, "Ah"), "1 twenty", *words).report()["holder"] == 1


@pytest.mark.clause("KJ-31")
def test_a_fifty_answers_a_twenty() -> None:
    match = play(declaring(NINE_HIGH, "Qd Jd Td 9d 9h 8c 7c Ks Qc", "Ah"), "1 twenty")
    assert set(match.legal(0)) == {"good", "not good"}
    report = play(match, "0 not good").report()
    assert (report["holder"], report["meld"]) == (0, 50)
    lower = play(declaring("Qd Jd Td 9d 9h 8c 7c Ks Qc", NINE_HIGH, "Ah"), "1 fifty")
    assert lower.legal(0) == ["good"]


@pytest.mark.clause("KJ-33", "KJ-34", "KJ-37")
def test_example_2_same_height_one_in_trumps() -> None:
    match = declaring("Kh Qh Jh 9s 8s 7s Tc 8d 7d", "Ks Qs Js 9c 8c 7c Td Jd 9d", "Ah")
    play(match, "1 twenty", "0 how high")
    assert set(match.legal(0)) == {"good", "also"}
    report = play(match, "0 also").report()
    assert (report["holder"], report["meld"]) == (1, 40)
    assert list(sees(match, None).suit) == [SPADES, HEARTS]
    match = declaring("Ks Qs Js 9c 8c 7c Td Jd 9d", "Kh Qh Jh 9s 8s 7s Tc 8d 7d", "Ah")
    assert play(match, "1 twenty", "0 how high", "0 also").report()["holder"] == 0


@pytest.mark.clause("KJ-34", "KJ-35", "KJ-37")
@pytest.mark.parametrize(("equal", "holder", "meld"), [("none", None, 0), ("nondealer", 1, 40)])
def test_example_2_same_height_both_plain(equal: str, holder: int | None, meld: int) -> None:
    match = declaring("Ks Qs Js 9s 8s 7s 7h 8d 7d", "Kc Qc Jc Ts 8c 9c Td Jd 8h", "Ah", equal=equal)
    report = play(match, "1 twenty", "0 how high", "0 also").report()
    assert (report["holder"], report["meld"]) == (holder, meld)
    shown = [] if holder is None else [["Ks", "Qs", "Js"], ["9s", "8s", "7s"]]
    assert finish_deal(match).report()["shown"] == shown


@pytest.mark.clause("KJ-36", "KJ-37")
def test_after_none_the_dealer_may_declare() -> None:
    match = play(declaring(NINE_HIGH, QUEEN_HIGH, "Ah"), "1 none")
    assert set(match.legal(0)) == {"none", "twenty", "dix"}
    assert refused(match, "0 fifty") == "KJ-36"
    assert refused(match, "0 good") == "KJ-31"
    assert refused(match, "0 also") == "KJ-33"
    report = play(match, "0 twenty").report()
    assert (report["holder"], report["meld"], report["phase"]) == (0, 20, "play")
    silent = play(declaring(NINE_HIGH, QUEEN_HIGH, "Ah"), "1 none", "0 none").report()
    assert (silent["holder"], silent["meld"]) == (None, 0)


HOLDS_SPADES = ("As Ks Qs 7d 8d 7c 8c Tc 8h", "Ts Js 9s Ah Th Kh 7h Jd Kd", "Qh")


@pytest.mark.clause("KJ-38", "KJ-39")
def test_sequences_are_shown_after_the_first_trick_and_score_at_once() -> None:
    match = play(declaring(*HOLDS_SPADES), "1 twenty", "0 good", "1 As")
    assert match.report()["shown"] == []
    assert sees(match, 0).hand[1] == 0
    report = play(match, "0 9s").report()
    assert (report["points"], report["shown"]) == ([0, 31], [["As", "Ks", "Qs"]])
    assert sees(match, 0).hand[1] == cards("Ks Qs")


@pytest.mark.clause("KJ-38", "KJ-39")
def test_sequences_score_with_the_first_trick_that_the_holder_wins() -> None:
    match = play(declaring(*HOLDS_SPADES), "1 twenty", "0 good", "1 7d", "0 Jd")
    assert (match.report()["points"], match.report()["shown"]) == ([2, 0], [["As", "Ks", "Qs"]])
    assert play(match, "0 9s", "1 As").report()["points"] == [2, 31]
    assert play(match, "1 Ks", "0 Ts").report()["points"] == [16, 31]


TRICKLESS = ("Ts 9s 8s 7s Kh Qh 7d 8d 7c", "Jh 9h Ah Th Ac Tc Kc Qc Jc", "8h")


@pytest.mark.clause("KJ-39", "KJ-49", "KJ-50", "KJ-51", "KJ-52")
@pytest.mark.parametrize(
    ("first", "second", "points"), [("Kh", "Qh", 0), ("bela Kh", "bela Qh", 20), ("bela Kh", "Qh", 0)]
)
def test_example_3_no_trick_no_points_but_the_bela_stands(first: str, second: str, points: int) -> None:
    match = play(declaring(*TRICKLESS), "1 fifty", "0 good", "1 7d", "0 Jh")
    report = match.report()
    assert (report["shown"], report["meld"], report["points"][1]) == ([["Ts", "9s", "8s", "7s"]], 50, 0)
    play(match, "0 Ah")
    assert set(match.legal(1)) == {"Kh", "Qh", "bela Kh", "bela Qh"}
    play(match, f"1 {first}")
    assert match.report()["bela"] == [0, 0]
    report = play(match, "0 Th", f"1 {second}").report()
    assert (report["points"][1], report["bela"]) == (points, [0, points])
    report = finish_deal(match).report()
    assert (report["tricks"], report["points"][1], report["last"]["how"]) == ([9, 0], points, "bate")
    assert report["scores"] == [sum(report["points"]), 0]


@pytest.mark.clause("KJ-40")
def test_the_other_players_sequences_score_nothing_and_are_not_shown() -> None:
    match = play(declaring(NINE_HIGH, QUEEN_HIGH, "Ah"), "1 twenty", "0 how high", "0 not good", "1 Tc", "0 Qc")
    assert match.report()["shown"] == [["Qd", "Jd", "Td"]]
    assert match.report()["points"] == [0, 13]
    assert sees(match, 0).hand[1] == 0
    assert finish_deal(match).report()["shown"] == [["Qd", "Jd", "Td"]]


# --------------------------------------------------------------------------------------------------------- the play


@pytest.mark.clause("KJ-41", "KJ-47", "KJ-48")
def test_the_nondealer_leads_any_card_and_then_the_winner_of_the_trick() -> None:
    match = playing(NINE_HIGH, QUEEN_HIGH, "Ah")
    assert (match.to_act, match.report()["leader"], len(match.legal(1))) == ([1], 1, 9)
    play(match, "1 Tc")
    assert match.report()["trick"] == [[1, "Tc"]]
    assert explained(match, "0 Tc") == "You do not hold 10♣."
    play(match, "0 8c", "1 Kh", "0 9h")
    assert (match.to_act, match.report()["tricks"], match.report()["points"]) == ([0], [1, 1], [18, 10])
    assert len(match.legal(0)) == 7
    assert refused(match, "0 As") == refused(match, "0 2c") == "KJ-41"
    report = finish_deal(match).report()
    assert (sum(report["tricks"]), report["hands"], report["leader"]) == (9, [[], []], None)


@pytest.mark.clause("KJ-42", "KJ-43", "KJ-44", "KJ-45", "KJ-46")
@pytest.mark.parametrize(
    ("led", "hand", "may", "clause"),
    [
        ("Ah", "9h Th 7h 8s", "9h", "KJ-42"),
        ("Jh", "9h Th 7h 8s", "9h Th 7h", "KJ-43"),
        ("Ks", "7h 8d 9d", "7h", "KJ-44"),
        ("Ks", "7h 8s As", "8s As", "KJ-43"),
        ("Ks", "8d 9d", "8d 9d", ""),
        ("Ah", "8d 9d", "8d 9d", ""),
    ],
)
def test_example_5_obligations(led: str, hand: str, may: str, clause: str) -> None:
    match = playing(NINE_HIGH, QUEEN_HIGH, "Ah")
    match.state.hand[1] |= cards(led)
    play(match, f"1 {led}")
    match.state.hand[0] = cards(hand)
    assert set(match.legal(0)) == set(may.split())
    for name in set(hand.split()) - set(may.split()):
        assert refused(match, f"0 {name}") == refused(match, f"0 bela {name}") == clause


# -------------------------------------------------------------------------------------------------------------- bela


@pytest.mark.clause("KJ-5", "KJ-27", "KJ-49", "KJ-50")
def test_example_4_one_fifty_and_a_bela_in_it() -> None:
    match = declaring("Ah Kh Qh Jh Th 9h 7s 8d 9c", "8h As Ks Ts Ad Kd Ac Kc Tc", "7h")
    play(match, "1 fifty", "0 good", "1 bela Kh", "0 8h", "1 bela Qh")
    report = match.report()
    assert (report["meld"], report["bela"], report["points"]) == (50, [0, 20], [0, 4 + 50 + 20])


BELA = ("Kh Qh 7d 8d 9s 8s 7c 8c Ts", "Ah Th Jh 9h As Ks Qs Ac Tc", "8h")


@pytest.mark.clause("KJ-49", "KJ-50", "KJ-51")
def test_without_the_first_call_there_is_no_second() -> None:
    match = playing(*BELA)
    assert refused(match, "1 bela 7d") == "KJ-49"
    assert {"Kh", "Qh", "bela Kh", "bela Qh"} <= set(match.legal(1))
    play(match, "1 Kh", "0 Ah", "0 Th")
    assert match.legal(1) == ["Qh"]
    assert refused(match, "1 bela Qh") == "KJ-50"
    assert play(match, "1 Qh").report()["bela"] == [0, 0]
    called = play(playing(*BELA), "1 bela Qh", "0 Ah", "0 Th")
    assert set(called.legal(1)) == {"Kh", "bela Kh"}
    assert play(called, "1 bela Kh").report()["points"] == [11 + 3 + 10 + 4, 20]


@pytest.mark.clause("KJ-49", "KJ-50", "KJ-51")
def test_option_bela_auto() -> None:
    match = playing(*BELA, bela="auto")
    assert explained(match, "1 bela Kh").startswith("Where the bela is called")
    assert refused(match, "1 bela Kh") == "KJ-49"
    play(match, "1 Kh", "0 Ah", "0 Th")
    assert match.legal(1) == ["Qh"]
    assert refused(match, "1 bela Qh") == "KJ-50"
    assert match.report()["bela"] == [0, 0]
    assert play(match, "1 Qh").report()["bela"] == [0, 20]
    alone = playing(BELA[0].replace("Qh", "7h"), *BELA[1:], bela="auto")
    assert play(alone, "1 Kh", "0 Ah").report()["bela"] == [0, 0]


@pytest.mark.clause("KJ-64")
def test_a_call_tells_where_the_other_card_is() -> None:
    match = play(playing(*BELA), "1 bela Qh", "0 Ah")
    assert sees(match, 0).hand[1] == cards("Kh")
    plain = play(playing(*BELA), "1 Qh", "0 Ah")
    assert sees(plain, 0).hand[1] == 0


# -------------------------------------------------------------------------------------------------------- the score


@pytest.mark.clause("KJ-53")
def test_the_last_trick_counts_ten() -> None:
    match = playing(NINE_HIGH, QUEEN_HIGH, "Ah")
    before = [0, 0]
    while match.phase == "play":
        before = match.report()["points"] if not match.report()["trick"] else before
        seat = match.to_act[0]
        last = match.report()["trick"]
        play(match, f"{seat} {match.legal(seat)[0]}")
    taker = match.state.taker
    worth = sum(
        OPTIONS.points_of(match.state, read(card) or 0) for card in (last[0][1], str(match.events[-1]).split()[1])
    )
    assert match.report()["points"][taker] == before[taker] + worth + 10
    assert match.report()["last"]["hand"] == match.report()["points"]


@pytest.mark.clause("KJ-54", "KJ-55", "KJ-56", "KJ-57")
@pytest.mark.parametrize(
    ("maker", "points", "how", "added", "dealer"),
    [
        (0, [61, 58], "made", [61, 58], 0),
        (1, [58, 61], "made", [58, 61], 1),
        (0, [58, 58], "level", [0, 58], 1),
        (1, [58, 58], "level", [58, 0], 0),
        (1, [67, 52], "bate", [119, 0], 0),
        (0, [52, 67], "bate", [0, 119], 1),
    ],
)
def test_example_8_counting(maker: int, points: list[int], how: str, added: list[int], dealer: int) -> None:
    for first in (0, 1):
        report = scored(maker, points, [0, 0], first).report()
        assert report["last"] == {"how": how, "hand": points, "added": added}
        assert (report["scores"], report["phase"], report["dealer"]) == (added, "deal", dealer)
        assert scored(maker, points, [0, 0], first, deal="alternate").report()["dealer"] == 1 - first


@pytest.mark.clause("KJ-54", "KJ-55", "KJ-56")
def test_a_result_is_told_in_words() -> None:
    def words(maker: int, points: list[int]) -> list[str]:
        scene = describe(scored(maker, points, [0, 0]).view(None), (), ["Ann", "Bo"])
        assert [marks[0].value for marks in scene.finished] == list(map(str, points))
        return scene.result[:1]

    assert words(0, [61, 58]) == ["Ann makes it"]
    assert words(1, [58, 58]) == ["Level: Bo scores nothing"]
    assert words(1, [67, 52]) == ["Bo is bate: Ann scores everything"]


@pytest.mark.clause("KJ-58", "KJ-59")
@pytest.mark.parametrize(
    ("scores", "points", "winners", "after"),
    [
        ([470, 480], [66, 60], [1], [536, 540]),  # example 9
        ([440, 430], [61, 60], [0], [501, 490]),
        ([439, 439], [61, 60], [], [500, 499]),
        ([480, 481], [61, 60], [], [541, 541]),
    ],
)
def test_example_9_the_end(scores: list[int], points: list[int], winners: list[int], after: list[int]) -> None:
    match = scored(0, points, scores)
    assert (match.scores, match.done) == (after, winners != [])
    assert match.report()["winners"] == winners
    assert match.report()["dealer"] == (1 if winners else 0)


@pytest.mark.clause("KJ-58")
def test_option_target() -> None:
    assert scored(0, [61, 60], [0, 0], target=61).report()["winners"] == [0]
    assert not scored(0, [61, 60], [0, 0], target=62).done


@pytest.mark.clause("KJ-60")
def test_game_scores_move_only_when_a_deal_has_been_scored() -> None:
    match = playing(NINE_HIGH, QUEEN_HIGH, "Ah", target=51)
    while match.phase == "play":
        assert match.scores == [0, 0]
        seat = match.to_act[0]
        play(match, f"{seat} {match.legal(seat)[0]}")
    assert max(match.scores) > 0


@pytest.mark.clause("KJ-61")
def test_a_match_has_at_most_200_deals() -> None:
    match = Match(KLABERJASS, dealer=1)
    for deals in range(200):
        assert (match.done, match.report()["deal"]) == (False, deals)
        play(match, " ".join(["deal", *PACK]), "0 schmeiss", "1 yes")
    assert (match.done, match.report()["winners"], match.report()["dealer"]) == (True, [0, 1], 1)
    for scores, winners in (([7, 5], [0]), ([5, 7], [1])):
        match = Match(KLABERJASS)
        match.state.deals, match.state.scores = 199, scores
        assert play(match, " ".join(["deal", *PACK]), "1 schmeiss", "0 yes").report()["winners"] == winners


# ----------------------------------------------------------------------------------------------- what each seat sees


@pytest.mark.clause("KJ-62", "KJ-63", "KJ-65")
def test_everything_said_is_heard_and_only_ones_own_cards_are_seen() -> None:
    match = dealt(NINE_HIGH, QUEEN_HIGH, "Ah")
    for seat in (None, 0, 1):
        now = sees(match, seat)
        assert [now.hand[who] != 0 for who in range(2)] == [who == seat for who in range(2)]
        assert text(now.upcard) == "Ah"
        assert (now.undealt, now.under, now.for_nondealer, now.for_dealer) == (0, 0, 0, 0)
        assert match.view(seat).sizes == (6, 6)
    play(match, "1 accept", "1 twenty")
    assert sees(match, 0).proved[1] == SHORT_RUN
    assert sees(match, 0).top[1] == NO_RANK
    event = match.play(0, "how high")
    assert [told_text(KLABERJASS, seen_event(event, seat)) for seat in (None, 0, 1)] == ["how high"] * 3
    assert [sees(match, seat).top[1] for seat in (None, 0, 1)] == [NINE] * 3
    assert sees(match, 1).top[0] == NO_RANK  # not told before the dealer says `not good`
    play(match, "0 not good")
    assert (sees(match, 1).top[0], sees(match, 1).suit[0], sees(match, 1).maker) == (QUEEN, -1, 1)


@pytest.mark.clause("KJ-64")
def test_cards_played_lie_open() -> None:
    match = play(playing(NINE_HIGH, QUEEN_HIGH, "Ah"), "1 Tc", "0 8c", "1 Kh")
    for seat in (None, 0, 1):
        now = sees(match, seat)
        assert list(now.played) == [cards("8c"), cards("Tc Kh")]
        assert (list(now.tricks), list(now.points)) == ([0, 1], [0, 10])


@pytest.mark.clause("KJ-65")
def test_the_cards_of_a_thrown_in_deal_are_never_seen() -> None:
    match = play(dealt(NINE_HIGH, QUEEN_HIGH, "Ah"), "1 schmeiss", "0 yes")
    assert sees(match, None).hand == [0, 0]
    assert sees(match, 0).hand[1] == 0
    assert sees(match, 0).undealt == 0


@pytest.mark.clause("KJ-65")
def test_both_get_their_turn_whatever_they_hold() -> None:
    match = declaring("9s 8s Ts Kh 8h Kc Tc As Ad", "Qd Jd 8d Qh 9h 8c 7c Ks Qc", "Ah")
    play(match, "1 twenty")
    assert (match.to_act, match.legal(0)) == ([0], ["good"])


# ------------------------------------------------------------------------------------------------------------ events


@pytest.mark.clause("KJ-66")
def test_what_is_no_event_or_no_turn() -> None:
    match = Match(KLABERJASS)
    wrong = ["", "x", "0", "0 ", "1 accept", "01 accept", "reshuffle As", "draw As", "0 x"]
    assert {refused(match, event) for event in wrong} == {"KJ-66"}
    deal = deal_hands(NINE_HIGH, QUEEN_HIGH, "Ah")
    play(match, deal)
    wrong = [deal, "0 pass", "2 pass", "1 fold", "1 name", "1 name x", "1 Pass", "1 bela", "1 not", "1 9s 8s"]
    assert {refused(match, event) for event in wrong} == {"KJ-66"}
    over = scored(0, [61, 60], [470, 400])
    assert {refused(over, event) for event in (deal, "1 pass", "nonsense")} == {"KJ-66"}
    assert bad_header(colour="red") == "KJ-66"


@pytest.mark.clause("KJ-15", "KJ-17", "KJ-23", "KJ-29", "KJ-31", "KJ-33", "KJ-36", "KJ-41", "KJ-66")
def test_words_out_of_place() -> None:
    match = dealt(NINE_HIGH, QUEEN_HIGH, "Ah")
    words = {"yes": "KJ-17", "dix": "KJ-23", "none": "KJ-29", "good": "KJ-31", "also": "KJ-33", "9s": "KJ-41"}
    assert {word: refused(match, f"1 {word}") for word in words} == words
    play(match, "1 pass")
    assert refused(match, "0 twenty") == "KJ-36"
    match = declaring(NINE_HIGH, QUEEN_HIGH, "Ah")
    words = {"pass": "KJ-15", "name s": "KJ-15", "no": "KJ-17", "9s": "KJ-41", "bela Kh": "KJ-41", "good": "KJ-31"}
    assert {word: refused(match, f"1 {word}") for word in words} == words


@pytest.mark.clause("KJ-58", "KJ-13", "KJ-49", "KJ-35", "KJ-57", "KJ-11")
def test_wrong_options_name_what_they_would_change() -> None:
    wrong: dict[str, list[object]] = {
        "target": [50, 2002, "501", True],
        "schmeiss": [True],
        "bela": ["off"],
        "equal": ["dealer"],
        "deal": [None],
        "bottom": ["open"],
    }
    clauses = ["KJ-58", "KJ-13", "KJ-49", "KJ-35", "KJ-57", "KJ-11"]
    for (name, values), clause in zip(wrong.items(), clauses, strict=True):
        assert {bad_header(**{name: value}) for value in values} == {clause}


# ------------------------------------------------------------------------------------------------------------ worlds


def late(seed: int) -> Match[KlaberjassState] | None:
    """A match in the play, three cards each, in which the hidden hand has told of a sequence; None: no such moment."""
    rng = random.Random(seed)
    match = Match(KLABERJASS, options={"schmeiss": "no"}, chance=rng)
    for _ in range(200):
        if match.done:
            break
        seat = match.to_act[0]
        me = match.view(seat)
        if match.phase == "play" and me.sizes[1 - seat] == 3 == me.sizes[seat]:
            told = sees(match, seat)
            if told.proved[1 - seat] and count(told.hand[1 - seat]) < 2 and len(possible_hands(match, seat)) < 150:
                return match
        talk = [word for word in match.legal(seat) if word not in ("none", "good", "pass")]
        match.event(f"{seat} {rng.choice(talk or match.legal(seat))}")
    return None


def possible_hands(match: Match[KlaberjassState], seat: int) -> list[int]:
    """Every hand that the other may have, by trying them all against what was told."""
    now, other = sees(match, seat), 1 - seat
    hidden = as_list(OPTIONS.pack & ~as_set(match.setup.all_cards(now)) & ~now.lacks[other])
    missing = match.view(seat).sizes[other] - count(now.hand[other])
    found = []
    for more in combinations(hidden, missing):
        world = now.copy()
        world.hand[other] |= as_set(more)
        if OPTIONS.consistent(world, seat):
            found.append(world.hand[other])
    return found


@pytest.mark.clause("KJ-29", "KJ-32", "KJ-33", "KJ-34")
def test_worlds_agree_with_what_was_told_and_are_equally_likely() -> None:
    tried = 0
    for match in filter(None, map(late, range(60))):
        seat = match.to_act[0]
        expected = possible_hands(match, seat)
        assert match.state.hand[1 - seat] in expected
        sampler, rng = Worlds(match.view(seat)), random.Random(1)
        found = Counter(sampler.sample(rng).hand[1 - seat] for _ in range(20 * len(expected)))
        assert set(found) <= set(expected)
        square = sum((found[hand] - 20) ** 2 / 20 for hand in expected)
        freedom = len(expected) - 1
        assert square <= freedom + 5 * (2 * freedom) ** 0.5
        tried += 1
    assert tried >= 8


@pytest.mark.clause("KJ-31", "KJ-32", "KJ-33")
def test_a_not_good_proves_a_better_sequence() -> None:
    match = play(declaring(NINE_HIGH, QUEEN_HIGH, "Ah"), "1 twenty", "0 how high", "0 not good")
    sampler, rng = Worlds(match.view(1)), random.Random(2)
    for _ in range(50):
        best = OPTIONS.sequences(sampler.sample(rng).hand[0], HEARTS)[0]
        assert (len(best), text(best[0])[0]) == (3, "Q")


# --------------------------------------------------------------------------------------------------- rules of thumb


def test_a_strong_hand_is_bid_and_a_weak_one_is_not() -> None:
    strong = dealt("Jh 9h Ah As Ac 7d", "Qd Jd Td 9c 9s Ks", "Th")
    weak = dealt("8s 7s 8d 7d 8c 7c", "Qd Jd Td 9c 9s Ks", "Th")
    assert OPTIONS.hand_strength(strong.state, 1, HEARTS) > 0 > OPTIONS.hand_strength(weak.state, 1, HEARTS)
    for match, word in ((strong, "accept"), (weak, "pass")):
        moves = match.legal_moves(1)
        move = OPTIONS.choose(match.view(1).state, 1, moves, len(moves), 0)
        assert KLABERJASS.notation.text(move) == word


@pytest.mark.clause("KJ-65")
def test_rules_of_thumb_look_only_at_what_they_may_see() -> None:
    for seed in range(4):
        match, rng = Match(KLABERJASS, chance=random.Random(seed)), random.Random(seed)
        while not match.done:
            seat = match.to_act[0]
            moves = match.legal_moves(seat)
            luck = rng.randrange(1 << 31)
            chosen = OPTIONS.choose(match.state, seat, moves, len(moves), luck)
            assert chosen in moves
            assert chosen == OPTIONS.choose(match.view(seat).state, seat, moves, len(moves), luck)
            match.event(f"{seat} {KLABERJASS.notation.text(chosen)}")


@pytest.mark.clause("KJ-58")
def test_a_random_match_ends_with_a_winner() -> None:
    for seed in range(3):
        match = play_out(Match(KLABERJASS), random.Random(seed))
        assert len(match.winners) == 1
        assert max(match.scores) >= 501


# ---------------------------------------------------------------------------------------------------------- numbers


def test_no_number_of_the_rules_stands_anywhere_else() -> None:
    numbers = [
        number
        for number in KLABERJASS.declared_numbers.values()
        if isinstance(number.value, int) and not number.derived
    ]
    assert not [twin for number in numbers for twin in literal_twins(KLABERJASS, number.value)]


@pytest.mark.clause("KJ-67")
def test_the_usual_table_is_as_the_author_wrote_it() -> None:
    assert (games.load("klaberjass").author, games.load("klaberjass").author_clause) == ({}, "KJ-67")
