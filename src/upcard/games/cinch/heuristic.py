"""Cinch by rules of thumb: bid what the hand promises, and play the card that wins most or risks least for the side.

Chances are whole numbers out of SURE; values are fractions of a POINT. The weights were tuned by playing many matches.
"""

from upcard.rules import *

from .rules import *

SURE = 1024
LEAST = -1000 * SURE
POINT = 10
MOST, AT_HIDDEN, AT_PEDROS = 7, 8, 16
"""The largest number of points that is distinguished, and the first feature for hidden points and for hidden pedros."""
PROMISE = (2, 3, 4, 7, 6, 6, 8, 8, 10, 12, 13, 17, 27)
"""The promise of a trump in the hand to the side that names its suit, by rank from the two to the ace."""
ALONE = 44
"""The promise of a hand without any trump."""
MARGIN = 15
"""The margin by which a bid stays below the hand's promise."""
ANY_TRUMP = 100
"""The extra usefulness of a trump over any other card."""
KEEP_TRUMP = (2, 2, 2, 3, 3, 3, 3, 4, 4, 6, 10, 14, 17, 18)
"""The cost of spending a trump, by its place; a pedro costs more."""
KEEP_PEDRO = 18
KEEP_PLAIN = (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3)
"""The cost of spending a plain card, by rank."""
TO_TAKE = 4
"""The value of a trick, apart from the points in it."""
FOR_LOW = 9
"""The extra value of a two or three of trumps in a trick."""
TO_DRAW = 6
"""The extra value, for the declarers, of leading a trump that takes the trick."""
OTHERS_LAST = 5
"""The number of other cards that may be with a hidden card while the others have two each."""
OURS, THEIRS = 25, 25
"""The value of a pedro that the partner, or an opponent, may still play to the trick."""


