"""A database that does not answer: people are refused, told, and go on when it is back; nothing is lost or doubled."""

import asyncio
import contextlib
import signal
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sql
from programs import Program
from serving import COMPUTER, ME, Person, served
from stalling import DOWN, UP, stalling
from waiting import PATIENCE

from upcard.server.peer_channel import Neighbours
from upcard.server.storage import Store, engine_of, journal
from upcard.table.errors import NotWritten, Overtaken
from upcard.table.journal import Happened, Plan
from upcard.table.messages import Accepted, Aside, EventHappened, Notice, Refused

MANY = 30
"""So many requests that they would take minutes if each waited for its deadline."""


async def until_health(person: Person, status: int) -> dict[str, object]:
    """The answer to `GET /health` once it has this status."""
    async with asyncio.timeout(2 * PATIENCE):
        while (answer := await person.http.get("/health")).status_code != status:
            await asyncio.sleep(0.05)
    health: dict[str, object] = answer.json()
    return health


def written(url: str, move_id: str) -> list[int]:
    """The numbers of the entries with this move."""
    with engine_of(url).connect() as connection:
        rows = connection.execute(sql.select(journal.c.seq, journal.c.entry).order_by(journal.c.seq)).all()
    return [row.seq for row in rows if f'"{move_id}"' in row.entry]


@pytest.mark.long
@pytest.mark.parametrize("ways", [(UP, DOWN), (UP,), (DOWN,)], ids="+".join)
@pytest.mark.parametrize("lost", [False, True], ids=["held", "lost"])
async def test_a_database_that_falls_silent_is_noticed_and_nothing_is_played_twice(
    tmp_path: Path, postgres_url: str, ways: tuple[str, ...], lost: bool
) -> None:
    with stalling(postgres_url) as (proxy, url):
        async with served(tmp_path, database=url) as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
            await ann.open(ME, COMPUTER)
            await ann.look()
            await ann.my_turn()
            await bo.look(ann.table)
            text, seq = ann.moves[0], ann.seq
            (proxy.lose if lost else proxy.hold)(*ways)
            answer, told = await asyncio.gather(ann.move(text, "late", seq), bo.hear(Notice))
            assert isinstance(answer, Refused)
            assert answer.text.startswith("This could not be saved, so it was not done (the database did not")
            assert told.kind == "trouble"
            health = await until_health(ann, 503)
            assert health["trouble"] == "the database does not answer"
            async with asyncio.timeout(PATIENCE):
                for number in range(MANY):
                    assert (await ann.http.get("/api/lobby")).status_code == 503
                    assert isinstance(await ann.move(text, f"meanwhile {number}", seq), Refused)
            async with Person(place, "Cy") as late:  # somebody who comes now is told as well
                await late.look(ann.table)
                assert (await late.hear(Notice)).kind == "trouble"
            proxy.release()
            await bo.until(lambda message: isinstance(message, Notice) and message.kind == "well")
            await until_health(ann, 200)
            assert (await ann.http.get("/api/lobby")).status_code == 200
            again = await ann.move(text, "late", seq)
            assert isinstance(again, Accepted)
            assert (await ann.move(text, "late", seq)) == again
            assert written(postgres_url, "late") == [again.seq]
            assert not [number for number in range(MANY) if written(postgres_url, f"meanwhile {number}")]
            await ann.my_turn()
            assert isinstance(await ann.move(ann.moves[0]), Accepted)


async def test_what_was_written_without_an_answer_is_seen_though_nobody_sends_it_again(
    tmp_path: Path, postgres_url: str
) -> None:
    with stalling(postgres_url) as (proxy, url):
        async with served(tmp_path, database=url) as place, Person(place, "Ann") as ann:
            await ann.open(ME, COMPUTER)
            await ann.look()
            await ann.my_turn()
            seq, commits = ann.seq, asyncio.Event()
            loop = asyncio.get_running_loop()

            def stall(_connection: object) -> None:
                proxy.hold(DOWN)
                loop.call_soon_threadsafe(commits.set)

            sql.event.listen(sql.Engine, "commit", stall)
            try:
                answer = await ann.move(ann.moves[0], "unseen", seq)
            finally:
                sql.event.remove(sql.Engine, "commit", stall)
            assert commits.is_set()
            assert isinstance(answer, Refused)
            proxy.release()
            event = await ann.hear(EventHappened)
            assert written(postgres_url, "unseen") == [event.seq] == [seq + 1]


