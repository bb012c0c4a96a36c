"""Two servers on one PostgreSQL: people on both play at one table, and either server may be killed."""

import asyncio
import json
import math
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random

import psycopg
import pytest
import sqlalchemy as sql
from programs import Player, Program
from serving import COMPUTER, ME, OPEN
from waiting import PATIENCE

from upcard.engine.records import replay
from upcard.server.admin import close, export
from upcard.server.peer_channel import PEOPLE, Neighbours
from upcard.server.peers import LAPSE, MOST_NAMED, Here, PeerPresence, People
from upcard.server.storage import Store, engine_of, journal
from upcard.table.errors import NotWritten
from upcard.table.journal import Happened, Plan
from upcard.table.messages import Aside, NudgeHeard, PeopleChanged, Refused, TableChanged, Welcome


async def begun(folder: Path, database: str) -> Program:
    return await asyncio.to_thread(lambda: Program(folder, database=database))


def known_here(person: Player) -> list[bool]:
    """Per seat, whether its player is here, as this person was told last."""
    for message in reversed(person.messages):
        if isinstance(message, PeopleChanged):
            return message.here
        if isinstance(message, (Welcome, TableChanged)):
            return [seat.here for seat in message.table.seats]
    return []


async def until_here(person: Player, *here: bool) -> None:
    async with asyncio.timeout(PATIENCE):
        while known_here(person)[:2] != [*here]:
            await person.next()


@pytest.mark.long
async def test_people_at_two_servers_know_of_each_other_and_play_a_whole_match(
    tmp_path: Path, postgres_url: str
) -> None:
    one = await begun(tmp_path, postgres_url)
    async with Player("Ann") as ann, Player("Bo") as bo, Player("Cy") as cy:
        ann.go_to(one.place)
        table = await ann.open(ME, OPEN, COMPUTER, game="oh-hell", max_cards=2)
        assert (await ann.http.get("/api/tables/%00")).status_code == 404
        await ann.look()
        two = await begun(tmp_path, postgres_url)  # is told who is here already
        bo.go_to(two.place)
        cy.go_to(two.place)
        assert (await bo.sit(table)).status_code == 200
        await bo.look()
        await until_here(bo, True, True)
        await until_here(ann, True, True)
        assert isinstance(await bo.move("\0", "\0"), Refused)  # a letter that PostgreSQL does not take
        assert (await ann.act("nudge", seat=1)).status_code == 200  # all bid at once
        assert (await bo.hear(NudgeHeard)).by == 0
        await cy.look(table.id)
        await ann.until(lambda message: isinstance(message, PeopleChanged) and message.watching == 1)
        await asyncio.wait_for(asyncio.gather(ann.play(Random(1)), bo.play(Random(2))), 2 * PATIENCE)
        assert ann.scene.done
        assert ann.scene.winners == bo.scene.winners
        assert ann.accepted
        assert bo.accepted
        assert two.end(signal.SIGKILL) == (-signal.SIGKILL, "")
        gone = await ann.until(lambda message: isinstance(message, PeopleChanged) and not message.here[1])
        assert gone.watching == 0
        assert gone.away_since[1] is not None
        bo.go_to(one.place)
        await bo.look()
        await until_here(ann, True, True)
    match = replay(json.loads(export(postgres_url, table.id)))
    assert match.done
    with engine_of(postgres_url).connect() as connection:
        assert connection.scalar(sql.select(sql.func.max(journal.c.seq))) == ann.seq
    assert one.end(signal.SIGINT) == (0, "")


@pytest.mark.long
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
        await asyncio.gather(*[person.has_made(2 * killed + 2) for person in (ann, bo)])
        await asyncio.sleep(rng.uniform(0, 0.3))
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


def test_whoever_comes_and_goes_is_told_of_once() -> None:
    here, look = Here(), ("table", "ann")
    assert here.news() == [People([], [], anew=True)]
    assert [here.came(look), here.came(look), here.went(look)] == [True, False, False]
    assert here.news() == [People([look], [])]
    assert here.news() == []
    assert here.went(look)
    assert here.news() == [People([], [look])]
    many = [("table", f"{number:03}") for number in range(MOST_NAMED + 1)]
    for one in many:
        here.came(one)
    here.name_all()
    assert here.news() == [People(many[:MOST_NAMED], [], anew=True), People(many[MOST_NAMED:], [])]


