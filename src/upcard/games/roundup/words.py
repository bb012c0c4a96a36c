"""What Roundup! The numbers RU-… are the clauses of rulebook/roundup says of itself: refusals, report, table."""

from collections.abc import Sequence
from typing import Any

from upcard.rules import *

from .rules import *


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """The first clause in the page's order that a move breaks."""
    if s.phase in (DUE, LOT, DONE) or not readable(s, said):
        return "RU-51"
    if not acts(s, me):
        return "RU-52"
    cards = as_set(said.items[:1]) if said.items else 0
    if cards & ~(s.hand[me] | (s.face_up[me] if s.phase in (PLAY, MORE) else 0)):
        return "RU-53"
    if s.phase == BID:
        return "RU-8"
    if s.phase == TIE:
        return "RU-15"
    if s.phase == GIVE:
        return "RU-36" if rank_of(s.weapon) == QUEEN else "RU-37"
    return refused_turn(s, me, said, cards)


def refused_turn(s: State, me: int, said: Attempt, cards: Cards) -> str:
    """The rows about turns."""
    from_face_up = said.verb == MOVES.play and s.face_up[me] & cards
    if s.phase == MORE:
        return "RU-20" if from_face_up else "RU-24"
    if said.verb == STOP:
        return "RU-24"
    if s.face_up[me] & s.fits and not from_face_up:
        return "RU-22"
    if said.verb == MOVES.play:
        return "RU-20" if cards & NUMBERS else "RU-31"
    if said.verb in WEAPONS:
        return "RU-32"
    return "RU-28" if s.hand[me] & NUMBERS else "RU-29" if s.hand[me] else "RU-30"


def rounds_over(s: State) -> int:
    """How many rounds of the match have ended."""
    return s.deals - (s.phase not in (DUE, DONE))


def spread(cards: Cards) -> tuple[Card, ...]:
    """A face-up hand as it lies: suit by suit, up from the ace."""
    return tuple(sorted(as_list(cards), key=lambda c: (-suit_of(c), VALUE[rank_of(c)])))


def report(s: State, opt: Opt) -> dict[str, Any]:
    seats = range(s.players)
    last = {
        "points": s.last_points[: s.players],
        "closed": [SUITS[suit] for suit in s.last_closed[:4]],
        "bids": _bids(s.last_bids[: s.players]),
        "first_out": _seat(s.last_first_out),
    }
    return {
        "points": s.points[: s.players],
        "last": last if rounds_over(s) else None,
        "face_up": [list(map(text, as_list(s.face_up[seat]))) for seat in seats],
        "bids": _bids(s.bids[: s.players]),
        "stacks": [count(of_suit(s.stacked, suit)) for suit in (3, 2, 1, 0)],
        "closed": [SUITS[suit] for suit in s.closed[:4] if suit >= 0],
        "discards": list(map(text, s.discards[: s.thrown])),
        "first_out": _seat(s.first_out),
        "attack": _attack(s) if s.phase in (LOT, GIVE) else None,
    }


def _bids(bids: Sequence[Card]) -> list[str | None]:
    return [None if chosen == NO_CARD else text(chosen) for chosen in bids]


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _attack(s: State) -> dict[str, Any]:
    name = None if s.phase == LOT else SUITS[s.named] if rank_of(s.weapon) == QUEEN else RANKS[s.named]
    return {"seat": s.attacker, "card": text(s.weapon), "target": s.target, "name": name}


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """RU-50."""
    zones = [_stack(s, suit) for suit in (3, 2, 1, 0)]
    for who in range(s.players):
        if s.face_up[who]:
            zones.append(Zone(f"face-up-{who}", "meld", "Face up", spread(s.face_up[who]), owner=who))
    zones.append(Zone("discards", "row", "Discards", tuple(s.discards[: s.thrown])))
    if s.phase in (LOT, GIVE):
        zones.append(Zone("attack", "row", _asks_for(s), (s.weapon,), owner=s.attacker))
    headline = f"Round {s.deals} · to {opt.target} points"
    if s.closed[0] != NO_CARD:
        headline += f" · closed: {_suits(s.closed[:4])}"
    marks = [_marks(s, who) for who in range(s.players)]
    prompt = "" if seat is None else _prompt(s, opt, seat)
    return Scene(headline, prompt, zones, marks, result=_result(s), strength=ACE_LOW)


def _stack(s: State, suit: int) -> Zone:
    name = SUIT_NAMES[suit].capitalize()
    lying = spread(of_suit(s.stacked, suit))
    return Zone(f"stack-{SUITS[suit]}", "pile", f"{name} (closed)" if len(lying) == 10 else name, lying)


def _suits(suits: Sequence[int]) -> str:
    return ", ".join(SUIT_NAMES[suit] for suit in suits if suit != NO_CARD)


def _asks_for(s: State) -> str:
    """What the target of the last attack is to lose."""
    if rank_of(s.weapon) == JACK:
        return "Any card"
    return SUIT_NAMES[s.named].capitalize() if rank_of(s.weapon) == QUEEN else f"Any {_rank(s.named)}"


def _rank(rank: int) -> str:
    return {ACE: "ace", TEN: "10"}.get(rank, RANKS[rank])


def _marks(s: State, seat: int) -> list[tuple[str, object]]:
    if s.bids[seat] != NO_CARD:
        bid_shown = sign(s.bids[seat])
    else:
        bid_shown = "secret" if has_bid_in_secret(s, seat) else "–"
    return [("Bid", bid_shown), *([("Out", "first")] if s.first_out == seat else [])]


def _prompt(s: State, opt: Opt, seat: int) -> str:
    if s.phase == PLAY:
        if s.face_up[seat] & s.fits:
            return "play a face-up card that fits"
        plays = ["play a card that fits"] * (s.hand[seat] & s.fits != 0)
        plays += ["use a face card"] * (s.hand[seat] & ~NUMBERS != 0)
        return ", ".join([*plays, "or pass"] if plays else ["pass"])
    if s.phase == GIVE:
        asked_for = f"{SUIT_NAMES[s.named]}" if rank_of(s.weapon) == QUEEN else f"rank {_rank(s.named)}"
        return f"give up a face-down card of {asked_for}"
    return {
        BID: f"lay a number card of the suit that you think will be closed {'first' if opt.goal == FIRST else 'last'}",
        TIE: "a tie for the lowest card: choose another number card to show",
        MORE: "play another face-up card, or stop",
    }.get(s.phase, "")


def _result(s: State) -> list[str]:
    if rounds_over(s) == 0:
        return []
    lines = [f"Closed in this order: {_suits(s.last_closed[:4])}"]
    for seat in range(s.players):
        chosen, points = s.last_bids[seat], s.last_points[seat]
        did = "made no bid" if chosen == NO_CARD else f"bid {SUIT_NAMES[suit_of(chosen)]}"
        out = " and was the first without cards" if s.last_first_out == seat else ""
        lines.append(f"{{{seat}}} {did}{out}: {points} point{'s' * (points != 1)}")
    return lines