class CinchHeuristic(CinchRules[S]):
    """The heuristic player of Cinch, and the features of its learned policy."""

    SITUATIONS = 6
    TRAITS = 28
    UNITS = 16
    SURROUNDINGS = 19
    IDLE = ("stub", "discards")

    # ----------------------------------------------------------------------------------------- for proofs and inference

    @override
    def lasting(self, s: S) -> Cards:
        """Trumps, which are never thrown away: CI-13."""
        return s.trumps

    @override
    def apart(self, s: S) -> Cards:
        """Trumps, because they score."""
        return s.trumps

    # ------------------------------------------------------------------------------------------- for the learned policy

    @override
    def situation(self, s: S, me: int) -> int:
        """Whether the seat's side declares, and whether nobody, its own side or the other side is winning the trick."""
        declares = int(s.declarer != NOBODY and self.same_side(me, s.declarer))
        return 3 * declares + (0 if s.led == 0 else 1 if self.same_side(me, s.ahead) else 2)

    @override
    def surroundings(self, s: S, me: int) -> Cards:
        """The points that the declarers still need, and the points and pedros that are hidden."""
        if s.phase != PLAY:
            return 0
        hidden = self.hidden_trumps(s, me)
        needed = s.bid - self.value_of(s, self.won_by(s, s.declarer))
        features = bit(max(0, min(MOST, needed))) | bit(AT_HIDDEN + min(MOST, self.value_of(s, hidden) // 2))
        return features | bit(AT_PEDROS + min(2, count(self.pedros(s) & hidden)))

    @override
    def traits(self, s: S, me: int, move: int) -> Cards:
        """For a bid: the surplus of the hand's promise, and the partner's bid. For a card: what it adds to the trick,
        who gets that, and the number of trumps that are still above it."""
        if s.phase == BID:
            partner = s.bids[self.partner_of(me)]
            bids = item(move, 0) if move != PASS else s.bid + 1
            spare = self.best_promise(s.hand[me]) - POINT * bids
            bid_by_partner = bit(10) if partner > 0 else bit(11) if partner == PASSED else bit(12)
            return bit(min(9, max(0, spare // 6 + 5))) | bid_by_partner
        return self.traits_of_card(s, me, move) if s.phase == PLAY else 0

    def traits_of_card(self, s: S, me: int, one: Card) -> Cards:
        hidden = self.hidden_trumps(s, me)
        takes = s.better & bit(one) != 0
        trump = s.trumps & bit(one) != 0
        mine = self.value_of(s, bit(one))
        pot = mine + self.value_of(s, cards_in_trick(s))
        features = bit(0 if mine >= self.pedro else 1 if mine else 2 if self.is_low(s, me, one) else 3)
        behind = count(hidden & self.better_than(s, one if takes or s.led == 0 else s.card[s.ahead]))
        features |= bit(4 + min(behind, 3))
        if takes:
            features |= bit(8 if pot == 0 else 9 if pot < self.pedro else 10)
            features |= bit(11) if s.led and self.same_side(me, s.ahead) else 0
        else:
            features |= bit(12 if pot == 0 else 13 if pot < self.pedro else 14)
        if trump:
            features |= bit(15 + min(3, count(self.pedros(s) & hidden)))
            features |= bit(19 if self.place_of(s, one) > self.place_of(s, card(FIVE, s.trump)) else 20)
            features |= bit(21 + min(3, count(s.hand[me] & s.trumps)))
            features |= bit(25) if takes and behind == 0 else 0
        return features | (bit(26) if hidden == 0 else 0)

    def best_promise(self, hand: Cards) -> int:
        """The `promise` of the best suit."""
        hopes = 0
        for suit in range(4):
            hopes = max(hopes, self.promise(hand, suit))
        return hopes

    # ------------------------------------------------------------------------------------------------------ all choices

    @override
    def choose(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        if s.phase == PLAY:
            return self.choose_card(s, me, moves, n)
        if s.phase == BID:
            return self.choose_bid(s, me, moves, n)
        best = moves[0]
        most = LEAST
        for i in range(n):
            worth = self.worth_of_word(s, me, moves[i])
            if worth > most:
                best = moves[i]
                most = worth
        return best

    # ---------------------------------------------------------------------------------------- bidding, filling the hand

    def promise(self, hand: Cards, trump: Suit) -> int:
        """The points that the side can expect if this seat names the suit."""
        points = ALONE
        trumps = hand & self.all_trumps(trump)
        while trumps:
            points += PROMISE[rank_of(lowest(trumps))]
            trumps &= trumps - 1
        return points

    def choose_bid(self, s: S, me: int, moves: Buffer, n: int) -> int:
        """Bid what the best suit promises; the dealer, who bids last, bids no more than necessary."""
        hopes = self.best_promise(s.hand[me]) - MARGIN
        best = PASS
        for i in range(n):
            if moves[i] != PASS and POINT * item(moves[i], 0) <= hopes and (best == PASS or me != s.dealer):
                best = moves[i]
        return best

    def worth_of_word(self, s: S, me: int, move: int) -> int:
        if s.phase == TRUMP:
            return self.promise(s.hand[me], item(move, 0))
        if s.phase != DISCARD:
            return self.use(s, item(move, 0))
        thrown = cards_of(move)
        worth = 0
        while thrown:
            worth -= self.use(s, lowest(thrown))
            thrown &= thrown - 1
        return worth

    def use(self, s: S, one: Card) -> int:
        """The usefulness of a card in the hand."""
        if s.trumps & bit(one) == 0:
            return rank_of(one)
        return ANY_TRUMP + self.place_of(s, one) + 2 * POINT * self.value_of(s, bit(one))

    def place_of(self, s: S, one: Card) -> int:
        """The place of a trump in the order of CI-3: from the two, 0, to the ace, 13. The left pedro, 3, is just below
        the right one."""
        rank = rank_of(one)
        return rank + 1 if suit_of(one) == s.trump and rank >= FIVE else rank

    # --------------------------------------------------------------------------------------------------------- the play

    def choose_card(self, s: S, me: int, moves: Buffer, n: int) -> int:
        unseen = self.hidden_trumps(s, me)
        left = left_of(s, me)
        to_left = self.weight(s, left)
        to_right = self.weight(s, self.partner_of(left))
        to_mate = self.weight(s, self.partner_of(me))
        every = max(1, to_left + to_right + to_mate)
        at_left = SURE * to_left // every
        at_right = SURE * to_right // every
        mate = SURE * to_mate // every
        best = moves[0]
        most = LEAST
        for i in range(n):
            worth = self.worth_of(s, me, moves[i], unseen, at_left, mate, at_right)
            if worth > most:
                best = moves[i]
                most = worth
        return best

    def hidden_trumps(self, s: S, me: int) -> Cards:
        """The trumps that this seat has not seen."""
        seen = s.hand[me] | s.left | self.all_played(s)
        for seat in range(SEATS):
            seen |= s.dead[seat]
        return s.trumps & ~seen

    def weight(self, s: S, seat: int) -> int:
        """The number of hidden trumps that a seat probably holds, relative to the other seats."""
        if s.lacks[seat] & s.trumps:
            return 0
        trumps_left = max(0, s.kept[seat] - count(s.played[seat] & s.trumps))
        others = self.size - count(s.played[seat]) - trumps_left
        return 4 * trumps_left + (3 if seat == s.robber else 1) * others

    def has_any(self, chance: int, cards: Cards) -> int:
        """The chance that a seat holds any of these cards, if it holds each with `chance`."""
        none = SURE
        while cards:
            none = none * (SURE - chance) // SURE
            cards &= cards - 1
        return SURE - none

    def to_come(self, s: S, me: int, seat: int) -> bool:
        """Whether `seat` plays to this trick after `me`."""
        return (seat - s.leader) % SEATS > (me - s.leader) % SEATS

    def worth_of(self, s: S, me: int, one: Card, unseen: Cards, at_left: int, mate: int, at_right: int) -> int:
        """The value of the trick if this card is played, minus the cost of spending the card.

        `unseen` are the hidden trumps; `at_left`, `mate` and `at_right` are the chances that the seat on the left, the
        partner and the seat on the right hold any one of them.
        """
        takes = s.better & bit(one) != 0
        left = left_of(s, me)
        left_plays = self.to_come(s, me, left)
        mate_plays = self.to_come(s, me, self.partner_of(me))
        right_plays = self.to_come(s, me, self.partner_of(left))
        above = self.better_than(s, one if takes else s.card[s.ahead]) & unseen
        left_over = self.has_any(at_left, above) if left_plays else 0
        right_over = self.has_any(at_right, above) if right_plays else 0
        mate_over = self.has_any(mate, above) if mate_plays else 0
        if takes or self.same_side(me, s.ahead):
            win = (SURE - left_over) * (SURE - right_over) // SURE
            win += (SURE - win) * mate_over // (2 * SURE)
        else:
            win = mate_over * (SURE - right_over) // SURE
        five = self.pedros(s) & unseen
        ours = self.has_any(mate, five) if mate_plays else 0
        theirs = self.has_any(at_left, five) if left_plays else 0
        theirs += self.has_any(at_right, five) if right_plays else 0
        draws = me == s.leader and s.trumps & bit(one) != 0 and self.same_side(me, s.declarer)
        pot = POINT * self.value_of(s, cards_in_trick(s) | bit(one)) + TO_TAKE
        pot += (FOR_LOW if self.is_low(s, me, one) else 0) + (TO_DRAW if draws else 0)
        gain = pot + OURS * ours // SURE
        risk = pot + THEIRS * theirs // SURE
        now = (gain * win - risk * (SURE - win)) // SURE
        rest = s.hand[me] & ~bit(one)
        if count(rest) != 1:
            return now - self.keep(s, one)
        if s.led:
            to_come = left_plays + mate_plays + right_plays
            return now + self.last_trick(s, me, lowest(rest), unseen, SURE * (SEATS - 1) // (SEATS - 1 + to_come))
        stay = SURE * max(0, count(unseen) - 1) // (2 * OTHERS_LAST) if s.trumps & bit(one) else SURE
        pot += POINT * self.value_of(s, unseen) * (SURE - stay) // SURE
        return pot * (2 * win - SURE) // SURE + self.last_trick(s, me, lowest(rest), unseen, stay)

    def last_trick(self, s: S, me: int, one: Card, unseen: Cards, stay: int) -> int:
        """The value of the last trick if this is the card left for it, and each hidden trump is still out with the
        chance `stay`. A trump takes it unless somebody holds a higher one; otherwise one of the others who may hold
        trumps takes it."""
        low = self.is_low(s, me, one) or bit(card(TWO, s.trump)) & unseen
        pot = POINT * self.value_of(s, bit(one)) + TO_TAKE + (FOR_LOW if low else 0)
        pot += POINT * self.value_of(s, unseen) * stay // SURE
        over = self.better_than(s, one) & unseen
        taken = SURE - self.has_any(stay, over) if s.trumps & bit(one) else 0
        ours = int(s.lacks[self.partner_of(me)] & s.trumps == 0)
        theirs = int(s.lacks[left_of(s, me)] & s.trumps == 0)
        theirs += int(s.lacks[self.partner_of(left_of(s, me))] & s.trumps == 0)
        return (pot * taken - pot * (SURE - taken) * (theirs - ours) // max(1, theirs + ours)) // SURE

    def is_low(self, s: S, me: int, one: Card) -> bool:
        """Whether a card in hand is probably the lowest trump of the deal."""
        two = bit(card(TWO, s.trump))
        return bit(one) == two or (one == card(THREE, s.trump) and (self.all_played(s) | s.hand[me]) & two == 0)

    def all_played(self, s: S) -> Cards:
        return s.played[0] | s.played[1] | s.played[2] | s.played[3]

    def keep(self, s: S, one: Card) -> int:
        """The cost of spending a card."""
        if s.trumps & bit(one) == 0:
            return KEEP_PLAIN[rank_of(one)]
        if self.pedros(s) & bit(one):
            return KEEP_PEDRO
        return KEEP_TRUMP[self.place_of(s, one)]
