"""Cinch, also called High Five or Double Pedro. The numbers CI-… are the clauses of rulebook.md."""

from math import comb

from typing_extensions import TypeVar

from upcard.rules import *

SEATS = 4  # CI-1
DUE, BID, TRUMP, DISCARD, RECALL, ROB, PLAY, DONE = PHASES = words("deal bid trump discard recall rob play done")
DEALER, REDEAL = ALL_PASS = words("dealer redeal")
TAKEN, PLAYED = LOW = words("taken played")
DIFFERENCE, SETBACK = SCORE = words("difference setback")
COUNTED, FREE = BURY = words("counted free")
NO_BID, PASSED = -1, 0
MOST_BID = 63  # that a move can name
ROOM = 24  # for the stub of the smallest hands that a variant may deal

MOVES = Notation()
PASS = MOVES.verb("pass", label="Pass", said="passes")
MAKE = MOVES.verb("bid", "number", most="all_points", label="Bid {0}", said="bids {0}")
NAME = MOVES.verb("trump", "suit", label="{0} are trumps", said="names {0} trumps")
THROW = MOVES.verb("discard", "card+", label="Throw {cards}", said="throws {cards} face up")
TAKE = MOVES.verb(
    "take", "card", heard=Audience.WORD, label="Take {cards}", said="takes {cards}", quiet="takes a card"
)  # CI-45, CI-46


class CinchState(TrickState, seats=SEATS):
    hand: PerSeat = held()  # the cards of each seat, CI-44
    discards: PerSeat = held()  # the plain cards that each seat has thrown away: CI-13, CI-44
    stub: Cards = face_down_set(seen_by="robber")  # the stub, seen by the robber, less `left`: CI-45, CI-46
    order: Pile = secret(NO_CARD, of="card", length=ROOM)  # the order of the stub as stacked, top first
    bids: PerSeat = per_seat(NO_BID)  # the bid of each seat
    bid: int = open_field()  # the highest so far; then the contract
    declarer: int = open_seat()  # during the bidding, the highest bidder so far
    trump: Suit = open_suit()  # the trump suit
    trumps: Cards = open_field(of="set")  # all fourteen trumps
    kept: PerSeat = per_seat(reveals="CI-43")  # the number of trumps among the cards dealt; the others are thrown away
    dead: PerSeat = per_seat(cards="set")  # trumps thrown away face up
    drawn: PerSeat = per_seat()  # the number of cards drawn from the stub
    recalled: PerSeat = per_seat()  # the number of cards taken back from the seat's own discards
    robber: int = open_seat()  # the dealer, once this seat sees the stub
    wasteful: PerSeat = own(of="flag")  # whether the robber took a card that does not score
    left: Cards = open_set(reveals="CI-24")  # trumps of the stub laid face up
    credited: Cards = open_field(of="set")  # dead or left cards that count for the declarers
    played: PerSeat = per_seat(cards="set")  # the cards that each seat has played in this deal
    won: PerSeat = per_seat(of="set")  # the cards in the tricks that each seat has taken
    last_dealer: int = open_seat(kept=True)  # the dealer of the last finished deal
    last_declarer: int = open_seat(kept=True)  # the declarer of that deal
    last_bid: int = open_field(kept=True)  # the contract of that deal
    last_trump: Suit = open_suit(kept=True)  # the trump suit of that deal
    last_points: PerSeat = per_seat(kept=True)  # the points that each seat took in it
    last_gained: PerSeat = per_seat(kept=True)  # what each seat scored in it


S = TypeVar("S", bound=CinchState, default=CinchState)


