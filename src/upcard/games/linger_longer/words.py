"""What Linger Longer says of itself: refusals, report, table."""

from upcard.rules import *

from .rules import *


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """LL-38: the first clause in its order that a move breaks."""
    if s.phase == DONE:
        return "LL-31"
    if s.phase != PLAY:
        return "LL-32"
    if not acts(s, me):
        return "LL-34"
    if said.verb != MOVES.play or said.items is None:
        return "LL-35"
    return "LL-9" if s.hand[me] >> said.items[0] & 1 else "LL-36"


def discards(s: State) -> int:
    """How many cards are in the discard pile."""
    return count(s.discard) - count(s.in_trick)


def report(s: State, opt: Opt) -> dict[str, Any]:
    last = {name: reported(s, f"last_{name}") for name in ("winner", "tricks", "points")}
    return {
        "points": s.last_points[: s.players] if s.phase == DONE else [0] * s.players,
        "last": {"deal": deals_over(s)} | last if deals_over(s) else None,
        "stock": s.left,
        "discard": discards(s),
        "active": reported(s, "active"),
    }


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """LL-28; of the discard pile only its size, LL-30."""
    headline = f"Deal {s.deals} of {opt.deals}"
    zones = []
    if s.active:
        headline += trumps_told(s.trump) or " · no trumps"
        zones.append(Zone("stock", "stock", "Stock", count=s.left))
        zones.append(Zone("discard", "discard", "Discards", count=discards(s)))
    if s.upcard != NO_CARD:
        headline += f" ({sign(s.upcard)} was shown)"
    if s.aside != NO_CARD:
        zones.append(Zone("aside", "pile", "Out of play", (s.aside,)))
    marks = [
        [Mark("Tricks", s.tricks[who], "tricks"), *([Mark("Cards", "out")] if is_out(s, who) else [])]
        for who in range(s.players)
    ]
    return Scene(headline, prompt(s), zones, marks, result=result(s), finished=finished(s))


def is_out(s: State, seat: int) -> bool:
    return s.active != 0 and not among(s.active, seat)


def prompt(s: State) -> str:
    if s.phase != PLAY:
        return ""
    return f"follow {sign(s.card[s.leader])} if you can" if s.led else "lead any card"


def result(s: State) -> list[str]:
    """How the last deal ended, with the winner's cards: LL-30."""
    if deals_over(s) == 0:
        return []
    won = counted(s.last_points[s.last_winner], "point")
    return [f"{{{s.last_winner}}} alone has cards left ({signs(s.last_hand)}) and wins {won}"]


def finished(s: State) -> list[list[Mark]]:
    if deals_over(s) == 0:
        return []
    return [
        [Mark("Tricks", s.last_tricks[seat], "tricks"), Mark("Points", s.last_points[seat], "points")]
        for seat in range(s.players)
    ]
