"""Endgames with open cards are solved exactly."""

from random import Random
from typing import Any

import numpy as np
import pytest
from playing import GAMES, play_on, random_match

from upcard import Match, replay
from upcard.compiled.machine import machine_of
from upcard.compiled.solver import find, store, write_key
from upcard.compiled.solver_memory import WON, Workspace
from upcard.players.endgame_solver import NODES, opponent, solved, solved_ends
from upcard.rules import acts
from upcard.rules.game import Game

OPEN_IN_THE_END = ("rounds", "sixty-six")
"""Games of two in which no card stays face down to the end of a deal."""


def worth(setup: Game, state: Any, me: int) -> int:
    """What the deal is worth to `me` by perfect play, found by playing out everything."""
    if state.to_act == 0:
        won = (state.winners >> me & 1) - (state.winners >> (1 - me) & 1)
        return setup.utility(state, me) + (0 if state.awaiting else WON * won)
    seat = 0 if acts(state, 0) else 1
    buffer = [0] * setup.most_moves
    values = []
    for move in buffer[: setup.legal_moves(state, seat, buffer)]:
        after = state.copy()
        setup.apply(after, seat, move)
        values.append(worth(setup, after, me))
    return max(values) if seat == me else min(values)


@pytest.mark.long
@pytest.mark.parametrize("game", [game for game in GAMES if game.slug in OPEN_IN_THE_END], ids=lambda game: game.slug)
def test_the_move_found_is_worth_as_much_as_any(game: type[Game]) -> None:
    tried = 0
    for seed in range(40):
        match, rng = random_match(game, seed), Random(seed)
        if match.players != 2:
            continue
        for _ in play_on(match, rng, 150):
            for seat in match.to_act:
                seen = match.view(seat)
                moves = seen.legal_moves()
                if sum(seen.sizes) > 6 or len(moves) < 2:
                    continue
                found = solved(seen, moves, rng)
                if found is None:
                    continue
                values = {}
                for move in moves:
                    after = match.state.copy()
                    match.setup.apply(after, seat, move)
                    values[move] = worth(match.setup, after, seat)
                ends = solved_ends(seen, moves, rng)
                assert ends is not None
                assert [utility + WON * round(won) for utility, won in ends] == [*values.values()]
                assert values[found] == max(values.values())
                assert found == next(move for move in moves if values[move] == values[found])
                tried += 1
        if tried > 100:
            break
    assert tried > 20


NINE_CARDS = (
    "deal Qs 8s Tc 9h Td 5c 3h Kc Qc 2c 7h 9d As Qh Ah 3d Kh 3c Ts Th Ac 6h 4d Jc 7s 5h 5s 6s 7c 2d 4h Ad "
    "9s 8d 8c 8h Jd 2s Qd Kd 2h 9c Js 6c 5d 4s Jh 7d 4c Ks 6d 3s; 1 Td; 0 8s; 1 Tc; 0 2c; 1 7h; 0 9h; 0 "
    "5c; 1 Qc; 1 3h; 0 Qh; 1 Jc; 0 Kc; 0 9d; 1 6s; 0 4d; 1 5h; 0 7c; 1 6h; 0 7s; 1 Qs; 1 Ah; 0 8h; 1 Kh; "
    "0 2s; 0 Kd; 1 Jd; 0 8d; 1 Qd; 1 Th; 0 5s "
)
"""A game of Rounds up to the first lead of the fourth round: nine cards in each hand, and no others left."""


def nine_cards() -> Match[Any]:
    events = [event.strip() for event in NINE_CARDS.split(";")]
    return replay({"upcard": 1, "game": "rounds", "players": 2, "dealer": 0, "options": {}, "events": events})


@pytest.mark.long
@pytest.mark.xdist_group("rounds")
def test_hands_of_nine_cards_are_solved() -> None:
    """The best lead and the difference from the others, both found independently by a search without a table."""
    seen = nine_cards().view(1)
    moves, rng = seen.legal_moves(), Random(1)
    ends = solved_ends(seen, moves, rng)
    assert ends is not None
    best = solved(seen, moves, rng)
    assert best is not None
    assert seen.game.notation.text(best) == "Ks"
    lead = {seen.game.notation.text(move): utility for move, (utility, _) in zip(moves, ends, strict=True)}
    assert lead["Ks"] - lead["8c"] == 2 * 20  # 58 to 42 points, and 38 to 62
    assert solved(seen, moves, rng, nodes=NODES // 1000) is None


def late_games(number: int) -> list[tuple[Match[Any], Random]]:
    """Games of Rounds after the last deal."""
    games = []
    for seed in range(number):
        match, rng = Match("rounds", chance=Random(seed)), Random(seed)
        while match.state.left or match.state.round < 4:
            match.play(match.to_act[0], rng.choice(match.legal(match.to_act[0])))
        games.append((match, rng))
    return games


def test_in_the_last_two_rounds_of_rounds_all_cards_are_known() -> None:
    """Whatever is known of a hand besides: cards kept from an earlier round, suits that it lacks."""
    for match, rng in late_games(20):
        while match.state.deals == 1 and not match.done:
            seat = match.to_act[0]
            seen = match.view(seat)
            assert opponent(seen) == (1 - seat if seen.sizes[1 - seat] else None)
            match.play(seat, rng.choice(seen.legal()))


def test_a_condensed_state_is_played_on_in_the_same_way() -> None:
    for match, rng in late_games(20):
        setup, other = match.setup, match.state.copy()
        buffer = [0] * setup.most_moves
        while match.state.deals == 1 and not match.done:
            setup.condense(other)
            seat = match.to_act[0]
            assert other.to_act == match.state.to_act
            assert buffer[: setup.legal_moves(other, seat, buffer)] == match.legal_moves(seat)
            move = rng.choice(match.legal_moves(seat))
            setup.apply(other, seat, move)
            match.play(seat, match.game.notation.text(move))
        assert (other.winners, other.scores[:]) == (match.state.winners, match.state.scores[:])


def test_positions_with_the_same_hash_are_not_confused() -> None:
    """The table returns what it has of a position only for the position itself."""
    space = Workspace(machine_of(Match("rounds").game), nine_cards().state)
    words, slots = space.words.numpy, space.slots.numpy
    levels, memory = space.levels.numpy.view(np.recarray), space.memory.numpy.view(np.recarray)[0]
    entries = space.entries.numpy.view(np.recarray)
    one, other = levels[1], levels[2]
    with np.errstate(over="ignore"):
        words[1:3] = words[0]
        words[1, 7] += 1
        assert write_key(words, 1, one, memory)
        words[2, 7] += 2
        assert write_key(words, 2, other, memory)
    other.hash = one.hash
    one.floor, one.ceiling, one.best, one.move = -5, 5, 3, 17
    store(one, memory, entries, slots)
    number = find(one, memory, entries, slots)
    assert (entries[number].low, entries[number].high, entries[number].move) == (3, 3, 17)
    assert find(other, memory, entries, slots) == 0
    other.floor, other.ceiling, other.best, other.move = -5, 5, 4, 18
    store(other, memory, entries, slots)
    assert find(one, memory, entries, slots) == 0
    assert entries[find(other, memory, entries, slots)].move == 18
