"""The page without a server, offered by a web host that has nothing but files, and people at it."""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Mapping, Sequence
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playing_page import DESKTOP, Person
from playwright.sync_api import Browser, BrowserContext, Page, expect

from upcard.browser.folder import write_folder

COMPILED = ["linger-longer"]
"""The game whose module is there: building one takes long."""
PLACE = "some/place"
"""Where the folder lies on its host."""
START = 120.0
"""Seconds that a page may take to begin, on a machine that is slow and busy."""
LISTEN = """(() => {
  const channel = new BroadcastChannel("upcard /%s/");
  channel.addEventListener("message", ({ data }) => data.say === "message" && data.json && heard(data.json));
})();"""


class _Server(ThreadingHTTPServer):
    def __init__(self, root: Path) -> None:
        super().__init__(("127.0.0.1", 0), functools.partial(_Files, directory=str(root)))
        self.fetched: list[str] = []

    def handle_error(self, *about: object) -> None:
        """A browser that leaves a page ends what is being sent."""


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *about: object) -> None:
        assert isinstance(self.server, _Server)
        self.server.fetched.append(self.path.removeprefix(f"/{PLACE}/"))


class FileHost:
    """A web host for one folder of files. It can be closed, so that there is no network."""

    def __init__(self, root: Path, compiled: Sequence[str] = COMPILED) -> None:
        self.folder = root / PLACE
        write_folder(self.folder, compiled)
        self._server = _Server(root)
        self.fetched = self._server.fetched
        """The files that were asked for."""
        self.url = f"http://127.0.0.1:{self._server.server_port}/{PLACE}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def replace(self, name: str, old: str, new: str) -> None:
        """Change a file, as another edition does."""
        text = (self.folder / name).read_text()
        assert old in text
        (self.folder / name).write_text(text.replace(old, new))

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Alone(Person):
    """Somebody with a browser in which the whole house is, who only clicks. `context` is that of another window."""

    def __init__(self, browser: Browser, host: FileHost, context: BrowserContext | None = None) -> None:
        self.host = host
        settings = {
            "name": "Ann",
            "pace": "instant",
            "animation": False,
            "log": False,
            "tips": False,
            "forced": "never",
        }
        if context is None:
            context = browser.new_context(viewport=DESKTOP, color_scheme="light", accept_downloads=True)
            context.set_default_timeout(START * 1000)
            context.add_init_script(f"localStorage.upcard ??= {json.dumps(json.dumps(settings))}")
        self.context = context
        self.page: Page = context.new_page()
        self.faults: list[str] = []
        self.heard: list[dict[str, Any]] = []
        self.scenes = {}
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.expose_function("heard", self._hear)
        self.page.add_init_script(LISTEN % PLACE)

    def come(self) -> None:
        """Open the lobby, and wait until its games and Python are there."""
        self.page.goto(self.host.url)
        expect(self.see("play-sixty-six")).to_be_visible(timeout=START * 1000)
        expect(self.see("house-waits")).to_have_count(0, timeout=START * 1000)

    def open(self, slug: str, options: Mapping[str, Any], *, players: int | None = None, open_seat: int = 0) -> None:
        self.page.goto(f"{self.host.url}#/g/{slug}")
        self.fill_in(options, players=players, open_seat=open_seat)


def come_and_close(browser: Browser, host: FileHost, slugs: Sequence[str]) -> Alone:
    """Somebody whose browser has all files, and no network."""
    ann = Alone(browser, host)
    ann.come()
    ann.page.evaluate("navigator.serviceWorker.ready.then(({ active }) => active.postMessage('fetch the rest'))")
    has = "(name) => caches.match(name).then(Boolean)"  # `wait_for_function` takes a promise for a yes
    ann.until(lambda: all(ann.page.evaluate(has, f"compiled/{slug}.wasm.gz") for slug in slugs))
    host.close()
    ann.page.reload()
    expect(ann.see("play-sixty-six")).to_be_visible(timeout=START * 1000)
    return ann
