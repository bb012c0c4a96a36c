"""Ninety-Nine: the worked examples of its page, and every clause."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from playing import explained, refused, refused_header
from playing import seen_by as sees

from upcard import Match, games
from upcard.engine.views import View, seen_event, told_text, view
from upcard.engine.worlds import world
from upcard.games.ninety_nine.rules import DECLARED, DUMMY, REVEALED
from upcard.rules.cards import SUITS, as_list, as_set, pack, read, text
from upcard.rules.lineage import literal_twins
from upcard.rules.report import common_fields
from upcard.table.log import Log, event_line
from upcard.table.scene import LastTrick, SceneView, ZoneView, describe

NINETY_NINE = games.load("ninety-nine")
SHORT = [text(card) for card in pack("AKQJT9876")]
LONG = [text(card) for card in pack()]
ORDER = [*LONG, "*"]
NAMES = ["Ann", "Bo", "Cy", "Di"]


def deal(hands: Sequence[str], dealer: int = 0, upcard: str = "") -> str:
    """The deal event that gives each seat these cards; what is not named goes to who has too few.

    With two players the third hand is the dummy's, its bid first.
    """
    players = 4 if len(hands) == 4 else 3
    rest = [card for card in (LONG if players == 4 else SHORT) if card not in " ".join([*hands, upcard]).split()]
    if upcard and "*" not in " ".join([*hands, upcard]).split():
        rest.append("*")
    size = 13 if players == 4 else 12
    held = [hand.split() for hand in hands]
    for hand in held:
        while len(hand) < size:
            hand.append(rest.pop())
    order = [(dealer + 1 + k) % players for k in range(players)]
    return f"deal {' '.join(held[seat][i] for i in range(size) for seat in order)} {upcard}".strip()


def deal_two(seats: Sequence[str], dummy: str, dealer: int = 0, upcard: str = "") -> str:
    """The deal event for two players: nondealer, dummy, dealer."""
    return deal([seats[dealer], seats[1 - dealer], dummy], 0, upcard)


def play(match: Match, *events: str) -> Match:
    for event in events:
        match.event(event)
    return match


def bid_without(match: Match, *kept: str) -> Match:
    """Everybody bids three cards that are not among these."""
    for seat in match.to_act:
        spare = [card for card in match.report()["hands"][seat] if card not in kept]
        play(match, f"{seat} bid {' '.join(spare[-3:])}")
    return match


def at_play(hands: Sequence[str], dealer: int = 0, dummy: str = "", upcard: str = "", **options: Any) -> Match:
    """A match at its first lead: the cards named are in the hands, nobody has offered anything."""
    match = Match("ninety-nine", len(hands), dealer=dealer, options={"premiums": "no", **options})
    play(match, deal_two(hands, dummy, dealer, upcard) if len(hands) == 2 else deal(hands, dealer, upcard))
    return bid_without(match, *" ".join(hands).split())


def play_out(match: Match) -> Match:
    """Everybody plays the first card that is possible, to the end of the round."""
    while match.phase == "play":
        seat = match.to_act[0]
        play(match, f"{seat} {match.legal(seat)[0]}")
    return match


def bad_header(players: object = 3, dealer: object = 0, **options: object) -> str | None:
    return refused_header("ninety-nine", players, dealer, **options)


def state(match: Match) -> Any:
    """The whole state, with the fields of this game."""
    return match.state


def opt(match: Match) -> Any:
    return match.options


def set_of(texts: str) -> int:
    return as_set(read(card) or 0 for card in texts.split())


def scene(match: Match, seat: int | None) -> SceneView:
    return describe(match.view(seat), match.last_trick, NAMES[: match.players])


def marks(match: Match, seat: int | None) -> list[dict[str, str]]:
    """The marks of each seat, as somebody sees them."""
    return [{mark.label: mark.value for mark in one.marks} for one in scene(match, seat).seats]


def zones(match: Match, seat: int | None) -> dict[str, ZoneView]:
    return {zone.id: zone for zone in scene(match, seat).zones}


CARDS_FOR = ["Ad Kd Qd", "As Kd Qd", "Ah Kd Qd", "Ac Kd Qd", "As Ac Qd", "Ah Ac Qd", "Ac Kc Qd", "As Ac Kc", "Ah Ac Kc"]
"""Three cards that bid 0, 1, …, 8."""


def settled(
    bids: Sequence[int], tricks: Sequence[int], premium: Sequence[int] = (), match: Match | None = None, **options: Any
) -> Match:
    """A match whose round has just ended like this; with `dummy`, the last of the three entries is the dummy's."""
    players = 2 if options.pop("dummy", False) else len(bids)
    if match is None:
        match = Match("ninety-nine", players, options=options)
    play(match, match.draw_lots(random.Random(1)))
    s = state(match)
    for hand in range(len(bids)):
        s.bid[hand] = set_of(CARDS_FOR[bids[hand]])
        s.hand[hand] = 0
        s.tricks[hand] = tricks[hand]
        s.premium[hand] = premium[hand] if hand < len(premium) else 0
    opt(match).end_round(s)
    return match


# ------------------------------------------------------------------------------------------- players, pack and deal


@pytest.mark.clause("NN-1")
def test_two_to_four_play_three_by_default() -> None:
    assert [Match("ninety-nine", players).players for players in (2, 3, 4)] == [2, 3, 4]
    assert Match("ninety-nine").players == 3
    assert [bad_header(players) for players in (1, 5, 0, True, "3")] == ["NN-1"] * 5


@pytest.mark.clause("NN-2", "NN-6")
def test_the_pack() -> None:
    for players, cards in ((2, SHORT), (3, SHORT), (4, LONG)):
        for options, joker in (({}, []), ({"trump": "turn-up"}, ["*"])):
            match = Match("ninety-nine", players, options=options)
            assert match.draw_lots(random.Random(1)).split()[1:] != [*cards, *joker]
            assert sorted(match.draw_lots(random.Random(1)).split()[1:]) == sorted([*cards, *joker])


@pytest.mark.clause("NN-3", "NN-26")
@pytest.mark.parametrize(
    ("cards", "taker"),
    [("Ks As Qs", 0), ("7s 6s 8s", 1), ("Ts 9s Js", 1), ("6s Ah Ad", 2), ("6s Ah 7s", 1), ("As 6d Kd", 2)],
)
def test_the_highest_card_of_the_suit_led_takes_the_trick(cards: str, taker: int) -> None:
    """Seat 2 leads, then 0, then 1; there are no trumps."""
    third, first, second = cards.split()
    match = play(lone([first, second, third]), f"2 {third}", f"0 {first}", f"1 {second}")
    assert match.report()["last"]["tricks"] == [int(seat == taker) for seat in range(3)]


def lone(hands: Sequence[str], trump: str | None = None) -> Match:
    """A match of three at the lead of seat 2 to the last trick, with these cards in the hands."""
    match = at_play(["", "", ""], dealer=1)
    s = state(match)
    for seat, hand in enumerate(hands):
        s.hand[seat] = set_of(hand)
    if trump:
        s.trump = SUITS.index(trump)
    return match


@pytest.mark.clause("NN-26")
@pytest.mark.parametrize(("cards", "taker"), [("As 6d Kd", 1), ("As 6d 7s", 0), ("Ad Ah Kd", 2), ("6d 7d Ah", 0)])
def test_the_highest_trump_takes_the_trick(cards: str, taker: int) -> None:
    third, first, second = cards.split()
    match = play(lone([first, second, third], "d"), f"2 {third}", f"0 {first}", f"1 {second}")
    assert match.report()["last"]["tricks"] == [int(seat == taker) for seat in range(3)]


@pytest.mark.clause("NN-4")
def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    hands = play(Match("ninety-nine", dealer=1), f"deal {' '.join(SHORT)}").report()["hands"]
    assert sorted(hands[2], key=ORDER.index) == SHORT[0::3]
    assert sorted(hands[0], key=ORDER.index) == SHORT[1::3]
    assert sorted(hands[1], key=ORDER.index) == SHORT[2::3]
    hands = play(Match("ninety-nine", 4, dealer=3), f"deal {' '.join(LONG)}").report()["hands"]
    assert [sorted(hand, key=ORDER.index) for hand in hands] == [LONG[seat::4] for seat in range(4)]


