"""Klaberjass. The numbers KJ-… are the clauses of rulebook/klaberjass.md."""

from upcard.rules import *

PACK = pack("AKQJT987")  # KJ-2; in natural order, KJ-5
WHOLE_PACK = as_set(PACK)
STRENGTH = ranking("A T K Q J 9 8 7")  # KJ-3
TRUMP_STRENGTH = ranking("J 9 A T K Q 8 7")  # KJ-4
VALUE = values(A=11, T=10, K=4, Q=3, J=2)  # KJ-6
TRUMP_VALUE = values(A=11, T=10, K=4, Q=3, J=20, **{"9": 14})
LAST_TRICK = 10  # KJ-53
BELA_WORTH = 20  # KJ-49
DEAL_LIMIT = 200  # KJ-61

DUE, BID, ANSWER, NAMING, DECLARE, PLAY, DONE = PHASES = words("deal bid answer name declare play done")
OPENING, REPLY, HEIGHT = range(3)
"""Whose word is next in the declarations: the nondealer's, the dealer's, the dealer's after `how high`."""
HOW = (None, "made", "level", "bate", "thrown")
MADE, LEVEL, BATE, THROWN = range(1, 5)
NO_RANK = -1
TWENTY_KIND, FIFTY_KIND = 1, 2

MOVES = Notation()
ACCEPT = MOVES.verb("accept", heard=Audience.ALL, label="Accept the upcard's suit", said="accepts")
PASS = MOVES.verb("pass", heard=Audience.ALL, label="Pass", said="passes")
SCHMEISS = MOVES.verb("schmeiss", heard=Audience.ALL, label="Schmeiss: offer to throw in", said="offers a schmeiss")
NAME = MOVES.verb("name", "suit", heard=Audience.ALL, label="Name {0}", said="names {0}")
YES = MOVES.verb("yes", heard=Audience.ALL, label="Yes, throw the deal in", said="says yes: the deal is thrown in")
NO = MOVES.verb("no", heard=Audience.ALL, label="No, play it", said="says no")
DIX = MOVES.verb("dix", heard=Audience.ALL, label="Dix: seven for the upcard", said="takes the upcard for the dix")
NONE = MOVES.verb("none", heard=Audience.ALL, label="No declaration", said="declares nothing")
TWENTY = MOVES.verb("twenty", heard=Audience.ALL, label="Twenty", said="says twenty")
FIFTY = MOVES.verb("fifty", heard=Audience.ALL, label="Fifty", said="says fifty")
GOOD = MOVES.verb("good", heard=Audience.ALL, label="Good", said="says good")
NOT_GOOD = MOVES.verb("not good", heard=Audience.ALL, label="Not good", said="says not good")
HOW_HIGH = MOVES.verb("how high", heard=Audience.ALL, label="How high?", said="asks how high")
ALSO = MOVES.verb("also", heard=Audience.ALL, label="Also", said="says also")
BELA = MOVES.verb(
    "bela", "card", heard=Audience.ALL, label="Play {cards} and call bela", said="calls bela with {cards}", plays=True
)


class KlaberjassOptions(Options):
    target: int = whole(501, 51, 2001, clause="KJ-58", help="score that ends the match")
    schmeiss: int = choice("yes", "no", clause="KJ-13", help="no: nobody can offer to throw the cards in")
    bela: int = choice("call", "auto", clause="KJ-49", help="auto: king and queen of trumps score without being called")
    equal: int = choice("none", "nondealer", clause="KJ-35", help="whose is the better of two equal plain sequences")
    deal: int = choice("winner", "alternate", clause="KJ-57", help="who deals after a scored deal")
    bottom: int = choice("hidden", "shown", clause="KJ-11", help="shown: the bottom card of the pack is turned up")


