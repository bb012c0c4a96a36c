"""Roundup! The numbers RU-… are the clauses of rulebook/roundup.md."""

from collections.abc import Sequence

from upcard.rules import *

PLAYERS = (2, 3, 4, 5, 6)  # RU-1; each for themselves
WHOLE_PACK = as_set(pack())
NUMBERS = as_set(pack("A23456789T"))  # RU-2
ACE_LOW = ranking("K Q J T 9 8 7 6 5 4 3 2 A")
VALUE = values(A=1, T=10, **{rank: int(rank) for rank in RANKS[:8]})
KINGS = of_rank(WHOLE_PACK, KING)
LEFT_OUT = (0, 0, 0, bit(card(KING, 0)), 0, bit(card(KING, 0)) | bit(card(KING, 1)), KINGS)
"""By the number of players, with option even_deal: RU-5."""
SUIT_POINTS = (0, 3, 2, 1, 0, 0, 0)
"""RU-44, by how many bid the suit."""
MOST_ROUNDS = 60  # RU-48
MOST_MOVES = 294
"""Nine face cards at a table of six, all four Kings and Queens among them: a King makes 10 moves at each of five other
seats, a Queen 4, a Jack 1, and each card a pass, as there is no number card. A number card makes no more than two."""

DUE, BID, TIE, PLAY, MORE, LOT, GIVE, DONE = PHASES = words("deal bid tie play more draw give done")
LAST, FIRST = range(2)
FREE, SINGLE = range(2)
LOWEST, LEFT = range(2)
OFF, ON = range(2)

MOVES = Notation()
LAY = MOVES.verb("bid", "card", heard=Audience.SEALED, label="Bid with {0}", said="bids {0}", quiet="has bid")  # RU-7
SHOW = MOVES.verb(
    "show", "card", heard=Audience.SEALED, label="Show {0}", said="shows {0}", quiet="has chosen a card"
)  # RU-13
USE_JACK = MOVES.verb("jack", "card seat", heard=Audience.ALL, label="{0} at {1}", said="plays {0} at {1}")
USE_QUEEN = MOVES.verb(
    "queen", "card seat suit", heard=Audience.ALL, label="{0} at {1}: {2}", said="plays {0} at {1} and names {2}"
)
USE_KING = MOVES.verb(
    "king", "card seat rank", heard=Audience.ALL, label="{0} at {1}: {2}", said="plays {0} at {1} and names {2}"
)
PASS = MOVES.verb("pass", "card", heard=Audience.ALL, label="Pass with {0}", said="passes with {0}")
FREE_PASS = MOVES.verb("pass", heard=Audience.ALL, label="Pass", said="passes")  # RU-30
STOP = MOVES.verb("stop", heard=Audience.ALL, label="Stop", said="stops")
GIVE_UP = MOVES.verb("give", "card", heard=Audience.ALL, label="Give {0}", said="gives {0}")


class RoundupOptions(Options, refused="RU-54"):
    target: int = choice(10, 5, 15, 20, clause="RU-47", help="score that ends the match")
    goal: int = choice("last", "first", clause="RU-8", help="first: guess the suit that is closed first")
    chain: int = choice("free", "single", clause="RU-23", help="single: just one face-up card in a turn")
    first_player: int = choice(
        "lowest", "left", clause="RU-12", help="left: the seat left of the dealer begins, whatever was bid"
    )
    out_point: int = choice(1, 0, 2, clause="RU-45", help="points for being the first without cards")
    even_deal: int = choice(
        "off", "on", clause="RU-5", help="on: so many Kings stay out of the pack that hands are equal"
    )


