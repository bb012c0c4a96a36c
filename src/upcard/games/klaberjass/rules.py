"""Klaberjass. The numbers KJ-… are the clauses of rulebook.md."""

from typing_extensions import TypeVar

from upcard.rules import *

DUE, BID, ANSWER, NAMING, DECLARE, PLAY, DONE = PHASES = words("deal bid answer name declare play done")
UNDECIDED, MADE, LEVEL, BATE, THROWN = HOW = words("undecided made level bate thrown")
NO_RUN, SHORT_RUN, LONG_RUN = RUNS = words("none twenty fifty")
OFFERED, ABOLISHED = SCHMEISSES = words("yes no")
CALLED, AUTO = BELAS = words("call auto")
NEITHER, NONDEALER = EQUALS = words("none nondealer")
WINNER, ALTERNATE = DEALERS = words("winner alternate")
HIDDEN, TURNED_UP = BOTTOMS = words("hidden shown")
NO_RANK = -1
BELOW_ACE = as_set(pack("KQJT98765432"))
KINGS_AND_QUEENS = as_set(pack("KQ"))

MOVES = Notation()
ACCEPT = MOVES.verb("accept", label="Accept the upcard's suit", said="accepts")
PASS = MOVES.verb("pass", label="Pass", said="passes")
SCHMEISS = MOVES.verb(
    "schmeiss",
    label="Schmeiss: offer to throw in",
    said="offers a schmeiss",
    asks="Offer to throw the deal in? If the other player says no, you must make trump.",
)
NAME = MOVES.verb("name", "suit", label="Name {0}", said="names {0}")
YES = MOVES.verb("yes", label="Yes, throw the deal in", said="says yes: the deal is thrown in")
NO = MOVES.verb("no", label="No, play it", said="says no")
DIX = MOVES.verb("dix", label="Dix: take the upcard for it", said="takes the upcard for the dix", zone="upcard")
NONE = MOVES.verb("none", label="No declaration", said="declares nothing")
TWENTY = MOVES.verb("twenty", label="Twenty", said="says twenty")
FIFTY = MOVES.verb("fifty", label="Fifty", said="says fifty")
GOOD = MOVES.verb("good", label="Good", said="says good")
NOT_GOOD = MOVES.verb("not good", label="Not good", said="says not good")
HOW_HIGH = MOVES.verb("how high", label="How high?", said="asks how high")
ALSO = MOVES.verb("also", label="Also", said="says also")
BELA = MOVES.verb(
    "bela", "card", ranks="KQ", label="Play {cards} and call bela", said="calls bela with {cards}", plays=True
)


class KlaberjassState(TrickState, seats=2):
    hand: PerSeat = held(shown="shown")  # the cards of each seat: KJ-63, KJ-65
    shown: PerSeat = per_seat(of="set", reveals="KJ-38")  # the part of each hand that both players know: KJ-50, KJ-63
    played: PerSeat = per_seat(cards="set")  # the cards that each seat has played in this deal, KJ-64
    upcard: Card = open_card(reveals="KJ-10")  # the card turned up; after `dix`, the seven
    for_nondealer: Cards = face_down_set()  # dealt when trump is fixed, KJ-11
    for_dealer: Cards = face_down_set()
    undealt: Cards = face_down_set()  # the rest of the pack, KJ-7
    under: Cards = face_down_set()  # the last card of the pack, until it is turned up
    bottom: Card = open_card(reveals="KJ-11")  # the card of `under` once it has been turned up
    round: int = open_field()  # the round of the bidding
    trump: Suit = open_suit()  # the trump suit
    maker: int = open_seat()  # the seat that made trumps
    proved: PerSeat = per_seat()  # the kind of best sequence that a seat has declared, a word of RUNS: KJ-62
    top: PerSeat = per_seat(NO_RANK)  # the rank of its highest card, if declared: KJ-32, KJ-33
    suit: PerSeat = per_seat(NO_SUIT, of="suit")  # its suit, if declared: KJ-34
    holder: int = open_seat()  # the seat whose sequences count, KJ-37
    melds: Cards = open_field(of="set")  # the cards of the holder's sequences, once shown
    duty: Cards = open_field(of="set")  # the second player must play one of these if possible: KJ-42, KJ-43
    points: PerSeat = per_seat()  # the points of each seat in this deal
    called: PerSeat = per_seat(of="flag")  # whether the seat has called bela with the first card
    bela: PerSeat = per_seat()  # the points of each seat for bela
    last_how: int = open_field(kept=True)  # how the last deal ended: a word of HOW
    last_points: PerSeat = per_seat(kept=True)  # the points of each seat in the last finished deal
    last_added: PerSeat = per_seat(kept=True)  # what each seat wrote down for it


