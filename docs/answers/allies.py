"""Roundup! in which seats 0 and 2 never attack each other."""

from upcard.games.roundup import Roundup
from upcard.rules import *

FIRST_ALLY, SECOND_ALLY = 0, 2


class RoundupAllies(Roundup):
    """Roundup! with two allies."""

    title = "Roundup! with allies"

    @override
    def put_attacks(self, s, me, faces, out, n):
        """Allies attack everybody except each other."""
        allied = me in (FIRST_ALLY, SECOND_ALLY)
        ally = FIRST_ALLY + SECOND_ALLY - me
        end = n
        for i in range(n, super().put_attacks(s, me, faces, out, n)):
            if not allied or item(out[i], 1) != ally:
                out[end] = out[i]
                end += 1
        return end