@pytest.mark.clause("NN-5", "NN-15")
def test_two_players_and_the_dummy_are_dealt_three_hands() -> None:
    for dealer in (0, 1):
        report = play(Match("ninety-nine", 2, dealer=dealer), f"deal {' '.join(SHORT)}").report()
        assert sorted(report["hands"][1 - dealer], key=ORDER.index) == SHORT[0::3]
        assert sorted(report["hands"][dealer], key=ORDER.index) == SHORT[2::3]
        assert report["dummy"] == {"bid": SHORT[1:8:3], "hand": SHORT[10::3], "tricks": 0}


@pytest.mark.clause("NN-6")
def test_a_deal_lists_the_whole_pack() -> None:
    match = Match("ninety-nine")
    twice = ["Ks", *SHORT[1:]]
    other = ["5s", *SHORT[1:]]
    for cards in ([], SHORT[1:], [*SHORT, "5s"], twice, other, ["zz", *SHORT[1:]], [*SHORT[1:], "*"], LONG):
        assert refused(match, " ".join(["deal", *cards])) == "NN-6"
    assert refused(Match("ninety-nine", options={"trump": "turn-up"}), f"deal {' '.join(SHORT)}") == "NN-6"


@pytest.mark.clause("NN-7")
def test_the_deal_passes_to_the_left() -> None:
    assert [bad_header(3, dealer) for dealer in (-1, 3, True, "0")] == ["NN-7"] * 4
    match = Match("ninety-nine", dealer=2)
    dealers = []
    for _ in range(4):
        play(match, match.draw_lots(random.Random(1)))
        dealers.append(match.report()["dealer"])
        play_out(play(bid_without(match), *(f"{(dealers[-1] + k) % 3} pass" for k in (1, 2, 3))))
    assert dealers == [2, 0, 1, 2]
    assert match.report()["dealer"] == 0


# ----------------------------------------------------------------------------------------------------------- trumps


def next_trump(match: Match) -> str | None:
    trump: str | None = play(match, match.draw_lots(random.Random(2))).report()["trump"]
    return trump


@pytest.mark.clause("NN-8")
def test_the_first_round_is_played_without_trumps() -> None:
    for players in (2, 3, 4):
        assert next_trump(Match("ninety-nine", players)) is None
        assert next_trump(Match("ninety-nine", players, options={"trump": "diamonds-first"})) == "d"


@pytest.mark.clause("NN-9")
@pytest.mark.parametrize("trump", ["success", "diamonds-first"])
def test_how_many_succeeded_makes_the_next_trump(trump: str) -> None:
    assert next_trump(settled([1, 1, 1], [3, 3, 3], trump=trump)) == "d"
    assert next_trump(settled([3, 1, 1], [3, 3, 3], trump=trump)) == "s"
    assert next_trump(settled([3, 1, 3], [3, 3, 3], trump=trump)) == "h"
    assert next_trump(settled([3, 3, 3], [3, 3, 3], trump=trump)) == "c"
    assert next_trump(settled([2, 3, 1, 4], [2, 3, 1, 4], trump=trump)) is None
    assert next_trump(settled([2, 3, 1, 5], [2, 3, 1, 4], trump=trump)) == "c"


@pytest.mark.clause("NN-9")
def test_the_trump_of_the_round_before_stays_until_the_deal() -> None:
    match = settled([3, 3, 3], [3, 3, 3])
    assert match.report()["trump"] is None
    assert next_trump(match) == "c"
    assert settled([3, 0, 0], [3, 3, 3], match=settled([3, 3, 3], [3, 3, 3])).report()["trump"] == "c"


@pytest.mark.clause("NN-10")
def test_the_dummy_is_counted_for_the_next_trump() -> None:
    assert next_trump(settled([3, 4, 5], [3, 4, 2], dummy=True)) == "c"
    assert next_trump(settled([3, 4, 1], [3, 4, 2], dummy=True)) == "h"


# ---------------------------------------------------------------------------------------------------------- the bid


@pytest.mark.clause("NN-11")
@pytest.mark.parametrize(
    ("cards", "worth"), [("Kc 9c 6c", 9), ("Kd Qd Jd", 0), ("As Kh Qd", 3), ("As Ks 2s", 3), ("Ah Kd 6c", 5)]
)
def test_a_bid_is_the_sum_of_its_suits(cards: str, worth: int) -> None:
    match = Match("ninety-nine")
    assert opt(match).tricks_bid(state(match), set_of(cards)) == worth


@pytest.mark.clause("NN-11")
def test_a_bid_is_three_different_cards_of_the_hand_in_pack_order() -> None:
    match = play(Match("ninety-nine"), deal(["Ks 9s 6c Ah", "", "As"]))
    wrong = ["bid", "bid Ks 9s", "bid Ks 9s 6c Ah", "bid Ks Ks 9s", "bid 9s Ks 6c", "bid 6c Ks 9s", "bid As Ks 9s"]
    for move in [*wrong, "bid Ks 9s x", "bid Ks 9s *", "bid 3"]:
        assert refused(match, f"0 {move}") == "NN-11"
    assert str(play(match, "0 bid K♠ 9♠ 6♣").events[-1]) == "0 bid Ks 9s 6c"
    assert match.report()["bids"] == [["Ks", "9s", "6c"], None, None]


@pytest.mark.clause("NN-12", "NN-13")
def test_all_bid_at_once_and_for_good() -> None:
    match = play(Match("ninety-nine"), deal(["As Ks Qs", "Ah Kh Qh", "Ad Kd Qd"]))
    assert match.to_act == [0, 1, 2]
    play(match, "2 bid Ad Kd Qd")
    assert (match.to_act, match.phase) == ([0, 1], "bid")
    assert refused(match, "2 bid Ad Kd Qd") == refused(match, "2 pass") == "NN-52"
    hand = match.report()["hands"][2]
    assert len(hand) == 9
    assert not {"Ad", "Kd", "Qd"} & set(hand)
    play(match, "0 bid As Ks Qs", "1 bid Ah Kh Qh")
    assert match.phase == "premium"
    assert [len(hand) for hand in match.report()["hands"]] == [9, 9, 9]


@pytest.mark.clause("NN-12", "NN-13", "NN-49")
def test_of_anothers_bid_only_that_it_is_made_is_seen_and_heard() -> None:
    one, other = (play(Match("ninety-nine"), deal(["As Ks Qs", "", ""])) for _ in range(2))
    event = one.play(0, "bid As Ks Qs")
    play(other, f"0 {other.legal(0)[100]}")
    for seat in (None, 1, 2):
        assert sees(one, seat) == sees(other, seat)
        assert scene(one, seat) == scene(other, seat)
        assert [mark["Bid"] for mark in marks(one, seat)] == ["secret", "–", "–"]
        assert told_text(NINETY_NINE, seen_event(event, seat)) == "bid"
    assert marks(one, 0)[0]["Bid"] == "3"
    assert zones(one, 0)["bid-0"].cards == ["As", "Ks", "Qs"]
    assert told_text(NINETY_NINE, seen_event(event, 0)) == "bid As Ks Qs"


@pytest.mark.clause("NN-12", "NN-51")
def test_the_log_never_opens_a_bid() -> None:
    """Nor does the last bid open the others."""
    match = play(Match("ninety-nine"), deal(["As Ks Qs", "Ah Kh Qh", "Ad Kd Qd"]))
    lines = []
    for seat, move in enumerate(("bid As Ks Qs", "bid Ah Kh Qh", "bid Ad Kd Qd")):
        event = match.play(seat, move)
        lines.append([event_line(match.setup, seen_event(event, other), NAMES) for other in (None, 0, 1, 2)])
    assert lines[0] == ["Ann has bid", "Ann bids A♠ K♠ Q♠", "Ann has bid", "Ann has bid"]
    assert lines[2] == ["Cy has bid", "Cy has bid", "Cy has bid", "Cy bids A♦ K♦ Q♦"]