S = TypeVar("S", bound=KlaberjassState, default=KlaberjassState)


class KlaberjassRules(Game[S]):
    """The rules of Klaberjass: the deal, the bidding, the declarations, the play and the score."""

    notation = MOVES
    phases = PHASES

    target: int = whole(501, 51, 2001, clause="KJ-58", help="score that ends the match")
    schmeiss: int = choice(SCHMEISSES, clause="KJ-13", help="no: nobody can offer to throw the cards in")
    bela: int = choice(BELAS, clause="KJ-49", help="auto: king and queen of trumps score without being called")
    equal: int = choice(EQUALS, clause="KJ-35", help="whose is the better of two equal plain sequences")
    next_dealer: int = choice(DEALERS, clause="KJ-57", help="who deals after a scored deal", name="deal")
    bottom: int = choice(BOTTOMS, clause="KJ-11", help="shown: the bottom card of the pack is turned up")

    pack: Cards = card_set(
        "AKQJT987",
        clause="KJ-2",
        also="KJ-7 KJ-11 KJ-12 KJ-65",
        help="the cards that are played with",
        phrases=(
            "The pack has {count(pack)} cards, `{pack:ranks}` of",
            "all {count(pack)} cards from the top",
        ),
    )
    strength: Row = rank_order(
        "A T K Q J 9 8 7",
        clause="KJ-3",
        help="the ranks of a plain suit, strongest first",
        phrases=("`{strength:ranks}`",),
    )
    trump_strength: Row = rank_order(
        "J 9 A T K Q 8 7",
        clause="KJ-4",
        help="the ranks of trumps, strongest first",
        phrases=("`{trump_strength:ranks}`",),
    )
    value: Row = card_values(A=11, T=10, K=4, Q=3, J=2, clause="KJ-6", help="what a card of a plain suit counts")
    trump_value: Row = card_values(
        A=11, T=10, K=4, Q=3, J=20, **{"9": 14}, clause="KJ-6", also="", help="what a card of trumps counts"
    )
    size: int = number(
        6,
        clause="KJ-9",
        also="KJ-7 KJ-11 KJ-12 KJ-27 KJ-48 KJ-53 KJ-65",
        help="cards in a hand while trump is found",
        least=1,
        phrases=(
            "Only {2 * (size + more)} of the {count(pack)} cards are played ({2 * (size + more) + 1} are",
            "{size:Word} cards each, in {if size == 2 * lot}two lots{else}lots of at most{end}{if size "
            "== 2 * lot} of{end} {lot:word}",
            "{if size == 2 * lot}From the top of the pack: cards 1–{lot} nondealer, {lot + 1}–{2 * lot} dealer, "
            "{2 * lot + 1}–{3 * lot} nondealer, {3 * lot + 1}–{4 * lot} dealer{else}They come from the top{end}",
            "need {2 * (size + more) + 1:word} of them",
            "the {size + more:word}-card hand",
            "has {size + more:word} tricks",
            "hold {size + more:word}",
            "{2 * (size + more) + 2}–{count(pack)} stay",
            "cards {2 * (size + more) + 2}–{count(pack)}",
        ),
    )
    lot: int = number(3, clause="KJ-9", help="cards dealt at a time", least=1)
    more: int = number(
        3,
        clause="KJ-11",
        also="KJ-7 KJ-12 KJ-24 KJ-27 KJ-48 KJ-53 KJ-65",
        help="cards dealt to each once trump is fixed",
        phrases=(
            "{more:word} more cards each{if more <= lot}: {2 * size + 2}–{2 * size + more + 1} "
            "nondealer, {2 * size + more + 2}–{2 * size + 2 * more + 1} dealer{end} (same order",
            "the {more:word} extra cards",
        ),
    )
    dix: int = one_rank(
        SEVEN,
        clause="KJ-23",
        also="KJ-24 KJ-25 KJ-63",
        help="the rank whose trump fetches the upcard",
        phrases=(
            "the trump {dix:rank}",
            "holds the {dix:rank}",
            "The {dix:rank} laid",
            "that the {dix:rank} lies",
        ),
    )
    twenty: int = number(
        20,
        clause="KJ-26",
        help="points of a sequence of three",
        phrases=("({twenty} points)",),
    )
    fifty: int = number(
        50,
        clause="KJ-26",
        also="KJ-27",
        help="points of a longer sequence",
        phrases=(
            "({fifty} points). Five or more are worth no more than {fifty}",
            "six in a row are one fifty, not two twenties; seven in a row are {fifty}, not {twenty + fifty}",
        ),
    )
    bela_points: int = number(
        20,
        clause="KJ-49",
        also="KJ-50",
        help="points of king and queen of trumps",
        phrases=(
            "worth {bela_points}",
            "adds {bela_points} to",
        ),
    )
    last_trick: int = number(
        10,
        clause="KJ-53",
        help="points for the last trick",
        phrases=("{last_trick} for the {if size + more == 9}ninth{else}last{end} trick",),
    )
    most_deals: int = number(
        200,
        clause="KJ-61",
        help="deals in a match at most",
        least=1,
        phrases=(
            "at most {most_deals} deals",
            "If {if most_deals == 200}the 200th deal{else}deal {most_deals}{end} ends",
        ),
    )
    above: Row = derived(lambda self: masks_above(self.strength), length=13)
    trump_above: Row = derived(lambda self: masks_above(self.trump_strength), length=13)

    @override
    def constraints(self) -> Constraints:
        hand = self.size + self.more
        message = (
            "2 players × {cards} + {more} cards + the upcard + a bottom card are {needed}, the pack has {available}"
        )
        yield pack_suffices("KJ-11", self.pack, 2 * hand + 2, message, cards=self.size, more=self.more)
        yield moves_suffice("KJ-50", hand + 2, self.most_moves, cards=hand)
        yield ranks_differ("KJ-3", "strength", self.strength, self.pack)
        yield ranks_differ("KJ-4", "trump_strength", self.trump_strength, self.pack)
        yield pack_has("KJ-23", "dix", self.pack, rank=self.dix)

    @override
    def deal(self, s: S, order: Pile) -> None:
        dealt = deal_in_lots(s, order, self.size, self.lot)  # KJ-9
        s.upcard = order[dealt]  # KJ-10
        for i in range(dealt + 1, dealt + 1 + self.more):  # KJ-11
            s.for_nondealer |= bit(order[i])
            s.for_dealer |= bit(order[i + self.more])
        s.under = bit(order[count(self.pack) - 1])
        out = s.hand[0] | s.hand[1] | bit(s.upcard) | s.for_nondealer | s.for_dealer | s.under
        s.undealt = self.pack & ~out
        s.round = 1
        await_move(s, BID, 1 - s.dealer)  # KJ-13

    # ------------------------------------------------------------------------------------------------------------ moves

    @override
    def playable(self, s: S, me: int) -> Cards:
        if s.phase != PLAY:
            return 0
        hand = s.hand[me]
        if s.led == 0:
            return hand  # KJ-41
        return hand & s.duty or hand & (s.led | s.better) or hand  # KJ-42 to KJ-45

    @override
    def other_moves(self, s: S, me: int, out: Buffer, n: int) -> int:
        if s.phase == PLAY:
            return self.bela_calls(s, me, out, n)
        if s.phase == DECLARE:
            return self.declarations(s, me, out, n)
        if s.phase == ANSWER:
            return put_two(out, n, NO, YES)  # KJ-17
        if s.round == 1:
            n = add(out, n, ACCEPT, True)  # KJ-13, KJ-14
        else:
            for suit in range(4):  # KJ-15, KJ-20
                n = add(out, n, say1(NAME, suit), suit != suit_of(s.upcard))
        if s.phase == BID:
            n = add(out, n, PASS, True)
            n = add(out, n, SCHMEISS, self.schmeiss == OFFERED)  # KJ-22: at any turn to bid
        return n

    def declarations(self, s: S, me: int, out: Buffer, n: int) -> int:
        """KJ-29 to KJ-36: list the declarations that the hand and the other player's declarations allow. There is
        always one, KJ-30."""
        best = self.best_sequence(s.hand[me], s.trump)
        mine = self.kind_of(s.hand[me], best)
        declared = s.proved[1 - s.dealer]
        n = add(out, n, DIX, self.may_exchange(s, me) and not self.asked_how_high(s))  # KJ-24
        if declared == NO_RUN:  # KJ-29, KJ-36
            n = add(out, n, NONE, True)
            return add(out, n, FIFTY if mine == LONG_RUN else TWENTY, mine != NO_RUN)
        n = add(out, n, GOOD, True)
        if not self.asked_how_high(s):  # KJ-31
            n = add(out, n, NOT_GOOD, mine > declared)
            return add(out, n, HOW_HIGH, mine == declared)
        top_rank = s.top[1 - s.dealer]  # KJ-33
        n = add(out, n, NOT_GOOD, rank_of(best) > top_rank)
        return add(out, n, ALSO, rank_of(best) == top_rank)

    def asked_how_high(self, s: S) -> bool:
        """KJ-32: whether the dealer knows the rank of the nondealer's sequence."""
        return s.top[1 - s.dealer] != NO_RANK

    def may_exchange(self, s: S, me: int) -> bool:
        """KJ-23, KJ-25: whether a seat may exchange its seven for the upcard. Nobody holds the seven if it is the
        upcard itself, and no other suit can have been accepted."""
        return s.trump == suit_of(s.upcard) and s.hand[me] & bit(card(self.dix, s.trump)) != 0

    def bela_of(self, trump: Suit) -> Cards:
        return KINGS_AND_QUEENS & all_of(trump)  # KJ-49

    def bela_calls(self, s: S, me: int, out: Buffer, n: int) -> int:
        """KJ-49 to KJ-51: list the calls of bela: a player with both cards may call the first, and one who called the
        first may call the second."""
        pair = self.bela_of(s.trump)
        left = s.hand[me] & pair
        if left == 0 or self.bela == AUTO or (left != pair and s.called[me] == 0):
            return n
        return put_each(out, n, BELA, left & self.playable(s, me))

    @override
    def apply(self, s: S, me: int, move: int) -> None:
        if s.phase == PLAY:
            self.play(s, me, item(move, 0), verb_of(move) == BELA)
        elif s.phase == DECLARE:
            self.declare(s, me, verb_of(move))
        else:
            self.bid(s, me, move)

    # ------------------------------------------------------------------------------------------------------ the bidding

    def bid(self, s: S, me: int, move: int) -> None:
        verb = verb_of(move)
        other = 1 - me
        if verb == NAME:
            self.fix_trump(s, me, item(move, 0))
        elif verb == ACCEPT:
            self.fix_trump(s, me, suit_of(s.upcard))
        elif verb == NO and s.round == 1:
            self.fix_trump(s, other, suit_of(s.upcard))  # KJ-19
        elif verb == YES or (verb == PASS and s.round == 2 and me == s.dealer):
            self.end_deal(s, THROWN)  # KJ-16, KJ-18
        else:
            s.to_act = only(other)
            if verb == SCHMEISS:
                s.phase = ANSWER  # KJ-17
            elif verb == NO:
                s.phase = NAMING  # KJ-20
            elif me == s.dealer:
                s.round = 2  # KJ-15

    def fix_trump(self, s: S, maker: int, trump: Suit) -> None:
        """KJ-21, KJ-11: fix maker and trump, complete the hands, and begin the declarations."""
        s.maker = maker
        s.trump = trump
        s.hand[1 - s.dealer] |= s.for_nondealer
        s.hand[s.dealer] |= s.for_dealer
        s.for_nondealer = 0
        s.for_dealer = 0
        if self.bottom == TURNED_UP:
            s.bottom = lowest(s.under)
            s.under = 0
        await_move(s, DECLARE, 1 - s.dealer)  # KJ-29

    # ------------------------------------------------------------------------------------------------- the declarations

    def declare(self, s: S, me: int, verb: int) -> None:
        if verb == DIX:
            swap_upcard(s, me, card(self.dix, s.trump))  # KJ-23, KJ-25, KJ-63; the turn continues: KJ-24
            return
        if verb != NONE and verb != GOOD:
            self.tell(s, me, verb)
        if me != s.dealer:
            s.to_act = only(s.dealer)
        elif verb != HOW_HIGH:
            s.holder = self.holder_after(s, verb)
            s.phase = PLAY
            take_lead(s, 1 - me)  # KJ-41

    def tell(self, s: S, me: int, verb: int) -> None:
        """Record what a declaration reveals of the best sequences."""
        best = self.best_sequence(s.hand[me], s.trump)
        s.proved[me] = self.kind_of(s.hand[me], best)  # KJ-29: the declaration is always true
        if self.asked_how_high(s):
            s.top[me] = rank_of(best)  # KJ-33
        if verb in (HOW_HIGH, ALSO):
            theirs = self.best_sequence(s.hand[1 - me], s.trump)
            s.top[1 - me] = rank_of(theirs)  # KJ-32
            if verb == ALSO:  # KJ-34
                s.suit[me] = suit_of(best)
                s.suit[1 - me] = suit_of(theirs)

    def holder_after(self, s: S, verb: int) -> int:
        """KJ-37: the holder after the dealer's last declaration."""
        if verb == NONE:
            return NOBODY
        if verb == GOOD:
            return 1 - s.dealer
        if verb != ALSO or s.suit[s.dealer] == s.trump:  # KJ-34
            return s.dealer
        equal = s.suit[1 - s.dealer] != s.trump and self.equal == NEITHER
        return NOBODY if equal else 1 - s.dealer  # KJ-35

    # -------------------------------------------------------------------------------------------------------- sequences

    def raised(self, cards: Cards) -> Cards:
        """The cards one rank higher in natural order; none comes after the ace: KJ-5."""
        return (cards & BELOW_ACE) << 1

    def lowered(self, cards: Cards) -> Cards:
        """The cards one rank lower in natural order."""
        return cards >> 1 & BELOW_ACE

    def thirds(self, cards: Cards) -> Cards:
        """The cards of a set that also contains the two next lower ones."""
        lower = self.raised(cards)
        return cards & lower & self.raised(lower)

    def tops(self, cards: Cards) -> Cards:
        """KJ-27: the top card of each whole, longest run of three or more."""
        return self.thirds(cards) & ~self.lowered(cards)

    def tops_of_long(self, cards: Cards) -> Cards:
        """The top cards of these runs that have four cards or more."""
        return self.tops(cards) & self.raised(self.thirds(cards))

    def sequence_cards(self, cards: Cards) -> Cards:
        """The cards of all sequences."""
        third = self.thirds(cards)
        return third | self.lowered(third) | self.lowered(self.lowered(third))

    def worth_of_all(self, cards: Cards) -> int:
        """KJ-26: the total value of all sequences in these cards."""
        return self.twenty * count(self.tops(cards)) + (self.fifty - self.twenty) * count(self.tops_of_long(cards))

    def best_sequence(self, cards: Cards, trump: Suit) -> Card:
        """KJ-28: the top card of the best sequence; NO_CARD if there is none."""
        best = NO_CARD
        left = self.tops_of_long(cards) or self.tops(cards)
        while left:
            top = lowest(left)
            left &= left - 1
            higher = best == NO_CARD or rank_of(top) > rank_of(best)
            if higher or (rank_of(top) == rank_of(best) and suit_of(best) != trump):
                best = top
        return best

    def kind_of(self, cards: Cards, top: Card) -> int:
        """The kind of the best sequence in these cards, a word of RUNS; `top` is its top card."""
        if top == NO_CARD:
            return NO_RUN
        return LONG_RUN if self.tops_of_long(cards) & bit(top) else SHORT_RUN

    # --------------------------------------------------------------------------------------------------------- the play

    def play(self, s: S, me: int, played: Card, call: bool) -> None:
        one = bit(played)
        if self.bela_of(s.trump) & one:
            self.note_bela(s, me, call)
        s.shown[me] &= ~one
        s.played[me] |= one
        if s.led == 0:
            self.lead(s, me, played)
            return
        if s.duty & one == 0:
            self.note_lacks(s, me, one)
        s.hand[me] ^= one
        s.card[me] = played
        taker = me if s.better & one else 1 - me  # KJ-47
        self.end_trick(s, taker, self.points_of(s, played) + self.points_of(s, s.card[1 - me]))

    def note_lacks(self, s: S, me: int, played: Cards) -> None:
        """KJ-42 to KJ-44: the cards that a player cannot hold who failed the first duty."""
        s.lacks[me] |= s.duty
        second = s.led | s.better
        if second & played == 0:
            s.lacks[me] |= second

    def lead(self, s: S, me: int, led: Card) -> None:
        suit = suit_of(led)
        if suit == s.trump:
            over = stronger(self.trump_above, led)  # KJ-47
            s.duty = over  # KJ-42
        else:
            over = stronger(self.above, led) | all_of(s.trump)
            s.duty = all_of(suit)  # KJ-43; it need not be beaten, KJ-46
        lead_trick(s, me, led, all_of(suit), over)
        s.to_act = only(1 - me)

    def note_bela(self, s: S, me: int, call: bool) -> None:
        """Settle bela when the king or queen of trumps is played."""
        pair = self.bela_of(s.trump)
        if s.played[me] & pair:
            if call or self.bela == AUTO:  # KJ-50; without waiting for a trick, KJ-52
                s.bela[me] = self.bela_points
                s.points[me] += self.bela_points
        elif call:
            s.called[me] = 1
            s.shown[me] |= pair  # the call shows that the other card is in the hand

    def points_of(self, s: S, played: Card) -> int:
        return self.trump_value[rank_of(played)] if suit_of(played) == s.trump else self.value[rank_of(played)]  # KJ-6

    def end_trick(self, s: S, taker: int, worth: int) -> None:
        s.taker = taker
        s.tricks[taker] += 1
        s.in_trick = 0
        s.points[taker] += worth
        if s.holder != NOBODY and s.tricks[0] + s.tricks[1] == 1:  # KJ-38
            s.melds = self.sequence_cards(s.hand[s.holder] | s.played[s.holder])
            s.shown[s.holder] |= s.melds & s.hand[s.holder]
        if taker == s.holder and s.tricks[taker] == 1:
            s.points[taker] += self.worth_of_all(s.melds)  # KJ-39, KJ-40
        if s.hand[taker]:
            take_lead(s, taker)  # KJ-41
        else:  # KJ-48
            s.points[taker] += self.last_trick
            self.score(s)

    # -------------------------------------------------------------------------------------------------------- the score

    def score(self, s: S) -> None:
        """KJ-54 to KJ-56: compare the points of the maker and the other player, and end the deal."""
        ahead = s.points[s.maker] - s.points[1 - s.maker]
        self.end_deal(s, MADE if ahead > 0 else LEVEL if ahead == 0 else BATE)

    @large
    def end_deal(self, s: S, how: int) -> None:
        s.last_how = how
        for seat in range(2):
            s.last_points[seat] = s.points[seat]  # KJ-53
            s.last_added[seat] = self.added_by(s, how, seat)
            s.scores[seat] += s.last_added[seat]  # KJ-60
        s.leader = NOBODY
        decided = max(s.scores[0], s.scores[1]) >= self.target and s.scores[0] != s.scores[1]  # KJ-58, KJ-59
        if decided or s.deals == self.most_deals:  # KJ-61
            finish_match(s, DONE, highest_scores(s))
            return
        dealer = s.dealer  # KJ-16
        if how != THROWN:  # KJ-57
            winner = s.maker if how == MADE else 1 - s.maker
            dealer = 1 - s.dealer if self.next_dealer == ALTERNATE else winner
        await_deal(s, dealer)

    def added_by(self, s: S, how: int, seat: int) -> int:
        """The points that a seat adds to its score; 0 for a deal that was thrown in."""
        if how in (MADE, THROWN):
            return s.points[seat]  # KJ-54
        if seat == s.maker:
            return 0
        return s.points[seat] + (s.points[s.maker] if how == BATE else 0)  # KJ-55, KJ-56
