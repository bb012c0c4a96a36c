"""Rolling Stone. The numbers RS-… are the clauses of rulebook/rolling-stone.md."""

from typing import Any

from upcard.cards import NO_CARD, RANKS, Card, Cards, all_of, as_set, bit, count, of_rank, pack, sign, signs, suit_of
from upcard.compiled import rule
from upcard.game import (
    DEAL,
    NOBODY,
    NOTHING,
    Buffer,
    Faults,
    Game,
    GameState,
    Heard,
    Holding,
    Moves,
    Options,
    PerSeat,
    Pile,
    Said,
    Scene,
    Zone,
    above_average,
    acts,
    add,
    choice,
    held,
    highest_scores,
    left_of,
    only,
    open_field,
    open_set,
    per_seat,
    put_cards,
    seats_of,
    whole,
)

PLAYERS = (4, 5, 6)  # RS-1; each for themselves
HAND = 8
PACKS = tuple(as_set(pack(RANKS[-2 * players :])) for players in PLAYERS)  # RS-2
PIPS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1)  # by rank, RS-20

PHASES = ("deal", "play", "done")
DUE, PLAY, DONE = range(3)
WIN, CARDS, PIPS_LEFT = range(3)
AT_ONCE, TRICK = range(2)
LEFT, WINNER = range(2)

MOVES = Moves()
TAKE = MOVES.verb("take", heard=Heard.ALL, label="Take up the cards", said="takes up the cards")  # RS-14


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
    shown: PerSeat = per_seat()  # RS-27: nothing before the end
    known: PerSeat = per_seat()  # of each hand what was taken up in the open and is held still, RS-26
    lacks: PerSeat = per_seat()  # the cards that a seat has shown it does not hold
    size: PerSeat = per_seat()  # how many cards each seat holds, RS-25
    leader: int = open_field(NOBODY)
    led: Cards = open_field()  # all cards of the suit led; none before the lead
    table: Cards = open_set()  # the trick
    card: PerSeat = per_seat(NO_CARD)  # that each seat has played last
    ahead: int = open_field(NOBODY)  # who has played the highest card of the trick
    discard: Cards = open_set()
    taker: int = open_field(NOBODY)  # who won the last complete trick
    tricks: PerSeat = per_seat()  # complete ones
    taken: PerSeat = per_seat()  # broken ones
    played: int = open_field()  # tricks that are over
    last_winners: int = open_field()  # the set of seats that won the last finished deal
    last_limit: int = open_field()  # whether the limit decided it
    last_hand: PerSeat = per_seat()  # what was left in each hand, RS-27
    last_points: PerSeat = per_seat()


State = RollingStoneState
Opt = RollingStoneOptions


# ------------------------------------------------------------------------------------------------------- the deals


@rule
def start(s: State, opt: Opt, dealer: int) -> None:
    s.dealer = dealer  # RS-5
    s.phase = DUE
    s.awaiting = DEAL


@rule
def pack_of(s: State) -> Cards:
    """RS-2."""
    return PACKS[s.players - 4]


