"""Sixty-Six, clause by clause: positions from the rulebook, and what the report or a view then shows."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from playing import refused, refused_header, seen_by

from upcard import Match, games
from upcard.rules import cards
from upcard.table.scene import MarkView, SceneView, describe

RANKS = "ATKQJ9"
PACK = [rank + suit for suit in "cdsh" for rank in reversed(RANKS)]


def deal(match: Match, seat_0: str, seat_1: str, upcard: str, stock: str = "") -> Match:
    """Deal so that the seats hold these cards, and these lie on top of the stock; the others fill up what is left."""
    hands, top = [seat_0.split(), seat_1.split()], stock.split()
    rest = [card for card in PACK if card not in hands[0] + hands[1] + top and card != upcard]
    for hand in hands:
        while len(hand) < 6:
            hand.append(rest.pop(0))
    eldest, dealer = hands[1 - match.state.dealer], hands[match.state.dealer]
    order = [*eldest[:3], *dealer[:3], *eldest[3:], *dealer[3:], upcard, *top, *rest]
    match.event(f"deal {' '.join(order)}")
    return match


def table(
    seat_0: str = "", seat_1: str = "", upcard: str = "9h", stock: str = "", dealer: int = 0, **options: Any
) -> Match:
    """A match with its first deal made; unless said otherwise seat 1 leads and hearts are trumps."""
    return deal(Match("sixty-six", dealer=dealer, options=options), seat_0, seat_1, upcard, stock)


def play(match: Match, line: str) -> Match:
    """The seats to act play this line: "meld Kh Qh, Qh Ah, 9s As" is a marriage and two tricks."""
    for part in line.split(", "):
        for text in part.split() if cards.read(part[:2]) else [part]:
            match.event(f"{match.to_act[0]} {text}")
    return match


def endgame(seat_0: str, seat_1: str, **options: Any) -> Match:
    """The stock is gone: seat 1 has taken the first six tricks and leads, the seats hold these cards.

    The twelve other cards, best first, are what they began with; seat 0 holds a heart, which was the upcard.
    """
    ends = [seat_0.split(), seat_1.split()]
    upcard = next(card for card in ends[0] if card[1] == "h")
    drawn = [card for card in ends[0] if card != upcard]
    begun = [card for card in PACK if card not in ends[0] + ends[1]]
    begun.sort(key=lambda card: (card[1] != "h", RANKS.index(card[0])))
    stock = [card for pair in zip(ends[1], [*drawn, ""], strict=True) for card in pair]
    match = table(" ".join(begun[6:]), " ".join(begun[:6]), upcard, " ".join(stock), **options)
    return play(match, ", ".join(f"{led} {answer}" for led, answer in zip(begun[:6], begun[6:], strict=True)))


def legal(match: Match) -> set[str]:
    """The moves of the seat to act."""
    return set(match.legal(match.to_act[0]))


def hand(match: Match, seat: int) -> set[str]:
    return set(match.report()["hands"][seat])


def seen(match: Match, viewer: int | None, seat: int) -> set[str]:
    """The cards of a seat that a viewer sees."""
    return {cards.text(card) for card in match.view(viewer).hand(seat) if card is not None}


def shows(match: Match, **fields: object) -> bool:
    """Whether the report says all this."""
    report = match.report()
    assert {name: report[name] for name in fields} == fields
    return True


def last(how: str, winner: int | None, vp: int) -> dict[str, object]:
    return {"how": how, "winner": winner, "vp": vp}


def void(match: Match) -> Match:
    """A deal played out 65 to 65 without a close."""
    held = ("Ts Js 9h Ad Qd Jc", "9s Th Jh Jd Tc Kc")
    seat_0, seat_1 = held if match.state.dealer == 0 else held[::-1]
    deal(match, seat_0, seat_1, "9d", "As Td 9c Ks Kd Qh Ah Ac Kh Qc Qs")
    play(match, "9s 9h, Jd Ad, Js As, Ks Jc, Th Qd, 9c Jh, Qh Ah, 9d Td, Ac Tc, Qs Qc, Kh Kd, Kc Ts")
    assert match.report()["last"] == last("void", None, 0)
    assert match.report()["points"] == [65, 65]
    return match


# ------------------------------------------------------------------------------------- the worked examples of the page


@pytest.mark.clause("SS-19", "SS-20", "SS-21", "SS-22")
def test_example_1_pending_marriage() -> None:
    match = table("Ah 9s", "Kh Qh As", "9h")
    play(match, "meld Kh Qh, Qh Ah")
    assert shows(match, points=[14, 0], pending=[0, 40], tricks=[1, 0], to_act=[0])
    play(match, "9s As")
    assert shows(match, points=[14, 11 + 40], pending=[0, 0])


@pytest.mark.clause("SS-49")
def test_no_marriage_can_be_shown_once_the_stock_is_gone_where_a_table_says_so() -> None:
    hands = "9h Ts Js 9d Jd Jc", "Ks Qs Kd Qd As Ad"
    assert {"meld Ks Qs", "meld Kd Qd"} <= legal(endgame(*hands))
    match = endgame(*hands, marriages="stock")
    assert not any(move.startswith("meld") for move in legal(match))
    assert refused(match, "1 meld Ks Qs") == "SS-49"
    assert refused(match, "1 meld Qs Ks") == refused(match, "1 meld Kh Qh") == "SS-20"
    play(match, "As")
    assert refused(match, "0 meld Ks Qs") == "SS-20"


@pytest.mark.clause("SS-49")
def test_a_closed_stock_is_not_gone() -> None:
    match = play(table(seat_1="Ks Qs", marriages="stock"), "close")
    assert "meld Ks Qs" in legal(match)


@pytest.mark.clause("SS-30")
def test_example_2_declaring_after_a_marriage() -> None:
    match = table("Ks", "Kh Qh Kd Qd", "9h")
    play(match, "meld Kh Qh, Kh Ks")
    assert shows(match, points=[0, 48])
    play(match, "meld Kd Qd")
    assert shows(match, points=[0, 68], shown=["Kd", "Qd"], to_act=[1])
    play(match, "declare")
    assert shows(match, phase="deal", last=last("schwarz", 1, 3))


@pytest.mark.clause("SS-23", "SS-24", "SS-25", "SS-26", "SS-27")
def test_example_3_nine_then_close() -> None:
    match = table("As Ts 9d", "9h Ks", "Ah")
    play(match, "exchange, close, Ks")
    assert legal(match) == {"As", "Ts"}
    match = table("As Ts 9d", "9h Ks", "Ah")
    play(match, "close")
    assert refused(match, "1 exchange") == "SS-25"


@pytest.mark.clause("SS-15", "SS-17")
def test_example_4_end_of_the_stock() -> None:
    match = endgame("As 9s Jh Kd Qd 9c", "Ks Ts Ah Ad Ac Tc")
    assert shows(match, tricks=[0, 6], stock=0, upcard=None, closed=None, leader=1)
    assert hand(match, 0) == {"As", "9s", "Jh", "Kd", "Qd", "9c"}  # with the upcard, Jh
    assert hand(match, 1) == {"Ks", "Ts", "Ah", "Ad", "Ac", "Tc"}
    play(match, "Ks")
    assert legal(match) == {"As", "9s"}
    assert refused(match, "0 Jh") == "SS-17"


@pytest.mark.clause("SS-18")
def test_example_5_no_duty_to_win() -> None:
    match = play(endgame("As 9s 9h Qd Jd 9d", "Ks Qs Js Ad Td Kd"), "Ad 9d, Td Jd, Kd Qd, Ks")
    assert hand(match, 0) == {"As", "9s", "9h"}
    assert legal(match) == {"As", "9s"}
    assert refused(match, "0 9h") == "SS-17"
    match = play(endgame("Js 9s Jc 9c Ad 9h", "As Ts Ks Qs Ac Tc"), "As 9s, Ts Js, Ac 9c, Tc Jc, Ks")
    assert legal(match) == {"Ad", "9h"}


@pytest.mark.clause("SS-34")
def test_example_6_victory_points() -> None:
    def claim(match: Match, line: str, points: list[int], tricks: list[int], how: str, vp: int) -> None:
        assert shows(play(match, line), points=points, tricks=tricks, to_act=[0])
        assert shows(play(match, "declare"), last=last(how, 0, vp), scores=[vp, 0])

    match = table("Ts Ah Kh Jh Td Ac", "Ks Js 9s Kd Kc Jc", "Th", "Qd 9h Tc Ad Qh As")
    claim(match, "Js Ac, meld Kd Qd, Kd Ah, Td Jc, meld Kh Qh, Qh 9s", [70, 33], [3, 1], "plain", 1)
    match = table("Th Qh Td Kd Ac Tc", "Ks Qs Js 9s Jh Jc", "9d", "Ts 9h Qd As 9c Kh Jd Ad")
    claim(match, "Js Tc, meld Ks Qs, Ks Td, meld Kd Qd, Qd 9s, Qh Ts", [70, 32], [3, 1], "schneider", 2)
    match = table("Th Kh Ad Ac Jc 9c", "Ts Ks Js 9h Tc Kc", "Ah", "9d Jd Td Jh Qh Qd Qs Qc Kd As")
    claim(match, "Ks Th, Kh Tc, Ac Kc, 9c 9h, Qd Td, Kd Ts", [70, 0], [5, 1], "schneider", 2)
    match = table("Qs Qh Ad Td 9d Qc", "Ts Js Ah Kd Qd Jc", "Jh", "Kh As 9c Ac")
    claim(match, "meld Kd Qd, Kd Ad, meld Kh Qh, Kh As", [70, 0], [2, 0], "schwarz", 3)
    assert shows(match, pending=[0, 20])


@pytest.mark.clause("SS-38")
def test_example_7_wrong_claim() -> None:
    match = table("Th Td Ac Tc Kc 9c", "As Ts 9s Ad Qd Jc", "Ah", "Js 9h Kh Kd Qh Qs")
    play(match, "Ts Td, 9s Th, Tc Kd, meld Kh Qh")
    assert shows(match, points=[64, 20], tricks=[2, 1], to_act=[0])
    assert shows(play(match, "declare"), last=last("bad-declare", 1, 2))
    match = table("Js 9s Kh Jd Qc 9c", "Qs Kd Qd Ac Tc Kc", "9d", "Ks Ad")
    play(match, "meld Kd Qd, Kd 9c, meld Ks Qs")
    assert shows(match, points=[0, 64], tricks=[0, 1], to_act=[1])
    assert shows(play(match, "declare"), last=last("bad-declare", 0, 3))


@pytest.mark.clause("SS-39")
def test_example_8_failed_close() -> None:
    match = table("Kd Qd Jd 9d Ac Kc", "As Ad Td Tc Qc Jc", "9h")
    play(match, "close, As Kc, Tc Ac, meld Kd Qd, Qd Ad, Td Jd, Qc Kd, Jc 9d")
    assert shows(match, points=[41, 60], last=last("bad-close", 0, 3))
    match = table("Js Ah Qd Jd Tc Qc", "Ks Qs 9s Th Kh Jc", "Td", "9h Ac Jh Kc")
    play(match, "meld Ks Qs, Ks Qd, Tc Ac, close, Qs Js, 9s Kc, Kh Ah, 9h Th, Jh Jd, Qc Jc")
    assert shows(match, points=[41, 60], last=last("bad-close", 0, 2))


@pytest.mark.clause("SS-37", "SS-40", "SS-41")
def test_example_9_void_and_extra() -> None:
    match = void(Match("sixty-six"))
    assert shows(match, scores=[0, 0], carry=1)
    deal(match, "As Ts Ks Kd Qd 9c", "Js Ah Td Jd Qc Jc", "Kc", "Tc 9h Th 9d Ad Qs Ac Qh Kh 9s Jh")
    play(match, "meld Kd Qd, Qd Ah, As Qc, Jc Kd, Js Ks, Ac Jd, Qs 9s, 9c Kc, 9h Kh, Tc Td, Jh Qh, Th 9d, Ad Ts")
    assert shows(match, points=[80, 70], last=last("void", None, 0), scores=[0, 0], carry=2)
    deal(match, "As 9s", "Ks Ts", "9h")
    play(match, "Ks As, 9s Ts, declare")
    assert shows(match, last=last("bad-declare", 0, 2 + 2), scores=[4, 0], carry=0)


@pytest.mark.clause("SS-32", "SS-35", "SS-37")
def test_example_10_both_have_66() -> None:
    def claim(**options: Any) -> Match:
        match = table("Js 9s Ah Qh Jd 9c", "Ks Qs Kh Ac Tc Qc", "Ad", "Jh Th Td As Kd Ts Jc 9h 9d Qd Kc", **options)
        play(match, "meld Ks Qs, Ks Js, Tc Ah, Jh Th, Qh Kh, Qs 9s, Qc 9h, Ac 9c")
        assert shows(match, points=[12, 71], to_act=[1])
        play(match, "Ts As, meld Kd Qd")
        assert shows(match, points=[73, 71], to_act=[0])
        return play(match, "declare")

    assert shows(claim(), last=last("void", None, 0), carry=1)
    assert shows(claim(both="declarer"), last=last("plain", 0, 1), carry=0)


# --------------------------------------------------------------------------------------------- players, cards, values


@pytest.mark.clause("SS-1")
def test_two_players() -> None:
    assert shows(Match("sixty-six"), players=2, hands=[[], []])
    assert [refused_header("sixty-six", players) for players in (1, 3, 4)] == ["SS-1"] * 3


@pytest.mark.clause("SS-2", "SS-10")
def test_the_pack() -> None:
    match = Match("sixty-six")
    assert set(match.draw_lots(Random(1)).split()[1:]) == set(PACK)
    assert refused(match, "deal " + " ".join(PACK).replace("9s", "8s")) == "SS-10"
    match.event("deal " + " ".join(PACK))
    assert shows(match, deal=1, awaiting=None, stock=11)


@pytest.mark.clause("SS-3", "SS-12")
@pytest.mark.parametrize("suit", "sh")
@pytest.mark.parametrize(("high", "low"), list(pairwise(RANKS)))
def test_strength(suit: str, high: str, low: str) -> None:
    high, low = high + suit, low + suit
    upcard = "9h" if "9h" not in (high, low) else "Ah"
    assert shows(play(table(high, low, upcard), f"{low} {high}"), tricks=[1, 0])
    assert shows(play(table(low, high, upcard), f"{high} {low}"), tricks=[0, 1])


@pytest.mark.clause("SS-4")
@pytest.mark.parametrize(("rank", "value"), list(zip(RANKS, (11, 10, 4, 3, 2, 0), strict=True)))
def test_values(rank: str, value: int) -> None:
    assert shows(play(table(f"{rank}d", "Ah", "9h"), f"Ah {rank}d"), points=[0, 11 + value])


CLOSED_TO_THE_END = "close, As Kc, Tc Ac, meld Kd Qd, Qd Ad, Td Jd, Qc Kd, Jc 9d"


@pytest.mark.clause("SS-5", "SS-29", "SS-33")
def test_the_last_trick_counts_ten() -> None:
    """Also after a close, but not with option `last` = `open`; cards left in the closed stock count for nobody."""
    held = ("Kd Qd Jd 9d Ac Kc", "As Ad Td Tc Qc Jc", "9h")
    match = play(table(*held), CLOSED_TO_THE_END)
    assert shows(match, points=[41, 60], tricks=[1, 5], stock=11)
    assert sum(match.report()["points"]) == 71 + 20 + 10  # the cards played, a marriage, the last trick
    assert shows(play(table(*held, last="open"), CLOSED_TO_THE_END), points=[41, 50])
    assert shows(void(Match("sixty-six", options={"last": "open"})), points=[65, 65])


@pytest.mark.clause("SS-5")
def test_a_declaration_leaves_no_last_trick() -> None:
    match = play(table("Ks", "Kh Qh Kd Qd", "9h"), "meld Kh Qh, Kh Ks, meld Kd Qd, declare")
    assert shows(match, points=[0, 68])


# ------------------------------------------------------------------------------------------------------------ the deal


@pytest.mark.clause("SS-6")
def test_the_record_names_the_first_dealer() -> None:
    for dealer in (0, 1):
        assert shows(Match("sixty-six", dealer=dealer), dealer=dealer)
        assert shows(table(dealer=dealer), dealer=dealer, leader=1 - dealer)
    assert refused_header("sixty-six", dealer=2) == "SS-6"


@pytest.mark.clause("SS-7", "SS-8", "SS-9")
def test_how_the_pack_is_dealt() -> None:
    match = Match("sixty-six", dealer=1)
    match.event("deal As Ts Ks Ad Td Kd Qs Js 9s Qd Jd 9d Qh Ac Tc Kc Qc Jc 9c Ah Th Kh Jh 9h")
    assert hand(match, 0) == {"As", "Ts", "Ks", "Qs", "Js", "9s"}
    assert hand(match, 1) == {"Ad", "Td", "Kd", "Qd", "Jd", "9d"}
    assert shows(match, upcard="Qh", trump="h", stock=11)
    play(match, "As Ad, Ts Td, Ks Kd, Qs Qd")
    assert hand(match, 0) == {"Js", "9s", "Ac", "Kc", "Jc", "Ah"}
    assert hand(match, 1) == {"Jd", "9d", "Tc", "Qc", "9c", "Th"}
    assert shows(match, stock=3)


@pytest.mark.clause("SS-8")
def test_trump_stays_whatever_happens_to_the_upcard() -> None:
    match = table("", "9h", "Ah")
    assert shows(play(match, "exchange"), upcard="9h", trump="h")
    assert shows(endgame("As 9s Jh Kd Qd 9c", "Ks Ts Ah Ad Ac Tc"), upcard=None, trump="h")


@pytest.mark.clause("SS-10")
@pytest.mark.parametrize(
    "pack",
    [
        "deal",
        "deal As",
        "deal " + " ".join(PACK[:-1]),
        "deal " + " ".join([*PACK, "As"]),
        "deal " + " ".join([*PACK[:-1], PACK[0]]),
        "deal " + " ".join([*PACK[:-1], "*"]),
        "deal " + " ".join([*PACK[:-1], "xx"]),
        "deal " + "  ".join(PACK),
    ],
)
def test_a_deal_lists_every_card_once(pack: str) -> None:
    assert refused(Match("sixty-six"), pack) == "SS-10"


# --------------------------------------------------------------------------------------- tricks while the stock is open


@pytest.mark.clause("SS-11")
def test_who_leads_and_what() -> None:
    match = table("As Td", "Ks Qd Jc 9c Ts 9h", "Ah")
    assert shows(match, to_act=[1], leader=1, phase="lead")
    assert {move for move in legal(match) if cards.read(move)} == {"Ks", "Qd", "Jc", "9c", "Ts", "9h"}
    assert refused(match, "1 As") == "SS-11"
    play(match, "Ks")
    assert refused(match, "0 Ks") == "SS-11"
    assert shows(play(match, "As"), leader=0, to_act=[0])
    assert shows(play(match, "Td 9h"), leader=1, to_act=[1])


@pytest.mark.clause("SS-12")
def test_the_winner_takes_both_cards() -> None:
    match = play(table("9h As", "Ts Kd", "Jh"), "Ts 9h, As Kd")
    assert shows(match, tricks=[2, 0], trick=[])
    told = scene(match, None).last_trick
    assert told is not None
    assert told.taker == 0
    assert cards.as_list(seen_by(match, 1).won[0]) == [cards.read(card) for card in ("As", "Ts", "9h", "Kd")]
    assert match.state.won[1] == 0


@pytest.mark.clause("SS-13", "SS-14")
def test_no_duty_to_follow_and_both_draw() -> None:
    match = play(table("As Ts Kd 9c Jh Qd", "Ks", "9h", "Ac Tc"), "Ks")
    assert legal(match) == {"As", "Ts", "Kd", "9c", "Jh", "Qd"}
    play(match, "Qd")
    assert shows(match, phase="lead", stock=9, awaiting=None)
    assert hand(match, 0) == {"As", "Ts", "Kd", "9c", "Jh", "Tc"}
    assert len(hand(match, 1)) == 6
    assert "Ac" in hand(match, 1)


# ------------------------------------------------------------------------------------- when the stock is gone or closed


@pytest.mark.clause("SS-16", "SS-17", "SS-27")
def test_nobody_draws_any_more() -> None:
    match = play(endgame("As 9s Jh Kd Qd 9c", "Ks Ts Ah Ad Ac Tc"), "Ac 9c")
    assert shows(match, hands=[["As", "9s", "Jh", "Kd", "Qd"], ["Ks", "Ts", "Ah", "Ad", "Tc"]])
    match = play(table("As Td 9d Jd 9c Jc", "Ad Ts Qh Kc Jh Qs", "9h"), "close, Ad")
    assert legal(match) == {"Td", "9d", "Jd"}
    assert refused(match, "0 As") == "SS-17"
    play(match, "9d")
    assert shows(match, stock=11, upcard="9h", closed=1)
    assert [len(held) for held in match.report()["hands"]] == [5, 5]


@pytest.mark.clause("SS-17", "SS-18")
@pytest.mark.parametrize(
    ("line", "may_follow", "may_strict", "clause"),
    [
        ("Ks", {"As", "9s"}, {"As"}, "SS-18"),  # head the trick
        ("Ah", {"Jh", "9h"}, {"Jh", "9h"}, ""),  # nothing to head it with
        ("Ac", {"As", "9s", "Jh", "9h", "Kd", "Qd"}, {"Jh", "9h"}, "SS-18"),  # void: trump
        ("Ah 9h, Th Jh, Ac", {"As", "9s", "Kd", "Qd"}, {"As", "9s", "Kd", "Qd"}, ""),  # void, no trump
    ],
)
def test_endplay(line: str, may_follow: set[str], may_strict: set[str], clause: str) -> None:
    for option, may in (("follow", may_follow), ("strict", may_strict)):
        match = play(endgame("As 9s Jh 9h Kd Qd", "Ks Ah Th Ad Ac Tc", endplay=option), line)
        assert legal(match) == may
        led = {"Ks": "K♠", "Ah": "A♥", "Ac": "A♣"}[line.split()[-1]]
        duty = "" if option == "follow" else ", or else trump" * (led != "A♥")
        higher = " if you can" if option == "follow" else ", higher if you can"
        assert describe(match.view(0)).prompt == f"Your turn: follow {led}{higher}{duty}"
    for card in may_follow - may_strict:
        assert refused(match, f"0 {card}") == clause


@pytest.mark.clause("SS-17")
def test_strict_still_names_the_duty_to_follow() -> None:
    match = play(endgame("As 9s Jh 9h Kd Qd", "Ks Ah Th Ad Ac Tc", endplay="strict"), "Ks")
    assert refused(match, "0 Jh") == "SS-17"


# ----------------------------------------------------------------------------------------------------------- marriages


@pytest.mark.clause("SS-19", "SS-21")
def test_what_a_marriage_counts() -> None:
    """At once for the dealer, who is never the first to lead, and for the nondealer after the first trick."""
    match = play(table("Kd Qd Ah 9d", "Qh Kh Ad 9c", "9h", "As Ts Ac"), "9c Ah, meld Kd Qd")
    assert shows(match, points=[11 + 20, 0], pending=[0, 0])
    play(match, "Kd Ad, meld Kh Qh")
    assert shows(match, points=[31, 15 + 40], pending=[0, 0])


@pytest.mark.clause("SS-20")
def test_a_marriage_is_never_compulsory_and_shown_king_first() -> None:
    match = table("Ks Qs", "Kh Qh Kd As", "9h")
    assert {"meld Kh Qh", "Kh", "Qh", "Kd", "As"} <= legal(match)
    assert "meld Kd Qd" not in legal(match)
    for wrong in ("meld Qh Kh", "meld Kd Qd", "meld Ks Qs", "meld Kh Qd", "meld Kh *", "meld As Kh"):
        assert refused(match, f"1 {wrong}") == "SS-20"
    play(match, "Kd")
    assert refused(match, "0 meld Ks Qs") == "SS-20"


@pytest.mark.clause("SS-20")
def test_a_marriage_after_the_stock_is_closed_or_gone() -> None:
    assert "meld Kh Qh" in legal(play(table("", "Kh Qh", "9h"), "close"))
    assert "meld Kd Qd" in legal(endgame("As 9s Jh 9d Jd 9c", "Kd Qd Ah Ad Ac Tc"))


@pytest.mark.clause("SS-21")
def test_a_pending_marriage_without_a_trick_is_never_scored() -> None:
    match = table("Qs Qh Ad Td 9d Qc", "Ts Js Ah Kd Qd Jc", "Jh", "Kh As 9c Ac")
    play(match, "meld Kd Qd, Kd Ad, meld Kh Qh, Kh As, declare")
    assert shows(match, points=[70, 0], pending=[0, 20], scores=[3, 0])
    deal(match, "", "", "9h")
    assert shows(match, pending=[0, 0])


@pytest.mark.clause("SS-21", "SS-31")
def test_pending_points_do_not_count_for_a_claim() -> None:
    match = play(table("", "Kh Qh", "9h"), "meld Kh Qh, declare")
    assert shows(match, points=[0, 0], pending=[0, 40], last=last("bad-declare", 0, 3))


@pytest.mark.clause("SS-22")
def test_a_card_of_the_marriage_must_be_led() -> None:
    match = play(table("9s", "Kh Qh Kd Qd As Ah", "9h"), "meld Kh Qh")
    assert legal(match) == {"Kh", "Qh", "declare"}
    assert refused(match, "1 As") == "SS-22"
    assert refused(match, "1 meld Kd Qd") == "SS-22"
    play(match, "Kh 9s")
    assert {"meld Kd Qd", "Qh"} <= legal(match)
    assert refused(match, "1 meld Kh Qh") == "SS-20"


# -------------------------------------------------------------------------------------------------- fetching the upcard


@pytest.mark.clause("SS-23", "SS-24")
def test_the_nine_fetches_the_upcard() -> None:
    match = table("Td", "9h Ks Qs As Ts Js", "Ah")
    play(match, "exchange")
    assert shows(match, upcard="9h", stock=11, to_act=[1])
    assert hand(match, 1) == {"Ah", "Ks", "Qs", "As", "Ts", "Js"}
    assert {"Ks", "Ah"} < legal(match)
    assert "exchange" not in legal(match)


@pytest.mark.clause("SS-23")
def test_exchange_needs_the_nine_and_the_lead() -> None:
    match = table("9h", "Kh Qs", "Ah")
    assert refused(match, "1 exchange") == "SS-23"
    play(match, "Qs")
    assert refused(match, "0 exchange") == "SS-23"


@pytest.mark.clause("SS-24")
def test_when_the_upcard_can_be_fetched() -> None:
    """Up to the sixth trick, without having won one; not when it is gone, face down, or the nine itself."""
    match = play(table("Kh Qh Th Kc Qc Tc", "Qs Js 9s Jc 9c 9d", "Ah", "9h Ad Td Kd Qd Jd As Ts Ks Ac"), "Qs Kh")
    assert "exchange" in legal(match)
    play(match, "Qh Js, Th 9s, Kc Jc, Qc 9c")
    assert shows(match, stock=1)
    assert "exchange" in legal(match)
    play(match, "Tc Ad")
    assert refused(match, "0 exchange") == "SS-24"
    match = play(table("9s", "9h As", "Ah"), "close, As 9s")
    assert refused(match, "1 exchange") == "SS-24"
    match = table("As", "Ks", "9h")
    assert refused(match, "1 exchange") == "SS-23"


@pytest.mark.clause("SS-24")
def test_option_exchange_needs_a_trick() -> None:
    match = table("9s", "9h As", "Ah", exchange="trick")
    assert "exchange" not in legal(match)
    assert refused(match, "1 exchange") == "SS-24"
    play(match, "As 9s")
    assert "exchange" in legal(match)


@pytest.mark.clause("SS-25")
def test_the_order_before_a_lead() -> None:
    match = table("", "9h Kh Qh", "Ah")
    play(match, "exchange, close, meld Kh Qh")
    assert refused(match, "1 close") == "SS-25"
    assert refused(match, "1 exchange") == "SS-25"
    match = play(table("", "9h Kh Qh", "Ah"), "meld Kh Qh")
    assert refused(match, "1 close") == "SS-25"
    assert refused(match, "1 exchange") == "SS-25"
    match = play(table("", "9h Kh Qh", "Ah"), "close")
    assert "exchange" not in legal(match)
    assert refused(match, "1 exchange") == "SS-25"


# ------------------------------------------------------------------------------------------------------------- closing


@pytest.mark.clause("SS-26", "SS-28")
def test_closing() -> None:
    match = table("9s", "As Ks", "9h")
    assert "close" in legal(match)
    play(match, "Ks")
    assert refused(match, "0 close") == "SS-26"
    play(match, "9s, close")
    assert shows(match, closed=1, upcard="9h", to_act=[1], phase="lead")
    assert refused(match, "1 close") == "SS-28"


@pytest.mark.clause("SS-27", "SS-28", "SS-29")
def test_a_stock_is_closed_once() -> None:
    match = play(table("As Kd", "9s Ts", "9h"), "close, 9s As")
    assert shows(match, closed=1, stock=11, to_act=[0])
    assert "close" not in legal(match)
    assert refused(match, "0 close") == "SS-28"


@pytest.mark.clause("SS-28")
def test_closing_before_the_sixth_trick_and_not_after() -> None:
    match = table("9c Jc Qd Jd 9d 9s", "Ac Tc Ad Td Kd As", "Jh", "Ts Ks Ah Qs Kc Js Qc Th Kh Qh")
    play(match, "Ac 9c, Tc Jc, Ad 9d, Td Jd, Kd Qd")
    assert shows(match, stock=1)
    assert "close" in legal(match)
    play(match, "As 9s")
    assert shows(match, stock=0, upcard=None)
    assert refused(match, "1 close") == "SS-28"


# --------------------------------------------------------------------------------------------------------- claiming 66


@pytest.mark.clause("SS-30", "SS-31", "SS-32")
def test_when_a_claim_can_be_made() -> None:
    """True or not, whenever one is about to lead; and never has to be."""
    match = table("9s", "9h Kh Qh As", "Ah")
    for step in ("exchange", "close", "meld Kh Qh"):
        assert "declare" in legal(match)
        play(match, step)
    assert "declare" in legal(match)
    play(match, "Kh")
    assert refused(match, "0 declare") == "SS-30"
    match = play(table("Ks", "Kh Qh Kd Qd", "9h"), "meld Kh Qh, Kh Ks, meld Kd Qd, Kd")
    assert shows(match, points=[0, 68], phase="follow", deal=1)


@pytest.mark.clause("SS-31", "SS-38")
def test_a_wrong_claim_stops_the_deal_at_once() -> None:
    match = play(table(), "declare")
    assert shows(match, phase="deal", awaiting="deal", last=last("bad-declare", 0, 3), scores=[3, 0], to_act=[])


# ------------------------------------------------------------------------------------------------- the end of a deal


@pytest.mark.clause("SS-33", "SS-36", "SS-34")
def test_played_out_without_a_claim() -> None:
    match = endgame("As 9s Jh Kd Qd 9c", "Ks Ts Ah Ad Ac Tc")
    assert shows(match, points=[0, 43], phase="lead")
    play(match, "Ks As, 9s Ts, Ad Qd, Ac 9c, Tc Jh")
    assert shows(match, points=[27, 78], phase="lead")
    play(match, "Kd Ah")
    assert shows(match, points=[27, 103], last=last("schneider", 1, 2), hands=[[], []], phase="deal")


@pytest.mark.clause("SS-36", "SS-39")
def test_a_closer_who_has_66_wins_under_the_usual_count() -> None:
    match = table("As Ts Qs Ad Tc Qc", "Ks Js Ah Kh Td Ac", "Qh")
    play(match, "close, Kh Tc, Js Ts, Ad Td, Qs Ks, Ah As, Ac Qc")
    assert shows(match, points=[33, 67], last=last("plain", 1, 1))


@pytest.mark.clause("SS-38")
def test_a_wrong_claim_by_the_closer() -> None:
    """What the other had when it was closed decides: no trick, or one."""
    held = ("Ks Th Qh Td 9d Kc", "Ts Js Kd Qd Tc 9c", "Jd")
    match = play(table(*held), "close, 9c Kc, Ks Ts, declare")
    assert shows(match, tricks=[1, 1], last=last("bad-declare", 0, 3))
    match = play(table(*held), "9c Kc, Th Qd, close, declare")
    assert shows(match, tricks=[1, 1], last=last("bad-declare", 0, 2))


@pytest.mark.clause("SS-38")
def test_a_wrong_claim_against_the_closer() -> None:
    """That the other has closed does not matter."""
    held = ("Ks Th Qh Td 9d Kc", "Ts Js Kd Qd Tc 9c", "Jd")
    match = play(table(*held), "close, 9c Kc, declare")
    assert shows(match, tricks=[1, 0], closed=1, last=last("bad-declare", 1, 3))
    match = play(table(*held), "close, Kd 9d, 9c Kc, declare")
    assert shows(match, tricks=[1, 1], closed=1, last=last("bad-declare", 1, 2))


@pytest.mark.clause("SS-39")
def test_a_failed_close_when_the_other_wins_too() -> None:
    """3, as the other had no trick at the close, and not the 1 of SS-34: played out, or after a right claim."""
    match = table("As Ts Ks Ah Td Ac", "Js Th Ad Qd Tc Kc", "9d")
    play(match, "close, Th Ah, As Js, Ac Tc, Ks Qd, Kc Td, Ts Ad")
    report = match.report()
    assert report["points"][0] >= 66 > report["points"][1] > 32
    assert shows(match, last=last("bad-close", 0, 3))
    match = table("As Ad Td Ac Kc Qc", "9s Ah Kh Qh Jh Kd", "Jc")
    play(match, "close, meld Kh Qh, Kh Ad, Kd Td, meld Kc Qc, Qc Ah")
    assert match.report()["points"][0] >= 66
    assert shows(play(match, "declare"), closed=1, last=last("bad-close", 0, 3))


@pytest.mark.clause("SS-40", "SS-41")
@pytest.mark.parametrize(("option", "waiting"), [("add", 3), ("one", 1), ("none", 0)])
def test_extra_points(option: str, waiting: int) -> None:
    match = Match("sixty-six", options={"carry": option})
    for _ in range(3):
        void(match)
    assert shows(match, carry=waiting, scores=[0, 0])
    play(deal(match, "", "", "9h"), "declare")  # a wrong claim by seat 0: the other scores them all
    assert shows(match, last=last("bad-declare", 1, 3 + waiting), scores=[0, 3 + waiting], carry=0)


@pytest.mark.clause("SS-42")
def test_the_players_deal_in_turn() -> None:
    match = void(Match("sixty-six", dealer=1))
    assert shows(match, dealer=0, phase="deal")
    play(deal(match, "", "", "9h"), "declare")
    assert shows(match, dealer=1, phase="deal")


ON_THE_EDGE = [
    (
        *("Kh Jh Ad Jd Tc Qc", "As Ks Qs Th Qh Jc", "9d", "9c Qd Kd 9h Ah 9s"),
        "meld Ks Qs, Qs Tc, As Ad, meld Kd Qd, Kd 9c, declare",
        *([66, 33], last("plain", 0, 1)),
    ),
    (
        *("Ah Td Qd 9d Tc Kc", "As Ks 9s Th Qh Ad", "Jc", "Jh Ac Qc 9c 9h Kh"),
        "Qh Qd, Ad Ac, meld Kc Qc, Qc 9s, declare",
        *([65, 6], last("bad-declare", 1, 2)),
    ),
    (
        *("Ts Kh Qh Jd Tc Kc", "As Js Th Kd Qd Jc", "Ad", "9h Ks 9d 9c Ac Qs Qc Td Jh Ah"),
        "meld Kd Qd, Qd Tc, Jc Kc, meld Kh Qh, Qh Th, As 9d, meld Ks Qs, Qs Ac, declare",
        *([71, 66], last("void", None, 0)),
    ),
    (
        *("Ts Th 9h Qd Jd 9c", "Ks Qs Kh Qh Ac Qc", "Ah", "Kc Kd Jc Js As 9s Tc 9d Ad Td"),
        "meld Kh Qh, Qh Jd, meld Ks Qs, Ks Ts, meld Kd Qd, Kd Ac, Qd Js, As Qc, declare",
        *([68, 65], last("plain", 0, 1)),
    ),
    (
        *("Ah Kh Qh Ad Jd Ac", "As Qs 9s Th Qd 9d", "Td", ""),
        "close, 9d Ad, meld Kh Qh, Qh Th, 9s Jd, Kh Qd, As Ah, Qs Ac",
        *([33, 66], last("plain", 1, 1)),
    ),
    (
        *("Ks Td Kd Qd 9d Qc", "As Th Jh Jd Ac 9c", "Ah", ""),
        "close, Th Td, As Ks, Ac Qc, Jd Qd, 9d 9c, Kd Jh",
        *([5, 65], last("bad-close", 0, 3)),
    ),
    (
        *("Ts Qs Ah Jh Ad Tc", "9s Td Qd 9d Kc Qc", "9c", "Kd 9h Jd Th"),
        "meld Kc Qc, Kc Jh, meld Kd Qd, Kd Tc, close, Ad Td, Ah Th, Ts 9s, Jd Qd, declare",
        *([66, 71], last("void", None, 0)),
    ),
    (
        *("9s Th 9h Td Kc Qc", "Qs Js Ah Kd Qd Tc", "Jc", "Kh Jd Ts Ac"),
        "meld Kd Qd, Kd Td, meld Kc Qc, Kc Tc, close, Js 9s, Qd 9h, Jd Kh, Ts Th, Qs Ac, declare",
        *([68, 65], last("bad-close", 0, 2)),
    ),
]


@pytest.mark.clause("SS-34", "SS-35", "SS-37", "SS-38", "SS-39")
@pytest.mark.parametrize(
    ("seat_0", "seat_1", "upcard", "stock", "line", "points", "result"),
    ON_THE_EDGE,
    ids=[
        "claim with 66",
        "claim with 65",
        "claim against 66",
        "claim against 65",
        "closed, played out with 66",
        "closed, played out with 65",
        "claim against a closer with 66",
        "claim against a closer with 65",
    ],
)
def test_66_is_enough_and_65_is_not(
    seat_0: str, seat_1: str, upcard: str, stock: str, line: str, points: list[int], result: dict[str, object]
) -> None:
    assert shows(play(table(seat_0, seat_1, upcard, stock), line), points=points, last=result)


@pytest.mark.clause("SS-36")
@pytest.mark.parametrize("winner", [0, 1])
def test_66_to_64_played_out(winner: int) -> None:
    held = ("Qs Ah Qh Jh Ad Ac", "9s Qd Jd 9d Kc Jc")
    seat_0, seat_1 = held if winner == 1 else held[::-1]
    match = table(seat_0, seat_1, "Qc", "Kd Ks Tc As Kh Td 9h Th Ts Js 9c", dealer=1 - winner)
    play(match, "9d Ah, Jc Qs, 9s Qh, Jd Td, Ac Th, Ts Kc, Tc Qc, Js As, Jh Kh, Kd Ad, 9h Qd, Ks 9c")
    assert match.report()["points"][winner] == 66
    assert shows(match, last=last("plain", winner, 1))


@pytest.mark.clause("SS-39")
def test_the_others_tricks_at_the_close_decide() -> None:
    """Not the closer's own: 3, though the closer had one. After the other's first trick a right claim brings 2."""
    match = table("Ts Ks Qh 9h Jd Tc", "Js 9s Ah Kh 9d Jc", "Kc", "Ad Kd")
    play(match, "9s Tc, close, Qh Kh, Ah 9h, 9d Ad, Ks Js, Jd Kd, Jc Ts")
    assert shows(match, closed=0, last=last("bad-close", 1, 3))
    match = table("As Th 9h Td Jd 9d", "Ts Ks Qs Tc Kc Jc", "Js", "Ah Kh Ac 9s")
    play(match, "meld Ks Qs, Ks Th, Ts As, close, Kh Ah, declare")
    assert shows(match, closed=0, last=last("bad-close", 1, 2))


# ------------------------------------------------------------------------------------------------ the end of the match


@pytest.mark.clause("SS-43")
def test_either_seat_may_win() -> None:
    match = claim_on(Match("sixty-six", dealer=1, options={"target": 3}))
    assert shows(match, done=True, scores=[0, 3], winners=[1])


def claim_on(match: Match) -> Match:
    """A deal that the nondealer loses by a wrong claim: three victory points."""
    return play(deal(match, "", "", "9h"), "declare")


@pytest.mark.clause("SS-43", "SS-42")
@pytest.mark.parametrize(
    ("target", "deals", "scores"), [(1, 1, [3, 0]), (3, 1, [3, 0]), (4, 3, [6, 3]), (7, 5, [9, 6]), (21, 13, [21, 18])]
)
def test_the_target(target: int, deals: int, scores: list[int]) -> None:
    match = Match("sixty-six", options={"target": target} if target != 7 else {})
    for _ in range(deals):
        assert not match.done
        claim_on(match)
    assert shows(match, done=True, phase="done", scores=scores, winners=[0], dealer=0, deal=deals, legal={})


@pytest.mark.clause("SS-43")
def test_who_stands_better() -> None:
    """What computer players play for: the match score against the other's."""
    match = claim_on(Match("sixty-six"))
    assert [match.setup.utility(match.state, seat) for seat in (0, 1)] == [3, -3]


