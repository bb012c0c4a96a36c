"""What players say stands beside their plates, wholly on the table, whatever its size."""

from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser
from recorded import NAMES, moments, scene_of
from stand_in import StandIn

from upcard import games
from upcard.table.changes import scene_changes
from upcard.table.scene import SceneView

pytestmark = pytest.mark.browser

SIZES = [(1280, 720), (844, 390), (390, 844)]
BOXES = """(players) => {
  const bubbles = [...document.querySelectorAll('[data-testid=bubble]')];
  if (bubbles.length !== players || document.getAnimations().length) return null;
  return bubbles.map((node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return { seat: node.closest('[data-anchor]').dataset.anchor, text: node.innerText, left, top, right, bottom };
  });
}"""
"""All at once, since bubbles stay for as long as it takes to read them, on a slow machine too."""


def say(page: StandIn, seq: int, scene: SceneView, utterances: list[dict[str, Any]], before: Any = None) -> None:
    changes = msgspec.to_builtins(scene_changes(before or scene, scene), enc_hook=str)
    log = {"seq": seq, "text": "?"}
    event = {"type": "event", "seq": seq, "base": seq - 1, "changes": changes, "log": log, "oldest": 0}
    page.page.evaluate("message => line.tell(message)", event | {"utterances": utterances})
    page.page.wait_for_function(f"() => document.querySelector('[data-testid=scene]').dataset.seq === '{seq}'")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_everybody_can_read_what_is_said(browser: Browser, size: tuple[int, int]) -> None:
    scene = [scene_of(match, 0) for match in moments(games.load("loo"), 7, 3, "heuristic", 4)][-1]
    page = StandIn(browser, size, {"animation": True, "pace": "normal"})
    page.sit(msgspec.to_builtins(scene, enc_hook=str), NAMES)
    said = [{"seat": seat, "kind": "call", "text": "I play with Miss 5♦"} for seat in range(scene.players)]
    say(page, 10, scene, [*said, {"seat": 1, "kind": "points", "text": "+20"}])
    boxes = page.page.wait_for_function(BOXES, arg=scene.players).json_value()
    assert sorted(box["seat"] for box in boxes) == [f"seat-{seat}" for seat in range(scene.players)]
    for box in boxes:
        assert box["text"].startswith("I play with Miss 5")
        assert box["left"] >= 0, box
        assert box["top"] >= 0, box
        assert box["right"] <= size[0], box
        assert box["bottom"] <= size[1], box
    assert [box["text"].endswith("+20") for box in boxes].count(True) == 1
    page.close()


def test_nothing_that_was_said_is_left_in_the_next_deal(browser: Browser) -> None:
    scene = [scene_of(match, 0) for match in moments(games.load("sixty-six"), 2, 3, "heuristic", 4)][-1]
    page = StandIn(browser, SIZES[0], {"animation": False, "pace": "fast"})
    page.sit(msgspec.to_builtins(scene, enc_hook=str), NAMES)
    say(page, 10, scene, [{"seat": 1, "kind": "declare", "text": "Sixty-six! " * 400}])  # takes minutes to read
    page.page.wait_for_selector("[data-testid=bubble]")
    say(page, 11, msgspec.structs.replace(scene, deal=scene.deal + 1), [], before=scene)
    page.page.wait_for_function("() => !document.querySelector('[data-testid=bubble]')")
    page.close()
