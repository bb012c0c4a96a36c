"""The smallest possible game, in a single file: one deal of tricks, without a page, words or a heuristic."""

from upcard.rules import *

DUE, PLAY, DONE = PHASES = words("deal play done")


class SmallState(TrickState, seats=3):
    hand: PerSeat = held()
    undealt: Cards = face_down_set()
    played: Cards = open_set()


class SmallGame(Game[SmallState]):
    """One deal of tricks without trumps."""

    title = "Small Game"
    player_counts = (2, 3)
    most_moves = 5
    phases = PHASES

    pack: Cards = card_set("AKQJT", clause="", help="the cards that are played with")
    size: int = number(5, clause="", help="cards dealt to each")
    worth: int = number(1, clause="", help="points for a trick")

    @override
    def deal(self, s: SmallState, order: Pile) -> None:
        s.undealt = self.pack
        for i in range(self.size * s.players):
            s.hand[(s.dealer + 1 + i) % s.players] |= bit(order[i])
            s.undealt ^= bit(order[i])
        s.phase = PLAY
        take_lead(s, left_of(s, s.dealer))

    @override
    def playable(self, s: SmallState, me: int) -> Cards:
        return follows(s, me)

    @override
    def apply(self, s: SmallState, me: int, move: int) -> None:
        s.played |= bit(move)
        put_in_trick(s, me, move, all_of(suit_of(move)), beating(move, suit_of(move)))
        if left_of(s, me) != s.leader:
            s.to_act = only(left_of(s, me))
            return
        taker = win_trick(s)
        s.scores[taker] += self.worth
        if s.hand[taker]:
            take_lead(s, taker)
        else:
            s.to_act = 0
            s.phase = DONE
            s.winners = highest_scores(s)
