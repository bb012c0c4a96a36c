"""The kinds of silly moves, by game, and their registration."""

from collections.abc import Callable
from typing import Any

from upcard import games

Silly = Callable[[Any, Any, int, list[int]], list[int]]
"""(setup, s, me, moves): the moves that look silly, none where the kind does not occur."""
KINDS: dict[str, list[tuple[str, Silly]]] = {slug: [] for slug in games.SLUGS}
"""By game, the kinds with their titles."""


def kind(slug: str, title: str) -> Callable[[Silly], Silly]:
    """Register a kind of move."""

    def register(silly: Silly) -> Silly:
        KINDS[slug].append((title, silly))
        return silly

    return register
