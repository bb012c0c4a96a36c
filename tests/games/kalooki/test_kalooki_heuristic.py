"""Kalooki: its rules of thumb, the ways to go out that they look for, and what is a sign of a hand."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from games.kalooki.positions import EXACT, KALOOKI, TABLE, dealt, hold, meld, play, starting, table
from playing import seen_by

from upcard import Match
from upcard.games.kalooki.double_pack import HAND
from upcard.games.kalooki.heuristic import AT_CALLED, AT_FITTING, OF_CONTRACT
from upcard.games.kalooki.melds import meld_cards
from upcard.games.kalooki.rules import ANSWER, BENT, DRAWING, PLAY
from upcard.players import player
from upcard.policies.hand_features import listed_signs
from upcard.rules.cards import JOKER, as_list, bit, read, text


def test_what_a_hand_lacks() -> None:
    match = dealt()

    def lacks(hand: str, contract: int) -> tuple[int, set[str]]:
        hold(match, 0, hand)
        state = match.state
        lacking, helping = TABLE.plan(
            state.hand[0], state.twice[0], state.jokers[0], TABLE.need_threes[contract], TABLE.need_fours[contract]
        )
        return lacking, {text(card) for card in as_list(helping)}

    assert lacks("7s 7h 7d Qs Qc 2h 2d 2c 9c", 1) == (1, {"Qs", "Qh", "Qd", "Qc"})
    assert lacks("7s 7h 7d Qs Qc * 2h 2d 2c", 1)[0] == 0
    assert lacks("7s 8s Ts Kd", 4)[0] == 8
    assert lacks("5h 6h 7h 8h 9s 9d 9c Kd Kc 2s", 2) == (1, {"Ks", "Kh", "Kd", "Kc"})


def test_what_a_seat_has_seen() -> None:
    match = table("9s Ts * Qs", "7s 7s 7h *", hand="7h 2d 2d Qs Kc")
    state = match.view(1).state
    once, again = TABLE.seen_cards(state, 1, TABLE.discarded(state))
    seen = [card for meld in match.state.melds[:2] for card in meld_cards(meld)]
    seen += HAND.cards(match.state, 1) + match.state.discards[: match.state.thrown]
    counted = Counter(card for card in seen if card != JOKER)
    assert as_list(once) == as_list(sum(bit(card) for card in counted))
    assert as_list(again) == as_list(sum(bit(card) for card, times in counted.items() if times == 2))


def chosen(match: Match[Any], luck: int = 0) -> str:
    """What the rules of thumb choose for the seat to act, from what it sees."""
    (seat,) = match.to_act
    moves = match.legal_moves(seat)
    options: Any = match.options
    return KALOOKI.notation.text(options.choose(seen_by(match, seat), seat, moves, len(moves), luck))


def test_rules_of_thumb() -> None:
    hand = "7s 7h 7d Qs Qc 2h 2d 9c Ks"
    assert chosen(dealt({0: hand}, "2c")) == "take"
    assert chosen(dealt({0: hand}, "*")) == "take"
    assert chosen(dealt({0: hand}, "3s")) == "stock"
    match = play(dealt({1: hand}, "2c"), "0 stock")
    assert chosen(match) == "call"
    match.state.calls[1] = 3
    assert chosen(match) == "pass"
    match = play(dealt({0: EXACT}, "9c"), "0 take")
    while match.phase == "play":
        play(match, f"0 {chosen(match)}")
    assert match.report()["last"]["how"] == "bent"
    assert chosen(play(dealt({0: "7s 7h 7d Qs Qc 2h 2d Ah As"}, "Qd"), "0 take")) == "discard As"
    assert chosen(table("9s Ts * Qs Ks", "7s 7h 7d", hand="Js Qh Qd 2h")) == "tack Js 1"


def test_what_makes_more_cards_helpful_is_called_for_threes_but_not_taken() -> None:
    """A third pair leaves as much lacking."""
    hand = "7s 7h 7d Qs Qc 2h 2d 9c Ks"
    assert chosen(dealt({0: hand}, "9d")) == "stock"
    assert chosen(play(dealt({1: hand}, "9d"), "0 stock")) == "call"
    assert chosen(play(dealt({1: "7s 7h Qs Qc 2h 2d 9c Ks 4s"}, "9d"), "0 stock")) == "pass"
    fours = "7s 7h 7d Qs Qc 2h 3h 4h 9c Ks"
    assert chosen(play(dealt({1: fours}, "9d", contracts="2"), "0 stock")) == "pass"


def test_a_discard_is_safe_where_cards_like_it_lie_and_nobody_has_taken_what_it_fits() -> None:
    """Threes are asked for in contract 1 and fours in 4; the player on the left may take it for nothing."""
    state = dealt().state
    for card in ("9d", "6h"):
        state.discards[state.thrown] = number_of(card)
        state.thrown += 1
    lying = TABLE.discarded(state)

    def safe(card: str, contract: int) -> int:
        state.contract = contract
        return TABLE.safety(state, 0, number_of(card), lying)

    assert safe("9s", 1) > safe("8s", 1) and safe("8d", 1) == safe("8s", 1)
    assert safe("8d", 4) > safe("8s", 4) and safe("9s", 4) == safe("8s", 4)
    state.shown[2] = bit(number_of("Ts"))
    across = safe("8s", 4)
    state.shown[1], state.shown[2] = state.shown[2], 0
    assert safe("8s", 4) < across < safe("8c", 4)
    state.down[1] = 1
    assert safe("8s", 4) == safe("8c", 4)


@pytest.mark.parametrize(
    ("contract", "hand", "melds"),
    [
        (9, "2c 3c 9c Tc Jc Qc 6d 7d 7d 9d 2h 3h 4h 5h 6h 2s 3s 3s 5s 6s 7s 8s *", []),
        (4, "2c 3c 4c 5c 6c 2d Jd Qd Kd Ad 2h 5h 7h 8h 9h 4s *", ["5d 6d * 8d", "9d Td Jd Qd"]),
        (7, "3c 7c 2d 3d 4d 5d 6d 7d 7d 8d 6h 7h 8h 2s 3s 4s 5s 6s 6s 7s 8s", ["5s 5h 5c", "6c 7c 8c 9c", "Kh Kd Kc"]),
        (6, "6c 6c 7c 7c Kc 6d 6d 9d Kd 5h 6h Kh 5s 6s 7s 8s 9s *", ["7h 7h 7d 7d", "8s 8h 8h 8c 8c"]),
    ],
)
def test_who_can_goes_out_in_the_turn_of_laying_down(contract: int, hand: str, melds: list[str]) -> None:
    """KA-53. Each time the first melds that come to mind leave cards over."""
    match = play(dealt(contracts=f"{contract}{contract}"), "0 take")
    hold(match, 0, hand)
    state = match.state
    state.laid = len(melds)
    for i, cards in enumerate(melds):
        state.melds[i] = meld(2, cards)
    while match.phase == "play" and state.active == 0:
        play(match, f"0 {chosen(match)}")
    assert (state.last_out, state.last_how) == (0, BENT)


def test_a_way_out_is_one() -> None:
    """Who has found one and follows it is out at the end of the turn; hardly ever, a card that fits a three goes to a
    four and moves a joker there, so that another does not fit any more (KA-46)."""
    rng, ways, out = Random(2), 0, 0
    for seed in range(60):
        match: Match[Any] = Match(KALOOKI, 4, chance=Random(seed), options={"contracts": f"{1 + seed % 9}" * 2})
        state = match.state
        while state.deals == 1 and state.stage == 0:
            seat = match.to_act[0]
            if state.phase == PLAY and starting(match, "lay") and TABLE.way_out(state, seat) != (0, 0):
                ways += 1
                while state.stage == 0 and state.active == seat:
                    match.play(seat, chosen(match, rng.randrange(1 << 24)))
                out += state.last_out == seat
            else:
                match.play(seat, chosen(match, rng.randrange(1 << 24)))
    assert ways > 20
    assert out >= 0.95 * ways


def test_an_upcard_that_goes_out_is_taken() -> None:
    """KA-53, by casual and medium players; who takes it is out at the end of the turn."""
    rng, medium, ways, out = Random(3), player("medium"), 0, 0
    for seed in range(40):
        match: Match[Any] = Match(KALOOKI, 4, chance=Random(seed), options={"contracts": f"{2 + seed % 5}" * 2})
        state = match.state
        while state.deals == 1 and state.stage == 0:
            seat = match.to_act[0]
            if state.phase in (DRAWING, ANSWER) and TABLE.upcard_goes_out(state, seat):
                ways += 1
                assert chosen(match) in ("take", "refuse")
                assert medium.choose(match.view(seat), rng) in ("take", "refuse")
                while state.stage == 0 and state.active == seat:
                    match.play(match.to_act[0], chosen(match, rng.randrange(1 << 24)))
                out += state.last_out == seat
            else:
                match.play(seat, chosen(match, rng.randrange(1 << 24)))
    assert ways > 5
    assert out >= 0.9 * ways


def number_of(card: str) -> int:
    """The number of a card."""
    found = read(card)
    assert found is not None
    return found


@pytest.mark.long
def test_the_upcard_is_a_sign_of_those_who_have_answered() -> None:
    """Nobody has while the active player may take it, and those after the one who is asked or called have not.
    Whoever called wants it, the others did not."""
    rng, seen = Random(5), set()
    for seed in range(30):
        match: Match[Any] = Match(KALOOKI, players=5, chance=Random(seed))
        while match.state.deals == 1 and match.state.turns < 10:
            s, asked = match.state, match.to_act[0]
            upcard, order = s.discards[s.thrown - 1], [(s.active + after) % 5 for after in range(5)]
            answered = order[: order.index(s.caller) + 1] if s.phase == ANSWER else order[: order.index(asked)]
            for seat in order if s.phase != PLAY and upcard != JOKER else []:
                if seat not in (asked, s.throwers[s.thrown - 1]) and not s.down[seat]:
                    assert tells(match, seat) == (seat in answered)
                    signs = listed_signs(match.setup, s, seat)
                    called = any(AT_CALLED <= sign % OF_CONTRACT < AT_FITTING for sign in signs)
                    assert called == (s.phase == ANSWER and seat == s.caller)
                    seen.add((s.phase, called))
            match.play(asked, match.game.notation.text(rng.choice(match.view(asked).legal_moves())))
    assert len(seen) == 4


def tells(match: Match[Any], seat: int) -> bool:
    """Whether the signs of a hand depend on the upcard."""
    changed = match.state.copy()
    found = set()
    for card in range(52):
        changed.discards[changed.thrown - 1] = card
        found.add(tuple(listed_signs(match.setup, changed, seat)))
    return len(found) > 1
