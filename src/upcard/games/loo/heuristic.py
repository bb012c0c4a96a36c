"""Loo by rules of thumb: weigh every card by its chance of taking a trick, and tricks and loos by their chips.

Chances are whole numbers out of SURE; values are chips times SURE.
"""

from upcard.rules import *

from .rules import *

SURE = 1024
INFERS = 0.7
"""The share of an expert's worlds that are drawn by the likelihood of what the others said and played."""
IDLE = ("stock", "buried")
MET = 2
"""About how many cards of each rival a card will meet, until it takes a trick."""
STAYS = SURE // 2
"""The assumed chance that a player who has not decided yet stays in."""
CAUTION = SURE // 4
"""The gain that staying in must promise at least."""


# ----------------------------------------------------------------------------------------------------------- for proofs


def apart(s: State, opt: Opt) -> Cards:
    """Pam, and the ace of trumps, because it may have to be led."""
    return bit(opt.pam) | bit(card(ACE, s.trump))


# ----------------------------------------------------------------------------------------- for the learned policy

SITUATIONS = 6
TRAITS = 39
EIGHTHS = 8
AT_PROMISE, AT_THROWN, AT_SOON, AT_NONE = 0, 13, 19, 28
"""The first trait of staying in, of a discard, and of a card: its chance to take this trick, and the chance that no
later trick is taken."""


def situation(s: State, opt: Opt, me: int) -> int:
    """The number of players in, and whether the seat has a trick."""
    rivals = count(s.inside & ~only(me))
    return 2 * (0 if rivals <= 1 else 1 if rivals == 2 else 2) + int(s.tricks[me] > 0)


