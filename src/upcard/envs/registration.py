"""Registers the games that come with Upcard with Gymnasium, so that `gymnasium.make` and `make_vec` know them."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

from upcard.envs.episode import versioned
from upcard.games import names


def register_games() -> None:
    """Register `upcard/NAME` for each game, with its version. All arguments but the game may be given to `make`."""
    for slug in names():
        name = f"upcard/{versioned(slug)}"
        if name not in registry:
            register(
                name,
                entry_point="upcard.envs:gymnasium",
                vector_entry_point="upcard.envs.seat_vector:seat_vector_env",
                kwargs={"game": slug},
            )


register_games()
