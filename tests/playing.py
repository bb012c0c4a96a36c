"""Random matches for the tests: options, players, moves, all from one seed."""

import os
from collections.abc import Iterator
from random import Random

from upcard import Match, games
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
