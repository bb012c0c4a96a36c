"""What the tests share: random matches, all from one seed, and events that must be refused."""

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from upcard import BadRecord, IllegalMove, Match, games
from upcard.rules import Game

GAMES = [games.load(slug) for slug in os.environ.get("UPCARD_TEST_GAMES", ",".join(games.SLUGS)).split(",")]
"""All games, or those that a developer is working on: `UPCARD_TEST_GAMES=loo,cinch pytest`."""


def random_options(game: Game, players: int, rng: Random) -> dict[str, object]:
    """Each option left alone or set to one of its values."""
    chosen: dict[str, object] = {}
    for name, option in game.options.options.items():
        if rng.random() < 0.5:
            continue
        low, high = option.bounds(players)
        if option.kind == "whole":
            chosen[name] = rng.randint(low, min(high, low + 30))
        elif option.kind == "digits":
            chosen[name] = "".join(rng.choice("123456789") for _ in range(rng.randint(1, 2)))
        else:
            chosen[name] = rng.choice(option.values)
    return chosen


def random_header(game: Game, seed: int) -> tuple[int, int, dict[str, object]]:
    """Players, dealer, options."""
    rng = Random(f"{game.slug} {seed}")
    players = rng.choice(game.players)
    return players, rng.randrange(players), random_options(game, players, rng)


def random_match(game: Game, seed: int) -> Match:
    """A match before its first deal."""
    players, dealer, options = random_header(game, seed)
    return Match(game, players, dealer=dealer, options=options)


def random_event(match: Match, rng: Random) -> str:
    """Any event that is possible now; rarely one that would end a deal early, so that deals grow old."""
    if match.awaiting:
        return match.draw_lots(rng)
    seat = rng.choice(match.to_act)
    moves = match.legal(seat)
    lively = [move for move in moves if move not in ("declare", "call") and not move.startswith("discard")]
    lays = [move for move in moves if move.startswith(("lay", "tack"))]
    return f"{seat} {rng.choice((rng.random() < 0.9 and (lays or lively)) or moves)}"


def play_on(match: Match, rng: Random, most: int = 100_000) -> Iterator[Match]:
    """The match after each random event, to its end or so many events."""
    while not match.done and len(match.events) < most:
        match.event(random_event(match, rng))
        yield match


def play_out(match: Match, rng: Random, most: int = 100_000) -> Match:
    """The match after random events, at its end or after so many events."""
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


def refused_header(game: str | Game, players: object = None, dealer: object = 0, **options: object) -> str | None:
    """The clause that forbids a table like this."""
    with pytest.raises(BadRecord) as caught:
        Match(game, players, dealer=dealer, options=options)
    return caught.value.clause


def seen_by(match: Match, seat: int | None) -> Any:
    """The state as a seat sees it, with the fields of its game."""
    return match.view(seat).state
