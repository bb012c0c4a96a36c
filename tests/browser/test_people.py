"""What people ask of a table besides playing: undo, leave, come back, agree, one rematch for all."""

from collections.abc import Iterator

import pytest
from playing_page import Person, Server
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser


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


def sit_together(ann: Person, bo: Person) -> None:
    ann.open("sixty-six", {"target": 1}, open_seat=1)
    bo.page.goto(ann.see("link").input_value())
    bo.see("sit").click()
    for person in (ann, bo):
        expect(person.page.locator("[data-testid^=hand-]")).to_have_count(6)


def test_alone_with_computer_players_a_move_is_taken_back(ann: Person) -> None:
    ann.open("rounds", {})
    before = ann.wait()["seq"]
    hand = ann.scenes[before].hand
    ann.act(ann.moves(before)[0])
    expect(ann.page.locator("[data-testid^=hand-]")).to_have_count(len(hand) - 1)
    ann.wait()
    ann.see("undo").click()
    expect(ann.page.locator("[data-testid^=hand-]")).to_have_count(len(hand))
    assert ann.scenes[ann.wait()["seq"]].hand == hand


def test_who_leaves_does_not_hold_up_the_other(ann: Person, bo: Person) -> None:
    sit_together(ann, bo)
    bo.see("open-people").click()
    bo.see("leave").click()
    bo.see("question-yes").click()
    for _ in range(2):
        ann.act(ann.moves(ann.wait()["seq"])[0])
    ann.wait()


def test_a_match_ends_when_all_agree_and_one_rematch_is_for_both(ann: Person, bo: Person) -> None:
    sit_together(ann, bo)
    ann.see("open-people").click()
    ann.see("abandon").click()
    ann.see("question-yes").click()
    bo.see("agree").click()
    for person in (ann, bo):
        expect(person.see("match-end")).to_contain_text("ended")
    ann.see("again").click()
    bo.see("again").click()
    if bo.see("sit").count():
        bo.see("sit").click()
    for person in (ann, bo):
        expect(person.page.locator("[data-testid^=hand-]")).to_have_count(6)
    assert ann.page.url.split("#")[0] == bo.page.url.split("#")[0]
