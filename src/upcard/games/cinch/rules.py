"""Cinch, also called High Five or Double Pedro. The numbers CI-… are the clauses of rulebook/cinch.md."""

from upcard.rules import *

SEATS = 4  # CI-1
SIDES = (0, 1, 0, 1)
PACK = pack()  # CI-2
WHOLE_PACK = as_set(PACK)
DEALT = 36
STUB = 16
HAND = 6
MOST_POINTS = 14
MOST_DEALS = 100

DUE, BID, TRUMP, DISCARD, RECALL, ROB, PLAY, DONE = PHASES = words("deal bid trump discard recall rob play done")
DEALER, REDEAL = range(2)
TAKEN, PLAYED = range(2)
DIFFERENCE, SETBACK = range(2)
COUNTED, FREE = range(2)
NO_BID = -1
PASSED = 0
NO_TRUMP = 14
"""Lower than the place of every trump, and higher."""

MOVES = Notation()
PASS = MOVES.verb("pass", heard=Audience.ALL, label="Pass", said="passes")
MAKE = MOVES.verb("bid", "number", heard=Audience.ALL, label="Bid {0}", said="bids {0}")
NAME = MOVES.verb("trump", "suit", heard=Audience.ALL, label="{0} are trumps", said="names {0} trumps")
THROW = MOVES.verb("discard", "card+", heard=Audience.ALL, label="Throw {cards}", said="throws the trumps {cards}")
TAKE = MOVES.verb(
    "take", "card", heard=Audience.WORD, label="Take {cards}", said="takes {cards}", quiet="takes a card"
)  # CI-45, CI-46


class CinchOptions(Options):
    target: int = whole(51, 11, 200, clause="CI-40", help="the score that ends the match")
    min_bid: int = whole(1, 1, 10, clause="CI-9", help="the lowest bid")
    all_pass: int = choice(
        "dealer", "redeal", clause="CI-12", help="when all pass: the dealer names trumps, or the deal is thrown in"
    )
    low: int = choice("taken", "played", clause="CI-32", help="played: low goes to the side that played it")
    score: int = choice(
        "difference", "setback", clause="CI-36", help="setback: both sides score their points, a broken bid is lost"
    )
    bury: int = choice(
        "counted", "free", clause="CI-23", help="free: a defending dealer may leave scoring cards in the stub"
    )
    lead_trump: int = flag(False, clause="CI-25", help="whether the first lead must be a trump")


class CinchState(GameState, seats=SEATS):
    hand: PerSeat = held()  # CI-44
    discards: PerSeat = held()  # the plain cards that each has thrown away: CI-13, CI-44
    stub: Cards = face_down_set(seen_by="robber")  # CI-45, CI-46; less `left`
    order: Pile = secret(NOBODY, length=STUB)  # how the stub was stacked, top first
    bids: PerSeat = per_seat(NO_BID)
    bid: int = open_field()  # the highest; then the contract
    declarer: int = open_field(NOBODY)  # during the bidding whoever would be
    trump: Suit = open_field(NO_SUIT)
    trumps: Cards = open_field()  # all fourteen
    kept: PerSeat = per_seat()  # how many trumps of the nine cards: the others are thrown
    dead: PerSeat = per_seat(cards="set")  # trumps thrown face up
    drawn: PerSeat = per_seat()  # how many cards from the stub
    recalled: PerSeat = per_seat()  # how many from the own discards
    robber: int = open_field(NOBODY)  # the dealer, once the stub lies open to this seat
    wasteful: PerSeat = own()  # whether the robber took a card that is no scoring card
    left: Cards = open_set()  # trumps of the stub laid face up: CI-24
    credited: Cards = open_field()  # dead or left cards that count for the declarers
    leader: int = open_field(NOBODY)
    duty: Cards = open_field(kept=True)  # who holds any of these cards must play one
    ahead: int = open_field(NOBODY, kept=True)  # who takes the trick as it lies
    better: Cards = open_field(kept=True)  # the cards that would take it instead
    stake: int = open_field(kept=True)  # the points in the trick
    card: PerSeat = per_seat(kept=True)  # that each seat has played last
    played: PerSeat = per_seat(cards="set")  # in this deal
    lacks: PerSeat = per_seat()  # the cards that a seat has shown it does not hold
    taker: int = open_field(NOBODY)  # of the last trick
    tricks: PerSeat = per_seat()
    points: PerSeat = per_seat()  # jack, ten and pedros won
    high: int = open_field(NOBODY)  # the place of the highest trump played
    high_by: int = open_field(NOBODY, kept=True)
    low: int = open_field(NO_TRUMP)
    low_by: int = open_field(NOBODY, kept=True)
    low_to: int = open_field(NOBODY, kept=True)  # who took the trick with it
    last_dealer: int = open_field(NOBODY, kept=True)  # of the last finished deal
    last_declarer: int = open_field(NOBODY, kept=True)
    last_bid: int = open_field(kept=True)
    last_trump: Suit = open_field(NO_SUIT, kept=True)
    last_points: PerSeat = per_seat(kept=True)
    last_gained: PerSeat = per_seat(kept=True)


