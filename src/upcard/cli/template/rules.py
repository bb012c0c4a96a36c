"""Plain Tricks. The numbers PT-… are the clauses of rulebook.md."""

from upcard.rules import *

DUE, PLAY, DONE = PHASES = words("deal play done")
TURNED, NO_TRUMPS = TRUMPS = words("turned none")

MOVES = Notation()  # the only move is to play a card


class PlainTricksOptions(Options, refused="PT-18"):
    deals: int = whole(lambda players: players, 1, 20, clause="PT-14", help="the deals of a match")
    trumps: int = choice(TRUMPS, clause="PT-5", help="turned: a card turned up names them; none: there are none")

    pack: Cards = card_set(RANKS, clause="PT-2", help="the cards that are played with")
    hand: int = number(8, clause="PT-4", help="cards dealt to each")
    trick: int = number(1, clause="PT-11", help="points for a trick")
    last: int = number(2, clause="PT-12", help="points for the last trick besides")


class PlainTricksState(TrickState, seats=5):
    hand: PerSeat = held()  # PT-4
    undealt: Cards = face_down_set()  # PT-6
    upcard: Card = open_card(reveals="PT-5")
    trump: Suit = open_suit()
    played: Cards = open_set()  # in this deal
    last_points: PerSeat = per_seat(kept=True)  # of the last finished deal


State = PlainTricksState
Opt = PlainTricksOptions


# ------------------------------------------------------------------------------------------------------- the deals


def deal(s: State, opt: Opt, order: Pile) -> None:
    dealt = opt.hand * s.players
    s.undealt = opt.pack
    seat = s.dealer
    for i in range(dealt):  # PT-4
        seat = left_of(s, seat)
        s.hand[seat] |= bit(order[i])
        s.undealt ^= bit(order[i])
    if opt.trumps == TURNED:  # PT-5
        s.upcard = order[dealt]
        s.undealt ^= bit(s.upcard)
        s.trump = suit_of(s.upcard)
    s.phase = PLAY
    take_lead(s, left_of(s, s.dealer))  # PT-7


# ------------------------------------------------------------------------------------------------------------ moves


def playable(s: State, opt: Opt, me: int) -> Cards:
    return follows(s, me)  # PT-7, PT-8


def apply(s: State, opt: Opt, me: int, card: Card) -> None:
    s.played |= bit(card)
    put_in_trick(s, me, card, all_of(suit_of(card)), beating(card, s.trump))  # PT-9
    if not trick_goes_on(s, left_of(s, me)):
        end_trick(s, opt)


def end_trick(s: State, opt: Opt) -> None:
    if not winner_leads(s):  # PT-10
        end_deal(s, opt)


# ------------------------------------------------------------------------------------------------------------ score


def points_of(s: State, opt: Opt, seat: int) -> int:
    """PT-11, PT-12."""
    return opt.trick * s.tricks[seat] + (opt.last if seat == s.taker else 0)


def end_deal(s: State, opt: Opt) -> None:
    for seat in range(s.players):
        s.last_points[seat] = points_of(s, opt, seat)
        s.scores[seat] += s.last_points[seat]
    if s.deals == opt.deals:  # PT-14
        finish_match(s, DONE, highest_scores(s))  # PT-13
    else:
        await_deal(s, left_of(s, s.dealer))  # PT-3
