"""What hands are like: how plausible a hand is, given what everybody has seen of its player.

A game can list the signs of a hand in its module `heuristic`:

- `HAND_SIGNS`: how many different signs there are;
- `hand_signs(s, opt, seat, room)`: writes the signs of a seat's hand, numbers below `HAND_SIGNS`, to `room` and returns
  how many they are, at most `MOST_SIGNS`. A sign may be there several times.

How much a sign says is learned by `upcard train GAME --hands` and kept in `hands.json` beside the rules. The sum of the
weights of a hand's signs, in multiples of 1 / UNIT, is the logarithm of how much likelier the hand is than the rules
alone would have it, but for a constant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from upcard.engine.mistakes import bad_rules, obey
from upcard.engine.weights import Learned, defined, read_weights, write_weights
from upcard.rules.game import Game, once_per_game
from upcard.rules.state import Buffer

HANDS = "hands"
"""The name of the file of weights, see `upcard.engine.weights`."""
MOST_SIGNS = 512
"""The most signs of one hand."""


def signs_of(game: Game[Any]) -> Callable[[Any, Any, int, Buffer], int] | None:
    """The rule (s, opt, seat, room) that lists the signs of a hand; None if the game has none."""
    rule: Callable[[Any, Any, int, Buffer], int] | None = defined(game, "hand_signs")
    return rule


def number_of_signs(game: Game[Any]) -> int:
    """How many different signs a game has."""
    return int(defined(game, "HAND_SIGNS") or 0)


@once_per_game
def hands_of(game: Game[Any]) -> Learned | None:
    """The weights of the signs of a game, or of its root; None if there are none that fit. Cached."""
    number = number_of_signs(game)
    return read_weights(game, HANDS, str(number), number) if number else None


def write_hands(game: Game[Any], weights: list[int], made: dict[str, Any]) -> None:
    """Write the weights of the signs beside the game. Raises UpcardError for a game without a file."""
    write_weights(game, HANDS, weights, made, str(number_of_signs(game)))


def listed_signs(game: Game[Any], state: Any, options: Any, seat: int) -> list[int]:
    """The signs of a hand, in plain Python. Raises BadRules if there are too many, or one that does not exist."""
    rule = signs_of(game)
    assert rule is not None
    room = [0] * MOST_SIGNS
    number = obey(game, rule, state, options, seat, room)
    if wrong := [sign for sign in room[:number] if not 0 <= sign < number_of_signs(game)]:
        raise bad_rules(game, f"`hand_signs` lists {wrong[0]}, and HAND_SIGNS is {number_of_signs(game)}")
    return room[:number]
