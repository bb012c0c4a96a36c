"""What is kept on disk: group commit, and a disk that fails."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sql
from serving import COMPUTER, ME, Person, served

from upcard.server import storage
from upcard.server.storage import Store, url_of
from upcard.table.table import Entry, NotWritten, Place, Plan

PLACES = [Place("person", "Ann", None, "a" * 64), Place("computer", "Ada", "casual"), Place()]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(url_of(tmp_path))
    yield store
    store.close()


def plan(name: str = "one", created: float = 1.0) -> Plan:
    return Plan(name, "oh-hell", 3, 1, {"max_cards": 3}, "a" * 64, created)


async def test_a_table_is_read_as_it_was_written(store: Store) -> None:
    assert await store.load("one") is None
    await store.write_table(plan(), PLACES)
    await store.write_place("one", 2, Place("person", "Bo", None, "b" * 64))
    entries = [Entry(1, "deal As"), Entry(2, "0 bid 1", "my id"), Entry(3, "1 bid 0")]
    for entry in entries:
        await store.write_event("one", entry, entry.seq == 3)
    found = await store.load("one")
    assert found is not None
    kept, written = found
    assert kept.plan == plan()
    assert kept.places == [*PLACES[:2], Place("person", "Bo", None, "b" * 64)]
    assert kept.done
    assert written == entries


async def test_tables_are_found_by_who_sits_at_them_newest_first(store: Store) -> None:
    for number in range(5):
        await store.write_table(plan(f"t{number}", float(number % 3)), PLACES)
    assert [kept.plan.id for kept in await store.of("a" * 64, most=3)] == ["t2", "t1", "t4"]
    assert await store.of("b" * 64) == []


def a_while(connection: sql.Connection) -> None:
    """A write that takes so long that others come together behind it."""
    time.sleep(0.2)


async def test_many_writes_share_one_transaction(store: Store) -> None:
    for number in range(20):
        await store.write_table(plan(f"t{number}"), PLACES)
    commits = 0

    def count(connection: object) -> None:
        nonlocal commits
        commits += 1

    sql.event.listen(store._engine, "commit", count)
    hold = store._safely(a_while)
    writes = [store.write_event(f"t{number}", Entry(1, "deal"), False) for number in range(20)]
    await asyncio.gather(hold, *writes)
    assert commits <= 2


async def test_a_write_that_fails_fails_alone(store: Store) -> None:
    await store.write_table(plan(), PLACES)
    await store.write_event("one", Entry(1, "deal"), False)
    results = await asyncio.gather(
        store._safely(a_while),
        store.write_event("one", Entry(2, "0 bid 1"), False),
        store.write_event("one", Entry(1, "deal again"), False),
        store.write_place("one", 0, Place("computer", "Eve", "casual")),
        store.write_event("one", Entry(3, "1 bid 1"), False),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [type(None), type(None), NotWritten, NotWritten, type(None)]
    assert "another server" in str(results[2]).lower()
    found = await store.load("one")
    assert found is not None
    assert [entry.text for entry in found[1]] == ["deal", "0 bid 1", "1 bid 1"]
    assert found[0].places == PLACES


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


async def test_a_full_disk_refuses_what_does_not_fit_and_loses_nothing(store: Store) -> None:
    await store.write_table(plan(), PLACES)
    await allow_pages(store, 1)  # that is, no more than there are
    written: list[Entry] = []
    with pytest.raises(NotWritten, match=r"so it was not done \(database or disk is full\)"):
        await write_events(store, written)
    await allow_pages(store, 1_000_000)
    found = await store.load("one")
    assert found is not None
    assert found[1] == written
    await store.write_event("one", Entry(len(written) + 1, "deal " * 20), False)


async def allow_pages(store: Store, most: int) -> None:
    def limit(connection: sql.Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {most}")

    await store._safely(limit)


async def write_events(store: Store, written: list[Entry]) -> None:
    for number in range(1, 1000):
        entry = Entry(number, "deal " * 20)
        await store.write_event("one", entry, False)
        written.append(entry)


async def test_a_locked_database_refuses_the_move_and_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "LOCK_TIMEOUT", 0.05)
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await ann.open(ME, COMPUTER)
        await ann.look()
        await ann.my_turn()
        text, seq = ann.scene["moves"][0]["text"], ann.seq
        other = sqlite3.connect(tmp_path / "upcard.sqlite3", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        answer = await ann.move(text, "locked")
        assert answer["type"] == "refused"
        assert answer["text"] == "This could not be written down, so it was not done (database is locked)"
        wish = {"game": "sixty-six", "players": 2, "options": {}, "name": "Ann", "seats": [ME, COMPUTER]}
        refused = await ann.http.post("/api/tables", json=wish)
        assert refused.status_code == 503
        other.execute("ROLLBACK")
        other.close()
        await ann.look()
        assert ann.seq == seq
        assert (await ann.move(text, "locked"))["type"] == "accepted"


async def test_a_table_of_other_rules_cannot_be_opened_and_says_so(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await ann.open(ME, COMPUTER)
    with sqlite3.connect(tmp_path / "upcard.sqlite3") as other:
        other.execute("UPDATE events SET text = 'deal As' WHERE seq = 1")
    async with served(tmp_path) as place:
        ann.http.base_url = f"http://{place}"  # type: ignore[assignment]
        async with Person(place, "Ann") as again:
            answer = await again.http.get(f"/api/tables/{ann.table}")
            assert answer.status_code == 409
            assert "other rules" in answer.json()["error"]
            assert (await again.http.get("/api/games")).status_code == 200
