"""People's actions at a table besides moves: undoing, leaving, coming back, agreeing, one rematch for all."""

import json
import re
import time
from functools import partial

import pytest
from playing_page import DESKTOP, PHONE, Person, Server, to_people
from playwright.sync_api import Browser, ViewportSize, expect
from recorded import NAMES, scenes
from stand_in import StandIn, table_of

from upcard import games
from upcard.server.admin import close
from upcard.server.storage import url_of

pytestmark = [pytest.mark.browser, pytest.mark.long]


WITHIN = "() => document.querySelector('[data-testid=prompt] > span').getBoundingClientRect().right <= innerWidth"


def sit_together(ann: Person, bo: Person) -> None:
    ann.open("sixty-six", {"target": 1}, open_seat=1)
    bo.page.goto(ann.see("link").input_value())
    bo.see("sit").click()
    for person in (ann, bo):
        expect(person.page.locator("[data-testid^=hand-]")).to_have_count(6)


def move_on_together(ann: Person, bo: Person, table: str) -> None:
    """Both come from this table to one and the same other, and hold their cards there.

    The hands alone do not show it: each has six cards at the old table too.
    """
    expect(ann.page).not_to_have_url(re.compile(table))
    expect(bo.page).to_have_url(re.compile(rf"/t/{ann.table}(#.*)?$"))
    for person in (ann, bo):
        person.until(partial(welcomed, person, ann.table))
        expect(person.page.locator("[data-testid^=hand-]")).to_have_count(6)


def welcomed(person: Person, table: str) -> bool:
    return any(message["type"] == "welcome" and message["table"]["id"] == table for message in person.heard)


def test_one_click_sits_somebody_down_who_has_said_no_name(browser: Browser, server: Server) -> None:
    with Person(browser, server, "") as guest:
        guest.page.goto(server.url)
        guest.see("play-sixty-six").click()
        guest.act(guest.moves(guest.wait()["seq"])[0])
        guest.wait()
        expect(guest.page.get_by_text("Guest").first).to_be_visible()
        assert guest.faults == []


def test_what_the_house_keeps_and_whose_art_it_is_can_be_read(browser: Browser, server: Server) -> None:
    with Person(browser, server, "Ann") as ann:
        ann.page.goto(server.url)
        ann.see("privacy").click()
        expect(ann.page.get_by_role("dialog", name="Privacy")).to_contain_text("How long")
        assert "SIL OPEN FONT LICENSE" in ann.page.request.get(f"{server.url}/credits.txt").text()
        assert ann.faults == []


def test_alone_with_computer_players_a_move_is_taken_back(ann: Person) -> None:
    ann.open("rounds", {})
    before = ann.wait()["seq"]
    expect(ann.see("ask-hint")).to_be_visible()
    expect(ann.see("undo")).to_have_count(0)
    hand = ann.scenes[before].hand
    ann.act(ann.moves(before)[0])
    expect(ann.page.locator("[data-testid^=hand-]")).to_have_count(len(hand) - 1)
    ann.wait()
    ann.see("undo").click()
    expect(ann.page.locator("[data-testid^=hand-]")).to_have_count(len(hand))
    assert ann.scenes[ann.wait()["seq"]].hand == hand


APART = """() => {
    const box = (node) => node.getBoundingClientRect(), remarks = box(document.querySelector("[data-testid=remarks]"));
    const beside = (one) => one.right <= remarks.left || one.left >= remarks.right;
    const apart = (one) => beside(one) || one.bottom <= remarks.top || one.top >= remarks.bottom;
    return remarks.width > 0 && [...document.querySelectorAll("[data-anchor^=seat-]")].map(box).every(apart);
}"""
"""Whether remarks stand on the table and cover nobody's plate."""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_who_leaves_does_not_hold_up_the_other(ann: Person, bo: Person, size: ViewportSize) -> None:
    ann.resize(size)
    sit_together(ann, bo)
    bo.see("open-people").click()
    bo.see("leave").click()
    bo.see("question-yes").click()
    expect(ann.see("remarks")).to_have_text(re.compile(r"^Bo leaves; \w+ takes over\.$"))
    ann.page.wait_for_function(APART)
    for _ in range(2):
        ann.act(ann.moves(ann.wait()["seq"])[0])
    ann.wait()


