"""What Linger Longer says of itself: refusals, report, table."""

from typing import Any

from upcard.rules import *

from .rules import *

# ---------------------------------------------------------------------------------------------- what plain Python says


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


def trick(s: State) -> list[tuple[int, Card]]:
    around = [(s.leader + i) % s.players for i in range(s.players)]
    seats = [seat for seat in around if s.active >> seat & 1]
    return [(seat, s.card[seat]) for seat in seats[: count(s.table)]]


def deals_over(s: State) -> int:
    """How many deals of the match have ended."""
    return s.deals - (s.phase in (PLAY, MIX))


def report(s: State, opt: Opt) -> dict[str, Any]:
    last = {
        "deal": deals_over(s),
        "winner": s.last_winner,
        "tricks": s.last_tricks[: s.players],
        "points": s.last_points[: s.players],
    }
    return {
        "trump": None if s.trump == NO_SUIT else SUITS[s.trump],
        "upcard": None if s.upcard == NO_CARD else text(s.upcard),
        "leader": None if s.leader == NOBODY else s.leader,
        "tricks": s.tricks[: s.players],
        "points": s.last_points[: s.players] if s.phase == DONE else [0] * s.players,
        "last": last if deals_over(s) else None,
        "stock": s.left,
        "discard": count(s.discard),
        "active": seats_of(s.active),
    }


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """LL-28; of the discard pile only its size, LL-30."""
    zones = []
    headline = f"Deal {s.deals} of {opt.deals}"
    if s.active:
        on_table = trick(s)
        cards, seats = tuple(card for _, card in on_table), tuple(who for who, _ in on_table)
        zones.append(Zone("trick", "trick", "Trick", cards, seats=seats))
        zones.append(Zone("stock", "stock", "Stock", count=s.left))
        zones.append(Zone("discard", "discard", "Discards", count=count(s.discard)))
        headline += " · no trumps"
    if s.upcard != NO_CARD:
        headline = f"Deal {s.deals} of {opt.deals} · {SUIT_NAMES[s.trump]} are trumps ({sign(s.upcard)} was shown)"
    if s.aside != NO_CARD:
        zones.append(Zone("aside", "pile", "Out of play", (s.aside,)))
    prompt = ""
    if s.phase == PLAY:
        prompt = f"follow {sign(s.card[s.leader])} if you can" if s.led else "lead any card"
    leader = None if s.leader == NOBODY else s.leader
    marks: list[list[tuple[str, object]]] = [[("Tricks", s.tricks[who])] for who in range(s.players)]
    for who in range(s.players):
        if s.active and not s.active >> who & 1:
            marks[who].append(("Cards", "out"))
    return Scene(headline, prompt, zones, marks, s.trump, leader, result=_result(s))


def _result(s: State) -> list[str]:
    """How the last deal ended, with the winner's cards: LL-30."""
    if deals_over(s) == 0:
        return []
    points = s.last_points[s.last_winner]
    won = f"wins {points} point{'s' * (points != 1)}"
    return [f"{{{s.last_winner}}} alone has cards left ({signs(s.last_hand)}) and {won}"]
