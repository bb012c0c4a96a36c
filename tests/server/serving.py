"""A served application for the tests, and people who play at it."""

from __future__ import annotations

import asyncio
import json
import queue
import re
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import httpx
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from upcard.server import configure
from upcard.server.app import create_app
from upcard.server.storage import url_of

PATIENCE = 15.0
"""Seconds that a test waits for an answer before it fails."""
ME, COMPUTER, OPEN = {"who": "me"}, {"who": "computer", "level": "casual"}, {"who": "open"}


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[str]:
    """The application over the tables in a folder, at a free port, in this event loop: its `host:port`."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(configure(create_app(url_of(folder))))
    running = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield f"127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await running


def serve_in_thread(folder: Path) -> tuple[str, Callable[[], None]]:
    """The same in a thread of its own: its `host:port`, and what ends it."""
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    ended = threading.Event()

    async def serve() -> None:
        async with served(folder) as place:
            told.put(place)
            await asyncio.to_thread(ended.wait)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()

    def end() -> None:
        ended.set()
        thread.join()

    return told.get(timeout=PATIENCE), end


class Person:
    """Somebody with a browser: cookies, and a line to at most one table."""

    def __init__(self, place: str, name: str) -> None:
        self.place = place
        self.name = name
        self.http = httpx.AsyncClient(base_url=f"http://{place}", timeout=PATIENCE)
        self.table = ""
        self.line: ClientConnection | None = None
        self.messages: list[dict[str, Any]] = []
        self.seq = 0
        self.scene: dict[str, Any] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.hang_up()
        await self.http.aclose()

    async def open(self, *seats: dict[str, Any], game: str = "sixty-six", **options: Any) -> dict[str, Any]:
        """Make a table."""
        wish = {"game": game, "players": len(seats), "options": options, "name": self.name, "seats": seats}
        answer = await self.http.post("/api/tables", json=wish)
        assert answer.status_code == 201, answer.text
        table: dict[str, Any] = answer.json()
        self.table = table["id"]
        return table

    async def sit(self, table: str, seat: int | None = None) -> httpx.Response:
        self.table = table
        return await self.http.post(f"/api/tables/{table}/sit", json={"name": self.name, "seat": seat})

    async def look(self, table: str = "", **headers: str) -> dict[str, Any]:
        """Open a line to the table; its welcome."""
        await self.hang_up()
        secret = self.http.cookies.get("upcard")
        cookie = {"Cookie": f"upcard={secret}"} if secret else {}
        address = f"ws://{self.place}/api/tables/{table or self.table}/play"
        self.line = await connect(address, additional_headers=cookie | headers, open_timeout=PATIENCE)
        assert self.line.response is not None
        given = re.match(r"upcard=([\w-]+);", self.line.response.headers["Set-Cookie"])
        self.http.cookies = httpx.Cookies({"upcard": given[1]} if given else {})
        return await self.hear("welcome")

    async def hang_up(self) -> None:
        if self.line is not None:
            await self.line.close()
            self.line = None

    async def next(self) -> dict[str, Any]:
        """The next message of the table."""
        assert self.line is not None
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.line.recv(), PATIENCE))
        self.messages.append(message)
        if "scene" in message:
            self.seq, self.scene = message["seq"], message["scene"]
        return message

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next message of this type; what comes before it is noted."""
        return await self.until(lambda message: message["type"] == kind)

    async def until(self, enough: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        while not enough(message := await self.next()):
            pass
        return message

    async def say(self, move: Any) -> None:
        """Send something, whatever it is."""
        assert self.line is not None
        await self.line.send(move if isinstance(move, (str, bytes)) else json.dumps(move))

    async def move(self, text: str, move_id: str = "", seq: int | None = None) -> dict[str, Any]:
        """Make a move; the answer to it. If it was made, the event has been heard too."""
        seq = self.seq if seq is None else seq
        name = move_id or f"{self.name} {seq} {text}"
        await self.say({"type": "move", "id": name, "seq": seq, "text": text})
        answer = await self.until(lambda message: message.get("id") == name)
        while self.seq < answer.get("seq", 0):
            await self.next()
        return answer

    async def my_turn(self) -> bool:
        """Wait until there is something to do; False when the match is over."""
        while not self.scene["moves"] and not self.scene["done"]:
            await self.next()
        return not self.scene["done"]
