"""Redraw docs/terminal.png, the picture of the terminal in the README: `python tests/terminal/picture.py`.

It plays some moves of Linger Longer at a test table, and Chromium renders what the terminal shows.
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from random import Random

from playwright.sync_api import sync_playwright

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "browser"), str(TESTS / "terminal")]

from playing_page import FLAGS, find_chromium  # noqa: E402
from sitting import choice  # noqa: E402
from test_terminal_screen import at_table, go_on  # noqa: E402

SIZE = (120, 36)
MOVES = 5
PICTURE = TESTS.parent / "docs" / "terminal.png"


async def drawing() -> str:
    """What the terminal shows after some moves, as SVG; its letters are those of this machine."""
    app, luck = at_table("linger-longer", 4, seed=3), Random(1)
    async with app.run_test(size=SIZE) as pilot:
        for _ in range(MOVES):
            await go_on(pilot, app)
            await app._session.move(choice(app._session, luck))
        await go_on(pilot, app)
        await pilot.pause()
        return re.sub(r"@font-face \{.*?\}", "", app.export_screenshot(title="upcard play"), flags=re.DOTALL)


def main() -> None:
    svg = asyncio.run(drawing())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_content(f'<body style="margin: 0; background: transparent">{svg}</body>')
        page.locator("svg").screenshot(path=PICTURE, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
