"""Linger Longer. The numbers LL-… are the clauses of rulebook.md."""

from typing_extensions import TypeVar

from upcard.rules import *

DUE, PLAY, MIX, DONE = PHASES = words("deal play reshuffle done")
DEALER, TURNED, NONE = TRUMPS = words("dealer turned none")
LEFT, WINNER = NEXT_DEALER = words("left winner")
CARDS, ONE = SCORE = words("cards one")

MOVES = Notation()


def as_many(players: int) -> int:
    """LL-4, LL-24: the number of players, which is also the number of cards dealt to each."""
    return players


def most_cards(players: int) -> int:
    """The largest number of cards that may be dealt to each: one card must be left to draw."""
    return 51 // players


class LingerLongerState(TrickState, seats=6):
    hand: PerSeat = held(shown="shown")  # the cards of each seat, LL-29
    shown: PerSeat = per_seat(of="set")  # the dealer's last card while it is held; at the end the winner's hand, LL-30
    size: PerSeat = per_seat()  # the number of cards that each seat holds, LL-28
    stock: Pile = face_down(52, counted="left")  # LL-6, top card last; LL-30
    left: int = open_field()  # cards in the stock
    aside: Card = open_card(reveals="LL-7")  # the turned card, out of play
    upcard: Card = open_field(NO_CARD, of="card")  # the card shown for the trump suit
    trump: Suit = open_suit()  # the trump suit
    active: int = open_seats()  # the seats still in
    discard: Cards = open_set()  # the cards played, including those of the current trick
    last_winner: int = open_seat(kept=True)  # of the last finished deal
    last_hand: Cards = open_field(of="set", kept=True, reveals="LL-30")  # the hand of that winner
    last_tricks: PerSeat = per_seat(kept=True)  # the tricks that each seat took in that deal
    last_points: PerSeat = per_seat(kept=True)  # the points that each seat scored in it


S = TypeVar("S", bound=LingerLongerState, default=LingerLongerState)


class LingerLongerRules(Game[S]):
    """The rules of Linger Longer: the winner of a trick draws a card, and the last seat with cards wins the deal."""

    notation = MOVES
    phases = PHASES
    refused = "LL-37"

    deals: int = whole(as_many, 1, 20, clause="LL-24", help="the deals of a match")
    cards: int = whole(as_many, 2, most_cards, clause="LL-4", help="cards dealt to each")
    trump: int = choice(
        TRUMPS,
        clause="LL-7",
        help="dealer: the dealer's last card fixes trumps; turned: a card turned up, out of play; none: no trumps",
    )
    next_dealer: int = choice(NEXT_DEALER, clause="LL-25", help="winner: the winner of a deal deals the next")
    score: int = choice(SCORE, clause="LL-23", help="one: every deal won is one point")

    pack: Cards = card_set(
        RANKS,
        clause="LL-2",
        help="the cards that are played with",
        phrases=(
            "One pack of {count(pack)} cards",
            "`{pack:ranks}`{if count(pack) == 52}, ace high{end}",
        ),
    )
    for_card: int = number(
        1,
        clause="LL-23",
        help="points for each card that the winner of a deal holds",
        phrases=(
            "{if for_card == 1}one point{else}{for_card} points{end} for each card",
            "at least {if for_card == 1}one point{else}{for_card} points{end}",
        ),
    )
    for_deal: int = number(1, clause="LL-23", help="points for a deal won, where its cards do not count")

    @override
    def constraints(self) -> Constraints:
        message = "{seats} players × {cards} cards + one to turn up or draw are {needed}, the pack has {available}"
        needed = self.players * self.cards + 1
        yield pack_suffices("LL-6", self.pack, needed, message, seats=self.players, cards=self.cards)
        yield moves_suffice("LL-4", self.cards, self.most_moves, cards=self.cards)

    # ------------------------------------------------------------------------------------------------------- the deals

    @override
    def cards_to_shuffle(self, s: S, out: Buffer) -> int:
        return put_cards(out, 0, self.pack if s.awaiting == DEAL else s.discard)  # LL-33, LL-21

    @override
    def deal(self, s: S, order: Pile) -> None:
        dealt = deal_in_lots(s, order, self.cards, 1)  # LL-4, LL-5
        for seat in range(s.players):
            s.size[seat] = self.cards
        if self.trump == DEALER:  # LL-7
            s.upcard = order[dealt - 1]
            s.shown[s.dealer] = bit(s.upcard)
        elif self.trump == TURNED:
            s.upcard = order[dealt]
            s.aside = s.upcard
            dealt += 1
        if self.trump != NONE:
            s.trump = suit_of(s.upcard)
        lay_stock(s, order, dealt, count(self.pack))  # LL-6
        s.active = everybody(s.players)
        s.phase = PLAY
        take_lead(s, left_of(s, s.dealer))  # LL-8

    @override
    def reshuffle(self, s: S, order: Pile) -> None:
        """LL-20, LL-21: make a new stock from the discard pile. Nobody holds a card of the discard pile."""
        lay_stock(s, order, 0, count(s.discard))
        for seat in range(s.players):
            s.lacks[seat] |= s.discard
        s.discard = 0
        self.draw(s)

    # ------------------------------------------------------------------------------------------------------------ moves

    @override
    def playable(self, s: S, me: int) -> Cards:
        return follows(s, me)  # LL-8, LL-9, LL-10

    @override
    def apply(self, s: S, me: int, card: Card) -> None:
        played = bit(card)
        s.shown[me] &= ~played
        s.size[me] -= 1
        s.discard |= played
        put_in_trick(s, me, card, all_of(suit_of(card)), beating(card, s.trump))  # LL-11
        if not trick_goes_on(s, next_of(s.active, me)):  # LL-9, LL-16
            self.end_trick(s)

    def end_trick(self, s: S) -> None:
        """LL-13 (a) to (c): end the trick, after which its winner draws."""
        s.leader = win_trick(s)
        if s.left:
            self.draw(s)
        else:
            await_reshuffle(s, MIX)  # LL-20

    def draw(self, s: S) -> None:
        """LL-12 and LL-13 (c) to (e): let the winner of the trick draw; this seat is never out: LL-19."""
        taker = s.leader
        s.hand[taker] |= bit(draw_top(s))
        s.size[taker] += 1
        s.lacks[taker] = 0
        s.active &= ~seats_with(s, s.size, 0)  # LL-15
        if s.active == only(taker):
            self.end_deal(s, taker)  # LL-17, LL-18
        else:
            s.phase = PLAY
            take_lead(s, taker)  # LL-14

    # ------------------------------------------------------------------------------------------------------------ score

    def end_deal(self, s: S, winner: int) -> None:
        """LL-22: record the outcome of a deal, and end it."""
        s.last_winner = winner
        s.last_hand = s.hand[winner]
        for seat in range(s.players):
            s.last_tricks[seat] = s.tricks[seat]
            s.last_points[seat] = 0
        s.last_points[winner] = self.for_deal if self.score == ONE else self.for_card * s.size[winner]  # LL-23
        s.scores[winner] += s.last_points[winner]
        if s.deals == self.deals:  # LL-24, LL-27
            finish_match(s, DONE, highest_scores(s))  # LL-26
            s.shown[winner] = s.hand[winner]
        else:
            self.clear(s)
            await_deal(s, winner if self.next_dealer == WINNER else left_of(s, s.dealer))  # LL-25
