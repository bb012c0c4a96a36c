"""The delay of an honest player's moves while strangers misuse the server.

    python bench/freeze.py                                # all scenarios, each on a fresh server
    python bench/freeze.py --scenario look-1 look-4

starts `upcard serve` as a separate process. An honest player plays Oh Hell against four casual computers, moving 100 ms
after each turn begins; a probe requests the lobby and the levels in turn. Attackers have addresses of their own, as
reported by a proxy (`X-Forwarded-For`), and are prepared before the measurement begins. A row has:

- the moves of the honest player in the time measured, and the time until they were acknowledged (median, 99 of 100,
  maximum), in ms
- the response time of the lobby and the levels (median, 99 of 100, maximum), in ms
- the share of a processor that the server used
- the memory of the server in MB: before the attack, at most during it, and some seconds after it

`SLOW` marks a row in which 99 of 100 acknowledgements took more than 50 ms. Attackers run at the lowest priority, so
that the figures are the server's, but on a machine with few processors a busy attacker still costs a little. If other
programs run as well, `--urgent` (for root, on Linux) gives the server and the honest player priority over all of them.
Everything is bounded in number and time, and ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import itertools
import json
import multiprocessing
import os
import resource
import signal
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from typing import Any

import httpx
from server_load import ALLOWED, Crowd, Player, Server

from upcard import Match

PREPARING = 180.0
"""Seconds within which an attacker must be ready."""
AFTER = 10.0
"""Seconds after the attack until the server's memory is read again."""
WINDOWS, OPENED_AT_ONCE, OPENED_A_SECOND = 495, 100, 17.0
"""The WebSockets of one address, and how fast they are opened: within the server's limit on requests."""
TABLES = 3
"""The tables of one attacker, who has a third of the windows at each: more than 200 people may not watch one table."""


def frame(payload: bytes) -> bytes:
    """A WebSocket frame with a text, masked as by a client."""
    size = len(payload)
    head = bytes([0x81, 0x80 | size]) if size < 126 else bytes([0x81, 0xFE]) + size.to_bytes(2, "big")
    return head + bytes(4) + payload  # masked with zeros


LOOK, JUNK = frame(b'{"type":"look"}'), frame(b"[" * 4000)


class Window(asyncio.Protocol):
    """A WebSocket that ignores everything it receives except pings."""

    def __init__(self) -> None:
        self.transport: Any = None
        self.opened: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.opened.done():
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            self.opened.set_result(b" 101 " in head)
            self._buffer = rest
        while len(self._buffer) >= 2:
            size, start = self._buffer[1] & 127, 2
            if size > 125:
                start = 4 if size == 126 else 10
                size = int.from_bytes(self._buffer[2:start], "big")
            if len(self._buffer) < start + size:
                return
            if self._buffer[0] & 15 == 9:
                self.transport.write(bytes([0x8A, 0x80 | size]) + bytes(4) + self._buffer[start : start + size])
            self._buffer = self._buffer[start + size :]

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_result(False)

    def send(self, data: bytes) -> None:
        if not self.transport.is_closing() and self.transport.get_write_buffer_size() < 10_000:
            self.transport.write(data)


