"""Positions with moves that are wrong, by proof or by a rule, and which computer players make them.

`bench/positions.py` and `bench/complaints.py` generate these and more.
"""

from functools import cache
from itertools import chain, islice
from pathlib import Path
from random import Random

import pytest
from playing import GAMES
from position_files import Position, read_positions, wrong_moves

from upcard import Match
from upcard.engine.worlds import whole_pack
from upcard.players import LEVELS, Rollouts, player
from upcard.players.blunders import blunders, no_blunder
from upcard.rules import NO_CARD, cards
from upcard.rules.cards import as_set

FILES = Path(__file__).parent / "positions"
PROVEN = [game.slug for game in GAMES if (FILES / f"{game.slug}.jsonl").is_file()]
BY_HAND = [f"{game.slug}.by-hand" for game in GAMES if (FILES / f"{game.slug}.by-hand.jsonl").is_file()]
CASUAL = {
    "cinch": 3,
    "klaberjass": 6,
    "linger-longer": 3,
    "loo": 1,
    "ninety-nine": 4,
    "oh-hell": 5,
    "rolling-stone.by-hand": 3,
    "roundup": 4,
    "sixty-six": 4,
}
"""The most positions of a file in which the heuristic may go wrong; 0 in other files."""
STRONGEST = [*LEVELS][-1]
LITTLE = Rollouts(200)
NUMBER, STEP = 100, 20
"""The number of positions of a game that are looked at here, out of the many that a command asks. One in STEP is
proven anew."""


@cache
def positions(name: str) -> list[Position]:
    files = [file for file in (FILES / f"{name}.jsonl", FILES / f"{name}.more.jsonl") if file.is_file()]
    return list(islice(chain.from_iterable(map(read_positions, files)), NUMBER))


@pytest.mark.parametrize("name", PROVEN + BY_HAND)
def test_rules_of_thumb_go_wrong_no_oftener_than_is_stated(name: str) -> None:
    assert len(wrong_moves(positions(name), player("heuristic"))) <= CASUAL.get(name, 0)


@pytest.mark.parametrize("name", BY_HAND)
def test_a_learned_policy_goes_wrong_in_no_position_by_hand(name: str) -> None:
    assert not wrong_moves(positions(name), player("learned"))


@pytest.mark.parametrize("slug", PROVEN)
def test_a_blunder_is_given_up_whatever_made_it_look_good(slug: str) -> None:
    """What the strongest level does after any thinking, so that it errs at no allowed time."""
    for one in positions(slug)[::STEP]:
        moves = {one.view.game.notation.text(move): move for move in one.view.legal_moves()}
        kept = no_blunder(one.view, moves[min(one.wrong)])
        assert one.view.game.notation.text(kept) not in one.wrong, f"{one}"


@pytest.mark.long
@pytest.mark.parametrize("name", PROVEN + BY_HAND)
def test_the_strongest_level_makes_no_blunder(name: str) -> None:
    """Where that is proven, with no thinking to speak of."""
    wrong = wrong_moves(positions(name), player(STRONGEST, LITTLE if name in BY_HAND else Rollouts(1)))
    assert not wrong, [f"{move}: {position}" for position, move in wrong]


# ------------------------------------------------------------------------------------------------------- the proof


def endgame(seat_0: str, seat_1: str) -> Match:
    """The last two tricks of a deal of Sixty-Six after the stock is gone; seat 1 leads, hearts are trumps."""
    match = Match("sixty-six")
    match.event(match.draw_lots(Random(1)))
    state, pack = match.state, whole_pack(match.setup)
    state.hand[:] = [
        as_set(card for word in hand.split() if (card := cards.read(word)) is not None) for hand in (seat_0, seat_1)
    ]
    state.shown[:], state.won[:] = [0, 0], [as_set(pack) & ~state.hand[0] & ~state.hand[1], 0]
    state.left, state.upcard, state.trump = 0, NO_CARD, 2
    state.stock[:] = [NO_CARD] * len(state.stock)
    state.tricks[:], state.points[:] = [5, 5], [50, 45]
    return match


def proven(match: Match, seat: int) -> dict[str, str]:
    notation = match.game.notation
    return {notation.text(move): notation.text(other) for move, other in blunders(match.view(seat)).items()}


def test_a_card_that_gives_both_tricks_away_is_a_blunder() -> None:
    """Seat 1 has the ace of trumps and a losing ten; a claim would be false."""
    wrong = proven(endgame("Kh Ad", "Ah Td"), 1)
    assert wrong.get("declare") in ("Ah", "Td")
    assert "Ah" not in wrong


def test_where_all_moves_come_to_the_same_none_is_a_blunder() -> None:
    assert {"Ah", "Th"} & proven(endgame("9d 9c", "Ah Th"), 1).keys() == set()


@pytest.mark.skipif("rounds" not in PROVEN, reason="other games are chosen")
def test_what_was_proven_is_proven_again() -> None:
    """In Rounds, in which every card is known in the end."""
    for one in positions("rounds")[::8]:
        found = {one.view.game.notation.text(move) for move in blunders(one.view, nodes=20_000)}
        assert found == {*one.wrong}
