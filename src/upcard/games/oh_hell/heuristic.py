"""Oh Hell by rules of thumb: weigh every card by its chance of taking a trick, and aim at the bid.

Chances are whole numbers out of SURE.
"""

from upcard.rules import *

from .rules import *

SURE = 1024
TWO_LEFT = 2
"""The number of cards in hand at which the scores of all seats after the last tricks are estimated."""
LEAST = -(1 << 50)
AT_MORE, AT_AHEAD = 5, 10
"""The first feature for the surplus of tricks bid, and for the tricks still missing to the bid of the seat that is
winning the trick."""
EIGHTHS = 8
AT_BID, AT_SOON, AT_LATER = 0, 13, 22
"""The first trait of a bid, and of a card: for its chance to take this trick, and for how near it brings the tricks to
the bid."""


class OhHellHeuristic(OhHellRules[S]):
    """The heuristic of Oh Hell, and the features for its learned policy."""

    SITUATIONS = 8
    TRAITS = 35
    UNITS = 16
    SURROUNDINGS = 15
    INFERS = 0.7
    """The share of an expert's worlds that are drawn by the likelihood of what the others bid and played."""
    IDLE = ("undealt",)

    # ------------------------------------------------------------------------------------------------------- for proofs

    @override
    def apart(self, s: S) -> Cards:
        """None: only the number of tricks counts."""
        return 0

    # ------------------------------------------------------------------------------------------- for the learned policy

    @override
    def situation(self, s: S, me: int) -> int:
        """In the bidding, the size of the hand. In the play, the number of tricks missing to the bid, whether these are
        all the remaining tricks, and whether more tricks are bid than there are."""
        if s.phase != PLAY:
            return min(3, s.size // 3)
        bids = 0
        for seat in range(s.players):
            bids += s.bids[seat]
        more = 4 if bids > s.size else 0
        missing = s.bids[me] - s.tricks[me]
        if missing <= 0:
            return more
        return more + (3 if missing >= count(s.hand[me]) else min(missing, 2))

    @override
    def surroundings(self, s: S, me: int) -> Cards:
        """The tricks missing to the seat's own bid, and to the bid of the seat that is winning the trick; the surplus
        of tricks bid."""
        if s.phase != PLAY:
            return 0
        more = -s.size
        for seat in range(s.players):
            more += s.bids[seat]
        features = bit(self.still_missing(s, me)) | bit(AT_MORE + step(more, 1, 4))
        return features | (bit(AT_AHEAD + self.still_missing(s, s.ahead)) if s.led else 0)

    def still_missing(self, s: S, seat: int) -> int:
        """From 0 if a seat has taken too many tricks to 4 if it is three or more short of its bid."""
        return max(0, min(4, s.bids[seat] - s.tricks[seat] + 1))

    @override
    def traits(self, s: S, me: int, move: int) -> Cards:
        """How far the expected tricks are from the bid; for a card also its chance to take this trick."""
        expected = self.in_hand(s, me)
        if s.phase != PLAY:
            return bit(AT_BID + step(SURE * item(move, 0) - expected, SURE // 3, 12))
        soon = self.now(s, me, move)
        off = expected - self.in_the_end(s, me, move) + soon - SURE * (s.bids[me] - s.tricks[me])
        return bit(AT_SOON + EIGHTHS * soon // SURE) | bit(AT_LATER + step(off, SURE // 3, 12))

    # ------------------------------------------------------------------------------------------------------ all choices

    @override
    def choose(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        return self.choose_bid(s, me, moves, n) if s.phase == BID else self.choose_card(s, me, moves, n)

    def choose_bid(self, s: S, me: int, moves: Buffer, n: int) -> int:
        """The bid with the best prospect: the nearer it is to the expected tricks, the likelier it is made."""
        tricks = self.in_hand(s, me)
        reach = SURE + SURE * s.size // 8
        best = moves[0]
        best_worth = -1
        for i in range(n):
            bid = item(moves[i], 0)
            likely = reach - abs(SURE * bid - tricks)
            worth = likely * self.points_for(s.size, bid, bid)
            if worth > best_worth:
                best = moves[i]
                best_worth = worth
        return best

    def choose_card(self, s: S, me: int, moves: Buffer, n: int) -> int:
        """The card after which the expected tricks come nearest to the missing ones. If all are missing, the lead that
        is likeliest to take all."""
        if count(s.hand[me]) == TWO_LEFT:
            return self.choose_of_two(s, me, moves, n)
        needs_all = s.bids[me] - s.tricks[me] == count(s.hand[me])
        missing = SURE * (s.bids[me] - s.tricks[me])
        tricks = self.in_hand(s, me)
        best = moves[0]
        most = LEAST
        for i in range(n):
            if needs_all and s.led == 0:
                worth = self.chance_of_all(s, me, moves[i])
            else:
                worth = -abs(missing - (tricks - self.in_the_end(s, me, moves[i]) + self.now(s, me, moves[i])))
            if worth > most:
                best = moves[i]
                most = worth
        return best

    def chance_of_all(self, s: S, me: int, led: Card) -> int:
        """The chance to take all tricks if this card is led first, in units of 1 / SURE ** 2. What it draws from the
        others can no longer beat the rest of the hand."""
        chance = SURE * self.now(s, me, led)
        cards = s.hand[me] & ~bit(led)
        while cards:
            chance = chance * self.against_all(s, self.stands_up(s, me, lowest(cards), suit_of(led))) // SURE
            cards &= cards - 1
        return chance

    def choose_of_two(self, s: S, me: int, moves: Buffer, n: int) -> int:
        """The card with which the last two tricks gain most, compared with the points that the others make."""
        best = moves[0]
        most = LEAST
        for i in range(n):
            last = lowest(s.hand[me] & ~bit(moves[i]))
            soon = self.now(s, me, moves[i])
            drawn = NO_SUIT if s.led else suit_of(moves[i])
            worth = 0
            if soon > 0:
                worth += soon * self.with_last(s, me, me, self.last_trick(s, me, last, me, drawn))
            if soon < SURE:
                ahead = s.ahead if s.led else left_of(s, me)
                worth += (SURE - soon) * self.with_last(s, me, ahead, self.last_trick(s, me, last, ahead, drawn))
            if worth > most:
                best = moves[i]
                most = worth
        return best

    def with_last(self, s: S, me: int, taker: int, chance: int) -> int:
        """The value if `taker` takes this trick, and the last one is taken by this seat with `chance`, or otherwise by
        any other seat."""
        others = (SURE - chance) // (s.players - 1)
        this = self.gain(s, me, taker, 1)
        worth = 0
        for last in range(s.players):
            both = self.gain(s, me, taker, 2) if last == taker else this + self.gain(s, me, last, 1)
            worth += both * (chance if last == me else others)
        return worth

    def gain(self, s: S, me: int, seat: int, more: int) -> int:
        """The value for `me` if a seat takes this many more tricks: this seat's points count as much as those of all
        others together."""
        points = self.points_for(s.size, s.bids[seat], s.tricks[seat] + more)
        points -= self.points_for(s.size, s.bids[seat], s.tricks[seat])
        return (s.players - 1) * points if seat == me else -points

    def in_hand(self, s: S, me: int) -> int:
        """The expected number of tricks of a hand."""
        tricks = 0
        cards = s.hand[me]
        while cards:
            tricks += self.in_the_end(s, me, lowest(cards))
            cards &= cards - 1
        return tricks

    def in_the_end(self, s: S, me: int, card: Card) -> int:
        """The chance that a card takes a trick sooner or later; a plain card does so only if its suit is led."""
        chance = self.against_all(s, self.stands_up(s, me, card, NO_SUIT))
        if suit_of(card) == s.trump:
            return chance
        cards = count(s.hand[me])
        return chance * (cards + 1) // (cards + 3)

    def against_all(self, s: S, stands: int) -> int:
        """The chance that none of the others beats a card, if each does not with the chance `stands`."""
        chance = SURE
        for _ in range(s.players - 1):
            chance = chance * stands // SURE
        return chance

    def last_trick(self, s: S, me: int, card: Card, leader: int, drawn: Suit) -> int:
        """The chance that a card takes the last trick. If another seat leads, it must be a trump or of the suit led.
        `drawn` is the suit led to the last trick but one, of which a seat with one card left must have had two."""
        unseen = self.pack & ~(s.hand[me] | s.played | bit(s.upcard))
        trump = suit_of(card) == s.trump
        suit = of_suit(unseen, suit_of(card))
        over = suit & -2 * bit(card)
        below = unseen & ~over if trump else suit & ~over
        if not trump:
            over |= self.trumps_among(s, unseen)
        chance = SURE
        for seat in range(s.players):
            if seat != me:
                may = unseen & ~s.lacks[seat]
                fails = may & (over if seat != leader else ~below)
                chance = chance * self.last_is_not(may, fails, drawn) // SURE
        return chance

    def last_is_not(self, may: Cards, fails: Cards, drawn: Suit) -> int:
        """The chance that the last card of a seat that may hold `may` is none of `fails`."""
        many = max(1, count(may))
        such = count(of_suit(may, drawn)) if drawn != NO_SUIT else 0
        if such == 0 or such == many:
            return SURE * (many - count(fails)) // many
        still = SURE * such * (such - 1) // (many * (many - 1))
        failing = count(of_suit(fails, drawn))
        return SURE - still * failing // such - (SURE - still) * (count(fails) - failing) // (many - such)

    def now(self, s: S, me: int, card: Card) -> int:
        """The chance that a card takes the current trick."""
        if s.better & bit(card) == 0:
            return 0
        chance = SURE
        stands = self.stands_up(s, me, card, NO_SUIT)
        after = left_of(s, me)
        last = s.leader if s.led else me
        while after != last:
            chance = chance * stands // SURE
            after = left_of(s, after)
        return chance

    def stands_up(self, s: S, me: int, card: Card, drawn: Suit) -> int:
        """The chance that one other player does not beat a card, as far as this seat knows; if a suit is drawn, after
        one round of it."""
        suit = suit_of(card)
        cards = count(s.hand[me])
        unseen = self.pack & ~(s.hand[me] | s.played | bit(s.upcard))
        many = max(count(unseen), 1)  # all cards may have been seen
        higher = SURE * count(of_suit(unseen, suit) & -2 * bit(card))
        trumps = SURE * count(self.trumps_among(s, unseen))
        same = SURE * count(of_suit(unseen, suit))
        if drawn != NO_SUIT:
            left = self.left_after(cards, count(of_suit(unseen, drawn)), many, s.players - 1)
            if suit == drawn:
                higher = higher * left // SURE
                same = same * left // SURE
            if s.trump == drawn:
                trumps = trumps * left // SURE
        if suit == s.trump:
            return max(0, SURE - 3 * higher // (2 * many))
        void = self.without(cards, same, many)
        beaten = higher * (cards + 1) // many + void * (SURE - self.without(cards, trumps, many)) // SURE
        return max(0, SURE - beaten)

    def left_after(self, cards: int, such: int, many: int, others: int) -> int:
        """The share of the `such` unseen cards of a suit that is left after the others have followed to a lead."""
        if such == 0:
            return 0
        following = others * (SURE - self.without(cards, SURE * such, many))
        return max(0, SURE - following // such)

    def trumps_among(self, s: S, cards: Cards) -> Cards:
        return 0 if s.trump == NO_SUIT else of_suit(cards, s.trump)

    def without(self, cards: int, such: int, many: int) -> int:
        """The approximate chance that `cards` of `many` unseen cards include none of those in question, whose number is
        `such` / SURE."""
        every = SURE * many
        met = cards * such
        return 2 * SURE * every * every // (2 * every * every + 2 * every * met + met * met)
