"""Any legal move, each as likely."""

from __future__ import annotations

from random import Random

from upcard.views import View


class RandomPlayer:
    """Plays anything that is legal."""

    def choose(self, view: View, rng: Random) -> str:
        return view.game.moves.text(rng.choice(view.moves()))