class KlaberjassState(GameState, seats=2):
    hand: PerSeat = held(shown="shown", kept=True)  # KJ-63, KJ-65
    shown: PerSeat = per_seat()  # the part of each hand that both know: KJ-38, KJ-50, KJ-63
    played: PerSeat = per_seat(cards="set")  # by each seat in this deal, KJ-64
    upcard: Card = open_card(kept=True)  # KJ-10; after `dix` the seven
    nondealers_three: Cards = face_down_set()  # to be dealt when trump is fixed, KJ-11
    dealers_three: Cards = face_down_set()
    undealt: Cards = face_down_set(kept=True)  # cards 20 to 31, KJ-7
    under: Cards = face_down_set(kept=True)  # card 32, until it is turned up
    bottom: Card = open_card()  # card 32 once it has been turned up
    round: int = open_field(kept=True)  # of the bidding
    trump: Suit = open_field(NO_SUIT)
    maker: int = open_field(NOBODY)
    accepted: int = open_field()  # 1: trump is the upcard's suit because it was accepted, KJ-23
    stage: int = open_field(kept=True)  # of the declarations
    proved: PerSeat = per_seat()  # 20 or 50: of what kind a seat's best sequence was said to be, KJ-62
    top: PerSeat = per_seat(NO_RANK)  # the rank of its highest card, if told: KJ-32, KJ-33
    suit: PerSeat = per_seat(NO_SUIT)  # its suit, if told: KJ-34
    holder: int = open_field(NOBODY)  # KJ-37
    melds: Cards = open_field()  # the cards of the holder's sequences, once shown
    leader: int = open_field(NOBODY, kept=True)
    led: Card = open_field(NO_CARD, kept=True)  # while the other is to follow
    duty: Cards = open_field(kept=True)  # of these a card must be played if possible,
    second_duty: Cards = open_field(kept=True)  # otherwise of these: KJ-42 to KJ-44
    better: Cards = open_field(kept=True)  # the cards that take the trick from the one led, KJ-47
    lacks: PerSeat = per_seat()  # the cards that a seat has shown it does not hold
    taker: int = open_field(NOBODY, kept=True)  # of the last trick
    tricks: PerSeat = per_seat()
    points: PerSeat = per_seat()
    called: PerSeat = per_seat()  # 1: has called the first card of the bela
    bela: PerSeat = per_seat()
    how: int = open_field(kept=True)  # how the last deal ended: an index into HOW
    last_points: PerSeat = per_seat(kept=True)
    added: PerSeat = per_seat(kept=True)


State = KlaberjassState
Opt = KlaberjassOptions


# -------------------------------------------------------------------------------------------------------- sequences


@rule
def tops(cards: Cards) -> Cards:
    """KJ-27: the top card of each whole, longest run of three or more. (No run goes on from the ace, KJ-5.)"""
    return cards & cards << 1 & cards << 2 & ~(cards >> 1)


@rule
def sequence_cards(cards: Cards) -> Cards:
    """The cards of all sequences."""
    highest_of_three = cards & cards << 1 & cards << 2
    return highest_of_three | highest_of_three >> 1 | highest_of_three >> 2


@rule
def worth_of_all(cards: Cards) -> int:
    """KJ-26: what all sequences in these cards are worth."""
    fifties = tops(cards) & cards << 3
    return 20 * count(tops(cards)) + 30 * count(fifties)


@rule
def best_sequence(cards: Cards, trump: Suit) -> int:
    """KJ-28 as a number, the greater the better: kind, top rank, whether it is in trumps, suit; 0 for none."""
    best = 0
    left = tops(cards)
    while left:
        top = lowest(left)
        left &= left - 1
        kind = FIFTY_KIND if cards << 3 & bit(top) else TWENTY_KIND
        suit = suit_of(top)
        best = max(best, kind << 7 | rank_of(top) << 3 | (4 if suit == trump else 0) | suit)
    return best


@rule
def kind_worth(best: int) -> int:
    """What the best sequence is worth: 20, 50 or, if there is none, 0."""
    kind = best >> 7
    return 50 if kind == FIFTY_KIND else 20 * kind


@rule
def top_rank(best: int) -> int:
    return best >> 3 & 15


# --------------------------------------------------------------------------------------------------------- the deal


@rule
def cards_to_shuffle(s: State, opt: Opt, out: Buffer) -> int:
    return put_cards(out, 0, WHOLE_PACK)  # KJ-12


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    first = 0
    second = 0
    for i in range(3):  # KJ-9
        first |= bit(order[i]) | bit(order[6 + i])
        second |= bit(order[3 + i]) | bit(order[9 + i])
        s.nondealers_three |= bit(order[13 + i])  # KJ-11
        s.dealers_three |= bit(order[16 + i])
    s.hand[1 - s.dealer] = first
    s.hand[s.dealer] = second
    s.upcard = order[12]  # KJ-10
    s.under = bit(order[31])
    s.undealt = WHOLE_PACK & ~(first | second | s.nondealers_three | s.dealers_three | s.under | bit(s.upcard))
    s.round = 1
    s.phase = BID
    s.to_act = only(1 - s.dealer)  # KJ-13


