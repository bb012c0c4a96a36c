"""One visitor costs the others little: windows, requests, connections and log lines are limited."""

import asyncio
import contextlib
import gc
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import uvicorn
from serving import COMPUTER, ME, OPEN, Person, served
from uvicorn.server import ServerState
from waiting import PATIENCE
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.protocol import State

from upcard import UpcardError
from upcard.cli.serving import serve
from upcard.house import tables as house_tables
from upcard.server import configure, uvicorn_protocols
from upcard.server.app import Application
from upcard.server.hosting import Hosting, Limits
from upcard.server.limits import LEAST_WORK, MOST_ENTRIES, MOST_WORK, RESERVE, WIDER, Doorkeeper, Rate, networks
from upcard.server.live import REFUSED
from upcard.server.logs import MOST_ALIKE, SPELL, OneLine, Sparing
from upcard.server.uvicorn_protocols import Gathering, GatheringProtocol, Punctual
from upcard.table import clients
from upcard.table.errors import TooMany


def test_the_command_names_the_limits_of_a_house() -> None:
    """It names them itself, so that its help needs none of the server's packages."""
    given = signature(serve).parameters
    named = [given[f"limit_{name}"].default for name in ("requests", "sockets", "tables")]
    assert (Limits(*named), given["title"].default) == (Limits(), Hosting("").title)


def test_a_rate_lets_some_through_at_once_and_then_so_many_a_second() -> None:
    now = 0.0
    rate = Rate(2.0, 4.0, clock=lambda: now)
    assert [rate.take("a") for _ in range(5)] == [0, 0, 0, 0, 0.5]
    assert rate.take("b") == 0
    now = 1.0
    assert [bool(rate.take("a")) for _ in range(3)] == [False, False, True]


def test_who_was_quiet_for_long_has_a_burst_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("upcard.server.limits.REMEMBERED", 2)
    rate = Rate(1.0, 3.0, lambda: now)
    assert rate.take("a") == 0
    now = 1000.0
    assert [rate.take("a") for _ in range(4)] == [0, 0, 0, 1]
    assert [rate.take(other) for other in ("b", "c", "a")] == [0, 0, 0]  # only two addresses are remembered


def test_a_reserve_is_left_and_a_debt_is_paid_back() -> None:
    now = 0.0
    rate = Rate(1.0, 4.0, lambda: now)
    assert [rate.take("a", reserve=0.5) for _ in range(3)] == [0, 0, 1]
    assert [rate.take("a") for _ in range(3)] == [0, 0, 1]
    rate.spend("a", 100.0)  # at most one full bucket
    assert rate.wait("a") == 5.0
    now = 5.0
    assert rate.take("a") == 0


def test_an_address_is_counted_by_itself_and_in_the_networks_around_it() -> None:
    assert networks("192.0.2.1") == ("192.0.2.1/32", "192.0.2.0/24")
    assert networks("::ffff:192.0.2.1") == networks("192.0.2.1")
    assert networks("2001:db8::1")[0] != networks("2001:db8::2")[0]
    assert networks("2001:db8::1")[1] == networks("2001:db8::2")[1] != networks("2001:db8:0:1::1")[1]
    assert networks("2001:db8::1")[2] == networks("2001:db8:0:1::1")[2] != networks("2001:db8:1::1")[2]
    assert networks("fe80::1%eth0") == networks("fe80::1")
    assert networks(None) == networks("") == ("",)


def test_this_machine_is_counted_like_any_other() -> None:
    for address in ("127.0.0.1", "::1", None):
        keeper = Doorkeeper(Limits(requests=1.0), clock=lambda: 0.0)
        assert [bool(keeper.request(address)) for _ in range(7)] == [False] * 6 + [True]


def test_one_neighbour_does_not_use_up_what_a_network_may() -> None:
    keeper = Doorkeeper(Limits(), clock=lambda: 0.0)
    for _ in range(int(MOST_ENTRIES)):
        keeper.entry("192.0.2.1")
    with pytest.raises(TooMany):
        keeper.entry("192.0.2.1")
    keeper.entry("192.0.2.2")


