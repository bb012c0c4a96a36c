"""Kinds of moves that people laugh at, a module for each game, and how decisions of these kinds are judged."""

from silly_moves import (
    cinch,
    kalooki,
    klaberjass,
    linger_longer,
    loo,
    ninety_nine,
    oh_hell,
    rolling_stone,
    rounds,
    roundup,
    sixty_six,
)
from silly_moves.kinds import KINDS

__all__ = [
    "KINDS",
    "cinch",
    "kalooki",
    "klaberjass",
    "linger_longer",
    "loo",
    "ninety_nine",
    "oh_hell",
    "rolling_stone",
    "rounds",
    "roundup",
    "sixty_six",
]
