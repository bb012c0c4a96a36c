"""Linger Longer: the worked examples of its page, and every clause."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from playing import play_on, play_out, refused, refused_header
from playing import seen_by as sees

from upcard import Match, games
from upcard.engine.worlds import world
from upcard.games.linger_longer.heuristic import SURE
from upcard.rules.cards import as_set, pack, text
from upcard.rules.lineage import literal_twins
from upcard.table.scene import describe

LINGER_LONGER = games.load("linger-longer")
PACK = [text(card) for card in pack()]
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]


def deal(hands: Sequence[str], stock: str = "", dealer: int = 0) -> str:
    """The deal event that gives each seat these cards, the dealer's last for trumps, and begins the stock."""
    held = [hand.split() for hand in hands]
    cards = [held[(dealer + 1 + k) % len(held)][i] for i in range(len(held[0])) for k in range(len(held))]
    cards += stock.split()
    return " ".join(["deal", *cards, *[card for card in PACK if card not in cards]])


def play(match: Match, *events: str) -> Match:
    for event in events:
        match.event(event)
    return match


def dealt(hands: Sequence[str], stock: str = "", dealer: int = 0, **options: Any) -> Match:
    """A match at the first lead of its first deal; one deal unless the options say more."""
    chosen = {"deals": 1, "cards": len(hands[0].split()), **options}
    return play(Match("linger-longer", len(hands), dealer=dealer, options=chosen), deal(hands, stock, dealer))


def state(match: Match) -> Any:
    """The whole state, with the fields of this game."""
    return match.state


def number(card: str) -> int:
    return LINGER_LONGER.notation.read(card).move or 0


