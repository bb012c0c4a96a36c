"""Plans for a contract in Kalooki: the cards that a hand lacks, the cards that fit each other, and the cards seen."""

from upcard.rules import *

from .rules import *

FOUR_PLACES = 0b1111
LOW = 0b1111  # the bits of a window's first place, see `best_window`


class KalookiPlan(KalookiRules[S]):
    """Plans for the contract, and counts of the cards that have been seen."""

    # --------------------------------------------------------------------------------------------------------- the plan

    @large
    def plan(self, hand: Cards, twice: Cards, jokers: int, threes: int, fours: int) -> tuple[int, Cards]:
        """The number of cards that a good plan for the contract lacks, and the cards that would reduce it.

        The fours are planned first, each in the suit and window where the fewest cards are lacking; then the threes are
        counted. The plan is not always the best one, but nearly.
        """
        missing = 0
        helping = 0
        windows = (
            self.best_window(hand, 0),
            self.best_window(hand, 1),
            self.best_window(hand, 2),
            self.best_window(hand, 3),
        )
        suits = 0
        rest = hand
        here = 4
        for _ in range(fours):
            suit = self.best_suit(windows, suits)
            suits |= 1 << suit
            here = windows[suit] >> 18
            missing += 4 - here
            if here < 4:
                helping |= cards_at(windows[suit] & 0x3FFF, suit)
            gone = hand & cards_at(FOUR_PLACES << (windows[suit] >> 14 & LOW), suit)
            rest = once_less(rest, twice, gone)
            twice &= ~gone
        for suit in range(4):  # a suit as good as the last one chosen
            if here < 4 and windows[suit] >> 18 == here:
                helping |= cards_at(windows[suit] & 0x3FFF, suit)
        lacking, ranks = self.lacking_for_threes(rest, twice, threes)
        return max(missing + lacking - jokers, 0), helping | ranks * LOWEST_RANKS

    def best_suit(self, windows: tuple[int, int, int, int], barred: int) -> int:
        """The suit in which a four lacks the fewest cards."""
        best = 0
        value = -1
        for suit in range(4):
            if not barred >> suit & 1 and windows[suit] > value:
                value = windows[suit]
                best = suit
        return best

    def best_window(self, hand: Cards, suit: int) -> int:
        """The window of a suit in which a four lacks the fewest cards: from bit 18 on the number of its cards in the
        hand, from bit 14 on its first place, and below that the places that any equally good window lacks.
        """
        places = places_of(hand, suit)
        best = 0
        lacks = 0
        for low in range(WINDOWS):
            here = count(places >> low & FOUR_PLACES)
            if here > best >> 18:
                lacks = 0
            if here >= best >> 18:
                lacks |= FOUR_PLACES << low & ~places
            best = max(best, here << 18 | low << 14)
        return best | lacks

    def lacking_for_threes(self, hand: Cards, twice: Cards, threes: int) -> tuple[int, int]:
        """The number of cards that this many threes lack, and the ranks of which one more card would help."""
        ones, twos, fours, eights = tally_both(hand, twice)
        left = threes - count(eights | fours | twos & ones) - count(eights | fours & twos)
        if left <= 0:
            return 0, 0
        one_short = eights | twos & ~(fours | ones) | fours & ~twos & ones
        by_one = min(left, count(one_short))
        left -= by_one
        if left == 0:
            return by_one, one_short
        two_short = ones & ~(twos | fours) | fours & ~twos & ~ones | fours & twos & ones
        by_two = min(left, count(two_short))
        left -= by_two
        if left == 0:
            return by_one + 2 * by_two, one_short | two_short
        return by_one + 2 * by_two + 3 * left, 0x1FFF

    def plan_of(self, s: S, seat: int, hand: Cards, twice: Cards) -> tuple[int, Cards]:
        """The plan of a seat with this hand and its jokers, see `plan`."""
        return self.plan(hand, twice, s.jokers[seat], self.need_threes[s.contract], self.need_fours[s.contract])

    @large
    def lacks(self, s: S, seat: int, hand: Cards, twice: Cards) -> int:
        """The number of cards that a seat's contract lacks with this hand and the seat's jokers."""
        lacking, _ = self.plan_of(s, seat, hand, twice)
        return lacking

    def held_by(self, s: S, seat: int) -> int:
        """The number of cards that a seat holds."""
        return count(s.hand[seat]) + count(s.twice[seat]) + s.jokers[seat]

    # ------------------------------------------------------------------------------------------------- cards and others

    def company(self, hand: Cards, twice: Cards, card: Card, threes: int, fours: int) -> int:
        """A measure of how well a card fits the rest of a hand: others of its rank, neighbours in its suit."""
        fits = 0
        if threes:
            fits += 3 * min(count(of_rank(hand, rank_of(card))) + count(of_rank(twice, rank_of(card))), 2)
        if fours and not hand & bit(card):
            fits += count(places_of(hand, suit_of(card)) >> max(rank_of(card) - 2, 0) & 0x7F)
        return fits

    def neighbours(self, cards: Cards, card: Card) -> int:
        """The number of these cards that are in the card's suit and at most two places away from it."""
        return count(places_of(cards, suit_of(card)) >> max(rank_of(card) - 1, 0) & 0x1F)

    def alive(self, helping: Cards, once: Cards, again: Cards) -> int:
        """The number of unseen cards that would help."""
        return count(helping & ~once) + count(helping & ~again)

    def discarded(self, s: S) -> tuple[Cards, Cards]:
        """The cards in the discard pile, and those that are in it twice."""
        once = 0
        again = 0
        for i in range(s.thrown):
            if s.discards[i] != JOKER:
                again |= once & bit(s.discards[i])
                once |= bit(s.discards[i])
        return once, again

    def seen_cards(self, s: S, me: int, lying: tuple[Cards, Cards]) -> tuple[Cards, Cards]:
        """The cards of which this seat has seen one copy, and those of which it has seen both."""
        once, again = lying
        again |= once & s.hand[me] | s.twice[me]
        once |= s.hand[me]
        for i in range(s.laid):
            ones, twos = meld_naturals(s.melds[i])
            again |= once & ones | twos
            once |= ones
        for seat in range(s.players):
            if seat != me:
                again |= once & s.shown[seat] | s.shown_twice[seat]
                once |= s.shown[seat]
        return once, again
