"""Sixty-Six by rules of thumb: count the points, keep trumps and marriages, close on a strong hand, claim in time."""

from upcard.rules import *

from .rules import *

NOT_NOW = -1
DRAW_TRUMPS, SURE_TRICK, SPARE_TRUMP = 60, 40, 20
"""The values of leads that are certain to take the trick: a trump while the other player may hold trumps, a plain card,
and a trump once the other player has none."""
WINNING_TRICK = 100
"""The value of a trick that brings enough points to win."""
TAKES = 10
"""The value of taking a trick, apart from its points."""
HOPEFUL = 60
"""The number of expected points at which the stock is closed."""
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
"""About how many cards are played in a search of hands of so many cards."""
MOST_PLAYED = (4000, 12000)
"""About how many cards casual and medium players play in their minds before a move."""
MOST_HIDDEN = 12
"""The most cards of which the other player may hold some, if its hands are tried."""
FEWEST_HANDS = 16
"""The fewest of the other player's hands that are tried, if it can have so many."""
MINE, THEIRS, MINE_NOW, THEIRS_NOW, TURN, LED, LEFT, BEST, LOW, HIGH = range(10)
"""The numbers of a step of the search: both hands, both accounts (see `account`), whether it is this seat's turn, the
card led or NO_CARD, the cards not tried yet, the best value so far, and the bounds of alpha-beta search."""
STEP = 10
HAS_TRICK, PENDING = 1 << 20, 1 << 10
"""Parts of an account, after the points: whether there is a trick, and 1 pending point."""
MOST_WON = 3
"""The most game points for a deal, apart from extra points."""
FAR = 100
"""More than any value."""


