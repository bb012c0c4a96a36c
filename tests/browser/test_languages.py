"""The page in languages made by rule: 40 % longer and read from the right. Nothing is cut, covered or left in English.

`python tests/browser/test_languages.py` shows every scene of the gate in all sizes, and prints what is wrong.
"""

import json
import re
from typing import Any

import pytest
from playing_page import FLAGS, Person, Server, find_chromium
from playwright.sync_api import Browser, expect, sync_playwright
from pseudo import node, pseudo, pseudo_catalog, pseudo_fields
from recorded import NAMES, counts, scenes
from stand_in import VIEWPORTS, StandIn
from test_gate import LOOK, shown

from upcard import games

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(node() is None, reason="the texts of the page are read from its sources by Node"),
]
TAG = "ar-XB"
WIDE_ENOUGH = "() => document.documentElement.scrollWidth <= innerWidth"


def gate(browser: Browser, size: tuple[int, int], told: list[tuple[str, dict[str, Any]]]) -> dict[str, list[str]]:
    """What is wrong with these scenes in a window of this size, where every text is longer and read from the right."""
    page = StandIn(browser, size, {"face": "large", "language": TAG})
    page.answers[f"languages/{TAG}"] = pseudo_catalog(TAG, "rtl")
    page.sit(pseudo_fields(told[0][1]), NAMES)
    page.stop_painting()
    messages = [[name, page.welcome(pseudo_fields(scene), NAMES)] for name, scene in told]
    wrong: dict[str, list[str]] = page.page.evaluate(LOOK, json.dumps(messages))
    assert page.page.evaluate("() => document.documentElement.dir") == "rtl"
    faults = page.faults
    page.close()
    assert faults == []
    return wrong


@pytest.mark.parametrize("size", [(390, 664), (844, 390), (1280, 720)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_long_texts_from_the_right_cut_nothing(browser: Browser, size: tuple[int, int]) -> None:
    told = [scenes(game, max(counts(game)))[0] for game in map(games.load, games.names())]
    assert gate(browser, size, told) == {}


if __name__ == "__main__":
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(playwright), args=FLAGS)
        for size in VIEWPORTS:
            told = list(shown(size))
            print(size, len(told), gate(chromium, size, told))
