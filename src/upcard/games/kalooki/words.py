"""What Kalooki says of itself: refusals, report, table."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from upcard.rules import *
from upcard.rules.cards import read

from .rules import *

NUMBERS = "no one two three four five six seven eight nine ten".split()

# A hand has at most 29 cards: 16 dealt, two for each of six calls, one drawn. So there are at most 29 discards. The
# eight cards of a rank make 26 threes, fewer of them no more for each card: at most 29 * 26 / 8 threes. A suit makes at
# most 88 fours. Every natural card fits on at most five fours and four threes, a joker on every meld.
MOST_MOVES = 29 + 94 + 4 * 88 + 28 * 9 + MOST_MELDS


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """The clause that forbids a move: the rulebook's paragraph "Which clause a refused event names", in its order."""
    if said.verb == CALL:
        return "KA-14"
    if said.verb == TAKE and me == s.active and s.down[me]:
        return "KA-12"
    if not acts(s, me) or s.phase != PLAY or said.verb not in (LAY, TACK, DISCARD, HOLD):
        return "KA-59"
    named = [] if said.verb == HOLD else [read(word) for word in said.words[: 1 if said.verb == TACK else None]]
    wrong_number = len(said.words) != {TACK: 2, DISCARD: 1}.get(said.verb, len(said.words))
    if wrong_number or Counter(named) - Counter(HAND.cards(s, me)):
        return "KA-59"
    if laying(s) and said.verb != LAY:
        return "KA-39"
    if said.verb == LAY:
        return refused_lay(s, opt, me, said.items or ())
    if said.verb == TACK:
        return refused_tack(s, me, said.items)
    return "KA-48" if said.verb == DISCARD else "KA-50"


def refused_lay(s: State, opt: Opt, me: int, named: Sequence[Card]) -> str:
    """Of cards that are in the hand."""
    if len(named) not in (3, 4):
        return "KA-38"
    naturals = [(i, c) for i, c in enumerate(named) if c != JOKER]
    ranks = {rank_of(c) for _, c in naturals}
    mine = [kind_of(meld) for meld in s.melds[: s.laid] if owner_of(meld) == me]
    if len(named) == 4:
        begins = {(suit_of(c), (rank_of(c) - i) % 13) for i, c in naturals}
        if len(begins) == 1 and {rank for _, rank in begins} <= {QUEEN, KING}:
            return "KA-32"
        if (JOKER, JOKER) in pairwise(named):
            return "KA-35"
        if len(begins) != 1:
            return "KA-31"
        return "KA-33" if 13 + suit_of(naturals[0][1]) in mine else "KA-39"
    if len(ranks) > 1 or list(named) != sorted(named, key=lambda c: 1 if c == JOKER else -suit_of(c)):
        return "KA-30"
    if len(naturals) < 2:
        return "KA-34"
    return "KA-33" if opt.threes == DISTINCT and ranks <= set(mine) else "KA-39"


def refused_tack(s: State, me: int, items: Sequence[int] | None) -> str:
    """Of a card that is in the hand."""
    if not s.down[me] or items is None or not 1 <= items[1] <= s.laid:
        return "KA-42"
    c, meld = items[0], s.melds[items[1] - 1]
    if not is_four(meld):
        return "KA-43"
    if c == JOKER:
        return "KA-45"
    stood_for = kind_of(meld) == 13 + suit_of(c) and jokers_in(meld) & places_of(bit(c), suit_of(c))
    return "KA-46" if stood_for else "KA-44"


# ---------------------------------------------------------------------------------------------- report, what all know


def report(s: State, opt: Opt) -> dict[str, Any]:
    names = ("contract", "attempt", "active", "caller", "down", "calls", "turns")
    last = {"how": HOW[s.how], "out": reported(s, "out"), "points": reported(s, "counted")}
    return {
        **{name: reported(s, name) for name in names},
        "upcard": text(s.discards[s.thrown - 1]) if s.thrown else None,
        "last": last if s.how else None,
        "stock": s.left,
        "need": [opt.need_threes[s.contract], opt.need_fours[s.contract]],
        "left": [s.threes, s.fours] if laying(s) else None,
        "discards": list(map(text, s.discards[: s.thrown])),
        "melds": [meld_told(number, meld) for number, meld in enumerate(s.melds[: s.laid], 1)],
    }


