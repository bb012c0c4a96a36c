"""Kalooki. The numbers KA-… are the clauses of rulebook/kalooki.md."""

from upcard.rules import *
from upcard.rules.melds import (
    WHOLE_PACK,
    Ranks,
    Suits,
    all_fit,
    four_meld,
    is_four,
    kind_of,
    once_less,
    owner_of,
    put_fours,
    put_threes,
    tacked,
    takes,
    three_meld,
)

DEALT = (0, 9, 10, 11, 12, 12, 13, 14, 15, 16)  # KA-4, KA-5, by contract
THREES = (0, 3, 2, 1, 0, 4, 3, 2, 1, 0)
FOURS = (0, 0, 1, 2, 3, 0, 1, 2, 3, 4)
MOST_ATTEMPTS = 3  # KA-28
MOST_TURNS = 300  # KA-29
FINE = 50  # KA-21
MOST_PILE = 81  # 108 without three hands of nine; hands and melds together never become fewer cards
MOST_MELDS = 36


def worth(c: Card) -> int:
    """KA-51."""
    if c == JOKER:
        return 50
    if rank_of(c) == ACE:
        return 15 if suit_of(c) in (CLUBS, SPADES) else 1
    return min(rank_of(c) + 2, 10)


WORTH = tuple(worth(c) for c in range(53))

DUE, DRAWING, CALLING, ANSWER, EMPTY, PLAY, DONE = PHASES = words("deal draw call answer reshuffle play done")
HOW = (None, "out", "bent", "thrown")
OUT, BENT, THROWN = range(1, 4)

MOVES = Notation()
TAKE = MOVES.verb("take", heard=Audience.ALL, label="Take the upcard", said="takes the upcard", zone="upcard")
STOCK = MOVES.verb(
    "stock", heard=Audience.ALL, label="Draw from the stock", said="wants to draw from the stock", zone="stock"
)
CALL = MOVES.verb("call", heard=Audience.ALL, label="Call the upcard", said="calls the upcard")
PASS = MOVES.verb("pass", heard=Audience.ALL, label="Pass", said="passes")
ALLOW = MOVES.verb("allow", heard=Audience.ALL, label="Allow the call", said="allows the call")
REFUSE = MOVES.verb("refuse", heard=Audience.ALL, label="Refuse: take the upcard", said="refuses and takes the upcard")
LAY = MOVES.verb("lay", "card+", heard=Audience.ALL, label="Lay {cards}", said="lays {cards}")
TACK = MOVES.verb("tack", "card number", heard=Audience.ALL, label="Add {0} to meld {1}", said="adds {0} to meld {1}")
DISCARD = MOVES.verb("discard", "card", heard=Audience.ALL, label="Discard {cards}", said="discards {cards}")
HOLD = MOVES.verb("hold", heard=Audience.ALL, label="End the turn without a discard", said="has only jokers and holds")


class KalookiOptions(Options):
    contracts: int = digits("123456789", 9, clause="KA-3", help="the contracts to be played, in this order")
    calls: int = choice(3, 0, 1, 2, 4, 5, 6, clause="KA-14", help="successful calls in a deal; 0: no calling at all")
    overcall: int = choice(
        "blocked", "penalty", clause="KA-21", help="penalty: who has no call left may still try, for a fine of 50"
    )
    bend: int = choice("double", "single", clause="KA-53", help="single: no double points for bending the table")
    threes: int = choice("any", "distinct", clause="KA-33", help="distinct: a player's threes are of different ranks")
    first_upcard: int = choice(
        "any", "natural", clause="KA-9", help="natural: a joker turned first goes to the bottom of the stock"
    )


