"""Connections that the server closes at once: the page says why, and retries only where that can help."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from recorded import NAMES, counts, scenes
from stand_in import StandIn

from upcard import games
from upcard.server.guard import ANOTHER_SITE, FOREIGN, TOO_MANY
from upcard.server.live import REFUSED
from upcard.table.clients import CLOSED

pytestmark = pytest.mark.browser


@pytest.fixture
def lively(browser: Browser) -> Iterator[StandIn]:
    """A page for a table of Sixty-Six."""
    page = StandIn(browser, (390, 664))
    yield page
    assert page.faults == []
    page.close()


@pytest.fixture
def table(lively: StandIn) -> StandIn:
    """A table at which the page's clock stands still."""
    lively.stop_clock()
    sit(lively)
    return lively


def sit(page: StandIn) -> None:
    """At a table where this person may play a card."""
    game = games.load("sixty-six")
    page.sit(next(scene for _, scene in scenes(game, counts(game)[0]) if scene["offers"]["moves"]), NAMES)


def closed(page: Page, code: int, reason: str, seconds: int) -> bool:
    """The house closes the line; whether the page has opened another after so long."""
    page.evaluate("told => (window.old = line, line.onclose(told))", {"code": code, "reason": reason})
    page.clock.run_for(1000 * seconds)
    return bool(page.evaluate("() => window.old !== window.line"))


def test_where_there_are_too_many_windows_the_page_tries_again_after_a_while(table: StandIn) -> None:
    assert not closed(table.page, REFUSED, TOO_MANY, 5)
    expect(table.page.get_by_test_id("banner")).to_have_text(f"{TOO_MANY}.")
    table.page.clock.run_for(10_000)
    assert table.page.evaluate("() => window.old !== window.line")


def test_who_plays_a_card_while_the_line_is_broken_reads_that_it_will_be_sent(lively: StandIn) -> None:
    sit(lively)
    said, playable = lively.page.get_by_test_id("banner"), lively.page.get_by_label("can be played").first
    expect(playable).to_be_visible()
    lively.page.evaluate("() => (window.WebSocket = class { send() {} close() {} })")  # never opens
    lively.page.evaluate("() => line.onclose({ code: 1006, reason: '' })")
    expect(said).to_contain_text("Connection lost. Reconnecting")
    playable.click()
    expect(said).to_have_text("Connection lost. Your move is sent as soon as it is back…")


def test_a_page_that_is_taken_for_another_sites_does_not_try_again(table: StandIn) -> None:
    assert not closed(table.page, FOREIGN, ANOTHER_SITE, 60)
    table.page.evaluate("() => window.dispatchEvent(new Event('online'))")
    assert table.page.evaluate("() => window.old === window.line")
    expect(table.page.get_by_test_id("banner")).to_have_text(f"{ANOTHER_SITE}.")


def test_whose_seat_has_gone_to_another_device_reads_so_also_where_nobody_may_look_on(table: StandIn) -> None:
    table.answers["tables/gate"]["you"] = None
    said = table.page.get_by_test_id("banner")
    again = closed(table.page, REFUSED, CLOSED, 0)
    expect(said).to_contain_text("no longer yours here")
    for _ in range(60):
        if again:
            break
        table.page.clock.run_for(1000)
        again = table.page.evaluate("() => window.old !== window.line")
    assert again
    closed(table.page, REFUSED, CLOSED, 0)
    expect(said).to_contain_text("no longer yours here")


def test_who_asks_too_often_reads_so(table: StandIn) -> None:
    told = {"error": "Too many requests came from your address: wait a moment", "clause": None}
    table.page.route("**/api/tables/gate", lambda route: route.fulfill(status=429, json=told))
    assert closed(table.page, 1006, "", 1)
    expect(table.page.get_by_test_id("banner")).to_contain_text("wait a moment")
