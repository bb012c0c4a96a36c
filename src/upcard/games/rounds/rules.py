"""Rounds. The numbers RD-… are the clauses of rulebook/rounds.md; the law of revokes stands in `upcard.revokes`."""

from upcard.rules import *

from .revokes import (
    CLOSED,
    RevokeState,
    call,
    correctable,
    lawful,
    lay,
    lay_open,
    note_lead,
    note_reply,
    nothing_was_proved,
    rejudge,
    replace_reply,
    withdraw_lead,
)

PACK = as_set(pack())  # RD-2
STOCK = 33  # RD-11
DEALT = 5  # RD-8: to each before rounds 2, 3 and 4
LAST_ROUND = 5
TRICKS = (0, 5, 5, 5, 5, 4)  # RD-24
ROUND = 10  # RD-27
BONUS = 25  # RD-45, RD-46
EXTRA_GAMES = 10  # RD-37

DUE, PLAY, CLOSE, DONE = PHASES = words("deal play close done")
NO_RANK = -1

MOVES = Notation()  # RD-38: beside playing a card only what revokes bring about
CORRECT = MOVES.verb(
    "correct", "card", heard=Audience.ALL, label="Correct: play {cards}", said="corrects a revoke: {cards}", amends=True
)
CALL = MOVES.verb("call", heard=Audience.ALL, label="Call a revoke", said="calls a revoke")
ACCEPT = MOVES.verb("accept", heard=Audience.ALL, label="Accept the round", said="accepts the round")


class RoundsOptions(Options, refused="RD-59"):
    revokes: int = choice(
        "enforced", "allowed", clause="RD-40", help="allowed: suit need not be followed, but may be called and punished"
    )
    target: int = choice(200, 100, 300, 400, clause="RD-32", help="points that win the match")
    rank_suit: int = choice("printed", "trump", clause="RD-13", help="the suit that rank trumps belong to")
    round_lead: int = choice(
        "nondealer", "winner", clause="RD-15", help="winner: who has the last trick of a round leads to the next"
    )
    sweep: int = choice(0, 10, clause="RD-28", help="points more for all five tricks of a round")


class RoundsState(RevokeState, seats=2):
    stock: Pile = face_down(STOCK, kept=True)  # its top last; RD-55
    left: int = open_field(kept=True)  # cards in the stock
    pile: Pile = open_pile(4, cards="card", kept=True)  # RD-7, RD-26: bottom first
    trump: Suit = open_field(NO_SUIT, kept=True)  # RD-12
    trump_rank: Rank = open_field(NO_RANK, kept=True)
    rank_trumps: Cards = open_field(kept=True)  # RD-14
    trumps: Cards = open_field(kept=True)  # these and the trump suit
    asked: Cards = open_field(kept=True)  # the cards that follow the one that is led, RD-17
    forced: Cards = open_field(kept=True)  # what a seat without such must play, RD-19
    better: Cards = open_field(kept=True)  # what takes the trick, RD-21
    round: int = open_field(kept=True)  # 1 to 5
    accepted: int = open_field(kept=True)  # 1 when the first seat has accepted, RD-48
    rounds_won: PerSeat = per_seat(kept=True)  # in this game
    round_points: PerSeat = per_seat(kept=True)  # in this game: for rounds and for the cards of the pile
    extra: int = open_field(kept=True)  # extra games begun or due, RD-34
    last_points: PerSeat = per_seat(kept=True)  # of the last finished game
    last_rounds: PerSeat = per_seat(kept=True)
    games: int = open_field(kept=True)  # finished
    # What limits a hand that showed itself void in an earlier round: see `fits_voids`
    lacked: PerSeat = per_seat(length=6, kept=True)
    room: PerSeat = per_seat(length=6, kept=True)


State = RoundsState
Opt = RoundsOptions


# ------------------------------------------------------------------------------------------------------- the deals


@rule
def cards_to_shuffle(s: State, opt: Opt, out: Buffer) -> int:
    return put_cards(out, 0, PACK)  # RD-10


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    for seat in range(2):
        s.hand[seat] = 0
        s.shown[seat] = 0
        s.known[seat] = 0
        s.lacks[seat] = 0
        s.since_deal[seat] = 0
    for i in range(18):  # RD-6
        s.hand[receiver(s, i)] |= bit(order[i])
    for i in range(STOCK):
        s.stock[i] = order[51 - i]
    s.left = STOCK
    turn_up(s, order[18], 1)  # RD-7
    s.round = 1
    begin_round(s, 1 - s.dealer)  # RD-15


@rule
def receiver(s: State, i: int) -> int:
    """RD-6, RD-8: who gets the i-th card of a deal; the nondealer the first."""
    return s.dealer if i & 1 else 1 - s.dealer


@rule
def turn_up(s: State, upcard: Card, number: int) -> None:
    """RD-12, RD-14."""
    s.pile[number - 1] = upcard
    s.trump = suit_of(upcard)
    s.trump_rank = rank_of(upcard)
    s.rank_trumps = of_rank(PACK, s.trump_rank) & ~bit(upcard)
    s.trumps = all_of(s.trump) | s.rank_trumps


