"""Ninety-Nine. The numbers NN-… are the clauses of rulebook/ninety-nine.md.

Everything that belongs to a hand stands in rows with an entry for each seat. With two players the dummy's hand has the
entry DUMMY, after theirs.
"""

from upcard.rules import *

PLAYERS = (2, 3, 4)  # NN-1; each for themselves
SHORT_PACK = as_set(pack("AKQJT9876"))  # NN-2
LONG_PACK = as_set(pack())
JOKERS = bit(JOKER)
ANY_CARD = LONG_PACK | JOKERS
DUMMY = 2
MOST_ROUNDS = 200  # NN-43
GAME_POINTS = GAME_BONUS = 100  # NN-44, NN-45

DUE, BIDDING, PREMIUM, PLAY, DONE = PHASES = words("deal bid premium play done")
TARGET, GAMES = range(2)
SUCCESS, DIAMONDS_FIRST, TURN_UP = range(3)
YES, NO = range(2)
ALL, MADE = range(2)
NOT_ASKED, PASSED, DECLARED, REVEALED = range(4)
OFFERS = (None, "pass", "declare", "reveal")
NO_BID = -1

SUIT_VALUE = (3, 0, 2, 1)  # NN-11: clubs, diamonds, hearts, spades
NEXT_TRUMP = (DIAMONDS, SPADES, HEARTS, CLUBS, NO_SUIT)  # NN-9
BONUS = (0, 30, 20, 10, 0)  # NN-32
WORTH = (0, 0, 30, 60)  # NN-33: of a premium

MOVES = Notation()
BID = MOVES.verb(
    "bid", "card card card", heard=Audience.WORD, label="Bid {cards}", said="bids {cards}", quiet="has bid"
)  # NN-12, NN-13
PASS = MOVES.verb("pass", heard=Audience.ALL, label="Pass", said="passes")
DECLARE = MOVES.verb("declare", heard=Audience.ALL, label="Declare your bid", said="declares the bid")
REVEAL = MOVES.verb("reveal", heard=Audience.ALL, label="Reveal bid and hand", said="reveals bid and hand")
FROM_DUMMY = MOVES.verb(
    "dummy",
    "card",
    heard=Audience.ALL,
    label="Play {cards} from the dummy",
    said="plays {cards} from the dummy",
    plays=True,
    dummy=True,
)


class NinetyNineOptions(Options):
    match: int = choice(
        "target", "games", clause="NN-44", help="games: games of 100 points, with a bonus for who succeeds at the end"
    )
    target: int = whole(200, 50, 1000, clause="NN-41", help="the total that ends the match; no effect with games")
    bonuses: int = choice(3, 1, 2, clause="NN-47", help="how many game bonuses end the match; only with games")
    trump: int = choice(
        "success",
        "diamonds-first",
        "turn-up",
        clause="NN-8",
        help="diamonds-first: in place of no trumps in a first round; turn-up: a joker, and an upcard for trumps",
    )
    premiums: int = choice("yes", "no", clause="NN-16", help="no: nobody declares or reveals")
    show: int = choice("all", "made", clause="NN-35", help="made: after a round only bids that were made are turned up")


class NinetyNineState(GameState, seats=4):
    hand: PerSeat = held(shown="shown", kept=True)  # NN-49
    bid: PerSeat = held(shown="turned")  # NN-13, NN-49: the cards laid aside
    shown: PerSeat = per_seat(kept=True)  # the cards of a hand that lie open: NN-21, NN-50
    turned: PerSeat = per_seat()  # the bid cards that do: NN-21, NN-51
    upcard: Card = open_card(kept=True)
    twin: Cards = open_field(kept=True)  # the card that the joker is, as a set
    trump: Suit = open_field(NO_SUIT, kept=True)
    trumps: Cards = open_field(kept=True)
    offers: PerSeat = per_seat()  # NN-48
    premium: PerSeat = per_seat()  # the offers that stand
    leader: int = open_field(NOBODY, kept=True)  # whose hand leads or led the trick
    live: int = open_field(NOBODY, kept=True)  # two players: who last led from the own hand, NN-29
    turn: int = open_field(NOBODY, kept=True)  # whose hand the next card comes from
    led: Cards = open_field(kept=True)  # all cards of the suit led; none before the lead
    ahead: int = open_field(NOBODY, kept=True)  # whose card takes the trick as it lies
    better: Cards = open_field(kept=True)  # the cards that would take it instead
    card: PerSeat = per_seat(NO_CARD, kept=True)  # that each hand has played last
    played: Cards = open_set()  # in this round
    lacks: PerSeat = per_seat()  # the cards that a hand has shown it does not hold
    taker: int = open_field(NOBODY, kept=True)  # of the last trick
    tricks: PerSeat = per_seat()
    made: int = open_field(kept=True)  # the set of hands that succeeded in the last round
    last_bids: PerSeat = own(NO_BID, shown="told_bids", kept=True)
    told_bids: PerSeat = per_seat(NO_BID, kept=True)  # those of them that everybody knows
    last_premium: PerSeat = per_seat(kept=True)
    last_tricks: PerSeat = per_seat(kept=True)
    last_gain: PerSeat = per_seat(kept=True)
    fresh: int = open_field(kept=True)  # whether the next round is the first of the match or of a game
    game_no: int = open_field(1, kept=True)
    game_points: PerSeat = per_seat(kept=True)
    bonuses: PerSeat = per_seat(kept=True)
    game_won: int = open_field(kept=True)  # the set of seats that won a game bonus with the last round


