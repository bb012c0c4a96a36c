"""Sixty-Six by rules of thumb: count the points, keep trumps and marriages, close on a strong hand, claim in time."""

from upcard.rules import *

from .rules import *

NOT_NOW = -1
DRAW_TRUMPS, SURE_TRICK, SPARE_TRUMP = 60, 40, 20
"""The values of leads that are certain to take the trick: a trump while the other may have some, a plain card, and a
trump when the other has none."""
WINNING_TRICK = 100
"""The value of a trick that brings enough points to win."""
TAKES = 10
"""The value of taking a trick, apart from its points."""
HOPEFUL = 60
"""The number of expected points at which the stock is closed."""


# ----------------------------------------------------------------------------------------- for the learned policy

SITUATIONS = 5
TRAITS = 25
UNITS = 16
SURROUNDINGS = 16
SIXTHS = 6
AT_THEIRS, AT_PENDING = 7, 14
"""The first feature for the other player's points; the feature for pending points, and after it the one for the other
player having no trick."""
NEARLY = 10
"""A player this many points short may have enough after the next trick."""
FAT = 10
"""The points from which on a card is worth a trump."""
WINS = 20
"""The trait of taking a trick that brings enough points."""


def situation(s: State, opt: Opt, me: int) -> int:
    """Whether the stock is open, closed by this seat, closed by the other, or exhausted; or whether the only sensible
    move is to claim."""
    if s.points[me] >= opt.enough:
        return 4
    if s.closer != NOBODY:
        return 1 if s.closer == me else 2
    return 0 if stock_open(s) else 3


