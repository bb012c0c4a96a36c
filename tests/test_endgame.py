"""Endgames with open cards are solved exactly."""

from random import Random
from typing import Any

import pytest
from playing import GAMES, play_on, random_match

from upcard.compiled.solver import WON
from upcard.players.endgame_solver import solved
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
                assert values[found] == max(values.values())
                assert found == next(move for move in moves if values[move] == values[found])
                tried += 1
        if tried > 100:
            break
    assert tried > 20
