"""Sixty-Six. The numbers SS-… are the clauses of rulebook/sixty-six.md."""

from upcard.rules import *

PACK = pack("AKQJT9")  # SS-2
STRENGTH = ranking("A T K Q J 9")  # SS-3
VALUE = values(A=11, T=10, K=4, Q=3, J=2)  # SS-4
LAST_TRICK = 10  # SS-5
DEAL_LIMIT = 100  # SS-44

DUE, LEAD, FOLLOW, DONE = PHASES = words("deal lead follow done")
HOW = (None, "plain", "schneider", "schwarz", "bad-declare", "bad-close", "void")
PLAIN, SCHNEIDER, SCHWARZ, BAD_DECLARE, BAD_CLOSE, VOID = range(1, 7)

MOVES = Notation()
MELD = MOVES.verb("meld", "card card", heard=Audience.ALL, label="Show the marriage {cards}", said="shows {cards}")
EXCHANGE = MOVES.verb(
    "exchange", heard=Audience.ALL, label="Fetch the upcard", said="fetches the upcard with the nine", zone="upcard"
)
CLOSE = MOVES.verb("close", heard=Audience.ALL, label="Close the stock", said="closes the stock")
DECLARE = MOVES.verb("declare", heard=Audience.ALL, label="Declare 66", said="declares 66")


class SixtySixOptions(Options):
    target: int = whole(7, 1, 21, clause="SS-43", help="victory points that win the match")
    endplay: int = choice(
        "follow", "strict", clause="SS-18", help="strict: once suit must be followed, also head the trick and trump"
    )
    last: int = choice("always", "open", clause="SS-5", help="open: no 10 for the last trick after a close")
    exchange: int = choice(
        "free", "trick", clause="SS-24", help="trick: only a player with a trick may fetch the upcard"
    )
    both: int = choice("void", "declarer", clause="SS-35", help="declarer: a right claim wins even if both have 66")
    carry: int = choice("add", "one", "none", clause="SS-41", help="how many extra points void deals put aside")
    count: int = choice("shown", "hidden", clause="SS-46", help="hidden: deal points and earlier tricks are not shown")


class SixtySixState(GameState, seats=2):
    hand: PerSeat = held(shown="shown")  # SS-47
    shown: PerSeat = per_seat()  # the part of each hand that both have seen, SS-46
    stock: Pile = face_down(11, kept=True)  # SS-9, the last is its top; SS-47
    left: int = open_field(kept=True)  # cards in the stock
    upcard: Card = open_card(kept=True)  # NO_CARD once taken, SS-15
    trump: Suit = open_field(NO_SUIT, kept=True)  # SS-45, as all fields down to `gained`
    leader: int = open_field(NOBODY, kept=True)
    taker: int = open_field(NOBODY, kept=True)  # of the last trick
    led: Card = open_card(kept=True)  # while the other is to follow
    melded: Suit = open_field(NO_SUIT, kept=True)  # the marriage shown for this lead
    closer: int = open_field(NOBODY)  # who closed the stock
    closed_now: int = open_field(kept=True)  # 1 if it was closed for this very lead, SS-25
    closed_on: int = open_field()  # the other's tricks at that moment, SS-39
    lacks: PerSeat = per_seat()  # the cards that a seat has shown it does not hold
    won: PerSeat = per_seat(cards="set")
    tricks: PerSeat = per_seat()
    points: PerSeat = per_seat()
    pending: PerSeat = per_seat()  # SS-21
    carry: int = open_field(kept=True)  # extra points waiting, SS-41
    how: int = open_field(kept=True)  # of the last deal: an index into HOW
    winner: int = open_field(NOBODY, kept=True)
    gained: int = open_field(kept=True)


State = SixtySixState
Opt = SixtySixOptions


@rule
def cards_to_shuffle(s: State, opt: Opt, out: Buffer) -> int:
    return put_cards(out, 0, WHOLE_PACK)  # SS-10


