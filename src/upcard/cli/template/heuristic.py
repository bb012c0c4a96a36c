"""Plain Tricks by rules of thumb: win with the lowest card that wins, and throw the lowest that does not."""

from upcard.rules import *

from .rules import *


class PlainTricksHeuristic(PlainTricksRules):
    """The computer player."""

    @override
    def choose(self, s: PlainTricksState, me: int, moves: Buffer, n: int, luck: int) -> int:
        best = moves[0]
        for i in range(1, n):
            if self.worth(s, moves[i]) > self.worth(s, best):
                best = moves[i]
        return best

    def worth(self, s: PlainTricksState, card: Card) -> int:
        """A lead is the better the higher it is; later the lowest winner is best, and no winner is better than low."""
        height = rank_of(card) + (100 if suit_of(card) == s.trump else 0)
        if s.led == 0:
            return rank_of(card)
        return 1000 - height if s.better & bit(card) else -height
