"""Kalooki. The numbers KA-… are the clauses of rulebook.md."""

from typing_extensions import TypeVar

from upcard.games.kalooki.double_pack import *
from upcard.games.kalooki.making import *
from upcard.games.kalooki.melds import *
from upcard.rules import *

DUE, DRAWING, CALLING, ANSWER, EMPTY, PLAY, DONE = PHASES = words("deal draw call answer reshuffle play done")
NO_DEAL, OUT, BENT, THROWN = HOW = words("no_deal out bent thrown")
BLOCKED, PENALTY = OVERCALL = words("blocked penalty")
DOUBLE, SINGLE = BEND = words("double single")
ANY_RANKS, DISTINCT = THREES = words("any distinct")
ANY_CARD, NATURAL = FIRST_UPCARD = words("any natural")
MOST_CONTRACTS = 9
ROOM = 84  # for a pile: a few cards more than the pack has, less three hands of nine and the melds made of them
MOST_MELDS = 36
A_THREE = 3
A_FOUR = 4
MOST_OF_CONTRACT = 4  # melds
MOST_ATTEMPTS = 20  # deals of a contract: matches at random are over within some 16,000 events
MOST_HELD = 29  # cards in a hand, for the list of moves

MOVES = Notation()
TAKE = MOVES.verb("take", label="Take the upcard", said="takes the upcard", zone="upcard")
STOCK = MOVES.verb("stock", label="Draw from the stock", said="wants to draw from the stock", zone="stock")
CALL = MOVES.verb("call", label="Call the upcard", said="calls the upcard", zone="upcard")
PASS = MOVES.verb("pass", label="Pass", said="passes")
ALLOW = MOVES.verb("allow", label="Allow the call", said="allows the call")
REFUSE = MOVES.verb("refuse", label="Refuse: take the upcard", said="refuses and takes the upcard", zone="upcard")
LAY = MOVES.verb("lay", "card+", label="Lay {cards}", said="lays {cards}")
TACK = MOVES.verb("tack", "card number", most=MOST_MELDS - 1, label="Add {0} to meld {1}", said="adds {0} to meld {1}")
DISCARD = MOVES.verb("discard", "card", label="Discard {cards}", said="discards {cards}", zone="upcard", playable=True)
HOLD = MOVES.verb("hold", label="End the turn without a discard", said="has only jokers and holds")


def worth_of(opt: Any, c: Card) -> int:
    """KA-51: the points that a card counts against its holder."""
    if c == JOKER:
        return int(opt.joker_worth)
    black_ace = rank_of(c) == ACE and suit_of(c) in (CLUBS, SPADES)
    return int(opt.black_ace if black_ace else opt.counts[rank_of(c)])


class KalookiState(MeldState, seats=5):
    stock: Pile = face_down(ROOM, counted="left")  # top card last
    left: int = open_field()  # cards in the stock
    discards: Pile = open_pile(ROOM, cards="card", reveals="KA-6")  # the discard pile, upcard last
    thrown: int = open_field()  # cards in the discard pile
    throwers: Pile = open_pile(ROOM, of="seat")  # the seat that discarded each of them; NOBODY: turned up
    melds: Pile = open_pile(MOST_MELDS)  # the melds on the table as numbers: see upcard.games.kalooki.melds
    laid: int = open_field()  # the number of melds
    contract: int = open_field(kept=True)  # the contract of this deal, 1 to 9
    stage: int = open_field(kept=True)  # the position of the contract in the match, from 0
    attempt: int = open_field(1, kept=True)  # how often this contract has been dealt: KA-28
    active: int = open_seat()  # the seat whose turn it is
    caller: int = open_seat()  # the seat that awaits the answer
    drawer: int = open_seat()  # the seat that is to draw from the stock, at once or after a reshuffle
    threes: int = open_field()  # the sets of three still to be laid, in the middle of a contract
    fours: int = open_field()  # the runs of four still to be laid
    bending: int = open_field(of="flag")  # whether the active player went down in this turn
    turns: int = open_field()  # the turns completed in this deal
    shuffled: int = open_field(of="flag")  # whether the stock of this deal has been renewed
    down: PerSeat = per_seat(of="flag")  # whether the seat has laid its contract
    calls: PerSeat = per_seat()  # the successful calls of each seat in this deal
    points: PerSeat = per_seat()  # during a deal, the fines of each seat
    last_how: int = open_field(kept=True)  # how the last deal ended
    last_out: int = open_seat(kept=True)  # the seat that went out in it
    last_counted: PerSeat = per_seat(kept=True)  # the points that each seat counted in it