def leave_it_to(bo: Person, ann: Person) -> None:
    """Ann and Bo, in the seats 0 and 1, move until it is his turn and there has been a move."""
    first = None
    while True:
        expect(ann.see("scene")).to_have_attribute("data-to-act", re.compile("[01]"))
        seq, seat = (ann.see("scene").get_attribute(name) or "" for name in ("data-seq", "data-to-act"))
        first = first or seq
        if seat == "1" and seq != first:
            return
        who = (ann, bo)[int(seat)]
        who.act(who.moves(who.wait()["seq"])[0])
        expect(ann.see("scene")).not_to_have_attribute("data-seq", seq)


def test_a_computer_player_steps_in_for_who_goes_away_in_play(ann: Person, bo: Person) -> None:
    wish = {"game": "sixty-six", "players": 2, "options": {}, "name": "Ann", "settings": {"patience": 10}}
    ann.page.goto(ann.server.url)
    seats = [{"who": "me"}, {"who": "open"}]
    told = ann.page.request.post(f"{ann.server.url}/api/tables", data=wish | {"seats": seats}).json()
    bo.page.goto(f"{ann.server.url}/t/{told['id']}#invite={told['invite']}")
    bo.see("sit").click()
    ann.page.goto(f"{ann.server.url}/t/{told['id']}")
    leave_it_to(bo, ann)
    ann.see("open-people").click()
    expect(ann.see("people")).to_contain_text(re.compile(r"may take over in \d+ s"))
    ann.page.get_by_role("button", name="Close panel").click()
    ann.resize(PHONE)
    bo.page.close()
    expect(ann.see("waited")).to_contain_text(re.compile(r"Bo is away\.\s+A computer player may move for them in"))
    ann.see("stand-in").click()
    expect(ann.see("waited")).to_have_count(0)
    expect(ann.page.get_by_label("a computer player plays meanwhile")).to_have_count(1)
    expect(ann.see("spoken")).to_contain_text("(by a computer player)")
    ann.wait()


def test_that_a_computer_player_may_step_in_holds_for_one_move(browser: Browser) -> None:
    """Also for a player who is here all the time: what was told of a move does not hold for the next one."""
    scene = next(scene for _, scene in scenes(games.load("sixty-six"), 2) if scene["seat"] == 0) | {"to_act": [1]}
    table = table_of(scene, NAMES) | {"may": ["nudge", "substitute"], "now": time.time()}
    table["seats"][1] |= {"who": "person", "level": None, "substitute_at": time.time() - 1}
    stand_in = StandIn(browser, (1280, 720))
    stand_in.sit(scene, NAMES)
    stand_in.page.evaluate("told => line.tell(told)", stand_in.welcome(scene, NAMES) | {"table": table})
    stand_in.page.get_by_test_id("open-people").click()
    button, people = stand_in.page.get_by_test_id("substitute-1"), stand_in.page.get_by_test_id("people")
    expect(button).to_be_visible()

    def move(seq: int, **told: object) -> None:
        line = {"seq": seq, "text": "Bernadette plays"}
        told |= {"type": "event", "seq": seq, "base": seq - 1, "changes": {}, "log": line, "oldest": 0}
        stand_in.page.evaluate("told => line.tell(told)", told)

    move(10)
    expect(button).to_have_count(0)
    move(11, substitute_at=[None, time.time() + 100])
    expect(people).to_contain_text("a computer may take over in")
    gone = {"here": [True, False], "away_since": [None, 0], "watching": 0, "substitute_at": [None, time.time() - 1]}
    stand_in.page.evaluate("told => line.tell(told)", {"type": "people"} | gone)
    expect(button).to_be_visible()
    stand_in.close()


def test_a_match_ends_when_all_agree_and_one_rematch_is_for_both(ann: Person, bo: Person) -> None:
    sit_together(ann, bo)
    agree_to_end(ann, bo)
    for person in (ann, bo):
        expect(person.see("match-end")).to_contain_text("ended")
    with ann.page.expect_download() as saved:
        ann.see("record").click()
    assert json.loads(saved.value.path().read_text())["game"] == "sixty-six"
    table = ann.table
    ann.see("again").click()
    bo.see("again").click()
    move_on_together(ann, bo, table)


def agree_to_end(ann: Person, bo: Person) -> None:
    ann.see("open-people").click()
    ann.see("abandon").click()
    ann.see("question-yes").click()
    bo.see("agree").click()


