"""Views: what a seat sees of a state. That it sees no more is a law, checked in test_every_game."""

from random import Random

import pytest
from playing import play_on, random_match

from upcard.rules.game import Game

SEEDS = range(6)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seat_has_the_same_moves_on_its_view_as_on_the_state(game: type[Game], seed: int) -> None:
    match = random_match(game, seed)
    for _ in play_on(match, Random(seed), 250):
        for seat in range(match.players):
            assert match.view(seat).legal() == match.legal(seat)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_view_shows_ones_own_hand_and_only_the_size_of_the_others(game: type[Game], seed: int) -> None:
    match = random_match(game, seed)
    for _ in play_on(match, Random(seed), 150):
        for seat in range(match.players):
            seen = match.view(seat)
            assert seen.hand() == game.hand.cards(match.state, seat)
            for other in range(match.players):
                assert len(seen.hand(other)) == len(game.hand.cards(match.state, other))


def test_somebody_who_only_watches_has_no_moves_and_sees_no_hand(game: type[Game]) -> None:
    match = random_match(game, 1)
    for _ in play_on(match, Random(1), 40):
        seen = match.view(None)
        assert seen.legal() == []
        if game.shown is None:
            assert set(filter(None, (card for seat in range(match.players) for card in seen.hand(seat)))) == set()
