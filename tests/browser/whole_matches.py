"""Play whole matches by clicks in the page without a server, with its network off. The tests play one of them.

    python tests/browser/whole_matches.py [GAME …] [--levels easy casual medium strong expert]

It opens the page once, for every game to be fetched, and closes its host. Then it plays a match of each game against
each level, at a short table, and prints the moves that were clicked, the deals, the seconds, and what went wrong.
"""

import argparse
import tempfile
import time
from pathlib import Path
from random import Random

from folder_page import Alone, FileHost, come_and_close
from playing_page import FLAGS, find_chromium, some_move
from playwright.sync_api import sync_playwright

from upcard import games
from upcard.players import LEVELS, levels_of
from upcard.rules.presets import SHORT, presets

MOST = 1500
"""The most moves of a match."""
FEWEST = {"loo": 5, "kalooki": 3}


def play_match(ann: Alone, slug: str, level: str) -> str:
    """Play a short match against computer players of one level; returns what happened."""
    game = games.load(slug)
    players = FEWEST.get(slug, min(game.player_counts))
    begun, rng, moves, deals = time.monotonic(), Random(1), 0, 1
    ann.scenes.clear()
    ann.heard.clear()
    ann.page.goto(f"{ann.host.url}#/g/{slug}")
    ann.see("start").wait_for()
    if len(game.player_counts) > 1:
        ann.see(f"players-{players}").locator("..").click()
    for seat in range(1, players):
        ann.see(f"seat-choice-{seat}").select_option(f"computer {level}")
    ann.fill_in(presets(game).get(SHORT, {}))
    for _ in range(MOST):
        now = ann.wait()
        if now["end"] == "match":
            break
        if now["end"]:
            deals += 1
            ann.go_on()
        else:
            moves += 1
            ann.act(some_move(ann.scenes[now["seq"]].offers, rng))
    else:
        return f"no end after {MOST} moves"
    refused = [message["text"] for message in ann.heard if message["type"] == "refused"]
    return (
        f"{moves} moves, {deals} deals, {time.monotonic() - begun:.0f} s{' REFUSED ' + refused[0] if refused else ''}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(games.SLUGS))
    parser.add_argument("--levels", nargs="+", default=list(LEVELS))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        host = FileHost(Path(place), given.games)
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=FLAGS)
        with come_and_close(browser, host, given.games) as ann:
            for level in given.levels:
                for slug in [slug for slug in given.games if level in levels_of(games.load(slug))]:
                    print(f"{level:7} {slug:14} {play_match(ann, slug, level)}", *ann.faults, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
