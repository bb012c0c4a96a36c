"""Rounds with revokes, in which seat 0 may be bold and seat 1 trusting or suspicious."""

from upcard.games import load
from upcard.games.rounds.rules import *
from upcard.rules import *

HONEST, ALWAYS, LAST = BOLD = words("honest always last")
SURE_ONLY, SUSPICIOUS, TRUSTING = CALLER = words("sure suspicious trusting")


@rule
def tempted(s, opt):
    """Whether seat 0 can take the trick by a revoke alone, and has decided to do so."""
    if opt.bold == HONEST or not s.led or s.exposed[0] != CLOSED:
        return False
    if opt.bold == LAST and s.finished < opt.tricks - 1:
        return False
    return lawful(s.hand[0], s.led, s.forced) & s.better == 0 and s.hand[0] & s.better != 0


@rule
def suspect(s):
    """Whether seat 0 has taken an open trick without following suit."""
    for t in range(s.finished):
        if s.open_tricks[0] & bit(t) and s.owner[t] == 0 and not s.wanted[t] & bit(s.replies[t]):
            return True
    return False


@rule
def before_card(s, opt, me, moves, n):
    """Seat 0 revokes and never corrects; seat 1 calls whenever it suspects something, when it is sure, or never."""
    accept = -1
    call = -1
    for i in range(n):
        if verb_of(moves[i]) == ACCEPT:
            accept = moves[i]
        if verb_of(moves[i]) == CALL:
            call = moves[i]
    if me == 0 and opt.bold != HONEST:
        if accept < 0 and tempted(s, opt):
            return lowest(s.hand[0] & s.better)
        return accept
    if me == 1 and opt.caller == TRUSTING:
        return accept
    if me == 1 and opt.caller == SUSPICIOUS and call >= 0 and suspect(s):
        return call
    return before_card(s, opt, me, moves, n)


GAME = load("rounds").variant(
    "rounds-bold",
    title="Rounds with a bold player",
    rules={"before_card": before_card},
    options={
        "bold": choice(BOLD, clause="RD-40", help="when seat 0 revokes: never, to take any trick, the last of a round"),
        "caller": choice(CALLER, clause="RD-44", help="when seat 1 calls"),
    },
)
