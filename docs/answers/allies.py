"""Roundup! in which seats 0 and 2, by rules of thumb, never attack each other."""

from upcard.games import load
from upcard.games.roundup.rules import item
from upcard.rules import *

FIRST_ALLY, SECOND_ALLY = 0, 2
NEVER = -10_000


@rule
def attack_worth(s, opt, move, sought):
    """Allies never attack each other."""
    me = lowest(s.to_act)
    target = item(move, 1)
    if (me == FIRST_ALLY and target == SECOND_ALLY) or (me == SECOND_ALLY and target == FIRST_ALLY):
        return NEVER
    return attack_worth(s, opt, move, sought)


GAME = load("roundup").variant("roundup-allies", title="Roundup! with allies", rules={"attack_worth": attack_worth})