def test_the_people_of_a_server_go_when_it_is_silent_and_are_named_anew() -> None:
    elsewhere, look = PeerPresence(), ("table", "ann")
    assert elsewhere.follow("b", People([look]), 0.0) == set(), "it has not said who was there before"
    assert elsewhere.follow("b", People([look, ("other", "bo")], anew=True), 0.0) == {"table", "other"}
    assert elsewhere.follow("c", People([("table", "cy"), look], anew=True), 3.0) == {"table"}
    assert elsewhere.at("table") == {"ann", "cy"}
    assert elsewhere.lapse(LAPSE) == set()
    assert elsewhere.lapse(LAPSE + 1.0) == {"table", "other"}
    assert elsewhere.at("table") == {"ann", "cy"}, "she is at c too"
    assert not elsewhere.heard("b", 8.0)
    assert elsewhere.follow("c", People([], anew=True), 8.0) == {"table"}
    assert elsewhere.at("table") == set()


class Nobody:
    """Hears nothing."""

    def hear(self, table: str | None) -> None:
        pass

    def people_stirred(self, table: str) -> None:
        pass

    def hear_aside(self, table: str, to: str | None, message: Aside) -> None:
        pass


class Hearing(Nobody):
    """Hears at which tables something was written."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[str | None] = asyncio.Queue()

    def hear(self, table: str | None) -> None:
        self.heard.put_nowait(table)


async def test_servers_hear_at_once_of_a_table_that_is_closed(postgres_url: str) -> None:
    store = Store(postgres_url)
    await store.begin(Plan("one", "oh-hell", 3, 1, {}, "a" * 64, 1.0), [])
    hearing = Hearing()
    server = Neighbours(engine_of(postgres_url).url, hearing, "one")
    async with asyncio.timeout(PATIENCE):
        assert await hearing.heard.get() is None  # it begins to listen
        close(postgres_url, "one")
        assert await hearing.heard.get() == "one"
    await server.close()
    store.close()


class Recording(Nobody):
    """Records the tables whose people have changed, and the messages for those who look at a table."""

    def __init__(self) -> None:
        self.stirred: asyncio.Queue[str] = asyncio.Queue()
        self.asides: asyncio.Queue[tuple[str, str | None, Aside]] = asyncio.Queue()

    def people_stirred(self, table: str) -> None:
        self.stirred.put_nowait(table)

    def hear_aside(self, table: str, to: str | None, message: Aside) -> None:
        self.asides.put_nowait((table, to, message))

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for a change of the people after which this is so."""
        async with asyncio.timeout(PATIENCE):
            while not is_so():
                await self.stirred.get()


