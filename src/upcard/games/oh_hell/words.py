"""What Oh Hell, bids on the fingers says of itself: refusals, report, table."""

import re
from typing import Any

from upcard.rules import *

from .rules import *

# ---------------------------------------------------------------------------------------------- what plain Python says


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """OH-44: the first clause in its order that a move breaks."""
    if s.phase == DONE:
        return "OH-37"
    if s.phase == DUE:
        return "OH-38"
    if s.phase == BID:
        if me < s.players and s.bids[me] != NO_BID:
            return "OH-14"
        if not acts(s, me):
            return "OH-40"
        number = re.fullmatch("bid (0|[1-9][0-9]*)", said.text)
        return "OH-12" if number else "OH-41"
    if not acts(s, me):
        return "OH-40"
    if said.verb != MOVES.play or said.items is None:
        return "OH-41"
    return "OH-20" if s.hand[me] >> said.items[0] & 1 else "OH-42"


def has_bid_in_secret(s: State, opt: Opt, seat: int) -> bool:
    """Whether, in a view, this seat has made a bid that is not to be seen yet."""
    return s.phase == BID and opt.bidding == FINGERS and s.bids[seat] == NO_BID and not acts(s, seat)


def complete(s: State, opt: Opt, me: int, rng: Any) -> None:
    """Bids that `me` cannot see yet: what a seat wins if anybody may take each trick."""
    seats = range(s.players)
    for seat in seats:
        if has_bid_in_secret(s, opt, seat):
            s.bids[seat] = sum(rng.choice(seats) == seat for _ in range(s.size))


def trick(s: State) -> list[tuple[int, Card]]:
    if s.phase != PLAY:
        return []
    on_table = (lowest(s.to_act) - s.leader) % s.players
    seats = [(s.leader + i) % s.players for i in range(on_table)]
    return [(seat, s.card[seat]) for seat in seats]


def deals_over(s: State) -> int:
    """How many deals of the match have ended."""
    return s.deals - (s.phase == BID or s.phase == PLAY)


def report(s: State, opt: Opt) -> dict[str, Any]:
    over = deals_over(s)
    last = {
        "deal": over,
        "bids": s.last_bids[: s.players],
        "tricks": s.last_tricks[: s.players],
        "points": s.last_points[: s.players],
    }
    return {
        "trump": None if s.trump == NO_SUIT else SUITS[s.trump],
        "upcard": None if s.upcard == NO_CARD else text(s.upcard),
        "leader": None if s.leader == NOBODY else s.leader,
        "tricks": s.tricks[: s.players],
        "points": s.last_points[: s.players] if s.phase == DONE else [0] * s.players,
        "last": last if over else None,
        "cards": s.size,
        "deals_in_match": deals_in_match(opt),
        "bids": [None if number == NO_BID else number for number in s.bids[: s.players]],
    }


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """OH-32 to OH-35."""
    zones = []
    headline = f"Deal {s.deals} of {deals_in_match(opt)} · {_cards(s.size)}"
    if s.upcard != NO_CARD:
        on_table = trick(s)
        cards, seats = tuple(card for _, card in on_table), tuple(who for who, _ in on_table)
        zones.append(Zone("trick", "trick", "Trick", cards, seats=seats))
        zones.append(Zone("upcard", "upcard", "Upcard", (s.upcard,), count=len(PACK) - s.size * s.players))
        headline += f" · {('clubs', 'diamonds', 'hearts', 'spades')[s.trump]} are trumps"
    prompt = f"bid 0 to {s.size}" if s.phase == BID else ""
    if s.phase == PLAY:
        prompt = f"follow {sign(s.card[s.leader])} if you can" if s.led else "lead any card"
    leader = None if s.leader == NOBODY else s.leader
    marks = [[("Bid", _bid_shown(s, opt, who)), ("Tricks", s.tricks[who])] for who in range(s.players)]
    return Scene(headline, prompt, zones, marks, s.trump, leader, result=_result(s))


def _cards(number: int) -> str:
    return f"{number} card{'s' * (number != 1)}"


def _bid_shown(s: State, opt: Opt, seat: int) -> object:
    """OH-34: that a seat has bid is no secret."""
    if s.bids[seat] != NO_BID:
        return s.bids[seat]
    return "secret" if has_bid_in_secret(s, opt, seat) else "–"


def _result(s: State) -> list[str]:
    if deals_over(s) == 0:
        return []
    return [
        f"{{{seat}}} bid {s.last_bids[seat]} and took {s.last_tricks[seat]}: {s.last_points[seat]}"
        for seat in range(s.players)
    ]
