"""The commands for administrators of a server."""

import asyncio
import json
import socket
import sqlite3
from pathlib import Path

import httpx
import pytest
from serving import COMPUTER, ME, OPEN, Person, served
from waiting import PATIENCE

from upcard.engine.errors import UpcardError
from upcard.engine.records import replay
from upcard.server.admin import close, export, overview
from upcard.server.app import Application
from upcard.server.hosting import Hosting, metrics_place
from upcard.server.metrics import serve_metrics
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
    with pytest.raises(UpcardError, match=f"the stored table {table.id} is damaged: "):
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


@pytest.mark.long
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
    house = Application(Hosting(url_of(tmp_path)))
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    with pytest.raises(
        UpcardError, match=f"metrics cannot be served on 127.0.0.1, port {port}: Address already in use"
    ):
        serve_metrics(house.store.metrics, "127.0.0.1", port)
    listening.close()
    metrics = serve_metrics(house.store.metrics, "127.0.0.1", port)
    async with httpx.AsyncClient() as http:
        answer = await http.get(f"http://127.0.0.1:{port}/metrics")
    metrics.shutdown()
    house.store.close()
    assert answer.headers["content-type"].startswith("text/plain; version=")
    lines = answer.text.splitlines()
    numbers = dict(line.split() for line in lines if line.startswith("upcard") and "{" not in line)
    assert {numbers[name] for name in ("upcard_moves_total", "upcard_tables", "upcard_sockets")} == {"0.0"}


async def test_what_happens_is_counted_and_not_told_to_players(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await ann.open(ME, COMPUTER)
        await ann.look()
        await ann.my_turn()
        for headers in ({}, {"X-Forwarded-For": "127.0.0.1"}):
            assert (await ann.http.get("/metrics", headers=headers)).status_code == 404


@pytest.mark.parametrize(
    ("text", "place"), [("9018", ("127.0.0.1", 9018)), ("10.0.0.1:9018", ("10.0.0.1", 9018)), ("[::1]:9", ("::1", 9))]
)
def test_metrics_have_a_place_of_their_own(text: str, place: tuple[str, int]) -> None:
    assert metrics_place(text) == place


@pytest.mark.parametrize("text", ["", "0", "http", "65536", "1" * 5000, "x:", "-1", "²"])
def test_a_place_of_metrics_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(UpcardError, match="metrics have a port such as 9018"):
        metrics_place(text)
