"""What Cinch, also called High Five or Double Pedro says of itself: refusals, report, table."""

import re
from typing import Any

from upcard.rules import *

from .rules import *

# ---------------------------------------------------------------------------------------------- what plain Python says


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """The clause that forbids a move, as the page's part 3 has it; CI-47 for everything else."""
    if s.to_act == 0 or not acts(s, me):
        return "CI-47"
    if s.phase == PLAY:
        if said.verb != MOVES.play or said.items is None:
            return "CI-47"
        return forbids_card(s, opt, me, said.items[0])
    patterns = {
        BID: ("bid (0|[1-9][0-9]*)", "CI-9"),
        DISCARD: ("discard( .*)?", "CI-15"),
        RECALL: ("take [^ ]*", "CI-19"),
        ROB: ("take [^ ]*", "CI-20"),
    }
    pattern, clause = patterns.get(s.phase, ("", ""))
    return clause if pattern and re.fullmatch(pattern, said.text) else "CI-47"


def forbids_card(s: State, opt: Opt, me: int, one: Card) -> str:
    if not s.hand[me] >> one & 1:
        return "CI-26"
    if me == s.leader:
        return "CI-25"  # option `lead_trump`
    return "CI-27" if s.duty == s.trumps else "CI-28"


def known_counts(s: State, opt: Opt) -> list[KnownCount]:
    """CI-13, CI-14, CI-19, CI-24: what everybody knows of hidden cards once trumps are named."""
    if s.trumps == 0:
        return []
    plain = WHOLE_PACK & ~s.trumps
    known = [KnownCount("stub", NOBODY, STUB, plain)] if s.robber != NOBODY and s.phase == PLAY else []
    for seat in range(SEATS):
        kept = s.kept[seat] - count(s.played[seat] & s.trumps)
        recalled = s.recalled[seat] - count(s.played[seat] & plain)
        known += [
            KnownCount("hand", seat, kept, s.trumps),
            KnownCount("hand", seat, recalled, plain),
            KnownCount("discards", seat, len(PACK), plain),
        ]
    return known


def complete(s: State, opt: Opt, me: int, rng: Any) -> None:
    """How the stub is stacked, and what a dealer who is robbing has taken, as far as the hand tells."""
    stub = as_list(s.stub | s.left)
    rng.shuffle(stub)
    for i, one in enumerate(stub, STUB - len(stub)):
        s.order[i] = one
    if s.phase == ROB and me != s.robber:
        s.wasteful[s.robber] = int(count(s.hand[s.robber] & ~scoring(s)) > s.kept[s.robber])


def trick(s: State) -> list[tuple[int, Card]]:
    if s.phase != PLAY:
        return []
    on_table = (lowest(s.to_act) - s.leader) % SEATS
    seats = [(s.leader + i) % SEATS for i in range(on_table)]
    return [(seat, s.card[seat]) for seat in seats]


def in_turn(dealer: int) -> list[int]:
    return [(dealer + 1 + i) % SEATS for i in range(SEATS)]


