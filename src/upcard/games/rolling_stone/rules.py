"""Rolling Stone. The numbers RS-… are the clauses of rulebook/rolling-stone.md."""

from upcard.rules import *

PLAYERS = (4, 5, 6)  # RS-1; each for themselves
HAND = 8
PACKS = tuple(as_set(pack(RANKS[-2 * players :])) for players in PLAYERS)  # RS-2
PIPS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1)  # by rank, RS-20

DUE, PLAY, DONE = PHASES = words("deal play done")
WIN, CARDS, PIPS_LEFT = range(3)
AT_ONCE, TRICK = range(2)
LEFT, WINNER = range(2)

MOVES = Notation()
TAKE = MOVES.verb("take", heard=Audience.ALL, label="Take up the cards", said="takes up the cards")  # RS-14


class RollingStoneOptions(Options, refused="RS-34"):
    deals: int = whole(1, 1, 20, clause="RS-21", help="the deals of a match")
    score: int = choice(
        "win",
        "cards",
        "pips",
        clause="RS-20",
        help="what a deal is worth: win: one point; cards: one for each card that the others hold; pips: their values",
    )
    limit: int = whole(200, 10, 1000, clause="RS-18", help="the tricks after which a deal ends")
    finish: int = choice(
        "at_once", "trick", clause="RS-16", help="trick: when a player is out of cards, the trick is still played on"
    )
    next_dealer: int = choice(
        "left", "winner", clause="RS-22", help="winner: the winner of a deal, if it was not shared, deals the next"
    )


class RollingStoneState(GameState, seats=6):
    hand: PerSeat = held(shown="shown")  # RS-26
    shown: PerSeat = per_seat(kept=True)  # RS-27: nothing before the end
    known: PerSeat = per_seat()  # of each hand what was taken up in the open and is held still, RS-26
    lacks: PerSeat = per_seat()  # the cards that a seat has shown it does not hold
    size: PerSeat = per_seat()  # how many cards each seat holds, RS-25
    leader: int = open_field(NOBODY)
    led: Cards = open_field(kept=True)  # all cards of the suit led; none before the lead
    table: Cards = open_set()  # the trick
    card: PerSeat = per_seat(NO_CARD, kept=True)  # that each seat has played last
    ahead: int = open_field(NOBODY, kept=True)  # who has played the highest card of the trick
    discard: Cards = open_set()
    taker: int = open_field(NOBODY, kept=True)  # who won the last complete trick
    tricks: PerSeat = per_seat()  # complete ones
    taken: PerSeat = per_seat()  # broken ones
    played: int = open_field()  # tricks that are over
    last_winners: int = open_field(kept=True)  # the set of seats that won the last finished deal
    last_limit: int = open_field(kept=True)  # whether the limit decided it
    last_hand: PerSeat = per_seat(kept=True, reveals=True)  # what was left in each hand, RS-27
    last_points: PerSeat = per_seat(kept=True)


State = RollingStoneState
Opt = RollingStoneOptions


# ------------------------------------------------------------------------------------------------------- the deals


@rule
def pack_of(s: State) -> Cards:
    """RS-2."""
    return PACKS[s.players - 4]


@rule
def cards_to_shuffle(s: State, opt: Opt, out: Buffer) -> int:
    return put_cards(out, 0, pack_of(s))  # RS-30


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    seat = s.dealer
    for i in range(HAND * s.players):  # RS-6
        seat = left_of(s, seat)
        s.hand[seat] |= bit(order[i])
        s.size[seat] += 1
    s.phase = PLAY
    take_lead(s, left_of(s, s.dealer))  # RS-7


@rule
def clear(s: State) -> None:
    """Everything of a finished deal goes back into the pack."""
    for seat in range(s.players):
        s.hand[seat] = 0
        s.known[seat] = 0
        s.lacks[seat] = 0
        s.size[seat] = 0
        s.tricks[seat] = 0
        s.taken[seat] = 0
    s.table = 0
    s.discard = 0
    s.played = 0
    s.leader = NOBODY


# ------------------------------------------------------------------------------------------------------------ moves


