"""The table while somebody looks and points at it: nothing moves away, covers what is needed, or goes unexplained."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from playing_page import Person, Server
from playwright.sync_api import Browser, Route, expect
from recorded import NAMES, moments, scene_of, scenes
from stand_in import ENLARGED, FRAME, StandIn

from upcard import games
from upcard.table.scene import SceneView

pytestmark = [pytest.mark.browser, pytest.mark.long]

SMALL = (320, 568)
PHONE, SIDEWAYS, DESK = (390, 664), (844, 390), (1280, 720)
WHERE = (
    f"async () => {{ const drawn = {FRAME};"
    + """
  const button = document.querySelectorAll(".hand button")[2];
  const tops = () => [button, button.querySelector(".card")].map((node) => node.getBoundingClientRect().top);
  const places = [];
  for (let frame = 0; frame < 40; frame += 1) {
    await drawn();
    places.push(tops().join(" "));
  }
  return [...new Set(places.slice(10))].map((place) => place.split(" ").map(Number));
}"""
)
COVERED = """([box, kept]) => {
  const last = document.querySelector(`[data-testid=${box}]`).getBoundingClientRect();
  const meets = (node) => {
    const box = node.getBoundingClientRect();
    const beside = box.left > last.right - 1 || last.left > box.right - 1;
    return !beside && box.top < last.bottom - 1 && last.top < box.bottom - 1;
  };
  const others = [...document.querySelectorAll(kept)];
  return others.filter(meets).map((node) => node.dataset.testid ?? node.ariaLabel);
}"""
PLAY = ".seat.placed, .stage .trick .played, .moves button"
HAND = ".hand .card"
OWN = ".me .seat, .tools button, .corner"
GETTING_READY = "Hints are being prepared: this takes up to a minute, once"
UNREACHED = """(wanted) => {
  const free = (node) => {
    node.scrollIntoView({ block: "nearest" });
    const box = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
  };
  const shown = [...document.querySelectorAll(wanted)].filter((node) => node.checkVisibility());
  return shown.filter((node) => !free(node)).map((node) => node.dataset.testid ?? node.ariaLabel);
}"""
HIDDEN = """(wanted) => [...document.querySelectorAll(wanted)].filter((node) => {
  const box = node.getBoundingClientRect();
  const parts = [...Array(8).keys()].map((step) => (step + 0.5) / 8);
  const hits = (x, y) => node.contains(document.elementFromPoint(box.x + x * box.width, box.y + y * box.height));
  return !parts.some((x) => parts.some((y) => hits(x, y)));
}).map((node) => node.dataset.testid)"""
DIMMED = """() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
  const linear = (part) => (part <= 0.04 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const cards = [...document.querySelectorAll(".slot.idle .card")];
  const contrasts = cards.map((card) => {
    const [paper, ink] = [parts(getComputedStyle(card).backgroundColor), parts(getComputedStyle(card).color)];
    const share = Number(getComputedStyle(card.querySelector("svg")).opacity);
    return (light(paper) + 0.05) / (light(ink.map((part, at) => share * part + (1 - share) * paper[at])) + 0.05);
  });
  return [Math.min(...contrasts), cards.length];
}"""
LANDED = """() => {
  const endless = (motion) => motion.effect.getComputedTiming().endTime === Infinity;
  return document.getAnimations().every(endless);
}"""
BOUNDS = """() => {
  const all = [...document.querySelectorAll("a, button, .card")].filter((node) => node.checkVisibility());
  const boxes = all.map((node) => node.getBoundingClientRect());
  const [low, high] = [(side) => Math.min(...boxes.map(side)), (side) => Math.max(...boxes.map(side))];
  return [low((box) => box.left), low((box) => box.top), high((box) => box.right), high((box) => box.bottom)];
}"""
NOTED = """(() => {
  window.noted = [];
  const Real = window.Notification;
  window.Notification = class extends Real {
    constructor(title, options) { super(title, options); window.noted.push([title, options.body]); }
    close() { window.noted.push("closed"); super.close(); }
  };
})();"""


def scene_where(slug: str, players: int, wanted: Any) -> dict[str, Any]:
    return next(scene for _, scene in scenes(games.load(slug), players) if scene["seat"] is not None and wanted(scene))


def moments_where(slug: str, players: int, wanted: Callable[[SceneView], bool]) -> list[dict[str, Any]]:
    """At the beginning of a match, as whoever is to act sees it."""
    match = moments(games.load(slug), players, 0, "random", 100)
    told = (scene_of(now, now.to_act[0]) for now in match if now.to_act)
    return [msgspec.to_builtins(scene, enc_hook=str) for scene in told if wanted(scene)]


def late_in_a_deal(slug: str, players: int) -> dict[str, Any]:
    """A trick is being played, and one was finished before it."""
    found = scene_where(
        slug, players, lambda scene: any(z["role"] == "trick" and z.get("cards") for z in scene["zones"])
    )
    pack = [rank + suit for suit in "shdc" for rank in "AKQJ"]
    last = {"cards": pack[:players], "seats": list(range(players)), "taker": players - 1}
    return found | {"last_trick": last, "done": False}


@pytest.mark.parametrize(
    "size", [SMALL, (360, 640), PHONE, (375, 812), SIDEWAYS, ENLARGED], ids=lambda size: f"{size[0]}x{size[1]}"
)
def test_each_of_fifty_moves_can_be_pressed_and_leaves_the_table_in_sight(
    browser: Browser, size: tuple[int, int]
) -> None:
    scene = scene_where("roundup", 6, lambda scene: len(scene["offers"]["rows"]) > 9)
    card = scene["offers"]["rows"][0]["cards"][0]
    rows = [row["texts"] for row in scene["offers"]["rows"] if row["cards"] == [card]]
    page = StandIn(browser, size)
    page.sit(scene, NAMES)
    page.page.get_by_test_id(f"hand-{card}").click(position={"x": 12, "y": 12})
    covered = page.page.evaluate(UNREACHED, f"{OWN}, .moves button")
    tops, offered = [], []
    for row in rows:
        page.page.get_by_test_id(f"row-{row[0].rpartition(' ')[0]}").press("Enter")
        tops.append(page.page.locator(".lower").evaluate("(node) => node.offsetTop / node.parentNode.clientHeight"))
        expect(page.page.get_by_test_id(f"move-{row[0]}")).to_be_focused()
        offered.append(page.page.locator("[data-testid^=move-]").evaluate_all("all => all.map(b => b.dataset.testid)"))
        covered += page.page.evaluate(UNREACHED, f"{OWN}, .moves button")
        page.page.get_by_test_id("rows").click()
    page.close()
    assert len(rows) == 5
    assert offered == [[f"move-{text}" for text in row] for row in rows]
    assert covered == []
    assert size in (SIDEWAYS, ENLARGED) or min(tops) >= 0.25


def test_what_is_called_and_drawn_first_has_room_on_the_smallest_phone(browser: Browser) -> None:
    few = moments_where("kalooki", 5, lambda scene: sum(zone.role == "meld" for zone in scene.zones) < 3)
    told = [scene for scene in few if "take the upcard or draw" in scene["prompt"]]
    told += moments_where("cinch", 4, lambda scene: "bid at least" in scene.prompt)
    page = StandIn(browser, SMALL)
    page.sit(told[0], NAMES)
    found = []
    for scene in told:
        page.tell(scene, NAMES)
        page.settle()
        found += page.page.evaluate(HIDDEN, ".stage [data-testid^=target-], .moves button")
        found += page.page.evaluate(UNREACHED, OWN)
    page.close()
    assert len(told) > 3
    assert found == []


def test_what_one_has_laid_aside_says_whose_it_is_beside_what_others_have(browser: Browser) -> None:
    told = [scene for _, scene in scenes(games.load("ninety-nine"), 3) if scene["seat"] == 1]
    scene = next(scene for scene in told if any(zone["id"] == "bid-1" for zone in scene["zones"]))
    page = StandIn(browser, SMALL)
    page.sit(scene, NAMES)
    expect(page.page.locator(".stage .owner")).to_have_text(["Ann", "Ann", "You: bid 3"])
    expect(page.page.get_by_role("img", name="You: bid 3: king of diamonds", exact=False)).to_have_count(1)
    page.close()


@pytest.mark.parametrize("size", [SMALL, ENLARGED], ids=["small", "enlarged"])
def test_a_refusal_hides_nothing_that_may_be_chosen(browser: Browser, size: tuple[int, int]) -> None:
    refusal = {"type": "refused", "text": "One of your face-up cards fits: play one of those.", "clause": "RU-22"}
    told = moments_where("roundup", 6, lambda scene: "play a face-up card" in scene.prompt)
    page = StandIn(browser, size)
    page.sit(told[0], NAMES)
    found = []
    for scene in told:
        page.tell(scene, NAMES)
        page.page.evaluate("message => line.tell(message)", refusal)
        close = page.page.get_by_test_id("refusal").get_by_role("button", name="Close")
        expect(close).to_be_in_viewport(ratio=1)
        page.settle()
        found += page.page.evaluate(HIDDEN, "[data-testid^=zone-card-], .moves button")
        found += page.page.evaluate(COVERED, ["refusal", HAND])
        close.click()
        expect(page.page.get_by_test_id("refusal")).to_have_count(0)
    page.close()
    assert len(told) > 3
    assert found == []


@pytest.mark.parametrize("size", [SMALL, SIDEWAYS], ids=["small", "sideways"])
def test_a_button_for_many_cards_is_no_wider_than_its_column(browser: Browser, size: tuple[int, int]) -> None:
    scene = moments_where("klaberjass", 2, lambda scene: scene.phase == "play" and len(scene.hand) == 9)[0]
    page = StandIn(browser, size, {"confirm": True})
    page.sit(scene, NAMES)
    for card in scene["hand"]:
        page.page.get_by_test_id(f"hand-{card}").click(position={"x": 12, "y": 12})
    expect(page.page.get_by_test_id("try")).to_be_in_viewport(ratio=1)
    expect(page.page.get_by_test_id("ask-hint")).to_be_in_viewport(ratio=1)
    page.close()


def test_a_card_stays_under_a_pointer_and_shows_the_focus(browser: Browser) -> None:
    page = StandIn(browser, DESK)
    page.sit(scene_where("roundup", 4, lambda scene: len(scene["hand"]) > 6 and not scene["done"]), NAMES)
    box = page.page.locator(".hand button").nth(2).bounding_box()
    assert box is not None
    page.page.mouse.move(box["x"] + 10, box["y"] + box["height"] - 3)
    places = page.page.evaluate(WHERE)
    page.page.mouse.move(5, 5)
    third = page.page.locator(".hand button").nth(2)
    plain = third.screenshot()
    for key in ("h", "ArrowRight", "ArrowRight"):
        page.page.keyboard.press(key)
    focused = third.screenshot()
    page.close()
    assert places == [[box["y"], box["y"] - 6]]  # the card rises, what is pointed at stays
    assert focused != plain  # who plays with the keyboard sees where they are


def test_a_card_that_is_dragged_onto_the_table_is_played_and_one_that_is_dropped_in_the_hand_is_not(
    browser: Browser,
) -> None:
    page = StandIn(browser, DESK, {"animation": True, "pace": "normal"})
    scene = scene_where("sixty-six", 2, lambda scene: len(scene["offers"]["moves"]) > 4 and not scene["done"])
    page.sit(scene, NAMES)
    card = next(move["cards"][0] for move in scene["offers"]["moves"] if len(move["cards"]) == 1)
    held = page.page.get_by_test_id(f"hand-{card}")
    box, table = held.bounding_box(), page.page.locator(".stage").bounding_box()
    assert box is not None and table is not None
    found = []
    for x, y in [(box["x"] + 90, box["y"] + 30), (table["x"] + table["width"] / 2, table["y"] + table["height"] / 3)]:
        page.page.mouse.move(box["x"] + 8, box["y"] + 8)
        page.page.mouse.down()
        page.page.mouse.move(x, y, steps=4)
        page.page.mouse.up()
        page.page.wait_for_function(LANDED)
        found.append([told["text"] for told in page.page.evaluate("() => sent") if told["type"] == "move"])
        box = held.bounding_box() or box
    page.close()
    assert found == [[], [card]]


@pytest.mark.parametrize(
    ("size", "notch"), [(PHONE, {"top": 47, "bottom": 34}), (SIDEWAYS, {"left": 47, "right": 47, "bottom": 21})]
)
def test_nothing_lies_under_a_notch(browser: Browser, size: tuple[int, int], notch: dict[str, int]) -> None:
    page = StandIn(browser, size)
    page.context.new_cdp_session(page.page).send("Emulation.setSafeAreaInsetsOverride", {"insets": notch})
    page.sit(scene_where("oh-hell", 7, lambda scene: len(scene["hand"]) > 6), NAMES)
    page.settle()
    left, top, right, bottom = page.page.evaluate(BOUNDS)
    page.close()
    assert left >= notch.get("left", 0)
    assert top >= notch.get("top", 0)
    assert right <= size[0] - notch.get("right", 0)
    assert bottom <= size[1] - notch["bottom"]


def test_a_chosen_card_that_is_gone_is_not_chosen_any_more(browser: Browser) -> None:
    """As when somebody has the same seat open in a second window."""
    scene = moments_where("kalooki", 3, lambda scene: any(move.verb == "discard" for move in scene.offers.moves))[0]
    page = StandIn(browser, DESK, {"confirm": True})
    page.sit(scene, NAMES)
    single = [card for card in scene["hand"] if scene["hand"].count(card) == 1]
    for card in single[:2]:
        page.page.get_by_test_id(f"hand-{card}").click(position={"x": 12, "y": 12})
    chosen = page.page.locator(".hand button[aria-pressed=true]")
    expect(chosen).to_have_count(2)
    page.tell(scene | {"hand": [card for card in scene["hand"] if card != single[0]]}, NAMES)
    expect(chosen).to_have_count(1)
    expect(page.page.get_by_test_id(f"move-discard {single[1]}")).to_be_visible()
    page.close()


def test_cards_that_cannot_be_played_are_dimmed_and_can_be_read(browser: Browser) -> None:
    page = StandIn(browser, DESK, {"colours": 4})
    page.sit(
        scene_where("klaberjass", 2, lambda scene: 1 <= len(scene["offers"]["taps"]) < len(scene["hand"]) - 2), NAMES
    )
    least, dimmed = page.page.evaluate(DIMMED)
    page.close()
    assert dimmed > 2
    assert least > 3  # what large signs need (WCAG 1.4.11)


def test_whoever_wants_reduced_motion_sees_none(browser: Browser) -> None:
    page = StandIn(browser, DESK, {"animation": True, "pace": "normal"})
    page.page.emulate_media(reduced_motion="reduce")
    page.sit(scene_where("oh-hell", 5, lambda scene: len(scene["hand"]) > 6 and not scene["done"]), NAMES)
    moved = "() => getComputedStyle(document.querySelector('.hand button')).transitionDuration"
    still = page.page.evaluate(moved)
    page.page.emulate_media(reduced_motion="no-preference")
    page.page.wait_for_function("() => !document.documentElement.hasAttribute('data-still')")
    moves = page.page.evaluate(moved)
    page.close()
    assert {still} == {"0s"} != {moves}


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, DESK], ids=["phone", "sideways", "desk"])
def test_the_last_trick_covers_neither_seats_nor_the_trick_nor_buttons(browser: Browser, size: tuple[int, int]) -> None:
    page = StandIn(browser, size)
    page.sit(late_in_a_deal("rounds", 2), NAMES)
    found = {}
    bidding = scene_where("cinch", 4, lambda scene: len(scene["offers"]["moves"]) > 10 and not scene["hand"][9:])
    told = {slug: late_in_a_deal(slug, players) for slug, players in (("rounds", 2), ("oh-hell", 5), ("loo", 10))}
    for slug, scene in (told | {"cinch": bidding | {"last_trick": told["rounds"]["last_trick"]}}).items():
        page.tell(scene, NAMES)
        page.settle()
        page.page.keyboard.press("t")
        page.page.get_by_test_id("last-trick").wait_for()
        page.settle()
        found[slug] = page.page.evaluate(COVERED, ["last-trick", PLAY])
        page.page.keyboard.press("Escape")
    faults = page.faults
    page.close()
    assert found == {"rounds": [], "oh-hell": [], "loo": [], "cinch": []}
    assert faults == []


def test_a_hint_that_gets_ready_is_waited_for_and_covers_nothing_of_the_play(browser: Browser) -> None:
    page = StandIn(browser, PHONE)
    page.sit(late_in_a_deal("sixty-six", 2), NAMES)
    moves = [{"text": f"{rank}h", "label": f"{rank}♥", "says": "worse", "worse": True} for rank in "AKQJ"]
    ready = {"seq": 9, "headline": "K♥: about 2.1 points better than Q♥, fairly sure", "moves": moves}
    answers: list[tuple[int, dict[str, Any]]] = [(202, {"says": "Hints are being prepared"})]

    def answer(route: Route) -> None:
        status, told = answers[-1]
        route.fulfill(status=status, json=told)

    page.page.route("**/hint", answer)
    page.page.keyboard.press("i")
    expect(page.page.get_by_test_id("hint")).to_contain_text("Hints are being prepared…")
    answers.append((200, ready))
    expect(page.page.get_by_test_id("hint")).to_contain_text("fairly sure")
    page.settle()
    covered = page.page.evaluate(
        COVERED, ["hint", f"{PLAY}, {HAND}"]
    )  # on a phone the other moves are told when they are asked for
    page.page.get_by_role("button", name="All moves").click()
    expect(page.page.get_by_test_id("hint").get_by_role("listitem")).to_have_count(4)
    faults = page.faults
    page.close()
    assert (covered, faults) == ([], [])


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS], ids=["phone", "sideways"])
def test_what_says_that_hints_get_ready_leaves_the_own_plate_and_buttons_free(
    browser: Browser, size: tuple[int, int]
) -> None:
    page = StandIn(browser, size)
    page.page.route("**/hint", lambda route: route.fulfill(status=202, json={"says": GETTING_READY}))
    page.sit(late_in_a_deal("sixty-six", 2), NAMES)
    found = {}
    for slug, players in (("sixty-six", 2), ("oh-hell", 5), ("rounds", 2), ("klaberjass", 2)):
        page.tell(late_in_a_deal(slug, players), NAMES)
        expect(page.page.get_by_test_id("hint")).to_have_count(0)
        page.page.keyboard.press("i")
        expect(page.page.get_by_test_id("hint")).to_contain_text(GETTING_READY)
        page.settle()
        found[slug] = page.page.evaluate(COVERED, ["hint", f"{OWN}, {HAND}"])
        page.page.keyboard.press("Escape")
    faults = page.faults
    page.close()
    assert found == {"sixty-six": [], "oh-hell": [], "rounds": [], "klaberjass": []}
    assert faults == []


def play_a_card(person: Person) -> None:
    """At the end of a deal in the next one."""
    now = person.wait()
    if now["end"]:
        person.go_on()
        now = person.wait()
    person.act(next(move for move in person.moves(now["seq"]) if not move.verb))


def test_whoever_looks_at_something_else_is_notified_of_their_turn(browser: Browser, server: Server) -> None:
    with Person(browser, server, "Ann", notify=True) as ann:
        ann.context.grant_permissions(["notifications"], origin=server.url)
        ann.context.add_init_script(NOTED)
        ann.open("sixty-six", {})
        play_a_card(ann)
        ann.wait()
        assert ann.page.evaluate("() => window.noted") == []  # there is no need to tell a person who sees the table
        ann.page.evaluate("() => Object.defineProperty(document, 'hidden', { configurable: true, value: true })")
        for _ in range(20):
            play_a_card(ann)
            ann.wait()
            if ann.page.evaluate("() => window.noted.length"):
                break  # else it has stayed her turn, because she took the trick
        play_a_card(ann)
        ann.page.wait_for_function("() => window.noted.length > 1")
        assert ann.page.evaluate("() => window.noted.slice(0, 2)") == [["Your turn", "Sixty-Six"], "closed"]
        assert ann.faults == []
