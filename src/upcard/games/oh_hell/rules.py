"""Oh Hell. The numbers OH-… are the clauses of rulebook.md."""

from typing_extensions import TypeVar

from upcard.rules import *

DUE, BID, PLAY, DONE = PHASES = words("deal bid play done")
UP_DOWN, DOWN_UP, UP, DOWN = ORDER = words("up_down down_up up down")
FINGERS, TURNS, HOOK = BIDDING = words("fingers turns hook")
BIDDER, LEFT = FIRST_LEAD = words("bidder left")
TIE_LEFT, TIE_DEALER = TIE_LEAD = words("left dealer")
ON, OFF = DOUBLE = words("on off")
NOTHING_LOST, DIFFERENCE, TRICKS = MISS = words("nothing difference tricks")
NEVER, LARGEST, FIFTH = NO_TRUMP = words("never largest fifth")
NO_BID = -1
MOST_CARDS = 10  # each, in the largest deal

MOVES = Notation()
SAY = MOVES.verb(
    "bid",
    "number",
    most="max_cards",
    heard=Audience.SEALED,
    unless="bidding",
    label="Bid {0}",
    said="bids {0}",
    quiet="has bid",
)  # OH-34


def largest(players: int) -> int:
    """OH-3, OH-4: the largest deal; one card must be left to turn up."""
    return {6: 8, 7: 7}.get(players, MOST_CARDS)


class OhHellState(TrickState, seats=7):
    size: int = open_field(kept=True)  # cards dealt to each player in this deal, or in the next one while it is awaited
    hand: PerSeat = held()  # the cards of each seat, OH-33
    undealt: Cards = face_down_set()  # OH-10, OH-36
    upcard: Card = open_card(reveals="OH-9")  # the card turned up for trumps
    trump: Suit = open_suit()  # the trump suit
    bids: PerSeat = sealed(until=PLAY, unless="bidding", blank=NO_BID)  # the bid of each seat, OH-34
    played: Cards = open_set()  # the cards played in this deal
    last_bids: PerSeat = per_seat(kept=True)  # the bids of the last finished deal
    last_tricks: PerSeat = per_seat(kept=True)  # the tricks of each seat in that deal
    last_points: PerSeat = per_seat(kept=True)  # what each seat scored in it


S = TypeVar("S", bound=OhHellState, default=OhHellState)


