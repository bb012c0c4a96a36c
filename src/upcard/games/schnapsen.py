"""Schnapsen, the Austrian sister of Sixty-Six: twenty cards, five in hand, a strict end game, the last trick wins."""

from upcard.games.sixty_six import SixtySix
from upcard.games.sixty_six.rules import (
    ALWAYS,
    BAD_CLOSE,
    BAD_DECLARE,
    CLOSE,
    DECLARE,
    DECLARER,
    LEAD,
    NONE,
    PLAIN,
    SCHNEIDER,
    SCHWARZ,
    STRICT,
    TO_THE_END,
    SixtySixState,
)
from upcard.rules import JACK, NOBODY, Buffer, card_set, choice, open_field, override, rank_order, words

DECLARED, AUTOMATIC = CLAIMS = words("declared automatic")
ALLOWED, NEVER = CLOSING = words("allowed never")


class SchnapsenState(SixtySixState):
    closed_at: int = open_field()  # the other player's points when the stock was closed, SS-34


class Schnapsen(SixtySix[SchnapsenState]):
    """Sixty-Six with twenty cards, sharper: head the trick or trump once the stock is gone."""

    title = "Schnapsen"
    summary = "Sixty-Six with {count(pack):word} cards, sharper: head the trick or trump once the stock is gone."
    picture = ("Kh Qh", "Jh")

    pack = card_set("ATKQJ")
    strength = rank_order("A T K Q J")
    size = 5
    last_trick = 0
    fetcher = JACK
    claims: int = choice(CLAIMS, clause="SS-30", help="automatic: the deal ends as soon as a player has {enough}")
    closing: int = choice(CLOSING, clause="SS-26", help="never: nobody may close the stock")

    endplay = STRICT
    last = ALWAYS
    both = DECLARER
    carry = NONE
    marriages = TO_THE_END

    identity = {  # as in records from before this was a class
        "variant_of": "sixty-six",
        "numbers": {
            "pack": 4363394779979520,
            "strength": [0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 2, 3, 5],
            "size": 5,
            "last_trick": 0,
            "fetcher": 9,
        },
        "rules": "0066a217a3bfcf7f",
    }

    @override
    def other_moves(self, s: SchnapsenState, me: int, out: Buffer, n: int) -> int:
        """A table may do without closing (SS-26), and where claims are automatic nobody declares (SS-30)."""
        end = super().other_moves(s, me, out, n)
        for i in range(n, end):
            if not ((out[i] == DECLARE and self.claims == AUTOMATIC) or (out[i] == CLOSE and self.closing == NEVER)):
                out[n] = out[i]
                n += 1
        return n

    @override
    def apply(self, s: SchnapsenState, me: int, move: int) -> None:
        """Where claims are automatic a deal ends as soon as a player about to lead has enough points (SS-30)."""
        if move == CLOSE:
            s.closed_at = s.points[1 - me]
        super().apply(s, me, move)
        if self.claims == AUTOMATIC and s.phase == LEAD and s.points[s.leader] >= self.enough:
            self.declare(s, s.leader)

    @override
    def declare(self, s: SchnapsenState, me: int) -> None:
        """The first right declaration wins, whatever the other has (SS-35), and a closer who is forestalled loses."""
        other = 1 - me
        if s.points[me] < self.enough:  # SS-31, SS-38
            none = s.tricks[other] == 0 or (s.closer == me and s.closed_on == 0)
            self.end_deal(s, other, BAD_DECLARE, 3 if none else 2)
        elif s.closer == other:  # SS-39
            self.end_deal(s, me, BAD_CLOSE, 3 if s.closed_on == 0 else 2)
        else:
            self.win(s, me)

    @override
    def win(self, s: SchnapsenState, me: int) -> None:
        """A closer wins by what the other player had when the stock was closed (SS-34)."""
        other = 1 - me
        tricks = s.closed_on if s.closer == me else s.tricks[other]
        points = s.closed_at if s.closer == me else s.points[other]
        if tricks == 0:
            self.end_deal(s, me, SCHWARZ, 3)
        elif points < self.schneider:
            self.end_deal(s, me, SCHNEIDER, 2)
        else:
            self.end_deal(s, me, PLAIN, 1)

    @override
    def play_out(self, s: SchnapsenState) -> None:
        """A deal that nobody ends is won by the last trick, for one victory point, unless the stock was closed (SS-33,
        SS-36): then its taker must have enough points, or the closer loses (SS-39)."""
        if s.points[s.taker] >= self.enough:
            self.declare(s, s.taker)
        elif s.closer != NOBODY:
            self.end_deal(s, 1 - s.closer, BAD_CLOSE, 3 if s.closed_on == 0 else 2)
        else:
            self.end_deal(s, s.taker, PLAIN, 1)
