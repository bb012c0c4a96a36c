"""Loo, with five cards and Pam. The numbers LO-… are the clauses of rulebook.md."""

from collections.abc import Mapping
from math import comb

from typing_extensions import TypeVar

from upcard.rules import *

DUE, DECLARE, EARLY, EXCHANGE, LATE, PLAY, DONE = PHASES = words("deal declare early exchange late play done")
FIXED, POT = PENALTY = words("five pot")
THOSE_IN, ALL = FLUSH_PAYS = words("in all")
RENEWED, LIMIT = STOCK = words("reshuffle limit")
ELDER, SHARED = LEVEL = words("elder share")
NO_FLUSH, PLAIN_FLUSH, TRUMP_FLUSH, MOUCHE = range(4)  # LO-18
NOT_YET = -1
MOST_THROWN = 8  # in one move
WAYS = tuple(comb(n, k - 1) if k else 0 for n in range(MOST_THROWN + 1) for k in range(MOST_THROWN + 2))
ROOM = 45  # for the stock: the cards left after two hands of three cards and the upcard (with five cards each, 41)

MOVES = Notation()
STAY = MOVES.verb("play", label="Play", said="is in")
PASS = MOVES.verb("pass", label="Pass", said="passes")
NO = MOVES.verb("no", label="Show no flush", said="shows no flush")
FLUSH = MOVES.verb("flush", label="Show the flush", said="shows a flush")
KEEP = MOVES.verb("keep", label="Keep all cards", said="keeps all cards")
DISCARD = MOVES.verb(
    "discard", "card+", heard=Audience.COUNT, label="Change {cards}", said="changes {cards}", quiet="changes"
)  # LO-45, LO-48
CIVIL = MOVES.verb(
    "civil",
    "card",
    ranks="A",
    plays=True,
    label="Lead {cards}: Pam be civil",
    said='leads {cards} and holds Pam back with "Pam be civil"',
)


class LooState(TrickState, seats=10):
    pot: int = open_field(kept=True)  # the chips in the pot, LO-4; open to all like all open fields here, LO-45
    inside: int = open_seats()  # the seats that have not passed; empty outside a deal
    hand: PerSeat = held(shown="shown")  # the cards of each seat: LO-46, LO-48
    shown: PerSeat = per_seat(of="set")  # the flushes that have been shown, LO-47
    stock: Pile = face_down(ROOM, counted="left")  # top card last; LO-48
    left: int = open_field()  # cards in the stock
    buried: PerSeat = held()  # each seat's dead cards; while it draws, those just thrown away, LO-23
    dead: int = open_field()  # the number of dead cards
    thrown: PerSeat = own(of="set")  # what each seat has thrown away, even if it is in the stock again: LO-46
    changed: PerSeat = per_seat(NOT_YET)  # the number of cards that each seat has changed
    drawer: int = open_seat()  # the seat that is drawing
    to_draw: int = open_field()  # the cards that it has still to draw
    mixed: int = open_seats()  # the seats whose dead cards were shuffled into this stock
    finders: PerSeat = per_seat(of="seats")  # for each seat, the seats that may have drawn what it threw away
    upcard: Card = open_card(reveals="LO-8")  # the card turned up for trumps
    trump: Suit = open_suit()  # the trump suit
    trumps: Cards = open_field(of="set")  # the trump suit and Pam
    best: int = open_seat()  # the seat that has shown the best flush
    civil: int = open_field(of="flag")  # during a trick to which the ace was led with the call
    played: Cards = open_set()  # the cards played in this deal
    last_dealer: int = open_seat(kept=True)  # the dealer of the last finished deal, like all that follows
    last_pot: int = open_field(kept=True)  # the pot that was played for
    last_tricks: PerSeat = per_seat(kept=True)  # the tricks of each seat
    last_won: PerSeat = per_seat(kept=True)  # the chips that each seat won
    last_paid: PerSeat = per_seat(kept=True)  # the chips that each seat paid into the pot
    last_flush: int = open_seat(kept=True)  # the seat that won with a flush
    last_kind: int = open_field(kept=True)  # the kind of that flush
    last_hands: PerSeat = per_seat(of="set", kept=True, reveals="LO-47")  # laid open when the board was looed