def seat_or_none(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def letter(suit: Suit) -> str | None:
    return None if suit == NO_SUIT else SUITS[suit]


def deals_over(s: State) -> int:
    """How many deals of the match have ended."""
    return s.deals - (s.phase not in (DUE, DONE))


def report(s: State, opt: Opt) -> dict[str, Any]:
    seats = in_turn(s.dealer)
    said = [(seat, s.bids[seat]) for seat in seats if s.bids[seat] != NO_BID]
    last = {
        "deal": deals_over(s),
        "dealer": s.last_dealer,
        "declarer": seat_or_none(s.last_declarer),
        "bid": s.last_bid,
        "trump": letter(s.last_trump),
        "points": s.last_points[:],
        "gained": s.last_gained[:],
    }
    return {
        "trump": letter(s.trump),
        "leader": seat_or_none(s.leader),
        "tricks": s.tricks[:],
        "points": s.points[:],
        "last": last if deals_over(s) else None,
        "bids": [f"{seat} {'pass' if number == PASSED else number}" for seat, number in said],
        "bid": s.bid if said else None,
        "declarer": None if s.phase == BID else seat_or_none(s.declarer),
        "stub": [text(one) for one in s.order[:] if one != NOBODY and (s.stub | s.left) >> one & 1],
        "dead": [f"{seat} {text(one)}" for seat in seats for one in as_list(s.dead[seat])],
        "left": list(map(text, as_list(s.left))),
        "credited": list(map(text, as_list(s.credited))),
    }


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """CI-43 to CI-46."""
    headline = f"Deal {s.deals} · to {opt.target}"
    if s.trump != NO_SUIT:
        headline += f" · {SUIT_NAMES[s.trump]} are trumps · contract {s.bid}"
    pedro = 0 if s.trump == NO_SUIT else bit(left_pedro(s.trump))
    marks = [_marks(s, who) for who in range(SEATS)]
    leader = seat_or_none(s.leader)
    return Scene(
        headline, _prompt(s, opt), _zones(s, seat), marks, s.trump, leader, SIDES, result=_result(s), trumps=pedro
    )


def _prompt(s: State, opt: Opt) -> str:
    holds = count(s.hand[lowest(s.to_act)]) if s.to_act else HAND
    lead = "lead a trump if you can" if s.duty == s.trumps else "lead any card"
    follow = "play a trump if you can" if s.duty == s.trumps else "follow suit or play a trump if you can"
    return {
        BID: f"bid at least {max(s.bid + 1, opt.min_bid)} or pass" if s.bid < MOST_POINTS else "pass",
        TRUMP: "name the trump suit",
        DISCARD: f"throw away {holds - HAND} of your trumps",
        RECALL: f"take back {HAND - holds} of the cards that you threw away",
        ROB: f"take {HAND - holds} more from the stub",
        PLAY: follow if trick(s) else lead,
    }.get(s.phase, "")


def _marks(s: State, seat: int) -> list[tuple[str, object]]:
    bid = {NO_BID: "–", PASSED: "pass"}.get(s.bids[seat], s.bids[seat])
    if s.trump == NO_SUIT:
        return [("Bid", bid)]
    said: tuple[str, object] = ("Contract", s.bid) if seat == s.declarer else ("Bid", bid)
    thrown_and_drawn = [("Threw", 9 - s.kept[seat]), ("Drew", s.drawn[seat])]
    return [said, *thrown_and_drawn, ("Tricks", s.tricks[seat]), ("Points", s.points[seat])]


def _zones(s: State, seat: int | None) -> list[Zone]:
    on_table = trick(s)
    cards, seats = tuple(one for _, one in on_table), tuple(who for who, _ in on_table)
    zones = [Zone("trick", "trick", "Trick", cards, seats=seats)] if s.phase == PLAY else []
    face_down = STUB - sum(s.drawn[:]) - count(s.left)
    if seat is not None and seat == s.robber:
        zones.append(_row("stub", "Stub" if s.phase == ROB else "Plain cards that you left in the stub", s.stub))
    elif face_down and s.phase not in (DUE, DONE):
        zones.append(Zone("stub", "stock", "Stub", count=face_down))
    zones.append(_row("left", "Trumps left in the stub", s.left))
    zones += [_row(f"dead-{who}", "Trumps thrown away", s.dead[who], who) for who in range(SEATS)]
    zones.append(_row("credited", "Count for the declarers", s.credited))
    if seat is not None:
        zones.append(_row("discards", "You threw away", s.discards[seat], seat))
    return [zone for zone in zones if zone.role != "row" or zone.cards]


def _row(name: str, label: str, cards: Cards, owner: int | None = None) -> Zone:
    return Zone(name, "row", label, tuple(as_list(cards)), owner=owner)


def _result(s: State) -> list[str]:
    if deals_over(s) == 0:
        return []
    declarer = s.last_declarer
    if declarer == NOBODY:
        return ["All pass: the deal is thrown in"]
    bid, ours, theirs = s.last_bid, s.last_points[declarer], s.last_points[declarer ^ 1]
    who, trump = f"{{{declarer}}} and {{{declarer ^ 2}}}", SUIT_NAMES[s.last_trump]
    if bid == 0:
        undertook = f"{{{declarer}}} named {trump} without a bid"
    else:
        undertook = f"{who} bid {bid} with {trump} and {'made' if ours >= bid else 'broke'} it"
    lines = [f"{undertook}: {ours} point{'s' * (ours != 1)} against {theirs}"]
    for side in (0, 1):
        gained = s.last_gained[side]
        if gained:
            lines.append(f"{{{side}}} and {{{side + 2}}} {'score' if gained > 0 else 'lose'} {abs(gained)}")
    return lines if len(lines) > 1 else [*lines, "Nobody scores"]