class OhHellRules(Game[S]):
    """The rules of Oh Hell: deals that grow and shrink, bids, tricks, and points for exact bids."""

    notation = MOVES
    phases = PHASES
    refused = "OH-43"

    max_cards: int = whole(largest, 1, largest, clause="OH-3", help="cards each in the largest deal")
    order: int = choice(ORDER, clause="OH-3", help="how the deals grow and shrink; up, down: one half")
    bidding: int = choice(
        BIDDING,
        clause="OH-11",
        help="turns: openly in turn, the dealer last; hook: as turns, but the dealer may not make the sum come out",
    )
    first_lead: int = choice(FIRST_LEAD, clause="OH-17", help="left: the first lead is left of the dealer")
    tie_lead: int = choice(TIE_LEAD, clause="OH-18", help="which of several highest bidders comes first")
    double: int = choice(
        DOUBLE,
        clause="OH-26",
        help="whether made bids of half the tricks or more count {if times == 2}double{else}{times} times{end}",
    )
    miss: int = choice(
        MISS,
        clause="OH-25",
        help="difference: a missed bid loses a point per trick over or under; tricks: it scores a point per trick won",
    )
    no_trump: int = choice(
        NO_TRUMP, clause="OH-46", help="deals without trumps: those of the largest size, or every fifth deal"
    )

    pack: Cards = card_set(
        RANKS,
        clause="OH-2",
        also="OH-10",
        help="the cards that are played with",
        phrases=(
            "One pack of {count(pack)} cards",
            "`{pack:ranks}`{if count(pack) == 52}, ace high{end}",
        ),
    )
    made: int = number(
        10,
        clause="OH-24",
        also="OH-26 OH-27 OH-45",
        help="points for a bid that was made, besides one for each trick bid",
        phrases=(
            "scores {made} and one more for each trick bid: {made} for a made bid of zero, {made + 1} for one",
            "scores {times * made} and {times:word} more for each trick bid",
            "of 3 scores {times * (made + 3)}",
            "and {made:word} more for",
        ),
    )
    times: int = number(
        2,
        clause="OH-26",
        also="OH-27",
        help="how often a bid of half the tricks or more counts",
        phrases=("is thus {if times == 2}twice{else}{times} times{end} the score",),
    )

    @override
    def constraints(self) -> Constraints:
        needed, cards = self.players * self.max_cards + 1, self.max_cards
        message = "{seats} players × {cards} cards + the upcard are {needed}, the pack has {available}"
        yield pack_suffices("OH-4", self.pack, needed, message, seats=self.players, cards=cards)
        yield moves_suffice("OH-12", cards + 1, self.most_moves, cards=cards)

    # ------------------------------------------------------------------------------------------------------- the deals

    @override
    def start(self, s: S) -> None:
        s.size = self.size_of(0)

    def deals_in_match(self) -> int:
        """OH-3: the number of deals in a match."""
        return self.max_cards if self.order >= UP else 2 * self.max_cards

    def size_of(self, deals: int) -> int:
        """OH-3, OH-4: the size of the deal that follows this many others."""
        most = self.max_cards
        if self.order == UP or (self.order == UP_DOWN and deals < most):
            return deals + 1
        if self.order == DOWN or (self.order == DOWN_UP and deals < most):
            return most - deals
        return 2 * most - deals if self.order == UP_DOWN else deals - most + 1

    @override
    def deal(self, s: S, order: Pile) -> None:
        s.undealt = self.pack  # OH-39
        seat = s.dealer  # OH-6
        for i in range(s.size * s.players):  # OH-8
            seat = left_of(s, seat)
            s.hand[seat] |= bit(order[i])
            s.undealt ^= bit(order[i])
        s.upcard = order[s.size * s.players]  # OH-9
        s.undealt ^= bit(s.upcard)  # OH-10
        s.trump = NO_SUIT if self.lacks_trumps(s) else suit_of(s.upcard)
        s.phase = BID
        s.to_act = everybody(s.players) if self.bidding == FINGERS else only(left_of(s, s.dealer))  # OH-11

    def lacks_trumps(self, s: S) -> bool:
        """OH-46: whether this deal has no trumps."""
        if self.no_trump == LARGEST:
            return s.size == self.max_cards
        return self.no_trump == FIFTH and s.deals % 5 == 0

    # ------------------------------------------------------------------------------------------------------------ moves

    @override
    def playable(self, s: S, me: int) -> Cards:
        return follows(s, me) if s.phase == PLAY else 0  # OH-19, OH-20, OH-21

    @override
    def other_moves(self, s: S, me: int, out: Buffer, n: int) -> int:
        if s.phase == PLAY:
            return n
        barred = self.barred_bid(s, me)
        for tricks in range(s.size + 1):  # OH-12, OH-13
            n = add(out, n, say1(SAY, tricks), tricks != barred)
        return n

    def barred_bid(self, s: S, me: int) -> int:
        """OH-15: the bid that the dealer, who bids last, may not make with `hook`, because the bids would add up to the
        size of the deal. Otherwise any sum is allowed."""
        if self.bidding != HOOK or me != s.dealer:
            return NO_BID
        total = 0
        for seat in range(s.players):
            if seat != me:
                total += s.bids[seat]
        return s.size - total

    @override
    def apply(self, s: S, me: int, move: int) -> None:
        if s.phase == PLAY:
            self.play(s, me, move)
        else:
            self.bid(s, me, item(move, 0))

    def bid(self, s: S, me: int, tricks: int) -> None:
        s.bids[me] = tricks
        if self.bidding == FINGERS:
            s.to_act ^= only(me)
        else:
            s.to_act = 0 if me == s.dealer else only(left_of(s, me))
        if s.to_act == 0:  # OH-16
            s.phase = PLAY
            take_lead(s, self.first_leader(s))

    def first_leader(self, s: S) -> int:
        """OH-17, OH-18: the seat that leads to the first trick."""
        left = left_of(s, s.dealer)
        if self.first_lead == LEFT:
            return left
        best = s.dealer if self.tie_lead == TIE_DEALER else left
        seat = best
        for _ in range(s.players - 1):
            seat = left_of(s, seat)
            if s.bids[seat] > s.bids[best]:
                best = seat
        return best

    def play(self, s: S, me: int, played: Card) -> None:
        s.played |= bit(played)
        put_in_trick(s, me, played, all_of(suit_of(played)), beating(played, s.trump))  # OH-22
        if not trick_goes_on(s, left_of(s, me)) and not winner_leads(s):  # OH-20, OH-23
            self.end_deal(s)

    # ------------------------------------------------------------------------------------------------------------ score

    def points_for(self, size: int, tricks_bid: int, tricks: int) -> int:
        """OH-5: the points for a bid, which is made only by winning exactly as many tricks as were bid."""
        if tricks != tricks_bid:
            if self.miss == TRICKS:
                return tricks  # OH-45
            return -abs(tricks - tricks_bid) if self.miss == DIFFERENCE else 0  # OH-25
        points = self.made + tricks_bid  # OH-24
        return self.times * points if self.double == ON and 2 * tricks_bid >= size else points  # OH-26, OH-27, OH-28

    def end_deal(self, s: S) -> None:
        for seat in range(s.players):
            s.last_bids[seat] = s.bids[seat]
            s.last_tricks[seat] = s.tricks[seat]
            s.last_points[seat] = self.points_for(s.size, s.bids[seat], s.tricks[seat])
            s.scores[seat] += s.last_points[seat]  # OH-29
        if s.deals == self.deals_in_match():  # OH-31
            finish_match(s, DONE, highest_scores(s))  # OH-30
            s.leader = s.taker
        else:
            self.clear(s)
            await_deal(s, left_of(s, s.dealer))  # OH-7
            s.size = self.size_of(s.deals)
