"""Take screenshots of every game at every viewport, for people to look at: python tests/browser/shoot.py --help"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from playing_page import FLAGS, find_chromium
from playwright.sync_api import sync_playwright
from recorded import NAMES, counts, scenes
from stand_in import ENLARGED, VIEWPORTS, StandIn

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
    parser = ArgumentParser(
        description="Pictures of games at every viewport, FOLDER/GAME/WIDTHxHEIGHT/PLAYERS-SCENE.png."
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("games", nargs="*", metavar="GAME", help="all games where none is named")
    parser.add_argument(
        "--size", action="append", metavar="WIDTHxHEIGHT", help="a viewport; repeatable; all where none is named"
    )
    parser.add_argument(
        "--most", type=int, default=12, metavar="N", help="the number of scenes of each table (default: %(default)s)"
    )
    asked = parser.parse_intermixed_args()
    sizes = [size for size in (*VIEWPORTS, ENLARGED) if asked.size is None or "x".join(map(str, size)) in asked.size]
    shoot(asked.folder, asked.games or games.names(), sizes, asked.most)
