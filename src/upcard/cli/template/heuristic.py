"""Plain Tricks by rules of thumb: win with the lowest card that wins, and throw the lowest that does not."""

from upcard.rules import *

from .rules import *


def choose(s: State, opt: Opt, me: int, moves: Buffer, n: int, luck: int) -> int:
    best = moves[0]
    for i in range(1, n):
        if worth(s, moves[i]) > worth(s, best):
            best = moves[i]
    return best


def worth(s: State, card: Card) -> int:
    """A lead is the better the higher it is; later the lowest winner is best, and no winner is better than low."""
    height = rank_of(card) + (100 if suit_of(card) == s.trump else 0)
    if s.led == 0:
        return rank_of(card)
    return 1000 - height if s.better & bit(card) else -height
