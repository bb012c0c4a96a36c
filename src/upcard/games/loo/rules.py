"""Loo, with five cards and Pam. The numbers LO-… are the clauses of rulebook/loo.md."""

from upcard.rules import *

PLAYERS = (5, 6, 7, 8, 9, 10)  # LO-1
PACK = as_set(pack())  # LO-2
PAM = card(JACK, CLUBS)  # LO-3
HAND = 5  # LO-7
MOST_STOCK = 41  # LO-9, LO-24: all that two players in and the upcard leave
STAKE = 5  # LO-6, LO-38
MOST_PENALTY = 100
TRICKS = 5  # LO-27

DUE, DECLARE, EARLY, EXCHANGE, LATE, PLAY, DONE = PHASES = words("deal declare early exchange late play done")
NO_FLUSH, PLAIN_FLUSH, TRUMP_FLUSH, MOUCHE = range(4)  # LO-18
FLUSHES = ("", "flush", "flush in trumps", "mouche")
FIVE, POT = range(2)
LIMIT = 1
PAID_BY_ALL = 1
NOT_YET = -1

MOVES = Notation()
STAY = MOVES.verb("play", heard=Audience.ALL, label="Play", said="is in")
PASS = MOVES.verb("pass", heard=Audience.ALL, label="Pass", said="passes")
NO = MOVES.verb("no", heard=Audience.ALL, label="Show no flush", said="shows no flush")
FLUSH = MOVES.verb("flush", heard=Audience.ALL, label="Show the flush", said="shows a flush")
KEEP = MOVES.verb("keep", heard=Audience.ALL, label="Keep all cards", said="keeps all cards")
DISCARD = MOVES.verb(
    "discard", "card+", heard=Audience.COUNT, label="Change {cards}", said="changes {cards}", quiet="changes"
)  # LO-45, LO-48
CIVIL = MOVES.verb(
    "civil",
    "card",
    heard=Audience.ALL,
    plays=True,
    label="Lead {cards}: Pam be civil",
    said='leads {cards}: "Pam be civil"',
)


class LooOptions(Options):
    rounds: int = whole(2, 1, 10, clause="LO-41", help="how often everyone deals: 1 for a short match")
    penalty: int = choice(
        "five", "pot", clause="LO-38", help="pot: who is looed pays as much as was in the pot, at most 100 chips"
    )
    flush_pays: int = choice(
        "in", "all", clause="LO-21", help="all: when a flush takes the pot, players who passed pay as well"
    )
    stock: int = choice(
        "reshuffle", "limit", clause="LO-24", help="limit: nobody may change more cards than the stock still has"
    )
    head: int = flag(True, clause="LO-29", help="whether a trick must be beaten if possible")
    civil: int = flag(True, clause="LO-33", help="whether the leader of the ace of trumps may ask Pam to be civil")
    club_law: int = flag(False, clause="LO-10", help="whether everybody is in when a club is turned up")
    ace_lead: int = flag(False, clause="LO-26", help="whether the first leader must lead the ace of trumps if held")


