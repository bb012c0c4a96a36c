"""The load that one server can carry, with people who move every few seconds against casual computer players.

    python bench/server_load.py --tables 500 --seconds 60

starts a server on this machine, opens the tables, with one person at each, and plays. It prints the time until moves
were acknowledged, the processor time and bytes per event, and the memory per table. With `--knee` it adds tables until
one in a hundred acknowledgements takes longer than 50 ms. With `--postgres` tables are stored in a temporary PostgreSQL
with its default settings, so that writes are on disk when acknowledged.

    git worktree add ../before 9268651a
    python bench/server_load.py --tables 300 --against ../before

starts a second server from another working tree and lets people play at each in turn, in the same minutes, and prints
the ratio of their processor times per event in each round.
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
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from upcard import games

ALLOWED = 0.050
"""The limit on the time of 99 of 100 acknowledgements, in seconds."""
HERE = Path(__file__).resolve().parents[1]


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
    """The measurements of one window of time."""

    waits: list[float] = field(default_factory=list)
    events: int = 0
    size: int = 0
    took: float = 0.0
    """The length of the window in seconds."""
    used: float = 0.0
    """The server's processor time, in seconds."""
    own: float = 0.0
    """The processor time of this program, that is of all the people, in seconds."""

    @property
    def cost(self) -> float:
        """The server's processor time per event, in milliseconds."""
        return 1000 * self.used / self.events

    @property
    def slow(self) -> float:
        """The time in which 99 of 100 moves were acknowledged, in seconds."""
        return sorted(self.waits)[int(0.99 * len(self.waits))]

    def __str__(self) -> str:
        return (
            f"{self.events / self.took:>7.0f} events/s  "
            f"acknowledged in {1000 * statistics.median(self.waits):>6.1f} ms, 99 % in {1000 * self.slow:>6.1f} ms  "
            f"processor {100 * self.used / self.took:>4.0f} %, {self.cost:>6.3f} ms an event  "
            f"{self.size / self.events:>5.0f} bytes an event  (the people: {100 * self.own / self.took:.0f} %)"
        )


class Player:
    """One person at one table."""

    def __init__(self, crowd: Crowd, address: str, rng: Random) -> None:
        """`address` is the person's, as a proxy reports it; limits apply to it."""
        self._crowd = crowd
        self._forwarded = {"X-Forwarded-For": address}
        self._rng = rng
        self._line: ClientConnection | None = None
        self._moved_at = 0.0
        self._seq = 0
        self._offers = Offers()
        self.table = ""

    async def play(self, slug: str) -> None:
        """Play matches of one game forever."""
        async with httpx.AsyncClient(
            base_url=f"http://{self._crowd.place}", timeout=60, verify=False, headers=self._forwarded
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
        address = f"ws://{self._crowd.place}/api/tables/{self.table}/play"
        headers = self._forwarded | {"Cookie": f"upcard={http.cookies['upcard']}"}
        self._crowd.seats.append((address, headers))
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
            self._crowd.counts.waits.append(time.perf_counter() - self._moved_at)
            return False
        if message.type == "event":
            self._crowd.counts.events += 1
            self._crowd.counts.size += size
        scene = message.scene or message.changes
        if scene is None:
            return False
        self._seq = message.seq
        if scene.offers is not None:
            self._offers = scene.offers
        return bool(scene.done)

    async def _move(self) -> None:
        await self._crowd.think(self._rng)
        moves = [move.text for move in self._offers.moves]
        moves += [" ".join([pick.verb, *pick.cards[: pick.sizes[0]]]).strip() for pick in self._offers.picks]
        message = {"type": "move", "id": f"{time.perf_counter_ns()}", "seq": self._seq, "text": self._rng.choice(moves)}
        self._offers = Offers()
        self._moved_at = time.perf_counter()
        assert self._line is not None
        await self._line.send(msgspec.json.encode(message).decode())


class Process:
    """A process, with the system's figures about it."""

    def __init__(self, command: list[str], folder: str | Path, **variables: str) -> None:
        """Start it in this folder, with these environment variables; `first_line` is what it prints first."""
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, cwd=folder, env=os.environ | variables
        )
        assert self._process.stdout is not None
        self.first_line = self._process.stdout.readline()

    def processor_time(self) -> float:
        """The processor time of all its threads, in seconds."""
        threads = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def memory(self) -> float:
        """The memory of the process in MB."""
        kilobytes = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self._process.pid}/status").read_text())
        return int(kilobytes[1]) / 1024 if kilobytes else 0.0

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()


class Server(Process):
    """A process of `upcard serve`."""

    def __init__(self, folder: str, database: str | None = None, root: Path = HERE) -> None:
        """`root` is the working tree whose code runs."""
        command = [sys.executable, "-c", "from upcard.cli import main; main()", "serve", "--no-browser", "--no-warm"]
        variables = {"PYTHONPATH": str(root / "src")} | ({"UPCARD_DATABASE": database} if database else {})
        super().__init__([*command, "--port", "0", "--data", folder, "--proxy", "127.0.0.1"], folder, **variables)
        address = re.search(r"http://(\S+)", self.first_line)
        assert address is not None
        self.place = address[1]


