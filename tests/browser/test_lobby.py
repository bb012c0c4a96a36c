"""Before a match: the lobby, the page of a game, its rules, listed tables, records from a file."""

import re

import pytest
from axe import violations
from playing_page import Person, Server
from playwright.sync_api import Browser, ViewportSize, expect

from upcard import games

pytestmark = pytest.mark.browser

DESK: ViewportSize = {"width": 1280, "height": 720}
UPRIGHT: ViewportSize = {"width": 390, "height": 664}
SIDEWAYS: ViewportSize = {"width": 844, "height": 390}


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "theme"), [(DESK, "light"), (UPRIGHT, "dark"), (SIDEWAYS, "light")], ids=["desk", "upright", "sideways"]
)
def test_every_page_before_a_match_is_in_order(
    browser: Browser, server: Server, size: ViewportSize, theme: str
) -> None:
    with Person(browser, server, "Ann", theme=theme) as ann:
        ann.resize(size)
        wrong = {}
        places = {
            "": "play-sixty-six",
            "g/oh-hell": "start",
            "g/oh-hell/learn": "words",
            "g/oh-hell/rules": "rules",
        }
        for path, waited in places.items():
            ann.page.goto(f"{server.url}/{path}")
            expect(ann.see(waited)).to_be_visible()
            if path == "g/oh-hell":
                ann.see("house-rules").locator("summary").click()
            ann.page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
            wrong[path] = violations(ann.page)
        assert {path: found for path, found in wrong.items() if found} == {}
        assert ann.faults == []


@pytest.mark.parametrize("able", [True, False])
def test_a_page_offers_only_what_its_house_can(browser: Browser, server: Server, able: bool) -> None:
    with Person(browser, server, "Ann") as ann:
        club = ann.page.request.get(f"{server.url}/api/club").json()
        club["can"] = dict.fromkeys(club["can"], able)
        ann.page.route("**/api/club", lambda route: route.fulfill(json=club))
        ann.page.goto(f"{server.url}/g/sixty-six")
        choices = ann.see("seat-choice-1").locator("option")
        expect(choices.filter(has_text="Computer").first).to_be_attached()
        expect(choices.filter(has_text="A friend, by link")).to_have_count(int(able))
        ann.see("start").click()
        ann.see("open-people").click()
        expect(ann.see("people")).to_be_visible()
        expect(ann.see("move-seat")).to_have_count(int(able))


def test_every_game_has_its_picture_and_a_page(ann: Person) -> None:
    ann.page.goto(ann.server.url)
    for slug in games.SLUGS:
        expect(ann.page.locator(f"li:has([data-testid=game-{slug}]) .picture .card").first).to_be_visible()
    ann.see("game-rounds").click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Rounds")
    ann.see("play-now").click()
    ann.wait()
    assert ann.heard[0]["table"]["game"] == "rounds"


def test_whoever_comes_joins_a_listed_table_from_the_lobby(ann: Person, bo: Person) -> None:
    ann.page.goto(f"{ann.server.url}/g/sixty-six")
    ann.see("seat-choice-1").select_option("open")
    ann.see("list-table").check()
    ann.see("start").click()
    expect(ann.see("waiting")).to_be_visible()
    assert violations(ann.page) == []
    table = ann.table
    bo.page.goto(bo.server.url)
    bo.see("listed").locator(f"[data-testid=table-{table}]").click()
    expect(bo.see("open-lesson")).to_have_attribute("href", "/g/sixty-six/learn")
    bo.see("sit").click()
    for person in (ann, bo):
        expect(person.page.locator("[data-testid^=hand-]")).to_have_count(6)
    bo.page.goto(bo.server.url)
    expect(bo.see("mine").locator(f"[data-testid=table-{table}]")).to_contain_text("in play")


STOPS = """() => [document.activeElement.dataset.testid ?? '', document.activeElement.closest('.games') !== null]"""


