"""Storage on disk: group commit, and a disk that fails."""

import asyncio
import json
import os
import sqlite3
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
import sqlalchemy as sql
from msgspec.structs import replace
from serving import COMPUTER, ME, OPEN, Person, served
from waiting import PATIENCE

from upcard.engine.errors import UpcardError
from upcard.house.bodies import Me, NewTable, Open
from upcard.house.stores import StoredTable
from upcard.server import app, storage
from upcard.server.admin import export
from upcard.server.hosting import Limits
from upcard.server.limits import Doorkeeper
from upcard.server.live import LiveTables
from upcard.server.sessions import DEADLINE
from upcard.server.storage import Store, url_of
from upcard.server.thinking import Thinkers
from upcard.server.writing import PendingWrite
from upcard.table.actions import Concede, Sit
from upcard.table.errors import NotWritten, Overtaken
from upcard.table.journal import AnyEntry, Happened, Left, Moved, Plan, Seated, Swapped, encode
from upcard.table.messages import Accepted, Refused
from upcard.table.seats import Occupant
from upcard.table.settings import Settings

GAMES = ["oh-hell"]
ANN, ADA, BO = (
    Occupant("person", "Ann", None, "a" * 64),
    Occupant("computer", "Ada", "casual"),
    Occupant("person", "Bo", None, "b" * 64),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(url_of(tmp_path))
    yield store
    store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = url_of(tmp_path) if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    store = Store(url)
    yield store
    store.close()


def plan(name: str = "one", created: float = 1.0) -> Plan:
    return Plan(name, "oh-hell", 3, 1, {"max_cards": 3}, "a" * 64, created)


def seated(*places: Occupant) -> list[AnyEntry]:
    return [Seated(seat=seat, place=place, at=1.0) for seat, place in enumerate(places)]


def event(text: str) -> Happened:
    return Happened(text=text, at=2.0)


async def test_a_table_is_read_as_it_was_written(any_store: Store) -> None:
    assert await any_store.load("one") is None
    entries = seated(ANN, ADA)
    await any_store.begin(plan(), entries)
    more: list[AnyEntry] = [
        Seated(seat=2, place=BO, at=1.5),
        event("deal As"),
        Happened(text="0 bid 1", move_id="my id", at=3.0),
    ]
    await any_store.append("one", 3, more[:1], done=False)
    await any_store.append("one", 4, more[1:], done=True)
    assert await any_store.load("one") == StoredTable(plan(), True, [*entries, *more])
    assert await any_store.since("one", 3) == more[1:]
    assert await any_store.since("one", 5) == []


async def test_tables_are_found_by_who_sits_at_them_newest_first(
    any_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "MOST_FOUND", 3)
    for number in range(5):
        await any_store.begin(plan(f"t{number}", float(number % 3)), seated(ANN, ADA))
        await any_store.append(f"t{number}", 3, [event("deal As")], done=False)
    found = await any_store.of("a" * 64, GAMES)
    assert [kept.plan.id for kept in found] == ["t2", "t1", "t4"]
    assert found[0].entries == seated(ANN, ADA)  # without the events of the match
    assert await any_store.of("b" * 64, GAMES) == []


async def test_tables_of_games_that_are_no_longer_here_take_no_places(
    any_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "MOST_FOUND", 2)
    for number, game in enumerate(["oh-hell", "oh-hell", "gone"]):
        opened = replace(plan(f"t{number}", float(number)), game=game, settings=Settings(listed=True))
        await any_store.begin(opened, seated(ANN, ADA))
    assert [kept.plan.id for kept in await any_store.of("a" * 64, GAMES)] == ["t1", "t0"]
    assert [kept.plan.id for kept in await any_store.listed(GAMES)] == ["t1", "t0"]


async def test_a_table_is_found_by_who_sits_there_now(any_store: Store) -> None:
    await any_store.begin(plan(), seated(ANN, BO))
    steps: list[tuple[AnyEntry, list[str]]] = [
        (Swapped(seats=(0, 1)), ["a", "b"]),
        (Left(seat=0), ["a"]),
        (Moved(seat=1, identity="c" * 64), ["c"]),
    ]
    for seq, (entry, there) in enumerate(steps, 3):
        await any_store.append("one", seq, [entry], done=False)
        assert [name for name in "abc" if await any_store.of(name * 64, GAMES)] == there


def a_while(connection: sql.Connection) -> None:
    """A write that takes so long that others come together behind it."""
    time.sleep(0.2)


async def test_many_writes_share_one_transaction(any_store: Store) -> None:
    for number in range(20):
        await any_store.begin(plan(f"t{number}"), seated(ANN, ADA))
    commits = 0

    def count(connection: object) -> None:
        nonlocal commits
        commits += 1

    sql.event.listen(any_store._engine, "commit", count)
    hold = any_store.safely(before=a_while)
    writes = [any_store.append(f"t{number}", 3, [event("deal")], done=False) for number in range(20)]
    await asyncio.gather(hold, *writes)
    assert commits <= 2


def test_a_check_for_late_writes_does_not_mind_new_ones(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs in another thread than the loop that adds them, so it must not iterate over them."""

    class Growing(deque[PendingWrite]):
        def __iter__(self) -> Iterator[PendingWrite]:
            raise RuntimeError("deque mutated during iteration")

    job = PendingWrite(Future(), since=-2 * DEADLINE)  # type: ignore[arg-type]
    for waiting in ([], [job]):
        monkeypatch.setattr(store._writer, "_waiting", Growing(waiting))
        assert store._writer.is_late() is bool(waiting)
    store._writer._waiting.clear()


async def test_nothing_is_kept_of_a_table_that_is_not(any_store: Store) -> None:
    with pytest.raises(NotWritten):
        await any_store.append("gone", 1, [event("deal")], done=False)
    assert await any_store.since("gone", 0) == []


async def test_a_write_that_fails_fails_alone_and_wholly(any_store: Store) -> None:
    await any_store.begin(plan(), [event("deal")])
    results = await asyncio.gather(
        any_store.safely(before=a_while),
        any_store.append("one", 2, [event("0 bid 1")], done=False),
        any_store.append("one", 1, [event("deal again")], done=False),
        any_store.append("one", 3, [event("1 bid 1")], done=False),
        any_store.append("one", 3, [event("2 bid 1"), Seated(seat=2, place=BO)], done=False),
        return_exceptions=True,
    )
    nothing = type(None)
    assert [type(result) for result in results] == [nothing, nothing, Overtaken, nothing, Overtaken]
    assert "somebody else was quicker" in str(results[2]).lower()
    found = await any_store.load("one")
    assert found is not None
    assert found.entries == [event("deal"), event("0 bid 1"), event("1 bid 1")]
    assert await any_store.of("b" * 64, GAMES) == []


async def test_no_write_waits_for_a_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = Event(), Event()

    def slow(store: Store) -> None:
        begun.set()
        go_on.wait(60)

    monkeypatch.setattr(storage, "CHECKPOINTS", 0.01)
    monkeypatch.setattr(Store, "_checkpoint", slow)
    store = Store(url_of(tmp_path))
    await store.begin(plan(), seated(ANN, ADA))
    assert await asyncio.to_thread(begun.wait, PATIENCE)
    await asyncio.wait_for(store.append("one", 3, [event("deal")], done=False), PATIENCE)
    go_on.set()
    store.close()


async def test_the_main_file_is_brought_up_to_date_while_the_server_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "CHECKPOINTS", 0.01)
    store = Store(url_of(tmp_path))
    await store.begin(plan(), seated(ANN, ADA))
    async with asyncio.timeout(PATIENCE):
        while tables_in(tmp_path / "upcard.sqlite3") == 0:
            await asyncio.sleep(0.01)
    store.close()


def tables_in(file: Path) -> int:
    """How many tables are in this very file, whatever lies beside it."""
    with closing(sqlite3.connect(f"file:{file}?immutable=1", uri=True)) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM tables").fetchone()[0])
        except sqlite3.DatabaseError:  # it is being written
            return 0


def test_a_database_is_open_to_one_server_at_a_time(store: Store, tmp_path: Path) -> None:
    with pytest.raises(UpcardError, match=r"another server has .* open: end it first"):
        Store(url_of(tmp_path))
    store.close()
    Store(url_of(tmp_path)).close()


@pytest.mark.parametrize("url", ["postgresql+nodriver://x/y", "nosuch://x/y", "", "mysql+mysqldb://x/y"])
def test_a_database_that_cannot_be_spoken_to_is_one_line(url: str) -> None:
    with pytest.raises(UpcardError) as refused:
        Store(url)
    assert "\n" not in str(refused.value)


def test_a_file_that_cannot_be_written_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(url_of(tmp_path)).close()
    monkeypatch.setattr(os, "access", lambda file, mode: not mode & os.W_OK)  # root may write any file
    with pytest.raises(UpcardError, match=r"upcard\.sqlite3 cannot be written by this user"):
        Store(url_of(tmp_path))


async def test_the_database_is_written_safely(store: Store, tmp_path: Path) -> None:
    with store._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


async def test_no_secret_of_a_person_is_kept(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await ann.open(ME, COMPUTER)
        secret = ann.http.cookies["upcard"]
    for file in tmp_path.iterdir():
        assert secret.encode() not in file.read_bytes()


async def test_a_full_disk_refuses_what_does_not_fit_and_loses_nothing(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await store.begin(plan(), [])
    await allow_pages(store, 1)  # that is, no more than there are
    written: list[AnyEntry] = []
    with pytest.raises(NotWritten, match=r"so it was not done \(database or disk is full\)"):
        await write_events(store, written)
    assert [record.message for record in caplog.records] == ["the tables cannot be written: database or disk is full"]
    await allow_pages(store, 1_000_000)
    found = await store.load("one")
    assert found is not None
    assert found.entries == written
    await store.append("one", len(written) + 1, [event("deal " * 20)], done=False)


@pytest.mark.parametrize("replaced", [False, True])
async def test_what_cannot_be_found_again_is_refused_and_said_once(
    store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture, replaced: bool
) -> None:
    await store.begin(plan(), [])
    file, aside = tmp_path / "upcard.sqlite3", tmp_path / "aside"
    file.rename(aside)
    if replaced:
        file.touch()
    for _ in range(2):
        with pytest.raises(NotWritten, match=r"so it was not done \(the database file was deleted or replaced\)"):
            await store.append("one", 1, [event("deal")], done=False)
    assert not store.is_well
    assert [record.message for record in caplog.records] == [
        f"{file} was deleted or replaced: nothing is written until this very file is back, or the server is restarted"
    ]
    aside.rename(file)
    await store.append("one", 1, [event("deal")], done=False)
    assert store.is_well


async def test_a_file_that_is_gone_and_back_is_noticed_though_nobody_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "CHECKPOINTS", 0.01)
    store = Store(url_of(tmp_path))
    assert store.is_well
    file, aside = tmp_path / "upcard.sqlite3", tmp_path / "aside"
    file.rename(aside)
    async with asyncio.timeout(PATIENCE):
        while store.is_well:
            await asyncio.sleep(0.01)
        aside.rename(file)
        while not store.is_well:
            await asyncio.sleep(0.01)
    store.close()


async def allow_pages(store: Store, most: int) -> None:
    def limit(connection: sql.Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {most}")

    await store.safely(before=limit)


async def write_events(store: Store, written: list[AnyEntry]) -> None:
    for number in range(1, 1000):
        entry = event("deal " * 20)
        await store.append("one", number, [entry], done=False)
        written.append(entry)


async def test_a_locked_database_refuses_the_move_and_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "LOCK_TIMEOUT", 0.05)
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await ann.open(ME, COMPUTER)
        await ann.look()
        await ann.my_turn()
        text, seq = ann.moves[0], ann.seq
        other = sqlite3.connect(tmp_path / "upcard.sqlite3", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        answer = await ann.move(text, "locked")
        assert isinstance(answer, Refused)
        assert answer.text == "This could not be saved, so it was not done (database is locked)"
        wish = {"game": "sixty-six", "players": 2, "options": {}, "name": "Ann", "seats": [ME, COMPUTER]}
        refused = await ann.http.post("/api/tables", json=wish)
        assert refused.status_code == 503
        other.execute("ROLLBACK")
        other.close()
        await ann.look()
        assert ann.seq == seq
        assert isinstance(await ann.move(text, "locked"), Accepted)


async def test_the_house_is_well_again_though_nobody_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "LOCK_TIMEOUT", 0.05)
    monkeypatch.setattr(app, "NOTICING", 0.05)
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        table = await ann.open(ME, OPEN)
        other = sqlite3.connect(tmp_path / "upcard.sqlite3", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert (await ann.act("fill", seat=1, level="casual")).status_code == 503
        await asyncio.sleep(0.2)
        assert (await ann.http.get("/health")).status_code == 503
        other.execute("ROLLBACK")
        other.close()
        async with asyncio.timeout(PATIENCE):
            while (await ann.http.get("/health")).status_code != 200:
                await asyncio.sleep(0.05)
        assert (await ann.http.get(f"/api/tables/{table.id}")).json()["started"] is False


async def test_a_read_that_fails_is_refused_and_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await ann.open(ME, COMPUTER)
        with sqlite3.connect(tmp_path / "upcard.sqlite3") as other:
            other.execute("ALTER TABLE journal RENAME TO lost")
        answer = await ann.http.get("/api/tables")
        assert answer.status_code == 503
        assert answer.json()["error"].startswith("The tables cannot be read just now (no such table: journal")
        assert [record.message for record in caplog.records if "cannot be read" in record.message]


@pytest.mark.parametrize("damage", ["UPDATE journal SET entry = '{'", "UPDATE tables SET plan = '{}'"])
async def test_a_damaged_table_takes_no_other_with_it(tmp_path: Path, damage: str) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        bad, good = [(await ann.open(ME, COMPUTER)).id for _ in range(2)]
        column = "table_id" if "journal" in damage else "id"
        with sqlite3.connect(tmp_path / "upcard.sqlite3") as other:
            other.execute(f"{damage} WHERE {column} = '{bad}'")
        assert [table["id"] for table in (await ann.http.get("/api/tables")).json()] == [good]
    async with served(tmp_path) as place, Person(place, "Bo") as bo:
        answer = await bo.http.get(f"/api/tables/{bad}")
        assert (answer.status_code, answer.json()["error"]) == (503, "The stored entries of this table are damaged")
        assert (await bo.http.get(f"/api/tables/{good}")).status_code == 200
    store = Store(url_of(tmp_path))
    assert good in await store.forget(time.time() + 1)
    store.close()


async def test_a_move_that_is_written_with_the_deletion_of_old_tables_is_not_deleted(store: Store) -> None:
    """Both are in one transaction, which fails, as the table is gone: then each is tried by itself, the move first."""
    old = time.time() - 100 * 24 * 3600
    plan = Plan("old", "oh-hell", 4, 0, {}, "a" * 64, created=old)
    await store.begin(plan, [Seated(at=old, seat=0, place=ANN)])
    moved = asyncio.create_task(store.append("old", 2, [Happened(text="0 As")], done=False))
    forgotten = asyncio.create_task(store.forget(time.time() - 30 * 24 * 3600))
    await moved
    assert await forgotten == []
    kept = await store.load("old")
    assert kept is not None and len(kept.entries) == 2


async def test_a_table_of_other_rules_can_be_looked_at_and_taken_along_but_not_go_on(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await ann.open(ME, COMPUTER)
        await ann.look()
        await ann.my_turn()
        hand, seq = ann.scene.hand, ann.seq
    with sqlite3.connect(tmp_path / "upcard.sqlite3") as other:
        spoiled = encode(event("0 meld Kh Qs"))  # no marriage, whatever was dealt
        other.execute("INSERT INTO journal VALUES (?, ?, 'event', ?)", [ann.table, seq + 1, spoiled])
    async with served(tmp_path) as place:
        async with Person(place, "Ann") as again:
            again.http.cookies, again.table = ann.http.cookies, ann.table
            welcome = await again.look()
            assert welcome.scene.hand == hand
            assert welcome.table.ended == "unfinished"
            assert not any("house" in line.text for line in welcome.log)
            assert isinstance(await again.move("As"), Refused)
            assert (await again.act("rematch")).json()["error"].startswith("This match was begun under older rules")
            assert [table["id"] for table in (await again.http.get("/api/tables")).json()] == [ann.table]
            assert (await again.http.get(f"/api/tables/{ann.table}/record")).status_code == 409  # not yet over
        assert json.loads(export(url_of(tmp_path), ann.table))["events"][-1] == "0 meld Kh Qs"
        with sqlite3.connect(tmp_path / "upcard.sqlite3") as other:
            other.execute("UPDATE tables SET done = 1")
        async with Person(place, "Bo") as bo:
            record = (await bo.http.get(f"/api/tables/{ann.table}/record")).json()
            assert record == json.loads(export(url_of(tmp_path), ann.table))
            assert record["about"]["names"][0] == "Ann"
            assert (await bo.http.get(f"/api/tables/{ann.table}/replay?seat=all")).status_code == 200


async def test_a_table_of_a_game_that_is_gone_is_one_line_and_can_be_exported(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await ann.open(ME, COMPUTER)
        await ann.look()
        await ann.my_turn()
    with sqlite3.connect(tmp_path / "upcard.sqlite3") as other:
        other.execute("UPDATE tables SET plan = replace(plan, 'sixty-six', 'sixty-seven')")
    async with served(tmp_path) as place, Person(place, "Bo") as bo:
        answer = await bo.http.get(f"/api/tables/{ann.table}")
        assert (answer.status_code, answer.json()["error"]) == (
            409,
            "This table was played under rules that are no longer here",
        )
        assert (await bo.http.get("/api/games")).status_code == 200
    assert json.loads(export(url_of(tmp_path), ann.table))["game"] == "sixty-seven"


async def test_one_rematch_is_made_though_two_servers_are_asked_at_once(any_store: Store) -> None:
    one, two = (LiveTables(any_store, Thinkers(), Doorkeeper(Limits())) for _ in range(2))
    first = await one.open(NewTable("sixty-six", 2, {}, "Ann", [Me(), Open()]), "ann")
    await first.ask("bo", Sit("Bo", invite=first.plan.invite))
    await first.ask("ann", Concede())
    second = await two.get(first.plan.id)
    assert second is not None
    await asyncio.gather(one.follow_up(first, "ann", None), two.follow_up(second, "bo", None))
    made = first.summary("ann").next
    assert second.summary("bo").next == made
    assert {kept.plan.id for kept in await any_store.of("bo", ["sixty-six"])} == {first.plan.id, made}
