"""At a table in a browser, besides playing: joining by link, mistakes, reloading, the keyboard, lost connections."""

import base64
import re
from pathlib import Path

import pytest
from playing_page import PHONE, Person, Server
from playwright.sync_api import Browser, expect

from upcard.rules import cards

pytestmark = pytest.mark.browser

READER = Path(__file__).parents[2] / "page" / "node_modules" / "jsqr" / "dist" / "jsQR.js"
FOCUSED = "() => document.activeElement?.dataset.testid ?? ''"
READ = """async (picture) => {
  const image = new Image();
  image.src = picture;
  await image.decode();
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  return jsQR(canvas.getImageData(0, 0, width, height).data, width, height)?.data ?? null;
}"""


def until_focused(person: Person, start: str) -> None:
    """Wait until the focus is on something whose test id begins like this."""
    person.page.wait_for_function(f"start => ({FOCUSED})().startsWith(start)", arg=start)


def hand_of(person: Person) -> list[str]:
    """The cards that the page shows as one's hand."""
    ids = person.page.eval_on_selector_all("[data-testid^=hand-]", "nodes => nodes.map((node) => node.dataset.testid)")
    return [name.removeprefix("hand-") for name in ids]


def read_code(person: Person) -> str | None:
    """What the camera of a phone reads in the code that is shown."""
    if not READER.is_file():
        pytest.skip("no jsqr: page/check fetches it")
    code = base64.b64encode(person.page.get_by_role("img", name=re.compile("QR code")).screenshot()).decode()
    camera = person.context.new_page()
    camera.add_script_tag(path=READER)
    read: str | None = camera.evaluate(READ, f"data:image/png;base64,{code}")
    camera.close()
    return read


def until_shown(person: Person, seq: int) -> None:
    person.page.wait_for_function(
        "seq => Number(document.querySelector('[data-testid=scene]')?.dataset.seq) >= seq", arg=seq
    )


def sees_nothing_of(person: Person, seat: int, held: list[str], seq: int) -> None:
    """Neither this event's message nor the page has these cards, except those that lie open."""
    message = next(one for one in reversed(person.heard) if one.get("seq") == seq and one["type"] != "accepted")
    hidden = set(held) - set(person.scenes[seq].seats[seat].open)
    page = person.page.content()
    for text in hidden:
        card = cards.read(text)
        assert card is not None
        assert f'"{text}"' not in str(message).replace("'", '"')
        for trace in (f'"{text}"', f"hand-{text}", cards.sign(card)):
            assert trace not in page, f"{trace} at event {seq}"


def test_two_people_sit_by_link_and_see_only_their_own_cards(ann: Person, bo: Person) -> None:
    ann.open("sixty-six", {"target": 1}, open_seat=1)
    link = ann.see("link").input_value()
    assert link.startswith(f"{ann.server.url}/t/")
    ann.see("qr").click()
    assert read_code(ann) == link
    bo.page.goto(link)
    bo.see("sit").click()
    for person in (ann, bo):
        expect(person.page.locator("[data-testid^=hand-]")).to_have_count(6)
    seq = max(bo.scenes)
    for _ in range(8):
        for person in (ann, bo):
            until_shown(person, seq)
        hands = [hand_of(ann), hand_of(bo)]
        assert all(hands)
        assert not {*hands[0]} & {*hands[1]}
        sees_nothing_of(bo, 0, hands[0], seq)
        sees_nothing_of(ann, 1, hands[1], seq)
        mover = ann if ann.see("scene").get_attribute("data-to-act") == "0" else bo
        seq = mover.wait()["seq"]
        plays = [move for move in mover.moves(seq) if move.verb == ""]
        mover.act(plays[0])
        seq += 1


def test_who_only_watches_sees_no_hand(ann: Person, bo: Person) -> None:
    ann.open("sixty-six", {"target": 1})
    seq = ann.wait()["seq"]
    bo.page.goto(ann.page.url)
    until_shown(bo, seq)
    assert hand_of(bo) == []
    sees_nothing_of(bo, 0, hand_of(ann), seq)


def test_an_illegal_click_is_refused_with_its_clause_which_opens_the_rules(ann: Person) -> None:
    ann.open("oh-hell", {"order": "down"})
    while True:  # the first deals are large: soon there is a card that does not follow suit
        now = ann.wait()
        scene, moves = ann.scenes[now["seq"]], ann.moves(now["seq"])
        illegal = sorted({*scene.hand} - {card for move in moves for card in move.cards})
        if now["phase"] == "play" and illegal:
            break
        ann.go_on() if now["end"] else ann.act(moves[0])
    ann.see(f"hand-{illegal[0]}").click(position={"x": 12, "y": 12})
    expect(ann.see("refusal")).to_be_visible()
    clause = ann.see("refusal-clause").inner_text()
    assert re.fullmatch(r"OH-\d+", clause)
    assert sorted(hand_of(ann)) == sorted(scene.hand)
    ann.see("refusal-clause").click()
    rule = ann.page.locator(f"#{clause}")
    expect(rule).to_be_in_viewport()
    assert rule.inner_text()
    ann.act(moves[0])
    expect(ann.see("refusal")).to_have_count(0)
    ann.wait()


def test_what_a_sheet_on_a_phone_holds_gives_it_its_height(ann: Person) -> None:
    """Of a share of a height that is not fixed, as `flex: 1` asks for, WebKit makes nothing."""
    ann.resize(PHONE)
    ann.open("oh-hell", {"order": "down"})
    ann.wait()
    for which in ("scores", "log", "rules"):
        ann.see("open-menu").click()
        ann.see(f"open-{which}").click()
        body = ann.page.locator("dialog.sheet > :last-child")
        expect(body).to_be_visible()
        assert body.evaluate("node => getComputedStyle(node).flexBasis") == "auto", which
        ann.page.keyboard.press("Escape")
        expect(ann.page.locator("dialog.sheet")).to_have_count(0)


@pytest.mark.parametrize("on_phone", [False, True], ids=["desk", "phone"])
def test_a_reload_in_the_middle_of_a_trick_keeps_the_place(ann: Person, on_phone: bool) -> None:
    if on_phone:
        ann.resize(PHONE)
    ann.open("rounds", {})
    while True:
        now = ann.wait()
        lying = ann.page.locator(".trick [data-card]")
        if lying.count():
            break
        ann.act(ann.moves(now["seq"])[0])
    before = hand_of(ann), lying.first.get_attribute("data-card"), ann.see("prompt").inner_text()
    ann.page.reload()
    again = ann.wait()
    assert again == now
    assert (hand_of(ann), lying.first.get_attribute("data-card"), ann.see("prompt").inner_text()) == before
    ann.act(ann.moves(now["seq"])[0])
    assert ann.wait()["seq"] > now["seq"]


def test_tricks_are_played_with_the_keyboard_alone(ann: Person) -> None:
    keyboard = ann.page.keyboard

    def tab_to(testid: str) -> None:
        for _ in range(80):
            if ann.page.evaluate("() => document.activeElement?.dataset.testid") == testid:
                return
            keyboard.press("Tab")
        raise AssertionError(f"{testid} is not reached with the Tab key")

    ann.page.goto(ann.server.url)
    expect(ann.see("game-sixty-six")).to_be_visible()
    tab_to("game-sixty-six")
    keyboard.press("Enter")
    expect(ann.see("start")).to_be_visible()
    tab_to("start")
    keyboard.press("Enter")
    ann.wait()
    keyboard.press("h")
    for _ in range(3):
        now = ann.wait()
        if now["end"]:  # somebody was quick: the button to go on has the focus
            until_focused(ann, "continue")
            keyboard.press("Enter")
            now = ann.wait()
        may = {f"hand-{card}" for move in ann.moves(now["seq"]) for card in move.cards}
        until_focused(ann, "hand-")
        for _ in range(12):
            keyboard.press("ArrowRight")
            if ann.page.evaluate(FOCUSED) in may:  # if somebody has closed the stock, suit must be followed
                break
        keyboard.press("Enter")
        if ann.see("clear").count():  # a card of a marriage may be shown with the other one: its button plays it alone
            keyboard.press("a")
            keyboard.press("Enter")
        until_shown(ann, now["seq"] + 1)
        ann.wait()
    keyboard.press("r")
    expect(ann.page.get_by_role("complementary", name="Rules")).to_be_visible()
    keyboard.press("Escape")
    expect(ann.page.get_by_role("complementary", name="Rules")).to_have_count(0)


def test_the_page_comes_back_when_the_server_was_gone(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        with Person(browser, server, "Ann") as ann:
            ann.open("sixty-six", {})
            now = ann.wait()
            hand = hand_of(ann)
            server.kill()
            expect(ann.see("banner")).to_contain_text("Reconnecting")
            assert hand_of(ann) == hand
            ann.act(ann.moves(now["seq"])[0])  # said into the dead line, and again when it is back
            server.start()
            until_shown(ann, now["seq"] + 1)
            expect(ann.see("banner")).to_have_count(0)
            ann.wait()
            assert not [message for message in ann.heard if message["type"] == "refused"]
    finally:
        server.kill()


def test_a_table_that_does_not_exist_is_said_so(browser: Browser, server: Server) -> None:
    with Person(browser, server, "Ann") as ann:
        ann.page.goto(f"{server.url}/t/nosuchtable")
        expect(ann.page.get_by_role("alert")).to_contain_text("no such table")


def test_a_short_match_is_one_click(ann: Person) -> None:
    ann.page.goto(ann.server.url)
    ann.see("game-oh-hell").click()
    ann.see("short").check()
    expect(ann.see("option-max_cards")).to_have_value("5")
    ann.see("start").click()
    ann.wait()
    assert ann.heard[0]["table"]["options"]["max_cards"] == 5


def test_a_deal_is_set_up_by_the_form(ann: Person) -> None:
    ann.page.goto(ann.server.url)
    ann.see("game-sixty-six").click()
    ann.see("set-up").locator("summary").click()
    ann.see("given").fill("0=2s")
    ann.see("start").click()
    expect(ann.page.get_by_role("alert")).to_have_text("2♠ is not in the pack")
    ann.faults.clear()  # browsers report the answer 422
    ann.see("given").fill("0=As Ts; upcard=Kd")
    ann.see("start").click()
    expect(ann.see("brought")).to_have_text("A deal that somebody set up: it counts in no statistics")
    expect(ann.see("hand-As")).to_be_visible()
    expect(ann.see("hand-Ts")).to_be_visible()


def test_the_game_as_its_author_wrote_it_is_one_click(ann: Person) -> None:
    ann.page.goto(ann.server.url)
    ann.see("game-loo").click()
    expect(ann.page.get_by_text("Flush pays: all, usually in")).to_be_visible()
    ann.see("author").check()
    ann.see("house-rules").locator("summary").click()
    expect(ann.see("option-flush_pays")).to_have_value("all")
    ann.see("author-why").click()
    expect(ann.page.get_by_text("As the author wrote it: flush_pays at all")).to_be_visible()


def test_a_table_that_is_zoomed_in_on_four_times_is_scrolled(ann: Person) -> None:
    """A window of 1280 by 1024 then has 320 by 256: everything lies inside it, and no plate lies on the hand."""
    ann.open("ninety-nine", {})
    ann.wait()
    ann.resize({"width": 320, "height": 256})
    expect(ann.page.get_by_role("button", name="Menu")).to_be_in_viewport(ratio=1)
    for card in hand_of(ann):
        one = ann.see(f"hand-{card}")
        one.scroll_into_view_if_needed()
        expect(one).to_be_in_viewport()
        one.click(trial=True, position={"x": 10, "y": 10})  # the next card lies over the rest
