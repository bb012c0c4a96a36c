"""Views: what a seat sees of a state. That it sees no more is a law, checked in test_every_game."""

from random import Random

import pytest
from playing import play_on, random_match

from upcard.engine.views import seen_state
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


def test_seats_share_the_state_before_a_deal_only_if_it_hides_nothing(game: type[Game]) -> None:
    match, shared = random_match(game, 1), 0
    for _ in play_on(match, Random(1), 250):
        if match._begun is not None:
            for seat in [None, *range(match.players)]:
                begun = match.view(seat).begun
                assert begun == seen_state(match.setup, match._begun, seat)
                shared += begun is match._begun
    assert shared
