"""What a screen reader reads out on the page, and where the keyboard focus is."""

import re
from random import Random

import msgspec
import pytest
from playing_page import PHONE, Person
from playwright.sync_api import Browser, expect
from recorded import NAMES, scene_of, scenes
from stand_in import StandIn

from upcard import Match, games
from upcard.players import player

pytestmark = [pytest.mark.browser, pytest.mark.long]

FOCUSED = "() => document.activeElement?.dataset.testid || document.activeElement?.tagName"
HEARD = """() => {
  window.heard = [];
  const told = (node) => node.nodeType === 1 && node.textContent.trim() && heard.push(node.textContent.trim());
  const region = document.querySelector("[data-testid=spoken]");
  const seen = new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach(told)));
  seen.observe(region, { childList: true });
}"""


def has_focus(person: Person, what: str) -> None:
    person.page.wait_for_function(f"what => ({FOCUSED})() === what", arg=what)


def press(person: Person, what: str) -> None:
    """With the keyboard, which goes where the focus is."""
    person.see(what).focus()
    person.page.keyboard.press("Enter")


@pytest.mark.parametrize(("slug", "players"), [("klaberjass", 2), ("kalooki", 5), ("ninety-nine", 3), ("oh-hell", 5)])
def test_every_card_and_suit_is_called_by_its_name(browser: Browser, slug: str, players: int) -> None:
    told = [scene for _, scene in scenes(games.load(slug), players)][:6]
    page = StandIn(browser, (1280, 720))
    page.sit(told[0], NAMES)
    found = []
    for scene in told:
        page.tell(scene, NAMES)
        page.settle()
        found += re.findall(r".*[♠♥♦♣].*", page.page.locator("body").aria_snapshot())
        piles = page.page.locator("[data-testid^=zone-]:not(:has(button))[role=group]")
        expect(piles).to_have_count(0)  # a group in which nothing can be pressed is passed over
    page.close()
    assert found == []


def test_what_happens_is_told_once_and_so_are_cards_that_are_drawn(ann: Person) -> None:
    for _ in range(20):
        ann.open("sixty-six", {})
        now = ann.wait()
        if not any("closed" in zone.label for zone in ann.scenes[now["seq"]].zones):
            break  # else the opponent has closed the stock with the first lead: then no card is drawn
    ann.page.evaluate(HEARD)
    before = ann.scenes[now["seq"]].hand
    ann.act(next(move for move in ann.moves(now["seq"]) if not move.verb))
    expect(ann.see("spoken")).to_contain_text("New in your hand")
    after = ann.scenes[ann.wait()["seq"]].hand
    heard = ann.page.evaluate("() => heard")
    plays = [line for line in heard if line.startswith("You play")]
    assert len(plays) == 1
    assert re.match(r"You play \w+ of \w+", plays[0])
    assert len([line for line in heard if line.startswith("New in your hand")]) == len({*after} - {*before}) == 1
    assert not re.search("[♠♥♦♣]", "".join(heard))


def test_a_key_is_no_part_of_a_button_s_name_and_letters_can_be_given_up(browser: Browser) -> None:
    told = [scene for _, scene in scenes(games.load("klaberjass"), 2)]
    page = StandIn(browser, (1280, 720))
    page.sit(next(scene for scene in told if scene["last_trick"] and not scene["done"]), NAMES)
    names = page.page.locator("button:has(kbd)").evaluate_all("all => all.map((one) => one.ariaLabel ?? '')")
    assert len(names) > 2
    for name in ("Scores", "Log", "Rules", "Last trick"):
        expect(page.page.get_by_role("button", name=name, exact=True)).to_have_count(1)
    page.page.keyboard.press("s")
    page.page.get_by_role("checkbox", name="Single letters are shortcuts").uncheck()
    expect(page.page.get_by_test_id("settings")).not_to_contain_text("last trick")
    page.page.keyboard.press("Escape")
    for letter in "lprsti":
        page.page.keyboard.press(letter)
    expect(page.page.locator("aside, dialog[open], [data-testid=last-trick]")).to_have_count(0)
    expect(page.page.locator("button kbd")).to_have_count(0)
    page.close()


