"""The random player: all legal moves are equally likely."""

from __future__ import annotations

from random import Random
from typing import Any

from upcard.engine.views import View
from upcard.players.computer import Computer


class RandomPlayer(Computer):
    """Plays a uniformly random legal move."""

    def move(self, view: View[Any], rng: Random) -> int:
        return rng.choice(view.legal_moves())
