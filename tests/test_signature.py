"""One number per game, from seeded random matches: it changes when the rules change, and only then.

A refactoring leaves `signature.txt` as it is. A change of the rules that changes a number says in its commit which
clause it is about, and the old and the new number.
"""

import hashlib
from pathlib import Path

import pytest
from playing import GAMES

from upcard.lab.simulate import simulate
from upcard.rules import Game

FILE = Path(__file__).with_name("signature.txt")
MATCHES = 300


def signature(game: Game) -> str:
    """A hash of what 300 matches came to, at every number of players."""
    digest = hashlib.sha256()
    for players in game.players:
        summary = simulate(game, players, {}, MATCHES, 66, by=["random"] * players)
        seats = [number for seat in summary.seats for number in (seat.wins, seat.mean, seat.error)]
        digest.update(" ".join(f"{number:.6f}" for number in [summary.mean_moves, summary.mean_deals, *seats]).encode())
    return digest.hexdigest()[:16]


def known() -> dict[str, str]:
    return dict(line.split() for line in FILE.read_text().splitlines() if line and not line.startswith("#"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_the_rules_play_as_they_did(game: Game) -> None:
    assert signature(game) == known().get(game.slug), f"{game.slug} {signature(game)}"
