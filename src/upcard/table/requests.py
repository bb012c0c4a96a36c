"""What is granted to a person who asks something of a table: an action and where the table stands, in; entries, out.

Nothing here writes or tells. Each function raises Refusal if it cannot be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from upcard.table import actions
from upcard.table.errors import Forbidden, Refusal, Taken, Unacceptable
from upcard.table.journal import AnyEntry, Seated
from upcard.table.seats import Place, clean_name, computer, is_full, seat_of
from upcard.table.standing import Standing
from upcard.table.summary import Now, is_host

A = TypeVar("A")


@dataclass(frozen=True)
class Asker:
    """Who asks, and what must be known to decide it."""

    identity: str | None
    standing: Standing
    now: Now
    time: float
    levels: Sequence[str]

    @property
    def places(self) -> list[Place]:
        return self.standing.seating.places

    @property
    def seat(self) -> int | None:
        return seat_of(self.places, self.identity)

    def need_host(self) -> None:
        if not is_host(self.standing.seating, self.identity):
            raise Forbidden("Only the host of the table can do this")

    def need_seat(self, seat: int) -> Place:
        """The place of this number."""
        if seat not in range(len(self.places)):
            raise Unacceptable(f"There is no seat {seat}")
        return self.places[seat]


def decide(asker: Asker, action: actions.AnyAction) -> list[AnyEntry]:
    """The entries that grant what is asked. Raises Refusal."""
    grant = _GRANTS.get(type(action))
    if grant is None:
        raise Refusal("This cannot be done yet")
    return grant(asker, action)


def _sit(asker: Asker, action: actions.Sit) -> list[AnyEntry]:
    mine = asker.seat
    if mine is not None and action.seat in (None, mine):
        return []
    if mine is not None:
        raise Taken(f"You sit at seat {mine} already")
    if action.seat is not None:
        asker.need_seat(action.seat)
    free = [i for i, place in enumerate(asker.places) if place.who == "open"]
    if not free or (action.seat is not None and action.seat not in free):
        raise Taken("This seat is taken" if free else "All seats are taken")
    place = Place("person", clean_name(action.name, asker.places), None, asker.identity)
    return [Seated(seat=free[0] if action.seat is None else action.seat, place=place)]


def _fill(asker: Asker, action: actions.Fill) -> list[AnyEntry]:
    asker.need_host()
    if action.seat is not None and asker.need_seat(action.seat).who not in ("open", "held"):
        raise Taken("This seat is taken")
    if is_full(asker.places):
        raise Taken("All seats are taken")
    places, entries = [*asker.places], list[AnyEntry]()
    for seat, place in enumerate(places):
        if place.who in ("open", "held") and action.seat in (None, seat):
            places[seat] = computer(action.level, places, asker.levels)
            entries.append(Seated(seat=seat, place=places[seat]))
    return entries


_GRANTS: dict[type, Callable[[Asker, Any], list[AnyEntry]]] = {
    actions.Sit: _sit,
    actions.Fill: _fill,
}
