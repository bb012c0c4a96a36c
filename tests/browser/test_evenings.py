"""An evening in a room: come in by its link, play, turn the seats, keep the score, pass the host on."""

import re

import pytest
from axe import violations
from playing_page import PHONE, Person, Server
from playwright.sync_api import Browser, expect

pytestmark = [pytest.mark.browser, pytest.mark.long]


def open_room(ann: Person) -> str:
    """Ann opens a room from the lobby; its link."""
    ann.page.goto(ann.server.url)
    ann.see("open-room").click()
    return ann.see("room-link").input_value()


def come_in(person: Person, link: str, name: str) -> None:
    person.page.goto(link)
    person.see("name").fill(name)
    person.see("join").click()
    expect(person.see("room-people")).to_contain_text(name)


def test_an_evening_of_two_matches_with_a_score_and_turned_seats(ann: Person, bo: Person) -> None:
    link = open_room(ann)
    expect(ann.page).to_have_url(link)  # the address in the bar is the invitation
    come_in(bo, link, "Bo")
    expect(ann.see("member-2")).to_contain_text("Bo")
    ann.see("next-game").select_option("sixty-six")
    expect(ann.see("next-seat-1")).to_have_value("member 2")
    ann.see("open-next").click()
    expect(bo.see("now")).to_contain_text("Sixty-Six")
    bo.see("sit").click()
    for person in (ann, bo):
        expect(person.page.locator("[data-testid^=hand-]")).to_have_count(6)
    expect(bo.page).to_have_url(re.compile("#invite="))
    ann.see("open-people").click()
    expect(ann.see("room-panel")).to_contain_text("Bo")
    expect(ann.see("member-2")).to_contain_text("at the table")
    expect(ann.see("room-link")).to_have_value(link)
    ann.see("concede").click()
    ann.see("question-yes").click()
    bo.see("room-next").get_by_test_id("to-room").click()
    expect(bo.see("score-2")).to_have_text(re.compile("1 of 1 won"))
    expect(bo.see("room-results")).to_contain_text("Sixty-Six: Bo won")
    expect(bo.see("next-seat-0")).to_have_value("member 2")
    bo.see("next-game").select_option("rounds")
    bo.see("open-next").click()
    ann.see("come-along").click()
    for person in (ann, bo):
        expect(person.page.locator("[data-testid^=hand-]")).to_have_count(9)
        expect(person.page).to_have_title(re.compile("Rounds"))


def test_whoever_comes_late_and_without_the_link(ann: Person, bo: Person, browser: Browser, server: Server) -> None:
    link = open_room(ann)
    bo.page.goto(link.partition("#")[0])
    expect(bo.see("no-link")).to_be_visible()
    ann.see("next-game").select_option("sixty-six")
    ann.see("next-seat-1").select_option("open")
    ann.see("clock").select_option("1")
    ann.see("open-next").click()
    expect(ann.see("waiting")).to_be_visible()
    come_in(bo, link, "Bo")
    expect(bo.see("clock-words")).to_contain_text("15 seconds for each move, and 2 minutes for the whole match")
    bo.see("sit").click()
    expect(bo.page.locator("[data-testid^=hand-]")).to_have_count(6)
    with Person(browser, server, "Cy") as cy:
        come_in(cy, link, "Cy")
        cy.see("watch-table").click()
        expect(cy.see("scene")).to_be_visible()
        bo.see("open-people").click()
        expect(bo.see("member-3")).to_contain_text("watching")
        assert cy.faults == []


def test_the_host_is_seen_passed_on_and_removes(ann: Person, bo: Person) -> None:
    link = open_room(ann)
    come_in(bo, link, "Bo")
    expect(bo.see("member-1")).to_contain_text("host")
    expect(bo.see("renew-room")).to_have_count(0)
    ann.see("pass-on-2").click()
    expect(bo.see("room-remarks")).to_contain_text("Ann made Bo the host.")
    bo.see("expel-1").click()
    bo.see("question-yes").click()
    expect(ann.see("removed")).to_be_visible()
    expect(ann.page).not_to_have_url(re.compile("#"))
    ann.page.goto("about:blank")
    ann.page.goto(link)
    ann.see("join").click()
    expect(ann.see("room-trouble")).to_contain_text("no longer valid")
    ann.faults.clear()  # the browser's own line about the answer
    expect(bo.page).not_to_have_url(link)
    bo.until(lambda: bo.see("room-link").input_value() == bo.page.url)


def test_a_room_fits_a_phone_and_can_be_read_aloud(browser: Browser, server: Server) -> None:
    name = "W" * 30
    with Person(browser, server, name) as long, Person(browser, server, "Bo") as bo:
        long.resize(PHONE)
        link = open_room(long)
        come_in(bo, link, "Bo")
        expect(long.see("member-2")).to_be_visible()
        expect(long.see("open-next")).to_be_visible()
        long.page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
        assert violations(long.page) == []
        assert long.faults == bo.faults == []


def test_a_friend_who_comes_ten_minutes_late_sits_down_for_the_computer(ann: Person, bo: Person) -> None:
    ann.open("oh-hell", {})
    ann.wait()
    ann.see("open-people").click()
    link = ann.see("invitation").input_value()
    ann.see("offer-1").click()
    expect(ann.see("fill-1")).to_be_visible()
    bo.page.goto(link)
    bo.see("open-people").click()
    bo.see("sit").click()
    expect(bo.page.locator("[data-testid^=hand-]").first).to_be_visible()
    expect(ann.see("people")).to_contain_text("Bo")
    expect(ann.see("fill-1")).to_have_count(0)
