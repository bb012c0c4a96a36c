"""The page in languages made by rule: 40 % longer and read from the right. Nothing is cut, covered or left in English.

`python tests/browser/test_reading.py` shows every scene of the gate in all sizes, and prints what is wrong.
"""

import json
import re
from typing import Any

import pytest
from playing_page import FLAGS, Person, Server, find_chromium
from playwright.sync_api import Browser, expect, sync_playwright
from pseudo import node, pseudo, pseudo_catalog, pseudo_fields
from recorded import NAMES, counts, scenes
from stand_in import ENLARGED, VIEWPORTS, StandIn
from test_gate import LOOK, shown

from upcard import games

pytestmark = [
    pytest.mark.long,
    pytest.mark.browser,
    pytest.mark.skipif(node() is None, reason="the texts of the page are read from its sources by Node"),
]
TAG = "ar-XB"
WIDE_ENOUGH = "() => document.documentElement.scrollWidth <= innerWidth"


def gate(browser: Browser, size: tuple[int, int], told: list[tuple[str, dict[str, Any]]]) -> dict[str, list[str]]:
    """What is wrong with these scenes in a window of this size, where every text is longer and read from the right."""
    page = StandIn(browser, size, {"face": "large", "language": TAG})
    page.answers[f"languages/{TAG}"] = pseudo_catalog(TAG, "rtl")
    page.sit(pseudo_fields(told[0][1]), NAMES)
    page.stop_painting()
    messages = [[name, page.welcome(pseudo_fields(scene), NAMES)] for name, scene in told]
    wrong: dict[str, list[str]] = page.page.evaluate(LOOK, json.dumps(messages))
    assert page.page.evaluate("() => document.documentElement.dir") == "rtl"
    faults = page.faults
    page.close()
    assert faults == []
    return wrong