async def test_a_server_ends_though_its_database_is_silent(tmp_path: Path, postgres_url: str) -> None:
    with stalling(postgres_url) as (proxy, url):
        program = await asyncio.to_thread(lambda: Program(tmp_path, database=url))
        async with Person(program.place, "Ann") as ann:
            proxy.hold(UP, DOWN)
            await until_health(ann, 503)
        status, _ = await asyncio.to_thread(program.end, signal.SIGTERM)
        assert status in (0, -signal.SIGTERM)


async def test_a_server_does_not_wait_for_a_silent_database_to_start(tmp_path: Path, postgres_url: str) -> None:
    with stalling(postgres_url) as (proxy, url):
        proxy.hold(UP, DOWN)
        program = await asyncio.to_thread(lambda: Program(tmp_path, database=url))
        status, errors = await asyncio.to_thread(program.end, signal.SIGCONT)
    assert status == 2
    assert errors.count("\n") == 1
    assert "cannot be opened" in errors


class Listening:
    """Counts when it is to look at all tables again."""

    def __init__(self) -> None:
        self.anew = 0
        self.tables: list[str] = []

    def hear(self, table: str | None) -> None:
        self.anew += table is None
        if table is not None:
            self.tables.append(table)

    def people_stirred(self, table: str) -> None:
        pass

    def hear_aside(self, table: str, to: str | None, message: Aside) -> None:
        pass


async def test_neighbours_notice_silence_and_find_each_other_again(postgres_url: str) -> None:
    store = Store(postgres_url)
    await store.begin(Plan("one", "oh-hell", 3, 1, {}, "a" * 64, 1.0), [])
    with stalling(postgres_url) as (proxy, url):
        hearing = Listening()
        near = Neighbours(engine_of(url).url, hearing, "near")
        far = Neighbours(engine_of(postgres_url).url, Listening(), "far")

        async def leads(server: Neighbours, table: str) -> bool:
            async with server.lead(table) as answer:
                return answer

        async with asyncio.timeout(8 * PATIENCE):
            assert await leads(near, "a")
            assert not await leads(far, "a")
            while not hearing.anew:
                await asyncio.sleep(0.05)
            proxy.hold(UP, DOWN)
            for number in range(MANY):  # while nobody can be asked, every server leads
                assert await leads(near, f"b{number}")
            while not await leads(far, "a"):  # the database has given up the session of the silent one
                await asyncio.sleep(0.2)
            before = hearing.anew
            proxy.release()
            while hearing.anew == before:
                await asyncio.sleep(0.05)
            while not hearing.tables:
                await store.append("one", len(await store.since("one", 0)) + 1, [Happened(text="x")], done=False)
                await asyncio.sleep(0.1)
            while await leads(near, "a"):
                await asyncio.sleep(0.2)
        await near.close()
        await far.close()
    store.close()


@pytest.mark.long
async def test_a_store_comes_back_after_every_kind_of_stall(postgres_url: str) -> None:
    with stalling(postgres_url) as (proxy, url):
        store = Store(url)
        await store.begin(Plan("one", "oh-hell", 3, 1, {}, "a" * 64, 1.0), [])
        for number, ways in enumerate([(UP,), (DOWN,)], 1):
            await store.probe()
            proxy.hold(*ways)
            with pytest.raises(NotWritten, match="did not answer in time"):
                await store.append("one", number, [Happened(text=f"{number}")], done=False)
            proxy.release()
            async with asyncio.timeout(2 * PATIENCE):
                while not store.is_well:
                    try:
                        await store.probe()
                    except NotWritten:
                        await asyncio.sleep(0.1)
            with contextlib.suppress(Overtaken):  # the first one had got through
                await store.append("one", number, [Happened(text=f"{number}")], done=False)
            entries = await store.since("one", 0)
            assert [entry.text for entry in entries if isinstance(entry, Happened)] == [
                f"{n}" for n in range(1, number + 1)
            ]
        store.close()
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        async with asyncio.timeout(PATIENCE):  # PostgreSQL ends what was given up, and with it the locks
            query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'"
            while connection.execute(query).fetchone() != (0,):
                await asyncio.sleep(0.1)