def test_the_keyboard_reaches_a_game_in_few_steps(ann: Person) -> None:
    ann.page.goto(ann.server.url)
    expect(ann.see("game-sixty-six")).to_be_visible()
    expect(ann.see("welcome-play")).to_be_enabled()
    stops = []
    for _ in range(8 + 12):  # what comes before the games, and one stop for each
        ann.page.keyboard.press("Tab")
        testid, inside = ann.page.evaluate(STOPS)
        stops += [testid] * inside
    assert sorted(stops) == sorted(f"game-{slug}" for slug in {*games.SLUGS, "schnapsen"})
    ann.see("game-sixty-six").focus()
    for key, reached in [
        ("Down", "play-sixty-six"),
        ("Right", ""),
        ("Right", "rules-sixty-six"),
        ("Up", "game-sixty-six"),
    ]:
        ann.page.keyboard.press(f"Arrow{key}")
        ann.page.wait_for_function(f"reached => String(({STOPS})()) === `${{reached}},true`", arg=reached)
    ann.page.keyboard.press("Home")
    ann.page.reload()
    expect(ann.see("game-sixty-six")).to_be_visible()
    ann.page.keyboard.press("Tab")
    expect(ann.see("skip")).to_be_focused()
    ann.page.keyboard.press("Enter")
    ann.until(lambda: ann.page.evaluate(STOPS)[1])


def test_one_click_on_the_welcome_plays_and_is_found_again(ann: Person) -> None:
    ann.page.goto(ann.server.url)
    expect(ann.see("welcome-play")).to_be_enabled()
    expect(ann.page.locator(".button.primary")).to_have_count(1)
    for later in ("finished", "mine", "statistics"):
        expect(ann.see(later)).to_have_count(0)
    assert "finished" not in ann.page.locator("main").inner_text().lower()
    ann.see("welcome-play").click()
    ann.wait()
    assert ann.heard[0]["table"]["game"] == "sixty-six"
    ann.page.goto(ann.server.url)
    expect(ann.see("mine").locator("a.lead")).to_contain_text("Sixty-Six")
    expect(ann.page.locator(".button.primary")).to_have_count(0)
    assert violations(ann.page) == []


def test_a_friend_has_a_link_from_the_first_screen(ann: Person, bo: Person) -> None:
    ann.page.goto(ann.server.url)
    ann.see("welcome-friend").click()
    expect(ann.see("friend-start")).to_be_enabled()
    assert violations(ann.page) == []
    ann.see("friend-game").select_option("klaberjass")
    ann.see("friend-start").click()
    bo.page.goto(ann.see("link").input_value())
    bo.see("sit").click()
    for person in (ann, bo):
        person.page.wait_for_selector("[data-testid^=hand-]")
    assert ann.heard[0]["table"]["game"] == "klaberjass"


def test_the_welcome_plays_by_itself_only_where_it_may(browser: Browser, server: Server) -> None:
    with Person(browser, server, "Ann", animation=True, pace="normal") as ann:
        ann.page.goto(server.url)
        expect(ann.see("showcase")).to_have_attribute("data-runs", "true")
        expect(ann.see("showcase")).not_to_have_attribute("data-at", "10")
        ann.see("showcase-stop").click()
        expect(ann.see("showcase")).to_have_attribute("data-runs", "false")
        ann.see("showcase-stop").click()
        ann.page.mouse.wheel(0, 1500)
        expect(ann.see("showcase")).to_have_attribute("data-runs", "false")
        ann.page.emulate_media(reduced_motion="reduce")
        ann.page.reload()
        expect(ann.see("showcase")).to_have_attribute("data-at", "10")
        expect(ann.see("showcase-stop")).to_have_count(0)
        ann.page.emulate_media(reduced_motion="no-preference")
        ann.page.add_init_script(
            "navigator.connection ??= {}; Object.defineProperty(navigator.connection, 'saveData', { value: true })"
        )
        ann.page.reload()
        expect(ann.see("play-sixty-six")).to_be_visible()
        expect(ann.see("showcase-stop")).to_have_count(0)
        assert ann.faults == []


