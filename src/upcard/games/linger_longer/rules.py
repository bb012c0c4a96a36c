"""Linger Longer. The numbers LL-… are the clauses of rulebook/linger-longer.md."""

from upcard.rules import *

PLAYERS = (3, 4, 5, 6)  # LL-1; each for themselves
PACK = pack()  # LL-2
WHOLE_PACK = as_set(PACK)
PACK_SIZE = len(PACK)

DUE, PLAY, MIX, DONE = PHASES = words("deal play reshuffle done")
DEALER, TURNED, NONE = range(3)
LEFT, WINNER = range(2)
CARDS, ONE = range(2)

MOVES = Notation()


def as_many(players: int) -> int:
    """LL-4, LL-24: as many as there are players."""
    return players


def most_cards(players: int) -> int:
    """A card must be left to draw."""
    return 51 // players


class LingerLongerOptions(Options, refused="LL-37"):
    deals: int = whole(as_many, 1, 20, clause="LL-24", help="the deals of a match")
    cards: int = whole(as_many, 2, most_cards, clause="LL-4", help="cards dealt to each")
    trump: int = choice(
        "dealer",
        "turned",
        "none",
        clause="LL-7",
        help="dealer: the dealer's last card fixes trumps; turned: a card turned up, out of play; none: no trumps",
    )
    next_dealer: int = choice("left", "winner", clause="LL-25", help="winner: the winner of a deal deals the next")
    score: int = choice("cards", "one", clause="LL-23", help="one: every deal won is one point")


class LingerLongerState(GameState, seats=6):
    hand: PerSeat = held(shown="shown")  # LL-29
    shown: PerSeat = per_seat()  # the dealer's last card while it is held; at the end the winner's hand, LL-30
    lacks: PerSeat = per_seat()  # the cards that a seat has shown it does not hold
    size: PerSeat = per_seat()  # how many cards each seat holds, LL-28
    stock: Pile = face_down(52)  # LL-6, the last is its top; LL-30
    left: int = open_field()  # cards in the stock
    aside: Card = open_card()  # the turned card, out of play
    upcard: Card = open_field(NO_CARD)  # that was shown for the trump suit
    trump: Suit = open_field(NO_SUIT)
    active: int = open_field()  # the set of seats that are in
    leader: int = open_field(NOBODY)
    led: Cards = open_field(kept=True)  # all cards of the suit led; none before the lead
    table: Cards = open_set(kept=True)  # the trick
    card: PerSeat = per_seat(NO_CARD, kept=True)  # that each seat has played last
    ahead: int = open_field(NOBODY, kept=True)  # who takes the trick as it lies
    better: Cards = open_field(kept=True)  # the cards that would take it instead
    discard: Cards = open_set()
    taker: int = open_field(NOBODY, kept=True)  # of the last trick
    tricks: PerSeat = per_seat()
    last_winner: int = open_field(NOBODY, kept=True)  # of the last finished deal
    last_hand: Cards = open_field(kept=True, reveals=True)  # what this winner held, LL-30
    last_tricks: PerSeat = per_seat(kept=True)
    last_points: PerSeat = per_seat(kept=True)


State = LingerLongerState
Opt = LingerLongerOptions


# ------------------------------------------------------------------------------------------------------- the deals


@rule
def cards_to_shuffle(s: State, opt: Opt, out: Buffer) -> int:
    return put_cards(out, 0, WHOLE_PACK if s.awaiting == DEAL else s.discard)  # LL-33, LL-21


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    dealt = opt.cards * s.players  # LL-4
    seat = s.dealer
    for i in range(dealt):  # LL-5
        seat = left_of(s, seat)
        s.hand[seat] |= bit(order[i])
        s.size[seat] += 1
    if opt.trump == DEALER:  # LL-7
        s.upcard = order[dealt - 1]
        s.shown[s.dealer] = bit(s.upcard)
    elif opt.trump == TURNED:
        s.upcard = order[dealt]
        s.aside = s.upcard
        dealt += 1
    if opt.trump != NONE:
        s.trump = suit_of(s.upcard)
    s.left = PACK_SIZE - dealt
    for i in range(s.left):  # LL-6
        s.stock[i] = order[PACK_SIZE - 1 - i]
    s.active = everybody(s.players)
    take_lead(s, left_of(s, s.dealer))  # LL-8