State = NinetyNineState
Opt = NinetyNineOptions


# ------------------------------------------------------------------------------------------------------- the deal


@rule
def start(s: State, opt: Opt) -> None:
    s.fresh = 1


@rule
def hands(s: State) -> int:
    """How many hands are played: NN-5."""
    return 3 if s.players == 2 else s.players


@rule
def is_dummy(s: State, hand: int) -> bool:
    return s.players == 2 and hand == DUMMY


@rule
def whole_pack(s: State, opt: Opt) -> Cards:
    cards = LONG_PACK if s.players == 4 else SHORT_PACK  # NN-2
    return cards | JOKERS if opt.trump == TURN_UP else cards


@rule
def cards_to_shuffle(s: State, opt: Opt, out: Buffer) -> int:
    return put_cards(out, 0, whole_pack(s, opt))  # NN-6


@rule
def deal(s: State, opt: Opt, order: Pile) -> None:
    cards = 52 if s.players == 4 else 36
    hand = s.dealer
    for i in range(cards):
        hand = dealt_after(s, hand)
        if i < 9 and is_dummy(s, hand):
            s.bid[DUMMY] |= bit(order[i])  # NN-15
        else:
            s.hand[hand] |= bit(order[i])
    if opt.trump == TURN_UP:
        turn_up(s, order[cards])
    elif s.fresh:
        set_trump(s, DIAMONDS if opt.trump == DIAMONDS_FIRST else NO_SUIT)  # NN-8, NN-46
    else:
        set_trump(s, NEXT_TRUMP[count(s.made)])  # NN-9, NN-10
    s.fresh = 0
    s.phase = BIDDING
    s.to_act = everybody(s.players)  # NN-12


@rule
def dealt_after(s: State, hand: int) -> int:
    """Which hand gets the next card: NN-4, NN-5."""
    if s.players > 2:
        return left_of(s, hand)
    if hand == DUMMY:
        return s.dealer
    return 1 - s.dealer if hand == s.dealer else DUMMY


@rule
def turn_up(s: State, card: Card) -> None:
    """NN-8, option turn-up: the upcard's suit is trump, but for a nine or the joker."""
    s.upcard = card
    s.twin = 0 if card == JOKER else bit(card)
    set_trump(s, NO_SUIT if card == JOKER or rank_of(card) == NINE else suit_of(card))


@rule
def set_trump(s: State, suit: Suit) -> None:
    s.trump = suit
    s.trumps = 0 if suit == NO_SUIT else with_joker(s, all_of(suit))


@rule
def with_joker(s: State, cards: Cards) -> Cards:
    """These cards and, if the card that the joker is would be one of them, the joker."""
    return cards | JOKERS if cards & s.twin else cards


@rule
def face(s: State, card: Card) -> Card:
    """What a card counts as: the joker is the card turned up."""
    return s.upcard if card == JOKER else card


@rule
def tricks_bid(s: State, cards: Cards) -> int:
    """NN-11, NN-14."""
    joker = SUIT_VALUE[suit_of(s.upcard)] if cards & JOKERS else 0
    return 3 * count(cards & all_of(CLUBS)) + 2 * count(cards & all_of(HEARTS)) + count(cards & all_of(SPADES)) + joker


# ------------------------------------------------------------------------------------------------------------ moves


@rule
def playable(s: State, opt: Opt, me: int) -> Cards:
    if s.phase != PLAY or is_dummy(s, s.turn):
        return 0
    return due_cards(s, me)


@rule
def due_cards(s: State, hand: int) -> Cards:
    """The cards of a hand that may be played now: NN-25, NN-22 too."""
    return s.hand[hand] & s.led or s.hand[hand]