WHOLE_PACK = as_set(PACK)


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    for seat in range(2):
        s.hand[seat] = 0
        s.shown[seat] = 0
        s.won[seat] = 0
        s.tricks[seat] = 0
        s.points[seat] = 0
        s.pending[seat] = 0
        s.lacks[seat] = 0
    for i in range(12):  # SS-7: in threes, the nondealer first
        seat = s.dealer if i // 3 & 1 else 1 - s.dealer
        s.hand[seat] |= bit(order[i])
    s.upcard = order[12]  # SS-8
    s.trump = suit_of(s.upcard)
    for i in range(11):  # SS-9
        s.stock[i] = order[23 - i]
    s.left = 11
    s.closer = NOBODY
    s.closed_on = 0
    take_lead(s, 1 - s.dealer)  # SS-11


@rule
def take_lead(s: State, seat: int) -> None:
    s.phase = LEAD
    s.leader = seat
    s.to_act = only(seat)
    s.led = NO_CARD
    s.melded = NO_SUIT
    s.closed_now = 0


@rule
def stock_open(s: State) -> bool:
    """SS-16, SS-27: neither closed nor gone with the upcard."""
    return s.closer == NOBODY and s.upcard != NO_CARD


@rule
def marriage(suit: Suit) -> Cards:
    """SS-19."""
    return bit(card(KING, suit)) | bit(card(QUEEN, suit))


@rule
def playable(s: State, opt: Opt, me: int) -> Cards:
    hand = s.hand[me]
    if s.phase == LEAD:
        return hand if s.melded == NO_SUIT else marriage(s.melded)  # SS-11, SS-22
    if stock_open(s):
        return hand  # SS-13
    follow = of_suit(hand, suit_of(s.led))
    if opt.endplay == 0:
        return follow or hand  # SS-17, SS-18
    return higher(follow, s.led, STRENGTH) or follow or of_suit(hand, s.trump) or hand