def position(hands: Sequence[str], leader: int = 0, stock: str = "", **options: Any) -> Match:
    """A match late in its first deal, hearts trumps and this seat to lead: what is not named has been discarded."""
    match = Match("linger-longer", len(hands), options={"deals": 1, **options})
    play(match, f"deal {' '.join(PACK)}")
    s = state(match)
    named = 0
    for seat, hand in enumerate(hands):
        s.hand[seat] = as_set(map(number, hand.split()))
        s.size[seat] = len(hand.split())
        s.shown[seat] = 0
        named |= s.hand[seat]
    pile = [number(card) for card in stock.split()][::-1]
    s.stock[:] = pile + [-1] * (52 - len(pile))
    s.left = len(pile)
    s.trump, s.upcard = (number("2h") // 13, number("2h")) if s.trump >= 0 else (s.trump, s.upcard)
    s.discard = as_set(pack()) & ~named & ~as_set(pile) & ~(0 if s.aside < 0 else 1 << s.aside)
    s.active = sum(1 << seat for seat in range(len(hands)) if s.hand[seat])
    s.leader = leader
    s.to_act = 1 << leader
    return match


def bad_header(players: object = 4, dealer: object = 0, **options: object) -> str | None:
    return refused_header(LINGER_LONGER, players, dealer, **options)


def play_until(match: Match, rng: random.Random, kind: str) -> Match:
    """On at random to the next event of this kind."""
    for _ in play_on(match, rng):
        if str(match.events[-1]).startswith(kind):
            break
    return match


FOUR = ["Ks Kh Kd Kc", "Qs Qh Qd Qc", "Js Jh Jd Jc", "As Ah Ad Ac"]
"""Example 1, with seat 2 for the dealer."""


# --------------------------------------------------------------------------------------- players, pack and the deal


@pytest.mark.clause("LL-1")
def test_three_to_six_play_four_by_default() -> None:
    assert [Match("linger-longer", players).players for players in (3, 4, 5, 6)] == [3, 4, 5, 6]
    assert Match("linger-longer").players == 4
    assert [bad_header(players) for players in (2, 7, 0, True, "4")] == ["LL-1"] * 5


@pytest.mark.clause("LL-2", "LL-11")
@pytest.mark.parametrize(
    ("trick", "winner"),
    [("As Ks 2s", 0), ("2s 3s Ts", 2), ("9d Td Jd", 2), ("2h Ah Kh", 1), ("9s Ad Ac", 0), ("As 2h Ac", 1)],
)
def test_ace_is_high_and_trumps_beat_all(trick: str, winner: int) -> None:
    cards = trick.split()
    others = ("6c", "7c", "8c")
    match = position([f"{card} {other}" for card, other in zip(cards, others, strict=True)], stock="9c")
    match = play(match, *(f"{seat} {card}" for seat, card in enumerate(cards)))
    assert match.report()["tricks"] == [int(seat == winner) for seat in range(3)]


@pytest.mark.clause("LL-3", "LL-25")
def test_the_record_names_the_first_dealer_and_the_deal_goes_round() -> None:
    match = play_until(Match("linger-longer", 3, dealer=1), random.Random(1), "deal")
    dealers = [match.report()["dealer"]]
    while match.report()["deal"] < 3:
        dealers.append(play_until(match, random.Random(2), "deal").report()["dealer"])
    assert dealers == [1, 2, 0]
    assert play_out(match, random.Random(3)).report()["dealer"] == 0
    assert [bad_header(4, dealer) for dealer in (4, -1, None, "0", False)] == ["LL-3"] * 5


@pytest.mark.clause("LL-4", "LL-24")
def test_as_many_cards_and_deals_as_players() -> None:
    for players in (3, 4, 5, 6):
        match = Match("linger-longer", players, chance=random.Random(players))
        report = match.report()
        assert [len(hand) for hand in report["hands"]] == [players] * players
        assert report["stock"] == 52 - players * players
        assert play_out(match, random.Random(1)).report()["deal"] == players
    match = Match("linger-longer", options={"cards": 12, "deals": 2}, chance=random.Random(1))
    assert [len(hand) for hand in match.report()["hands"]] == [12] * 4
    assert play_out(match, random.Random(1)).report()["deal"] == 2


@pytest.mark.clause("LL-5", "LL-6", "LL-7", "LL-8")
def test_example_1_trump_and_order_of_the_deal() -> None:
    match = dealt(FOUR, "2s", dealer=2)
    assert str(match.events[0]).startswith("deal As Ks Qs Js Ah Kh Qh Jh Ad Kd Qd Jd Ac Kc Qc Jc 2s ")
    report = match.report()
    assert [set(hand) for hand in report["hands"]] == [set(hand.split()) for hand in FOUR]
    assert (report["trump"], report["upcard"], report["stock"]) == ("c", "Jc", 36)
    assert (report["to_act"], report["leader"]) == ([3], 3)
    play(match, "3 As", "0 Ks", "1 Qs", "2 Js")
    assert set(match.report()["hands"][3]) == {"Ah", "Ad", "Ac", "2s"}


@pytest.mark.clause("LL-7", "LL-11")
def test_option_trump() -> None:
    turned = dealt(FOUR, "2s 3s", dealer=2, trump="turned").report()
    assert (turned["trump"], turned["upcard"], turned["stock"], turned["discard"]) == ("s", "2s", 35, 0)
    assert not any("2s" in hand for hand in turned["hands"])
    match = position(["9d 2c", "Ah 3c", "Kd 4c"], stock="5c", trump="none")
    assert (match.report()["trump"], match.report()["upcard"]) == (None, None)
    assert play(match, "0 9d", "1 Ah", "2 Kd").report()["tricks"] == [0, 0, 1]


# -------------------------------------------------------------------------------------------------------- tricks


@pytest.mark.clause("LL-8")
def test_any_card_may_be_led_a_trump_too() -> None:
    match = dealt(FOUR, dealer=2)
    assert set(match.legal(3)) == {"As", "Ah", "Ad", "Ac"}
    assert play(match, "3 Ac").to_act == [0]


@pytest.mark.clause("LL-9", "LL-10", "LL-11")
def test_example_6_nothing_to_follow_with() -> None:
    match = play(position(["9d 2c", "Ad 2d 5h", "As 6h"], stock="3c"), "0 9d")
    assert set(match.legal(1)) == {"Ad", "2d"}
    assert refused(match, "1 5h") == "LL-9"
    play(match, "1 2d")
    assert set(match.legal(2)) == {"As", "6h"}
    for card, winner in (("As", 0), ("6h", 2)):
        assert play(match.fork(), f"2 {card}").report()["leader"] == winner


@pytest.mark.clause("LL-9", "LL-14")
def test_tricks_go_round_and_the_winner_leads() -> None:
    match = play(dealt(FOUR, dealer=2), "3 As", "0 Ks")
    assert match.report()["trick"] == [[3, "As"], [0, "Ks"]]
    assert match.to_act == [1]
    play(match, "1 Qs", "2 Js")
    assert (match.report()["trick"], match.to_act, match.report()["discard"]) == ([], [3], 4)
    play(match, "3 Ad", "0 Kd", "1 Qd", "2 Jd", "3 Ah", "0 Kh", "1 Qh", "2 Jh")
    assert match.report()["tricks"] == [0, 0, 0, 3]


@pytest.mark.clause("LL-12")
def test_only_the_winner_draws_and_only_the_winner_sees_it() -> None:
    match = play(dealt(FOUR, "2s 3s", dealer=2), "3 As", "0 Ks", "1 Qs", "2 Js")
    assert [len(hand) for hand in match.report()["hands"]] == [3, 3, 3, 4]
    assert "2s" in match.view(3).text()
    assert "2s" not in "".join(match.view(seat).text() for seat in (None, 0, 1, 2))


@pytest.mark.clause("LL-13", "LL-15", "LL-19")
def test_example_2_staying_in_with_the_last_card() -> None:
    match = play(position(["As", "2s 9c", "3s"], stock="7d 8d"), "0 As", "1 2s", "2 3s")
    report = match.report()
    assert (report["hands"], report["active"]) == ([["7d"], ["9c"], []], [0, 1])
    assert (report["to_act"], report["leader"], report["done"]) == ([0], 0, False)


@pytest.mark.clause("LL-13", "LL-15", "LL-16")
def test_who_is_out_is_passed_over_until_the_next_deal() -> None:
    match = play(position(["As", "2s 9c", "3s", "4s 5c"], stock="7d 8d 9d", deals=2), "0 As", "1 2s", "2 3s", "3 4s")
    assert match.report()["active"] == [0, 1, 3]
    play(match, "0 7d", "1 9c")
    assert match.to_act == [3]
    assert refused(match, "2 7d") == "LL-34"
    play(match, "3 5c")
    assert (match.awaiting, match.report()["last"]["winner"]) == ("deal", 0)
    play(match, match.draw_lots(random.Random(1)))
    assert match.report()["active"] == [0, 1, 2, 3]
    assert len(match.report()["hands"][2]) == 4


@pytest.mark.clause("LL-17", "LL-18", "LL-19", "LL-23")
def test_example_3_all_run_out_together() -> None:
    match = play(position(["", "9s", "", "Ts"], leader=1, stock="2c"), "1 9s", "3 Ts")
    report = match.report()
    assert (report["done"], report["winners"], report["scores"]) == (True, [3], [0, 0, 0, 1])
    assert (report["hands"], report["active"]) == ([[], [], [], ["2c"]], [3])
    assert report["last"] == {"deal": 1, "winner": 3, "tricks": [0, 0, 0, 1], "points": [0, 0, 0, 1]}


@pytest.mark.clause("LL-15", "LL-18")
def test_example_4_several_run_out_but_not_all() -> None:
    match = position(["2s", "As 2c", "3s", "4s 3c", "5s 4c"], stock="6c")
    report = play(match, "0 2s", "1 As", "2 3s", "3 4s", "4 5s").report()
    assert (report["active"], report["done"], report["to_act"]) == ([1, 3, 4], False, [1])


@pytest.mark.clause("LL-17", "LL-22", "LL-23")
def test_example_5_a_clean_sweep() -> None:
    match = dealt(["As Ac Ah", "Ks Kc 3d", "Qs Qc 2h"], "7d 8d 9d", dealer=2)
    assert match.report()["trump"] == "h"
    play(match, "0 As", "1 Ks", "2 Qs", "0 Ac", "1 Kc", "2 Qc", "0 Ah", "1 3d", "2 2h")
    assert (match.report()["scores"], match.report()["tricks"]) == ([3, 0, 0], [3, 0, 0])


@pytest.mark.clause("LL-22", "LL-23", "LL-27")
def test_deals_have_as_many_tricks_as_cards_and_less_than_twice_as_many() -> None:
    for seed in range(60):
        players = 3 + seed % 4
        match = Match("linger-longer", players, options={"deals": 1}, chance=random.Random(seed))
        last = play_out(match, random.Random(seed)).report()["last"]
        assert players <= sum(last["tricks"]) < 2 * players
        assert 1 <= sum(last["points"]) <= players
        assert not any(event.word == "reshuffle" for event in match.events)


# --------------------------------------------------------------------------------------------------- the reshuffle


@pytest.mark.clause("LL-13", "LL-20", "LL-21")
def test_the_discards_become_the_stock_when_a_card_has_to_be_drawn() -> None:
    match = position(["As 2c", "2s 9c", "3s 8c"], stock="4s")
    play(match, "0 As", "1 2s", "2 3s")
    assert (match.report()["stock"], match.awaiting) == (0, None)  # its last card is taken: not yet
    play(match, "0 4s", "1 9c", "2 8c")
    report = match.report()
    assert (report["phase"], report["awaiting"], report["to_act"], report["leader"]) == (
        "reshuffle",
        "reshuffle",
        [],
        0,
    )
    assert (report["trick"], report["discard"], report["active"]) == ([], 51, [0, 1, 2])
    order = match.draw_lots(random.Random(3)).split()
    assert {"4s", "9c", "8c", "As"} < set(order[1:])
    report = play(match, " ".join(order)).report()  # only the winner is left, and still draws
    assert (report["done"], report["stock"], report["discard"]) == (True, 50, 0)
    assert set(report["hands"][0]) == {"2c", order[1]}
    assert report["scores"] == [2, 0, 0]


@pytest.mark.clause("LL-21", "LL-32")
def test_a_reshuffle_names_every_discarded_card_once() -> None:
    match = play_out(Match("linger-longer", 3, options={"cards": 17}), random.Random(1))
    cut = next(i for i, event in enumerate(match.events) if event.word == "reshuffle")
    at = Match("linger-longer", 3, options={"cards": 17})
    play(at, *map(str, match.events[:cut]))
    right = str(match.events[cut])
    for event in ("reshuffle", right + " As", right[:-3], right[:-2] + right[-5:-3], right.replace(" ", " x", 1)):
        assert refused(at, event) == "LL-21"
    assert refused(at, "0 As") == refused(at, "deal As") == refused(at, "draw As") == refused(at, "9 x") == "LL-32"
    play(at, right)
    assert (at.phase, at.report()["discard"]) == ("play", 0)
    assert refused(at, right) == "LL-32"


@pytest.mark.clause("LL-30")
def test_after_a_reshuffle_worlds_know_where_the_discards_went() -> None:
    match = Match("linger-longer", 3, options={"cards": 15, "deals": 1})
    play_until(match, random.Random(6), "reshuffle")
    order = str(match.events[-1]).split()[1:]
    winner = match.to_act[0]
    seat, other = [seat for seat in range(3) if seat != winner]
    rng = random.Random(1)
    for _ in range(20):
        held = {text(card) for card in LINGER_LONGER.hand.cards(world(match.view(seat), rng), other)}
        assert not held & set(order)


# -------------------------------------------------------------------------------------------------- score and match


@pytest.mark.clause("LL-23")
def test_the_winner_scores_the_cards_still_held() -> None:
    hands = ["As Ks", "2s", "3s"]
    for score, points in (("cards", 2), ("one", 1)):
        match = position(hands, stock="9c 8c", score=score)
        assert match.report()["points"] == [0, 0, 0]
        report = play(match, "0 As", "1 2s", "2 3s").report()
        assert report["scores"] == report["points"] == [points, 0, 0]


@pytest.mark.clause("LL-25")
def test_the_next_dealer() -> None:
    for next_dealer, dealer in (("left", 1), ("winner", 2)):
        match = position(["3s", "2s", "As"], stock="9c", deals=2, next_dealer=next_dealer)
        report = play(match, "0 3s", "1 2s", "2 As").report()
        assert (report["phase"], report["awaiting"], report["dealer"], report["deal"]) == ("deal", "deal", dealer, 1)
        assert (report["hands"], report["trump"], report["upcard"], report["leader"]) == ([[]] * 3, None, None, None)
        assert (report["stock"], report["discard"], report["active"], report["points"]) == (0, 0, [], [0, 0, 0])
        assert (report["tricks"], report["scores"]) == ([0, 0, 0], [0, 0, 1])
        assert play(match, match.draw_lots(random.Random(1))).to_act == [(dealer + 1) % 3]


@pytest.mark.clause("LL-26")
def test_example_7_a_shared_match() -> None:
    match = position(["", "9s", "", "Ts"], leader=1, stock="2c")
    state(match).scores[:4] = [3, 5, 0, 4]
    report = play(match, "1 9s", "3 Ts").report()
    assert (report["scores"], report["winners"]) == ([3, 5, 0, 5], [1, 3])


@pytest.mark.clause("LL-27")
def test_matches_end_with_any_options() -> None:
    for seed in range(12):
        options = {"cards": (17, 12, 10, 8)[seed % 4], "trump": ("dealer", "turned", "none")[seed % 3]}
        match = Match("linger-longer", 3 + seed % 4, options=options, chance=random.Random(seed))
        assert play_out(match, random.Random(seed)).done


# ------------------------------------------------------------------------------------------------ what each seat sees


@pytest.mark.clause("LL-28")
def test_what_everybody_sees() -> None:
    match = dealt(FOUR, "2s 3s", dealer=2, deals=3)
    play(match, "3 As", "0 Ks", "1 Qs", "2 Js", "3 Ah")
    for seat in (None, 0, 3):
        told = describe(match.view(seat), match.last_trick, NAMES[:4])
        assert told.headline == "Deal 1 of 3 · clubs are trumps (J♣)"
        assert [(zone.id, zone.cards, zone.count) for zone in told.zones] == [
            ("trick", ["Ah"], 1),
            ("stock", [], 35),
            ("discard", [], 4),
        ]
        assert [one.cards for one in told.seats] == [3, 3, 3, 3]
        assert [one.marks[0].value for one in told.seats] == ["0", "0", "0", "1"]
        assert (told.seats[2].dealer, told.seats[3].leader, told.to_act) == (True, True, [0])
        assert told.last_trick
        assert told.last_trick.taker == 3
    assert describe(match.view(0), (), NAMES).prompt == "Your turn: follow A♥ if you can"
    out = play(position(["As", "2s 9c", "3s"], stock="7d"), "0 As", "1 2s", "2 3s")
    seats = describe(out.view(1), (), NAMES).seats
    assert [[mark.label for mark in one.marks] for one in seats] == [["Tricks"], ["Tricks"], ["Tricks", "Cards"]]
    assert describe(out.view(0), (), NAMES).prompt == "Your turn: lead any card"


@pytest.mark.clause("LL-28")
def test_a_card_that_was_turned_lies_open() -> None:
    told = describe(dealt(FOUR, "2s 3s", trump="turned").view(None), (), NAMES)
    aside = told.zone("aside")
    assert (aside.role, aside.label, aside.count, aside.cards) == ("pile", "Out of play", 1, ["2s"])
    assert "spades are trumps (2♠)" in told.headline
    none = describe(dealt(FOUR, trump="none").view(None), (), NAMES)
    assert none.headline == "Deal 1 of 1 · no trumps"


@pytest.mark.clause("LL-29")
def test_a_hand_is_its_owners_but_for_the_dealers_shown_card() -> None:
    match = dealt(FOUR, "2s 3s", dealer=2)
    assert match.view(0).text() == "0: Ks Kh Kd Kc | 1: ·· ·· ·· ·· | 2: Jc ·· ·· ·· | 3: ·· ·· ·· ··"
    rng = random.Random(1)
    assert all(number("Jc") in LINGER_LONGER.hand.cards(world(match.view(0), rng), 2) for _ in range(20))
    play(match, "3 Ac", "0 Kc", "1 Qc", "2 Jc")
    assert match.view(None).text().startswith("0: ·· ·· ·· | 1: ·· ·· ·· | 2: ·· ·· ·· | 3:")


@pytest.mark.clause("LL-29")
def test_worlds_heed_what_a_seat_has_shown_to_lack_until_it_draws() -> None:
    match = play(position(["9d 2c 3c", "Ac 5c 6c", "As 2s 3s"], stock="Kd Qd 4c 7c"), "0 9d", "1 Ac", "2 As")
    rng = random.Random(1)
    for _ in range(20):
        made = world(match.view(0), rng)
        assert not any(card // 13 == 1 for seat in (1, 2) for card in LINGER_LONGER.hand.cards(made, seat))
    assert state(match).lacks[0] == 0


@pytest.mark.clause("LL-30")
def test_nobody_sees_the_stock_or_looks_through_the_discards() -> None:
    match = play(dealt(FOUR, "2s 3s", dealer=2), "3 As", "0 Ks", "1 Qs", "2 Js")
    for seat in (None, 0, 3):
        assert set(sees(match, seat).stock) == {-1}
        told = describe(match.view(seat), (), NAMES)
        assert [zone.cards for zone in told.zones] == [[], [], []]


@pytest.mark.clause("LL-30")
def test_after_a_deal_the_winners_cards_are_shown() -> None:
    for deals in (1, 2):
        match = play(position(["As Ks", "2s", "3s"], stock="Tc 8c", deals=deals), "0 As", "1 2s", "2 3s")
        told = describe(match.view(1), (), NAMES)
        assert told.result == ["Ann alone has cards left (K♠ 10♣) and wins 2 points"]
        assert told.seats[0].open == (["Ks", "Tc"] if deals == 1 else [])


# ------------------------------------------------------------------------------------------------------- the record


@pytest.mark.clause("LL-31")
def test_after_the_end_no_event_is_possible() -> None:
    match = play(position(["", "9s", "", "Ts"], leader=1, stock="2c"), "1 9s", "3 Ts")
    for event in ("nonsense", f"deal {' '.join(PACK)}", "3 2c", "reshuffle Ah", "9 Ah", "0 x"):
        assert refused(match, event) == "LL-31"


@pytest.mark.clause("LL-32", "LL-33")
def test_deals_come_when_they_are_awaited_and_name_all_cards() -> None:
    match = Match("linger-longer")
    for event in ("0 As", "9 As", "0 nonsense", "reshuffle Ah", "draw Ah"):
        assert refused(match, event) == "LL-32"
    good = f"deal {' '.join(PACK)}"
    for event in ("deal", "deal As", good + " 2c", good.replace("As", "Ks"), good.replace("As", "*"), good + " x"):
        assert refused(match, event) == "LL-33"
    play(match, good)
    for event in (good, "reshuffle Ah", "draw Ah"):
        assert refused(match, event) == "LL-32"


@pytest.mark.clause("LL-34", "LL-35", "LL-36")
def test_who_moves_and_what_is_a_move() -> None:
    match = dealt(FOUR, dealer=2)
    assert [refused(match, event) for event in ("0 Ks", "1 x", "4 As", "99 As")] == ["LL-34"] * 4
    for event in ("", "hello", "As", "3", "3 ", "-1 As", "03 As"):
        assert refused(match, event) == "LL-35"
    for move in ("As Ah", "play As", "pass", "1s", "take", "x"):
        assert refused(match, f"3 {move}") == "LL-35"
    assert refused(match, "3 Ks") == refused(match, "3 *") == "LL-36"


@pytest.mark.clause("LL-37")
def test_options_that_do_not_exist_are_refused() -> None:
    for players, most in ((3, 17), (4, 12), (5, 10), (6, 8)):
        assert len(Match("linger-longer", players, options={"cards": most}).options.chosen) == 1
        assert bad_header(players, cards=most + 1) == bad_header(players, cards=1) == "LL-37"
    for name, values in {
        "deals": (0, 21, "4", True),
        "trump": ("hearts", 0),
        "next_dealer": ("right",),
        "score": ("two",),
        "unheard_of": (1,),
    }.items():
        assert [bad_header(**{name: value}) for value in values] == ["LL-37"] * len(values)


@pytest.mark.clause("LL-38")
def test_of_several_faults_the_first_is_named() -> None:
    match = Match("linger-longer", 3)
    assert refused(match, "nonsense") == "LL-35"  # before LL-32
    assert refused(match, "reshuffle x") == "LL-32"  # before LL-21
    match = play(position(["9d 2c", "Ad 2d 5h", "As 6h"], stock="3c"), "0 9d")
    assert refused(match, "2 nonsense") == "LL-34"  # before LL-35
    assert refused(match, "1 5h 6h") == "LL-35"
    assert refused(match, "1 6h") == "LL-36"  # before LL-9
    assert refused(match, "1 5h") == "LL-9"


# --------------------------------------------------------------------------------------------------- the heuristic


def heuristic_move(match: Match, luck: int = 0) -> str:
    seat = match.to_act[0]
    view: Any = match.view(seat)
    moves = view.legal_moves()
    return text(view.options.choose(view.state, seat, moves, len(moves), luck))


def test_a_trick_is_taken_as_cheaply_as_may_be_and_else_the_cheapest_card_goes() -> None:
    match = position(["9d 2c 3c", "4d Td 5h", "As Kd Jd"], stock="3s 4s 5s")
    play(match, "0 9d")
    assert heuristic_move(match) == "Td"
    assert heuristic_move(play(match.fork(), "1 Td")) == "Jd"
    lost = play(position(["Ad 2c 3c", "4d Td 5h", "9s Ks 8s"], stock="3s 4s 5s"), "0 Ad")
    assert heuristic_move(lost) == "4d"
    assert heuristic_move(play(lost, "1 4d")) in ("8s", "9s", "Ks")


def test_the_card_most_likely_to_win_is_led() -> None:
    assert heuristic_move(position(["Ah 2c 3d", "4d Td 5h", "9s Ks 8s"], stock="3s 4s 5s Kh")) == "Ah"


def test_chances() -> None:
    match = play(position(["9d 2c 3c", "4d Td 5h", "As Kd Jd"], stock="3s"), "0 9d", "1 Td")
    view: Any = match.view(2)
    opt = view.options
    assert [round(opt.without(2, such, 4) * 6 / SURE) for such in range(5)] == [6, 3, 1, 0, 0]
    assert opt.without(5, 0, 3) == SURE
    assert [opt.now(view.state, 2, number(card)) for card in ("Kd", "Jd", "As")] == [SURE, SURE, 0]


def test_no_number_of_the_rules_stands_somewhere_as_a_literal() -> None:
    for declared in LINGER_LONGER.declared_numbers.values():
        if isinstance(declared.value, int) and not declared.derived:
            assert list(literal_twins(LINGER_LONGER, declared.value)) == []


@pytest.mark.clause("LL-39")
def test_the_usual_table_is_as_the_author_wrote_it() -> None:
    assert (games.load("linger-longer").author, games.load("linger-longer").author_clause) == ({}, "LL-39")
