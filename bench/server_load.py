"""The load that one server can carry, with people who move every few seconds against casual computer players.

    python bench/server_load.py --tables 500 --seconds 60

starts a server on this machine, opens the tables, with one person at each, and plays. It prints the time until moves
were acknowledged, the processor time and bytes per event, and the memory per table. With `--knee` it adds tables until
one in a hundred acknowledgements takes longer than 50 ms. With `--postgres` tables are stored in a temporary PostgreSQL
with its default settings, so that writes are on disk when acknowledged.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from upcard import games

ALLOWED = 0.050
"""The limit on the time of 99 of 100 acknowledgements, in seconds."""
TICK = os.sysconf("SC_CLK_TCK")


class Move(msgspec.Struct):
    text: str


class Pick(msgspec.Struct):
    verb: str
    sizes: list[int]
    cards: list[str]


class Offers(msgspec.Struct):
    moves: list[Move] = []
    picks: list[Pick] = []


class Scene(msgspec.Struct):
    """The parts of a scene, or of its changes, that a player needs."""

    offers: Offers | None = None
    done: bool | None = None


class Message(msgspec.Struct):
    type: str
    seq: int = 0
    scene: Scene | None = None
    changes: Scene | None = None


_reader = msgspec.json.Decoder(Message)


@dataclass
class Counts:
    """The measurements since the last reset."""

    waits: list[float] = field(default_factory=list)
    events: int = 0
    size: int = 0


class Player:
    """One person at one table."""

    def __init__(self, place: str, address: str, counts: Counts, rng: Random, think: tuple[float, float]) -> None:
        """`address` is the person's, as a proxy reports it; limits apply to it."""
        self._place = place
        self._forwarded = {"X-Forwarded-For": address}
        self._counts = counts
        self._rng = rng
        self._think = think
        self._line: ClientConnection | None = None
        self._moved_at = 0.0
        self._seq = 0
        self._offers = Offers()
        self.table = ""

    async def play(self, slug: str) -> None:
        """Play matches of one game forever."""
        async with httpx.AsyncClient(
            base_url=f"http://{self._place}", timeout=60, verify=False, headers=self._forwarded
        ) as http:
            while True:
                await self._match(http, slug)

    async def _match(self, http: httpx.AsyncClient, slug: str) -> None:
        game = games.load(slug)
        seats: list[dict[str, str]] = [{"who": "me"}]
        seats += [{"who": "computer", "level": "casual"}] * (game.default_players - 1)
        wish = {"game": slug, "players": len(seats), "options": {}, "name": "Ann", "seats": seats}
        answer = await http.post("/api/tables", json=wish)
        answer.raise_for_status()
        self.table = answer.json()["id"]
        address = f"ws://{self._place}/api/tables/{self.table}/play"
        headers = self._forwarded | {"Cookie": f"upcard={http.cookies['upcard']}"}
        async with connect(address, additional_headers=headers, compression=None, open_timeout=60) as self._line:
            mover: asyncio.Task[None] | None = None
            try:
                async for text in self._line:
                    done = self._hear(_reader.decode(text), len(text))
                    if done:
                        return
                    if (self._offers.moves or self._offers.picks) and (mover is None or mover.done()):
                        mover = asyncio.create_task(self._move())
            finally:
                if mover is not None:
                    mover.cancel()

    def _hear(self, message: Message, size: int) -> bool:
        """Process a message; returns whether the match is over."""
        if message.type == "accepted":
            self._counts.waits.append(time.perf_counter() - self._moved_at)
            return False
        if message.type == "event":
            self._counts.events += 1
            self._counts.size += size
        scene = message.scene or message.changes
        if scene is None:
            return False
        self._seq = message.seq
        if scene.offers is not None:
            self._offers = scene.offers
        return bool(scene.done)

    async def _move(self) -> None:
        await asyncio.sleep(self._rng.uniform(*self._think))
        moves = [move.text for move in self._offers.moves]
        moves += [" ".join([pick.verb, *pick.cards[: pick.sizes[0]]]).strip() for pick in self._offers.picks]
        message = {"type": "move", "id": f"{time.perf_counter_ns()}", "seq": self._seq, "text": self._rng.choice(moves)}
        self._offers = Offers()
        self._moved_at = time.perf_counter()
        assert self._line is not None
        await self._line.send(msgspec.json.encode(message).decode())


