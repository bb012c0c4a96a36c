"""Oh Hell, bids on the fingers. The numbers OH-… are the clauses of rulebook/oh-hell.md."""

from upcard.rules import *

PLAYERS = (3, 4, 5, 6, 7)  # OH-1; each for themselves
PACK = pack()  # OH-2
WHOLE_PACK = as_set(PACK)

DUE, BID, PLAY, DONE = PHASES = words("deal bid play done")
UP_DOWN, DOWN_UP, UP, DOWN = range(4)
FINGERS, TURNS, HOOK = range(3)
BIDDER, LEFT = range(2)
TIE_LEFT, TIE_DEALER = range(2)
DOUBLE_ON, DOUBLE_OFF = range(2)
NOTHING_LOST, DIFFERENCE = range(2)
NO_BID = -1

MOVES = Notation()
SAY = MOVES.verb("bid", "number", heard=Audience.SEALED, unless="bidding", label="Bid {0}", said="bids {0}")  # OH-34


def largest(players: int) -> int:
    """OH-3, OH-4: the largest deal; a card must be left to turn up."""
    return {6: 8, 7: 7}.get(players, 10)


class OhHellOptions(Options, refused="OH-43"):
    max_cards: int = whole(largest, 1, largest, clause="OH-3", help="cards each in the largest deal")
    order: int = choice(
        "up_down", "down_up", "up", "down", clause="OH-3", help="how the deals grow and shrink; up, down: one half"
    )
    bidding: int = choice(
        "fingers",
        "turns",
        "hook",
        clause="OH-11",
        help="turns: openly in turn, the dealer last; hook: as turns, but the dealer may not make the sum come out",
    )
    first_lead: int = choice("bidder", "left", clause="OH-17", help="left: the first lead is left of the dealer")
    tie_lead: int = choice("left", "dealer", clause="OH-18", help="which of several highest bidders comes first")
    double: int = choice("on", "off", clause="OH-26", help="whether made bids of half the tricks or more count double")
    miss: int = choice(
        "nothing", "difference", clause="OH-25", help="difference: a missed bid loses a point per trick over or under"
    )


class OhHellState(GameState, seats=7):
    size: int = open_field(kept=True)  # cards each in this deal; while one is awaited, in the coming one
    hand: PerSeat = held(kept=True)  # OH-33
    undealt: Cards = face_down_set()  # OH-10, OH-36
    upcard: Card = open_card()
    trump: Suit = open_field(NO_SUIT)
    bids: PerSeat = sealed(until=PLAY, unless="bidding", blank=NO_BID)  # OH-34
    leader: int = open_field(NOBODY)
    led: Cards = open_field(kept=True)  # all cards of the suit led; none before the lead
    ahead: int = open_field(NOBODY, kept=True)  # who takes the trick as it lies
    better: Cards = open_field(kept=True)  # the cards that would take it instead
    card: PerSeat = per_seat(NO_CARD, kept=True)  # that each seat has played last: this trick's lie on the table, OH-35
    played: Cards = open_set()  # in this deal
    lacks: PerSeat = per_seat()  # the cards that a seat has shown it does not hold
    taker: int = open_field(NOBODY, kept=True)  # of the last trick
    tricks: PerSeat = per_seat()
    last_bids: PerSeat = per_seat(kept=True)  # of the last finished deal
    last_tricks: PerSeat = per_seat(kept=True)
    last_points: PerSeat = per_seat(kept=True)


State = OhHellState
Opt = OhHellOptions


# ------------------------------------------------------------------------------------------------------- the deals


@rule
def start(s: State, opt: Opt) -> None:
    s.size = size_of(opt, 0)


@rule
def deals_in_match(opt: Opt) -> int:
    """OH-3."""
    return opt.max_cards if opt.order >= UP else 2 * opt.max_cards


@rule
def size_of(opt: Opt, deals: int) -> int:
    """OH-3, OH-4: the size of the deal after so many others."""
    most = opt.max_cards
    if opt.order == UP or (opt.order == UP_DOWN and deals < most):
        return deals + 1
    if opt.order == DOWN or (opt.order == DOWN_UP and deals < most):
        return most - deals
    return 2 * most - deals if opt.order == UP_DOWN else deals - most + 1


@rule
def cards_to_shuffle(s: State, opt: Opt, out: Buffer) -> int:
    return put_cards(out, 0, WHOLE_PACK)  # OH-39


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    undealt = WHOLE_PACK
    seat = s.dealer
    for i in range(s.size * s.players):  # OH-8
        seat = left_of(s, seat)
        s.hand[seat] |= bit(order[i])
        undealt ^= bit(order[i])
    s.upcard = order[s.size * s.players]  # OH-9
    s.undealt = undealt ^ bit(s.upcard)  # OH-10
    s.trump = suit_of(s.upcard)
    s.phase = BID
    s.to_act = everybody(s.players) if opt.bidding == FINGERS else only(left_of(s, s.dealer))  # OH-11