def surroundings(s: State, opt: Opt, me: int) -> Cards:
    """How near both players are to enough points, whether points are pending, and whether the other has no trick."""
    mine, theirs = s.points[me], s.points[1 - me]
    found = bit(min(SIXTHS, SIXTHS * mine // opt.enough)) | bit(AT_THEIRS + min(SIXTHS, SIXTHS * theirs // opt.enough))
    return found | (bit(AT_PENDING) if s.pending[me] else 0) | (bit(AT_PENDING + 1) if s.tricks[1 - me] == 0 else 0)


def traits(s: State, opt: Opt, me: int, move: int) -> Cards:
    """For closing: the expected points, and how near the other player is. For other verbs: whether it is about trumps,
    and whether it wins. For a card: what happens to marriages, to the trick, and to the points."""
    verb = verb_of(move)
    if verb == CLOSE:
        hoped = hopes(s, opt, me, NOT_NOW)
        far = 0 if s.tricks[1 - me] == 0 else 1 if s.points[1 - me] < opt.schneider else 2
        return bit(min(7, max(0, (hoped - 36) // 6))) | bit(8 + far)
    if verb == MELD:
        wins = s.tricks[me] > 0 and s.points[me] + marriage_value(s, opt, move) >= opt.enough
        return bit(0 if suit_of(item(move, 0)) == s.trump else 1) | (bit(2) if wins else 0)
    return traits_of_card(s, opt, me, move) if verb == 0 else 0


def traits_of_card(s: State, opt: Opt, me: int, one: Card) -> Cards:
    rank = rank_of(one)
    trump = suit_of(one) == s.trump
    found = 0
    if rank in (KING, QUEEN):
        partner = bit(card(KING + QUEEN - rank, suit_of(one)))
        found |= bit(11) if s.hand[me] & partner else bit(12) if unseen(s, opt, me) & partner else 0
    if trump and rank == opt.fetcher and s.upcard != NO_CARD:
        found |= bit(13)
    if s.points[1 - me] + s.pending[1 - me] + opt.value[rank] >= opt.enough - NEARLY:
        found |= bit(14)
    if s.phase == LEAD:
        if safe(s, opt, me, one):
            found |= bit(15)
            found |= bit(16) if s.points[me] + s.pending[me] + opt.value[rank] >= opt.enough else 0
            found |= bit(17) if trump and of_suit(unseen(s, opt, me), s.trump) else 0
        return found | (bit(18) if of_suit(unseen(s, opt, me), s.trump) == 0 else 0)
    taken = opt.value[rank_of(s.card[s.leader])] + opt.value[rank]
    if s.better & bit(one) == 0:
        return found | (bit(19) if s.points[1 - me] + s.pending[1 - me] + taken >= opt.enough else 0)
    found |= bit(WINS) if s.points[me] + s.pending[me] + taken >= opt.enough else 0
    found |= bit(21 if opt.value[rank_of(s.card[s.leader])] >= FAT else 22)
    found |= bit(23) if s.pending[me] else 0
    return found | (bit(24) if trump and suit_of(s.card[s.leader]) != s.trump else 0)


def over(s: State, opt: Opt, card: Card) -> Cards:
    """The cards that beat a card in its suit."""
    return stronger(opt.above, card)


# -------------------------------------------------------------------------------------------------------- all choices


def choose(s: State, opt: Opt, me: int, moves: Buffer, n: int, luck: int) -> int:
    if s.phase == LEAD:
        first = before_lead(s, opt, me, moves, n)
        if first != NOT_NOW:
            return first
    best = NOT_NOW
    most = 0
    for i in range(n):
        if verb_of(moves[i]) == 0:
            worth = 4 * worth_of(s, opt, me, moves[i]) + (luck >> 2 * i & 3)
            if best == NOT_NOW or worth > most:
                best = moves[i]
                most = worth
    return best


def worth_of(s: State, opt: Opt, me: int, played: Card) -> int:
    """The value of playing this card."""
    if s.phase == LEAD:
        return lead_open(s, opt, me, played) if stock_open(s) else lead_closed(s, opt, me, played)
    return follow_open(s, opt, me, played) if stock_open(s) else follow_closed(s, opt, me, played)


def unseen(s: State, opt: Opt, me: int) -> Cards:
    """The cards that the other player may hold."""
    out = s.hand[me] | s.won[0] | s.won[1]
    if s.upcard != NO_CARD:
        out |= bit(s.upcard)
    if s.in_trick:
        out |= bit(s.card[s.leader])
    return opt.pack & ~out & ~s.lacks[1 - me]


# ------------------------------------------------------------------------------------------------- before the lead


def before_lead(s: State, opt: Opt, me: int, moves: Buffer, n: int) -> int:
    """A claim, an exchange, a close or a meld; NOT_NOW to lead a card."""
    if s.points[me] >= opt.enough:
        return DECLARE
    pair = best_marriage(s, opt, moves, n)
    if pair != NOT_NOW and s.tricks[me] > 0 and s.points[me] + marriage_value(s, opt, pair) >= opt.enough:
        return pair
    if offered(moves, n, EXCHANGE):
        return EXCHANGE
    if offered(moves, n, CLOSE) and hopes(s, opt, me, pair) >= HOPEFUL:
        return CLOSE
    return pair


def offered(moves: Buffer, n: int, move: int) -> bool:
    i = 0
    while i < n and moves[i] != move:
        i += 1
    return i < n


def best_marriage(s: State, opt: Opt, moves: Buffer, n: int) -> int:
    best = NOT_NOW
    for i in range(n):
        if verb_of(moves[i]) == MELD and (best == NOT_NOW or suit_of(item(moves[i], 0)) == s.trump):
            best = moves[i]
    return best


def marriage_value(s: State, opt: Opt, move: int) -> int:
    return worth_of_marriage(s, opt, suit_of(item(move, 0)))


def hopes(s: State, opt: Opt, me: int, pair: int) -> int:
    """The expected points if the stock is closed now: certain and likely tricks, and the cards that fall in them."""
    hidden = unseen(s, opt, me)
    points = s.points[me] + (marriage_value(s, opt, pair) if pair != NOT_NOW else 0)
    trumps = count(of_suit(hidden, s.trump))
    tricks = 0
    for suit in range(4):
        mine = of_suit(s.hand[me], suit)
        theirs = of_suit(hidden, suit)
        while mine:
            one = lowest(mine)
            mine &= mine - 1
            over = count(theirs & stronger(opt.above, one))
            if over == 0 and (suit == s.trump or count(theirs) >= 2 or trumps <= 1):
                points += opt.value[rank_of(one)]
                tricks += 1
    return points + 5 * tricks - 4 * trumps if tricks > 1 else 0


# --------------------------------------------------------------------------------------------- while cards are drawn


def keep(s: State, opt: Opt, me: int, one: Card) -> int:
    """The value of a card in the hand while the stock is open."""
    rank = rank_of(one)
    suit = suit_of(one)
    worth = 13 if rank == ACE else 7 if rank == TEN else opt.value[rank]
    if suit == s.trump:
        worth += 12
        if rank == opt.fetcher and s.upcard != NO_CARD:
            worth += 6
    if rank in (KING, QUEEN):
        partner = bit(card(KING + QUEEN - rank, suit))
        if s.hand[me] & partner:
            worth += 18
        elif unseen(s, opt, me) & partner:
            worth += 4
    return worth


def lead_open(s: State, opt: Opt, me: int, one: Card) -> int:
    if s.melded != NO_SUIT:
        return -opt.value[rank_of(one)]
    hidden = unseen(s, opt, me)
    over = count(hidden & stronger(opt.above, one))
    if suit_of(one) == s.trump and over == 0 and s.points[me] + opt.value[rank_of(one)] >= opt.enough:
        return WINNING_TRICK
    return -keep(s, opt, me, one) - opt.value[rank_of(one)] - 2 * over


def follow_open(s: State, opt: Opt, me: int, one: Card) -> int:
    taken = opt.value[rank_of(s.card[s.leader])] + opt.value[rank_of(one)]
    if s.better & bit(one) == 0:
        return (
            -taken - keep(s, opt, me, one) - (60 if s.points[1 - me] + s.pending[1 - me] + taken >= opt.enough else 0)
        )
    if s.points[me] + s.pending[me] + taken >= opt.enough:
        return 200
    return taken - keep(s, opt, me, one) + s.pending[me]


# ----------------------------------------------------------------------------------- when the stock is gone or closed


def safe(s: State, opt: Opt, me: int, one: Card) -> bool:
    """Whether this card is certain to take the trick if led: it cannot be beaten in its suit, and the other player must
    follow suit or has no trump."""
    hidden = unseen(s, opt, me)
    if hidden & stronger(opt.above, one):
        return False
    return suit_of(one) == s.trump or of_suit(hidden, s.trump) == 0 or of_suit(hidden, suit_of(one)) != 0


def lead_closed(s: State, opt: Opt, me: int, one: Card) -> int:
    if s.melded != NO_SUIT:
        return opt.value[rank_of(one)] if safe(s, opt, me, one) else -opt.value[rank_of(one)]
    hidden = unseen(s, opt, me)
    if not safe(s, opt, me, one):
        return (
            -2 * opt.value[rank_of(one)]
            - (8 if suit_of(one) == s.trump else 0)
            - count(hidden & stronger(opt.above, one))
        )
    if suit_of(one) == s.trump:
        return DRAW_TRUMPS + opt.value[rank_of(one)] if of_suit(hidden, s.trump) else SPARE_TRUMP
    return SURE_TRICK + opt.value[rank_of(one)]


def follow_closed(s: State, opt: Opt, me: int, one: Card) -> int:
    taken = opt.value[rank_of(s.card[s.leader])] + opt.value[rank_of(one)]
    if s.better & bit(one) == 0:
        return -taken - (6 if suit_of(one) == s.trump else 0)
    spent = 0 if unseen(s, opt, me) & stronger(opt.above, one) else opt.value[rank_of(one)]
    return TAKES + taken - spent - (6 if suit_of(one) == s.trump else 0)
