"""Words and reactions at a table: shown as plain text, muted, removed, read out only if wanted; keys do not play."""

import re

import pytest
from axe import violations
from playing_page import PHONE, Person, Server
from playwright.sync_api import Browser, expect

pytestmark = [pytest.mark.browser, pytest.mark.long]

EVIL = "<img src=x onerror=alert(1)> https://evil.example"
KEYBOARD = """() => {
  Object.defineProperty(visualViewport, "height", { value: 480, configurable: true });
  visualViewport.dispatchEvent(new Event("resize"));
}"""
SEEN = """(names) => names.every((name) => {
  const box = document.querySelector(`[data-testid^=${name}]`).getBoundingClientRect();
  return box.top >= 0 && box.bottom <= 480 && box.height > 0;
})"""


def sit_together(ann: Person, bo: Person) -> None:
    ann.open("sixty-six", {}, open_seat=1)
    bo.page.goto(ann.see("link").input_value())
    bo.see("sit").click()
    for person in (ann, bo):
        expect(person.page.locator("[data-testid^=hand-]")).to_have_count(6)


def test_phrases_words_muting_and_removing(ann: Person, bo: Person) -> None:
    sit_together(ann, bo)
    ann.see("open-talk").click()
    ann.see("phrase-hello").click()
    expect(bo.see("talk-news")).to_have_text("Ann Hello!")
    bo.see("open-talk").click()
    expect(bo.see("talk-lines")).to_contain_text("Ann Hello!")
    expect(bo.see("talk-field")).to_have_count(0)  # until the host allows it
    expect(bo.see("allow-chat")).to_have_count(0)
    ann.see("allow-chat").check()
    bo.see("talk-field").fill(EVIL)
    bo.see("talk-send").click()
    expect(ann.see("talk-lines")).to_contain_text(EVIL)
    expect(bo.see("talk-field")).to_have_value("")
    expect(ann.page.locator("[data-testid=talk-lines] :is(a, img)")).to_have_count(0)
    ann.see("unsay").last.click()
    for person in (ann, bo):
        expect(person.see("talk-lines")).not_to_contain_text("evil")
    bo.see("react-clap").click()
    expect(ann.see("talk-lines")).to_contain_text("Bo 👏")
    ann.see("mute").last.click()
    expect(ann.see("talk-lines")).not_to_contain_text("Bo")
    bo.see("phrase-thanks").click()
    expect(bo.see("talk-lines")).to_contain_text("Thank you!")
    expect(ann.see("talk-lines")).not_to_contain_text("Thank you!")
    ann.see("unmute").click()
    expect(ann.see("talk-lines")).to_contain_text("Bo Thank you!")
    assert violations(ann.page) == []


def test_keys_typed_there_do_not_play_and_nothing_is_read_out_unless_wanted(ann: Person, bo: Person) -> None:
    sit_together(ann, bo)
    ann.see("open-talk").click()
    ann.see("allow-chat").check()
    ann.see("talk-field").click()
    ann.page.keyboard.type("hclprst")
    expect(ann.see("talk-field")).to_have_value("hclprst")
    expect(ann.see("talk-field")).to_be_focused()
    expect(ann.see("talk")).to_be_visible()
    ann.page.keyboard.press("Enter")
    expect(bo.see("talk-spoken")).to_contain_text("Ann: hclprst")
    expect(bo.see("talk-spoken")).to_have_attribute("aria-live", "off")
    bo.see("open-talk").click()
    bo.see("talk-aloud").check()
    expect(bo.see("talk-spoken")).to_have_attribute("aria-live", "polite")


def test_people_talk_in_their_room_and_who_is_still_at_the_table_reads_it(ann: Person, bo: Person) -> None:
    ann.page.goto(ann.server.url)
    ann.see("open-room").click()
    link = ann.see("room-link").input_value()
    bo.page.goto(link)
    bo.see("name").fill("Bo")
    bo.see("join").click()
    expect(bo.see("talk-spoken")).to_have_attribute("aria-live", "off")
    ann.see("talk-field").fill(EVIL)
    ann.see("talk-send").click()
    expect(bo.see("talk-lines")).to_contain_text(EVIL)
    expect(bo.page.locator("[data-testid=talk-lines] :is(a, img)")).to_have_count(0)
    expect(bo.see("unsay")).to_have_count(0)
    ann.see("unsay").click()
    expect(bo.see("talk-lines")).to_contain_text("Nobody has said anything yet.")
    bo.see("phrase-hello").click()
    expect(ann.see("talk-lines")).to_have_text(re.compile(r"Bo Hello!(?!.*watching)"))
    ann.see("allow-chat").uncheck()
    expect(bo.see("talk-field")).to_have_count(0)
    ann.see("next-game").select_option("sixty-six")
    ann.see("open-next").click()
    bo.see("sit").click()
    for person in (ann, bo):
        expect(person.page.locator("[data-testid^=hand-]")).to_have_count(6)
    ann.see("open-people").click()
    ann.see("concede").click()
    ann.see("question-yes").click()
    ann.see("room-next").get_by_test_id("to-room").click()
    ann.see("phrase-good game").click()
    expect(bo.see("room-words")).to_have_text("In the room, Ann: Good game!")
    ann.see("react-clap").click()
    expect(bo.see("room-words")).to_have_text("In the room, Ann: 👏")
    assert violations(ann.page) == []


def test_alone_with_computer_players_there_is_no_talk(ann: Person) -> None:
    ann.open("sixty-six", {})
    ann.wait()
    expect(ann.see("open-people")).to_be_visible()
    expect(ann.see("open-talk")).to_have_count(0)


def test_on_a_phone_the_prompt_and_the_hand_stay_above_the_keyboard(browser: Browser, server: Server) -> None:
    with Person(browser, server, "Ann") as ann, Person(browser, server, "Bo") as bo:
        sit_together(ann, bo)
        ann.resize(PHONE)
        ann.see("open-menu").click()
        ann.see("open-talk").click()
        ann.see("allow-chat").check()
        ann.see("talk-field").click()
        ann.page.evaluate(KEYBOARD)
        ann.page.wait_for_function(SEEN, arg=["talk-field", "prompt", "hand-"])
        ann.page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
        ann.see("close-talk").evaluate("(button) => button.click()")
        expect(ann.see("talk")).to_have_count(0)
        ann.page.wait_for_function("() => document.querySelector('.table').clientHeight === innerHeight")
        assert ann.faults == bo.faults == []
