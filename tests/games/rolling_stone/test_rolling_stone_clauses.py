"""Rolling Stone: the worked examples of its page, and every clause."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from playing import play_out, refused, refused_header

from upcard import Match, games
from upcard.engine.worlds import world
from upcard.games.rolling_stone.heuristic import PATIENCE
from upcard.games.rolling_stone.rules import TAKE
from upcard.rules.cards import as_set, pack, text
from upcard.rules.lineage import literal_twins
from upcard.table.log import Log
from upcard.table.scene import describe

ROLLING_STONE = games.load("rolling-stone")
RANKS = {4: "AKQJT987", 5: "AKQJT98765", 6: "AKQJT9876543"}
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]


def pack_for(players: int) -> list[str]:
    return [text(card) for card in pack(RANKS[players])]


def deal(hands: Sequence[str], dealer: int = 0) -> str:
    """The deal event that gives each seat these cards, and fills the hands with what is left of the pack."""
    named = " ".join(hands).split()
    rest = [card for card in pack_for(len(hands)) if card not in named]
    full = []
    for hand in hands:
        missing = 8 - len(hand.split())
        full.append(hand.split() + rest[:missing])
        del rest[:missing]
    cards = [full[(dealer + 1 + k) % len(hands)][i] for i in range(8) for k in range(len(hands))]
    return f"deal {' '.join(cards)}"


def play(match: Match, *events: str) -> Match:
    for event in events:
        match.event(event)
    return match


def state(match: Match) -> Any:
    """The whole state, with the fields of this game."""
    return match.state


def position(hands: Sequence[str], leader: int = 0, dealer: int = 0, **options: Any) -> Match:
    """A match late in its first deal, with this seat to lead: what nobody holds has been discarded."""
    match = Match("rolling-stone", len(hands), dealer=dealer, options=options)
    play(match, deal([""] * len(hands), dealer))
    s = state(match)
    everything = as_set(ROLLING_STONE.notation.read(card).move or 0 for card in pack_for(len(hands)))
    for seat, hand in enumerate(hands):
        s.hand[seat] = as_set(ROLLING_STONE.notation.read(card).move or 0 for card in hand.split())
        s.size[seat] = len(hand.split())
        everything ^= s.hand[seat]
    s.discard = everything
    s.leader = leader
    s.to_act = 1 << leader
    return match


def bad_header(players: object = 4, dealer: object = 0, **options: object) -> str | None:
    return refused_header(ROLLING_STONE, players, dealer, **options)


def hand(match: Match, seat: int) -> set[str]:
    return set(match.report()["hands"][seat])


# ------------------------------------------------------------------------------------------------- pack and deal


@pytest.mark.clause("RS-1")
def test_four_to_six_play_four_by_default() -> None:
    assert [Match("rolling-stone", players).players for players in (4, 5, 6)] == [4, 5, 6]
    assert Match("rolling-stone").players == 4
    assert [bad_header(players) for players in (3, 7, 0, True, "4")] == ["RS-1"] * 5


@pytest.mark.clause("RS-2", "RS-6", "RS-30")
def test_eight_cards_each_are_the_whole_pack() -> None:
    for players, lowest in ((4, "7"), (5, "5"), (6, "3")):
        match = Match("rolling-stone", players)
        cards = match.draw_lots(random.Random(1)).split()[1:]
        assert sorted(cards) == sorted(pack_for(players))
        assert min((card[0] for card in cards), key="23456789TJQKA".index) == lowest
        play(match, f"deal {' '.join(cards)}")
        assert [len(held) for held in match.report()["hands"]] == [8] * players


@pytest.mark.clause("RS-6", "RS-7")
def test_example_1_cards_go_round_singly_the_dealer_last() -> None:
    cards = pack_for(5)
    match = play(Match("rolling-stone", 5, dealer=4), f"deal {' '.join(cards)}")
    assert hand(match, 0) == set(cards[0:40:5])
    assert hand(match, 4) == set(cards[4:40:5])
    assert (match.to_act, match.report()["leader"]) == ([0], 0)
    assert play(Match("rolling-stone", dealer=1), deal([""] * 4)).to_act == [2]


@pytest.mark.clause("RS-5")
def test_the_record_names_the_first_dealer() -> None:
    assert [Match("rolling-stone", dealer=dealer).report()["dealer"] for dealer in range(4)] == [0, 1, 2, 3]
    assert [bad_header(4, dealer) for dealer in (4, -1, None, "0", False)] == ["RS-5"] * 5


# -------------------------------------------------------------------------------------------------------- tricks


@pytest.mark.clause("RS-3", "RS-8", "RS-9", "RS-10")
def test_example_2_a_complete_trick() -> None:
    match = play(Match("rolling-stone"), deal(["Th Ts", "9h", "Kh 8h", "7h"]), "1 9h")
    assert match.to_act == [2]
    assert match.report()["trick"] == [[1, "9h"]]
    play(match, "2 Kh", "3 7h", "0 Th")
    report = match.report()
    assert (report["trick"], report["discard"], report["tricks"], report["taken"]) == ([], 4, [0, 0, 1, 0], [0] * 4)
    assert (report["leader"], report["to_act"], report["played"]) == (2, [2], 1)
    assert set(report["legal"]["2"]) == hand(match, 2)  # RS-10: any card
    assert not any(card in held for held in report["hands"] for card in ("9h", "Kh", "7h", "Th"))


@pytest.mark.clause("RS-3")
@pytest.mark.parametrize(("trick", "winner"), [("Ah Kh 7h Qh", 0), ("7h Th 9h 8h", 1), ("Jh 9h Qh Kh", 3)])
def test_the_highest_card_wins_ace_high(trick: str, winner: int) -> None:
    cards = trick.split()
    match = position([f"{card} {other}" for card, other in zip(cards, ("7s", "8s", "9s", "Ts"), strict=True)])
    play(match, *(f"{seat} {card}" for seat, card in enumerate(cards)))
    assert match.report()["tricks"] == [int(seat == winner) for seat in range(4)]
    assert match.to_act == [winner]


@pytest.mark.clause("RS-7", "RS-8")
def test_any_card_is_led_and_the_suit_led_is_followed() -> None:
    match = play(Match("rolling-stone"), deal(["As", "7h 9h Ac", "Kh 8h Kc", "Qs"]))
    assert set(match.legal(1)) == hand(match, 1)
    play(match, "1 9h")
    assert set(match.legal(2)) == {card for card in hand(match, 2) if card[1] == "h"}
    assert refused(match, "2 Kc") == "RS-8"


@pytest.mark.clause("RS-11", "RS-12", "RS-14", "RS-15")
def test_example_3_a_broken_trick() -> None:
    match = position(["9h Th", "8s 7h", "As Kh", "7s Qh"], leader=2)
    before = match.report()["discard"]
    play(match, "2 As", "3 7s")
    assert match.legal(0) == ["take"]
    play(match, "0 take")
    report = match.report()
    assert hand(match, 0) == {"9h", "Th", "As", "7s"}
    assert hand(match, 1) == {"8s", "7h"}  # did not play
    assert (report["trick"], report["discard"], report["played"]) == ([], before, 1)
    assert (report["tricks"], report["taken"], report["leader"]) == ([0] * 4, [1, 0, 0, 0], 0)
    assert set(match.legal(0)) == hand(match, 0)  # one of those just taken, too
    play(match, "0 As")
    assert match.record()["events"][-2:] == ["0 take", "0 As"]


@pytest.mark.clause("RS-11")
def test_example_4_the_smallest_pick_up() -> None:
    match = play(position(["Jc 9h", "7h 8h", "7s 8s", "9s Ts"]), "0 Jc")
    assert match.legal(1) == ["take"]
    assert refused(match, "1 7h") == "RS-11"
    play(match, "1 take")
    assert (hand(match, 1), match.to_act) == ({"Jc", "7h", "8h"}, [1])


@pytest.mark.clause("RS-13")
def test_nobody_takes_who_can_follow_or_leads() -> None:
    match = position(["Jc 9h", "Qc 8h", "7s 8s", "9s Ts"])
    assert refused(match, "0 take") == "RS-13"
    play(match, "0 Jc")
    assert match.legal(1) == ["Qc"]
    assert refused(match, "1 take") == "RS-13"


# ------------------------------------------------------------------------------------------------ the end of a deal


@pytest.mark.clause("RS-4", "RS-16", "RS-17")
def test_example_5_at_once() -> None:
    match = position(["Jh 9s 8s", "7h", "8h", "Ts Qs"])
    report = play(match, "0 Jh", "1 7h").report()
    assert (report["done"], report["winners"], report["scores"]) == (True, [1], [0, 1, 0, 0])
    assert report["trick"] == [[0, "Jh"], [1, "7h"]]  # stays
    assert (report["played"], report["tricks"], report["taken"], report["leader"]) == (0, [0] * 4, [0] * 4, 0)
    assert report["last"] == {"deal": 1, "winners": [1], "limit": False, "left": [2, 0, 1, 2], "points": [0, 1, 0, 0]}


@pytest.mark.clause("RS-16")
def test_example_6_leading_the_last_card() -> None:
    report = play(position(["Jh", "7h 7c", "8h 8c", "Ts Qs"]), "0 Jh").report()
    assert (report["winners"], report["trick"]) == ([0], [[0, "Jh"]])


@pytest.mark.clause("RS-17")
def test_the_last_trick_does_not_count_even_if_the_winning_card_was_its_last() -> None:
    report = play(position(["Jh 9s", "7h 7c", "8h 8c", "9h"]), "0 Jh", "1 7h", "2 8h", "3 9h").report()
    assert (report["winners"], report["tricks"], report["played"]) == ([3], [0] * 4, 0)
    assert len(report["trick"]) == 4


@pytest.mark.clause("RS-16", "RS-17")
def test_after_the_match_the_leader_is_who_led_the_trick_that_is_shown() -> None:
    match = position(["7s 7h Kd", "8s 9h", "9s Kh", "As 8c 9c"])
    play(match, "0 7s", "1 8s", "2 9s", "3 As", "3 8c", "0 take")
    assert match.report()["leader"] == 0
    report = play(match, "0 7h", "1 9h").report()
    assert (report["done"], report["trick"], report["leader"]) == (True, [[0, "7h"], [1, "9h"]], 0)


@pytest.mark.clause("RS-18")
def test_after_the_match_without_a_trick_the_leader_is_who_won_the_last_complete_one() -> None:
    match = position(["7s 7h Kd", "8s 9h", "9s Kh", "As 8c 9c"], limit=10)
    state(match).played = 8
    report = play(match, "0 7s", "1 8s", "2 9s", "3 As", "3 8c", "0 take").report()
    assert (report["done"], report["trick"], report["leader"]) == (True, [], 3)


@pytest.mark.clause("RS-16", "RS-17", "RS-19")
def test_option_finish_plays_the_trick_to_its_end() -> None:
    both = position(["Jh 9s 8s", "7h", "8h", "Ts Qs"], finish="trick")
    report = play(both, "0 Jh", "1 7h", "2 8h", "3 take").report()
    assert (report["winners"], report["scores"], report["taken"]) == ([1, 2], [0, 1, 1, 0], [0, 0, 0, 1])
    assert (report["trick"], report["played"], report["leader"]) == ([], 1, None)
    assert report["last"]["left"] == [2, 0, 0, 5]
    four = position(["Jh", "7h 7s", "8h", "Th"], finish="trick", limit=10)
    state(four).played = 9
    report = play(four, "0 Jh", "1 7h", "2 8h", "3 Th").report()
    assert (report["winners"], report["last"]["limit"]) == ([0, 2, 3], False)  # before the limit
    assert report["tricks"] == [1, 0, 0, 0]


def at_the_limit(**options: Any) -> Match:
    """Example 7: after the last trick the seats hold 5, 9, 5 and 9 cards."""
    rest = pack_for(4)[8:] + pack_for(4)[1:8]  # the spades last: seat 1 has none
    hands = [" ".join(["As", *rest[:5]]), " ".join(rest[5:13]), " ".join(rest[13:18]), " ".join(rest[18:27])]
    match = position(hands, limit=10, **options)
    state(match).played = 9
    return play(match, "0 As", "1 take")


@pytest.mark.clause("RS-18", "RS-19", "RS-23")
def test_example_7_the_limit() -> None:
    report = at_the_limit().report()
    assert (report["done"], report["played"], report["winners"]) == (True, 10, [0, 2])
    assert report["last"] == {"deal": 1, "winners": [0, 2], "limit": True, "left": [5, 9, 5, 9], "points": [1, 0, 1, 0]}
    assert report["scores"] == report["points"] == [1, 0, 1, 0]


@pytest.mark.clause("RS-18", "RS-24")
@pytest.mark.parametrize(("players", "tricks"), [(4, 100), (5, 200), (6, 200)])
def test_a_deal_has_a_limited_number_of_tricks(players: int, tricks: int) -> None:
    match = Match("rolling-stone", players, chance=random.Random(1))
    state(match).played = tricks - 2
    play_out(match, random.Random(1), len(match.events) + 2 * players)
    assert match.done
    assert match.report()["played"] == tricks
    assert match.report()["last"]["limit"]


@pytest.mark.clause("RS-24")
def test_matches_end() -> None:
    for seed in range(20):
        match = play_out(Match("rolling-stone", 4 + seed % 3, options={"limit": 30}), random.Random(seed))
        assert match.done
        assert len(match.events) <= 1 + 30 * match.players


# -------------------------------------------------------------------------------------------------- score and match


@pytest.mark.clause("RS-20")
def test_what_a_deal_is_worth() -> None:
    hands = ["Jh As", "7h", "Ks Qd Td", "9c 8c"]
    for score, points in (("win", 1), ("cards", 6), ("pips", 1 + 10 + 10 + 10 + 9 + 8)):
        report = play(position(hands, score=score), "0 Jh", "1 7h").report()
        assert report["scores"] == report["points"] == [0, points, 0, 0]


@pytest.mark.clause("RS-19", "RS-20")
def test_players_who_share_a_deal_score_the_cards_of_the_others() -> None:
    assert at_the_limit(score="cards").report()["scores"] == [18, 0, 18, 0]


@pytest.mark.clause("RS-21", "RS-22")
def test_a_match_is_one_deal_unless_the_table_says_more() -> None:
    assert play(position(["Jh", "7h 7c", "8h 8c", "Ts Qs"]), "0 Jh").done
    for next_dealer, dealer in (("left", 3), ("winner", 0)):
        match = position(["Jh", "7h 7c", "8h 8c", "Ts Qs"], dealer=2, deals=2, next_dealer=next_dealer)
        report = play(match, "0 Jh").report()
        assert (report["awaiting"], report["phase"], report["dealer"], report["deal"]) == ("deal", "deal", dealer, 1)
        assert report["scores"] == [1, 0, 0, 0]
        assert (report["hands"], report["trick"], report["leader"], report["discard"]) == ([[]] * 4, [], None, 0)
        assert (report["tricks"], report["taken"], report["points"], report["played"]) == ([0] * 4, [0] * 4, [0] * 4, 0)
        assert report["last"]["left"] == [0, 2, 2, 2]
        assert play_out(match, random.Random(2)).report()["deal"] == 2


@pytest.mark.clause("RS-22")
def test_after_a_shared_deal_the_turn_to_deal_passes_to_the_left() -> None:
    assert at_the_limit(deals=2, next_dealer="winner", dealer=2).report()["dealer"] == 3


@pytest.mark.clause("RS-23")
def test_the_highest_total_wins_and_ties_are_shared() -> None:
    match = position(["Jh", "7h 7c", "8h 8c", "Ts Qs"])
    state(match).scores[:4] = [1, 2, 0, 2]
    assert play(match, "0 Jh").report()["winners"] == [0, 1, 3]
    assert match.report()["scores"] == [2, 2, 0, 2]


# ------------------------------------------------------------------------------------------------ what each seat sees


@pytest.mark.clause("RS-25")
def test_what_everybody_sees() -> None:
    match = position(["9h Th", "8s 7h", "As Kh", "7s Qh"], leader=2, deals=3)
    play(match, "2 As", "3 7s", "0 take", "0 As")
    for seat in (None, 0, 3):
        told = describe(match.view(seat), match.last_trick, NAMES[:4])
        assert told.headline == "Deal 1 of 3 · trick 2 of at most 100"
        trick, discards = told.zones
        assert (trick.cards, trick.seats) == (["As"], [0])
        assert (discards.role, discards.cards, discards.count) == ("discard", [], 24)
        assert [one.cards for one in told.seats] == [3, 2, 1, 1]
        assert [one.marks[1].value for one in told.seats] == ["1", "0", "0", "0"]
        assert (told.seats[0].dealer, told.seats[0].leader, told.to_act) == (True, True, [1])
    assert describe(match.view(1), (), NAMES).prompt == "Your turn: follow A♠"
    play(match, "1 8s")
    assert describe(match.view(2), (), NAMES).prompt == "Your turn: you cannot follow A♠: take up 2 cards"
    assert describe(match.view(2), (), NAMES).offers.moves[0].label == "Take up the cards"


@pytest.mark.clause("RS-26")
def test_taken_cards_go_into_a_hidden_hand_and_are_remembered_by_those_who_can() -> None:
    match = position(["9h Th", "8s 7h", "As Kh", "7s Qh"], leader=2)
    play(match, "2 As", "3 7s", "0 take")
    assert match.view(1).text() == "0: ·· ·· ·· ·· | 1: 8s 7h | 2: ·· | 3: ··"
    told = describe(match.view(1), match.last_trick, NAMES)
    assert [one.open for one in told.seats] == [[], [], [], []]
    assert [zone.cards for zone in told.zones] == [[], []]
    rng = random.Random(1)
    hearts = set()
    for _ in range(60):
        made = ROLLING_STONE.hand.cards(world(match.view(1), rng), 0)
        held = {text(card) for card in made}
        assert {"As", "7s"} <= held
        hearts |= held - {"As", "7s"}
    assert hearts == {"9h", "Th", "Kh", "Qh"}
    play(match, "0 As", "1 8s")
    assert {text(card) for card in ROLLING_STONE.hand.cards(world(match.view(1), rng), 0)} & {"As", "7s"} == {"7s"}


@pytest.mark.clause("RS-26")
def test_worlds_heed_what_a_seat_has_shown_to_lack() -> None:
    match = play(position(["Th 9h 9c", "8s 8c", "Kh Ac As", "7s Qh"]), "0 Th", "1 take")
    rng = random.Random(2)
    for _ in range(30):
        held = {text(card) for card in ROLLING_STONE.hand.cards(world(match.view(0), rng), 1)}
        assert {card for card in held if card[1] == "h"} == {"Th"}
        assert len(held) == 3


@pytest.mark.clause("RS-27")
def test_the_discards_are_only_counted_and_after_the_deal_all_cards_are_shown() -> None:
    match = position(["Jh As", "7h", "Ks Qd", "9c 8c"])
    assert describe(match.view(1), (), NAMES).zone("discard").cards == []
    play(match, "0 Jh", "1 7h")
    for seat in (None, 1):
        assert match.view(seat).text() == "0: As | 1:  | 2: Ks Qd | 3: 9c 8c"
    told = describe(match.view(None), (), NAMES)
    assert told.result == [
        "Bo is out of cards and wins 1 point",
        "Ann is left with 1 card: A♠",
        "Cy is left with 2 cards: K♠ Q♦",
        "Di is left with 2 cards: 9♣ 8♣",
    ]
    limit = describe(at_the_limit(deals=2).view(None), (), NAMES).result
    assert limit[:2] == [
        "Ann has the fewest cards at the limit and wins 1 point",
        "Cy has the fewest cards at the limit and wins 1 point",
    ]
    assert [line.split(": ")[0] for line in limit[2:]] == [
        f"{NAMES[seat]} is left with {number} cards" for seat, number in enumerate((5, 9, 5, 9))
    ]


@pytest.mark.clause("RS-17")
def test_nobody_is_said_to_take_a_last_trick_that_does_not_count() -> None:
    match = position(["Jh 9s", "7h 7c", "8h 8c", "9h"], deals=2)
    log = Log(match)
    for seq, event in enumerate(("0 Jh", "1 7h", "2 8h", "3 9h")):
        log.note(seq, match.state.copy(), match, match.event(event), NAMES)
    assert log.last(0).text.startswith("Di plays 9♥. Di is out of cards and wins 1 point. Ann is left")
    assert describe(match.view(0), match.last_trick, NAMES).last_trick is None


# ------------------------------------------------------------------------------------------------------- the record


@pytest.mark.clause("RS-28")
def test_after_the_end_no_event_is_possible() -> None:
    match = play(position(["Jh", "7h 7c", "8h 8c", "Ts Qs"]), "0 Jh")
    for event in ("nonsense", deal([""] * 4), "0 take", "1 7h", "draw Ah", "9 Ah", "0 x"):
        assert refused(match, event) == "RS-28"


@pytest.mark.clause("RS-29", "RS-30")
def test_deals_come_when_they_are_awaited_and_name_the_whole_pack() -> None:
    match = Match("rolling-stone")
    for event in ("0 As", "1 take", "9 As", "0 nonsense", "reshuffle Ah", "draw Ah"):
        assert refused(match, event) == "RS-29"
    good = deal([""] * 4)
    for event in ("deal", "deal As", good + " 6s", good.replace("As", "6s"), good.replace("As", "Ks"), good + " x"):
        assert refused(match, event) == "RS-30"
    play(match, good)
    assert refused(match, good) == refused(match, "reshuffle Ah") == refused(match, "draw Ah") == "RS-29"


@pytest.mark.clause("RS-31", "RS-32", "RS-33")
def test_who_moves_and_what_is_a_move() -> None:
    match = position(["9h Th", "8s 7h", "As Kh", "7s Qh"])
    assert [refused(match, event) for event in ("1 7h", "1 take", "4 As", "99 x")] == ["RS-31"] * 4
    for event in ("", "hello", "take", "9h", "0", "0 ", "-1 9h", "00 9h"):
        assert refused(match, event) == "RS-32"
    for move in ("6s", "2h", "*", "9h Th", "take 9h", "TAKE", "pass", "play 9h", "x"):
        assert refused(match, f"0 {move}") == "RS-32"
    assert refused(match, "0 8h") == refused(match, "0 As") == "RS-33"


@pytest.mark.clause("RS-34")
def test_options_that_do_not_exist_are_refused() -> None:
    for name, values in {
        "deals": (0, 21, "1", True),
        "limit": (9, 1001, "200"),
        "score": ("Win", 1),
        "finish": ("later",),
        "next_dealer": ("right",),
        "unheard_of": (1,),
    }.items():
        assert [bad_header(**{name: value}) for value in values] == ["RS-34"] * len(values)


@pytest.mark.clause("RS-35")
def test_of_several_faults_the_first_is_named() -> None:
    match = position(["9h Th", "8s 7h", "As Kh", "7s Qh"], leader=2)
    assert refused(match, "nonsense") == "RS-32"  # before RS-31
    assert refused(match, "deal As") == "RS-29"  # before RS-30
    assert refused(match, "1 nonsense") == "RS-31"
    play(match, "2 As", "3 7s")
    assert refused(match, "0 6h") == "RS-32"  # no card of the pack
    assert refused(match, "0 8h") == "RS-33"  # before RS-11
    assert refused(match, "0 9h") == "RS-11"
    play(match, "0 take", "0 As")
    assert refused(match, "1 8h") == "RS-33"  # before RS-8
    assert refused(match, "1 7h") == "RS-8"
    assert refused(match, "1 take") == "RS-13"


# --------------------------------------------------------------------------------------------------- the heuristic


def heuristic_move(match: Match, luck: int = 0) -> str:
    seat = match.to_act[0]
    view: Any = match.view(seat)
    moves = view.legal_moves()
    return ROLLING_STONE.notation.text(view.options.choose(view.state, seat, moves, len(moves), luck))


def test_the_suit_that_the_others_lack_is_led_from_below() -> None:
    assert heuristic_move(position(["9h Kh Ks", "Qs 7c", "Js 8c", "Ts Th"])) == "9h"


def test_the_lead_is_taken_when_it_is_sure_and_else_the_lowest_card_is_played() -> None:
    match = play(position(["9h Kh", "7h Qh Ks", "8h Jh Qs", "Th Ah Js"], leader=1), "1 7h")
    assert heuristic_move(match) == "8h"
    play(match, "2 8h", "3 Th")
    assert heuristic_move(match) == "Kh"


def test_one_who_is_nearly_out_is_made_to_take() -> None:
    match = position(["9h 8h As", "7h Ts 7c", "Kc", "Jh Qh 9s"])
    state(match).lacks[2] = as_set(card for card in range(52) if card // 13 == 3)
    assert heuristic_move(match) == "As"
    state(match).played = PATIENCE
    assert heuristic_move(match) in ("9h", "8h")


def test_casual_players_finish_their_deals_long_before_the_limit() -> None:
    lengths = []
    for seed in range(30):
        rng = random.Random(seed)
        match = Match("rolling-stone", 4 + seed % 3, chance=rng)
        while not match.done:
            match.event(f"{match.to_act[0]} {heuristic_move(match, rng.randrange(1 << 31))}")
        lengths.append(match.report()["played"])
    assert max(lengths) < 200
    assert sum(lengths) < 30 * 70


def test_taking_is_no_card() -> None:
    match = play(position(["Jc 9h", "7h 8h", "7s 8s", "9s Ts"]), "0 Jc")
    assert match.legal_moves(1) == [TAKE]
    assert heuristic_move(match) == "take"


def test_no_number_of_the_rules_stands_somewhere_as_a_literal() -> None:
    for declared in ROLLING_STONE.declared_numbers.values():
        if isinstance(declared.value, int) and not declared.derived:
            assert list(literal_twins(ROLLING_STONE, declared.value)) == []


@pytest.mark.clause("RS-36")
def test_the_author_has_other_options_than_the_usual_table() -> None:
    game, author = games.load("rolling-stone"), {"limit": 1000}
    assert (game.author, game.author_clause) == (author, "RS-36")
    assert all(game.declared_options[name].default_for(4) != value for name, value in author.items())
