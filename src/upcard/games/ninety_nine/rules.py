"""Ninety-Nine. The numbers NN-… are the clauses of rulebook.md.

Everything that belongs to a hand is in rows with an entry for each seat. With two players, the entry DUMMY, after
theirs, is for the dummy's hand.
"""

from math import comb

from typing_extensions import TypeVar

from upcard.rules import *

DUE, BIDDING, PREMIUM, PLAY, DONE = PHASES = words("deal bid premium play done")
TARGET, GAMES, ROUNDS = MATCH = words("target games rounds")
SUCCESS, DIAMONDS_FIRST, TURN_UP = TRUMP = words("success diamonds-first turn-up")
YES, NO = PREMIUMS = words("yes no")
ALL, MADE = SHOW = words("all made")
NOT_ASKED, PASSED, DECLARED, REVEALED = OFFERS = words("none pass declare reveal")
NO_BID = -1
DUMMY = 2
JOKERS = bit(JOKER)
OTHERS = all_of(CLUBS) | all_of(DIAMONDS) | all_of(HEARTS) | all_of(SPADES)  # all cards but the joker

MOVES = Notation()
BID = MOVES.verb(  # NN-12, NN-13
    "bid", "card card card", heard=Audience.WORD, label="Bid {worth}: {cards}", said="bids {cards}", quiet="has bid"
)
PASS = MOVES.verb("pass", label="Pass", said="passes")
DECLARE = MOVES.verb("declare", label="Declare your bid", said="declares the bid")
REVEAL = MOVES.verb(
    "reveal",
    label="Reveal bid and hand",
    said="reveals bid and hand",
    asks="Play with your bid and your hand open? If you miss the bid, {opt.revealed} points go to each of the others.",
)
FROM_DUMMY = MOVES.verb(
    "dummy", "card", plays=True, dummy=True, label="Play {cards} from the dummy", said="plays {cards} from the dummy"
)


class NinetyNineState(TrickState, seats=4):
    hand: PerSeat = held(shown="shown")  # the cards of each seat, NN-49
    bid: PerSeat = held(shown="turned")  # the cards that each seat laid aside as its bid: NN-13, NN-49
    shown: PerSeat = per_seat(of="set")  # the open cards of a hand: NN-21, NN-50
    turned: PerSeat = per_seat(of="set")  # the open bid cards: NN-21, NN-51
    upcard: Card = open_card(reveals="NN-8")  # the card turned up for trumps
    trump: Suit = open_suit()  # the trump suit
    offers: PerSeat = per_seat()  # the offers of each seat, words of OFFERS: NN-48
    premium: PerSeat = per_seat()  # the offers that are in force
    live: int = open_seat()  # with two players, the last seat to lead from its own hand, NN-29
    turn: int = open_seat()  # the hand that plays the next card
    played: Cards = open_set()  # the cards played in this round
    last_made: int = open_seats(kept=True)  # the hands that succeeded in the last round
    last_bids: PerSeat = own(NO_BID, shown="told_bids", kept=True)  # the bids of the last round
    told_bids: PerSeat = per_seat(NO_BID, kept=True)  # those of the last bids that are known to everybody
    last_premium: PerSeat = per_seat(kept=True)  # the premiums of that round
    last_tricks: PerSeat = per_seat(kept=True)  # the tricks of each seat in it
    last_gain: PerSeat = per_seat(kept=True)  # what each seat scored in it
    fresh: int = open_field(1, of="flag", kept=True)  # whether the next round is the first of the match or of a game
    game_no: int = open_field(1, kept=True)  # the number of the game in the match
    game_points: PerSeat = per_seat(kept=True)  # the points of each seat in this game
    bonuses: PerSeat = per_seat(kept=True)  # the game bonuses of each seat
    game_won: int = open_seats(kept=True)  # the seats that won a game bonus with the last round


S = TypeVar("S", bound=NinetyNineState, default=NinetyNineState)


def ranks_played(table: Any) -> str:
    return RANKS if table.players == 4 else "AKQJT9876"


