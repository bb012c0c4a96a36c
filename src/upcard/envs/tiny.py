"""Tables small enough to search their whole game tree, for testing algorithms.

Each is a variant of a game with a pack of four or five cards and a single deal: `envs.open_spiel(tiny.SIXTY_SIX)`.
"""

from __future__ import annotations

from typing import Any

from upcard import games
from upcard.engine.setup import Setup
from upcard.rules.game import Game

OH_HELL: Game[Any] = Setup(
    games.load("oh-hell").variant("tiny-oh-hell", numbers={"pack": "As Ks Qh Jh"}),
    3,
    {"max_cards": 1, "order": "up"},
)
"""Three seats with one card each, which bid at the same time."""

ROUNDS: Game[Any] = Setup(
    games.load("rounds").variant(
        "tiny-rounds",
        numbers={
            "pack": "As Ks Qs Ah Kh",
            "size": 2,
            "rounds": 1,
            "tricks": 2,
            "won_round": 1000,
            "extra_games": 0,
            "prize_value": 0,
        },
    ),
    2,
    {"target": 100},
)
"""Two seats with two cards each; the winner of the round wins the match."""

SIXTY_SIX: Game[Any] = Setup(
    games.load("sixty-six").variant(
        "tiny-sixty-six",
        numbers={
            "pack": "As Ks Ah Kh",
            "fetcher": "K",  # never: after a trick no upcard is left
            "size": 1,
            "lot": 1,
            "most_deals": 1,
            "enough": 16,
            "schneider": 5,
            "last_trick": 3,
        },
    ),
    2,
    {"target": 1, "exchange": "trick"},
)
"""Two seats with one card each and a stock of two cards. A seat can close it, claim 16 points, or play on."""
