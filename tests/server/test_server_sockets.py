"""WebSockets are paced: what one address asks for costs it a budget, and holds up nobody else."""

import asyncio
import gc
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self, cast
from weakref import WeakSet

import pytest
import uvicorn
from serving import COMPUTER, ME, OPEN, Person, served
from uvicorn.server import ServerState
from waiting import PATIENCE
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.http11 import Request

from upcard.server import live
from upcard.server.hosting import Limits
from upcard.server.limits import MOST_LOOP, RESERVE, Doorkeeper
from upcard.server.live import REFUSED
from upcard.server.pacing import EVENT, MESSAGE, WELCOME
from upcard.server.uvicorn_protocols import MOST_FRAMES, SPELL, WRITE, GatheringProtocol, text_frame
from upcard.table.clients import Clients
from upcard.table.messages import Accepted, Alive, Refused, Welcome
from upcard.table.seats import Occupant

EVE, NEIGHBOUR, ANN = "192.0.2.1", "192.0.2.2", "198.51.100.1"
LOOK = {"type": "look"}


class Keeper(Doorkeeper):
    """A doorkeeper whose time goes by only when a test says so, and who notes what is charged."""

    now = 0.0

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits, clock=lambda: self.now)
        self.charged = defaultdict[str | None, float](float)

    def loop_time(self, client: str | None, seconds: float, *, seated: bool) -> float:
        wait = super().loop_time(client, seconds, seated=seated)
        self.charged[client] += seconds if not wait else 0.0
        return wait

    def use_up(self, client: str) -> None:
        """Leave an address only the part of its budget that is reserved for people at their table."""
        while not self.loop_time(client, MESSAGE, seated=False):
            pass


class Hall:
    """A running server with its doorkeeper."""

    def __init__(self, place: str, keeper: Keeper, stack: AsyncExitStack) -> None:
        self.place = place
        self.keeper = keeper
        self._stack = stack

    async def person(self, name: str, address: str) -> Person:
        return await self._stack.enter_async_context(Person(self.place, name, address=address))

    async def sockets(self, number: int) -> None:
        """Wait until so many are open."""
        async with asyncio.timeout(PATIENCE):
            while self.keeper.sockets != number:
                await asyncio.sleep(0.01)


@pytest.fixture
async def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hall]:
    async with opened_hall(tmp_path, monkeypatch) as hall:
        yield hall


@asynccontextmanager
async def opened_hall(folder: Path, monkeypatch: pytest.MonkeyPatch, **more: Any) -> AsyncIterator[Hall]:
    keepers: list[Keeper] = []

    def hire(limits: Limits) -> Keeper:
        keepers.append(Keeper(limits))
        return keepers[0]

    monkeypatch.setattr("upcard.server.app.Doorkeeper", hire)
    async with served(folder, **more) as place, AsyncExitStack() as stack:
        yield Hall(place, keepers[0], stack)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """For whom welcomes were built."""
    people: list[str | None] = []
    build = Clients.welcome

    def counted(self: Clients, identity: str | None) -> Welcome:
        people.append(identity)
        return build(self, identity)

    monkeypatch.setattr(Clients, "welcome", counted)
    return people


async def answers(person: Person) -> list[Any]:
    """Everything that comes before the answer to a ping that is sent now."""
    before = len(person.messages)
    await person.say({"type": "ping"})
    await person.hear(Alive)
    return person.messages[before:-1]


# ------------------------------------------------------------------------------------------------------------- looking


