"""Linger Longer for people: the clauses of refusals, the report, and the table."""

from collections.abc import Sequence

from upcard.rules import *

from .rules import *


class LingerLongerWords(LingerLongerRules[S]):
    """The texts of Linger Longer, and the cards that each seat has shown to lack."""

    why = {
        "LL-9": "You can follow suit, so you must",
        "LL-36": "This card is not in your hand",
    }

    @override
    def refusal(self, s: S, me: int, attempt: Attempt) -> Reasons:
        """The clauses that a move may break, in the order of LL-38."""
        yield "LL-31", s.phase == DONE
        yield "LL-32", s.phase != PLAY
        yield "LL-34", not acts(s, me)
        yield "LL-35", attempt.items is None
        yield "LL-36", not s.hand[me] >> attempt.card & 1
        yield "LL-9", True

    @override
    def hand_histories(self, s: S, notices: Sequence[Any]) -> list[HandHistory]:
        """LL-12, LL-28, LL-29: the cards that seats lacked, and that they drew afterwards. For this, the deal is
        replayed with arbitrary cards in the hands, because its course depends only on the cards that are played."""
        if s.active == 0:  # between two deals
            return []
        again: Any = self.state()
        again.players, again.dealer = s.players, s.dealer
        order = as_list(self.pack & ~bit(s.upcard)) if s.upcard != NO_CARD else as_list(self.pack)
        if s.upcard != NO_CARD:
            order.insert(self.cards * s.players - (self.trump == DEALER), s.upcard)
        self.deal(again, order)
        turns: list[list[Turn]] = [[] for _ in range(s.players)]
        hidden = [self.cards - count(again.shown[seat]) for seat in range(s.players)]
        for notice in notices[1:]:
            before = again.size[:]
            if notice.seat is None:  # LL-21
                for of_seat in turns:
                    of_seat.append(Turn(lacks=again.discard))
                self.reshuffle(again, as_list(again.discard))
            else:
                seat, card = notice.seat, notice.move
                lacks = 0 if again.led & bit(card) else again.led
                was_shown = again.shown[seat] & bit(card)
                self.apply(again, seat, card)
                turns[seat].append(Turn(NO_CARD if was_shown else card, lacks))
                before[seat] -= 1
            for who, of_seat in enumerate(turns):
                if again.size[who] > before[who]:
                    of_seat.append(Turn(drawn=again.size[who] - before[who]))
        return [HandHistory(number, of_seat) for number, of_seat in zip(hidden, turns, strict=True)]

    def discards(self, s: S) -> int:
        """The number of cards in the discard pile."""
        return count(s.discard) - count(s.in_trick)

    @override
    def report(self, s: S) -> dict[str, Any]:
        return {
            "points": s.last_points[: s.players] if s.phase == DONE else [0] * s.players,
            "last": last_told(s, "winner", "tricks", "points"),
            "discard": self.discards(s),
            "active": reported(s, "active"),
        }

    @override
    def objective(self, s: S, me: int) -> str:
        return "win the deal"

    @override
    def meets_objective(self, s: S, me: int, before: S) -> bool:
        return s.last_winner == me

    @override
    def scene(self, s: S, seat: int | None) -> Scene:
        """LL-28. Only the size of the discard pile is shown: LL-30."""
        zones = []
        if s.active:
            zones.append(Zone("stock", "stock", "Stock", count=s.left))
            zones.append(Zone("discard", "discard", "Discards", count=self.discards(s)))
        if s.aside != NO_CARD:
            zones.append(Zone("aside", "pile", "Out of play", (s.aside,)))
        return Scene(
            facts(sentence("Deal {deal} of {last}", deal=s.deals, last=self.deals), self.trumps(s)),
            zones=zones,
            marks=[self.marks(s, who) for who in range(s.players)],
            counts=True,
            result=self.result(s),
            finished=by_seat(s, Mark("Tricks", s.last_tricks, "tricks"), Mark("Points", s.last_points, "points")),
        )

    def trumps(self, s: S) -> str:
        """The trumps, with the card that made them so; empty before a deal."""
        if not s.active:
            return ""
        card = sign(s.upcard) if s.upcard != NO_CARD else ""
        if s.trump == NO_SUIT:
            return sentence("no trumps ({card})", card=card) if card else sentence("no trumps")
        if not card:
            return trump_fact(s.trump)
        return sentence("{suit} are trumps ({card})", suit=SUIT_NAMES[s.trump], card=card)

    def marks(self, s: S, seat: int) -> list[Mark]:
        out = s.active != 0 and not among(s.active, seat)
        return [Mark("Tricks", s.tricks[seat], "tricks"), *[Mark("Cards", "out", "out")] * out]

    def result(self, s: S) -> list[Sentence]:
        """The end of the last deal, with the winner's cards: LL-30."""
        if s.last_winner == NOBODY:
            return []
        one = "{player} alone has cards left ({cards}) and wins {n} point"
        many = "{player} alone has cards left ({cards}) and wins {n} points"
        points, winner = s.last_points[s.last_winner], PlayerAt(s.last_winner)
        return [sentence(one, many, player=winner, cards=signs(s.last_hand), n=points)]
