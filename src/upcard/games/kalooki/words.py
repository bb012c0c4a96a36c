"""What Kalooki says of itself: refusals, report, table."""

from collections import Counter
from itertools import chain
from random import Random
from typing import Any

from upcard.rules import *
from upcard.rules import cards
from upcard.rules.melds import is_four, jokers_in, kind_of, meld_cards, owner_of, places_of

from .rules import *


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """The clause that forbids a move: the rulebook's paragraph "Which clause a refused event names", in its order."""
    if said.verb == CALL:
        return "KA-14"
    if said.verb == TAKE and me == s.active and s.down[me]:
        return "KA-12"
    if not acts(s, me) or said.verb not in VERBS[s.phase] or s.phase != PLAY:
        return "KA-59"
    words = said.text.split(" ")[1:]
    named = [] if said.verb == HOLD else [cards.read(word) for word in words[: 1 if said.verb == TACK else None]]
    holding = HAND.cards(s, me)
    wrong_number = (said.verb == TACK and len(words) != 2) or (said.verb == DISCARD and len(words) != 1)
    if wrong_number or any(named.count(c) > holding.count(c) for c in named if c is not None) or None in named:
        return "KA-59"
    if s.laying and said.verb != LAY:
        return "KA-39"
    if said.verb == LAY:
        return refused_lay(s, opt, me, [c for c in named if c is not None])
    if said.verb == TACK:
        return refused_tack(s, me, said)
    return "KA-48" if said.verb == DISCARD else "KA-50"


def refused_lay(s: State, opt: Opt, me: int, named: list[Card]) -> str:
    """Of cards that are in the hand."""
    if len(named) not in (3, 4):
        return "KA-38"
    naturals = [(i, c) for i, c in enumerate(named) if c != JOKER]
    mine = [meld for meld in s.melds[: s.laid] if owner_of(meld) == me]
    if len(named) == 4:
        begins = {(suit_of(c), (rank_of(c) - i) % 13) for i, c in naturals}
        if len(begins) == 1 and {rank for _, rank in begins} <= {QUEEN, KING}:
            return "KA-32"
        if any(named[i] == named[i + 1] == JOKER for i in range(3)):
            return "KA-35"
        if len(begins) != 1:
            return "KA-31"
        kind = 13 + suit_of(naturals[0][1])
        return "KA-33" if kind in map(kind_of, mine) else "KA-39"
    in_order = sorted(named, key=lambda c: 1 if c == JOKER else -suit_of(c))
    if len({rank_of(c) for _, c in naturals}) > 1 or named != in_order:
        return "KA-30"
    if len(naturals) < 2:
        return "KA-34"
    return "KA-33" if opt.threes == 1 and rank_of(naturals[0][1]) in map(kind_of, mine) else "KA-39"


def refused_tack(s: State, me: int, said: Attempt) -> str:
    """Of a card that is in the hand."""
    if not s.down[me] or said.items is None or not 1 <= said.items[1] <= s.laid:
        return "KA-42"
    c, meld = said.items[0], s.melds[said.items[1] - 1]
    if not is_four(meld):
        return "KA-43"
    if c == JOKER:
        return "KA-45"
    stood_for = kind_of(meld) == 13 + suit_of(c) and jokers_in(meld) & places_of(bit(c), suit_of(c))
    return "KA-46" if stood_for else "KA-44"


def report(s: State, opt: Opt) -> dict[str, Any]:
    last = None
    if s.how:
        out = None if s.out == NOBODY else s.out
        last = {"how": HOW[s.how], "out": out, "points": list(s.counted[: s.players])}
    melds = [
        {
            "id": i + 1,
            "owner": owner_of(meld),
            "kind": "four" if is_four(meld) else "three",
            "cards": list(map(text, meld_cards(meld))),
        }
        for i, meld in enumerate(s.melds[: s.laid])
    ]
    return {
        "upcard": text(s.discards[s.thrown - 1]) if s.thrown else None,
        "points": list(s.points[: s.players]),
        "last": last,
        "stock": s.left,
        "contract": s.contract,
        "need": [THREES[s.contract], FOURS[s.contract]],
        "attempt": s.attempt,
        "left": [s.threes, s.fours] if s.laying else None,
        "active": None if s.active == NOBODY else s.active,
        "caller": None if s.caller == NOBODY else s.caller,
        "discards": list(map(text, s.discards[: s.thrown])),
        "melds": melds,
        "down": [down == 1 for down in s.down[: s.players]],
        "calls": list(s.calls[: s.players]),
        "turns": s.turns,
    }


def table_cards(s: State) -> list[Card]:
    return [c for meld in s.melds[: s.laid] for c in meld_cards(meld)]


