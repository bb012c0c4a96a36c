"""Roundup! by rules of thumb: hold back the suit that was bid, build all other stacks, and attack players who may hold
the cards that those stacks need next.
"""

from upcard.rules import *

from .rules import *

# ----------------------------------------------------------------------------------------- for the learned policy

SITUATIONS = 2
TRAITS = 33
UNITS = 16
SURROUNDINGS = 19
MOST_DOWN, AT_FEWEST, AT_STACKED = 5, 6, 12
"""The largest number of face-down cards that is distinguished; the first feature for the fewest of another player, and
for the stacked cards in sixes."""
SIXES = 6
AT_ATTACK = 16


def situation(s: State, opt: Opt, me: int) -> int:
    """Whether the suit that was bid is the only open one, or none is open."""
    return int(s.fits & ~kept_back(s, opt, me) == 0)


def surroundings(s: State, opt: Opt, me: int) -> Cards:
    """The number of face-down cards of this seat, the smallest number of another, and the number of stacked cards."""
    fewest = MOST_DOWN
    for seat in range(s.players):
        if seat != me:
            fewest = min(fewest, s.down[seat])
    return (
        bit(min(MOST_DOWN, s.down[me]))
        | bit(AT_FEWEST + fewest)
        | bit(AT_STACKED + min(SIXES, count(s.stacked) // SIXES))
    )


def traits(s: State, opt: Opt, me: int, move: int) -> Cards:
    """For a card, whether it is kept back, and how soon it may be played. For an attack, its target, and the cards that
    it may find."""
    verb = verb_of(move)
    if s.phase == BID:
        one = item(move, 0)
        left = count(of_suit(s.hand[me] & opt.number_cards, suit_of(one)))
        return bit(min(5, left)) | bit(6 + min(9, opt.value[rank_of(one)]))
    kept = kept_back(s, opt, me)
    if verb == 0 or verb in (PASS, GIVE_UP, SHOW):
        one = item(move, 0)
        found = bit(int(kept & bit(one) != 0))
        if opt.number_cards & bit(one) == 0:
            return found
        after = on_top_of(opt, one)
        found |= bit(2) if after & s.hand[me] else bit(3)
        far = opt.value[rank_of(one)] - count(of_suit(s.stacked, suit_of(one)))
        return found | bit(4 + max(0, min(7, far)))
    if verb == STOP:
        return bit(12 + int(stop_worth(s, opt, me, kept) > 0))
    if verb == FREE_PASS:
        return bit(14)
    return traits_of_attack(s, opt, me, move, sought_after(s, me, kept))


def traits_of_attack(s: State, opt: Opt, me: int, move: int, sought: Cards) -> Cards:
    target = item(move, 1)
    wanted = sought & ~s.lacks[target] if s.down[target] else 0
    if verb_of(move) == QUEEN_AT:
        wanted &= all_of(item(move, 2))
    elif verb_of(move) == KING_AT:
        wanted &= of_rank(opt.pack, item(move, 2))
    found = bit(AT_ATTACK + min(3, count(wanted))) | bit(AT_ATTACK + 4 + min(5, s.down[target]))
    if s.bids[target] != NO_CARD and of_suit(wanted, suit_of(s.bids[target])):
        found |= bit(AT_ATTACK + 10)
    more = count(s.face_up[target]) + s.down[target] - count(s.face_up[me]) - s.down[me]
    found |= bit(AT_ATTACK + 11 + step(more, 2, 4))
    return found | (bit(AT_ATTACK + 16) if target == left_of(s, me) else 0)


# -------------------------------------------------------------------------------------------------------- all choices


def choose(s: State, opt: Opt, me: int, moves: Buffer, n: int, luck: int) -> int:
    """The move with the highest value."""
    kept = kept_back(s, opt, me)
    sought = sought_after(s, me, kept)
    best = moves[0]
    best_worth = -(1 << 40)
    for i in range(n):
        verb = verb_of(moves[i])
        card = item(moves[i], 0)
        if s.phase == BID:
            worth = bid_worth(s, opt, me, card)
        elif verb == 0:
            worth = -200 if kept & bit(card) else 1000
        elif verb == STOP:
            worth = stop_worth(s, opt, me, kept)
        elif verb == FREE_PASS:
            worth = 0
        elif verb in (PASS, GIVE_UP, SHOW):
            worth = price_worth(s, opt, card, kept)
        else:
            worth = attack_worth(s, opt, moves[i], sought)
        worth = (worth << LOTS) + lot(luck, i)
        if worth > best_worth:
            best_worth = worth
            best = moves[i]
    return best


def kept_back(s: State, opt: Opt, me: int) -> Cards:
    """The cards that should not be played yet: those of the suit that was bid, while another suit is open."""
    if s.bids[me] == NO_CARD:
        return 0
    mine = all_of(suit_of(s.bids[me]))
    if opt.goal == FIRST:
        return 0 if s.closed[0] != NO_CARD else opt.pack & ~mine
    return mine if s.fits & ~mine else 0


def sought_after(s: State, me: int, kept: Cards) -> Cards:
    """The next cards of the stacks that should grow, if somebody else has them face down."""
    seen = s.hand[me]
    for seat in range(s.players):
        seen |= s.face_up[seat]
    return s.fits & ~seen & ~kept


def bid_worth(s: State, opt: Opt, me: int, card: Card) -> int:
    """The value of a bid: with many cards of the suit, many can be held back."""
    left = of_suit(s.hand[me] & opt.number_cards, suit_of(card)) & ~bit(card)
    return 20 * count(left) + opt.value[rank_of(card)]  # the higher the card in the open, the later it must be played


def stop_worth(s: State, opt: Opt, me: int, kept: Cards) -> int:
    """The value of stopping: the last playable card is saved for a turn in which one must be played."""
    fitting = s.face_up[me] & s.fits
    saves = fitting & kept and count(fitting & ~kept) < 2
    return 1001 if saves and not is_in_vain(s, opt, me, kept) else -1000


def is_in_vain(s: State, opt: Opt, me: int, kept: Cards) -> bool:
    """Whether a stop gains nothing, which is certain if all cards of the others are open: the last card of the own suit
    must be played next turn anyway, or the others must complete the other stacks before the own suit can continue."""
    if opt.goal == FIRST:
        return False
    other = s.fits & ~kept
    own = s.fits & kept
    while own & s.face_up[me]:
        own = on_top_of(opt, lowest(own))
    must = True
    seat = left_of(s, me)
    while seat != me and other:
        if s.down[seat]:
            return False
        must = must and s.face_up[seat] & own == 0 and count(s.face_up[seat] & other) < 2
        while s.face_up[seat] & other:
            one = lowest(s.face_up[seat] & other)
            other = other & ~bit(one) | on_top_of(opt, one)
            must = must and s.face_up[seat] & other == 0
        seat = left_of(s, seat)
    if own:
        return other == 0 and must
    return other != 0 and count(s.face_up[me] & (kept | other)) == 1


def on_top_of(opt: Opt, one: Card) -> Cards:
    """The card that fits on this one; the empty set for the last."""
    height = opt.value[rank_of(one)]
    return bit(card(opt.rank_at[height + 1], suit_of(one))) if height < opt.height else 0


def price_worth(s: State, opt: Opt, card: Card, kept: Cards) -> int:
    """The value of giving up a card from the face-down hand: best is one that may be played soon."""
    if bit(card) & opt.number_cards == 0:
        return 0
    if bit(card) & kept:
        return -100 + opt.value[rank_of(card)]
    return 100 - (opt.value[rank_of(card)] - count(of_suit(s.stacked, suit_of(card))))


def attack_worth(s: State, opt: Opt, move: int, sought: Cards) -> int:
    """The value of an attack: its chance to bring out a card that is sought, above all from a player who bid its suit
    and will not play it.

    With two players any attack hurts the right one; with more, it usually waits until there is nothing to pass with.
    """
    target = item(move, 1)
    wanted = sought & ~s.lacks[target] if s.down[target] else 0
    sureness = 4
    if verb_of(move) == QUEEN_AT:
        wanted &= all_of(item(move, 2))
        sureness = 8
    elif verb_of(move) == KING_AT:
        wanted &= of_rank(opt.pack, item(move, 2))
        sureness = 16
    likely = count(wanted)
    if s.bids[target] != NO_CARD:
        likely += 2 * count(of_suit(wanted, suit_of(s.bids[target])))
    return (110 if s.players == 2 else 50) + sureness * likely + s.down[target]
