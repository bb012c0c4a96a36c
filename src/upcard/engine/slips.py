"""How a beginner errs: in place of the move that was meant another one like it. A rule, in plain Python and compiled.

Like it is a move by the same verb that names the same but for one card, player or rank, or a number next to the one
that was meant. So nobody slips into a claim, a call or a trump suit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from upcard.rules.cards import count
from upcard.rules.game import Game
from upcard.rules.marks import rule
from upcard.rules.notation import cards_of, item
from upcard.rules.state import Buffer

SLIPS = 3
"""A beginner errs in one choice of so many."""
ONE_OTHER = 2
"""The items that two moves do not share where one names another card than the other."""


@rule
def is_like(move: int, meant: int, numbered: int, steady: int) -> bool:
    """Whether a move could be made where another is meant. `numbered` and `steady` are sets of verbs: those that name a
    number, and those that nobody mistakes."""
    verb = meant >> 51
    if move == meant or move >> 51 != verb or steady >> verb & 1:
        return False
    if numbered >> verb & 1:
        return -1 <= item(move, 0) - item(meant, 0) <= 1
    return count(cards_of(move) ^ cards_of(meant)) <= ONE_OTHER


@rule
def another(moves: Buffer, n: int, meant: int, luck: int, numbered: int, steady: int) -> int:
    """Any of n moves that is like the one that is meant; where there is none, that one."""
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
"""(s, moves, n, meant, luck): what is played of n moves by somebody who errs."""


def slip_of(game: Game[Any]) -> Slip:
    """How a beginner errs at a game."""
    return _slip(id(game), game)


@cache
def _slip(key: int, game: Game[Any]) -> Slip:
    verbs = list(enumerate(game.notation.verbs))
    space: dict[str, Any] = {
        "__name__": game.package,
        "another": another,
        "NUMBERED": sum(1 << i for i, verb in verbs if verb.items == ("number",)),
        "STEADY": sum(1 << i for i, verb in verbs if verb.items == ("suit",)),
    }
    exec(SOURCE, space)  # as a learned policy is made of a game's declarations
    found: Slip = rule(space["slip"])
    return found