@pytest.mark.parametrize("size", [(390, 664), (844, 390), (1280, 720)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_long_texts_from_the_right_cut_nothing(browser: Browser, size: tuple[int, int]) -> None:
    told = [scenes(game, max(counts(game)))[0] for game in map(games.load, games.names())]
    assert gate(browser, size, told) == {}


FULLEST = {(360, 640): ["kalooki", "roundup"], ENLARGED: ["cinch"]}
"""The games whose tables are fullest in the smallest windows."""


@pytest.mark.parametrize("size", FULLEST, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_fullest_tables_have_room_for_long_texts(browser: Browser, size: tuple[int, int]) -> None:
    tables = [(game, players) for game in map(games.load, FULLEST[size]) for players in counts(game)]
    assert gate(browser, size, [told for game, players in tables for told in scenes(game, players)]) == {}


class Reader(Person):
    """Somebody whose house has one more language, that of the pseudo-texts: the page's own are in it."""

    def __init__(self, browser: Browser, server: Server, name: str, direction: str = "rtl", **chosen: Any) -> None:
        super().__init__(browser, server, name, worker=False, **chosen)
        club = self.page.request.get(f"{server.url}/api/club").json()
        club["languages"] = [
            {"tag": "en", "name": "English", "direction": "ltr"},
            {"tag": TAG, "name": "Pseudo", "direction": direction},
        ]
        self.asked: list[str] = []
        self.context.route("**/api/club", lambda route: route.fulfill(json=club))
        self.context.route(f"**/api/languages/{TAG}", lambda route: route.fulfill(json=pseudo_catalog(TAG, direction)))
        self.page.on("request", lambda request: self.asked.append(request.url.removeprefix(server.url)))

    def page_is_in(self, tag: str, direction: str) -> None:
        """Wait until the page says that it is in this language."""
        expect(self.page.locator("html")).to_have_attribute("lang", tag)
        expect(self.page.locator("html")).to_have_attribute("dir", direction)


def test_a_language_is_chosen_in_the_settings_and_goes_with_all_that_is_asked(browser: Browser, server: Server) -> None:
    with Reader(browser, server, "Ann") as ann:
        ann.page.goto(server.url)
        expect(ann.see("welcome-friend")).to_have_text("Play with a friend")
        ann.page_is_in("en", "ltr")
        assert not [path for path in ann.asked if path.startswith("/api/languages")], "English needs no texts"
        ann.page.get_by_role("button", name="Settings").click()
        with ann.page.expect_request("**/api/games") as asked:
            ann.page.locator("select[name=language]").select_option(label="Pseudo")
        assert asked.value.headers["accept-language"] == TAG
        expect(ann.see("welcome-friend")).to_have_text(pseudo("Play with a friend"))
        ann.page_is_in(TAG, "rtl")
        with ann.page.expect_websocket(lambda line: "/play" in line.url) as line:
            ann.see("play-sixty-six").click()
        assert line.value.url.endswith(f"/play?language={TAG}")
        expect(ann.see("open-people")).to_have_text(pseudo("Table"))
        ann.page.reload()
        expect(ann.see("open-people")).to_have_text(pseudo("Table"))
        ann.see("open-settings").click()
        ann.page.locator("select[name=language]").select_option("en")
        expect(ann.see("open-people")).to_have_text("Table")
        ann.page_is_in("en", "ltr")
        assert ann.faults == []


def test_a_browser_is_read_to_in_its_own_language(browser: Browser, server: Server) -> None:
    with Reader(browser, server, "Ann", tips=True) as ann:
        ann.page.add_init_script("Object.defineProperty(navigator, 'languages', { value: ['fr', 'ar-XB-x', 'en'] })")
        ann.page.goto(server.url)
        expect(ann.see("welcome-friend")).to_have_text(pseudo("Play with a friend"))
        ann.page_is_in(TAG, "rtl")


def test_two_people_read_one_table_in_two_languages(browser: Browser, server: Server) -> None:
    with Reader(browser, server, "Ann") as ann, Reader(browser, server, "Bo", "ltr", language=TAG) as bo:
        ann.page.goto(f"{server.url}/g/sixty-six")
        ann.see("seat-choice-1").select_option("open")
        ann.see("start").click()
        link = ann.see("link").input_value()
        bo.page.goto(link)
        expect(bo.see("sit")).to_have_text(pseudo("Sit down"))
        bo.see("name").fill("Bo")
        bo.see("sit").click()
        expect(ann.see("open-people")).to_have_text("Table")
        expect(bo.see("open-people")).to_have_text(pseudo("Table"))


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_no_page_is_wider_than_a_phone(browser: Browser, server: Server, direction: str) -> None:
    with Reader(browser, server, "Ann", direction, language=TAG) as ann:
        ann.page.set_viewport_size({"width": 360, "height": 640})
        places = {"": "play-loo", "g/oh-hell": "start", "g/loo/puzzles": "puzzle-1", "g/loo/rules": "other-edition"}
        for path, waited in places.items():
            ann.page.goto(f"{server.url}/{path}")
            expect(ann.see(waited).first).to_be_visible()
            ann.page.wait_for_function(WIDE_ENOUGH)
        ann.page.goto(server.url)
        ann.page.locator("header button").click()
        expect(ann.see("settings")).to_be_visible()
        assert ann.see("settings").evaluate("(node) => node.scrollWidth <= node.clientWidth")
        ann.page.keyboard.press("Escape")
        ann.see("open-room").click()
        expect(ann.see("next-match")).to_be_visible()
        ann.page.wait_for_function(WIDE_ENOUGH)


@pytest.mark.parametrize(("letters", "shape"), [("JQKA", "M0 155Q0"), ("BDKA", "M112 175H79")])
def test_courts_have_the_letters_that_one_likes(browser: Browser, server: Server, letters: str, shape: str) -> None:
    with Person(browser, server, "Ann", letters=letters, face="large") as ann:
        ann.page.goto(f"{server.url}/g/klaberjass/rules")
        jack = ann.page.locator("[data-card^=J]").first
        expect(jack.locator("path").first).to_have_attribute("d", re.compile(f"^{re.escape(shape)}"))
        assert re.match("jack of ", jack.get_attribute("aria-label") or "jack of ")
        ann.page.goto(f"{server.url}/g/klaberjass/learn")
        ann.see("go-on").click()
        named = ann.see("words").locator(".card-named").first
        expect(named).to_have_text(letters[0])
        expect(named).to_have_attribute("aria-label", "jack of hearts")


if __name__ == "__main__":
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(playwright), args=FLAGS)
        for size in VIEWPORTS:
            told = list(shown(size))
            print(size, len(told), gate(chromium, size, told))
