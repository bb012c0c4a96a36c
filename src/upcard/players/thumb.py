"""Sensible play at once, by the game's rules of thumb."""

from __future__ import annotations

from random import Random

from upcard.players import thumbs
from upcard.views import View


class Thumb:
    """Plays by the rules of thumb of the game; in plain Python, so without any delay at the start."""

    def choose(self, view: View, rng: Random) -> str:
        return view.game.moves.text(rule_of_thumb(view, view.moves(), rng))


def rule_of_thumb(view: View, moves: list[int], rng: Random) -> int:
    """What the rules of thumb choose among all legal moves of a view."""
    choose = thumbs.load(view.game)
    return choose(view.state, view.options, view.seat or 0, moves, len(moves), rng.randrange(1 << 31))
