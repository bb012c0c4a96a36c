"""The deal of the day on the page: from the lobby to the table, and everybody's results at its end."""

from collections import deque
from typing import Any

import msgspec
import pytest
from playing_page import Person
from playwright.sync_api import Browser, expect
from recorded import NAMES, moments, scene_of
from stand_in import StandIn, table_of

from upcard import games

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_todays_deal_is_begun_found_again_and_over(ann: Person) -> None:
    ann.page.goto(ann.server.url)
    expect(ann.see("todays-deal")).to_contain_text("the same cards for everybody here")
    ann.see("play-today").click()
    expect(ann.see("brought")).to_contain_text("the first try counts")
    expect(ann.see("scene")).to_have_attribute("data-line", "open")
    table = ann.table
    ann.page.goto(ann.server.url)
    expect(ann.see("todays-deal")).to_contain_text("Go on with the deal of the day")
    ann.see("play-today").click()
    expect(ann.see("scene")).to_have_attribute("data-line", "open")
    assert ann.table == table, "there is one try"
    given_up = ann.page.request.post(f"{ann.server.url}/api/tables/{table}/actions", data={"do": "abandon"})
    assert given_up.ok
    ann.page.goto(ann.server.url)
    expect(ann.see("todays-results")).to_have_attribute("href", f"/t/{table}")
    expect(ann.see("todays-deal")).not_to_contain_text("place")


@pytest.mark.parametrize("alone", [True, False])
def test_everybodys_results_stand_at_the_end(browser: Browser, alone: bool) -> None:
    played = moments(games.load("rolling-stone"), 4, 1, "heuristic", 10_000)
    (last,) = deque((scene_of(match, 0) for match in played), maxlen=1)
    scene: dict[str, Any] = msgspec.to_builtins(last, enc_hook=str)
    mine = {"place": 1, "name": "Ann", "score": 7, "won": True, "yours": True}
    others = [] if alone else [{"place": 2, "name": "Bo", "score": 4, "won": False, "yours": False}]
    page = StandIn(browser, (390, 844))
    today = {"day": "2026-11-28", "game": "rolling-stone", "title": "Rolling Stone", "table": "gate", "done": True}
    page.answers["today"] = today | {"finished": 1 + len(others), "results": [mine, *others]}
    page.sit(scene, NAMES)
    page.answers["tables/gate"] = table_of(scene, NAMES) | {"day": "2026-11-28"}
    page.page.reload()
    page.page.wait_for_function("() => window.line?.onmessage")
    welcome = page.welcome(scene, NAMES)
    welcome["table"]["day"] = "2026-11-28"
    page.page.evaluate("message => line.tell(message)", welcome)
    results = page.page.get_by_test_id("day-results")
    expect(results.locator("li")).to_have_count(1 + len(others))
    expect(results.locator("li.yours")).to_contain_text("Ann")
    first = results.get_by_text("You are the first to finish it today")
    expect(first).to_have_count(int(alone))
    page.close()