@pytest.mark.clause("SS-44")
@pytest.mark.parametrize(("decided", "scores", "winners"), [(0, [0, 0], [0, 1]), (1, [3, 0], [0]), (2, [3, 3], [0, 1])])
def test_a_match_has_at_most_100_deals(decided: int, scores: list[int], winners: list[int]) -> None:
    match = Match("sixty-six")
    for number in range(100):
        assert not match.done
        claim_on(match) if number < decided else void(match)
    assert shows(match, done=True, deal=100, scores=scores, winners=winners, carry=100 - decided)


# ------------------------------------------------------------------------------------------------ what each seat sees


def scene(match: Match, viewer: int | None) -> SceneView:
    return describe(match.view(viewer), match.last_trick)


def last_trick(match: Match, viewer: int | None) -> tuple[list[object], list[str]]:
    """Who played what to the last finished trick, in order."""
    told = scene(match, viewer).last_trick
    assert told is not None
    return [*told.seats], told.cards


def said(marks: list[MarkView]) -> dict[str, str]:
    return {mark.label: mark.value for mark in marks}


@pytest.mark.clause("SS-45")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_what_everybody_always_sees(viewer: int | None) -> None:
    match = deal(void(Match("sixty-six")), "Kh Qh Ks Qs 9s 9d", "Ah As Ts Td Tc Ad", "9h")
    play(match, "meld Kh Qh, Qh Ah, close, Td 9d, Ad Ks")
    state = seen_by(match, viewer)
    assert (state.dealer, state.deals, state.scores[:2], state.carry) == (1, 2, [0, 0], 1)
    assert (state.trump, state.closer, state.left) == (cards.HEARTS, 1, 9)
    assert (state.tricks[:2], state.pending[:2]) == ([0, 3], [40, 0])
    assert match.view(viewer).sizes == (4, 4)
    assert "Kh" in seen(match, viewer, 0)
    told = scene(match, viewer)
    assert told.headline == "Deal 2 · hearts are trumps · 1 extra waiting"
    assert [said(seat.marks) for seat in told.seats] == [
        {"Tricks": "0", "Points": "0", "Pending": "40"},
        {"Tricks": "3", "Points": "39", "Closed": "yes"},
    ]