async def test_servers_know_at_once_who_comes_and_goes(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And do not wait for a server that leaves to fall silent."""
    monkeypatch.setattr("upcard.server.peers.LAPSE", math.inf)
    url, hearing, late = engine_of(postgres_url).url, Recording(), Recording()
    one, two = Neighbours(url, Nobody(), "one"), Neighbours(url, hearing, "two")
    async with asyncio.timeout(PATIENCE):
        one.came("a", "ann")
        await hearing.until(lambda: two.at("a") == {"ann"})
        three = Neighbours(url, late, "three")  # begins when nobody comes or goes: it asks
        await late.until(lambda: three.at("a") == {"ann"})
        one.came("b", "bo")
        one.went("a", "ann")
        await hearing.until(lambda: two.at("b") == {"bo"})
        assert two.at("a") == set()
        await one.close()
        await hearing.until(lambda: two.at("b") == set())
    await two.close()
    await three.close()


async def test_a_message_goes_to_servers_through_which_somebody_looks_at_the_table(postgres_url: str) -> None:
    url, hearing, hearing_too = engine_of(postgres_url).url, Recording(), Recording()
    one, two = Neighbours(url, hearing, "one"), Neighbours(url, hearing_too, "two")
    async with asyncio.timeout(PATIENCE):
        one.came("a", "ann")
        two.came("a", "bo")
        await hearing.until(lambda: one.at("a") == {"bo"})
        await hearing_too.until(lambda: two.at("a") == {"ann"})
        two.say("empty", None, NudgeHeard(by=0))
        two.say("a", None, NudgeHeard(by=1))
        two.say("a", "ann", NudgeHeard(by=2))
        assert await hearing.asides.get() == ("a", None, NudgeHeard(by=1))
        assert await hearing.asides.get() == ("a", "ann", NudgeHeard(by=2))
        one.say("a", None, NudgeHeard(by=3))
        assert await hearing_too.asides.get() == ("a", None, NudgeHeard(by=3)), "not what it said itself"
    await one.close()
    await two.close()


async def test_a_server_asks_one_that_it_does_not_know_for_its_people(postgres_url: str) -> None:
    url = engine_of(postgres_url).url.set(drivername="postgresql").render_as_string(hide_password=False)
    hearing = Hearing()
    server = Neighbours(engine_of(postgres_url).url, hearing, "one")
    async with asyncio.timeout(PATIENCE), await psycopg.AsyncConnection.connect(url, autocommit=True) as line:
        assert await hearing.heard.get() is None  # it begins to listen
        await line.execute(f"LISTEN {PEOPLE}")

        async def until_asked() -> None:
            async for notification in line.notifies():
                if notification.payload == 'one ["hello"]':
                    return

        await until_asked()  # all servers, as it begins
        await line.execute("SELECT pg_notify(%s, %s)", (PEOPLE, 'stranger ["people", [["a", "ann"]], []]'))
        await until_asked()
        assert server.at("a") == set()
        await line.execute("SELECT pg_notify(%s, %s)", (PEOPLE, 'stranger ["people", [["a", "ann"]], [], true]'))
        while server.at("a") != {"ann"}:
            await asyncio.sleep(0.01)
    await server.close()


@pytest.mark.parametrize("turns", range(6))
async def test_a_server_leaves_though_somebody_comes_at_that_moment(turns: int) -> None:
    """Without a database, too."""
    server = Neighbours(sql.make_url("postgresql://nobody@127.0.0.1:1/none"), Nobody())
    await asyncio.sleep(0.01)
    server.came("one", "ann")
    for _ in range(turns):
        await asyncio.sleep(0)
    _, left = await asyncio.wait({asyncio.create_task(server.close())}, timeout=PATIENCE)
    assert not left


def test_servers_that_begin_together_make_the_schema_once(postgres_url: str) -> None:
    with ThreadPoolExecutor() as threads:
        for store in threads.map(Store, [postgres_url] * 4):
            store.close()


async def test_a_table_is_led_by_one_server_until_it_lets_go_or_is_gone(postgres_url: str) -> None:
    url = engine_of(postgres_url).url
    one, two = Neighbours(url, Nobody(), "one"), Neighbours(url, Nobody(), "two")

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
    async with asyncio.timeout(PATIENCE):  # until the database has seen that the line is gone
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


@contextmanager
def closed_to_all(server: str, database: str) -> Iterator[None]:
    """While a database takes no connections."""
    name = database.rpartition("?")[0].rpartition("/")[2]
    with engine_of(server.replace("%", "postgres")).connect() as connection:
        connection = connection.execution_options(isolation_level="AUTOCOMMIT")
        connection.exec_driver_sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        connection.exec_driver_sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        try:
            yield
        finally:
            connection.exec_driver_sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


async def test_where_the_database_is_stands_in_the_log_only(
    postgres_server: str, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(postgres_url)
    with closed_to_all(postgres_server, postgres_url):
        with pytest.raises(NotWritten, match=r"^This could not be saved, so it was not done$"):
            await store.begin(Plan("one", "oh-hell", 3, 1, {}, "a" * 64, 1.0), [])
        with pytest.raises(NotWritten, match=r"^The tables cannot be read just now$"):
            await store.load("one")
    assert ["is not currently accepting connections" in record.message for record in caplog.records] == [True, True]
    store.close()


async def test_a_database_that_is_gone_and_back_is_noticed_though_nobody_plays(
    postgres_server: str, postgres_url: str
) -> None:
    store = Store(postgres_url)
    await store.probe()
    with closed_to_all(postgres_server, postgres_url):
        for _ in range(2):
            with pytest.raises(NotWritten):
                await store.probe()
            assert not store.is_well
    await store.probe()
    assert store.is_well
    store.close()