def give_up(ann: Person, bo: Person) -> None:
    """Both agree to end the match, and look at the table."""
    agree_to_end(ann, bo)
    for person in (ann, bo):
        person.see("match-end").get_by_test_id("continue").click()
        expect(person.see("match-end")).to_have_count(0)


def test_at_the_table_of_a_match_that_was_given_up_nothing_is_offered(ann: Person, bo: Person) -> None:
    sit_together(ann, bo)
    give_up(ann, bo)
    for person in (ann, bo):
        expect(person.see("prompt")).to_have_text("The match is over, without a winner")
        expect(person.page).to_have_title("Sixty-Six")
        expect(person.page.get_by_role("group", name="Your moves")).to_have_count(0)
        expect(person.page.get_by_label("can be played")).to_have_count(0)
        person.page.locator("[data-testid^=hand-]").first.click()
        assert "refused" not in [message["type"] for message in person.heard]


def test_the_rematch_is_asked_for_and_joined_from_the_table_of_a_match_that_is_over(ann: Person, bo: Person) -> None:
    sit_together(ann, bo)
    give_up(ann, bo)
    bo.resize(PHONE)
    for person in (ann, bo):
        expect(person.see("called")).to_have_count(0)
    expect(ann.see("rematch")).to_have_attribute("title", "Rematch")
    bo.see("open-menu").click()
    bo.see("menu-again").click()
    expect(ann.see("called")).to_have_text(re.compile("Somebody has asked for a rematch"))
    expect(ann.see("rematch")).to_have_attribute("title", "Join the rematch")
    ann.shoot("called")
    table = ann.table
    ann.see("join").click()
    move_on_together(ann, bo, table)


def test_a_rematch_is_offered_once_with_the_end_of_the_match_and_at_its_table(ann: Person, bo: Person) -> None:
    sit_together(ann, bo)
    agree_to_end(ann, bo)
    table = ann.table
    ann.see("again").click()
    expect(bo.see("called")).to_be_visible()
    expect(bo.page.get_by_role("button", name="Join the rematch")).to_have_count(1)
    bo.see("match-end").get_by_test_id("continue").click()
    bo.see("join").click()
    move_on_together(ann, bo, table)


def test_who_may_not_look_on_reads_why(ann: Person, bo: Person) -> None:
    ann.open("sixty-six", {})
    ann.wait()
    bo.page.goto(ann.page.url)
    expect(bo.see("prompt")).to_be_visible()
    ann.see("open-people").click()
    ann.see("watchers").uncheck()
    for _ in range(2):
        expect(bo.see("banner")).to_contain_text("closed to spectators")
        bo.page.reload()
    expect(bo.see("banner")).to_contain_text("closed to spectators")


def test_what_the_table_refused_is_gone_with_the_next_move(ann: Person) -> None:
    ann.open("rounds", {})
    while "lead" not in ann.scenes[seq := ann.wait()["seq"]].prompt:
        ann.act(ann.moves(seq)[0])
    move = ann.moves(seq)[0]
    ann.see("open-people").click()
    ann.see("claim").click()
    expect(ann.see("banner")).to_contain_text("cannot be sure")
    ann.faults.clear()  # the browser's own line about the answer
    ann.act(move)
    expect(ann.see("banner")).to_have_count(0)


def test_clocks_are_read_on_the_felt(ann: Person, bo: Person) -> None:
    ann.open("sixty-six", {}, open_seat=1)
    ann.see("clock").select_option(label="15 seconds a move, plus 2 minutes for the match")
    bo.page.goto(ann.see("link").input_value())
    expect(bo.see("clock-words")).to_contain_text("15 seconds for each move, and 2 minutes for the whole match")
    bo.see("sit").click()
    colour = "node => getComputedStyle(node).color"
    for person in (ann, bo):
        for seat in range(2):
            clock = person.see(f"clock-{seat}")
            expect(clock).to_have_text(re.compile(r"^\s*\w+ \d:\d\d \+ \d:\d\d\s*$"))
            assert clock.evaluate(colour) == person.see("prompt").evaluate(colour)


