"""Render the page's bitmaps, its icons and the preview for links: python tests/browser/draw_pictures.py

Needs the built page; writes to page/public.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from playing_page import FLAGS, find_chromium
from playwright.sync_api import Browser, sync_playwright
from stand_in import HOME, StandIn

from upcard import games
from upcard.house.game_info import game_info

PUBLIC = Path(__file__).parents[2] / "page" / "public"
PREVIEW = (1200, 630)
LARGE = """.felt { position: fixed; inset: 0; z-index: 9; border-radius: 0 !important;
  width: 100vw !important; height: 100vh !important }
.felt .picture { zoom: 1.9 }"""


def draw_icon(browser: Browser, size: int, name: str, padding: int = 0) -> None:
    """The icon as a picture; `padding` leaves room for whoever cuts it to another shape."""
    page = browser.new_page(viewport={"width": size, "height": size})
    drawn = (PUBLIC / "icon.svg").read_text()
    inside = f"position:absolute;inset:{padding}px;width:{size - 2 * padding}px;height:{size - 2 * padding}px"
    ground = "#17493a" if padding else "transparent"
    page.set_content(f'<body style="margin:0;background:{ground}">{drawn.replace("<svg", f"<svg style={inside!r}", 1)}')
    page.screenshot(path=PUBLIC / name, omit_background=True)
    page.close()


def draw_preview(browser: Browser) -> None:
    stand_in = StandIn(browser, PREVIEW)
    info = game_info(games.load("sixty-six"))
    info.picture = [["As", "Kh", "Qh", "Jd", "Tc"]]
    stand_in.answers |= {
        "games": [msgspec.to_builtins(info, enc_hook=str)],
        "levels": [{"name": "casual", "title": "", "help": ""}],
    }
    stand_in.page.goto(f"{HOME}/g/sixty-six")
    stand_in.page.locator(".picture .card").last.wait_for()
    stand_in.page.add_style_tag(content=LARGE)
    stand_in.page.wait_for_load_state("networkidle")
    stand_in.page.screenshot(path=PUBLIC / "preview.jpg", quality=82)
    stand_in.close()


if __name__ == "__main__":
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=find_chromium(playwright), args=FLAGS)
        draw_icon(started, 192, "icon-192.png")
        draw_icon(started, 512, "icon-512.png")
        draw_icon(started, 512, "icon-maskable.png", padding=72)
        draw_preview(started)
        started.close()
