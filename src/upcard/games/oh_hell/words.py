"""What Oh Hell says of itself: refusals, report, table."""

from upcard.rules import *

from .rules import *


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """OH-44: the first clause in its order that a move breaks."""
    if s.phase == DONE:
        return "OH-37"
    if s.phase == DUE:
        return "OH-38"
    if s.phase == BID and me < s.players and s.bids[me] != NO_BID:
        return "OH-14"
    if not acts(s, me):
        return "OH-40"
    if s.phase == BID:
        return "OH-12" if said.verb == SAY and said.items else "OH-41"
    if said.verb != MOVES.play or said.items is None:
        return "OH-41"
    return "OH-20" if s.hand[me] >> said.items[0] & 1 else "OH-42"


@rule
def has_bid_in_secret(s: State, opt: Opt, seat: int) -> bool:
    """Whether, in a view, this seat has made a bid that is not to be seen yet."""
    return s.phase == BID and opt.bidding == FINGERS and s.bids[seat] == NO_BID and not acts(s, seat)


@rule
def complete(s: State, opt: Opt, me: int, luck: Luck) -> None:
    """Bids that `me` cannot see yet: what a seat wins if anybody may take each trick."""
    for seat in range(s.players):
        if has_bid_in_secret(s, opt, seat):
            s.bids[seat] = 0
            for _ in range(s.size):
                s.bids[seat] += below(luck, s.players) == seat


def deals_over(s: State) -> int:
    """How many deals of the match have ended."""
    return s.deals - (s.phase in (BID, PLAY))


def report(s: State, opt: Opt) -> dict[str, Any]:
    last = {name: reported(s, f"last_{name}") for name in ("bids", "tricks", "points")}
    return {
        "points": s.last_points[: s.players] if s.phase == DONE else [0] * s.players,
        "last": {"deal": deals_over(s)} | last if deals_over(s) else None,
        "cards": s.size,
        "deals_in_match": deals_in_match(opt),
        "bids": [None if number == NO_BID else number for number in s.bids[: s.players]],
    }


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """OH-32 to OH-35."""
    headline = f"Deal {s.deals} of {deals_in_match(opt)} · {counted(s.size, 'card')}" + trumps_told(s.trump)
    zones = []
    if s.upcard != NO_CARD:
        zones.append(Zone("upcard", "upcard", "Upcard", (s.upcard,), count=count(opt.pack) - s.size * s.players))
    marks = [
        [Mark("Bid", bid_shown(s, opt, who), "bid"), Mark("Tricks", s.tricks[who], "tricks")]
        for who in range(s.players)
    ]
    return Scene(headline, prompt(s), zones, marks, result=result(s), finished=finished(s))


def prompt(s: State) -> str:
    if s.phase == BID:
        return f"bid 0 to {s.size}"
    if s.phase != PLAY:
        return ""
    return f"follow {sign(s.card[s.leader])} if you can" if s.in_trick else "lead any card"


def bid_shown(s: State, opt: Opt, seat: int) -> object:
    """OH-34: that a seat has bid is no secret."""
    if s.bids[seat] != NO_BID:
        return s.bids[seat]
    return "secret" if has_bid_in_secret(s, opt, seat) else "–"


def result(s: State) -> list[str]:
    if deals_over(s) == 0:
        return []
    return [
        f"{{{seat}}} bid {s.last_bids[seat]} and took {s.last_tricks[seat]}: {s.last_points[seat]}"
        for seat in range(s.players)
    ]


def finished(s: State) -> list[list[Mark]]:
    if deals_over(s) == 0:
        return []
    return [
        [
            Mark("Bid", s.last_bids[seat], "bid"),
            Mark("Tricks", s.last_tricks[seat], "tricks"),
            Mark("Points", s.last_points[seat], "points"),
        ]
        for seat in range(s.players)
    ]