State = CinchState
Opt = CinchOptions


# ---------------------------------------------------------------------------------------------- seats, cards and deals


@rule
def partner_of(seat: int) -> int:
    """CI-1."""
    return seat ^ 2


@rule
def same_side(one: int, other: int) -> bool:
    return (one ^ other) & 1 == 0


@rule
def left_pedro(trump: Suit) -> Card:
    """CI-3: the five of the other suit of the same colour."""
    return card(FIVE, 3 - trump)


@rule
def all_trumps(trump: Suit) -> Cards:
    """CI-4."""
    return all_of(trump) | bit(left_pedro(trump))


@rule
def place_of(s: State, one: Card) -> int:
    """CI-3: where a trump stands, from the two, 0, to the ace, 13; the left pedro, 3, is below the right one."""
    rank = rank_of(one)
    return rank + 1 if suit_of(one) == s.trump and rank >= FIVE else rank


@rule
def over(s: State, one: Card) -> Cards:
    """CI-5, CI-30: the cards that beat this one where it has been played to the lead."""
    suit = suit_of(one)
    if s.trumps & bit(one) == 0:
        return s.trumps | of_suit(-2 * bit(one), suit)
    if suit != s.trump:
        return of_suit(-1 * bit(card(FIVE, s.trump)), s.trump)
    higher = of_suit(-2 * bit(one), suit)
    return higher if rank_of(one) >= FIVE else higher | bit(left_pedro(s.trump))


@rule
def scoring(s: State) -> Cards:
    """The cards that bring points by themselves: CI-33."""
    return bit(card(JACK, s.trump)) | bit(card(TEN, s.trump)) | pedros(s)


@rule
def pedros(s: State) -> Cards:
    return of_rank(s.trumps, FIVE)


@rule
def value_of(s: State, cards: Cards) -> int:
    """CI-33."""
    return count(cards & scoring(s)) + 4 * count(cards & pedros(s))


@rule
def cards_to_shuffle(s: State, opt: Opt, out: Buffer) -> int:
    return put_cards(out, 0, WHOLE_PACK)  # CI-2


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    seat = s.dealer
    for i in range(DEALT):  # CI-7: three at a time
        if i % 3 == 0:
            seat = left_of(s, seat)
        s.hand[seat] |= bit(order[i])
    for i in range(STUB):
        s.stub |= bit(order[DEALT + i])
        s.order[i] = order[DEALT + i]
    s.phase = BID
    s.to_act = only(left_of(s, s.dealer))  # CI-8