class RoundupState(GameState, seats=6):
    hand: PerSeat = held()  # face down: RU-6, RU-10
    face_up: PerSeat = per_seat(cards="set")  # RU-11; RU-50, as all that is open here
    down: PerSeat = per_seat()  # how many cards each seat has face down
    bids: PerSeat = sealed(until=TIE, blank=NO_CARD)  # the cards, RU-7
    tied: int = open_field(kept=True)  # the set of seats in the tie-break, RU-13
    shows: PerSeat = sealed(until=PLAY, blank=NO_CARD, kept=True)  # the cards chosen in it
    fits: Cards = open_field(kept=True)  # the next card of each stack that is not closed, RU-20
    stacked: Cards = open_set()  # RU-19
    closed: Pile = open_pile(4)  # the suits, in order
    discards: Pile = open_pile(12, cards="card")  # RU-40, oldest first
    thrown: int = open_field()  # how many discards there are
    attacker: int = open_field(NOBODY)
    weapon: Card = open_field(NO_CARD)  # the face card of the last attack
    target: int = open_field(NOBODY)
    named: int = open_field(kept=True)  # by it: a suit or a rank
    points: PerSeat = per_seat()
    first_out: int = open_field(NOBODY)  # RU-45
    lacks: PerSeat = per_seat()  # the cards that a seat has shown not to be face down in its hand
    stuck: int = open_field()  # of these seats at least one has no number card face down, RU-16
    last_points: PerSeat = per_seat(kept=True)  # of the last finished round
    last_closed: Pile = open_pile(4, kept=True)
    last_bids: PerSeat = per_seat(NO_CARD, kept=True)
    last_first_out: int = open_field(NOBODY, kept=True)


State = RoundupState
Opt = RoundupOptions


# ------------------------------------------------------------------------------------------------------- the deals


@rule
def pack_of(s: State, opt: Opt) -> Cards:
    return WHOLE_PACK & ~LEFT_OUT[s.players] if opt.even_deal == ON else WHOLE_PACK  # RU-5


@rule
def cards_to_shuffle(s: State, opt: Opt, out: Buffer) -> int:
    return put_cards(out, 0, s.hand[s.target] if s.phase == LOT else pack_of(s, opt))  # RU-35, RU-4


@rule
def drawn(s: State, opt: Opt, card: Card) -> None:
    lose(s, opt, s.target, card)
    end_turn(s, s.attacker)


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    seat = s.dealer
    for i in range(count(pack_of(s, opt))):  # RU-4, RU-5
        seat = left_of(s, seat)
        s.hand[seat] |= bit(order[i])
        s.down[seat] += 1
    s.fits = of_rank(WHOLE_PACK, ACE)  # RU-19
    s.phase = BID
    for seat in range(s.players):
        if s.hand[seat] & NUMBERS:
            s.to_act |= only(seat)  # RU-7
        else:
            s.lacks[seat] = NUMBERS  # RU-9


@rule
def clear(s: State) -> None:
    """Everything of a finished round goes back into the pack."""
    for seat in range(s.players):
        s.hand[seat] = 0
        s.face_up[seat] = 0
        s.down[seat] = 0
        s.bids[seat] = NO_CARD
        s.points[seat] = 0
        s.lacks[seat] = 0
    for i in range(s.thrown):
        s.discards[i] = NO_CARD
    s.thrown = 0
    for i in range(4):
        s.closed[i] = NO_CARD
    s.stacked = 0
    s.stuck = 0
    s.attacker = NOBODY
    s.weapon = NO_CARD
    s.target = NOBODY
    s.first_out = NOBODY


# ------------------------------------------------------------------------------------------------------------ moves


@rule
def playable(s: State, opt: Opt, me: int) -> Cards:
    """RU-20 to RU-26: of both hands only one is played from in a turn."""
    if s.phase == PLAY:
        return s.face_up[me] & s.fits or s.hand[me] & s.fits
    return s.face_up[me] & s.fits if s.phase == MORE else 0


