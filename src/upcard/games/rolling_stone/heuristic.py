"""Rolling Stone by rules of thumb: lead the suit of which you hold the greatest share, from below.

The others soon cannot follow it, and in the suits where they hold the most you still can. Whoever is nearly out is made
to take up cards; with two cards left one wants the trick, so as to lead the last. But players who hold each other back
for ever never finish: after some tricks nobody cares any more.
"""

from upcard.rules import *

from .rules import *

PATIENCE = 40
"""So many tricks long others are held back."""
FAR = 1 << 30
SHARE = 1000
"""Against holding all cards of a suit that are still in hands …"""
LOWER = 30
"""… for each of them in other hands that the card led can beat …"""
NEARLY_OUT = 200
"""… and for a player with one or two cards who cannot follow, or with just one who can."""

TWO_LEFT = 2
"""Cards of somebody who wants the next trick: the last card is led after it, and the deal is won."""

# ----------------------------------------------------------------------------------------- for the learned policy

SITUATIONS = 6
TRAITS = 30
UNITS = 16
SURROUNDINGS = 7
FEW = 5
"""How few cards somebody has is told apart so far."""
EIGHTHS = 8
AT_SHARE, AT_LOWER, AT_HELD_BACK, AT_WINS = 0, 9, 15, 20
"""The first traits of a lead: the share of the suit, the cards that it beats, how many it holds back; and of a card
that follows: whether it wins as things stand, by how many others may be higher, and whether it is the last."""


def situation(s: State, opt: Opt, me: int) -> int:
    """How many cards are left, and whether somebody else is nearly out."""
    near = 0
    for seat in range(s.players):
        if seat != me and s.size[seat] <= TWO_LEFT:
            near = 3
    return near + (0 if s.size[me] <= TWO_LEFT else 1 if s.size[me] <= opt.dealt else 2)


def surroundings(s: State, opt: Opt, me: int) -> Cards:
    """How few cards one of the others has, and whether nobody cares any more."""
    fewest = FEW
    for seat in range(s.players):
        if seat != me:
            fewest = min(fewest, s.size[seat])
    return bit(fewest) | (bit(FEW + 1) if s.played >= PATIENCE else 0)


def traits(s: State, opt: Opt, me: int, card: Card) -> Cards:
    """Of a lead what the others hold of its suit; of a card that follows whether it wins."""
    if verb_of(card) != 0:
        return 0
    suit = all_of(suit_of(card))
    out = elsewhere(s, opt, me, suit)
    higher = min(3, count(out & ~(bit(card) - 1)))
    if s.led:
        found = bit(AT_WINS + higher + (4 if bit(card) > s.table else 0))
        return found | bit(AT_WINS + 8 + int(left_of(s, me) == s.leader))
    mine = count(s.hand[me] & suit)
    found = bit(AT_SHARE + EIGHTHS * mine // (mine + count(out))) | bit(AT_LOWER + min(5, count(out & bit(card) - 1)))
    return found | bit(AT_HELD_BACK + max(0, min(4, holds_back(s, me, out) + 2)))


def choose(s: State, opt: Opt, me: int, moves: Buffer, n: int, luck: int) -> int:
    if n == 1:
        return moves[0]
    best = moves[0]
    best_worth = -FAR
    for i in range(n):
        card = moves[(i + luck) % n]
        worth = worth_following(s, me, card) if s.led else worth_leading(s, opt, me, card)
        if worth > best_worth:
            best = card
            best_worth = worth
    return best


def elsewhere(s: State, opt: Opt, me: int, suit: Cards) -> Cards:
    """The cards of a suit that the other players hold."""
    return opt.pack & suit & ~(s.hand[me] | s.table | s.discard)


def worth_following(s: State, me: int, card: Card) -> int:
    """The lowest card, and the lead where it can be had for sure; with two cards left the one that may win it."""
    wins = bit(card) > s.table and left_of(s, me) == s.leader
    if s.size[me] == TWO_LEFT:
        return card
    return (FAR >> 1 if wins else 0) - card


def worth_leading(s: State, opt: Opt, me: int, card: Card) -> int:
    suit = all_of(suit_of(card))
    mine = count(s.hand[me] & suit)
    out = elsewhere(s, opt, me, suit)
    if s.size[me] == TWO_LEFT:
        higher = count(out & ~(bit(card) - 1))
        return count(out) - SHARE * higher
    worth = SHARE * mine // (mine + count(out))
    if s.played >= PATIENCE:
        return worth
    return worth - LOWER * count(out & bit(card) - 1) + NEARLY_OUT * holds_back(s, me, out)


def holds_back(s: State, me: int, out: Cards) -> int:
    """How many more of those who are nearly out must take up cards when this suit is led than can play their last."""
    unknown = out
    for seat in range(s.players):
        if seat != me:
            unknown &= ~s.known[seat]
    more = 0
    for seat in range(s.players):
        if seat != me and s.size[seat] <= 2:
            if out & s.known[seat] | unknown & ~s.lacks[seat] == 0:
                more += 1
            elif s.size[seat] == 1:
                more -= 1
    return more