@rule
def begin_round(s: State, leader: int) -> None:
    s.phase = PLAY
    s.leader = leader
    s.to_act = only(leader)
    s.led = NO_CARD
    s.finished = 0
    s.accepted = 0
    s.proving = 0
    for seat in range(2):
        s.tricks[seat] = 0
        s.open_tricks[seat] = 0
        s.exposed[seat] = CLOSED  # RD-54


@rule
def next_round(s: State, opt: Opt) -> None:
    s.round += 1
    if s.round < LAST_ROUND:  # RD-9
        deal_more(s)
    begin_round(s, s.taker if opt.round_lead == 1 else 1 - s.dealer)  # RD-15


@rule
def deal_more(s: State) -> None:
    """RD-8."""
    for seat in range(2):
        limit_kept(s, seat)
        s.lacks[seat] = 0
        s.since_deal[seat] = 0
    for i in range(2 * DEALT):
        s.hand[receiver(s, i)] |= bit(draw(s))
    turn_up(s, draw(s), s.round)


@rule
def draw(s: State) -> Card:
    s.left -= 1
    top = s.stock[s.left]
    s.stock[s.left] = NO_CARD
    return top


# --------------------------------------------------------------------------------------------------------- the play


@rule
def lead(s: State, opt: Opt, me: int, led: Card) -> None:
    s.led = led
    s.to_act = only(1 - me)
    s.better = better(s, led)
    if s.trumps & bit(led):
        s.asked = all_of(s.trump) if opt.rank_suit == 0 else s.trumps  # RD-17
        s.forced = s.rank_trumps  # RD-19
    else:
        suit = all_of(suit_of(led))
        s.asked = suit if opt.rank_suit == 0 else suit & ~s.rank_trumps  # RD-13
        s.forced = 0


@rule
def better(s: State, led: Card) -> Cards:
    """RD-21, RD-22: the cards that take a trick from this lead."""
    if s.rank_trumps & bit(led):
        return 0
    suit = all_of(suit_of(led))
    higher = suit & ~(2 * bit(led) - 1)
    return higher | (s.rank_trumps if suit_of(led) == s.trump else s.trumps)


@rule
def playable(s: State, opt: Opt, me: int) -> Cards:
    hand = s.hand[me]
    if s.led == NO_CARD:
        return hand if s.phase == PLAY else 0  # RD-16, RD-48
    if opt.revokes == 1 and s.exposed[me] == CLOSED:
        return hand  # RD-40
    return lawful(hand, s.asked, s.forced)  # RD-39


@rule
def other_moves(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
    if opt.revokes == 0:
        return n
    n = add(out, n, ACCEPT, s.phase == CLOSE)  # RD-48
    n = add(out, n, CALL, s.open_tricks[1 - me] != 0)  # RD-44
    first = n
    n = put_cards(out, n, correctable(s, me))  # RD-41
    for i in range(first, n):
        out[i] = say1(CORRECT, out[i])
    return n


@rule
def apply(s: State, opt: Opt, me: int, move: int) -> None:
    verb = verb_of(move)
    if verb == 0:
        play(s, opt, me, move)
    elif verb == CORRECT:
        correct(s, me, item(move, 0))
    elif verb == CALL:  # RD-44, RD-50
        bonus(s, opt, call(s, me))
    elif s.accepted == 0:  # RD-48
        s.accepted = 1
        s.to_act = only(1 - me)
    else:
        end_round(s, opt)
    if opt.revokes == 1:
        lay_open(s)
        if verb == CALL:
            s.shown[1 - me] = s.hand[1 - me]  # RD-46: until the next move


@rule
def play(s: State, opt: Opt, me: int, played: Card) -> None:
    lay(s, me, played)
    if s.led == NO_CARD:
        lead(s, opt, me, played)
        if opt.revokes == 1:
            note_lead(s, me, played)  # RD-43
        return
    taker = me if s.better & bit(played) else 1 - me
    if opt.revokes == 1:
        taker = note_reply(s, me, played, s.asked, s.forced, taker)  # RD-40, RD-43
    elif not s.asked & bit(played):
        s.lacks[me] |= s.asked if s.forced & bit(played) else s.asked | s.forced
    s.won[taker] |= bit(played) | bit(s.led)
    s.tricks[taker] += 1
    s.taker = taker
    s.leader = taker  # RD-23
    s.to_act = only(taker)
    s.led = NO_CARD
    s.finished += 1
    if s.finished == TRICKS[s.round]:
        finish_tricks(s, opt, me)


@rule
def correct(s: State, me: int, card: Card) -> None:
    """RD-42."""
    if s.led != NO_CARD:
        withdraw_lead(s)
    t = replace_reply(s, me, card)
    leader = rejudge(s, me, t, me if better(s, s.leads[t]) & bit(card) else 1 - me)
    if s.phase == PLAY:
        s.leader = leader
        s.to_act = only(leader)


@rule
def bonus(s: State, opt: Opt, seat: int) -> None:
    """RD-45 to RD-47, RD-53."""
    before = s.scores[seat]
    s.scores[seat] += BONUS
    if before < opt.target and s.scores[seat] >= opt.target and s.extra == 0:  # RD-35
        end_match(s, only(seat))


@rule
def finish_tricks(s: State, opt: Opt, follower: int) -> None:
    if opt.revokes == 1 and s.round < LAST_ROUND:  # RD-48, RD-52
        s.phase = CLOSE
        s.leader = NOBODY
        s.to_act = only(follower)
    else:
        end_round(s, opt)


# ------------------------------------------------------------------------------------------------------- the scores


ACES = of_rank(PACK, ACE)
KINGS = of_rank(PACK, KING)
QUEENS = of_rank(PACK, QUEEN)
JACKS = of_rank(PACK, JACK)
TWO_OF_HEARTS = bit(card(TWO, HEARTS))


@rule
def card_points(cards: Cards) -> int:
    """RD-29."""
    honours = 4 * count(cards & ACES) + 3 * count(cards & KINGS) + 2 * count(cards & QUEENS) + count(cards & JACKS)
    return honours + 10 if cards & TWO_OF_HEARTS else honours


@rule
def points(s: State, seat: int) -> int:
    """What a seat has in this game so far."""
    return s.round_points[seat] + card_points(s.won[seat])


@rule
def end_round(s: State, opt: Opt) -> None:
    if s.round == LAST_ROUND:  # RD-25, RD-51
        s.tricks[s.taker] += 1
        pile = bit(s.pile[0]) | bit(s.pile[1]) | bit(s.pile[2]) | bit(s.pile[3])
        s.round_points[s.taker] += card_points(pile)
    winner = 0 if s.tricks[0] >= 3 else 1  # RD-27
    s.rounds_won[winner] += 1
    s.round_points[winner] += ROUND
    if s.tricks[winner] == 5:
        s.round_points[winner] += opt.sweep  # RD-28
    if s.round < LAST_ROUND:
        next_round(s, opt)
    else:
        end_game(s, opt)


@rule
def end_game(s: State, opt: Opt) -> None:
    for seat in range(2):  # RD-30, RD-31
        s.last_points[seat] = points(s, seat)
        s.last_rounds[seat] = s.rounds_won[seat]
        s.scores[seat] += s.last_points[seat]
        s.exposed[seat] = CLOSED
    s.games += 1
    s.leader = NOBODY
    best = max(s.scores[0], s.scores[1])
    if best >= opt.target and s.scores[0] != s.scores[1]:  # RD-32, RD-33
        end_match(s, only(0 if s.scores[0] == best else 1))
    elif best >= opt.target and s.extra == EXTRA_GAMES:  # RD-37
        end_match(s, 3)
    else:
        s.extra += best >= opt.target  # RD-34
        clear_table(s)


@rule
def end_match(s: State, winners: int) -> None:
    s.phase = DONE
    s.to_act = 0
    s.winners = winners


@rule
def clear_table(s: State) -> None:
    """The next deal is awaited."""
    s.phase = DUE
    s.to_act = 0
    s.awaiting = DEAL
    s.dealer = 1 - s.dealer  # RD-4
    s.round = 0
    s.finished = 0
    s.trump = NO_SUIT
    s.trump_rank = NO_RANK
    s.rank_trumps = 0
    s.trumps = 0
    for i in range(4):
        s.pile[i] = NO_CARD
    for seat in range(2):
        s.won[seat] = 0
        s.tricks[seat] = 0
        s.rounds_won[seat] = 0
        s.round_points[seat] = 0


@rule
def utility(s: State, opt: Opt, me: int) -> int:
    return s.scores[me] - s.scores[1 - me]


# ------------------------------------------------------------------------------------------- what the play has told


@rule
def limit_kept(s: State, seat: int) -> None:
    """Before a deal: what a seat lacks now, it can later hold only among the cards that are dealt from now on.

    `lacked` are, for the deals before rounds 2, 3 and 4, the cards that the seat was without at that deal or later, and
    `room` is how many of them it can have had since the last deal.
    """
    for this in range(s.round - 1):
        i = 3 * seat + this
        if this == s.round - 2:
            s.lacked[i] = 0
            s.room[i] = 0
        s.room[i] += DEALT - count(s.since_deal[seat] & s.lacked[i])
        s.lacked[i] |= s.lacks[seat]


@rule
def fits_voids(s: State, seat: int) -> bool:
    """Whether a seat that kept four cards can have got the cards that it lacked before."""
    for this in range(min(s.round, LAST_ROUND - 1) - 1):
        i = 3 * seat + this
        if count((s.hand[seat] | s.since_deal[seat]) & s.lacked[i]) > s.room[i]:
            return False
    return True


@rule
def consistent(s: State, opt: Opt, me: int) -> bool:
    """RD-55: whether a world agrees with the voids that have shown and with the proofs that have not."""
    return fits_voids(s, 0) and fits_voids(s, 1) and nothing_was_proved(s, 0) and nothing_was_proved(s, 1)
