"""Ninety-Nine by rules of thumb: weigh every card by its chance of taking a trick, and aim at the bid.

Chances are whole numbers out of SURE. The joker counts as the card that it stands for.
"""

from upcard.rules import *

from .rules import *

SURE = 1024
"""The chance 1."""
STEEP = (0, 0, 27, 23, 26)
"""The reduction of a card's chance for every higher unseen card, in sixteenths, by number of players."""
LED = (970, 880)
"""The chance that a plain suit is led and not trumped, without and with trumps, …"""
LED_LESS = 95
"""… its reduction for every card of the suit in the seat's own hand …"""
LED_LEAST = 200
"""… and its minimum."""
WHOLE_HAND = 9
"""The number of cards to play, by which trumps are weighed during the bidding."""
TWO_LEFT = 2
"""The number of cards in hand at which the result of the last two tricks is estimated, in points: one for a trick, …"""
FOR_BID = (20, 20, 65, 110)
"""… these for making the bid, by premium …"""
FOR_SPOILING = (0, 0, 10, 50)
"""… and these for spoiling another player's open bid, by premium; fewer if the hand is hidden, because success is less
certain."""
DECLARE_UNDER = 1024
REVEAL_UNDER = 512
"""The limit of doubt below which a bid may be declared or revealed: declared bids are made 57 times in 100, revealed
ones 75."""
IN_DOUBT, MOST_DOUBT = 128, 15
"""The width of the steps of doubt that are distinguished, and the last step."""
EIGHTHS = 8
AT_SOON, AT_LATER = 0, 9
"""The first traits of a card, for its chance to take this trick, and for the surplus of expected tricks over those
missing. Bids have no traits: among 220 bids, the heuristic's is better than one learned by trying a few at a time."""