def test_whose_time_has_run_out_reads_how_to_play_on(ann: Person) -> None:
    seats = [{"who": "me"}, {"who": "computer", "level": "casual"}]
    wish = {"game": "sixty-six", "players": 2, "options": {}, "name": "Ann", "seats": seats}
    wish["settings"] = {"clock": {"per_move": 10, "bank": 0}}
    ann.page.goto(ann.server.url)
    told = ann.page.request.post(f"{ann.server.url}/api/tables", data=wish).json()
    ann.page.goto(f"{ann.server.url}/t/{told['id']}")
    expect(ann.see("away")).to_contain_text("until you are back")  # it may have been so before the page was there
    come_back_and_move(ann)
    ann.wait()
    expect(ann.see("away")).to_contain_text("until you are back")
    expect(ann.see("spoken")).to_contain_text("You have run out of time; a computer player moves now.")
    expect(ann.see("remarks")).to_be_empty()
    seq = ann.see("scene").get_attribute("data-seq")
    ann.page.wait_for_timeout(300)
    assert ann.see("scene").get_attribute("data-seq") == seq, "nobody plays on without her"
    come_back_and_move(ann)
    ann.wait()


def come_back_and_move(person: Person) -> None:
    person.see("come-back").click()
    expect(person.see("away")).to_have_count(0)
    seq = person.wait()["seq"]
    person.act(person.moves(seq)[0])
    expect(person.see("scene")).not_to_have_attribute("data-seq", str(seq))


def test_a_seat_goes_to_another_device_by_a_link_that_has_not_been_cancelled(ann: Person, bo: Person) -> None:
    ann.open("sixty-six", {})
    hand = ann.scenes[ann.wait()["seq"]].hand
    ann.see("open-people").click()
    expect(ann.see("cancel-link")).to_have_count(0)
    ann.see("move-seat").click()
    cancelled = ann.see("seat-link").input_value()
    ann.see("cancel-link").click()
    expect(ann.see("seat-link")).to_have_count(0)
    expect(ann.see("cancel-link")).to_have_count(0)
    bo.page.goto(cancelled)
    expect(bo.page.get_by_role("alert")).to_contain_text("used or cancelled")
    bo.faults.clear()  # the browser's own line about the answer
    ann.see("move-seat").click()
    bo.page.goto(bo.server.url)
    bo.page.goto(ann.see("seat-link").input_value())
    bo.see("move-here-yes").click()
    expect(bo.page.locator("[data-testid^=hand-]")).to_have_count(len(hand))
    expect(ann.page.locator("[data-testid^=hand-]")).to_have_count(0)


def test_a_link_to_a_seat_is_followed_where_its_table_is_watched_already(ann: Person, bo: Person) -> None:
    ann.open("sixty-six", {})
    hand = ann.scenes[ann.wait()["seq"]].hand
    ann.see("open-people").click()
    ann.see("move-seat").click()
    address, secret = ann.see("seat-link").input_value().split("#")
    bo.page.goto(address)
    expect(bo.see("prompt")).to_be_visible()
    expect(bo.page.locator("[data-testid^=hand-]")).to_have_count(0)
    bo.page.evaluate("hash => (location.hash = hash)", secret)  # as when the link is opened in the same tab
    bo.see("move-here-yes").click()
    expect(bo.page.locator("[data-testid^=hand-]")).to_have_count(len(hand))
    expect(bo.page).to_have_url(re.compile(rf"^{re.escape(address)}#invite="))
    bo.act(bo.moves(bo.wait()["seq"])[0])
    ann.page.evaluate("hash => (location.hash = hash)", secret)
    expect(ann.page.get_by_role("alert")).to_contain_text("used or cancelled")
    ann.faults.clear()  # the browser's own line about the answer


def stays_with(person: Person, button: str, *, gone: str) -> None:
    """After a button of the panel was pressed with the keyboard, and it or another is gone."""
    person.see(button).press("Enter")
    expect(person.see("people").get_by_test_id(gone)).to_have_count(0)
    person.page.wait_for_function("() => Boolean(document.activeElement?.closest('[data-testid=people]'))")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_who_asks_something_of_the_table_with_the_keyboard_stays_in_its_panel(
    ann: Person, bo: Person, size: ViewportSize
) -> None:
    for person in (ann, bo):
        person.resize(size)
    ann.open("rounds", {})
    ann.act(ann.moves(ann.wait()["seq"])[0])
    ann.wait()
    to_people(ann)
    stays_with(ann, "take-back", gone="take-back")
    stays_with(ann, "move-seat", gone="move-seat")
    stays_with(ann, "cancel-link", gone="cancel-link")
    sit_together(ann, bo)
    to_people(bo)
    bo.see("leave").press("Enter")
    stays_with(bo, "question-yes", gone="leave")
    stays_with(bo, "sit", gone="sit")


