"""Browser windows on rooms, for tests."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import msgspec
import pytest
from serving import Person
from waiting import PATIENCE
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from upcard.house.room_bodies import RoomMessage, RoomShown, RoomView
from upcard.table.messages import ChatMessage

_reader = msgspec.json.Decoder(RoomMessage)


class RoomLine:
    """A browser's window on a room."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self.texts: list[str] = []

    async def next(self) -> RoomMessage:
        """The next message. Raises ConnectionClosed."""
        text = await asyncio.wait_for(self._line.recv(decode=True), PATIENCE)
        self.texts.append(text)
        message: RoomMessage = _reader.decode(text)
        return message

    async def until(self, enough: Callable[[Any], object]) -> Any:
        """The next message that is enough."""
        async with asyncio.timeout(PATIENCE):
            while not enough(message := await self.next()):
                pass
        return message

    async def shown(self, holds: Callable[[RoomView], object]) -> RoomView:
        """The room once it is shown so."""
        message = await self.until(lambda message: isinstance(message, RoomShown) and holds(message.room))
        room: RoomView = message.room
        return room

    async def hear(self) -> ChatMessage:
        """The next words."""
        message = await self.until(lambda message: isinstance(message, ChatMessage))
        assert isinstance(message, ChatMessage)
        return message

    async def say(self, text: str) -> None:
        await self._line.send(text)

    async def closed(self) -> tuple[int, str]:
        """The code and the reason with which the server closes the line."""
        with pytest.raises(ConnectionClosed) as closing:
            await self.until(lambda message: False)
        assert closing.value.rcvd is not None
        return closing.value.rcvd.code, closing.value.rcvd.reason


@asynccontextmanager
async def watched(person: Person, room: str, **headers: str) -> AsyncIterator[RoomLine]:
    """A window of somebody on a room."""
    cookies = {cookie.name: cookie.value or "" for cookie in person.http.cookies.jar}
    cookie = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())} if cookies else {}
    address = f"ws://{person.place}/api/rooms/{room}/live"
    sent = person.forwarded | cookie | headers
    async with connect(address, additional_headers=sent, open_timeout=PATIENCE) as line:
        if "upcard" not in cookies and line.response is not None:
            given = re.match(r"upcard=([\w-]+);", line.response.headers.get("Set-Cookie", ""))
            person.http.cookies = httpx.Cookies({"upcard": given[1]} if given else {})
        yield RoomLine(line)


async def opened(person: Person) -> dict[str, Any]:
    """A room that this person has opened."""
    answer = await person.http.post("/api/rooms", json={"name": person.name})
    assert answer.status_code == 201, answer.text
    room: dict[str, Any] = answer.json()
    return room
