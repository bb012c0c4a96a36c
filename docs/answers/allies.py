"""Roundup! in which seats 0 and 2 never attack each other, whoever plays."""

from upcard.games import load
from upcard.games.roundup.rules import item, other_moves
from upcard.rules import *

FIRST_ALLY, SECOND_ALLY = 0, 2


@rule
def put_attacks(s, opt, me, faces, out, n):
    """Allies attack everybody but each other."""
    allied = me in (FIRST_ALLY, SECOND_ALLY)
    ally = FIRST_ALLY + SECOND_ALLY - me
    kept = n
    for i in range(n, put_attacks(s, opt, me, faces, out, n)):
        if not allied or item(out[i], 1) != ally:
            out[kept] = out[i]
            kept += 1
    return kept


@rule
def count_others(s, opt, me, out):
    """By listing them: the game counts attacks without a look at who meets whom."""
    return other_moves(s, opt, me, out, 0)


@rule
def nth_other(s, opt, me, out, k):
    return out[k]


GAME = load("roundup").variant(
    "roundup-allies",
    title="Roundup! with allies",
    rules={"put_attacks": put_attacks, "count_others": count_others, "nth_other": nth_other},
)