@pytest.mark.clause("NN-14")
def test_any_three_cards_may_be_bid() -> None:
    for players, number in ((2, 220), (3, 220), (4, 286)):
        match = play(Match("ninety-nine", players), Match("ninety-nine", players).draw_lots(random.Random(3)))
        for seat in range(players):
            moves = match.legal(seat)
            assert len(set(moves)) == len(moves) == number <= NINETY_NINE.most_moves
            for move in moves:
                cards = move.split()[1:]
                assert sorted(cards, key=ORDER.index) == cards
    clubs = play(Match("ninety-nine", 4), deal(["Ac Kc Qc Jc Tc 9c 8c 7c 6c 5c 4c 3c 2c", "", "", ""]))
    bids = [as_set(NINETY_NINE.notation.cards(move)) for move in clubs.legal_moves(0)]
    assert max(opt(clubs).tricks_bid(state(clubs), bid) for bid in bids) == 9


@pytest.mark.clause("NN-15", "NN-50")
def test_nobody_sees_the_dummys_bid_before_the_end_of_the_round() -> None:
    match = play(Match("ninety-nine", 2), deal_two(["", ""], "Ac Kc Qc"))
    assert match.report()["dummy"]["bid"] == ["Ac", "Kc", "Qc"]
    play(bid_without(match), "1 pass", "0 pass")
    while match.phase == "play":
        for seat in (None, 0, 1):
            assert sees(match, seat).bid[DUMMY] == 0
            assert "bid-2" not in zones(match, seat)
        seat = match.to_act[0]
        play(match, f"{seat} {match.legal(seat)[0]}")
    for seat in (None, 0, 1):
        assert zones(match, seat)["bid-2"].cards == ["Ac", "Kc", "Qc"]
        assert zones(match, seat)["bid-2"].label == "Dummy: bid 9"


# ----------------------------------------------------------------------------------------------------- premium bids


def at_offers(players: int = 3, dealer: int = 0, **options: Any) -> Match:
    match = Match("ninety-nine", players, dealer=dealer, options=options)
    return bid_without(play(match, match.draw_lots(random.Random(4))))


@pytest.mark.clause("NN-16", "NN-18")
def test_offers_are_made_in_turn_when_all_bids_are_down() -> None:
    match = at_offers(dealer=1)
    for seat in (2, 0, 1):
        assert (match.phase, match.to_act) == ("premium", [seat])
        assert match.legal(seat) == ["pass", "declare", "reveal"]
        play(match, f"{seat} pass")
    assert (match.phase, match.to_act) == ("play", [2])
    assert match.report()["offers"] == ["pass"] * 3
    assert match.report()["premium"] == [None] * 3


@pytest.mark.clause("NN-16")
def test_without_premiums_play_begins_at_once() -> None:
    match = at_offers(premiums="no")
    assert (match.phase, match.to_act, match.report()["offers"]) == ("play", [1], [None] * 3)
    assert "Offer" not in marks(match, 0)[0]


@pytest.mark.clause("NN-17", "NN-18", "NN-19", "NN-21")
def test_example_4_who_may_offer() -> None:
    match = play(at_offers(), "1 declare")
    assert match.legal(2) == ["pass", "reveal"]
    assert scene(match, 2).prompt == "Your turn: reveal your bid and your hand, or pass"
    assert refused(match, "2 declare") == "NN-18"
    assert match.report()["premium"] == [None] * 3
    play(match, "2 reveal")
    assert (match.phase, match.to_act) == ("play", [1])
    assert match.report()["offers"] == [None, "declare", "reveal"]
    assert match.report()["premium"] == [None, None, "reveal"]
    for seat in (None, 0, 2):
        assert sees(match, seat).bid[1] == 0
        assert [mark["Offer"] for mark in marks(match, seat)] == ["–", "beaten", "reveal"]


@pytest.mark.clause("NN-17", "NN-18")
def test_the_first_of_equal_offers_stands() -> None:
    match = play(at_offers(4), "1 pass", "2 declare")
    assert match.legal(3) == ["pass", "reveal"]
    play(match, "3 pass")
    assert match.legal(0) == ["pass", "reveal"]
    play(match, "0 pass")
    assert match.report()["premium"] == [None, None, "declare", None]
    last = play(at_offers(4), "1 declare", "2 pass", "3 pass", "0 reveal")
    assert last.report()["premium"] == ["reveal", None, None, None]
    assert play(at_offers(4), "1 reveal").phase == "play"


@pytest.mark.clause("NN-20")
def test_two_players_may_both_declare_and_never_reveal() -> None:
    match = at_offers(2, dealer=1)
    assert (match.to_act, match.legal(0)) == ([0], ["pass", "declare"])
    assert refused(match, "0 reveal") == "NN-20"
    play(match, "0 declare")
    assert match.legal(1) == ["pass", "declare"]
    play(match, "1 declare")
    assert match.report()["premium"] == ["declare", "declare"]
    assert play(at_offers(2), "1 pass", "0 declare").report()["premium"] == ["declare", None]


@pytest.mark.clause("NN-21", "NN-49")
def test_a_declared_bid_is_turned_up_when_the_last_offer_is_heard() -> None:
    match = play(at_offers(), "1 declare", "2 pass")
    assert [sees(match, seat).bid[1] for seat in (None, 0, 2)] == [0, 0, 0]
    play(match, "0 pass")
    assert [sees(match, seat).bid[1] for seat in (None, 0, 2)] == [state(match).bid[1]] * 3
    assert match.view(0).hand(1) == [None] * 9
    while match.phase == "play":
        assert zones(match, 0)["bid-1"].cards == match.report()["bids"][1]
        assert "bid-2" not in zones(match, 0)
        seat = match.to_act[0]
        play(match, f"{seat} {match.legal(seat)[0]}")


@pytest.mark.clause("NN-21", "NN-22")
def test_a_revealed_hand_lies_open_and_is_played_freely() -> None:
    match = play(at_offers(), "1 reveal")
    while match.phase == "play":
        for seat in (None, 0, 2):
            assert sorted(map(str, scene(match, seat).seats[1].open)) == sorted(match.report()["hands"][1])
            assert sees(match, seat).bid[1] == state(match).bid[1]
            other = 2 if seat == 0 else 0
            assert match.view(seat).hand(other) == [None] * len(match.report()["hands"][other])
        seat = match.to_act[0]
        if seat == 1 and not match.report()["trick"]:
            assert sorted(match.legal(1)) == sorted(match.report()["hands"][1])
        play(match, f"{seat} {match.legal(seat)[0]}")


# -------------------------------------------------------------------------------------------------------- the play


@pytest.mark.clause("NN-23", "NN-50")
def test_the_dummy_is_turned_up_before_the_first_lead() -> None:
    match = at_offers(2)
    dummy = match.report()["dummy"]["hand"]
    for seat in (None, 0, 1):
        assert sees(match, seat).hand[DUMMY] == 0
        assert (zones(match, seat)["dummy"].cards, zones(match, seat)["dummy"].count) == ([], 9)
    play(match, "1 declare")
    assert sees(match, 0).hand[DUMMY] == 0
    play(match, "0 pass")
    for seat in (None, 0, 1):
        assert zones(match, seat)["dummy"].cards == dummy
        assert sorted(dummy, key=ORDER.index) == dummy


@pytest.mark.clause("NN-24")
def test_the_first_lead_is_left_of_the_dealer() -> None:
    for players in (2, 3, 4):
        for dealer in range(players):
            match = at_offers(players, dealer, premiums="no")
            assert match.to_act == [match.report()["leader"]] == [(dealer + 1) % players]
    match = at_play(["As", "Ks", "Qs", "Js"])
    for seat in (1, 2, 3, 0):
        assert match.to_act == [seat]
        assert refused(match, f"{(seat + 1) % 4} Ts") == "NN-52"
        play(match, f"{seat} {'AKQJ'[seat]}s")
    assert match.report()["tricks"] == [1, 0, 0, 0]


