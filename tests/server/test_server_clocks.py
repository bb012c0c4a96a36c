"""Clocks across restarts and servers: neither gives anybody more time, and one server of several acts when it is up."""

import asyncio
import signal
from pathlib import Path

import pytest
from programs import Player, Program
from serving import ME, OPEN
from waiting import PATIENCE

from upcard.server.storage import Store
from upcard.table.journal import Extended, Substituted
from upcard.table.messages import TableChanged, TableView, Welcome

LONG, SHORT = {"per_move": 600, "bank": 0}, {"per_move": 5, "bank": 0}


async def timed(ann: Player, bo: Player, clock: dict[str, int]) -> TableView:
    """A match of two with a clock, which runs."""
    table = await ann.open(ME, OPEN)
    settings = {"listed": False, "watchers": True, "clock": clock, "patience": 60, "knock": False}
    assert (await ann.act("change", settings=settings)).status_code == 200
    assert (await bo.sit(table)).status_code == 200
    await ann.look()
    await bo.look()
    return table


async def time_is_up(person: Player) -> None:
    """Wait until this person is shown that a computer player moves for somebody."""
    async with asyncio.timeout(PATIENCE):
        while not any(_is_substituted(message) for message in person.messages):
            await person.next()


def _is_substituted(message: object) -> bool:
    return isinstance(message, (TableChanged, Welcome)) and any(seat.substitute for seat in message.table.seats)


async def test_a_killed_and_restarted_server_lengthens_no_running_clock(tmp_path: Path) -> None:
    first = await asyncio.to_thread(lambda: Program(tmp_path))
    async with Player("Ann") as ann, Player("Bo") as bo:
        for person in (ann, bo):
            person.go_to(first.place)
        await timed(ann, bo, LONG)
        await ann.begun()
        before = (await ann.look()).table.clocks
        assert before is not None
        assert [clock.since is not None for clock in before].count(True) == 1
        await asyncio.to_thread(first.end, signal.SIGKILL)
        second = await asyncio.to_thread(lambda: Program(tmp_path))
        ann.go_to(second.place)
        assert (await ann.look()).table.clocks == before
    await asyncio.to_thread(second.end, signal.SIGTERM)


@pytest.mark.long
async def test_of_two_servers_one_acts_when_time_is_up_and_the_other_after_it_was_killed(
    tmp_path: Path, postgres_url: str
) -> None:
    servers = [await asyncio.to_thread(lambda: Program(tmp_path, database=postgres_url)) for _ in range(2)]
    async with Player("Ann") as ann, Player("Bo") as bo:
        ann.go_to(servers[0].place)
        bo.go_to(servers[1].place)
        both = await timed(ann, bo, SHORT)
        for person in (ann, bo):
            await time_is_up(person)
            person.messages.clear()
        alone = await timed(ann, bo, SHORT)
        await asyncio.to_thread(servers[0].end, signal.SIGKILL)
        await time_is_up(bo)
    await asyncio.to_thread(servers[1].end, signal.SIGTERM)
    store = Store(postgres_url)
    for table in (both, alone):
        stored = await store.load(table.id)
        assert stored is not None
        late = [entry.seat for entry in stored.entries if isinstance(entry, Substituted)]
        assert len(late) == len({*late}) > 0
        assert not any(isinstance(entry, Extended) for entry in stored.entries)
    store.close()