@pytest.mark.clause("SS-45", "SS-46")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_marriage_is_shown_with_both_cards(viewer: int | None) -> None:
    match = play(table("9d", "Kh Qh", "9h"), "meld Kh Qh")
    assert seen(match, viewer, 1) >= {"Kh", "Qh"}
    assert scene(match, viewer).zone("marriage").cards == ["Kh", "Qh"]
    play(match, "Qh 9d")
    assert "Kh" in seen(match, viewer, 1)
    assert "Qh" not in seen(match, viewer, 1)


@pytest.mark.clause("SS-45", "SS-46")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_marriages_shown_are_told_where_the_log_forgets_them(viewer: int | None) -> None:
    match = play(table("9d 9c 9s", "Kh Qh As", "9h", count="hidden"), "meld Kh Qh")
    assert said(scene(match, viewer).seats[1].marks)["Marriages"] == "♥"
    play(match, "Qh 9d, As 9s")
    assert [said(seat.marks).get("Marriages") for seat in scene(match, viewer).seats] == [None, "♥"]


@pytest.mark.clause("SS-46")
@pytest.mark.parametrize("viewer", [0, None])
def test_what_lies_open(viewer: int | None) -> None:
    """The upcard, the nine in its place and the card fetched with it; closed, it is remembered; all cards played."""
    match = table("9d", "9h Ks", "Ah")
    assert seen_by(match, viewer).upcard == cards.read("Ah")
    assert seen(match, viewer, 1) == set()
    play(match, "exchange")
    assert seen_by(match, viewer).upcard == cards.read("9h")
    assert seen(match, viewer, 1) == {"Ah"}
    play(match, "close, Ks 9d")
    assert seen_by(match, viewer).upcard == cards.read("9h")
    assert cards.as_list(seen_by(match, viewer).won[1]) == [cards.read("Ks"), cards.read("9d")]
    assert seen_by(match, viewer).points == match.state.points
    assert last_trick(match, viewer) == ([1, 0], ["Ks", "9d"])


