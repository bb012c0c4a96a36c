"""Scenes without a server: matches are played by the engine, and the scenes that need the most room are looked for.

python tests/browser/recorded.py        looks through 200 deals of each game and writes largest.json anew
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from upcard import Match, games
from upcard.engine.chance import shuffler
from upcard.players import player
from upcard.rules import Game
from upcard.table.scene import SceneView, describe

PLACE = Path(__file__).with_name("largest.json")
DEALS = 200
MOST = 12
NAMES = ["Ann", "Bernadette", "Cy", "Dominic", "Ed", "Florence", "Gus", "Henrietta", "Ina", "Jo"]


class Moment(NamedTuple):
    """Where a scene is found: a seed, who plays ("random" or "heuristic"), so many events, and whose eyes."""

    seed: int
    by: str
    events: int
    seat: int | None


def counts(game: Game[Any]) -> list[int]:
    """The smallest, the usual and the largest number of players."""
    return sorted({min(game.players), game.default_players, max(game.players)})


def moments(game: Game[Any], players: int, seed: int, by: str, most: int) -> Iterator[Match[Any]]:
    """A match after each of its events. It is always the same one."""
    rng = Random(f"{game.slug} {players} {seed} {by}")
    choose = player(by).choose
    match = Match(game, players, chance=shuffler(seed))
    while True:
        yield match
        if match.done or len(match.events) >= most:
            return
        seat = rng.choice(match.to_act)
        match.play(seat, choose(match.view(seat), rng))


def scene_of(match: Match[Any], seat: int | None) -> SceneView:
    return describe(match.view(seat), match.last_trick, NAMES)


def needs(scene: SceneView) -> dict[str, int]:
    """How much of everything there is to be shown, what fills a table most first."""
    offers = scene.offers
    laid = [zone for zone in scene.zones if zone.role in ("row", "meld", "aside", "dummy")]
    buttons = [move.label for move in offers.moves if not move.cards] + [w for row in offers.rows for w in row.words]
    return {
        "all": sum(len(zone.cards) + 1 for zone in scene.zones)
        + sum(seat.cards + len(seat.open) for seat in scene.seats),
        "buttons": sum(map(len, buttons)) + 4 * len(buttons),
        "laid": sum(len(zone.cards) or min(zone.count, 4) for zone in laid) + len(laid),
        "open before one": max(len(seat.open) for seat in scene.seats),
        "prompt": len(scene.prompt) + len(scene.headline),
        "hand": len(scene.hand),
        "trick": sum(len(zone.cards) for zone in scene.zones if zone.role == "trick"),
        "groups": sum(len(move.cards) for move in offers.moves if len(move.cards) > 1),
        "zones": len(scene.zones),
        "marks": sum(len(mark.label) + len(mark.value) for seat in scene.seats for mark in seat.marks[:2]),
        "scores": max(len(str(seat.score)) for seat in scene.seats),
        "result": scene.done * sum(map(len, scene.result)),
    }


def largest(game: Game[Any], players: int, deals: int = DEALS) -> list[Moment]:
    """Moments that need the most of something, in so many deals."""
    best: dict[str, tuple[int, Moment]] = {}
    looked, seed = 0, 0
    rng = Random(f"{game.slug} {players}")
    while looked < deals:
        by = ("random", "heuristic")[seed % 2]
        for match in moments(game, players, seed, by, 1000):
            for seat in {rng.choice(match.to_act or [0]), rng.randrange(players)}:
                here = Moment(seed, by, len(match.events), seat)
                for what, much in needs(scene_of(match, seat)).items():
                    if what not in best or much > best[what][0]:
                        best[what] = much, here
            deals_seen = match.state.deals
        looked += deals_seen
        seed += 1
    found = list(dict.fromkeys(moment for much, moment in best.values() if much))
    return found[: MOST - 1] + [found[0]._replace(seat=None)]


@cache
def kept() -> dict[str, dict[str, list[Moment]]]:
    found = json.loads(PLACE.read_text())
    return {slug: {n: [Moment(*one) for one in listed] for n, listed in by.items()} for slug, by in found.items()}


@cache
def scenes(game: Game[Any], players: int) -> list[tuple[str, dict[str, Any]]]:
    """The kept moments of a game, as the page is told of them; those of a game that is new here are looked for."""
    wanted = kept().get(game.slug, {}).get(str(players)) or largest(game, players, 12)
    told = []
    for seed, by in sorted({(moment.seed, moment.by) for moment in wanted}):
        here = [moment for moment in wanted if (moment.seed, moment.by) == (seed, by)]
        last = max(moment.events for moment in here)
        for match in moments(game, players, seed, by, last):
            for moment in here:
                if moment.events == len(match.events):
                    name = f"{game.slug}-{players}-{seed}-{moment.events}-{moment.seat}"
                    told.append((name, msgspec.to_builtins(scene_of(match, moment.seat))))
    return told


def write() -> None:
    told: dict[str, dict[str, list[Moment]]] = {}
    for slug in (*games.SLUGS, *games.VARIANTS):
        game = games.load(slug)
        for players in counts(game):
            told.setdefault(slug, {})[str(players)] = largest(game, players)
            print(slug, players, len(told[slug][str(players)]), file=sys.stderr, flush=True)
    lines = ",\n".join(
        f"{json.dumps(slug)}: {{\n" + ",\n".join(f'  "{n}": {json.dumps(found)}' for n, found in by.items()) + "}"
        for slug, by in told.items()
    )
    PLACE.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    write()
