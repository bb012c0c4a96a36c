"""Kalooki by rules of thumb: count the cards that the contract still lacks, take and call cards that reduce the number,
lay down as soon as possible, and discard the card that leaves the best hand and helps the others least.
"""

from upcard.rules import *

from .rules import *

ALL_SUITS = 0x8004002001
"""A set of ranks multiplied by this is the set of all cards of these ranks."""
FOUR_PLACES = 0b1111
LOW = 0b1111  # the bits of a window's first place, see `best_window`
NEXT = 8
"""How many times as much the player on the left counts when a discard is chosen, who can take it for free."""
MANY_THREES, MORE, PARTS = 3, 3, 4
"""In contracts with at least MANY_THREES threes, a card is also called if MORE more cards would help with it, once at
most one card in PARTS is lacking. In contracts with more fours the penalty card is seldom worth its points."""
INFERS = 0.5


def choose(s: State, opt: Opt, me: int, moves: Buffer, n: int, luck: int) -> int:
    if s.phase == PLAY:
        return choose_play(s, opt, me, moves, n, luck)
    if s.phase == CALLING:  # a call that is fined gains nothing
        return CALL if s.calls[me] < opt.calls and upcard_helps(s, opt, me, True) else PASS
    helps = upcard_helps(s, opt, me, False)
    if s.phase == DRAWING:
        return TAKE if helps else STOCK
    return REFUSE if helps else ALLOW


@large
def upcard_helps(s: State, opt: Opt, me: int, calling: bool) -> bool:
    """Whether the contract lacks fewer cards with the upcard in the hand. For a call, which brings a second card, also
    whether more cards would help then: see `MORE`.
    """
    upcard = s.discards[s.thrown - 1]
    threes = opt.need_threes[s.contract]
    fours = opt.need_fours[s.contract]
    lacking, helping = plan(s.hand[me], s.twice[me], s.jokers[me], threes, fours)
    if upcard == JOKER:
        return lacking > 0
    hand = s.hand[me] | bit(upcard)
    twice = s.twice[me] | s.hand[me] & bit(upcard)
    then, useful = plan(hand, twice, s.jokers[me], threes, fours)
    if then < lacking or not calling:
        return then < lacking
    if threes < MANY_THREES or lacking == 0 or PARTS * lacking > opt.dealt[s.contract]:
        return False
    once, again = seen_cards(s, me, discarded(s))
    return alive(useful, once, again) >= alive(helping, once, again) + MORE


def alive(helping: Cards, once: Cards, again: Cards) -> int:
    """How many of the cards that would help are unseen."""
    return count(helping & ~once) + count(helping & ~again)


def choose_play(s: State, opt: Opt, me: int, moves: Buffer, n: int, luck: int) -> int:
    """Lay if possible, otherwise tack on, otherwise discard; jokers last, because they fit nearly everywhere."""
    lying = discarded(s)
    once, again = seen_cards(s, me, lying)
    best = moves[0]
    best_worth = -1000000
    for i in range(n):
        first = item(moves[i], 0)
        verb = verb_of(moves[i])
        worth = 0
        if verb == LAY:
            worth = 300000 + lay_worth(moves[i])
        elif verb == TACK:
            worth = 200000 if first == JOKER else 290000 + opt.worth[first]
        elif verb == DISCARD and s.down[me]:
            worth = 8 * opt.worth[first] - 16 * company(s.hand[me], s.twice[me], first, 1, 0)
            worth += 8 * safety(s, opt, me, first, lying)
        elif verb == DISCARD:
            worth = discard_worth(s, opt, me, first, once, again) + 8 * safety(s, opt, me, first, lying)
        worth = 8 * worth + (luck >> i % 24 & 7)
        if worth > best_worth:
            best_worth = worth
            best = moves[i]
    return best


def lay_worth(move: int) -> int:
    """How good a `lay` is: few jokers, and low cards, because a four grows at its high end."""
    worth = 0
    for i in range(items_of(move)):
        worth -= 10000 if item(move, i) == JOKER else rank_of(item(move, i))
    return worth


def discard_worth(s: State, opt: Opt, me: int, card: Card, once: Cards, again: Cards) -> int:
    """How good a discard is: the number of cards then lacking, how many cards would help, and the card's points."""
    threes = opt.need_threes[s.contract]
    fours = opt.need_fours[s.contract]
    hand = once_less(s.hand[me], s.twice[me], bit(card))
    twice = s.twice[me] & ~bit(card)
    lacking, helping = plan(hand, twice, s.jokers[me], threes, fours)
    worth = 32 * alive(helping, once, again) - 4000 * lacking + 8 * opt.worth[card]
    return worth - 8 * company(hand, twice, card, threes, fours)


