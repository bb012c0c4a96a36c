"""Rounds with revokes, in which seat 0 may be bold and seat 1 trusting or suspicious."""

from upcard.games.rounds import Rounds
from upcard.games.rounds.rules import *
from upcard.rules import *

HONEST, ALWAYS, LAST = BOLD = words("honest always last")
SURE_ONLY, SUSPICIOUS, TRUSTING = CALLER = words("sure suspicious trusting")


class RoundsBold(Rounds):
    """Rounds in which seat 0 revokes where that takes a trick, and seat 1 calls as its option sets."""

    title = "Rounds with a bold player"
    bold: int = choice(BOLD, clause="RD-40", help="when seat 0 revokes: never, to take any trick, the last of a round")
    caller: int = choice(CALLER, clause="RD-44", help="when seat 1 calls")

    def tempted(self, s):
        """Whether seat 0 can take the trick by a revoke alone, and has decided to do so."""
        if self.bold == HONEST or not s.led or s.exposed[0] != CLOSED:
            return False
        if self.bold == LAST and s.finished < self.tricks - 1:
            return False
        return self.lawful(s.hand[0], s.led, s.forced) & s.better == 0 and s.hand[0] & s.better != 0

    def suspect(self, s):
        """Whether seat 0 has taken an open trick without following suit."""
        for t in range(s.finished):
            if s.open_tricks[0] & bit(t) and s.owner[t] == 0 and not s.wanted[t] & bit(s.replies[t]):
                return True
        return False

    @override
    def before_card(self, s, me, moves, n):
        """Seat 0 revokes and never corrects; seat 1 calls whenever it suspects something, when it is sure, or never."""
        accept = -1
        call = -1
        for i in range(n):
            if verb_of(moves[i]) == ACCEPT:
                accept = moves[i]
            if verb_of(moves[i]) == CALL:
                call = moves[i]
        if me == 0 and self.bold != HONEST:
            if accept < 0 and self.tempted(s):
                return lowest(s.hand[0] & s.better)
            return accept
        if me == 1 and self.caller == TRUSTING:
            return accept
        if me == 1 and self.caller == SUSPICIOUS and call >= 0 and self.suspect(s):
            return call
        return super().before_card(s, me, moves, n)
