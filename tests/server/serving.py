"""A running server for the tests, and people who play on it."""

from __future__ import annotations

import asyncio
import itertools
import queue
import re
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx
import msgspec
import uvicorn
from waiting import PATIENCE
from websockets.asyncio.client import ClientConnection, connect

from upcard.server import configure
from upcard.server.app import Application
from upcard.server.hosting import Hosting
from upcard.server.storage import url_of
from upcard.table.changes import applied
from upcard.table.messages import Accepted, AnyMessage, EventHappened, Refused, TableChanged, TableView, Welcome
from upcard.table.pledges import digest
from upcard.table.scene import SceneView

_reader = msgspec.json.Decoder(AnyMessage)
ADDRESSES = (f"10.{number >> 8 & 255}.{number & 255}.1" for number in itertools.count(1))
"""An address for each person, every one in a network of its own."""
ME, COMPUTER, OPEN = {"who": "me"}, {"who": "computer", "level": "casual"}, {"who": "open"}


@asynccontextmanager
async def served(folder: Path, **more: Any) -> AsyncIterator[str]:
    """The application over the tables in a folder, at a free port, in this event loop: its `host:port`.

    Unless the test names its proxies, it believes the addresses that people here send.
    """
    listening = socket.create_server(("127.0.0.1", 0))
    hosting = Hosting(more.pop("database", None) or url_of(folder), **({"proxies": ("127.0.0.1",)} | more))
    async with running_server(hosting, listening):
        yield f"127.0.0.1:{listening.getsockname()[1]}"


@asynccontextmanager
async def running_server(hosting: Hosting, *listening: socket.socket) -> AsyncIterator[None]:
    """The application with these settings behind these listeners, in this event loop."""
    server = uvicorn.Server(configure(Application(hosting), hosting))
    running = asyncio.create_task(server.serve(sockets=[*listening]))
    async with asyncio.timeout(PATIENCE):
        while not server.started:
            await asyncio.sleep(0.01)
    try:
        yield
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


M = TypeVar("M", bound=AnyMessage)