class LooState(GameState, seats=10):
    pot: int = open_field(kept=True)  # LO-45, as all that is open here; LO-4: chips
    inside: int = open_field(kept=True)  # the seats that have not passed
    hand: PerSeat = held(shown="shown")  # LO-46, LO-48
    shown: PerSeat = per_seat()  # flushes, LO-47
    stock: Pile = face_down(MOST_STOCK)  # its top last; LO-48
    left: int = open_field()  # cards in the stock
    buried: PerSeat = held()  # each seat's dead cards; of who is drawing, those thrown away just now, LO-23
    dead: int = open_field()  # how many cards are dead
    thrown: PerSeat = own()  # what a seat has thrown away, also when it is in the stock again: LO-46
    changed: PerSeat = per_seat(NOT_YET)  # how many cards it was
    drawer: int = open_field(NOBODY, kept=True)  # who is drawing
    to_draw: int = open_field(kept=True)
    mixed: int = open_field()  # the seats whose dead cards were shuffled into this stock
    finders: PerSeat = per_seat()  # for each seat, those who may have drawn what it threw away
    upcard: Card = open_card()
    trump: Suit = open_field(NO_SUIT)
    trumps: Cards = open_field()  # the trump suit and Pam
    best: int = open_field(NOBODY)  # who has shown the best flush
    leader: int = open_field(NOBODY)
    asked: Cards = open_field()  # the cards that follow the lead; none before it
    better: Cards = open_field(kept=True)  # the cards that would take the trick as it lies
    ahead: int = open_field(NOBODY, kept=True)  # who takes it as it lies
    civil: int = open_field()  # 1 while a trick led with the call is in progress
    card: PerSeat = per_seat(NO_CARD, kept=True)  # that each seat has played last
    played: Cards = open_set()  # in this deal
    lacks: PerSeat = per_seat()  # the cards that a seat has shown it does not hold
    taker: int = open_field(NOBODY)  # of the last trick
    tricks: PerSeat = per_seat()
    last_dealer: int = open_field(NOBODY, kept=True)  # of the last finished deal, as all that follows
    last_pot: int = open_field(kept=True)
    last_tricks: PerSeat = per_seat(kept=True)
    last_won: PerSeat = per_seat(kept=True)
    last_paid: PerSeat = per_seat(kept=True)
    last_flush: int = open_field(NOBODY, kept=True)
    last_kind: int = open_field(kept=True)  # of the flush: an index into FLUSHES
    last_hands: PerSeat = per_seat(kept=True)  # laid open when the board was looed, LO-47


State = LooState
Opt = LooOptions


# ------------------------------------------------------------------------------------------------------- the deals


@rule
def start(s: State, opt: Opt) -> None:
    s.inside = everybody(s.players)


@rule
def cards_to_shuffle(s: State, opt: Opt, out: Buffer) -> int:
    if s.awaiting == DEAL:
        return put_cards(out, 0, PACK)
    n = 0
    for seat in range(s.players):  # LO-24
        if seat != s.drawer:
            n = put_cards(out, n, s.buried[seat])
    return n


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    s.pot += STAKE  # LO-6, LO-40
    s.scores[s.dealer] -= STAKE
    s.taker = NOBODY
    dealt = HAND * s.players
    seat = s.dealer
    for i in range(dealt):  # LO-7
        seat = left_of(s, seat)
        s.hand[seat] |= bit(order[i])
    s.upcard = order[dealt]  # LO-8
    s.trump = suit_of(s.upcard)
    s.trumps = all_of(s.trump) | bit(PAM)  # LO-3
    s.left = 51 - dealt  # LO-9
    for i in range(s.left):
        s.stock[i] = order[51 - i]
    if opt.club_law and s.trump == CLUBS:
        ask(s, EARLY)
    else:
        s.phase = DECLARE
        s.to_act = only(left_of(s, s.dealer))  # LO-10


@rule
def clear(s: State) -> None:
    """Everything of a finished deal goes back into the pack."""
    for seat in range(s.players):
        s.hand[seat] = 0
        s.shown[seat] = 0
        s.buried[seat] = 0
        s.thrown[seat] = 0
        s.changed[seat] = NOT_YET
        s.finders[seat] = 0
        s.lacks[seat] = 0
        s.tricks[seat] = 0
    for i in range(s.left):
        s.stock[i] = NO_CARD
    s.left = 0
    s.dead = 0
    s.mixed = 0
    s.inside = everybody(s.players)
    s.upcard = NO_CARD
    s.trump = NO_SUIT
    s.trumps = 0
    s.best = NOBODY
    s.leader = NOBODY
    s.asked = 0
    s.civil = 0
    s.played = 0


@rule
def next_in(s: State, seat: int) -> int:
    """Clockwise the next seat that is in."""
    return lowest(s.inside & -(2 << seat) or s.inside)


@rule
def ask(s: State, phase: int) -> None:
    """A phase begins in which everyone in is asked in turn."""
    s.phase = phase
    s.to_act = only(next_in(s, s.dealer))


@rule
def last_asked(s: State, me: int) -> bool:
    """Whether everyone in has been asked."""
    return next_in(s, me) == next_in(s, s.dealer)


# ------------------------------------------------------------------------------------------------------------ moves


