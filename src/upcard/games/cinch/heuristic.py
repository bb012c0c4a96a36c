"""Cinch by rules of thumb: bid what the hand promises, and play the card that wins most or risks least for the side.

Chances are whole numbers out of SURE; values are fractions of a POINT. The weights were tuned by playing many matches.
"""

from upcard.rules import *

from .rules import *

SURE = 1024
IDLE = ("stub", "discards")
LEAST = -1000 * SURE
POINT = 10


# ----------------------------------------------------------------------------------------- for proofs and inference


def lasting(s: State, opt: Opt) -> Cards:
    """Trumps, which are kept: CI-13."""
    return s.trumps


def apart(s: State, opt: Opt) -> Cards:
    """Trumps, because they score."""
    return s.trumps


# ----------------------------------------------------------------------------------------- for the learned policy

SITUATIONS = 6
TRAITS = 28
UNITS = 16
SURROUNDINGS = 19
MOST, AT_HIDDEN, AT_PEDROS = 7, 8, 16
"""The largest number of points that is distinguished, and the first feature for hidden points and for hidden pedros."""


def situation(s: State, opt: Opt, me: int) -> int:
    """Whether the seat's side declares, and whether nobody, its own side or the other side is winning the trick."""
    declares = int(s.declarer != NOBODY and same_side(me, s.declarer))
    return 3 * declares + (0 if s.led == 0 else 1 if same_side(me, s.ahead) else 2)


