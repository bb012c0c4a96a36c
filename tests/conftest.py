"""What tests of every game take: the games themselves."""

import pytest
from playing import GAMES

from upcard.rules import Game


@pytest.fixture(params=GAMES, ids=lambda game: game.slug)
def game(request: pytest.FixtureRequest) -> Game:
    """Each game in turn."""
    chosen: Game = request.param
    return chosen
