"""The rooms of a server, shared with other servers on the same database."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from upcard.house.rooms import Rooms
from upcard.server.limits import Doorkeeper
from upcard.server.live import LiveTables
from upcard.server.room_storage import RoomStorage
from upcard.server.storage import Store

if TYPE_CHECKING:
    from upcard.server.peer_channel import Neighbours

ROOM_DAYS = 30
"""Days without a change after which a room is deleted at the latest."""
A_DAY = 86_400.0


class LiveRooms(Rooms):
    """The rooms of a server, with its neighbours: those who look at a room are announced like those at a table."""

    def __init__(self, store: Store, tables: LiveTables, doorkeeper: Doorkeeper) -> None:
        self._storage = RoomStorage(store)
        super().__init__(self._storage, tables, doorkeeper)
        self._neighbours: Neighbours | None = None

    def meet(self, neighbours: Neighbours) -> None:
        """Share the presence of members with other servers from now on."""
        self._neighbours = neighbours

    async def forget(self, keep_days: int | None) -> int:
        """Delete some of the expired rooms; returns how many. Raises NotWritten."""
        return await self._storage.forget_rooms(time.time() - room_days(keep_days) * A_DAY)

    def _came(self, room_id: str, identity: str) -> None:
        if self._neighbours is not None:
            self._neighbours.came(room_id, identity)

    def _went(self, room_id: str, identity: str) -> None:
        if self._neighbours is not None:
            self._neighbours.went(room_id, identity)

    def _elsewhere(self, room_id: str) -> frozenset[str]:
        return frozenset() if self._neighbours is None else self._neighbours.at(room_id)


def room_days(keep_days: int | None) -> int:
    """Days without a change after which a room is deleted, in a house that keeps tables for this many days."""
    return ROOM_DAYS if keep_days is None else min(keep_days, ROOM_DAYS)
