"""Rounds by rules of thumb: win three tricks of five, win honours, keep the right four cards, and watch the 2h. The
last cards, which are all known, are searched exhaustively.

Chances are whole numbers out of SURE; values are points times SURE.
"""

from upcard.rules import *

from .rules import *

NOT_NOW = -1
SURE = 1024
DECIDES = (0, 0, 0, 0, 0, 16, 8, 4, 0, 8, 8, 6, 0, 4, 6, 6)
SIXTEENTHS = 16
"""The denominator of DECIDES, the chances that a trick decides the round. Its index is 4 times the tricks that seat 0
still needs, plus those that seat 1 needs."""
KEEP = values(A=7, K=4, Q=2, J=1)
"""The value of keeping a card for later, by rank."""
KEEP_TRUMP = 8
"""The extra value of keeping a trump, if the next round has the same trumps."""
LIABILITY = 3
"""The cost of keeping the two of hearts, which may have to be thrown away later."""
PATIENCE = 2
"""The weight of later tricks, in halves. It is one more in the last round but one and two more in the last, because of
the pile."""
FEW = 3
"""The largest hand that is searched exhaustively in the last round."""
MUCH = 1 << 20


# ----------------------------------------------------------------------------------------- for the learned policy

SITUATIONS = 6
TRAITS = 28
UNITS = 16
LIKELY, UNLIKELY = 10, 14
"""The first trait for how much the trick decides, if it is likely to be taken, and if it is not."""
PLENTY = 10
"""The points from which on a trick counts as valuable."""


def situation(s: State, opt: Opt, me: int) -> int:
    """Whether this is the last round, the last but one, or an earlier one, and whether it is decided."""
    return 2 * min(2, opt.rounds - s.round) + int(missing(s, opt, 0) == 0 or missing(s, opt, 1) == 0)


