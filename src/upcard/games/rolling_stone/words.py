"""Rolling Stone for people: the clauses of refusals, the report, and the table."""

from upcard.rules import *

from .rules import *


class RollingStoneWords(RollingStoneRules[S]):
    """The texts of Rolling Stone."""

    why = {
        "RS-8": "You can follow suit, so you must",
        "RS-11": "You cannot follow suit, so you must take up the cards",
        "RS-13": "You can play a card, so you may not take up the others",
        "RS-33": "This card is not in your hand",
    }

    speech = {TAKE: Speech("draw", "I take them up")}

    @override
    def refusal(self, s: S, me: int, attempt: Attempt) -> Reasons:
        """The clauses that a move may break, in the order of RS-35."""
        yield "RS-28", s.phase == DONE
        yield "RS-29", s.phase == DUE
        yield "RS-31", not acts(s, me)
        yield "RS-32", attempt.items is None
        yield "RS-13", attempt.verb == TAKE
        yield "RS-32", not self.pack >> attempt.card & 1
        yield "RS-33", not s.hand[me] >> attempt.card & 1
        yield "RS-8", s.hand[me] & s.led
        yield "RS-11", True

    @override
    def report(self, s: S) -> dict[str, Any]:
        left = [count(hand) for hand in s.last_hand[: s.players]]
        last = last_told(s, "winners", "limit", "points")
        no_trick = s.phase == DONE and not s.table
        return {
            "leader": reported(s, "last_taker" if no_trick else "leader"),
            "points": s.last_points[: s.players] if s.phase == DONE else [0] * s.players,
            "last": last and last | {"left": left},
            **fields_told(s, "taken", "played"),
            "discard": count(s.discard),
        }

    @override
    def objective(self, s: S, me: int) -> str:
        return "win the deal"

    @override
    def meets_objective(self, s: S, me: int, before: S) -> bool:
        return among(s.last_winners, me)

    @override
    def scene(self, s: S, seat: int | None) -> Scene:
        """RS-25, RS-27. Only the size of the discard pile is shown, and not the cards that were taken up: RS-26."""
        deal = sentence("Deal {deal} of {last}", deal=s.deals, last=self.deals) if self.deals > 1 else ""
        trick = sentence("trick {trick} of at most {last}", trick=s.played + 1, last=self.limit)
        left = [count(hand) for hand in s.last_hand[:]]
        return Scene(
            capital(facts(deal, trick if s.phase == PLAY else "")),
            self.prompt(s, seat),
            [Zone("discard", "discard", "Discards", count=count(s.discard))],
            by_seat(s, Mark("Won", s.tricks, "tricks"), Mark("Taken up", s.taken)),
            counts=True,
            result=self.result(s),
            finished=by_seat(s, Mark("Cards left", left), Mark("Points", s.last_points, "points")),
        )

    def prompt(self, s: S, seat: int | None) -> str:
        if seat is None or not s.led:
            return ""
        led = sign(s.card[s.leader])
        if s.hand[seat] & s.led:
            return your_turn("follow {led}", led=led)
        one, many = "you cannot follow {led}: take up {n} card", "you cannot follow {led}: take up {n} cards"
        return your_turn(one, many, led=led, n=count(s.table))

    def result(self, s: S) -> list[Sentence]:
        """The end of the last deal, with all cards shown: RS-27."""
        one, many = "{player} is out of cards and wins {n} point", "{player} is out of cards and wins {n} points"
        if s.last_limit:
            one = "{player} has the fewest cards at the limit and wins {n} point"
            many = "{player} has the fewest cards at the limit and wins {n} points"
        won = [sentence(one, many, player=PlayerAt(who), n=s.last_points[who]) for who in seats_of(s.last_winners)]
        one, many = "{player} is left with {n} card: {cards}", "{player} is left with {n} cards: {cards}"
        left = [
            sentence(one, many, player=PlayerAt(seat), n=count(hand), cards=signs(hand))
            for seat, hand in enumerate(s.last_hand[: s.players])
            if hand
        ]
        return won + left