async def test_many_looks_are_answered_once_a_second_and_the_last_with_what_is_new(
    hall: Hall, built: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LOOKS_APART", 2.0)
    ann, eve = await hall.person("Ann", ANN), await hall.person("Eve", EVE)
    await ann.open(ME, COMPUTER)
    await ann.look()
    await ann.my_turn()
    await eve.look(ann.table)
    await eve.up_to(ann.seq)
    built.clear()
    await eve.say(LOOK)
    await eve.hear(Welcome)
    for _ in range(20):
        await eve.say(LOOK)
    assert Welcome not in {type(message) for message in await answers(eve)}
    await ann.move(ann.moves[0])
    await ann.my_turn()
    await eve.up_to(ann.seq)
    welcome = await eve.hear(Welcome)
    assert welcome.seq == ann.seq
    assert not await answers(eve)
    assert len(built) <= 2


async def test_a_look_is_answered_at_once_where_the_last_was_long_ago(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LOOKS_APART", 0.0)
    ann = await hall.person("Ann", ANN)
    await ann.open(ME, OPEN)
    await ann.look()
    for _ in range(3):
        await ann.say(LOOK)
        await ann.hear(Welcome)


async def test_a_move_does_not_wait_for_a_look_that_came_before_it(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOKS_APART", 3600.0)
    ann = await hall.person("Ann", ANN)
    await ann.open(ME, COMPUTER)
    await ann.look()
    await ann.my_turn()
    for _ in range(3):
        await ann.say(LOOK)
    assert isinstance(await ann.move(ann.moves[0]), Accepted)


# ------------------------------------------------------------------------------------------------------------- budgets


async def test_everything_that_comes_or_is_built_is_charged(hall: Hall) -> None:
    ann, eve = await hall.person("Ann", ANN), await hall.person("Eve", EVE)
    charged = hall.keeper.charged

    async def cost(person: Person, message: Any) -> float:
        address = person.forwarded["X-Forwarded-For"]
        before = charged[address]
        await person.say(message)
        await person.next()
        return round(charged[address] - before, 6)

    await ann.open(ME, OPEN)
    assert not charged
    await ann.look()
    assert charged[ANN] > WELCOME
    await eve.look(ann.table)
    assert charged[EVE] > WELCOME
    assert await cost(ann, "nonsense") >= MESSAGE
    assert await cost(ann, LOOK) > WELCOME
    assert MESSAGE <= await cost(ann, {"type": "ping"}) < WELCOME
    assert MESSAGE < await cost(eve, {"type": "ping"}) < WELCOME  # and the answer to somebody who only looks on
    refused = {"type": "move", "id": "x", "seq": 0, "text": "x"}
    assert MESSAGE < await cost(eve, refused) < EVENT


async def test_a_move_costs_more_where_computer_players_answer(hall: Hall) -> None:
    costs = []
    for computers in (2, 4):
        ann = await hall.person("Ann", f"198.51.{computers}.1")
        await ann.open(ME, *[COMPUTER] * computers, game="oh-hell")
        await ann.look()
        await ann.my_turn()
        before = hall.keeper.charged[ann.forwarded["X-Forwarded-For"]]
        await ann.move("no such move")
        costs.append(hall.keeper.charged[ann.forwarded["X-Forwarded-For"]] - before)
    assert costs[1] > costs[0] > 2 * EVENT


async def test_an_address_that_has_used_up_its_budget_waits_and_nobody_else_does(
    hall: Hall, built: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LOOKS_APART", 0.0)
    players = [await hall.person(name, address) for name, address in (("Ann", ANN), ("Bo", NEIGHBOUR), ("Cy", EVE))]
    for player in players:
        await player.open(ME, COMPUTER)
        await player.look()
        await player.my_turn()
    crowd = [await hall.person("Eve", EVE) for _ in range(10)]
    for eve in crowd:
        await eve.look(players[0].table)
    for eve in crowd:
        await answers(eve)
    hall.keeper.use_up(EVE)
    built.clear()
    charged = hall.keeper.charged[EVE]
    for eve in crowd:
        for message in (LOOK, "nonsense", {"type": "ping"}):
            await eve.say(message)
    for player in players:
        for _ in range(3):
            assert isinstance(await player.move(player.moves[0]), Accepted)
            if not await player.my_turn():
                break
    heard = [len(eve.messages) for eve in crowd]
    assert not built
    assert hall.keeper.charged[EVE] - charged < MOST_LOOP * RESERVE  # which only Cy's moves could use
    hall.keeper.now += 60  # the budget is full again
    for eve, before in zip(crowd, heard, strict=True):
        await eve.until(lambda message: isinstance(message, Alive))
        assert Refused in {type(message) for message in eve.messages[before:]}


async def test_another_window_waits_where_the_budget_is_used_up(hall: Hall, built: list[str | None]) -> None:
    ann, eve = await hall.person("Ann", ANN), await hall.person("Eve", EVE)
    await ann.open(ME, OPEN)
    hall.keeper.use_up(EVE)
    opening = asyncio.create_task(eve.look(ann.table))
    await hall.sockets(1)
    await ann.look()
    assert len(built) == 1
    hall.keeper.now += 60
    await opening
    assert len(built) == 2


async def test_who_is_gone_does_not_wait_for_their_turn(hall: Hall) -> None:
    ann = await hall.person("Ann", ANN)
    await ann.open(ME, OPEN)
    crowd = [await hall.person("Eve", EVE) for _ in range(4)]
    for eve in crowd[:2]:
        await eve.look(ann.table)
    hall.keeper.use_up(EVE)
    opening = [asyncio.create_task(eve.look(ann.table)) for eve in crowd[2:]]
    for eve in crowd[:2]:
        for _ in range(3):
            await eve.say(LOOK)
    await hall.sockets(4)
    async with asyncio.timeout(PATIENCE):
        while any(eve.line is None for eve in crowd):
            await asyncio.sleep(0.01)
    for eve in crowd:
        cast(Any, eve.line).transport.abort()
    await hall.sockets(0)
    await asyncio.gather(*opening, return_exceptions=True)


async def test_the_last_place_is_given_once(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if several wait for it with their windows open."""
    monkeypatch.setattr("upcard.table.clients.MOST_WATCHING", 1)
    ann = await hall.person("Ann", ANN)
    await ann.open(ME, OPEN)
    hall.keeper.use_up(EVE)
    crowd = [await hall.person("Eve", EVE) for _ in range(3)]
    opening = [asyncio.create_task(eve.look(ann.table)) for eve in crowd]
    await hall.sockets(3)
    hall.keeper.now += 60
    results = await asyncio.gather(*opening, return_exceptions=True)
    assert sum(isinstance(result, Welcome) for result in results) == 1
    refused = [result for result in results if isinstance(result, ConnectionClosed)]
    assert all("no room for another" in str(result) for result in refused)
    assert len(refused) == 2
    for eve in crowd:
        eve.line = None


# ------------------------------------------------------------------------------------------------------- nonsense, size


async def test_who_sends_much_nonsense_is_let_go_and_told_why(
    ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MOST_NONSENSE", 3)
    await ann.open(ME, OPEN)
    await bo.look(ann.table)
    for message in ("[" * 4000, b"\xff", '{"type":"no such type"}'):
        await bo.say(message)
        await bo.hear(Refused)
    await bo.say("once more")
    with pytest.raises(ConnectionClosed, match="does not understand") as closed:
        await bo.until(lambda message: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == REFUSED


class Socket:
    """A socket whose other side takes nothing."""

    scope: dict[str, object] = {}


async def test_what_waits_for_one_browser_is_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_SIZE", 1000)
    table = SimpleNamespace(places=[])
    connection = live.Connection(cast(Any, Socket()), cast(Any, table), "eve", cast(Any, None))
    message = Refused("x" * 400, "", None)
    connection.hear(Refused("x" * 5000, "", None))  # a single one may be as long as it is
    assert not connection._lost.is_set()
    connection = live.Connection(cast(Any, Socket()), cast(Any, table), "eve", cast(Any, None))
    for _ in range(2):
        connection.hear(message)
        assert not connection._lost.is_set()
    connection.hear(message)
    assert connection._lost.is_set()


async def test_a_player_is_sent_a_message_at_once_unless_others_wait_before_it() -> None:
    written, is_open = list[bytes](), True

    def write(frame: bytes) -> bool:
        written.extend([frame] * is_open)
        return is_open

    socket = SimpleNamespace(scope={"extensions": {WRITE: write}})
    table = SimpleNamespace(places=[Occupant("person", "Ann", identity="ann")])
    player, watcher = (
        live.Connection(cast(Any, socket), cast(Any, table), who, cast(Any, None)) for who in ("ann", "eve")
    )
    first, second, third = (Refused(text, "", None) for text in ("first", "second", "third"))
    watcher.hear(first)
    player.hear(first)
    is_open = False
    player.hear(second)
    is_open = True
    player.hear(third)
    assert written == [text_frame(first.encoded())]
    assert [player._waiting.qsize(), watcher._waiting.qsize()] == [2, 1]
    del player._observer  # as when the window is closed before its move is answered
    player.hear(first)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 0xFFFF, 0x10000])
def test_a_frame_is_as_the_library_writes_it(size: int) -> None:
    for text in ("x" * size, "♥" * (size // 3)):
        assert text_frame(text.encode()) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


async def test_nothing_is_written_to_a_line_that_closes_or_is_not_read() -> None:
    for hinder in (
        lambda wire: wire.protocol.pause_writing(),
        lambda wire: wire.protocol.shutdown(),
        lambda wire: setattr(wire.protocol, "disconnected", True),
        lambda wire: setattr(wire.protocol, "close_sent", True),
        lambda wire: setattr(wire.protocol, "handshake_complete", False),
    ):
        wire = await Wire().open()
        assert wire.protocol._write(b"")
        hinder(wire)
        assert not wire.protocol._write(b"")


class Wire:
    """The transport of a connection and its event loop, both by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.soon: list[Callable[[], object]] = []
        self.later: list[float] = []
        self.is_reading = True
        self.sent = b""
        self.is_closed = False

        async def app(scope: object, receive: object, send: object) -> None: ...

        config = uvicorn.Config(app, ws_ping_interval=4.0, ws_ping_timeout=4.0)
        config.load()
        self.protocol = GatheringProtocol(config, ServerState(), {}, cast(asyncio.AbstractEventLoop, self))
        self.protocol.connection_made(cast(asyncio.Transport, self))
        self.protocol.data_received(
            b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )

    async def open(self) -> Self:
        await self.protocol.receive()
        await self.protocol.send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        self.turn()
        self.sent, self.later = b"", []
        return self

    def create_task(self, step: Coroutine[Any, Any, None]) -> asyncio.Future[None]:
        step.close()
        return asyncio.get_running_loop().create_future()

    def time(self) -> float:
        return self.now

    def call_soon(self, call: Callable[[], object]) -> None:
        self.soon.append(call)

    def call_later(self, seconds: float, call: Callable[[], object]) -> SimpleNamespace:
        self.later.append(seconds)
        return SimpleNamespace(cancel=lambda: None)

    def turn(self) -> None:
        """One turn of the loop."""
        soon, self.soon = self.soon, []
        for call in soon:
            call()

    def get_extra_info(self, name: str) -> None:
        return None

    def set_write_buffer_limits(self, high: int) -> None: ...

    def is_closing(self) -> bool:
        return self.is_closed

    def write(self, data: bytes) -> None:
        self.sent += data

    def close(self) -> None:
        self.is_closed = True

    def pause_reading(self) -> None:
        self.is_reading = False

    def resume_reading(self) -> None:
        self.is_reading = True


def framed(payload: bytes, opcode: int = 1) -> bytes:
    """A small frame as clients send it."""
    return bytes([0x80 | opcode, 0x80 | len(payload)]) + bytes(4) + payload


async def test_a_line_that_waits_for_its_turn_is_not_taken_for_dead() -> None:
    """Its answer to a ping cannot be read."""
    wire = await Wire().open()
    wire.protocol.read_paused = True
    wire.protocol.keepalive_timeout()
    assert (wire.is_closed, len(wire.later)) == (False, 1)
    wire.protocol.read_paused = False
    wire.protocol.keepalive_timeout()
    assert wire.is_closed


async def test_three_thousand_messages_in_one_packet_are_read_a_few_at_a_time() -> None:
    wire, texts = await Wire().open(), list[str]()
    wire.protocol.data_received(b"".join(framed(b"%d" % number) for number in range(3000)))
    for _ in range(3000):
        assert wire.protocol.queue.qsize() < 100
        assert wire.is_reading == (len(texts) == 3000)
        assert len(wire.soon) <= 1
        wire.turn()
        async with asyncio.timeout(PATIENCE):
            while not wire.protocol.queue.empty():
                texts.append(str((await wire.protocol.receive())["text"]))  # type: ignore[typeddict-item]
    assert texts == [str(number) for number in range(3000)]
    assert wire.is_reading


async def test_a_long_message_in_several_packets_is_read_whole() -> None:
    wire, text = await Wire().open(), "x" * 4000
    frame = bytes([0x81, 0x80 | 126]) + (4000).to_bytes(2, "big") + bytes(4) + text.encode()
    for start in range(0, len(frame), 1500):
        wire.protocol.data_received(frame[start : start + 1500])
        wire.turn()
    for _ in range(10):
        wire.turn()
    assert await asyncio.wait_for(wire.protocol.receive(), PATIENCE) == {"type": "websocket.receive", "text": text}
    assert wire.is_reading


@pytest.mark.parametrize("frame", [framed(b"", 9), framed(b"", 10), bytes([0, 0x80]) + bytes(4)])
async def test_who_sends_many_frames_that_are_no_message_is_let_go(frame: bytes) -> None:
    wire = await Wire().open()
    if frame[0] == 0:
        wire.protocol.data_received(bytes([1, 0x80]) + bytes(4))  # the first part of a message
    for _ in range(MOST_FRAMES):
        wire.protocol.data_received(frame)
    wire.now += SPELL + 1
    for _ in range(MOST_FRAMES):
        wire.protocol.data_received(frame)
    wire.turn()
    assert not wire.is_closed
    wire.protocol.data_received(100 * frame)
    for _ in range(10):
        wire.turn()
    assert wire.is_closed
    assert b"too many frames" in wire.sent
    assert len(wire.sent) < 60 * MOST_FRAMES


@pytest.mark.parametrize("abruptly", [False, True])
async def test_a_lost_line_leaves_the_memory_without_the_collector(
    abruptly: bool, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = WeakSet[GatheringProtocol]()
    answer = GatheringProtocol.handle_connect

    def noted(protocol: GatheringProtocol, event: Request) -> None:
        lines.add(protocol)
        answer(protocol, event)

    monkeypatch.setattr(GatheringProtocol, "handle_connect", noted)
    ann = await hall.person("Ann", ANN)
    await ann.open(ME, OPEN)
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            await ann.look()
            await ann.say(LOOK)
            assert ann.line is not None
            if abruptly:
                ann.line.transport.abort()
                ann.line = None
            else:
                await ann.hang_up()
        async with asyncio.timeout(PATIENCE):
            while lines:
                await asyncio.sleep(0.01)
    finally:
        gc.enable()


# ------------------------------------------------------------------------------------------------------- refused lines


@pytest.mark.parametrize(
    ("limits", "headers", "passphrase"),
    [
        (Limits(requests=0.0001), {}, None),
        (Limits(sockets=0), {}, None),
        (Limits(), {"Origin": "http://evil.example"}, None),
        (Limits(), {}, "open sesame"),
    ],
    ids=["too often", "too many", "another site", "no passphrase"],
)
async def test_a_refused_line_is_no_error(
    limits: Limits, headers: dict[str, str], passphrase: str | None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        served(tmp_path, limits=limits, passphrase=passphrase) as place,
        Person(place, "Ann", address=EVE) as ann,
    ):
        refusals = 0
        for _ in range(3):
            try:
                await ann.look("abc", **headers)
            except (ConnectionClosed, InvalidStatus) as refused:
                refusals += not isinstance(refused, InvalidStatus) or refused.response.status_code in (403, 429)
            ann.line = None
    assert refusals == 3
    assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == []
