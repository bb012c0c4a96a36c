"""The texts of Plain Tricks: why a move is refused, the report, and the scene on the table."""

from upcard.rules import *

from .rules import *


class PlainTricksWords(PlainTricksRules):
    """Refusals, report and scene."""

    why = {"PT-8": "You can follow suit, so you must"}

    @override
    def refusal(self, s: PlainTricksState, me: int, attempt: Attempt) -> Reasons:
        """The clauses that an illegal move may break, each with whether it does. The first broken one is cited."""
        yield "PT-15", s.phase == DONE
        yield "PT-17", s.phase == DUE or attempt.items is None
        yield "PT-7", not acts(s, me)
        yield "PT-8", s.hand[me] >> attempt.card & 1
        yield "PT-4", True

    @override
    def report(self, s: PlainTricksState) -> dict[str, Any]:
        points = [self.points_of(s, seat) if s.phase == DONE else 0 for seat in range(s.players)]
        return {"points": points, "last": reported(s, "last_points") if deals_over(s) else None}

    @override
    def scene(self, s: PlainTricksState, seat: int | None) -> Scene:
        headline = f"Deal {s.deals} of {self.deals}" + trumps_told(s.trump)
        zones = [Zone("upcard", "upcard", "Upcard", (s.upcard,))] if s.upcard != NO_CARD else []
        return Scene(
            headline,
            zones=zones,
            marks=by_seat(s, Mark("Tricks", s.tricks, "tricks")),
            result=[f"{{{who}}} scores {s.last_points[who]}" for who in range(s.players)],
            finished=by_seat(s, Mark("Points", s.last_points, "points")),
        )