S = TypeVar("S", bound=LooState, default=LooState)


class LooRules(Game[S]):
    """The rules of Loo: the deal, passing, flushes, the exchange, the play, and the chips won and paid."""

    notation = MOVES
    phases = PHASES

    rounds: int = whole(2, 1, 10, clause="LO-41", help="how often everyone deals: 1 for a short match")
    penalty: int = choice(
        PENALTY,
        clause="LO-21",
        help="five: a looed player pays {looed:chip|chips}; pot: as much as was in it, {most_looed} at most",
    )
    flush_pays: int = choice(FLUSH_PAYS, clause="LO-11", help="all: for a flush, players who passed pay as well")
    level: int = choice(LEVEL, clause="LO-50", help="share: players who show equally good flushes divide the pot")
    stock: int = choice(STOCK, clause="LO-24", help="limit: nobody may change more cards than the stock still has")
    head: int = flag(True, clause="LO-29", help="whether a trick must be beaten if possible")
    civil: int = flag(True, clause="LO-33", help="whether the leader of the ace of trumps may ask Pam to be civil")
    club_law: int = flag(False, clause="LO-10", help="whether everybody is in when a club is turned up")
    ace_lead: int = flag(False, clause="LO-26", help="whether the first leader must lead the ace of trumps if held")

    pack: Cards = card_set(
        RANKS,
        clause="LO-2",
        also="LO-9",
        help="the cards that are played with",
        phrases=("has {count(pack)} cards; in each suit, high to low, `{pack:ranks}`",),
    )
    pam: Card = one_card(
        "Jc",
        clause="LO-3",
        also="LO-8 LO-14 LO-28",
        help="the highest card, always a trump",
        phrases=(
            "`{pam:written}` is",
            "So unless {pam:suit of} are trumps it is {if pam == 9}no club{else}not of its suit{end}",
            "If it is Pam, {pam:suit of} are trumps",
            "with {pam:suit of} led and not trumps, a player with Pam and another {if pam == 9}club must play a club"
            "{else}card of that suit must play one{end} that is not Pam; with no other {if pam == 9}club{else}card of "
            "it{end} Pam",
        ),
    )
    stake: int = number(
        5,
        clause="LO-6",
        also="LO-37",
        help="chips that the dealer pays, a multiple of the hand's size",
        phrases=(
            "pays {stake:word} {if stake == 1}chip{else}chips{end} into",
            "{stake:word} {if stake == 1}chip{else}chips{end} from the dealer and {looed:word} (option "
            "`penalty`: another multiple of {size:word})",
        ),
    )
    size: int = number(
        5,
        clause="LO-7",
        help="cards in a hand, so tricks in a deal",
        least=1,
        also="LO-8 LO-9 LO-14 LO-15 LO-20 LO-22 LO-24 LO-27 LO-36 LO-37 LO-50",
        phrases=(
            "{size:Word} cards each",
            "{size:word} times round",
            "number {size}n+1",
            "The {count(pack) - 1} − {size}n cards left, in the order of the pack, are the face-down "
            "stock{if size == 5 and count(pack) == 52}: 26, 21, 16, 11, 6 or 1 cards with 5, 6, 7, 8, 9 "
            "or 10 players{else}, n being the number of players{end}",
            "is {size:word} cards of one suit, or {size - 1:word} cards of one suit and Pam",
            "{size - 1:word} {pam:suit of} and Pam are a mouche, also when {pam:suit of} are trumps",
            "{size - 1:word} trumps and Pam are a mouche{if size > 2}, {size - 2:word} of one suit with "
            "Pam and another card are nothing{end}",
            "the {size:word} cards are",
            "all {size:word} tricks",
            "none to {size:word}",
            "back up to {size:word}",
            "There are {size:word} tricks",
            "After {size:word} tricks everyone takes {if size == 5}one fifth{else}one of {size:word} "
            "equal parts{end} of the pot",
            "its {size:word} tricks",
        ),
    )
    looed: int = number(
        5,
        clause="LO-38",
        help="chips that a looed player pays, a multiple of the hand's size",
        also="LO-21 LO-37",
        phrases=("pays {looed:word} {if looed == 1}chip{else}chips{end} to",),
    )
    most_looed: int = number(100, clause="LO-38", help="chips that a looed player pays at most with penalty pot")

    @override
    def constraints(self) -> Constraints:
        needed = self.players * self.size + 1
        message = "{seats} players × {cards} cards + the upcard are {needed}, the pack has {available}"
        yield pack_suffices("LO-9", self.pack, needed, message, seats=self.players, cards=self.size)
        yield stock_fits("LO-9", count(self.pack) - needed, ROOM)
        message = "{name} is at most {most}, not {number}: a player may change a whole hand in one move"
        yield at_most("LO-22", "size", self.size, MOST_THROWN, message)
        yield moves_suffice("LO-22", 1 << self.size, self.most_moves, cards=self.size)
        yield shared_evenly("LO-36", "stake", self.stake, "size", self.size)
        name, paid = ("most_looed", self.most_looed) if self.penalty == POT else ("looed", self.looed)
        yield shared_evenly("LO-38", name, paid, "size", self.size)
        yield pack_has("LO-3", "pam", self.pack, card=self.pam)
        condition = "with civil, pam is not an ace"
        reason = sentence(
            "the ace of trumps asks Pam to be civil, and {card} would be both: play with {civil}=false",
            card=text(self.pam),
            civil=setting_name("civil"),
        )
        yield Constraint("LO-33", condition, not (self.civil and rank_of(self.pam) == ACE), reason)
        if self.club_law:
            yield pack_has("LO-10", "club_law", self.pack, suit=CLUBS)
        if self.ace_lead:
            yield pack_has("LO-26", "ace_lead", self.pack, rank=ACE)

    @override
    def conserved(self, s: S) -> Mapping[str, int]:
        """LO-4: what is not in the pot, the players have won or lost."""
        return {"chips": s.pot + sum(s.scores[seat] for seat in range(s.players))}

    # -------------------------------------------------------------------------------------------------------- the deals

    @override
    def cards_to_shuffle(self, s: S, out: Buffer) -> int:
        if s.awaiting == DEAL:
            return put_cards(out, 0, self.pack)
        n = 0
        for seat in range(s.players):  # LO-24
            if seat != s.drawer:
                n = put_cards(out, n, s.buried[seat])
        return n

    @override
    def deal(self, s: S, order: Pile) -> None:
        s.inside = everybody(s.players)
        s.pot += self.stake  # LO-6, LO-40
        s.scores[s.dealer] -= self.stake
        dealt = deal_in_lots(s, order, self.size, 1)  # LO-7
        s.upcard = order[dealt]  # LO-8
        s.trump = suit_of(s.upcard)
        s.trumps = all_of(s.trump) | bit(self.pam)  # LO-3
        lay_stock(s, order, dealt + 1, count(self.pack))  # LO-9
        if self.club_law and s.trump == CLUBS:
            self.ask(s, EARLY)
        else:
            await_move(s, DECLARE, left_of(s, s.dealer))  # LO-10

    def ask(self, s: S, phase: int) -> None:
        """Begin a phase in which all seats still in are asked in turn."""
        await_move(s, phase, next_of(s.inside, s.dealer))

    def last_asked(self, s: S, me: int) -> bool:
        """Whether all seats still in have been asked."""
        return next_of(s.inside, me) == next_of(s.inside, s.dealer)

    # ------------------------------------------------------------------------------------------------------------ moves

    @override
    def playable(self, s: S, me: int) -> Cards:
        if s.phase != PLAY:
            return 0
        hand = s.hand[me]
        if s.led == 0:
            return self.must_lead(s) & hand or hand  # LO-27
        follow = hand & s.led or hand & s.trumps  # LO-28, LO-30
        if s.civil:
            follow = follow & ~bit(self.pam) or follow  # LO-33, LO-34
        if self.head:
            follow = follow & s.better or follow  # LO-29, LO-31
        return follow or hand  # LO-32

    def must_lead(self, s: S) -> Cards:
        """Option `ace_lead`: the ace of trumps, which must be led to the first trick."""
        return bit(card(ACE, s.trump)) if self.ace_lead and s.played == 0 else 0

    @override
    def other_moves(self, s: S, me: int, out: Buffer, n: int) -> int:
        if s.phase == PLAY:
            ace = card(ACE, s.trump)
            return add(out, n, say1(CIVIL, ace), self.civil != 0 and s.led == 0 and s.hand[me] & bit(ace) != 0)  # LO-33
        if s.phase == EXCHANGE:
            return self.put_discards(s.hand[me], self.most_thrown(s), out, n)
        if s.phase == DECLARE:
            return put_two(out, n, STAY, PASS)
        n = add(out, n, NO, True)
        return add(out, n, FLUSH, self.flush_kind(s, s.hand[me]) != NO_FLUSH)  # LO-15, LO-16

    def most_thrown(self, s: S) -> int:
        return s.left if self.stock == LIMIT else s.left + s.dead  # LO-25

    def put_discards(self, hand: Cards, most: int, out: Buffer, n: int) -> int:
        """LO-22: list the move that keeps all cards, and every choice of cards to throw away, in pack order."""
        n = add(out, n, KEEP, True)
        first = n
        limited = most < count(hand)
        while hand and most:
            thrown = highest(hand)
            hand ^= bit(thrown)
            shorter = n
            n = add(out, n, say1(DISCARD, thrown), True)
            for i in range(first, shorter):
                if not limited or items_of(out[i]) < most:
                    out[n] = and_item(out[i], thrown)
                    n += 1
        return n

    def may_throw_all(self, s: S, me: int) -> bool:
        return s.phase == EXCHANGE and self.most_thrown(s) >= count(s.hand[me])

    @override
    def count_others(self, s: S, me: int, out: Buffer) -> int:
        return 1 << count(s.hand[me]) if self.may_throw_all(s, me) else self.other_moves(s, me, out, 0)

    @override
    def nth_other(self, s: S, me: int, out: Buffer, k: int) -> int:
        """Build a discard from `k`, whose bits are the cards to throw away, the first card in pack order being the
        lowest bit."""
        if not self.may_throw_all(s, me):
            return out[k]
        move = KEEP
        hand = s.hand[me]
        while k:
            first = highest(hand)
            if k & 1:
                move = say1(DISCARD, first) if move == KEEP else and_item(move, first)
            hand ^= bit(first)
            k >>= 1
        return move

    @override
    def nth_in_order(self, s: S, me: int, k: int) -> int:
        """Return the k-th choice of cards to throw away: smaller choices come first; of those of one size, the ones
        with the first card in pack order. The result is unpredictable, so branches would be slow."""
        hand = s.hand[me]
        held = count(hand)
        size = 1
        while k >= self.ways(held, size + 1):
            k -= self.ways(held, size + 1)
            size += 1
        thrown = 0
        while hand:
            held -= 1
            first = bit(highest(hand))
            with_first = self.ways(held, size)
            taken = k < with_first
            k -= 0 if taken else with_first
            thrown |= first if taken else 0
            size -= taken
            hand ^= first
        return say_cards(DISCARD, thrown)

    def ways(self, others: int, size: int) -> int:
        """The number of ways to choose this many cards: one given card and some of the others."""
        return WAYS[(MOST_THROWN + 2) * others + size]

    @override
    def apply(self, s: S, me: int, move: int) -> None:
        verb = verb_of(move)
        if s.phase == PLAY:
            self.play(s, me, item(move, 0), 1 if verb == CIVIL else 0)
        elif s.phase == DECLARE:
            self.declare(s, me, verb)
        elif s.phase == EXCHANGE:
            self.exchange(s, me, 0 if move == KEEP else cards_of(move))
        else:
            self.answer(s, me, verb)

    def declare(self, s: S, me: int, verb: int) -> None:
        if verb == PASS:  # LO-11
            s.inside ^= only(me)
            s.dead += self.size
            self.bury(s, me, s.hand[me])
        if not several(s.inside):  # LO-12, LO-13
            self.take_pot(s, lowest(s.inside))
        elif me == s.dealer:
            self.ask(s, EARLY)  # LO-15
        else:
            s.to_act = only(left_of(s, me))

    def bury(self, s: S, seat: int, cards: Cards) -> None:
        s.hand[seat] ^= cards
        s.buried[seat] = cards
        s.thrown[seat] = cards

    # ---------------------------------------------------------------------------------------------------------- flushes

    def flush_kind(self, s: S, hand: Cards) -> int:
        """LO-14, LO-18: the kind of flush that a hand is; NO_FLUSH if it is none."""
        suited = hand & ~bit(self.pam)
        if suited == 0:
            return NO_FLUSH
        suit = suit_of(highest(suited))
        if suited != of_suit(suited, suit):
            return NO_FLUSH
        return MOUCHE if suited != hand else TRUMP_FLUSH if suit == s.trump else PLAIN_FLUSH

    def flush_rank(self, s: S, flush: Cards) -> int:
        """LO-18, LO-19: the rank of a flush: the kind decides, then the ranks from the top down."""
        suited = flush & ~bit(self.pam)
        return self.flush_kind(s, flush) << 13 | suited >> 13 * suit_of(highest(suited))

    def answer(self, s: S, me: int, verb: int) -> None:
        if verb == FLUSH:
            s.shown[me] = s.hand[me]
            if s.best == NOBODY or self.flush_rank(s, s.hand[me]) > self.flush_rank(s, s.shown[s.best]):  # LO-19
                s.best = me
        if not self.last_asked(s, me):
            s.to_act = only(next_of(s.inside, me))
        elif s.best != NOBODY:  # LO-17
            self.loo_board(s)
        elif s.phase == EARLY:
            self.ask(s, EXCHANGE)
        else:
            s.phase = PLAY
            take_lead(s, next_of(s.inside, s.dealer))  # LO-26

    # ----------------------------------------------------------------------------------------------------- the exchange

    def exchange(self, s: S, me: int, thrown: Cards) -> None:
        self.bury(s, me, thrown)
        s.changed[me] = count(thrown)
        s.drawer = me
        s.to_draw = count(thrown)
        self.draw_cards(s)

    def draw_cards(self, s: S) -> None:
        """LO-23: deal the drawing seat its new cards, as far as the stock lasts."""
        self.note_finder(s)
        while s.to_draw and s.left:
            s.to_draw -= 1
            s.hand[s.drawer] |= bit(draw_top(s))
        if s.to_draw:
            await_reshuffle(s, EXCHANGE)  # LO-24
            return
        me = s.drawer
        s.drawer = NOBODY
        s.dead += s.changed[me]
        if self.last_asked(s, me):
            self.ask(s, LATE)  # LO-16
        else:
            s.to_act = only(next_of(s.inside, me))

    def note_finder(self, s: S) -> None:
        """Record that a seat that draws from a reshuffled stock may get any card that was thrown away into it."""
        if s.to_draw and s.left:
            mixed = s.mixed
            while mixed:
                s.finders[lowest(mixed)] |= only(s.drawer)
                mixed &= mixed - 1

    @override
    def reshuffle(self, s: S, order: Pile) -> None:
        """LO-24: turn the dead cards, in this order, into the new stock."""
        lay_stock(s, order, 0, s.dead)
        s.dead = 0
        s.mixed = 0
        for seat in range(s.players):
            if seat != s.drawer and s.buried[seat]:
                s.buried[seat] = 0
                s.mixed |= only(seat)
        self.draw_cards(s)

    # --------------------------------------------------------------------------------------------------------- the play

    def play(self, s: S, me: int, played: Card, civil: int) -> None:
        self.note_lacks(s, me, bit(played))
        if s.led == 0:
            s.civil = civil
        s.played |= bit(played)
        put_in_trick(s, me, played, self.followed_by(s, played), self.beaten_by(s, played))
        if not trick_goes_on(s, next_of(s.inside, me)):  # LO-27
            self.end_trick(s)

    def followed_by(self, s: S, card: Card) -> Cards:
        """The cards that follow this one: by LO-3 Pam is a trump and not a club."""
        return s.trumps if s.trumps & bit(card) else all_of(suit_of(card)) & ~s.trumps

    def beaten_by(self, s: S, card: Card) -> Cards:
        """LO-35: the cards that take the trick from this one."""
        if card == self.pam:
            return 0
        return above(card) | (bit(self.pam) if s.trumps & bit(card) else s.trumps)

    def note_lacks(self, s: S, me: int, played: Cards) -> None:
        """The cards that this play shows the hand to lack, besides those that would follow suit: LO-28 to LO-34 and
        option `ace_lead`."""
        if s.led == 0:
            s.lacks[me] |= self.must_lead(s) & ~played
        elif (s.led | s.trumps) & played == 0:
            s.lacks[me] |= s.trumps
        elif s.civil:
            if played == bit(self.pam):
                s.lacks[me] |= s.trumps & ~played
        elif self.head and s.better & played == 0:
            s.lacks[me] |= s.better & (s.led if s.led & played else s.trumps)

    def end_trick(self, s: S) -> None:
        s.civil = 0
        if not winner_leads(s):  # LO-27
            self.settle(s)

    # --------------------------------------------------------------------------------------------------------- settling

    def take_pot(self, s: S, seat: int) -> None:
        """LO-12, LO-13: pay the pot to the only seat left, and end the deal."""
        for other in range(s.players):
            s.last_won[other] = s.pot if other == seat else 0
            s.last_paid[other] = 0
        self.end_deal(s)

    def loo_board(self, s: S) -> None:
        """LO-20, LO-21: settle the deal in which the best flush looes the board."""
        s.last_kind = self.flush_kind(s, s.hand[s.best])
        s.tricks[s.best] = self.size
        due = self.payment(s)
        winners = self.equally_good(s) if self.level == SHARED else only(s.best)
        each = s.pot // count(winners)
        for seat in range(s.players):
            s.last_hands[seat] = s.hand[seat]
            s.last_won[seat] = each if among(winners, seat) else 0
            s.last_won[seat] += s.pot - each * count(winners) if seat == s.best else 0  # LO-50: odd chips
            s.last_paid[seat] = due if self.pays_for_flush(s, seat) else 0
        self.end_deal(s)

    def equally_good(self, s: S) -> int:
        """LO-50: the set of the seats that have shown a flush as good as the best one."""
        seats = 0
        best = self.flush_rank(s, s.shown[s.best])
        for seat in range(s.players):
            if s.shown[seat] and self.flush_rank(s, s.shown[seat]) == best:
                seats |= only(seat)
        return seats

    def pays_for_flush(self, s: S, seat: int) -> bool:
        """LO-21: whether a seat pays for the flush; with `flush_pays`, the dealt cards of a seat that has passed count
        too."""
        is_in = among(s.inside, seat)
        cards = s.hand[seat] if is_in else s.thrown[seat]
        spared = cards & bit(self.pam) != 0 or self.flush_kind(s, cards) != NO_FLUSH
        return not spared and (is_in or self.flush_pays == ALL)

    def settle(self, s: S) -> None:
        each = self.share(s)
        due = self.payment(s)
        for seat in range(s.players):
            s.last_won[seat] = s.tricks[seat] * each
            s.last_paid[seat] = due if among(s.inside, seat) and s.tricks[seat] == 0 else 0  # LO-38
        self.end_deal(s)

    def share(self, s: S) -> int:
        """LO-36, LO-37: the chips that each trick wins."""
        return s.pot // self.size

    def scheduled(self, s: S) -> int:
        return self.rounds * s.players  # LO-41

    def payment(self, s: S) -> int:
        """LO-38; option `penalty`: the chips that a looed player pays; nothing in the last extra deal, LO-43."""
        if s.deals == self.scheduled(s) + s.players:
            return 0
        return min(s.pot, self.most_looed) if self.penalty == POT else self.looed

    @large
    def end_deal(self, s: S) -> None:
        """LO-39: settle the chips and the pot, and end the deal."""
        s.last_dealer = s.dealer
        s.last_pot = s.pot
        s.last_flush = s.best
        s.pot = 0
        for seat in range(s.players):
            s.scores[seat] += s.last_won[seat] - s.last_paid[seat]
            s.pot += s.last_paid[seat]
            s.last_tricks[seat] = s.tricks[seat]
        self.clear(s)
        if s.pot == 0 and s.deals >= self.scheduled(s):  # LO-42
            finish_match(s, DONE, highest_scores(s))  # LO-44
        else:
            await_deal(s, left_of(s, s.dealer))  # LO-40
