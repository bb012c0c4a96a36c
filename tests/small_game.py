"""The smallest possible game, in a single file: one deal of tricks, without a page, words or a heuristic."""

from upcard.rules import (
    Card,
    Cards,
    Options,
    PerSeat,
    Pile,
    TrickState,
    all_of,
    beating,
    bit,
    card_set,
    define_game,
    face_down_set,
    follows,
    held,
    highest_scores,
    left_of,
    number,
    only,
    open_set,
    put_in_trick,
    rule,
    suit_of,
    take_lead,
    win_trick,
    words,
)

DUE, PLAY, DONE = PHASES = words("deal play done")


class Opt(Options):
    pack: Cards = card_set("AKQJT", clause="", help="the cards that are played with")
    size: int = number(5, clause="", help="cards dealt to each")
    trick: int = number(1, clause="", help="points for a trick")


class State(TrickState, seats=3):
    hand: PerSeat = held()
    undealt: Cards = face_down_set()
    played: Cards = open_set()


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    s.undealt = opt.pack
    for i in range(opt.size * s.players):
        s.hand[(s.dealer + 1 + i) % s.players] |= bit(order[i])
        s.undealt ^= bit(order[i])
    s.phase = PLAY
    take_lead(s, left_of(s, s.dealer))


@rule
def playable(s: State, opt: Opt, me: int) -> Cards:
    return follows(s, me)


@rule
def apply(s: State, opt: Opt, me: int, card: Card) -> None:
    s.played |= bit(card)
    put_in_trick(s, me, card, all_of(suit_of(card)), beating(card, suit_of(card)))
    if left_of(s, me) != s.leader:
        s.to_act = only(left_of(s, me))
        return
    taker = win_trick(s)
    s.scores[taker] += opt.trick
    if s.hand[taker]:
        take_lead(s, taker)
    else:
        s.to_act = 0
        s.phase = DONE
        s.winners = highest_scores(s)


GAME = define_game(__name__, title="Small Game", players=(2, 3), most_moves=5, state=State)
