"""Rounds without rank trumps."""

from upcard.games import load
from upcard.rules import *


@rule
def turn_up(s, opt, upcard):
    """The turned-up card fixes the trump suit only."""
    turn_up(s, opt, upcard)
    s.rank_trumps = 0
    s.trumps = all_of(s.trump)


GAME = load("rounds").variant("no-rank-trumps", title="Rounds without rank trumps", rules={"turn_up": turn_up})
