"""The rooms of a server, shared with other servers on the same database, and their connections to browsers."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from upcard.house.bodies import Ping
from upcard.house.room_bodies import RoomMessage
from upcard.house.room_windows import RoomWindow
from upcard.house.rooms import Rooms
from upcard.languages.localizing import reader
from upcard.server.limits import Doorkeeper, client_of
from upcard.server.live import BURST, MESSAGES_PER_SECOND, REFUSED, SIGNED_OUT, LiveTables, close_reason
from upcard.server.pacing import MESSAGE, SENDING, Pacing
from upcard.server.room_storage import RoomStorage
from upcard.server.storage import Store
from upcard.server.uvicorn_protocols import GONE
from upcard.table.messages import Alive, Aside

if TYPE_CHECKING:
    from upcard.server.peer_channel import Neighbours

ROOM_DAYS = 30
"""Days without a change after which a room is deleted at the latest."""
A_DAY = 86_400.0
MOST_ROOM_WAITING = 64
"""Messages that may queue up for a slow browser before it is disconnected; it reconnects and is sent the room."""
_pings = msgspec.json.Decoder(Ping)


class LiveRooms(Rooms):
    """The rooms of a server, with its neighbours: those who look at a room are announced like those at a table."""

    def __init__(self, store: Store, tables: LiveTables, doorkeeper: Doorkeeper) -> None:
        self._storage = RoomStorage(store)
        super().__init__(self._storage, tables, doorkeeper)
        self._neighbours: Neighbours | None = None
        self._pacing = Pacing(doorkeeper)
        self._connections: set[RoomConnection] = set()

    async def connect(
        self, socket: WebSocket[Any, Any, Any], room_id: str, identity: str, device: str | None = None
    ) -> None:
        """Connect a browser window with a room until one side closes the connection. Raises Refusal if there is no such
        room, or no place for the window."""
        connection = RoomConnection(socket, identity, device, self._pacing)
        await self.join(room_id, connection.window)
        self._connections.add(connection)
        try:
            await connection.talk()
        finally:
            self._connections.discard(connection)
            self.leave(room_id, connection.window)

    def sign_out(self, owners: Mapping[str, str], why: str) -> None:
        """Close the connections of devices that have become somebody else's; `owners` are the persons, by device."""
        for connection in self._connections:
            identity = connection.window.identity
            if owners.get(connection.device or "", identity) != identity:
                connection.sign_out(why)

    def meet(self, neighbours: Neighbours) -> None:
        """Share the presence of members with other servers from now on."""
        self._neighbours = neighbours

    async def forget(self, keep_days: int | None) -> int:
        """Delete some of the expired rooms; returns how many. Raises NotWritten."""
        return await self._storage.forget_rooms(time.time() - room_days(keep_days) * A_DAY)

    # ------------------------------------------------------------------------------------------------- other servers

    def _came(self, room_id: str, identity: str) -> None:
        if self._neighbours is not None:
            self._neighbours.came(room_id, identity)

    def _went(self, room_id: str, identity: str) -> None:
        if self._neighbours is not None:
            self._neighbours.went(room_id, identity)

    def _elsewhere(self, room_id: str) -> frozenset[str]:
        return frozenset() if self._neighbours is None else self._neighbours.at(room_id)

    def _spread(self, room_id: str, message: Aside) -> None:
        if self._neighbours is not None:
            self._neighbours.say(room_id, None, message)

    def stir_around(self, place: str | None) -> None:
        """Show anew what may have changed through another server: the room with this id, the rooms that play at the
        table with this id, or all rooms for None."""
        for room_id, windows in self._open.items():
            if place in (None, room_id, windows.table):
                self.stir(room_id)


class Hearing:
    """Receives what `Neighbours` report, for the tables and the rooms of a server."""

    def __init__(self, tables: LiveTables, rooms: LiveRooms) -> None:
        self._tables = tables
        self._rooms = rooms

    def hear(self, place: str | None) -> None:
        """Called when another server has written to a table or a room; None: perhaps to any."""
        self._tables.hear(place)
        self._rooms.stir_around(place)

    def people_stirred(self, place: str) -> None:
        """Called when the people who look at a table or a room through other servers have changed."""
        self._tables.people_stirred(place)
        self._rooms.stir_around(place)

    def hear_aside(self, place: str, to: str | None, message: Aside) -> None:
        """Called with a message for those who look at a table or a room: for one person, or for all if `to` is None."""
        self._tables.hear_aside(place, to, message)
        self._rooms.hear_aside(place, message)


class RoomConnection:
    """One browser window on one room. It only listens, apart from asking for signs of life."""

    def __init__(self, socket: WebSocket[Any, Any, Any], identity: str, device: str | None, pacing: Pacing) -> None:
        self._socket = socket
        self.device = device
        self._pacing = pacing
        self._client = client_of(socket.scope)
        self._language = reader.get()
        self._waiting: asyncio.Queue[RoomMessage] = asyncio.Queue(MOST_ROOM_WAITING)
        self._lost = cast(asyncio.Event, (socket.scope.get("extensions") or {}).get(GONE) or asyncio.Event())
        self._closing: tuple[int, str] | None = None
        """The code and reason with which the server closes the connection."""
        self.window = RoomWindow(identity, self._hear, lambda why: self._close(REFUSED, why))

    async def talk(self) -> None:
        """Send and receive until one side closes the connection."""
        tasks = [asyncio.create_task(step) for step in (self._send(), self._receive(), self._lost.wait())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if self._closing is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._socket.close(*self._closing), 1)

    def sign_out(self, why: str) -> None:
        """Close the connection, as its browser is somebody else's device now."""
        self._close(SIGNED_OUT, why)

    def _hear(self, message: RoomMessage) -> None:
        if self._waiting.full():
            self._close(1013, "too slow")
        else:
            self._waiting.put_nowait(message)

    def _close(self, code: int, reason: str) -> None:
        self._closing = self._closing or (code, close_reason(reason))
        self._lost.set()

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, OSError):
            while True:
                message = await self._waiting.get()
                await self._pacing.pay(self._client, SENDING, seated=False)
                await self._socket.send_text(message.json(self._language))

    async def _receive(self) -> None:
        allowance, last = BURST, time.monotonic()
        while True:
            event = await self._socket.receive()
            if event["type"] != "websocket.receive":
                return
            now = time.monotonic()
            allowance, last = min(BURST, allowance + (now - last) * MESSAGES_PER_SECOND) - 1, now
            await self._pacing.pay(self._client, MESSAGE, seated=False)
            try:
                _pings.decode(event.get("text") or event.get("bytes") or "")
            except (ValueError, RecursionError):
                allowance = -1.0
            if allowance < 0:
                self._close(REFUSED, "This page sent messages that a room does not understand: reload it")
                return
            self._hear(Alive(round(time.time(), 3)))


def room_days(keep_days: int | None) -> int:
    """Days without a change after which a room is deleted, in a house that keeps tables for this many days."""
    return ROOM_DAYS if keep_days is None else min(keep_days, ROOM_DAYS)
