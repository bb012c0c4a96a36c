"""Linger Longer. The numbers LL-… are the clauses of rulebook.md."""

from upcard.rules import *

PLAYERS = (3, 4, 5, 6)  # LL-1; each for themselves
DUE, PLAY, MIX, DONE = PHASES = words("deal play reshuffle done")
DEALER, TURNED, NONE = TRUMPS = words("dealer turned none")
LEFT, WINNER = NEXT_DEALER = words("left winner")
CARDS, ONE = SCORE = words("cards one")

MOVES = Notation()


def as_many(players: int) -> int:
    """LL-4, LL-24: as many cards each as there are players."""
    return players


def most_cards(players: int) -> int:
    """A card must be left to draw."""
    return 51 // players


class LingerLongerOptions(Options, refused="LL-37"):
    deals: int = whole(as_many, 1, 20, clause="LL-24", help="the deals of a match")
    cards: int = whole(as_many, 2, most_cards, clause="LL-4", help="cards dealt to each")
    trump: int = choice(
        TRUMPS,
        clause="LL-7",
        help="dealer: the dealer's last card fixes trumps; turned: a card turned up, out of play; none: no trumps",
    )
    next_dealer: int = choice(NEXT_DEALER, clause="LL-25", help="winner: the winner of a deal deals the next")
    score: int = choice(SCORE, clause="LL-23", help="one: every deal won is one point")

    pack: Cards = card_set(RANKS, clause="LL-2", help="the cards that are played with")
    for_card: int = number(1, clause="LL-23", help="points for each card that the winner of a deal holds")
    for_deal: int = number(1, clause="LL-23", help="points for a deal won, where its cards do not count")


class LingerLongerState(TrickState, seats=6):
    hand: PerSeat = held(shown="shown")  # LL-29
    shown: PerSeat = per_seat(of="set")  # the dealer's last card while it is held; at the end the winner's hand, LL-30
    size: PerSeat = per_seat()  # the number of cards that each seat holds, LL-28
    stock: Pile = face_down(52, counted="left")  # LL-6, the last is its top; LL-30
    left: int = open_field()  # cards in the stock
    aside: Card = open_card(reveals="LL-7")  # the turned card, out of play
    upcard: Card = open_field(NO_CARD, of="card")  # that was shown for the trump suit
    trump: Suit = open_suit()
    active: int = open_seats()  # the seats that are in
    discard: Cards = open_set()  # including the cards of the current trick
    last_winner: int = open_seat(kept=True)  # of the last finished deal
    last_hand: Cards = open_field(of="set", kept=True, reveals="LL-30")  # the hand of that winner
    last_tricks: PerSeat = per_seat(kept=True)
    last_points: PerSeat = per_seat(kept=True)


State = LingerLongerState
Opt = LingerLongerOptions


# ------------------------------------------------------------------------------------------------------- the deals


def cards_to_shuffle(s: State, opt: Opt, out: Buffer) -> int:
    return put_cards(out, 0, opt.pack if s.awaiting == DEAL else s.discard)  # LL-33, LL-21


def deal(s: State, opt: Opt, order: Pile) -> None:
    dealt = deal_in_lots(s, order, opt.cards, 1)  # LL-4, LL-5
    for seat in range(s.players):
        s.size[seat] = opt.cards
    if opt.trump == DEALER:  # LL-7
        s.upcard = order[dealt - 1]
        s.shown[s.dealer] = bit(s.upcard)
    elif opt.trump == TURNED:
        s.upcard = order[dealt]
        s.aside = s.upcard
        dealt += 1
    if opt.trump != NONE:
        s.trump = suit_of(s.upcard)
    lay_stock(s, order, dealt, count(opt.pack))  # LL-6
    s.active = everybody(s.players)
    s.phase = PLAY
    take_lead(s, left_of(s, s.dealer))  # LL-8


def reshuffle(s: State, opt: Opt, order: Pile) -> None:
    """LL-20, LL-21. Nobody holds the cards of the discard pile."""
    lay_stock(s, order, 0, count(s.discard))
    for seat in range(s.players):
        s.lacks[seat] |= s.discard
    s.discard = 0
    draw(s, opt)


# ------------------------------------------------------------------------------------------------------------ moves


def playable(s: State, opt: Opt, me: int) -> Cards:
    return follows(s, me)  # LL-8, LL-9, LL-10


def apply(s: State, opt: Opt, me: int, card: Card) -> None:
    played = bit(card)
    s.shown[me] &= ~played
    s.size[me] -= 1
    s.discard |= played
    put_in_trick(s, me, card, all_of(suit_of(card)), beating(card, s.trump))  # LL-11
    if not trick_goes_on(s, next_of(s.active, me)):  # LL-9, LL-16
        end_trick(s, opt)


def end_trick(s: State, opt: Opt) -> None:
    """LL-13 (a) to (c)."""
    s.leader = win_trick(s)
    if s.left:
        draw(s, opt)
    else:
        await_reshuffle(s, MIX)  # LL-20


def draw(s: State, opt: Opt) -> None:
    """LL-12 and LL-13 (c) to (e): the winner of the trick draws, and is never out: LL-19."""
    taker = s.leader
    s.hand[taker] |= bit(draw_top(s))
    s.size[taker] += 1
    s.lacks[taker] = 0
    s.active &= ~seats_with(s, s.size, 0)  # LL-15
    if s.active == only(taker):
        end_deal(s, opt, taker)  # LL-17, LL-18
    else:
        s.phase = PLAY
        take_lead(s, taker)  # LL-14


# ------------------------------------------------------------------------------------------------------------ score


def end_deal(s: State, opt: Opt, winner: int) -> None:
    """The end of every deal: LL-22."""
    s.last_winner = winner
    s.last_hand = s.hand[winner]
    for seat in range(s.players):
        s.last_tricks[seat] = s.tricks[seat]
        s.last_points[seat] = 0
    s.last_points[winner] = opt.for_deal if opt.score == ONE else opt.for_card * s.size[winner]  # LL-23
    s.scores[winner] += s.last_points[winner]
    if s.deals == opt.deals:  # LL-24, LL-27
        finish_match(s, DONE, highest_scores(s))  # LL-26
        s.shown[winner] = s.hand[winner]
    else:
        clear(s)
        await_deal(s, winner if opt.next_dealer == WINNER else left_of(s, s.dealer))  # LL-25


clear = State.clear