@pytest.mark.parametrize("network", ["192.0.2.{}", "2001:db8::{:x}"])
def test_many_addresses_of_one_network_may_do_no_more_than_it_may(network: str) -> None:
    keeper, entered = Doorkeeper(Limits(), clock=lambda: 0.0), 0
    for number in range(1, 200):
        with contextlib.suppress(TooMany):
            keeper.entry(network.format(number))
            entered += 1
    assert entered == WIDER * MOST_ENTRIES


def test_people_at_a_table_have_a_reserve_of_what_is_worked_out() -> None:
    keeper = Doorkeeper(Limits(), clock=lambda: 0.0)
    keeper.end_work("192.0.2.1", MOST_WORK * RESERVE + LEAST_WORK)
    with pytest.raises(TooMany, match="Too much was worked out"):
        keeper.begin_work("192.0.2.1", seated=False)
    keeper.begin_work("192.0.2.1", seated=True)
    keeper.begin_work("192.0.2.2", seated=False)
    keeper.end_work("192.0.2.1", MOST_WORK)
    with pytest.raises(TooMany):
        keeper.begin_work("192.0.2.1", seated=True)


def test_sockets_are_counted_by_address_network_and_in_all() -> None:
    keeper = Doorkeeper(Limits(sockets=2, all_sockets=30))
    assert [keeper.open_socket("192.0.2.1") for _ in range(3)] == [True, True, False]
    opened = sum(keeper.open_socket(f"192.0.2.{number}") for number in range(2, 50))
    assert opened + 2 == 2 * WIDER
    assert sum(keeper.open_socket(f"198.51.{number}.1") for number in range(50)) == 30 - 2 * WIDER
    keeper.close_socket("192.0.2.1")
    assert keeper.sockets == 29
    assert keeper.open_socket("192.0.2.1")


async def test_what_comes_too_often_from_one_address_is_429(tmp_path: Path) -> None:
    limits = Limits(requests=0.001, sockets=1, tables=4)
    async with served(tmp_path, limits=limits) as place, Person(place, "Ann") as ann:
        ann.http.headers["X-Forwarded-For"] = "192.0.2.1"
        for _ in range(2):
            answer = await ann.http.get("/api/levels")
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 100
        assert set(answer.json()) == {"error", "clause"}
        ann.http.headers["X-Forwarded-For"] = "192.0.2.2"
        assert (await ann.http.get("/api/levels")).status_code == 200


async def test_a_line_that_is_asked_for_too_often_is_not_opened_to_say_so(tmp_path: Path) -> None:
    limits = Limits(requests=0.001)
    async with served(tmp_path, limits=limits) as place, Person(place, "Ann") as ann:
        await ann.open(ME, OPEN)
        foreign = {"X-Forwarded-For": "192.0.2.1", "Origin": "http://evil.example"}
        with pytest.raises(ConnectionClosed):
            await ann.look(**foreign)
        ann.line = None
        with pytest.raises(InvalidStatus) as refused:
            await ann.look(**foreign)
        assert refused.value.response.status_code == 429


@pytest.mark.parametrize("proxy", ["*", "0.0.0.0/0", "::/0", "nginx"])
def test_a_proxy_has_an_address(proxy: str) -> None:
    """If every address were believed, anybody could come from as many as they like."""
    with pytest.raises(UpcardError, match="a proxy is named by its address"):
        Hosting("sqlite://", proxies=(proxy,))


def test_some_connections_are_left_where_few_files_may_be_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Punctual, "most", 0)
    for allowed, left in ((190, 95), (1000, 800)):
        monkeypatch.setattr("upcard.server.allow_open_files", lambda allowed=allowed: allowed)
        configure(cast(Application, None), Hosting("sqlite://"))
        assert Punctual.most == left


