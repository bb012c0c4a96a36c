"""Going on from the middle of another match: who sits at the new table, and what is already in its journal."""

from __future__ import annotations

from collections.abc import Sequence

from upcard.engine.events import Event
from upcard.table.errors import Unacceptable
from upcard.table.journal import AnyEntry, Happened, Seated
from upcard.table.seats import Place, computer


def before(events: Sequence[Event], number: int) -> Sequence[Event]:
    """The first events of a match, after which somebody plays on. Raises Unacceptable where nothing came after."""
    if number >= len(events):
        raise Unacceptable("Nothing was played after that: choose an earlier moment to play on from")
    return events[:number]


def around(me: Place, seat: int, players: int, level: str, levels: Sequence[str]) -> list[Place]:
    """Somebody at a seat, computer players at all others. Raises Unacceptable."""
    if seat >= players:
        raise Unacceptable(f"There is no seat {seat}")
    places: list[Place] = []
    for one in range(players):
        places.append(me if one == seat else computer(level, [*places, me], levels))
    return places


def begun(places: Sequence[Place], events: Sequence[Event]) -> list[AnyEntry]:
    """The journal of a table at which these people have sat down and this has happened."""
    seated: list[AnyEntry] = [Seated(seat=seat, place=place) for seat, place in enumerate(places)]
    return [*seated, *(Happened(text=event.text) for event in events)]
