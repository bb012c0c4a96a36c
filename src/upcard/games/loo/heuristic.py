"""Loo by rules of thumb: weigh every card by its chance of taking a trick, and tricks and loos by their chips.

Chances are whole numbers out of SURE; values are chips times SURE.
"""

from upcard.rules import *

from .rules import *

SURE = 1024
MET = 2
"""The approximate number of cards of each rival that a card meets before it takes a trick."""
STAYS = SURE // 2
"""The assumed chance that a player who has not decided yet will stay in."""
CAUTION = SURE // 4
"""The least expected gain for which the seat stays in."""
CERTAIN = 600
"""The expected gain above which it stays in although the learned policy passes."""
EIGHTHS = 8
AT_PROMISE, AT_THROWN, AT_SOON, AT_NONE = 0, 13, 19, 28
"""The first trait of staying in, of a discard, and of a card: for its chance to take this trick, and for the chance
that no later trick is taken."""
FINE = 32
ONE_OF = tuple(-(-(1 << FINE) // max(many, 1)) for many in range(64))
"""The reciprocals of whole numbers, times 1 << FINE and rounded up. Multiplying by one of them and shifting by FINE
divides and rounds down, in less time than a division takes."""
AT_ONCE, BITS = 5, 12
"""The largest number of cards whose chances fit into one number, and the bits for each."""


class LooHeuristic(LooRules[S]):
    """The heuristic player of Loo, and the features of its learned policy."""

    INFERS = 0.7
    """The share of an expert's worlds that are drawn by the likelihood of the others' announcements and cards."""
    IDLE = ("stock", "buried")
    SITUATIONS = 6
    TRAITS = 39

    # ------------------------------------------------------------------------------------------------------- for proofs

    @override
    def apart(self, s: S) -> Cards:
        """Pam, and the ace of trumps, because it may have to be led."""
        return bit(self.pam) | bit(card(ACE, s.trump))

    # ------------------------------------------------------------------------------------------- for the learned policy

    @override
    def situation(self, s: S, me: int) -> int:
        """The number of players still in, and whether the seat has a trick."""
        rivals = count(s.inside & ~only(me))
        return 2 * (0 if rivals <= 1 else 1 if rivals == 2 else 2) + int(s.tricks[me] > 0)

    @override
    def traits(self, s: S, me: int, move: int) -> Cards:
        """For staying in, its value relative to a loo; for a discard, the number of cards; for a card, its chance to
        take this trick, and the chance that no later one is taken."""
        if s.phase == DECLARE:
            loss = max(1, self.payment(s)) * SURE
            return bit(AT_PROMISE + step(self.promise(s, me), loss // 8, 12)) if move == STAY else 0
        if s.phase == EXCHANGE:
            return bit(AT_THROWN + count(cards_of(move)))
        if s.phase != PLAY:
            return 0
        played = item(move, 0)
        rest = s.hand[me] & ~bit(played)
        hidden = self.unseen(s, me)
        none = SURE
        while rest:
            later = self.in_the_end(s, lowest(rest), hidden, count(rest), count(s.inside) - 1)
            none = none * (SURE - later) // SURE
            rest &= rest - 1
        soon = self.now(s, me, played, verb_of(move) == CIVIL)
        return bit(AT_SOON + EIGHTHS * soon // SURE) | bit(AT_NONE + EIGHTHS * none // SURE)

    # ------------------------------------------------------------------------------------------------------ all choices

    @override
    def choose(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        if s.phase == PLAY:
            return self.choose_card(s, me, moves, n, luck)
        if s.phase == DECLARE:
            return STAY if self.promise(s, me) > 0 else PASS
        if s.phase == EXCHANGE:
            return self.say_discard(self.to_throw(s, me))
        return FLUSH if moves[n - 1] == FLUSH else moves[0]

    @override
    def reconsider(self, s: S, me: int, moves: Buffer, n: int, move: int, careful: int) -> int:
        """The learned policy distinguishes too few hands when it decides whether to pass: it gives up some with the ace
        of trumps and more."""
        return STAY if careful and s.phase == DECLARE and move == PASS and self.promise(s, me) > CERTAIN else move

    # ---------------------------------------------------------------------------------------------------------- chances

    @large
    def without(self, cards: int, such: int, many: int) -> int:
        """The chance that `cards` cards, drawn from `many`, include none of the `such` cards in question."""
        chance = SURE
        for i in range(min(cards, many)):
            chance = chance * max(many - such - i, 0) * ONE_OF[many - i] >> FINE
        return chance

    def unseen(self, s: S, me: int) -> Cards:
        """The cards that the other players may hold."""
        return self.pack & ~(s.hand[me] | s.buried[me] | s.played | bit(s.upcard))

    @large
    def stands(self, s: S, card: Card, hidden: Cards, cards: int) -> int:
        """The chance that a card that is led is not beaten by a player who holds this many of the hidden cards."""
        if card == self.pam:
            return SURE
        many = count(hidden)
        over = hidden & above(card)
        if s.trumps & bit(card):
            return self.without(cards, count(over | hidden & bit(self.pam)), many)
        suit = of_suit(hidden, suit_of(card)) & ~s.trumps
        void = self.without(cards, count(suit), many)
        trumped = void * (SURE - self.without(cards, count(hidden & s.trumps), many - count(suit))) // SURE
        return max(0, self.without(cards, count(over & ~s.trumps), many) - trumped)

    @large
    def in_the_end(self, s: S, card: Card, hidden: Cards, cards: int, rivals: int) -> int:
        """The chance that a card takes a trick sooner or later against this many rivals."""
        stand = self.stands(s, card, hidden, min(cards, MET))
        chance = SURE
        for _ in range(rivals):
            chance = chance * stand // SURE
        return chance if s.trumps & bit(card) else 3 * chance // 4

    # ------------------------------------------------------------------------------------------------ in, out, exchange

    def rivals_expected(self, s: S, me: int) -> int:
        """The expected number of other players who stay in, at least one."""
        if s.phase != DECLARE:
            return count(s.inside) - 1
        asked = (me - s.dealer - 1 + 2 * s.players) % s.players
        later = s.players - 1 - asked
        return max(1, count(s.inside) - 1 - later + (later * STAYS + SURE // 2) // SURE)

    def chance_from_stock(self, rivals: int) -> int:
        """The chance that a card from the stock will take a trick."""
        return 3 * SURE // (4 * rivals + 4)

    def promise(self, s: S, me: int) -> int:
        """The expected gain of staying in."""
        if self.flush_kind(s, s.hand[me]) != NO_FLUSH:
            return SURE
        rivals = self.rivals_expected(s, me)
        hidden = self.unseen(s, me)
        tricks = 0
        none = SURE
        hand = s.hand[me]
        while hand:
            chance = max(self.in_the_end(s, lowest(hand), hidden, self.size, rivals), self.chance_from_stock(rivals))
            tricks += chance
            none = none * (SURE - chance) // SURE
            hand &= hand - 1
        return tricks * self.share(s) - none * self.payment(s) - CAUTION

    def to_throw(self, s: S, me: int) -> Cards:
        """The cards to discard: those less likely to take a trick than a new card, or the one that does not fit the
        other four of a flush."""
        hand = s.hand[me]
        for suit in range(4):
            flush_cards = hand & (all_of(suit) | bit(self.pam))
            if count(flush_cards) == self.size - 1 and self.most_thrown(s) > 0:
                return hand & ~flush_cards
        rivals = self.rivals_expected(s, me)
        hidden = self.unseen(s, me)
        thrown = 0
        while hand:
            one = lowest(hand)
            hand &= hand - 1
            if self.in_the_end(s, one, hidden, self.size, rivals) < self.chance_from_stock(rivals):
                thrown |= bit(one)
        while count(thrown) > self.most_thrown(s):
            thrown &= thrown - 1
        return thrown

    def say_discard(self, thrown: Cards) -> int:
        """The move that discards these cards, in pack order."""
        if thrown == 0:
            return KEEP
        move = say1(DISCARD, highest(thrown))
        thrown ^= bit(highest(thrown))
        while thrown:
            move = and_item(move, highest(thrown))
            thrown ^= bit(highest(thrown))
        return move

    # --------------------------------------------------------------------------------------------------------- the play

    def choose_card(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        best = moves[0]
        most = -(1 << 40)
        chances = self.later_chances(s, me)
        for i in range(n):
            move = moves[(i + luck) % n]
            worth = self.worth_of(s, me, move, chances)
            if worth > most:
                best = move
                most = worth
        return best

    def later_chances(self, s: S, me: int) -> int:
        """For each card in hand, the chance that it takes a later trick, with the lowest card in the last bits; 0 if
        there are too many cards, or if only the last trick is left. These chances do not depend on the card played now,
        and they take most of the time."""
        hand = s.hand[me]
        cards = count(hand) - 1
        hidden = self.unseen(s, me)
        chances = 0
        while hand and 1 < cards < AT_ONCE:
            one = highest(hand)
            chances = chances << BITS | self.in_the_end(s, one, hidden, cards, count(s.inside) - 1)
            hand ^= bit(one)
        return chances

    def worth_of(self, s: S, me: int, move: int, chances: int) -> int:
        """The value of this trick and the later ones after a move, given the `later_chances`."""
        played = item(move, 0)
        chance = self.now(s, me, played, verb_of(move) == CIVIL)
        hand = s.hand[me]
        cards = count(hand) - 1
        tricks = 0
        none = SURE
        while hand:
            one = lowest(hand)
            hand ^= bit(one)
            if one != played:
                if cards == 1:
                    later = self.last_trick(s, me, one, chance)
                elif cards < AT_ONCE:
                    later = chances & (1 << BITS) - 1
                else:
                    later = self.in_the_end(s, one, self.unseen(s, me), cards, count(s.inside) - 1)
                tricks += later
                none = none * (SURE - later) // SURE
            chances >>= BITS
        loo = self.payment(s) * none if s.tricks[me] == 0 else 0
        return (tricks + chance) * self.share(s) - (SURE - chance) * loo // SURE

    @large
    def last_trick(self, s: S, me: int, card: Card, leads: int) -> int:
        """The chance that a card takes the last trick; `leads` is the chance that this seat leads it. If another player
        leads, the card must be a trump or of the suit led."""
        hidden = self.unseen(s, me)
        trump = s.trumps & bit(card) != 0
        over = (hidden & above(card) | hidden & bit(self.pam)) if card != self.pam else 0
        over |= 0 if trump else hidden & s.trumps
        under = hidden & ~over if trump else of_suit(hidden, suit_of(card)) & ~over
        leading = SURE
        following = SURE
        leader = s.ahead if s.led and s.ahead != me else next_of(s.inside, me)
        for seat in range(s.players):
            if seat != me and s.inside & only(seat):
                may = hidden & ~s.lacks[seat]
                many = max(1, count(may))
                leading = leading * (many - count(may & over)) // many
                following = following * (count(may & under) if seat == leader else many - count(may & over)) // many
        return (leads * leading + (SURE - leads) * following) // SURE

    def now(self, s: S, me: int, played: Card, civil: bool) -> int:
        """The chance that a card takes the current trick."""
        if s.better & bit(played) == 0:
            return 0
        hidden = self.unseen(s, me)
        if civil or s.civil:
            hidden &= ~bit(self.pam)
        cards = count(s.hand[me])
        later = s.inside & ~only(me)
        chance = SURE
        seat = me
        while later:
            seat = next_of(later, seat)
            if s.led and seat == s.leader:
                return chance
            later &= ~only(seat)
            chance = chance * self.stands(s, played, hidden & ~s.lacks[seat], cards) // SURE
        return chance
