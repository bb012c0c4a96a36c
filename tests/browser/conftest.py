"""Fixtures for the browser tests. Each module has its own server and browser, since Playwright's event loop must have
ended before other tests start theirs."""

from collections.abc import Iterator

import pytest
from playing_page import FLAGS, Person, Server, find_chromium
from playwright.sync_api import Browser, sync_playwright


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = find_chromium(playwright)
        if chromium is None:
            pytest.skip("no Chromium: install one, or name it in the variable CHROMIUM")
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("tables"))
    yield started
    started.kill()


@pytest.fixture
def ann(browser: Browser, server: Server) -> Iterator[Person]:
    with Person(browser, server, "Ann") as person:
        yield person
        assert person.faults == []


@pytest.fixture
def bo(browser: Browser, server: Server) -> Iterator[Person]:
    with Person(browser, server, "Bo") as person:
        yield person
        assert person.faults == []
