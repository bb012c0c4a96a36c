"""Kalooki: the worked examples of its page, and every clause."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from games.kalooki.positions import EXACT, KALOOKI, PACK, TABLE, deal, dealt, hold, legal, play, starting, table
from games.kalooki.referee import can_finish
from playing import explained, refused, refused_header, seen_by

from upcard import Match, games
from upcard.engine.views import view
from upcard.engine.worlds import Worlds
from upcard.games.kalooki.double_pack import HAND, SHOWN
from upcard.games.kalooki.making import all_fit
from upcard.games.kalooki.rules import ROOM
from upcard.rules import NOBODY
from upcard.rules.cards import JOKER, as_list, bit, count, read, text
from upcard.rules.lineage import literal_twins
from upcard.table.scene import MarkView, describe


def shown(match: Match[Any], number: int) -> str:
    """A meld as it lies there."""
    return " ".join(match.report()["melds"][number - 1]["cards"])


def held(match: Match[Any], seat: int) -> list[str]:
    return sorted(match.report()["hands"][seat])


def go_out(match: Match[Any], seat: int) -> Match[Any]:
    """Seat `seat` has EXACT and a 9c beside it, and the turn to play."""
    lays = ["lay 7s 7h 7d", "lay Qs Qc *", "lay 2h 2d 2c", "discard 9c"]
    return play(match, *(f"{seat} {move}" for move in lays))


def throw_out(match: Match[Any]) -> list[str]:
    """Everybody draws from the stock and throws a card until the deal is over; the reshuffles that this took."""
    reshuffles = []
    deals = match.report()["deal"]
    while match.report()["deal"] == deals and match.awaiting != "deal" and not match.done:
        if match.awaiting:
            reshuffles.append(match.draw_lots(Random(0)))
            match.event(reshuffles[-1])
            continue
        (seat,) = match.to_act
        move = {"draw": "stock", "call": "pass"}.get(match.phase) or sorted(starting(match, "discard"))[0]
        match.event(f"{seat} {move}")
    return reshuffles


# ------------------------------------------------------------------------------------------------- the worked examples


@pytest.mark.clause("KA-44", "KA-46")
def test_example_1_the_walking_joker() -> None:
    match = play(table("9s Ts * Qs Ks", hand="Js As 7s 8s 8s 2h 3h"), "1 tack Js 1")
    assert shown(match, 1) == "9s Ts Js Qs Ks *"
    play(match, "1 tack As 1")
    assert shown(match, 1) == "* 9s Ts Js Qs Ks As"
    assert starting(match, "tack") == {"tack 7s 1", "tack 8s 1"}
    play(match, "1 tack 8s 1")
    assert shown(match, 1) == "* 8s 9s Ts Js Qs Ks As"


@pytest.mark.clause("KA-35", "KA-45", "KA-46")
def test_example_2_jokers_apart() -> None:
    match = table("5d * 7d *", hand="* 6d 8d 2h")
    assert starting(match, "tack") == {"tack 8d 1"}
    assert refused(match, "1 tack * 1") == "KA-45"
    assert refused(match, "1 tack 6d 1") == "KA-46"
    assert shown(play(match, "1 tack 8d 1"), 1) == "5d * 7d 8d *"


@pytest.mark.clause("KA-32", "KA-44")
def test_example_3_which_end() -> None:
    match = table("4h 5h 6h 7h", "Jc Qc Kc Ac", "Ad 2d 3d 4d", hand="8h 3h Tc 5d Kd 2c")
    assert starting(match, "tack") == {"tack 8h 1", "tack Tc 2", "tack 5d 3"}
    assert refused(match, "1 tack 3h 1") == "KA-44"


@pytest.mark.clause("KA-13", "KA-14", "KA-15", "KA-16", "KA-17", "KA-18", "KA-19")
@pytest.mark.parametrize("answer", ["allow", "refuse", "down"])
def test_example_4_a_call(answer: str) -> None:
    match = dealt({0: "9h"}, "3s", "Kc 4h 5h 6h")
    play(match, "0 take", "0 discard 9h", "1 stock")
    assert match.to_act == [2]
    assert legal(match) == {"call", "pass"}
    state = match.state
    state.down[1] = answer == "down"
    play(match, "2 pass", "3 call")
    if answer != "down":
        assert (match.phase, match.to_act, match.report()["caller"]) == ("answer", [1], 3)
        assert legal(match) == {"allow", "refuse"}
        play(match, f"1 {answer}")
    report = match.report()
    assert (report["phase"], report["active"], report["caller"], report["upcard"]) == ("play", 1, None, None)
    if answer == "refuse":
        assert "9h" in held(match, 1)
        assert report["calls"] == [0, 0, 0, 0]
        assert len(held(match, 3)) == 9
    else:
        assert not Counter(["9h", "Kc"]) - Counter(held(match, 3))
        assert "4h" in held(match, 1)
        assert report["calls"] == [0, 0, 0, 1]


@pytest.mark.clause("KA-37", "KA-39", "KA-48", "KA-49", "KA-53")
def test_example_5_exactly_enough() -> None:
    match = play(dealt({0: EXACT}, "9c"), "0 take", "0 lay 7s 7h 7d")
    assert legal(match) == {"lay 2h 2d 2c", "lay Qs Qc *"}
    assert match.report()["left"] == [2, 0]
    assert refused(match, "0 lay 2h 2d *") == "KA-39"
    assert refused(match, "0 discard 9c") == "KA-39"
    play(match, "0 lay Qs Qc *", "0 lay 2h 2d 2c")
    assert match.report()["down"] == [True, False, False, False]
    assert match.report()["left"] is None
    last = play(match, "0 discard 9c").report()["last"]
    assert (last["how"], last["out"], last["points"][0]) == ("bent", 0, 0)


@pytest.mark.clause("KA-51", "KA-52", "KA-53")
@pytest.mark.parametrize(("bend", "points"), [("double", 166), ("single", 83)])
def test_example_6_counting(bend: str, points: int) -> None:
    match = play(dealt({0: EXACT}, "9c", bend=bend), "0 take")
    hold(match, 2, "* As Ah Td 7c")
    assert go_out(match, 0).report()["points"][2] == points
    assert match.scores[2] == points


@pytest.mark.clause("KA-24", "KA-25", "KA-27", "KA-28")
def test_example_7_twice_empty() -> None:
    match = Match(KALOOKI, 4, dealer=1, options={"contracts": "12"})
    for contract, dealer in ((1, 1), (2, 2)):
        for attempt in (1, 2, 3):
            report = match.report()
            assert (report["contract"], report["dealer"], report["attempt"]) == (contract, dealer, attempt)
            assert len(throw_out(play(match, deal(match)))) == 1
            assert match.report()["last"] == {"how": "thrown", "out": None, "points": [0] * 4}
    assert match.done
    assert match.winners == [0, 1, 2, 3]
    assert match.report()["deal"] == 6


# ------------------------------------------------------------------------------------------------ players, cards, deal


@pytest.mark.clause("KA-1", "KA-8")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_three_to_five_players(players: int) -> None:
    match = dealt(players=players, dealer=players - 1)
    assert match.to_act == [0]
    assert [len(hand) for hand in match.report()["hands"]] == [9] * players
    assert [refused_header(KALOOKI, number) for number in (2, 6, True)] == ["KA-1"] * 3
    assert [refused_header(KALOOKI, players, number) for number in (players, -1)] == ["KA-8"] * 2


@pytest.mark.clause("KA-2", "KA-7")
def test_the_pack() -> None:
    match = Match(KALOOKI, 3)
    cards = match.draw_lots(Random(1)).split()[1:]
    assert Counter(cards) == Counter(PACK)
    for wrong in (cards[:-1], [*cards[:-1], "Xx"], [*cards[:-1], next(card for card in PACK if card != cards[-1])]):
        assert refused(match, f"deal {' '.join(wrong)}") == "KA-7"
    match = dealt({0: "7s 7s 7h"}, "7h")
    assert sorted(play(match, "0 take").legal(0)).count("discard 7s") == 1  # equal cards give one move


@pytest.mark.clause("KA-3", "KA-4", "KA-5", "KA-54")
def test_nine_contracts() -> None:
    assert [TABLE.dealt[c] for c in range(1, 10)] == [9, 10, 11, 12, 12, 13, 14, 15, 16]
    assert all(3 * TABLE.need_threes[c] + 4 * TABLE.need_fours[c] == TABLE.dealt[c] for c in range(1, 10))
    assert list(TABLE.contract_at) == list(range(1, 10))
    match = Match(KALOOKI, 3, options={"contracts": "919"})
    seen = []
    while not match.done:
        seen.append((match.report()["contract"], match.report()["need"], match.report()["dealer"]))
        play(match, deal(match))
        hold(match, match.to_act[0], "*")
        state = match.state
        state.down[match.to_act[0]] = 1
        play(match, f"{match.to_act[0]} stock", *(f"{seat} pass" for seat in _asked(match)))
        hold(match, match.to_act[0], "9c")
        play(match, f"{match.to_act[0]} discard 9c")
    assert seen == [(9, [0, 4], 0), (1, [3, 0], 1), (9, [0, 4], 2)]
    assert [refused_header(KALOOKI, 4, contracts=bad) for bad in ("", "120", "1234567891", 12)] == ["KA-3"] * 4


def _asked(match: Match[Any]) -> list[int]:
    """Those who will be asked about the first upcard."""
    active = match.to_act[0]
    return [(active + i) % match.players for i in range(1, match.players)]


@pytest.mark.clause("KA-6", "KA-10")
def test_cards_are_dealt_singly_from_the_dealers_left() -> None:
    match = Match(KALOOKI, 3, dealer=1)
    order = [text(card) for card in as_list((1 << 52) - 1)] * 2 + ["*"] * 4
    report = play(match, f"deal {' '.join(order)}").report()
    assert sorted(report["hands"][2]) == sorted(order[0:27:3])
    assert sorted(report["hands"][1]) == sorted(order[2:27:3])
    assert (report["upcard"], report["stock"], report["to_act"]) == (order[27], 80, [2])
    play(match, "2 stock", "0 pass", "1 pass")
    assert order[28] in held(match, 2)


@pytest.mark.clause("KA-9")
def test_a_joker_turned_first() -> None:
    assert dealt(upcard="*", stock="4d").report()["upcard"] == "*"
    assert "*" in held(play(dealt(upcard="*"), "0 take"), 0)
    match = dealt(upcard="*", stock="* 4d 5d", first_upcard="natural")
    state = match.state
    assert (match.report()["upcard"], match.report()["stock"]) == ("4d", 71)
    assert [text(card) for card in state.stock[: state.left]][-1:] == ["5d"]
    assert state.stock[:2] == [JOKER, JOKER]
    assert refused_header(KALOOKI, 4, first_upcard="joker") == "KA-9"


# --------------------------------------------------------------------------------------------------- turn, draw, calls


@pytest.mark.clause("KA-10", "KA-11", "KA-13")
def test_a_turn() -> None:
    match = dealt({0: "9h"}, "3s")
    assert legal(match) == {"take", "stock"}
    play(match, "0 take")
    assert (match.phase, match.report()["upcard"], match.report()["stock"]) == ("play", None, 71)
    play(match, "0 discard 9h")
    assert (match.to_act, match.phase, match.report()["turns"]) == ([1], "draw", 1)


@pytest.mark.clause("KA-12", "KA-20")
def test_who_is_down_draws_from_the_stock() -> None:
    match = dealt({0: "9h"}, "3s", "4h", calls=0)
    state = match.state
    state.down[1] = 1
    play(match, "0 take", "0 discard 9h")
    assert (match.to_act, match.phase) == ([1], "play")
    assert "4h" in held(match, 1)
    assert refused(match, "1 take") == "KA-12"


@pytest.mark.clause("KA-14", "KA-15", "KA-20")
def test_who_is_asked() -> None:
    match = dealt({0: "9h"}, "3s", "4h")
    state = match.state
    play(match, "0 take", "0 discard 9h")
    state.calls[2] = 3
    play(match, "1 stock")
    assert match.to_act == [3]  # not the one without a call left
    play(match, "3 pass")  # nor the one who discarded it
    assert (match.phase, match.to_act) == ("play", [1])
    assert "4h" in held(match, 1)
    assert refused(match, "0 call") == "KA-14"
    assert [refused_header(KALOOKI, 4, calls=bad) for bad in (7, "3", True)] == ["KA-14"] * 3
    assert play(dealt(calls=0), "0 stock").phase == "play"


@pytest.mark.clause("KA-21", "KA-53")
def test_a_call_too_many() -> None:
    match = dealt({0: EXACT, 1: "9h"}, "3s", "9c", calls=1, overcall="penalty", contracts="1")
    state = match.state
    state.calls[1] = 1
    state.points[0] = 50
    play(match, "0 stock")
    assert describe(match.view(1)).prompt == "Your turn: pass, or call in vain for a fine of 50"
    before = match.state.copy()
    play(match, "1 call")
    assert (match.report()["points"], match.to_act) == ([50, 50, 0, 0], [2])
    told = match.setup.aftermath(match.state, 1, match.events[-1].move or 0, before)
    assert told == "{1} has no call left and is fined 50"
    play(match, "2 pass", "3 pass")
    for seat, cards in ((1, "9h"), (2, "As"), (3, "Ah")):
        hold(match, seat, cards)
    report = go_out(match, 0).report()
    assert report["points"] == report["scores"] == [50, 59, 15, 1]  # fined, and nothing counts double
    assert report["last"]["how"] == "bent"
    assert refused_header(KALOOKI, 4, overcall="no") == "KA-21"


@pytest.mark.clause("KA-22")
def test_one_call_in_a_turn() -> None:
    match = play(dealt({0: "9h"}, "3s", "4h Kc 4h"), "0 stock", "1 pass", "2 pass", "3 pass", "0 discard 9h", "1 stock")
    play(match, "2 call", "1 allow")
    assert match.report()["upcard"] == "3s"
    assert (match.phase, match.to_act) == ("play", [1])


@pytest.mark.clause("KA-23", "KA-50")
def test_no_upcard() -> None:
    match = table("5d * 7d *", hand="*")
    assert match.report()["upcard"] is None
    assert legal(match) == {"hold"}
    assert describe(match.view(1)).prompt == "Your turn: tack a joker on, or end your turn if none fits"
    assert refused(match, "1 hold 5d") == refused(match, "1 hold *") == "KA-59"
    play(match, "1 hold")
    assert (match.to_act, match.phase, len(held(match, 2))) == ([2], "play", 10)
    assert [text(card) for card in SHOWN.cards(match.state, 1)] == ["*"]  # nothing else can be in that hand


@pytest.mark.clause("KA-50")
def test_only_jokers() -> None:
    match = table("5d * 7d *", "7s 7h 7d", hand="* *")
    assert legal(match) == {"tack * 2"}
    assert refused(match, "1 hold") == "KA-50"
    play(match, "1 tack * 2", "1 tack * 2")
    assert match.report()["last"]["how"] == "out"


# ------------------------------------------------------------------------------------------------ the stock, thrown out


@pytest.mark.clause("KA-17", "KA-24")
@pytest.mark.parametrize("left", [0, 1])
def test_a_reshuffle_between_a_penalty_card_and_the_draw(left: int) -> None:
    match = play(dealt({0: "9h"}, "3s"), "0 take", "0 discard 9h")
    state = match.state
    under = state.stock[: state.left - left]
    state.discards[: len(under) + 1] = [*under, state.discards[0]]
    state.throwers[: len(under) + 1] = [*[NOBODY] * len(under), 0]
    state.thrown = len(under) + 1
    state.stock[:left] = state.stock[state.left - left : state.left]
    state.stock[left : state.left] = [-1] * len(under)
    state.left = left
    play(match, "1 stock", "2 call", "1 allow")
    assert (match.awaiting, match.phase, match.to_act) == ("reshuffle", "reshuffle", [])
    assert len(held(match, 2)) == 10 + left
    names = [text(card) for card in under[:-1]]
    assert match.report()["discards"] == [text(card) for card in under]
    assert refused(match, f"reshuffle {' '.join(names[1:])}") == "KA-24"
    assert refused(match, "1 take") == "KA-59"
    play(match, f"reshuffle {' '.join(names)}")
    assert (match.phase, match.to_act, match.report()["discards"]) == ("play", [1], [text(under[-1])])
    assert (len(held(match, 2)), len(held(match, 1))) == (11, 10)
    assert match.report()["stock"] == len(names) - 2 + left
    assert Counter(map(text, match.setup.all_cards(match.state))) == Counter(PACK)


@pytest.mark.clause("KA-25", "KA-26", "KA-27")
@pytest.mark.parametrize("discards", [0, 1])
def test_nothing_to_shuffle(discards: int) -> None:
    match = play(dealt({0: "9h"}, "3s", overcall="penalty"), "0 take", "0 discard 9h")
    state = match.state
    state.points[3] = 50
    state.left = 0
    if discards == 0:
        play(match, "1 stock", "2 call", "1 allow")
    else:
        play(match, "1 stock", "2 pass", "3 pass")
    report = match.report()
    assert report["last"] == {"how": "thrown", "out": None, "points": [0] * 4}
    assert (report["attempt"], report["dealer"], report["contract"], report["scores"]) == (2, 3, 1, [0] * 4)
    play(match, deal(match))
    assert match.report()["calls"] == [0] * 4


@pytest.mark.clause("KA-29")
def test_three_hundred_turns() -> None:
    match = dealt(players=3, dealer=2)
    for turn in range(300):
        assert match.report()["turns"] == turn
        play(match, f"{turn % 3} take")
        play(match, f"{turn % 3} {sorted(legal(match))[0]}")
    assert (match.report()["last"]["how"], match.report()["turns"], match.report()["attempt"]) == ("thrown", 300, 2)


# ------------------------------------------------------------------------------------------------------ threes, fours


@pytest.mark.clause("KA-30", "KA-34", "KA-38")
def test_threes() -> None:
    match = table("2s 2h 2d", hand="Ks Ks Kd * * 4c")
    assert starting(match, "lay") == {"lay Ks Ks Kd", "lay Ks Ks *", "lay Ks Kd *"}
    for move, clause in {
        "lay Ks Kd Ks": "KA-30",
        "lay * Ks Kd": "KA-30",
        "lay Ks Kd 4c": "KA-30",
        "lay Ks * *": "KA-34",
        "lay Ks Ks": "KA-38",
        "lay": "KA-38",
        "lay Ks Ks Kd * *": "KA-38",
        "lay Ks Ks Ks": "KA-59",
        "lay Ks Ks Kd * * 4c Ks Ks Kd": "KA-59",
    }.items():
        assert refused(match, f"1 {move}") == clause, move
    assert shown(play(match, "1 lay Ks Kd *"), 2) == "Ks Kd *"


@pytest.mark.clause("KA-31", "KA-32", "KA-35", "KA-36", "KA-38")
def test_fours() -> None:
    match = table(hand="Qd Kd Ad 2d 3d 4d * * 9s 4c")
    lays = starting(match, "lay")
    assert {"lay Ad 2d 3d 4d", "lay * Qd Kd Ad", "lay Ad * 3d *", "lay * Kd Ad", "lay Qd Kd *"} & lays == {
        "lay Ad 2d 3d 4d",
        "lay * Qd Kd Ad",
        "lay Ad * 3d *",
    }
    for move, clause in {
        "lay Qd Kd Ad 2d": "KA-32",
        "lay Kd * 2d 3d": "KA-32",
        "lay * Ad 2d 3d": "KA-32",
        "lay Ad * * 4d": "KA-35",
        "lay 2d 3d * *": "KA-35",
        "lay Ad 3d 2d 4d": "KA-31",
        "lay 2d 3d 4d 4c": "KA-31",
        "lay * 3d * 9s": "KA-31",
    }.items():
        assert refused(match, f"1 {move}") == clause, move
    play(match, "1 lay Ad * 3d *")
    assert shown(match, 1) == "Ad * 3d *"
    assert starting(match, "tack") == {"tack 4d 1"}  # the two would send its joker beside the other one
    assert refused(match, "1 tack 2d 1") == "KA-46"


@pytest.mark.clause("KA-32", "KA-44", "KA-46")
def test_thirteen_places_at_most() -> None:
    match = table("Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd", hand="Ad * 2c")
    assert starting(match, "tack") == set()
    assert (refused(match, "1 tack Ad 1"), refused(match, "1 tack * 1")) == ("KA-44", "KA-45")
    match = table("2d 3d 4d 5d 6d * 8d 9d Td Jd Qd Kd Ad", hand="Ad * 7d 2c")
    assert starting(match, "tack") == set()
    assert (refused(match, "1 tack 7d 1"), refused(match, "1 tack Ad 1")) == ("KA-46", "KA-44")


@pytest.mark.clause("KA-33", "KA-40", "KA-41")
def test_further_melds() -> None:
    match = table("5h 6h 7h 8h", hand="Th Jh Qh Kh 9h Ts", owner=1)
    assert starting(match, "lay") == set()
    assert refused(match, "1 lay Th Jh Qh Kh") == "KA-33"
    assert explained(match, "1 lay Th Jh Qh Kh").endswith("nor two threes of one rank where threes must differ.")
    match = table("5h 6h 7h 8h", "9s 9h 9d", hand="Th Jh Qh Kh 9h Ts", owner=0)
    assert starting(match, "lay") == {"lay 9h Th Jh Qh", "lay Th Jh Qh Kh"}
    assert "discard Th" in legal(match)  # nobody has to


@pytest.mark.clause("KA-33")
def test_threes_of_different_ranks() -> None:
    hand = "7s 7s 7h 7h 7d 7d Qs Qc *"
    assert starting(play(dealt({0: hand}, "9c"), "0 take"), "lay")
    match = play(dealt({0: hand}, "9c", threes="distinct"), "0 take")
    assert not starting(match, "lay")
    hold(match, 0, f"{hand} 2s 2s 2h")
    play(match, "0 lay 7s 7s 7h")
    assert legal(match) == {"lay Qs Qc *", "lay 2s 2s 2h"}
    assert refused(match, "0 lay 7h 7d 7d") == "KA-33"
    assert refused_header(KALOOKI, 4, threes="all") == "KA-33"


@pytest.mark.clause("KA-37", "KA-39", "KA-41")
def test_the_contract_is_laid_whole() -> None:
    hand = "5s 6s 7s 8s 5h 6h 7h 8h 5d 6d * 8d"
    match = play(dealt({0: hand}, "9s", contracts="4"), "0 take")
    assert "discard 9s" in legal(match)
    assert refused(match, "0 lay 5s 5h 5d") == "KA-39"
    assert refused(match, "0 lay 5s 6s * 8s") == "KA-39"
    play(match, "0 lay 5d 6d * 8d", "0 lay 6s 7s 8s 9s")
    assert legal(match) == {"lay 5h 6h 7h 8h"}
    assert [refused(match, f"0 {move}") for move in ("tack 5s 2", "discard 5s", "hold")] == ["KA-39"] * 3
    assert explained(match, "0 discard 5s").startswith("A contract is laid in one go")
    assert legal(play(match, "0 lay 5h 6h 7h 8h")) == {"discard 5s"}


@pytest.mark.clause("KA-39")
def test_whether_a_contract_can_be_met_is_exact() -> None:
    rng = Random(39)
    met = Counter[bool]()
    for trial in range(400):
        contract = trial % 9 + 1
        suits = "shdc"[: rng.choice([2, 3, 4, 4])]
        ranks = rng.sample("23456789TJQKA", rng.randint(4, 9)) if TABLE.need_threes[contract] else "23456789TJQKA"
        pack = [rank + suit for rank in ranks for suit in suits for _ in range(2)]
        size = min(TABLE.dealt[contract] + rng.randint(1, 7), len(pack))
        hand = [*rng.sample(pack, size), *["*"] * rng.randint(0, 4)]
        distinct = rng.random() < 0.2
        expected = can_finish(
            hand, TABLE.need_threes[contract], TABLE.need_fours[contract], frozenset(), frozenset(), distinct
        )
        match = Match(KALOOKI, 3)
        hold(match, 0, " ".join(hand))
        state = match.state
        cards = state.hand[0], state.twice[0], state.jokers[0]
        assert all_fit(*cards, TABLE.need_threes[contract], TABLE.need_fours[contract], 0, distinct, 0) == expected, (
            hand,
            contract,
        )
        met[expected] += 1
    assert min(met.values()) > 50


# ------------------------------------------------------------------------------------------- tacking on, discarding


@pytest.mark.clause("KA-42", "KA-43", "KA-47")
def test_tacking_on_to_threes() -> None:
    match = table("7s 7h 7d", "4s 4h *", hand="7c 8c 4d * 2h")
    assert starting(match, "tack") == {"tack 7c 1", "tack * 1", "tack 4d 2", "tack * 2"}
    assert refused(match, "1 tack 8c 1") == "KA-43"
    assert [refused(match, f"1 tack 7c {number}") for number in ("0", "3", "01", "x")] == ["KA-42"] * 4
    assert "to the melds that lie on the table" in explained(match, "1 tack 7c 3")
    play(match, "1 tack * 1", "1 tack 7C 1", "1 tack 4d 2")
    assert shown(match, 1) == "7s 7h 7d 7c *"
    assert shown(match, 2) == "4s 4h 4d *"  # the joker stays
    assert refused(play(dealt({0: "9h"}), "0 take"), "0 tack 9h 1") == "KA-42"


@pytest.mark.clause("KA-45", "KA-46", "KA-47")
def test_replacing_jokers() -> None:
    match = table("Ts Js Qs *", "* Tc Jc * Kc Ac", hand="Ks As Qc 9c * 2h")
    assert starting(match, "tack") == {"tack Ks 1", "tack As 1", "tack 9c 2"}
    assert (refused(match, "1 tack Qc 2"), refused(match, "1 tack * 2")) == ("KA-46", "KA-45")
    play(match, "1 tack Ks 1")
    assert shown(match, 1) == "Ts Js Qs Ks *"
    assert shown(play(match, "1 tack As 1"), 1) == "* Ts Js Qs Ks As"
    assert shown(play(match, "1 tack 9c 2"), 2) == "* 9c Tc Jc * Kc Ac"
    high = play(table("Ts Js Qs *", hand="Ks As 2h"), "1 tack As 1")
    assert shown(high, 1) == "Ts Js Qs * As"
    assert shown(play(high, "1 tack Ks 1"), 1) == "* Ts Js Qs Ks As"
    low = play(table("* 2s 3s 4s", hand="As 2h 3h"), "1 tack As 1")
    assert shown(low, 1) == "As 2s 3s 4s *"


@pytest.mark.clause("KA-48", "KA-49")
def test_discarding_and_going_out() -> None:
    match = table("7s 7h 7d", hand="7c 7c *")
    assert refused(match, "1 discard *") == "KA-48"
    play(match, "1 tack 7c 1", "1 tack 7c 1")
    assert match.report()["last"] is None
    play(match, "1 tack * 1")  # no last discard is needed
    assert (match.report()["last"]["out"], match.report()["turns"]) == (1, 1)  # a turn like any other
    match = play(table("7s 7h 7d", hand="7c 3s"), "1 tack 7c 1", "1 discard 3s")
    assert (match.report()["last"]["how"], match.report()["turns"]) == ("out", 1)


# --------------------------------------------------------------------------------------------------------- the scoring


@pytest.mark.clause("KA-51")
def test_what_cards_count() -> None:
    named = {"*": 50, "As": 15, "Ac": 15, "Ah": 1, "Ad": 1, "Kd": 10, "Qs": 10, "Jc": 10, "Th": 10, "9h": 9, "2c": 2}
    for name, points in named.items():
        card = read(name)
        assert card is not None
        assert TABLE.worth[card] == points


@pytest.mark.clause("KA-52", "KA-53", "KA-58")
def test_the_points_of_a_deal() -> None:
    match = table("7s 7h 7d", hand="7c")
    for seat, cards in ((0, "2c 2c"), (2, "Kh"), (3, "*")):
        hold(match, seat, cards)
    report = play(match, "1 tack 7c 1").report()
    assert report["last"] == {"how": "out", "out": 1, "points": [4, 0, 10, 50]}  # not in the turn of the contract
    assert report["points"] == report["scores"] == [4, 0, 10, 50]
    assert [match.view(None).hand(seat) for seat in range(4)] == [HAND.cards(match.state, seat) for seat in range(4)]


@pytest.mark.clause("KA-54", "KA-55")
def test_the_lowest_score_wins() -> None:
    match = table("7s 7h 7d", hand="7c", contracts="1")
    for seat, cards in ((0, "2c 2c"), (2, "Kh"), (3, "*")):
        hold(match, seat, cards)
    match.state.scores[1] = 4
    play(match, "1 tack 7c 1")
    assert (match.done, match.phase, match.winners) == (True, "done", [0, 1])
    assert [refused(match, event) for event in ("1 take", "1 call", "deal")] == ["KA-59", "KA-14", "KA-59"]


# ----------------------------------------------------------------------------------------------------- what seats see


@pytest.mark.clause("KA-56", "KA-57")
def test_views() -> None:
    match = dealt({1: "8c", 2: "As"}, "9h", "Kc 4h", calls=6)
    play(match, "0 stock", "1 call", "0 allow")
    seen = seen_by(match, 3)
    assert [*map(text, HAND.cards(seen, 1))] == ["9h"]  # called openly; the penalty card is not seen
    assert HAND.cards(seen, 0) == HAND.cards(seen, 2) == []
    assert match.view(3).sizes == (10, 11, 9, 9)
    assert HAND.cards(seen, 3) == HAND.cards(match.state, 3)
    assert set(seen.stock) == {-1}
    assert (seen.left, seen.calls[1], seen.down[1]) == (match.report()["stock"], 1, 0)
    assert match.view(1).hand(1) == HAND.cards(match.state, 1)


@pytest.mark.clause("KA-56")
def test_known_cards_leave_openly() -> None:
    match = play(dealt({0: "9h 8c"}, "9h"), "0 take")
    assert SHOWN.cards(match.state, 0) == [read("9h")]
    play(match, "0 discard 9h")  # either of the two: nothing is known of the other one
    assert SHOWN.cards(match.state, 0) == []
    match = play(dealt({0: "9h 8c"}, "*"), "0 take", "0 discard 9h")
    assert SHOWN.cards(match.state, 0) == [JOKER]


@pytest.mark.clause("KA-57", "KA-39")
def test_worlds_in_the_middle_of_a_contract() -> None:
    match = play(dealt({0: EXACT}, "9c"), "0 take", "0 lay 7s 7h 7d")
    rng = Random(57)
    for seat in (None, 1, 2, 3):
        before = match.view(seat)
        world = Worlds(before).sample(rng)
        assert view(match.setup, world, seat).state == before.state
        buffer = [0] * KALOOKI.most_moves
        moves = buffer[: TABLE.other_moves(world, 0, buffer, 0)]
        assert moves
        assert all(KALOOKI.notation.text(move).startswith("lay") for move in moves)


@pytest.mark.clause("KA-58")
def test_a_thrown_out_deal_shows_nothing() -> None:
    match = dealt()
    throw_out(match)
    assert match.report()["last"]["how"] == "thrown"
    assert SHOWN.cards(match.state, 0) == []
    assert match.view(1).hand(0) == [None] * 9


# --------------------------------------------------------------------------------------------------- events, the table


@pytest.mark.clause("KA-59", "KA-12", "KA-14")
def test_events_that_are_none() -> None:
    match = Match(KALOOKI, 4, dealer=3)
    for event in ("0 take", "reshuffle Kh", "draw Kh", "take", "", "9 stock"):
        assert refused(match, event) == "KA-59"
    assert refused(match, "0 call") == "KA-14"
    play(match, deal(match, {0: "9h"}))
    for event in ("0 stock now", "0 discard 9h", "1 take", "0 bend", "0 9h", "deal Kh"):
        assert refused(match, event) == "KA-59"
    play(match, "0 take")
    for event in ("0 discard", "0 discard 9h 9h", "0 discard *", "0 tack 9h", "0 lay 9h xx 9h", "0 take"):
        assert refused(match, event) == "KA-59"
    assert refused(match, "0 hold") == "KA-50"
    assert refused_header(KALOOKI, 4, jokers=4) == "KA-59"


def test_the_table_as_it_is_shown() -> None:
    match = table("9s Ts * Qs Ks", "7s 7h 7d", hand="Js Qh Qd Qc 2h", contracts="2")
    scene = describe(match.view(1))
    assert scene.headline == "Contract 1 of 1: two threes and one four"
    assert scene.prompt == "Your turn: lay and tack on what you like, then discard"
    assert scene.zone("meld-1").cards == ["9s", "Ts", "*", "Qs", "Ks"]
    assert (scene.zone("meld-2").owner, scene.zone("meld-2").number, scene.zone("stock").count) == (0, 2, 67)
    moves = {move.text: move for move in scene.offers.moves}
    assert (moves["tack Js 1"].label, moves["tack Js 1"].zone) == ("Add J♠ to meld 1", "meld-1")
    assert moves["lay Qh Qd Qc"].label == "Lay Q♥ Q♦ Q♣"
    assert MarkView("Down", "yes", "down") in scene.seats[1].marks
    assert MarkView("Calls", "0 of 3") in scene.seats[2].marks


def test_what_is_said_of_a_deal() -> None:
    match = go_out(play(dealt({0: EXACT}, "9c"), "0 take"), 0)
    first, second = describe(match.view(1)).result
    assert first == "Seat 0 goes out and bends the table"
    assert second.startswith("Points: Seat 0 0, Seat 1 ")
    points = match.report()["points"]
    told = [[MarkView("Points", str(number), "points")] for number in points]
    told[0].append(MarkView("Out", "bent the table"))
    assert describe(match.view(1)).finished == told
    match = dealt(contracts="19")
    for _ in range(2):
        throw_out(match)
        assert describe(match.view(1)).result == ["The deal is thrown out and scores nothing"]
        assert "attempt" in describe(match.view(1)).headline
        play(match, deal(match))
    throw_out(match)
    assert describe(match.view(1)).result[1:] == ["The contract is dropped"]
    assert describe(match.view(1)).headline == "Contract 2 of 2: four fours"


@pytest.mark.parametrize("phase", ["draw", "call", "answer", "play"])
def test_prompts(phase: str) -> None:
    match = dealt({0: EXACT}, "9c")
    if phase in ("call", "answer"):
        play(match, "0 stock", *(["1 call"] if phase == "answer" else []))
    elif phase == "play":
        play(match, "0 take", "0 lay 7s 7h 7d")
    asked = {
        "draw": "take the upcard or draw from the stock",
        "call": "call the upcard (for a penalty card), or pass",
        "answer": "allow the call, or refuse and take the upcard",
        "play": "lay the rest of the contract: two threes",
    }
    assert describe(match.view(match.to_act[0])).prompt == f"Your turn: {asked[phase]}"


def test_bounds() -> None:
    """The buffer of moves: no hand of a rank makes more threes for each card than eight cards of it."""
    best = 0.0
    for suits in range(16):
        for doubles in range(16):
            hand = sum(bit(13 * suit) for suit in range(4) if suits >> suit & 1)
            twice = sum(bit(13 * suit) for suit in range(4) if suits & doubles >> suit & 1)
            match = table(hand="")
            state = match.state
            state.hand[1], state.twice[1], state.jokers[1] = hand, twice & hand, 1
            lays = len(starting(match, "lay"))
            best = max(best, lays / max(count(hand) + count(twice & hand), 1))
    assert best == 26 / 8
    assert len(PACK) - 3 * TABLE.dealt[1] <= ROOM


def test_no_number_of_the_rules_has_a_twin_that_a_variant_would_miss() -> None:
    for name, number in KALOOKI.declared_numbers.items():
        if type(number.value) is int:
            assert list(literal_twins(KALOOKI, number.value)) == [], name


@pytest.mark.clause("KA-60")
def test_the_author_has_other_options_than_the_usual_table() -> None:
    game, author = games.load("kalooki"), {"overcall": "penalty"}
    assert (game.author, game.author_clause) == (author, "KA-60")
    assert all(game.declared_options[name].default_for(4) != value for name, value in author.items())
