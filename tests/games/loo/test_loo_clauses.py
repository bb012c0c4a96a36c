"""Loo: the worked examples of its page, and every clause."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from playing import play_out, random_event, random_header, refused, refused_header
from playing import seen_by as sees

from upcard import Match, Setup, games
from upcard.engine.chance import shuffler
from upcard.engine.views import seen_event, told_text, view
from upcard.engine.worlds import Worlds
from upcard.games.loo import heuristic
from upcard.games.loo.heuristic import SURE
from upcard.games.loo.rules import NO_FLUSH, PLAY
from upcard.rules import DEAL, RESHUFFLE, Scene
from upcard.rules.cards import CLUBS, HEARTS, NO_CARD, SUITS, as_list, as_set, pack, read, text
from upcard.rules.lineage import literal_twins
from upcard.rules.report import common_fields
from upcard.table.log import event_line
from upcard.table.scene import describe

LOO = games.load("loo")
PACK = [text(card) for card in pack()]
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ina", "Jo"]
NO_FLUSHES = ["2s 3s 4d 5d 6c", "2c 3c 4s 5s 6d", "2d 3d 4c 5c 6s", "7s 8s 9d Td 7c", "8c 9c Ts Js 7d"]
"""Hands for the seats that a test says nothing about: low cards, no hearts, no flushes and no Pam."""


def deal(top: str) -> str:
    """A deal event whose pack begins with these cards."""
    first = top.split()
    return " ".join(["deal", *first, *[card for card in PACK if card not in first]])


def deal_hands(hands: Sequence[str], upcard: str, dealer: int = 0, stock: str = "") -> str:
    """The deal event that gives each seat these cards (where none are named, any that make no flush)."""
    named = " ".join([*hands, upcard, stock]).split()
    rest = [card for card in PACK if card not in [*named, "Jc"]]
    Random(1).shuffle(rest)
    held = [hand.split() if hand else [rest.pop() for _ in range(5)] for hand in hands]
    rounds = [held[(dealer + 1 + k) % len(held)][i] for i in range(5) for k in range(len(held))]
    return deal(" ".join([*rounds, upcard, stock]).strip())


def play(match: Match, *events: str) -> Match:
    for event in events:
        match.event(event)
    return match


def declare(match: Match, inside: Sequence[int]) -> Match:
    """These seats stay in, all others pass."""
    while match.phase == "declare":
        seat = match.to_act[0]
        match.event(f"{seat} {'play' if seat in inside else 'pass'}")
    return match


def hurry(match: Match, phase: str) -> Match:
    """Nobody shows a flush and all keep their cards, until this phase."""
    while match.phase != phase:
        match.event(f"{match.to_act[0]} {'keep' if match.phase == 'exchange' else 'no'}")
    return match


def dealt(
    hands: Sequence[str],
    upcard: str = "2h",
    inside: Sequence[int] = (),
    phase: str = "declare",
    *,
    dealer: int = 0,
    top: str = "",
    **options: Any,
) -> Match:
    """A match whose first deal has these hands, and these cards on top of the stock, at a phase of it."""
    match = Match("loo", len(hands), dealer=dealer, options=options)
    play(match, deal_hands(hands, upcard, dealer, top))
    return hurry(declare(match, inside), phase) if phase != "declare" else match


def five(**hands: str) -> list[str]:
    """Hands of five players: `five(s1="…", s3="…")`, the others any."""
    return [hands.get(f"s{seat}", "") for seat in range(5)]


def state(match: Match) -> Any:
    return match.state


def options(match: Match) -> Any:
    return match.options


def scene(match: Match, seat: int | None) -> Scene:
    """What the game says of its table to a seat."""
    return match.setup.scene(sees(match, seat), seat)


def marks(match: Match, seat: int | None = None) -> list[dict[str, object]]:
    return [{label: value for label, value, *_ in row} for row in scene(match, seat).marks]


def bad_header(players: object = 6, dealer: object = 0, **options: object) -> str | None:
    return refused_header("loo", players, dealer, **options)


def last(match: Match) -> dict[str, Any]:
    found: dict[str, Any] = match.report()["last"]
    return found


def free_deal(match: Match) -> Match:
    """Everybody passes: the dealer gets the pot back."""
    return declare(play(match, match.draw_lots(Random(3))), [])


SWEEP = "Jc Ah Kh Qh Th"


def looed_deal(match: Match) -> Match:
    """The seat left of the dealer takes all tricks from the next one, which is looed."""
    n, dealer = match.players, match.report()["dealer"]
    first, second = (dealer + 1) % n, (dealer + 2) % n
    hands = [""] * n
    hands[first], hands[second] = SWEEP, "2s 3s 4d 5d 6c"
    play(match, deal_hands(hands, "2h", dealer))
    hurry(declare(match, [first, second]), "play")
    while match.phase == "play":
        match.event(f"{match.to_act[0]} {match.legal(match.to_act[0])[0]}")
    return match


def random_matches(number: int) -> list[Match]:
    """Matches before the first deal, of one round, with all sorts of options."""
    headers = [random_header(LOO, seed) for seed in range(number)]
    return [
        Match("loo", players, dealer=dealer, options={**chosen, "rounds": 1}) for players, dealer, chosen in headers
    ]


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


# ---------------------------------------------------------------------------------------------------------- flushes


def cards(texts: str) -> int:
    return as_set(read(card) or 0 for card in texts.split())


def rank(hand: str, trump: str = "h") -> int:
    table: Any = Setup("loo").options
    position = table.state()
    position.trump = SUITS.index(trump)
    return table.flush_rank(position, cards(hand))


@pytest.mark.clause("LO-14")
@pytest.mark.parametrize(
    ("hand", "flush"),
    [
        ("As Ks Qs 3s 2s", True),
        ("Jc Ks Qs 3s 2s", True),
        ("Jc Kc Qc 3c 2c", True),
        ("Jc Kh Qh 3h 2h", True),
        ("Jc Ks Qs 3s 2d", False),
        ("Jc Ks Qs 3s 2h", False),
        ("As Ks Qs 3s 2d", False),
        ("Jc Kc Qc 3c 2d", False),
    ],
)
def test_what_a_flush_is(hand: str, flush: bool) -> None:
    table: Any = Setup("loo").options
    for trump in (HEARTS, CLUBS):
        position = table.state()
        position.trump = trump
        assert (table.flush_kind(position, cards(hand)) != NO_FLUSH) is flush
    match = dealt(five(s1=hand), "9h", [1, 2], "early")
    assert ("flush" in match.legal(1)) is flush
    if not flush:
        assert refused(match, "1 flush") == "LO-14"


@pytest.mark.clause("LO-14", "LO-18")
def test_four_clubs_and_pam_are_a_mouche_even_when_clubs_are_trumps() -> None:
    assert rank("Jc 5c 4c 3c 2c", "c") > rank("Ac Kc Qc Tc 9c", "c")
    assert rank("Jc 5s 4s 3s 2s") > rank("Ah Kh Qh Jh Th") > rank("As Ks Qs Js Ts") > 0


@pytest.mark.clause("LO-19")
def test_of_the_same_kind_the_higher_cards_decide_from_the_top_down() -> None:
    assert rank("As 6s 4s 3s 2s") > rank("Kd Qd Jd Td 9d")
    assert rank("Ks Qs 4s 3s 2s") > rank("Kd Jd Td 9d 8d")
    assert rank("Ks Qs 5s 4s 3s") > rank("Kd Qd 5d 4d 2d")
    assert rank("Ks Qs 5s 4s 3s") == rank("Kd Qd 5d 4d 3d")


@pytest.mark.clause("LO-15", "LO-17")
def test_everyone_in_is_asked_before_the_exchange_and_need_not_show() -> None:
    match = dealt(five(s1="As Ks Qs 3s 2s", s2="2d 3d 4c 5c 6d", s4="7c 8c 9d Td 7s"), "Th", [1, 2, 4], "early")
    assert match.to_act == [1]
    assert sorted(match.legal(1)) == ["flush", "no"]
    play(match, "1 no")
    assert (match.to_act, match.legal(2)) == ([2], ["no"])
    play(match, "2 no", "4 no")
    assert match.phase == "exchange"


@pytest.mark.clause("LO-16", "LO-17", "LO-20")
def test_a_flush_kept_back_may_be_shown_after_the_exchange_and_ends_the_deal() -> None:
    match = dealt(five(s1="As Ks Qs 3s 2s", s2="2d 3d 4c 5c 6d", s4="7c 8c 9d Td 7s"), "Th", [1, 2, 4], "late")
    assert match.to_act == [1]
    play(match, "1 flush")
    assert match.to_act == [2], "a round is asked to its end"
    play(match, "2 no", "4 no")
    assert match.awaiting == "deal"
    assert (last(match)["flush"], last(match)["tricks"], last(match)["won"]) == (1, [0, 5, 0, 0, 0], [0, 5, 0, 0, 0])


@pytest.mark.clause("LO-16")
def test_the_late_round_begins_when_all_have_exchanged() -> None:
    hands = five(s1="As Ks Qs 3s 2d", s2="2c 3d 4c 5c 6d")
    match = dealt(hands, "Th", [1, 2], "exchange", top="4s 5s")
    play(match, "1 discard 2d")
    assert match.to_act == [2]
    play(match, "2 keep")
    assert (match.phase, sorted(match.legal(1)), match.legal(2)) == ("late", ["flush", "no"], [])
    play(match, "1 no", "2 no")
    assert (match.phase, match.to_act) == ("play", [1])


@pytest.mark.clause("LO-14", "LO-18", "LO-19", "LO-20", "LO-21")
@pytest.mark.parametrize(("flush_pays", "paid"), [("in", [5, 0, 0, 0, 5]), ("all", [5, 0, 5, 0, 5])])
def test_example_5_which_flush(flush_pays: str, paid: list[int]) -> None:
    hands = ["2s 3s 4d 6d 7h", "Kc Qc 9c 4c 3c", "4s 5s 7d 8h 9h", "Jc 8d 5d 3d 2d", "6s 7s 9d Td Th"]
    match = dealt(hands, "5c", [0, 1, 3, 4], "early", flush_pays=flush_pays)
    play(match, "1 flush", "3 flush", "4 no", "0 no")
    assert last(match)["flush"] == 3
    assert last(match)["won"] == [0, 0, 0, 5, 0]
    assert last(match)["tricks"] == [0, 0, 0, 5, 0]
    assert last(match)["paid"] == paid
    assert match.report()["pot"] == sum(paid)


@pytest.mark.clause("LO-19", "LO-21")
def test_example_6_equal_flushes() -> None:
    hands = ["Qc 3h 4s 7c 6d", "2c 3d 4c 6c 7d", "As Ts 8s 5s 2s", "3c 4d 6s 7s 9h", "Ad Td 8d 5d 2d"]
    match = dealt(hands, "Kh", [2, 4, 0], "early")
    play(match, "2 flush", "4 flush", "0 no")
    assert (last(match)["flush"], last(match)["paid"]) == (2, [5, 0, 0, 0, 0])


@pytest.mark.clause("LO-50")
def test_equal_flushes_can_share_the_pot_and_odd_chips_go_to_the_first_in_turn() -> None:
    hands = ["Qc 3h 4s 7c 6d", "2c 3d 4c 6c 7d", "As Ts 8s 5s 2s", "3c 4d 6s 7s 9h", "Ad Td 8d 5d 2d"]
    match = dealt(hands, "Kh", [2, 4, 0], "early", level="share")
    play(match, "2 flush", "4 flush", "0 no")
    assert (last(match)["flush"], last(match)["won"]) == (2, [0, 0, 3, 0, 2])
    assert (last(match)["tricks"], last(match)["paid"]) == ([0, 0, 5, 0, 0], [5, 0, 0, 0, 0])
    assert match.report()["pot"] + sum(match.scores) == 0
    said = " / ".join(scene(match, None).result)
    assert "{2} looes the board with a flush and takes 3 of the pot of 5" in said
    assert "{4} looes the board with a flush and takes 2 of the pot of 5" in said


@pytest.mark.clause("LO-50")
def test_a_worse_flush_has_no_share() -> None:
    hands = ["Qc 3h 4s 7c 6d", "2c 3d 4c 6c 7d", "As Ts 8s 5s 2s", "3c 4d 6s 7s 9h", "Ad Td 9d 5d 2d"]
    match = dealt(hands, "Kh", [2, 4, 0], "early", level="share")
    play(match, "2 flush", "4 flush", "0 no")
    assert (last(match)["flush"], last(match)["won"]) == (4, [0, 0, 0, 0, 5])


@pytest.mark.clause("LO-19", "LO-21")
def test_only_shown_flushes_compete_but_holding_one_is_enough_not_to_pay() -> None:
    hands = five(s1="5s 4s 6s 3s 2s", s2="Jc Ad Kd Qd Td", s3="2c 3d 4c 5c 6d", s4="7c 8c 9d 8d 7s")
    match = dealt(hands, "Th", [1, 2, 3, 4], "early")
    play(match, "1 flush", "2 no", "3 no", "4 no")
    assert (last(match)["flush"], last(match)["won"][1]) == (1, 5)
    assert last(match)["paid"] == [0, 0, 0, 5, 5]


@pytest.mark.clause("LO-21", "LO-11")
def test_who_is_in_with_pam_does_not_pay_and_with_flush_pays_all_nor_who_passed_with_pam_or_a_flush() -> None:
    hands = ["Ad Kd Qd 3d 2d", "As Ks Qs 3s 2s", "Jc 4d 5c 6c 7d", "8c 9d Td 4s 5s", "2c 3c 6d 7s 8s"]
    match = dealt(hands, "Th", [1, 2], "early", flush_pays="all")
    play(match, "1 flush", "2 no")
    assert last(match)["paid"] == [0, 0, 0, 5, 5]
    match = dealt(hands, "Th", [1, 3], "early", flush_pays="all")
    play(match, "1 flush", "3 no")
    assert last(match)["paid"] == [0, 0, 0, 5, 5]
    match = dealt(hands, "Th", [1, 3], "early")
    play(match, "1 flush", "3 no")
    assert last(match)["paid"] == [0, 0, 0, 5, 0]


# ----------------------------------------------------------------------------------------------------- the exchange


@pytest.mark.clause("LO-22")
def test_none_to_five_cards_may_be_changed() -> None:
    match = dealt(five(s1="As 4d 5c 6c 7d", s2="2c 3d 4c 8d 9d"), "Th", [1, 2], "exchange")
    moves = match.legal(1)
    assert len(moves) == 32 == len(set(moves)) == LOO.most_moves
    assert {"keep", "discard As", "discard 6c", "discard As 7d 4d 6c 5c", "discard 4d 5c"} <= set(moves)
    for thrown in ("discard Kh", "discard As As", "discard 5c 4d", "discard *", "discard As x", "discard 1"):
        assert refused(match, f"1 {thrown}") == "LO-22"
    assert refused(match, "1 discard As 7d 4d 6c 5c Kh") == "LO-22"
    for word in ("no", "As", "play", "discards As", "keep As", "discard"):
        assert refused(match, f"1 {word}") == "LO-49"
    play(match, "1 keep")
    assert (match.to_act, sorted(match.report()["hands"][1])) == ([2], sorted("As 4d 5c 6c 7d".split()))
    play(match, "2 discard 9d 8d 3d 4c 2c")
    assert len(match.report()["hands"][2]) == 5
    assert match.report()["discard"] == 15 + 5


@pytest.mark.clause("LO-23")
def test_the_cards_come_from_the_top_of_the_stock() -> None:
    hands = five(s1="As 4d 5c 6c 7d", s2="2c 3d 4c 8d 9d")
    match = dealt(hands, "Th", [1, 2], "exchange", top="Qh 2s 3s")
    play(match, "1 discard 4d 5c", "2 discard 3d")
    assert sorted(match.report()["hands"][1]) == sorted("As 6c 7d Qh 2s".split())
    assert sorted(match.report()["hands"][2]) == sorted("2c 4c 8d 9d 3s".split())
    assert match.report()["stock"] == 23
    assert state(match).changed[:5] == [-1, 2, 1, -1, -1]


def ten_players(inside: Sequence[int], **options: Any) -> Match:
    """Ten players at the exchange; nobody holds Pam, which is the only card of the stock."""
    return dealt([""] * 10, "2h", inside, "exchange", top="Jc", **options)


@pytest.mark.clause("LO-9", "LO-23", "LO-24", "LO-25")
def test_example_8_ten_players() -> None:
    match = ten_players([1, 2, 3, 4])
    dead = [card for seat in range(10) for card in map(text, as_list(state(match).buried[seat]))]
    hand = match.report()["hands"][1]
    assert (match.report()["stock"], match.report()["discard"], len(dead)) == (1, 30, 30)
    thrown = [card for card in PACK if card in hand][:3]
    play(match, f"1 discard {' '.join(thrown)}")
    assert (match.awaiting, match.phase, match.to_act, match.report()["legal"]) == ("reshuffle", "exchange", [], {})
    assert len(match.report()["hands"][1]) == 3, "two are still to be drawn"
    assert match.report()["discard"] == 30
    for wrong in (dead[1:], [*dead[1:], thrown[0]], [*dead, thrown[0]], [*dead[1:], "Jc"], []):
        assert refused(match, " ".join(["reshuffle", *wrong])) == "LO-24"
    play(match, " ".join(["reshuffle", *dead]))
    report = match.report()
    assert sorted(report["hands"][1]) == sorted([*(set(hand) - set(thrown)), "Jc", *dead[:2]])
    assert (report["stock"], report["discard"], match.to_act) == (28, 3, [2])
    assert [text(card) for card in state(match).stock[:28]][::-1] == dead[2:]


@pytest.mark.clause("LO-24")
def test_a_stock_that_ends_with_a_draw_is_not_renewed_before_somebody_needs_a_card() -> None:
    match = ten_players([1, 2, 3, 4])
    play(match, f"1 {next(move for move in match.legal(1) if len(move.split()) == 2)}")
    assert (match.awaiting, match.report()["stock"], match.report()["discard"]) == (None, 0, 31)
    play(match, "2 keep")
    assert match.awaiting is None
    play(match, f"3 {next(move for move in match.legal(3) if len(move.split()) == 2)}")
    assert match.awaiting == "reshuffle"
    assert len(match.draw_lots(Random(1)).split()) == 1 + 31


@pytest.mark.clause("LO-25")
def test_nobody_may_throw_away_more_than_can_be_drawn() -> None:
    match = ten_players(range(10))
    hand = [card for card in PACK if card in match.report()["hands"][1]]
    assert sorted(match.legal(1)) == sorted(["keep", *(f"discard {card}" for card in hand)])
    assert refused(match, f"1 discard {hand[0]} {hand[1]}") == "LO-25"
    assert refused(match, f"1 discard {hand[1]} {hand[0]}") == "LO-22"
    play(match, f"1 discard {hand[0]}")
    assert max(len(move.split()) for move in match.legal(2)) == 2
    one = match.legal(2)[1]
    play(match, f"2 {one}", f"reshuffle {hand[0]}")
    assert hand[0] in match.report()["hands"][2]


@pytest.mark.clause("LO-24", "LO-25")
def test_option_stock_limit() -> None:
    match = ten_players([1, 2, 3, 4], stock="limit")
    assert max(len(move.split()) for move in match.legal(1)) == 2
    hand = [card for card in PACK if card in match.report()["hands"][1]]
    assert refused(match, f"1 discard {hand[0]} {hand[1]}") == "LO-25"
    play(match, f"1 discard {hand[0]}")
    assert match.legal(2) == ["keep"]
    hand = [card for card in PACK if card in match.report()["hands"][2]]
    assert refused(match, f"2 discard {hand[0]}") == "LO-25"


# --------------------------------------------------------------------------------------------------------- the play


@pytest.mark.clause("LO-26", "LO-27")
def test_the_first_in_leads_any_card_and_who_takes_a_trick_leads_to_the_next() -> None:
    hands = five(s2="As 4d 5c 6c 7d", s4="2s 3d 4c 8d 9d", s0="Ks 3c 9c Td 8c")
    match = dealt(hands, "Th", [2, 4, 0], "play")
    assert (match.to_act, sorted(match.legal(2))) == ([2], sorted("As 4d 5c 6c 7d".split()))
    assert refused(match, "2 Ks") == refused(match, "2 *") == "LO-27"
    assert refused(match, "4 2s") == "LO-49"
    play(match, "2 As")
    assert (match.to_act, match.legal(4)) == ([4], ["2s"])
    play(match, "4 2s")
    assert match.report()["trick"] == [[2, "As"], [4, "2s"]]
    play(match, "0 Ks")
    assert (match.to_act, match.report()["leader"], match.report()["trick"]) == ([2], 2, [])
    play(match, "2 5c", "4 4c", "0 8c")
    assert refused(match, "4 9d") == "LO-49"
    assert match.last_trick == [(2, read("5c")), (4, read("4c")), (0, read("8c"))]
    assert match.to_act == [0]
    while match.phase == "play":
        play(match, f"{match.to_act[0]} {match.legal(match.to_act[0])[0]}")
    assert sum(last(match)["tricks"]) == 5


@pytest.mark.clause("LO-26")
def test_option_ace_lead() -> None:
    hands = five(s1="Ah Jc 5c 6c 7d", s2="2s 3d 4c 8d 9d")
    match = dealt(hands, "Th", [1, 2], "play", ace_lead=True)
    assert sorted(match.legal(1)) == ["Ah", "civil Ah"]
    assert refused(match, "1 Jc") == "LO-26"
    assert refused(match, "1 2s") == "LO-27"
    assert refused(match, "1 civil Jc") == "LO-33"
    assert describe(match.view(1)).prompt == "Your turn: lead the ace of trumps"
    play(match, "1 Ah", "2 2s")
    assert describe(match.view(1)).prompt == "Your turn: lead a card"
    assert len(match.legal(1)) == 4
    assert dealt(hands, "Th", [1, 2], "play", ace_lead=True, civil=False).legal(1) == ["Ah"]
    without = dealt(five(s1="Kh Jc 5c 6c 7d", s2="2s 3d 4c 8d 9d"), "Th", [1, 2], "play", ace_lead=True)
    assert len(without.legal(1)) == 5
    play(without, "1 5c")
    assert state(without).lacks[1] == 1 << (read("Ah") or 0)


@pytest.mark.clause("LO-28", "LO-34", "LO-31", "LO-33")
def test_example_2_civil_or_not() -> None:
    def led(hand: str, call: str) -> Match:
        hands = five(s2="As 4d 6d Kd 3h", s3=hand)
        return play(dealt(hands, "2s", [2, 3], "play"), f"2 {call}")

    match = led("Jc 7s 5d 6h 8h", "civil As")
    assert match.report()["civil"] is True
    assert match.legal(3) == ["7s"]
    assert describe(match.view(3)).prompt == "Your turn: follow A♠, higher if you can (Pam be civil)"
    assert refused(match, "3 Jc") == "LO-33"
    assert refused(match, "3 5d") == "LO-28"
    play(match, "3 7s")
    assert (match.report()["civil"], match.report()["tricks"][2]) == (False, 1)
    match = led("Jc 7s 5d 6h 8h", "As")
    assert match.report()["civil"] is False
    assert match.legal(3) == ["Jc"]
    assert refused(match, "3 7s") == "LO-31"
    for call in ("civil As", "As"):
        match = led("Jc 7d 5d 6h 8h", call)
        assert match.legal(3) == ["Jc"]
        assert refused(match, "3 7d") == "LO-28"
        assert play(match, "3 Jc").report()["tricks"][3] == 1


@pytest.mark.clause("LO-33", "LO-34")
def test_the_call_is_made_with_the_lead_of_the_ace_of_trumps_only() -> None:
    hands = five(s2="As Jc Ad 6d Ks", s3="7s 2c 3c 5d Qs")
    match = dealt(hands, "2s", [2, 3], "play")
    assert len(match.legal(2)) == 6
    assert refused(match, "2 civil Ad") == refused(match, "2 civil Ks") == "LO-33"
    assert refused(match, "2 civil 7s") == "LO-27"
    assert refused(match, "2 civil") == refused(match, "2 civil x") == refused(match, "2 civil As As") == "LO-49"
    play(match, "2 Ks")
    assert refused(match, "3 civil Qs") == "LO-33"
    play(match, "3 Qs", "2 civil As")
    assert match.legal(3) == ["7s"]
    following = dealt(five(s2="3s 4d 6d Kd 3h", s3="As 7d 5d 6h 8h"), "2s", [2, 3], "play")
    assert play(following, "2 3s").legal(3) == ["As"]
    assert refused(following, "3 civil As") == "LO-33"


@pytest.mark.clause("LO-33")
def test_option_civil_off() -> None:
    match = dealt(five(s2="As Jc Ad 6d Ks", s3="7s 2c 3c 5d Qs"), "2s", [2, 3], "play", civil=False)
    assert len(match.legal(2)) == 5
    assert refused(match, "2 civil As") == refused(match, "2 civil 7s") == "LO-49"


@pytest.mark.clause("LO-29")
def test_example_3_heading() -> None:
    def third(hand: str, second: str) -> Match:
        two = {"Jd": "Jd 4s 5s 6c 7c", "2h": "2h 4s 5s 6c 7c"}[second]
        match = dealt(five(s1="8d 2s 3s 2c 3c", s2=two, s3=hand), "Th", [1, 2, 3], "play")
        return play(match, "1 8d", f"2 {second}")

    match = third("Qd Td 3d 6s 7s", "Jd")
    assert match.legal(3) == ["Qd"]
    assert refused(match, "3 Td") == "LO-29"
    assert refused(match, "3 6s") == "LO-28"
    assert sorted(third("5c Td 3d 6s 7s", "Jd").legal(3)) == ["3d", "Td"]
    assert sorted(third("Qd Td 3d 6s 7s", "2h").legal(3)) == ["3d", "Qd", "Td"]


@pytest.mark.clause("LO-30", "LO-31", "LO-32")
def test_example_4_undertrumping() -> None:
    def third(hand: str) -> Match:
        match = dealt(five(s1="Kd 2s 3s 2c 3c", s2="9h 4s 5s 6c 7c", s3=hand), "Th", [1, 2, 3], "play")
        return play(match, "1 Kd", "2 9h")

    match = third("Qh 4h 6s 7s 8s")
    assert describe(match.view(3)).prompt == "Your turn: follow K♦, higher if you can, or else trump"
    assert match.legal(3) == ["Qh"]
    assert refused(match, "3 4h") == "LO-31"
    assert refused(match, "3 6s") == "LO-30"
    match = third("6h 4h 6s 7s 8s")
    assert sorted(match.legal(3)) == ["4h", "6h"]
    play(match, "3 6h")
    assert match.report()["tricks"][2] == 1
    assert len(third("5c 8c 6s 7s 8s").legal(3)) == 5


@pytest.mark.clause("LO-31")
def test_when_trumps_are_led_they_must_be_beaten_too() -> None:
    hands = five(s1="8h 2s 3s 2c 3c", s2="9h 4h 5s 6c 7c", s3="7h 6h 6s 7s 8s")
    match = play(dealt(hands, "Th", [1, 2, 3], "play"), "1 8h")
    assert match.legal(2) == ["9h"]
    assert refused(match, "2 4h") == "LO-31"
    play(match, "2 9h")
    assert sorted(match.legal(3)) == ["6h", "7h"]


@pytest.mark.clause("LO-29", "LO-31")
def test_option_head_off() -> None:
    hands = five(s1="8d 2s 3s 2c 3c", s2="Qd 3d 4h 6c 7c", s3="6h Kh 6s 7s 8s", s4="4c 5c 9h Ah 4s")
    match = play(dealt(hands, "Th", [1, 2, 3, 4], "play", head=False), "1 8d")
    assert describe(match.view(2)).prompt == "Your turn: follow 8♦ if you can, or else trump"
    assert sorted(match.legal(2)) == ["3d", "Qd"]
    assert refused(match, "2 4h") == "LO-28"
    play(match, "2 Qd")
    assert sorted(match.legal(3)) == ["6h", "Kh"]
    assert refused(match, "3 6s") == "LO-30"
    play(match, "3 Kh")
    assert sorted(match.legal(4)) == ["9h", "Ah"]


@pytest.mark.clause("LO-35")
def test_a_card_of_another_suit_takes_no_trick() -> None:
    hands = five(s1="3d 2s 3s 2c 3c", s2="Ac As 5s 6c 7c")
    match = play(dealt(hands, "Th", [1, 2], "play"), "1 3d", "2 Ac")
    assert (match.report()["tricks"], match.to_act) == ([0, 1, 0, 0, 0], [1])
    assert match.report()["hands"][1] == [card for card in match.report()["hands"][1] if card != "3d"]


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


# ---------------------------------------------------------------------------------------------------- the heuristic


def heuristic_move(match: Match, seat: int) -> str:
    """The move of a player who is handed a view."""
    seen = match.view(seat)
    moves = seen.legal_moves()
    return LOO.notation.text(options(match).choose(sees(match, seat), seat, moves, len(moves), 0))


@pytest.mark.clause("LO-44")
def test_the_heuristic_beats_chance() -> None:
    rng, won = Random(7), 0
    for number in range(6):
        match = Match("loo", 5, options={"rounds": 1}, chance=shuffler(number))
        while not match.done:
            seat = match.to_act[0]
            match.play(seat, heuristic_move(match, seat) if seat == 2 else rng.choice(match.legal(seat)))
        won += match.winners == [2]
    assert won >= 4


def test_the_heuristic_on_plain_hands() -> None:
    match = dealt(["Ah Kh Jc 3s 2d", "2s 3c 4d 5d 6c", "As Ks Qs 5s 4s", "", ""], "2h")
    assert heuristic_move(match, 1) == "pass"
    play(match, "1 pass")
    assert heuristic_move(match, 2) == "play", "a flush is worth the pot"
    play(match, "2 play", "3 pass", "4 pass")
    assert heuristic_move(match, 0) == "play"
    play(match, "0 play")
    assert heuristic_move(match, 2) == "flush"
    play(match, "2 no", "0 no", "2 keep")
    assert heuristic_move(match, 0) == "discard 3s 2d"
    drawing = dealt(five(s1="As Ks Qs 5s 2d", s2="2c 3c 4d 5d 6c"), "Th", [1, 2], "exchange")
    assert heuristic_move(drawing, 1) == "discard 2d"
    led = dealt(five(s1="Ah 3d 3s 4s 2d", s2="2c 3c 4d 5d 6c"), "Th", [1, 2], "play")
    assert heuristic_move(led, 1) == "civil Ah"
    assert state(led).phase == PLAY


@pytest.mark.parametrize("size", [5, 7])
def test_chances_told_at_once_are_those_told_one_by_one(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {"size": size, "stake": size, "looed": size}
    game = LOO.variant("loo-by-size", numbers=numbers, most_moves=1 << size)
    match = Match(game, 5, options={"rounds": 1}, chance=shuffler(size))
    while not match.done:
        seat = match.to_act[0]
        move = heuristic_move(match, seat)
        with monkeypatch.context() as change:
            change.setattr(heuristic, "AT_ONCE", 0)
            assert heuristic_move(match, seat) == move
        match.play(seat, move)


def test_the_chance_of_none_is_rounded_down_card_by_card() -> None:
    table: Any = Setup("loo").options
    for many in range(1, 54):
        for such in range(many + 1):
            chance = SURE
            for drawn in range(1, many + 1):
                left = many - drawn + 1
                chance = chance * max(left - such, 0) // left
                assert table.without(drawn, such, many) == chance


@pytest.mark.clause("LO-51")
def test_the_author_has_other_options_than_the_usual_table() -> None:
    game, author = games.load("loo"), {"flush_pays": "all"}
    assert (game.author, game.author_clause) == (author, "LO-51")
    assert all(game.declared_options[name].default_for(4) != value for name, value in author.items())
