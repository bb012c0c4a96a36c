"""Hand-likelihood features: how plausible a hand is, given the public history of its player.

A game can list the features of a hand, called its signs, with the constant `HAND_SIGNS` and the method `hand_signs` of
its class. A sign may occur several times.

The weights of the signs are learned by `upcard train GAME --hands` and stored in `hands.json` next to the rules. The
sum of the weights of a hand's signs, in multiples of 1 / UNIT, is the logarithm of its likelihood ratio: how much
likelier the hand is than by the rules alone, up to a constant factor.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from upcard.engine.mistakes import bad_rules, obey
from upcard.policies.weights import Learned, read_weights, write_weights
from upcard.rules.game import Game

HANDS = "hands"
"""The kind of the file of weights: see `upcard.policies.weights`."""
MOST_SIGNS = 512
"""The largest number of signs of one hand."""


@cache
def hands_of(game: type[Game[Any]]) -> Learned | None:
    """The weights of the signs of a game, or of its root; None if there are none that fit. Cached."""
    number = game.HAND_SIGNS
    return read_weights(game, HANDS, str(number), number) if number else None


def write_hands(game: type[Game[Any]], weights: list[int], origin: dict[str, Any]) -> None:
    """Write the weights of the signs next to the game; `origin` is as in `Learned`. Raises UpcardError for a game
    without a file."""
    write_weights(game, HANDS, weights, origin, str(game.HAND_SIGNS))


def listed_signs(setup: Game[Any], state: Any, seat: int) -> list[int]:
    """The signs of a hand, in plain Python. Raises BadRules if there are too many, or if one does not exist."""
    room = [0] * MOST_SIGNS
    number = obey(setup.game, setup.hand_signs, state, seat, room)
    if wrong := [sign for sign in room[:number] if not 0 <= sign < setup.HAND_SIGNS]:
        raise bad_rules(setup.game, f"`hand_signs` lists {wrong[0]}, and HAND_SIGNS is {setup.HAND_SIGNS}")
    return room[:number]
