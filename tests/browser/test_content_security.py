"""No page does what its Content-Security-Policy forbids, and browsers know every word of its headers."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playing import play_out, random_match
from playing_page import Person, Server
from playwright.sync_api import Browser, ConsoleMessage, ViewportSize, expect
from stand_in import built

from upcard import games

pytestmark = [pytest.mark.browser, pytest.mark.long]

DESK: ViewportSize = {"width": 1280, "height": 720}
UPRIGHT: ViewportSize = {"width": 390, "height": 664}
REPORT = """addEventListener("securitypolicyviolation", (event) =>
  console.error(`against the policy ${event.violatedDirective}: ${event.blockedURI} ${event.target.outerHTML}`))"""
SLUGS = ("sixty-six", "kalooki", "roundup", "klaberjass", "loo")


class Visitor(Person):
    """Somebody whose browser reports violations; `faults` lists them, and warnings about either policy."""

    def _note(self, said: ConsoleMessage) -> None:
        if "policy" in said.text.lower():
            self.faults.append(said.text)

    def visit(self, path: str, testid: str) -> None:
        self.page.goto(f"{self.server.url}/{path}")
        expect(self.see(testid)).to_be_visible()

    def press(self, *testids: str) -> None:
        for testid in testids:
            self.see(testid).first.click()


@pytest.fixture(params=[(DESK, "light"), (UPRIGHT, "dark")], ids=["desk", "upright"])
def visitor(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    size, theme = request.param
    with Visitor(browser, server, "Ann", theme=theme, animation=True, tips=True) as person:
        person.context.add_init_script(REPORT)
        person.resize(size)
        yield person
        assert person.faults == []


def test_the_built_page_has_no_style_inside_its_markup() -> None:
    """Svelte applies other styles through the DOM, which the policy allows."""
    markup = {path: content.decode() for path, content in built().items() if path.endswith((".html", ".js"))}
    del markup["sw.js"]  # the page that it makes itself is under no policy
    assert [path for path, text in markup.items() if re.search(r"<style|\sstyle=", text)] == []


def test_the_pages_before_a_match_keep_to_the_policy(visitor: Visitor) -> None:
    visitor.visit("", "play-sixty-six")
    visitor.page.get_by_role("button", name="Settings").click()
    expect(visitor.see("settings")).to_be_visible()
    visitor.page.keyboard.press("Escape")
    visitor.press("privacy")
    expect(visitor.page.get_by_role("dialog", name="Privacy")).to_contain_text("How long")
    for path, testid in {"": "start", "/learn": "words", "/rules": "rules"}.items():
        visitor.visit(f"g/kalooki{path}", testid)
        if not path:
            visitor.see("house-rules").locator("summary").click()
    visitor.press("other-edition")
    visitor.visit("g/kalooki/rulebook", "rules")


def test_columns_are_aligned(visitor: Visitor) -> None:
    row = '<tr><td>a</td><td class="center">b</td><td class="right">c</td></tr>'
    shown = {"title": "Loo", "html": f"<table><tbody>{row}</tbody></table>"}
    visitor.page.route("**/api/games/loo/rules", lambda route: route.fulfill(json=shown))
    visitor.visit("g/loo/rules", "rules")
    aligned = "all => all.map((cell) => getComputedStyle(cell).textAlign)"
    assert visitor.page.eval_on_selector_all("td", aligned) == ["start", "center", "end"]


def test_an_address_that_is_wrong_keeps_to_the_policy(visitor: Visitor) -> None:
    visitor.page.goto(f"{visitor.server.url}/nowhere/at/all")
    assert visitor.page.evaluate("getComputedStyle(document.body).margin") == "30px 16px"


def test_an_invitation_keeps_to_the_policy(visitor: Visitor) -> None:
    visitor.open("sixty-six", {}, open_seat=1)
    visitor.press("qr")
    expect(visitor.page.get_by_role("img", name="QR code").locator("path")).to_be_visible()


@pytest.mark.parametrize("slug", SLUGS)
def test_a_table_keeps_to_the_policy(visitor: Visitor, slug: str) -> None:
    rng = Random(1)
    visitor.open(slug, {})
    visitor.press("decline-lesson")
    for _ in range(3):
        now = visitor.wait()
        if now["end"]:
            break
        visitor.act(rng.choice(visitor.moves(now["seq"])))
    for panel in ("open-people", "open-scores", "open-rules", "open-settings"):
        if not visitor.see(panel).count():
            visitor.press("open-menu")
        visitor.press(panel)
        expect(visitor.see(panel.removeprefix("open-")).first).to_be_visible()
        visitor.page.keyboard.press("Escape")
        visitor.page.wait_for_function("() => !document.querySelector('dialog[open]')")


def test_a_finished_match_keeps_to_the_policy(visitor: Visitor, tmp_path: Path) -> None:
    visitor.open("oh-hell", {"max_cards": 1}, players=3)
    visitor.press("decline-lesson")
    rng = Random(1)
    while (now := visitor.wait())["end"] != "match":
        if now["end"]:
            visitor.go_on()
        else:
            visitor.act(rng.choice(visitor.moves(now["seq"])))
    visitor.press("deal-2", "watch-2")
    visitor.page.keyboard.press("ArrowRight")
    visitor.press("share", "qr")
    record = tmp_path / "match.json"
    record.write_text(json.dumps(play_out(random_match(games.load("sixty-six"), 3), Random(3)).record()))
    visitor.visit("", "play-sixty-six")
    visitor.see("bring").set_input_files(record)
    visitor.press("run", "open-review")
    expect(visitor.see("review")).to_be_visible()
