"""Enumerate the worlds of an endgame, up to differences that do not matter.

Most unseen cards of an endgame are where nobody will play them, and among those in play often only the order within a
suit matters. So hands are filled one card at a time, always with the lowest of a run of equivalent cards: with any
other choice the deal would continue in the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Any

from upcard.engine.views import View
from upcard.engine.worlds import Arrangements, luck_decides, worlds_for
from upcard.rules.cards import Card, Cards, bit, suit_of
from upcard.rules.game import Game
from upcard.rules.state import NOBODY

Slot = tuple[int, int, int]
"""The cards it accepts (a bit as in `Arrangements.kinds`, 0 for any), its place, and its number of cards."""
EVERY: Cards = -1
"""All cards are distinct: none is equivalent to another."""
FOLD = 4
"""The most arrangements examined, per world allowed."""


class GaveUp(Exception):
    """A proof exceeds its limits, or would depend on chance."""


@dataclass(frozen=True)
class EndgameSymmetry:
    """The differences between worlds that can be disregarded in the endgames of a game."""

    idle: Collection[str] = ()
    """The names of the fields with cards out of play."""
    drawn: int = 0
    """The most cards that may be drawn from a face-down pile in play; the cards below do not matter."""
    equates: bool = False
    """Whether neighbours in a suit are equivalent, except for those that the game sets `apart`."""


def ending_of(game: type[Game[Any]]) -> EndgameSymmetry:
    """The declarations about endgames in a game's class."""
    return EndgameSymmetry(game.IDLE, game.DRAWN, game.defines("apart"))


def worlds(view: View[Any], ending: EndgameSymmetry, most: int) -> list[Any] | None:
    """The worlds of a view, one of each class of equivalent worlds; None if there are more than `most`, or if something
    other than cards has to be sampled. Raises NoWorld, and GaveUp if cards out of play cannot be distributed."""
    chosen: dict[tuple[tuple[Card, ...], ...], tuple[Arrangements, list[list[Card]]]] = {}
    looked = 0
    for one in worlds_for(view).widest:
        live, out = slots(one, ending)
        for filled in patterns(runs_of(one, ending.equates), live, out) if one.possible else ():
            chosen.setdefault(by_place(one, live, filled), (one, [[*cards] for cards in filled]))
            looked += 1
            if len(chosen) > most or looked > FOLD * most:
                return None
    together = [put_together(one, ending, filled) for one, filled in chosen.values()]
    if any(luck_decides(view, state) for state in together):
        return None
    return [state for state in together if fits(view, state)]


def by_place(one: Arrangements, live: Sequence[Slot], filled: Sequence[Sequence[Card]]) -> tuple[tuple[Card, ...], ...]:
    """The cards by place, in a canonical form: hands sorted, piles in their order."""
    cards_at = [[*place.seen] for place in one.places]
    for (_, at, _), cards in zip(live, filled, strict=True):
        cards_at[at] += cards
    return tuple(
        tuple(cards if place.seat == NOBODY else sorted(cards))
        for place, cards in zip(one.places, cards_at, strict=True)
    )


def slots(one: Arrangements, ending: EndgameSymmetry) -> tuple[list[Slot], list[Slot]]:
    """The slots in which cards matter (in a pile, one for each card that may be drawn), and those in which they do
    not."""
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


def runs_of(one: Arrangements, equates: bool) -> list[list[tuple[Card, int]]]:
    """The unseen cards with their kinds, in runs of equivalent cards: neighbours in a suit with no card between them
    that is seen in a hand or in the trick."""
    alone = alone_in(one.view, equates)
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


def alone_in(view: View[Any], equates: bool) -> Cards:
    """The cards not equivalent to any other: those that the game sets apart, and those that the seat sees in hands and
    in the trick."""
    if not equates:
        return EVERY
    state = view.state
    cards = view.setup.apart(state)
    for seat in range(state.players):
        cards |= sum(bit(card) for card in view.hand(seat) if card is not None)
        if state.in_trick >> seat & 1:
            cards |= bit(state.card[seat])
    return cards


def patterns(
    runs: Sequence[Sequence[tuple[Card, int]]], live: Sequence[Slot], out: Sequence[Slot]
) -> Iterator[list[list[Card]]]:
    """All ways to fill the live slots, always with the lowest cards of a run, that leave enough cards for the slots out
    of play."""
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
    """By the cards that a slot accepts, the largest number of them that can be in play."""

    def fill_from(at: int) -> Iterator[list[list[Card]]]:
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
        yield from fill_from(ends[at])
        fits = [allowed for allowed, row in fitting.items() if row[at]]
        if any(spare[allowed] == 0 for allowed in fits):
            return
        for allowed in fits:
            spare[allowed] -= 1
        for k, (allowed, _, number) in enumerate(live):
            if len(filled[k]) < number and fitting[allowed][at]:
                filled[k].append(flat[at][0])
                yield from fill_from(at + 1)
                filled[k].pop()
        for allowed in fits:
            spare[allowed] += 1

    return fill_from(0)


def put_together(one: Arrangements, ending: EndgameSymmetry, filled: Sequence[list[Card]]) -> Any:
    """The state with these cards in the live slots, and the other cards anywhere."""
    live, out = slots(one, ending)
    rest = dict(enumerate(zip(one.unseen, one.kinds, strict=True)))
    for (allowed, _, _), cards in sorted(zip(live, filled, strict=True), key=lambda one: -one[0][0]):
        for card in cards:
            fitting = [at for at, (other, kind) in rest.items() if other == card and not allowed & ~kind]
            del rest[min(fitting, key=lambda at: rest[at][1])]  # of equal cards, the one that fits fewer slots
    dealt = [[*place.seen] for place in one.places]
    for allowed, at, number in sorted(out, reverse=True):
        taken = [other for other, (_, kind) in rest.items() if not allowed & ~kind][:number]
        if len(taken) < number:
            raise GaveUp
        dealt[at] += [rest.pop(other)[0] for other in taken]
    for (_, at, _), cards in zip(live, filled, strict=True):
        dealt[at] += cards
    state = one.base()
    for place, cards in zip(one.places, dealt, strict=True):
        one.put(state, place, cards)
    return state


def fits(view: View[Any], state: Any) -> bool:
    """Fill in what follows from a world's cards; returns whether it is consistent with what players have claimed."""
    me = NOBODY if view.seat is None else view.seat
    view.setup.complete(state, me, Random(0))
    return bool(view.setup.consistent(state, me))
