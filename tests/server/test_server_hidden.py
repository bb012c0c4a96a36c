"""Hidden stays hidden over the network: whatever a seat cannot know does not change a byte of what it is sent.

Two servers play the same match of two deals that differ only in cards hidden from one seat and from spectators. All
people make the same moves on both. What that seat and a spectator are sent must not differ.
"""

import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playing import GAMES
from serving import Person, served

from upcard import Match
from upcard.rules.game import Game
from upcard.server.storage import Store, url_of
from upcard.server.visitor import COOKIE, device_of
from upcard.table.journal import Happened, Plan, Seated
from upcard.table.seats import Occupant

EVENTS = 12
ENOUGH = {"klaberjass": 4, "roundup": 3}
"""How many moves can be made before the twins can be told apart, where that is less than six."""
TIMES = re.compile(r'"(now|away_since|substitute_at|created|at)":[0-9.]+|"(away_since|since|substitute_at)":\[[^]]*\]')


def twins(game: type[Game[Any]], seed: int) -> tuple[list[str], list[str], list[tuple[int, str]]]:
    """The events that begin two matches which seat 0 cannot tell apart, and moves after which it still cannot."""
    rng = Random(f"{game.slug} {seed}")
    for _ in range(200):
        one, two = Match(game), Match(game)
        pack = one.draw_lots(rng).split()
        other = pack[:]
        i, j = sorted(rng.sample(range(1, len(pack)), 2))
        other[i], other[j] = pack[j], pack[i]
        if pack == other:
            continue
        events = [" ".join(pack)], [" ".join(other)]
        one.event(events[0][0])
        two.event(events[1][0])
        if one.state == two.state or not same(one, two):
            continue
        moves = same_moves(one, two, rng)
        if len(moves) >= ENOUGH.get(game.slug, 6):
            return *events, moves
    raise AssertionError("no twins were found")


def same(one: Match[Any], two: Match[Any]) -> bool:
    """Whether the two look the same to seat 0 and to watchers."""
    return all(one.view(seat).state == two.view(seat).state for seat in (0, None)) and one.awaiting == two.awaiting


def same_moves(one: Match[Any], two: Match[Any], rng: Random) -> list[tuple[int, str]]:
    """Moves that are possible in both, for as long as the two cannot be told apart."""
    made: list[tuple[int, str]] = []
    while len(made) < EVENTS and not one.awaiting and not one.done:
        seat = one.to_act[0]
        both = [move for move in one.legal(seat) if move in two.legal(seat) and move not in ("declare", "call")]
        rng.shuffle(both)
        for move in both:
            tried = one.fork(), two.fork()
            for match in tried:
                match.play(seat, move)
            if same(*tried) and not tried[0].awaiting:  # what is drawn by lot next, each server draws for itself
                one, two = tried
                made.append((seat, move))
                break
        else:
            break
    return made


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
async def test_twins_are_told_the_same_to_the_byte(game: type[Game[Any]], tmp_path: Path) -> None:
    ours, theirs, moves = twins(game, 1)
    cookies = [secrets.token_urlsafe(24) for _ in range(game.default_players + 1)]
    told = [await heard(game, tmp_path / name, events, moves, cookies) for name, events in (("a", ours), ("b", theirs))]
    assert len(told[0]) > 2 * len(moves)
    assert told[0] == told[1]


async def heard(
    game: type[Game[Any]], folder: Path, events: list[str], moves: Sequence[tuple[int, str]], cookies: list[str]
) -> list[str]:
    """Everything that seat 0 and a watcher are sent while these moves are made at a table that began so."""
    folder.mkdir()
    await begin(game, folder, events, cookies)
    async with served(folder) as place:
        people = [Person(place, f"P{number}") for number in range(len(cookies))]
        for person, cookie in zip(people, cookies, strict=True):
            person.http.cookies.set(COOKIE, cookie)
            await person.look("twins")
        for seat, move in moves:
            await people[0].move("no such move")
            await people[seat].move(move)
            for person in people:
                await person.up_to(people[seat].seq)
        texts = [text for text in [*people[0].texts, *people[-1].texts] if '"type":"people"' not in text]
        for path in ("", "/score"):
            texts.append((await people[0].http.get(f"/api/tables/twins{path}")).text)
        for person in people:
            await person.__aexit__()
        return [TIMES.sub("", text) for text in texts]


async def begin(game: type[Game[Any]], folder: Path, events: list[str], cookies: list[str]) -> None:
    """A table of people that has come so far."""
    store = Store(url_of(folder))
    plan = Plan("twins", game.slug, game.default_players, 0, {}, "host", 1.0)
    seated = [
        Seated(seat=seat, place=Occupant("person", f"P{seat}", None, device_of({COOKIE: cookies[seat]})))
        for seat in range(plan.players)
    ]
    await store.begin(plan, [*seated, *[Happened(text=text) for text in events]])
    store.close()