async def opened(place: str, address: str, table: str) -> Window | None:
    """A window on a table; None if it is refused."""
    host, _, port = place.partition(":")
    _, window = await asyncio.get_running_loop().create_connection(Window, host, int(port))
    key = base64.b64encode(os.urandom(16)).decode()
    head = [f"GET /api/tables/{table}/play HTTP/1.1", f"Host: {place}", f"X-Forwarded-For: {address}"]
    head += ["Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
    window.transport.write("\r\n".join([*head, "", ""]).encode())
    return window if await window.opened else None


class Attacker:
    """An attacker at one address."""

    def __init__(self, place: str, address: str, seconds: float) -> None:
        self.place = place
        self.address = address
        self.ends = 0.0
        self._seconds = seconds
        self.http = httpx.AsyncClient(
            base_url=f"http://{place}",
            headers={"X-Forwarded-For": address},
            timeout=60,
            limits=httpx.Limits(max_connections=100),
        )

    def begin(self) -> None:
        self.ends = time.monotonic() + self._seconds

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.ends

    async def table(self, game: str = "oh-hell", players: int = 5) -> str:
        """A new table of their own, which computers play with them."""
        seats = [{"who": "me"}] + [{"who": "computer", "level": "casual"}] * (players - 1)
        wish = {"game": game, "players": players, "options": {}, "name": "Eve", "seats": seats}
        answer = await self.http.post("/api/tables", json=wish)
        answer.raise_for_status()
        return str(answer.json()["id"])

    async def windows(self, tables: list[str], number: int = WINDOWS) -> list[Window]:
        """Open this many windows on these tables, as fast as the server allows."""
        all_windows, turn = [], itertools.cycle(tables)
        for i in range(number):
            if i > OPENED_AT_ONCE:
                await asyncio.sleep(1 / OPENED_A_SECOND)
            with contextlib.suppress(OSError):
                if window := await opened(self.place, self.address, next(turn)):
                    all_windows.append(window)
        return all_windows

    async def send(self, windows: list[Window], message: bytes) -> None:
        """Send a message over each window ten times a second."""
        while self.goes_on:
            began = time.monotonic()
            for window in windows:
                window.send(message)
            await asyncio.sleep(max(0.001, began + 0.1 - time.monotonic()))

    async def ask(self, at_once: int, request: Callable[[], Awaitable[object]], most: int = 20_000) -> None:
        """Repeat a request, this many at once."""
        left = itertools.count()

        async def again() -> None:
            while self.goes_on and next(left) < most:
                with contextlib.suppress(httpx.HTTPError, OSError):
                    await request()

        await asyncio.gather(*[again() for _ in range(at_once)])


Attack = Callable[[Attacker], Awaitable[Callable[[], Awaitable[None]]]]
"""Prepares an attack and returns it."""


async def look(attacker: Attacker, message: bytes = LOOK, *, deaf: bool = False) -> Callable[[], Awaitable[None]]:
    tables = [await attacker.table() for _ in range(TABLES)]
    windows = await attacker.windows(tables)
    for window in windows if deaf else ():
        window.transport.pause_reading()
    return partial(attacker.send, windows, message)


async def play(attacker: Attacker) -> Callable[[], Awaitable[None]]:
    """Play as fast as the server lets them at tables that many others of them watch."""
    crowd = Crowd(attacker.place, (0.0, 0.0))
    crowd.may_move.set()
    players = [Player(crowd, attacker.address, Random(i)) for i in range(TABLES)]
    tasks = [asyncio.create_task(player.play("oh-hell")) for player in players]
    while not all(player.table for player in players):
        await asyncio.sleep(0.1)
    await attacker.windows([player.table for player in players])

    async def wait() -> None:
        while attacker.goes_on:
            await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()

    return wait


def long_record(size: int) -> dict[str, Any]:
    """The record of a match of this many bytes."""
    rng, match = Random(1), Match("kalooki")
    while not match.done and len(match.events) * 12 < size:
        if match.awaiting:
            match.event(match.draw_lots(rng))
        else:
            seat = match.to_act[0]
            match.play(seat, rng.choice(match.legal(seat)))
    record = match.record()
    while len(json.dumps(record)) > size:
        del record["events"][-20:]
    return record


async def records(attacker: Attacker) -> Callable[[], Awaitable[None]]:
    record = long_record(60_000)
    return lambda: attacker.ask(24, lambda: attacker.http.post("/api/records", json=record))


async def replays(attacker: Attacker) -> Callable[[], Awaitable[None]]:
    answers = [await attacker.http.post("/api/records", json=long_record(60_000)) for _ in range(4)]
    tables = [answer.json()["id"] for answer in answers if answer.status_code == 201]
    paths = itertools.cycle(
        [f"/api/tables/{table}/{what}" for table in tables for what in ("replay?deal=1&seat=all", "record")]
    )
    return lambda: attacker.ask(24, lambda: attacker.http.get(next(paths)))


async def hints(attacker: Attacker) -> Callable[[], Awaitable[None]]:
    tables = [await attacker.table() for _ in range(40)]
    turn = itertools.cycle(tables)
    return lambda: attacker.ask(40, lambda: attacker.http.post(f"/api/tables/{next(turn)}/hint"))


async def loads(attacker: Attacker) -> Callable[[], Awaitable[None]]:
    """Request tables that are no longer in memory."""
    tables = []
    for number in range(300):  # an address may open 120 an hour
        attacker.http.headers["X-Forwarded-For"] = attacker.address.replace(".2", f".{2 + number // 100}")
        with contextlib.suppress(httpx.HTTPError):
            tables.append(await attacker.table())
        await asyncio.sleep(0.02)
    attacker.http.headers["X-Forwarded-For"] = attacker.address
    turn = itertools.cycle(tables)
    return lambda: attacker.ask(24, lambda: attacker.http.get(f"/api/tables/{next(turn)}"))


async def requests(attacker: Attacker) -> Callable[[], Awaitable[None]]:
    return lambda: attacker.ask(60, lambda: attacker.http.get("/api/lobby"))


async def half_open(attacker: Attacker) -> Callable[[], Awaitable[None]]:
    """Open connections and send only the beginning of a request."""
    host, _, port = attacker.place.partition(":")

    async def attack() -> None:
        writers = list[asyncio.StreamWriter]()
        while attacker.goes_on and len(writers) < 5000:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(host, int(port), local_addr=("127.0.0.2", 0))  # no proxy
                writer.write(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n")
                writers.append(writer)
            await asyncio.sleep(0.002)
        for writer in writers:
            writer.close()

    return attack


async def nothing(attacker: Attacker) -> Callable[[], Awaitable[None]]:
    return lambda: asyncio.sleep(attacker._seconds)


SCENARIOS: dict[str, tuple[int, Attack]] = {
    "none": (1, nothing),
    "look-1": (1, look),
    "look-4": (4, look),
    "play-4": (4, play),
    "junk": (1, partial(look, message=JUNK)),
    "deaf": (1, partial(look, deaf=True)),
    "records": (1, records),
    "hints": (1, hints),
    "replays": (1, replays),
    "loads": (1, loads),
    "requests": (1, requests),
    "half-open": (1, half_open),
}
"""By name, the number of addresses that attack, and how."""


async def attacking(name: str, place: str, seconds: float, ready: Event, go: Event) -> None:
    number, attack = SCENARIOS[name]
    attackers = [Attacker(place, f"10.77.{i}.2", seconds) for i in range(number)]
    attacks = await asyncio.wait_for(asyncio.gather(*[attack(attacker) for attacker in attackers]), PREPARING)
    ready.set()
    await asyncio.to_thread(go.wait, PREPARING)
    for attacker in attackers:
        attacker.begin()
    await asyncio.wait_for(asyncio.gather(*[begin() for begin in attacks]), 3 * seconds)


def attack_process(name: str, place: str, seconds: float, ready: Event, go: Event) -> None:
    os.setsid()
    signal.alarm(round(2 * PREPARING + 4 * seconds))  # so that it ends even if its parent was killed
    prioritize(19)
    with contextlib.suppress(TimeoutError):
        asyncio.run(attacking(name, place, seconds, ready, go))
    os._exit(0)  # its connections close with it


async def probe(http: httpx.AsyncClient, waits: list[float]) -> None:
    for path in itertools.cycle(["/api/lobby", "/api/levels"]):
        began = time.perf_counter()
        with contextlib.suppress(httpx.HTTPError):
            (await http.get(path)).raise_for_status()
            waits.append(time.perf_counter() - began)
        await asyncio.sleep(0.1)


async def measured(server: Server, name: str, seconds: float) -> None:
    """Run a scenario and print its row."""
    crowd, probed = Crowd(server.place, (0.1, 0.1)), list[float]()
    crowd.may_move.set()
    counts = crowd.counts
    spawn = multiprocessing.get_context("spawn")
    ready, go = spawn.Event(), spawn.Event()
    before = server.memory()
    attacker = spawn.Process(target=attack_process, args=(name, server.place, seconds, ready, go), daemon=True)
    attacker.start()
    honest = Player(crowd, "192.0.2.1", Random(1))
    headers = {"X-Forwarded-For": "198.51.100.1"}
    async with httpx.AsyncClient(base_url=f"http://{server.place}", headers=headers, timeout=60) as http:
        tasks = [asyncio.create_task(honest.play("oh-hell")), asyncio.create_task(probe(http, probed))]
        if not await asyncio.to_thread(ready.wait, PREPARING):
            print(f"{name}: the attackers did not get ready", flush=True)
        most = server.memory()
        go.set()
        await asyncio.sleep(0.2)
        counts.waits.clear()
        probed.clear()
        used, began = server.processor_time(), time.monotonic()
        while time.monotonic() < began + seconds:
            await asyncio.sleep(0.2)
            most = max(most, server.memory())
        used, took = server.processor_time() - used, time.monotonic() - began
        waits, lobby = sorted(counts.waits), sorted(probed)
        await asyncio.to_thread(attacker.join, 3 * seconds)
        attacker.kill()
        await asyncio.sleep(AFTER)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    row = f"{name:10} {len(waits):>4} moves {figures(waits)}   requests {figures(lobby)}"
    row += f"   processor {100 * used / took:>3.0f} %   memory {before:.0f} {most:.0f} {server.memory():.0f} MB"
    slow = not waits or waits[int(0.99 * len(waits))] > ALLOWED
    print(row + ("   SLOW" if slow else ""), flush=True)


def figures(waits: list[float]) -> str:
    if not waits:
        return "none"
    median, slow = statistics.median(waits), waits[int(0.99 * len(waits))]
    return f"{1000 * median:>5.0f} {1000 * slow:>5.0f} {1000 * waits[-1]:>5.0f} ms"


def prioritize(nice: int) -> None:
    """Set the priority of this process, and of its session among others."""
    os.setpriority(os.PRIO_PROCESS, 0, nice)
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(nice))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--scenario", nargs="+", choices=SCENARIOS, default=[*SCENARIOS])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--urgent", action="store_true", help="take priority over all other programs")
    given = parser.parse_args()
    if given.urgent:
        with contextlib.suppress(OSError):  # it may lead a session already
            os.setsid()
        prioritize(-19)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for name in given.scenario:
        with tempfile.TemporaryDirectory() as folder:
            server = Server(folder)
            try:
                asyncio.run(measured(server, name, given.seconds))
            finally:
                server.end()


if __name__ == "__main__":
    main()