def meld_told(number: int, meld: int) -> dict[str, Any]:
    kind = "four" if is_four(meld) else "three"
    return {"id": number, "owner": owner_of(meld), "kind": kind, "cards": list(map(text, meld_cards(meld)))}


def table_cards(s: State) -> list[Card]:
    return [c for meld in s.melds[: s.laid] for c in meld_cards(meld)]


@rule
def consistent(s: State, opt: Opt, me: int) -> bool:
    """KA-39: in the middle of a contract the active player has the rest of it."""
    if not laying(s):
        return True
    who = s.active
    suits, ranks = barred(s, opt, who)
    distinct = opt.threes == DISTINCT
    return all_fit(s.hand[who], s.twice[who], s.jokers[who], s.threes, s.fours, suits, distinct, ranks)


# ------------------------------------------------------------------------------------------------------------ scene


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """KA-56, KA-57."""
    zones = []
    if s.deals:
        zones.append(Zone("stock", "stock", "Stock", count=s.left))
        zones.append(Zone("upcard", "discard", "Upcard", tuple(s.discards[: s.thrown])))
    for number, meld in enumerate(s.melds[: s.laid], 1):
        cards, owner = tuple(meld_cards(meld)), owner_of(meld)
        zones.append(Zone(f"meld-{number}", "meld", str(number), cards, owner=owner, number=number))
    need = in_words(opt.need_threes[s.contract], opt.need_fours[s.contract])
    attempt = f" · attempt {s.attempt}" if s.attempt > 1 else ""
    return Scene(
        f"Contract {s.stage + 1} of {opt.stages}: {need}{attempt}",
        prompt(s),
        zones,
        [marks_of(s, opt, who) for who in range(s.players)],
        target="meld-{number}",
        result=result(s),
        finished=finished(s),
    )


def in_words(threes: int, fours: int) -> str:
    """What a contract asks for: "two threes and one four"."""
    told = [
        f"{NUMBERS[number]} {kind}{'s' * (number > 1)}"
        for number, kind in ((threes, "three"), (fours, "four"))
        if number
    ]
    return listed(told)


def marks_of(s: State, opt: Opt, seat: int) -> list[Mark]:
    marks = [Mark("Down", "yes")] if s.down[seat] else []
    if opt.calls:
        marks.append(Mark("Calls", f"{s.calls[seat]} of {opt.calls}"))
    if s.points[seat]:
        marks.append(Mark("Points", s.points[seat], "points"))
    return marks


def prompt(s: State) -> str:
    if s.phase == PLAY:
        if laying(s):
            return f"lay the rest of the contract: {in_words(s.threes, s.fours)}"
        if s.down[s.active]:
            return "lay and tack on what you like, then discard"
    return {
        DRAWING: "take the upcard or draw from the stock",
        CALLING: "call the upcard (for a penalty card), or pass",
        ANSWER: "allow the call, or refuse and take the upcard",
        PLAY: "lay down the contract if you can, or discard",
    }.get(s.phase, "")


def result(s: State) -> list[str]:
    if not s.how:
        return []
    if s.how == THROWN:
        dropped = (s.attempt == 1 and s.phase == DUE) or s.phase == DONE
        return ["The deal is thrown out and scores nothing", *["The contract is dropped"] * dropped]
    bent = " and bends the table" if s.how == BENT else ""
    points = ", ".join(f"{{{seat}}} {s.counted[seat]}" for seat in range(s.players))
    return [f"{{{s.out}}} goes out{bent}", f"Points: {points}"]


def finished(s: State) -> list[list[Mark]]:
    if not s.how:
        return []
    out = Mark("Out", "bent the table" if s.how == BENT else "yes")
    return [[Mark("Points", s.counted[seat], "points"), *[out] * (seat == s.out)] for seat in range(s.players)]
