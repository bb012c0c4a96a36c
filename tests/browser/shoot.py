"""Pictures of every game at every viewport, for people to look at: python tests/browser/shoot.py FOLDER [GAME ...]

Each picture has several scenes at one viewport.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from playing_page import FLAGS, find_chromium
from playwright.sync_api import sync_playwright
from recorded import NAMES, counts, scenes
from stand_in import VIEWPORTS, StandIn

from upcard import games


def shoot(folder: Path, slugs: Sequence[str], sizes: Sequence[tuple[int, int]], most: int) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=FLAGS)
        for slug in slugs:
            told = {players: scenes(games.load(slug), players) for players in counts(games.load(slug))}
            for size in sizes:
                for players, found in told.items():
                    page = StandIn(browser, size)
                    page.sit(found[0][1], NAMES)
                    for name, scene in found[:most]:
                        page.tell(scene, NAMES)
                        page.page.wait_for_timeout(250)
                        place = folder / slug / f"{size[0]}x{size[1]}" / f"{players}-{name}.png"
                        place.parent.mkdir(parents=True, exist_ok=True)
                        page.page.screenshot(path=place)
                    page.close()
        browser.close()


if __name__ == "__main__":
    shoot(Path(sys.argv[1]), sys.argv[2:] or games.names(), VIEWPORTS, 12)
