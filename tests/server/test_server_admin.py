"""The commands for administrators of a server."""

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest
from serving import COMPUTER, ME, OPEN, PATIENCE, Person, served

from upcard.engine.errors import UpcardError
from upcard.engine.records import replay
from upcard.server.admin import close, export, overview
from upcard.server.storage import Store, url_of
from upcard.table.messages import Refused, TableChanged


async def test_tables_are_listed_and_exported_while_the_server_goes_on(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        table = await ann.open(ME, COMPUTER)
        await ann.look()
        await ann.my_turn()
        (line,) = overview(url_of(tmp_path), 10)
        assert line.startswith(table.id)
        assert "sixty-six" in line
        assert "Ann" in line
        match = replay(json.loads(export(url_of(tmp_path), table.id)))
        assert match.view(0).hand()
        assert match.to_act == [0]


async def test_a_table_of_a_variant_is_exported_with_the_rules_that_it_was_played_by(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        table = await ann.open(ME, COMPUTER, game="schnapsen")
        await ann.look()
        await ann.my_turn()
        assert replay(json.loads(export(url_of(tmp_path), table.id))).game.slug == "schnapsen"


@pytest.mark.parametrize("damage", ["UPDATE journal SET entry = '{}'", "UPDATE tables SET plan = '{'"])
async def test_a_damaged_table_is_one_line(tmp_path: Path, damage: str) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        table = await ann.open(ME, COMPUTER)
    with sqlite3.connect(tmp_path / "upcard.sqlite3") as other:
        other.execute(damage)
    with pytest.raises(UpcardError, match=f"what is kept of the table {table.id} is damaged: "):
        export(url_of(tmp_path), table.id)


def test_what_is_kept_by_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    Store(url_of(tmp_path)).close()
    with sqlite3.connect(tmp_path / "upcard.sqlite3") as newer:
        newer.execute("UPDATE alembic_version SET version_num = '99'")
    newer.close()
    for ask in (lambda url: close(url, "one"), lambda url: export(url, "one"), lambda url: overview(url, 10)):
        with pytest.raises(UpcardError, match="newer Upcard"):
            ask(url_of(tmp_path))


def test_what_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UpcardError, match="there are no tables in"):
        overview(url_of(tmp_path), 10)
    (tmp_path / "upcard.sqlite3").touch()
    with pytest.raises(UpcardError, match=r"there are no tables in .*: no server has used it yet"):
        overview(url_of(tmp_path), 10)


def test_an_empty_database_of_postgresql_is_one_line(postgres_url: str) -> None:
    with pytest.raises(UpcardError, match=r"there are no tables in .*: no server has used it yet"):
        overview(postgres_url, 10)


async def test_a_table_that_is_closed_goes_on_no_more(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        table = await ann.open(ME, COMPUTER)
        await ann.look()
        await ann.my_turn()
        close(url_of(tmp_path), table.id)
        answer = await ann.move(ann.moves[0])
        assert isinstance(answer, Refused)
        assert answer.text == "The house has closed this table."
        welcome = await ann.look()
        assert welcome.table.ended == "closed"
        assert welcome.log[-1].text.startswith("The house closes this table")
        with pytest.raises(UpcardError, match="over already"):
            close(url_of(tmp_path), table.id)
    with pytest.raises(UpcardError, match="there is no table"):
        close(url_of(tmp_path), "nothing")


async def test_whoever_looks_at_a_table_that_is_closed_is_told(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
        table = await ann.open(ME, OPEN)
        await ann.look()
        await bo.look(table.id)
        close(url_of(tmp_path), table.id)
        for person in (ann, bo):
            told = await person.hear(TableChanged)
            assert told.table is not None and told.table.ended == "closed"
            assert told.log[-1].text.startswith("The house closes this table")


async def test_tables_are_deleted_so_long_after_their_last_move(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        old = [(await ann.open(ME, OPEN)).id for _ in range(4)]
    with sqlite3.connect(tmp_path / "upcard.sqlite3") as other:
        other.execute("UPDATE tables SET created = 1")
        other.execute("UPDATE tables SET done = 1 WHERE id IN (?, ?)", [old[0], old[2]])
        other.execute(
            'UPDATE journal SET entry = replace(entry, \'"at":\', \'"at":1,"was":\') WHERE table_id IN (?, ?)', old[:2]
        )
    async with served(tmp_path, keep_days=30) as place, Person(place, "Bo") as bo:
        async with asyncio.timeout(PATIENCE):
            while (await bo.http.get(f"/api/tables/{old[1]}")).status_code != 404:
                await asyncio.sleep(0.05)
        assert (await bo.http.get(f"/api/tables/{old[0]}")).status_code == 404
        for kept in old[2:]:
            assert (await bo.http.get(f"/api/tables/{kept}")).status_code == 200
        assert "30 days after" in (await bo.http.get("/api/club/privacy")).json()["html"]
    with sqlite3.connect(tmp_path / "upcard.sqlite3") as other:
        assert {row[0] for row in other.execute("SELECT table_id FROM journal")} == {*old[2:]}


async def test_a_server_counts_for_whoever_watches_over_it(tmp_path: Path) -> None:
    async with served(tmp_path, proxies=("127.0.0.1",)) as place, Person(place, "Ann") as ann:
        await ann.open(ME, COMPUTER)
        await ann.look()
        await ann.my_turn()
        answer = await ann.http.get("/metrics")
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        told = answer.text
        numbers = dict(line.split() for line in told.splitlines() if line.startswith("upcard") and "{" not in line)
        assert float(numbers["upcard_moves_total"]) >= 1
        assert float(numbers["upcard_write_seconds_count"]) >= 2
        assert (numbers["upcard_tables"], numbers["upcard_sockets"]) == ("1.0", "1.0")
        assert (await ann.http.get("/metrics", headers={"X-Forwarded-For": "10.1.2.3"})).status_code == 404
