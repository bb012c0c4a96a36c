"""What Klaberjass says of itself: refusals, report, table."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from upcard.rules import *

from .rules import *

# ---------------------------------------------------------------------------------------------- what plain Python says


def refusal(s: State, opt: Opt, me: int, said: Attempt) -> str:
    """The clause that forbids a move: the rulebook's paragraph "Which clause a refused event names", in its order."""
    if not acts(s, me) or said.verb is None or said.items is None:
        return "KJ-66"
    if said.verb in (ACCEPT, PASS, SCHMEISS, NAME):
        return {BID: "KJ-13" if s.round == 1 else "KJ-15", ANSWER: "KJ-17", NAMING: "KJ-20"}.get(s.phase, "KJ-15")
    if said.verb in (YES, NO):
        return "KJ-17"
    if said.verb == DIX:
        return "KJ-24" if may_exchange(s, me) else "KJ-23"
    if said.verb in (MOVES.play, BELA):
        return _refused_card(s, opt, me, said.verb, said.items[0])
    return _refused_word(s, me, said.verb)


def _refused_word(s: State, me: int, verb: int) -> str:
    """For a word of the declarations."""
    if s.phase == DECLARE and s.stage == HEIGHT:
        return "KJ-33"
    if s.phase == DECLARE and s.stage == REPLY and s.proved[1 - me]:
        return "KJ-31"
    if verb in (NONE, TWENTY, FIFTY):
        return "KJ-36" if me == s.dealer else "KJ-29"
    return "KJ-33" if verb == ALSO else "KJ-31"


def _refused_card(s: State, opt: Opt, me: int, verb: int, named: Card) -> str:
    """For a card, or a card with which bela is called."""
    hand = s.hand[me]
    if s.phase != PLAY or not hand >> named & 1:
        return "KJ-41"
    if not playable(s, opt, me) >> named & 1:
        if hand & s.duty:
            return "KJ-42" if suit_of(s.led) == s.trump else "KJ-43"
        return "KJ-43" if suit_of(s.led) == s.trump else "KJ-44"
    pair = bela_of(s.trump)
    is_second = pair >> named & 1 and s.played[me] & pair
    return "KJ-50" if verb == BELA and is_second else "KJ-49"


def consistent(s: State, opt: Opt, me: int) -> bool:
    """Whether all that was told is true of the hands in this world: the truths of KJ-29 to KJ-34."""
    return all(
        fits(best_sequence(s.hand[seat] | s.played[seat], s.trump), s.proved[seat], s.top[seat], s.suit[seat])
        for seat in range(2)
        if seat != me and s.proved[seat]
    )


def fits(best: int, proved: int, top: int, suit: Suit) -> bool:
    """Whether the best sequence of a hand is what was told of it."""
    return kind_worth(best) == proved and top in (NO_RANK, top_rank(best)) and suit in (NO_SUIT, best & 3)


def hypotheses(s: State, opt: Opt, me: int) -> list[Hypothesis]:
    """Which sequences the others may mean by what they said; none where nothing was told."""
    hidden = WHOLE_PACK & ~as_set(cards_in(s))
    ways: list[list[tuple[Cards, Cards]]] = []
    for seat in range(2):
        if seat == me or not s.proved[seat]:
            ways.append([(0, 0)])
        else:
            ways.append(list(_possible(s, seat, hidden)))
    return [Hypothesis(tuple(run for run, _ in way), tuple(no for _, no in way)) for way in product(*ways)]


def _possible(s: State, seat: int, hidden: Cards) -> Iterator[tuple[Cards, Cards]]:
    """For every sequence that may be the best one of a seat: its hidden cards, and the cards that would change it."""
    seen = s.hand[seat] | s.played[seat]
    length = 3 if s.proved[seat] == 20 else 4
    for top in PACK:
        run = 2 * bit(top) - bit(top - length + 1)
        ends = bit(top + 1) | (bit(top - 3) if length == 3 else 0)
        if rank_of(top) < SEVEN + length - 1 or run & ~(seen | hidden) or ends & seen:
            continue
        if s.top[seat] in (NO_RANK, rank_of(top)) and s.suit[seat] in (NO_SUIT, suit_of(top)):
            yield run & hidden, ends & WHOLE_PACK


def trick(s: State) -> list[tuple[int, Card]]:
    return [(s.leader, s.led)] if s.phase == PLAY and s.led != NO_CARD else []


def sequences(cards: Cards, trump: Suit) -> list[list[Card]]:
    """All sequences in these cards, each high to low, best first, equal ones by suit (s h d c)."""
    found = [_run_from(cards, top) for top in as_list(tops(cards))]
    return sorted(found, key=lambda run: best_sequence(as_set(run), trump), reverse=True)


def _run_from(cards: Cards, top: Card) -> list[Card]:
    run = []
    while cards >> top & 1:
        run.append(top)
        top -= 1
    return run


def report(s: State, opt: Opt) -> dict[str, Any]:
    last = {"how": HOW[s.how], "hand": s.last_points[:2], "added": s.added[:2]}
    meld = 0 if s.holder == NOBODY else worth_of_all(s.hand[s.holder] | s.played[s.holder])
    return {
        "trump": None if s.trump == NO_SUIT else SUITS[s.trump],
        "upcard": None if s.upcard == NO_CARD else text(s.upcard),
        "leader": None if s.leader == NOBODY or s.phase != PLAY else s.leader,
        "tricks": s.tricks[:2],
        "points": s.points[:2],
        "last": last if s.how else None,
        "round": s.round,
        "maker": None if s.maker == NOBODY else s.maker,
        "holder": None if s.holder == NOBODY else s.holder,
        "meld": meld,
        "shown": [[text(c) for c in run] for run in sequences(s.melds, s.trump)],
        "bela": s.bela[:2],
        "bottom": None if s.bottom == NO_CARD else text(s.bottom),
    }


