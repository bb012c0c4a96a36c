"""Rolling Stone by rules of thumb: lead low cards of the suit of which you hold the greatest share.

The others soon cannot follow it, while you can still follow the suits of which they hold most. Make a player who is
nearly out take up cards; with two cards left, try to win the trick in order to lead the last card. Players who hold
each other back for ever never finish, so after some tricks they stop doing so: careful players if they gain nothing by
it.
"""

from upcard.rules import *

from .rules import *

PATIENCE = 40
"""The number of tricks during which others are held back."""
FAR_BEHIND, TRICKS_BEHIND = 4, 25
"""After this many tricks, a player who has this many cards more than another one gains nothing by holding others back:
at the limit of tricks the other one has won."""
CROWDED, TRICKS_CROWDED = 4, 30
"""Nor does anybody while there still are this many cards for each player after this many tricks: the deal is open."""
FAR = 1 << 30
SHARE = 1000
"""Weights of a lead: for holding all the cards of its suit that are still in hands, …"""
LOWER = 30
"""… for each card of the suit in other hands that the lead beats, …"""
NEARLY_OUT = 200
"""… and for a player with one or two cards who cannot follow, or with one card who can."""

TWO_LEFT = 2
"""The number of cards with which a player wants the next trick: leading the last card then wins the deal."""
FEW = 5
"""The largest size of the smallest other hand that is distinguished."""
EIGHTHS = 8
AT_SHARE, AT_LOWER, AT_HELD_BACK, AT_WINS = 0, 9, 15, 20
"""The first traits of a lead: for the share of the suit, the cards that it beats, and the players that it holds back.
Then those of a card that follows: for whether it is winning, by the number of higher cards, and whether it is the
last."""