@pytest.mark.clause("SS-15", "SS-46")
def test_who_took_the_upcard_is_seen() -> None:
    match = endgame("As 9s Jh Kd Qd 9c", "Ks Ts Ah Ad Ac Tc")
    assert seen(match, 0, 0) == hand(match, 0)
    assert seen(match, 1, 0) == {"Jh"}
    assert seen(match, 0, 1) == set()


@pytest.mark.clause("SS-46")
def test_option_count_hides_running_points_and_no_more() -> None:
    def marks(count: str) -> list[set[str]]:
        match = table("Th Kh Ad Ac Jc 9c", "Ts Ks Js 9h Tc Kc", "Ah", count=count)
        labels = []
        for line in ("Ks Th", "declare"):
            play(match, line)
            labels.append(set(said(scene(match, 1).seats[0].marks)))
            assert match.report()["points"] == [14, 0]
        return labels

    assert marks("shown") == [{"Tricks", "Points"}, {"Tricks", "Points"}]
    assert marks("hidden") == [{"Tricks"}, {"Tricks", "Points"}]


@pytest.mark.clause("SS-47")
@pytest.mark.parametrize("line", ["Ks 9d", "Ks 9d, As 9s", "close, Ks 9s", "Ks 9d, As 9s, declare"])
def test_what_is_never_seen(line: str) -> None:
    """Two deals that differ in what seat 0 may not know look the same to it, also when the deal is over."""
    held = "9d 9s Td Jd Qd Kd"
    first = play(table(held, "Ks As Ah Kh Tc Jc", "9h", "Qs Ts Js Th"), line)
    second = play(table(held, "Ks As 9c Qc Jh Ac", "9h", "Qh Ts Jc Th"), line)
    assert first.state != second.state
    mine, same = first.view(0), second.view(0)
    assert (mine.state, mine.sizes, mine.piles) == (same.state, same.sizes, same.piles)
    assert mine.legal() == same.legal()
    assert mine.text() == same.text()
    assert scene(first, 0) == scene(second, 0)
    assert first.view(1).state != second.view(1).state