def safety(s: State, opt: Opt, me: int, card: Card, lying: tuple[Cards, Cards]) -> int:
    """How little a discard helps the others: cards like it are in the discard pile, where nobody wanted them, and few
    cards that it fits have been taken.
    """
    ones, twos = lying
    worth = 0
    if opt.need_threes[s.contract]:
        worth += count(of_rank(ones, rank_of(card))) + count(of_rank(twos, rank_of(card)))
    if opt.need_fours[s.contract]:
        worth += neighbours(ones, card) + neighbours(twos, card)
        for seat in range(s.players):
            if seat != me and not s.down[seat]:
                worth -= (NEXT if seat == left_of(s, me) else 1) * neighbours(s.shown[seat], card)
    return worth


def company(hand: Cards, twice: Cards, card: Card, threes: int, fours: int) -> int:
    """How well a card fits the rest of a hand: others of its rank, neighbours in its suit."""
    fits = 0
    if threes:
        fits += 3 * min(count(of_rank(hand, rank_of(card))) + count(of_rank(twice, rank_of(card))), 2)
    if fours and not hand & bit(card):
        fits += count(places_of(hand, suit_of(card)) >> max(rank_of(card) - 2, 0) & 0x7F)
    return fits


def neighbours(cards: Cards, card: Card) -> int:
    """How many of the cards are in the card's suit and at most two places away from it."""
    return count(places_of(cards, suit_of(card)) >> max(rank_of(card) - 1, 0) & 0x1F)


def discarded(s: State) -> tuple[Cards, Cards]:
    """The cards in the discard pile, and those that are in it twice."""
    once = 0
    again = 0
    for i in range(s.thrown):
        if s.discards[i] != JOKER:
            again |= once & bit(s.discards[i])
            once |= bit(s.discards[i])
    return once, again


def seen_cards(s: State, me: int, lying: tuple[Cards, Cards]) -> tuple[Cards, Cards]:
    """The cards of which this seat has seen one copy, and those of which it has seen both."""
    once, again = lying
    again |= once & s.hand[me] | s.twice[me]
    once |= s.hand[me]
    for i in range(s.laid):
        ones, twos = meld_naturals(s.melds[i])
        again |= once & ones | twos
        once |= ones
    for seat in range(s.players):
        if seat != me:
            again |= once & s.shown[seat] | s.shown_twice[seat]
            once |= s.shown[seat]
    return once, again


# ------------------------------------------------------------------------------------------------------------ the plan


@large
def plan(hand: Cards, twice: Cards, jokers: int, threes: int, fours: int) -> tuple[int, Cards]:
    """How many cards a good plan for the contract lacks, and the cards that would reduce the number.

    The fours are planned first, each in the suit and window where fewest cards are lacking; then the threes are
    counted. The plan is not always the best one, but nearly.
    """
    missing = 0
    helping = 0
    windows = (best_window(hand, 0), best_window(hand, 1), best_window(hand, 2), best_window(hand, 3))
    suits = 0
    rest = hand
    here = 4
    for _ in range(fours):
        suit = best_suit(windows, suits)
        suits |= 1 << suit
        here = windows[suit] >> 18
        missing += 4 - here
        if here < 4:
            helping |= cards_at(windows[suit] & 0x3FFF, suit)
        gone = hand & cards_at(FOUR_PLACES << (windows[suit] >> 14 & LOW), suit)
        rest = once_less(rest, twice, gone)
        twice &= ~gone
    for suit in range(4):  # a suit that is as good as the last one chosen
        if here < 4 and windows[suit] >> 18 == here:
            helping |= cards_at(windows[suit] & 0x3FFF, suit)
    lacking, ranks = lacking_for_threes(rest, twice, threes)
    return max(missing + lacking - jokers, 0), helping | ranks * ALL_SUITS


def best_suit(windows: tuple[int, int, int, int], barred: int) -> int:
    """The suit in which a four lacks fewest cards."""
    best = 0
    value = -1
    for suit in range(4):
        if not barred >> suit & 1 and windows[suit] > value:
            value = windows[suit]
            best = suit
    return best


def best_window(hand: Cards, suit: int) -> int:
    """The window of a suit in which a four lacks fewest cards: from bit 18 on how many of its cards are held, from bit
    14 on its first place, and below the places that any equally good window lacks.
    """
    places = places_of(hand, suit)
    best = 0
    lacks = 0
    for low in range(WINDOWS):
        here = count(places >> low & FOUR_PLACES)
        if here > best >> 18:
            lacks = 0
        if here >= best >> 18:
            lacks |= FOUR_PLACES << low & ~places
        best = max(best, here << 18 | low << 14)
    return best | lacks


