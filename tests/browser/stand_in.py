"""The built page without a server: its files and requests are answered here, and the test provides the scenes."""

from __future__ import annotations

import gzip
import json
import mimetypes
from functools import cache
from importlib.resources import as_file, files
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Route

HOME = "http://upcard.test"
VIEWPORTS = [(360, 640), (390, 664), (390, 844), (844, 390), (1280, 720), (1440, 900), (2560, 1440)]
ENLARGED = (640, 360)
"""1280 by 720 at 200 %."""


@cache
def built() -> dict[str, bytes]:
    """The files of the page, by their paths. It must have been built."""
    with as_file(files("upcard") / "server" / "static") as root:
        found = {file.relative_to(root).as_posix(): file.read_bytes() for file in root.rglob("*") if file.is_file()}
    assert "index.html" in found, "the page has not been built"
    return found


FAKE = """
window.sent = [];
window.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  constructor() { window.line = this; }
  send(text) {
    const message = JSON.parse(text);
    sent.push(message);
    if (message.type === "ping") queueMicrotask(() => this.tell({ type: "alive" }));
  }
  close() {}
  tell(message) { this.onmessage?.({ data: JSON.stringify(message) }); }
};
"""


def table_of(scene: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """What would be told of the table of a scene."""
    seats = [
        {
            "seat": seat,
            "name": names[seat],
            "who": "person" if seat == scene["seat"] else "computer",
            "level": None if seat == scene["seat"] else "casual",
            "here": True,
            "away_since": None,
            "substitute": None,
            "substitute_at": None,
            "link": False,
        }
        for seat in range(scene["players"])
    ]
    you, done = scene["seat"], scene["done"]
    return {
        "id": "gate",
        "game": scene["game"],
        "title": scene["title"],
        "players": scene["players"],
        "options": {},
        "settings": {"listed": False, "watchers": True, "patience": 60},
        "created": 0,
        "you": you,
        "host": True,
        "started": True,
        "done": done,
        "ended": None,
        "practice": True,
        "seats": seats,
        "watching": 0,
        "may": [] if you is None else ["rematch"] if done else ["leave", "take back", "hint"],
        "free": None,
        "asked": None,
        "next": None,
        "origin": None,
        "brought": None,
        "host_seat": you,
        "day": None,
        "knock": None,
        "knocks": [],
        "propose_at": None,
        "invite": None,
        "now": 0,
    }


PLAIN = """* { box-shadow: none !important; background-image: none !important; filter: none !important }
.card svg, .back svg { display: none !important }
body { opacity: 0 !important }"""
FRAME = """() => new Promise((drawn, fail) => {
  setTimeout(fail, 60000, new Error("the browser draws no frame"));
  requestAnimationFrame(() => setTimeout(drawn));
})"""
"""Waits until the page has been drawn: Playwright does not end an `evaluate` that lasts for ever."""
SETTLED = f"""async () => {{
  const drawn = {FRAME};
  for (let frame = 0; frame < 3; frame += 1) await drawn();
}}"""


class StandIn:
    """A page at a table, in a browser that believes in a server."""

    def __init__(self, browser: Browser, size: tuple[int, int], settings: dict[str, Any] | None = None) -> None:
        touch = min(size) < 500 and size != ENLARGED
        self.context: BrowserContext = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, has_touch=touch, is_mobile=touch, color_scheme="light"
        )
        self.size = size
        self.answers: dict[str, Any] = {}
        chosen = {"animation": False, "tips": False, "log": False, "pace": "instant", "forced": "never"} | (
            settings or {}
        )
        self.context.add_init_script(FAKE + f"localStorage.upcard = {json.dumps(json.dumps(chosen))};")
        self.context.route(f"{HOME}/**", self._answer)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(HOME).split("?")[0].strip("/")
        if path.startswith("api/"):
            body = self.answers.get(path.removeprefix("api/"))
            status = 404 if body is None else 200
            return route.fulfill(
                status=status, content_type="application/json", body=json.dumps(body or {"error": "?"})
            )
        name = "index.html" if path == "" or path.startswith(("t/", "g/")) else path
        if name not in built():
            return route.fulfill(status=404, body="")
        return route.fulfill(body=built()[name], content_type=mimetypes.guess_type(name)[0])

    def stop_clock(self) -> None:
        """Stop the time of the page before it is opened: then only `clock.run_for` lets it go on. Installing a clock
        alone does not stop it. There are no frames either, so nothing can `settle`."""
        self.page.clock.install(time=0)
        self.page.clock.pause_at(3600)

    def draw_stopped(self) -> None:
        """Let one frame begin although the clock is stopped: cards wait for one before they fly."""
        self.page.clock.run_for(20)

    def sit(self, scene: dict[str, Any], names: list[str]) -> None:
        """Open the table of a scene."""
        self.answers["tables/gate"] = table_of(scene, names)
        self.page.goto(f"{HOME}/t/gate")
        self.page.wait_for_function("() => window.line?.onmessage")
        self.tell(scene, names)
        self.page.wait_for_function("() => document.fonts.ready.then(() => true)")

    def tell(self, scene: dict[str, Any], names: list[str]) -> None:
        """Show a scene."""
        self.page.evaluate("message => line.tell(message)", self.welcome(scene, names))

    def settle(self) -> None:
        """Wait until what was told is drawn, and what follows from the sizes of that."""
        self.page.evaluate(SETTLED)

    def stop_painting(self) -> None:
        """Where things lie does not depend on how they look, and what is not painted costs half as much."""
        self.page.add_style_tag(content=PLAIN)

    @staticmethod
    def welcome(scene: dict[str, Any], names: list[str]) -> dict[str, Any]:
        table = table_of(scene, names)
        return {
            "type": "welcome",
            "table": table,
            "seq": 9,
            "scene": scene,
            "log": [{"seq": 8, "text": "Ann plays K♥"}],
        }

    def close(self) -> None:
        self.context.close()


def sizes() -> dict[str, int]:
    """Bytes of each file of the page as it is sent."""
    return {
        path: len(content) if path.endswith(".woff2") else len(gzip.compress(content, 6, mtime=0))
        for path, content in built().items()
    }
