"""Klaberjass by rules of thumb: weigh the hand before bidding, declare every sequence, play by what each card risks.

Chances are whole numbers out of SURE; values are tenths of a card point. The weights were tuned by self-play.
"""

from upcard.rules import *
from upcard.rules.open_hands import MINE, OWN, THEIRS, TURN, OpenHands

from .rules import *

SURE = 1024
TENTHS = 10

# for the learned policy
AHEAD, AHEADS = 15, 8
"""The lead in points is distinguished in steps of AHEAD points, in AHEADS steps."""
AT_STRENGTH = 11
"""The number of traits for the value of the hand, each for naming a suit, for passing, for offering to throw in, and
for the answer to such an offer. The traits of cards come after them."""
AT_CARD = 4 * AT_STRENGTH
STRENGTH = 130

# in the bidding
TRUMPS = values(A=190, K=190, Q=130, J=560, T=200, **{"9": 310, "8": 110, "7": 60})
PLAIN = values(A=120, K=-20, Q=-90, J=-70, T=20, **{"9": -70, "8": -40})
BASE = -660
AS_DEALER = 60
IN_ROUND_2 = -30
THIRD_TRUMP, FOURTH_TRUMP = 220, 70
HAS_BELA = 180
HAS_SEQUENCE = 140
DOUBTFUL = -70
"""In the first round of bidding, a hand worth more than this is better thrown in than left to the other player."""
HOPELESS = -600
"""A hand worth less than this with the other player's trump suit is poor against it, and best thrown in."""
HOPELESS_IN_ROUND_2 = -1500
"""The same limit for the sum over the three suits that the other player may name."""
LEAST = -1000 * SURE

# in the play
KEEP_TRUMP = values(A=70, K=30, Q=30, J=220, T=100, **{"9": 200, "8": 50, "7": 20})
TO_RUFF = values(J=60, **{"9": 30})
"""The extra cost of ruffing with a top trump: it takes a trick that any trump takes, and no longer one of its own."""
KEEP_ACE, KEEP_OTHER = 30, -10
"""The value of a card in the hand: for an ace, and for any other card."""
TO_TAKE = 40
"""The value of a trick, apart from the cards in it."""
TO_LEAD = 15
LEADING = 7
"""The cost of leading a card, in tenths of its value in the hand."""
TWO_LEFT = 2
"""The number of cards in hand at which the last trick is considered too."""
FEW = 3
"""The largest hand from which an ace is no longer saved."""
DRAW_AS_MAKER, DRAW_AS_DEFENDER = -25, -60
"""The extra value of leading a trump, for the maker and for the defender."""
LAST_CARDS = 4
"""The largest hands that are played out with open cards."""
HANDS = (20, 40)
"""The number of hands of the other player against which casual and medium players do that."""
MY_POINTS, THEIR_POINTS = OWN, OWN + 1
"""In a step of the search, the points of both seats."""