@pytest.mark.clause("SS-46", "SS-47")
def test_a_new_deal_is_hidden_again() -> None:
    match = play(table("9c Ac", "9h Kd Qd", "Ah"), "exchange, close, meld Kd Qd, Kd 9c")
    assert seen(match, 0, 1) == {"Ah", "Qd"}
    assert seen_by(match, 0).lacks[:2] == [cards.all_of(cards.DIAMONDS), 0]
    assert shows(play(match, "declare"), leader=None)
    deal(match, "As", "9h Kd Qd Ah", "Th")
    assert seen(match, 0, 1) == set()
    assert seen_by(match, 0).won[:2] == seen_by(match, 0).lacks[:2] == [0, 0]
    assert shows(match, closed=None, pending=[0, 0])


@pytest.mark.clause("SS-17")
def test_what_an_answer_proves() -> None:
    """Where suit must be followed everybody learns what the other cannot hold; worlds are dealt accordingly."""
    hearts, clubs = cards.all_of(cards.HEARTS), cards.all_of(cards.CLUBS)

    def lacks(line: str, endplay: str = "follow") -> int:
        match = endgame("As 9s Jh 9h Kd Qd", "Ks Ah Th Ad Ac Tc", endplay=endplay)
        return play(match, line).view(1).state.lacks[0]

    assert lacks("Ks As") == 0
    assert lacks("Ac Jh") == clubs
    assert lacks("Ac Kd") == clubs
    assert lacks("Ac Jh", "strict") == clubs
    assert lacks("Ks As", "strict") == 0
    assert lacks("Th Jh", "strict") == cards.as_set([cards.card(cards.ACE, cards.HEARTS)])
    assert lacks("Ah 9h, Th Jh, Ac Kd", "strict") == clubs | hearts


