"""Sixty-Six by rules of thumb: count the points, keep trumps and marriages, close on a strong hand, claim in time."""

from upcard.rules import *
from upcard.rules.open_hands import HIGH, MINE, OWN, THEIRS, TURN, OpenHands

from .rules import *

NOT_NOW = -1
DRAW_TRUMPS, SURE_TRICK, SPARE_TRUMP = 60, 40, 20
"""The values of leads that are certain to take the trick: a trump while the other player may hold trumps, a plain card,
and a trump once the other player has none."""
WINNING_TRICK = 100
"""The value of a trick that brings enough points to win."""
TAKES = 10
"""The value of taking a trick, apart from its points."""
NEARLY_ENOUGH = 6
"""The stock is closed by a player whose expected points are at most this many short of enough."""
FAR_SHORT = 30
"""The features tell apart how many points short a player expects to be, up to this many."""
SIXTHS = 6
AT_THEIRS, AT_PENDING = 7, 14
"""The first feature for the other player's points, and the feature for pending points; the next one is for the other
player having no trick."""
NEARLY = 10
"""A player this many points short may have enough after the next trick."""
DROPPED = 3
"""The points that the other player is expected to add to a trick that is lost."""
FAT = 10
"""The least number of points for which a card is worth a trump."""
WINS = 20
"""The trait of taking a trick that brings enough points."""
BRANCHES = (1, 1, 3, 10, 40, 150, 600)
"""About how many cards a search plays, by the size of the hand."""
MOST_PLAYED = (1000, 2000)
"""About how many cards the searches of casual and of medium players play before a move."""
MY_ACCOUNT, THEIR_ACCOUNT = OWN, OWN + 1
"""In a step of the search, both accounts: see `account`."""
HAS_TRICK, PENDING = 1 << 60, 1 << 30
"""Parts of an account, after the points: whether there is a trick, and 1 pending point."""
MOST_WON = 3
"""The most game points for a deal, apart from extra points."""


