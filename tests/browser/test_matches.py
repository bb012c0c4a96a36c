"""Whole matches of every game in a browser, played only by clicking on what is offered, on a desktop and on a phone."""

from collections.abc import Mapping
from random import Random

import pytest
from playing import GAMES
from playing_page import DESKTOP, PHONE, Person, Server, some_move
from playwright.sync_api import Browser

from upcard import Match
from upcard.engine.chance import shuffler
from upcard.players import player
from upcard.rules.game import Game

pytestmark = [pytest.mark.browser, pytest.mark.long]

SHORTEST: dict[str, dict[str, object]] = {
    "sixty-six": {"target": 1},
    "oh-hell": {"max_cards": 2},
    "klaberjass": {"target": 51},
    "loo": {"rounds": 1},
    "cinch": {"target": 11},
    "roundup": {"target": 5},
    "ninety-nine": {"target": 50},
    "linger-longer": {"deals": 1},
    "rolling-stone": {"limit": 20},
}
"""The options of as short a match as there is, where that is shorter than the game's own short match."""
LONG = {"loo", "rounds", "roundup"}
"""Games whose shortest match takes too many clicks: they go on from near the end of a match of computer players."""
LAST = 20
"""Moves of one's own that are left there."""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_match_is_played_by_clicks(browser: Browser, server: Server, game: type[Game]) -> None:
    rng = Random(game.slug)
    seen: set[str] = set()
    with Person(browser, server, "Ann") as ann:
        options = SHORTEST.get(game.slug, game.short or {})
        if game.slug in LONG:
            go_on(ann, game, options)
        else:
            ann.open(game.slug, options)
        for turn in range(1500):
            now = ann.wait()
            size = "phone" if turn // 4 % 2 else "desk"
            look = f"{now['end'] or now['phase']}-{size}"
            if look not in seen or turn in (30, 34):
                seen.add(look)
                ann.shoot(f"{game.slug}/{turn:03}-{look}")
            if now["end"] == "match":
                break
            if now["end"]:
                ann.go_on()
            else:
                ann.act(some_move(ann.scenes[now["seq"]].offers, rng))
            if turn % 4 == 3:
                ann.resize(DESKTOP if size == "phone" else PHONE)
        assert now["end"] == "match"
        assert not [message for message in ann.heard if message["type"] == "refused"]
        assert ann.faults == []
        assert ann.see("match-end").inner_text()


def go_on(ann: Person, game: type[Game], options: Mapping[str, object]) -> None:
    """Play on at seat 0 from near the end of a match."""
    match, rng, choose = Match(game, options=options, chance=shuffler(1)), Random(1), player("casual").choose
    own = []
    while not match.done:
        seat = match.to_act[0]
        if seat == 0:
            own.append(len(match.events))
        match.play(seat, choose(match.view(seat), rng))
    ann.page.goto(ann.server.url)
    brought = ann.page.request.post(f"{ann.server.url}/api/records", data=match.record()).json()
    wish = {"events": own[-LAST], "seat": 0, "name": "Ann", "level": "casual"}
    table = ann.page.request.post(f"{ann.server.url}/api/tables/{brought['id']}/fork", data=wish).json()
    ann.page.goto(f"{ann.server.url}/t/{table['id']}")
