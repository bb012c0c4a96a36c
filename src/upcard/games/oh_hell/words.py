"""Oh Hell for people: the clauses of refusals, the report, and the table."""

from upcard.rules import *

from .rules import *


class OhHellWords(OhHellRules[S]):
    """The texts of Oh Hell, and the secret bids in a world."""

    why = {
        "OH-12": "A bid is at most the number of cards in a hand; with a hook the dealer’s may not bring the sum to it",
        "OH-14": "A bid cannot be changed",
        "OH-20": "You can follow suit, so you must",
        "OH-42": "This card is not in your hand",
    }

    speech = {SAY: Speech("bid", "{0}")}

    @override
    def refusal(self, s: S, me: int, attempt: Attempt) -> Reasons:
        """The clauses that a move may break, in the order of OH-44."""
        yield "OH-37", s.phase == DONE
        yield "OH-38", s.phase == DUE
        yield "OH-14", s.phase == BID and me < s.players and s.bids[me] != NO_BID
        yield "OH-40", not acts(s, me)
        yield "OH-41", attempt.items is None or attempt.verb != (SAY if s.phase == BID else MOVES.play)
        yield "OH-12", s.phase == BID
        yield "OH-42", not s.hand[me] >> attempt.card & 1
        yield "OH-20", True

    def has_bid_in_secret(self, s: S, seat: int) -> bool:
        """Whether, in a view, this seat has made a bid that is still hidden."""
        return s.phase == BID and self.bidding == FINGERS and s.bids[seat] == NO_BID and not acts(s, seat)

    @override
    def complete(self, s: S, me: int, rng: Rng) -> None:
        """Fill in the bids that `me` cannot see yet: the tricks that a seat wins if every seat is equally likely to
        take each."""
        for seat in range(s.players):
            if self.has_bid_in_secret(s, seat):
                s.bids[seat] = 0
                for _ in range(s.size):
                    s.bids[seat] += below(rng, s.players) == seat

    @override
    def report(self, s: S) -> dict[str, Any]:
        return {
            "points": s.last_points[: s.players] if s.phase == DONE else [0] * s.players,
            "last": last_told(s, "bids", "tricks", "points"),
            "cards": s.size,
            "deals_in_match": self.deals_in_match(),
            "bids": [None if number == NO_BID else number for number in s.bids[: s.players]],
        }

    @override
    def utterances(self, s: S, me: int, move: int, before: S) -> Utterances:
        yield from super().utterances(s, me, move, before)
        if deals_over(s) > deals_over(before):
            for seat in range(s.players):
                if s.last_bids[seat] == s.last_tricks[seat]:
                    yield Utterance(seat, "highlight", "Bid made!")

    @override
    def objective(self, s: S, me: int) -> str:
        return "make your bid"

    @override
    def meets_objective(self, s: S, me: int, before: S) -> bool:
        return s.last_tricks[me] == s.last_bids[me]

    @override
    def scene(self, s: S, seat: int | None) -> Scene:
        """OH-32 to OH-35."""
        zones = []
        if s.upcard != NO_CARD:
            zones.append(Zone("upcard", "upcard", "Upcard", (s.upcard,), count=count(self.pack) - s.size * s.players))
        bids = [self.bid_shown(s, who) for who in range(s.players)]
        return Scene(
            self.headline(s),
            self.prompt(s) if s.phase == BID else "",
            zones,
            by_seat(s, Mark("Bid", bids, "bid"), Mark("Tricks", s.tricks, "tricks")),
            table=self.sum_of_bids(s),
            result=self.result(s),
            finished=by_seat(
                s,
                Mark("Bid", s.last_bids, "bid"),
                Mark("Tricks", s.last_tricks, "tricks"),
                Mark("Points", s.last_points, "points"),
            ),
        )

    def headline(self, s: S) -> Sentence:
        """The deal and its trumps; with the option `no_trump` also that there are none: OH-46."""
        return facts(
            sentence("Deal {deal} of {last}", deal=s.deals, last=self.deals_in_match()),
            sentence("{n} card", "{n} cards", n=s.size),
            trump_fact(s.trump) or (sentence("no trumps") if s.upcard != NO_CARD else ""),
        )

    def sum_of_bids(self, s: S) -> list[Mark]:
        """The sum of the bids made so far; all that are made at once count together."""
        if s.phase != PLAY and (s.phase != BID or self.bidding == FINGERS):
            return []
        return [Mark("Bids", sum(bid for bid in s.bids[: s.players] if bid != NO_BID), "bids", s.size)]

    def prompt(self, s: S) -> str:
        barred = self.barred_bid(s, lowest(s.to_act))
        if 0 <= barred <= s.size:
            return your_turn("bid 0 to {most}, but not {barred}", most=s.size, barred=barred)
        return your_turn("bid 0 to {most}", most=s.size)

    def result(self, s: S) -> list[Sentence]:
        """The seats that took exactly as many tricks as they bid; the numbers are in the marks of the finished deal."""
        exact = [PlayerAt(who) for who in range(s.players) if s.last_bids[who] == s.last_tricks[who]]
        return [made_bids(exact, s.players)]

    def bid_shown(self, s: S, seat: int) -> object:
        """OH-34: a seat's bid, or that it has made one, which is not secret."""
        if s.bids[seat] != NO_BID:
            return s.bids[seat]
        return sentence("secret") if self.has_bid_in_secret(s, seat) else "–"
