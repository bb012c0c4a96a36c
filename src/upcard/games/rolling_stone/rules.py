"""Rolling Stone. The numbers RS-… are the clauses of rulebook.md."""

from typing_extensions import TypeVar

from upcard.rules import *

DUE, PLAY, DONE = PHASES = words("deal play done")
WIN, CARDS, PIPS = SCORE = words("win cards pips")
AT_ONCE, TRICK = FINISH = words("at_once trick")
LEFT, WINNER = NEXT_DEALER = words("left winner")

MOVES = Notation()
TAKE = MOVES.verb("take", label="Take up the cards", said="takes up the cards")  # RS-14


def most_tricks(players: int) -> int:
    """RS-18: fewer with four players, whose deals soon end or go round in circles."""
    return 100 if players == 4 else 200


class RollingStoneState(TrickState, seats=6):
    hand: PerSeat = held(shown="shown")  # the cards of each seat, RS-26
    shown: PerSeat = per_seat(of="set")  # the hands laid open at the end of a deal, RS-27: empty before
    known: PerSeat = per_seat(of="set")  # the cards that each seat took up openly and still holds, RS-26
    size: PerSeat = per_seat()  # the number of cards that each seat holds, RS-25
    table: Cards = open_set()  # the cards of the current trick
    discard: Cards = open_set()  # the cards out of play
    last_taker: int = open_seat()  # the winner of the last complete trick of the deal
    taken: PerSeat = per_seat()  # the broken tricks that each seat took up; `tricks` counts the complete ones
    played: int = open_field()  # the number of finished tricks
    last_winners: int = open_seats(kept=True)  # the winners of the last finished deal
    last_limit: int = open_field(of="flag", kept=True)  # whether the limit decided that deal
    last_hand: PerSeat = per_seat(of="set", kept=True, reveals="RS-27")  # the cards left in each hand
    last_points: PerSeat = per_seat(kept=True)  # what each seat scored in that deal


S = TypeVar("S", bound=RollingStoneState, default=RollingStoneState)


