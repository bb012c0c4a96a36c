"""Cards move with weight: at their size, in their layer, one by one, by transforms and opacity alone."""

from itertools import pairwise
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser
from recorded import NAMES, moments, scene_of
from stand_in import FRAME, StandIn

from upcard import games
from upcard.table.changes import scene_changes
from upcard.table.offers import Offers
from upcard.table.scene import SceneView

pytestmark = pytest.mark.browser

DESK = (1280, 720)
NOTE = """() => {
  window.noted = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    const box = this.getBoundingClientRect();
    const back = this.classList.contains("back");
    const what = { back, kind: this.className, of: this.dataset.card ?? "" };
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    noted.push({ frames: [...frames], timing, width: box.width, ...at, ...what });
    return animate.call(this, frames, timing);
  };
}"""


def table(browser: Browser, scene: SceneView, **settings: Any) -> StandIn:
    page = StandIn(browser, DESK, {"animation": True, "pace": "normal"} | settings)
    page.sit(msgspec.to_builtins(scene, enc_hook=str), NAMES)
    page.page.evaluate(NOTE)
    return page


def happen(page: StandIn, before: SceneView, after: SceneView) -> list[dict[str, Any]]:
    """The animations of an event, once all of it is shown."""
    changes = msgspec.to_builtins(scene_changes(before, after), enc_hook=str)
    message = {"type": "event", "seq": 10, "base": 9, "changes": changes, "log": {"seq": 10, "text": "?"}, "oldest": 0}
    page.page.evaluate("message => line.tell(message)", message)
    page.page.wait_for_function("() => document.querySelector('[data-testid=scene]').dataset.seq === '10'")
    page.page.wait_for_function("() => !document.querySelector('.ghost') && !document.getAnimations().length")
    found: list[dict[str, Any]] = page.page.evaluate("() => noted")
    return found


def scenes(slug: str, players: int, most: int = 60) -> list[SceneView]:
    return [scene_of(match, 0) for match in moments(games.load(slug), players, 3, "heuristic", most)]


def undealt(scene: SceneView) -> SceneView:
    seats = [msgspec.structs.replace(seat, cards=0) for seat in scene.seats]
    return msgspec.structs.replace(scene, deal=0, hand=[], zones=[], seats=seats, offers=Offers(), to_act=[])


def hidden_lead(told: list[SceneView]) -> int:
    """Where the opponent leads a card next that nobody has seen before."""
    for at, (scene, after) in enumerate(pairwise(told)):
        seen = {*scene.seats[1].open, *(card for zone in scene.zones for card in zone.cards)}
        if scene.to_act == [1] and after.deal == scene.deal and {*after.zone("trick").cards} - seen:
            return at
    raise AssertionError("nobody leads")


def starts_at(flight: dict[str, Any]) -> float:
    """The width at which a card starts."""
    scale = float(flight["frames"][0]["transform"].rpartition("scale(")[2].rstrip(")"))
    return scale * float(flight["width"])


def test_a_card_of_an_opponent_leaves_the_fan_at_its_size(browser: Browser) -> None:
    told = scenes("sixty-six", 2)
    at = hidden_lead(told)
    page = table(browser, told[at])
    flights = [one for one in happen(page, told[at], told[at + 1]) if one["of"] == told[at + 1].zone("trick").cards[-1]]
    page.close()
    assert [round(starts_at(one)) for one in flights] == [26]
    assert "rotate(0deg)" not in flights[0]["frames"][0]["transform"]


def test_a_deal_is_one_card_after_the_other_in_a_second_and_the_upcard_turns_over(browser: Browser) -> None:
    first = scenes("klaberjass", 2, 1)[0]
    page = table(browser, undealt(first))
    noted = happen(page, undealt(first), first)
    page.close()
    dealt = [one for one in noted if "ghost" in one["kind"] and "rotate" in one["frames"][-1]["transform"]]
    delays = [one["timing"]["delay"] for one in dealt]
    assert len(dealt) == sum(seat.cards for seat in first.seats)
    assert delays == sorted(set(delays))
    assert max(one["timing"].get("delay", 0) + one["timing"]["duration"] for one in dealt) < 1000
    (turned,) = [one for one in noted if one["of"] == first.zone("upcard").cards[0]]
    assert turned["frames"][0]["transform"] == "scaleX(0)"
    assert turned["timing"]["delay"] >= delays[-1]


MIDDLE = "(node) => (({ x, y, width, height }) => [x + width / 2, y + height / 2])(node.getBoundingClientRect())"

WORK = """() => {
  window.work = { early: [], late: 0, together: 0 };
  let changed = false, frame = false, begun = 0, latest = 0;
  const changes = new MutationObserver(() => (changed = true));
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  changes.observe(document.querySelector(".stage"), all);
  const draw = window.requestAnimationFrame;
  const end = () => (frame = changed = false);
  window.requestAnimationFrame = (act) => draw((time) => {
    if (time !== latest) begun = 0;
    if (!frame) setTimeout(end);
    frame = true;
    latest = time;
    act(time);
  });
  const measure = (name) => {
    if (!changes.takeRecords().length && !changed) return;
    if (!frame) work.early.push(name);
    else if (document.querySelector(".ghost")) work.late += 1;
    changed = false;
  };
  const wrap = (type, name) => {
    const { get, value, ...rest } = Object.getOwnPropertyDescriptor(type.prototype, name);
    const wrapped = function (...given) {
      measure(name);
      return (get ?? value).apply(this, given);
    };
    Object.defineProperty(type.prototype, name, { ...rest, ...(get ? { get: wrapped } : { value: wrapped }) });
  };
  for (const name of ["getBoundingClientRect", "scrollHeight", "clientWidth", "clientHeight"]) wrap(Element, name);
  for (const name of ["offsetWidth", "offsetHeight", "focus"]) wrap(HTMLElement, name);
  const { append } = Element.prototype;
  Element.prototype.append = function (...given) {
    begun += Number(this.matches(".stage"));
    work.together = Math.max(work.together, begun);
    append.apply(this, given);
  };
}"""
"""Notes what makes the browser lay the table out for nothing: measuring what has changed before a frame begins, or once
cards have been put over the table. And counts the copies that are put there with one frame."""
TOGETHER = 3


def work_of(browser: Browser, before: SceneView, after: SceneView) -> dict[str, Any]:
    page = StandIn(browser, DESK, {"animation": True, "pace": "fast"})
    page.sit(msgspec.to_builtins(before, enc_hook=str), NAMES)
    page.page.evaluate("() => (window.noted = [])")
    page.page.evaluate(WORK)
    happen(page, before, after)
    work: dict[str, Any] = page.page.evaluate("() => work")
    page.close()
    return work


@pytest.mark.parametrize(("slug", "players"), [("oh-hell", 5), ("cinch", 4)])
def test_a_deal_is_laid_out_with_frames_and_begins_a_few_flights_with_each(
    browser: Browser, slug: str, players: int
) -> None:
    first = scenes(slug, players, 1)[0]
    assert work_of(browser, undealt(first), first) == {"early": [], "late": 0, "together": TOGETHER}


def test_a_trick_is_measured_before_anything_is_put_over_the_table(browser: Browser) -> None:
    told = scenes("sixty-six", 2)
    at = next(i for i, scene in enumerate(told) if scene.last_trick is None and told[i + 1].last_trick)
    work = work_of(browser, told[at], told[at + 1])
    assert len(work["early"]) <= 1
    assert work["late"] == 0


def test_a_key_ends_the_deal(browser: Browser) -> None:
    first = scenes("cinch", 4, 1)[0]
    page = table(browser, undealt(first), pace="slow")
    page.page.evaluate(
        "() => new MutationObserver(() => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'x' })))"
        ".observe(document.querySelector('.stage'), { childList: true })"
    )
    changes = msgspec.to_builtins(scene_changes(undealt(first), first), enc_hook=str)
    message = {"type": "event", "seq": 10, "base": 9, "changes": changes, "log": {"seq": 10, "text": "?"}, "oldest": 0}
    left = page.page.evaluate(
        f"async (message) => {{ const drawn = {FRAME};"
        """
          const began = performance.now();
          line.tell(message);
          for (let turn = 0; turn < 600 && !noted.length; turn += 1) await drawn();
          const longest = Math.max(...noted.map(({ timing }) => (timing.delay ?? 0) + timing.duration));
          for (let turn = 0; turn < 600 && document.querySelector('.ghost'); turn += 1) await drawn();
          const runs = (one) => one.currentTime < longest && one.playState === 'running';
          return document.getAnimations().filter(runs).length;
        }""",
        message,
    )
    page.close()
    assert left == 0


