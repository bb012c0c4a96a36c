"""Rounds without rank trumps."""

from upcard.games.rounds import Rounds
from upcard.rules import *


class NoRankTrumps(Rounds):
    """Rounds in which the turned-up card fixes the trump suit only."""

    title = "Rounds without rank trumps"

    @override
    def turn_up(self, s, upcard):
        """The turned-up card fixes the trump suit only."""
        super().turn_up(s, upcard)
        s.rank_trumps = 0
        s.trumps = all_of(s.trump)