@rule
def reshuffle(s: State, opt: Opt, order: Pile) -> None:
    """LL-20, LL-21. What lay in the discard pile nobody holds."""
    s.left = count(s.discard)
    for i in range(s.left):
        s.stock[i] = order[s.left - 1 - i]
    for seat in range(s.players):
        s.lacks[seat] |= s.discard
    s.discard = 0
    draw(s, opt)


@rule
def clear(s: State) -> None:
    """Everything of a finished deal goes back into the pack."""
    for seat in range(s.players):
        s.hand[seat] = 0
        s.shown[seat] = 0
        s.lacks[seat] = 0
        s.size[seat] = 0
        s.tricks[seat] = 0
    for i in range(s.left):
        s.stock[i] = NO_CARD
    s.left = 0
    s.aside = NO_CARD
    s.upcard = NO_CARD
    s.trump = NO_SUIT
    s.active = 0
    s.discard = 0
    s.leader = NOBODY


# ------------------------------------------------------------------------------------------------------------ moves


@rule
def playable(s: State, opt: Opt, me: int) -> Cards:
    return s.hand[me] & s.led or s.hand[me]  # LL-8, LL-9, LL-10


@rule
def other_moves(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
    return n


@rule
def next_in(s: State, seat: int) -> int:
    """Clockwise the next seat that is in: LL-9, LL-16."""
    return lowest(s.active & -2 << seat or s.active)


@rule
def take_lead(s: State, seat: int) -> None:
    s.phase = PLAY
    s.leader = seat
    s.to_act = only(seat)
    s.led = 0
    s.better = WHOLE_PACK


@rule
def apply(s: State, opt: Opt, me: int, card: Card) -> None:
    played = bit(card)
    suit = all_of(suit_of(card))
    s.hand[me] ^= played
    s.shown[me] &= ~played
    s.size[me] -= 1
    s.table |= played
    s.card[me] = card
    if s.led == 0:
        s.led = suit
    elif s.led & played == 0:
        s.lacks[me] |= s.led
    if s.better & played:  # LL-11
        s.ahead = me
        s.better = suit & -2 * played  # the higher ones of its suit
        if s.trump != NO_SUIT and s.trump != suit_of(card):
            s.better |= all_of(s.trump)
    following = next_in(s, me)
    if following != s.leader:
        s.to_act = only(following)
    else:
        end_trick(s, opt, s.ahead)


@rule
def end_trick(s: State, opt: Opt, taker: int) -> None:
    """LL-13 (a) to (c)."""
    s.taker = taker
    s.tricks[taker] += 1
    s.discard |= s.table
    s.table = 0
    s.leader = taker
    if s.left:
        draw(s, opt)
    else:
        s.to_act = 0
        s.phase = MIX
        s.awaiting = RESHUFFLE  # LL-20


@rule
def draw(s: State, opt: Opt) -> None:
    """LL-12 and LL-13 (c) to (e), for the winner of the trick, who is never out: LL-19."""
    taker = s.leader
    s.left -= 1
    s.hand[taker] |= bit(s.stock[s.left])
    s.stock[s.left] = NO_CARD
    s.size[taker] += 1
    s.lacks[taker] = 0
    for seat in range(s.players):
        if s.size[seat] == 0:
            s.active &= ~only(seat)  # LL-15
    if s.active == only(taker):
        end_deal(s, opt, taker)  # LL-17, LL-18
    else:
        take_lead(s, taker)  # LL-14


# ------------------------------------------------------------------------------------------------------------ score


@rule
def end_deal(s: State, opt: Opt, winner: int) -> None:
    """Every deal comes to this: LL-22."""
    s.to_act = 0
    s.last_winner = winner
    s.last_hand = s.hand[winner]
    for seat in range(s.players):
        s.last_tricks[seat] = s.tricks[seat]
        s.last_points[seat] = 0
    s.last_points[winner] = 1 if opt.score == ONE else s.size[winner]  # LL-23
    s.scores[winner] += s.last_points[winner]
    if s.deals == opt.deals:  # LL-24, LL-27
        s.phase = DONE
        s.winners = highest_scores(s)  # LL-26
        s.shown[winner] = s.hand[winner]
    else:
        clear(s)
        s.dealer = winner if opt.next_dealer == WINNER else left_of(s, s.dealer)  # LL-25
        s.phase = DUE
        s.awaiting = DEAL


@rule
def utility(s: State, opt: Opt, me: int) -> int:
    return above_average(s, me)
