"""What Rolling Stone says of itself: refusals, report, table."""

from upcard.rules import *

from .rules import *


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """RS-35: the first clause in its order that a move breaks."""
    if s.phase == DONE:
        return "RS-28"
    if s.phase == DUE:
        return "RS-29"
    if not acts(s, me):
        return "RS-31"
    if said.items is None:
        return "RS-32"
    if said.verb == TAKE:
        return "RS-13"
    if said.verb != MOVES.play or not opt.pack >> said.items[0] & 1:
        return "RS-32"
    if not s.hand[me] >> said.items[0] & 1:
        return "RS-33"
    return "RS-8" if s.hand[me] & s.led else "RS-11"


def deals_over(s: State) -> int:
    """How many deals of the match have ended."""
    return s.deals - (s.phase == PLAY)


def report(s: State, opt: Opt) -> dict[str, Any]:
    last = {
        "deal": deals_over(s),
        "winners": reported(s, "last_winners"),
        "limit": reported(s, "last_limit"),
        "left": [count(hand) for hand in s.last_hand[: s.players]],
        "points": reported(s, "last_points"),
    }
    won_one = s.phase == DONE and s.last_taker != NOBODY
    return {
        "leader": reported(s, "last_taker" if won_one else "leader"),
        "points": s.last_points[: s.players] if s.phase == DONE else [0] * s.players,
        "last": last if deals_over(s) else None,
        "taken": reported(s, "taken"),
        "played": s.played,
        "discard": count(s.discard),
    }


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """RS-25, RS-27: of the discard pile only its size; nor is shown which cards were taken up, RS-26."""
    deal = [f"Deal {s.deals} of {opt.deals}"] if opt.deals > 1 else []
    trick = [f"trick {s.played + 1} of at most {opt.limit}"] if s.phase == PLAY else []
    headline = " · ".join(deal + trick)
    zones = [Zone("discard", "discard", "Discards", count=count(s.discard))]
    marks = [[Mark("Won", s.tricks[who], "tricks"), Mark("Taken up", s.taken[who])] for who in range(s.players)]
    return Scene(headline, prompt(s, seat), zones, marks, result=result(s), finished=finished(s))


def prompt(s: State, seat: int | None) -> str:
    if s.phase != PLAY or seat is None:
        return ""
    if not s.led:
        return "lead any card"
    led = sign(s.card[s.leader])
    if s.hand[seat] & s.led:
        return f"follow {led}"
    return f"you cannot follow {led}: take up {counted(count(s.table), 'card')}"


def result(s: State) -> list[str]:
    """How the last deal ended, with all cards shown: RS-27."""
    if deals_over(s) == 0:
        return []
    how = "has the fewest cards at the limit" if s.last_limit else "is out of cards"
    won = [f"{{{seat}}} {how} and wins {counted(s.last_points[seat], 'point')}" for seat in seats_of(s.last_winners)]
    left = [
        f"{{{seat}}} is left with {counted(count(hand), 'card')}: {signs(hand)}"
        for seat, hand in enumerate(s.last_hand[: s.players])
        if hand
    ]
    return won + left


def finished(s: State) -> list[list[Mark]]:
    if deals_over(s) == 0:
        return []
    return [
        [Mark("Cards left", count(s.last_hand[seat])), Mark("Points", s.last_points[seat], "points")]
        for seat in range(s.players)
    ]