@rule
def other_moves(s: State, opt: Opt, me: int, out: Buffer, n: int) -> int:
    if s.phase == PLAY:
        return put_dummys(s, out, n) if is_dummy(s, s.turn) else n
    if s.phase == BIDDING:
        return put_bids(out, n, s.hand[me])
    out[n] = PASS
    n = add(out, n + 1, DECLARE, s.players == 2 or not has_declared(s))  # NN-18, NN-20
    return add(out, n, REVEAL, s.players > 2)  # NN-20


@rule
def put_dummys(s: State, out: Buffer, n: int) -> int:
    cards = due_cards(s, DUMMY)
    while cards:
        out[n] = say1(FROM_DUMMY, lowest(cards))
        cards &= cards - 1
        n += 1
    return n


@rule
def put_bids(out: Buffer, n: int, hand: Cards) -> int:
    """Any three cards, in pack order: NN-11, NN-14."""
    while hand:
        first = foremost(hand)
        hand ^= bit(first)
        second_of = hand
        while second_of:
            second = foremost(second_of)
            second_of ^= bit(second)
            third_of = second_of
            while third_of:
                third = foremost(third_of)
                third_of ^= bit(third)
                out[n] = say3(BID, first, second, third)
                n += 1
    return n


@rule
def foremost(cards: Cards) -> Card:
    """The first card of a set in pack order: the joker comes last."""
    return highest(cards & LONG_PACK or cards)


@rule
def has_declared(s: State) -> bool:
    found = False
    for seat in range(s.players):
        found = found or s.offers[seat] == DECLARED
    return found


@rule
def apply(s: State, opt: Opt, me: int, move: int) -> None:
    if s.phase == PLAY:
        play(s, opt, item(move, 0))
    elif s.phase == BIDDING:
        lay_aside(s, opt, me, bit(item(move, 0)) | bit(item(move, 1)) | bit(item(move, 2)))
    else:
        offer(s, me, move)


@rule
def lay_aside(s: State, opt: Opt, me: int, cards: Cards) -> None:
    s.bid[me] = cards
    s.hand[me] ^= cards  # NN-13
    s.to_act ^= only(me)
    if s.to_act == 0:
        if opt.premiums == YES:
            s.phase = PREMIUM  # NN-16
            s.to_act = only(left_of(s, s.dealer))  # NN-17, NN-18, NN-20
        else:
            begin_play(s)


@rule
def offer(s: State, me: int, move: int) -> None:
    s.offers[me] = REVEALED if move == REVEAL else DECLARED if move == DECLARE else PASSED
    if me != s.dealer and move != REVEAL:
        s.to_act = only(left_of(s, me))
        return
    stands = REVEALED if move == REVEAL else DECLARED  # NN-17, NN-19
    for seat in range(s.players):
        if s.offers[seat] == stands:
            s.premium[seat] = stands
            s.turned[seat] = s.bid[seat]  # NN-21
    if move == REVEAL:
        s.shown[me] = s.hand[me]
    begin_play(s)


@rule
def begin_play(s: State) -> None:
    s.phase = PLAY
    if s.players == 2:
        s.shown[DUMMY] = s.hand[DUMMY]  # NN-23
    take_lead(s, left_of(s, s.dealer))  # NN-24


@rule
def take_lead(s: State, hand: int) -> None:
    s.leader = hand
    if not is_dummy(s, hand):
        s.live = hand
    s.led = 0
    s.better = ANY_CARD
    due(s, hand)


@rule
def due(s: State, hand: int) -> None:
    """The next card comes from this hand; of the dummy's the last live leader chooses it, NN-28, NN-29."""
    s.turn = hand
    s.to_act = only(s.live if is_dummy(s, hand) else hand)


@rule
def play(s: State, opt: Opt, card: Card) -> None:
    hand = s.turn
    played = bit(card)
    s.hand[hand] ^= played
    s.shown[hand] &= ~played
    s.played |= played
    s.card[hand] = card
    counts_as = face(s, card)
    suit = all_of(suit_of(counts_as))
    if s.led == 0:
        s.led = with_joker(s, suit)
    elif s.led & played == 0:
        s.lacks[hand] |= s.led
    if s.better & played:  # NN-26
        s.ahead = hand
        s.better = with_joker(s, suit & -2 * bit(counts_as))  # NN-3: the higher ones of its suit
        if s.trumps & played == 0:
            s.better |= s.trumps
    following = plays_after(s, hand)
    if following != s.leader:
        due(s, following)
    else:
        end_trick(s, opt, s.ahead)


@rule
def plays_after(s: State, hand: int) -> int:
    """NN-24; with two players leader, other player, then whoever of leader and dummy has not played: NN-28, NN-29."""
    if s.players > 2:
        return left_of(s, hand)
    if hand == s.leader:
        return 1 - s.live
    return s.live + DUMMY - s.leader if hand == 1 - s.live else s.leader


