"""What Rounds says of itself: refusals, report, table."""

from typing import Any

from upcard.rules import *

from .revokes import CLOSED
from .rules import *

# ------------------------------------------------------------------------------------------------------ plain Python


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """The clause that forbids a move, in the order of the rulebook's table "Which clause an error names"."""
    if s.phase in (DUE, DONE) or said.verb is None or said.items is None or JOKER in said.items:
        return "RD-56"
    if not acts(s, me):
        return "RD-57"
    if said.verb != 0:
        return {CALL: "RD-44", ACCEPT: "RD-48", CORRECT: "RD-41"}[said.verb]
    if s.phase == CLOSE:
        return "RD-48"
    if not s.hand[me] & bit(said.items[0]):
        return "RD-58"
    return "RD-18" if s.hand[me] & s.asked else "RD-19"


def trick(s: State) -> list[tuple[int, Card]]:
    return [] if s.led == NO_CARD else [(s.leader, s.led)]


def report(s: State, opt: Opt) -> dict[str, Any]:
    pile = [text(c) for c in s.pile[:4] if c != NO_CARD]
    last = {"points": s.last_points[:2], "rounds_won": s.last_rounds[:2]} if s.games else None
    return {
        "trump": None if s.trump == NO_SUIT else SUITS[s.trump],
        "trump_rank": None if s.trump_rank == NO_RANK else RANKS[s.trump_rank],
        "pile": pile,
        "upcard": pile[-1] if pile else None,
        "stock": s.left,
        "round": s.round,
        "leader": None if s.leader == NOBODY else s.leader,
        "exposed": [why != CLOSED for why in s.exposed[:2]],
        "rounds_won": s.rounds_won[:2],
        "tie_break": s.extra > 0,
        "tricks": s.tricks[:2],
        "points": [points(s, 0), points(s, 1)],
        "winning_score": abs(s.scores[0] - s.scores[1]) if s.phase == DONE else None,  # RD-36
        "last": last,
    }


WHY_EXPOSED = (None, "revoke proved", "revoke called", "wrong call")
SUITS_IN_WORDS = ("clubs", "diamonds", "hearts", "spades")


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    zones = []
    pile = [c for c in s.pile[:4] if c != NO_CARD]
    if pile:
        zones.append(Zone("trick", "trick", "Trick", () if s.led == NO_CARD else (s.led,), seats=(s.leader,)))
        zones.append(Zone("stock", "stock", "Stock", count=s.left))
        zones.append(Zone("pile", "row", "Trump pile", tuple(pile)))  # RD-26
    headline = f"Game {max(1, s.deals)}"
    if s.round:
        rank = "10" if RANKS[s.trump_rank] == "T" else RANKS[s.trump_rank]
        headline += f" · round {s.round} of 5 · {SUITS_IN_WORDS[s.trump]} are trumps, every {rank} above them"
    if s.extra:
        headline += " · extra game"
    leader = None if s.leader == NOBODY else s.leader
    marks = [_marks(s, who) for who in range(2)]
    return Scene(headline, _prompt(s), zones, marks, s.trump, leader, result=_result(s), trumps=s.rank_trumps)


def _prompt(s: State) -> str:
    if s.phase == CLOSE:
        return "accept the round, or question it"
    if s.led == NO_CARD:
        return "lead a card"
    follow = SUITS_IN_WORDS[s.trump if s.trumps & bit(s.led) else suit_of(s.led)]
    return f"{sign(s.led)} is led: follow with {follow} if you can"


def _marks(s: State, seat: int) -> list[tuple[str, object]]:
    marks: list[tuple[str, object]] = [
        ("Tricks", s.tricks[seat]),
        ("Rounds", s.rounds_won[seat]),
        ("Points", points(s, seat)),
    ]
    if s.exposed[seat] != CLOSED:  # RD-54
        marks.append(("Exposed", WHY_EXPOSED[s.exposed[seat]]))
    return marks


def _result(s: State) -> list[str]:
    if s.phase == DONE and (s.round < LAST_ROUND or s.tricks[0] + s.tricks[1] < 5):
        return ["A bonus ends the match; this game does not count"]  # RD-47
    lines = []
    if s.games:
        lines.append(f"Points of the game: {{0}} {s.last_points[0]}, {{1}} {s.last_points[1]}")
        lines.append(f"Rounds won: {{0}} {s.last_rounds[0]}, {{1}} {s.last_rounds[1]}")
    if s.phase == DUE and s.extra:
        lines.append("The scores are equal: one more game decides")
    return lines
