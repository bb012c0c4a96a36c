"""Linger Longer by rules of thumb: play the card most likely to take this trick, or the least useful if none is.

Chances are whole numbers out of SURE.
"""

from upcard.rules import *

from .rules import *

SURE = 1024
CHEAP, DECISIVE = 4, 4096
"""The factors by which this trick counts more than a later one, usually and where it wins the deal."""
AT_ACTIVE, AT_FEWEST, MANY = 6, 11, 4
"""The first feature for the number of players left, the first for the smallest other hand, and the largest number that
is distinguished."""
EIGHTHS = 7
"""The number of steps in which chances below certainty are distinguished."""


class LingerLongerHeuristic(LingerLongerRules[S]):
    """The heuristic of Linger Longer, and the features for its learned policy."""

    SITUATIONS = 3
    TRAITS = 18
    UNITS = 16
    SURROUNDINGS = 16
    DRAWN = 4

    # ------------------------------------------------------------------------------------------- for the learned policy

    @override
    def situation(self, s: S, me: int) -> int:
        """The size of the hand: one or two cards, a few, or many."""
        return 0 if s.size[me] <= 2 else 1 if s.size[me] <= 4 else 2

    @override
    def surroundings(self, s: S, me: int) -> Cards:
        """The size of the stock, the number of players left, and the smallest hand of another player."""
        fewest = MANY
        for seat in range(s.players):
            if seat != me and s.active >> seat & 1:
                fewest = min(fewest, s.size[seat])
        return (
            bit(min(MANY + 1, (s.left + MANY - 1) // MANY))
            | bit(AT_ACTIVE + max(0, min(MANY, count(s.active) - 2)))
            | bit(AT_FEWEST + fewest)
        )

    @override
    def traits(self, s: S, me: int, card: Card) -> Cards:
        """The chance that a card takes this trick, and the chance that it takes one to which it is led; whether
        somebody is nearly out; the stock."""
        features = bit(EIGHTHS * self.now(s, me, card) // SURE) | bit(8 + EIGHTHS * self.later(s, me, card) // SURE)
        if s.size[next_of(s.active, me)] == 1:
            features |= bit(16) if s.better & bit(card) else 0
        return features | (bit(17) if s.left == 0 and s.better & bit(card) else 0)

    # ------------------------------------------------------------------------------------------------------ all choices

    @override
    def choose(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        best = moves[0]
        best_worth = -SURE * SURE
        factor = DECISIVE if self.is_decisive(s, me) else CHEAP
        for i in range(n):
            card = moves[(i + luck) % n]
            worth = factor * self.now(s, me, card) - self.kept(s, me, card)
            if worth > best_worth:
                best = card
                best_worth = worth
        return best

    def now(self, s: S, me: int, card: Card) -> int:
        """The chance that a card takes the current trick."""
        if s.better & bit(card) == 0:
            return 0
        chance = SURE
        last = s.leader if s.led else me
        after = next_of(s.active, me)
        while after != last:
            chance = chance * self.stands_up(s, me, after, card) // SURE
            after = next_of(s.active, after)
        return chance

    def later(self, s: S, me: int, card: Card) -> int:
        """The chance that a card takes a trick if it is led."""
        chance = SURE
        after = next_of(s.active, me)
        while after != me:
            chance = chance * self.stands_up(s, me, after, card) // SURE
            after = next_of(s.active, after)
        return chance

    def is_decisive(self, s: S, me: int) -> bool:
        """Whether taking the current trick wins the deal, because the others play their last cards to it."""
        longest = 0
        for seat in range(s.players):
            if seat != me and among(s.active, seat):
                longest = max(longest, s.size[seat] + int(among(s.in_trick, seat)))
        return longest == 1

    def kept(self, s: S, me: int, card: Card) -> int:
        """The value of a card that stays in the hand: the share of possible leads that it beats."""
        unseen = self.unseen_by(s, me)
        suit = suit_of(card)
        beats = of_suit(unseen, suit) & (bit(card) - 1)
        if suit == s.trump:
            beats |= unseen & ~all_of(suit)
        return SURE * count(beats) // max(1, count(unseen))

    def unseen_by(self, s: S, me: int) -> Cards:
        """The cards that are in other hands or in the stock."""
        unseen = self.pack & ~(s.hand[me] | s.discard)
        return unseen & ~bit(s.aside) if s.aside != NO_CARD else unseen

    def stands_up(self, s: S, me: int, other: int, card: Card) -> int:
        """The chance that one other player does not beat a card, as far as this seat knows."""
        unseen = self.unseen_by(s, me) & ~s.lacks[other]
        many = count(unseen)
        suit = suit_of(card)
        follows = of_suit(unseen, suit)
        cards = max(1, s.size[other])  # a player without cards continues with the card drawn
        chance = self.without(cards, count(follows & -2 * bit(card)), many)
        if s.trump == NO_SUIT or s.trump == suit:
            return chance
        trumps = follows | of_suit(unseen, s.trump)
        return chance - self.without(cards, count(follows), many) + self.without(cards, count(trumps), many)

    def without(self, cards: int, such: int, many: int) -> int:
        """The chance that `cards` cards, drawn from `many` unseen ones, include none of the `such` cards in
        question."""
        chance = SURE
        for i in range(min(cards, many)):
            chance = chance * max(0, many - such - i) // (many - i)
        return chance