@pytest.mark.clause("NN-25")
def test_suit_must_be_followed_and_nothing_else() -> None:
    match = lone(["As 6s Ah", "Kd 6d Kh", "Qs 7h Qh"], "d")
    play(match, "2 Qs")
    assert sorted(match.legal(0)) == ["6s", "As"]
    assert refused(match, "0 Ah") == "NN-25"
    play(match, "0 6s")
    assert sorted(match.legal(1)) == ["6d", "Kd", "Kh"]
    play(match, "1 Kh")
    assert match.report()["tricks"] == [0, 0, 1]


@pytest.mark.clause("NN-27")
def test_the_winner_of_a_trick_leads_to_the_next() -> None:
    match = at_play(["Ts 6h", "Js 7h", "9s Ah"], dealer=2)
    play(match, "0 Ts", "1 Js", "2 9s")
    assert (match.report()["leader"], match.to_act, match.report()["trick"]) == (1, [1], [])
    play(match, "1 7h", "2 Ah", "0 6h")
    assert (match.report()["leader"], match.report()["tricks"]) == (2, [0, 1, 1])


@pytest.mark.clause("NN-28", "NN-29")
def test_example_5_the_dummy_leads() -> None:
    match = at_play(["8s Jh", "Ks Qh"], dummy="9c 8c 7c As 7h")
    play(match, "1 Ks", "0 8s")
    assert match.to_act == [1]
    assert all(move.startswith("dummy ") for move in match.legal(1))
    assert refused(match, "1 Qh") == "NN-28"
    play(match, "1 dummy As")
    report = match.report()
    assert (report["leader"], report["to_act"]) == ("dummy", [1])
    assert (report["tricks"], report["dummy"]["tricks"]) == ([0, 0], 1)
    assert refused(match, "1 Qh") == "NN-29"
    assert refused(match, "0 dummy 7h") == "NN-52"
    play(match, "1 dummy 7h", "0 Jh")
    assert match.report()["trick"] == [["dummy", "7h"], [0, "Jh"]]
    assert refused(match, "1 dummy 7h") == "NN-29"
    play(match, "1 Qh")
    assert (match.report()["leader"], match.to_act, match.report()["tricks"]) == (1, [1], [0, 1])


@pytest.mark.clause("NN-28")
def test_the_dummy_follows_suit_too() -> None:
    match = at_play(["Qs", "Ks"], dummy="9c 8c 7c As 6s 7h")
    play(match, "1 Ks", "0 Qs")
    spades = [card for card in match.report()["dummy"]["hand"] if card[1] == "s"]
    assert sorted(match.legal(1)) == sorted(f"dummy {card}" for card in spades)
    assert refused(match, "1 dummy 7h") == "NN-25"
    assert refused(match, "1 dummy Ks") == "NN-24"
    assert explained(match, "1 dummy Ks").startswith("The card must be in the hand that plays now")
    play(match, "1 dummy 6s")
    assert match.report()["tricks"] == [0, 1]


@pytest.mark.clause("NN-29")
def test_the_dummy_leads_for_the_same_player_until_a_live_one_wins() -> None:
    match = at_play(["8s 8h 8d", "7s 7h 9d"], dummy="9c 8c 7c As Ah 6d")
    play(match, "1 7s", "0 8s", "1 dummy As", "1 dummy Ah", "0 8h", "1 7h")
    assert (match.report()["dummy"]["tricks"], match.to_act, match.report()["leader"]) == (2, [1], "dummy")
    play(match, "1 dummy 6d", "0 8d", "1 9d")
    assert (match.report()["leader"], match.to_act) == (1, [1])
    other = at_play(["9s 8h", "7s 7h"], dummy="9c 8c 7c 6s Ah")
    play(other, "1 7s", "0 9s", "1 dummy 6s")
    assert (other.report()["leader"], other.to_act) == (0, [0])
    play(other, "0 8h", "1 7h", "0 dummy Ah")
    assert (other.report()["leader"], other.to_act) == ("dummy", [0])


@pytest.mark.clause("NN-30", "NN-52")
def test_a_round_is_played_to_the_last_card() -> None:
    for players, number in ((2, 27), (3, 27), (4, 40)):
        match = at_offers(players, premiums="no")
        played = 0
        while match.phase == "play":
            seat = match.to_act[0]
            play(match, f"{seat} {match.legal(seat)[0]}")
            played += 1
        assert played == number
        assert sum(match.report()["last"]["tricks"]) == {2: 9, 3: 9, 4: 10}[players]


# ----------------------------------------------------------------------------------------------------------- scoring


NINE = [
    "6s Ad Kd 9d 8d 7d 6d Qc Jc Tc 8c 7c",
    "As Ks Qs Js Ts 9s 8s 7s Ah Kc 9c 6c",
    "Kh Qh Jh Th 9h 8h 7h 6h Ac Qd Jd Td",
]


@pytest.mark.clause("NN-11", "NN-31", "NN-32", "NN-33", "NN-34", "NN-9")
def test_example_1_ninety_nine() -> None:
    match = play(Match("ninety-nine"), deal(NINE), "1 bid Kc 9c 6c", "2 bid Qd Jd Ac", "0 bid 6s Ad Kd", "1 reveal")
    while match.phase == "play":
        seat = match.to_act[0]
        play(match, f"{seat} {next((card for card in match.legal(seat) if card[1] == 's'), match.legal(seat)[0])}")
    report = match.report()
    assert report["last"] == {"bids": [1, 9, 3], "tricks": [0, 9, 0], "made": [False, True, False], "gain": [0, 99, 0]}
    assert report["points"] == report["scores"] == [0, 99, 0]
    assert next_trump(match) == "s"
    assert match.report()["points"] == [0, 0, 0]
    assert match.report()["last"] == report["last"]


@pytest.mark.clause("NN-31", "NN-33")
def test_example_2_a_failed_revelation() -> None:
    match = settled([1, 2, 4], [1, 3, 5], [0, 0, REVEALED])
    assert match.report()["last"]["gain"] == [91, 63, 5]
    assert settled([1, 2, 4], [1, 3, 5], [0, 0, DECLARED]).report()["last"]["gain"] == [61, 33, 5]
    assert settled([1, 2, 4], [1, 3, 5], [DECLARED]).report()["last"]["gain"] == [61, 3, 5]


@pytest.mark.clause("NN-9", "NN-32")
def test_example_3_all_four() -> None:
    match = settled([2, 3, 1, 4], [2, 3, 1, 4])
    assert match.report()["last"]["gain"] == [2, 3, 1, 4]
    assert next_trump(match) is None


@pytest.mark.clause("NN-31", "NN-32")
def test_the_fewer_succeed_the_more_each_gets() -> None:
    assert settled([0, 0, 0], [3, 4, 2]).report()["last"]["gain"] == [3, 4, 2]
    assert settled([3, 0, 0], [3, 4, 2]).report()["last"]["gain"] == [33, 4, 2]
    assert settled([3, 4, 0], [3, 4, 2]).report()["last"]["gain"] == [23, 24, 2]
    assert settled([3, 4, 2], [3, 4, 2]).report()["last"]["gain"] == [13, 14, 12]
    assert settled([3, 4, 2, 0], [3, 4, 2, 1]).report()["last"]["gain"] == [13, 14, 12, 1]


@pytest.mark.clause("NN-31")
def test_points_are_tricks_until_the_round_is_scored() -> None:
    match = play(at_play(["Ts", "Js", "9s"], dealer=2), "0 Ts", "1 Js", "2 9s")
    assert match.report()["points"] == match.report()["tricks"] == [0, 1, 0]
    assert match.report()["scores"] == [0, 0, 0]


@pytest.mark.clause("NN-35", "NN-51")
def test_after_the_round_all_bids_are_turned_up() -> None:
    match = play_out(at_offers(premiums="no"))
    for seat in (None, 0, 1, 2):
        assert sees(match, seat).bid[:3] == state(match).bid[:3]
        assert sees(match, seat).last_bids[:3] == match.report()["last"]["bids"]
        assert sorted(zones(match, seat)) == ["bid-0", "bid-1", "bid-2", "trick"]
        gained = match.report()["last"]
        told = [{mark.label: mark.value for mark in of_seat} for of_seat in scene(match, seat).finished]
        bids, tricks, points = zip(*(of_seat.values() for of_seat in told), strict=True)
        assert [list(map(int, row)) for row in (bids, tricks, points)] == [
            gained[k] for k in ("bids", "tricks", "gain")
        ]
        assert scene(match, seat).result == ["Nobody made their bid"]