@pytest.mark.clause("SS-47")
def test_the_stock_and_the_other_hand_are_blank() -> None:
    match = play(table("9s Ts", "As Ks", "9h", "Kd Td"), "As 9s")
    for viewer in (0, 1, None):
        assert set(seen_by(match, viewer).stock) == {cards.NO_CARD}
        assert match.view(viewer).piles == {"stock": 9}
    assert seen(match, 0, 1) == seen(match, None, 0) == seen(match, None, 1) == set()
    assert seen(match, 0, 0) == hand(match, 0)
    assert match.view(0).hand(1) == [None] * 6


# ------------------------------------------------------------------------------------------------------------- records


@pytest.mark.clause("SS-48")
@pytest.mark.parametrize("event", ["1 9s", "1 declare", "0 As", "reshuffle As", "draw As", "", "deals", "0", "x As"])
def test_only_a_deal_when_one_is_awaited(event: str) -> None:
    assert refused(Match("sixty-six"), event) == "SS-48"


@pytest.mark.clause("SS-48")
@pytest.mark.parametrize(
    "event",
    ["0 As", "0 declare", "2 Ks", "9 Ks", "10 Ks", "01 Ks", "-1 Ks", "² Ks", "Ks", "1", "1 ", " 1 Ks", "1  Ks"]
    + ["1 Ks ", "1\tKs", "1 Ks\n", "1 Ks As", "1 fold", "1 xx", "1 Declare", "deal As", "reshuffle As", "draw As"],
)
def test_only_moves_of_the_seat_to_act(event: str) -> None:
    assert refused(table("As", "Ks", "9h"), event) == "SS-48"


