"""What Sixty-Six says of itself: refusals, report, table."""

from typing import Any

from upcard.rules import *

from .rules import *


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """The clause that forbids a move: the rulebook's paragraph "Which clause a refused event names", in its order."""
    leading = s.phase == LEAD
    if not acts(s, me) or said.verb is None:
        return "SS-48"
    if said.verb == 0:
        if said.items is None:
            return "SS-48"
        if not s.hand[me] >> said.items[0] & 1:
            return "SS-11"
        if leading:
            return "SS-22"
        revoke = of_suit(s.hand[me], suit_of(s.led)) and suit_of(said.items[0]) != suit_of(s.led)
        return "SS-17" if revoke else "SS-18"
    if said.verb == MELD:
        return "SS-22" if leading and s.melded != NO_SUIT and _is_marriage(s, me, said) else "SS-20"
    if said.verb == DECLARE:
        return "SS-30"
    if leading and (s.melded != NO_SUIT or (s.closed_now and said.verb == EXCHANGE)):
        return "SS-25"
    if said.verb == EXCHANGE:
        has_nine = leading and s.hand[me] & bit(card(NINE, s.trump))
        return "SS-24" if has_nine else "SS-23"
    return "SS-28" if leading else "SS-26"


def _is_marriage(s: State, me: int, said: Attempt) -> bool:
    suits = [suit for suit in range(4) if s.hand[me] & marriage(suit) == marriage(suit)]
    return said.items in [(card(KING, suit), card(QUEEN, suit)) for suit in suits]


def trick(s: State) -> list[tuple[int, Card]]:
    return [(s.leader, s.led)] if s.phase == FOLLOW else []


def report(s: State, opt: Opt) -> dict[str, Any]:
    last = None
    if s.how:
        last = {"how": HOW[s.how], "winner": None if s.winner == NOBODY else s.winner, "vp": s.gained}
    return {
        "trump": None if s.trump == NO_SUIT else SUITS[s.trump],
        "upcard": None if s.upcard == NO_CARD else text(s.upcard),
        "leader": None if s.leader == NOBODY else s.leader,
        "tricks": s.tricks[:2],
        "points": s.points[:2],
        "stock": s.left,
        "last": last,
        "pending": s.pending[:2],
        "closed": None if s.closer == NOBODY else s.closer,
        "shown": [text(card(KING, s.melded)), text(card(QUEEN, s.melded))] if s.melded != NO_SUIT else [],
        "carry": s.carry,
    }


HOW_IN_WORDS = {
    PLAIN: "{winner} wins the deal",
    SCHNEIDER: "{winner} wins the deal, the other is schneider (under 33)",
    SCHWARZ: "{winner} wins the deal, the other is schwarz (no trick)",
    BAD_DECLARE: "A wrong claim of 66: {winner} wins the deal",
    BAD_CLOSE: "The player who closed does not have 66: {winner} wins the deal",
    VOID: "The deal is void",
}


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    playing = s.phase in (LEAD, FOLLOW)
    zones = []
    if s.deals:
        zones.append(Zone("trick", "trick", "Trick", (s.led,) if s.phase == FOLLOW else (), seats=(s.leader,)))
        zones.append(Zone("stock", "stock", "Stock (closed)" if s.closer != NOBODY else "Stock", count=s.left))
    if s.upcard != NO_CARD:
        zones.append(Zone("upcard", "upcard", "Upcard (turned down)" if s.closer != NOBODY else "Upcard", (s.upcard,)))
    if playing and s.melded != NO_SUIT:
        pair = (card(KING, s.melded), card(QUEEN, s.melded))
        zones.append(Zone("marriage", "meld", "Marriage shown", pair, owner=s.leader))
    marks: list[list[tuple[str, object]]] = []
    for who in range(2):
        row: list[tuple[str, object]] = [("Tricks", s.tricks[who])]
        if opt.count == 0 or not playing:
            row.append(("Points", s.points[who]))
        if s.pending[who]:
            row.append(("Pending", s.pending[who]))
        if s.closer == who:
            row.append(("Closed", "yes"))
        marks.append(row)
    headline = f"Deal {s.deals}"
    if s.trump != NO_SUIT:
        headline += f" · {('clubs', 'diamonds', 'hearts', 'spades')[s.trump]} are trumps"
    if s.carry:
        headline += f" · {s.carry} extra waiting"
    prompt = ""
    if s.phase == LEAD:
        prompt = "lead a card of the marriage, or declare" if s.melded != NO_SUIT else "lead a card"
    elif s.phase == FOLLOW:
        prompt = "play a card" if stock_open(s) else f"follow {sign(s.led)} if you can"
    result = []
    if s.how:
        result.append(HOW_IN_WORDS[s.how].format(winner=f"{{{s.winner}}}"))
        if s.how != VOID:
            result.append(f"{s.gained} victory point{'s' * (s.gained != 1)}")
        elif s.carry:
            result.append(f"{s.carry} extra for the next winner")
        result.append(f"Deal points: {{0}} {s.points[0]}, {{1}} {s.points[1]}")
    leader = None if s.leader == NOBODY else s.leader
    return Scene(headline, prompt, zones, marks, s.trump, leader, result=result, strength=STRENGTH)


def forgets(opt: Opt) -> bool:
    """SS-46: with `hidden`, earlier tricks cannot be looked through."""
    return opt.count == 1