@rule
def playable(s: State, opt: Opt, me: int) -> Cards:
    return s.hand[me] & s.led if s.led else s.hand[me]  # RS-7, RS-8, RS-10, RS-12


@rule
def other_moves(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
    return add(out, n, TAKE, s.led != 0 and s.hand[me] & s.led == 0)  # RS-11, RS-13


@rule
def apply(s: State, opt: Opt, me: int, move: int) -> None:
    if move == TAKE:
        take(s, opt, me)
    else:
        play(s, opt, me, move)


@rule
def take_lead(s: State, seat: int) -> None:
    s.leader = seat
    s.to_act = only(seat)
    s.led = 0
    s.table = 0


@rule
def play(s: State, opt: Opt, me: int, card: Card) -> None:
    played = bit(card)
    s.hand[me] ^= played
    s.known[me] &= ~played
    s.size[me] -= 1
    if s.led == 0:
        s.led = all_of(suit_of(card))
    if played > s.table:  # higher than all there, for all are of one suit: RS-3
        s.ahead = me
    s.table |= played
    s.card[me] = card
    following = left_of(s, me)
    if s.size[me] == 0 and opt.finish == AT_ONCE:
        s.taker = NOBODY
        end_deal(s, opt, only(me), 0)  # RS-16, RS-17
    elif following == s.leader:
        complete_trick(s, opt)
    else:
        s.to_act = only(following)  # RS-8


@rule
def complete_trick(s: State, opt: Opt) -> None:
    """RS-9, RS-10."""
    s.taker = s.ahead
    s.tricks[s.ahead] += 1
    s.discard |= s.table
    end_trick(s, opt, s.ahead)


@rule
def take(s: State, opt: Opt, me: int) -> None:
    """RS-11, RS-12, RS-15. All have seen the cards go, and that there were none of the suit before."""
    s.taken[me] += 1
    s.hand[me] |= s.table
    s.known[me] |= s.table
    s.size[me] += count(s.table)
    s.lacks[me] = (s.lacks[me] | s.led) & ~s.table
    end_trick(s, opt, me)


@rule
def end_trick(s: State, opt: Opt, leader: int) -> None:
    s.played += 1
    take_lead(s, leader)
    fewest = s.size[0]
    for seat in range(1, s.players):
        fewest = min(fewest, s.size[seat])
    if fewest == 0 or s.played == opt.limit:  # option finish, RS-18
        winners = 0
        for seat in range(s.players):
            if s.size[seat] == fewest:  # RS-19
                winners |= only(seat)
        end_deal(s, opt, winners, 1 if fewest else 0)


# ------------------------------------------------------------------------------------------------------------ score


@rule
def points_each(s: State, opt: Opt, winners: int) -> int:
    """RS-20: what each winner of the deal scores."""
    if opt.score == WIN:
        return 1
    left = 0
    for seat in range(s.players):
        if winners >> seat & 1 == 0:
            left |= s.hand[seat]
    if opt.score == CARDS:
        return count(left)
    pips = 0
    for rank in range(13):
        pips += PIPS[rank] * count(of_rank(left, rank))
    return pips


@rule
def end_deal(s: State, opt: Opt, winners: int, limit: int) -> None:
    """RS-4."""
    s.to_act = 0
    s.last_winners = winners
    s.last_limit = limit
    points = points_each(s, opt, winners)
    for seat in range(s.players):
        s.last_hand[seat] = s.hand[seat]
        s.last_points[seat] = points if winners >> seat & 1 else 0
        s.scores[seat] += s.last_points[seat]
    if s.deals == opt.deals:  # RS-21, RS-24
        s.phase = DONE
        s.winners = highest_scores(s)  # RS-23
        for seat in range(s.players):
            s.shown[seat] = s.hand[seat]
    else:
        clear(s)
        s.dealer = next_dealer(s, opt, winners)
        s.phase = DUE
        s.awaiting = DEAL


@rule
def next_dealer(s: State, opt: Opt, winners: int) -> int:
    """RS-22."""
    if opt.next_dealer == WINNER:
        for seat in range(s.players):
            if winners == only(seat):
                return seat
    return left_of(s, s.dealer)


@rule
def utility(s: State, opt: Opt, me: int) -> int:
    return above_average(s, me)