class KalookiState(GameState, seats=5):
    hand: PerSeat = held(shown="shown")  # KA-57; the cards that are held
    twice: PerSeat = held(shown="shown_twice", cards="second")  # those of them that are held two times
    jokers: PerSeat = held(shown="shown_jokers", cards="jokers")
    shown: PerSeat = per_seat()  # what everybody knows a seat to hold: taken, called (KA-56), counted (KA-58)
    shown_twice: PerSeat = per_seat()
    shown_jokers: PerSeat = per_seat()
    stock: Pile = face_down(MOST_PILE)  # the last is its top
    left: int = open_field()  # cards in the stock
    discards: Pile = open_pile(MOST_PILE, cards="card")  # the last is the upcard
    thrown: int = open_field()  # cards in the discard pile
    throwers: Pile = open_pile(MOST_PILE)  # who discarded each of them; NOBODY: turned up
    melds: Pile = open_pile(MOST_MELDS)  # see melds.py
    laid: int = open_field()  # how many melds there are
    contract: int = open_field(kept=True)  # 1 to 9
    stage: int = open_field(kept=True)  # which of the contracts of the match it is, from 0
    attempt: int = open_field(1, kept=True)  # KA-28
    active: int = open_field(NOBODY, kept=True)
    caller: int = open_field(NOBODY, kept=True)  # awaiting the answer
    drawer: int = open_field(NOBODY, kept=True)  # who is to draw from the stock, at once or after a reshuffle
    laying: int = open_field(kept=True)  # 1 in the middle of a contract; then what is still to be laid:
    threes: int = open_field(kept=True)
    fours: int = open_field(kept=True)
    bending: int = open_field(kept=True)  # 1 if the active player went down in this turn
    turns: int = open_field()  # completed in this deal
    shuffled: int = open_field()  # 1 once the stock of this deal has been renewed
    down: PerSeat = per_seat()
    calls: PerSeat = per_seat()  # successful ones in this deal
    points: PerSeat = per_seat()  # during a deal the fines
    how: int = open_field(kept=True)  # the last deal ended: an index into HOW
    out: int = open_field(NOBODY, kept=True)  # who went out in it
    counted: PerSeat = per_seat(kept=True)  # its points


State = KalookiState
Opt = KalookiOptions

# ------------------------------------------------------------------------------------------------------ match and deal


@rule
def start(s: State, opt: Opt) -> None:
    s.contract = contract_at(opt, 0)


@rule
def stages(opt: Opt) -> int:
    """How many contracts the match has."""
    n = 0
    rest = opt.contracts
    while rest:
        rest //= 10
        n += 1
    return n


@rule
def contract_at(opt: Opt, stage: int) -> int:
    """KA-3."""
    rest = opt.contracts
    for _ in range(stages(opt) - 1 - stage):
        rest //= 10
    return rest % 10


@rule
def cards_to_shuffle(s: State, opt: Opt, out: Buffer) -> int:
    if s.awaiting == RESHUFFLE:  # KA-24
        for i in range(s.thrown - 1):
            out[i] = s.discards[i]
        return s.thrown - 1
    n = put_cards(out, put_cards(out, 0, WHOLE_PACK), WHOLE_PACK)  # KA-2, KA-7
    for i in range(n, 108):
        out[i] = JOKER
    return 108


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    first = s.dealer + 1
    dealt = DEALT[s.contract] * s.players
    for i in range(dealt):  # KA-6
        gain(s, (first + i) % s.players, order[i], False)
    jokers = 0
    while opt.first_upcard == 1 and order[dealt + jokers] == JOKER:  # KA-9: to the bottom of the stock
        s.stock[jokers] = JOKER
        jokers += 1
    discard(s, NOBODY, order[dealt + jokers])
    s.left = 107 - dealt
    for i in range(jokers, s.left):
        s.stock[i] = order[107 + jokers - i]
    begin_turn(s, opt, first % s.players)  # KA-10
    draw_cards(s, opt)


@rule
def reshuffle(s: State, opt: Opt, order: Pile) -> None:
    """KA-24: the upcard is kept apart."""
    s.shuffled = 1
    s.left = s.thrown - 1
    for i in range(s.left):
        s.stock[i] = order[s.left - 1 - i]
    s.discards[0] = s.discards[s.left]
    s.throwers[0] = s.throwers[s.left]
    for i in range(1, s.thrown):
        s.discards[i] = NO_CARD
        s.throwers[i] = NOBODY
    s.thrown = 1
    draw_cards(s, opt)


# ------------------------------------------------------------------------------------------------- cards change places


@large
@rule
def gain(s: State, seat: int, c: Card, seen: bool) -> None:
    """A card comes into a hand; `seen` if everybody knows which."""
    if c == JOKER:
        s.jokers[seat] += 1
        s.shown_jokers[seat] += seen
        return
    if s.hand[seat] & bit(c):
        s.twice[seat] |= bit(c)
    s.hand[seat] |= bit(c)
    if seen:
        if s.shown[seat] & bit(c):
            s.shown_twice[seat] |= bit(c)
        s.shown[seat] |= bit(c)