class SixtySixHeuristic(SixtySixRules[S], OpenHands[S]):
    """The casual player, and the features of the learned policy."""

    SITUATIONS = 5
    TRAITS = 25
    UNITS = 16
    SURROUNDINGS = 16

    @override
    def situation(self, s: S, me: int) -> int:
        """Whether the stock is open, closed by this seat, closed by the other player, or exhausted; or whether the only
        sensible move is to claim."""
        if s.points[me] >= self.enough:
            return 4
        if s.closer != NOBODY:
            return 1 if s.closer == me else 2
        return 0 if self.stock_open(s) else 3

    @override
    def surroundings(self, s: S, me: int) -> Cards:
        """How near both players are to enough points, whether points are pending, and whether the other player has no
        trick."""
        mine, theirs = s.points[me], s.points[1 - me]
        features = bit(min(SIXTHS, SIXTHS * mine // self.enough)) | bit(
            AT_THEIRS + min(SIXTHS, SIXTHS * theirs // self.enough)
        )
        return (
            features | (bit(AT_PENDING) if s.pending[me] else 0) | (bit(AT_PENDING + 1) if s.tricks[1 - me] == 0 else 0)
        )

    @override
    def traits(self, s: S, me: int, move: int) -> Cards:
        """For closing: the expected points, and how near the other player is. For other verbs: whether trumps are
        involved, and whether the move wins. For a card: its effect on marriages, on the trick, and on the points."""
        verb = verb_of(move)
        if verb == CLOSE:
            hoped = self.hopes(s, me, NOT_NOW)
            far = 0 if s.tricks[1 - me] == 0 else 1 if s.points[1 - me] < self.schneider else 2
            return bit(min(7, max(0, (hoped + FAR_SHORT - self.enough) // 6))) | bit(8 + far)
        if verb == MELD:
            wins = s.tricks[me] > 0 and s.points[me] + self.marriage_value(s, move) >= self.enough
            return bit(0 if suit_of(item(move, 0)) == s.trump else 1) | (bit(2) if wins else 0)
        return self.traits_of_card(s, me, move) if verb == 0 else 0

    def traits_of_card(self, s: S, me: int, one: Card) -> Cards:
        rank = rank_of(one)
        trump = suit_of(one) == s.trump
        features = 0
        if rank in (KING, QUEEN):
            partner = bit(card(KING + QUEEN - rank, suit_of(one)))
            features |= bit(11) if s.hand[me] & partner else bit(12) if self.unseen(s, me) & partner else 0
        if trump and rank == self.fetcher and s.upcard != NO_CARD:
            features |= bit(13)
        if s.points[1 - me] + s.pending[1 - me] + self.value[rank] >= self.enough - NEARLY:
            features |= bit(14)
        if s.phase == LEAD:
            if self.safe(s, me, one):
                features |= bit(15)
                features |= bit(16) if s.points[me] + s.pending[me] + self.value[rank] >= self.enough else 0
                features |= bit(17) if trump and of_suit(self.unseen(s, me), s.trump) else 0
            return features | (bit(18) if of_suit(self.unseen(s, me), s.trump) == 0 else 0)
        taken = self.value[rank_of(s.card[s.leader])] + self.value[rank]
        if s.better & bit(one) == 0:
            return features | (bit(19) if s.points[1 - me] + s.pending[1 - me] + taken >= self.enough else 0)
        features |= bit(WINS) if s.points[me] + s.pending[me] + taken >= self.enough else 0
        features |= bit(21 if self.value[rank_of(s.card[s.leader])] >= FAT else 22)
        features |= bit(23) if s.pending[me] else 0
        return features | (bit(24) if trump and suit_of(s.card[s.leader]) != s.trump else 0)

    @override
    def over(self, s: S, card: Card) -> Cards:
        """The cards that beat a card in its suit."""
        return stronger(self.above, card)

    # ------------------------------------------------------------------------------------------------------ all choices

    @override
    def choose(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        if s.phase == LEAD:
            first = self.before_lead(s, me, moves, n)
            if first != NOT_NOW:
                return first
        best = NOT_NOW
        most = 0
        for i in range(n):
            if verb_of(moves[i]) == 0:
                worth = 4 * self.worth_of(s, me, moves[i]) + (luck >> 2 * i & 3)
                if best == NOT_NOW or worth > most:
                    best = moves[i]
                    most = worth
        return best

    def worth_of(self, s: S, me: int, played: Card) -> int:
        """The value of playing this card."""
        if s.phase == LEAD:
            return self.lead_open(s, me, played) if self.stock_open(s) else self.lead_closed(s, me, played)
        return self.follow_open(s, me, played) if self.stock_open(s) else self.follow_closed(s, me, played)

    def unseen(self, s: S, me: int) -> Cards:
        """The cards that the other player may hold."""
        out = s.hand[me] | s.won[0] | s.won[1]
        if s.upcard != NO_CARD:
            out |= bit(s.upcard)
        if s.in_trick:
            out |= bit(s.card[s.leader])
        return self.pack & ~out & ~s.lacks[1 - me]

    # -------------------------------------------------------------------------------------------------- before the lead

    def before_lead(self, s: S, me: int, moves: Buffer, n: int) -> int:
        """A claim, an exchange, a close or a meld; NOT_NOW if a card should be led."""
        if s.points[me] >= self.enough:
            return DECLARE
        pair = self.best_marriage(s, moves, n)
        if pair != NOT_NOW and s.tricks[me] > 0 and s.points[me] + self.marriage_value(s, pair) >= self.enough:
            return pair
        if self.offered(moves, n, EXCHANGE):
            return EXCHANGE
        if self.offered(moves, n, CLOSE) and self.hopes(s, me, pair) >= self.enough - NEARLY_ENOUGH:
            return CLOSE
        return NOT_NOW if pair != NOT_NOW and self.cashes_first(s, me, pair) else pair

    def cashes_first(self, s: S, me: int, pair: int) -> bool:
        """Whether the marriage wins at once if it is shown after the sure tricks. Shown before them, it costs the lead,
        because its king or queen must be led."""
        if self.stock_open(s):
            return False
        points = s.points[me] + self.marriage_value(s, pair)
        others = s.hand[me] & ~cards_of(pair)
        while others:
            one = lowest(others)
            others &= others - 1
            points += self.value[rank_of(one)] + DROPPED if self.safe(s, me, one) else 0
        return points >= self.enough

    def offered(self, moves: Buffer, n: int, move: int) -> bool:
        i = 0
        while i < n and moves[i] != move:
            i += 1
        return i < n

    def best_marriage(self, s: S, moves: Buffer, n: int) -> int:
        best = NOT_NOW
        for i in range(n):
            if verb_of(moves[i]) == MELD and (best == NOT_NOW or suit_of(item(moves[i], 0)) == s.trump):
                best = moves[i]
        return best

    def marriage_value(self, s: S, move: int) -> int:
        return self.worth_of_marriage(s, suit_of(item(move, 0)))

    def hopes(self, s: S, me: int, pair: int) -> int:
        """The expected points if the stock is closed now: certain and likely tricks, and the cards that fall to
        them."""
        hidden = self.unseen(s, me)
        points = s.points[me] + (self.marriage_value(s, pair) if pair != NOT_NOW else 0)
        trumps = count(of_suit(hidden, s.trump))
        tricks = 0
        for suit in range(4):
            mine = of_suit(s.hand[me], suit)
            theirs = of_suit(hidden, suit)
            while mine:
                one = lowest(mine)
                mine &= mine - 1
                over = count(theirs & stronger(self.above, one))
                if over == 0 and (suit == s.trump or count(theirs) >= 2 or trumps <= 1):
                    points += self.value[rank_of(one)]
                    tricks += 1
        return points + 5 * tricks - 4 * trumps if tricks > 1 else 0

    # -------------------------------------------------------------------------------------------- while cards are drawn

    def keep(self, s: S, me: int, one: Card) -> int:
        """The value of a card in the hand while the stock is open."""
        rank = rank_of(one)
        suit = suit_of(one)
        worth = 13 if rank == ACE else 7 if rank == TEN else self.value[rank]
        if suit == s.trump:
            worth += 12
            if rank == self.fetcher and s.upcard != NO_CARD:
                worth += 6
        if rank in (KING, QUEEN):
            partner = bit(card(KING + QUEEN - rank, suit))
            if s.hand[me] & partner:
                worth += 18
            elif self.unseen(s, me) & partner:
                worth += 4
        return worth

    def lead_open(self, s: S, me: int, one: Card) -> int:
        if s.melded != NO_SUIT:
            return -self.value[rank_of(one)]
        hidden = self.unseen(s, me)
        over = count(hidden & stronger(self.above, one))
        if suit_of(one) == s.trump and over == 0 and s.points[me] + self.value[rank_of(one)] >= self.enough:
            return WINNING_TRICK
        return -self.keep(s, me, one) - self.value[rank_of(one)] - 2 * over

    def follow_open(self, s: S, me: int, one: Card) -> int:
        taken = self.value[rank_of(s.card[s.leader])] + self.value[rank_of(one)]
        if s.better & bit(one) == 0:
            return (
                -taken
                - self.keep(s, me, one)
                - (60 if s.points[1 - me] + s.pending[1 - me] + taken >= self.enough else 0)
            )
        if s.points[me] + s.pending[me] + taken >= self.enough:
            return 200
        return taken - self.keep(s, me, one) + s.pending[me]

    # --------------------------------------------------------------------------------- when the stock is gone or closed

    def safe(self, s: S, me: int, one: Card) -> bool:
        """Whether this card is certain to take the trick if led: it cannot be beaten in its suit, and the other player
        must follow suit or has no trump."""
        hidden = self.unseen(s, me)
        if hidden & stronger(self.above, one):
            return False
        return suit_of(one) == s.trump or of_suit(hidden, s.trump) == 0 or of_suit(hidden, suit_of(one)) != 0

    def lead_closed(self, s: S, me: int, one: Card) -> int:
        if s.melded != NO_SUIT:
            return self.value[rank_of(one)] if self.safe(s, me, one) else -self.value[rank_of(one)]
        hidden = self.unseen(s, me)
        if not self.safe(s, me, one):
            return (
                -2 * self.value[rank_of(one)]
                - (8 if suit_of(one) == s.trump else 0)
                - count(hidden & stronger(self.above, one))
            )
        if suit_of(one) == s.trump:
            return DRAW_TRUMPS + self.value[rank_of(one)] if of_suit(hidden, s.trump) else SPARE_TRUMP
        return SURE_TRICK + self.value[rank_of(one)]

    def follow_closed(self, s: S, me: int, one: Card) -> int:
        taken = self.value[rank_of(s.card[s.leader])] + self.value[rank_of(one)]
        if s.better & bit(one) == 0:
            return -taken - (6 if suit_of(one) == s.trump else 0)
        spent = 0 if self.unseen(s, me) & stronger(self.above, one) else self.value[rank_of(one)]
        return TAKES + taken - spent - (6 if suit_of(one) == s.trump else 0)

    # ----------------------------------------------------------------------- the last cards, searched for both players

    @override
    def reconsider(self, s: S, me: int, moves: Buffer, n: int, move: int, careful: int) -> int:
        """A sure trick after which there are enough points, perhaps with a marriage, is always taken. Once suit must be
        followed, the rest is played out with open cards against hands that the other player may have."""
        verb = verb_of(move)
        if (verb != 0 and verb != MELD) or s.points[me] >= self.enough or self.wins_next(s, me, move):
            return move
        for i in range(n):
            if self.wins_next(s, me, moves[i]):
                return moves[i]
        size = count(s.hand[me])
        if self.stock_open(s) or size >= len(BRANCHES):
            return move
        known = s.shown[1 - me]
        hidden = self.unseen(s, me) & ~known
        return self.better_in_some(s, me, moves, n, move, known, hidden, MOST_PLAYED[careful] // BRANCHES[size])

    def wins_next(self, s: S, me: int, move: int) -> bool:
        """Whether the seat is certain to have enough points before its next lead, or after showing a marriage then."""
        if verb_of(move) == MELD:
            return s.tricks[me] > 0 and s.points[me] + self.marriage_value(s, move) >= self.enough
        if verb_of(move) != 0 or not (s.better & bit(move) if s.led else self.takes_any_reply(s, me, move)):
            return False
        points = s.points[me] + s.pending[me] + self.value[rank_of(move)]
        points += self.value[rank_of(s.card[1 - me])] if s.led else 0
        return points + self.shown_next(s, s.hand[me] & ~bit(move)) >= self.enough

    def takes_any_reply(self, s: S, me: int, led: Card) -> bool:
        """Whether this card takes the trick if led, whatever the other player holds."""
        hidden = self.unseen(s, me)
        is_ruffed = suit_of(led) != s.trump and of_suit(hidden, s.trump) != 0
        return not is_ruffed and hidden & stronger(self.above, led) == 0

    def shown_next(self, s: S, hand: Cards) -> int:
        """The points of the best marriage in a hand."""
        queens = below_in_suit(hand, QUEEN) if self.may_show(s) else 0
        worth = 0
        while queens:
            worth = max(worth, self.worth_of_marriage(s, suit_of(lowest(queens))))
            queens &= queens - 1
        return worth

    def marriage_with(self, s: S, hand: Cards, one: Card) -> int:
        """The points of the marriage of which this card is a part, 0 if it cannot be shown."""
        pair = self.marriage_of(suit_of(one))
        shown = pair & bit(one) != 0 and hand & pair == pair and self.may_show(s)
        return self.worth_of_marriage(s, suit_of(one)) if shown else 0

    @override
    def is_tried(self, s: S, me: int, move: int) -> bool:
        """A claim is no better, nor is a card of a marriage before that is shown."""
        if verb_of(move) == 0:
            return s.phase == FOLLOW or s.melded != NO_SUIT or self.marriage_with(s, s.hand[me], move) == 0
        return verb_of(move) == MELD

    @override
    def value_after(self, s: S, me: int, move: int, theirs: Cards, least: int, room: Buffer, at: int) -> int:
        """In game points."""
        self.begin_search(s, me, theirs, max(least, 1 - MOST_WON), room, at)
        room[at + HIGH] = MOST_WON
        room[at + MY_ACCOUNT] = self.account(s, me)
        room[at + THEIR_ACCOUNT] = self.account(s, 1 - me)
        if verb_of(move) == 0:
            return self.value_of_card(s, me, move, room, at)
        room[at + MY_ACCOUNT] = self.with_marriage(room[at + MY_ACCOUNT], self.marriage_value(s, move))
        if self.has_enough(room[at + MY_ACCOUNT]):
            return self.value_of_claim(s, me, room[at + THEIR_ACCOUNT])
        king = self.value_of_card(s, me, item(move, 0), room, at)
        return max(king, self.value_of_card(s, me, item(move, 1), room, at))

    def account(self, s: S, seat: int) -> int:
        """The points of a seat, its pending points, and whether it has a trick."""
        return s.points[seat] + PENDING * s.pending[seat] + (HAS_TRICK if s.tricks[seat] else 0)

    def has_enough(self, account: int) -> bool:
        return account % PENDING >= self.enough

    def with_marriage(self, account: int, worth: int) -> int:
        return account + (worth if account & HAS_TRICK else PENDING * worth)

    @override
    def answers(self, s: S, hand: Cards, led: Card) -> Cards:
        follow = of_suit(hand, suit_of(led))
        if self.endplay == RELAXED:
            return follow or hand
        return follow & stronger(self.above, led) or follow or of_suit(hand, s.trump) or hand

    @override
    def count_lead(self, s: S, one: Card, room: Buffer, at: int) -> None:
        """A marriage is shown whenever one of its cards is led."""
        leads = room[at + TURN] == 0
        hand = room[at + (MINE if leads else THEIRS)] | bit(one)
        place = at + (MY_ACCOUNT if leads else THEIR_ACCOUNT)
        room[place] = self.with_marriage(room[place], self.marriage_with(s, hand, one))

    @override
    def finish_trick(self, s: S, me: int, led: Card, reply: Card, room: Buffer, at: int) -> None:
        ruffs = suit_of(reply) == s.trump and suit_of(led) != s.trump
        if not ruffs and stronger(self.above, led) & bit(reply) == 0:
            room[at + TURN] = 1 - room[at + TURN]
        place = at + (MY_ACCOUNT if room[at + TURN] else THEIR_ACCOUNT)
        points = room[place] % PENDING + room[place] // PENDING % PENDING
        room[place] = HAS_TRICK + points + self.value[rank_of(led)] + self.value[rank_of(reply)]

    @override
    def is_decided(self, s: S, room: Buffer, at: int) -> bool:
        """Whether all cards have been played or the leader has enough points, with a marriage or without one."""
        hand = room[at + MINE] if room[at + TURN] else room[at + THEIRS]
        account = room[at + MY_ACCOUNT] if room[at + TURN] else room[at + THEIR_ACCOUNT]
        worth = self.shown_next(s, hand) if account & HAS_TRICK else 0
        return hand == 0 or account % PENDING + worth >= self.enough

    @override
    def decided_value(self, s: S, me: int, room: Buffer, at: int) -> int:
        mine, theirs, turn = room[at + MY_ACCOUNT], room[at + THEIR_ACCOUNT], room[at + TURN]
        if room[at + MINE] | room[at + THEIRS]:
            return self.value_of_claim(s, me, theirs) if turn else -self.value_of_claim(s, 1 - me, mine)
        if self.last == ALWAYS or s.closer == NOBODY:
            mine += self.last_trick if turn else 0
            theirs += 0 if turn else self.last_trick
        if s.closer == me and not self.has_enough(mine):
            return -self.value_against_closer(s)
        if s.closer == 1 - me and not self.has_enough(theirs):
            return self.value_against_closer(s)
        if self.has_enough(mine) == self.has_enough(theirs):
            return 0
        return self.value_of_win(theirs) if self.has_enough(mine) else -self.value_of_win(mine)

    def value_of_claim(self, s: S, seat: int, other: int) -> int:
        """SS-34, SS-35, SS-39: the game points for a right claim against a player with this account."""
        if s.closer == 1 - seat and not self.has_enough(other):
            return self.value_against_closer(s)
        return 0 if self.both == NEITHER and self.has_enough(other) else self.value_of_win(other)

    def value_against_closer(self, s: S) -> int:
        return 3 if s.closed_on == 0 else 2

    def value_of_win(self, loser: int) -> int:
        return 3 if loser & HAS_TRICK == 0 else 2 if loser % PENDING < self.schneider else 1