def surroundings(s: State, opt: Opt, me: int) -> Cards:
    """How many points the declarers still need, and how many points and pedros are hidden."""
    if s.phase != PLAY:
        return 0
    hidden = hidden_trumps(s, me)
    needed = s.bid - value_of(s, opt, won_by(s, s.declarer))
    found = bit(max(0, min(MOST, needed))) | bit(AT_HIDDEN + min(MOST, value_of(s, opt, hidden) // 2))
    return found | bit(AT_PEDROS + min(2, count(pedros(s) & hidden)))


def traits(s: State, opt: Opt, me: int, move: int) -> Cards:
    """For a bid: how much more the hand promises, and what the partner has bid. For a card: what it adds to the trick,
    who gets that, and how many trumps are still above it."""
    if s.phase == BID:
        partner = s.bids[partner_of(me)]
        bids = item(move, 0) if move != PASS else s.bid + 1
        spare = best_promise(s.hand[me]) - POINT * bids
        said = bit(10) if partner > 0 else bit(11) if partner == PASSED else bit(12)
        return bit(min(9, max(0, spare // 6 + 5))) | said
    return traits_of_card(s, opt, me, move) if s.phase == PLAY else 0


def traits_of_card(s: State, opt: Opt, me: int, one: Card) -> Cards:
    hidden = hidden_trumps(s, me)
    takes = s.better & bit(one) != 0
    trump = s.trumps & bit(one) != 0
    mine = value_of(s, opt, bit(one))
    pot = mine + value_of(s, opt, cards_in_trick(s))
    found = bit(0 if mine >= opt.pedro else 1 if mine else 2 if is_low(s, me, one) else 3)
    behind = count(hidden & over(s, one if takes or s.led == 0 else s.card[s.ahead]))
    found |= bit(4 + min(behind, 3))
    if takes:
        found |= bit(8 if pot == 0 else 9 if pot < opt.pedro else 10)
        found |= bit(11) if s.led and same_side(me, s.ahead) else 0
    else:
        found |= bit(12 if pot == 0 else 13 if pot < opt.pedro else 14)
    if trump:
        found |= bit(15 + min(3, count(pedros(s) & hidden)))
        found |= bit(19 if place_of(s, one) > place_of(s, card(FIVE, s.trump)) else 20)
        found |= bit(21 + min(3, count(s.hand[me] & s.trumps)))
        found |= bit(25) if takes and behind == 0 else 0
    return found | (bit(26) if hidden == 0 else 0)


def best_promise(hand: Cards) -> int:
    """The `promise` of the best suit."""
    hopes = 0
    for suit in range(4):
        hopes = max(hopes, promise(hand, suit))
    return hopes


# -------------------------------------------------------------------------------------------------------- all choices


def choose(s: State, opt: Opt, me: int, moves: Buffer, n: int, luck: int) -> int:
    if s.phase == PLAY:
        return choose_card(s, opt, me, moves, n)
    if s.phase == BID:
        return choose_bid(s, me, moves, n)
    best = moves[0]
    most = LEAST
    for i in range(n):
        worth = worth_of_word(s, opt, me, moves[i])
        if worth > most:
            best = moves[i]
            most = worth
    return best


# ----------------------------------------------------------------------------------------- bidding, filling the hand

# What a trump in the hand promises the side that names its suit, by rank from the two to the ace.
PROMISE = (2, 3, 4, 7, 6, 6, 8, 8, 10, 12, 13, 17, 27)
ALONE = 44
"""What a hand without any trump promises."""
MARGIN = 15
"""How far a bid stays below what the hand promises."""


def promise(hand: Cards, trump: Suit) -> int:
    """The points that the side can expect if this seat names the suit."""
    points = ALONE
    trumps = hand & all_trumps(trump)
    while trumps:
        points += PROMISE[rank_of(lowest(trumps))]
        trumps &= trumps - 1
    return points


def choose_bid(s: State, me: int, moves: Buffer, n: int) -> int:
    """Bid what the best suit promises; the dealer, who speaks last, bids no more than necessary."""
    hopes = best_promise(s.hand[me]) - MARGIN
    best = PASS
    for i in range(n):
        if moves[i] != PASS and POINT * item(moves[i], 0) <= hopes and (best == PASS or me != s.dealer):
            best = moves[i]
    return best


def worth_of_word(s: State, opt: Opt, me: int, move: int) -> int:
    if s.phase == TRUMP:
        return promise(s.hand[me], item(move, 0))
    if s.phase != DISCARD:
        return use(s, opt, item(move, 0))
    thrown = cards_of(move)
    worth = 0
    while thrown:
        worth -= use(s, opt, lowest(thrown))
        thrown &= thrown - 1
    return worth


ANY_TRUMP = 100
"""How much more useful a trump is than any other card."""


def use(s: State, opt: Opt, one: Card) -> int:
    """How useful a card is in the hand."""
    if s.trumps & bit(one) == 0:
        return rank_of(one)
    return ANY_TRUMP + place_of(s, one) + 2 * POINT * value_of(s, opt, bit(one))


def place_of(s: State, one: Card) -> int:
    """The place of a trump in the order of CI-3: from the two, 0, to the ace, 13. The left pedro, 3, is just below the
    right one."""
    rank = rank_of(one)
    return rank + 1 if suit_of(one) == s.trump and rank >= FIVE else rank


# --------------------------------------------------------------------------------------------------------- the play

KEEP_TRUMP = (2, 2, 2, 3, 3, 3, 3, 4, 4, 6, 10, 14, 17, 18)
"""The cost of spending a trump, by its place; a pedro costs more."""
KEEP_PEDRO = 18
KEEP_PLAIN = (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3)
"""The cost of spending a plain card, by rank."""
TO_TAKE = 4
"""The value of a trick, apart from the points in it."""
FOR_LOW = 9
"""The extra value of a two or three of trumps in a trick."""
TO_DRAW = 6
"""The extra value, for the declarers, of leading a trump that takes the trick."""
OURS, THEIRS = 25, 25
"""The value of a pedro that the partner, or an opponent, may still play to the trick."""


def choose_card(s: State, opt: Opt, me: int, moves: Buffer, n: int) -> int:
    unseen = hidden_trumps(s, me)
    left = left_of(s, me)
    to_left = weight(s, opt, left)
    to_right = weight(s, opt, partner_of(left))
    to_mate = weight(s, opt, partner_of(me))
    every = max(1, to_left + to_right + to_mate)
    at_left = SURE * to_left // every
    at_right = SURE * to_right // every
    mate = SURE * to_mate // every
    best = moves[0]
    most = LEAST
    for i in range(n):
        worth = worth_of(s, opt, me, moves[i], unseen, at_left, mate, at_right)
        if worth > most:
            best = moves[i]
            most = worth
    return best


def hidden_trumps(s: State, me: int) -> Cards:
    """The trumps that this seat has not seen."""
    seen = s.hand[me] | s.left | all_played(s)
    for seat in range(SEATS):
        seen |= s.dead[seat]
    return s.trumps & ~seen


def weight(s: State, opt: Opt, seat: int) -> int:
    """How many of the hidden trumps a seat probably holds, relative to the other seats."""
    if s.lacks[seat] & s.trumps:
        return 0
    kept = max(0, s.kept[seat] - count(s.played[seat] & s.trumps))
    others = opt.size - count(s.played[seat]) - kept
    return 4 * kept + (3 if seat == s.robber else 1) * others


def has_any(chance: int, cards: Cards) -> int:
    """The chance that a seat holds any of these cards, if it holds each with `chance`."""
    none = SURE
    while cards:
        none = none * (SURE - chance) // SURE
        cards &= cards - 1
    return SURE - none


def to_come(s: State, me: int, seat: int) -> bool:
    """Whether `seat` plays to this trick after `me`."""
    return (seat - s.leader) % SEATS > (me - s.leader) % SEATS


def worth_of(s: State, opt: Opt, me: int, one: Card, unseen: Cards, at_left: int, mate: int, at_right: int) -> int:
    """The value of the trick if this card is played, minus the cost of spending the card.

    `unseen` are the hidden trumps; `at_left`, `mate` and `at_right` are the chances that the seat on the left, the
    partner and the seat on the right hold any one of them.
    """
    takes = s.better & bit(one) != 0
    left = left_of(s, me)
    left_plays = to_come(s, me, left)
    mate_plays = to_come(s, me, partner_of(me))
    right_plays = to_come(s, me, partner_of(left))
    above = over(s, one if takes else s.card[s.ahead]) & unseen
    left_over = has_any(at_left, above) if left_plays else 0
    right_over = has_any(at_right, above) if right_plays else 0
    mate_over = has_any(mate, above) if mate_plays else 0
    if takes or same_side(me, s.ahead):
        win = (SURE - left_over) * (SURE - right_over) // SURE
        win += (SURE - win) * mate_over // (2 * SURE)
    else:
        win = mate_over * (SURE - right_over) // SURE
    five = pedros(s) & unseen
    ours = has_any(mate, five) if mate_plays else 0
    theirs = has_any(at_left, five) if left_plays else 0
    theirs += has_any(at_right, five) if right_plays else 0
    draws = me == s.leader and s.trumps & bit(one) != 0 and same_side(me, s.declarer)
    pot = POINT * value_of(s, opt, cards_in_trick(s) | bit(one)) + TO_TAKE
    pot += (FOR_LOW if is_low(s, me, one) else 0) + (TO_DRAW if draws else 0)
    gain = pot + OURS * ours // SURE
    risk = pot + THEIRS * theirs // SURE
    now = (gain * win - risk * (SURE - win)) // SURE
    rest = s.hand[me] & ~bit(one)
    if count(rest) == 1 and not left_plays:
        return now + last_trick(s, opt, me, lowest(rest), unseen)
    return now - keep(s, one)


def last_trick(s: State, opt: Opt, me: int, one: Card, unseen: Cards) -> int:
    """The value of the last trick with this card left. A trump takes it unless somebody holds a higher hidden one;
    otherwise it goes to one of the others who may hold trumps."""
    low = is_low(s, me, one) or bit(card(TWO, s.trump)) & unseen
    pot = POINT * value_of(s, opt, unseen | bit(one)) + TO_TAKE + (FOR_LOW if low else 0)
    many = max(1, count(unseen))
    lost = count(over(s, one) & unseen) if s.trumps & bit(one) else many
    ours = int(s.lacks[partner_of(me)] & s.trumps == 0)
    theirs = int(s.lacks[left_of(s, me)] & s.trumps == 0) + int(s.lacks[partner_of(left_of(s, me))] & s.trumps == 0)
    return pot * (many - lost) // many - pot * lost * (theirs - ours) // (many * max(1, theirs + ours))


def is_low(s: State, me: int, one: Card) -> bool:
    """Whether a card in hand is probably the lowest trump of the deal."""
    two = bit(card(TWO, s.trump))
    return bit(one) == two or (one == card(THREE, s.trump) and (all_played(s) | s.hand[me]) & two == 0)


def all_played(s: State) -> Cards:
    return s.played[0] | s.played[1] | s.played[2] | s.played[3]


def keep(s: State, one: Card) -> int:
    """The cost of spending a card."""
    if s.trumps & bit(one) == 0:
        return KEEP_PLAIN[rank_of(one)]
    if pedros(s) & bit(one):
        return KEEP_PEDRO
    return KEEP_TRUMP[place_of(s, one)]