KIND_WORDS = {0: "none", 20: "twenty", 50: "fifty"}
RANK_WORDS = ("", "", "", "", "", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")


def scene(s: State, opt: Opt, seat: int | None) -> Scene:
    """KJ-62 to KJ-65."""
    headline = f"Deal {s.deals}" if s.deals else "A new match"
    if s.trump != NO_SUIT:
        headline += f" · {SUIT_NAMES[s.trump]} are trumps"
    elif s.deals:
        headline += f" · round {s.round} of the bidding"
    leader = s.leader if s.phase == PLAY else None
    return Scene(
        headline,
        _prompt(s),
        _zones(s) if s.deals else [],
        [_marks(s, who) for who in range(2)],
        s.trump,
        leader,
        result=_result(s),
        strength=STRENGTH,
        trump_strength=TRUMP_STRENGTH,
    )


def _prompt(s: State) -> str:
    if s.phase == BID:
        named = f"accept {SUIT_NAMES[suit_of(s.upcard)]} as trumps" if s.round == 1 else "name another suit as trumps"
        return f"{named}, or pass"
    if s.phase == ANSWER:
        return "a schmeiss is offered: shall the deal be thrown in?"
    if s.phase == NAMING:
        return "you must name another suit as trumps"
    if s.phase == DECLARE:
        return _prompt_to_declare(s)
    if s.phase != PLAY or s.led == NO_CARD:
        return "lead any card"
    if suit_of(s.led) == s.trump:
        return f"beat {sign(s.led)} if you can, or follow suit"
    return f"follow {sign(s.led)} if you can, or trump it"


def _prompt_to_declare(s: State) -> str:
    declared = s.proved[1 - s.dealer]
    if s.stage == HEIGHT:
        return f"the {KIND_WORDS[declared]} is {RANK_WORDS[s.top[1 - s.dealer]]} high: answer it"
    if s.stage == REPLY and declared:
        return f"answer the {KIND_WORDS[declared]}"
    return "declare your best sequence, or nothing"


def _zones(s: State) -> list[Zone]:
    on_table = trick(s)
    zones = [
        Zone("trick", "trick", "Trick", tuple(c for _, c in on_table), seats=tuple(who for who, _ in on_table)),
        Zone("upcard", "upcard", "Upcard", (s.upcard,)),
    ]
    if s.bottom != NO_CARD:
        zones.append(Zone("bottom", "pile", "Bottom card", (s.bottom,)))
    left = 19 if s.maker == NOBODY else 13 if s.bottom == NO_CARD else 12  # KJ-11
    zones.append(Zone("pack", "stock", "Pack", count=left))
    for number, run in enumerate(sequences(s.melds, s.trump), 1):
        label = "Twenty" if len(run) == 3 else "Fifty"
        zones.append(Zone(f"sequence-{number}", "meld", label, tuple(run), owner=s.holder))
    return zones


def _marks(s: State, seat: int) -> list[tuple[str, object]]:
    if s.maker == NOBODY:
        word = _bid_word(s, seat)
        return [("Bid", word)] if word else []
    marks: list[tuple[str, object]] = [("Maker", SUIT_SIGNS[s.trump])] if s.maker == seat else []
    if s.proved[seat]:
        marks.append(("Sequence", _told(s, seat)))
    if s.phase != DECLARE:
        marks += [("Tricks", s.tricks[seat]), ("Points", s.points[seat])]
    if s.called[seat] or s.bela[seat]:
        marks.append(("Bela", s.bela[seat] or "called"))
    return marks


def _bid_word(s: State, seat: int) -> str:
    """What a seat has said so far, before there is a maker."""
    if s.phase in (ANSWER, NAMING) and acts(s, seat) == (s.phase == NAMING):
        return "schmeiss"
    dealers_turn = acts(s, s.dealer) == (s.phase == BID)
    passed = s.phase != DUE and (s.round == 2 or (seat != s.dealer and dealers_turn))
    return "passed" if passed else ""


def _told(s: State, seat: int) -> str:
    """What both know of a seat's best sequence."""
    told = KIND_WORDS[s.proved[seat]]
    if s.top[seat] != NO_RANK:
        told += f", {RANK_WORDS[s.top[seat]]} high"
    if s.suit[seat] != NO_SUIT:
        told += f", {SUIT_SIGNS[s.suit[seat]]}"
    return f"{told}: the better" if s.holder == seat else told


def _result(s: State) -> list[str]:
    if s.how == 0:
        return []
    if s.how == THROWN:
        return ["The deal is thrown in"]
    ahead = 0 if s.added[0] > s.added[1] else 1
    maker = ahead if s.how == MADE else 1 - ahead
    said = {
        MADE: f"{{{maker}}} makes it",
        LEVEL: f"Level: {{{maker}}} scores nothing",
        BATE: f"{{{maker}}} is bate: {{{ahead}}} scores everything",
    }
    hands = f"Hand scores: {{0}} {s.last_points[0]}, {{1}} {s.last_points[1]}"
    return [said[s.how], hands, f"Added: {{0}} {s.added[0]}, {{1}} {s.added[1]}"]