@pytest.mark.clause("NN-35", "NN-51")
def test_option_show_keeps_failed_bids_secret() -> None:
    match = settled([3, 0, 1], [3, 4, 2], [0, 0, DECLARED], show="made")
    other = settled([3, 1, 1], [3, 4, 2], [0, 0, DECLARED], show="made")
    state(match).turned[2] = state(match).bid[2]
    for deals in range(2):
        for seat in (None, 0, 2):
            assert scene(match, seat).result == ["Made their bid: only Ann", "Cy declared and missed it"]
            assert [mark.value for mark in scene(match, seat).finished[1]] == ["secret", "4", "34"]
            assert sees(match, seat).last_bids[:2] == [3, -1]
            assert match.setup.report(sees(match, seat))["last"]["gain"] == [63, 34, 2]
            if not deals:
                assert sees(match, seat).bid[1] == 0
                assert [mark["Bid"] for mark in marks(match, seat)][:2] == ["3", "secret"]
                assert scene(match, seat).finished[1] == scene(other, seat).finished[1]
        assert sees(match, 1).last_bids[1] == 0
        if not deals:
            play(match, match.draw_lots(random.Random(1)))
    dummy = settled([3, 4, 0], [2, 3, 4], dummy=True, show="made")
    assert sees(dummy, 0).bid == [state(dummy).bid[0], 0, state(dummy).bid[2], 0]
    assert dummy.report()["last"]["bids"] == [3, 4, 0]


@pytest.mark.clause("NN-35", "NN-49")
def test_a_declared_bid_that_failed_is_known_even_if_only_made_bids_are_shown() -> None:
    match = play(at_offers(show="made"), "1 declare", "2 pass", "0 pass")
    state(match).bid[1] = state(match).turned[1] = as_set(pack()[:3])  # spades: 3
    state(match).tricks[1] = 9
    play_out(match)
    assert match.report()["last"]["made"][1] is False
    assert "Bo declared and missed it" in scene(match, 0).result
    assert scene(match, 0).finished[1][0].value == "3"


# --------------------------------------------------------------------------------------------- two players: scoring


@pytest.mark.clause("NN-36", "NN-37", "NN-40")
def test_example_7_a_dummy_that_hits() -> None:
    match = settled([2, 3, 3], [2, 4, 3], dummy=True)
    assert match.report()["last"] == {
        "bids": [2, 3, 3],
        "tricks": [2, 4, 3],
        "made": [True, False, True],
        "gain": [22, 4, 53],
    }
    assert match.report()["scores"] == match.report()["points"] == [22, 4]
    assert scene(match, 0).result == ["Made their bid: Ann and the dummy", "The dummy bid 3 and took 3: 53"]


@pytest.mark.clause("NN-36", "NN-51")
def test_the_dummy_counts_for_the_bonus() -> None:
    assert scene(settled([2, 3, 5], [2, 2, 4], dummy=True), 0).result[0] == "Made their bid: Ann and the dummy"
    assert scene(settled([3, 3, 5], [2, 2, 4], dummy=True), 0).result[0] == "Made their bid: only the dummy"
    assert scene(settled([2, 3, 4], [2, 2, 5], dummy=True), 0).result[0] == "Made their bid: only Ann"
    assert scene(settled([2, 2, 5], [2, 2, 4], dummy=True), 0).result[0] == "Everybody made their bid"
    assert settled([2, 3, 5], [2, 3, 4], dummy=True).report()["scores"] == [12, 13]
    assert settled([2, 3, 3], [2, 3, 4], dummy=True).report()["scores"] == [22, 23]
    assert settled([2, 4, 3], [2, 3, 4], dummy=True).report()["scores"] == [32, 3]


@pytest.mark.clause("NN-38")
def test_a_failed_declaration_against_a_silent_player() -> None:
    match = settled([3, 3, 5], [2, 4, 3], [DECLARED], dummy=True)
    assert match.report()["last"]["gain"] == [2, 34, 3 + 30 + 30]
    assert settled([3, 4, 2], [2, 4, 3], [DECLARED], dummy=True).report()["last"]["gain"] == [2, 4 + 30 + 30, 33]


@pytest.mark.clause("NN-9", "NN-39", "NN-40")
def test_example_6_both_fail() -> None:
    match = settled([3, 4, 4], [2, 5, 2], [DECLARED, DECLARED], dummy=True)
    assert match.report()["last"]["gain"] == [2, 5, 92]
    assert match.report()["scores"] == [2, 5]
    assert next_trump(match) == "s"


@pytest.mark.clause("NN-39")
def test_both_declare_and_one_or_both_succeed() -> None:
    one = settled([2, 4, 1], [2, 5, 2], [DECLARED, DECLARED], dummy=True)
    assert one.report()["last"]["gain"] == [2 + 30 + 30 + 30, 5, 2 + 30]
    both = settled([2, 5, 1], [2, 5, 2], [DECLARED, DECLARED], dummy=True)
    assert both.report()["last"]["gain"] == [2 + 20 + 30, 5 + 20 + 30, 2]


@pytest.mark.clause("NN-40")
@pytest.mark.parametrize(
    ("bid", "tricks", "made", "gain"),
    [(4, 3, True, 33), (4, 4, True, 64), (4, 5, False, 5), (0, 0, True, 60), (0, 1, False, 1)],
)
def test_the_dummy_succeeds_with_no_more_than_its_bid(bid: int, tricks: int, made: bool, gain: int) -> None:
    last = settled([8, 8, bid], [9 - tricks, 0, tricks], dummy=True).report()["last"]
    assert (last["made"][2], last["gain"][2]) == (made, gain)


# -------------------------------------------------------------------------------------------------- end of the match


def standing(scores: Sequence[int], bids: Sequence[int], tricks: Sequence[int], **options: Any) -> Match:
    """A match that stood like this before a round that has just ended."""
    match = Match("ninety-nine", len(scores), options=options)
    state(match).scores[: len(scores)] = scores
    state(match).game_points[: len(scores)] = scores
    return settled(bids, tricks, match=match)


@pytest.mark.clause("NN-41")
def test_the_largest_total_wins_when_somebody_has_reached_the_target() -> None:
    assert not standing([176, 150, 100], [3, 0, 0], [2, 3, 4]).done
    assert not standing([176, 150, 100], [2, 3, 0], [2, 3, 4]).done  # 198
    match = standing([177, 190, 100], [3, 2, 0], [3, 2, 4])
    assert match.report()["scores"] == [200, 212, 104]
    assert (match.done, match.winners) == (True, [1])
    report = match.report()
    assert (report["phase"], report["dealer"], report["deal"]) == ("done", 0, 1)
    assert (report["to_act"], report["legal"], report["awaiting"]) == ([], {}, None)
    assert standing([45, 0, 0], [5, 1, 0], [5, 0, 4], target=50).winners == [0]
    assert not standing([200, 0, 0], [5, 1, 0], [5, 0, 4], target=500).done
    assert bad_header(target=49) == bad_header(target=1001) == bad_header(target="200") == "NN-41"
    assert standing([45, 0, 0], [5, 1, 0], [5, 0, 4]).options.chosen == {}


@pytest.mark.clause("NN-42")
def test_example_9_level_at_the_top() -> None:
    match = standing([181, 181, 157], [3, 3, 0], [3, 3, 3])
    assert match.report()["scores"] == [204, 204, 160]
    assert (match.done, match.awaiting, match.winners) == (False, "deal", [])
    settled([2, 0, 0], [2, 3, 4], match=match)
    assert (match.report()["scores"], match.winners) == ([236, 207, 164], [0])


