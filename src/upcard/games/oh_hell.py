"""Oh Hell, bids on the fingers. The numbers OH-… are the clauses of rulebook/oh-hell.md."""

import re
from typing import Any

from upcard.cards import (
    NO_CARD,
    NO_SUIT,
    SUITS,
    Card,
    Cards,
    Suit,
    all_of,
    as_set,
    bit,
    lowest,
    pack,
    sign,
    suit_of,
    text,
)
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
    everybody,
    face_down_set,
    held,
    highest_scores,
    item,
    left_of,
    only,
    open_card,
    open_field,
    open_set,
    per_seat,
    put_cards,
    say1,
    sealed,
    whole,
)

PLAYERS = (3, 4, 5, 6, 7)  # OH-1; each for themselves
PACK = pack()  # OH-2
WHOLE_PACK = as_set(PACK)

PHASES = ("deal", "bid", "play", "done")
DUE, BID, PLAY, DONE = range(4)
UP_DOWN, DOWN_UP, UP, DOWN = range(4)
FINGERS, TURNS, HOOK = range(3)
BIDDER, LEFT = range(2)
TIE_LEFT, TIE_DEALER = range(2)
DOUBLE_ON, DOUBLE_OFF = range(2)
NOTHING_LOST, DIFFERENCE = range(2)
NO_BID = -1

MOVES = Moves()
SAY = MOVES.verb("bid", "number", heard=Heard.SEALED, unless="bidding", label="Bid {0}", said="bids {0}")  # OH-34


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
    size: int = open_field()  # cards each in this deal; while one is awaited, in the coming one
    hand: PerSeat = held()  # OH-33
    undealt: Cards = face_down_set()  # OH-10, OH-36
    upcard: Card = open_card()
    trump: Suit = open_field(NO_SUIT)
    bids: PerSeat = sealed(until=PLAY, unless="bidding", blank=NO_BID)  # OH-34
    leader: int = open_field(NOBODY)
    led: Cards = open_field()  # all cards of the suit led; none before the lead
    ahead: int = open_field(NOBODY)  # who takes the trick as it lies
    better: Cards = open_field()  # the cards that would take it instead
    card: PerSeat = per_seat(NO_CARD)  # that each seat has played last: this trick's lie on the table, OH-35
    played: Cards = open_set()  # in this deal
    lacks: PerSeat = per_seat()  # the cards that a seat has shown it does not hold
    taker: int = open_field(NOBODY)  # of the last trick
    tricks: PerSeat = per_seat()
    last_bids: PerSeat = per_seat()  # of the last finished deal
    last_tricks: PerSeat = per_seat()
    last_points: PerSeat = per_seat()


State = OhHellState
Opt = OhHellOptions


# ------------------------------------------------------------------------------------------------------- the deals