class Person:
    """Somebody with a browser: cookies, and a line to at most one table."""

    def __init__(
        self, place: str, name: str, tls: ssl.SSLContext | None = None, *, address: str | None = "of their own"
    ) -> None:
        """`tls` is what certificates are checked with, where the place has one.

        `address` is the one from which a proxy would say that this person comes; None for no proxy.
        """
        self.place = place
        self.name = name
        self.tls = tls
        scheme = "http" if tls is None else "https"
        self.forwarded = (
            {} if address is None else {"X-Forwarded-For": address.replace("of their own", next(ADDRESSES))}
        )
        self.http = httpx.AsyncClient(
            base_url=f"{scheme}://{place}", timeout=PATIENCE, verify=tls or True, headers=self.forwarded
        )
        self.nonce: str | None = None
        """What this person gives to the shuffles."""
        self.table = ""
        self.invite: str | None = None
        self.line: ClientConnection | None = None
        self.texts: list[str] = []
        """What came over the line, as it came."""
        self.messages: list[AnyMessage] = []
        self.seq = 0
        self._scene: SceneView | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.hang_up()
        await self.http.aclose()

    async def open(self, *seats: dict[str, Any], game: str = "sixty-six", **options: Any) -> TableView:
        """Make a table."""
        wish = {"game": game, "players": len(seats), "options": options, "name": self.name, "seats": seats}
        wish["pledge"] = self.pledge
        answer = await self.http.post("/api/tables", json=wish)
        assert answer.status_code == 201, answer.text
        table = msgspec.json.decode(answer.content, type=TableView)
        self.table, self.invite = table.id, table.invite
        return table

    async def act(self, do: str, **more: Any) -> httpx.Response:
        """Ask something of the table."""
        return await self.http.post(f"/api/tables/{self.table}/actions", json={"do": do} | more)

    async def sit(self, table: TableView, seat: int | None = None) -> httpx.Response:
        """Take a seat, by the invitation of somebody who sits there."""
        self.table = table.id
        return await self.act("sit", name=self.name, seat=seat, invite=table.invite, pledge=self.pledge)

    @property
    def pledge(self) -> str | None:
        return None if self.nonce is None else digest(self.nonce)

    async def reveal(self, table: TableView) -> None:
        """Give one's nonce, if the table waits for it."""
        if table.shuffles is not None and table.you in table.shuffles.waits_for:
            assert (await self.act("reveal", nonce=self.nonce)).status_code == 200

    @property
    def scene(self) -> SceneView:
        """What this person sees, put together from what came over the line."""
        assert self._scene is not None
        return self._scene

    @property
    def moves(self) -> list[str]:
        """What this person may play now, as texts; of a choice of cards the first."""
        offers = self.scene.offers
        picks = [" ".join([pick.verb, *pick.cards[: pick.sizes[0]]]).strip() for pick in offers.picks]
        return [move.text for move in offers.moves] + picks

    async def look(self, table: str = "", **headers: str) -> Welcome:
        """Open a line to the table; its welcome."""
        await self.hang_up()
        cookies = {cookie.name: cookie.value or "" for cookie in self.http.cookies.jar}
        cookie = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())} if cookies else {}
        scheme = "ws" if self.tls is None else "wss"
        address = f"{scheme}://{self.place}/api/tables/{table or self.table}/play"
        sent = self.forwarded | cookie | headers
        self.line = await connect(address, additional_headers=sent, open_timeout=PATIENCE, ssl=self.tls)
        assert self.line.response is not None
        if given := re.match(r"upcard=([\w-]+);", self.line.response.headers.get("Set-Cookie", "")):
            self.http.cookies = httpx.Cookies(cookies | {"upcard": given[1]})
        return await self.hear(Welcome)

    async def hang_up(self) -> None:
        if self.line is not None:
            await self.line.close()
            self.line = None

    async def next(self) -> AnyMessage:
        """The next message of the table."""
        assert self.line is not None
        text = await asyncio.wait_for(self.line.recv(decode=True), PATIENCE)
        message: AnyMessage = _reader.decode(text)
        self.texts.append(text)
        self.messages.append(message)
        if isinstance(message, Welcome):
            self.seq, self._scene = message.seq, message.scene
        elif isinstance(message, (EventHappened, TableChanged)):
            assert message.base == self.seq
            self.seq, self._scene = message.seq, applied(self.scene, message.changes)
        return message

    async def hear(self, kind: type[M]) -> M:
        """The next message of this kind; what comes before it is noted."""
        message = await self.until(lambda message: isinstance(message, kind))
        assert isinstance(message, kind)
        return message

    async def until(self, enough: Callable[[Any], Any]) -> Any:
        """The next message that is enough."""
        async with asyncio.timeout(PATIENCE):
            while not enough(message := await self.next()):
                pass
        return message

    async def say(self, message: Any) -> None:
        """Send something, whatever it is."""
        assert self.line is not None
        await self.line.send(message if isinstance(message, (str, bytes)) else msgspec.json.encode(message).decode())

    async def move(self, text: str, move_id: str = "", seq: int | None = None) -> Accepted | Refused:
        """Make a move; the answer to it. If it was made, the event has been heard too."""
        seq = self.seq if seq is None else seq
        name = move_id or f"{self.name} {seq} {text}"
        await self.say({"type": "move", "id": name, "seq": seq, "text": text})
        answer: Accepted | Refused = await self.until(lambda message: getattr(message, "id", None) == name)
        async with asyncio.timeout(PATIENCE):
            while isinstance(answer, Accepted) and self.seq < answer.seq:
                await self.next()
        return answer

    async def my_turn(self) -> bool:
        """Wait until there is something to do; False when the match is over."""
        async with asyncio.timeout(PATIENCE):
            while not self.moves and not self.scene.done:
                await self.next()
        return not self.scene.done

    async def begun(self) -> None:
        """Wait until somebody is to act."""
        async with asyncio.timeout(PATIENCE):
            while not self.scene.to_act:
                await self.next()

    async def up_to(self, seq: int) -> None:
        """Wait until this entry has been heard of."""
        async with asyncio.timeout(PATIENCE):
            while self.seq < seq:
                await self.next()