@rule
def gather(s: State, opt: Opt, out: Buffer) -> int:
    return put_cards(out, 0, pack_of(s))  # RS-30


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    s.deals += 1
    seat = s.dealer
    for i in range(HAND * s.players):  # RS-6
        seat = left_of(s, seat)
        s.hand[seat] |= bit(order[i])
        s.size[seat] += 1
    s.awaiting = NOTHING
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
def others(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
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
        complete(s, opt)
    else:
        s.to_act = only(following)  # RS-8


@rule
def complete(s: State, opt: Opt) -> None:
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
def margin(s: State, opt: Opt, me: int) -> int:
    return above_average(s, me)


# ---------------------------------------------------------------------------------------------- what plain Python says


def refusal(s: State, opt: Opt, me: int, said: Said) -> str:
    """RS-35: the first clause in its order that a move breaks."""
    if s.phase == DONE:
        return "RS-28"
    if s.phase == DUE:
        return "RS-29"
    if not acts(s, me):
        return "RS-31"
    if said.text == "take":
        return "RS-13"
    if said.verb != MOVES.play or said.items is None or not pack_of(s) >> said.items[0] & 1:
        return "RS-32"
    if not s.hand[me] >> said.items[0] & 1:
        return "RS-33"
    return "RS-8" if s.hand[me] & s.led else "RS-11"


def trick(s: State) -> list[tuple[int, Card]]:
    seats = [(s.leader + i) % s.players for i in range(count(s.table))]
    return [(seat, s.card[seat]) for seat in seats]


def deals_over(s: State) -> int:
    """How many deals of the match have ended."""
    return s.deals - (s.phase == PLAY)


def report(s: State, opt: Opt) -> dict[str, Any]:
    last = {
        "deal": deals_over(s),
        "winners": seats_of(s.last_winners),
        "limit": s.last_limit == 1,
        "left": [count(hand) for hand in s.last_hand[: s.players]],
        "points": s.last_points[: s.players],
    }
    return {
        "leader": None if s.leader == NOBODY else s.leader,
        "tricks": s.tricks[: s.players],
        "points": s.last_points[: s.players] if s.phase == DONE else [0] * s.players,
        "last": last if deals_over(s) else None,
        "taken": s.taken[: s.players],
        "played": s.played,
        "discard": count(s.discard),
    }


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """RS-25, RS-27: of the discard pile only its size; nor is shown which cards were taken up, RS-26."""
    on_table = trick(s)
    zones = [
        Zone("trick", "trick", "Trick", tuple(card for _, card in on_table), seats=tuple(who for who, _ in on_table)),
        Zone("discard", "pile", "Discards", count=count(s.discard)),
    ]
    headline = f"Deal {s.deals} of {opt.deals}" if opt.deals > 1 else "Rolling Stone"
    if s.phase == PLAY:
        headline += f" · trick {s.played + 1} of at most {opt.limit}"
    leader = None if s.leader == NOBODY else s.leader
    marks = [[("Won", s.tricks[who]), ("Taken up", s.taken[who])] for who in range(s.players)]
    return Scene(headline, _prompt(s, seat), zones, marks, leader=leader, result=_result(s))


def _prompt(s: State, seat: int | None) -> str:
    if s.phase != PLAY or seat is None:
        return ""
    if not s.led:
        return "lead any card"
    led = sign(s.card[s.leader])
    return f"follow {led}" if s.hand[seat] & s.led else f"you cannot follow {led}: take up {_cards(count(s.table))}"


def _cards(number: int) -> str:
    return f"{number} card{'s' * (number != 1)}"


def _result(s: State) -> list[str]:
    """How the last deal ended, with all cards shown: RS-27."""
    if deals_over(s) == 0:
        return []
    how = "has the fewest cards at the limit" if s.last_limit else "is out of cards"
    lines = []
    for seat in seats_of(s.last_winners):
        points = s.last_points[seat]
        lines.append(f"{{{seat}}} {how} and wins {points} point{'s' * (points != 1)}")
    for seat in range(s.players):
        if hand := s.last_hand[seat]:
            lines.append(f"{{{seat}}} is left with {_cards(count(hand))}: {signs(hand)}")
    return lines


GAME = Game(
    slug="rolling-stone",
    title="Rolling Stone",
    family="Shedding cards in tricks",
    summary="Be the first without cards. If you cannot follow suit you take up the trick.",
    length="5 to 20 minutes",
    players=PLAYERS,
    default_players=4,
    state=State,
    options=Opt,
    moves=MOVES,
    phases=PHASES,
    faults=Faults(
        players="RS-1", dealer="RS-5", options="RS-34", over="RS-28", event="RS-32", chance="RS-29", deal="RS-30"
    ),
    most_moves=48,
    start=start,
    gather=gather,
    chance=deal,
    playable=playable,
    others=others,
    apply=apply,
    margin=margin,
    trick=trick,
    refusal=refusal,
    report=report,
    scene=scene,
    shown=Holding("shown"),
    known=Holding("known"),
    lacks="lacks",
)
