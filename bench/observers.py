"""The cost of one more observer at a table.

    python bench/observers.py --games cinch,loo

plays the same moves, without a server, at a table with no observer, with one seat observing, and so on up to all seats
and a spectator. It prints the processor time per event in ms.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from random import Random

from upcard import games
from upcard.table.journal import NoJournal, Plan
from upcard.table.messages import AnyMessage
from upcard.table.presence import Client
from upcard.table.seats import Occupant
from upcard.table.table import Table

MATCHES, MOVES = 3, 120


async def played(slug: str, eyes: int, seed: int) -> tuple[float, int]:
    """The processor time for a number of events, in seconds."""
    players = games.load(slug).default_players
    places = [Occupant("person", f"Seat {seat}", None, f"{seat}") for seat in range(players)]
    plan = Plan("bench", slug, players, 0, {}, "0")
    table, rng = await Table.open(plan, places, NoJournal(), lambda level, seen: "", (), Random(seed)), Random(seed)

    def hear(message: AnyMessage) -> None:
        message.json()  # as for a socket

    for seat in range(eyes):
        table.join(Client(f"{seat}" if seat < players else None, hear))
    first, began = table.seq, time.process_time()
    for _ in range(MOVES):
        while table.match.awaiting:
            await asyncio.sleep(0)
        if table.done:
            break
        seat = table.match.to_act[0]
        await table.move(f"{seat}", f"{table.seq}", table.seq, rng.choice(table.match.legal(seat)), hear)
    return time.process_time() - began, table.seq - first


async def cost(slug: str, eyes: int) -> float:
    """The processor time per event in milliseconds, the best of three runs."""
    tries = []
    for _ in range(3):
        all_played = [await played(slug, eyes, seed) for seed in range(MATCHES)]
        tries.append(1000 * sum(took for took, _ in all_played) / sum(events for _, events in all_played))
    return min(tries)


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--games", default=",".join(games.SLUGS))
    for slug in parser.parse_args().games.split(","):
        costs = [await cost(slug, eyes) for eyes in range(games.load(slug).default_players + 2)]
        print(f"{slug:15} {'  '.join(f'{milliseconds:.3f}' for milliseconds in costs)}", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