@rule
def clear(s: State) -> None:
    """Everything of a finished deal goes back into the pack."""
    for seat in range(s.players):
        s.bids[seat] = NO_BID
        s.tricks[seat] = 0
        s.lacks[seat] = 0
    s.undealt = 0
    s.played = 0
    s.upcard = NO_CARD
    s.trump = NO_SUIT
    s.leader = NOBODY


# ------------------------------------------------------------------------------------------------------------ moves


@rule
def playable(s: State, opt: Opt, me: int) -> Cards:
    if s.phase == BID:
        return 0
    return s.hand[me] & s.led or s.hand[me]  # OH-19, OH-20, OH-21


@rule
def other_moves(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
    if s.phase == PLAY:
        return n
    barred = barred_bid(s, opt, me)
    for tricks in range(s.size + 1):  # OH-12, OH-13
        n = add(out, n, say1(SAY, tricks), tricks != barred)
    return n


@rule
def barred_bid(s: State, opt: Opt, me: int) -> int:
    """OH-15: any sum is allowed, but with `hook` the dealer, who bids last, may not make it the size of the deal."""
    if opt.bidding != HOOK or me != s.dealer:
        return NO_BID
    total = 0
    for seat in range(s.players):
        if seat != me:
            total += s.bids[seat]
    return s.size - total


@rule
def apply(s: State, opt: Opt, me: int, move: int) -> None:
    if s.phase == PLAY:
        play(s, opt, me, move)
    else:
        bid(s, opt, me, item(move, 0))


@rule
def bid(s: State, opt: Opt, me: int, tricks: int) -> None:
    s.bids[me] = tricks
    if opt.bidding == FINGERS:
        s.to_act ^= only(me)
    else:
        s.to_act = 0 if me == s.dealer else only(left_of(s, me))
    if s.to_act == 0:  # OH-16
        s.phase = PLAY
        take_lead(s, first_leader(s, opt))


@rule
def first_leader(s: State, opt: Opt) -> int:
    """OH-17, OH-18."""
    left = left_of(s, s.dealer)
    if opt.first_lead == LEFT:
        return left
    best = s.dealer if opt.tie_lead == TIE_DEALER else left
    seat = best
    for _ in range(s.players - 1):
        seat = left_of(s, seat)
        if s.bids[seat] > s.bids[best]:
            best = seat
    return best


@rule
def take_lead(s: State, seat: int) -> None:
    s.leader = seat
    s.to_act = only(seat)
    s.led = 0
    s.better = WHOLE_PACK


@rule
def play(s: State, opt: Opt, me: int, card: Card) -> None:
    played = bit(card)
    s.hand[me] ^= played
    s.played |= played
    s.card[me] = card
    if s.led == 0:
        s.led = all_of(suit_of(card))
    elif s.led & played == 0:
        s.lacks[me] |= s.led
    if s.better & played:  # OH-22
        s.ahead = me
        s.better = all_of(suit_of(card)) & -2 * played  # the higher ones of its suit
        if suit_of(card) != s.trump:
            s.better |= all_of(s.trump)
    following = left_of(s, me)
    if following != s.leader:
        s.to_act = only(following)  # OH-20
    else:
        end_trick(s, opt, s.ahead)


@rule
def end_trick(s: State, opt: Opt, taker: int) -> None:
    s.tricks[taker] += 1
    s.taker = taker
    if s.hand[taker]:
        take_lead(s, taker)  # OH-23
    else:
        end_deal(s, opt)


# ------------------------------------------------------------------------------------------------------------ score


@rule
def points_for(opt: Opt, size: int, tricks_bid: int, tricks: int) -> int:
    """OH-5: what counts is to win exactly the tricks bid."""
    if tricks != tricks_bid:
        return -abs(tricks - tricks_bid) if opt.miss == DIFFERENCE else 0  # OH-25
    made = 10 + tricks_bid  # OH-24
    return 2 * made if opt.double == DOUBLE_ON and 2 * tricks_bid >= size else made  # OH-26, OH-27, OH-28


@rule
def end_deal(s: State, opt: Opt) -> None:
    s.to_act = 0
    for seat in range(s.players):
        s.last_bids[seat] = s.bids[seat]
        s.last_tricks[seat] = s.tricks[seat]
        s.last_points[seat] = points_for(opt, s.size, s.bids[seat], s.tricks[seat])
        s.scores[seat] += s.last_points[seat]  # OH-29
    if s.deals == deals_in_match(opt):  # OH-31
        s.phase = DONE
        s.winners = highest_scores(s)  # OH-30
    else:
        clear(s)
        s.dealer = left_of(s, s.dealer)  # OH-7
        s.size = size_of(opt, s.deals)
        s.phase = DUE
        s.awaiting = DEAL


@rule
def utility(s: State, opt: Opt, me: int) -> int:
    """The score against the average of the others."""
    return above_average(s, me)