@large
@rule
def lose(s: State, seat: int, c: Card) -> None:
    """A card leaves a hand, openly. Of equal cards it is one that was known: KA-2."""
    if c == JOKER:
        s.jokers[seat] -= 1
        s.shown_jokers[seat] = max(s.shown_jokers[seat] - 1, 0)
        return
    if not s.twice[seat] & bit(c):
        s.hand[seat] &= ~bit(c)
    s.twice[seat] &= ~bit(c)
    if not s.shown_twice[seat] & bit(c):
        s.shown[seat] &= ~bit(c)
    s.shown_twice[seat] &= ~bit(c)


@rule
def discard(s: State, seat: int, c: Card) -> None:
    s.discards[s.thrown] = c
    s.throwers[s.thrown] = seat
    s.thrown += 1


@rule
def take_upcard(s: State, seat: int) -> None:
    s.thrown -= 1
    gain(s, seat, s.discards[s.thrown], True)
    s.discards[s.thrown] = NO_CARD
    s.throwers[s.thrown] = NOBODY


@rule
def empty_handed(s: State, seat: int) -> bool:
    return s.hand[seat] == 0 and s.jokers[seat] == 0


# ------------------------------------------------------------------------------------------------------- turn and draw


@rule
def begin_turn(s: State, opt: Opt, seat: int) -> None:
    s.active = seat
    s.bending = 0
    if s.thrown == 0 or s.down[seat]:  # KA-12, KA-23
        ask(s, opt, next_seat(s, seat))
    else:
        s.phase = DRAWING
        s.to_act = only(seat)


@rule
def next_seat(s: State, seat: int) -> int:
    return seat + 1 if seat + 1 < s.players else 0


@rule
def ask(s: State, opt: Opt, seat: int) -> None:
    """KA-15: asks the first from this seat on who may call; if there is nobody, the active player draws (KA-20)."""
    while s.thrown > 0 and seat != s.active:  # KA-23
        if may_call(s, opt, seat):
            s.phase = CALLING
            s.to_act = only(seat)
            return
        seat = next_seat(s, seat)
    s.drawer = s.active


@rule
def may_call(s: State, opt: Opt, seat: int) -> bool:
    """KA-14; option `overcall`: KA-21."""
    if s.down[seat] or opt.calls == 0 or s.throwers[s.thrown - 1] == seat:
        return False
    return opt.overcall == 1 or s.calls[seat] < opt.calls


@rule
def draw_cards(s: State, opt: Opt) -> None:
    """Who is to draw from the stock does: a caller the penalty card (KA-17), then the active player, who plays on."""
    while s.drawer != NOBODY and s.left > 0:
        s.left -= 1
        gain(s, s.drawer, s.stock[s.left], False)
        s.stock[s.left] = NO_CARD
        if s.drawer == s.active:
            s.drawer = NOBODY
            play_on(s)
        else:
            s.drawer = s.active
    if s.drawer != NOBODY:
        if s.shuffled or s.thrown < 2:  # KA-25, KA-26
            throw_out(s, opt)
        else:  # KA-24
            s.phase = EMPTY
            s.awaiting = RESHUFFLE
            s.to_act = 0


@rule
def play_on(s: State) -> None:
    s.phase = PLAY
    s.to_act = only(s.active)


# -------------------------------------------------------------------------------------------------------- legal moves


@rule
def playable(s: State, opt: Opt, me: int) -> Cards:
    return 0


