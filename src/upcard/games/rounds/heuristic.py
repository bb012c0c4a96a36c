"""Rounds by rules of thumb: win three tricks of five, win honours, keep the right four cards, and watch the 2h. The
last cards, which are all known, are searched exhaustively.

Chances are whole numbers out of SURE; values are points times SURE.
"""

from upcard.rules import *
from upcard.rules.open_hands import FAR, MINE, OWN, THEIRS, TURN, OpenHands

from .rules import *

NOT_NOW = -1
SURE = 1024
DECIDES = (0, 0, 0, 0, 0, 16, 8, 4, 0, 8, 8, 6, 0, 4, 6, 6)
SIXTEENTHS = 16
"""The denominator of DECIDES, the chances that a trick decides the round. The index of DECIDES is 4 times the number of
tricks that seat 0 still needs, plus the number that seat 1 needs."""
KEEP = values(A=7, K=4, Q=2, J=1)
"""The value of keeping a card for later, by rank."""
KEEP_TRUMP = 8
"""The extra value of keeping a trump, if the next round has the same trumps."""
LIABILITY = 3
"""The cost of keeping the two of hearts, which the seat may have to throw away later."""
PATIENCE = 2
"""The weight of later tricks, in halves. It is one higher in the last round but one and two higher in the last, because
of the pile."""
FEW = 3
"""The largest hand that is searched exhaustively in the last round."""
LIKELY, UNLIKELY = 10, 14
"""The first trait for how much the trick decides, if the seat will probably take it, and if not."""
PLENTY = 10
"""The least number of points for which a trick counts as valuable."""
TO_THE_END = (4, 5)
"""The largest hands that casual and medium players search to the end of the game."""
AHEAD = (1, 2)
"""The number of tricks that they look ahead with larger hands."""
LAST_SIZE, AHEAD_BY, MY_TRICKS, THEIR_TRICKS, THIS = range(OWN, OWN + 5)
"""In a step of the search: the number of cards in a hand with which it ends, the points by which the seat is ahead, the
tricks of both in this round, and the round."""
SURE_TRICK = 3
"""The points that a card is worth which no card of the other hand beats."""


