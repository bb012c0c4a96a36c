"""Film strips of what moves on the table, for people to look at, and what moving costs.

python tests/browser/film.py FOLDER [GAME ...]           writes FOLDER/GAME-PLAYERS-KIND-N.png: a strip of each motion
python tests/browser/film.py --tasks FOLDER [GAME ...]   prints the longest tasks of the page's main thread instead

The first event of each kind is filmed: a deal, a finished trick, a card that is laid or drawn, a moment. Animations are
stopped and put to their frames, so that a strip is the same on any machine. Tasks are measured in processor time, so a
busy machine counts little; four times that is what a processor four times as slow needs. Every event is told several
times to one page: the first time its code is still to be compiled, and of the later ones the quickest counts.
"""

from __future__ import annotations

import base64
import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from playing_page import FLAGS, find_chromium
from playwright.sync_api import Browser, TimeoutError, sync_playwright
from recorded import NAMES, moments, scene_of
from stand_in import StandIn

from upcard import games
from upcard.rules.game import Game
from upcard.table.changes import scene_changes
from upcard.table.scene import SceneView
from upcard.table.speech import utterances_of, with_names

FRAMES = [0.02, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 0.99]
"""The moments of a motion that are shown, as parts of its time."""
EVENTS = 400
SLOWER = 4
ROUNDS = 5
FINITE = "document.getAnimations().filter((one) => (one.effect?.getComputedTiming().endTime ?? Infinity) < 20000)"
LENGTH = f"""() => {{
  const moving = {FINITE}.filter((one) => one.playState !== "finished" && !(one instanceof CSSTransition));
  const all = moving.length > 0 && moving.length === window.moving;
  window.moving = moving.length;
  return all && Math.max(...moving.map((one) => one.effect.getComputedTiming().endTime));
}}"""
"""How long a motion is, once no more cards begin to move."""
SEEK = f"""(time) => {FINITE}.forEach((one) => {{
  const {{ effect }} = one;
  const {{ endTime }} = effect.getComputedTiming();
  one.pause();
  one.currentTime = Math.min(time, endTime);
  if (effect.target?.matches(".ghost")) effect.target.style.visibility = time < endTime ? "" : "hidden";
}})"""
"""Copies that fly are taken away when they have come."""
FINISH = f"() => {FINITE}.forEach((one) => one.finish())"
TELL = "message => { setTimeout(() => line.tell(message)) }"
"""As a message comes over the line: in a task of its own."""
SHOWN = "(seq) => document.querySelector('[data-testid=scene]').dataset.seq === String(seq)"
Step = tuple[str, SceneView, SceneView, list[Any]]
"""A kind, the scene before and after, and what is said aloud."""


def steps(game: type[Game[Any]], players: int) -> Iterator[Step]:
    """The first event of each kind in a match as seat 0 sees it."""
    filmed: set[str] = set()
    before, state = None, None
    for match in moments(game, players, 3, "heuristic", EVENTS):
        after = scene_of(match, 0)
        if before is not None and state is not None:
            spoken = with_names(utterances_of(match.setup, match.events[-1], state, match.state), NAMES, game)
            for kind in sorted(kinds_of(before, after, spoken) - filmed)[:1]:
                filmed.add(kind)
                yield kind, before, after, spoken
        before, state = after, match.state.copy()


def kinds_of(before: SceneView, after: SceneView, spoken: list[Any]) -> set[str]:
    """The kinds of motion that an event may show."""
    laid = [
        sum(len(zone.cards) for zone in scene.zones if zone.role in ("meld", "row", "pile"))
        for scene in (before, after)
    ]
    stock = [next((zone.count for zone in scene.zones if zone.role == "stock"), 0) for scene in (before, after)]
    found = {
        "deal": after.deal > before.deal,
        "trick": after.last_trick != before.last_trick and after.last_trick is not None,
        "lay": after.deal == before.deal and laid[1] > laid[0],
        "draw": after.deal == before.deal and stock[1] < stock[0] and after.last_trick == before.last_trick,
        "moment": any(one.kind == "highlight" for one in spoken),
    }
    return {kind for kind, holds in found.items() if holds}


def told(step: Step, seq: int) -> dict[str, Any]:
    """The message of an event."""
    _, before, after, spoken = step
    changes = msgspec.to_builtins(scene_changes(before, after), enc_hook=str)
    event = {"type": "event", "seq": seq, "base": seq - 1, "changes": changes, "log": {"seq": seq, "text": "?"}}
    return event | {"oldest": 0, "utterances": msgspec.to_builtins(spoken, enc_hook=str)}


