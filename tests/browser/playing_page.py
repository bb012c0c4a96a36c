"""A real server and people at a real browser, who only click on what the page offers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Self

import msgspec
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Playwright,
    ViewportSize,
    WebSocket,
    expect,
)

from upcard.table.changes import SceneChanges, applied
from upcard.table.offers import Move, Offers, Pick
from upcard.table.scene import SceneView

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 375, "height": 812}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PICTURES = os.environ.get("UPCARD_SCREENSHOTS")
"""A folder for pictures of the page, for people to look at; none are made without it."""
PATIENCE = 60.0
"""Seconds that anybody waits for anything, on a machine that is slow and busy."""
expect.set_options(timeout=PATIENCE * 1000)


def find_chromium(playwright: Playwright) -> str | None:
    """Where there is a Chromium: as $CHROMIUM says, one of the system's, or Playwright's own."""
    named = os.environ.get("CHROMIUM")
    installed = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    places = [named, *installed, playwright.chromium.executable_path]
    return next((place for place in places if place and Path(place).exists()), None)


class Server:
    """`upcard serve` in a process of its own. It can be killed and started again over the same tables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, at a port that the system chooses, or again at the one it had; it answers by then."""
        command = [sys.executable, "-m", "upcard.cli.main", "serve", "--no-browser", "--no-warm"]
        command += ["--limit-requests", "1000", "--limit-tables", "10000"]  # all people here have one address
        command += ["--port", str(self.port), "--data", str(self.folder)]
        output = self.folder / "output.txt"
        with output.open("w") as file:
            self.process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
        end = time.monotonic() + 5 * PATIENCE  # a busy machine takes more than one to import what a server needs
        while self.process.poll() is None and "(Ctrl-C ends it)" not in output.read_text():
            if time.monotonic() > end:
                self.kill()
            time.sleep(0.02)
        listening = re.search(r"Upcard is at http://127\.0\.0\.1:(\d+)", output.read_text())
        assert listening, output.read_text()
        self.port = int(listening[1])
        try:
            urllib.request.urlopen(self.url, timeout=PATIENCE).close()
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from error

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


READY = """() => {
  const scene = document.querySelector('[data-testid=scene]');
  if (!scene || scene.dataset.line !== 'open') return null;
  const end = document.querySelector('[data-testid=match-end]') ? 'match'
    : document.querySelector('[data-testid=deal-end]') ? 'deal' : '';
  if (!end && !document.querySelector('[data-testid=prompt].yours')) return null;
  return {end, seq: Number(scene.dataset.seq), phase: scene.dataset.phase};
}"""


HAS_HAND = """(wanted) => {
  const shown = [...document.querySelectorAll("[data-testid^=hand-]")].map((node) => node.dataset.testid);
  return shown.sort().join() === wanted.join();
}"""


class Person:
    """Somebody with a browser of their own, who hears what the table says to the page.

    Requests that a test holds up must not pass through the page's service worker, which takes over some time after the
    page is there: then Playwright would miss them. So such tests go without the `worker`.
    """

    def __init__(self, browser: Browser, server: Server, name: str, *, worker: bool = True, **chosen: Any) -> None:
        self.server = server
        self.context: BrowserContext = browser.new_context(
            viewport=DESKTOP, color_scheme="light", service_workers="allow" if worker else "block"
        )
        self.context.set_default_timeout(PATIENCE * 1000)
        settings = {
            "name": name,
            "pace": "instant",
            "animation": False,
            "log": False,
            "tips": False,
            "forced": "never",
        } | chosen
        keep = f"localStorage.upcard ??= {json.dumps(json.dumps(settings))}"
        self.context.add_init_script(keep)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.heard: list[dict[str, Any]] = []
        self.scenes: dict[int, SceneView] = {}
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("websocket", self._listen)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.context.close()

    def _note(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.faults.append(f"{said.text} {said.location['url']}")

    def _listen(self, line: WebSocket) -> None:
        line.on("framereceived", self._hear)

    def _hear(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        self.heard.append(message)
        if message["type"] == "welcome":
            self.scenes[message["seq"]] = msgspec.convert(message["scene"], SceneView)
        elif message["type"] in ("event", "table"):
            told = msgspec.convert(message["changes"], SceneChanges)
            self.scenes[message["seq"]] = applied(self.scenes[message["base"]], told)

    def see(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    @property
    def table(self) -> str:
        """The id of the table in the address."""
        return self.page.url.partition("/t/")[2].partition("#")[0]

    def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds that changes only while the browser is listened to."""
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end
            self.page.wait_for_timeout(10)

    def until_shows(self, cards: list[str]) -> None:
        """Wait until the hand on the page has these cards, in any order."""
        self.page.wait_for_function(HAS_HAND, arg=sorted(f"hand-{card}" for card in cards))

    def open(self, slug: str, options: Mapping[str, Any], *, players: int | None = None, open_seat: int = 0) -> None:
        """Fill in the form on the game's page and start."""
        self.page.goto(f"{self.server.url}/g/{slug}")
        self.fill_in(options, players=players, open_seat=open_seat)

    def fill_in(self, options: Mapping[str, Any], *, players: int | None = None, open_seat: int = 0) -> None:
        """Fill in the form that is open and start."""
        self.see("start").wait_for()
        if players:
            self.see(f"players-{players}").locator("..").click()
        if open_seat:
            self.see(f"seat-choice-{open_seat}").select_option("open")
        if options:
            self.see("house-rules").locator("summary").click()
        for name, value in options.items():
            field = self.see(f"option-{name}")
            if field.evaluate("node => node.tagName") == "SELECT":
                field.select_option(str(value))
            elif field.get_attribute("type") == "checkbox":
                field.set_checked(bool(value))
            else:
                field.fill(str(value))
        self.see("start").click()

    def wait(self) -> dict[str, Any]:
        """Until there is something to do: `end` tells whether a deal or the match is over. Nothing sticks out."""
        found: dict[str, Any] = self.page.wait_for_function(READY).json_value()
        self.page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
        return found

    def moves(self, seq: int) -> list[Move]:
        """The moves that the page was told of; of those that are any choice of cards the first of each size."""
        offers = self.scenes[seq].offers
        return offers.moves + [chosen(pick, pick.cards[:size]) for pick in offers.picks for size in pick.sizes]

    def act(self, move: Move) -> None:
        """Make a move as a person does it: press its button, or choose its cards and then the button or the place."""
        button = self.see(f"move-{move.text}")
        if not button.count():
            used: dict[str, int] = {}
            for card in move.cards:
                nth = used[card] = used.get(card, -1) + 1
                held = self.see(f"hand-{card}").or_(self.see(f"zone-card-{card}"))
                held.nth(nth).click(position={"x": 12, "y": 12})
        row = self.see(f"row-{move.text.rpartition(' ')[0]}")
        if row.count():
            row.click()
        if button.count():
            button.click()
        elif move.zone and self.see(f"target-{move.zone}").count():
            self.see(f"target-{move.zone}").click()
        if move.asks:
            self.see("question-yes").click()

    def go_on(self) -> None:
        self.see("continue").click()

    def resize(self, size: ViewportSize) -> None:
        self.page.set_viewport_size(size)

    def shoot(self, name: str) -> None:
        """Keep a picture of the page, if pictures are wanted."""
        if PICTURES:
            self.page.screenshot(path=Path(PICTURES) / f"{name}.png")


def to_people(person: Person) -> None:
    """Open the panel of the people here: it stands in the menu where the header has no room for its button.

    Which of the two is there is known only once the table is drawn.
    """
    menu, people = person.see("open-menu"), person.see("open-people")
    expect(menu.or_(people).filter(visible=True).first).to_be_visible()
    if menu.is_visible():
        menu.press("Enter")
    people.press("Enter")


def chosen(pick: Pick, named: list[str]) -> Move:
    """The move of these cards, which stand in the order of the pick."""
    return Move(" ".join(filter(None, [pick.verb, *named])), pick.verb, pick.label, named, asks=pick.asks)


def some_move(offers: Offers, rng: Random) -> Move:
    """Any move, but rather one that brings a deal nearer to its end than one that only passes or changes something."""
    picked = []
    for pick in offers.picks:
        named = set(rng.sample(pick.cards, rng.choice(pick.sizes)))
        picked.append(chosen(pick, [card for card in pick.cards if card in named]))
    moves = offers.moves + picked
    lays = [move for move in moves if move.verb in ("lay", "tack", "meld")]
    return rng.choice(lays or moves)
