"""Rounds. The numbers RD-… are the clauses of rulebook.md; the law of revokes is in `revokes`."""

from typing_extensions import TypeVar

from upcard.rules import *

from .revokes import *

DUE, PLAY, CLOSE, DONE = PHASES = words("deal play close done")
ENFORCED, ALLOWED = REVOKES = words("enforced allowed")
PRINTED, TRUMP = RANK_SUITS = words("printed trump")
NONDEALER, WINNER = ROUND_LEADS = words("nondealer winner")
NO_RANK = -1
ROOM = 39  # for the stock with hands of six
MOST_ROUNDS = 6  # of a game, in any variant

MOVES = Notation()  # RD-38: the verbs for revokes, next to playing a card
CORRECT = MOVES.verb("correct", "card", label="Correct: play {cards}", said="corrects a revoke: {cards}", amends=True)
CALL = MOVES.verb(
    "call",
    label="Call a revoke",
    said="calls a revoke",
    asks="Call a revoke? If there is none, the other player scores {opt.bonus} and your hand lies open.",
)
ACCEPT = MOVES.verb("accept", label="Accept the round", said="accepts the round")


class RoundsState(RevokeState, seats=2):
    stock: Pile = face_down(ROOM, counted="left")  # top card last; RD-55
    left: int = open_field()  # cards in the stock
    pile: Pile = open_pile(MOST_ROUNDS - 1, cards="card", reveals="RD-7")  # the pile of upcards, bottom first: RD-26
    trump: Suit = open_suit()  # the trump suit, RD-12
    trump_rank: Rank = open_field(NO_RANK)  # the rank whose cards are trumps
    rank_trumps: Cards = open_field(of="set")  # the cards of that rank, RD-14
    trumps: Cards = open_field(of="set")  # all trumps: these cards and the trump suit
    round: int = open_field()  # the number of the round, 1 to 5
    accepted: int = open_field(of="flag")  # whether the first seat has accepted, RD-48
    rounds_won: PerSeat = per_seat()  # the rounds that each seat has won in this game
    round_points: PerSeat = per_seat()  # the points of each seat in this game: for rounds and for the cards of the pile
    # Limits on a hand that has shown a void in an earlier round: see `fits_voids`
    lacked: Row = per_seat(length=2 * MOST_ROUNDS - 4, of="set")  # by deal and seat, the cards lacked from then on
    room: Row = per_seat(length=2 * MOST_ROUNDS - 4)  # how many of these can have come to the seat since
    extra: int = open_field(kept=True)  # extra games begun or due, RD-34
    last_points: PerSeat = per_seat(kept=True)  # the points of each seat in the last finished game
    last_rounds: PerSeat = per_seat(kept=True)  # the rounds that each seat won in it


S = TypeVar("S", bound=RoundsState, default=RoundsState)


