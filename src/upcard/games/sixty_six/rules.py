"""Sixty-Six. The numbers SS-… are the clauses of rulebook.md."""

from typing_extensions import TypeVar

from upcard.rules import *

DUE, LEAD, FOLLOW, DONE = PHASES = words("deal lead follow done")
UNDECIDED, PLAIN, SCHNEIDER, SCHWARZ, BAD_DECLARE, BAD_CLOSE, VOID = HOW = words(
    "undecided plain schneider schwarz bad-declare bad-close void"
)
RELAXED, STRICT = ENDPLAY = words("follow strict")
ALWAYS, OPEN = LAST = words("always open")
FREE, TRICK = EXCHANGES = words("free trick")
NEITHER, DECLARER = BOTH = words("void declarer")
ADD, ONE, NONE = CARRY = words("add one none")
SHOWN, HIDDEN = COUNT = words("shown hidden")
TO_THE_END, STOCK = MARRIAGES = words("always stock")
ROOM = 27  # for the stock of the largest pack that a variant can have

MOVES = Notation()
MELD = MOVES.verb("meld", "card card", ranks="K Q", label="Show the marriage {cards}", said="shows {cards}")
EXCHANGE = MOVES.verb(
    "exchange", label="Fetch the upcard", said="fetches the upcard with the lowest trump", zone="upcard"
)
CLOSE = MOVES.verb("close", label="Close the stock", said="closes the stock", asks="Close the stock for good?")
DECLARE = MOVES.verb(
    "declare",
    label="Declare {opt.enough}",
    said="declares {opt.enough}",
    asks="Say that you have {opt.enough}? The deal ends at once, and a wrong claim loses it.",
)


class SixtySixState(TrickState, seats=2):
    hand: PerSeat = held(shown="shown")  # the cards of each seat, SS-47
    shown: PerSeat = per_seat(of="set")  # the part of each hand that both players have seen, SS-46
    stock: Pile = face_down(ROOM, counted="left")  # SS-9, top card last; SS-47
    left: int = open_field()  # cards in the stock
    upcard: Card = open_card(reveals="SS-8")  # the card turned up; NO_CARD once taken, SS-15
    trump: Suit = open_suit()  # the trump suit; SS-45, like all fields down to `last_gained`
    melded: Suit = open_suit()  # the marriage shown for this lead
    marriages: PerSeat = per_seat(of="set")  # all that a seat has shown in this deal
    closer: int = open_seat()  # the seat that closed the stock
    closed_now: int = open_field(of="flag")  # whether it was closed for this very lead, SS-25
    closed_on: int = open_field()  # the other player's tricks at that moment, SS-39
    won: PerSeat = per_seat(cards="set")  # the cards in the tricks that each seat has taken
    points: PerSeat = per_seat()  # the points of each seat in this deal
    pending: PerSeat = per_seat()  # the points for marriages that wait for a trick, SS-21
    carry: int = open_field(kept=True)  # extra points waiting, SS-41
    last_how: int = open_field(kept=True)  # how the last deal ended: a word of HOW
    last_winner: int = open_seat(kept=True)  # the seat that won that deal
    last_gained: int = open_field(kept=True)  # the victory points it won
    last_points: PerSeat = per_seat(kept=True)  # the deal points of each seat in it
    last_tricks: PerSeat = per_seat(kept=True)  # the tricks of each seat in it


S = TypeVar("S", bound=SixtySixState, default=SixtySixState)


