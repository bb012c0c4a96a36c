"""One person on two devices: the link, the question, what comes along, and the device that is removed."""

import re

import pytest
from axe import violations
from playing_page import PHONE, Person
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.long]


def link(ann: Person) -> str:
    """Ann makes a link to her devices in the lobby, whose panel stays open; the link."""
    ann.page.goto(ann.server.url)
    ann.see("my-devices").click()
    ann.see("another-device").click()
    expect(ann.see("device-link")).to_have_value(re.compile("#device="))
    return ann.see("device-link").input_value()


def test_from_the_laptop_to_the_phone_and_away_again(ann: Person, bo: Person) -> None:
    ann.open("sixty-six", {})
    ann.wait()
    table = ann.page.url
    other = ann.context.new_page()  # another window of the laptop
    other.goto(ann.server.url)
    expect(other.get_by_test_id("mine")).to_be_visible()
    with other.expect_websocket(lambda line: "/devices/news" in line.url):
        made = link(ann)
    bo.resize(PHONE)
    bo.page.goto(made)
    expect(bo.see("be-here")).to_contain_text("Be Ann here, too?")
    assert violations(bo.page) == []
    bo.see("be-here-yes").click()
    expect(bo.see("device-news")).to_contain_text("You are Ann here, too.")
    expect(bo.page).not_to_have_url(re.compile("#"))
    expect(bo.see("mine")).to_contain_text("Sixty-Six")
    for page in (ann.page, other):
        expect(page.get_by_test_id("device-news")).to_contain_text("is one of your devices now")
    expect(ann.see("devices-changed")).to_contain_text("is one of your devices now")
    expect(ann.see("device-1")).to_be_visible()
    expect(ann.see("device-link")).to_have_count(0)
    assert violations(ann.page) == []
    bo.page.goto(table)
    bo.wait()
    ann.see("devices").get_by_role("listitem").filter(has_not_text="(this one)").get_by_role("button").click()
    ann.see("remove-yes").click()
    expect(bo.see("device-news")).to_contain_text("was removed from your devices")
    expect(bo.page.locator("[data-testid^=hand-]")).to_have_count(0)
    expect(ann.see("device-1")).to_have_count(0)
    bo.page.goto(bo.server.url)
    expect(bo.see("play-sixty-six").first).to_be_visible()
    expect(bo.see("mine")).to_have_count(0)


@pytest.mark.parametrize("answer", ["bring", "apart", "no"])
def test_what_becomes_of_whom_the_browser_was(ann: Person, bo: Person, answer: str) -> None:
    bo.open("sixty-six", {})
    bo.wait()
    bo.page.goto(link(ann))
    expect(bo.see("earlier")).to_contain_text("Until now you have been Bo in this browser: 1 match in play.")
    bo.see(f"be-here-{answer}").click()
    if answer != "no":
        expect(bo.see("device-news")).to_contain_text("You are Ann here, too.")
    expect(bo.see("play-sixty-six").first).to_be_visible()
    expect(bo.see("mine")).to_have_count(0 if answer == "apart" else 1)
    expect(bo.page).not_to_have_url(re.compile("#"))
    if answer != "no":
        bo.see("my-devices").click()
        expect(bo.see("device-1")).to_be_visible()


def test_a_link_that_was_used_says_so(ann: Person, bo: Person) -> None:
    made = link(ann)
    ann.see("cancel-device-link").click()
    expect(ann.see("another-device")).to_be_visible()
    bo.page.goto(made)
    expect(bo.see("be-here")).to_contain_text("make a new one")
    bo.faults.clear()  # the browser's own line about the answer
    bo.see("be-here-no").click()
    expect(bo.see("play-sixty-six").first).to_be_visible()
    expect(bo.page).not_to_have_url(re.compile("#"))
