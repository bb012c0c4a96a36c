"""The kinds of silly moves, by game, and their registration."""

from collections.abc import Callable
from typing import Any, NamedTuple

from upcard import games

Silly = Callable[[Any, Any, int, list[int]], list[int]]
"""(setup, s, me, moves): the moves that look silly, none where the kind does not occur."""


def serves_any_purpose(move: int, other: int) -> bool:
    return True


class Kind(NamedTuple):
    """A kind of silly moves."""

    title: str
    silly: Silly
    serves_as: Callable[[int, int], bool] = serves_any_purpose
    """(move, other): whether a move that is not silly could have been made instead of this silly one. A move of the
    kind is an error only if one of these is better: otherwise it is another decision that went wrong."""


KINDS: dict[str, list[Kind]] = {slug: [] for slug in games.SLUGS}
"""By game."""


def kind(slug: str, title: str, serves_as: Callable[[int, int], bool] = serves_any_purpose) -> Callable[[Silly], Silly]:
    """Register a kind of move."""

    def register(silly: Silly) -> Silly:
        KINDS[slug].append(Kind(title, silly, serves_as))
        return silly

    return register
