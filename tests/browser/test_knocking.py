"""Removing, blocking, knocking, a new invitation link, a link to a seat that moves it only by a click."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe import violations
from playing_page import Person, Server, to_people
from playwright.sync_api import Browser, ViewportSize, expect

from upcard.server.admin import close, export
from upcard.server.storage import url_of

pytestmark = [pytest.mark.browser, pytest.mark.long]

SMALL: ViewportSize = {"width": 390, "height": 664}
DESK: ViewportSize = {"width": 1280, "height": 720}
SIZES = pytest.mark.parametrize("size", [DESK, SMALL], ids=["desk", "phone"])


@pytest.fixture
def cy(browser: Browser, server: Server) -> Iterator[Person]:
    with Person(browser, server, "Cy") as person:
        yield person
        assert person.faults == []


def sit_together(ann: Person, bo: Person) -> str:
    """The invitation by which Bo came to the table of Ann."""
    ann.open("sixty-six", {"target": 1}, open_seat=1)
    link = ann.see("link").input_value()
    bo.page.goto(link)
    bo.see("sit").click()
    for person in (ann, bo):
        expect(person.page.locator("[data-testid^=hand-]")).to_have_count(6)
    return link


def close_panel(person: Person) -> None:
    """On a phone the panel of the people, which is open, covers the table."""
    expect(person.see("people")).to_be_visible()
    dialog = person.page.locator("dialog.sheet")
    if dialog.count():
        dialog.get_by_role("button", name="Close", exact=True).click()


def hears(person: Person, type: str, holds: Callable[[dict[str, Any]], bool]) -> bool:
    """Whether the latest message of this type that the table sent holds this."""
    latest = [message for message in person.heard if message["type"] == type][-1:]
    return any(map(holds, latest))


def fits(person: Person) -> None:
    person.page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_address_in_the_bar_is_the_invitation_of_the_day_where_the_host_allows_it(ann: Person, bo: Person) -> None:
    link = sit_together(ann, bo)
    for person in (ann, bo):
        expect(person.page).to_have_url(link)
    to_people(ann)
    ann.see("renew").click()
    expect(ann.see("invitation")).not_to_have_value(link)
    renewed = ann.see("invitation").input_value()
    for person in (ann, bo):
        expect(person.page).to_have_url(renewed)
    ann.see("invite-in-address").uncheck()
    for person in (ann, bo):
        expect(person.page).to_have_url(re.compile(rf"/t/{ann.table}$"))
    ann.see("invite-in-address").check()
    expect(bo.page).to_have_url(renewed)
    ann.see("remove-1").click()
    ann.see("remove-and-block").click()
    expect(bo.page).to_have_url(re.compile(rf"/t/{ann.table}$"))
    expect(ann.page).not_to_have_url(renewed)
    expect(ann.page).to_have_url(re.compile("#invite="))


@SIZES
def test_who_is_removed_and_blocked_comes_back_neither_by_a_reload_nor_in_a_private_window(
    ann: Person, bo: Person, cy: Person, size: ViewportSize
) -> None:
    for person in (ann, bo, cy):
        person.resize(size)
    link = sit_together(ann, bo)
    to_people(ann)
    ann.see("remove-1").click()
    ann.shoot(f"removal-{size['width']}")
    assert violations(ann.page) == []
    ann.see("remove-and-block").click()
    expect(ann.see("removal")).to_have_count(0)
    expect(ann.see("log").or_(ann.see("remarks"))).to_contain_text("Bo is removed")
    bo.page.goto(link)
    bo.page.reload()
    to_people(bo)
    expect(bo.see("people")).to_contain_text("Ann")
    expect(bo.see("sit")).to_have_count(0)
    cy.page.goto(link)
    to_people(cy)
    cy.see("sit").click()
    expect(cy.see("people")).to_contain_text("This invitation link is no longer valid")
    cy.faults.clear()  # the browser's own line about the answer
    expect(ann.see("invitation")).not_to_have_value(link)
    renewed = ann.see("invitation").input_value()
    ann.shoot(f"removed-{size['width']}")
    cy.page.goto(ann.server.url)
    cy.page.goto(renewed)
    to_people(cy)
    expect(cy.see("sit")).to_have_text("Ask to sit down")
    cy.see("sit").click()
    close_panel(cy)
    expect(cy.see("knocking")).to_contain_text("You have asked to sit down. Ann has to let you in.")
    cy.shoot(f"knocking-{size['width']}")
    fits(cy)
    close_panel(ann)
    expect(ann.see("knock")).to_contain_text("Cy would like to sit down.")
    ann.shoot(f"knock-{size['width']}")
    fits(ann)
    assert violations(ann.page) == []
    ann.see("decline").press("Enter")
    expect(ann.see("knock")).to_have_count(0)
    expect(cy.see("declined")).to_contain_text(re.compile(r"Ann has not let you in\..*again in \d+ s"))
    cy.shoot(f"declined-{size['width']}")


@SIZES
def test_who_is_removed_only_asks_and_may_be_let_in_again(ann: Person, bo: Person, size: ViewportSize) -> None:
    for person in (ann, bo):
        person.resize(size)
    link = sit_together(ann, bo)
    to_people(ann)
    ann.see("remove-1").press("Enter")
    ann.see("remove-only").press("Enter")
    expect(ann.see("invitation")).not_to_have_value(link)
    renewed = ann.see("invitation").input_value()
    ann.page.wait_for_function("() => Boolean(document.activeElement?.closest('[data-testid=people]'))")
    close_panel(ann)
    bo.page.goto(ann.server.url)
    bo.page.goto(renewed)
    to_people(bo)
    bo.see("sit").click()
    close_panel(bo)
    ann.see("let-in").click()
    expect(ann.see("remarks")).to_contain_text("Bo is let in and sits down")  # which stands for some seconds
    expect(bo.page.locator("[data-testid^=hand-]").first).to_be_visible()
    expect(bo.see("knocking")).to_have_count(0)


def test_a_newcomer_learns_the_answer_where_watchers_are_shut_out(ann: Person, bo: Person, cy: Person) -> None:
    sit_together(ann, bo)
    to_people(ann)
    ann.see("watchers").uncheck()
    ann.see("knock-first").check()
    bo.see("open-people").click()
    bo.see("leave").click()
    bo.see("question-yes").click()
    cy.page.goto(ann.see("invitation").input_value())
    cy.see("open-people").click()
    cy.see("sit").click()
    expect(cy.see("knocking")).to_contain_text("Ann has to let you in")
    expect(cy.see("prompt")).to_have_count(0)
    cy.shoot("knocking-shut-out")
    ann.see("let-in").click()
    expect(cy.page.locator("[data-testid^=hand-]").first).to_be_visible()


def test_who_waits_is_told_that_the_seat_is_taken(ann: Person, bo: Person, cy: Person) -> None:
    sit_together(ann, bo)
    to_people(ann)
    ann.see("knock-first").check()
    bo.see("open-people").click()
    bo.see("leave").click()
    bo.see("question-yes").click()
    cy.page.goto(ann.see("invitation").input_value())
    cy.see("open-people").click()
    cy.see("sit").click()
    expect(cy.see("knocking")).to_be_visible()
    expect(bo.see("sit")).to_have_text("Sit down")
    bo.see("sit").click()
    expect(cy.see("banner")).to_contain_text("all are taken")
    expect(cy.see("knocking")).to_have_count(0)
    expect(ann.see("knock")).to_have_count(0)


def test_before_play_begins_a_newcomer_asks_too(ann: Person, bo: Person) -> None:
    ann.open("sixty-six", {}, open_seat=1)
    ann.see("knock-first").check()
    old = ann.see("link").input_value()
    ann.see("renew").click()
    expect(ann.see("link")).not_to_have_value(old)
    bo.page.goto(ann.see("link").input_value())
    bo.see("sit").click()
    expect(bo.see("knocking")).to_contain_text("Ann has to let you in")
    bo.shoot("knocking-before")
    expect(ann.see("knock")).to_contain_text("Bo would like to sit down")
    ann.shoot("knock-before")
    bo.see("withdraw").click()
    expect(ann.see("knock")).to_have_count(0)
    bo.see("sit").click()
    ann.see("let-in").click()
    for person in (ann, bo):
        expect(person.page.locator("[data-testid^=hand-]")).to_have_count(6)


def test_who_waits_for_a_host_who_is_away_is_told(ann: Person, bo: Person, cy: Person) -> None:
    sit_together(ann, bo)
    to_people(ann)
    ann.see("knock-first").check()
    bo.see("open-people").click()
    bo.see("leave").click()
    bo.see("question-yes").click()
    bo.until(lambda: hears(bo, "table", lambda message: message["table"]["settings"]["knock"]))
    bo.until(lambda: hears(bo, "welcome", lambda message: message["table"]["you"] is None))
    link = ann.see("invitation").input_value()
    ann.page.close()
    bo.until(lambda: hears(bo, "people", lambda message: not message["here"][0]))
    cy.page.goto(link)
    cy.see("open-people").click()
    cy.see("sit").click()
    expect(cy.see("knocking")).to_contain_text("Ann, who can let you in, is away: you wait until they are back.")


@SIZES
def test_opening_a_link_to_a_seat_moves_nothing(ann: Person, bo: Person, size: ViewportSize) -> None:
    for person in (ann, bo):
        person.resize(size)
    ann.open("sixty-six", {})
    hand = ann.scenes[ann.wait()["seq"]].hand
    to_people(ann)
    ann.see("move-seat").click()
    link = ann.see("seat-link").input_value()
    bo.page.goto(link)
    expect(bo.see("move-here")).to_contain_text("Move the seat of Ann at this table to this device?")
    expect(bo.see("move-here")).to_contain_text("The device that has the seat now gives it up")
    bo.shoot(f"move-here-{size['width']}")
    assert violations(bo.page) == []
    bo.page.wait_for_timeout(500)
    expect(ann.page.locator("[data-testid^=hand-]")).to_have_count(len(hand))
    bo.see("move-here-no").click()
    expect(bo.see("prompt")).to_be_visible()
    expect(ann.page.locator("[data-testid^=hand-]")).to_have_count(len(hand))
    expect(bo.page).not_to_have_url(re.compile("#"))
    bo.page.goto(link)
    bo.see("move-here-yes").press("Enter")
    expect(bo.page).to_have_url(re.compile("#invite="))  # never the secret of the seat
    expect(bo.page.locator("[data-testid^=hand-]")).to_have_count(len(hand))
    expect(ann.see("banner")).to_contain_text("no longer yours here")


def test_after_a_no_a_proposal_comes_back_by_itself(ann: Person, bo: Person) -> None:
    sit_together(ann, bo)
    ann.see("open-people").click()
    ann.see("abandon").click()
    ann.see("question-yes").click()
    bo.see("disagree").click()
    expect(ann.see("remarks")).to_have_text("Bo says no.")
    expect(ann.see("abandon")).to_have_count(0)
    expect(ann.see("cooling")).to_contain_text(re.compile(r"again in \d\d s"))
    expect(ann.see("concede")).to_be_visible()
    ann.shoot("cooling")


def test_that_the_house_closed_a_table_is_read_there(ann: Person, bo: Person) -> None:
    sit_together(ann, bo)
    close(url_of(ann.server.folder), ann.table)
    for person in (ann, bo):
        expect(person.see("remarks")).to_contain_text("The house closes this table")
    for person in (ann, bo):
        expect(person.see("match-end")).to_contain_text("The house closed this table")
    bo.page.reload()
    expect(bo.see("match-end")).to_contain_text("The house closed this table")


@SIZES
def test_a_record_that_somebody_brought_is_marked(ann: Person, tmp_path: Path, size: ViewportSize) -> None:
    words = "A record that somebody brought, not a match played here"
    ann.resize(size)
    ann.open("sixty-six", {"target": 1})
    seq = ann.wait()["seq"]
    ann.act(ann.moves(seq)[0])
    ann.wait()
    record = export(url_of(ann.server.folder), ann.table)
    assert "brought" not in json.loads(record)["about"]
    file = tmp_path / "record.json"
    file.write_text(record)
    ann.page.goto(ann.server.url)
    ann.see("bring").set_input_files(file)
    expect(ann.see("brought")).to_have_text(words)
    expect(ann.page).to_have_title(re.compile(words))
    ann.shoot(f"brought-replay-{size['width']}")
    assert violations(ann.page) == []
    fits(ann)
    brought = ann.page.url.split("/replay")[0]
    ann.page.goto(brought)
    expect(ann.see("brought")).to_have_text(words)
    expect(ann.see("end-brought")).to_contain_text(words)
    expect(ann.see("match-end")).not_to_contain_text("house")
    ann.shoot(f"brought-table-{size['width']}")
    assert violations(ann.page) == []
    ann.see("match-end").get_by_test_id("continue").click()
    if size == DESK:
        ann.see("open-scores").click()
        expect(ann.see("scores").first).to_contain_text(words)
    fits(ann)