def lacking_for_threes(hand: Cards, twice: Cards, threes: int) -> tuple[int, int]:
    """How many cards this many threes lack, and the ranks of which one more card would help."""
    ones, twos, fours, eights = tally_both(hand, twice)
    left = threes - count(eights | fours | twos & ones) - count(eights | fours & twos)
    if left <= 0:
        return 0, 0
    one_short = eights | twos & ~(fours | ones) | fours & ~twos & ones
    by_one = min(left, count(one_short))
    left -= by_one
    if left == 0:
        return by_one, one_short
    two_short = ones & ~(twos | fours) | fours & ~twos & ~ones | fours & twos & ones
    by_two = min(left, count(two_short))
    left -= by_two
    if left == 0:
        return by_one + 2 * by_two, one_short | two_short
    return by_one + 2 * by_two + 3 * left, 0x1FFF


# ------------------------------------------------------------------------------------------------- what hands are like

TURNS, LACKING, NUMBERS = 6, 10, 4
"""How many stages of a deal, numbers of lacking cards, and other numbers are told apart."""
COMPANY = 2 * NUMBERS
LATEST = 3
"""A seat's latest discards, of which the last stands for all that came before."""
RECENT = 8
"""Of so many of the latest discards of others it counts whether they would have helped."""
AT_JOKERS = TURNS * LACKING
AT_TAKEN = AT_JOKERS + NUMBERS
AT_THROWN = AT_TAKEN + COMPANY
AT_LEFT = AT_THROWN + LATEST * COMPANY
LEFT = COMPANY + 2
AT_FITTING = AT_LEFT + 2 * LEFT
AT_POINTS = AT_FITTING + NUMBERS
OF_CONTRACT = AT_POINTS + 2 * NUMBERS
HAND_SIGNS = MOST_CONTRACTS * OF_CONTRACT
"""The signs of a hand (see `upcard.engine.hands`) are told apart by contract: how much it lacks at this stage of the
deal, its jokers, and what it has beside the cards that its seat has taken, thrown, and left to others; after the
contract what fits the melds, and its points."""


def hand_signs(s: State, opt: Opt, seat: int, room: Buffer) -> int:
    at = (s.contract - 1) * OF_CONTRACT
    room[0] = at + AT_JOKERS + up_to(s.jokers[seat], NUMBERS)
    if s.down[seat]:
        fitting = 0
        for i in range(s.laid):
            fitting |= takes(s.melds[i]) & s.hand[seat]
        room[1] = at + AT_FITTING + up_to(count(fitting), NUMBERS)
        room[2] = at + AT_POINTS + up_to(held_points(s, opt, seat) >> 3, 2 * NUMBERS)
        return 3
    lacking = lacks(s, opt, seat, s.hand[seat], s.twice[seat])
    room[1] = at + LACKING * stage_of(s.turns // s.players) + up_to(lacking, LACKING)
    n = 2
    taken = s.shown[seat]
    while taken:
        n = signs_of_company(s, seat, lowest(taken), 1, at + AT_TAKEN, room, n)
        taken &= taken - 1
    own = 0
    others = 0
    for i in range(s.thrown - 1, -1, -1):
        c = s.discards[i]
        if c != JOKER and s.throwers[i] == seat:
            n = signs_of_company(s, seat, c, 0, at + AT_THROWN + COMPANY * up_to(own, LATEST), room, n)
            own += 1
        elif c != JOKER:  # whoever sits on the right throws what this seat can take for free
            left = at + AT_LEFT + LEFT * (s.throwers[i] != NOBODY and left_of(s, s.throwers[i]) == seat)
            n = signs_of_company(s, seat, c, 0, left, room, n)
            if others < RECENT:
                then = lacks(s, opt, seat, s.hand[seat] | bit(c), s.twice[seat] | s.hand[seat] & bit(c))
                room[n] = left + COMPANY + (then < lacking)
                n += 1
            others += 1
    return n


def up_to(number: int, end: int) -> int:
    """A number below `end`, the last of which stands for all that are larger."""
    return min(max(number, 0), end - 1)


def stage_of(turns: int) -> int:
    """How far a deal has come: the first four turns, up to seven, and later."""
    return turns if turns < 4 else 4 if turns < 7 else 5


@large
def lacks(s: State, opt: Opt, seat: int, hand: Cards, twice: Cards) -> int:
    """How many cards a seat's contract lacks with this hand and its jokers."""
    lacking, _ = plan(hand, twice, s.jokers[seat], opt.need_threes[s.contract], opt.need_fours[s.contract])
    return lacking


def signs_of_company(s: State, seat: int, c: Card, itself: int, at: int, room: Buffer, n: int) -> int:
    """Write what is in a hand beside a card: how many of its rank, and how many neighbours in its suit. `itself` is 1
    if the card is in the hand."""
    ranks = count(of_rank(s.hand[seat], rank_of(c))) + count(of_rank(s.twice[seat], rank_of(c)))
    room[n] = at + up_to(ranks - itself, NUMBERS)
    room[n + 1] = at + NUMBERS + up_to(neighbours(s.hand[seat], c) - itself, NUMBERS)
    return n + 2
