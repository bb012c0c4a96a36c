"""What tests of every game take: the games themselves."""

import pytest
from playing import GAMES

from upcard import games
from upcard.rules import Game


@pytest.fixture(params=GAMES, ids=lambda game: game.slug)
def game(request: pytest.FixtureRequest) -> Game:
    """Each game in turn."""
    chosen: Game = request.param
    return chosen


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of one game run in one process, in which what its compiled loops share is compiled once."""
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            for value in item.callspec.params.values():
                slug = value.slug if isinstance(value, Game) else str(value).partition(".")[0]
                if slug in games.SLUGS:
                    item.add_marker(pytest.mark.xdist_group(slug))