# ------------------------------------------------------------------------------------------------------------ moves


@rule
def playable(s: State, opt: Opt, me: int) -> Cards:
    if s.phase != PLAY:
        return 0
    hand = s.hand[me]
    return hand & s.duty or hand & s.second_duty or hand  # KJ-41 to KJ-45


@rule
def other_moves(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
    if s.phase == PLAY:
        return bela_calls(s, opt, me, out, n)
    if s.phase == DECLARE:
        return declarations(s, me, out, n)
    if s.phase == ANSWER:  # KJ-17
        out[n] = NO
        out[n + 1] = YES
        return n + 2
    if s.round == 1:  # KJ-13, KJ-14
        out[n] = ACCEPT
        n += 1
    else:  # KJ-15, KJ-20
        for suit in range(4):
            n = add(out, n, say1(NAME, suit), suit != suit_of(s.upcard))
    if s.phase == BID:
        n = add(out, n, PASS, True)
        n = add(out, n, SCHMEISS, opt.schmeiss == 0)  # KJ-22: at any turn to bid
    return n


@rule
def declarations(s: State, me: int, out: Buffer, n: int) -> int:
    """KJ-29 to KJ-36: from one's own hand and from what was told. One word is always open, KJ-30."""
    best = best_sequence(s.hand[me], s.trump)
    mine = kind_worth(best)
    if s.stage != HEIGHT:
        n = add(out, n, DIX, may_exchange(s, me))  # KJ-24
    declared = s.proved[1 - s.dealer]
    if s.stage == OPENING or declared == 0:  # KJ-29, KJ-36
        out[n] = NONE
        return add(out, n + 1, FIFTY if mine == 50 else TWENTY, mine > 0)
    out[n] = GOOD
    n += 1
    if s.stage == REPLY:  # KJ-31
        n = add(out, n, NOT_GOOD, mine > declared)
        return add(out, n, HOW_HIGH, mine == declared)
    told = s.top[1 - s.dealer]  # KJ-33
    n = add(out, n, NOT_GOOD, top_rank(best) > told)
    return add(out, n, ALSO, top_rank(best) == told)


@rule
def may_exchange(s: State, me: int) -> bool:
    """KJ-23, KJ-25: nobody holds the seven if it is the upcard itself."""
    return s.accepted != 0 and s.hand[me] & bit(card(SEVEN, s.trump)) != 0


@rule
def bela_of(trump: Suit) -> Cards:
    """KJ-49."""
    return bit(card(KING, trump)) | bit(card(QUEEN, trump))


@rule
def bela_calls(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
    """KJ-49 to KJ-51: who held both at the start of the play may call both, or neither."""
    pair = bela_of(s.trump)
    left = s.hand[me] & pair
    if left == 0 or opt.bela != 0 or (left | s.played[me]) & pair != pair:
        return n
    if left != pair and s.called[me] == 0:
        return n
    left &= playable(s, opt, me)
    while left:
        out[n] = say1(BELA, lowest(left))
        left &= left - 1
        n += 1
    return n


@rule
def apply(s: State, opt: Opt, me: int, move: int) -> None:
    verb = verb_of(move)
    if s.phase == PLAY:
        if bela_of(s.trump) & bit(item(move, 0)):
            note_bela(s, opt, me, verb == BELA)
        play(s, opt, me, item(move, 0))
    elif s.phase == DECLARE:
        if verb == DIX:
            exchange(s, me)
        else:
            declare(s, opt, me, verb)
    elif s.phase == ANSWER:
        answer(s, opt, me, verb)
    elif verb == NAME:
        fix_trump(s, opt, me, item(move, 0))
    else:
        bid(s, opt, me, verb)


# ------------------------------------------------------------------------------------------------------ the bidding


@rule
def bid(s: State, opt: Opt, me: int, verb: int) -> None:
    if verb == ACCEPT:
        accept(s, opt, me)
    elif verb == SCHMEISS:  # KJ-17
        s.phase = ANSWER
        s.to_act = only(1 - me)
    elif me == s.dealer and s.round == 2:
        throw_in(s)  # KJ-16
    else:
        s.to_act = only(1 - me)  # KJ-14, KJ-15
        if me == s.dealer:
            s.round = 2


@rule
def answer(s: State, opt: Opt, me: int, verb: int) -> None:
    if verb == YES:
        throw_in(s)  # KJ-18
    elif s.round == 1:
        accept(s, opt, 1 - me)  # KJ-19
    else:
        s.phase = NAMING  # KJ-20
        s.to_act = only(1 - me)


@rule
def accept(s: State, opt: Opt, maker: int) -> None:
    s.accepted = 1
    fix_trump(s, opt, maker, suit_of(s.upcard))


@rule
def fix_trump(s: State, opt: Opt, maker: int, trump: Suit) -> None:
    """KJ-21, KJ-11."""
    s.maker = maker
    s.trump = trump
    s.hand[1 - s.dealer] |= s.nondealers_three
    s.hand[s.dealer] |= s.dealers_three
    s.nondealers_three = 0
    s.dealers_three = 0
    if opt.bottom != 0:
        s.bottom = lowest(s.under)
        s.under = 0
    s.phase = DECLARE
    s.stage = OPENING
    s.to_act = only(1 - s.dealer)


@rule
def throw_in(s: State) -> None:
    """Nobody scores; the cards stay unseen (KJ-65), and the same dealer deals again."""
    s.how = THROWN
    for seat in range(2):
        s.last_points[seat] = 0
        s.added[seat] = 0
    s.to_act = 0
    await_deal(s)


# --------------------------------------------------------------------------------------------------- the declarations


@rule
def exchange(s: State, me: int) -> None:
    """KJ-23: the dix for the upcard; the turn goes on (KJ-24)."""
    seven = card(SEVEN, s.trump)
    s.hand[me] ^= bit(seven) | bit(s.upcard)
    s.shown[me] |= bit(s.upcard)  # KJ-63
    s.upcard = seven  # KJ-25


@rule
def declare(s: State, opt: Opt, me: int, verb: int) -> None:
    """A word of the declarations, with what it proves and what is told with it."""
    dealer = s.dealer
    best = best_sequence(s.hand[me], s.trump)
    if verb != NONE and verb != GOOD:
        s.proved[me] = kind_worth(best)  # KJ-29: it is always true
    if s.stage == OPENING:
        s.stage = REPLY
        s.to_act = only(dealer)
        return
    theirs = best_sequence(s.hand[1 - dealer], s.trump)
    if verb == HOW_HIGH:
        s.stage = HEIGHT
        s.top[1 - dealer] = top_rank(theirs)  # KJ-32
        return
    if s.stage == HEIGHT and verb != GOOD:
        s.top[dealer] = top_rank(best)  # KJ-33
    if verb == ALSO:
        s.suit[dealer] = best & 3  # KJ-34
        s.suit[1 - dealer] = theirs & 3
    s.holder = holder_after(s, opt, verb)
    s.phase = PLAY
    take_lead(s, 1 - dealer)  # KJ-41


@rule
def holder_after(s: State, opt: Opt, verb: int) -> int:
    """KJ-37, after the dealer's last word."""
    if verb == NONE:
        return NOBODY
    if verb == GOOD:
        return 1 - s.dealer
    if verb != ALSO:
        return s.dealer
    for seat in range(2):  # KJ-34
        if s.suit[seat] == s.trump:
            return seat
    return 1 - s.dealer if opt.equal else NOBODY  # KJ-35


# --------------------------------------------------------------------------------------------------------- the play


@rule
def take_lead(s: State, seat: int) -> None:
    s.leader = seat
    s.to_act = only(seat)
    s.led = NO_CARD
    s.duty = WHOLE_PACK  # KJ-41


def _above(strength: tuple[int, ...]) -> tuple[Cards, ...]:
    """By rank the clubs that are stronger."""
    ranks = range(len(RANKS))
    return tuple(as_set(other for other in ranks if strength[other] > strength[rank]) for rank in ranks)


ABOVE = _above(STRENGTH)
TRUMP_ABOVE = _above(TRUMP_STRENGTH)


@rule
def lead(s: State, played: Card) -> None:
    suit = suit_of(played)
    if suit == s.trump:
        s.better = TRUMP_ABOVE[rank_of(played)] << 13 * suit
        s.duty = s.better  # KJ-42
        s.second_duty = all_of(suit)  # KJ-43
    else:
        s.better = ABOVE[rank_of(played)] << 13 * suit | all_of(s.trump)
        s.duty = all_of(suit)  # KJ-43; no need to beat it, KJ-46
        s.second_duty = all_of(s.trump)  # KJ-44
    s.led = played


@rule
def play(s: State, opt: Opt, me: int, played: Card) -> None:
    s.hand[me] ^= bit(played)
    s.shown[me] &= ~bit(played)
    s.played[me] |= bit(played)
    if s.led == NO_CARD:
        lead(s, played)
        s.to_act = only(1 - me)
        return
    if s.duty & bit(played) == 0:
        s.lacks[me] |= s.duty
        if s.second_duty & bit(played) == 0:
            s.lacks[me] |= s.second_duty
    end_trick(s, opt, me if s.better & bit(played) else 1 - me, played)  # KJ-47


@rule
def note_bela(s: State, opt: Opt, me: int, call: bool) -> None:
    """The king or queen of trumps is being played."""
    pair = bela_of(s.trump)
    if s.played[me] & pair:
        if call or opt.bela:  # KJ-50; it waits for no trick, KJ-52
            s.bela[me] = BELA_WORTH
            s.points[me] += BELA_WORTH
    elif call:
        s.called[me] = 1
        s.shown[me] |= pair  # the call says that the other one is there


@rule
def value(s: State, played: Card) -> int:
    """KJ-6."""
    return TRUMP_VALUE[rank_of(played)] if suit_of(played) == s.trump else VALUE[rank_of(played)]


@rule
def end_trick(s: State, opt: Opt, taker: int, played: Card) -> None:
    s.taker = taker
    s.tricks[taker] += 1
    s.points[taker] += value(s, s.led) + value(s, played)
    if s.holder != NOBODY and s.tricks[0] + s.tricks[1] == 1:  # KJ-38
        s.melds = sequence_cards(s.hand[s.holder] | s.played[s.holder])
        s.shown[s.holder] |= s.melds & s.hand[s.holder]
    if taker == s.holder and s.tricks[taker] == 1:
        s.points[taker] += worth_of_all(s.melds)  # KJ-39, KJ-40
    if s.hand[taker]:
        take_lead(s, taker)
    else:  # KJ-48
        s.points[taker] += LAST_TRICK
        end_deal(s, opt)


# ---------------------------------------------------------------------------------------------------------- the score


@rule
def end_deal(s: State, opt: Opt) -> None:
    maker = s.maker
    defender = 1 - maker
    winner = defender
    for seat in range(2):
        s.last_points[seat] = s.points[seat]  # KJ-53
        s.added[seat] = s.points[seat]
    if s.points[maker] > s.points[defender]:  # KJ-54
        s.how = MADE
        winner = maker
    else:
        s.how = LEVEL if s.points[maker] == s.points[defender] else BATE
        s.added[maker] = 0  # KJ-55, KJ-56
        s.added[defender] += s.points[maker] if s.how == BATE else 0
    for seat in range(2):
        s.scores[seat] += s.added[seat]  # KJ-60
    s.led = NO_CARD
    s.leader = NOBODY
    s.to_act = 0
    if max(s.scores[0], s.scores[1]) >= opt.target and s.scores[0] != s.scores[1]:  # KJ-58, KJ-59
        end_match(s)
    else:
        await_deal(s)
        if s.phase == DUE:
            s.dealer = 1 - s.dealer if opt.deal else winner  # KJ-57


@rule
def await_deal(s: State) -> None:
    if s.deals == DEAL_LIMIT:  # KJ-61
        end_match(s)
    else:
        s.phase = DUE
        s.awaiting = DEAL


@rule
def end_match(s: State) -> None:
    s.phase = DONE
    s.winners = highest_scores(s)


@rule
def utility(s: State, opt: Opt, me: int) -> int:
    return s.scores[me] - s.scores[1 - me]