class RoundsRules(RevokeRules[S]):
    """The deals of a game, the play of the tricks, and their score."""

    notation = MOVES
    phases = PHASES
    refused = "RD-59"

    revokes: int = choice(
        REVOKES, clause="RD-40", help="allowed: suit need not be followed, but may be called and punished"
    )
    target: int = choice(200, 100, 300, 400, clause="RD-32", help="points that win the match")
    rank_suit: int = choice(RANK_SUITS, clause="RD-13", help="the suit that rank trumps belong to")
    round_lead: int = choice(
        ROUND_LEADS, clause="RD-15", help="winner: who has the last trick of a round leads to the next"
    )
    sweep: int = choice(0, 10, clause="RD-28", help="points more for all tricks of a round")

    pack: Cards = card_set(
        RANKS,
        clause="RD-2",
        also="RD-10 RD-11",
        help="the cards that are played with",
        phrases=(
            "{if count(pack) == 52}The full pack of 52. In every suit the order is A (high) K Q J T 9 8 "
            "7 6 5 4 3 2{else}The pack has {count(pack)} cards. In every suit the order, high to low, is "
            "{pack:ranks}{end}",
            "lists all {count(pack)} cards",
        ),
    )
    size: int = number(
        9,
        clause="RD-6",
        also="RD-8 RD-11",
        help="cards in a hand in the first round",
        least=1,
        phrases=(
            "First deal: {size:word} cards each",
            "cards 1, 3, …, {2 * size - 1} go to the non-dealer and cards 2, 4, …, {2 * size} to",
        ),
    )
    more: int = number(5, clause="RD-8", also="RD-11", help="cards dealt to each before a later round")
    rounds: int = number(
        5,
        clause="RD-5",
        also="RD-4 RD-8 RD-9 RD-11 RD-12 RD-24 RD-25 RD-28 RD-31 RD-35 RD-48 RD-51 RD-52",
        help="rounds in a game; before the last nothing is dealt",
        least=1,
        phrases=(
            "deals {if rounds == 5}all four times{else}every time{end}",
            "a *game* is one pack, that is {rounds:word} *rounds*; a *round* is {tricks:word} tricks, in "
            "the last round {if rounds == 5 and tricks == 5 and size == 9 and more == 5}four "
            "tricks{else}as many as there are cards for{end} and the pile",
            "only after its {if rounds == 5}fifth{else}last{end} round",
            "full game of {rounds:word} rounds",
            "after the {if tricks == 5}fifth{else}last{end} trick of {if rounds == 5}rounds 1 to "
            "4{else}every round but the last{end}",
            "last trick of round {rounds}",
            "Round {rounds} has",
        ),
    )
    tricks: int = number(
        5,
        clause="RD-24",
        also="RD-5 RD-11 RD-25 RD-27 RD-28 RD-48",
        help="tricks in a round, if the cards last",
        least=1,
        phrases=(
            "{(tricks + 1) // 2:Word} or more of a round's {tricks:word} tricks",
            "All {tricks:word} tricks of a round, or all {rounds:word} rounds",
        ),
    )
    won_round: int = number(
        10,
        clause="RD-27",
        also="RD-30",
        help="points for a round",
        phrases=("win the round: {won_round} points",),
    )
    value: Row = card_values(A=4, K=3, Q=2, J=1, clause="RD-29", also="RD-30", help="what a card counts")
    prize: Cards = card_set("2h", clause="RD-29", help="the card that counts more")
    prize_value: int = number(10, clause="RD-29", also="RD-30", help="points for that card")
    extra_games: int = number(
        10,
        clause="RD-37",
        help="extra games before the match is drawn",
        phrases=("After {extra_games:word} extra",),
    )
    bonus: int = number(
        25,
        clause="RD-45",
        also="RD-46 RD-53",
        help="points for a right call, or for a wrong one of the other",
        phrases=(
            "scores {bonus} at once",
            "but {bonus} only",
            "the trick and {bonus}",
        ),
    )

    @override
    def constraints(self) -> Constraints:
        message = "{name} is at most {most}, not {number}: the table has no room for more upcards"
        yield at_most("RD-5", "rounds", self.rounds, MOST_ROUNDS, message)
        later = max(self.rounds - 2, 0)
        needed = 2 * self.size + 1 + later * (2 * self.more + 1)
        message = (
            "2 players × {cards} cards + the upcard + {later} × ({more} cards each + an upcard) are {needed}, the pack "
            "has {available}"
            if later
            else "2 players × {cards} cards + the upcard are {needed}, the pack has {available}"
        )
        yield pack_suffices("RD-11", self.pack, needed, message, cards=self.size, later=later, more=self.more)
        yield stock_fits("RD-11", count(self.pack) - 2 * self.size - 1, ROOM)
        hand, largest = 0, 0
        for this in range(1, self.rounds + 1):
            hand += self.size if this == 1 else self.more if this < self.rounds else 0
            largest, tricks = max(largest, hand), min(hand, self.tricks)
            yield from self.round_constraints(this, tricks)
            hand -= tricks
        moves = 2 * largest + 2 if self.revokes == ALLOWED else largest
        yield moves_suffice("RD-16", moves, self.most_moves, cards=largest)
        yield from self.points_constraints()
        if self.revokes == ALLOWED:
            message = "{name} is at most {most}, not {number}: a revoke may be in any of them"
            yield at_most("RD-40", "tricks", min(self.tricks, largest), MOST_TRICKS, message)

    def points_constraints(self) -> Constraints:
        """The constraints on points: every match can come to an end."""
        if self.prize_value:
            for card in as_list(self.prize):
                yield pack_has("RD-29", "prize", self.pack, card=card)
        least = min(self.value[rank] for rank in range(len(RANKS)))
        condition = "value has no negative number"
        message = "{name} has no negative number: a player below 0 might never reach the target"
        yield Constraint("RD-29", condition, least >= 0, sentence(message, name=setting_name("value")))
        scores = self.won_round > 0 or self.card_points(self.pack) > 0
        reason = sentence("neither rounds nor cards bring points, so nobody would ever reach the target")
        yield Constraint("RD-32", "rounds or cards bring points", scores, reason)

    def round_constraints(self, this: int, tricks: int) -> Constraints:
        """The constraints on one round: it has a trick, and one player wins more than the other."""
        last = this == self.rounds
        empty = (
            "the last round would begin without cards: {more_name}={more}, {tricks_name}={tricks}"
            if last
            else "round {round} would begin without cards: {more_name}={more}, {tricks_name}={tricks}"
        )
        numbers = {"round": this, "more": self.more, "tricks": self.tricks}
        names = {"more_name": setting_name("more"), "tricks_name": setting_name("tricks")}
        yield Constraint("RD-25", "each round has a trick", tricks > 0, sentence(empty, **numbers, **names))
        counted = tricks + last
        equal = (
            "the last round has {tricks} tricks, of which the last counts twice: each player could win {half}, and the "
            "rules have no winner then"
            if last
            else "round {round} has {tricks} tricks: each player could win {half}, and the rules have no winner then"
        )
        yield Constraint(
            "RD-27",
            "the tricks of a round cannot be shared equally: an odd number, even in the last round",
            counted % 2 == 1 or tricks <= 1,
            sentence(equal, round=this, tricks=tricks, half=counted // 2),
        )

    # -------------------------------------------------------------------------------------------------------- the deals

    @override
    def deal(self, s: S, order: Pile) -> None:
        dealt = deal_in_lots(s, order, self.size, 1)  # RD-6
        lay_stock(s, order, dealt + 1, count(self.pack))  # RD-11
        s.round = 1
        self.turn_up(s, order[dealt])  # RD-7
        self.begin_round(s, 1 - s.dealer)  # RD-15

    def turn_up(self, s: S, upcard: Card) -> None:
        """RD-12, RD-14: put the upcard on the pile, and fix the trumps."""
        s.pile[s.round - 1] = upcard
        s.trump = suit_of(upcard)
        s.trump_rank = rank_of(upcard)
        s.rank_trumps = of_rank(self.pack, rank_of(upcard)) & ~bit(upcard)
        s.trumps = all_of(suit_of(upcard)) | s.rank_trumps

    def begin_round(self, s: S, leader: int) -> None:
        s.phase = PLAY
        s.finished = 0
        s.accepted = 0
        s.proving = 0
        for seat in range(2):
            s.tricks[seat] = 0
            s.open_tricks[seat] = 0
            s.exposed[seat] = CLOSED  # RD-54
        take_lead(s, leader)

    def next_round(self, s: S) -> None:
        s.round += 1
        if s.round < self.rounds:  # RD-9
            self.deal_more(s)
        self.begin_round(s, s.taker if self.round_lead == WINNER else 1 - s.dealer)  # RD-15

    def deal_more(self, s: S) -> None:
        """RD-8: deal the cards for the next round, and turn up a new upcard."""
        for seat in range(2):
            self.limit_kept(s, seat)
            s.lacks[seat] = 0
            s.since_deal[seat] = 0
        for _ in range(self.more):
            s.hand[1 - s.dealer] |= bit(draw_top(s))
            s.hand[s.dealer] |= bit(draw_top(s))
        self.turn_up(s, draw_top(s))

    # ------------------------------------------------------------------------------------------------------------ moves

    @override
    def playable(self, s: S, me: int) -> Cards:
        hand = s.hand[me]
        if s.led == 0:
            return hand if s.phase == PLAY else 0  # RD-16, RD-48
        if self.revokes == ALLOWED and s.exposed[me] == CLOSED:
            return hand  # RD-40
        return self.lawful(hand, s.led, s.forced)  # RD-39

    @override
    def other_moves(self, s: S, me: int, out: Buffer, n: int) -> int:
        if self.revokes == ENFORCED:
            return n
        n = add(out, n, ACCEPT, s.phase == CLOSE)  # RD-48
        n = add(out, n, CALL, s.open_tricks[1 - me] != 0)  # RD-44
        return put_each(out, n, CORRECT, self.correctable(s, me))  # RD-41

    @override
    def apply(self, s: S, me: int, move: int) -> None:
        verb = verb_of(move)
        if verb == 0:
            self.play(s, me, move)
        elif verb == CORRECT:
            self.correct(s, me, item(move, 0))
        elif verb == CALL:  # RD-44, RD-50
            self.score_bonus(s, self.call(s, me))
        elif s.accepted == 0:  # RD-48
            s.accepted = 1
            s.to_act = only(1 - me)
        else:
            self.end_round(s)
        if self.revokes == ALLOWED:
            self.lay_open(s)
            if verb == CALL:
                s.shown[1 - me] = s.hand[1 - me]  # RD-46: until the next move

    def play(self, s: S, me: int, played: Card) -> None:
        self.lay(s, me, played)
        s.card[me] = played
        if s.led == 0:
            self.lead(s, me, played)
        else:
            self.reply(s, me, played)

    def lead(self, s: S, me: int, led: Card) -> None:
        s.led = self.asked_for(s, led)
        s.forced = self.forced_by(s, led)
        s.better = self.better_than(s, led)
        s.ahead = me
        s.in_trick = only(me)
        s.to_act = only(1 - me)
        if self.revokes == ALLOWED:
            self.note_lead(s, me, led)  # RD-43

    def asked_for(self, s: S, led: Card) -> Cards:
        """The cards that follow suit to this lead."""
        if s.trumps & bit(led):
            return all_of(s.trump) if self.rank_suit == PRINTED else s.trumps  # RD-17
        suit = all_of(suit_of(led))
        return suit if self.rank_suit == PRINTED else suit & ~s.rank_trumps  # RD-13

    def forced_by(self, s: S, led: Card) -> Cards:
        """The cards of which one must be played to this lead if the seat cannot follow suit."""
        return s.rank_trumps if s.trumps & bit(led) else 0  # RD-19

    def better_than(self, s: S, led: Card) -> Cards:
        """RD-21, RD-22: the cards that take the trick from this lead."""
        if s.rank_trumps & bit(led):
            return 0
        return above(led) | (s.rank_trumps if suit_of(led) == s.trump else s.trumps)

    def reply(self, s: S, me: int, played: Card) -> None:
        taker = me if s.better & bit(played) else 1 - me
        if self.revokes == ALLOWED:
            taker = self.note_reply(s, me, played, taker)  # RD-40, RD-43
        elif not s.led & bit(played):
            s.lacks[me] |= s.led if s.forced & bit(played) else s.led | s.forced
        s.won[taker] |= bit(played) | bit(s.card[1 - me])
        s.tricks[taker] += 1
        s.taker = taker
        s.finished += 1
        take_lead(s, taker)  # RD-23
        if s.finished == self.tricks or s.hand[me] == 0:
            self.finish_tricks(s, me)

    def finish_tricks(self, s: S, follower: int) -> None:
        if self.revokes == ALLOWED and s.round < self.rounds:  # RD-48, RD-52
            s.leader = NOBODY
            await_move(s, CLOSE, follower)
        else:
            self.end_round(s)

    def correct(self, s: S, me: int, card: Card) -> None:
        """RD-42: correct the last reply."""
        if s.led:
            self.withdraw_lead(s)
        last = s.finished - 1
        best = me if self.better_than(s, s.leads[last]) & bit(card) else 1 - me
        leader = self.replace_reply(s, me, last, card, best)
        if s.phase == PLAY:
            take_lead(s, leader)

    # ------------------------------------------------------------------------------------------------------- the scores

    def score_bonus(self, s: S, seat: int) -> None:
        """RD-45 to RD-47, RD-53: add the bonus to a seat's score."""
        before = s.scores[seat]
        s.scores[seat] += self.bonus
        if before < self.target <= s.scores[seat] and s.extra == 0:  # RD-35
            finish_match(s, DONE, highest_scores(s))

    def card_points(self, cards: Cards) -> int:
        """RD-29: the points of these cards."""
        return total_worth(cards, self.value) + self.prize_value * count(cards & self.prize)

    def points(self, s: S, seat: int) -> int:
        """The points of a seat in this game so far."""
        return s.round_points[seat] + self.card_points(s.won[seat])

    def turned_up(self, s: S) -> Cards:
        """The cards of the pile."""
        cards = 0
        for i in range(min(s.round, max(self.rounds - 1, 1))):
            cards |= bit(s.pile[i])
        return cards

    def end_round(self, s: S) -> None:
        if s.round == self.rounds:  # RD-25, RD-51
            s.tricks[s.taker] += 1
            s.round_points[s.taker] += self.card_points(self.turned_up(s))
        winner = 0 if s.tricks[0] > s.tricks[1] else 1  # RD-27
        s.rounds_won[winner] += 1
        s.round_points[winner] += self.won_round
        if s.tricks[1 - winner] == 0:
            s.round_points[winner] += self.sweep  # RD-28
        if s.round < self.rounds:
            self.next_round(s)
        else:
            self.end_game(s)

    def end_game(self, s: S) -> None:
        for seat in range(2):  # RD-30, RD-31
            s.last_points[seat] = self.points(s, seat)
            s.last_rounds[seat] = s.rounds_won[seat]
            s.scores[seat] += s.last_points[seat]
            s.exposed[seat] = CLOSED  # RD-54
        s.leader = NOBODY
        reached = max(s.scores[0], s.scores[1]) >= self.target
        if reached and (s.scores[0] != s.scores[1] or s.extra == self.extra_games):  # RD-32, RD-33, RD-37
            finish_match(s, DONE, highest_scores(s))
            return
        if reached:
            s.extra += 1  # RD-34
        self.clear(s)
        await_deal(s, 1 - s.dealer)  # RD-4

    # --------------------------------------------------------------------------------------- what the play has revealed

    def limit_kept(self, s: S, seat: int) -> None:
        """Record, before a deal, that a seat can later hold a card that it lacks now only if it is dealt one from now
        on.

        For the deals before rounds 2, 3, …, `lacked` are the cards that the seat was without at that deal or later, and
        `room` is the number of these that it can have received since. The entries of both seats alternate.
        """
        for this in range(s.round - 1):
            i = 2 * this + seat
            s.room[i] += self.more - count(s.since_deal[seat] & s.lacked[i])
            s.lacked[i] |= s.lacks[seat]

    def fits_voids(self, s: S, seat: int) -> bool:
        """Whether a seat that kept four cards can have been dealt the cards that it lacked before."""
        for this in range(min(s.round, self.rounds - 1) - 1):
            i = 2 * this + seat
            if count((s.hand[seat] | s.since_deal[seat]) & s.lacked[i]) > s.room[i]:
                return False
        return True

    @override
    def consistent(self, s: S, me: int) -> bool:
        """RD-55: whether a world agrees with the voids that the seats have shown, and with the absence of proofs."""
        voids_fit = self.fits_voids(s, 0) and self.fits_voids(s, 1)
        return voids_fit and self.nothing_was_proved(s, 0) and self.nothing_was_proved(s, 1)

    # ------------------------------------------------------------------------------------------------- for the solver

    @override
    def condense(self, s: S) -> None:
        """Without revokes and further deals, cards that were played count only as points."""
        if self.revokes == ALLOWED or s.left > 0 or s.led:
            return
        s.better = 0
        s.ahead = NOBODY
        s.taker = NOBODY
        for seat in range(2):
            s.round_points[seat] += self.card_points(s.won[seat])
            s.won[seat] = 0
            s.card[seat] = NO_CARD
            s.lacks[seat] = 0
            s.known[seat] = 0
            s.since_deal[seat] = 0
            s.rounds_won[seat] = 0
