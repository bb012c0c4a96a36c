"""Linger Longer. The numbers LL-… are the clauses of rulebook/linger-longer.md."""

from typing import Any

from upcard.cards import (
    NO_CARD,
    NO_SUIT,
    SUIT_NAMES,
    SUITS,
    Card,
    Cards,
    Suit,
    all_of,
    as_set,
    bit,
    count,
    lowest,
    pack,
    sign,
    signs,
    suit_of,
    text,
)
from upcard.compiled import rule
from upcard.game import (
    DEAL,
    NOBODY,
    NOTHING,
    RESHUFFLE,
    Buffer,
    Faults,
    Game,
    GameState,
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
    choice,
    everybody,
    face_down,
    held,
    highest_scores,
    left_of,
    only,
    open_card,
    open_field,
    open_set,
    per_seat,
    put_cards,
    seats_of,
    whole,
)

PLAYERS = (3, 4, 5, 6)  # LL-1; each for themselves
PACK = pack()  # LL-2
WHOLE_PACK = as_set(PACK)
PACK_SIZE = len(PACK)

PHASES = ("deal", "play", "reshuffle", "done")
DUE, PLAY, MIX, DONE = range(4)
DEALER, TURNED, NONE = range(3)
LEFT, WINNER = range(2)
CARDS, ONE = range(2)

MOVES = Moves()


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
    led: Cards = open_field()  # all cards of the suit led; none before the lead
    table: Cards = open_set()  # the trick
    card: PerSeat = per_seat(NO_CARD)  # that each seat has played last
    ahead: int = open_field(NOBODY)  # who takes the trick as it lies
    better: Cards = open_field()  # the cards that would take it instead
    discard: Cards = open_set()
    taker: int = open_field(NOBODY)  # of the last trick
    tricks: PerSeat = per_seat()
    last_winner: int = open_field(NOBODY)  # of the last finished deal
    last_hand: Cards = open_field()  # what this winner held, LL-30
    last_tricks: PerSeat = per_seat()
    last_points: PerSeat = per_seat()


State = LingerLongerState
Opt = LingerLongerOptions


# ------------------------------------------------------------------------------------------------------- the deals


@rule
def start(s: State, opt: Opt, dealer: int) -> None:
    s.dealer = dealer  # LL-3
    s.phase = DUE
    s.awaiting = DEAL


@rule
def gather(s: State, opt: Opt, out: Buffer) -> int:
    return put_cards(out, 0, WHOLE_PACK if s.awaiting == DEAL else s.discard)  # LL-33, LL-21


@rule
def chance(s: State, opt: Opt, order: Pile) -> None:
    if s.awaiting == DEAL:
        deal(s, opt, order)
    else:
        reshuffle(s, opt, order)


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    s.deals += 1
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
    s.awaiting = NOTHING
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
    s.awaiting = NOTHING
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
def others(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
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
def margin(s: State, opt: Opt, me: int) -> int:
    return above_average(s, me)


# ---------------------------------------------------------------------------------------------- what plain Python says


def refusal(s: State, opt: Opt, me: int, said: Said) -> str:
    """LL-38: the first clause in its order that a move breaks."""
    if s.phase == DONE:
        return "LL-31"
    if s.phase != PLAY:
        return "LL-32"
    if not acts(s, me):
        return "LL-34"
    if said.verb != MOVES.play or said.items is None:
        return "LL-35"
    return "LL-9" if s.hand[me] >> said.items[0] & 1 else "LL-36"


def trick(s: State) -> list[tuple[int, Card]]:
    around = [(s.leader + i) % s.players for i in range(s.players)]
    seats = [seat for seat in around if s.active >> seat & 1]
    return [(seat, s.card[seat]) for seat in seats[: count(s.table)]]


def deals_over(s: State) -> int:
    """How many deals of the match have ended."""
    return s.deals - (s.phase in (PLAY, MIX))


def report(s: State, opt: Opt) -> dict[str, Any]:
    last = {
        "deal": deals_over(s),
        "winner": s.last_winner,
        "tricks": s.last_tricks[: s.players],
        "points": s.last_points[: s.players],
    }
    return {
        "trump": None if s.trump == NO_SUIT else SUITS[s.trump],
        "upcard": None if s.upcard == NO_CARD else text(s.upcard),
        "leader": None if s.leader == NOBODY else s.leader,
        "tricks": s.tricks[: s.players],
        "points": s.last_points[: s.players] if s.phase == DONE else [0] * s.players,
        "last": last if deals_over(s) else None,
        "stock": s.left,
        "discard": count(s.discard),
        "active": seats_of(s.active),
    }


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """LL-28; of the discard pile only its size, LL-30."""
    zones = []
    headline = f"Deal {s.deals} of {opt.deals}"
    if s.active:
        on_table = trick(s)
        cards, seats = tuple(card for _, card in on_table), tuple(who for who, _ in on_table)
        zones.append(Zone("trick", "trick", "Trick", cards, seats=seats))
        zones.append(Zone("stock", "pile", "Stock", count=s.left))
        zones.append(Zone("discard", "pile", "Discards", count=count(s.discard)))
        headline += " · no trumps"
    if s.upcard != NO_CARD:
        headline = f"Deal {s.deals} of {opt.deals} · {SUIT_NAMES[s.trump]} are trumps ({sign(s.upcard)} was shown)"
    if s.aside != NO_CARD:
        zones.append(Zone("aside", "pile", "Out of play", (s.aside,)))
    prompt = ""
    if s.phase == PLAY:
        prompt = f"follow {sign(s.card[s.leader])} if you can" if s.led else "lead any card"
    leader = None if s.leader == NOBODY else s.leader
    marks: list[list[tuple[str, object]]] = [[("Tricks", s.tricks[who])] for who in range(s.players)]
    for who in range(s.players):
        if s.active and not s.active >> who & 1:
            marks[who].append(("Cards", "out"))
    return Scene(headline, prompt, zones, marks, s.trump, leader, result=_result(s))


def _result(s: State) -> list[str]:
    """How the last deal ended, with the winner's cards: LL-30."""
    if deals_over(s) == 0:
        return []
    points = s.last_points[s.last_winner]
    won = f"wins {points} point{'s' * (points != 1)}"
    return [f"{{{s.last_winner}}} alone has cards left ({signs(s.last_hand)}) and {won}"]


GAME = Game(
    slug="linger-longer",
    title="Linger Longer",
    family="Staying in by tricks",
    summary="Only the winner of a trick draws a card. Be the last who holds any.",
    length="4 to 15 minutes",
    players=PLAYERS,
    default_players=4,
    state=State,
    options=Opt,
    moves=MOVES,
    phases=PHASES,
    faults=Faults(
        players="LL-1",
        dealer="LL-3",
        options="LL-37",
        over="LL-31",
        event="LL-35",
        chance="LL-32",
        deal="LL-33",
        reshuffle="LL-21",
    ),
    most_moves=17,
    start=start,
    gather=gather,
    chance=chance,
    playable=playable,
    others=others,
    apply=apply,
    margin=margin,
    trick=trick,
    refusal=refusal,
    report=report,
    scene=scene,
    shown=Holding("shown"),
    lacks="lacks",
)