@pytest.mark.clause("SS-48")
@pytest.mark.parametrize(
    "said", ["close now", "exchange Jh", "declare 66", "meld", "meld Kh", "meld Kh Qh Kd", "meld Kh xx", "close "]
)
def test_extra_or_missing_words_are_no_move(said: str) -> None:
    match = table("As", "Kh Qh 9h", "Jh")
    assert refused(match, f"1 {said}") == "SS-48"
    play(match, "Kh")
    assert refused(match, f"0 {said}") == "SS-48"


@pytest.mark.clause("SS-48", "SS-43")
def test_nothing_after_the_end() -> None:
    match = claim_on(Match("sixty-six", options={"target": 3}))
    for event in ("1 declare", "0 As", "deal " + " ".join(PACK), "", "fold"):
        assert refused(match, event) == "SS-48"


@pytest.mark.clause("SS-48")
def test_forced_cards_are_written_and_drawing_is_not() -> None:
    match = play(endgame("As 9s Jh Kd Qd 9c", "Ks Ts Ah Ad Ac Tc"), "Ks As, 9s Ts, Ad Qd, Ac 9c, Tc Jh, Kd")
    assert legal(match) == {"Ah"}
    assert shows(match, phase="follow", trick=[[0, "Kd"]], leader=0)
    play(match, "Ah")
    assert [event.word for event in match.events].count("deal") == 1
    assert len(match.events) == 25


@pytest.mark.clause("SS-48", "SS-43", "SS-17", "SS-5", "SS-24", "SS-34", "SS-37", "SS-46")
@pytest.mark.parametrize(
    ("options", "clause"),
    [
        ({"target": 0}, "SS-43"),
        ({"target": 22}, "SS-43"),
        ({"target": "7"}, "SS-43"),
        ({"endplay": "free"}, "SS-17"),
        ({"last": "never"}, "SS-5"),
        ({"exchange": "Trick"}, "SS-24"),
        ({"both": 0}, "SS-34"),
        ({"carry": None}, "SS-37"),
        ({"count": ["hidden"]}, "SS-46"),
        ({"closed": "yes"}, "SS-48"),
    ],
)
def test_other_options_are_refused(options: dict[str, object], clause: str) -> None:
    assert refused_header("sixty-six", **options) == clause


@pytest.mark.clause("SS-50")
def test_the_usual_table_is_as_the_author_wrote_it() -> None:
    assert (games.load("sixty-six").author, games.load("sixty-six").author_clause) == ({}, "SS-50")