@rule
def end_trick(s: State, opt: Opt, taker: int) -> None:
    s.tricks[taker] += 1
    s.taker = taker
    if s.hand[taker]:
        take_lead(s, taker)  # NN-27, NN-29
    else:
        end_round(s, opt)  # NN-30


# ------------------------------------------------------------------------------------------------------------ score


@rule
def end_round(s: State, opt: Opt) -> None:
    s.to_act = 0
    s.leader = NOBODY
    made = 0
    for hand in range(hands(s)):
        s.last_bids[hand] = tricks_bid(s, s.bid[hand])
        s.last_tricks[hand] = s.tricks[hand]
        s.last_premium[hand] = s.premium[hand]
        if succeeds(s, hand):
            made |= only(hand)
    s.made = made
    turn_bids_up(s, opt)
    score(s)
    for seat in range(s.players):  # NN-37
        s.scores[seat] += s.last_gain[seat]
        s.game_points[seat] += s.last_gain[seat]
    end_of_game(s, opt)
    s.winners = leaders(s, opt)
    if is_over(s, opt):
        s.phase = DONE
    else:
        next_round(s)


@rule
def succeeds(s: State, hand: int) -> bool:
    if is_dummy(s, hand):
        return s.tricks[hand] <= s.last_bids[hand]  # NN-40
    return s.tricks[hand] == s.last_bids[hand]


@rule
def turn_bids_up(s: State, opt: Opt) -> None:
    """NN-35, NN-51."""
    for hand in range(hands(s)):
        if opt.show == ALL or s.made >> hand & 1 or is_dummy(s, hand):
            s.turned[hand] = s.bid[hand]
        s.told_bids[hand] = s.last_bids[hand] if s.turned[hand] else NO_BID


@rule
def score(s: State) -> None:
    bonus = BONUS[count(s.made)]  # NN-32, NN-36
    for hand in range(hands(s)):
        s.last_gain[hand] = s.tricks[hand] + (bonus if s.made >> hand & 1 else 0)  # NN-31, NN-34
    if s.players == 2 and s.tricks[DUMMY] == s.last_bids[DUMMY]:
        s.last_gain[DUMMY] += WORTH[DECLARED]  # NN-40
    for seat in range(s.players):
        worth = WORTH[s.premium[seat]]
        if s.made >> seat & 1:
            s.last_gain[seat] += worth
        elif worth > 0:
            for other in range(hands(s)):
                if other != seat and (is_dummy(s, other) or not both_failed(s)):
                    s.last_gain[other] += worth  # NN-33, NN-38


@rule
def both_failed(s: State) -> bool:
    """NN-39: two players, both declared and neither succeeded."""
    return s.players == 2 and s.premium[0] == DECLARED and s.premium[1] == DECLARED and s.made & 3 == 0


@rule
def end_of_game(s: State, opt: Opt) -> None:
    """NN-44 to NN-46."""
    s.game_won = 0
    if opt.match != GAMES:
        return
    for seat in range(s.players):
        if s.game_points[seat] >= GAME_POINTS:
            s.fresh = 1
            if s.made >> seat & 1:
                s.game_won |= only(seat)
                s.bonuses[seat] += 1
                s.scores[seat] += GAME_BONUS


@rule
def leaders(s: State, opt: Opt) -> int:
    """The set of seats that would win now: NN-41; with games NN-47."""
    level = highest_scores(s)
    if opt.match != GAMES:
        return level
    most = 0
    for seat in range(s.players):
        if level >> seat & 1:
            most = max(most, s.bonuses[seat])
    winners = 0
    for seat in range(s.players):
        if level >> seat & 1 and s.bonuses[seat] == most:
            winners |= only(seat)
    return winners


@rule
def is_over(s: State, opt: Opt) -> bool:
    if s.deals == MOST_ROUNDS:
        return True  # NN-43
    if opt.match != GAMES:
        return s.scores[lowest(s.winners)] >= opt.target and count(s.winners) == 1  # NN-41, NN-42
    most = 0
    for seat in range(s.players):
        most = max(most, s.bonuses[seat])
    return most >= opt.bonuses  # NN-47


@rule
def next_round(s: State) -> None:
    if s.fresh:  # NN-46
        s.game_no += 1
        for seat in range(s.players):
            s.game_points[seat] = 0
    s.winners = 0
    s.dealer = left_of(s, s.dealer)  # NN-7
    s.phase = DUE
    s.awaiting = DEAL


@rule
def utility(s: State, opt: Opt, me: int) -> int:
    return above_average(s, me)