@rule
def other_moves(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
    if s.phase == FOLLOW:
        return n
    out[n] = DECLARE  # SS-30: true or not, and never a duty, SS-32
    n += 1
    if s.melded != NO_SUIT:
        return n  # SS-25: nothing else after a marriage
    hand = s.hand[me]
    queens = hand & hand >> 1 & QUEENS
    while queens:  # SS-20
        queen = lowest(queens)
        queens &= queens - 1
        out[n] = say2(MELD, queen + 1, queen)
        n += 1
    if stock_open(s):
        out[n] = CLOSE  # SS-26, SS-28
        n = add(out, n + 1, EXCHANGE, may_exchange(s, opt, me))
    return n


QUEENS = as_set(card(QUEEN, suit) for suit in range(4))


@rule
def may_exchange(s: State, opt: Opt, me: int) -> bool:
    """SS-23, SS-24, of a player about to lead with the stock open."""
    nine = s.hand[me] & bit(card(NINE, s.trump))
    return nine != 0 and (s.tricks[me] > 0 or opt.exchange == 0)


@rule
def apply(s: State, opt: Opt, me: int, move: int) -> None:
    verb = verb_of(move)
    if verb == 0:
        play(s, opt, me, move)
    elif verb == MELD:
        meld(s, me, suit_of(item(move, 0)))
    elif verb == EXCHANGE:
        nine = card(NINE, s.trump)
        s.hand[me] ^= bit(nine) | bit(s.upcard)
        s.shown[me] = s.shown[me] & ~bit(nine) | bit(s.upcard)  # SS-46
        s.upcard = nine
    elif verb == CLOSE:
        s.closer = me
        s.closed_now = 1
        s.closed_on = s.tricks[1 - me]
    else:
        declare(s, opt, me)


@rule
def meld(s: State, me: int, suit: Suit) -> None:
    s.melded = suit
    s.shown[me] |= marriage(suit)
    worth = 40 if suit == s.trump else 20  # SS-19
    if s.tricks[0] + s.tricks[1] == 0:
        s.pending[me] += worth  # SS-21
    else:
        s.points[me] += worth


@rule
def play(s: State, opt: Opt, me: int, played: Card) -> None:
    s.hand[me] &= ~bit(played)
    s.shown[me] &= ~bit(played)
    if s.phase == LEAD:
        s.phase = FOLLOW
        s.led = played
        s.melded = NO_SUIT
        s.to_act = only(1 - me)
        return
    if not stock_open(s):
        s.lacks[me] |= shown_void(s, opt, played)
    taker = me if beats_by(played, s.led, s.trump, STRENGTH) else 1 - me  # SS-12
    s.won[taker] |= bit(played) | bit(s.led)
    s.tricks[taker] += 1
    s.taker = taker
    s.points[taker] += VALUE[rank_of(played)] + VALUE[rank_of(s.led)] + s.pending[taker]  # SS-21
    s.pending[taker] = 0
    if stock_open(s):
        draw(s, taker)  # SS-14
        draw(s, 1 - taker)
    take_lead(s, taker)
    if s.hand[taker] == 0:
        if opt.last == 0 or s.closer == NOBODY:
            s.points[taker] += LAST_TRICK  # SS-5
        play_out(s, opt)


@rule
def shown_void(s: State, opt: Opt, played: Card) -> Cards:
    """What a player who answers like this under SS-17 cannot hold."""
    if suit_of(played) != suit_of(s.led):
        trumpless = opt.endplay == 1 and suit_of(played) != s.trump
        return all_of(suit_of(s.led)) | (all_of(s.trump) if trumpless else 0)
    if opt.endplay == 1 and not beats_by(played, s.led, s.trump, STRENGTH):
        return higher(all_of(suit_of(s.led)), s.led, STRENGTH)
    return 0


@rule
def draw(s: State, seat: int) -> None:
    if s.left > 0:
        s.left -= 1
        s.hand[seat] |= bit(s.stock[s.left])
        s.stock[s.left] = NO_CARD
    else:  # SS-15
        s.hand[seat] |= bit(s.upcard)
        s.shown[seat] |= bit(s.upcard)
        s.upcard = NO_CARD


@rule
def declare(s: State, opt: Opt, me: int) -> None:
    other = 1 - me
    if s.points[me] < 66:  # SS-31, SS-38
        none = s.tricks[other] == 0 or (s.closer == me and s.closed_on == 0)
        end_deal(s, opt, other, BAD_DECLARE, 3 if none else 2)
    elif s.closer == other and s.points[other] < 66:  # SS-39
        end_deal(s, opt, me, BAD_CLOSE, 3 if s.closed_on == 0 else 2)
    elif opt.both == 0 and s.points[other] >= 66:  # SS-35
        end_deal(s, opt, NOBODY, VOID, 0)
    else:
        win(s, opt, me)


@rule
def play_out(s: State, opt: Opt) -> None:
    """The last trick has been played: SS-33. What lies in a closed stock is counted for nobody, SS-29."""
    first = s.points[0] >= 66
    second = s.points[1] >= 66
    if s.closer != NOBODY and s.points[s.closer] < 66:  # SS-39
        end_deal(s, opt, 1 - s.closer, BAD_CLOSE, 3 if s.closed_on == 0 else 2)
    elif first == second:  # SS-37
        end_deal(s, opt, NOBODY, VOID, 0)
    else:
        win(s, opt, 0 if first else 1)  # SS-36


@rule
def win(s: State, opt: Opt, me: int) -> None:
    """SS-34: the less the other has, the more it is worth."""
    if s.tricks[1 - me] == 0:
        end_deal(s, opt, me, SCHWARZ, 3)
    elif s.points[1 - me] < 33:
        end_deal(s, opt, me, SCHNEIDER, 2)
    else:
        end_deal(s, opt, me, PLAIN, 1)


@rule
def end_deal(s: State, opt: Opt, winner: int, how: int, gained: int) -> None:
    s.how = how
    s.winner = winner
    s.gained = gained
    if winner == NOBODY:  # SS-37, SS-41
        s.carry = s.carry + 1 if opt.carry == 0 else 1 if opt.carry == 1 else 0
    else:
        s.gained += s.carry  # SS-40
        s.scores[winner] += s.gained
        s.carry = 0
    s.leader = NOBODY
    s.led = NO_CARD
    s.to_act = 0
    if max(s.scores[0], s.scores[1]) >= opt.target or s.deals == DEAL_LIMIT:  # SS-43, SS-44
        s.phase = DONE
        s.winners = 3 if s.scores[0] == s.scores[1] else 1 if s.scores[0] > s.scores[1] else 2
    else:
        s.phase = DUE
        s.awaiting = DEAL
        s.dealer = 1 - s.dealer  # SS-42


@rule
def utility(s: State, opt: Opt, me: int) -> int:
    return s.scores[me] - s.scores[1 - me]