@rule
def other_moves(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
    if s.phase != PLAY:
        if s.phase == DRAWING:  # KA-11
            out[n] = TAKE
            out[n + 1] = STOCK
        elif s.phase == CALLING:  # KA-15
            out[n] = CALL
            out[n + 1] = PASS
        else:  # KA-16
            out[n] = ALLOW
            out[n + 1] = REFUSE
        return n + 2
    begun = n
    if not s.laying:  # KA-39; otherwise nobody has to meld: KA-41
        n = put_discards(s.hand[me], out, n)
    threes = THREES[s.contract]  # how many may still be laid
    fours = FOURS[s.contract]
    if s.down[me]:
        threes = 1  # KA-40: any number
        fours = 1
        n = put_tacks(s, me, out, n)  # KA-42
    elif s.laying:
        threes = s.threes
        fours = s.fours
    elif not all_fit(s.hand[me], s.twice[me], s.jokers[me], threes, fours, 0, opt.threes, 0):
        return n  # KA-37
    n = put_lays(s, opt, me, threes, fours, out, n)
    return add(out, n, HOLD, n == begun)  # KA-50


@rule
def put_discards(hand: Cards, out: Buffer, n: int) -> int:
    """KA-48."""
    while hand:
        out[n] = say1(DISCARD, lowest(hand))
        hand &= hand - 1
        n += 1
    return n


@rule
def put_tacks(s: State, me: int, out: Buffer, n: int) -> int:
    """KA-42."""
    mine = s.hand[me] | (bit(JOKER) if s.jokers[me] else 0)
    for i in range(s.laid):
        fitting = takes(s.melds[i]) & mine  # KA-43 to KA-47
        while fitting:
            out[n] = say2(TACK, lowest(fitting), i + 1)
            fitting &= fitting - 1
            n += 1
    return n


@rule
def put_lays(s: State, opt: Opt, me: int, threes: int, fours: int, out: Buffer, n: int) -> int:
    """Every `lay` of these kinds; of a player who is not down, those after which the rest can be laid (KA-39)."""
    begun = n
    suits = 0
    ranks = 0
    for i in range(s.laid):  # KA-33
        if owner_of(s.melds[i]) == me:
            if is_four(s.melds[i]):
                suits |= 1 << kind_of(s.melds[i]) - 13
            elif opt.threes == 1:
                ranks |= 1 << kind_of(s.melds[i])
    if threes:
        n = put_threes(LAY, s.hand[me], s.twice[me], s.jokers[me], ranks, out, n)
    if fours:
        n = put_fours(LAY, s.hand[me], s.jokers[me], suits, out, n)
    if s.down[me]:
        return n
    found = n
    n = begun
    for i in range(begun, found):
        if rest_fits(s, opt, me, out[i], threes, fours, suits, ranks):
            out[n] = out[i]
            n += 1
    return n


@rule
def rest_fits(s: State, opt: Opt, me: int, move: int, threes: int, fours: int, suits: Suits, ranks: Ranks) -> bool:
    """Whether the rest of the contract can be laid after this `lay`."""
    hand = s.hand[me]
    twice = s.twice[me]
    jokers = s.jokers[me]
    mark = NO_CARD
    for i in range(items_of(move)):
        c = item(move, i)
        if c == JOKER:
            jokers -= 1
        else:
            mark = c
            hand = once_less(hand, twice, bit(c))
            twice &= ~bit(c)
    if items_of(move) == 4:
        fours -= 1
        suits |= 1 << suit_of(mark)
    else:
        threes -= 1
        ranks |= 1 << rank_of(mark)
    return all_fit(hand, twice, jokers, threes, fours, suits, opt.threes, ranks)


# ---------------------------------------------------------------------------------------------------------- the moves


@rule
def apply(s: State, opt: Opt, me: int, move: int) -> None:
    verb = verb_of(move)
    if s.phase == PLAY:
        play(s, opt, me, move)
    elif verb == ALLOW:
        allow(s, s.caller)
    elif verb == CALL and s.calls[me] < opt.calls:
        call(s, me)
    elif s.phase == CALLING or verb == STOCK:
        s.points[me] += FINE * (verb == CALL)  # KA-21
        ask(s, opt, next_seat(s, me))  # KA-13, KA-15
    else:  # take or refuse: KA-11, KA-13, KA-18
        s.caller = NOBODY
        take_upcard(s, me)
        play_on(s)
    draw_cards(s, opt)


@rule
def call(s: State, me: int) -> None:
    if s.down[s.active]:  # KA-19
        allow(s, me)
    else:  # KA-16
        s.phase = ANSWER
        s.caller = me
        s.to_act = only(s.active)


@rule
def allow(s: State, caller: int) -> None:
    """KA-17."""
    s.calls[caller] += 1
    take_upcard(s, caller)  # KA-22: what it lay on is nobody's in this turn
    s.caller = NOBODY
    s.drawer = caller


@rule
def play(s: State, opt: Opt, me: int, move: int) -> None:
    verb = verb_of(move)
    if verb == LAY:
        lay(s, me, move)
    elif verb == TACK:
        lose(s, me, item(move, 0))
        s.melds[item(move, 1) - 1] = tacked(s.melds[item(move, 1) - 1], item(move, 0))
    else:
        s.turns += 1
        if verb == DISCARD:
            lose(s, me, item(move, 0))
            discard(s, me, item(move, 0))
        else:
            s.shown_jokers[me] = s.jokers[me]  # KA-50: this player has nothing else, as everybody hears
    if empty_handed(s, me):
        go_out(s, opt)  # KA-49
    elif verb in (DISCARD, HOLD):
        if s.turns == MOST_TURNS:
            throw_out(s, opt)  # KA-29
        else:
            begin_turn(s, opt, next_seat(s, me))


@rule
def lay(s: State, me: int, move: int) -> None:
    ones = 0
    twos = 0
    gaps = 0
    mark = 0  # a natural card, and where in the meld it is
    at = 0
    for i in range(items_of(move)):
        c = item(move, i)
        lose(s, me, c)
        if c == JOKER:
            gaps |= 1 << i
        else:
            twos |= ones & bit(c)
            ones |= bit(c)
            mark = c
            at = i
    if items_of(move) == 3:
        s.melds[s.laid] = three_meld(me, rank_of(mark), ones, twos, count(gaps))
    else:  # KA-32: an ace that is not the last card is low; KA-36: the place of one natural card fixes all
        low = 0 if rank_of(mark) == ACE and at < 3 else rank_of(mark) + 1 - at
        s.melds[s.laid] = four_meld(me, suit_of(mark), low, gaps)
    s.laid += 1
    if not s.down[me]:
        go_on_with_contract(s, me, items_of(move))


@rule
def go_on_with_contract(s: State, me: int, size: int) -> None:
    """KA-37, KA-39."""
    if not s.laying:
        s.laying = 1
        s.threes = THREES[s.contract]
        s.fours = FOURS[s.contract]
    s.threes -= size == 3
    s.fours -= size == 4
    if s.threes + s.fours == 0:
        s.laying = 0
        s.down[me] = 1
        s.bending = 1


# --------------------------------------------------------------------------------------------------------------- ends


@rule
def go_out(s: State, opt: Opt) -> None:
    bent = s.bending and opt.bend == 0 and s.points[s.active] == 0  # KA-53, KA-21
    for seat in range(s.players):  # KA-52
        s.points[seat] += held_points(s, seat) * (2 if bent else 1)
        s.scores[seat] += s.points[seat]
        s.shown[seat] = s.hand[seat]  # KA-58
        s.shown_twice[seat] = s.twice[seat]
        s.shown_jokers[seat] = s.jokers[seat]
    s.how = BENT if s.bending else OUT
    s.out = s.active
    end_deal(s, opt, True)


@rule
def held_points(s: State, seat: int) -> int:
    """KA-51."""
    total = s.jokers[seat] * WORTH[JOKER]
    hand = s.hand[seat]
    while hand:
        c = lowest(hand)
        hand &= hand - 1
        total += WORTH[c] << (s.twice[seat] >> c & 1)
    return total


@rule
def throw_out(s: State, opt: Opt) -> None:
    """KA-27."""
    for seat in range(s.players):
        s.points[seat] = 0
    s.how = THROWN
    s.out = NOBODY
    end_deal(s, opt, s.attempt == MOST_ATTEMPTS)  # KA-28


@rule
def end_deal(s: State, opt: Opt, onward: bool) -> None:
    for seat in range(s.players):
        s.counted[seat] = s.points[seat]
    s.active = NOBODY
    s.drawer = NOBODY
    s.to_act = 0
    if onward and s.stage + 1 == stages(opt):  # KA-54
        s.phase = DONE
        s.winners = lowest_scores(s)
        return
    s.phase = DUE
    s.awaiting = DEAL
    s.attempt += 1
    if onward:
        s.attempt = 1
        s.stage += 1
        s.contract = contract_at(opt, s.stage)
        s.dealer = next_seat(s, s.dealer)  # KA-8


@rule
def lowest_scores(s: State) -> int:
    """KA-55."""
    best = s.scores[0]
    for seat in range(1, s.players):
        best = min(best, s.scores[seat])
    winners = 0
    for seat in range(s.players):
        if s.scores[seat] == best:
            winners |= only(seat)
    return winners


@rule
def utility(s: State, opt: Opt, me: int) -> int:
    """How much less than the others together, each counted once, this seat has."""
    total = 0
    for seat in range(s.players):
        total += s.scores[seat] - s.scores[me]
    return total


# ------------------------------------------------------------------------------------------- refusals, report, scene

VERBS = {
    DRAWING: (TAKE, STOCK),
    CALLING: (CALL, PASS),
    ANSWER: (ALLOW, REFUSE),
    PLAY: (LAY, TACK, DISCARD, HOLD),
}
HAND = Holding("hand", "twice", "jokers")
SHOWN = Holding("shown", "shown_twice", "shown_jokers")
