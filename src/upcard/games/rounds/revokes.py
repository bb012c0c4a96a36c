"""The rules of revokes in Rounds: the record of the tricks of a round, and the judgement of revokes.

RD-… are the clauses of rulebook.md. Only tables that allow revokes (RD-40) use this.

Nothing in the record is hidden. Whether a reply was a revoke follows from the hand that it was played from, which is
the seat's present hand plus what it has played since. So a seat's own rights are visible in its own view, the other
seat's remain hidden with its hand, and a world with another hand contains the revokes of that hand (RD-55).
"""

from typing_extensions import TypeVar

from upcard.rules import *

CLOSED, PROVED, CAUGHT, WRONG_CALL = words("closed proved caught wrong-call")
"""The reasons for which a hand is exposed."""
MOST_TRICKS = 6  # of a round, in any variant


class RevokeState(TrickState, seats=2):
    """The hands and tricks of a game of two in which revokes may happen."""

    hand: PerSeat = held(shown="shown")  # the cards of each seat, RD-55
    shown: PerSeat = per_seat(of="set")  # the part of each hand that is open now
    known: PerSeat = per_seat(of="set")  # the part of each hand that both have seen
    since_deal: PerSeat = per_seat(of="set")  # the cards that a seat has played since the last deal
    forced: Cards = open_field(of="set")  # the cards that a seat that cannot follow suit must play, RD-19
    won: PerSeat = per_seat(cards="set")  # the cards in the tricks that each seat has taken
    finished: int = open_field()  # the number of finished tricks of this round
    exposed: PerSeat = per_seat(CLOSED)  # why a seat's hand lies open, RD-54: the reason, or CLOSED
    # The finished tricks of this round, recorded only where revokes are allowed
    leads: Pile = open_pile(MOST_TRICKS, of="card")  # the card led to each trick of this round
    replies: Pile = open_pile(MOST_TRICKS, of="card")  # the card of the follower in each trick
    wanted: Row = per_seat(length=MOST_TRICKS, of="set")  # the cards that follow suit, RD-18
    instead: Row = per_seat(length=MOST_TRICKS, of="set")  # the cards that a follower without these must play, RD-19
    before: Row = per_seat(length=MOST_TRICKS, of="set")  # the cards that the follower had played since the deal
    after: Row = per_seat(length=MOST_TRICKS, of="set")  # what the follower put down after replying, even if taken back
    owner: Pile = open_pile(MOST_TRICKS, of="seat")  # the seat that took each trick
    open_tricks: PerSeat = per_seat()  # the set of tricks in which this seat's reply may be questioned: RD-44
    proving: int = open_field()  # the set of tricks whose lead has proved a revoke of the leader


R = TypeVar("R", bound=RevokeState, default=RevokeState)


