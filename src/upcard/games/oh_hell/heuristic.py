"""Oh Hell by rules of thumb: weigh every card by how likely it takes a trick, and aim at the bid.

Chances are whole numbers out of SURE.
"""

from upcard.rules import *

from .rules import *

SURE = 1024
INFERS, LEARNED = 0.7, True
"""Experts weigh most worlds by what the others bid and played, and let everybody play as learned in their rollouts."""
IDLE = ("undealt",)

# ----------------------------------------------------------------------------------------------------------- for proofs


def apart(s: State, opt: Opt) -> Cards:
    """None: only who takes tricks counts."""
    return 0


# ----------------------------------------------------------------------------------------- for the learned policy

SITUATIONS = 4


def situation(s: State, opt: Opt, me: int) -> int:
    """How many tricks are missing, and whether they are all that are left."""
    if s.phase != PLAY:
        return 0
    missing = s.bids[me] - s.tricks[me]
    if missing <= 0:
        return 0
    return 3 if missing >= count(s.hand[me]) else min(missing, 2)


# -------------------------------------------------------------------------------------------------------- all choices


def choose(s: State, opt: Opt, me: int, moves: Buffer, n: int, luck: int) -> int:
    return choose_bid(s, opt, me, moves, n) if s.phase == BID else choose_card(s, opt, me, moves, n)


def choose_bid(s: State, opt: Opt, me: int, moves: Buffer, n: int) -> int:
    """The bid that promises most: the nearer to the tricks in the hand, the likelier it is made."""
    tricks = in_hand(s, opt, me)
    reach = SURE + SURE * s.size // 8
    best = moves[0]
    best_worth = -1
    for i in range(n):
        bid = item(moves[i], 0)
        likely = reach - abs(SURE * bid - tricks)
        worth = likely * points_for(opt, s.size, bid, bid)
        if worth > best_worth:
            best = moves[i]
            best_worth = worth
    return best


def choose_card(s: State, opt: Opt, me: int, moves: Buffer, n: int) -> int:
    """The card after which the tricks to be expected come nearest to those that are missing."""
    missing = SURE * (s.bids[me] - s.tricks[me])
    tricks = in_hand(s, opt, me)
    best = moves[0]
    best_off = SURE * SURE
    for i in range(n):
        expected = tricks - in_the_end(s, opt, me, moves[i]) + now(s, opt, me, moves[i])
        off = abs(missing - expected)
        if off < best_off:
            best = moves[i]
            best_off = off
    return best


def in_hand(s: State, opt: Opt, me: int) -> int:
    """The tricks to be expected from a hand."""
    tricks = 0
    cards = s.hand[me]
    while cards:
        tricks += in_the_end(s, opt, me, lowest(cards))
        cards &= cards - 1
    return tricks


def in_the_end(s: State, opt: Opt, me: int, card: Card) -> int:
    """The chance that a card takes a trick sooner or later: a plain one only if its suit is led."""
    chance = SURE
    stands = stands_up(s, opt, me, card)
    for _ in range(s.players - 1):
        chance = chance * stands // SURE
    if suit_of(card) == s.trump:
        return chance
    cards = count(s.hand[me])
    return chance * (cards + 1) // (cards + 3)


def now(s: State, opt: Opt, me: int, card: Card) -> int:
    """The chance that a card takes the trick on the table."""
    if s.better & bit(card) == 0:
        return 0
    chance = SURE
    stands = stands_up(s, opt, me, card)
    after = left_of(s, me)
    last = s.leader if s.led else me
    while after != last:
        chance = chance * stands // SURE
        after = left_of(s, after)
    return chance


def stands_up(s: State, opt: Opt, me: int, card: Card) -> int:
    """The chance that one other player does not beat a card, from what this seat has seen."""
    suit = suit_of(card)
    cards = count(s.hand[me])
    unseen = opt.pack & ~(s.hand[me] | s.played | bit(s.upcard))
    many = count(unseen)
    higher = count(of_suit(unseen, suit) & -2 * bit(card))
    if suit == s.trump:
        return max(0, SURE - SURE * 3 * higher // (2 * many))
    void = without(cards, count(of_suit(unseen, suit)), many)
    trumps = SURE - without(cards, count(of_suit(unseen, s.trump)), many)
    beaten = SURE * higher * (cards + 1) // many + void * trumps // SURE
    return max(0, SURE - beaten)


def without(cards: int, such: int, many: int) -> int:
    """The chance that so many of `many` unseen cards have none of `such` among them, roughly."""
    met = cards * such
    return 2 * SURE * many * many // (2 * many * many + 2 * many * met + met * met)
