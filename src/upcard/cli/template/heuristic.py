"""A heuristic for Plain Tricks: win with the lowest card that can win; if none can, throw the lowest."""

from upcard.rules import *

from .rules import *


class PlainTricksHeuristic(PlainTricksRules):
    """The moves of the casual computer player."""

    @override
    def choose(self, s: PlainTricksState, me: int, moves: Buffer, n: int, luck: int) -> int:
        best = moves[0]
        for i in range(1, n):
            if self.worth(s, moves[i]) > self.worth(s, best):
                best = moves[i]
        return best

    def worth(self, s: PlainTricksState, card: Card) -> int:
        """How good a card is to play. A lead should be high; after that, the lowest winner is best, then the lowest
        loser."""
        height = rank_of(card) + (100 if suit_of(card) == s.trump else 0)
        if s.led == 0:
            return rank_of(card)
        return 1000 - height if s.better & bit(card) else -height
