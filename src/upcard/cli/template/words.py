"""What Plain Tricks says of itself: which clause forbids what, the report, the table."""

from upcard.rules import *

from .rules import *


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """The first clause, in this order, that a move breaks."""
    if s.phase == DONE:
        return "PT-15"
    if s.phase == DUE or said.verb != MOVES.play or said.items is None:
        return "PT-17"
    if not acts(s, me):
        return "PT-7"
    return "PT-8" if s.hand[me] >> said.items[0] & 1 else "PT-4"


def report(s: State, opt: Opt) -> dict[str, Any]:
    points = [points_of(s, opt, seat) if s.phase == DONE else 0 for seat in range(s.players)]
    return {"points": points, "last": reported(s, "last_points") if deals_over(s) else None}


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    headline = f"Deal {s.deals} of {opt.deals}" + trumps_told(s.trump)
    zones = [Zone("upcard", "upcard", "Upcard", (s.upcard,))] if s.upcard != NO_CARD else []
    marks = [[Mark("Tricks", s.tricks[who], "tricks")] for who in range(s.players)]
    over = range(s.players if deals_over(s) else 0)
    return Scene(
        headline,
        prompt(s),
        zones,
        marks,
        result=[f"{{{who}}} scores {s.last_points[who]}" for who in over],
        finished=[[Mark("Points", s.last_points[who], "points")] for who in over],
    )


def prompt(s: State) -> str:
    if s.phase != PLAY:
        return ""
    return f"follow {sign(s.card[s.leader])} if you can" if s.in_trick else "lead any card"