@pytest.mark.clause("NN-43")
def test_no_match_is_longer_than_200_rounds() -> None:
    match = Match("ninety-nine")
    state(match).deals = 198
    settled([0, 0, 0], [3, 3, 3], match=match)
    assert not match.done
    settled([0, 0, 0], [3, 3, 3], match=match)
    assert (match.report()["deal"], match.report()["scores"], match.winners) == (200, [6, 6, 6], [0, 1, 2])
    games = Match("ninety-nine", options={"match": "games"})
    state(games).deals = 199
    state(games).scores[:3] = [10, 11, 11]
    state(games).bonuses[:3] = [0, 0, 1]
    settled([0, 0, 0], [3, 3, 3], match=games)
    assert games.winners == [2]


@pytest.mark.clause("NN-44", "NN-45", "NN-46")
def test_example_8_no_bonus() -> None:
    match = standing([95, 50, 50], [2, 0, 0], [3, 3, 3], match="games")
    assert match.report()["game_points"] == [98, 53, 53]
    state(match).scores[2] = state(match).game_points[2] = 80
    settled([5, 0, 1], [4, 4, 1], match=match)
    report = match.report()
    assert report["last"]["gain"] == [4, 4, 31]
    assert report["scores"] == [102, 57, 211]
    assert (report["bonuses"], report["game_no"], report["game_points"]) == ([0, 0, 1], 2, [0, 0, 0])
    assert scene(match, 0).result[1:] == ["Cy wins the game bonus"]
    assert scene(match, 0).headline == "Game 2 · Round 2 · diamonds are trumps"


@pytest.mark.clause("NN-44", "NN-45")
def test_several_or_nobody_may_win_a_game_bonus() -> None:
    several = standing([90, 90, 0], [3, 2, 0], [3, 2, 4], match="games").report()
    assert (several["scores"], several["bonuses"]) == ([213, 212, 4], [1, 1, 0])
    nobody = standing([97, 10, 0], [5, 2, 0], [3, 2, 4], match="games").report()
    assert (nobody["scores"], nobody["bonuses"], nobody["game_no"]) == ([100, 42, 4], [0, 0, 0], 2)
    going_on = standing([96, 10, 0], [5, 2, 0], [3, 2, 4], match="games").report()
    assert (going_on["game_no"], going_on["game_points"]) == (1, [99, 42, 4])


@pytest.mark.clause("NN-46")
@pytest.mark.parametrize(("trump", "first"), [("success", None), ("diamonds-first", "d")])
def test_the_first_round_of_each_game_is_like_that_of_the_match(trump: str, first: str | None) -> None:
    match = standing([90, 0, 0], [3, 0, 0], [3, 2, 4], match="games", trump=trump)
    assert match.report()["dealer"] == 1
    assert next_trump(match) == first
    settled([3, 0, 0], [3, 2, 4], match=(other := standing([10, 0, 0], [3, 0, 0], [3, 2, 4], match="games")))
    assert next_trump(other) == "s"


@pytest.mark.clause("NN-47")
def test_the_match_ends_with_the_game_of_the_third_bonus() -> None:
    def ended(bonuses: int, had: int, scores: Sequence[int]) -> Match:
        match = Match("ninety-nine", options={"match": "games", "bonuses": bonuses})
        state(match).scores[:3] = scores
        state(match).game_points[0] = 90
        state(match).bonuses[0] = had
        return settled([3, 0, 0], [3, 2, 4], match=match)

    for bonuses in (1, 2, 3):
        assert not ended(bonuses, bonuses - 2, [100, 0, 0]).done
        assert ended(bonuses, bonuses - 1, [100, 0, 0]).winners == [0]
    other = ended(3, 2, [190, 600, 0])
    assert (other.winners, other.report()["scores"]) == ([1], [323, 602, 4])
    assert (other.report()["game_no"], other.report()["game_points"]) == (1, [123, 2, 4])
    assert ended(3, 2, [190, 321, 0]).winners == [0]  # level, but more bonuses
    level = Match("ninety-nine", options={"match": "games", "bonuses": 1})
    state(level).game_points[:2] = state(level).scores[:2] = [91, 92]
    assert settled([3, 2, 0], [3, 2, 4], match=level).winners == [0, 1]
    assert bad_header(bonuses=4) == bad_header(bonuses=0) == bad_header(bonuses="3") == "NN-47"


@pytest.mark.clause("NN-53")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_match_can_have_a_fixed_number_of_rounds(players: int) -> None:
    for rounds, options in ((9, {}), (2, {"rounds": 2})):
        match, rng = (
            Match("ninety-nine", players, options={"match": "rounds", "target": 50, **options}),
            random.Random(4),
        )
        while not match.done:
            if match.awaiting:
                match.event(match.draw_lots(rng))
            assert scene(match, None).headline.startswith(f"Round {match.report()['deal']} of {rounds}")
            match.play(match.to_act[0], rng.choice(match.legal(match.to_act[0])))
        report = match.report()
        assert (report["deal"], report["game_no"], report["bonuses"]) == (rounds, 1, [0] * players)
        assert report["winners"] == [seat for seat in range(players) if match.scores[seat] == max(match.scores)]
    assert bad_header(rounds=0) == bad_header(rounds=101) == bad_header(rounds="9") == "NN-53"


@pytest.mark.clause("NN-41", "NN-44")
def test_the_report_of_games_when_there_are_none() -> None:
    report = settled([3, 0, 0], [3, 2, 4]).report()
    assert (report["game_no"], report["game_points"], report["bonuses"]) == (1, report["scores"], [0, 0, 0])
    assert not standing([190, 0, 0], [3, 0, 0], [3, 2, 4], match="games", target=50).done


# --------------------------------------------------------------------------------------------------- option turn-up


@pytest.mark.clause("NN-8", "NN-9")
def test_the_suit_of_the_card_turned_up_is_trump() -> None:
    for upcard, trump in (("Qh", "h"), ("6c", "c"), ("9d", None), ("*", None)):
        match = play(Match("ninety-nine", options={"trump": "turn-up"}), deal(["", "", ""], upcard=upcard))
        assert (match.report()["trump"], match.report()["upcard"]) == (trump, upcard)
        assert zones(match, 0)["upcard"].cards == [upcard]
    match = settled([3, 3, 3], [3, 3, 3], trump="turn-up")
    play(match, deal(["", "", ""], upcard="7s"))
    assert match.report()["trump"] == "s"


@pytest.mark.clause("NN-11", "NN-25", "NN-26", "NN-49")
def test_the_joker_is_the_card_turned_up() -> None:
    match = play(Match("ninety-nine", options={"trump": "turn-up"}), deal(["* Kh 6h", "Ah As", "Th"], upcard="Qh"))
    assert match.report()["bids"] == [None] * 3
    bid = play(match.fork(), f"0 {next(move for move in match.legal(0) if move.endswith('*') and 'Kh' in move)}")
    assert bid.report()["bids"][0][-1] == "*"
    assert refused(match, "0 bid * Kh 6h") == "NN-11"
    joker = as_set([52, *(read(card) or 0 for card in ("Kd", "Qd"))])
    assert opt(match).tricks_bid(state(match), joker) == 2
    bid_without(match, "*", "Kh", "6h", "Ah", "As", "Th")
    play(match, "1 pass", "2 pass", "0 pass", "1 Ah", "2 Th")
    assert sorted(match.legal(0)) == ["*", "6h", "Kh"]
    play(match, "0 *", "1 As")
    assert match.report()["tricks"] == [0, 1, 0]


@pytest.mark.clause("NN-26")
@pytest.mark.parametrize(
    ("cards", "taker"), [("Jh * Th", 0), ("Jh * Kh", 1), ("* Jh Kh", 1), ("* Jh Th", 2), ("As * Ks", 0), ("As Jh *", 1)]
)
def test_the_joker_wins_and_loses_as_the_card_turned_up(cards: str, taker: int) -> None:
    """Seat 2 leads, then 0, then 1; the queen of hearts is turned up."""
    third, first, second = cards.split()
    match = at_play(["", "", ""], dealer=1, upcard="Qh", trump="turn-up")
    for seat, card in enumerate((first, second, third)):
        state(match).hand[seat] = 1 << (read(card) or 0)
    play(match, f"2 {third}", f"0 {first}", f"1 {second}")
    assert match.report()["last"]["tricks"] == [int(seat == taker) for seat in range(3)]