class CinchRules(Game[S]):
    """The rules of Cinch: bidding, throwing away and filling up, the play of the tricks, and their score."""

    notation = MOVES
    phases = PHASES

    target: int = whole(51, 11, 200, clause="CI-40", help="the score that ends the match")
    min_bid: int = whole(1, 1, 10, clause="CI-9", help="the lowest bid")
    all_pass: int = choice(
        ALL_PASS, clause="CI-12", help="when all pass: the dealer names trumps, or the deal is thrown in"
    )
    low: int = choice(LOW, clause="CI-32", help="played: low goes to the side that played it")
    score: int = choice(SCORE, clause="CI-36", help="setback: both sides score their points, a broken bid is lost")
    bury: int = choice(BURY, clause="CI-23", help="free: a defending dealer may leave scoring cards in the stub")
    lead_trump: int = flag(False, clause="CI-25", help="whether the first lead must be a trump")

    pack: Cards = card_set(
        RANKS,
        clause="CI-2",
        also="CI-3 CI-5 CI-7",
        help="the cards that are played with",
        phrases=(
            "The pack has {count(pack)} cards",
            "`{pack:ranks}`.",
        ),
    )
    dealt: int = number(
        9,
        clause="CI-7",
        help="cards dealt to each",
        least=1,
        phrases=(
            "{dealt:Word} cards each, {lot:word} at a time: {lot:word} to each seat in turn, the dealer "
            "last, {(dealt + lot - 1) // lot:word} times round. So cards 1–{lot} go to the dealer's "
            "left, {3 * lot + 1}–{4 * lot} to the dealer{if dealt >= 2 * lot}, {4 * lot + 1}–{5 * lot} "
            "to the dealer's left again{end}. Cards {4 * dealt + 1}–{count(pack)} are",
        ),
    )
    lot: int = number(3, clause="CI-7", help="cards dealt at a time", least=1)
    size: int = number(
        6,
        clause="CI-15",
        also="CI-14 CI-18 CI-19 CI-20 CI-21 CI-22 CI-26",
        help="cards in a hand for the play",
        least=1,
        phrases=(
            "has {size:word} trumps or fewer",
            "has {size + 1:word} trumps or more must throw down to {size:word}",
            "up to {size:word} cards",
            "only possible {if 3 * size + 4 * dealt - count(pack) == 2}for the dealer's right-hand "
            "neighbour, when the three others together hold no trump or one{else}when the three others "
            "together need more cards than it has{end}",
            "until there are {size:word}: everybody plays {size:word} tricks",
            "up to {size:word} in hand",
            "holds {size:word} trumps",
            "not {size:word}",
            "as in CI-19{if 4 * size + 4 * dealt > count(pack)} (this happens whenever the four hands kept fewer than "
            "{4 * size + 4 * dealt - count(pack):word} trumps between them){end}",
            "There are {size:word} tricks",
        ),
    )
    high_card: int = number(
        1,
        clause="CI-31",
        also="CI-9 CI-37",
        help="points for high",
        phrases=(
            "A bid is 1 to {high_card + low_card + jack + ten + 2 * pedro} and",
            "a bid of {high_card + low_card + jack + ten + 2 * pedro} the",
            "*High*, {high_card:point|points}",
            "score {high_card + low_card + jack + ten + 2 * pedro} plus",
        ),
    )
    low_card: int = number(
        1,
        clause="CI-32",
        also="CI-9 CI-37",
        help="points for low",
        phrases=("*Low*, {low_card:point|points}",),
    )
    jack: int = number(
        1,
        clause="CI-33",
        also="CI-9 CI-37",
        help="points for the jack of trumps",
        phrases=("*Jack* of trumps {jack}, *ten* of trumps {ten}, *right pedro* {pedro}, *left pedro* {pedro}",),
    )
    ten: int = number(1, clause="CI-33", also="CI-9 CI-37", help="points for the ten of trumps")
    pedro: int = number(5, clause="CI-33", also="CI-9 CI-37", help="points for each pedro")
    most_deals: int = number(
        100,
        clause="CI-42",
        help="deals in a match at most",
        least=1,
        phrases=(
            "at most {most_deals} deals",
            "After {if most_deals == 100}the hundredth{else}deal {most_deals}{end} the",
        ),
    )
    stub: int = derived(lambda self: self.pack.bit_count() - SEATS * self.dealt)
    all_points: int = derived(lambda self: self.high_card + self.low_card + self.jack + self.ten + 2 * self.pedro)

    @override
    def constraints(self) -> Constraints:
        message = "{seats} players × {cards} cards are {needed}, the pack has {available}"
        yield pack_suffices("CI-7", self.pack, SEATS * self.dealt, message, seats=SEATS, cards=self.dealt)
        message = "the stub is at most {most} cards, not {number}: smaller hands need a smaller pack"
        yield at_most("CI-7", "the stub", self.stub, ROOM, message)
        message = "{name} is at most {most}, not {number}: hands are filled from the cards dealt and the stub"
        yield at_most("CI-18", "size", self.size, self.dealt, message)
        trumps = max(count(self.pack & self.all_trumps(suit)) for suit in range(4))
        held = min(self.dealt, trumps)
        throws = max(comb(cards, self.size) for cards in range(self.size, max(held, self.size) + 1))
        needed = max(throws, self.all_points + 1, self.stub)
        message = (
            "{points} points, {cards} cards each and {size} to keep can leave a choice of {needed} moves, and this "
            "game lists {most}: a variant sets most_moves"
        )
        numbers = {"points": self.all_points, "cards": self.dealt, "size": self.size}
        yield moves_suffice("CI-15", needed, self.most_moves, message, **numbers)
        message = "the sum of a deal's points is at most {most}, not {number}: a bid can name no higher number"
        yield at_most("CI-9", "the sum of a deal's points", self.all_points, MOST_BID, message)
        message = "the number of trumps above size is at most {most}, not {number}: they are thrown away in one move"
        yield at_most("CI-15", "the number of trumps above size", held - self.size, MOST_ITEMS, message)
        for name, rank, points in (("jack", JACK, self.jack), ("ten", TEN, self.ten), ("pedro", FIVE, self.pedro)):
            yield Constraint(
                "CI-33",
                "the pack has all cards that count",
                points == 0 or count(of_rank(self.pack, rank)) == 4,
                sentence("{name} counts points, and the pack lacks such a card", name=setting_name(name)),
            )
        message = "{name} is at most {most}, not {number}: that is all that can be won"
        yield at_most("CI-9", "min_bid", self.min_bid, self.all_points, message)

    # ------------------------------------------------------------------------------------------------- sides and trumps

    def partner_of(self, seat: int) -> int:
        return seat ^ 2  # CI-1

    def same_side(self, one: int, other: int) -> bool:
        return (one ^ other) & 1 == 0

    def left_pedro(self, trump: Suit) -> Cards:
        """CI-3: the five of the other suit of the same colour."""
        return bit(card(FIVE, 3 - trump))

    def all_trumps(self, trump: Suit) -> Cards:
        return all_of(trump) | self.left_pedro(trump)  # CI-4

    def upper(self, trump: Suit) -> Cards:
        """CI-3: the trumps above the left pedro."""
        return above(card(FOUR, trump))

    def better_than(self, s: S, played: Card) -> Cards:
        """CI-5, CI-30: the cards that take the trick from this one."""
        left = self.left_pedro(s.trump)
        place = card(FOUR, s.trump) if bit(played) == left else played
        better = above(place)
        if rank_of(played) < FIVE:
            better |= left
        if s.trumps & bit(played) == 0:
            better |= s.trumps
        return better

    def highest_trump(self, s: S, trumps: Cards) -> Cards:
        """The set with only the highest of some trumps: CI-3."""
        group = trumps & self.upper(s.trump) or trumps & self.left_pedro(s.trump) or trumps
        return bit(highest(group)) if group else 0

    def lowest_trump(self, s: S, trumps: Cards) -> Cards:
        """The set with only the lowest of some trumps: CI-3."""
        group = of_suit(trumps, s.trump) & ~self.upper(s.trump) or trumps & self.left_pedro(s.trump) or trumps
        return bit(lowest(group)) if group else 0

    def scoring(self, s: S) -> Cards:
        """The cards that bring points by themselves: CI-33."""
        return of_rank(s.trumps, JACK) | of_rank(s.trumps, TEN) | self.pedros(s)

    def pedros(self, s: S) -> Cards:
        return of_rank(s.trumps, FIVE)

    def value_of(self, s: S, cards: Cards) -> int:
        """CI-33: the points of these cards."""
        trumps = cards & s.trumps
        honours = self.jack * count(of_rank(trumps, JACK)) + self.ten * count(of_rank(trumps, TEN))
        return honours + self.pedro * count(of_rank(trumps, FIVE))

    # ------------------------------------------------------------------------------------------------------------ moves

    @override
    def deal(self, s: S, order: Pile) -> None:
        dealt = deal_in_lots(s, order, self.dealt, self.lot)  # CI-7
        for i in range(self.stub):
            s.order[i] = order[dealt + i]
            s.stub |= bit(order[dealt + i])
        await_move(s, BID, left_of(s, s.dealer))  # CI-8

    @override
    def playable(self, s: S, me: int) -> Cards:
        return follows(s, me) if s.phase == PLAY else 0  # CI-26 to CI-29

    @override
    def other_moves(self, s: S, me: int, out: Buffer, n: int) -> int:
        if s.phase == PLAY:
            return n
        if s.phase == DISCARD:
            return self.put_throws(s, me, out, n)
        if s.phase not in (BID, TRUMP):
            return put_each(out, n, TAKE, self.takeable(s, me))
        number = self.count_others(s, me, out)
        for k in range(number):
            out[n + k] = self.nth_other(s, me, out, k)
        return n + number

    @override
    def count_others(self, s: S, me: int, out: Buffer) -> int:
        if s.phase == PLAY:
            return 0
        if s.phase == BID:
            return 1 + max(0, self.all_points + 1 - self.least_bid(s))
        if s.phase == TRUMP:
            return 4
        if s.phase == DISCARD:
            return self.put_throws(s, me, out, 0)
        return count(self.takeable(s, me))

    @override
    def nth_other(self, s: S, me: int, out: Buffer, k: int) -> int:
        if s.phase == BID:
            return say1(MAKE, self.least_bid(s) + k - 1) if k else PASS
        if s.phase == TRUMP:
            return say1(NAME, k)  # CI-11
        if s.phase == DISCARD:
            return out[k]
        return say1(TAKE, nth_card(self.takeable(s, me), k))

    def least_bid(self, s: S) -> int:
        return max(self.min_bid, s.bid + 1)  # CI-8, CI-9

    def takeable(self, s: S, me: int) -> Cards:
        return s.stub if s.phase == ROB else s.discards[me]  # CI-19, CI-20

    def put_throws(self, s: S, me: int, out: Buffer, n: int) -> int:
        """CI-15, CI-17: list every choice of cards to throw away that leaves a hand of the right size."""
        hand = s.hand[me]
        number = count(hand) - self.size
        chosen = hand
        while chosen:
            if count(chosen) == number:
                out[n] = say_cards(THROW, chosen)
                n += 1
            chosen = chosen - 1 & hand
        return n

    @override
    def apply(self, s: S, me: int, move: int) -> None:
        if s.phase == PLAY:
            self.play(s, me, move)
        elif s.phase == BID:
            self.make_bid(s, me, PASSED if move == PASS else item(move, 0))
        elif s.phase == TRUMP:
            self.name_trump(s, item(move, 0))
        elif s.phase == DISCARD:
            self.throw(s, me, cards_of(move))
        elif s.phase == ROB:
            self.rob(s, me, bit(item(move, 0)))
        else:
            self.recall(s, me, bit(item(move, 0)))

    # ------------------------------------------------------------------------------------------- bidding, throwing away

    def make_bid(self, s: S, me: int, number: int) -> None:
        s.bids[me] = number
        if number != PASSED:
            s.bid = number
            s.declarer = me  # CI-10
        if me != s.dealer:
            s.to_act = only(left_of(s, me))
        elif s.declarer == NOBODY and self.all_pass == REDEAL:
            self.finish_deal(s, 0, 0, 0, 0)
        else:
            if s.declarer == NOBODY:
                s.declarer = me  # CI-12
            await_move(s, TRUMP, s.declarer)

    def name_trump(self, s: S, suit: Suit) -> None:
        trumps = self.all_trumps(suit)
        s.trump = suit
        s.trumps = trumps
        for seat in range(SEATS):  # CI-13, CI-14
            s.discards[seat] = s.hand[seat] & ~trumps
            s.hand[seat] &= trumps
            s.kept[seat] = count(s.hand[seat])
        self.ask_to_throw(s)

    def ask_to_throw(self, s: S) -> None:
        """CI-15: ask the next seat in turn that holds too many trumps to throw some away; after the last one, fill
        up."""
        seat = s.dealer
        for _ in range(SEATS):
            seat = left_of(s, seat)
            if s.kept[seat] > self.size:
                await_move(s, DISCARD, seat)
                return
        self.fill_up(s)

    def throw(self, s: S, me: int, thrown: Cards) -> None:
        s.hand[me] ^= thrown
        s.dead[me] = thrown
        s.kept[me] = self.size
        if not self.same_side(me, s.declarer):
            s.credited |= thrown & self.scoring(s)  # CI-16
        self.ask_to_throw(s)

    # ------------------------------------------------------------------------------------------------------- filling up

    def fill_up(self, s: S) -> None:
        """CI-18 to CI-22: continue filling up the hands until a player has to make a decision."""
        seat = s.dealer
        for _ in range(SEATS):
            seat = left_of(s, seat)
            missing = self.size - count(s.hand[seat])
            there = count(s.stub)
            if seat == s.dealer and 0 < missing < there:
                s.robber = seat
                await_move(s, ROB, seat)
                return
            self.draw(s, seat, min(missing, there))
            if missing > there:
                await_move(s, RECALL, seat)
                return
        self.begin_play(s)

    def draw(self, s: S, seat: int, number: int) -> None:
        """Draw cards from the top of the stub."""
        top = self.stub - count(s.stub)
        cards = 0
        for i in range(top, top + number):
            cards |= bit(s.order[i])
        s.hand[seat] |= cards
        s.stub ^= cards
        s.drawn[seat] += number

    def recall(self, s: S, me: int, taken: Cards) -> None:
        s.discards[me] ^= taken
        s.hand[me] |= taken
        s.recalled[me] += 1
        if count(s.hand[me]) == self.size:
            self.fill_up(s)

    def rob(self, s: S, me: int, taken: Cards) -> None:
        s.stub ^= taken
        s.hand[me] |= taken
        s.drawn[me] += 1
        if self.scoring(s) & taken == 0:
            s.wasteful[me] = 1
        if count(s.hand[me]) < self.size:
            return
        s.left = s.stub & s.trumps  # CI-24
        s.stub ^= s.left
        if s.wasteful[me] and not self.same_side(me, s.declarer) and self.bury == COUNTED:
            s.credited |= s.left & self.scoring(s)  # CI-23
        self.begin_play(s)

    # --------------------------------------------------------------------------------------------------------- the play

    def begin_play(self, s: S) -> None:
        s.phase = PLAY
        take_lead(s, s.declarer)  # CI-25
        if self.lead_trump:
            s.led = s.trumps  # as if they had been led

    def play(self, s: S, me: int, played: Card) -> None:
        s.played[me] |= bit(played)
        put_in_trick(s, me, played, 0, self.better_than(s, played))
        if me == s.leader:
            s.led = s.trumps if s.trumps & bit(played) else s.trumps | all_of(suit_of(played))  # CI-27, CI-28
        if not trick_goes_on(s, left_of(s, me)):  # CI-26
            self.end_trick(s)

    def end_trick(self, s: S) -> None:
        taker = win_trick(s)
        s.tricks[self.partner_of(taker)] += 1
        for seat in range(SEATS):
            s.won[taker] |= bit(s.card[seat])
        if s.hand[taker]:
            take_lead(s, taker)  # CI-26
        else:
            self.end_deal(s)

    # ------------------------------------------------------------------------------------------------------------ score

    def end_deal(self, s: S) -> None:
        ours = self.points_of(s, s.declarer) + self.value_of(s, s.credited)  # CI-16, CI-23
        theirs = self.points_of(s, left_of(s, s.declarer))
        made_it = ours >= s.bid
        gained = max(0, ours - theirs)  # CI-36, CI-38
        lost = max(0, theirs - ours)
        if self.score == SETBACK:
            gained = ours if made_it else -s.bid
            lost = theirs
        elif not made_it:  # CI-37
            gained = 0
            lost = self.all_points + s.bid - ours
        self.finish_deal(s, ours, theirs, gained, lost)

    def points_of(self, s: S, seat: int) -> int:
        """CI-31 to CI-35: the points that the side of this seat has won."""
        ours = s.played[seat] | s.played[self.partner_of(seat)]
        won = self.won_by(s, seat)
        in_play = (won | self.won_by(s, left_of(s, seat))) & s.trumps
        points = self.value_of(s, won)
        if ours & self.highest_trump(s, in_play):
            points += self.high_card
        if (ours if self.low == PLAYED else won) & self.lowest_trump(s, in_play):
            points += self.low_card
        return points

    def won_by(self, s: S, seat: int) -> Cards:
        """The cards of the tricks that the side of this seat has taken."""
        return s.won[seat] | s.won[self.partner_of(seat)]

    def finish_deal(self, s: S, ours: int, theirs: int, gained: int, lost: int) -> None:
        """Record the outcome: the points won and scored by the declarers, if there are any, and by the other side."""
        s.last_dealer = s.dealer
        s.last_declarer = s.declarer
        s.last_bid = s.bid
        s.last_trump = s.trump
        for seat in range(SEATS):
            declares = self.same_side(seat, s.declarer)
            s.last_points[seat] = ours if declares else theirs
            s.last_gained[seat] = gained if declares else lost
            s.scores[seat] += s.last_gained[seat]
        if max(s.scores[0], s.scores[1]) >= self.target or s.deals == self.most_deals:  # CI-40, CI-42
            finish_match(s, DONE, self.winners_of(s))
        else:
            await_deal(s, left_of(s, s.dealer))  # CI-39
        self.clear(s)

    def winners_of(self, s: S) -> int:
        """CI-40 to CI-42: the set of seats that win the match."""
        if s.scores[0] == s.scores[1] and s.scores[0] >= self.target:
            return only(s.declarer) | only(self.partner_of(s.declarer))
        return highest_scores(s)

    @override
    def utility(self, s: S, me: int) -> int:
        """The score of the seat's side minus the other side's."""
        return s.scores[me] - s.scores[left_of(s, me)]
