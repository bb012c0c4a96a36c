"""What Loo, with five cards and Pam says of itself: refusals, report, table."""

from typing import Any

from upcard.rules import *

from .rules import *

# ---------------------------------------------------------------------------------------------- what plain Python says


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """The clause that forbids a move: the paragraph "Which clause a refused event names", in its order."""
    if not acts(s, me) or said.verb is None:
        return "LO-49"
    if said.verb == DISCARD and s.phase == EXCHANGE:
        named = said.items or ()
        thrown = as_set(named) & s.hand[me]
        return "LO-25" if thrown and as_list(thrown) == list(named) else "LO-22"
    if said.items is None:
        return "LO-49"
    if said.verb == FLUSH and s.phase in (EARLY, LATE):
        return "LO-14"
    if s.phase == PLAY and (said.verb == MOVES.play or (said.verb == CIVIL and opt.civil)):
        return refused_card(s, opt, me, said.items[0], said.verb)
    return "LO-49"


def refused_card(s: State, opt: Opt, me: int, played: Card, verb: int) -> str:
    if not s.hand[me] >> played & 1:
        return "LO-27"
    if verb == CIVIL:
        return "LO-33"
    if s.asked == 0:
        return "LO-26"
    following = s.hand[me] & s.asked
    if following & ~bit(played) == following:
        if following:
            return "LO-28"
        return "LO-31" if s.trumps >> played & 1 else "LO-30"
    if s.civil and played == PAM:
        return "LO-33"
    return "LO-31" if s.asked == s.trumps else "LO-29"


def trick(s: State) -> list[tuple[int, Card]]:
    if s.phase != PLAY or s.asked == 0:
        return []
    laid = []
    seat = s.leader
    while not acts(s, seat):
        laid.append((seat, s.card[seat]))
        seat = next_in(s, seat)
    return laid


def deals_over(s: State) -> int:
    """How many deals of the match have ended."""
    return s.deals - (s.phase not in (DUE, DONE))


def report(s: State, opt: Opt) -> dict[str, Any]:
    last = {
        "deal": deals_over(s),
        "dealer": s.last_dealer,
        "pot": s.last_pot,
        "tricks": s.last_tricks[: s.players],
        "won": s.last_won[: s.players],
        "paid": s.last_paid[: s.players],
        "flush": None if s.last_flush == NOBODY else s.last_flush,
    }
    return {
        "trump": None if s.trump == NO_SUIT else SUITS[s.trump],
        "upcard": None if s.upcard == NO_CARD else text(s.upcard),
        "leader": None if s.leader == NOBODY else s.leader,
        "tricks": s.tricks[: s.players],
        "points": [tricks * (s.pot // TRICKS) for tricks in s.tricks[: s.players]],
        "stock": s.left,
        "last": last if deals_over(s) else None,
        "pot": s.pot,
        "in": seats_of(s.inside),
        "civil": s.civil == 1,
        "discard": s.dead,
    }


# ------------------------------------------------------------------------------------------------------- the scene


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """LO-45 to LO-48."""
    zones = []
    if s.trump != NO_SUIT:
        on_table = trick(s)
        cards, seats = tuple(played for _, played in on_table), tuple(who for who, _ in on_table)
        zones.append(Zone("trick", "trick", "Trick", cards, seats=seats))
        zones.append(Zone("upcard", "upcard", "Upcard", (s.upcard,)))
        zones.append(Zone("stock", "stock", "Stock", count=s.left))
        zones.append(Zone("dead", "discard", "Dead cards", count=s.dead))
        if seat is not None and s.thrown[seat]:
            zones.append(Zone("thrown", "aside", "You threw away", tuple(as_list(s.thrown[seat])), owner=seat))
    leader = None if s.leader == NOBODY else s.leader
    marks = [_marks(s, who) for who in range(s.players)]
    pam = bit(PAM) & s.trumps
    return Scene(_headline(s, opt), _prompt(s), zones, marks, s.trump, leader, result=_result(s), trumps=pam)


def _headline(s: State, opt: Opt) -> str:
    due = scheduled(s, opt)
    said = [f"Deal {s.deals} of {due}" if s.deals <= due else f"Extra deal {s.deals - due} of at most {s.players}"]
    said.append(f"{s.pot} chips in the pot")
    if s.trump != NO_SUIT:
        said.append(f"{SUIT_NAMES[s.trump]} are trumps")
        if s.upcard == PAM:
            said.append("Pam is out of play")
    return " · ".join(said)


def _prompt(s: State) -> str:
    if s.phase == PLAY and s.asked:
        return f"follow {sign(s.card[s.leader])}" + (", Pam be civil" if s.civil else "")
    return {
        DECLARE: "play for the pot, or pass",
        EARLY: "have you a flush to show?",
        EXCHANGE: "which cards will you change?",
        LATE: "have you a flush to show now?",
        PLAY: "lead a card",
    }.get(s.phase, "")


def _marks(s: State, seat: int) -> list[tuple[str, object]]:
    if s.trump == NO_SUIT:
        return []
    if not s.inside >> seat & 1:
        return [("Out", "passed")]
    to_be_asked = s.phase == DECLARE and _turn(s, seat) >= _turn(s, lowest(s.to_act))
    marks: list[tuple[str, object]] = [("In", "?" if to_be_asked else "yes")]
    if s.changed[seat] != NOT_YET:
        marks.append(("Changed", s.changed[seat]))
    if s.phase == PLAY:
        marks.append(("Tricks", s.tricks[seat]))
    return marks


def _turn(s: State, seat: int) -> int:
    """The place of a seat in turn, the dealer's last."""
    return (seat - s.dealer - 1) % s.players


def _result(s: State) -> list[str]:
    """How the last deal ended."""
    if deals_over(s) == 0:
        return []
    lines = []
    paid = [seat for seat in range(s.players) if s.last_paid[seat]]
    for seat in range(s.players):
        if won := s.last_won[seat]:
            tricks = s.last_tricks[seat]
            how = f"takes {tricks} trick{'s' * (tricks != 1)} and {won} chips" if tricks else f"takes the pot of {won}"
            if seat == s.last_flush:
                how = f"looes the board with a {FLUSHES[s.last_kind]} and takes the pot of {won}"
            lines.append(f"{{{seat}}} {how}")
    if paid:
        lines.append(f"Looed, {s.last_paid[paid[0]]} chips each: " + ", ".join(f"{{{seat}}}" for seat in paid))
    if s.last_flush != NOBODY:
        lines += [f"{{{seat}}} held {signs(hand)}" for seat, hand in enumerate(s.last_hands[: s.players]) if hand]
    return lines