def complete(s: State, opt: Opt, me: int, rng: Random) -> None:
    """KA-39: in the middle of a contract the active player has the rest of it, so some hidden cards change places.

    Not all such hands are equally likely: those with the rest in several ways come up more often.
    """
    if not s.laying or me == s.active:
        return
    owners = [s.active, *(seat for seat in range(s.players) if seat not in (me, s.active))]
    hidden = {seat: Counter(HAND.cards(s, seat)) - Counter(SHOWN.cards(s, seat)) for seat in owners}
    loose = [*chain.from_iterable(hands.elements() for hands in hidden.values()), *s.stock[: s.left]]
    room = hidden[s.active].total()
    rest = rest_of_contract(s, opt, loose, rng)
    while len(rest) > room:
        rest = rest_of_contract(s, opt, loose, rng)
    loose = list((Counter(loose) - Counter(rest)).elements())
    rng.shuffle(loose)
    loose = rest + loose
    for seat in owners:
        number = hidden[seat].total()
        HAND.put(s, seat, SHOWN.cards(s, seat) + loose[:number])
        del loose[:number]
    for i in range(s.left):
        s.stock[i] = loose[i]


def rest_of_contract(s: State, opt: Opt, loose: list[Card], rng: Random) -> list[Card]:
    """Cards out of `loose` that, with the shown cards of the active player, hold what is still to be laid."""
    trial = s.copy()
    shown = SHOWN.cards(s, s.active)
    HAND.put(trial, s.active, shown + loose)
    used: list[Card] = []
    while trial.laying:
        buffer = [0] * MOST_MOVES
        moves = buffer[: other_moves(trial, opt, s.active, buffer, 0)]
        if rng.random() < 0.5:  # with many cards shown little room is left for others
            known = [len(MOVES.cards(move)) - (Counter(MOVES.cards(move)) - Counter(shown)).total() for move in moves]
            moves = [move for move, number in zip(moves, known, strict=True) if number == max(known)]
        move = rng.choice(moves)
        used += MOVES.cards(move)
        lay(trial, s.active, move)
    return list((Counter(used) - Counter(shown)).elements())


NUMBERS = ("no", "one", "two", "three", "four")


def in_words(threes: int, fours: int) -> str:
    """What a contract asks for: "two threes and one four"."""
    parts = []
    for number, name in ((threes, "three"), (fours, "four")):
        if number:
            parts.append(f"{NUMBERS[number]} {name}{'s' * (number > 1)}")
    return " and ".join(parts)


def prompt(s: State) -> str:
    if s.phase == DRAWING:
        return "take the upcard or draw from the stock"
    if s.phase == CALLING:
        return "call the upcard (for a penalty card), or pass"
    if s.phase == ANSWER:
        return "allow the call, or refuse and take the upcard"
    if s.phase != PLAY:
        return ""
    if s.laying:
        return f"lay the rest of the contract: {in_words(s.threes, s.fours)}"
    if s.down[s.active]:
        return "lay and tack on what you like, then discard"
    return "lay down the contract if you can, or discard"


def result(s: State) -> list[str]:
    if not s.how:
        return []
    if s.how == THROWN:
        said = ["The deal is thrown out and scores nothing"]
        if (s.attempt == 1 and s.phase == DUE) or s.phase == DONE:
            said.append("The contract is dropped")
        return said
    bent = " and bends the table" if s.how == BENT else ""
    points = ", ".join(f"{{{seat}}} {s.counted[seat]}" for seat in range(s.players))
    return [f"{{{s.out}}} goes out{bent}", f"Points: {points}"]


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    zones = []
    if s.deals:
        zones.append(Zone("stock", "stock", "Stock", count=s.left))
        zones.append(Zone("upcard", "discard", "Upcard", tuple(s.discards[: s.thrown])))
    for i, meld in enumerate(s.melds[: s.laid]):
        number, owner = i + 1, owner_of(meld)
        zones.append(Zone(f"meld-{number}", "meld", str(number), tuple(meld_cards(meld)), owner=owner, number=number))
    marks: list[list[tuple[str, object]]] = []
    for who in range(s.players):
        row: list[tuple[str, object]] = []
        if s.down[who]:
            row.append(("Down", "yes"))
        if opt.calls:
            row.append(("Calls", f"{s.calls[who]} of {opt.calls}"))
        if s.points[who]:
            row.append(("Points", s.points[who]))
        marks.append(row)
    headline = f"Contract {s.stage + 1} of {stages(opt)}: {in_words(THREES[s.contract], FOURS[s.contract])}"
    if s.attempt > 1:
        headline += f" · attempt {s.attempt}"
    return Scene(headline, prompt(s), zones, marks, target="meld-{number}", result=result(s))


# A hand has at most 29 cards: 16 dealt, two for each of six calls, one drawn. So there are at most 29 discards. The
# eight cards of a rank make 26 threes, fewer of them no more for each card: at most 29 * 26 / 8 threes. A suit makes at
# most 88 fours. Every natural card fits on at most five fours and four threes, a joker on every meld.
MOST_MOVES = 29 + 94 + 4 * 88 + 28 * 9 + MOST_MELDS
