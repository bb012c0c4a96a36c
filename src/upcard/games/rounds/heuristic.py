"""Rules of thumb for Rounds: win three tricks of five, take honours home, keep the right four cards, look after the 2h.

Chances are whole numbers out of SURE, values are points times SURE.
"""

from upcard.rules import *

from .revokes import lawful
from .rules import *

NOT_NOW = -1
SURE = 1024
DECIDES = (0, 0, 0, 0, 0, 16, 8, 4, 0, 8, 8, 6, 0, 4, 6, 6)
"""How likely, in sixteenths, a trick decides the round, at 4 times the tricks that one seat misses plus the other's."""
TWO_OF_HEARTS = card(TWO, HEARTS)
KEEP = (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 7)
"""What a card is worth for later, by rank."""
KEEP_TRUMP = 8
"""What a trump is worth besides, when the next round has the same trumps."""
LIABILITY = 3
"""What it costs to hold the two of hearts: sooner or later it may have to be thrown."""
PATIENCE = (2, 2, 2, 2, 3, 4)
"""How much later counts, by round, in halves: the pile waits for the last trick."""


@rule
def choose(s: State, opt: Opt, me: int, moves: Buffer, n: int, luck: int) -> int:
    if opt.revokes == 1:
        first = before_card(s, me, moves, n)
        if first != NOT_NOW:
            return first
    right = s.hand[me] if s.led == NO_CARD else lawful(s.hand[me], s.asked, s.forced)
    stake = SURE * ROUND // 16 * DECIDES[4 * missing(s, 0) + missing(s, 1)]
    best = NOT_NOW
    most = 0
    for i in range(n):
        if verb_of(moves[i]) == 0 and right & bit(moves[i]):
            worth = win(s, me, moves[i], stake) - keep(s, moves[i]) + (luck >> i & 255)
            if best == NOT_NOW or worth > most:
                best = moves[i]
                most = worth
    return best


@rule
def missing(s: State, seat: int) -> int:
    """How many tricks a seat still needs for the round."""
    return max(0, 3 - s.tricks[seat])


@rule
def win(s: State, me: int, one: Card, stake: int) -> int:
    """What this card wins or loses in the trick."""
    own = SURE * card_points(bit(one))
    if s.led != NO_CARD:
        in_trick = own + SURE * card_points(bit(s.led)) + stake
        return in_trick if s.better & bit(one) else -in_trick
    beaten = beaten_chance(s, me, one)
    return (SURE - 2 * beaten) * (own + stake) // SURE


@rule
def keep(s: State, one: Card) -> int:
    """What a card is worth for later."""
    if one == TWO_OF_HEARTS:
        return -LIABILITY * SURE
    worth = KEEP[rank_of(one)]
    if s.trumps & bit(one) and s.round >= LAST_ROUND - 1:
        worth += KEEP_TRUMP
    return worth * SURE * PATIENCE[s.round] // 2


# --------------------------------------------------------------------------------------------- what the other may hold


@rule
def unseen(s: State, me: int) -> Cards:
    """The cards that the other may hold."""
    out = s.hand[me] | s.won[0] | s.won[1] | s.lacks[1 - me]
    for i in range(4):
        if s.pile[i] != NO_CARD:
            out |= bit(s.pile[i])
    if s.led != NO_CARD:
        out |= bit(s.led)
    return PACK & ~out


@rule
def other_holds(s: State, me: int) -> Cards:
    """The cards that the other is known to hold: once the stock is gone, all that are missing."""
    return unseen(s, me) if s.left == 0 else s.known[1 - me]


@rule
def size(s: State) -> int:
    """How many cards a seat holds at the beginning of a trick."""
    return (4 if s.round == LAST_ROUND else 9) - s.finished


@rule
def holds_one(s: State, me: int, such: Cards) -> int:
    """The chance that the other holds one of these cards, when this seat is to lead."""
    known = other_holds(s, me)
    if known & such:
        return SURE
    rest = unseen(s, me) & ~known
    hidden = size(s) - count(known)
    many = count(rest)
    none = SURE
    for i in range(count(rest & such)):
        none = none * (many - hidden - i) // (many - i)
    return SURE - none


@rule
def beaten_chance(s: State, me: int, one: Card) -> int:
    """The chance that the other beats this card, led."""
    over = better(s, one)
    if over == 0:
        return 0
    return holds_one(s, me, over)


# ------------------------------------------------------------------------------------------------------------- revokes


@rule
def before_card(s: State, me: int, moves: Buffer, n: int) -> int:
    """To correct, call or accept; NOT_NOW to play a card. An own revoke is always put right."""
    best = NOT_NOW
    for i in range(n):
        verb = verb_of(moves[i])
        if verb == CORRECT or (verb == CALL and best == NOT_NOW and surely_revoked(s, me)):
            best = moves[i]
    return best if best != NOT_NOW or verb_of(moves[0]) != ACCEPT else moves[0]


@rule
def surely_revoked(s: State, me: int) -> bool:
    """Whether what this seat has seen proves a revoke in an open trick of the other."""
    other = 1 - me
    known = other_holds(s, me)
    for t in range(s.finished):
        had = known | s.since_deal[other] & ~s.before[t]
        reply = bit(s.replies[t])
        if s.open_tricks[other] >> t & 1 and not s.wanted[t] & reply:
            if had & s.wanted[t] or (had & s.instead[t] and not s.instead[t] & reply):
                return True
    return False