S = TypeVar("S", bound=KalookiState, default=KalookiState)


class KalookiRules(Game[S]):
    """The rules of Kalooki: the contracts, the turns with calls between them, the melds, and the ends of a deal."""

    notation = MOVES
    phases = PHASES

    contracts: int = digits(
        "123456789", MOST_CONTRACTS, clause="KA-3", help="the contracts to be played, in this order"
    )
    calls: int = choice(3, 0, 1, 2, 4, 5, 6, clause="KA-14", help="successful calls in a deal; 0: no calling at all")
    overcall: int = choice(OVERCALL, clause="KA-21", help="penalty: who has no call left may still try, for a fine")
    bend: int = choice(BEND, clause="KA-53", help="single: bending the table counts no more than going out")
    threes: int = choice(THREES, clause="KA-33", help="distinct: a player's threes are of different ranks")
    first_upcard: int = choice(
        FIRST_UPCARD, clause="KA-9", help="natural: a joker turned first goes to the bottom of the stock"
    )

    pack: Cards = card_set(RANKS, clause="KA-2", also="KA-7", help="the cards that are there two times each")
    jokers: int = number(
        4,
        clause="KA-2",
        also="KA-7",
        help="jokers in the pack",
        phrases=(
            "{2 * count(pack) + jokers} cards: two packs of {count(pack)} shuffled together with {jokers:word} jokers",
            "all {2 * count(pack) + jokers} cards from the top (every card twice, the joker `*` {jokers:word} times)",
        ),
    )
    dealt: Row = table_of(
        (0, 9, 10, 11, 12, 12, 13, 14, 15, 16), clause="KA-4", also="KA-5", help="cards each, by contract"
    )
    need_threes: Row = table_of((0, 3, 2, 1, 0, 4, 3, 2, 1, 0), clause="KA-4", help="threes that a contract asks for")
    need_fours: Row = table_of(
        (0, 0, 1, 2, 3, 0, 1, 2, 3, 4), clause="KA-4", also="KA-5", help="fours that a contract asks for"
    )
    fine: int = number(
        50,
        clause="KA-21",
        help="points for a call too many",
        phrases=("fined {fine} points",),
    )
    most_attempts: int = number(
        3,
        clause="KA-28",
        help="deals of one contract that may be thrown out",
        least=1,
        phrases=(
            "thrown out {most_attempts:word} times",
            "and {most_attempts:word} deadlocked deals",
        ),
    )
    most_turns: int = number(
        300,
        clause="KA-29",
        help="turns in a deal at most",
        least=1,
        phrases=("in which {most_turns} turns",),
    )
    counts: Row = table_of(
        (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1),
        clause="KA-51",
        help="what a card counts, from the two up to the ace",
    )
    black_ace: int = number(
        15,
        clause="KA-51",
        help="what the ace of clubs or spades counts",
        phrases=("black ace {black_ace}",),
    )
    joker_worth: int = number(
        50,
        clause="KA-51",
        help="what a joker counts",
        phrases=("joker {joker_worth}",),
    )
    bent_times: int = number(
        2,
        clause="KA-53",
        help="how often the points count when the table is bent",
        phrases=("count {if bent_times == 2}double{else}{bent_times} times{end}",),
    )
    size: int = derived(lambda self: 2 * count(self.pack) + self.jokers)
    worth: Row = derived(lambda self: [worth_of(self, c) for c in range(JOKER + 1)], length=JOKER + 1)
    stages: int = derived(lambda self: len(str(self.contracts)))
    contract_at: Row = derived(
        lambda self: map(int, str(self.contracts).ljust(MOST_CONTRACTS, "0")), length=MOST_CONTRACTS
    )

    @override
    def constraints(self) -> Constraints:
        message = "the pack is at most {most} cards, not {number}: the table has no room for more melds"
        yield at_most("KA-2", "the pack", self.size, 3 * MOST_MELDS, message)
        message = "the deal of a contract is thrown out at most {most} times, not {number}: a match would hardly end"
        yield at_most("KA-28", "most_attempts", self.most_attempts, MOST_ATTEMPTS, message)
        for contract in dict.fromkeys(map(int, str(self.contracts))):
            dealt, threes, fours = self.dealt[contract], self.need_threes[contract], self.need_fours[contract]
            hands = {"contract": contract, "seats": self.players, "cards": dealt}
            message = (
                "contract {contract}: {seats} players × {cards} cards + the upcard are {needed}, the pack has "
                "{available}"
            )
            yield pack_suffices("KA-4", self.pack, self.players * dealt + 1, message, available=self.size, **hands)
            left = self.size - self.players * dealt
            yield stock_fits("KA-4", left, ROOM - A_THREE)
            empty = sentence("contract {contract} deals no cards", contract=contract)
            yield Constraint("KA-4", "hands have cards", dealt > 0, empty)
            enough = left > self.jokers or self.first_upcard == ANY_CARD
            condition = "with first_upcard=natural more cards than jokers are left"
            reason = sentence(
                "contract {contract}: {seats} players × {cards} cards leave {left}, and {jokers} may be jokers",
                left=left,
                jokers=self.jokers,
                **hands,
            )
            yield Constraint("KA-9", condition, enough, reason)
            melds = threes >= 0 and fours >= 0 and 1 <= threes + fours <= MOST_OF_CONTRACT
            condition = f"a contract is of 1 to {MOST_OF_CONTRACT} threes and fours"
            reason = sentence(
                "a contract is of 1 to {most} threes and fours: {contract} asks for {threes} and {fours}",
                most=MOST_OF_CONTRACT,
                contract=contract,
                threes=threes,
                fours=fours,
            )
            yield Constraint("KA-4", condition, melds, reason)
            held = dealt + 1 + 2 * self.calls
            message = "a hand is at most {most} cards, not {number}: the cards dealt, one drawn, and two for each call"
            yield at_most("KA-14", "a hand", held, MOST_HELD, message)
            yield from self.can_be_laid(contract, held)

    def can_be_laid(self, contract: int, held: int) -> Constraints:
        """The constraints that somebody can lay this contract from a hand of up to `held` cards."""
        threes, fours = self.need_threes[contract], self.need_fours[contract]
        needed = A_THREE * threes + A_FOUR * fours
        condition = "the largest hand has the cards for the contract"
        reason = sentence(
            "contract {contract} takes {needed} cards, and no hand ever has more than {held}",
            contract=contract,
            needed=needed,
            held=held,
        )
        yield Constraint("KA-37", condition, needed <= held, reason)
        distinct = self.threes == DISTINCT
        fits = all_fit(self.pack, self.pack, self.jokers, threes, fours, 0, distinct, 0)
        reason = sentence(
            "contract {contract} cannot be made with this pack (threes: {threes}, fours: {fours})",
            contract=contract,
            threes=threes,
            fours=fours,
        )
        yield Constraint("KA-4", "the pack makes every contract", fits, reason)

    # --------------------------------------------------------------------------------------------------- match and deal

    @override
    def start(self, s: S) -> None:
        s.contract = self.contract_at[0]

    @override
    def cards_to_shuffle(self, s: S, out: Buffer) -> int:
        if s.awaiting == RESHUFFLE:  # KA-24
            for i in range(s.thrown - 1):
                out[i] = s.discards[i]
            return s.thrown - 1
        n = put_cards(out, put_cards(out, 0, self.pack), self.pack)  # KA-2, KA-7
        for i in range(n, self.size):
            out[i] = JOKER
        return self.size

    @override
    def deal(self, s: S, order: Pile) -> None:
        dealt = self.dealt[s.contract] * s.players
        seat = s.dealer
        for i in range(dealt):  # KA-6
            seat = left_of(s, seat)
            gain(s, seat, order[i], False)
        lay_stock(s, order, dealt, self.size)
        while self.first_upcard == NATURAL and s.stock[s.left - 1] == JOKER:  # KA-9
            self.put_under(s)
        self.discard(s, NOBODY, draw_top(s))
        self.begin_turn(s, left_of(s, s.dealer))  # KA-10

    def put_under(self, s: S) -> None:
        """Move the top card to the bottom of the stock."""
        top = s.stock[s.left - 1]
        for i in range(s.left - 1, 0, -1):
            s.stock[i] = s.stock[i - 1]
        s.stock[0] = top

    @override
    def reshuffle(self, s: S, order: Pile) -> None:
        """KA-24: make a new stock from the discard pile without the upcard."""
        s.shuffled = 1
        lay_stock(s, order, 0, s.thrown - 1)
        s.discards[0] = s.discards[s.left]
        s.throwers[0] = s.throwers[s.left]
        while s.thrown > 1:
            self.uncover(s)
        self.draw_cards(s)

    # ----------------------------------------------------------------------------------------------------- the discards

    def discard(self, s: S, seat: int, c: Card) -> None:
        s.discards[s.thrown] = c
        s.throwers[s.thrown] = seat
        s.thrown += 1

    def uncover(self, s: S) -> Card:
        """Remove the upcard from the pile and return it."""
        s.thrown -= 1
        upcard = s.discards[s.thrown]
        s.discards[s.thrown] = NO_CARD
        s.throwers[s.thrown] = NOBODY
        return upcard

    # ---------------------------------------------------------------------------------------------------- turn and draw

    def begin_turn(self, s: S, seat: int) -> None:
        s.active = seat
        s.bending = 0
        if s.thrown == 0 or s.down[seat]:  # KA-12, KA-23
            self.ask(s, left_of(s, seat))
        else:
            await_move(s, DRAWING, seat)

    def ask(self, s: S, seat: int) -> None:
        """KA-15: ask the first seat from this one on that may call; if there is none, the active player draws
        (KA-20)."""
        while s.thrown > 0 and seat != s.active:  # KA-23
            if self.may_call(s, seat):
                await_move(s, CALLING, seat)
                return
            seat = left_of(s, seat)
        s.drawer = s.active

    def may_call(self, s: S, seat: int) -> bool:
        """KA-14; option `overcall`: KA-21: whether a seat may call the upcard."""
        if s.down[seat] or self.calls == 0 or s.throwers[s.thrown - 1] == seat:
            return False
        return self.overcall == PENALTY or s.calls[seat] < self.calls

    def draw_cards(self, s: S) -> None:
        """Let the seat that is to draw from the stock do so: a caller takes the penalty card (KA-17), then the active
        player draws and plays on."""
        while s.drawer != NOBODY and s.left > 0:
            gain(s, s.drawer, draw_top(s), False)
            if s.drawer == s.active:
                s.drawer = NOBODY
                await_move(s, PLAY, s.active)
            else:
                s.drawer = s.active
        if s.drawer != NOBODY:
            if s.shuffled or s.thrown < 2:  # KA-25, KA-26
                self.throw_out(s)
            else:
                await_reshuffle(s, EMPTY)  # KA-24

    # ------------------------------------------------------------------------------------------------------ legal moves

    @override
    def playable(self, s: S, me: int) -> Cards:
        """The cards that may be discarded: KA-48, KA-39; nobody has to meld: KA-41."""
        return s.hand[me] if s.phase == PLAY and not self.laying(s) else 0

    @override
    def other_moves(self, s: S, me: int, out: Buffer, n: int) -> int:
        if s.phase == DRAWING:
            return put_two(out, n, TAKE, STOCK)  # KA-11
        if s.phase == CALLING:
            return put_two(out, n, CALL, PASS)  # KA-15
        if s.phase == ANSWER:
            return put_two(out, n, ALLOW, REFUSE)  # KA-16
        if self.laying(s):  # KA-39
            return self.put_lays(s, me, s.threes, s.fours, out, n)
        begun = n
        threes = self.need_threes[s.contract]
        fours = self.need_fours[s.contract]
        if s.down[me]:
            n = self.put_tacks(s, me, out, n)  # KA-42
            if any_fits(s.hand[me], s.twice[me], s.jokers[me]):
                n = self.put_lays(s, me, 1, 1, out, n)  # KA-40: any number
        elif all_fit(s.hand[me], s.twice[me], s.jokers[me], threes, fours, 0, self.threes == DISTINCT, 0):  # KA-37
            n = self.put_lays(s, me, threes, fours, out, n)
        return add(out, n, HOLD, n == begun and s.hand[me] == 0)  # KA-50

    def laying(self, s: S) -> bool:
        """Whether the active player is in the middle of a contract."""
        return s.threes + s.fours != 0

    def put_tacks(self, s: S, me: int, out: Buffer, n: int) -> int:
        """KA-42: list every `tack`."""
        mine = s.hand[me] | (bit(JOKER) if s.jokers[me] else 0)
        for i in range(s.laid):
            fitting = takes(s.melds[i]) & mine  # KA-43 to KA-47
            while fitting:
                out[n] = say2(TACK, lowest(fitting), i + 1)
                fitting &= fitting - 1
                n += 1
        return n

    @large
    def put_lays(self, s: S, me: int, threes: int, fours: int, out: Buffer, n: int) -> int:
        """List every `lay` of these kinds; for a player who is not down, those after which the rest can be laid
        (KA-39)."""
        suits, ranks = self.barred(s, me)
        distinct = self.threes == DISTINCT
        hand = s.hand[me]
        twice = s.twice[me]
        jokers = s.jokers[me]
        if threes:
            n = put_threes(LAY, hand, twice, jokers, threes, 0 if s.down[me] else fours, suits, distinct, ranks, out, n)
        if fours:
            n = put_fours(LAY, hand, twice, jokers, 0 if s.down[me] else threes, fours, suits, distinct, ranks, out, n)
        return n

    def barred(self, s: S, me: int) -> tuple[Suits, Ranks]:
        """KA-33: the suits of which this player may have no further four, and the ranks of which no further three."""
        suits = 0
        ranks = 0
        for i in range(s.laid):
            if owner_of(s.melds[i]) == me:
                if is_four(s.melds[i]):
                    suits |= 1 << kind_of(s.melds[i]) - 13
                elif self.threes == DISTINCT:
                    ranks |= 1 << kind_of(s.melds[i])
        return suits, ranks

    # -------------------------------------------------------------------------------------------------------- the moves

    @override
    def apply(self, s: S, me: int, move: int) -> None:
        verb = verb_of(move)
        if s.phase == PLAY:
            self.play(s, me, move)
        elif verb == ALLOW:
            self.allow(s, s.caller)
        elif verb == CALL and s.calls[me] < self.calls:
            self.call(s, me)
        elif s.phase == CALLING or verb == STOCK:
            s.points[me] += self.fine * (verb == CALL)  # KA-21
            self.ask(s, left_of(s, me))  # KA-13, KA-15
        else:  # take or refuse: KA-11, KA-13, KA-18
            s.caller = NOBODY
            gain(s, me, self.uncover(s), True)
            await_move(s, PLAY, me)
        self.draw_cards(s)

    def call(self, s: S, me: int) -> None:
        if s.down[s.active]:  # KA-19
            self.allow(s, me)
        else:  # KA-16
            s.caller = me
            await_move(s, ANSWER, s.active)

    def allow(self, s: S, caller: int) -> None:
        """KA-17: give the caller the upcard; the penalty card follows."""
        s.calls[caller] += 1
        gain(s, caller, self.uncover(s), True)  # KA-22: nobody gets the card below it in this turn
        s.caller = NOBODY
        s.drawer = caller

    def play(self, s: S, me: int, move: int) -> None:
        verb = verb_of(move)
        if verb == LAY:
            self.lay(s, me, move)
        elif verb == TACK:
            lose(s, me, item(move, 0))
            s.melds[item(move, 1) - 1] = tacked(s.melds[item(move, 1) - 1], item(move, 0))
        elif verb == DISCARD:
            lose(s, me, item(move, 0))
            self.discard(s, me, item(move, 0))
        else:
            s.shown_jokers[me] = s.jokers[me]  # KA-50: this player has nothing else, which everybody now knows
        out = empty_handed(s, me)
        if out or verb in (DISCARD, HOLD):
            s.turns += 1
            if out:
                self.go_out(s)  # KA-49
            elif s.turns == self.most_turns:
                self.throw_out(s)  # KA-29
            else:
                self.begin_turn(s, left_of(s, me))

    def lay(self, s: S, me: int, move: int) -> None:
        for i in range(items_of(move)):
            lose(s, me, item(move, i))
        s.melds[s.laid] = meld_of(me, move)  # KA-32, KA-36
        s.laid += 1
        if s.down[me]:
            return
        if not self.laying(s):  # KA-37
            s.threes = self.need_threes[s.contract]
            s.fours = self.need_fours[s.contract]
        if items_of(move) == A_THREE:
            s.threes -= 1
        else:
            s.fours -= 1
        if not self.laying(s):  # KA-39
            s.down[me] = 1
            s.bending = 1

    # ------------------------------------------------------------------------------------------------------------- ends

    def go_out(self, s: S) -> None:
        doubled = s.bending and self.bend == DOUBLE and s.points[s.active] == 0  # KA-53, KA-21
        for seat in range(s.players):  # KA-52
            s.points[seat] += self.held_points(s, seat) * (self.bent_times if doubled else 1)
            s.scores[seat] += s.points[seat]
            show_hand(s, seat)  # KA-58
        s.last_how = BENT if s.bending else OUT
        s.last_out = s.active
        self.end_deal(s, True)

    def held_points(self, s: S, seat: int) -> int:
        """KA-51: the points of the cards in a seat's hand."""
        total = s.jokers[seat] * self.worth[JOKER]
        hand = s.hand[seat]
        while hand:
            total += self.worth[lowest(hand)] << (s.twice[seat] >> lowest(hand) & 1)
            hand &= hand - 1
        return total

    def throw_out(self, s: S) -> None:
        """KA-27: end the deal without points because it is thrown out."""
        for seat in range(s.players):
            s.points[seat] = 0
        s.last_how = THROWN
        s.last_out = NOBODY
        self.end_deal(s, s.attempt == self.most_attempts)  # KA-28

    def end_deal(self, s: S, onward: bool) -> None:
        for seat in range(s.players):
            s.last_counted[seat] = s.points[seat]
        s.active = NOBODY
        if not onward:
            s.attempt += 1
            await_deal(s, s.dealer)
        elif s.stage + 1 == self.stages:  # KA-54
            finish_match(s, DONE, lowest_scores(s))  # KA-55
        else:
            s.attempt = 1
            s.stage += 1
            s.contract = self.contract_at[s.stage]
            await_deal(s, left_of(s, s.dealer))  # KA-8

    @override
    def utility(self, s: S, me: int) -> int:
        """The sum over the other seats of their score minus this seat's, because low scores win."""
        return -above_average(s, me)
