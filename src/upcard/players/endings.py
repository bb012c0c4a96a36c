"""Worlds of an ending that differ in what matters.

Most of the unseen cards of an ending lie where nobody will play them, and of those in play often just the order within
a suit counts. So the worlds are listed from cards that are put into hands one after the other, of a run of cards that
are alike always the lowest: for any other choice the deal goes on the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Any

from upcard.engine.views import View
from upcard.engine.worlds import Arrangements, Worlds, luck_decides
from upcard.players.gains import APART, DRAWN, IDLE, said
from upcard.rules.cards import Card, Cards, bit, suit_of
from upcard.rules.game import Game
from upcard.rules.state import NOBODY

Slot = tuple[int, int, int]
"""Which cards it takes, as in `Arrangements.kinds`; in which place it is; for how many cards."""
EVERY: Cards = -1
"""Each card counts for itself."""
FOLD = 4
"""All worlds are looked for among so many times as many arrangements."""
Apart = Callable[[Any, Any], Cards]
"""(state, options): the cards of which each counts for itself."""


class GaveUp(Exception):
    """A proof needs more than it may use, or luck would speak."""


@dataclass(frozen=True)
class Ending:
    """What does not matter in the endings of a game."""

    idle: Collection[str] = ()
    """The fields with cards that are out of play."""
    drawn: int = 0
    """So many cards may be drawn from a face-down pile that is in play; what lies below does not matter."""
    apart: Apart | None = None
    """Which cards each count for themselves; None: all do."""


def ending_of(game: Game[Any]) -> Ending:
    """What the heuristic module of a game says of its endings."""
    return Ending(said(game, IDLE, ()), said(game, DRAWN, 0), said(game, APART, None))


def worlds(view: View[Any], ending: Ending, most: int) -> list[Any] | None:
    """The worlds of a view, one of each sort that are alike; None if there are more than so many, or luck must fill in
    what is not cards. Raises NoWorld, and GaveUp where cards out of play cannot be dealt out."""
    chosen: dict[tuple[tuple[Card, ...], ...], tuple[Arrangements, list[list[Card]]]] = {}
    looked = 0
    for one in Worlds(view).widest:
        live, out = slots(one, ending)
        for filled in patterns(runs_of(one, ending.apart), live, out) if one.possible else ():
            chosen.setdefault(by_place(one, live, filled), (one, [[*cards] for cards in filled]))
            looked += 1
            if len(chosen) > most or looked > FOLD * most:
                return None
    together = [put_together(one, ending, filled) for one, filled in chosen.values()]
    if any(luck_decides(view, state) for state in together):
        return None
    return [state for state in together if fits(view, state)]


def by_place(one: Arrangements, live: Sequence[Slot], filled: Sequence[Sequence[Card]]) -> tuple[tuple[Card, ...], ...]:
    """What lies where, the same for slots that come to the same: hands in order, of a pile card after card."""
    lying = [[*place.seen] for place in one.places]
    for (_, at, _), cards in zip(live, filled, strict=True):
        lying[at] += cards
    return tuple(
        tuple(cards if place.seat == NOBODY else sorted(cards)) for place, cards in zip(one.places, lying, strict=True)
    )


def slots(one: Arrangements, ending: Ending) -> tuple[list[Slot], list[Slot]]:
    """Where cards matter, of a pile the cards that are drawn first each for itself; and where they do not."""
    live: list[Slot] = []
    out: list[Slot] = []
    groups = [(1 << i, group) for i, group in enumerate(one.choosy)] + [(0, one.free)]
    for allowed, at, number in [(allowed, at, number) for allowed, group in groups for at, number in group]:
        place = one.places[at]
        if place.field in ending.idle:
            out.append((allowed, at, number))
        elif place.seat == NOBODY and one.view.game.state.fields[place.field].length is not None:
            top = min(ending.drawn, number)
            live += [(allowed, at, 1)] * top
            out.append((allowed, at, number - top))
        else:
            live.append((allowed, at, number))
    return live, out


def runs_of(one: Arrangements, apart: Apart | None) -> list[list[tuple[Card, int]]]:
    """The unseen cards with their kinds, in runs of those that are alike: neighbours of a suit, with no card between
    them that somebody is seen to hold or to have in the trick."""
    alone = alone_in(one.view, apart)
    runs: list[list[tuple[Card, int]]] = []
    last, last_kind = NOBODY, 0
    for card, kind in sorted(zip(one.unseen, one.kinds, strict=True)):
        between = ((1 << card) - 1) & ~((2 << last) - 1) if runs else 0
        parted = not runs or kind != last_kind or suit_of(card) != suit_of(last) or (between | bit(card)) & alone
        if parted or bit(last) & alone:
            runs.append([])
        runs[-1].append((card, kind))
        last, last_kind = card, kind
    return runs


def alone_in(view: View[Any], apart: Apart | None) -> Cards:
    """The cards that count for themselves: those, and what a seat sees in hands and in the trick."""
    if apart is None:
        return EVERY
    state = view.state
    cards = apart(state, view.options)
    for seat in range(state.players):
        cards |= sum(bit(card) for card in view.hand(seat) if card is not None)
        if state.in_trick >> seat & 1:
            cards |= bit(state.card[seat])
    return cards


def patterns(
    runs: Sequence[Sequence[tuple[Card, int]]], live: Sequence[Slot], out: Sequence[Slot]
) -> Iterator[list[list[Card]]]:
    """Every way to fill the live slots, from each run always with its lowest cards, that leaves enough for those out of
    play."""
    filled: list[list[Card]] = [[] for _ in live]
    flat = [one for run in runs for one in run]
    ends = [end for end, run in zip(accumulate(map(len, runs)), runs, strict=True) for _ in run]
    fitting = {
        allowed: [not allowed & ~kind for _, kind in flat] for allowed in {0, *(slot[0] for slot in [*live, *out])}
    }
    there = {allowed: [*accumulate(reversed(row), initial=0)][::-1] for allowed, row in fitting.items()}
    spare = {
        allowed: row[0] - sum(number for other, _, number in out if not allowed & ~other)
        for allowed, row in there.items()
    }
    """So many of the cards that fit can be in play."""

    def go_on(at: int) -> Iterator[list[list[Card]]]:
        wanted = dict.fromkeys(there, 0)
        for (allowed, _, number), cards in zip(live, filled, strict=True):
            wanted[allowed] += number - len(cards)
        missing = sum(wanted.values())
        if missing == 0:
            yield filled
            return
        if any(wanted[allowed] > row[at] for allowed, row in there.items()):
            return
        if any(len(flat) - at - max(0, row[at] - spare[allowed]) < missing for allowed, row in there.items()):
            return
        yield from go_on(ends[at])
        fits = [allowed for allowed, row in fitting.items() if row[at]]
        if any(spare[allowed] == 0 for allowed in fits):
            return
        for allowed in fits:
            spare[allowed] -= 1
        for k, (allowed, _, number) in enumerate(live):
            if len(filled[k]) < number and fitting[allowed][at]:
                filled[k].append(flat[at][0])
                yield from go_on(at + 1)
                filled[k].pop()
        for allowed in fits:
            spare[allowed] += 1

    return go_on(0)


def put_together(one: Arrangements, ending: Ending, filled: Sequence[list[Card]]) -> Any:
    """The state with these cards in the slots, and the others anywhere."""
    live, out = slots(one, ending)
    rest = dict(enumerate(zip(one.unseen, one.kinds, strict=True)))
    for (allowed, _, _), cards in sorted(zip(live, filled, strict=True), key=lambda one: -one[0][0]):
        for card in cards:
            fitting = [at for at, (other, kind) in rest.items() if other == card and not allowed & ~kind]
            del rest[min(fitting, key=lambda at: rest[at][1])]  # of equal cards one that fits fewer slots
    dealt = [[*place.seen] for place in one.places]
    for allowed, at, number in sorted(out, reverse=True):
        taken = [other for other, (_, kind) in rest.items() if not allowed & ~kind][:number]
        if len(taken) < number:
            raise GaveUp
        dealt[at] += [rest.pop(other)[0] for other in taken]
    for (_, at, _), cards in zip(live, filled, strict=True):
        dealt[at] += cards
    state = one.base()
    for place, lying in zip(one.places, dealt, strict=True):
        one.put(state, place, lying)
    return state


def fits(view: View[Any], state: Any) -> bool:
    """Complete a world by what follows from its cards; whether it agrees with what was said."""
    game, me = view.game, NOBODY if view.seat is None else view.seat
    if game.complete:
        game.complete(state, view.options, me, Random(0))
    return game.consistent is None or bool(game.consistent(state, view.options, me))
