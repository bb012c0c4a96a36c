"""Record the deal that the lobby plays by itself: python tests/browser/record_deal.py > page/src/lobby/deal.json

Two computer players play the first deal of a match of Sixty-Six. Every frame gives the place of all 24 cards.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

from recorded import scene_of

from upcard import Match, games
from upcard.engine.chance import shuffler
from upcard.players import player
from upcard.table.scene import SceneView

SEED = 1
"""A deal with two marriages, an exchange and a closed stock."""
Frame = dict[str, Any]


def cards_in(scene: SceneView, role: str) -> list[str]:
    """The visible cards of the zones with a role."""
    return [card for zone in scene.zones if zone.role == role for card in zone.cards]


def trick_in(scene: SceneView) -> list[list[Any]]:
    """The cards of the trick on the table, each with its seat."""
    return [
        [card, seat]
        for zone in scene.zones
        if zone.role == "trick"
        for card, seat in zip(zone.cards, zone.seats, strict=True)
    ]


def frame_of(match: Match[Any], won: list[list[str]], seat: int | None = None, says: str = "") -> Frame:
    """The table now. `seat` has just moved, and `says` so in a few words if it did not only play a card."""
    scenes = [scene_of(match, viewer) for viewer in range(2)]
    placed = {"hands": [scene.hand for scene in scenes], "trick": trick_in(scenes[0]), "won": [*map(list, won)]}
    seen = {*chain(*placed["hands"], *won), *(card for card, _ in placed["trick"])}
    upcard = [card for card in cards_in(scenes[0], "upcard") if card not in seen]
    pack = str(match.events[0]).split()[1:]
    stock = [card for card in pack if card not in seen and card not in upcard]
    points = [
        next((int(mark.value) for mark in scene.seats[own].marks if mark.label == "Points"), 0)
        for own, scene in enumerate(scenes)
    ]
    closed = any(str(event).endswith("close") for event in match.events)
    return placed | {
        "upcard": upcard, "stock": stock, "points": points, "closed": closed, "seat": seat, "says": says,
    }  # fmt: skip


def frames(match: Match[Any]) -> Iterator[Frame]:
    """The first deal; a finished trick lies on the table in one frame before it is taken."""
    rng, choose = Random(SEED), player("medium").choose
    won: list[list[str]] = [[], []]
    before = frame_of(match, won)
    yield before
    while True:
        seat = match.to_act[0]
        played = match.last_trick
        move = choose(match.view(seat), rng)
        match.play(seat, move)
        scene = scene_of(match, 0)
        if scene.result:
            yield before | {"seat": seat, "says": "66!"}
            return
        if match.last_trick != played and (trick := scene.last_trick):
            full = [list(pair) for pair in zip(trick.cards, trick.seats, strict=True)]
            left = [[card for card in hand if card not in trick.cards] for hand in before["hands"]]
            yield before | {"hands": left, "trick": full, "seat": seat, "says": ""}
            won[int(trick.taker)] += trick.cards
            before = frame_of(match, won, int(trick.taker))
        else:
            before = frame_of(match, won, seat, remark(str(match.events[-1])))
        yield before


def remark(event: str) -> str:
    """What a player says with a move."""
    words = {"meld": "Marriage: +20", "exchange": "Swaps the nine for the upcard", "close": "Closes the stock"}
    return next((text for verb, text in words.items() if verb in event.split()), "")


if __name__ == "__main__":
    print(json.dumps([*frames(Match(games.load("sixty-six"), chance=shuffler(SEED)))], separators=(",", ":")))
