"""Scenes without a server: the engine plays matches, and those scenes that need the most room are picked out.

python tests/browser/recorded.py        searches 200 deals of each game and rewrites largest.json
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from upcard import Match, games
from upcard.engine.chance import shuffler
from upcard.players import player
from upcard.rules.game import Game
from upcard.table.scene import SceneView, describe

PLACE = Path(__file__).with_name("largest.json")
DEALS = 200
NAMES = ["Ann", "Bernadette", "Cy", "Dominic", "Ed", "Florence", "Gus", "Henrietta", "Ina", "Jo"]


class Moment(NamedTuple):
    """Where a scene is found: a seed, who plays ("random" or "heuristic"), the number of events, and whose view."""

    seed: int
    by: str
    events: int
    seat: int | None


def counts(game: type[Game[Any]]) -> list[int]:
    """The smallest, the usual and the largest number of players."""
    return sorted({min(game.player_counts), game.default_players, max(game.player_counts)})


def moments(game: type[Game[Any]], players: int, seed: int, by: str, most: int) -> Iterator[Match[Any]]:
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
    """How much of everything there is to be shown that lies on the felt, what fills a table most first."""
    laid = [zone for zone in scene.zones if zone.role in ("row", "meld", "aside", "dummy")]
    return {
        "all": sum(len(zone.cards) + 1 for zone in scene.zones)
        + sum(seat.cards + len(seat.open) for seat in scene.seats),
        "laid": sum(len(zone.cards) or min(zone.count, 4) for zone in laid) + len(laid),
        "open before one": max(len(seat.open) for seat in scene.seats),
        "hand": len(scene.hand),
        "trick": sum(len(zone.cards) for zone in scene.zones if zone.role == "trick"),
        "zones": len(scene.zones),
    }


def words(scene: SceneView) -> dict[str, int]:
    """How much there is in the places of words: what stands above the hand, on a plate and at the end of a deal."""
    offers = scene.offers
    buttons = [move.label for move in offers.moves if not move.cards] + [w for row in offers.rows for w in row.words]
    return {
        "buttons": sum(map(len, buttons)) + 4 * len(buttons),
        "prompt": len(scene.prompt) + len(scene.headline),
        "groups": sum(len(move.cards) for move in offers.moves if len(move.cards) > 1),
        "marks": sum(len(mark.label) + len(mark.value) for seat in scene.seats for mark in seat.marks[:2]),
        "scores": max(len(str(seat.score)) for seat in scene.seats),
        "result": scene.done * sum(map(len, scene.result)),
    }


Sought = tuple[str, int | None]
"""Something to be shown, and at a table for how many; None: at whichever table there is most of it."""


def largest(game: type[Game[Any]], deals: int = DEALS) -> dict[int, list[Moment]]:
    """For each number of players, the fewest moments that show the most of everything in this many deals."""
    most: dict[Sought, int] = {}
    where: dict[Sought, list[tuple[int, Moment]]] = {}
    for players in counts(game):
        for moment, scene in looked_at(game, players, deals):
            found: dict[Sought, int] = {(what, players): much for what, much in needs(scene).items()}
            found |= {(what, None): much for what, much in words(scene).items()}
            for sought, much in found.items():
                if much > most.get(sought, 0):
                    most[sought], where[sought] = much, []
                if much and much == most[sought]:
                    where[sought].append((players, moment))
    kept: dict[int, list[Moment]] = {players: [] for players in counts(game)}
    for players, moment in cover(list(where.values())):
        kept[players].append(moment)
    return {players: [*found, found[0]._replace(seat=None)] for players, found in kept.items()}


def looked_at(game: type[Game[Any]], players: int, deals: int) -> Iterator[tuple[Moment, SceneView]]:
    """Each event of this many deals, as seen by a seat that has to act and by a random one."""
    seed = 0
    rng = Random(f"{game.slug} {players}")
    while deals > 0:
        by = ("random", "heuristic")[seed % 2]
        for match in moments(game, players, seed, by, 1000):
            for seat in {rng.choice(match.to_act or [0]), rng.randrange(players)}:
                yield Moment(seed, by, len(match.events), seat), scene_of(match, seat)
        deals -= match.state.deals
        seed += 1


def cover(lists: list[list[tuple[int, Moment]]]) -> list[tuple[int, Moment]]:
    """Few moments with one of each list: always that which is in most of those left, and of these the earliest at
    the largest table."""
    found = []
    while lists:
        often = Counter(one for listed in lists for one in listed)
        best = min(often, key=lambda one: (-often[one], -one[0], one[1].events, one[1]))
        found.append(best)
        lists = [listed for listed in lists if best not in listed]
    return found


@cache
def kept() -> dict[str, dict[str, list[list[Any]]]]:
    found: dict[str, dict[str, list[list[Any]]]] = json.loads(PLACE.read_text())
    return found


@cache
def wanted(game: type[Game[Any]]) -> dict[int, list[Moment]]:
    """The kept moments of a game; those of one that is new here are looked for."""
    by = kept().get(game.slug)
    return {int(n): [Moment(*one) for one in found] for n, found in by.items()} if by else largest(game, 12)


@cache
def scenes(game: type[Game[Any]], players: int) -> list[tuple[str, dict[str, Any]]]:
    """The scenes of a game's kept moments, that with the most extremes first, as the page is told of them."""
    sought = wanted(game)[players]
    seen: dict[Moment, SceneView] = {}
    for seed, by in {(moment.seed, moment.by) for moment in sought}:
        here = [moment for moment in sought if (moment.seed, moment.by) == (seed, by)]
        for match in moments(game, players, seed, by, max(moment.events for moment in here)):
            seen |= {moment: scene_of(match, moment.seat) for moment in here if moment.events == len(match.events)}
    return [
        (
            f"{game.slug}-{players}-{moment.seed}-{moment.events}-{moment.seat}",
            msgspec.to_builtins(seen[moment], enc_hook=str),
        )
        for moment in sought
    ]


def write() -> None:
    told: dict[str, dict[int, list[Moment]]] = {}
    for slug in (*games.SLUGS, *games.VARIANTS):
        told[slug] = largest(games.load(slug))
        print(slug, *map(len, told[slug].values()), file=sys.stderr, flush=True)
    lines = ",\n".join(
        f"{json.dumps(slug)}: {{\n" + ",\n".join(f'  "{n}": {json.dumps(found)}' for n, found in by.items()) + "}"
        for slug, by in told.items()
    )
    PLACE.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    write()
