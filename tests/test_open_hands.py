"""Players who search the last cards do so with points of any size."""

from random import Random
from typing import Any

import pytest
from playing import random_event

from upcard import Match, Setup, games
from upcard.engine.mistakes import reconsidered

TIMES = 1_000_000
POINTS = {
    "sixty-six": "value last_trick marriage royal enough schneider",
    "schnapsen": "value last_trick marriage royal enough schneider",
    "rounds": "value prize_value won_round",
    "klaberjass": "value trump_value twenty fifty bela_points last_trick",
}
LAST = 4
"""The largest hand that all of them search to its end."""


def with_large_points(slug: str) -> Any:
    """The game with all its points multiplied."""
    game, usual = games.load(slug), Setup(slug)
    numbers: dict[str, Any] = {}
    for name in POINTS[slug].split():
        value = usual.setting(name)
        numbers[name] = [TIMES * one for one in value] if isinstance(value, tuple) else TIMES * value
    return Setup(game.variant("large-points", numbers=numbers))


@pytest.mark.parametrize("slug", POINTS)
def test_a_search_of_the_last_cards_counts_points_of_any_size(slug: str) -> None:
    usual, large, reconsidered_moves = Setup(slug), with_large_points(slug), 0
    for seed in range(10):
        match, other, rng = Match(usual), Match(large), Random(seed)
        while not match.events or match.to_act:
            event = random_event(match, rng)
            match.event(event)
            other.event(event)
            for seat in match.to_act:
                if match.state.hand[seat].bit_count() <= LAST:
                    moves, best = match.legal_moves(seat), best_moves(match, seat)
                    assert best_moves(other, seat) == best
                    reconsidered_moves += best != moves
    assert reconsidered_moves > 3


def best_moves(match: Match, seat: int) -> list[int]:
    """For each move of a seat, the one that it makes if it intends that."""
    moves, state = match.legal_moves(seat), match.view(seat).state
    return [reconsidered(match.setup, state, seat, moves, move, 0) for move in moves]
