"""Fixtures for the tests that run on every game."""

import catalogs
import pytest
from playing import GAMES

import upcard.compiled  # noqa: F401  before any test imports numba
from upcard import games
from upcard.rules.game import Game


@pytest.fixture(params=GAMES, ids=lambda game: game.slug)
def game(request: pytest.FixtureRequest) -> type[Game]:
    """Each game in turn."""
    chosen: type[Game] = request.param
    return chosen


def pytest_configure(config: pytest.Config) -> None:
    """Programs read translations in the form that is made when Upcard is installed."""
    if not hasattr(config, "workerinput"):  # once, in the process that starts the others
        catalogs.compile_stale()


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need the same run in one process: a browser, a PostgreSQL, the compiled loops of one game."""
    for item in items:
        if isinstance(item, pytest.Function) and (shared := what_is_shared(item)):
            item.add_marker(pytest.mark.xdist_group(shared))
        if item.get_closest_marker("browser"):  # a race in a test; the summary names each test that was tried again
            item.add_marker(pytest.mark.flaky(reruns=1))
            # Its process ends with it: a second try would hang as well, and pytest-timeout does not measure that.
            item.add_marker(pytest.mark.timeout(600, method="thread"))
    items.sort(key=turn)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Without the groups all would pass, at twice the time: pytest-xdist puts them into the names of the tests."""
    if session.config.getoption("loadgroup", False):
        apart = [
            item.nodeid for item in session.items if item.get_closest_marker("xdist_group") and "@" not in item.nodeid
        ]
        assert not apart, (
            f"pytest-xdist keeps no group together, as of {apart[0]}: try another version of it or of pytest"
        )


def turn(test: pytest.Item) -> tuple[bool, bool, bool]:
    """When a test begins: groups before single tests and long ones before others, so that in the end no process waits
    for one that has just begun; the browser after the games, whose loops its servers then find compiled."""
    single, quick = (test.get_closest_marker(name) is None for name in ("xdist_group", "long"))
    return single, quick, test.get_closest_marker("browser") is not None


def what_is_shared(test: pytest.Function) -> str:
    """A name for what a test has in common with others that takes long to make; nothing if it needs nothing such."""
    if test.get_closest_marker("browser"):
        return test.path.name
    if "postgres_server" in test.fixturenames:
        return "postgres"
    values = test.callspec.params.values() if hasattr(test, "callspec") else ()
    return next((slug for slug in map(slug_in, values) if slug in games.SLUGS), "")


def slug_in(value: object) -> str:
    """The slug of a game, or what stands before the first point of a text."""
    return value.slug if isinstance(value, type) and issubclass(value, Game) else str(value).partition(".")[0]