@rule
def playable(s: State, opt: Opt, me: int) -> Cards:
    if s.phase != PLAY:
        return 0
    hand = s.hand[me]
    if s.asked == 0:
        return must_lead(s, opt) & hand or hand  # LO-27
    follow = hand & s.asked or hand & s.trumps  # LO-28, LO-30
    if s.civil:
        follow = follow & ~bit(PAM) or follow  # LO-33, LO-34
    if opt.head:
        follow = follow & s.better or follow  # LO-29, LO-31
    return follow or hand  # LO-32


@rule
def must_lead(s: State, opt: Opt) -> Cards:
    """Option `ace_lead`: the ace of trumps, to the first trick."""
    return bit(card(ACE, s.trump)) if opt.ace_lead and s.played == 0 else 0


@rule
def other_moves(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
    if s.phase == PLAY:
        ace = card(ACE, s.trump)
        return add(out, n, say1(CIVIL, ace), opt.civil != 0 and s.asked == 0 and s.hand[me] & bit(ace) != 0)  # LO-33
    if s.phase == EXCHANGE:
        return put_discards(s.hand[me], most_thrown(s, opt), out, n)
    out[n] = STAY if s.phase == DECLARE else NO
    if s.phase == DECLARE:
        out[n + 1] = PASS
        return n + 2
    return add(out, n + 1, FLUSH, flush_rank(s, s.hand[me]) != 0)  # LO-15, LO-16


@rule
def most_thrown(s: State, opt: Opt) -> int:
    """LO-25."""
    return s.left if opt.stock == LIMIT else s.left + s.dead


@rule
def put_discards(hand: Cards, most: int, out: Buffer, n: int) -> int:
    """LO-22: keeping all, and every choice of cards to throw away, in pack order."""
    first = n
    out[n] = KEEP
    n += 1
    while hand and most:
        thrown = highest(hand)
        hand ^= bit(thrown)
        out[n] = say1(DISCARD, thrown)
        longer = n + 1
        for i in range(first + 1, n):
            cards = items_of(out[i])
            if cards < most:
                out[longer] = out[i] + (1 << 48) + (thrown << 6 * cards)
                longer += 1
        n = longer
    return n


@rule
def apply(s: State, opt: Opt, me: int, move: int) -> None:
    verb = verb_of(move)
    if s.phase == PLAY:
        play(s, opt, me, item(move, 0), 1 if verb == CIVIL else 0)
    elif s.phase == DECLARE:
        declare(s, opt, me, verb)
    elif s.phase == EXCHANGE:
        exchange(s, opt, me, move)
    else:
        answer(s, opt, me, verb)


@rule
def declare(s: State, opt: Opt, me: int, verb: int) -> None:
    if verb == PASS:  # LO-11
        s.inside ^= only(me)
        bury(s, me, s.hand[me])
        s.dead += HAND
    if count(s.inside) == 1:  # LO-12, LO-13
        take_pot(s, opt, lowest(s.inside))
    elif me == s.dealer:
        ask(s, EARLY)  # LO-15
    else:
        s.to_act = only(left_of(s, me))


@rule
def bury(s: State, seat: int, cards: Cards) -> None:
    s.hand[seat] ^= cards
    s.buried[seat] = cards
    s.thrown[seat] = cards


# ---------------------------------------------------------------------------------------------------------- flushes


@rule
def flush_rank(s: State, hand: Cards) -> int:
    """LO-18, LO-19: how good a flush is; 0 for a hand that is none."""
    suited = hand & ~bit(PAM)
    if suited == 0:
        return NO_FLUSH
    suit = suit_of(highest(suited))
    if suited != of_suit(suited, suit):  # LO-14
        return NO_FLUSH
    kind = MOUCHE if suited != hand else TRUMP_FLUSH if suit == s.trump else PLAIN_FLUSH
    return kind << 13 | suited >> 13 * suit


@rule
def answer(s: State, opt: Opt, me: int, verb: int) -> None:
    if verb == FLUSH:
        s.shown[me] = s.hand[me]
        if s.best == NOBODY or flush_rank(s, s.hand[me]) > flush_rank(s, s.shown[s.best]):  # LO-19
            s.best = me
    if not last_asked(s, me):
        s.to_act = only(next_in(s, me))
    elif s.best != NOBODY:  # LO-17
        loo_board(s, opt)
    elif s.phase == EARLY:
        ask(s, EXCHANGE)
    else:
        s.phase = PLAY
        take_lead(s, next_in(s, s.dealer))  # LO-26


# ----------------------------------------------------------------------------------------------------- the exchange


@rule
def exchange(s: State, opt: Opt, me: int, move: int) -> None:
    cards = 0
    if move != KEEP:
        for i in range(items_of(move)):
            cards |= bit(item(move, i))
    bury(s, me, cards)
    s.changed[me] = count(cards)
    s.drawer = me
    s.to_draw = count(cards)
    draw_cards(s, opt)


@rule
def draw_cards(s: State, opt: Opt) -> None:
    """LO-23."""
    note_finder(s)
    while s.to_draw and s.left:
        s.left -= 1
        s.to_draw -= 1
        s.hand[s.drawer] |= bit(s.stock[s.left])
        s.stock[s.left] = NO_CARD
    if s.to_draw:  # LO-24
        s.to_act = 0
        s.awaiting = RESHUFFLE
        return
    me = s.drawer
    s.drawer = NOBODY
    s.dead += s.changed[me]
    if last_asked(s, me):
        ask(s, LATE)  # LO-16
    else:
        s.to_act = only(next_in(s, me))


@rule
def note_finder(s: State) -> None:
    """Who draws from a stock of cards that were thrown away may find any of these."""
    if s.to_draw and s.left:
        mixed = s.mixed
        while mixed:
            s.finders[lowest(mixed)] |= only(s.drawer)
            mixed &= mixed - 1


@rule
def reshuffle(s: State, opt: Opt, order: Pile) -> None:
    """LO-24."""
    s.left = s.dead
    s.dead = 0
    for i in range(s.left):
        s.stock[i] = order[s.left - 1 - i]
    s.mixed = 0
    for seat in range(s.players):
        if seat != s.drawer and s.buried[seat]:
            s.buried[seat] = 0
            s.mixed |= only(seat)
    draw_cards(s, opt)


# --------------------------------------------------------------------------------------------------------- the play


@rule
def take_lead(s: State, seat: int) -> None:
    s.leader = seat
    s.to_act = only(seat)
    s.asked = 0
    s.civil = 0
    s.better = PACK


@rule
def play(s: State, opt: Opt, me: int, card: Card, civil: int) -> None:
    played = bit(card)
    note_lacks(s, opt, me, played)
    s.hand[me] ^= played
    s.played |= played
    s.card[me] = card
    if s.asked == 0:
        s.asked = s.trumps if s.trumps & played else all_of(suit_of(card)) & ~s.trumps  # LO-3
        s.civil = civil
    if s.better & played:  # LO-35
        s.ahead = me
        s.better = beaten_by(s, card)
    following = next_in(s, me)
    if following != s.leader:
        s.to_act = only(following)  # LO-27
    else:
        end_trick(s, opt, s.ahead)


@rule
def beaten_by(s: State, card: Card) -> Cards:
    """LO-35: the cards that take the trick from this one."""
    if card == PAM:
        return 0
    over = all_of(suit_of(card)) & -2 * bit(card)
    return over | bit(PAM) if s.trumps & bit(card) else over | s.trumps


@rule
def note_lacks(s: State, opt: Opt, me: int, played: Cards) -> None:
    """What the play of a card shows not to be in the hand: LO-28 to LO-34, option `ace_lead`."""
    if s.asked == 0:
        s.lacks[me] |= must_lead(s, opt) & ~played
        return
    group = s.asked if s.asked & played else s.trumps
    if group != s.asked:
        s.lacks[me] |= s.asked
    if group & played == 0:
        s.lacks[me] |= s.trumps
    elif s.civil:
        if played == bit(PAM):
            s.lacks[me] |= s.trumps & ~played
    elif opt.head and s.better & played == 0:
        s.lacks[me] |= group & s.better


@rule
def end_trick(s: State, opt: Opt, taker: int) -> None:
    s.tricks[taker] += 1
    s.taker = taker
    if s.hand[taker]:
        take_lead(s, taker)  # LO-27
    else:
        settle(s, opt)


# --------------------------------------------------------------------------------------------------------- settling


@rule
def take_pot(s: State, opt: Opt, seat: int) -> None:
    """LO-12, LO-13."""
    for other in range(s.players):
        s.last_won[other] = s.pot if other == seat else 0
        s.last_paid[other] = 0
    end_deal(s, opt)


@rule
def loo_board(s: State, opt: Opt) -> None:
    """LO-20, LO-21."""
    s.last_kind = flush_rank(s, s.hand[s.best]) >> 13
    s.tricks[s.best] = TRICKS
    due = penalty(s, opt)
    for seat in range(s.players):
        cards = s.hand[seat] | (0 if s.inside & only(seat) else s.thrown[seat])
        s.last_hands[seat] = s.hand[seat]
        liable = seat != s.best and (opt.flush_pays == PAID_BY_ALL or s.inside & only(seat) != 0)
        spared = cards & bit(PAM) != 0 or flush_rank(s, cards) != NO_FLUSH
        s.last_won[seat] = s.pot if seat == s.best else 0
        s.last_paid[seat] = due if liable and not spared else 0
    end_deal(s, opt)


@rule
def settle(s: State, opt: Opt) -> None:
    due = penalty(s, opt)
    for seat in range(s.players):
        s.last_won[seat] = s.tricks[seat] * (s.pot // TRICKS)  # LO-36, LO-37
        s.last_paid[seat] = due if s.inside & only(seat) and s.tricks[seat] == 0 else 0  # LO-38
    end_deal(s, opt)


@rule
def scheduled(s: State, opt: Opt) -> int:
    """LO-41."""
    return opt.rounds * s.players


@rule
def penalty(s: State, opt: Opt) -> int:
    """LO-38; option `penalty`; nothing in the last extra deal, LO-43."""
    if s.deals == scheduled(s, opt) + s.players:
        return 0
    return min(s.pot, MOST_PENALTY) if opt.penalty == POT else STAKE


@large
@rule
def end_deal(s: State, opt: Opt) -> None:
    """LO-39."""
    s.to_act = 0
    s.last_dealer = s.dealer
    s.last_pot = s.pot
    s.last_flush = s.best
    s.pot = 0
    for seat in range(s.players):
        s.scores[seat] += s.last_won[seat] - s.last_paid[seat]
        s.pot += s.last_paid[seat]
        s.last_tricks[seat] = s.tricks[seat]
    clear(s)
    if s.pot == 0 and s.deals >= scheduled(s, opt):  # LO-42
        s.phase = DONE
        s.winners = highest_scores(s)  # LO-44
    else:
        s.phase = DUE
        s.awaiting = DEAL
        s.dealer = left_of(s, s.dealer)  # LO-40


@rule
def utility(s: State, opt: Opt, me: int) -> int:
    return above_average(s, me)


# ------------------------------------------------------------------------------------------- what a seat can work out


def complete(s: State, opt: Opt, me: int, rng: Any) -> None:
    """What the others threw away; of cards that were shuffled again nobody can say more."""
    for seat in range(s.players):
        if seat != me:
            s.thrown[seat] = s.buried[seat]


def found_again(s: State, me: int) -> Cards:
    """The cards that this seat threw away and that are no longer dead."""
    return 0 if me == NOBODY else s.thrown[me] & ~s.buried[me]


def hypotheses(s: State, opt: Opt, me: int) -> list[Hypothesis]:
    """LO-46: a seat knows what it threw away, and that only those who drew later can hold any of it."""
    again = found_again(s, me)
    lacks = tuple(0 if s.finders[me] >> seat & 1 else again for seat in range(s.players))
    return [Hypothesis((0,) * s.players, lacks)]


def consistent(s: State, opt: Opt, me: int) -> bool:
    """Whether, in a world, the cards that `me` threw away lie where they can have come to."""
    again = found_again(s, me)
    if again and not s.mixed >> me & 1 and again & as_set(c for c in s.stock[: s.left]):
        return False
    return all(
        seat == me or (again & s.buried[seat] == 0 and count(again & s.hand[seat]) <= max(s.changed[seat], 0))
        for seat in range(s.players)
    )