class Server:
    """A process of `upcard serve`, with the system's figures about it."""

    def __init__(self, folder: str, database: str | None) -> None:
        command = [sys.executable, "-c", "from upcard.cli import main; main()", "serve", "--no-browser", "--no-warm"]
        self._process = subprocess.Popen(
            [*command, "--port", "0", "--data", folder, "--proxy", "127.0.0.1"],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | ({"UPCARD_DATABASE": database} if database else {}),
        )
        assert self._process.stdout is not None
        address = re.search(r"http://(\S+)", self._process.stdout.readline())
        assert address is not None
        self.place = address[1]

    def processor_time(self) -> float:
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory(self) -> float:
        """The memory of the process in MB."""
        kilobytes = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self._process.pid}/status").read_text())
        return int(kilobytes[1]) / 1024 if kilobytes else 0.0

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()


async def load(server: Server, tables: int, seconds: float, think: tuple[float, float], slugs: list[str]) -> float:
    """Play at this many tables and print the cost; returns the time in which 99 of 100 moves were acknowledged."""
    counts, empty = Counts(), server.memory()
    people = []
    for number in range(tables):
        address = f"10.{number >> 8 & 255}.{number & 255}.1"
        player = Player(server.place, address, counts, Random(number), think)
        people.append(asyncio.create_task(player.play(slugs[number % len(slugs)])))
        await asyncio.sleep(0.01)
    await asyncio.sleep(2 * think[1])
    counts.waits, counts.events, counts.size = [], 0, 0
    own = time.process_time()
    used, began = server.processor_time(), time.monotonic()
    await asyncio.sleep(seconds)
    own = time.process_time() - own
    used, took = server.processor_time() - used, time.monotonic() - began
    waits = sorted(counts.waits)
    slow = waits[int(0.99 * len(waits))]
    print(
        f"{tables:>6} tables  {counts.events / took:>7.0f} events/s  "
        f"acknowledged in {1000 * statistics.median(waits):>6.1f} ms, 99 % in {1000 * slow:>6.1f} ms  "
        f"processor {100 * used / took:>4.0f} %, {1000 * used / counts.events:>5.2f} ms an event  "
        f"{counts.size / counts.events:>5.0f} bytes an event  "
        f"{(server.memory() - empty) * 1024 / tables:>5.0f} kB a table  "
        f"(the people: {100 * own / took:.0f} %)",
        flush=True,
    )
    for task in people:
        task.cancel()
    failed = [
        result for result in await asyncio.gather(*people, return_exceptions=True) if isinstance(result, Exception)
    ]
    if failed:
        print(f"{len(failed)} people failed, the first with {failed[0]!r}")
    return slow


@contextlib.contextmanager
def database(wanted: bool) -> Iterator[str | None]:
    """A context with the address of a temporary PostgreSQL; None if it is not wanted."""
    if not wanted:
        yield None
        return
    sys.path.append(str(Path(__file__).parents[1] / "tests" / "server"))
    from postgres import LOCAL, NOT_THERE, postgres, programs

    if (folder := programs()) is None:
        raise SystemExit(NOT_THERE)
    with postgres(folder, LOCAL) as address:
        yield address.replace("%", "postgres")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--think", type=float, nargs=2, default=(2.0, 4.0), metavar=("FROM", "TO"))
    parser.add_argument("--games", default=",".join(games.SLUGS))
    parser.add_argument("--knee", type=int, metavar="MORE", help="add this many tables repeatedly")
    parser.add_argument("--postgres", action="store_true", help="store the tables in a PostgreSQL")
    given = parser.parse_args()
    tables = given.tables
    while True:
        with tempfile.TemporaryDirectory() as folder, database(given.postgres) as address:
            server = Server(folder, address)
            try:
                slow = asyncio.run(load(server, tables, given.seconds, tuple(given.think), given.games.split(",")))
            finally:
                server.end()
        if not given.knee or slow > ALLOWED:
            return
        tables += given.knee


if __name__ == "__main__":
    main()
