"""Fixtures for the tests that run on every game; which tests are quick, and what each test costs."""

import os
from collections.abc import Iterator

import catalogs
import pytest
from playing import GAMES

import upcard.compiled  # noqa: F401  before any test imports numba
from upcard import games
from upcard.rules.game import Game

SAMPLE = "sixty-six"
"""The game whose compiled loops the quick checks try: they are all that computer players have."""

COMPILED = {
    "envs", "lab", "test_advice", "test_beliefs", "test_browser_house", "test_endgame", "test_hands", "test_inference",
    "test_mining", "test_open_hands", "test_players", "test_policy", "test_positions", "test_signature",
    "test_simulate", "test_wasm",
}  # fmt: skip
"""Folders and modules whose tests call compiled loops of the games that they are given. Compiling takes most of their
time, so the quick checks run those of `SAMPLE` only."""
BEGAN = pytest.StashKey[float]()
"""The processor time when a test began."""


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
        shared = what_is_shared(item) if isinstance(item, pytest.Function) else ""
        if shared:
            item.add_marker(pytest.mark.xdist_group(shared))
        if is_quick(item, shared):
            item.add_marker(pytest.mark.quick)
        if item.get_closest_marker("browser"):  # a race in a test; the summary names each test that was tried again
            item.add_marker(pytest.mark.flaky(reruns=1))
            # Its process ends with it: a second try would hang as well, and pytest-timeout does not measure that.
            item.add_marker(pytest.mark.timeout(600, method="thread"))
    items.sort(key=turn)


def is_quick(test: pytest.Item, shared: str) -> bool:
    """Whether a test belongs to the quick checks, given what it shares with others."""
    if test.get_closest_marker("long"):
        return False
    return shared not in games.SLUGS or shared == SAMPLE or not COMPILED & {test.path.stem, *test.path.parts}


def pytest_collection_finish(session: pytest.Session) -> None:
    """Without the groups all would pass, at twice the time: pytest-xdist puts them into the names of the tests."""
    if session.config.getoption("loadgroup", False):
        apart = [
            item.nodeid for item in session.items if item.get_closest_marker("xdist_group") and "@" not in item.nodeid
        ]
        assert not apart, (
            f"pytest-xdist keeps no group together, as of {apart[0]}: try another version of it or of pytest"
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    item.stash[BEGAN] = processor_time()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """The file for JUnit names the seconds of processor time of each test, which `tests/costs.py` adds up."""
    try:
        return (yield)
    finally:
        item.user_properties.append(("processor", f"{processor_time() - item.stash[BEGAN]:.3f}"))


def processor_time() -> float:
    """Of this process and of those of its children that have ended."""
    return sum(os.times()[:4])


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