async def test_tables_and_windows_of_one_address_are_limited(tmp_path: Path) -> None:
    limits = Limits(sockets=1, tables=2)
    async with served(tmp_path, limits=limits) as place, Person(place, "Ann") as ann:
        ann.http.headers["X-Forwarded-For"] = "192.0.2.1"
        await ann.open(ME, OPEN)
        await ann.open(ME, OPEN)
        wish = {"game": "sixty-six", "players": 2, "options": {}, "name": "Ann", "seats": [ME, OPEN]}
        assert (await ann.http.post("/api/tables", json=wish)).status_code == 429
        await ann.look(**{"X-Forwarded-For": "192.0.2.1"})
        async with Person(place, "Bo") as bo:
            with pytest.raises(ConnectionClosed, match="too many open windows") as refused:
                await bo.look(ann.table, **{"X-Forwarded-For": "192.0.2.1"})
            assert refused.value.rcvd is not None
            assert refused.value.rcvd.code == REFUSED
            bo.line = None
            await bo.look(ann.table, **{"X-Forwarded-For": "192.0.2.9"})


async def test_one_person_looks_through_few_windows(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "MOST_WINDOWS", 2)
    await ann.open(ME, COMPUTER)
    async with Person(ann.place, "Ann") as window, Person(ann.place, "Ann") as third:
        window.http.cookies = third.http.cookies = ann.http.cookies
        await ann.look()
        await window.look(ann.table)
        with pytest.raises(ConnectionClosed, match="too many windows"):
            await third.look(ann.table)
        third.line = None
        await window.hang_up()
        await third.look(ann.table)


async def test_few_watchers_look_on(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "MOST_WATCHING", 1)
    await ann.open(ME, COMPUTER)
    async with Person(ann.place, "Eve") as eve, Person(ann.place, "Fay") as fay:
        await eve.look(ann.table)
        with pytest.raises(ConnectionClosed, match="no room for another"):
            await fay.look(ann.table)
        fay.line = None
        await ann.look()  # who plays always may


async def test_who_may_not_look_on_any_more_is_let_go_and_told_why(ann: Person) -> None:
    async with Person(ann.place, "Eve") as eve:
        await ann.open(ME, COMPUTER)
        await eve.look(ann.table)
        await ann.act("change", settings={"watchers": False})
        with pytest.raises(ConnectionClosed, match="closed to spectators"):
            await eve.until(lambda message: False)
        with pytest.raises(ConnectionClosed, match="closed to spectators"):
            await eve.look(ann.table)


@pytest.fixture
def without_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_collector")
@pytest.mark.parametrize("abruptly", [False, True])
async def test_a_table_that_all_have_left_leaves_the_memory(
    abruptly: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_tables, "MOST_RECENT", 2)
    async with served(tmp_path) as place:
        for _ in range(8):
            async with Person(place, "Ann") as ann:
                await ann.open(ME, COMPUTER)
                await ann.look()
                await ann.my_turn()
                assert ann.line is not None
                if abruptly:  # while the server sends
                    for _ in range(5):
                        await ann.say({"type": "look"})
                    ann.line.transport.abort()
                else:
                    await ann.move(ann.moves[0])
        async with Person(place, "Bo") as bo, asyncio.timeout(PATIENCE):
            async with asyncio.timeout(PATIENCE):
                while (await bo.http.get("/health")).json()["tables"] > 2:
                    await asyncio.sleep(0.05)


async def test_a_request_that_never_ends_is_cut_off(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvicorn_protocols, "REQUEST_TIME", 0.05)
    for begun in (b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"GET /api/levels HTTP/1.1\r\nHost: x\r\n\r\nGET /"):
        reader, writer = await asyncio.open_connection(*place.split(":"))
        writer.write(begun)
        answer = await asyncio.wait_for(reader.read(), PATIENCE)
        assert (b"200 OK" in answer) is begun.endswith(b"GET /")
        writer.close()


async def test_no_more_connections_are_taken_than_there_is_room_for(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Punctual, "most", 0)
    reader, writer = await asyncio.open_connection(*place.split(":"))
    with contextlib.suppress(ConnectionResetError):
        assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
    writer.close()


