"""Three numbers per game, from seeded matches: they change when the rules or the heuristic change, and only then.

A refactoring leaves `signature.txt` as it is. The commit of a rules change that changes a number names the clause, and
the old and the new number.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import pytest
from playing import GAMES, random_header

from upcard.engine.setup import Setup
from upcard.lab.simulate import simulate
from upcard.lab.tally import Summary
from upcard.rules.game import Game

FILE = Path(__file__).with_name("signature.txt")


def digest(summaries: Iterable[Summary]) -> str:
    """A hash of what matches came to."""
    total = hashlib.sha256()
    for summary in summaries:
        seats = [number for seat in summary.seats for number in (seat.wins, seat.mean, seat.error)]
        total.update(" ".join(f"{number:.6f}" for number in [summary.mean_moves, summary.mean_deals, *seats]).encode())
    return total.hexdigest()[:16]


def signatures(game: type[Game]) -> list[str]:
    """Of matches at random by the usual rules at every number of players; with options; and by the heuristic."""
    headers = [random_header(game, seed) for seed in range(30)]
    usual = (simulate(Setup(game, n), 300, 66, by=["random"] * n) for n in game.player_counts)
    options = (
        simulate(Setup(game, n, chosen), 40, seed, by=["random"] * n) for seed, (n, _, chosen) in enumerate(headers)
    )
    played = (
        simulate(Setup(game, n, chosen), 20, seed, by=["heuristic"] * n)
        for seed, (n, _, chosen) in enumerate(headers[:6])
    )
    return [digest(usual), digest(options), digest(played)]


def known() -> dict[str, list[str]]:
    lines = (line.split() for line in FILE.read_text().splitlines() if line and not line.startswith("#"))
    return {slug: numbers for slug, *numbers in lines}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_the_rules_play_as_they_did(game: type[Game]) -> None:
    assert signatures(game) == known().get(game.slug), f"{game.slug} {' '.join(signatures(game))}"