class RollingStoneHeuristic(RollingStoneRules[S]):
    """The heuristic of Rolling Stone, and the features for its learned policy."""

    SITUATIONS = 6
    TRAITS = 30
    UNITS = 16
    SURROUNDINGS = 7

    # ------------------------------------------------------------------------------------------- for the learned policy

    @override
    def situation(self, s: S, me: int) -> int:
        """The size of the hand, and whether another player is nearly out."""
        near = 0
        for seat in range(s.players):
            if seat != me and s.size[seat] <= TWO_LEFT:
                near = 3
        return near + (0 if s.size[me] <= TWO_LEFT else 1 if s.size[me] <= self.dealt else 2)

    @override
    def surroundings(self, s: S, me: int) -> Cards:
        """The size of the smallest other hand, and whether PATIENCE is exhausted."""
        fewest = FEW
        for seat in range(s.players):
            if seat != me:
                fewest = min(fewest, s.size[seat])
        return bit(fewest) | (bit(FEW + 1) if s.played >= PATIENCE else 0)

    @override
    def traits(self, s: S, me: int, card: Card) -> Cards:
        """For a lead, the others' cards of its suit; for a card that follows, whether it is winning."""
        if verb_of(card) != 0:
            return 0
        suit = all_of(suit_of(card))
        out = self.elsewhere(s, me, suit)
        higher = min(3, count(out & ~(bit(card) - 1)))
        if s.led:
            features = bit(AT_WINS + higher + (4 if bit(card) > s.table else 0))
            return features | bit(AT_WINS + 8 + int(left_of(s, me) == s.leader))
        mine = count(s.hand[me] & suit)
        share = EIGHTHS * mine // (mine + count(out))
        features = bit(AT_SHARE + share) | bit(AT_LOWER + min(5, count(out & bit(card) - 1)))
        return features | bit(AT_HELD_BACK + max(0, min(4, self.holds_back(s, me, out) + 2)))

    # ------------------------------------------------------------------------------------------------------ all choices

    @override
    def choose(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        if n == 1:
            return moves[0]
        best = moves[0]
        best_worth = -FAR
        for i in range(n):
            card = moves[(i + luck) % n]
            worth = self.worth_following(s, me, card) if s.led else self.worth_leading(s, me, card)
            if worth > best_worth:
                best = card
                best_worth = worth
        return best

    def elsewhere(self, s: S, me: int, suit: Cards) -> Cards:
        """The cards of a suit that the other players hold."""
        return self.pack & suit & ~(s.hand[me] | s.table | s.discard)

    def worth_following(self, s: S, me: int, card: Card) -> int:
        """The value of following with a card: high for a low card, and for one that is certain to win the lead. With
        two cards left, high for a high card."""
        wins = bit(card) > s.table and left_of(s, me) == s.leader
        if s.size[me] == TWO_LEFT:
            return card
        return (FAR >> 1 if wins else 0) - card

    def worth_leading(self, s: S, me: int, card: Card) -> int:
        suit = all_of(suit_of(card))
        mine = count(s.hand[me] & suit)
        out = self.elsewhere(s, me, suit)
        if s.size[me] == TWO_LEFT:
            higher = count(out & ~(bit(card) - 1))
            return count(out) - SHARE * higher
        worth = SHARE * mine // (mine + count(out))
        if s.played >= PATIENCE:
            return worth
        return worth - LOWER * count(out & bit(card) - 1) + NEARLY_OUT * self.holds_back(s, me, out)

    # ------------------------------------------------------------------------------------------ a look at the next lead

    @override
    def reconsider(self, s: S, me: int, moves: Buffer, n: int, move: int, careful: int) -> int:
        """A careful player's lead that only holds others back is replaced if that gains nothing. A move that gives the
        deal away is replaced by the best other one, if there is any."""
        if verb_of(move) != 0:
            return move
        if careful and s.led == 0 and not self.gains_by_waiting(s, me):
            move = self.lead_to_follow(s, me, moves, n, move)
        if not self.gives_away(s, me, move):
            return move
        best = move
        best_worth = -FAR
        for i in range(n):
            worth = self.worth_following(s, me, moves[i]) if s.led else self.worth_leading(s, me, moves[i])
            if worth > best_worth and not self.gives_away(s, me, moves[i]):
                best = moves[i]
                best_worth = worth
        return best

    def gains_by_waiting(self, s: S, me: int) -> bool:
        """Whether a seat may gain by leading what the next one cannot follow. If everybody does so, the same cards go
        round until the limit of tricks."""
        cards = 0
        fewest = s.size[me]
        for seat in range(s.players):
            cards += s.size[seat]
            fewest = min(fewest, s.size[seat])
        if s.played >= TRICKS_BEHIND and s.size[me] >= fewest + FAR_BEHIND:
            return False
        return s.played < TRICKS_CROWDED or cards < CROWDED * s.players

    def lead_to_follow(self, s: S, me: int, moves: Buffer, n: int, move: int) -> int:
        """The best lead that the next seat may follow and that does not give the deal away; `move` if there is none."""
        best = move
        best_worth = -FAR
        for i in range(n):
            worth = self.worth_followed(s, me, moves[i])
            if worth > best_worth and not self.gives_away(s, me, moves[i]):
                best = moves[i]
                best_worth = worth
        return best

    def worth_followed(self, s: S, me: int, card: Card) -> int:
        """The value of a lead for its being followed: high if the next seat is not known to hold the suit, then for
        seats that cannot follow, then for a card that many others beat. -FAR if the next seat cannot follow."""
        suit = all_of(suit_of(card))
        out = self.elsewhere(s, me, suit)
        following = left_of(s, me)
        if out & ~s.lacks[following] == 0:
            return -FAR
        worth = count(out & ~(bit(card) - 1))
        for seat in range(s.players):
            if seat != me and out & ~s.lacks[seat] == 0:
                worth += SHARE
        return worth + (SHARE * s.players if s.known[following] & suit == 0 else 0)

    def gives_away(self, s: S, me: int, card: Card) -> bool:
        """Whether another seat will play its last card: as the winner of this trick, or because it is known to hold a
        card of the suit led, and nobody before it is known to lack the suit."""
        if s.size[me] == 1:
            return False
        if s.led:
            return left_of(s, me) == s.leader and bit(card) < s.table and s.size[s.ahead] == 1
        suit = all_of(suit_of(card))
        seat = left_of(s, me)
        while seat != me and self.elsewhere(s, me, suit) & ~s.lacks[seat]:
            if s.size[seat] == 1 and s.known[seat] & suit:
                return True
            seat = left_of(s, seat)
        return False

    def holds_back(self, s: S, me: int, out: Cards) -> int:
        """The number of players nearly out that must take up cards if this suit is led, minus the number that can get
        rid of their last card."""
        unknown = out
        for seat in range(s.players):
            if seat != me:
                unknown &= ~s.known[seat]
        more = 0
        for seat in range(s.players):
            if seat != me and s.size[seat] <= 2:
                if out & s.known[seat] | unknown & ~s.lacks[seat] == 0:
                    more += 1
                elif s.size[seat] == 1:
                    more -= 1
        return more