@rule
def clear(s: State) -> None:
    """Everything of a finished deal goes back into the pack."""
    for seat in range(SEATS):
        s.discards[seat] = 0
        s.bids[seat] = NO_BID
        s.kept[seat] = 0
        s.dead[seat] = 0
        s.drawn[seat] = 0
        s.recalled[seat] = 0
        s.wasteful[seat] = 0
        s.played[seat] = 0
        s.lacks[seat] = 0
        s.tricks[seat] = 0
        s.points[seat] = 0
        s.hand[seat] = 0
    for i in range(STUB):
        s.order[i] = NOBODY
    s.stub = 0
    s.bid = 0
    s.declarer = NOBODY
    s.trump = NO_SUIT
    s.trumps = 0
    s.robber = NOBODY
    s.left = 0
    s.credited = 0
    s.leader = NOBODY
    s.taker = NOBODY
    s.high = NOBODY
    s.low = NO_TRUMP


# ------------------------------------------------------------------------------------------------------------ moves


@rule
def playable(s: State, opt: Opt, me: int) -> Cards:
    return s.hand[me] & s.duty or s.hand[me] if s.phase == PLAY else 0  # CI-26 to CI-29


@rule
def other_moves(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
    if s.phase == PLAY:
        return n
    if s.phase == BID:
        return put_bids(s, opt, out, n)
    if s.phase == TRUMP:
        for suit in range(4):  # CI-11
            n = add(out, n, say1(NAME, suit), True)
        return n
    if s.phase == DISCARD:
        return put_throws(s.hand[me], out, n)
    return put_takes(s.stub if s.phase == ROB else s.discards[me], out, n)


@rule
def put_bids(s: State, opt: Opt, out: Buffer, n: int) -> int:
    """CI-8, CI-9."""
    n = add(out, n, PASS, True)
    for number in range(max(opt.min_bid, s.bid + 1), MOST_POINTS + 1):
        n = add(out, n, say1(MAKE, number), True)
    return n


@rule
def put_throws(hand: Cards, out: Buffer, n: int) -> int:
    """CI-15, CI-17: every choice that leaves six, its cards in pack order, which counts from the highest."""
    number = count(hand) - HAND
    rest = hand
    while rest:
        first = highest(rest)
        rest ^= bit(first)
        n = add(out, n, say1(THROW, first), number == 1)
        second_rest = rest if number > 1 else 0
        while second_rest:
            second = highest(second_rest)
            second_rest ^= bit(second)
            n = add(out, n, say2(THROW, first, second), number == 2)
            third_rest = second_rest if number > 2 else 0
            while third_rest:
                third = highest(third_rest)
                third_rest ^= bit(third)
                n = add(out, n, say3(THROW, first, second, third), True)
    return n


@rule
def put_takes(cards: Cards, out: Buffer, n: int) -> int:
    while cards:
        n = add(out, n, say1(TAKE, lowest(cards)), True)
        cards &= cards - 1
    return n


@rule
def apply(s: State, opt: Opt, me: int, move: int) -> None:
    if s.phase == PLAY:
        play(s, opt, me, move)
    elif s.phase == BID:
        make_bid(s, opt, me, PASSED if move == PASS else item(move, 0))
    elif s.phase == TRUMP:
        name_trump(s, opt, item(move, 0))
    elif s.phase == DISCARD:
        throw(s, opt, me, move)
    elif s.phase == ROB:
        rob(s, opt, me, item(move, 0))
    else:
        recall(s, opt, me, item(move, 0))


# ---------------------------------------------------------------------------------------------- bidding, throwing away


@rule
def make_bid(s: State, opt: Opt, me: int, number: int) -> None:
    s.bids[me] = number
    if number != PASSED:
        s.bid = number
        s.declarer = me  # CI-10
    if me != s.dealer:
        s.to_act = only(left_of(s, me))
    elif s.declarer == NOBODY and opt.all_pass == REDEAL:
        finish_deal(s, opt, 0, 0, 0, 0)
    else:
        if s.declarer == NOBODY:
            s.declarer = me  # CI-12
        s.phase = TRUMP
        s.to_act = only(s.declarer)


@rule
def name_trump(s: State, opt: Opt, suit: Suit) -> None:
    s.trump = suit
    s.trumps = all_trumps(suit)
    for seat in range(SEATS):  # CI-13, CI-14
        s.discards[seat] = s.hand[seat] & ~s.trumps
        s.hand[seat] &= s.trumps
        s.kept[seat] = count(s.hand[seat])
    s.phase = DISCARD
    ask_to_throw(s, opt)


@rule
def ask_to_throw(s: State, opt: Opt) -> None:
    """CI-15: the next in turn who holds too many trumps."""
    seat = s.dealer
    for _ in range(SEATS):
        seat = left_of(s, seat)
        if count(s.hand[seat]) > HAND:
            s.to_act = only(seat)
            return
    fill_up(s, opt)


@rule
def throw(s: State, opt: Opt, me: int, move: int) -> None:
    for i in range(items_of(move)):
        s.dead[me] |= bit(item(move, i))
    s.hand[me] &= ~s.dead[me]
    s.kept[me] = HAND
    if not same_side(me, s.declarer):
        s.credited |= s.dead[me] & scoring(s)  # CI-16
    ask_to_throw(s, opt)


# -------------------------------------------------------------------------------------------------------- filling up


@rule
def fill_up(s: State, opt: Opt) -> None:
    """CI-18 to CI-22: from wherever it stands, as far as it goes by itself."""
    seat = s.dealer
    for _ in range(SEATS):
        seat = left_of(s, seat)
        missing = HAND - count(s.hand[seat])
        if seat == s.dealer and 0 < missing < count(s.stub):
            s.phase = ROB
            s.robber = seat
            s.to_act = only(seat)
            return
        draw(s, seat, missing)
        if count(s.hand[seat]) < HAND:
            s.phase = RECALL
            s.to_act = only(seat)
            return
    begin_play(s, opt)


@rule
def draw(s: State, seat: int, missing: int) -> None:
    """As many of the missing cards as there are, from the top of the stub."""
    there = count(s.stub)
    for i in range(STUB - there, STUB - there + min(missing, there)):
        s.hand[seat] |= bit(s.order[i])
        s.stub ^= bit(s.order[i])
        s.drawn[seat] += 1


@rule
def recall(s: State, opt: Opt, me: int, one: Card) -> None:
    s.discards[me] ^= bit(one)
    s.hand[me] |= bit(one)
    s.recalled[me] += 1
    if count(s.hand[me]) == HAND:
        fill_up(s, opt)


@rule
def rob(s: State, opt: Opt, me: int, one: Card) -> None:
    s.stub ^= bit(one)
    s.hand[me] |= bit(one)
    s.drawn[me] += 1
    if scoring(s) & bit(one) == 0:
        s.wasteful[me] = 1
    if count(s.hand[me]) < HAND:
        return
    s.left = s.stub & s.trumps  # CI-24
    s.stub ^= s.left
    if s.wasteful[me] and not same_side(me, s.declarer) and opt.bury == COUNTED:
        s.credited |= s.left & scoring(s)  # CI-23
    begin_play(s, opt)


# --------------------------------------------------------------------------------------------------------- the play


@rule
def begin_play(s: State, opt: Opt) -> None:
    s.phase = PLAY
    take_lead(s, s.declarer)  # CI-25
    if opt.lead_trump:
        s.duty = s.trumps


@rule
def take_lead(s: State, seat: int) -> None:
    s.leader = seat
    s.to_act = only(seat)
    s.duty = WHOLE_PACK
    s.stake = 0


@rule
def play(s: State, opt: Opt, me: int, one: Card) -> None:
    played = bit(one)
    s.hand[me] ^= played
    s.played[me] |= played
    s.card[me] = one
    if s.duty & played == 0:
        s.lacks[me] |= s.duty
    if me == s.leader:
        s.duty = s.trumps  # CI-27
        if s.trumps & played == 0:
            s.duty |= all_of(suit_of(one))  # CI-28
    if me == s.leader or s.better & played:
        s.ahead = me  # CI-30
        s.better = over(s, one)
    if s.trumps & played:
        s.stake += value_of(s, played)
        note_high_and_low(s, me, place_of(s, one))
    following = left_of(s, me)
    if following != s.leader:
        s.to_act = only(following)  # CI-26
    else:
        end_trick(s, opt, s.ahead)


@rule
def note_high_and_low(s: State, me: int, place: int) -> None:
    """CI-34: only cards that are played can be high or low."""
    if place > s.high:
        s.high = place
        s.high_by = me
    if place < s.low:
        s.low = place
        s.low_by = me
        s.low_to = NOBODY


@rule
def end_trick(s: State, opt: Opt, taker: int) -> None:
    s.taker = taker
    other = partner_of(taker)
    s.tricks[taker] += 1
    s.tricks[other] += 1
    s.points[taker] += s.stake
    s.points[other] += s.stake
    if s.low_to == NOBODY and s.low != NO_TRUMP:
        s.low_to = taker
    if s.hand[taker]:
        take_lead(s, taker)  # CI-26
    else:
        end_deal(s, opt)


# ------------------------------------------------------------------------------------------------------------ score


@rule
def end_deal(s: State, opt: Opt) -> None:
    low = s.low_by if opt.low == PLAYED else s.low_to
    ours = points_of(s, s.declarer, low) + value_of(s, s.credited)  # CI-16, CI-23
    theirs = points_of(s, left_of(s, s.declarer), low)
    gained = gain(opt, s.bid, ours, theirs)
    lost = loss(opt, s.bid, ours, theirs)
    finish_deal(s, opt, ours, theirs, gained, lost)


@rule
def points_of(s: State, seat: int, low: int) -> int:
    """CI-31 to CI-35: what the side of this seat has won; `low` is the seat to which low goes."""
    points = s.points[seat]
    points += 1 if same_side(seat, s.high_by) else 0
    return points + 1 if same_side(seat, low) else points


@rule
def gain(opt: Opt, contract: int, ours: int, theirs: int) -> int:
    """What the declarers score."""
    if opt.score == SETBACK:
        return ours if ours >= contract else -contract
    return max(0, ours - theirs) if ours >= contract else 0  # CI-36 to CI-38


@rule
def loss(opt: Opt, contract: int, ours: int, theirs: int) -> int:
    """What the defenders score."""
    if opt.score == SETBACK:
        return theirs
    return max(0, theirs - ours) if ours >= contract else MOST_POINTS + contract - ours  # CI-36, CI-37


@rule
def finish_deal(s: State, opt: Opt, ours: int, theirs: int, gained: int, lost: int) -> None:
    """Write the outcome down; `ours` and `gained` are the declarers', if there are any."""
    s.last_dealer = s.dealer
    s.last_declarer = s.declarer
    s.last_bid = s.bid
    s.last_trump = s.trump
    for seat in range(SEATS):
        declares = same_side(seat, s.declarer)
        s.last_points[seat] = ours if declares else theirs
        s.last_gained[seat] = gained if declares else lost
        s.scores[seat] += s.last_gained[seat]
    s.to_act = 0
    if max(s.scores[0], s.scores[1]) >= opt.target or s.deals == MOST_DEALS:  # CI-40, CI-42
        s.winners = winners_of(s, opt)
        s.phase = DONE
    else:
        s.dealer = left_of(s, s.dealer)  # CI-39
        s.phase = DUE
        s.awaiting = DEAL
    clear(s)


@rule
def winners_of(s: State, opt: Opt) -> int:
    """CI-40 to CI-42."""
    if s.scores[0] == s.scores[1] and s.scores[0] >= opt.target:
        return only(s.declarer) | only(partner_of(s.declarer))
    return highest_scores(s)


@rule
def utility(s: State, opt: Opt, me: int) -> int:
    """The score of the side against the other's."""
    return s.scores[me] - s.scores[left_of(s, me)]