class RevokeRules(Game[R]):
    """Cards leaving and entering hands, and the cost of revokes that are corrected, proved or called."""

    def lawful(self, hand: Cards, wanted: Cards, instead: Cards) -> Cards:
        """RD-18, RD-19, RD-20: the cards that may be played from a hand if the `wanted` cards must be played, or
        otherwise those `instead`."""
        return hand & wanted or hand & instead or hand

    def lay(self, s: R, me: int, card: Card) -> None:
        """Move a card from the hand to the table."""
        s.hand[me] &= ~bit(card)
        s.known[me] &= ~bit(card)
        s.since_deal[me] |= bit(card)

    def take_back(self, s: R, me: int, card: Card) -> None:
        """Move a card from the table back to the hand, seen by both players."""
        s.hand[me] |= bit(card)
        s.known[me] |= bit(card)
        s.since_deal[me] &= ~bit(card)

    def expose(self, s: R, seat: int, why: int) -> None:
        s.exposed[seat] = why
        s.known[seat] = s.hand[seat]

    def lay_open(self, s: R) -> None:
        """RD-54: update the open part of the hands; called after every move."""
        for seat in range(2):
            s.shown[seat] = 0 if s.exposed[seat] == CLOSED else s.hand[seat]

    def revoked(self, s: R, me: int, t: int) -> Cards:
        """RD-40: `L`, the cards that were lawful when this seat followed in trick `t`; none if it played one of
        them."""
        hand = s.hand[me] | s.since_deal[me] & ~s.before[t]
        right = self.lawful(hand, s.wanted[t], s.instead[t])
        return 0 if right & bit(s.replies[t]) else right

    def correctable(self, s: R, me: int) -> Cards:
        """RD-41: the cards that this seat may still play instead of its last reply. (None after RD-49: not open.)"""
        last = s.finished - 1
        return self.revoked(s, me, last) if last >= 0 and s.open_tricks[me] & bit(last) else 0

    def award(self, s: R, t: int, seat: int) -> None:
        """RD-51: give a finished trick to another seat."""
        if s.owner[t] != seat:
            both = bit(s.leads[t]) | bit(s.replies[t])
            s.won[1 - seat] ^= both
            s.won[seat] ^= both
            s.tricks[1 - seat] -= 1
            s.tricks[seat] += 1
            s.owner[t] = seat
            if t == s.finished - 1:
                s.taker = seat

    # ------------------------------------------------------------------------------------------- what a card has proved

    def proofs(self, s: R, me: int, card: Card) -> int:
        """RD-43: the set of tricks in which this card proves a revoke once this seat puts it down."""
        revoked_tricks = 0
        for t in range(s.finished):
            if s.open_tricks[me] & bit(t) and self.revoked(s, me, t) & bit(card):
                revoked_tricks |= bit(t)
        return revoked_tricks

    def proves(self, s: R, me: int, card: Card) -> bool:
        """RD-43: whether the card that this seat has just put down proves revokes. Those are settled at once
        (RD-49)."""
        revoked_tricks = self.proofs(s, me, card)
        for t in range(s.finished):
            if s.open_tricks[me] & bit(t):
                s.after[t] |= bit(card)
            if revoked_tricks & bit(t):
                s.open_tricks[me] ^= bit(t)
                self.award(s, t, 1 - me)
        if revoked_tricks:
            self.expose(s, me, PROVED)
        return revoked_tricks != 0

    def note_lead(self, s: R, me: int, card: Card) -> None:
        if self.proves(s, me, card):
            s.proving |= bit(s.finished)

    def note_reply(self, s: R, me: int, card: Card, best: int) -> int:
        """Record the trick that this card completes, and that `best` would take. Returns the seat that gets it."""
        t = s.finished
        s.leads[t] = s.card[s.leader]
        s.replies[t] = card
        s.wanted[t] = s.led
        s.instead[t] = s.forced
        s.before[t] = s.since_deal[me] & ~bit(card)
        s.after[t] = 0
        s.owner[t] = self.judge(s, me, t, best, self.proves(s, me, card))
        if s.exposed[me] == CLOSED:  # RD-44: neither before this card nor by it
            s.open_tricks[me] |= bit(t)
        return s.owner[t]

    def judge(self, s: R, follower: int, t: int, best: int, proved: bool) -> int:
        """RD-43: return the seat that gets a trick. The trick in which a seat proves its own revoke is the other
        seat's; of two such proofs, the follower's decides."""
        if proved:
            return 1 - follower
        return follower if s.proving & bit(t) else best

    # ---------------------------------------------------------------------------------------- corrections and questions

    def withdraw_lead(self, s: R) -> None:
        """RD-42: return the next lead to the hand; what it won lapses (RD-43)."""
        self.take_back(s, s.leader, s.card[s.leader])
        s.proving &= ~bit(s.finished)

    def replace_reply(self, s: R, me: int, t: int, card: Card, best: int) -> int:
        """RD-42: replace the last reply by this card, after which `best` would take the trick. Returns the seat that
        gets it."""
        s.won[s.owner[t]] ^= bit(s.replies[t]) | bit(card)
        self.take_back(s, me, s.replies[t])
        self.lay(s, me, card)
        s.replies[t] = card
        if not s.wanted[t] & bit(card):
            s.lacks[me] |= s.wanted[t]
        s.open_tricks[me] ^= bit(t)
        proved = self.proves(s, me, card)
        if not proved:
            s.open_tricks[me] |= bit(t)
        self.award(s, t, self.judge(s, me, t, best, proved))
        return s.owner[t]

    def call(self, s: R, me: int) -> int:
        """RD-45, RD-46: let this seat call the other. Returns the seat that scores the bonus."""
        called = 1 - me
        s.known[called] = s.hand[called]
        guilty = False
        for t in range(s.finished):
            if s.open_tricks[called] & bit(t) and self.revoked(s, called, t):
                self.award(s, t, me)
                guilty = True
        s.open_tricks[called] = 0
        if guilty:
            self.expose(s, called, CAUGHT)
            return me
        self.expose(s, me, WRONG_CALL)
        return called

    def nothing_was_proved(self, s: R, seat: int) -> bool:
        """Whether this seat's open tricks are rightly still open, because a proof would have been noticed (RD-43)."""
        proofs = 0
        for t in range(s.finished):
            if s.open_tricks[seat] & bit(t):
                proofs |= self.revoked(s, seat, t) & s.after[t]
        return proofs == 0
