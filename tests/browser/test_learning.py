"""A game is introduced to people once, when they start their first match of it."""

import pytest
from playing_page import PHONE, Person, Server
from playwright.sync_api import Browser, expect

from upcard import games
from upcard.rules import pages

pytestmark = pytest.mark.browser


def test_it_is_told_before_the_first_match_and_not_again(browser: Browser, server: Server) -> None:
    with Person(browser, server, "Ann", tips=True) as ann:
        ann.open("sixty-six", {})
        expect(ann.see("learn").locator("h1")).to_have_text("Sixty-Six in two minutes")
        expect(ann.see("learn").get_by_role("img", name="king of hearts, queen of hearts", exact=True)).to_be_visible()
        expect(ann.see("learn").locator("[data-face=Ah] .card svg").first).to_be_visible()
        ann.shoot("learn-table")
        ann.see("learn-close").click()
        expect(ann.see("learn")).to_have_count(0)
        ann.page.reload()
        expect(ann.see("scene")).to_be_visible()
        expect(ann.see("learn")).to_have_count(0)
        ann.see("open-learn").click()
        expect(ann.see("learn")).to_be_visible()
        assert ann.faults == []


def test_it_stays_away_where_no_tips_are_wanted(browser: Browser, server: Server) -> None:
    with Person(browser, server, "Ann", tips=False) as ann:
        ann.open("sixty-six", {})
        ann.wait()
        expect(ann.see("learn")).to_have_count(0)


def test_on_a_phone_it_is_one_click_away(browser: Browser, server: Server) -> None:
    with Person(browser, server, "Ann", tips=True) as ann:
        ann.resize(PHONE)
        ann.open("sixty-six", {})
        expect(ann.see("learn").locator("[data-face=Th] .card svg")).to_be_visible()
        ann.shoot("learn-phone")
        ann.see("learn-close").click()
        ann.wait()
        ann.see("open-menu").click()
        ann.see("open-learn").click()
        expect(ann.see("learn")).to_be_visible()
        assert ann.faults == []


def test_it_can_be_read_in_the_lobby(browser: Browser, server: Server) -> None:
    with Person(browser, server, "Ann", tips=True) as ann:
        for slug in games.names():
            ann.page.goto(server.url)
            ann.see(f"game-{slug}").click()
            ann.see("open-learn").click()
            written = pages.introduction(games.load(slug))
            assert written
            cards = pages.draw(written, lambda shown: "🂠" * len(shown)).count("🂠")
            expect(ann.see("learn").locator(".card")).to_have_count(cards)
            ann.shoot(f"learn/{slug}")
            ann.see("learn-close").click()
            expect(ann.see("learn")).to_have_count(0)
        assert ann.faults == []