class SixtySixRules(Game[S]):
    """Options and numbers, the deal, the moves and the score."""

    notation = MOVES
    phases = PHASES

    target: int = whole(7, 1, 21, clause="SS-43", help="victory points that win the match")
    endplay: int = choice(
        ENDPLAY, clause="SS-17", help="strict: once suit must be followed, also head the trick and trump"
    )
    last: int = choice(LAST, clause="SS-5", help="open: nothing for the last trick after a close")
    exchange: int = choice(EXCHANGES, clause="SS-24", help="trick: only a player with a trick may fetch the upcard")
    both: int = choice(BOTH, clause="SS-34", help="declarer: a right claim wins even if both have {enough}")
    carry: int = choice(CARRY, clause="SS-37", help="how many extra points void deals put aside")
    count: int = choice(COUNT, clause="SS-46", help="hidden: deal points and earlier tricks are not shown")

    marriages: int = choice(MARRIAGES, clause="SS-49", help="stock: none can be shown once the stock is gone")

    pack: Cards = card_set(
        "AKQJT9",
        clause="SS-2",
        also="SS-9 SS-10",
        help="the cards that are played with",
        phrases=(
            "The pack has {count(pack)} cards, `{pack:ranks}` of",
            "all {count(pack)} cards from the top",
        ),
    )
    strength: Row = rank_order(
        "A T K Q J 9",
        clause="SS-3",
        help="the ranks, strongest first",
        phrases=("`{strength:ranks}`",),
    )
    value: Row = card_values(A=11, T=10, K=4, Q=3, J=2, clause="SS-4", help="what a card counts")
    last_trick: int = number(
        10,
        clause="SS-5",
        help="points for the last trick",
        phrases=("trick counts {last_trick}",),
    )
    size: int = number(
        6,
        clause="SS-7",
        also="SS-9 SS-14 SS-15 SS-27",
        help="cards in a hand",
        least=1,
        phrases=(
            "{size:Word} cards each, in {if size == 2 * lot}two lots{else}lots of at most{end}{if size "
            "== 2 * lot} of{end} {lot:word}",
            "Cards {2 * size + 2}–{count(pack)}, {count(pack) - 2 * size - 1:word} of them",
            "hold {size:word} again",
            "After {if count(pack) - 2 * size == 12}the sixth trick{else}trick {(count(pack) - 2 * size) "
            "// 2}{end} one",
            "their {size:word} cards",
            "{if size == 2 * lot}From the top of the pack: cards 1–{lot} nondealer, {lot + 1}–{2 * lot} dealer, "
            "{2 * lot + 1}–{3 * lot} nondealer, {3 * lot + 1}–{4 * lot} dealer{else}They come from the top{end}",
        ),
    )
    lot: int = number(3, clause="SS-7", help="cards dealt at a time", least=1)
    marriage: int = number(
        20,
        clause="SS-19",
        help="points of a marriage",
        phrases=("{marriage} deal points, in trumps {royal}",),
    )
    royal: int = number(40, clause="SS-19", help="points of a marriage in trumps")
    fetcher: int = one_rank(
        NINE,
        clause="SS-23",
        help="the rank whose trump fetches the upcard",
        also="SS-15",
        phrases=(
            "the trump {fetcher:rank}",
            "The {fetcher:rank} now",
            "the {fetcher:rank} lying",
        ),
    )
    enough: int = number(
        66,
        clause="SS-31",
        help="deal points that win a deal",
        least=1,
        also="SS-30 SS-32 SS-34 SS-35 SS-36 SS-37 SS-38 SS-39",
        phrases=(
            "{enough} or more",
            "fewer than {enough}",
            "at least {enough}",
            "have {enough} at",
            "has {enough}",
        ),
    )
    schneider: int = number(
        33,
        clause="SS-34",
        help="deal points that save from schneider",
        phrases=("{schneider} or more deal points; 2 for {schneider - 1} or fewer",),
    )
    most_deals: int = number(
        100,
        clause="SS-44",
        help="deals in a match at most",
        least=1,
        phrases=(
            "at most {most_deals} deals",
            "If {if most_deals == 100}the 100th{else}deal {most_deals}{end} does",
        ),
    )
    above: Row = derived(lambda self: masks_above(self.strength), length=13)

    @override
    def constraints(self) -> Constraints:
        cards = count(self.pack)
        left = cards - 2 * self.size
        message = "2 players × {cards} cards + upcard and stock are {needed}, the pack has {available}"
        yield pack_suffices("SS-9", self.pack, 2 * self.size + 2, message, cards=self.size)
        yield Constraint(
            "SS-15",
            "upcard and stock can be drawn in pairs",
            left % 2 == 0,
            sentence(
                "{cards} cards are left after the deal, which two players cannot draw in pairs: take an even pack",
                cards=left,
            ),
        )
        yield stock_fits("SS-9", left - 1, ROOM)
        needed = self.size + 3 + min(4, self.size // 2)
        yield moves_suffice("SS-20", needed, self.most_moves, cards=self.size)
        yield ranks_differ("SS-3", "strength", self.strength, self.pack)
        yield pack_has("SS-23", "fetcher", self.pack, rank=self.fetcher)
        condition = "value has no negative number"
        least = min(self.value[rank] for rank in range(13))
        reason = sentence(
            "{name} has no negative number: points only ever grow, so {least} cannot be one",
            name=setting_name("value"),
            least=least,
        )
        yield Constraint("SS-4", condition, least >= 0, reason)
        message = "{name} is at most {most}, not {number}: with enough points a player has won"
        yield at_most("SS-34", "schneider", self.schneider, self.enough, message)

    @override
    def deal(self, s: S, order: Pile) -> None:
        dealt = deal_in_lots(s, order, self.size, self.lot)  # SS-7
        s.upcard = order[dealt]  # SS-8
        s.trump = suit_of(s.upcard)
        lay_stock(s, order, dealt + 1, count(self.pack))  # SS-9
        self.begin_lead(s, 1 - s.dealer)  # SS-11

    def begin_lead(self, s: S, seat: int) -> None:
        take_lead(s, seat)
        s.phase = LEAD
        s.closed_now = 0

    def stock_open(self, s: S) -> bool:
        """SS-16, SS-27: whether the stock is neither closed nor exhausted (the upcard is drawn last)."""
        return s.closer == NOBODY and s.upcard != NO_CARD

    def marriage_of(self, suit: Suit) -> Cards:
        return bit(card(KING, suit)) | bit(card(QUEEN, suit))  # SS-19

    def worth_of_marriage(self, s: S, suit: Suit) -> int:
        return self.royal if suit == s.trump else self.marriage  # SS-19

    @override
    def playable(self, s: S, me: int) -> Cards:
        hand = s.hand[me]
        if s.phase == LEAD:
            return hand if s.melded == NO_SUIT else self.marriage_of(s.melded)  # SS-11, SS-22
        follow = hand & s.led  # SS-13: any card while the stock is open
        if self.endplay == RELAXED or self.stock_open(s):
            return follow or hand  # SS-17, SS-18
        return follow & s.better or follow or of_suit(hand, s.trump) or hand

    @override
    def other_moves(self, s: S, me: int, out: Buffer, n: int) -> int:
        if s.phase == FOLLOW:
            return n
        n = add(out, n, DECLARE, True)  # SS-30: right or wrong, and never a duty, SS-32
        if s.melded != NO_SUIT:
            return n  # SS-25: nothing else after a marriage
        queens = below_in_suit(s.hand[me], QUEEN) if self.may_show(s) else 0
        while queens:  # SS-20
            suit = suit_of(lowest(queens))
            queens &= queens - 1
            n = add(out, n, say2(MELD, card(KING, suit), card(QUEEN, suit)), True)
        if self.stock_open(s):
            n = add(out, n, CLOSE, True)  # SS-26, SS-28
            n = add(out, n, EXCHANGE, self.may_exchange(s, me))
        return n

    def may_show(self, s: S) -> bool:
        """SS-49: whether marriages can still be shown; a closed stock is not gone."""
        return self.marriages == TO_THE_END or s.upcard != NO_CARD

    def may_exchange(self, s: S, me: int) -> bool:
        """SS-23, SS-24: whether a player about to lead with the stock open may fetch the upcard."""
        nine = s.hand[me] & bit(card(self.fetcher, s.trump))
        return nine != 0 and (s.tricks[me] > 0 or self.exchange == FREE)

    @override
    def apply(self, s: S, me: int, move: int) -> None:
        verb = verb_of(move)
        if verb == 0:
            self.play(s, me, move)
        elif verb == MELD:
            self.meld(s, me, suit_of(item(move, 0)))
        elif verb == EXCHANGE:
            swap_upcard(s, me, card(self.fetcher, s.trump))  # SS-46
        elif verb == CLOSE:
            s.closer = me
            s.closed_now = 1
            s.closed_on = s.tricks[1 - me]
        else:
            self.declare(s, me)

    def meld(self, s: S, me: int, suit: Suit) -> None:
        s.melded = suit
        s.shown[me] |= self.marriage_of(suit)
        s.marriages[me] |= self.marriage_of(suit)
        if s.tricks[0] + s.tricks[1] == 0:
            s.pending[me] += self.worth_of_marriage(s, suit)  # SS-21
        else:
            s.points[me] += self.worth_of_marriage(s, suit)

    def play(self, s: S, me: int, played: Card) -> None:
        s.shown[me] &= ~bit(played)
        if s.phase == LEAD:
            self.lead(s, me, played)
            return
        if self.endplay == STRICT and not self.stock_open(s):
            self.note_strict_lacks(s, me, bit(played))
        put_in_trick(s, me, played, 0, 0)
        taker = win_trick(s)  # SS-12
        other = s.card[s.leader]
        s.won[taker] |= bit(played) | bit(other)
        s.points[taker] += self.value[rank_of(played)] + self.value[rank_of(other)] + s.pending[taker]  # SS-21
        s.pending[taker] = 0
        if self.stock_open(s):
            self.draw(s, taker)  # SS-14
            self.draw(s, 1 - taker)
        self.begin_lead(s, taker)
        if s.hand[taker] == 0:
            if self.last == ALWAYS or s.closer == NOBODY:
                s.points[taker] += self.last_trick  # SS-5
            self.play_out(s)

    def lead(self, s: S, me: int, played: Card) -> None:
        beaten_by = stronger(self.above, played)
        if suit_of(played) != s.trump:
            beaten_by |= all_of(s.trump)
        put_in_trick(s, me, played, ANY_CARD if self.stock_open(s) else all_of(suit_of(played)), beaten_by)
        s.phase = FOLLOW
        s.melded = NO_SUIT
        s.to_act = only(1 - me)

    def note_strict_lacks(self, s: S, me: int, played: Cards) -> None:
        """The cards, apart from those that would follow suit, that a player cannot hold after this reply under
        `strict`."""
        if s.led & played == 0:
            s.lacks[me] |= 0 if all_of(s.trump) & played else all_of(s.trump)
        elif s.better & played == 0:
            s.lacks[me] |= s.led & s.better

    def draw(self, s: S, seat: int) -> None:
        if s.left > 0:
            s.hand[seat] |= bit(draw_top(s))
        else:  # SS-15
            s.hand[seat] |= bit(s.upcard)
            s.shown[seat] |= bit(s.upcard)
            s.upcard = NO_CARD

    def declare(self, s: S, me: int) -> None:
        other = 1 - me
        if s.points[me] < self.enough:  # SS-31, SS-38
            none = s.tricks[other] == 0 or (s.closer == me and s.closed_on == 0)
            self.end_deal(s, other, BAD_DECLARE, 3 if none else 2)
        elif s.closer == other and s.points[other] < self.enough:  # SS-39
            self.end_deal(s, me, BAD_CLOSE, 3 if s.closed_on == 0 else 2)
        elif self.both == NEITHER and s.points[other] >= self.enough:  # SS-35
            self.end_deal(s, NOBODY, VOID, 0)
        else:
            self.win(s, me)

    def play_out(self, s: S) -> None:
        """Settle the deal after the last trick: SS-33. The cards left in a closed stock count for nobody, SS-29."""
        first = s.points[0] >= self.enough
        second = s.points[1] >= self.enough
        if s.closer != NOBODY and s.points[s.closer] < self.enough:  # SS-39
            self.end_deal(s, 1 - s.closer, BAD_CLOSE, 3 if s.closed_on == 0 else 2)
        elif first == second:  # SS-37
            self.end_deal(s, NOBODY, VOID, 0)
        else:
            self.win(s, 0 if first else 1)  # SS-36

    def win(self, s: S, me: int) -> None:
        """SS-34: end the deal with a win; the less the other player has, the more it is worth."""
        if s.tricks[1 - me] == 0:
            self.end_deal(s, me, SCHWARZ, 3)
        elif s.points[1 - me] < self.schneider:
            self.end_deal(s, me, SCHNEIDER, 2)
        else:
            self.end_deal(s, me, PLAIN, 1)

    def end_deal(self, s: S, winner: int, how: int, gained: int) -> None:
        s.last_how = how
        s.last_winner = winner
        s.last_gained = gained
        for seat in range(2):
            s.last_points[seat], s.last_tricks[seat] = s.points[seat], s.tricks[seat]
        if winner == NOBODY:
            s.carry = self.carried(s.carry)
        else:
            s.last_gained += s.carry  # SS-40
            s.scores[winner] += s.last_gained
            s.carry = 0
        s.leader = NOBODY
        if max(s.scores[0], s.scores[1]) >= self.target or s.deals == self.most_deals:  # SS-43, SS-44
            finish_match(s, DONE, highest_scores(s))
        else:
            await_deal(s, 1 - s.dealer)  # SS-6, SS-42

    def carried(self, waiting: int) -> int:
        """SS-37, SS-41: the extra points carried forward from a void deal."""
        if self.carry == ADD:
            return waiting + 1
        return 1 if self.carry == ONE else 0