class NinetyNineRules(Game[S]):
    """The rules of Ninety-Nine: the deal, bids and premiums, the play, and the score."""

    notation = MOVES
    phases = PHASES

    match: int = choice(
        MATCH,
        clause="NN-44",
        help="games: games of {game} points, a bonus for who succeeds at the end; rounds: a fixed number of rounds",
    )
    target: int = whole(200, 50, 1000, clause="NN-41", help="the total that ends the match; no effect with games")
    bonuses: int = choice(3, 1, 2, clause="NN-47", help="how many game bonuses end the match; only with games")
    trump: int = choice(
        TRUMP,
        clause="NN-8",
        help="diamonds-first: in place of no trumps in a first round; turn-up: a joker, and an upcard for trumps",
    )
    premiums: int = choice(PREMIUMS, clause="NN-16", help="no: nobody declares or reveals")
    rounds: int = whole(9, 1, 100, clause="NN-53", help="how many rounds a match has; only with rounds")
    show: int = choice(SHOW, clause="NN-35", help="made: after a round only bids that were made are turned up")

    pack: Cards = card_set(ranks_played, clause="NN-2", also="NN-13 NN-30 NN-34", help="the cards, without the joker")
    next_trump: Row = table_of(
        (DIAMONDS, SPADES, HEARTS, CLUBS, NO_SUIT), clause="NN-9", help="the next trumps, by how many succeeded"
    )
    value: Row = table_of((3, 0, 2, 1), clause="NN-11", help="what a club, diamond, heart, spade bids")
    bonus: Row = table_of(
        (0, 30, 20, 10, 0),
        clause="NN-32",
        also="NN-34",
        help="points for success, by how many succeeded",
        phrases=(
            "{bonus[1]} if only one succeeded, {bonus[2]} each if two did, {bonus[3]} each if three did, "
            "{bonus[4]} if all four did",
            "more than {9 + bonus[1] + revealed} in a round: 9 tricks, {bonus[1]} for being alone, {revealed}",
        ),
    )
    declared: int = number(
        30,
        clause="NN-33",
        also="NN-38 NN-39 NN-40",
        help="points of a declaration",
        phrases=(
            "A declaration is worth {declared}, a revelation {revealed} (not {declared + revealed})",
            "get {declared} each",
            "gets {declared} for their own and {declared} for the other's",
            "with {declared} for the dummy",
        ),
    )
    revealed: int = number(
        60,
        clause="NN-33",
        also="NN-34 NN-39",
        help="points of a revelation",
        phrases=("gets {revealed}",),
    )
    most_rounds: int = number(
        200,
        clause="NN-43",
        also="NN-47",
        help="rounds in a match at most",
        least=1,
        phrases=(
            "longer than {most_rounds} rounds. After {if most_rounds == 200}the 200th{else}round {most_rounds}{end} it",
            "round {most_rounds} an",
        ),
    )
    game_at: int = number(
        100,
        clause="NN-44",
        also="NN-45",
        help="points that end a game",
        least=1,
        name="game",
        phrases=(
            "reach {game} or more",
            "has {game} or more",
        ),
    )
    game_bonus: int = number(
        100,
        clause="NN-45",
        help="points of a game bonus",
        phrases=("bonus of {game_bonus}",),
    )

    @override
    def constraints(self) -> Constraints:
        if self.match == ROUNDS:
            message = "{name} is at most {most}, not {number}: no match is longer"
            yield at_most("NN-43", "rounds", self.rounds, self.most_rounds, message)
        cards, hands = count(self.pack), max(self.players, 3)
        size = cards // hands
        yield Constraint(
            "NN-6",
            "all cards of the pack can be dealt out evenly",
            cards % hands == 0,
            sentence(
                "the pack has {n} card, which cannot be dealt out evenly to {hands} hands",
                "the pack has {n} cards, which cannot be dealt out evenly to {hands} hands",
                n=cards,
                hands=hands,
            ),
        )
        message = "{hands} hands × three cards to bid and one to play are {needed}, the pack has {available}"
        yield pack_suffices("NN-11", self.pack, 4 * hands, message, hands=hands)
        yield moves_suffice("NN-11", comb(size, 3), self.most_moves, cards=size)
        row = [self.next_trump[successes] for successes in range(5)]
        suits = all(NO_SUIT <= suit <= SPADES for suit in row)
        condition = "next_trump has suits, from 0 (clubs) to 3 (spades), or -1 for no trump"
        reason = sentence(
            "{name} has suits, from 0 (clubs) to 3 (spades), or -1 for no trump, not {row}",
            name=setting_name("next_trump"),
            row=listed(row, "and"),
        )
        yield Constraint("NN-9", condition, suits, reason)
        if self.trump == DIAMONDS_FIRST:
            yield pack_has("NN-8", "trump", self.pack, suit=DIAMONDS)
        for suit in [] if self.trump == TURN_UP else row[: hands + 1]:
            if suit != NO_SUIT:
                yield pack_has("NN-9", "next_trump", self.pack, suit=suit)
        condition = "value has no negative number"
        yield Constraint(
            "NN-11",
            condition,
            min(self.value[suit] for suit in range(4)) >= 0,
            sentence("{name} has no negative number: a bid is a number of tricks", name=setting_name("value")),
        )

    # --------------------------------------------------------------------------------------------------------- the deal

    def hands(self, s: S) -> int:
        """The number of hands that are played: NN-5."""
        return 3 if s.players == 2 else s.players

    def is_dummy(self, s: S, hand: int) -> bool:
        return s.players == 2 and hand == DUMMY

    def whole_pack(self) -> Cards:
        return self.pack | JOKERS if self.trump == TURN_UP else self.pack

    @override
    def cards_to_shuffle(self, s: S, out: Buffer) -> int:
        return put_cards(out, 0, self.whole_pack())  # NN-6

    @override
    def deal(self, s: S, order: Pile) -> None:
        cards = count(self.pack)
        hand = s.dealer
        for i in range(cards):
            hand = self.dealt_after(s, hand)
            s.hand[hand] |= bit(order[i])
        if s.players == 2:
            s.bid[DUMMY] = bit(order[1]) | bit(order[4]) | bit(order[7])  # NN-15
            s.hand[DUMMY] ^= s.bid[DUMMY]
        if self.trump == TURN_UP:
            self.turn_up(s, order[cards])
        elif s.fresh:
            s.trump = DIAMONDS if self.trump == DIAMONDS_FIRST else NO_SUIT  # NN-8, NN-46
        else:
            s.trump = self.next_trump[count(s.last_made)]  # NN-9, NN-10
        s.fresh = 0
        s.phase = BIDDING
        s.to_act = everybody(s.players)  # NN-12

    def dealt_after(self, s: S, hand: int) -> int:
        """The hand that gets the next card: NN-4, NN-5."""
        if s.players > 2:
            return left_of(s, hand)
        if hand == DUMMY:
            return s.dealer
        return 1 - s.dealer if hand == s.dealer else DUMMY

    def turn_up(self, s: S, card: Card) -> None:
        """NN-8, option turn-up: the upcard's suit becomes trump, except that a nine or the joker makes no trump."""
        s.upcard = card
        s.trump = NO_SUIT if card == JOKER or rank_of(card) == NINE else suit_of(card)

    def with_joker(self, s: S, cards: Cards) -> Cards:
        """These cards, and the joker too if it counts as one of them."""
        return cards | JOKERS if s.upcard != NO_CARD and cards & bit(s.upcard) != 0 else cards

    def face(self, s: S, card: Card) -> Card:
        """The card that a card counts as: the joker counts as the card turned up."""
        return s.upcard if card == JOKER else card

    def tricks_bid(self, s: S, cards: Cards) -> int:
        """NN-11, NN-14: the number of tricks that these cards bid."""
        tricks = 0
        while cards:
            tricks += self.value[suit_of(self.face(s, lowest(cards)))]
            cards &= cards - 1
        return tricks

    # ------------------------------------------------------------------------------------------------------------ moves

    @override
    def playable(self, s: S, me: int) -> Cards:
        return follows(s, me) if s.phase == PLAY and not self.is_dummy(s, s.turn) else 0  # NN-25, NN-22 too

    @override
    def other_moves(self, s: S, me: int, out: Buffer, n: int) -> int:
        if s.phase == PLAY:
            return put_each(out, n, FROM_DUMMY, follows(s, DUMMY)) if self.is_dummy(s, s.turn) else n
        if s.phase == BIDDING:
            return self.put_bids(out, n, s.hand[me])
        n = add(out, n, PASS, True)
        n = add(out, n, DECLARE, s.players == 2 or seats_with(s, s.offers, DECLARED) == 0)  # NN-18, NN-20
        return add(out, n, REVEAL, s.players > 2)  # NN-20

    def put_bids(self, out: Buffer, n: int, hand: Cards) -> int:
        """List every bid of three cards, in pack order: NN-11, NN-14."""
        while hand:
            first = self.foremost(hand)
            hand ^= bit(first)
            second_of = hand
            while second_of:
                second = self.foremost(second_of)
                second_of ^= bit(second)
                third_of = second_of
                while third_of:
                    third = self.foremost(third_of)
                    third_of ^= bit(third)
                    out[n] = say3(BID, first, second, third)
                    n += 1
        return n

    def foremost(self, cards: Cards) -> Card:
        """The first card of a set in pack order: the joker comes last."""
        return highest(cards & OTHERS or cards)

    @override
    def count_others(self, s: S, me: int, out: Buffer) -> int:
        if s.phase != BIDDING:
            return self.other_moves(s, me, out, 0)
        n = count(s.hand[me])
        return n * self.pairs(n - 1) // 3

    def pairs(self, cards: int) -> int:
        """The number of pairs among this many cards."""
        return cards * (cards - 1) // 2

    @override
    def nth_other(self, s: S, me: int, out: Buffer, k: int) -> int:
        """Build the k-th bid: bids that begin with the first card come first, then those with the second, and so on."""
        if s.phase != BIDDING:
            return out[k]
        hand = s.hand[me]
        after = count(hand) - 1
        while k >= self.pairs(after):
            k -= self.pairs(after)
            hand ^= bit(self.foremost(hand))
            after -= 1
        first = self.foremost(hand)
        hand ^= bit(first)
        after -= 1
        while k >= after:
            k -= after
            hand ^= bit(self.foremost(hand))
            after -= 1
        second = self.foremost(hand)
        hand ^= bit(second)
        for _ in range(k):
            hand ^= bit(self.foremost(hand))
        return say3(BID, first, second, self.foremost(hand))

    @override
    def apply(self, s: S, me: int, move: int) -> None:
        if s.phase == PLAY:
            self.play(s, item(move, 0))
        elif s.phase == BIDDING:
            self.lay_aside(s, me, cards_of(move))
        else:
            self.offer(s, me, move)

    def lay_aside(self, s: S, me: int, cards: Cards) -> None:
        s.bid[me] = cards
        s.hand[me] ^= cards  # NN-13
        s.to_act ^= only(me)
        if s.to_act == 0:
            if self.premiums == YES:
                await_move(s, PREMIUM, left_of(s, s.dealer))  # NN-16, NN-17, NN-18, NN-20
            else:
                self.begin_play(s)

    def offer(self, s: S, me: int, move: int) -> None:
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
        self.begin_play(s)

    def begin_play(self, s: S) -> None:
        s.phase = PLAY
        if s.players == 2:
            s.shown[DUMMY] = s.hand[DUMMY]  # NN-23
        self.begin_trick(s, left_of(s, s.dealer))  # NN-24

    def begin_trick(self, s: S, hand: int) -> None:
        take_lead(s, hand)
        if not self.is_dummy(s, hand):
            s.live = hand
        self.due(s, hand)

    def due(self, s: S, hand: int) -> None:
        """Let this hand play the next card; for the dummy, the last live leader chooses it, NN-28, NN-29."""
        s.turn = hand
        s.to_act = only(s.live if self.is_dummy(s, hand) else hand)

    def play(self, s: S, card: Card) -> None:
        hand = s.turn
        s.shown[hand] &= ~bit(card)
        s.played |= bit(card)
        counts_as = self.face(s, card)
        followed_by = self.with_joker(s, all_of(suit_of(counts_as)))
        put_in_trick(s, hand, card, followed_by, self.with_joker(s, beating(counts_as, s.trump)))  # NN-3, NN-26
        following = self.plays_after(s, hand)
        if following != s.leader:
            self.due(s, following)
        else:
            self.end_trick(s)

    def plays_after(self, s: S, hand: int) -> int:
        """The hand that plays next: NN-24; with two players the leader is followed by the other player, and then by the
        leader's or the dummy's hand, whichever has not played: NN-28, NN-29."""
        if s.players > 2:
            return left_of(s, hand)
        if hand == s.leader:
            return 1 - s.live
        return s.live + DUMMY - s.leader if hand == 1 - s.live else s.leader

    def end_trick(self, s: S) -> None:
        taker = win_trick(s)
        if s.hand[taker]:
            self.begin_trick(s, taker)  # NN-27, NN-29
        else:
            self.end_round(s)  # NN-30

    # ------------------------------------------------------------------------------------------------------------ score

    def end_round(self, s: S) -> None:
        s.leader = NOBODY
        s.last_made = 0
        for hand in range(self.hands(s)):
            s.last_bids[hand] = self.tricks_bid(s, s.bid[hand])
            s.last_tricks[hand] = s.tricks[hand]
            s.last_premium[hand] = s.premium[hand]
            if self.succeeds(s, hand):
                s.last_made |= only(hand)
        self.turn_bids_up(s)
        self.score(s)
        for seat in range(s.players):  # NN-37
            s.scores[seat] += s.last_gain[seat]
            s.game_points[seat] += s.last_gain[seat]
        self.end_of_game(s)
        winners = self.leaders(s)
        if self.is_over(s, winners):
            finish_match(s, DONE, winners)
        else:
            self.next_round(s)

    def succeeds(self, s: S, hand: int) -> bool:
        if self.is_dummy(s, hand):
            return s.tricks[hand] <= s.last_bids[hand]  # NN-40
        return s.tricks[hand] == s.last_bids[hand]

    def turn_bids_up(self, s: S) -> None:
        """NN-35, NN-51: turn the bid cards up that the option `show` reveals."""
        for hand in range(self.hands(s)):
            if self.show == ALL or among(s.last_made, hand) or self.is_dummy(s, hand):
                s.turned[hand] = s.bid[hand]
            s.told_bids[hand] = s.last_bids[hand] if s.turned[hand] else NO_BID

    def score(self, s: S) -> None:
        bonus = self.bonus[count(s.last_made)]  # NN-32, NN-36
        for hand in range(self.hands(s)):
            s.last_gain[hand] = s.tricks[hand] + (bonus if among(s.last_made, hand) else 0)  # NN-31, NN-34
        if s.players == 2 and s.tricks[DUMMY] == s.last_bids[DUMMY]:
            s.last_gain[DUMMY] += self.declared  # NN-40
        for seat in range(s.players):
            if s.premium[seat] != NOT_ASKED:
                self.score_premium(s, seat, self.revealed if s.premium[seat] == REVEALED else self.declared)

    def score_premium(self, s: S, seat: int, worth: int) -> None:
        """NN-33, NN-38: give the points of a premium to the seat, or to the others if it failed."""
        if among(s.last_made, seat):
            s.last_gain[seat] += worth
            return
        for other in range(self.hands(s)):
            if other != seat and (self.is_dummy(s, other) or not self.both_failed(s)):
                s.last_gain[other] += worth

    def both_failed(self, s: S) -> bool:
        """NN-39: whether, with two players, both have declared and neither has succeeded."""
        return (
            s.players == 2 and s.premium[0] == DECLARED and s.premium[1] == DECLARED and s.last_made & everybody(2) == 0
        )

    def end_of_game(self, s: S) -> None:
        """NN-44 to NN-46: record who has won the game, if it is over, and pay the game bonuses."""
        s.game_won = 0
        if self.match != GAMES:
            return
        for seat in range(s.players):
            if s.game_points[seat] >= self.game_at:
                s.fresh = 1
                if among(s.last_made, seat):
                    s.game_won |= only(seat)
                    s.bonuses[seat] += 1
                    s.scores[seat] += self.game_bonus

    def leaders(self, s: S) -> int:
        """The set of seats that would win now: NN-41; with games, NN-47."""
        winners = highest_scores(s)
        if self.match == GAMES:
            winners &= seats_with(s, s.bonuses, self.most_bonuses(s, winners))
        return winners

    def most_bonuses(self, s: S, seats: int) -> int:
        most = 0
        for seat in range(s.players):
            if among(seats, seat):
                most = max(most, s.bonuses[seat])
        return most

    def is_over(self, s: S, winners: int) -> bool:
        if s.deals == self.most_rounds:
            return True  # NN-43
        if self.match == ROUNDS:
            return s.deals == self.rounds  # NN-53
        if self.match != GAMES:
            return s.scores[lowest(winners)] >= self.target and not several(winners)  # NN-41, NN-42
        return highest_in(s, s.bonuses) >= self.bonuses  # NN-47

    def next_round(self, s: S) -> None:
        if s.fresh:  # NN-46
            s.game_no += 1
            for seat in range(s.players):
                s.game_points[seat] = 0
        await_deal(s, left_of(s, s.dealer))  # NN-7