@pytest.mark.clause("NN-25")
def test_who_has_only_the_joker_of_a_suit_must_follow_with_it() -> None:
    match = at_play(["", "", ""], dealer=1, upcard="Qs", trump="turn-up")
    for seat, hand in enumerate(("* 6h 7h", "Kd 8h 6d", "Ts 9h Th")):
        state(match).hand[seat] = set_of(hand)
    play(match, "2 Ts")
    assert match.legal(0) == ["*"]
    play(match, "0 *")
    assert sorted(match.legal(1)) == ["6d", "8h", "Kd"]


# ------------------------------------------------------------------------------------------------ what each seat sees


@pytest.mark.clause("NN-48")
def test_everybody_sees_dealer_trump_totals_offers_and_tricks() -> None:
    match = Match("ninety-nine", options={"match": "games"})
    settled([3, 0, 0], [3, 2, 4], match=match)
    play(bid_without(play(match, match.draw_lots(random.Random(5)))), "2 declare", "0 pass", "1 pass")
    for _ in range(4):
        play(match, f"{match.to_act[0]} {match.legal(match.to_act[0])[0]}")
    report = match.report()
    for seat in (None, 0, 1, 2):
        own = sees(match, seat)
        seen = common_fields(own) | match.setup.report(own)
        fields = ("trump", "upcard", "trick", "leader", "tricks", "points", "last", "offers", "premium")
        for name in (*fields, "game_no", "game_points", "bonuses"):
            assert seen[name] == report[name], name
        told = scene(match, seat)
        assert told.headline == "Game 1 · Round 2 · spades are trumps"
        assert [one.score for one in told.seats] == [33, 2, 4]
        assert [one.dealer for one in told.seats] == [False, True, False]
        assert [mark["Offer"] for mark in marks(match, seat)] == ["pass", "pass", "declare"]
        assert [mark["Game"] for mark in marks(match, seat)] == ["33", "2", "4"]
        assert [mark["Tricks"] for mark in marks(match, seat)] == list(map(str, report["tricks"]))


@pytest.mark.clause("NN-49")
def test_a_hand_and_a_bid_are_their_owners_alone() -> None:
    match = at_offers()
    assert match.view(1).hand() == as_list(state(match).hand[1])
    for seat in (None, 0, 2):
        assert match.view(seat).hand(1) == [None] * 9
        assert sees(match, seat).bid[1] == 0
    assert sees(match, 1).bid == [0, state(match).bid[1], 0, 0]


def hidden_cards(match: Match, seat: int | None) -> list[tuple[str, int, int]]:
    """Every card that a seat may not know, with the row and the entry where it lies."""
    s = state(match)
    rows = range(3 if match.players == 2 else match.players)
    lies_open = {"hand": s.shown, "bid": s.turned}
    return [
        (name, hand, card)
        for name in ("hand", "bid")
        for hand in rows
        if hand != seat
        for card in as_list(getattr(s, name)[hand] & ~lies_open[name][hand])
    ]


@pytest.mark.clause("NN-15", "NN-48", "NN-49", "NN-50", "NN-51")
def test_hidden_cards_may_change_places_and_nobody_can_tell() -> None:
    """In other hands, in bids, with the dummy; the view, its moves and what it says are the same."""
    rng = random.Random(6)
    tried = 0
    for number in range(24):
        options = {"show": rng.choice(["all", "made"]), "trump": rng.choice(["success", "turn-up"])}
        match = Match("ninety-nine", 2 + number % 3, options=options)
        for _ in range(70):
            seat = rng.choice([None, *range(match.players)])
            places = hidden_cards(match, seat)
            if len(places) > 1:
                twin = match.state.copy()
                (row, hand, card), (other_row, other_hand, other_card) = rng.sample(places, 2)
                getattr(twin, row)[hand] ^= 1 << card
                getattr(twin, other_row)[other_hand] ^= 1 << other_card
                getattr(twin, row)[hand] |= 1 << other_card
                getattr(twin, other_row)[other_hand] |= 1 << card
                same(match.view(seat), view(match.setup, twin, seat))
                tried += 1
            step(match, rng)
    assert tried > 1000


def same(one: View, other: View) -> None:
    assert one == other
    assert one.legal() == other.legal()
    assert one.setup.scene(one.state, one.seat) == one.setup.scene(other.state, one.seat)


def step(match: Match, rng: random.Random) -> None:
    if match.awaiting:
        match.event(match.draw_lots(rng))
    elif not match.done:
        seat = rng.choice(match.to_act)
        match.event(f"{seat} {rng.choice(match.legal(seat))}")


@pytest.mark.clause("NN-15", "NN-49", "NN-50", "NN-51")
def test_worlds_fill_in_bids_and_the_dummy() -> None:
    rng = random.Random(7)
    for players in (2, 3, 4):
        match = Match("ninety-nine", players, options={"show": "made", "trump": "turn-up"})
        for _ in range(120):
            for seat in (None, 0, 1):
                made = world(match.view(seat), rng)
                assert view(match.setup, made, seat) == match.view(seat)
                rows = range(3 if players == 2 else players)
                for hand in rows:
                    for name in ("hand", "bid"):
                        there = getattr(made, name)[hand].bit_count()
                        assert there == getattr(state(match), name)[hand].bit_count()
                        if name == "bid" and match.phase == "deal" and match.report()["last"] and hand < players:
                            hit = opt(match).tricks_bid(made, made.bid[hand]) == made.tricks[hand]
                            assert hit == match.report()["last"]["made"][hand]
            step(match, rng)


@pytest.mark.clause("NN-15", "NN-50")
def test_in_worlds_any_unseen_card_may_lie_with_the_dummy() -> None:
    rng = random.Random(8)
    match = at_offers(2)
    unseen = set(SHORT) - {text(card) for card in as_list(sees(match, 0).hand[0] | sees(match, 0).bid[0])}
    found: dict[str, set[str]] = {"hand": set(), "bid": set(), "other": set()}
    for _ in range(200):
        made = world(match.view(0), rng)
        for name, cards in (("hand", made.hand[DUMMY]), ("bid", made.bid[DUMMY]), ("other", made.bid[1])):
            found[name] |= set(map(text, as_list(cards)))
    assert found == {"hand": unseen, "bid": unseen, "other": unseen}


@pytest.mark.clause("NN-28", "NN-29", "NN-48")
def test_the_dummys_cards_are_told_as_the_dummys() -> None:
    match = at_play(["8s Jh", "Ks Qh"], dummy="9c 8c 7c As 7h")
    log = Log(match)
    lines = []
    for event in ("1 Ks", "0 8s", "1 dummy As", "1 dummy 7h", "0 Jh", "1 Qh"):
        seat, move = event.split(" ", 1)
        log.note(len(match.events), state(match).copy(), match, match.play(int(seat), move), NAMES)
        lines.append(log.last(None).text)
        if event == "1 dummy As":
            told = scene(match, 0)
            assert told.last_trick == LastTrick(["Ks", "8s", "As"], [1, 0, "dummy"], "dummy")
            assert scene(match, 1).prompt == "Your turn: lead a card from the dummy"
            assert [one.leader for one in told.seats] == [False, False]
        if event == "1 dummy 7h":
            trick = zones(match, 0)["trick"]
            assert (trick.cards, trick.seats, scene(match, 0).ahead) == (["7h"], ["dummy"], "dummy")
            assert scene(match, 0).prompt == "Your turn: follow 7♥ if you can"
    assert lines[2:4] == ["Bo plays A♠ from the dummy; the dummy takes the trick", "Bo plays 7♥ from the dummy"]
    assert lines[5] == "Bo plays Q♥ and takes the trick"


@pytest.mark.clause("NN-49", "NN-50")
def test_what_a_seat_may_do_does_not_depend_on_what_it_cannot_see() -> None:
    rng = random.Random(9)
    for players in NINETY_NINE.player_counts:
        match = Match("ninety-nine", players, options={"trump": "turn-up", "target": 50})
        while not match.done:
            for seat in match.to_act:
                assert match.view(seat).legal_moves() == match.legal_moves(seat)
            step(match, rng)


