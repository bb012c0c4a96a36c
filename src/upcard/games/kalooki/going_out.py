"""Going out in one turn: which melds leave at most one card that cannot be tacked on (KA-42, KA-49, KA-53)."""

from upcard.rules import *

from .rules import *

SPANS = (0, *(((1 << long) - 1) << low for long in range(4, HIGH_ACE + 1) for low in range(HIGH_ACE + 2 - long)))
"""The spans of places that a four can cover; the first entry is the empty one."""
SPAN, SUIT_SPAN = 7, 14
"""The number of bits for a position in SPANS, and for the places of a suit."""
TRIES = 2000
"""The largest number of ways to choose fours that are tried."""


class KalookiGoingOut(KalookiRules[S]):
    """The search for a way to go out."""

    def way_out(self, s: S, me: int) -> tuple[int, Ranks]:
        """The melds of a way to go out in this turn: the places that fours cover, 14 bits a suit, and the ranks of
        threes; (0, 0) if none is found, or if tacking on is enough. The search may miss ways in which a joker replaces
        a card that another meld needs."""
        return self.way_out_with(s, me, s.hand[me], s.twice[me], s.jokers[me])

    def upcard_goes_out(self, s: S, me: int) -> bool:
        """Whether a seat that is not down can go out in this turn with the upcard in its hand."""
        upcard = s.discards[s.thrown - 1]
        hand = s.hand[me]
        twice = s.twice[me]
        if upcard != JOKER:
            twice |= hand & bit(upcard)
            hand |= bit(upcard)
        spans, ranks = self.way_out_with(s, me, hand, twice, s.jokers[me] + (upcard == JOKER))
        return spans | ranks != 0

    @large
    def way_out_with(self, s: S, me: int, once: Cards, again: Cards, jokers: int) -> tuple[int, Ranks]:
        """The `way_out` of a seat with this hand."""
        threes = s.threes if self.laying(s) else 0 if s.down[me] else self.need_threes[s.contract]
        fours = s.fours if self.laying(s) else 0 if s.down[me] else self.need_fours[s.contract]
        suits, ranks = self.barred(s, me)
        onto = self.taken_by_fours(s, once)
        grown = self.ranks_on_table(s)
        if count(self.hopeless(once, again, jokers, grown) & ~onto) > 1:
            return 0, 0
        picks = 0
        for _ in range(TRIES):
            spans, left, free, twice = self.without_fours(once, again, jokers, picks, fours)
            if left >= 0:
                laid = self.threes_to_lay(free, twice, left, threes, grown, ranks)
                if laid >= 0:
                    stuck = ~((laid | grown) * LOWEST_RANKS)
                    number = count(free & ~onto & stuck) + count(twice & stuck)
                    if number <= 1 and number + count(free & onto & stuck & ~self.taken_by_fours(s, free & stuck)) <= 1:
                        return spans, laid
            picks = self.next_picks(once, jokers, suits, picks)
            if picks < 0:
                return 0, 0
        return 0, 0

    def taken_by_fours(self, s: S, hand: Cards) -> Cards:
        """The cards of a hand that can be tacked on to fours, one after another."""
        fours_take = 0
        for i in range(s.laid):
            meld = s.melds[i]
            fitting = takes(meld) & hand & ~fours_take if is_four(meld) else 0
            while fitting:
                fours_take |= bit(lowest(fitting))
                meld = tacked(meld, lowest(fitting))
                fitting = takes(meld) & hand & ~fours_take
        return fours_take

    def ranks_on_table(self, s: S) -> Ranks:
        """The ranks of the threes on the table."""
        ranks = 0
        for i in range(s.laid):
            ranks |= 0 if is_four(s.melds[i]) else 1 << kind_of(s.melds[i])
        return ranks

    def hopeless(self, hand: Cards, twice: Cards, jokers: int, grown: Ranks) -> Cards:
        """The cards that fit no other card: the only one of their rank, which is not on the table, and with too few
        neighbours."""
        ones, twos, more, most = tally_both(hand, twice)
        alone = hand & (ones & ~(twos | more | most | grown)) * LOWEST_RANKS & ~ALL_ACES
        lonely = 0
        while alone:
            c = lowest(alone)
            alone &= alone - 1
            near = count(places_of(hand, suit_of(c)) << 3 >> rank_of(c) + 1 & 0x7F)
            lonely |= bit(c) if near + min(jokers, 2) < 4 else 0
        return lonely

    def next_picks(self, hand: Cards, jokers: int, suits: Suits, picks: int) -> int:
        """The next choice of a span for each suit that is not barred, SPAN bits each; -1 after the last one."""
        for suit in range(4):
            at = picked(picks, suit)
            picks ^= at << SPAN * suit
            left = jokers - self.lacking_in_fours(hand, picks)
            places = 0 if suits >> suit & 1 else places_of(hand, suit)
            for i in range(at + 1, len(SPANS)):
                gaps = SPANS[i] & ~places
                if count(gaps) <= left and gaps & gaps << 1 == 0:
                    return picks | i << SPAN * suit
        return -1

    def lacking_in_fours(self, hand: Cards, picks: int) -> int:
        """The number of cards of these spans that are missing from the hand."""
        lacking = 0
        for suit in range(4):
            lacking += count(SPANS[picked(picks, suit)] & ~places_of(hand, suit))
        return lacking

    def without_fours(
        self, hand: Cards, twice: Cards, jokers: int, picks: int, fours: int
    ) -> tuple[int, int, Cards, Cards]:
        """The places of these fours, and what is left after them: jokers (a negative number if the fours cannot be
        made), cards, and the cards that are left twice."""
        spans = 0
        for suit in range(4):
            span = SPANS[picked(picks, suit)]
            spans |= span << SUIT_SPAN * suit
            fours -= span != 0
        jokers -= self.lacking_in_fours(hand, picks)
        gone = cards_covered(spans)
        return spans, -1 if fours > 0 else jokers, once_less(hand, twice, gone), twice & ~gone

    def threes_to_lay(self, free: Cards, twice: Cards, jokers: int, threes: int, grown: Ranks, barred: Ranks) -> Ranks:
        """The ranks of the threes to lay with these jokers, at least `threes` of them; -1 if that is impossible."""
        ones, twos, more, most = tally_both(free, twice)
        laid = (most | more | twos & ones) & ~barred
        pairs = twos & ~(ones | more | most | barred)
        for _ in range(jokers):
            best = pairs & ~grown if pairs & ~grown else pairs
            if best and (best & ~grown or count(laid) < threes):
                laid |= best & -best
                pairs ^= best & -best
        return laid if count(laid) >= threes else -1

    def on_the_way(self, s: S, me: int, lay: int, spans: int, ranks: Ranks) -> bool:
        """Whether a `lay` makes a meld of this way to go out."""
        meld = meld_of(me, lay)
        once, again = meld_naturals(meld)
        if is_four(meld):
            suit = kind_of(meld) - 13
            span = span_in(spans, suit)
            fits = jokers_in(meld) == span_of(meld) & ~places_of(s.hand[me], suit)
            return span != 0 and lowest(span) == lowest(span_of(meld)) and fits
        gone = cards_covered(spans)
        free = of_rank(once_less(s.hand[me], s.twice[me], gone), kind_of(meld))
        twice = of_rank(s.twice[me] & ~gone, kind_of(meld))
        jokers = max(0, 3 - count(free) - count(twice))
        fits = (once & ~free | again & ~twice) == 0 and jokers_in(meld) == jokers
        return ranks >> kind_of(meld) & 1 != 0 and fits


@rule
def cards_covered(spans: int) -> Cards:
    """The cards at the places of fours."""
    cards = 0
    for suit in range(4):
        cards |= cards_at(span_in(spans, suit), suit)
    return cards


@rule
def span_in(spans: int, suit: Suit) -> PlaceSet:
    """The places of the four in a suit."""
    return spans >> SUIT_SPAN * suit & (1 << SUIT_SPAN) - 1


@rule
def picked(picks: int, suit: Suit) -> int:
    """The position in SPANS that is chosen for a suit."""
    return picks >> SPAN * suit & (1 << SPAN) - 1
