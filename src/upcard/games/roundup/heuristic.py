"""Roundup! by rules of thumb: hold back the suit that was bid, build all other stacks, and attack players who may hold
the cards that those stacks need next.
"""

from upcard.rules import *

from .rules import *

MOST_DOWN, AT_FEWEST, AT_STACKED = 5, 6, 12
"""The largest number of face-down cards that is distinguished; the first feature for the smallest such number of
another player, and for the stacked cards in sixes."""
SIXES = 6
AT_ATTACK = 16


class RoundupHeuristic(RoundupRules[S]):
    """The heuristic player of Roundup!, and the features of its learned policy."""

    SITUATIONS = 2
    TRAITS = 33
    UNITS = 16
    SURROUNDINGS = 19

    @override
    def situation(self, s: S, me: int) -> int:
        """Whether the suit that was bid is the only open one, or none is open."""
        return int(s.fits & ~self.kept_back(s, me) == 0)

    @override
    def surroundings(self, s: S, me: int) -> Cards:
        """The number of face-down cards of this seat, the smallest such number of another seat, and the number of
        stacked cards."""
        fewest = MOST_DOWN
        for seat in range(s.players):
            if seat != me:
                fewest = min(fewest, s.down[seat])
        return (
            bit(min(MOST_DOWN, s.down[me]))
            | bit(AT_FEWEST + fewest)
            | bit(AT_STACKED + min(SIXES, count(s.stacked) // SIXES))
        )

    @override
    def traits(self, s: S, me: int, move: int) -> Cards:
        """For a card, whether it is held back, and how soon it may be played. For an attack, its target, and the cards
        that it may find."""
        verb = verb_of(move)
        if s.phase == BID:
            one = item(move, 0)
            left = count(of_suit(s.hand[me] & self.number_cards, suit_of(one)))
            return bit(min(5, left)) | bit(6 + min(9, self.value[rank_of(one)]))
        reserves = self.kept_back(s, me)
        if verb == 0 or verb in (PASS, GIVE_UP, SHOW):
            one = item(move, 0)
            features = bit(int(reserves & bit(one) != 0))
            if self.number_cards & bit(one) == 0:
                return features
            after = self.on_top_of(one)
            features |= bit(2) if after & s.hand[me] else bit(3)
            far = self.value[rank_of(one)] - count(of_suit(s.stacked, suit_of(one)))
            return features | bit(4 + max(0, min(7, far)))
        if verb == STOP:
            return bit(12 + int(self.stop_worth(s, me, reserves) > 0))
        if verb == FREE_PASS:
            return bit(14)
        return self.traits_of_attack(s, me, move, self.sought_after(s, me, reserves))

    def traits_of_attack(self, s: S, me: int, move: int, sought: Cards) -> Cards:
        target = item(move, 1)
        wanted = sought & ~s.lacks[target] if s.down[target] else 0
        if verb_of(move) == QUEEN_AT:
            wanted &= all_of(item(move, 2))
        elif verb_of(move) == KING_AT:
            wanted &= of_rank(self.pack, item(move, 2))
        features = bit(AT_ATTACK + min(3, count(wanted))) | bit(AT_ATTACK + 4 + min(5, s.down[target]))
        if s.bids[target] != NO_CARD and of_suit(wanted, suit_of(s.bids[target])):
            features |= bit(AT_ATTACK + 10)
        more = count(s.face_up[target]) + s.down[target] - count(s.face_up[me]) - s.down[me]
        features |= bit(AT_ATTACK + 11 + step(more, 2, 4))
        return features | (bit(AT_ATTACK + 16) if target == left_of(s, me) else 0)

    # ------------------------------------------------------------------------------------------------------ all choices

    @override
    def choose(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        """The move with the highest value."""
        reserves = self.kept_back(s, me)
        sought = self.sought_after(s, me, reserves)
        best = moves[0]
        best_worth = -(1 << 40)
        for i in range(n):
            verb = verb_of(moves[i])
            card = item(moves[i], 0)
            if s.phase == BID:
                worth = self.bid_worth(s, me, card)
            elif verb == 0:
                worth = -200 if reserves & bit(card) else 1000
            elif verb == STOP:
                worth = self.stop_worth(s, me, reserves)
            elif verb == FREE_PASS:
                worth = 0
            elif verb in (PASS, GIVE_UP, SHOW):
                worth = self.price_worth(s, card, reserves)
            else:
                worth = self.attack_worth(s, moves[i], sought)
            worth = (worth << LOTS) + lot(luck, i)
            if worth > best_worth:
                best_worth = worth
                best = moves[i]
        return best

    def kept_back(self, s: S, me: int) -> Cards:
        """The cards that should not be played yet: those of the suit that was bid, while another suit is still open."""
        if s.bids[me] == NO_CARD:
            return 0
        mine = all_of(suit_of(s.bids[me]))
        if self.goal == FIRST:
            return 0 if s.closed[0] != NO_CARD else self.pack & ~mine
        return mine if s.fits & ~mine else 0

    def sought_after(self, s: S, me: int, reserves: Cards) -> Cards:
        """The next cards of the stacks that should grow, if they may be face down in another hand."""
        seen = s.hand[me]
        for seat in range(s.players):
            seen |= s.face_up[seat]
        return s.fits & ~seen & ~reserves

    def bid_worth(self, s: S, me: int, card: Card) -> int:
        """The value of a bid: more cards of the suit are better, because more can be held back."""
        left = of_suit(s.hand[me] & self.number_cards, suit_of(card)) & ~bit(card)
        # the higher the card is in the open, the later it must be played
        return 20 * count(left) + self.value[rank_of(card)]

    def stop_worth(self, s: S, me: int, reserves: Cards) -> int:
        """The value of stopping, which saves the last playable card for a turn in which one must be played."""
        fitting = s.face_up[me] & s.fits
        saves = fitting & reserves and count(fitting & ~reserves) < 2
        return 1001 if saves and not self.is_in_vain(s, me, reserves) else -1000

    def is_in_vain(self, s: S, me: int, reserves: Cards) -> bool:
        """Whether a stop gains nothing, which is certain if all cards of the others are open: the last card of the
        seat's own suit must be played next turn anyway, or the others must complete the other stacks before that suit
        can continue."""
        if self.goal == FIRST:
            return False
        other = s.fits & ~reserves
        own = s.fits & reserves
        while own & s.face_up[me]:
            own = self.on_top_of(lowest(own))
        must = True
        seat = left_of(s, me)
        while seat != me and other:
            if s.down[seat]:
                return False
            must = must and s.face_up[seat] & own == 0 and count(s.face_up[seat] & other) < 2
            while s.face_up[seat] & other:
                one = lowest(s.face_up[seat] & other)
                other = other & ~bit(one) | self.on_top_of(one)
                must = must and s.face_up[seat] & other == 0
            seat = left_of(s, seat)
        if own:
            return other == 0 and must
        return other != 0 and count(s.face_up[me] & (reserves | other)) == 1

    def on_top_of(self, one: Card) -> Cards:
        """The card that fits on this one; the empty set if this is the last one."""
        height = self.value[rank_of(one)]
        return bit(card(self.rank_at[height + 1], suit_of(one))) if height < self.height else 0

    def price_worth(self, s: S, card: Card, reserves: Cards) -> int:
        """The value of giving up a card from the face-down hand: highest for one that may be played soon."""
        if bit(card) & self.number_cards == 0:
            return 0
        if bit(card) & reserves:
            return -100 + self.value[rank_of(card)]
        return 100 - (self.value[rank_of(card)] - count(of_suit(s.stacked, suit_of(card))))

    def attack_worth(self, s: S, move: int, sought: Cards) -> int:
        """The value of an attack: its chance to bring out a wanted card, above all from a player who bid its suit and
        will not play it.

        With two players any attack hurts the right one; with more, it usually waits until the seat has no card left to
        pass with.
        """
        target = item(move, 1)
        wanted = sought & ~s.lacks[target] if s.down[target] else 0
        sureness = 4
        if verb_of(move) == QUEEN_AT:
            wanted &= all_of(item(move, 2))
            sureness = 8
        elif verb_of(move) == KING_AT:
            wanted &= of_rank(self.pack, item(move, 2))
            sureness = 16
        likely = count(wanted)
        if s.bids[target] != NO_CARD:
            likely += 2 * count(of_suit(wanted, suit_of(s.bids[target])))
        return (110 if s.players == 2 else 50) + sureness * likely + s.down[target]
