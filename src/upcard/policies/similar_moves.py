"""Similar moves: easy players make one by mistake, instead of the intended move. Runs in plain Python and compiled.

A move is similar if it has the same verb and differs in one card, seat or rank, or if its number is next to the
intended one. So no mistake leads to a claim, a call or another trump suit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from upcard.rules.cards import count
from upcard.rules.game import Game
from upcard.rules.marks import rule
from upcard.rules.notation import cards_of, item, verb_index
from upcard.rules.state import Buffer

SLIPS = 3
"""An easy player makes a mistake in one of this many choices."""
ONE_OTHER = 2
"""The size of the symmetric difference of two moves' items if they differ in one item."""


@rule
def is_like(move: int, meant: int, numbered: int, steady: int) -> bool:
    """Whether a move is similar to the intended one. `numbered` and `steady` are sets of verbs: those whose only item
    is a number, and those for which no mistakes are made."""
    verb = verb_index(meant)
    if move == meant or verb_index(move) != verb or steady >> verb & 1:
        return False
    if numbered >> verb & 1:
        return -1 <= item(move, 0) - item(meant, 0) <= 1
    return count(cards_of(move) ^ cards_of(meant)) <= ONE_OTHER


@rule
def another(moves: Buffer, n: int, meant: int, luck: int, numbered: int, steady: int) -> int:
    """One of n moves that are similar to the intended one, chosen by `luck`; the intended one if there are none."""
    others = 0
    for i in range(n):
        others += int(is_like(moves[i], meant, numbered, steady))
    if others == 0:
        return meant
    left = luck % others
    chosen = meant
    for i in range(n):
        if is_like(moves[i], meant, numbered, steady):
            if left == 0:
                chosen = moves[i]
            left -= 1
    return chosen


SOURCE = """
def slip(s, moves, n, meant, luck):
    return another(moves, n, meant, luck, NUMBERED, STEADY)
"""

Slip = Callable[[Any, Buffer, int, int, int], int]
"""(s, moves, n, meant, luck): returns the move made by mistake, one of the first n of `moves`."""


@cache
def slip_of(game: type[Game[Any]]) -> Slip:
    """The function that chooses the mistakes of easy players in a game."""
    verbs = list(enumerate(game.notation.verbs))
    space: dict[str, Any] = {
        "__name__": game.__module__,
        "another": another,
        "NUMBERED": sum(1 << i for i, verb in verbs if verb.items == ("number",)),
        "STEADY": sum(1 << i for i, verb in verbs if verb.items == ("suit",)),
    }
    exec(SOURCE, space)  # generated from the game's declarations, like a learned policy
    slip: Slip = rule(space["slip"])
    return slip