def test_who_answers_with_the_keyboard_goes_on_at_the_hand(ann: Person, bo: Person) -> None:
    sit_together(ann, bo)
    ann.see("open-people").click()
    ann.see("abandon").click()
    ann.see("question-yes").click()
    bo.see("disagree").press("Enter")
    expect(bo.see("asked")).to_have_count(0)
    bo.page.wait_for_function("() => document.activeElement?.dataset.testid?.startsWith('hand-')")


def test_a_link_that_cannot_be_made_is_said(ann: Person) -> None:
    ann.open("sixty-six", {})
    ann.wait()
    ann.see("open-people").click()
    ann.context.set_offline(True)
    ann.see("move-seat").click()
    expect(ann.see("people")).to_contain_text("cannot be reached")
    ann.faults.clear()  # the browser's own line about the network


def test_who_comes_late_watches_and_takes_a_seat_that_becomes_free(ann: Person, bo: Person, browser: Browser) -> None:
    sit_together(ann, bo)
    link = ann.page.evaluate("() => fetch(location.pathname.replace('/t/', '/api/tables/')).then((it) => it.json())")
    with Person(browser, ann.server, "") as guest:
        guest.page.goto(f"{ann.page.url.split('#')[0]}#invite={link['invite']}")
        expect(guest.see("only-watching")).to_contain_text("All seats are taken: you are watching.")
        bo.see("open-people").click()
        bo.see("leave").click()
        bo.see("question-yes").click()
        guest.see("sit-here").click()
        expect(guest.page.locator("[data-testid^=hand-]").first).to_be_visible()
        assert guest.faults == []


def test_a_seat_is_offered_only_to_whom_the_table_gives_it(ann: Person, bo: Person, browser: Browser) -> None:
    ann.open("sixty-six", {}, open_seat=1)
    link = ann.see("link").input_value()
    address, secret = link.split("#")
    bo.page.goto(address)
    expect(bo.see("waiting")).to_contain_text("for anyone with the invitation link")
    expect(bo.see("sit")).to_have_count(0)
    bo.page.evaluate("hash => (location.hash = hash)", secret)  # as when the link is opened in the same tab
    bo.see("sit").click()
    bo.see("open-people").click()
    bo.see("leave").click()
    bo.see("question-yes").click()
    expect(bo.page.locator("[data-testid^=hand-]")).to_have_count(0)
    with Person(browser, ann.server, "Cy") as cy:
        cy.page.goto(address)
        cy.see("open-people").click()
        expect(cy.see("people")).to_contain_text("Ann here")
        expect(cy.see("sit")).to_have_count(0)
        cy.page.evaluate("hash => (location.hash = hash)", secret)
        cy.see("sit").click()
        expect(cy.page.locator("[data-testid^=hand-]").first).to_be_visible()
        assert cy.faults == []


def test_a_table_that_was_closed_waits_for_nobody(ann: Person) -> None:
    ann.open("sixty-six", {}, open_seat=1)
    ann.see("link").wait_for()
    close(url_of(ann.server.folder), ann.table)
    expect(ann.see("waiting")).to_contain_text("The house closed this table before play began")
    expect(ann.see("link")).to_have_count(0)


def test_a_name_of_one_long_word_stays_on_the_screen(browser: Browser, server: Server) -> None:
    with Person(browser, server, "W" * 30) as long, Person(browser, server, "M" * 30) as longer:
        sit_together(long, longer)
        for person in (long, longer):
            person.resize(PHONE)
            person.page.wait_for_function(WITHIN)


def test_who_plays_is_asked_for_a_new_passphrase(
    browser: Browser, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Person(browser, server, "Ann") as ann:
        ann.open("sixty-six", {})
        ann.wait()
        server.kill()
        with monkeypatch.context() as patch:
            patch.setenv("UPCARD_PASSPHRASE", "queen")
            server.start()
        try:
            ann.see("passphrase").fill("queen")
            ann.see("enter").click()
            ann.wait()
        finally:
            server.kill()
            server.start()