class KlaberjassHeuristic(KlaberjassRules[S], OpenHands[S]):
    """The heuristic player of Klaberjass, and the features of its learned policy."""

    INFERS = 1.0
    """The share of an expert's worlds that are drawn by the likelihood of the other player's actions."""
    IDLE = ("undealt", "under")

    SITUATIONS = 4
    TRAITS = 56
    UNITS = 16
    SURROUNDINGS = 9

    @override
    def situation(self, s: S, me: int) -> int:
        """In the play, whether the seat is the maker and whether few cards are left; in the bidding, the round."""
        if s.phase != PLAY:
            return s.round & 1
        return int(s.maker == me) + (2 if count(s.hand[me]) <= FEW else 0)

    @override
    def surroundings(self, s: S, me: int) -> Cards:
        """The number of points by which the seat is ahead in this deal."""
        return bit(step(s.points[me] - s.points[1 - me], AHEAD, AHEADS)) if s.phase == PLAY else 0

    @override
    def traits(self, s: S, me: int, move: int) -> Cards:
        """For a bid, the value of the hand. For a card, the contents of the trick that it takes or gives, or how easily
        it is beaten."""
        verb = verb_of(move)
        if s.phase in (BID, NAMING, ANSWER):
            if verb in (ACCEPT, NAME):
                suit = suit_of(s.upcard) if verb == ACCEPT else item(move, 0)
                return bit(step(self.hand_strength(s, me, suit), STRENGTH, AT_STRENGTH - 1))
            about = 3 if s.phase == ANSWER else 2 if move == SCHMEISS else 1
            if move == NO:
                return 0
            return bit(about * AT_STRENGTH + step(self.best_strength(s, me), STRENGTH, AT_STRENGTH - 1))
        if s.phase != PLAY:
            return 0
        played = item(move, 0)
        if s.led == 0:
            return bit(AT_CARD + min(3, self.beaten_if_led(s, me, played) * 4 // SURE))
        trick = self.points_of(s, played) + self.points_of(s, s.card[s.leader])
        much = 0 if trick == 0 else 1 if trick < self.value[TEN] else 2 if trick < self.trump_value[NINE] else 3
        return bit(AT_CARD + 4 + much + (4 if s.better & bit(played) else 0))

    def best_strength(self, s: S, me: int) -> int:
        """The value of the hand with the best trump suit that the seat may name, or, in an answer, that the other
        player may name."""
        if s.round == 1:
            return self.hand_strength(s, me, suit_of(s.upcard))
        most = LEAST
        for suit in range(4):
            if suit != suit_of(s.upcard):
                most = max(most, self.hand_strength(s, me, suit))
        return most

    @override
    def over(self, s: S, card: Card) -> Cards:
        """The cards that beat a card in its suit."""
        return stronger(self.trump_above, card) if suit_of(card) == s.trump else stronger(self.above, card)

    # ------------------------------------------------------------------------------------------------------ all choices

    @override
    def choose(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        if s.phase == PLAY:
            return self.choose_card(s, me, moves, n, luck)
        if s.phase == DECLARE:
            return self.choose_word(moves, n)
        if s.phase == ANSWER:
            return self.choose_answer(s, me)
        return self.choose_bid(s, me, moves, n)

    def offered(self, moves: Buffer, n: int, move: int) -> bool:
        i = 0
        while i < n and moves[i] != move:
            i += 1
        return i < n

    # ------------------------------------------------------------------------------------------------------ the bidding

    def hand_strength(self, s: S, me: int, trump: Suit) -> int:
        """The value of this seat's six cards with this trump suit. Above 0 it pays to be the maker."""
        cards = s.hand[me]
        seven = bit(card(self.dix, trump))
        if s.round == 1 and cards & seven:
            cards = cards ^ seven | bit(s.upcard)
        worth = BASE + (AS_DEALER if me == s.dealer else 0) + (IN_ROUND_2 if s.round == 2 else 0)
        trumps = count(of_suit(cards, trump))
        worth += (THIRD_TRUMP if trumps >= 3 else 0) + (FOURTH_TRUMP if trumps >= 4 else 0)
        if cards & self.bela_of(trump) == self.bela_of(trump):
            worth += HAS_BELA
        return worth + HAS_SEQUENCE * count(self.tops(cards)) + self.sum_of_cards(cards, trump)

    def sum_of_cards(self, cards: Cards, trump: Suit) -> int:
        worth = 0
        while cards:
            one = lowest(cards)
            cards &= cards - 1
            worth += TRUMPS[rank_of(one)] if suit_of(one) == trump else PLAIN[rank_of(one)]
        return worth

    def choose_bid(self, s: S, me: int, moves: Buffer, n: int) -> int:
        best = PASS
        most = LEAST
        for i in range(n):
            verb = verb_of(moves[i])
            if verb in (ACCEPT, NAME):
                worth = self.hand_strength(s, me, suit_of(s.upcard) if verb == ACCEPT else item(moves[i], 0))
                if worth > most:
                    best = moves[i]
                    most = worth
        if most > 0 or s.phase != BID:
            return best
        return SCHMEISS if s.round == 1 and most > DOUBTFUL and self.offered(moves, n, SCHMEISS) else PASS

    def choose_answer(self, s: S, me: int) -> int:
        upcard = suit_of(s.upcard)
        if s.round == 1:
            return YES if self.hand_strength(s, me, upcard) < HOPELESS else NO
        total = 0
        for suit in range(4):
            if suit != upcard:
                total += self.hand_strength(s, me, suit)
        return YES if total < HOPELESS_IN_ROUND_2 else NO

    # ------------------------------------------------------------------------------------------------- the declarations

    def choose_word(self, moves: Buffer, n: int) -> int:
        """The dix first; then the strongest declaration that the seat's sequence allows."""
        if self.offered(moves, n, DIX):
            return DIX
        best = moves[0]
        for i in range(1, n):
            if moves[i] != NONE and moves[i] != GOOD:
                best = moves[i]
        return best

    # --------------------------------------------------------------------------------------------------------- the play

    def choose_card(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        """The best card, with a call of bela if that is possible, unless all points will fall to the other player."""
        best = moves[0]
        most = LEAST
        for i in range(n):
            if verb_of(moves[i]) == 0:
                worth = self.worth_of_reply(s, me, moves[i]) if s.led else self.worth_of_lead(s, me, moves[i])
                worth = 4 * worth + (luck >> 2 * i & 3)
                if worth > most:
                    best = moves[i]
                    most = worth
        return BELA | best if self.offered(moves, n, BELA | best) and not self.is_bate(s, me, best) else best

    def is_bate(self, s: S, me: int, played: Card) -> bool:
        """Whether this seat is the maker and can no longer come out ahead."""
        if s.led and count(s.hand[me]) == TWO_LEFT:
            return self.worth_of_end(s, me, played, self.bela_points) < self.worth_of_end(s, me, played, 0)
        known = s.shown[1 - me]
        theirs = self.points_in(s, known) + self.value[ACE] * (count(s.hand[me]) - count(known))
        to_come = self.bela_points + self.last_trick + self.points_in(s, s.hand[me]) + theirs
        return s.maker == me and s.points[me] + to_come <= s.points[1 - me]

    def keep(self, s: S, me: int, one: Card) -> int:
        """The cost of spending a card."""
        rank = rank_of(one)
        if suit_of(one) == s.trump:
            return KEEP_TRUMP[rank]
        return KEEP_ACE if rank == ACE and count(s.hand[me]) > FEW else KEEP_OTHER

    def worth_of_reply(self, s: S, me: int, played: Card) -> int:
        if count(s.hand[me]) == TWO_LEFT:
            return self.worth_of_end(s, me, played, 0)
        mine = TENTHS * self.points_of(s, played)
        if s.better & bit(played):
            worth = mine + TENTHS * self.points_of(s, s.card[s.leader]) + TO_TAKE - self.keep(s, me, played)
            return worth - (TO_RUFF[rank_of(played)] if suit_of(played) != suit_of(s.card[s.leader]) else 0)
        return -mine - self.keep(s, me, played)

    def worth_of_end(self, s: S, me: int, played: Card, bela: int) -> int:
        """The result of the deal if this card is played to the last trick but one, averaged over the other player's
        last cards, with `bela` points for bela."""
        theirs = s.shown[1 - me] if s.shown[1 - me] else self.may_hold(s, me)
        takes = s.better & bit(played) != 0
        trick = self.points_of(s, played) + self.points_of(s, s.card[s.leader])
        own = s.points[me] + bela + (trick if takes else 0)
        other = s.points[1 - me] + (0 if takes else trick)
        last = lowest(s.hand[me] & ~bit(played))
        many = max(1, count(theirs))
        worth = 0
        while theirs:
            card = lowest(theirs)
            theirs &= theirs - 1
            trick = self.points_of(s, last) + self.points_of(s, card) + self.last_trick
            wins = not self.takes_from(s, card, last) if takes else self.takes_from(s, last, card)
            worth += self.outcome(s, me, own + trick, other) if wins else self.outcome(s, me, own, other + trick)
        return TENTHS * worth // many

    def takes_from(self, s: S, one: Card, led: Card) -> bool:
        """Whether a card takes the trick from the card led."""
        if suit_of(one) == suit_of(led):
            return self.over(s, led) & bit(one) != 0
        return suit_of(one) == s.trump

    def outcome(self, s: S, me: int, own: int, other: int) -> int:
        """The score of this seat minus the other's if they made this many points in the deal: KJ-54 to KJ-56."""
        if s.maker == me:
            return own - other if own > other else -other if own == other else -own - other
        return own - other if other > own else own if own == other else own + other

    def worth_of_lead(self, s: S, me: int, led: Card) -> int:
        mine = TENTHS * self.points_of(s, led)
        beaten = self.beaten_if_led(s, me, led)
        if count(s.hand[me]) == TWO_LEFT:
            last = lowest(s.hand[me] & ~bit(led))
            theirs = self.after(s, me, led)
            on_lead = mine + TO_LEAD + self.worth_of_last(s, theirs, last, True)
            off_lead = self.worth_of_last(s, theirs, last, False) - mine - TO_LEAD
            return ((SURE - beaten) * on_lead + beaten * off_lead) // SURE
        risk = ((SURE - beaten) * (mine + TO_LEAD) - beaten * mine) // SURE
        drawing = 0
        if suit_of(led) == s.trump:
            drawing = DRAW_AS_MAKER if s.maker == me else DRAW_AS_DEFENDER
        return risk + drawing - LEADING * self.keep(s, me, led) // TENTHS

    def points_in(self, s: S, cards: Cards) -> int:
        """The points of these cards."""
        trumps = total_worth(of_suit(cards, s.trump), self.trump_value)
        return trumps + total_worth(cards & ~all_of(s.trump), self.value)

    def after(self, s: S, me: int, led: Card) -> Cards:
        """The set of cards of which the other player, who has two, may have one left after this lead."""
        known = s.shown[1 - me]
        cards = known if count(known) == TWO_LEFT else self.may_hold(s, me)
        others = cards & ~all_of(suit_of(led))
        return others if others else cards

    def worth_of_last(self, s: S, theirs: Cards, last: Card, leads: bool) -> int:
        """The result of the last trick with the card `last`, led or played second, if the other player's card is any of
        `theirs`."""
        many = max(1, count(theirs))
        trump = suit_of(last) == s.trump
        over = stronger(self.trump_above if trump else self.above, last)
        if leads and not trump:
            over |= all_of(s.trump)
        elif not trump:
            over |= ~all_of(suit_of(last))
        lost = count(theirs & over)
        trick = many * (self.points_of(s, last) + self.last_trick) + self.points_in(s, theirs)
        return TENTHS * trick * (many - 2 * lost) // (many * many)

    def beaten_if_led(self, s: S, me: int, led: Card) -> int:
        """The chance that the other player can take the trick after this lead."""
        suit = suit_of(led)
        if suit == s.trump:
            return self.holds(s, me, stronger(self.trump_above, led))
        void = SURE - self.holds(s, me, all_of(suit))
        over = self.holds(s, me, stronger(self.above, led))
        return min(SURE, over + void * self.holds(s, me, all_of(s.trump)) // SURE)

    def holds(self, s: S, me: int, cards: Cards) -> int:
        """The chance that the other player, who has not yet played to this trick, holds at least one of these cards."""
        known = s.shown[1 - me]
        if cards & known:
            return SURE
        pool = self.may_hold(s, me) & ~known
        many = count(pool)
        elsewhere = many - (count(s.hand[me]) - count(known))
        none = SURE
        for i in range(count(cards & pool)):
            none = none * max(0, elsewhere - i) // (many - i)
        return SURE - none

    def may_hold(self, s: S, me: int) -> Cards:
        """The cards that the other player may hold."""
        out = s.hand[me] | s.played[0] | s.played[1] | bit(s.upcard) | s.lacks[1 - me]
        if s.bottom != NO_CARD:
            out |= bit(s.bottom)
        return self.pack & ~out

    # ----------------------------------------------------------------------- the last cards, searched for both players

    @override
    def reconsider(self, s: S, me: int, moves: Buffer, n: int, move: int, careful: int) -> int:
        """The last cards are played out with open cards against hands that the other player may have."""
        size = count(s.hand[me])
        if s.phase != PLAY or size > LAST_CARDS or (s.holder != NOBODY and s.tricks[s.holder] == 0):
            return move
        for i in range(n):
            if verb_of(moves[i]) != 0:
                return move
        known = s.shown[1 - me]
        hidden = self.may_hold(s, me) & ~known
        hidden &= ~bit(s.card[1 - me]) if s.led else hidden
        return self.better_in_some(s, me, moves, n, move, known, hidden, HANDS[careful])

    @override
    def value_after(self, s: S, me: int, move: int, theirs: Cards, least: int, room: Buffer, at: int) -> int:
        """The score of this seat minus the other's."""
        self.begin_search(s, me, theirs, least, room, at)
        room[at + MY_POINTS] = s.points[me]
        room[at + THEIR_POINTS] = s.points[1 - me] + (
            self.bela_points if s.called[1 - me] and not s.bela[1 - me] else 0
        )
        return self.value_of_card(s, me, move, room, at)

    @override
    def answers(self, s: S, hand: Cards, led: Card) -> Cards:
        """KJ-42 to KJ-44."""
        follow = of_suit(hand, suit_of(led))
        if suit_of(led) == s.trump:
            return follow & stronger(self.trump_above, led) or follow or hand
        return follow or of_suit(hand, s.trump) or hand

    @override
    def finish_trick(self, s: S, me: int, led: Card, reply: Card, room: Buffer, at: int) -> None:
        if not self.takes_from(s, reply, led):
            room[at + TURN] = 1 - room[at + TURN]
        points = self.points_of(s, led) + self.points_of(s, reply)
        points += 0 if room[at + MINE] | room[at + THEIRS] else self.last_trick
        room[at + (MY_POINTS if room[at + TURN] else THEIR_POINTS)] += points

    @override
    def is_decided(self, s: S, room: Buffer, at: int) -> bool:
        return room[at + MINE] == 0

    @override
    def decided_value(self, s: S, me: int, room: Buffer, at: int) -> int:
        return self.outcome(s, me, room[at + MY_POINTS], room[at + THEIR_POINTS])