class RoundsHeuristic(RoundsRules[S], OpenHands[S]):
    """The heuristic player of Rounds, and the features of its learned policy."""

    SITUATIONS = 6
    TRAITS = 28
    UNITS = 16

    # ------------------------------------------------------------------------------------------- for the learned policy

    @override
    def situation(self, s: S, me: int) -> int:
        """Whether this is the last round, the last but one, or an earlier one, and whether the round is decided."""
        return 2 * min(2, self.rounds - s.round) + int(self.missing(s, 0) == 0 or self.missing(s, 1) == 0)

    @override
    def traits(self, s: S, me: int, move: int) -> Cards:
        """For a card: the chance that it is beaten when led, what it takes or gives, whether the trick decides the
        round, and whether the card will be a trump later."""
        if verb_of(move) != 0:
            return 0
        worth = self.card_points(bit(move))
        last = bit(0) if self.missing(s, me) == 1 else 0
        last |= bit(1) if self.missing(s, 1 - me) == 1 else 0
        last |= bit(2) if self.missing(s, me) == 2 else 0
        last |= bit(3) if self.missing(s, 1 - me) == 2 else 0
        prize = self.prize & bit(move) != 0
        if s.led == 0:
            chance = self.beaten_chance(s, me, move)
            step = 0 if chance == 0 else 5 if chance == SURE else 1 + 4 * chance // SURE
            prized = bit(6 + (0 if prize else 1 + step // 2))
            return bit(step) | prized | (last << LIKELY if step < 2 else last << UNLIKELY)
        worth += self.card_points(bit(s.card[s.leader]))
        much = 0 if worth == 0 else 1 if worth < 4 else 2 if worth < PLENTY else 3
        if s.better & bit(move) == 0:
            return bit(much) | (bit(4) if prize else 0) | last << UNLIKELY
        return bit(18 + much) | (bit(22) if prize else 0) | last << LIKELY | (bit(23) if s.trumps & bit(move) else 0)

    # ------------------------------------------------------------------------------------------------------ all choices

    @override
    def choose(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        if self.revokes == ALLOWED:
            first = self.before_card(s, me, moves, n)
            if first != NOT_NOW:
                return first
        right = self.lawful(s.hand[me], s.led, s.forced) if s.led else s.hand[me]
        stake = SURE * self.won_round // SIXTEENTHS * DECIDES[4 * self.missing(s, 0) + self.missing(s, 1)]
        counting = self.can_count(s, me)
        best = NOT_NOW
        most = 0
        for i in range(n):
            if verb_of(moves[i]) == 0 and right & bit(moves[i]):
                if counting:
                    worth = self.counted_out(s, me, moves[i])
                else:
                    worth = self.win(s, me, moves[i], stake) - self.keep(s, moves[i]) + (luck >> i & 255)
                if best == NOT_NOW or worth > most:
                    best = moves[i]
                    most = worth
        return best

    def missing(self, s: S, seat: int) -> int:
        """The number of tricks, up to three, that a seat still needs to win the round."""
        return min(3, max(0, self.tricks // 2 + 1 - s.tricks[seat]))

    def win(self, s: S, me: int, one: Card, stake: int) -> int:
        """The gain or loss of this card in the trick."""
        own = SURE * self.card_points(bit(one))
        if s.led:
            in_trick = own + SURE * self.card_points(bit(s.card[s.leader])) + stake
            return in_trick if s.better & bit(one) else -in_trick
        beaten = self.beaten_chance(s, me, one)
        return (SURE - 2 * beaten) * (own + stake) // SURE

    def keep(self, s: S, one: Card) -> int:
        """The value of keeping a card for later."""
        if self.prize & bit(one):
            return -LIABILITY * SURE
        worth = KEEP[rank_of(one)]
        late = max(0, s.round - self.rounds + 2)
        if s.trumps & bit(one) and late > 0:
            worth += KEEP_TRUMP
        return worth * SURE * (PATIENCE + late) // 2

    # ------------------------------------------------------------------------------------------ what the other may hold

    def unseen(self, s: S, me: int) -> Cards:
        """The cards that the other player may hold."""
        out = s.hand[me] | s.won[0] | s.won[1] | s.lacks[1 - me] | self.turned_up(s)
        if s.in_trick:
            out |= bit(s.card[s.leader])
        return self.pack & ~out

    def other_holds(self, s: S, me: int) -> Cards:
        """The cards that the other player is known to hold; once the stock is exhausted, all that are missing."""
        return self.unseen(s, me) if s.left == 0 else s.known[1 - me]

    def holds_one(self, s: S, me: int, such: Cards) -> int:
        """The chance that the other player holds one of these cards, when this seat is about to lead."""
        known = self.other_holds(s, me)
        if known & such:
            return SURE
        rest = self.unseen(s, me) & ~known
        hidden = count(s.hand[me]) - count(known)
        many = count(rest)
        none = SURE
        for i in range(count(rest & such)):
            none = none * (many - hidden - i) // (many - i)
        return SURE - none

    def beaten_chance(self, s: S, me: int, one: Card) -> int:
        """The chance that the other player beats this card if it is led."""
        over = self.better_than(s, one)
        return self.holds_one(s, me, over) if over else 0

    # --------------------------------------------------------------------------------------------------- the last cards

    def can_count(self, s: S, me: int) -> bool:
        """Whether the few cards left in the last round, which are all known, can be searched exhaustively."""
        if s.round < self.rounds or count(s.hand[me]) > FEW:
            return False
        return count(self.other_holds(s, me)) + count(s.in_trick) == count(s.hand[me])

    def counted_out(self, s: S, me: int, one: Card) -> int:
        """The points that this card and the rest of the hand win if the other player plays perfectly."""
        mine = s.hand[me] & ~bit(one)
        theirs = self.other_holds(s, me)
        ahead = s.tricks[me] - s.tricks[1 - me]
        if s.led:
            return -self.to_the_end(s, s.card[s.leader], one, theirs, mine, -ahead)
        least = FAR
        replies = self.lawful(theirs, self.asked_for(s, one), self.forced_by(s, one))
        while replies:
            reply = lowest(replies)
            replies &= replies - 1
            least = min(least, self.to_the_end(s, one, reply, mine, theirs & ~bit(reply), ahead))
        return least

    def to_the_end(self, s: S, led: Card, reply: Card, mine: Cards, theirs: Cards, ahead: int) -> int:
        """The points that the leader, who is `ahead` tricks ahead, wins in this trick and in the rest of both hands."""
        if mine == 0:
            return self.last_trick(s, led, reply, ahead)
        points = self.card_points(bit(led) | bit(reply))
        if self.better_than(s, led) & bit(reply):
            return -points - self.lead_of_two(s, theirs, mine, 1 - ahead)
        return points + self.lead_of_two(s, mine, theirs, ahead + 1)

    def lead_of_two(self, s: S, mine: Cards, theirs: Cards, ahead: int) -> int:
        """The points of `to_the_end` before the lead, with one or two cards in each hand: the worst reply to the best
        lead."""
        most = -FAR
        leads = mine
        while leads:
            led = lowest(leads)
            leads &= leads - 1
            least = FAR
            replies = self.lawful(theirs, self.asked_for(s, led), self.forced_by(s, led))
            while replies:
                reply = lowest(replies)
                replies &= replies - 1
                least = min(least, self.then_the_last(s, led, reply, mine & ~bit(led), theirs & ~bit(reply), ahead))
            most = max(most, least)
        return most

    def then_the_last(self, s: S, led: Card, reply: Card, mine: Cards, theirs: Cards, ahead: int) -> int:
        """The points of the leader in this trick and in the one after it, if there is one."""
        if mine == 0:
            return self.last_trick(s, led, reply, ahead)
        points = self.card_points(bit(led) | bit(reply))
        if self.better_than(s, led) & bit(reply):
            return -points - self.last_trick(s, lowest(theirs), lowest(mine), 1 - ahead)
        return points + self.last_trick(s, lowest(mine), lowest(theirs), ahead + 1)

    def last_trick(self, s: S, led: Card, reply: Card, ahead: int) -> int:
        """The points of the leader in the last trick, which counts twice and takes the pile, and for the round."""
        points = self.card_points(bit(led) | bit(reply) | self.turned_up(s))
        if self.better_than(s, led) & bit(reply):
            return -points + (self.won_round if ahead > 2 else -self.won_round)
        return points + (self.won_round if ahead > -2 else -self.won_round)

    # ---------------------------------------------------------------------------------------------------------- revokes

    def before_card(self, s: S, me: int, moves: Buffer, n: int) -> int:
        """A correction, a call or an acceptance; NOT_NOW to play a card. The seat's own revokes are always
        corrected."""
        best = NOT_NOW
        for i in range(n):
            verb = verb_of(moves[i])
            if verb == CORRECT or (verb == CALL and best == NOT_NOW and self.surely_revoked(s, me)):
                best = moves[i]
        return best if best != NOT_NOW or verb_of(moves[0]) != ACCEPT else moves[0]

    def surely_revoked(self, s: S, me: int) -> bool:
        """Whether this seat has seen proof of a revoke in an open trick of the other player."""
        other = 1 - me
        known = self.other_holds(s, me)
        for t in range(s.finished):
            had = known | s.since_deal[other] & ~s.before[t]
            reply = bit(s.replies[t])
            if s.open_tricks[other] & bit(t) and not s.wanted[t] & reply:
                if had & s.wanted[t] or (had & s.instead[t] and not s.instead[t] & reply):
                    return True
        return False

    # ----------------------------------------------------------------------- known cards, searched for both players

    @override
    def reconsider(self, s: S, me: int, moves: Buffer, n: int, move: int, careful: int) -> int:
        """Once all cards are known, a look ahead: to the end of the game with few cards, and some tricks otherwise."""
        size = count(s.hand[me])
        theirs = self.unseen(s, me)
        if self.revokes == ALLOWED or s.left > 0 or count(theirs) != size - count(s.in_trick):
            return move
        tricks = size if size <= TO_THE_END[careful] else AHEAD[careful]
        best = move
        most = self.value_ahead(s, me, move, theirs, tricks, -FAR, moves, n)
        for i in range(n):
            if moves[i] != move:
                worth = self.value_ahead(s, me, moves[i], theirs, tricks, most + 1, moves, n)
                if worth > most:
                    best = moves[i]
                    most = worth
        return best

    def value_ahead(
        self, s: S, me: int, one: Card, theirs: Cards, tricks: int, least: int, room: Buffer, at: int
    ) -> int:
        """The points by which a seat wins the rest of the game with this card, if both look this many tricks ahead; of
        a value below `least` only that matters."""
        self.begin_search(s, me, theirs, least, room, at)
        room[at + LAST_SIZE] = count(s.hand[me]) - tricks
        room[at + AHEAD_BY] = 0
        room[at + MY_TRICKS] = s.tricks[me]
        room[at + THEIR_TRICKS] = s.tricks[1 - me]
        room[at + THIS] = s.round
        return self.value_of_card(s, me, one, room, at)

    @override
    def answers(self, s: S, hand: Cards, led: Card) -> Cards:
        return self.lawful(hand, self.asked_for(s, led), self.forced_by(s, led))

    @override
    def finish_trick(self, s: S, me: int, led: Card, reply: Card, room: Buffer, at: int) -> None:
        if self.better_than(s, led) & bit(reply) == 0:
            room[at + TURN] = 1 - room[at + TURN]
        points = self.card_points(bit(led) | bit(reply))
        room[at + AHEAD_BY] += points if room[at + TURN] else -points
        room[at + (MY_TRICKS if room[at + TURN] else THEIR_TRICKS)] += 1
        is_over = room[at + MY_TRICKS] + room[at + THEIR_TRICKS] == self.tricks
        if is_over or room[at + MINE] | room[at + THEIRS] == 0:
            self.finish_round(s, me, room, at)

    def finish_round(self, s: S, me: int, room: Buffer, at: int) -> None:
        """RD-25 to RD-28: count the points for a round."""
        if room[at + THIS] == self.rounds:
            room[at + (MY_TRICKS if room[at + TURN] else THEIR_TRICKS)] += 1
            pile = self.card_points(self.turned_up(s))
            room[at + AHEAD_BY] += pile if room[at + TURN] else -pile
        mine, theirs = room[at + MY_TRICKS], room[at + THEIR_TRICKS]
        points = self.won_round + (self.sweep if mine == 0 or theirs == 0 else 0)
        room[at + AHEAD_BY] += points if mine > theirs else -points
        room[at + MY_TRICKS] = 0
        room[at + THEIR_TRICKS] = 0
        room[at + THIS] += 1
        if self.round_lead == NONDEALER:
            room[at + TURN] = 1 if me != s.dealer else 0

    @override
    def is_decided(self, s: S, room: Buffer, at: int) -> bool:
        """Whether the search has looked far enough ahead."""
        return count(room[at + MINE]) <= room[at + LAST_SIZE]

    @override
    def decided_value(self, s: S, me: int, room: Buffer, at: int) -> int:
        """The points by which the seat is ahead, with an estimate for the rest: cards that nothing beats, trumps, and
        the tricks of this round."""
        mine, theirs = room[at + MINE], room[at + THEIRS]
        stake = self.won_round * (room[at + MY_TRICKS] - room[at + THEIR_TRICKS]) // 4 if mine else 0
        return room[at + AHEAD_BY] + stake + self.promise(s, mine, theirs) - self.promise(s, theirs, mine)

    def promise(self, s: S, mine: Cards, theirs: Cards) -> int:
        """An estimate of the points that a hand may bring against another one."""
        worth = count(mine & s.trumps)
        while mine:
            one = lowest(mine)
            mine &= mine - 1
            worth += 0 if self.better_than(s, one) & theirs else self.card_points(bit(one)) + SURE_TRICK
        return worth
