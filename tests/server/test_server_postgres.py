"""Two servers on one PostgreSQL: people at both play at one table, and either may be killed."""

import asyncio
import json
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import sqlalchemy as sql
from programs import Player, Program
from serving import COMPUTER, ME, OPEN, PATIENCE

from upcard.engine.records import replay
from upcard.server.admin import export
from upcard.server.neighbours import Neighbours
from upcard.server.storage import Store, engine_of, journal
from upcard.table.journal import Happened, Plan
from upcard.table.messages import Refused


async def begun(folder: Path, database: str) -> Program:
    return await asyncio.to_thread(lambda: Program(folder, database=database))


async def test_people_at_two_servers_play_a_whole_match(tmp_path: Path, postgres_url: str) -> None:
    one, two = await asyncio.gather(*[begun(tmp_path, postgres_url) for _ in range(2)])
    async with Player("Ann") as ann, Player("Bo") as bo:
        ann.go_to(one.place)
        bo.go_to(two.place)
        table = await ann.open(ME, OPEN, COMPUTER, game="oh-hell", max_cards=2)
        assert (await bo.sit(table)).status_code == 200
        assert (await ann.http.get("/api/tables/%00")).status_code == 404
        await ann.look()
        await bo.look()
        assert isinstance(await bo.move("\0", "\0"), Refused)  # a letter that PostgreSQL does not take
        await asyncio.wait_for(asyncio.gather(ann.play(Random(1)), bo.play(Random(2))), 2 * PATIENCE)
        assert ann.scene.done
        assert ann.scene.winners == bo.scene.winners
        assert ann.accepted
        assert bo.accepted
    match = replay(json.loads(export(postgres_url, table.id)))
    assert match.done
    with engine_of(postgres_url).connect() as connection:
        assert connection.scalar(sql.select(sql.func.max(journal.c.seq))) == ann.seq
    for program in (one, two):
        assert program.end(signal.SIGINT) == (0, "")


async def test_a_server_that_is_killed_leaves_its_tables_to_the_other(tmp_path: Path, postgres_url: str) -> None:
    rng = Random(3)
    servers = [*await asyncio.gather(*[begun(tmp_path, postgres_url) for _ in range(2)])]
    ann, bo = Player("Ann"), Player("Bo")
    ann.go_to(servers[0].place)
    bo.go_to(servers[1].place)
    table = await ann.open(ME, OPEN, COMPUTER, game="oh-hell")
    assert (await bo.sit(table)).status_code == 200
    for killed in (0, 1):
        await ann.come_back(servers[0].place)
        await bo.come_back(servers[1].place)
        playing = [asyncio.create_task(person.play(Random(f"{killed} {person.name}"))) for person in (ann, bo)]
        await asyncio.sleep(rng.uniform(0.2, 0.5))
        assert servers[killed].end(signal.SIGKILL) == (-signal.SIGKILL, "")
        victim = (ann, bo)[killed]
        await asyncio.wait_for(playing[killed], PATIENCE)
        await victim.come_back(servers[1 - killed].place)  # the other server goes on at once
        await asyncio.wait_for(victim.my_turn(), PATIENCE)
        playing[1 - killed].cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        if killed == 0:
            servers[0] = await begun(tmp_path, postgres_url)
    for person in (ann, bo):
        moves = list(person.accepted.values())
        assert len(moves) == len(set(moves)) > 2
        await person.hang_up()
        await person.http.aclose()
    assert servers[0].end(signal.SIGINT)[0] == 0


def test_servers_that_begin_together_make_the_schema_once(postgres_url: str) -> None:
    with ThreadPoolExecutor() as threads:
        for store in threads.map(Store, [postgres_url] * 4):
            store.close()


async def test_a_table_is_led_by_one_server_until_it_lets_go_or_is_gone(postgres_url: str) -> None:
    url = engine_of(postgres_url).url
    one, two = Neighbours(url, lambda table: None), Neighbours(url, lambda table: None)

    async def leads(server: Neighbours, table: str) -> bool:
        async with server.lead(table) as answer:
            return answer

    assert await leads(one, "a")
    assert await leads(one, "b")
    assert not await leads(two, "a")
    await two.let_go("a")
    assert not await leads(two, "a")
    await one.let_go("a")
    assert await leads(two, "a")
    assert not await leads(one, "a")
    await one.close()
    async with asyncio.timeout(30):  # until the database has seen that the line is gone
        while not await leads(two, "b"):
            await asyncio.sleep(0.05)
    await two.close()


async def test_a_write_is_written_over_a_line_that_was_lost(postgres_url: str) -> None:
    store = Store(postgres_url)
    await store.begin(Plan("one", "oh-hell", 3, 1, {}, "a" * 64, 1.0), [])
    with engine_of(postgres_url).connect() as connection:
        others = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database()"
        assert connection.exec_driver_sql(f"{others} AND pid != pg_backend_pid()").scalar()
    await store.append("one", 1, [Happened(text="deal As")], done=False)
    assert store.is_well
    kept = await store.load("one")
    assert kept is not None
    assert [entry.text for entry in kept.entries if isinstance(entry, Happened)] == ["deal As"]
    store.close()