def test_the_focus_is_never_lost(ann: Person) -> None:
    keyboard = ann.page.keyboard
    ann.page.goto(ann.server.url)
    press(ann, "game-klaberjass")
    ann.see("start").wait_for()
    has_focus(ann, "H1")
    press(ann, "open-learn")
    ann.see("words").wait_for()
    press(ann, "leave-lesson")
    ann.see("start").wait_for()
    has_focus(ann, "H1")
    press(ann, "start")
    ann.wait()
    has_focus(ann, "H1")
    keyboard.press("h")
    ann.page.wait_for_function(f"() => ({FOCUSED})().startsWith('hand-')")
    card = ann.page.evaluate(FOCUSED)
    keyboard.press("r")
    has_focus(ann, "rules")
    keyboard.press("Escape")
    has_focus(ann, card)
    press(ann, "open-people")
    press(ann, "concede")
    has_focus(ann, "question-no")
    keyboard.press("Enter")
    has_focus(ann, "concede")
    keyboard.press("Escape")
    has_focus(ann, "open-people")
    ann.resize(PHONE)
    for panel in ("log", "settings"):
        press(ann, "open-menu")
        press(ann, f"open-{panel}")
        expect(ann.see("open-people")).to_have_count(0)  # the menu has gone
        expect(ann.see(panel)).to_be_visible()
        keyboard.press("Escape")
        has_focus(ann, "open-menu")


def test_who_takes_a_move_back_with_the_keyboard_goes_on_at_the_hand(ann: Person) -> None:
    ann.open("rounds", {})
    before = ann.wait()["seq"]
    ann.act(ann.moves(before)[0])
    ann.wait()
    press(ann, "undo")
    expect(ann.see("undo")).to_have_count(0)
    expect(ann.page.locator("[data-testid^=hand-]:focus")).to_have_count(1)


def test_an_empty_hand_keeps_the_focus_for_the_next_deal(browser: Browser) -> None:
    match = Match("oh-hell", 3, options={"max_cards": 1, "order": "down"}, chance=Random(6))
    page = StandIn(browser, (1280, 720))
    for bid in ("bid 0", "bid 0", "bid 0"):
        match.play(match.to_act[0], bid)
    seat = match.to_act[0]
    page.sit(msgspec.to_builtins(scene_of(match, seat), enc_hook=str), NAMES)
    page.page.keyboard.press("h")
    page.page.wait_for_function(f"() => ({FOCUSED})().startsWith('hand-')")
    before = scene_of(match, seat)
    for seq, hand in enumerate(([], before.hand), 10):
        told = {"type": "event", "seq": seq, "base": seq - 1, "changes": {"hand": hand}, "oldest": 0}
        page.page.evaluate("message => line.tell(message)", told | {"log": {"seq": seq, "text": f"Event {seq}"}})
        focused = "document.activeElement?.closest('[data-anchor=hand]')?.dataset.count"
        page.page.wait_for_function(f"count => {focused} === count", arg=str(len(hand)))
    page.page.wait_for_function(f"() => ({FOCUSED})().startsWith('hand-')")
    page.close()


def test_the_moves_may_be_cards_on_the_table(browser: Browser) -> None:
    """The dealer of Cinch takes cards of the stub, for which there are no buttons."""
    match, casual = Match("cinch", chance=Random(6)), player("casual")
    while match.phase != "rob":
        match.play(match.to_act[0], casual.choose(match.view(match.to_act[0]), Random(1)))
    page = StandIn(browser, (1280, 720))
    page.sit(msgspec.to_builtins(scene_of(match, match.to_act[0]), enc_hook=str), NAMES)
    page.page.keyboard.press("a")
    page.page.wait_for_function(f"() => ({FOCUSED})().startsWith('zone-card-')")
    page.close()


def test_the_focus_comes_back_to_a_result(ann: Person) -> None:
    ann.open("sixty-six", {})
    while not (now := ann.wait())["end"]:
        ann.act(ann.moves(now["seq"])[0])
    for letter, read in (("r", "rules"), ("s", "settings")):
        has_focus(ann, "continue")
        ann.page.keyboard.press(letter)
        ann.see(read).locator(":focus").or_(ann.see(read).and_(ann.page.locator(":focus"))).wait_for()
        ann.page.keyboard.press("Escape")
        expect(ann.see(read)).to_be_hidden()
    has_focus(ann, "continue")