class NinetyNineHeuristic(NinetyNineRules[S]):
    """The heuristic player of Ninety-Nine, and the features of its learned policy."""

    ANSWERED = True
    """Experts reveal only if that is better even against players that look ahead."""
    SITUATIONS = 16
    TRAITS = 22

    # ------------------------------------------------------------------------------------------- for the learned policy

    @override
    def situation(self, s: S, me: int) -> int:
        """When premiums are offered, how doubtful the bid is; in the play, the number of tricks missing, and whose hand
        is open."""
        if s.phase == PREMIUM:
            unseen = self.unseen_by(s, me)
            off = self.doubtful(self.in_hand(s, me, unseen) - self.missing(s, me), self.doubt_in_hand(s, me, unseen))
            return min(off // IN_DOUBT, MOST_DOUBT)
        if s.phase != PLAY or self.is_dummy(s, s.turn):
            return 0
        open_hand = 0
        for seat in range(s.players):
            if s.premium[seat] == REVEALED:
                open_hand = 4 if seat == me else 12 if self.missing(s, seat) > 0 else 8
        wanted = self.missing(s, me) // SURE
        if wanted <= 0:
            return open_hand
        return open_hand + (3 if wanted >= count(s.hand[me]) else min(wanted, 2))

    @override
    def traits(self, s: S, me: int, move: int) -> Cards:
        """The chance that a card takes this trick, and the difference between the expected tricks and the bid."""
        if s.phase != PLAY or self.is_dummy(s, s.turn):
            return 0
        unseen = self.unseen_by(s, me)
        soon = self.now(s, me, unseen, self.face(s, move))
        surplus = self.in_hand(s, me, unseen) - self.chance_of(s, me, unseen, move) + soon - self.missing(s, me)
        return bit(AT_SOON + EIGHTHS * soon // SURE) | bit(AT_LATER + step(surplus, SURE // 3, 12))

    # ------------------------------------------------------------------------------------------------------ all choices

    @override
    def choose(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        if s.phase == BIDDING:
            return self.choose_bid(s, me)
        if s.phase == PREMIUM:
            return self.choose_offer(s, me, n)
        if self.is_dummy(s, s.turn):
            return self.choose_for_dummy(s, me, moves, n)
        return self.choose_card(s, me, moves, n)

    # ---------------------------------------------------------------------------------------------------------- the bid

    def choose_bid(self, s: S, me: int) -> int:
        """The three cards whose bid comes nearest to the expected tricks of the other cards; doubtful cards are
        preferred."""
        held = s.hand[me]
        unseen = self.unseen_by(s, me)
        expected = self.in_hand(s, me, unseen)
        doubt = self.doubt_in_hand(s, me, unseen)
        best = 0
        best_off = SURE * SURE
        first_of = held
        while first_of:
            first = self.foremost(first_of)
            first_of ^= bit(first)
            chance = self.chance_of(s, me, unseen, first)
            after_first = expected - chance - self.adds(s, first)
            doubt_first = doubt - self.doubt_of(chance)
            second_of = first_of
            while second_of:
                second = self.foremost(second_of)
                second_of ^= bit(second)
                chance = self.chance_of(s, me, unseen, second)
                after_second = after_first - chance - self.adds(s, second)
                doubt_second = doubt_first - self.doubt_of(chance)
                third_of = second_of
                while third_of:
                    third = self.foremost(third_of)
                    third_of ^= bit(third)
                    chance = self.chance_of(s, me, unseen, third)
                    off = self.doubtful(
                        after_second - chance - self.adds(s, third), doubt_second - self.doubt_of(chance)
                    )
                    if off < best_off:
                        best_off = off
                        best = say3(BID, first, second, third)
        return best

    def adds(self, s: S, card: Card) -> int:
        """The value that a card adds to the bid when it is laid aside."""
        return SURE * self.value[suit_of(self.face(s, card))]

    def doubt_of(self, chance: int) -> int:
        """The variance of a trick that is won with this chance."""
        return chance * (SURE - chance) // SURE

    def doubtful(self, surplus: int, doubt: int) -> int:
        """The mean square difference between the tricks won and those wanted, given its mean and the variance."""
        return surplus * surplus // SURE + doubt

    def choose_offer(self, s: S, me: int, n: int) -> int:
        """Offer a premium if the bid is likely enough to be made."""
        unseen = self.unseen_by(s, me)
        off = self.doubtful(self.in_hand(s, me, unseen) - self.missing(s, me), self.doubt_in_hand(s, me, unseen))
        if off < REVEAL_UNDER and s.players > 2:
            return REVEAL
        return DECLARE if off < DECLARE_UNDER and (s.players == 2 or n == 3) else PASS

    # --------------------------------------------------------------------------------------------------------- the play

    def choose_card(self, s: S, me: int, moves: Buffer, n: int) -> int:
        """The card after which the expected tricks come nearest to those missing."""
        if count(s.hand[me]) == TWO_LEFT and s.players == 3:
            return self.choose_of_two(s, me, moves, n)
        if self.missing(s, me) == 0:
            return self.choose_to_duck(s, me, moves, n)
        unseen = self.unseen_by(s, me)
        surplus = self.in_hand(s, me, unseen) - self.aim(s, me)
        doubt = self.doubt_in_hand(s, me, unseen)
        best = moves[0]
        best_off = SURE * SURE
        for i in range(n):
            later = self.chance_of(s, me, unseen, moves[i])
            soon = self.now(s, me, unseen, self.face(s, moves[i]))
            off = self.doubtful(surplus - later + soon, doubt - self.doubt_of(later) + self.doubt_of(soon))
            if off < best_off:
                best = moves[i]
                best_off = off
        return best

    def choose_to_duck(self, s: S, me: int, moves: Buffer, n: int) -> int:
        """The card after which it is most likely that the seat takes no further trick. One trick too many is as bad as
        several, so the expected number counts for nothing."""
        unseen = self.unseen_by(s, me)
        best = moves[0]
        most = -1
        for i in range(n):
            none = SURE - self.now(s, me, unseen, self.face(s, moves[i]))
            others = s.hand[me] & ~bit(moves[i])
            while others:
                none = none * (SURE - self.chance_of(s, me, unseen, lowest(others))) // SURE
                others &= others - 1
            if none > most:
                best = moves[i]
                most = none
        return best

    def choose_of_two(self, s: S, me: int, moves: Buffer, n: int) -> int:
        """The card with which the last two tricks are worth most: the tricks, the seat's own bid, and the spoiling of
        an open one."""
        unseen = self.unseen_by(s, me)
        best = moves[0]
        most = -1
        for i in range(n):
            card = self.face(s, moves[i])
            last = self.face(s, lowest(s.hand[me] & ~bit(moves[i])))
            soon = self.takes(s, me, unseen, card)
            worth = soon * (SURE + self.worth_of_last(s, me, unseen, last, me))
            worth += (SURE - soon) * self.worth_of_last(s, me, unseen, last, self.taker(s, me, unseen, card))
            if worth > most:
                best = moves[i]
                most = worth
        return best

    def worth_of_last(self, s: S, me: int, unseen: Cards, last: Card, leader: int) -> int:
        """The value of the last trick for a seat with only this card, if `leader` has taken the one before."""
        mine = self.last_trick(s, me, unseen, last, me, last, leader)
        worth = mine
        for seat in range(s.players):
            if seat != me and s.premium[seat] <= PASSED:
                continue
            bid = s.bid[seat] if seat == me else s.turned[seat]
            wanted = self.tricks_bid(s, bid) - s.tricks[seat] - (leader == seat)
            taken = mine if seat == me else self.taken_by(s, me, unseen, last, seat, leader, mine)
            bid_chance = SURE - taken if wanted == 0 else taken if wanted == 1 else 0
            if seat == me:
                worth += FOR_BID[s.premium[me]] * bid_chance
            else:
                worth += FOR_SPOILING[s.premium[seat]] * (SURE - bid_chance)
        return worth

    def taken_by(self, s: S, me: int, unseen: Cards, last: Card, seat: int, leader: int, mine: int) -> int:
        """The chance that another seat takes the last trick; if that seat's card is hidden, it depends mainly on who
        leads."""
        cards = self.faces(s, s.shown[seat])
        if cards == 0:
            if leader != me:
                return (SURE - mine) * (3 if leader == seat else 1) // 4
            return SURE - mine if self.may_hold(s, unseen, seat) & beating(last, s.trump) else 0
        chance = 0
        many = count(cards)
        while cards:
            chance += self.last_trick(s, me, unseen, last, seat, lowest(cards), leader)
            cards &= cards - 1
        return chance // many

    def missing(self, s: S, me: int) -> int:
        """The number of tricks missing to the bid."""
        return SURE * (self.tricks_bid(s, s.bid[me]) - s.tricks[me])

    def aim(self, s: S, me: int) -> int:
        """The number of tricks to aim at: those missing to the bid; if the bid is lost, all or none, to spoil an open
        one."""
        own = self.missing(s, me)
        left = SURE * count(s.hand[me])
        if 0 <= own <= left:
            return own
        for seat in range(s.players):
            if seat != me and s.premium[seat] > PASSED:
                theirs = self.missing(s, seat)
                if 0 <= theirs <= left:
                    return SURE * WHOLE_HAND if theirs else 0
        return own

    def choose_for_dummy(self, s: S, me: int, moves: Buffer, n: int) -> int:
        """The dummy's card that leaves the trick to the right seat; a seat that wants tricks plays its high cards."""
        wanted = self.missing(s, me) - self.in_hand(s, me, self.unseen_by(s, me))
        best = moves[0]
        best_off = SURE * SURE
        for i in range(n):
            card = self.face(s, item(moves[i], 0))
            if s.led == 0:
                mine = self.takes_over(s, me, card)
            else:
                mine = SURE if s.ahead == me and s.better & bit(card) == 0 else 0
            off = abs(wanted - mine) + (-rank_of(card) if wanted > 0 else rank_of(card))
            if off < best_off:
                best = moves[i]
                best_off = off
        return best

    def takes_over(self, s: S, me: int, card: Card) -> int:
        """The chance that this seat, playing last, takes a trick to which the dummy leads."""
        hand = self.faces(s, s.hand[me])
        suit = of_suit(hand, suit_of(card))
        if suit == 0:
            return SURE // 2 if s.trump != NO_SUIT and of_suit(hand, s.trump) else 0
        return SURE * count(suit & above(card)) // count(suit)

    # ------------------------------------------------------------------------------------------------------ the chances

    def faces(self, s: S, cards: Cards) -> Cards:
        """The cards, with the joker replaced by the card that it stands for."""
        return cards & ~JOKERS | bit(s.upcard) if cards & JOKERS else cards

    def unseen_by(self, s: S, me: int) -> Cards:
        """The cards that may still be played against this seat."""
        seen = s.played | s.hand[me] | s.bid[me]
        for hand in range(self.hands(s)):
            seen |= s.turned[hand]
        return self.pack & ~self.faces(s, seen)

    def in_hand(self, s: S, me: int, unseen: Cards) -> int:
        """The expected number of tricks of a hand."""
        tricks = 0
        cards = s.hand[me]
        while cards:
            tricks += self.chance_of(s, me, unseen, lowest(cards))
            cards &= cards - 1
        return tricks

    def doubt_in_hand(self, s: S, me: int, unseen: Cards) -> int:
        doubt = 0
        cards = s.hand[me]
        while cards:
            doubt += self.doubt_of(self.chance_of(s, me, unseen, lowest(cards)))
            cards &= cards - 1
        return doubt

    def chance_of(self, s: S, me: int, unseen: Cards, held: Card) -> int:
        """The chance that a card in hand takes a trick sooner or later.

        With fewer cards left, trumps are better, and the rank of a plain card matters less.
        """
        card = self.face(s, held)
        own = count(of_suit(self.faces(s, s.hand[me]), suit_of(card)))
        left = WHOLE_HAND if s.phase == BIDDING else count(s.hand[me])
        below = (SURE - self.share_of(unseen, card, own)) * STEEP[s.players] // 16
        if suit_of(card) == s.trump:
            return SURE - min(SURE, below) * left // 10
        led = max(LED_LEAST, LED[0 if s.trump == NO_SUIT else 1] - LED_LESS * own)
        chance = max(0, SURE - below) * led // SURE
        return chance if left > 6 else (chance * (left + 2) + SURE // 3 * (7 - left)) // 9

    def share_of(self, unseen: Cards, card: Card, own: int) -> int:
        """The nearness of a card to the top of the unseen cards of its suit."""
        suit = of_suit(unseen, suit_of(card))
        higher = count(suit & above(card))
        return SURE - SURE * higher // (count(suit) + (own + 1) // 2)

    def last_trick(self, s: S, me: int, unseen: Cards, last: Card, who: int, card: Card, leader: int) -> int:
        """The chance that a card takes the last trick for `who`, while `me` holds the card `last`. If another seat
        leads, the card must be a trump or of the suit led."""
        hidden = unseen | bit(last)
        over = of_suit(hidden, suit_of(card)) & above(card)
        below = of_suit(hidden, suit_of(card)) & ~over
        if s.trump != NO_SUIT and suit_of(card) != s.trump:
            over |= of_suit(hidden, s.trump)
        elif s.trump != NO_SUIT:
            below = hidden & ~over
        chance = SURE
        for hand in range(s.players):
            if hand != who:
                may = bit(last) if hand == me else self.may_hold(s, unseen, hand)
                fails = may & (over if hand != leader else ~below)
                chance = chance * (count(may) - count(fails)) // max(1, count(may))
        return chance

    def may_hold(self, s: S, unseen: Cards, hand: int) -> Cards:
        """The cards that another hand may contain, or that it does contain if it is open."""
        if s.shown[hand]:
            return self.faces(s, s.shown[hand])
        for other in range(s.players):
            unseen &= ~s.shown[other]
        return unseen & ~s.lacks[hand]

    def takes(self, s: S, me: int, unseen: Cards, card: Card) -> int:
        """The chance that a card takes the last trick but one."""
        if s.better & bit(card) == 0:
            return 0
        suit = suit_of(card)
        chance = SURE
        hand = self.plays_after(s, me)
        while hand != s.leader and hand != me:
            may = self.may_hold(s, unseen, hand)
            many = max(1, count(may))
            over = count(of_suit(may, suit) & above(card))
            ruffs = 0
            if s.trump != NO_SUIT and suit != s.trump:
                ruffs = count(of_suit(may, s.trump)) * (many - count(of_suit(may, suit))) // many
            safe = max(0, many - over - ruffs)
            chance = chance * safe // many
            if many > 1:
                chance = chance * max(0, safe - 1) // (many - 1)
            hand = self.plays_after(s, hand)
        return chance

    def taker(self, s: S, me: int, unseen: Cards, card: Card) -> int:
        """The seat that leads next if this card does not take the trick: the last one that may beat the best card so
        far."""
        next_leader = s.ahead if s.led else self.plays_after(s, me)
        best = card if s.better & bit(card) else self.face(s, s.card[s.ahead])
        hand = self.plays_after(s, me)
        while hand != s.leader and hand != me:
            over = of_suit(self.may_hold(s, unseen, hand), suit_of(best)) & above(best)
            next_leader = hand if over else next_leader
            hand = self.plays_after(s, hand)
        return next_leader

    def now(self, s: S, me: int, unseen: Cards, card: Card) -> int:
        """The chance that a card takes the current trick."""
        if s.better & bit(card) == 0:
            return 0
        after = 0
        hand = self.plays_after(s, me)
        while hand != s.leader:
            after += 1
            hand = self.plays_after(s, hand)
        return SURE - (SURE - self.share_of(unseen, card, 1)) * after // (self.hands(s) - 1)