@rule
def other_moves(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
    hand = s.hand[me]
    if s.phase == PLAY:
        if s.face_up[me] & s.fits:
            return n  # RU-22
        return passes(hand, out, attacks(s, me, hand & ~NUMBERS, out, n))
    if s.phase == MORE:
        return add(out, n, STOP, True)  # RU-24
    if s.phase == BID:
        return each(LAY, hand & NUMBERS, out, n)  # RU-8
    if s.phase == TIE:
        return each(SHOW, hand & NUMBERS, out, n)  # RU-15
    return each(GIVE_UP, hand & demanded(s), out, n)  # RU-38


@rule
def each(verb: int, cards: Cards, out: Buffer, n: int) -> int:
    """The move that says this about a card, for each of these."""
    while cards:
        out[n] = say1(verb, lowest(cards))
        cards &= cards - 1
        n += 1
    return n


@rule
def attacks(s: State, me: int, faces: Cards, out: Buffer, n: int) -> int:
    """RU-31, RU-32: each face card at each other seat, effective or not."""
    while faces:
        face = lowest(faces)
        faces &= faces - 1
        for target in range(s.players):
            if target == me:
                continue
            if rank_of(face) == JACK:
                n = add(out, n, say2(USE_JACK, face, target), True)
            elif rank_of(face) == QUEEN:
                for suit in range(4):
                    n = add(out, n, say3(USE_QUEEN, face, target, suit), True)
            else:
                n = add(out, n, say3(USE_KING, face, target, ACE), True)
                for rank in range(TEN + 1):
                    n = add(out, n, say3(USE_KING, face, target, rank), True)
    return n


@rule
def passes(hand: Cards, out: Buffer, n: int) -> int:
    """RU-27."""
    if hand == 0:
        return add(out, n, FREE_PASS, True)  # RU-30
    return each(PASS, hand & NUMBERS or hand, out, n)  # RU-28, RU-29


@rule
def apply(s: State, opt: Opt, me: int, move: int) -> None:
    verb = verb_of(move)
    if verb == 0:
        play(s, opt, me, move)
    elif verb == PASS:
        if bit(item(move, 0)) & ~NUMBERS:
            s.lacks[me] |= NUMBERS  # RU-29
        lose(s, opt, me, item(move, 0))
        end_turn(s, me)
    elif verb in (FREE_PASS, STOP):
        end_turn(s, me)
    elif verb == GIVE_UP:
        lose(s, opt, me, item(move, 0))
        end_turn(s, s.attacker)
    elif verb == LAY:
        bid(s, opt, me, item(move, 0))
    elif verb == SHOW:
        show(s, me, item(move, 0))
    else:
        attack(s, opt, me, move)


# ----------------------------------------------------------------------------------------------- bids, who begins


@rule
def bid(s: State, opt: Opt, me: int, chosen: Card) -> None:
    s.bids[me] = chosen
    s.to_act ^= only(me)
    if s.to_act:
        return
    bidders = 0
    for seat in range(s.players):
        if s.bids[seat] != NO_CARD:
            lay_open(s, seat, s.bids[seat])  # RU-10
            bidders |= only(seat)
    if opt.first_player == LEFT:
        begin(s, left_of(s, s.dealer))
        return
    for seat in range(s.players):
        s.shows[seat] = s.bids[seat]
    compare(s, bidders)


@rule
def show(s: State, me: int, chosen: Card) -> None:
    """RU-13."""
    s.shows[me] = chosen
    s.to_act ^= only(me)
    if s.to_act:
        return
    for seat in range(s.players):
        if s.tied >> seat & 1:
            lay_open(s, seat, s.shows[seat])
    compare(s, s.tied)


@rule
def compare(s: State, seats: int) -> None:
    """RU-12 to RU-16, from the cards that these seats have just shown."""
    low = 10
    for seat in range(s.players):
        if seats >> seat & 1:
            low = min(low, VALUE[rank_of(s.shows[seat])])
    s.tied = 0
    able = True
    for seat in range(s.players):
        if seats >> seat & 1 and VALUE[rank_of(s.shows[seat])] == low:  # RU-14
            s.tied |= only(seat)
            able = able and s.hand[seat] & NUMBERS != 0
    for seat in range(s.players):
        s.shows[seat] = NO_CARD
    if s.tied & s.tied - 1 and able:
        s.phase = TIE
        s.to_act = s.tied
        return
    if s.tied & s.tied - 1:  # RU-16
        s.stuck = s.tied
        narrow(s)
    first = left_of(s, s.dealer)
    while s.tied >> first & 1 == 0:
        first = left_of(s, first)
    begin(s, first)


@rule
def begin(s: State, seat: int) -> None:
    s.tied = 0
    s.phase = PLAY
    s.to_act = only(seat)


# ------------------------------------------------------------------------------------------------------------ turns


@rule
def end_turn(s: State, seat: int) -> None:
    """RU-17, RU-39: the next seat that has a card (RU-18). There is one as long as the round lasts (RU-49)."""
    if s.stuck:
        narrow(s)
    seat = left_of(s, seat)
    while s.down[seat] == 0 and s.face_up[seat] == 0:
        seat = left_of(s, seat)
    s.phase = PLAY
    s.to_act = only(seat)


@rule
def take_down(s: State, seat: int, taken: Card) -> None:
    """A card leaves the face-down hand, in the open."""
    s.hand[seat] ^= bit(taken)
    s.down[seat] -= 1
    if bit(taken) & NUMBERS:
        s.stuck &= ~only(seat)


@rule
def lay_open(s: State, seat: int, shown: Card) -> None:
    """RU-10, RU-11."""
    take_down(s, seat, shown)
    s.face_up[seat] |= bit(shown)


@rule
def discard(s: State, opt: Opt, seat: int, face: Card) -> None:
    """RU-33, RU-40."""
    take_down(s, seat, face)
    s.discards[s.thrown] = face
    s.thrown += 1
    note_out(s, opt, seat)


@rule
def lose(s: State, opt: Opt, seat: int, lost: Card) -> None:
    """What a pass or an attack does to a face-down card: RU-28, RU-29, RU-34 to RU-37."""
    if bit(lost) & NUMBERS:
        lay_open(s, seat, lost)
    else:
        discard(s, opt, seat, lost)


@rule
def note_out(s: State, opt: Opt, seat: int) -> None:
    """RU-41, RU-42, RU-45."""
    if s.first_out == NOBODY and s.down[seat] == 0 and s.face_up[seat] == 0:
        s.first_out = seat
        s.points[seat] += opt.out_point


@rule
def narrow(s: State) -> None:
    """RU-16: what all know of the seats that could not go on, of which one has no number card face down.

    Who has shown one since then is not meant; and it is settled once one of them is known to have none.
    """
    settled = False
    for seat in range(s.players):
        if s.stuck >> seat & 1:
            settled = settled or s.down[seat] == 0 or s.lacks[seat] & NUMBERS == NUMBERS
    if not settled and s.stuck & s.stuck - 1 == 0:
        s.lacks[lowest(s.stuck)] |= NUMBERS
        settled = True
    if settled:
        s.stuck = 0


@rule
def play(s: State, opt: Opt, me: int, played: Card) -> None:
    """RU-19 to RU-26."""
    goes_on = False
    if s.face_up[me] & bit(played):
        s.face_up[me] ^= bit(played)
        goes_on = opt.chain == FREE
    else:
        take_down(s, me, played)
    note_out(s, opt, me)
    grow(s, played)
    if s.fits == 0:
        end_round(s, opt)  # RU-43
    elif goes_on and s.face_up[me] & s.fits:  # RU-23, RU-24
        s.phase = MORE
    else:
        end_turn(s, me)


@rule
def grow(s: State, played: Card) -> None:
    """RU-19: a card comes on its stack."""
    s.stacked |= bit(played)
    s.fits ^= bit(played)
    if rank_of(played) == TEN:
        s.closed[count(of_rank(s.stacked, TEN)) - 1] = suit_of(played)
    elif rank_of(played) == ACE:
        s.fits |= bit(card(0, suit_of(played)))
    else:
        s.fits |= bit(played + 1)


@rule
def attack(s: State, opt: Opt, me: int, move: int) -> None:
    """RU-31 to RU-38."""
    discard(s, opt, me, item(move, 0))  # RU-33
    s.attacker = me
    s.weapon = item(move, 0)
    s.target = item(move, 1)
    s.named = item(move, 2)
    if rank_of(s.weapon) == JACK:
        if s.down[s.target]:  # RU-35
            s.phase = LOT
            s.awaiting = DRAW
            s.to_act = 0
        else:
            end_turn(s, me)  # RU-34
    elif s.hand[s.target] & demanded(s):
        s.phase = GIVE
        s.to_act = only(s.target)
    else:
        s.lacks[s.target] |= demanded(s)
        end_turn(s, me)  # RU-38


@rule
def demanded(s: State) -> Cards:
    """The cards that the Queen or King played names: RU-36, RU-37."""
    return all_of(s.named) if rank_of(s.weapon) == QUEEN else of_rank(WHOLE_PACK, s.named)


# ------------------------------------------------------------------------------------------------------------ score


@rule
def end_round(s: State, opt: Opt) -> None:
    s.to_act = 0
    score(s, opt, s.closed[0] if opt.goal == FIRST else s.closed[3])
    for i in range(4):
        s.last_closed[i] = s.closed[i]
    s.last_first_out = s.first_out
    best = s.scores[0]
    for seat in range(1, s.players):
        best = max(best, s.scores[seat])
    leaders = highest_scores(s)
    if (best >= opt.target and leaders & leaders - 1 == 0) or s.deals == MOST_ROUNDS:  # RU-47, RU-48
        s.phase = DONE
        s.winners = leaders
    else:
        clear(s)
        s.dealer = left_of(s, s.dealer)  # RU-3
        s.phase = DUE
        s.awaiting = DEAL


@rule
def score(s: State, opt: Opt, suit: int) -> None:
    """RU-44, RU-46."""
    bidders = 0
    for seat in range(s.players):
        if s.bids[seat] != NO_CARD and suit_of(s.bids[seat]) == suit:
            bidders += 1
    for seat in range(s.players):
        if s.bids[seat] != NO_CARD and suit_of(s.bids[seat]) == suit:
            s.points[seat] += SUIT_POINTS[bidders]
        s.scores[seat] += s.points[seat]
        s.last_points[seat] = s.points[seat]
        s.last_bids[seat] = s.bids[seat]


@rule
def utility(s: State, opt: Opt, me: int) -> int:
    return above_average(s, me)


# ---------------------------------------------------------------------------------------------- what plain Python says


def has_bid_in_secret(s: State, seat: int) -> bool:
    """Whether, in a view, this seat has made a bid that is not to be seen yet; who does not bid is known, RU-9."""
    return s.phase == BID and s.bids[seat] == NO_CARD and not acts(s, seat) and s.lacks[seat] != NUMBERS


def has_chosen_in_secret(s: State, seat: int) -> bool:
    """The same in the tie-break."""
    return s.phase == TIE and s.shows[seat] == NO_CARD and not acts(s, seat) and bool(s.tied >> seat & 1)


def complete(s: State, opt: Opt, me: int, rng: Any) -> None:
    """Bids and cards chosen that `me` cannot see yet: any."""
    for seat in range(s.players):
        numbers = as_list(s.hand[seat] & NUMBERS)
        if numbers and has_bid_in_secret(s, seat):
            s.bids[seat] = rng.choice(numbers)
        if numbers and has_chosen_in_secret(s, seat):
            s.shows[seat] = rng.choice(numbers)


def consistent(s: State, opt: Opt, me: int) -> bool:
    """Who is asked for a card, or was until all have chosen, has one: RU-9, RU-16, RU-38."""
    if s.phase == GIVE:
        return s.hand[s.target] & demanded(s) != 0
    if s.phase == BID:
        return all(s.hand[seat] & NUMBERS or s.lacks[seat] for seat in range(s.players))
    return s.phase != TIE or all(s.hand[seat] & NUMBERS for seat in seats_of(s.tied))


def hypotheses(s: State, opt: Opt, me: int) -> Sequence[Hypothesis]:
    """RU-16: which of the seats that could not go on has no number card face down."""
    nothing = (0,) * s.players
    stuck = seats_of(s.stuck)
    if not stuck or (me in stuck and not s.hand[me] & NUMBERS):
        return [Hypothesis(nothing, nothing)]
    return [
        Hypothesis(nothing, tuple(NUMBERS if seat == one else 0 for seat in range(s.players)))
        for one in stuck
        if one != me
    ]


VERBS_IN = {BID: (LAY,), TIE: (SHOW,), GIVE: (GIVE_UP,)}
VERBS_IN_TURN = (MOVES.play, USE_JACK, USE_QUEEN, USE_KING, PASS, FREE_PASS, STOP)
WEAPONS = {USE_JACK: JACK, USE_QUEEN: QUEEN, USE_KING: KING}


def readable(s: State, said: Attempt) -> bool:
    """RU-51: whether a text is a move of this phase."""
    if said.items is None or said.verb not in VERBS_IN.get(s.phase, VERBS_IN_TURN):
        return False
    if not said.items:
        return True
    if not WHOLE_PACK >> said.items[0] & 1:
        return False
    if said.verb not in WEAPONS:
        return True
    known = rank_of(said.items[0]) == WEAPONS[said.verb] and said.items[1] < s.players
    return known and (said.verb != USE_KING or VALUE[said.items[2]] > 0)