class Crowd:
    """The people at the tables of one server."""

    def __init__(self, place: str, think: tuple[float, float]) -> None:
        self.place = place
        self.counts = Counts()
        self.seats: list[tuple[str, dict[str, str]]] = []
        """The address of each table's WebSocket with the headers of its person, in the order in which they came."""
        self._think = think
        self.may_move = asyncio.Event()
        self._people: list[asyncio.Task[None]] = []

    async def come(self, people: Iterable[Coroutine[Any, Any, None]]) -> None:
        """Let everybody begin to play, one after the other."""
        for person in people:
            self._people.append(asyncio.create_task(person))
            await asyncio.sleep(0.01)

    async def think(self, rng: Random) -> None:
        """Take a person's time for a move, in a spell in which people move."""
        while True:
            await self.may_move.wait()
            await asyncio.sleep(rng.uniform(*self._think))
            if self.may_move.is_set():
                return

    async def play(self, server: Process, seconds: float) -> Counts:
        """Let everybody move for a while, and return the measurements of the last `seconds`."""
        self.may_move.set()
        await asyncio.sleep(2 * self._think[1])
        counts = self.counts = Counts()
        began, used, own = time.monotonic(), server.processor_time(), time.process_time()
        await asyncio.sleep(seconds)
        counts.took, counts.used = time.monotonic() - began, server.processor_time() - used
        counts.own = time.process_time() - own
        self.counts = Counts()
        self.may_move.clear()
        return counts

    async def go(self) -> None:
        """Leave, and report people who could not play."""
        for task in self._people:
            task.cancel()
        results = await asyncio.gather(*self._people, return_exceptions=True)
        if failed := [result for result in results if isinstance(result, Exception)]:
            print(f"{len(failed)} people failed, the first with {failed[0]!r}")


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


async def load(server: Server, given: argparse.Namespace, tables: int) -> float:
    """Play at this many tables and print the cost; returns the time in which 99 of 100 moves were acknowledged."""
    crowd, empty = Crowd(server.place, given.think), server.memory()
    await crowd.come(players(crowd, tables, given.games.split(",")))
    counts = await crowd.play(server, given.seconds)
    print(f"{tables:>6} tables {counts}  {(server.memory() - empty) * 1024 / tables:>5.0f} kB a table", flush=True)
    await crowd.go()
    return counts.slow


async def compare(servers: Sequence[Server], given: argparse.Namespace) -> None:
    """Play at two servers in turn and print the cost at each, and the ratio of the first one's to the other's."""
    crowds = [Crowd(server.place, given.think) for server in servers]
    for crowd in crowds:
        await crowd.come(players(crowd, given.tables, given.games.split(",")))
    await in_turn(dict(zip(("this", "that"), zip(crowds, servers, strict=True), strict=True)), given)


def players(crowd: Crowd, tables: int, slugs: Sequence[str]) -> Iterator[Coroutine[Any, Any, None]]:
    """A person for each of the tables."""
    for number in range(tables):
        player = Player(crowd, f"10.{number >> 8 & 255}.{number & 255}.1", Random(number))
        yield player.play(slugs[number % len(slugs)])


async def in_turn(sides: Mapping[str, tuple[Crowd, Process]], given: argparse.Namespace) -> None:
    """Let two crowds play in turn; print the costs, and the ratios of the first one's to the other's."""
    ratios = []
    for round_ in range(given.rounds):
        costs = []
        for name, (crowd, server) in sides.items():
            counts = await crowd.play(server, given.seconds)
            print(f"{round_ + 1:>4} {name} {counts}", flush=True)
            costs.append(counts.cost)
        ratios.append(costs[0] / costs[1])
    for crowd, _ in sides.values():
        await crowd.go()
    low, middle, high = min(ratios), statistics.median(ratios), max(ratios)
    print(f"ratio of the processor times per event: median {middle:.3f}, from {low:.3f} to {high:.3f}")


@contextlib.contextmanager
def running(postgres: bool, root: Path) -> Iterator[Server]:
    """A server with the code of a working tree, and nothing stored yet."""
    with tempfile.TemporaryDirectory() as folder, database(postgres) as address:
        server = Server(folder, address, root)
        try:
            yield server
        finally:
            server.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--think", type=float, nargs=2, default=(2.0, 4.0), metavar=("FROM", "TO"))
    parser.add_argument("--games", default=",".join(games.SLUGS))
    parser.add_argument("--knee", type=int, metavar="MORE", help="add this many tables repeatedly")
    parser.add_argument("--postgres", action="store_true", help="store the tables in a PostgreSQL")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="compare with the code of another working tree")
    parser.add_argument("--rounds", type=int, default=5, help="how often to play at each of the two servers")
    given = parser.parse_args()
    if given.against is not None:
        with contextlib.ExitStack() as stack:
            servers = [stack.enter_context(running(given.postgres, root)) for root in (HERE, given.against)]
            asyncio.run(compare(servers, given))
        return
    tables, slow = given.tables, 0.0
    while slow <= ALLOWED:
        with running(given.postgres, HERE) as server:
            slow = asyncio.run(load(server, given, tables))
        if not given.knee:
            return
        tables += given.knee


if __name__ == "__main__":
    main()
