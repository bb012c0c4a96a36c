"""Any legal move, each as likely."""

from __future__ import annotations

from random import Random
from typing import Any

from upcard.engine.views import View


class RandomPlayer:
    """Plays anything that is legal."""

    def choose(self, view: View[Any], rng: Random) -> str:
        return view.game.notation.text(rng.choice(view.legal_moves()))
