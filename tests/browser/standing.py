"""What changes its place on a table while a match is played: nothing but cards, scores and the content of the shelf.

python tests/browser/standing.py [GAME ...]        prints what moves, for every table at seven viewports
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
from playing_page import FLAGS, find_chromium
from playwright.sync_api import Browser, sync_playwright
from recorded import NAMES, counts, moments, scene_of
from stand_in import FRAME, HOME, StandIn

from upcard import games
from upcard.rules.game import Game
from upcard.table.changes import scene_changes
from upcard.table.scene import SceneView

SIZES = [(1280, 720), (1440, 900), (2560, 1440), (768, 1024), (390, 844), (390, 664), (844, 390)]
MOVES = 10
"""Moves of one's own that are made."""
MOST = 400
"""Events among which they are looked for."""

PLACES = """() => {
  const places = {};
  const round = (node) => {
    const box = node.getBoundingClientRect();
    return [box.x, box.y, box.width, box.height].map(Math.round).join(" ");
  };
  const note = (name, node) => node && (places[name] = round(node));
  const parts = [".seat", ".pile", ".pot", ".felt", ".hand", ".me"].map((part) => `.stage ${part}`);
  for (const node of document.querySelectorAll([...parts, ".table:not(.sideways) header"].join()))
    note(node.dataset.testid ?? node.className.split(" ")[0], node);
  const gauges = document.querySelector("[data-testid=gauges]")?.getBoundingClientRect();
  if (gauges) places.gauges = [gauges.x, gauges.y].map(Math.round).join(" ");
  const owners = {};
  for (const node of document.querySelectorAll(".stage .spread"))
    (owners[node.ariaLabel.split(":")[0]] ??= []).push(node);
  for (const lying of Object.values(owners)) {
    const drawn = (node) => `${node.dataset.count} ${node.querySelectorAll(".lies").length}`;
    const all = lying.map((node) => `${node.dataset.testid} ${drawn(node)}`).join();
    for (const node of lying) note(`${node.dataset.testid} among ${all}`, node);
  }
  return places;
}"""
FOLLOW = f"""async (messages) => {{
  const places = {PLACES};
  const settled = {FRAME};
  const seen = [];
  for (const message of JSON.parse(messages)) {{
    line.tell(message);
    for (let turn = 0; turn < 40; turn += 1) {{
      await settled();
      document.querySelector("section.end [data-testid=continue]")?.click();
      if (document.querySelector("[data-testid=scene]").dataset.seq === String(message.seq)) break;
    }}
    await settled();
    seen.push(places());
  }}
  return seen;
}}"""


@cache
def recorded(game: type[Game[Any]], players: int, seed: int = 3) -> list[SceneView]:
    """The scenes of seat 0, from the first cards of a match until it has made ten moves."""
    found: list[SceneView] = []
    own = 0
    for match in moments(game, players, seed, "heuristic", MOST):
        scene = scene_of(match, 0)
        own += bool(found) and 0 in found[-1].to_act
        if scene.deal:
            found.append(scene)
        if own > MOVES:
            break
    return found


def messages(scenes: list[SceneView]) -> Iterator[dict[str, Any]]:
    """The welcome, and an event for every scene after the first."""
    yield StandIn.welcome(msgspec.to_builtins(scenes[0], enc_hook=str), NAMES)
    for seq, (before, after) in enumerate(pairwise(scenes), 10):
        changes = msgspec.to_builtins(scene_changes(before, after), enc_hook=str)
        yield {
            "type": "event",
            "seq": seq,
            "base": seq - 1,
            "changes": changes,
            "log": {"seq": seq, "text": "?"},
            "oldest": 0,
        }


def moved(browser: Browser, size: tuple[int, int], tables: list[tuple[type[Game[Any]], int]]) -> dict[str, list[str]]:
    """By table, what has another place after an event than before, in words."""
    page = StandIn(browser, size)
    wrong: dict[str, list[str]] = {}
    for game, players in tables:
        scenes = recorded(game, players)
        if not page.page.url.startswith(HOME):
            page.sit(msgspec.to_builtins(scenes[0], enc_hook=str), NAMES)
            page.stop_painting()
        seen = page.page.evaluate(FOLLOW, json.dumps(list(messages(scenes))))
        faults = [
            f"{name} from {before[name]} to {after[name]} at event {seq}, {scenes[seq].phase}: {scenes[seq].prompt}"
            for seq, (before, after) in enumerate(pairwise(seen), 1)
            for name in before.keys() & after.keys()
            if before[name] != after[name]
        ]
        if faults:
            wrong[f"{game.slug} {players} {size[0]}x{size[1]}"] = faults
    assert page.faults == []
    page.close()
    return wrong


def tables(slugs: list[str]) -> list[tuple[type[Game[Any]], int]]:
    return [(game, players) for game in map(games.load, slugs or games.names()) for players in counts(game)]


if __name__ == "__main__":
    parser = ArgumentParser(description="What moves at which table.")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--size", action="append", metavar="WIDTHxHEIGHT")
    parser.add_argument("--full", action="store_true")
    asked = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=FLAGS)
        for size in SIZES:
            if asked.size is None or f"{size[0]}x{size[1]}" in asked.size:
                for table, faults in moved(browser, size, tables(asked.games)).items():
                    print(table, len(faults), *(faults if asked.full else faults[:3]), sep="\n    ", flush=True)
        browser.close()
