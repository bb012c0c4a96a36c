"""The rules of Plain Tricks. Comments such as PT-4 name clauses of rulebook.md."""

from upcard.rules import *

DUE, PLAY, DONE = PHASES = words("deal play done")
TURNED, NO_TRUMPS = TRUMPS = words("turned none")


class PlainTricksState(TrickState, seats=5):
    hand: PerSeat = held()  # PT-4
    undealt: Cards = face_down_set()  # PT-6
    upcard: Card = open_card(reveals="PT-5")
    trump: Suit = open_suit()
    played: Cards = open_set()  # in this deal
    last_points: PerSeat = per_seat(kept=True)  # of the last finished deal


class PlainTricksRules(Game[PlainTricksState]):
    """The options, the deal, the moves and the score."""

    phases = PHASES
    notation = Notation()  # the only move is to play a card
    refused = "PT-18"

    deals: int = whole(lambda players: players, 1, 20, clause="PT-14", help="the number of deals in a match")
    trumps: int = choice(TRUMPS, clause="PT-5", help="turned: a card is turned up for trumps; none: no trumps")

    pack: Cards = card_set(RANKS, clause="PT-2", help="the cards used in the game")
    size: int = number(8, clause="PT-4", help="cards dealt to each player", least=1)
    for_trick: int = number(1, clause="PT-11", help="points for each trick")
    for_last: int = number(2, clause="PT-12", help="extra points for the last trick")

    @override
    def constraints(self) -> Constraints:
        message = "{seats} players × {cards} cards are {needed}, the pack has {available}"
        if self.trumps == TURNED:
            message = "{seats} players × {cards} cards + the upcard are {needed}, the pack has {available}"
        needed = self.players * self.size + (self.trumps == TURNED)
        yield pack_suffices("PT-5", self.pack, needed, message, seats=self.players, cards=self.size)
        yield moves_suffice("PT-7", self.size, self.most_moves, cards=self.size)

    # --------------------------------------------------------------------------------------------------- the deals

    @override
    def deal(self, s: PlainTricksState, order: Pile) -> None:
        dealt = self.size * s.players
        s.undealt = self.pack
        seat = s.dealer
        for i in range(dealt):  # PT-4
            seat = left_of(s, seat)
            s.hand[seat] |= bit(order[i])
            s.undealt ^= bit(order[i])
        if self.trumps == TURNED:  # PT-5
            s.upcard = order[dealt]
            s.undealt ^= bit(s.upcard)
            s.trump = suit_of(s.upcard)
        s.phase = PLAY
        take_lead(s, left_of(s, s.dealer))  # PT-7

    # -------------------------------------------------------------------------------------------------------- moves

    @override
    def playable(self, s: PlainTricksState, me: int) -> Cards:
        return follows(s, me)  # PT-7, PT-8

    @override
    def apply(self, s: PlainTricksState, me: int, move: int) -> None:
        s.played |= bit(move)
        put_in_trick(s, me, move, all_of(suit_of(move)), beating(move, s.trump))  # PT-9
        if not trick_goes_on(s, left_of(s, me)):
            self.end_trick(s)

    def end_trick(self, s: PlainTricksState) -> None:
        if not winner_leads(s):  # PT-10
            self.end_deal(s)

    # -------------------------------------------------------------------------------------------------------- score

    def points_of(self, s: PlainTricksState, seat: int) -> int:
        """A seat's points in the deal (PT-11, PT-12)."""
        return self.for_trick * s.tricks[seat] + (self.for_last if seat == s.taker else 0)

    def end_deal(self, s: PlainTricksState) -> None:
        for seat in range(s.players):
            s.last_points[seat] = self.points_of(s, seat)
            s.scores[seat] += s.last_points[seat]
        if s.deals == self.deals:  # PT-14
            finish_match(s, DONE, highest_scores(s))  # PT-13
        else:
            await_deal(s, left_of(s, s.dealer))  # PT-3