def test_a_house_rule_out_of_bounds_is_shown_on_start(ann: Person) -> None:
    ann.page.goto(f"{ann.server.url}/g/cinch")
    fold = ann.see("house-rules").locator("summary")
    fold.click()
    ann.see("option-target").fill("999")
    fold.click()
    expect(ann.see("option-target")).to_be_hidden()
    ann.see("start").click()
    expect(ann.see("option-target")).to_be_focused()


def test_a_house_rule_that_no_longer_fits_goes_back_to_its_default(ann: Person) -> None:
    ann.page.goto(f"{ann.server.url}/g/oh-hell")
    ann.see("players-5").locator("..").click()
    fold = ann.see("house-rules").locator("summary")
    fold.click()
    usual = ann.see("option-max_cards").input_value()
    ann.see("option-max_cards").fill("9")
    fold.click()
    expect(fold).to_contain_text("1 changed")
    ann.see("players-7").locator("..").click()
    expect(fold).to_contain_text("the usual ones")
    expect(ann.see("option-max_cards")).not_to_have_value("9")
    ann.see("players-5").locator("..").click()
    expect(ann.see("option-max_cards")).to_have_value(usual)
    ann.see("players-7").locator("..").click()
    ann.see("start").click()
    ann.wait()


def test_rules_are_read_clause_by_clause(ann: Person) -> None:
    ann.page.goto(f"{ann.server.url}/g/oh-hell/rules")
    expect(ann.see("rules")).to_contain_text("Five hints")
    assert not re.search(r"\[source|\[ruling|slug|to_act", ann.see("rules").inner_text())
    ann.page.locator("a.clause[href$='#OH-24']").first.click()
    expect(ann.page.locator("#OH-24.clause-found")).to_be_in_viewport()
    ann.page.locator("#OH-24 a.clause[href$='#OH-26']").click()
    expect(ann.page.locator("#OH-26.clause-found")).to_be_in_viewport()
    expect(ann.page).to_have_url(re.compile("#OH-26$"))
    expect(ann.see("rules")).to_contain_text("[source]")
    ann.see("other-edition").click()
    expect(ann.see("rules")).to_contain_text("Five hints")
    ann.page.goto(f"{ann.server.url}/g/oh-hell/rules#OH-41")
    expect(ann.page.locator("#OH-41.clause-found")).to_be_in_viewport()


def test_a_dead_line_is_told_in_our_words_and_the_page_comes_back(ann: Person) -> None:
    ann.page.goto(ann.server.url)
    ann.page.wait_for_function("() => navigator.serviceWorker.ready.then(() => true)")
    for waited in ("play-sixty-six", "scene"):
        expect(ann.see(waited)).to_be_visible()
        ann.context.set_offline(True)
        ann.page.reload()
        expect(ann.see("unreachable")).to_contain_text("by itself")
        assert violations(ann.page) == []
        ann.context.set_offline(False)
        expect(ann.see(waited)).to_be_visible()
        if waited == "play-sixty-six":
            ann.see(waited).click()
    ann.faults[:] = [fault for fault in ann.faults if "Failed to load resource" not in fault]


def test_a_browser_that_is_too_old_is_told_so(ann: Person) -> None:
    ann.page.add_init_script("if (location.search === '?old') delete Array.prototype.toSorted")
    ann.page.goto(ann.server.url)
    expect(ann.see("play-sixty-six")).to_be_visible()
    expect(ann.page.get_by_text("too old")).to_have_count(0)
    ann.page.goto(f"{ann.server.url}/?old")
    expect(ann.page.get_by_role("alert")).to_contain_text("This browser is too old for the tables here")


def test_who_refuses_cookies_is_told_so_instead_of_seated(ann: Person) -> None:
    ann.page.add_init_script("Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false })")
    ann.page.goto(f"{ann.server.url}/g/sixty-six")
    ann.see("start").click()
    expect(ann.page.get_by_text("Your browser keeps no cookies for this page")).to_be_visible()
    expect(ann.page).to_have_url(f"{ann.server.url}/g/sixty-six")
