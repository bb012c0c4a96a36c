"""Helpers for the tests: random matches, all from one seed, and events that must be refused."""

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from upcard import BadRecord, IllegalMove, Match, games
from upcard.laws import Trial
from upcard.laws.law import random_event as random_event
from upcard.rules.game import Game
from upcard.table.refusals import explain
from upcard.table.scene import describe

GAMES = [games.load(slug) for slug in os.environ.get("UPCARD_TEST_GAMES", ",".join(games.SLUGS)).split(",")]
"""All games, or those that a developer is working on: `UPCARD_TEST_GAMES=loo,cinch pytest`."""


def random_header(game: type[Game], seed: int) -> tuple[int, int, dict[str, object]]:
    """Players, dealer, options."""
    match = random_match(game, seed)
    return match.players, match.first_dealer, dict(match.options.chosen)


def any_table(game: type[Game], number: int) -> dict[str, Any]:
    """What an environment is made of: the usual table of a game, or one with any number of players and any options."""
    if number == 0:
        return {"game": game}
    players, _, options = random_header(game, number)
    return {"game": game, "players": players, "options": options}


def random_match(game: type[Game], seed: int) -> Match:
    """A match before its first deal."""
    return Trial(game, seed).begin()


def play_on(match: Match, rng: Random, most: int = 100_000) -> Iterator[Match]:
    """The match after each random event, up to its end or this many events."""
    while not match.done and len(match.events) < most:
        match.event(random_event(match, rng))
        yield match


def play_out(match: Match, rng: Random, most: int = 100_000) -> Match:
    """The match after random events, at its end or after this many events."""
    for _ in play_on(match, rng, most):
        pass
    return match


def refused(match: Match, event: str) -> str:
    """The clause that forbids an event; nothing may change."""
    before, report = match.state.copy(), match.report()
    with pytest.raises(IllegalMove) as caught:
        match.event(event)
    assert match.state == before
    assert match.report() == report
    assert caught.value.index == len(match.events)
    return caught.value.clause


def explained(match: Match, event: str) -> str:
    """What a person reads whose move is refused."""
    seat, _, move = event.partition(" ")
    names = [f"P{number}" for number in range(match.players)]
    scene = describe(match.view(int(seat)), match.last_trick, names)
    return explain(match, scene, names, move, refused(match, event))


def refused_header(game: str | type[Game], players: object = None, dealer: object = 0, **options: object) -> str | None:
    """The clause that forbids a table like this."""
    with pytest.raises(BadRecord) as caught:
        Match(game, players, dealer=dealer, options=options)
    return caught.value.clause


def seen_by(match: Match, seat: int | None) -> Any:
    """The state as a seat sees it, with the fields of its game."""
    return match.view(seat).state
