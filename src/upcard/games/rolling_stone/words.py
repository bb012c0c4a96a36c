"""What Rolling Stone says of itself: refusals, report, table."""

from typing import Any

from upcard.rules import *

from .rules import *

# ---------------------------------------------------------------------------------------------- what plain Python says


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """RS-35: the first clause in its order that a move breaks."""
    if s.phase == DONE:
        return "RS-28"
    if s.phase == DUE:
        return "RS-29"
    if not acts(s, me):
        return "RS-31"
    if said.text == "take":
        return "RS-13"
    if said.verb != MOVES.play or said.items is None or not pack_of(s) >> said.items[0] & 1:
        return "RS-32"
    if not s.hand[me] >> said.items[0] & 1:
        return "RS-33"
    return "RS-8" if s.hand[me] & s.led else "RS-11"


def trick(s: State) -> list[tuple[int, Card]]:
    seats = [(s.leader + i) % s.players for i in range(count(s.table))]
    return [(seat, s.card[seat]) for seat in seats]


def deals_over(s: State) -> int:
    """How many deals of the match have ended."""
    return s.deals - (s.phase == PLAY)


def report(s: State, opt: Opt) -> dict[str, Any]:
    last = {
        "deal": deals_over(s),
        "winners": seats_of(s.last_winners),
        "limit": s.last_limit == 1,
        "left": [count(hand) for hand in s.last_hand[: s.players]],
        "points": s.last_points[: s.players],
    }
    return {
        "leader": None if s.leader == NOBODY else s.leader,
        "tricks": s.tricks[: s.players],
        "points": s.last_points[: s.players] if s.phase == DONE else [0] * s.players,
        "last": last if deals_over(s) else None,
        "taken": s.taken[: s.players],
        "played": s.played,
        "discard": count(s.discard),
    }


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """RS-25, RS-27: of the discard pile only its size; nor is shown which cards were taken up, RS-26."""
    on_table = trick(s)
    zones = [
        Zone("trick", "trick", "Trick", tuple(card for _, card in on_table), seats=tuple(who for who, _ in on_table)),
        Zone("discard", "discard", "Discards", count=count(s.discard)),
    ]
    headline = f"Deal {s.deals} of {opt.deals}" if opt.deals > 1 else "Rolling Stone"
    if s.phase == PLAY:
        headline += f" · trick {s.played + 1} of at most {opt.limit}"
    leader = None if s.leader == NOBODY else s.leader
    marks = [[("Won", s.tricks[who]), ("Taken up", s.taken[who])] for who in range(s.players)]
    return Scene(headline, _prompt(s, seat), zones, marks, leader=leader, result=_result(s))


def _prompt(s: State, seat: int | None) -> str:
    if s.phase != PLAY or seat is None:
        return ""
    if not s.led:
        return "lead any card"
    led = sign(s.card[s.leader])
    return f"follow {led}" if s.hand[seat] & s.led else f"you cannot follow {led}: take up {_cards(count(s.table))}"


def _cards(number: int) -> str:
    return f"{number} card{'s' * (number != 1)}"


def _result(s: State) -> list[str]:
    """How the last deal ended, with all cards shown: RS-27."""
    if deals_over(s) == 0:
        return []
    how = "has the fewest cards at the limit" if s.last_limit else "is out of cards"
    lines = []
    for seat in seats_of(s.last_winners):
        points = s.last_points[seat]
        lines.append(f"{{{seat}}} {how} and wins {points} point{'s' * (points != 1)}")
    for seat in range(s.players):
        if hand := s.last_hand[seat]:
            lines.append(f"{{{seat}}} is left with {_cards(count(hand))}: {signs(hand)}")
    return lines
