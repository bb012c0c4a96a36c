"""axe finds no fault on any page or panel, contrast included: light, dark and with four-colour suits."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, expect
from recorded import NAMES, scenes
from stand_in import StandIn

from upcard import games
from upcard.house import rulebook

pytestmark = [pytest.mark.browser, pytest.mark.long]

AXE = Path(__file__).parents[2] / "page" / "node_modules" / "axe-core" / "axe.min.js"
LOOK = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  const told = (id, { target, any }) => `${id}: ${target.join(" ")} ${any[0]?.message ?? ""}`;
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => told(id, node)));
}"""
SIZES = {"desk": (1280, 720), "phone": (390, 664), "sideways": (844, 390)}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"theme": "light"},
    "dark": {"theme": "dark"},
    "four colours": {"theme": "dark", "colours": 4, "face": "large"},
}
PROPOSED = {"asked": {"seat": 1, "what": "abandon", "agreed": [1], "waits_for": [0]}, "may": ["answer", "leave"]}


class Watched(StandIn):
    """A table, looked at after everything that is done to it."""

    faults_seen: dict[str, list[str]]

    def begin(self, scene: dict[str, Any]) -> None:
        self.faults_seen = {}
        game = games.load(scene["game"])
        self.answers[f"games/{game.slug}/rules"] = msgspec.to_builtins(rulebook.rules_page(game()), enc_hook=str)
        self.sit(scene, NAMES)
        self.page.add_script_tag(path=AXE)
        self.look("the table")

    def look(self, what: str) -> None:
        self.settle()
        if found := self.page.evaluate(LOOK):
            self.faults_seen[what] = found

    def say(self, what: str, **message: Any) -> None:
        self.page.evaluate("message => line.tell(message)", message)
        self.look(what)

    def advise(self, scene: dict[str, Any]) -> None:
        """Ask for a hint; the best move is marked."""
        best, *others = [{"text": one["text"], "label": one["label"]} for one in scene["offers"]["moves"]]
        moves = [best | {"says": "best", "worse": False}]
        moves += [other | {"says": "about 2.1 points worse (± 0.8), fairly sure", "worse": True} for other in others]
        headline = f"{best['label']}: about 2.1 points better than anything else, fairly sure"
        self.answers["tables/gate/hint"] = {"seq": 9, "headline": headline, "moves": moves}
        self.tell(scene, NAMES)
        self.page.get_by_test_id("ask-hint").wait_for()
        self.page.keyboard.press("i")
        self.page.get_by_text(headline.split(": ")[1]).wait_for()
        expect(self.page.locator(f"[data-testid=hand-{best['text']}] .advised")).to_have_count(1)
        self.look("a hint")
        self.page.keyboard.press("Escape")
        expect(self.page.locator(".advised")).to_have_count(0)

    def press(self, what: str) -> None:
        if not self.page.get_by_test_id(what).count():
            self.page.get_by_test_id("open-menu").click()
        self.page.get_by_test_id(what).click()
        opened = "seat-card" if what.startswith("seat") else what.removeprefix("open-")
        expect(self.page.get_by_test_id(opened).first).to_be_visible()
        self.look(what)
        self.page.keyboard.press("Escape")
        self.page.wait_for_function("() => !document.querySelector('dialog[open]')")  # which keys would go to


@pytest.fixture(scope="module", autouse=True)
def fetched() -> None:
    if not AXE.is_file():
        pytest.skip("no axe-core: page/check fetches it")


def scene_where(slug: str, players: int, wanted: str, done: bool = False) -> dict[str, Any]:
    """The first kept scene of a player that has something of this kind."""
    told = [scene for _, scene in scenes(games.load(slug), players) if scene["seat"] is not None]
    return next(scene for scene in told if scene[wanted] and scene["done"] is done)


@pytest.mark.parametrize(
    ("size", "look"), [("desk", "light"), ("desk", "four colours"), ("phone", "dark"), ("sideways", "light")]
)
def test_the_table_and_its_panels_have_no_fault(browser: Browser, size: str, look: str) -> None:
    page = Watched(browser, SIZES[size], LOOKS[look])
    page.begin(scene_where("klaberjass", 2, "last_trick"))
    for panel in ("people", "scores", "log", "rules"):
        page.press(f"open-{panel}")
    page.press("open-settings")
    page.advise(next(scene for _, scene in scenes(games.load("klaberjass"), 2) if scene["offers"]["taps"]))
    page.press("seat-1")
    page.say("a refusal", type="refused", id="", text="You have ♠, so you must follow suit.", clause="KL-12")
    page.say("a reminder", type="nudge", by=1)
    page.say("a broken server", type="notice", kind="trouble", text="The table cannot be written just now.")
    ended = scene_where("klaberjass", 2, "done", done=True)
    told = page.welcome(ended, NAMES)
    page.say(
        "a proposal", **told | {"table": told["table"] | PROPOSED, "scene": scene_where("ninety-nine", 3, "offers")}
    )
    page.say("the end", **told)
    found, faults = page.faults_seen, page.faults
    page.close()
    assert found == {}
    assert faults == []