# ------------------------------------------------------------------------------------------------------- the record


@pytest.mark.clause("NN-52")
def test_only_what_is_due_is_an_event() -> None:
    match = Match("ninety-nine")
    for event in (
        "",
        "x",
        "0",
        "0 pass",
        "0 bid As Ks Qs",
        "9 pass",
        f"{10**9} pass",
        f"{10**30} pass",
        "reshuffle As",
        "draw As",
    ):
        assert refused(match, event) == "NN-52"
    first = deal(["As", "Ks", "Qs"])
    play(match, first)
    for event in (first, "3 pass", "0 pass", "0 As", "0 declare", "0 dummy As", "0 hello", "draw As"):
        assert refused(match, event) == "NN-52"
    bid_without(match, "As", "Ks", "Qs")
    for event in ("0 pass", "1 bid As Ks Qs", "1 As", "1 declare now", "1 dummy As", "1 PASS"):
        assert refused(match, event) == "NN-52"
    play(match, "1 pass", "2 pass", "0 pass")
    for event in ("0 As", "1 pass", "1 dummy Ks", "1 bid As Ks Qs", "1 Ks Qs", "1 play Ks", "1 Xs"):
        assert refused(match, event) == "NN-52"
    assert refused(match, "1 As") == refused(match, "1 *") == "NN-24"
    over = standing([177, 190, 100], [3, 2, 0], [3, 2, 4])
    for event in ("", "nonsense", first, "0 pass", "1 As", "9 As", "draw As"):
        assert refused(over, event) == "NN-52"
    assert bad_header(nothing=1) == "NN-52"


@pytest.mark.clause("NN-16", "NN-35", "NN-44", "NN-8")
def test_options_that_cannot_be_are_refused() -> None:
    assert bad_header(match="cup") == "NN-44"
    assert bad_header(trump="none") == "NN-8"
    assert bad_header(premiums=True) == "NN-16"
    assert bad_header(show="none") == "NN-35"


@pytest.mark.clause("NN-52")
def test_what_the_report_says_before_the_first_deal_and_after_the_end() -> None:
    for players in (2, 3, 4):
        report = Match("ninety-nine", players, dealer=1).report()
        assert (report["phase"], report["awaiting"], report["dealer"], report["deal"]) == ("deal", "deal", 1, 0)
        for name in ("bids", "offers", "premium"):
            assert report[name] == [None] * players
        for name in ("tricks", "points", "scores", "game_points", "bonuses"):
            assert report[name] == [0] * players
        assert [report[name] for name in ("trump", "upcard", "leader", "last", "stock")] == [None] * 5
        assert report["dummy"] == ({"hand": [], "bid": [], "tricks": 0} if players == 2 else None)
    match = play_out(at_offers(2))
    match = play_out(play(match, *(f"{seat} pass" for seat in (1, 0))))
    report = match.report()
    assert (report["awaiting"], report["leader"], report["trick"], report["dummy"]["hand"]) == ("deal", None, [], [])
    assert (len(report["dummy"]["bid"]), report["offers"], report["hands"]) == (3, ["pass", "pass"], [[], []])
    assert all(len(bid) == 3 for bid in report["bids"])


# ----------------------------------------------------------------------------------------------------- the numbers


def test_no_number_of_the_rules_stands_anywhere_else() -> None:
    numbers = [number for number in NINETY_NINE.declared_numbers.values() if isinstance(number.value, int)]
    assert not [twin for number in numbers for twin in literal_twins(NINETY_NINE, number.value)]


@pytest.mark.clause("NN-2", "NN-11", "NN-14", "NN-31", "NN-32")
def test_a_variant_with_a_short_pack_and_other_numbers() -> None:
    numbers = {"value": (1, 2, 3, 0), "bonus": (0, 50, 20, 10, 0), "pack": as_set(pack("AKQJT9"))}
    other = NINETY_NINE.variant("ninety-eight", numbers=numbers)
    match = Match(other, options={"premiums": "no"}, chance=random.Random(4))
    assert {len(match.legal(seat)) for seat in match.to_act} == {8 * 7 * 6 // 6}
    bid_without(match)
    bids = [sum((1, 2, 3, 0)["cdhs".index(card[1])] for card in bid) for bid in match.report()["bids"]]
    play_out(match)
    last = match.report()["last"]
    assert (last["bids"], sum(last["tricks"])) == (bids, 5)
    bonus = (0, 50, 20, 10)[sum(last["made"])]
    assert last["gain"] == [n + made * bonus for n, made in zip(last["tricks"], last["made"], strict=True)]


# ---------------------------------------------------------------------------------------------------- the heuristic


def heuristic_move(match: Match, seat: int) -> str:
    """The move of a player who is handed a view."""
    moves = match.view(seat).legal_moves()
    return NINETY_NINE.notation.text(opt(match).choose(sees(match, seat), seat, moves, len(moves), 0))


def worth(move: str) -> int:
    return sum({"c": 3, "h": 2, "s": 1, "d": 0}[card[1]] for card in move.split()[1:])


LOW = "Kd Qd Jd 8s 7s 6s 8h 7h 6h 8c 7c 6c"


def test_the_heuristic_bids_what_a_hand_is_worth() -> None:
    high = play(Match("ninety-nine"), deal(["As Ks Qs Ah Kh Qh Ad Kd Qd Ac Kc Qc", "", ""]))
    assert worth(heuristic_move(high, 0)) >= 5
    low = play(Match("ninety-nine"), deal([LOW, "", ""]))
    assert heuristic_move(low, 0) == "bid Kd Qd Jd"


def test_the_heuristic_reveals_what_cannot_fail_and_hides_the_rest() -> None:
    match = bid_without(play(Match("ninety-nine", dealer=2), deal([LOW, "", ""], 2)), *LOW.split()[3:])
    assert heuristic_move(match, 0) == "reveal"
    doubtful = play(Match("ninety-nine", dealer=2), deal([LOW, "", ""], 2), "0 bid 8c 7c 6c")
    assert heuristic_move(bid_without(doubtful), 0) == "pass"


def test_the_heuristic_gets_rid_of_a_winner_that_is_not_wanted() -> None:
    match = lone(["Ks 6s", "7h 8h", "As Qd"])
    state(match).bid[:3] = [set_of(CARDS_FOR[bid]) for bid in (0, 0, 2)]
    play(match, "2 As")
    assert heuristic_move(match, 0) == "Ks"


def test_the_heuristic_lets_the_dummy_help() -> None:
    """Who wants the trick throws a low card from the dummy; who does not lets the dummy take it."""
    for bid, card in ((1, "dummy 6s"), (0, "dummy As")):
        match = at_play(["Qs", "Ks"], dummy="9c 8c 7c As 6s")
        s = state(match)
        s.hand[:3] = [set_of(hand) for hand in ("Qs", "Ks", "As 6s")]
        s.shown[2] = s.hand[2]
        s.bid[1] = set_of(CARDS_FOR[bid])
        play(match, "1 Ks", "0 Qs")
        assert heuristic_move(match, 1) == card


@pytest.mark.clause("NN-14", "NN-30")
def test_the_heuristic_makes_far_more_bids_than_chance() -> None:
    rng = random.Random(11)
    for players in (2, 3, 4):
        made = [0] * players
        match = Match("ninety-nine", players, options={"target": 1000}, chance=rng)
        while match.report()["deal"] < 12 and not match.done:
            seat = match.to_act[0]
            last = match.report()["deal"]
            match.play(seat, heuristic_move(match, seat) if seat == 0 else rng.choice(match.legal(seat)))
            if match.report()["deal"] > last:
                made = [a + b for a, b in zip(made, match.report()["last"]["made"][:players], strict=True)]
        assert made[0] > max(made[1:])


@pytest.mark.clause("NN-54")
def test_the_usual_table_is_as_the_author_wrote_it() -> None:
    assert (games.load("ninety-nine").author, games.load("ninety-nine").author_clause) == ({}, "NN-54")