def traits(s: State, opt: Opt, me: int, move: int) -> Cards:
    """For a card: the chance that it is beaten when led, what it takes or gives, whether the trick decides the round,
    and whether it will be a trump later."""
    if verb_of(move) != 0:
        return 0
    worth = card_points(opt, bit(move))
    last = bit(0) if missing(s, opt, me) == 1 else 0
    last |= bit(1) if missing(s, opt, 1 - me) == 1 else 0
    last |= bit(2) if missing(s, opt, me) == 2 else 0
    last |= bit(3) if missing(s, opt, 1 - me) == 2 else 0
    prize = opt.prize & bit(move) != 0
    if s.led == 0:
        chance = beaten_chance(s, opt, me, move)
        step = 0 if chance == 0 else 5 if chance == SURE else 1 + 4 * chance // SURE
        return bit(step) | bit(6 + (0 if prize else 1 + step // 2)) | (last << LIKELY if step < 2 else last << UNLIKELY)
    worth += card_points(opt, bit(s.card[s.leader]))
    much = 0 if worth == 0 else 1 if worth < 4 else 2 if worth < PLENTY else 3
    if s.better & bit(move) == 0:
        return bit(much) | (bit(4) if prize else 0) | last << UNLIKELY
    return bit(18 + much) | (bit(22) if prize else 0) | last << LIKELY | (bit(23) if s.trumps & bit(move) else 0)


# -------------------------------------------------------------------------------------------------------- all choices


def choose(s: State, opt: Opt, me: int, moves: Buffer, n: int, luck: int) -> int:
    if opt.revokes == ALLOWED:
        first = before_card(s, opt, me, moves, n)
        if first != NOT_NOW:
            return first
    right = lawful(s.hand[me], s.led, s.forced) if s.led else s.hand[me]
    stake = SURE * opt.won_round // SIXTEENTHS * DECIDES[4 * missing(s, opt, 0) + missing(s, opt, 1)]
    counting = can_count(s, opt, me)
    best = NOT_NOW
    most = 0
    for i in range(n):
        if verb_of(moves[i]) == 0 and right & bit(moves[i]):
            if counting:
                worth = counted_out(s, opt, me, moves[i])
            else:
                worth = win(s, opt, me, moves[i], stake) - keep(s, opt, moves[i]) + (luck >> i & 255)
            if best == NOT_NOW or worth > most:
                best = moves[i]
                most = worth
    return best


def missing(s: State, opt: Opt, seat: int) -> int:
    """The number of tricks, up to three, that a seat still needs to win the round."""
    return min(3, max(0, opt.tricks // 2 + 1 - s.tricks[seat]))


def win(s: State, opt: Opt, me: int, one: Card, stake: int) -> int:
    """The gain or loss of this card in the trick."""
    own = SURE * card_points(opt, bit(one))
    if s.led:
        in_trick = own + SURE * card_points(opt, bit(s.card[s.leader])) + stake
        return in_trick if s.better & bit(one) else -in_trick
    beaten = beaten_chance(s, opt, me, one)
    return (SURE - 2 * beaten) * (own + stake) // SURE


def keep(s: State, opt: Opt, one: Card) -> int:
    """The value of keeping a card for later."""
    if opt.prize & bit(one):
        return -LIABILITY * SURE
    worth = KEEP[rank_of(one)]
    late = max(0, s.round - opt.rounds + 2)
    if s.trumps & bit(one) and late > 0:
        worth += KEEP_TRUMP
    return worth * SURE * (PATIENCE + late) // 2


# --------------------------------------------------------------------------------------------- what the other may hold


def unseen(s: State, opt: Opt, me: int) -> Cards:
    """The cards that the other player may hold."""
    out = s.hand[me] | s.won[0] | s.won[1] | s.lacks[1 - me] | turned_up(s, opt)
    if s.in_trick:
        out |= bit(s.card[s.leader])
    return opt.pack & ~out


def other_holds(s: State, opt: Opt, me: int) -> Cards:
    """The cards that the other player is known to hold; once the stock is gone, all that are missing."""
    return unseen(s, opt, me) if s.left == 0 else s.known[1 - me]


def holds_one(s: State, opt: Opt, me: int, such: Cards) -> int:
    """The chance that the other player holds one of these cards, when this seat is to lead."""
    known = other_holds(s, opt, me)
    if known & such:
        return SURE
    rest = unseen(s, opt, me) & ~known
    hidden = count(s.hand[me]) - count(known)
    many = count(rest)
    none = SURE
    for i in range(count(rest & such)):
        none = none * (many - hidden - i) // (many - i)
    return SURE - none


def beaten_chance(s: State, opt: Opt, me: int, one: Card) -> int:
    """The chance that the other player beats this card if it is led."""
    over = better_than(s, one)
    return holds_one(s, opt, me, over) if over else 0


# ----------------------------------------------------------------------------------------------------- the last cards


def can_count(s: State, opt: Opt, me: int) -> bool:
    """Whether the few cards left in the last round, which are all known, can be searched exhaustively."""
    if s.round < opt.rounds or count(s.hand[me]) > FEW:
        return False
    return count(other_holds(s, opt, me)) + count(s.in_trick) == count(s.hand[me])


def counted_out(s: State, opt: Opt, me: int, one: Card) -> int:
    """The points that this card and the rest of the hand make, if the other player plays perfectly."""
    mine = s.hand[me] & ~bit(one)
    theirs = other_holds(s, opt, me)
    ahead = s.tricks[me] - s.tricks[1 - me]
    if s.led:
        return -to_the_end(s, opt, s.card[s.leader], one, theirs, mine, -ahead)
    least = MUCH
    replies = lawful(theirs, asked_for(s, opt, one), forced_by(s, one))
    while replies:
        reply = lowest(replies)
        replies &= replies - 1
        least = min(least, to_the_end(s, opt, one, reply, mine, theirs & ~bit(reply), ahead))
    return least


def to_the_end(s: State, opt: Opt, led: Card, reply: Card, mine: Cards, theirs: Cards, ahead: int) -> int:
    """The points of the leader, who is `ahead` tricks ahead, in this trick and the rest of both hands."""
    if mine == 0:
        return last_trick(s, opt, led, reply, ahead)
    points = card_points(opt, bit(led) | bit(reply))
    if better_than(s, led) & bit(reply):
        return -points - lead_of_two(s, opt, theirs, mine, 1 - ahead)
    return points + lead_of_two(s, opt, mine, theirs, ahead + 1)


def lead_of_two(s: State, opt: Opt, mine: Cards, theirs: Cards, ahead: int) -> int:
    """The same before the lead, with one or two cards in each hand: the worst reply to the best lead."""
    most = -MUCH
    leads = mine
    while leads:
        led = lowest(leads)
        leads &= leads - 1
        least = MUCH
        replies = lawful(theirs, asked_for(s, opt, led), forced_by(s, led))
        while replies:
            reply = lowest(replies)
            replies &= replies - 1
            least = min(least, then_the_last(s, opt, led, reply, mine & ~bit(led), theirs & ~bit(reply), ahead))
        most = max(most, least)
    return most


def then_the_last(s: State, opt: Opt, led: Card, reply: Card, mine: Cards, theirs: Cards, ahead: int) -> int:
    """The points of the leader in this trick and in the one after it, if there is one."""
    if mine == 0:
        return last_trick(s, opt, led, reply, ahead)
    points = card_points(opt, bit(led) | bit(reply))
    if better_than(s, led) & bit(reply):
        return -points - last_trick(s, opt, lowest(theirs), lowest(mine), 1 - ahead)
    return points + last_trick(s, opt, lowest(mine), lowest(theirs), ahead + 1)


def last_trick(s: State, opt: Opt, led: Card, reply: Card, ahead: int) -> int:
    """The points of the leader in the last trick, which counts twice and takes the pile, and in the round."""
    points = card_points(opt, bit(led) | bit(reply) | turned_up(s, opt))
    if better_than(s, led) & bit(reply):
        return -points + (opt.won_round if ahead > 2 else -opt.won_round)
    return points + (opt.won_round if ahead > -2 else -opt.won_round)


# ------------------------------------------------------------------------------------------------------------- revokes


def before_card(s: State, opt: Opt, me: int, moves: Buffer, n: int) -> int:
    """A correction, a call or an acceptance; NOT_NOW to play a card. An own revoke is always corrected."""
    best = NOT_NOW
    for i in range(n):
        verb = verb_of(moves[i])
        if verb == CORRECT or (verb == CALL and best == NOT_NOW and surely_revoked(s, opt, me)):
            best = moves[i]
    return best if best != NOT_NOW or verb_of(moves[0]) != ACCEPT else moves[0]


def surely_revoked(s: State, opt: Opt, me: int) -> bool:
    """Whether this seat has seen proof of a revoke in an open trick of the other player."""
    other = 1 - me
    known = other_holds(s, opt, me)
    for t in range(s.finished):
        had = known | s.since_deal[other] & ~s.before[t]
        reply = bit(s.replies[t])
        if s.open_tricks[other] & bit(t) and not s.wanted[t] & reply:
            if had & s.wanted[t] or (had & s.instead[t] and not s.instead[t] & reply):
                return True
    return False