def opened(browser: Browser, size: tuple[int, int], scene: SceneView) -> StandIn:
    """A table where cards move."""
    page = StandIn(browser, size, {"animation": True, "pace": "normal"})
    page.sit(msgspec.to_builtins(scene, enc_hook=str), NAMES)
    page.settle()
    return page


def film(browser: Browser, size: tuple[int, int], step: Step, *, dark: bool = False) -> list[list[bytes]]:
    """The frames of each motion that an event causes, in order."""
    page = opened(browser, size, step[1])
    page.page.emulate_media(color_scheme="dark" if dark else "light")
    clock = page.context.new_cdp_session(page.page)
    clock.send("Animation.enable")
    clock.send("Animation.setPlaybackRate", {"playbackRate": 0})
    page.page.evaluate(TELL, told(step, 10))
    strips = []
    for _ in range(3):  # a finished trick first lies on the table, then it is gathered
        try:
            length = page.page.wait_for_function(LENGTH, polling=150, timeout=4000).json_value()
        except TimeoutError:
            break
        frames = []
        for part in FRAMES:
            page.page.evaluate(SEEK, part * length)
            frames.append(page.page.screenshot())
        strips.append(frames)
        page.page.evaluate(FINISH)
        page.settle()
        if page.page.query_selector("[data-rest=trick]"):  # where none lies, a key would end the moment
            page.page.keyboard.press("c")
    page.close()
    return strips


def save(browser: Browser, frames: list[bytes], place: Path) -> None:
    """Write frames as one picture, four in a line."""
    page = browser.new_page(viewport={"width": 1960, "height": 600})
    pictures = "".join(f"<img src='data:image/png;base64,{base64.b64encode(one).decode()}'>" for one in frames)
    page.set_content(f"<style>body{{margin:0}} img{{width:24.6%;margin:2px}}</style>{pictures}")
    page.wait_for_function("() => [...document.images].every((one) => one.complete)")
    page.screenshot(path=place, full_page=True)
    page.close()


def longest_tasks(browser: Browser, size: tuple[int, int], filmed: list[Step]) -> Iterator[list[float]]:
    """The longest task of each event in turn, the first time and later ones, in milliseconds."""
    page = opened(browser, size, filmed[0][1])
    took = [[longest_task(browser, page, step) for step in filmed] for _ in range(ROUNDS)]
    page.close()
    yield from map(list, zip(*took, strict=True))


def longest_task(browser: Browser, page: StandIn, step: Step) -> float:
    """The processor time of the longest task of the page's main thread during an event, in milliseconds."""
    page.page.keyboard.press("c")  # else the end of a deal that rests there is gone back to
    page.tell(msgspec.to_builtins(step[1], enc_hook=str), NAMES)
    page.settle()
    page.page.wait_for_timeout(300)
    browser.start_tracing(page=page.page, categories=["toplevel", "devtools.timeline"])
    page.page.evaluate(TELL, told(step, 10))
    page.page.wait_for_function(SHOWN, arg=10)
    page.page.wait_for_timeout(1200)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    mains = {one["tid"] for one in events if one.get("args", {}).get("name") == "CrRendererMain"}
    tasks = [one.get("tdur", 0) for one in events if one["name"].endswith("RunTask") and one["tid"] in mains]
    return max(tasks, default=0) / 1000


if __name__ == "__main__":
    parser = ArgumentParser(description="Film strips of what moves on the table.")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--size", default="1280x720", metavar="WIDTHxHEIGHT")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--tasks", action="store_true")
    asked = parser.parse_args()
    width, height = map(int, asked.size.split("x"))
    asked.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(playwright), args=FLAGS)
        for slug in asked.games or games.SLUGS:
            loaded = games.load(slug)
            filmed = list(steps(loaded, loaded.default_players))
            if asked.tasks:
                tasks = longest_tasks(chromium, (width, height), filmed)
                for (kind, *_), (first, *later) in zip(filmed, tasks, strict=True):
                    slow = f"{SLOWER * min(later):6.1f} ms where it is slow"
                    print(f"{slug:14} {kind:7} {min(later):6.1f} ms, {slow}, {first:6.1f} ms at first", flush=True)
                continue
            for step in filmed:
                for number, frames in enumerate(film(chromium, (width, height), step, dark=asked.dark), 1):
                    save(chromium, frames, asked.folder / f"{slug}-{loaded.default_players}-{step[0]}-{number}.png")
        chromium.close()
