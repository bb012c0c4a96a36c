"""The context of a request: who asks for an action at a table, and everything needed to decide on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from upcard.table.errors import Forbidden, Refusal, Unacceptable
from upcard.table.seats import Occupant, seat_of
from upcard.table.state import TableState
from upcard.table.summary import Now, is_host


@dataclass(frozen=True)
class RequestContext:
    """A person who asks, the state of the table, and the time. The `need_` methods raise Refusal."""

    identity: str | None
    state: TableState
    now: Now
    time: float
    levels: Sequence[str]

    @property
    def places(self) -> list[Occupant]:
        return self.state.seating.places

    @property
    def seat(self) -> int | None:
        return seat_of(self.places, self.identity)

    def need_host(self) -> None:
        if not is_host(self.state.seating, self.identity):
            raise Forbidden("Only the host of the table can do this")

    def need_seat(self, seat: int) -> Occupant:
        """The place at a seat. Raises Unacceptable if there is no such seat."""
        if seat not in range(len(self.places)):
            raise Unacceptable(f"There is no seat {seat}")
        return self.places[seat]

    def need_own_seat(self) -> int:
        """The person's seat. Raises Forbidden for spectators."""
        if self.seat is None:
            raise Forbidden("You have no seat at this table: you are only watching")
        return self.seat

    def need_going_on(self) -> None:
        if self.state.done:
            raise Refusal("The match is over")
