"""Every table fits: the scenes of each game that need the most room, in seven window sizes, without a server.

No card, button or label is cut off, covered or below the fold; every index is legible and a quarter of every card
visible; touch targets are large enough. One of the sizes is a page zoomed to 200 %.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from recorded import NAMES, counts, scenes
from stand_in import ENLARGED, FRAME, VIEWPORTS, StandIn

from upcard import games

pytestmark = pytest.mark.browser

INSPECT = Path(__file__).with_name("inspect_page.js").read_text()
LOOK = f"""async (messages) => {{
  const inspect = {INSPECT};
  const found = {{}};
  const settled = {FRAME};
  for (const [name, message] of JSON.parse(messages)) {{
    line.tell(message);
    await settled();
    let faults = inspect();
    const end = document.querySelector("section.end [data-testid=continue]");
    if (end) {{
      end.click();
      await settled();
      faults = [...faults, ...inspect()];
    }}
    if (faults.length) found[name] = faults;
  }}
  return found;
}}"""
QUICK = {(390, 664), (1280, 720)}
"""The sizes of which the quick checks try all."""
BETWEEN = {(390, 664), (1440, 900)}
"""Sizes that lie between two others: of each table the scene with the most extremes is shown, and a watcher's."""


def shown(size: tuple[int, int]) -> Iterator[tuple[str, dict[str, Any]]]:
    for game in map(games.load, games.names()):
        for players in counts(game):
            told = scenes(game, players)
            yield from (told[0], told[-1]) if size in BETWEEN else told


@pytest.mark.parametrize(
    "size",
    [pytest.param(size, marks=[] if size in QUICK else pytest.mark.long) for size in (*VIEWPORTS, ENLARGED)],
    ids=lambda size: f"{size[0]}x{size[1]}",
)
def test_every_table_fits(browser: Browser, size: tuple[int, int]) -> None:
    told = list(shown(size))
    page = StandIn(browser, size, {"face": "large"})
    page.sit(told[0][1], NAMES)
    page.stop_painting()
    wrong = page.page.evaluate(LOOK, json.dumps([[name, page.welcome(scene, NAMES)] for name, scene in told]))
    faults = page.faults
    page.close()
    assert faults == []
    assert wrong == {}


@pytest.mark.parametrize("size", [(390, 664), (844, 390)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_letters_of_twice_the_size_lie_on_nothing(browser: Browser, size: tuple[int, int]) -> None:
    page = StandIn(browser, size, {"face": "large"})
    fonts = {"fontSizes": {"standard": 32, "fixed": 26}}
    page.context.new_cdp_session(page.page).send("Page.setFontSizes", fonts)
    full = [(game, max(counts(game))) for game in map(games.load, games.names())]
    told = [told for game, players in full for told in scenes(game, players)[:3]]
    page.sit(told[0][1], NAMES)
    page.stop_painting()
    wrong = page.page.evaluate(LOOK, json.dumps([[name, page.welcome(scene, NAMES)] for name, scene in told]))
    page.close()
    assert wrong == {}
