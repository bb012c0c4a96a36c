"""Roundup! in which seats 0 and 2 never attack each other, whoever plays."""

from upcard.games import load
from upcard.games.roundup.rules import item
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


GAME = load("roundup").variant(
    "roundup-allies",
    title="Roundup! with allies",
    rules={"put_attacks": put_attacks},
)
