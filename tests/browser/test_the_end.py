"""When the page says that a match is over: after its last event has been seen, or when it was given up."""

from collections import deque
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, expect
from recorded import NAMES, moments, scene_of
from stand_in import StandIn, table_of

from upcard import games
from upcard.table.changes import SceneChanges, scene_changes
from upcard.table.scene import SceneView

pytestmark = pytest.mark.browser

WATCH = """() => {
  window.early = [];
  new MutationObserver(() => {
    const { done, seq } = document.querySelector('[data-testid=scene]').dataset;
    const said = document.querySelector('[data-testid=match-end], [data-testid=watch-again]');
    if (said && done === 'false') early.push(seq);
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
"""Notes whenever the page says that the match is over while it still shows what came before."""


def last_scenes(number: int) -> list[SceneView]:
    """Rolling Stone as the first seat sees it after each of the last events."""
    played = moments(games.load("rolling-stone"), 4, 1, "heuristic", 10_000)
    return [*deque((scene_of(match, 0) for match in played), maxlen=number)]


def plain(told: SceneView | SceneChanges) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(told, enc_hook=str)
    return found


def test_a_match_is_over_when_its_last_event_has_been_seen(browser: Browser) -> None:
    """The table knows earlier: computer players finish a match faster than it is shown."""
    seen = last_scenes(5)
    page = StandIn(browser, (1280, 720), {"pace": "fast"})
    page.sit(plain(seen[0]), NAMES)
    page.answers["tables/gate"] = table_of(plain(seen[-1]), NAMES)
    page.page.evaluate(WATCH)
    for seq, (before, after) in enumerate(pairwise(seen), 10):
        told = {
            "type": "event",
            "seq": seq,
            "base": seq - 1,
            "changes": plain(scene_changes(before, after)),
            "oldest": 0,
        }
        page.page.evaluate("message => line.tell(message)", told | {"log": {"seq": seq, "text": f"Event {seq}"}})
    expect(page.page.get_by_test_id("match-end")).to_contain_text("You won")
    early, faults = page.page.evaluate("early"), page.faults
    page.close()
    assert (early, faults) == ([], [])


def test_a_match_that_is_given_up_is_over_whatever_was_skipped_before(browser: Browser) -> None:
    scene = plain(last_scenes(5)[0])
    page = StandIn(browser, (1280, 720))
    page.sit(scene, NAMES)
    page.page.keyboard.press("c")
    table = table_of(scene, NAMES) | {"done": True, "ended": "abandoned"}
    told = {"type": "table", "table": table, "seq": 10, "base": 9, "changes": {}, "log": []}
    page.page.evaluate("message => line.tell(message)", told)
    end = page.page.get_by_test_id("match-end")
    expect(end).to_contain_text("The match ended without a winner")
    end.get_by_test_id("continue").click()
    expect(end).to_have_count(0)
    page.close()