@rule
def start(s: State, opt: Opt, dealer: int) -> None:
    s.dealer = dealer  # OH-6
    s.size = size_of(opt, 0)
    s.phase = DUE
    s.awaiting = DEAL


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
def gather(s: State, opt: Opt, out: Buffer) -> int:
    return put_cards(out, 0, WHOLE_PACK)  # OH-39


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    s.deals += 1
    undealt = WHOLE_PACK
    seat = s.dealer
    for i in range(s.size * s.players):  # OH-8
        seat = left_of(s, seat)
        s.hand[seat] |= bit(order[i])
        undealt ^= bit(order[i])
    s.upcard = order[s.size * s.players]  # OH-9
    s.undealt = undealt ^ bit(s.upcard)  # OH-10
    s.trump = suit_of(s.upcard)
    s.awaiting = NOTHING
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
def others(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
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
def margin(s: State, opt: Opt, me: int) -> int:
    """The score against the average of the others."""
    return above_average(s, me)


# ---------------------------------------------------------------------------------------------- what plain Python says


def refusal(s: State, opt: Opt, me: int, said: Said) -> str:
    """OH-44: the first clause in its order that a move breaks."""
    if s.phase == DONE:
        return "OH-37"
    if s.phase == DUE:
        return "OH-38"
    if s.phase == BID:
        if me < s.players and s.bids[me] != NO_BID:
            return "OH-14"
        if not acts(s, me):
            return "OH-40"
        number = re.fullmatch("bid (0|[1-9][0-9]*)", said.text)
        return "OH-12" if number else "OH-41"
    if not acts(s, me):
        return "OH-40"
    if said.verb != MOVES.play or said.items is None:
        return "OH-41"
    return "OH-20" if s.hand[me] >> said.items[0] & 1 else "OH-42"


def has_bid_in_secret(s: State, opt: Opt, seat: int) -> bool:
    """Whether, in a view, this seat has made a bid that is not to be seen yet."""
    return s.phase == BID and opt.bidding == FINGERS and s.bids[seat] == NO_BID and not acts(s, seat)


def complete(s: State, opt: Opt, me: int, rng: Any) -> None:
    """Bids that `me` cannot see yet: what a seat wins if anybody may take each trick."""
    seats = range(s.players)
    for seat in seats:
        if has_bid_in_secret(s, opt, seat):
            s.bids[seat] = sum(rng.choice(seats) == seat for _ in range(s.size))


def trick(s: State) -> list[tuple[int, Card]]:
    if s.phase != PLAY:
        return []
    on_table = (lowest(s.to_act) - s.leader) % s.players
    seats = [(s.leader + i) % s.players for i in range(on_table)]
    return [(seat, s.card[seat]) for seat in seats]


def deals_over(s: State) -> int:
    """How many deals of the match have ended."""
    return s.deals - (s.phase == BID or s.phase == PLAY)


def report(s: State, opt: Opt) -> dict[str, Any]:
    over = deals_over(s)
    last = {
        "deal": over,
        "bids": s.last_bids[: s.players],
        "tricks": s.last_tricks[: s.players],
        "points": s.last_points[: s.players],
    }
    return {
        "trump": None if s.trump == NO_SUIT else SUITS[s.trump],
        "upcard": None if s.upcard == NO_CARD else text(s.upcard),
        "leader": None if s.leader == NOBODY else s.leader,
        "tricks": s.tricks[: s.players],
        "points": s.last_points[: s.players] if s.phase == DONE else [0] * s.players,
        "last": last if over else None,
        "cards": s.size,
        "deals_in_match": deals_in_match(opt),
        "bids": [None if number == NO_BID else number for number in s.bids[: s.players]],
    }


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """OH-32 to OH-35."""
    zones = []
    headline = f"Deal {s.deals} of {deals_in_match(opt)} · {_cards(s.size)}"
    if s.upcard != NO_CARD:
        on_table = trick(s)
        cards, seats = tuple(card for _, card in on_table), tuple(who for who, _ in on_table)
        zones.append(Zone("trick", "trick", "Trick", cards, seats=seats))
        zones.append(Zone("upcard", "pile", "Upcard", (s.upcard,), count=len(PACK) - s.size * s.players))
        headline += f" · {('clubs', 'diamonds', 'hearts', 'spades')[s.trump]} are trumps"
    prompt = f"bid 0 to {s.size}" if s.phase == BID else ""
    if s.phase == PLAY:
        prompt = f"follow {sign(s.card[s.leader])} if you can" if s.led else "lead any card"
    leader = None if s.leader == NOBODY else s.leader
    marks = [[("Bid", _bid_shown(s, opt, who)), ("Tricks", s.tricks[who])] for who in range(s.players)]
    return Scene(headline, prompt, zones, marks, s.trump, leader, result=_result(s))


def _cards(number: int) -> str:
    return f"{number} card{'s' * (number != 1)}"


def _bid_shown(s: State, opt: Opt, seat: int) -> object:
    """OH-34: that a seat has bid is no secret."""
    if s.bids[seat] != NO_BID:
        return s.bids[seat]
    return "secret" if has_bid_in_secret(s, opt, seat) else "–"


def _result(s: State) -> list[str]:
    if deals_over(s) == 0:
        return []
    return [
        f"{{{seat}}} bid {s.last_bids[seat]} and took {s.last_tricks[seat]}: {s.last_points[seat]}"
        for seat in range(s.players)
    ]


GAME = Game(
    slug="oh-hell",
    title="Oh Hell",
    family="Exact bids",
    summary="Bid in secret how many tricks you will take, then take exactly that many.",
    length="45 to 60 minutes",
    players=PLAYERS,
    default_players=5,
    short={"max_cards": 5},
    state=State,
    options=Opt,
    moves=MOVES,
    phases=PHASES,
    faults=Faults(
        players="OH-1", dealer="OH-6", options="OH-43", over="OH-37", event="OH-41", chance="OH-38", deal="OH-39"
    ),
    most_moves=11,
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
    lacks="lacks",
    complete=complete,
)
