"""Tables that play on from the middle of another match: their seats and first journal entries."""

from __future__ import annotations

from collections.abc import Sequence

from upcard.engine.events import Event
from upcard.table.errors import Unacceptable
from upcard.table.journal import AnyEntry, Happened, Seated
from upcard.table.seats import Occupant, computer


def before(events: Sequence[Event], number: int) -> Sequence[Event]:
    """The first `number` events of a match, to play on from. Raises Unacceptable if no event followed them."""
    if number >= len(events):
        raise Unacceptable("Nothing was played after that: choose an earlier moment to play on from")
    return events[:number]


def around(me: Occupant, seat: int, players: int, level: str, levels: Sequence[str]) -> list[Occupant]:
    """The places of a table with `me` at `seat` and computer players in all other seats. Raises Unacceptable."""
    if seat >= players:
        raise Unacceptable(f"There is no seat {seat}")
    places: list[Occupant] = []
    for other in range(players):
        places.append(me if other == seat else computer(level, [*places, me], levels))
    return places


def begun(places: Sequence[Occupant], events: Sequence[Event]) -> list[AnyEntry]:
    """The journal entries that seat these players and replay these events."""
    seated: list[AnyEntry] = [Seated(seat=seat, place=place) for seat, place in enumerate(places)]
    return [*seated, *(Happened(text=event.text) for event in events)]
