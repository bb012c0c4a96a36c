"""Kalooki by rules of thumb: count the cards that the contract still lacks, take and call cards that reduce the number,
lay down as soon as possible, and discard the card that leaves the best hand and helps the others least.
"""

from upcard.rules import *

from .going_out import *
from .plan import *
from .rules import *

NEXT = 8
"""The factor by which the player on the left, who can take a discard for free, counts more than the others when a
discard is chosen."""
MANY_THREES, MORE, PARTS = 3, 3, 4
"""The rule for more calls: in contracts with at least MANY_THREES threes, a card is also called if it makes MORE more
cards useful, once at most one card in PARTS is lacking. In contracts with more fours the penalty card is seldom worth
its points."""
NEARLY = 2
"""The most cards that the plan for the contract may lack if the upcard can complete it: the plan may count one too
many."""

FAMILIES, STAGES = 4, 4
"""Contracts are distinguished by their number of threes, and hands by the number of cards that they lack, see
`stage_of_hand`."""
PILED, PILED_TWICE, SEEN, SEEN_TWICE, LACKED, HELPING, THREW, GOT = range(8)
TOOK, TAKEN, FITS, DOWN, ROUND, OUT_SPANS, OUT_RANKS = range(8, 15)
"""The notes on a position: the cards in the discard pile, and those seen; the number of cards that the contract lacks,
and of unseen ones that would help; the cards that the player on the left has thrown, been left by this seat, and taken;
those that the others have taken; those that fit the melds; whether anybody is down; the round; a way to go out in this
turn."""
LOST, FEWER, HELPS, RANKS_HELD, NEAR_HELD, BESIDE, TWIN, RANKS_PILED, NEAR_PILED = 0, 2, 7, 12, 15, 18, 19, 20, 23
RANKS_TOOK, NEAR_TOOK, LIKE_TAKEN, LIKE_THROWN, LIKE_GOT, IT_FITS, LEFT_DOWN = 26, 28, 30, 32, 34, 36, 37
DEAR_DOWN, DEAR_LATER, DEAR_LATE, DEAR_ACE, AT_TACK = 38, 41, 43, 45, 46
AT_LAY, ANY_LAID, JOKERS_LAID, GROWS, FIT_LAID, ON_THE_WAY, OFF_THE_WAY = 48, 52, 53, 55, 57, 59, 60
"""The first traits of a discard, by subject: the cards that the contract lacks without it; the cards that it fits in
the hand, in the pile, and among those that others took and threw; and its points. Then the first traits of other moves
in a turn."""
JOKER_UP, LESS, GAINED, RANKS_UP, NEAR_UP, DEAR_UP, ANY_DOWN, AT_ROUND = 0, 1, 5, 10, 12, 14, 15, 16
CALLED, MORE_HELD, CALLER_CALLED, CALLER_LEFT, CALLER_RANK, CALLER_NEAR = 19, 21, 23, 25, 26, 27
ACTIVE_DOWN, ACTIVE_LEFT, FITS_UP = 29, 30, 31
"""The first traits of taking the upcard, in any way: its use for the hand, the time, and its possible use for the
caller."""
HELPFUL = (3, 6, 10, 15, 20)
DEAR, DEAREST = (6, 10), (15,)
"""The smallest numbers of helpful cards, and the smallest points of a card, that have these traits."""

TURNS, LACKING, NUMBERS = 6, 10, 4
"""The numbers of stages of a deal, of lacking cards, and of other counts that are distinguished."""
COMPANY = 2 * NUMBERS
LATEST = 3
"""The number of a seat's latest discards that are distinguished; the last one stands for all earlier ones too."""
RECENT = 8
"""The number of the others' latest discards for which it counts whether they would have helped."""
AT_JOKERS = TURNS * LACKING
AT_TAKEN = AT_JOKERS + NUMBERS
AT_THROWN = AT_TAKEN + COMPANY
AT_LEFT = AT_THROWN + LATEST * COMPANY
LEFT = COMPANY + 2
AT_CALLED = AT_LEFT + 2 * LEFT
AT_FITTING = AT_CALLED + LEFT
AT_POINTS = AT_FITTING + NUMBERS
OF_CONTRACT = AT_POINTS + 2 * NUMBERS
"""The features of a hand (see `upcard.policies.hand_features`), separately for each contract: the number of cards that
it lacks at this stage of the deal, its jokers, and the cards that go with those that its seat has taken, thrown,
called, and left to others. After the contract: the cards that fit the melds, and the points."""