class SixtySixHeuristic(SixtySixRules[S]):
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
            return bit(min(7, max(0, (hoped - 36) // 6))) | bit(8 + far)
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
        if self.offered(moves, n, CLOSE) and self.hopes(s, me, pair) >= HOPEFUL:
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
        followed, some of the hands that the other player can have, or all, are played out with open cards; the move is
        replaced if another one is better with some of them and worse with none."""
        verb = verb_of(move)
        if (verb != 0 and verb != MELD) or s.points[me] >= self.enough or self.wins_next(s, me, move):
            return move
        for i in range(n):
            if self.wins_next(s, me, moves[i]):
                return moves[i]
        if self.stock_open(s):
            return move
        known = s.shown[1 - me]
        hidden = self.unseen(s, me) & ~known
        lacking = count(s.hand[me]) - (1 if s.led else 0) - count(known)
        size = count(s.hand[me])
        if count(hidden) > MOST_HIDDEN or size >= len(BRANCHES):
            return move
        hands = self.choices_of(count(hidden), lacking)
        tried = MOST_PLAYED[careful] // BRANCHES[size]
        if tried < min(hands, FEWEST_HANDS):
            return move
        return self.best_in_all(s, me, moves, n, move, known, hidden, lacking, 1 + (hands - 1) // tried)

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

    def choices_of(self, many: int, few: int) -> int:
        """In how many ways a few of many cards can be chosen."""
        ways = 1
        for i in range(few):
            ways = ways * (many - i) // (i + 1)
        return ways

    def best_in_all(
        self, s: S, me: int, moves: Buffer, n: int, move: int, known: Cards, hidden: Cards, lacking: int, every: int
    ) -> int:
        """The move that gains most over the intended one, of those that are never worse. The other player has the cards
        `known` and some of `hidden`; one in `every` such hands is tried."""
        gains, losses, at = n, 2 * n, 3 * n
        for i in range(n):
            moves[gains + i] = 0
            moves[losses + i] = 0
        some = 0
        hands = 0
        going = True
        while going:
            hands += 1 if count(some) == lacking else 0
            if count(some) == lacking and hands % every == 0:
                worth = self.value_after(s, me, move, known | some, moves, at)
                for i in range(n):
                    if moves[i] != move and self.is_tried(s, me, moves[i]):
                        gain = self.value_after(s, me, moves[i], known | some, moves, at) - worth
                        moves[gains + i] += gain
                        moves[losses + i] += 1 if gain < 0 else 0
            some = (some - hidden) & hidden
            going = some != 0
        best = move
        most = 0
        for i in range(n):
            if moves[losses + i] == 0 and moves[gains + i] > most:
                best = moves[i]
                most = moves[gains + i]
        return best

    def is_tried(self, s: S, me: int, move: int) -> bool:
        """Whether a move may be better than the intended one: a claim is not, nor is a card of a marriage before it is
        shown."""
        if verb_of(move) == 0:
            return s.phase == FOLLOW or s.melded != NO_SUIT or self.marriage_with(s, s.hand[me], move) == 0
        return verb_of(move) == MELD

    def marriage_with(self, s: S, hand: Cards, one: Card) -> int:
        """The points of the marriage of which this card is a part, 0 if it cannot be shown."""
        pair = self.marriage_of(suit_of(one))
        shown = pair & bit(one) != 0 and hand & pair == pair and self.may_show(s)
        return self.worth_of_marriage(s, suit_of(one)) if shown else 0

    def account(self, s: S, seat: int) -> int:
        """The points of a seat, its pending points, and whether it has a trick."""
        return s.points[seat] + PENDING * s.pending[seat] + (HAS_TRICK if s.tricks[seat] else 0)

    def has_enough(self, account: int) -> bool:
        return account % PENDING >= self.enough

    def with_marriage(self, account: int, worth: int) -> int:
        return account + (worth if account & HAS_TRICK else PENDING * worth)

    def value_after(self, s: S, me: int, move: int, theirs: Cards, room: Buffer, at: int) -> int:
        """The game points that the deal is worth for a seat after this move, if both players see all cards and play as
        well as possible."""
        now, other = self.account(s, me), self.account(s, 1 - me)
        if verb_of(move) == 0:
            return self.value_of_card(s, me, move, theirs, now, other, room, at)
        now = self.with_marriage(now, self.marriage_value(s, move))
        if self.has_enough(now):
            return self.value_of_claim(s, me, other)
        king = self.value_of_card(s, me, item(move, 0), theirs, now, other, room, at)
        return max(king, self.value_of_card(s, me, item(move, 1), theirs, now, other, room, at))

    def value_of_card(
        self, s: S, me: int, one: Card, theirs: Cards, now: int, other: int, room: Buffer, at: int
    ) -> int:
        room[at + MINE] = s.hand[me]
        room[at + THEIRS] = theirs
        room[at + MINE_NOW] = now
        room[at + THEIRS_NOW] = other
        room[at + TURN] = 1
        room[at + LED] = s.card[1 - me] if s.led else NO_CARD
        room[at + LOW] = -MOST_WON
        room[at + HIGH] = MOST_WON
        self.take_step(s, one, room, at, False)
        return self.played_out(s, me, room, at + STEP)

    def played_out(self, s: S, me: int, room: Buffer, root: int) -> int:
        """The value of a step of the search, which is alpha-beta search without recursion."""
        at = root
        value = 0
        returned = False
        while at >= root:
            if not returned:
                if room[at + LED] == NO_CARD and self.is_decided(s, room, at):
                    value = self.decided_value(s, me, room, at)
                    returned = True
                    at -= STEP
                    continue
                room[at + LEFT] = self.answers(s, room, at)
                room[at + BEST] = -FAR if room[at + TURN] else FAR
            elif room[at + TURN]:
                room[at + BEST] = max(room[at + BEST], value)
                room[at + LOW] = max(room[at + LOW], value)
            else:
                room[at + BEST] = min(room[at + BEST], value)
                room[at + HIGH] = min(room[at + HIGH], value)
            returned = room[at + LEFT] == 0 or room[at + LOW] >= room[at + HIGH]
            if returned:
                value = room[at + BEST]
                at -= STEP
            else:
                one = highest(room[at + LEFT])
                room[at + LEFT] &= ~bit(one)
                self.take_step(s, one, room, at, True)
                at += STEP
        return value

    def answers(self, s: S, room: Buffer, at: int) -> Cards:
        """The cards that may be played in a step."""
        hand = room[at + MINE] if room[at + TURN] else room[at + THEIRS]
        led = room[at + LED]
        if led == NO_CARD:
            return hand
        follow = of_suit(hand, suit_of(led))
        if self.endplay == RELAXED:
            return follow or hand
        return follow & stronger(self.above, led) or follow or of_suit(hand, s.trump) or hand

    def take_step(self, s: S, one: Card, room: Buffer, at: int, shows: bool) -> None:
        """Write the step after this card has been played. `shows` is whether a marriage is shown if one of its cards is
        led."""
        turn = room[at + TURN]
        after = at + STEP
        for i in range(STEP):
            room[after + i] = room[at + i]
        hand = room[at + MINE] if turn else room[at + THEIRS]
        room[after + (MINE if turn else THEIRS)] = hand & ~bit(one)
        led = room[at + LED]
        if led == NO_CARD:
            room[after + LED] = one
            room[after + TURN] = 1 - turn
            worth = self.marriage_with(s, hand, one) if shows else 0
            account = room[at + MINE_NOW] if turn else room[at + THEIRS_NOW]
            room[after + (MINE_NOW if turn else THEIRS_NOW)] = self.with_marriage(account, worth)
            return
        ruffs = suit_of(one) == s.trump and suit_of(led) != s.trump
        taker = turn if ruffs or stronger(self.above, led) & bit(one) else 1 - turn
        account = room[at + MINE_NOW] if taker else room[at + THEIRS_NOW]
        points = account % PENDING + account // PENDING % PENDING + self.value[rank_of(led)] + self.value[rank_of(one)]
        room[after + (MINE_NOW if taker else THEIRS_NOW)] = HAS_TRICK + points
        room[after + LED] = NO_CARD
        room[after + TURN] = taker

    def is_decided(self, s: S, room: Buffer, at: int) -> bool:
        """Whether, before a lead, all cards have been played or the leader has enough points, with a marriage or
        without one."""
        hand = room[at + MINE] if room[at + TURN] else room[at + THEIRS]
        account = room[at + MINE_NOW] if room[at + TURN] else room[at + THEIRS_NOW]
        if hand == 0 or self.has_enough(account):
            return True
        worth = self.shown_next(s, hand) if account & HAS_TRICK else 0
        return account % PENDING + worth >= self.enough

    def decided_value(self, s: S, me: int, room: Buffer, at: int) -> int:
        mine, theirs, turn = room[at + MINE_NOW], room[at + THEIRS_NOW], room[at + TURN]
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