async def test_one_address_has_only_so_many_connections_that_are_no_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Punctual, "most_of_one", 3)
    monkeypatch.setattr(Punctual, "_of", Counter())
    async with (
        served(tmp_path, proxies=()) as place,
        Person(place, "Ann", address=None) as ann,
        Person(place, "Bo", address=None) as bo,
    ):
        for person in (ann, bo):  # with a window each, and one connection for requests
            await person.open(ME, OPEN)
            await person.look()
        _, held = await asyncio.open_connection(*place.split(":"))
        reader, _ = await asyncio.open_connection(*place.split(":"))
        with contextlib.suppress(ConnectionResetError):
            assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
        held.close()
        assert (await ann.http.get("/api/levels")).status_code == 200
    assert Punctual._of == {}


async def test_the_connections_of_a_proxy_are_those_of_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Punctual, "most_of_one", 0)
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        assert (await ann.http.get("/api/levels")).status_code == 200


def test_many_lines_of_one_kind_are_a_few_lines_and_a_number() -> None:
    now = 0.0
    sparing = Sparing(clock=lambda: now)

    def written(number: int, message: str = "it failed: %s") -> list[str]:
        records = [logging.LogRecord("x", logging.ERROR, "", 0, message, (i,), None) for i in range(number)]
        return [record.getMessage() for record in records if sparing.filter(record)]

    assert len(written(1000)) == MOST_ALIKE
    assert len(written(3, "something else: %s")) == 3
    now = SPELL + 1
    assert written(2) == [f"it failed: 0 (and {1000 - MOST_ALIKE} more like this)", "it failed: 1"]


def test_a_line_of_the_log_is_one_line() -> None:
    try:
        raise OSError("several\nlines")
    except OSError as error:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "so\nit %s", ("is",), (OSError, error, None))
    assert OneLine("%(message)s").format(record) == "so it is: OSError('several\\nlines')"


def test_what_is_written_in_one_turn_goes_out_in_one_call() -> None:
    told: list[bytes | str] = []
    line = SimpleNamespace(write=told.append, close=lambda: told.append("closed"), is_closing=lambda: False)
    turn: list[Callable[[], None]] = []
    gathering = Gathering(cast(asyncio.Transport, line), turn.append)
    gathering.write(b"accepted, ")
    gathering.write(b"event")
    assert (told, len(turn), gathering.is_closing()) == ([], 1, False)
    turn.pop()()
    gathering.write(b"goodbye")
    gathering.close()
    turn.pop()()
    assert told == [b"accepted, event", b"goodbye", "closed"]
    line.is_closing = lambda: True
    gathering.write(b"more")
    turn.pop()()
    assert len(told) == 3


class Clock:
    """An event loop whose time stands still until it is set."""

    def __init__(self) -> None:
        self.now = 0.0
        self.later: list[tuple[float, Callable[[], None]]] = []

    def time(self) -> float:
        return self.now

    def call_soon(self, call: Callable[[], None]) -> None:
        call()

    def call_later(self, seconds: float, call: Callable[[], None]) -> None:
        self.later.append((self.now + seconds, call))


def test_a_line_that_has_just_spoken_is_not_asked_for_a_sign_of_life() -> None:
    async def app(scope: object, receive: object, send: object) -> None: ...

    config = uvicorn.Config(app, ws_ping_interval=4.0, ws_ping_timeout=4.0)
    config.load()
    clock, line = Clock(), SimpleNamespace(write=lambda data: None, get_extra_info=lambda *_: None)
    line.is_closing, line.set_write_buffer_limits = lambda: False, lambda high: None
    protocol = GatheringProtocol(config, ServerState(), {}, cast(asyncio.AbstractEventLoop, clock))
    protocol.connection_made(cast(asyncio.Transport, line))
    protocol.conn.state = State.OPEN
    protocol.start_keepalive()
    clock.now = 3.0
    protocol.data_received(b"")
    clock.now, call = clock.later.pop()
    call()
    assert (protocol.pending_ping_payload, [at for at, _ in clock.later]) == (None, [7.0])
    clock.now, call = clock.later.pop()
    call()
    assert protocol.pending_ping_payload is not None
