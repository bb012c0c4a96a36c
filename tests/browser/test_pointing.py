"""The table points at what can be done now, makes the only move if that gives nothing away, and names what decides."""

from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, expect
from recorded import NAMES, moments, scene_of
from stand_in import StandIn

from upcard import games
from upcard.table.changes import scene_changes
from upcard.table.offers import Move, Offers
from upcard.table.scene import SceneView

pytestmark = pytest.mark.browser

DESK = (1280, 720)
SENT = "() => window.sent.filter(({ type }) => type === 'move').map(({ text }) => text)"


def first(slug: str, players: int, wanted: Any, most: int = 400) -> SceneView:
    found = (scene_of(match, 0) for match in moments(games.load(slug), players, 3, "heuristic", most))
    return next(scene for scene in found if wanted(scene))


def table(browser: Browser, scene: SceneView, *, stopped: bool = False, **settings: Any) -> StandIn:
    """A table, `stopped` with a clock that stands still: then a moment lasts until a key ends it."""
    page = StandIn(browser, DESK, {"pace": "normal"} | settings)
    if stopped:
        page.stop_clock()
    page.sit(msgspec.to_builtins(scene, enc_hook=str), NAMES)
    return page


def tell(page: StandIn, scene: SceneView, after: SceneView, utterances: list[dict[str, Any]]) -> None:
    changes = msgspec.to_builtins(scene_changes(scene, after), enc_hook=str)
    event = {"type": "event", "seq": 10, "base": 9, "changes": changes, "log": {"seq": 10, "text": "?"}, "oldest": 0}
    page.page.evaluate("message => line.tell(message)", event | {"utterances": utterances})


def test_what_can_be_chosen_on_the_table_glows_and_is_pointed_at(browser: Browser) -> None:
    """Face-up cards of Roundup!: those that fit, and no others."""
    scene = first("roundup", 4, lambda scene: 0 in scene.to_act and "face-up card that fits" in scene.prompt)
    page = table(browser, scene)
    fitting = sorted(card for move in scene.offers.moves for card in move.cards)
    glowing = page.page.locator(".glows.pointed")
    expect(glowing).to_have_count(len(fitting))
    shown = page.page.eval_on_selector_all(".glows [data-card]", "nodes => nodes.map((node) => node.dataset.card)")
    assert sorted(shown) == fitting
    page.close()


def test_nothing_is_pointed_at_as_long_as_the_hand_can_play(browser: Browser) -> None:
    page = table(browser, first("sixty-six", 2, lambda scene: 0 in scene.to_act and scene.hand))
    expect(page.page.locator(".hand")).to_be_visible()
    expect(page.page.locator(".pointed")).to_have_count(0)
    page.close()


def attack(rank: str) -> SceneView:
    """A scene of Roundup! in which one may demand a card of another seat with a court card of this rank."""
    return first(
        "roundup", 4, lambda scene: any(move.seat and move.cards[0][0] == rank for move in scene.offers.moves), 2000
    )


@pytest.mark.parametrize(("rank", "more"), [("J", 0), ("Q", 4)])
def test_a_choice_of_a_seat_is_made_at_its_plate(browser: Browser, rank: str, more: int) -> None:
    scene = attack(rank)
    move = next(move for move in scene.offers.moves if move.seat and move.cards[0][0] == rank)
    page = table(browser, scene)
    plate = page.page.get_by_test_id(f"seat-{move.seat}")
    expect(page.page.locator(".seat.pointed")).to_have_count(0)
    page.page.get_by_test_id(f"hand-{move.cards[0]}").click()
    seats = {other.seat for other in scene.offers.moves if other.cards == move.cards}
    expect(page.page.locator(".seat.pointed")).to_have_count(len(seats))
    plate.get_by_role("button").click()
    if more:  # the suit is still to be said
        row = page.page.locator(".moves .row")
        expect(row).to_have_count(1)
        choices = [other.text for other in scene.offers.moves if (other.cards, other.seat) == (move.cards, move.seat)]
        expect(row.locator("button")).to_have_count(len(choices))
        page.page.get_by_test_id(f"move-{choices[-1]}").click()
        assert page.page.evaluate(SENT) == [choices[-1]]
    else:
        assert page.page.evaluate(SENT) == [move.text]
    page.close()


def only(scene: SceneView, move: Move, forced: str = "") -> SceneView:
    return msgspec.structs.replace(scene, offers=Offers([move], forced=forced))


PASS = Move("pass", "pass", "Pass")


@pytest.mark.parametrize(("wish", "sent"), [("passes", ["pass"]), ("never", [])])
def test_a_pass_that_is_the_only_move_is_made_if_one_wishes(browser: Browser, wish: str, sent: list[str]) -> None:
    scene = first("roundup", 3, lambda scene: 0 in scene.to_act)
    page = table(browser, only(scene, PASS), forced=wish)
    if sent:  # after a second, when the button goes
        page.page.wait_for_function(f"() => ({SENT})().length > 0")
    else:
        expect(page.page.get_by_test_id("move-pass")).to_be_visible()
        expect(page.page.locator(".running")).to_have_count(0)
    assert page.page.evaluate(SENT) == sent
    page.close()


def test_what_decides_has_a_moment_that_a_key_ends(browser: Browser) -> None:
    scene = first("sixty-six", 2, lambda scene: 0 in scene.to_act and scene.hand)
    page = table(browser, scene, stopped=True, animation=True)
    after = msgspec.structs.replace(scene, headline="?")
    spoken = [("declare", "Forty"), ("points", "+40"), ("highlight", "Marriage in hearts")]
    tell(page, scene, after, [{"seat": 1, "kind": kind, "text": text} for kind, text in spoken])
    page.draw_stopped()
    moment = page.page.get_by_test_id("moment")
    expect(moment).to_contain_text("Marriage in hearts")
    expect(moment).to_contain_text("+40")
    expect(page.page.get_by_test_id("bubble")).not_to_contain_text("Marriage")
    assert moment.evaluate("node => getComputedStyle(node).pointerEvents") == "none"
    page.page.keyboard.press("x")
    expect(moment).to_have_count(0)
    page.close()


def test_a_quick_player_sees_no_moments_and_a_still_one_sees_them_fade(browser: Browser) -> None:
    scene = first("sixty-six", 2, lambda scene: 0 in scene.to_act and scene.hand)
    after = msgspec.structs.replace(scene, headline="?")
    highlight = [{"seat": 1, "kind": "highlight", "text": "The stock is closed"}]
    quick = table(browser, scene, pace="instant")
    tell(quick, scene, after, highlight)
    quick.page.wait_for_function("() => document.querySelector('[data-testid=scene]').dataset.seq === '10'")
    expect(quick.page.get_by_test_id("moment")).to_have_count(0)
    quick.close()
    still = table(browser, scene, stopped=True, animation=True)
    still.page.emulate_media(reduced_motion="reduce")
    still.page.wait_for_function("() => document.documentElement.hasAttribute('data-still')")
    tell(still, scene, after, highlight)
    still.draw_stopped()
    frames = still.page.get_by_test_id("moment").evaluate(
        "node => node.getAnimations()[0].effect.getKeyframes().map(({ transform, opacity }) => [transform, opacity])"
    )
    assert {transform for transform, _ in frames} <= {None, "none"}
    assert {opacity for _, opacity in frames} == {"0", "1"}
    still.close()