class KalookiHeuristic(KalookiGoingOut[S], KalookiPlan[S]):
    """The heuristic player, and the features of the learned policies."""

    SITUATIONS = FAMILIES * STAGES
    TRAITS = OFF_THE_WAY + 1
    NOTES = OUT_RANKS + 1
    HAND_SIGNS = MOST_CONTRACTS * OF_CONTRACT
    INFERS = 0.5

    @override
    def choose(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        if s.phase == PLAY:
            return self.choose_play(s, me, moves, n, luck)
        if s.phase == CALLING:  # a call that is fined gains nothing
            return CALL if s.calls[me] < self.calls and self.upcard_helps(s, me, True) else PASS
        helps = self.upcard_helps(s, me, False)
        if s.phase == DRAWING:
            return TAKE if helps else STOCK
        return REFUSE if helps else ALLOW

    @large
    def upcard_helps(self, s: S, me: int, calling: bool) -> bool:
        """Whether the contract lacks fewer cards with the upcard in the hand, or the seat can go out with it at once.
        For a call, which brings a second card, also whether more cards would then help: see `MORE`.
        """
        upcard = s.discards[s.thrown - 1]
        threes = self.need_threes[s.contract]
        fours = self.need_fours[s.contract]
        lacking, helping = self.plan(s.hand[me], s.twice[me], s.jokers[me], threes, fours)
        if not calling and lacking <= NEARLY and self.upcard_goes_out(s, me):
            return True
        if upcard == JOKER:
            return lacking > 0
        hand = s.hand[me] | bit(upcard)
        twice = s.twice[me] | s.hand[me] & bit(upcard)
        then, useful = self.plan(hand, twice, s.jokers[me], threes, fours)
        if then < lacking or not calling:
            return then < lacking
        if threes < MANY_THREES or lacking == 0 or PARTS * lacking > self.dealt[s.contract]:
            return False
        once, again = self.seen_cards(s, me, self.discarded(s))
        return self.alive(useful, once, again) >= self.alive(helping, once, again) + MORE

    def choose_play(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        """Lay if possible, and in a way that goes out at once if there is one; otherwise tack on, otherwise discard;
        jokers last, because they fit nearly everywhere."""
        lying = self.discarded(s)
        once, again = self.seen_cards(s, me, lying)
        spans, ranks = self.way_out(s, me) if self.can_lay(moves, n) else (0, 0)
        best = moves[0]
        best_worth = -1000000
        for i in range(n):
            first = item(moves[i], 0)
            verb = verb_of(moves[i])
            worth = 0
            if verb == LAY:
                worth = 300000 + self.lay_worth(moves[i]) + 100000 * self.on_the_way(s, me, moves[i], spans, ranks)
            elif verb == TACK:
                worth = 200000 if first == JOKER else 290000 + self.worth[first]
            elif verb == DISCARD and s.down[me]:
                worth = 8 * self.worth[first] - 16 * self.company(s.hand[me], s.twice[me], first, 1, 0)
                worth += 8 * self.safety(s, me, first, lying)
            elif verb == DISCARD:
                worth = self.discard_worth(s, me, first, once, again) + 8 * self.safety(s, me, first, lying)
            worth = 8 * worth + (luck >> i % 24 & 7)
            if worth > best_worth:
                best_worth = worth
                best = moves[i]
        return best

    def can_lay(self, moves: Buffer, n: int) -> bool:
        """Whether the moves include a `lay`."""
        lays = 0
        for i in range(n):
            lays += verb_of(moves[i]) == LAY
        return lays > 0

    def lay_worth(self, move: int) -> int:
        """The value of a `lay`: few jokers are good, and low cards, because a four grows at its high end."""
        worth = 0
        for i in range(items_of(move)):
            worth -= 10000 if item(move, i) == JOKER else rank_of(item(move, i))
        return worth

    def discard_worth(self, s: S, me: int, card: Card, once: Cards, again: Cards) -> int:
        """The value of a discard: by the number of cards then lacking, the number that would help, and the card's
        points."""
        threes = self.need_threes[s.contract]
        fours = self.need_fours[s.contract]
        hand = once_less(s.hand[me], s.twice[me], bit(card))
        twice = s.twice[me] & ~bit(card)
        lacking, helping = self.plan(hand, twice, s.jokers[me], threes, fours)
        worth = 32 * self.alive(helping, once, again) - 4000 * lacking + 8 * self.worth[card]
        return worth - 8 * self.company(hand, twice, card, threes, fours)

    def safety(self, s: S, me: int, card: Card, lying: tuple[Cards, Cards]) -> int:
        """The safety of a discard: high if cards like it are in the discard pile, where nobody wanted them, and if few
        cards that it fits have been taken.
        """
        ones, twos = lying
        worth = 0
        if self.need_threes[s.contract]:
            worth += count(of_rank(ones, rank_of(card))) + count(of_rank(twos, rank_of(card)))
        if self.need_fours[s.contract]:
            worth += self.neighbours(ones, card) + self.neighbours(twos, card)
            for seat in range(s.players):
                if seat != me and not s.down[seat]:
                    worth -= (NEXT if seat == left_of(s, me) else 1) * self.neighbours(s.shown[seat], card)
        return worth

    # ----------------------------------------------------------------------------------------------- the learned policy

    @override
    def situation(self, s: S, me: int) -> int:
        return STAGES * min(self.need_threes[s.contract], FAMILIES - 1) + self.stage_of_hand(s, me)

    def stage_of_hand(self, s: S, me: int) -> int:
        """The stage of a hand: 0 if at most one card is lacking, 1 if at most three, 2 if more, and 3 once the seat is
        down."""
        if s.down[me]:
            return 3
        lacking = self.lacks(s, me, s.hand[me], s.twice[me])
        return 0 if lacking <= 1 else 1 if lacking <= 3 else 2

    @large
    @override
    def note(self, s: S, me: int, notes: Buffer, at: int) -> None:
        left = left_of(s, me)
        lying = self.discarded(s)
        once, again = self.seen_cards(s, me, lying)
        lacking, helping = self.plan_of(s, me, s.hand[me], s.twice[me])
        notes[at + PILED], notes[at + PILED_TWICE] = lying
        notes[at + SEEN] = once
        notes[at + SEEN_TWICE] = again
        notes[at + LACKED] = lacking
        notes[at + HELPING] = self.alive(helping, once, again)
        for what in range(THREW, ROUND):
            notes[at + what] = 0
        for i in range(s.thrown):
            if s.discards[i] != JOKER and s.throwers[i] == left:
                notes[at + THREW] |= bit(s.discards[i])
            elif s.discards[i] != JOKER and s.throwers[i] == me:
                notes[at + GOT] |= bit(s.discards[i])
        for seat in range(s.players):
            notes[at + DOWN] |= s.down[seat]
            if seat != me and not s.down[seat]:
                notes[at + (TOOK if seat == left else TAKEN)] |= s.shown[seat]
        for i in range(s.laid):
            notes[at + FITS] |= takes(s.melds[i])
        notes[at + ROUND] = s.turns // s.players
        notes[at + OUT_SPANS] = 0
        notes[at + OUT_RANKS] = 0
        if s.phase == PLAY and (lacking == 0 or self.laying(s) or s.down[me]):
            notes[at + OUT_SPANS], notes[at + OUT_RANKS] = self.way_out(s, me)
        elif s.phase in (DRAWING, ANSWER) and lacking <= NEARLY:
            notes[at + OUT_SPANS] = int(self.upcard_goes_out(s, me))

    @override
    def noted_traits(self, s: S, me: int, move: int, notes: Buffer, at: int) -> Cards:
        verb = verb_of(move)
        off = (notes[at + OUT_SPANS] | notes[at + OUT_RANKS] != 0) << OFF_THE_WAY  # a way out, but not by this move
        if verb == DISCARD:
            return self.traits_of_discard(s, me, item(move, 0), notes, at) | off
        if verb in (TAKE, CALL, REFUSE):
            return self.traits_of_upcard(s, me, notes, at) | notes[at + OUT_SPANS] << ON_THE_WAY
        if verb == LAY:
            return self.traits_of_lay(s, me, move, notes, at)
        return bit(AT_TACK + (item(move, 0) == JOKER)) | off if verb == TACK else 0

    @large
    def traits_of_lay(self, s: S, me: int, move: int, notes: Buffer, at: int) -> Cards:
        needed = 3 * self.need_threes[s.contract] + 4 * self.need_fours[s.contract]
        features = bit(AT_LAY + up_to(self.held_by(s, me) - needed - 1, 4)) | notes[at + DOWN] << ANY_LAID
        spans, ranks = notes[at + OUT_SPANS], notes[at + OUT_RANKS]
        if spans | ranks:
            features |= bit(ON_THE_WAY if self.on_the_way(s, me, move, spans, ranks) else OFF_THE_WAY)
        meld = meld_of(me, move)
        once, again = meld_naturals(meld)
        growing = takes(meld) & (s.hand[me] & ~once | s.twice[me] & once & ~again)
        features |= reached(items_of(move) - count(once) - count(again), (1, 2), JOKERS_LAID)
        features |= reached(count(growing), (1, 2), GROWS)
        return features | reached(count(once & notes[at + FITS]), (1, 2), FIT_LAID)

    @large
    def traits_of_upcard(self, s: S, me: int, notes: Buffer, at: int) -> Cards:
        c = s.discards[s.thrown - 1]
        features = notes[at + DOWN] << ANY_DOWN | reached(notes[at + ROUND], (2, 4, 7), AT_ROUND)
        features |= reached(s.calls[me], (1, 2), CALLED)
        features |= reached(self.held_by(s, me) - self.dealt[s.contract], (1, 3), MORE_HELD)
        if s.phase == CALLING:
            features |= s.down[s.active] << ACTIVE_DOWN | (s.active == left_of(s, me)) << ACTIVE_LEFT
        elif s.phase == ANSWER:
            features |= reached(s.calls[s.caller], (1, 2), CALLER_CALLED) | (s.caller == left_of(s, me)) << CALLER_LEFT
        if c == JOKER:
            return features | bit(JOKER_UP)
        if s.phase == ANSWER:
            features |= reached(count(of_rank(s.shown[s.caller], rank_of(c))), (1,), CALLER_RANK)
            features |= reached(self.neighbours(s.shown[s.caller], c), (1, 2), CALLER_NEAR)
        hand = s.hand[me]
        then, helping = self.plan_of(s, me, hand | bit(c), s.twice[me] | hand & bit(c))
        gained = self.alive(helping, notes[at + SEEN], notes[at + SEEN_TWICE]) - notes[at + HELPING]
        lacked = notes[at + LACKED]
        if then < lacked:
            features |= (1 | (lacked == 1) << 1 | (lacked == 2) << 2 | (lacked >= 5) << 3) << LESS
        features |= reached(gained, (1, 3, 6), GAINED) | reached(-gained, (2, 5), GAINED + 3)
        ranks = count(of_rank(hand, rank_of(c))) + count(of_rank(s.twice[me], rank_of(c)))
        features |= reached(ranks, (1, 2), RANKS_UP) | reached(self.neighbours(hand, c), (1, 2), NEAR_UP)
        return features | (self.worth[c] >= DEAR[1]) << DEAR_UP | (notes[at + FITS] >> c & 1) << FITS_UP

    @large
    def traits_of_discard(self, s: S, me: int, c: Card, notes: Buffer, at: int) -> Cards:
        hand = once_less(s.hand[me], s.twice[me], bit(c))
        twice = s.twice[me] & ~bit(c)
        rank = rank_of(c)
        ranks = count(of_rank(hand, rank)) + count(of_rank(twice, rank))
        features = reached(ranks, (1, 2, 3), RANKS_HELD)
        features |= reached(self.neighbours(hand & ~bit(c), c), (1, 2, 3), NEAR_HELD)
        beside = places_of(hand, suit_of(c)) << 1 >> rank & 0b1010
        features |= (beside != 0) << BESIDE | (s.twice[me] >> c & 1) << TWIN
        if not s.down[me]:
            lacking, helping = self.plan_of(s, me, hand, twice)
            helps = self.alive(helping, notes[at + SEEN], notes[at + SEEN_TWICE])
            features |= reached(lacking - notes[at + LACKED], (1, 2), LOST) | reached(helps, HELPFUL, HELPS)
            if lacking == notes[at + LACKED]:
                fewer = notes[at + HELPING] - helps
                features |= reached(fewer, (1, 3, 5, 8), FEWER) | (fewer < 0) << FEWER + 4
        piled = count(of_rank(notes[at + PILED], rank)) + count(of_rank(notes[at + PILED_TWICE], rank))
        near_piled = self.neighbours(notes[at + PILED], c) + self.neighbours(notes[at + PILED_TWICE], c)
        features |= reached(piled, (1, 2, 3), RANKS_PILED) | reached(near_piled, (1, 2, 4), NEAR_PILED)
        took = notes[at + TOOK]
        features |= reached(count(of_rank(took, rank)), (1, 2), RANKS_TOOK)
        features |= reached(self.neighbours(took, c), (1, 2), NEAR_TOOK)
        features |= self.like(notes[at + TAKEN], c) << LIKE_TAKEN | self.like(notes[at + THREW], c) << LIKE_THROWN
        features |= self.like(notes[at + GOT], c) << LIKE_GOT
        features |= (notes[at + FITS] >> c & 1) << IT_FITS | s.down[left_of(s, me)] << LEFT_DOWN
        worth = self.worth[c]
        if notes[at + DOWN]:
            features |= reached(worth, DEAR, DEAR_DOWN) | reached(worth, DEAREST, DEAR_DOWN + 2)
        if notes[at + ROUND] >= 4:
            features |= reached(worth, DEAR, DEAR_LATER)
        if notes[at + ROUND] >= 8:
            features |= reached(worth, DEAR, DEAR_LATE)
        return features | reached(worth, DEAREST, DEAR_ACE)

    def like(self, cards: Cards, c: Card) -> int:
        """1 if any of these cards has the same rank as a card, plus 2 if any is near it in its suit."""
        return (of_rank(cards, rank_of(c)) != 0) | (self.neighbours(cards, c) != 0) << 1

    # ---------------------------------------------------------------------------------------------- what hands are like

    @override
    def hand_signs(self, s: S, seat: int, room: Buffer) -> int:
        at = (s.contract - 1) * OF_CONTRACT
        room[0] = at + AT_JOKERS + up_to(s.jokers[seat], NUMBERS)
        if s.down[seat]:
            fitting = 0
            for i in range(s.laid):
                fitting |= takes(s.melds[i]) & s.hand[seat]
            room[1] = at + AT_FITTING + up_to(count(fitting), NUMBERS)
            room[2] = at + AT_POINTS + up_to(self.held_points(s, seat) >> 3, 2 * NUMBERS)
            return 3
        lacking = self.lacks(s, seat, s.hand[seat], s.twice[seat])
        room[1] = at + LACKING * self.stage_of(s.turns // s.players) + up_to(lacking, LACKING)
        n = 2
        taken = s.shown[seat]
        while taken:
            n = self.signs_of_company(s, seat, lowest(taken), 1, at + AT_TAKEN, room, n)
            taken &= taken - 1
        own = 0
        others = 0
        for i in range(s.thrown - 1, -1, -1):
            c = s.discards[i]
            if c != JOKER and s.throwers[i] == seat:
                n = self.signs_of_company(s, seat, c, 0, at + AT_THROWN + COMPANY * up_to(own, LATEST), room, n)
                own += 1
            elif c != JOKER and (i < s.thrown - 1 or self.has_answered(s, seat)):
                # the player on the right throws what this seat can take for free
                left = at + AT_LEFT + LEFT * (s.throwers[i] != NOBODY and left_of(s, s.throwers[i]) == seat)
                if i == s.thrown - 1 and s.phase == ANSWER and s.caller == seat:
                    left = at + AT_CALLED
                n = self.signs_of_company(s, seat, c, 0, left, room, n)
                if others < RECENT:
                    then = self.lacks(s, seat, s.hand[seat] | bit(c), s.twice[seat] | s.hand[seat] & bit(c))
                    room[n] = left + COMPANY + (then < lacking)
                    n += 1
                others += 1
        return n

    def has_answered(self, s: S, seat: int) -> bool:
        """Whether a seat has declared in this turn if it wants the upcard, or has had the chance to."""
        if s.phase not in (CALLING, ANSWER):
            return s.phase != DRAWING
        asked = s.caller if s.phase == ANSWER else lowest(s.to_act)
        return (seat - s.active) % s.players < (asked - s.active) % s.players + (s.phase == ANSWER)

    def stage_of(self, turns: int) -> int:
        """The stage of a deal: one for each of the first four turns, one up to the seventh, and one for all later
        turns."""
        return turns if turns < 4 else 4 if turns < 7 else 5

    def signs_of_company(self, s: S, seat: int, c: Card, itself: int, at: int, room: Buffer, n: int) -> int:
        """Write the features for the cards that go with a card in a hand: the number of its rank, and of neighbours in
        its suit. `itself` is 1 if the card is in the hand."""
        ranks = count(of_rank(s.hand[seat], rank_of(c))) + count(of_rank(s.twice[seat], rank_of(c)))
        room[n] = at + up_to(ranks - itself, NUMBERS)
        room[n + 1] = at + NUMBERS + up_to(self.neighbours(s.hand[seat], c) - itself, NUMBERS)
        return n + 2


@rule
def reached(number: int, marks: tuple[int, ...], at: int) -> Cards:
    """The traits, counted from `at`, for the marks that a number reaches."""
    features = 0
    for i in range(len(marks)):
        features |= (number >= marks[i]) << at + i
    return features


@rule
def up_to(number: int, end: int) -> int:
    """The number, limited to the range from 0 to `end` - 1, of which the last stands for all larger ones."""
    return min(max(number, 0), end - 1)
