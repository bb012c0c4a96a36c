"""What Plain Tricks says of itself: which clause forbids what, the report, the table."""

from upcard.rules import *

from .rules import *

WHY = {"PT-8": "You can follow suit, so you must"}


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> Reasons:
    """The first clause, in this order, that a move breaks."""
    yield "PT-15", s.phase == DONE
    yield "PT-17", s.phase == DUE or said.items is None
    yield "PT-7", not acts(s, me)
    yield "PT-8", s.hand[me] >> said.card & 1
    yield "PT-4", True


def report(s: State, opt: Opt) -> dict[str, Any]:
    points = [points_of(s, opt, seat) if s.phase == DONE else 0 for seat in range(s.players)]
    return {"points": points, "last": reported(s, "last_points") if deals_over(s) else None}


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    headline = f"Deal {s.deals} of {opt.deals}" + trumps_told(s.trump)
    zones = [Zone("upcard", "upcard", "Upcard", (s.upcard,))] if s.upcard != NO_CARD else []
    return Scene(
        headline,
        zones=zones,
        marks=by_seat(s, Mark("Tricks", s.tricks, "tricks")),
        result=[f"{{{who}}} scores {s.last_points[who]}" for who in range(s.players)],
        finished=by_seat(s, Mark("Points", s.last_points, "points")),
    )