def test_a_trick_gathers_under_its_best_card_and_its_points_fly_to_the_score(browser: Browser) -> None:
    told = scenes("sixty-six", 2)
    at = next(i for i, scene in enumerate(told) if scene.last_trick is None and told[i + 1].last_trick)
    page = table(browser, told[at], pace="fast")
    noted = happen(page, told[at], told[at + 1])
    page.close()
    gathered = [one for one in noted if len(one["frames"]) == 4 and "ghost" in one["kind"]]
    flown = [one for one in noted if "award" in one["kind"] or len(one["frames"]) == 5]
    assert len(gathered) == 2
    assert gathered[-1]["frames"][1]["transform"].startswith("translate(0px,0px)")
    assert len(flown) == 1
    assert {name for one in noted for frame in one["frames"] for name in frame} <= {"transform", "opacity", "offset"}


@pytest.mark.parametrize("slug", ["rolling-stone", "linger-longer"])
def test_a_trick_that_is_put_away_goes_to_the_pile_where_it_lies(browser: Browser, slug: str) -> None:
    told = scenes(slug, 4)

    def thrown(at: int) -> int:
        return told[at + 1].zone("discard").count - told[at].zone("discard").count

    at = next(i for i, scene in enumerate(told) if told[i + 1].last_trick != scene.last_trick and thrown(i) == 4)
    page = table(browser, told[at], pace="fast")
    noted = happen(page, told[at], told[at + 1])
    pile = page.page.eval_on_selector("[data-testid=zone-discard] .card", MIDDLE)
    gathered = [one for one in noted if len(one["frames"]) == 4 and "ghost" in one["kind"]]
    page.close()
    assert len(gathered) == 4
    for one in gathered:
        x, y = one["frames"][-1]["transform"].partition("px) ")[0].removeprefix("translate(").split("px,")
        assert [one["x"] + float(x), one["y"] + float(y)] == pytest.approx(pile, abs=1)


def test_the_points_of_a_trick_fly_once_to_partners(browser: Browser) -> None:
    told = scenes("cinch", 4, 120)
    gains = [
        sum(now.marks != was.marks for was, now in zip(one.seats, other.seats, strict=True))
        for one, other in pairwise(told)
    ]
    at = next(i for i, gain in enumerate(gains) if gain == 2 and told[i + 1].last_trick != told[i].last_trick)
    page = table(browser, told[at], pace="fast")
    flown = [one for one in happen(page, told[at], told[at + 1]) if "award" in one["kind"]]
    page.close()
    assert len(flown) == 1


def test_who_changes_cards_is_seen_to_throw_and_to_draw(browser: Browser) -> None:
    """In Loo, where the hand is as large as before."""
    told = scenes("loo", 6)
    at = next(
        i
        for i, (one, other) in enumerate(pairwise(told))
        if one.to_act[:1] not in ([], [0]) and one.zone("stock").count > other.zone("stock").count
    )
    page = table(browser, told[at], pace="fast")
    flown = [one for one in happen(page, told[at], told[at + 1]) if one["back"] and "ghost" in one["kind"]]
    page.close()
    assert told[at].seats[told[at].to_act[0]].cards == told[at + 1].seats[told[at].to_act[0]].cards
    assert [round(one["width"]) for one in flown[:1]] == [26]
    assert len(flown) == 2


def test_those_who_want_less_motion_see_cards_fade_in(browser: Browser) -> None:
    told = scenes("sixty-six", 2)
    at = hidden_lead(told)
    page = table(browser, told[at])
    page.page.emulate_media(reduced_motion="reduce")
    page.page.wait_for_function("() => document.documentElement.hasAttribute('data-still')")
    noted = happen(page, told[at], told[at + 1])
    page.close()
    assert {name for one in noted for frame in one["frames"] for name in frame} == {"opacity"}