def traits(s: State, opt: Opt, me: int, move: int) -> Cards:
    """For staying in, its value relative to a loo; for a discard, the number of cards; for a card, its chance to take
    this trick, and the chance to take no later one."""
    if s.phase == DECLARE:
        loss = max(1, penalty(s, opt)) * SURE
        return bit(AT_PROMISE + step(promise(s, opt, me), loss // 8, 12)) if move == STAY else 0
    if s.phase == EXCHANGE:
        return bit(AT_THROWN + count(cards_of(move)))
    if s.phase != PLAY:
        return 0
    played = item(move, 0)
    rest = s.hand[me] & ~bit(played)
    hidden = unseen(s, opt, me)
    none = SURE
    while rest:
        later = in_the_end(s, opt, lowest(rest), hidden, count(rest), count(s.inside) - 1)
        none = none * (SURE - later) // SURE
        rest &= rest - 1
    soon = now(s, opt, me, played, verb_of(move) == CIVIL)
    return bit(AT_SOON + EIGHTHS * soon // SURE) | bit(AT_NONE + EIGHTHS * none // SURE)


# -------------------------------------------------------------------------------------------------------- all choices


def choose(s: State, opt: Opt, me: int, moves: Buffer, n: int, luck: int) -> int:
    if s.phase == PLAY:
        return choose_card(s, opt, me, moves, n, luck)
    if s.phase == DECLARE:
        return STAY if promise(s, opt, me) > 0 else PASS
    if s.phase == EXCHANGE:
        return say_discard(to_throw(s, opt, me))
    return FLUSH if moves[n - 1] == FLUSH else moves[0]


# ---------------------------------------------------------------------------------------------------------- chances


FINE = 32
ONE_OF = tuple(-(-(1 << FINE) // max(many, 1)) for many in range(64))
"""The reciprocals of whole numbers, times 1 << FINE and rounded up: what is multiplied by one and shifted by FINE is
divided and rounded down, for less time than a division takes."""


@large
def without(cards: int, such: int, many: int) -> int:
    """The chance that `cards` cards, drawn from `many`, contain none of the `such` cards in question."""
    chance = SURE
    for i in range(min(cards, many)):
        chance = chance * max(many - such - i, 0) * ONE_OF[many - i] >> FINE
    return chance


def unseen(s: State, opt: Opt, me: int) -> Cards:
    """The cards that the other players may hold."""
    return opt.pack & ~(s.hand[me] | s.buried[me] | s.played | bit(s.upcard))


@large
def stands(s: State, opt: Opt, card: Card, hidden: Cards, cards: int) -> int:
    """The chance that a card that is led is not beaten by a player with this many of the hidden cards."""
    if card == opt.pam:
        return SURE
    many = count(hidden)
    over = hidden & above(card)
    if s.trumps & bit(card):
        return without(cards, count(over | hidden & bit(opt.pam)), many)
    suit = of_suit(hidden, suit_of(card)) & ~s.trumps
    void = without(cards, count(suit), many)
    trumped = void * (SURE - without(cards, count(hidden & s.trumps), many - count(suit))) // SURE
    return max(0, without(cards, count(over & ~s.trumps), many) - trumped)


@large
def in_the_end(s: State, opt: Opt, card: Card, hidden: Cards, cards: int, rivals: int) -> int:
    """The chance that a card takes a trick sooner or later against this many rivals."""
    stand = stands(s, opt, card, hidden, min(cards, MET))
    chance = SURE
    for _ in range(rivals):
        chance = chance * stand // SURE
    return chance if s.trumps & bit(card) else 3 * chance // 4


# ------------------------------------------------------------------------------------------------- in, out, exchange


def rivals_expected(s: State, me: int) -> int:
    """The expected number of other players in, at least one."""
    if s.phase != DECLARE:
        return count(s.inside) - 1
    asked = (me - s.dealer - 1 + 2 * s.players) % s.players
    later = s.players - 1 - asked
    return max(1, count(s.inside) - 1 - later + (later * STAYS + SURE // 2) // SURE)


def drawn(rivals: int) -> int:
    """The chance that a card from the stock will take a trick."""
    return 3 * SURE // (4 * rivals + 4)


def promise(s: State, opt: Opt, me: int) -> int:
    """The expected gain of staying in."""
    if flush_kind(s, opt, s.hand[me]) != NO_FLUSH:
        return SURE
    rivals = rivals_expected(s, me)
    hidden = unseen(s, opt, me)
    tricks = 0
    none = SURE
    hand = s.hand[me]
    while hand:
        chance = max(in_the_end(s, opt, lowest(hand), hidden, opt.size, rivals), drawn(rivals))
        tricks += chance
        none = none * (SURE - chance) // SURE
        hand &= hand - 1
    return tricks * share(s, opt) - none * penalty(s, opt) - CAUTION


def to_throw(s: State, opt: Opt, me: int) -> Cards:
    """The cards to discard: those less likely to take a trick than a new card, or the one that does not fit four cards
    of a flush."""
    hand = s.hand[me]
    for suit in range(4):
        kept = hand & (all_of(suit) | bit(opt.pam))
        if count(kept) == opt.size - 1 and most_thrown(s, opt) > 0:
            return hand & ~kept
    rivals = rivals_expected(s, me)
    hidden = unseen(s, opt, me)
    thrown = 0
    while hand:
        one = lowest(hand)
        hand &= hand - 1
        if in_the_end(s, opt, one, hidden, opt.size, rivals) < drawn(rivals):
            thrown |= bit(one)
    while count(thrown) > most_thrown(s, opt):
        thrown &= thrown - 1
    return thrown


def say_discard(thrown: Cards) -> int:
    """The move that discards these cards, in pack order."""
    if thrown == 0:
        return KEEP
    move = say1(DISCARD, highest(thrown))
    thrown ^= bit(highest(thrown))
    while thrown:
        move = and_item(move, highest(thrown))
        thrown ^= bit(highest(thrown))
    return move


# --------------------------------------------------------------------------------------------------------- the play


def choose_card(s: State, opt: Opt, me: int, moves: Buffer, n: int, luck: int) -> int:
    best = moves[0]
    most = -(1 << 40)
    chances = later_chances(s, opt, me)
    for i in range(n):
        move = moves[(i + luck) % n]
        worth = worth_of(s, opt, me, move, chances)
        if worth > most:
            best = move
            most = worth
    return best


AT_ONCE, BITS = 5, 12
"""The chances of up to so many cards fit into one number, each into so many bits."""


def later_chances(s: State, opt: Opt, me: int) -> int:
    """For each card in hand the chance that it takes a later trick, the lowest card's in the last bits; 0 if there are
    too many of them, or only the last trick is left. They do not depend on the card played now, and cost most of the
    time."""
    hand = s.hand[me]
    cards = count(hand) - 1
    hidden = unseen(s, opt, me)
    chances = 0
    while hand and 1 < cards < AT_ONCE:
        one = highest(hand)
        chances = chances << BITS | in_the_end(s, opt, one, hidden, cards, count(s.inside) - 1)
        hand ^= bit(one)
    return chances


def worth_of(s: State, opt: Opt, me: int, move: int, chances: int) -> int:
    """The value of this trick and the later ones after a move, given the `later_chances`."""
    played = item(move, 0)
    chance = now(s, opt, me, played, verb_of(move) == CIVIL)
    hand = s.hand[me]
    cards = count(hand) - 1
    tricks = 0
    none = SURE
    while hand:
        one = lowest(hand)
        hand ^= bit(one)
        if one != played:
            if cards == 1:
                later = last_trick(s, opt, me, one, chance)
            elif cards < AT_ONCE:
                later = chances & (1 << BITS) - 1
            else:
                later = in_the_end(s, opt, one, unseen(s, opt, me), cards, count(s.inside) - 1)
            tricks += later
            none = none * (SURE - later) // SURE
        chances >>= BITS
    loo = penalty(s, opt) * none if s.tricks[me] == 0 else 0
    return (tricks + chance) * share(s, opt) - (SURE - chance) * loo // SURE


@large
def last_trick(s: State, opt: Opt, me: int, card: Card, leads: int) -> int:
    """The chance that a card takes the last trick; `leads` is the chance that it is led. If another player leads, the
    card must be a trump, or its suit must be led."""
    hidden = unseen(s, opt, me)
    trump = s.trumps & bit(card) != 0
    over = (hidden & above(card) | hidden & bit(opt.pam)) if card != opt.pam else 0
    over |= 0 if trump else hidden & s.trumps
    under = hidden & ~over if trump else of_suit(hidden, suit_of(card)) & ~over
    leading = SURE
    following = SURE
    leader = s.ahead if s.led and s.ahead != me else next_of(s.inside, me)
    for seat in range(s.players):
        if seat != me and s.inside & only(seat):
            may = hidden & ~s.lacks[seat]
            many = max(1, count(may))
            leading = leading * (many - count(may & over)) // many
            following = following * (count(may & under) if seat == leader else many - count(may & over)) // many
    return (leads * leading + (SURE - leads) * following) // SURE


def now(s: State, opt: Opt, me: int, played: Card, civil: bool) -> int:
    """The chance that a card takes the trick on the table."""
    if s.better & bit(played) == 0:
        return 0
    hidden = unseen(s, opt, me)
    if civil or s.civil:
        hidden &= ~bit(opt.pam)
    cards = count(s.hand[me])
    later = s.inside & ~only(me)
    chance = SURE
    seat = me
    while later:
        seat = next_of(later, seat)
        if s.led and seat == s.leader:
            return chance
        later &= ~only(seat)
        chance = chance * stands(s, opt, played, hidden & ~s.lacks[seat], cards) // SURE
    return chance