class RollingStoneRules(Game[S]):
    """The rules of Rolling Stone: a seat that cannot follow takes up the trick, and the first without cards wins."""

    notation = MOVES
    phases = PHASES
    refused = "RS-34"

    deals: int = whole(1, 1, 20, clause="RS-21", help="the deals of a match")
    score: int = choice(
        SCORE,
        clause="RS-20",
        help="what a deal is worth: win: one point; cards: one for each card that the others hold; pips: their values",
    )
    limit: int = whole(most_tricks, 10, 1000, clause="RS-18", help="the tricks after which a deal ends")
    finish: int = choice(
        FINISH, clause="RS-16", help="trick: when a player is out of cards, the trick is still played on"
    )
    next_dealer: int = choice(
        NEXT_DEALER, clause="RS-22", help="winner: the winner of a deal, if it was not shared, deals the next"
    )

    pack: Cards = card_set(
        lambda self: RANKS[-2 * self.players :],
        clause="RS-2",
        also="RS-6",
        help="the cards that are played with, all dealt out",
    )
    win: int = number(
        1,
        clause="RS-20",
        help="points for a deal, where the cards of the others do not count",
        phrases=("scores {if win == 1}one point{else}{win} points{end}",),
    )
    pips: Row = table_of(
        (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1), clause="RS-20", help="the value of a card, from the two to the ace"
    )
    dealt: int = derived(lambda self: self.pack.bit_count() // self.players)  # RS-6

    @override
    def constraints(self) -> Constraints:
        cards = count(self.pack)
        yield Constraint(
            "RS-6",
            "all cards of the pack can be dealt out evenly",
            cards % self.players == 0 and cards > 0,
            sentence(
                "the pack has {n} card, which cannot be dealt out evenly to {seats} players",
                "the pack has {n} cards, which cannot be dealt out evenly to {seats} players",
                n=cards,
                seats=self.players,
            ),
        )
        message = (
            "a pack of {cards} cards can leave a choice of {needed} moves, and this game lists {most}: a variant sets "
            "most_moves"
        )
        yield moves_suffice("RS-11", cards - self.players + 1, self.most_moves, message, cards=cards)

    # ------------------------------------------------------------------------------------------------------------ moves

    @override
    def deal(self, s: S, order: Pile) -> None:
        deal_in_lots(s, order, self.dealt, 1)  # RS-6
        for seat in range(s.players):
            s.size[seat] = self.dealt
        s.phase = PLAY
        take_lead(s, left_of(s, s.dealer))  # RS-7

    @override
    def playable(self, s: S, me: int) -> Cards:
        return s.hand[me] & s.led if s.led else s.hand[me]  # RS-7, RS-8, RS-10, RS-12

    @override
    def other_moves(self, s: S, me: int, out: Buffer, n: int) -> int:
        return add(out, n, TAKE, s.led != 0 and s.hand[me] & s.led == 0)  # RS-11, RS-13

    @override
    def apply(self, s: S, me: int, move: int) -> None:
        if move == TAKE:
            self.take(s, me)
        else:
            self.play(s, me, move)

    def play(self, s: S, me: int, card: Card) -> None:
        played = bit(card)
        s.hand[me] ^= played
        s.known[me] &= ~played
        s.size[me] -= 1
        s.card[me] = card
        s.in_trick |= only(me)
        if s.led == 0:
            s.led = all_of(suit_of(card))
        if played > s.table:  # higher than all on the table, because all are of one suit: RS-3
            s.ahead = me
        s.table |= played
        if s.size[me] == 0 and self.finish == AT_ONCE:
            s.taker = NOBODY
            self.end_deal(s, only(me), 0)  # RS-16, RS-17
        elif not trick_goes_on(s, left_of(s, me)):  # RS-8
            s.last_taker = win_trick(s)  # RS-9
            s.discard |= s.table
            self.end_trick(s, s.last_taker)  # RS-10

    def take(self, s: S, me: int) -> None:
        """RS-11, RS-12, RS-15: take up the trick. Everybody saw these cards, and that the seat had none of the suit
        before."""
        s.taken[me] += 1
        s.hand[me] |= s.table
        s.known[me] |= s.table
        s.size[me] += count(s.table)
        s.lacks[me] = (s.lacks[me] | s.led) & ~s.table
        self.end_trick(s, me)

    def end_trick(self, s: S, leader: int) -> None:
        s.played += 1
        s.table = 0
        take_lead(s, leader)
        fewest = lowest_in(s, s.size)
        if fewest == 0 or s.played == self.limit:  # option finish, RS-18
            self.end_deal(s, seats_with(s, s.size, fewest), 1 if fewest else 0)  # RS-19

    # ------------------------------------------------------------------------------------------------------------ score

    def points_each(self, s: S, winners: int) -> int:
        """RS-20: the points of each winner of the deal."""
        if self.score == WIN:
            return self.win
        left = 0
        for seat in range(s.players):
            if not among(winners, seat):
                left |= s.hand[seat]
        return count(left) if self.score == CARDS else total_worth(left, self.pips)

    def end_deal(self, s: S, winners: int, limit: int) -> None:
        """RS-4: record the winners and their points, and end the deal."""
        s.last_winners = winners
        s.last_limit = limit
        points = self.points_each(s, winners)
        for seat in range(s.players):
            s.last_hand[seat] = s.hand[seat]
            s.last_points[seat] = points if among(winners, seat) else 0
            s.scores[seat] += s.last_points[seat]
        if s.deals == self.deals:  # RS-21, RS-24
            finish_match(s, DONE, highest_scores(s))  # RS-23
            for seat in range(s.players):
                s.shown[seat] = s.hand[seat]
        else:
            self.clear(s)
            await_deal(s, self.dealer_after(s, winners))

    def dealer_after(self, s: S, winners: int) -> int:
        """RS-22: the dealer of the next deal."""
        if self.next_dealer == WINNER and not several(winners):
            return lowest(winners)
        return left_of(s, s.dealer)
