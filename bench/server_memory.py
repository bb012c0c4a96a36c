"""The memory that a server takes for each table in play and for each window on it.

    python bench/server_memory.py --tables 400

starts a server, opens tables with one person each and a window on each, lets everybody move for a while, and opens
three more windows on each table. A second process is uvicorn alone, with the same WebSocket protocol and an application
that only waits. It prints the kilobytes for each table without its window, for each window, and for each connection of
bare uvicorn.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import re
import sys
from collections.abc import AsyncIterator

from server_load import HERE, Crowd, Process, players, running
from websockets.asyncio.client import ClientConnection, connect

from upcard import games

WINDOWS = 3
"""The further windows on each table."""
CALM = 3.0
"""Seconds to wait before memory is measured."""
BARE = """
import socket, uvicorn

async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        for step in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{step}.complete"})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass

listening = socket.create_server(("127.0.0.1", 0), backlog=1000)
print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
config = uvicorn.Config(app, ws="websockets-sansio", ws_per_message_deflate=False, log_level="error")
uvicorn.Server(config).run([listening])
"""


@contextlib.asynccontextmanager
async def windows(addresses: list[str], headers: list[dict[str, str]]) -> AsyncIterator[None]:
    """A context with a WebSocket to each of these addresses, whose messages are read and forgotten."""

    async def look(window: ClientConnection) -> None:
        async for _ in window:
            pass

    async with contextlib.AsyncExitStack() as stack:
        looking = []
        for address, more in zip(addresses, headers, strict=True):
            window = connect(address, additional_headers=more, compression=None, open_timeout=60)
            looking.append(asyncio.create_task(look(await stack.enter_async_context(window))))
        yield
        for task in looking:
            task.cancel()


async def bare(number: int) -> float:
    """The kilobytes that bare uvicorn takes for each of this many connections."""
    server = Process([sys.executable, "-c", BARE], HERE)
    try:
        place = re.search(r"http://([^/]+)", server.first_line)
        assert place is not None
        address = f"ws://{place[1]}/"
        async with windows([address], [{}]):  # the first one imports
            empty = server.memory()
            async with windows([address] * number, [{}] * number):
                await asyncio.sleep(CALM)
                return 1024 * (server.memory() - empty) / number
    finally:
        server.end()


async def measure(given: argparse.Namespace) -> None:
    slugs = given.games.split(",")
    with running(False, HERE) as server:
        warm = Crowd(server.place, (0.2, 0.4))
        await warm.come(players(warm, len(slugs), slugs))
        await warm.play(server, CALM)
        await warm.go()
        empty = server.memory()
        crowd = Crowd(server.place, (1.0, 2.0))
        people = [*players(crowd, given.tables, slugs)]
        await crowd.come(people)
        await crowd.play(server, given.seconds)
        await asyncio.sleep(CALM)
        with_tables = server.memory()
        further = [seat for seat in crowd.seats[-given.tables :] for _ in range(WINDOWS)]
        async with windows([address for address, _ in further], [headers for _, headers in further]):
            await asyncio.sleep(CALM)
            with_windows = server.memory()
        await crowd.go()
    window = 1024 * (with_windows - with_tables) / len(further)
    alone = await bare(len(further))
    table = 1024 * (with_tables - empty) / given.tables - window
    print(f"a table in play {table:.1f} kB, a window {window:.1f} kB, of which bare uvicorn {alone:.1f} kB")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long people move before the measurement")
    parser.add_argument("--games", default=",".join(games.SLUGS))
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
