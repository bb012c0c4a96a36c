"""Databases of earlier versions are migrated, those of later ones are left alone."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sql
from sqlalchemy.schema import CreateTable

from upcard import Match
from upcard.engine.errors import UpcardError
from upcard.players import LEVELS, choose
from upcard.server.storage import Store, metadata, url_of
from upcard.table.journal import Happened, Plan, encode
from upcard.table.seats import Occupant
from upcard.table.table import Table

FIRST = """
CREATE TABLE tables (id VARCHAR(16) NOT NULL PRIMARY KEY, game VARCHAR(40) NOT NULL, players INTEGER NOT NULL,
  dealer INTEGER NOT NULL, options TEXT NOT NULL, host VARCHAR(64) NOT NULL,
  created FLOAT NOT NULL, done BOOLEAN NOT NULL);
CREATE TABLE seats (table_id VARCHAR(16) NOT NULL, seat INTEGER NOT NULL, who VARCHAR(10) NOT NULL, name VARCHAR(60),
  level VARCHAR(20), identity VARCHAR(64), PRIMARY KEY (table_id, seat), FOREIGN KEY(table_id) REFERENCES tables (id));
CREATE INDEX ix_seats_identity ON seats (identity);
CREATE TABLE events (table_id VARCHAR(16) NOT NULL, seq INTEGER NOT NULL, text TEXT NOT NULL, move_id VARCHAR(64),
  PRIMARY KEY (table_id, seq), FOREIGN KEY(table_id) REFERENCES tables (id)) WITHOUT ROWID;
INSERT INTO tables VALUES ('one', 'sixty-six', 2, 1, '{}', 'OWNER', 5.0, false);
INSERT INTO seats VALUES ('one', 0, 'person', 'Ann', NULL, 'OWNER');
INSERT INTO seats VALUES ('one', 1, 'computer', 'Ada', 'casual', NULL);
""".replace("OWNER", "a" * 64)
"""The schema of version 0.1, with one table but no events."""


def first_version(folder: Path) -> Match[Any]:
    """A database of version 0.1 with one table; its match."""
    match: Match[Any] = Match("sixty-six", dealer=1, chance=Random(3))
    for _ in range(5):
        match.play(match.to_act[0], choose("casual", match.view(match.to_act[0])))
    with closing(sqlite3.connect(folder / "upcard.sqlite3")) as old:
        old.executescript(old_script(match))
    return match


def old_script(match: Match[Any]) -> str:
    """The SQL that makes a database of version 0.1 with this match at its one table."""
    events = [f"INSERT INTO events VALUES ('one', {n}, '{e.text}', 'move {n}');" for n, e in enumerate(match.events, 1)]
    return "\n".join([FIRST, *events])


async def think(level: str, seen: object) -> str:
    raise AssertionError


async def test_a_table_of_the_first_version_is_played_on(tmp_path: Path) -> None:
    match = first_version(tmp_path)
    store = Store(url_of(tmp_path))
    kept = await store.load("one")
    assert kept is not None
    table = Table(kept.plan, store, think, list(LEVELS), entries=kept.entries)
    assert [event.text for event in table.match.events] == [event.text for event in match.events]
    assert table.places == [Occupant("person", "Ann", None, "a" * 64), Occupant("computer", "Ada", "casual")]
    assert [found.plan.id for found in await store.of("a" * 64, ["sixty-six"])] == ["one"]
    store.close()
    Store(url_of(tmp_path)).close()


def test_the_schema_is_that_of_the_program(tmp_path: Path) -> None:
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
    first_version(tmp_path / "old")
    for folder in ("old", "new"):
        Store(url_of(tmp_path / folder)).close()
        engine = sql.create_engine(url_of(tmp_path / folder))
        there = sql.inspect(engine)
        assert set(there.get_table_names()) == {*metadata.tables, "alembic_version"}
        for name, table in metadata.tables.items():
            found = {(column["name"], str(column["type"]), column["nullable"]) for column in there.get_columns(name)}
            assert found == {(column.name, str(column.type), bool(column.nullable)) for column in table.columns}
            assert {index["name"] for index in there.get_indexes(name)} == {index.name for index in table.indexes}
        engine.dispose()


def test_a_database_of_a_newer_version_is_one_line_and_stays_as_it_is(tmp_path: Path) -> None:
    Store(url_of(tmp_path)).close()
    with sqlite3.connect(tmp_path / "upcard.sqlite3") as newer:
        newer.execute("UPDATE alembic_version SET version_num = '99'")
    newer.close()
    with pytest.raises(UpcardError, match="newer Upcard"):
        Store(url_of(tmp_path))


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_migration_that_is_killed_loses_nothing(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    script = old_script(first_version(tmp_path))
    if kind == "postgres":
        url, script = request.getfixturevalue("postgres_url"), script.replace("WITHOUT ROWID", "")
    else:
        url = url_of(tmp_path)
    (tmp_path / "old.sql").write_text(script)
    program = [sys.executable, str(Path(__file__).with_name("killed_migrations.py")), url, str(tmp_path / "old.sql")]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20


@pytest.mark.parametrize("state", ["index dropped", "renamed", "all renamed", "one made", "not copied", "stamped"])
async def test_what_earlier_servers_left_half_migrated_is_finished(tmp_path: Path, state: str) -> None:
    """They were killed between two statements; the last two states were then taken for migrated."""
    match = first_version(tmp_path)
    with closing(sqlite3.connect(tmp_path / "upcard.sqlite3", isolation_level=None)) as old:
        left_by_killed(old, state)
    for _ in range(2):
        store = Store(url_of(tmp_path))
        kept = await store.load("one")
        assert kept is not None
        assert [entry.text for entry in kept.entries if isinstance(entry, Happened)] == [e.text for e in match.events]
        assert [found.plan.id for found in await store.of("a" * 64, ["sixty-six"])] == ["one"]
        assert (await store.load("two") is not None) == (state == "stamped")
        store.close()
        with closing(sqlite3.connect(tmp_path / "upcard.sqlite3")) as there:
            names = {name for (name,) in there.execute("SELECT name FROM sqlite_master WHERE type != 'index'")}
            indexes = {name for (name,) in there.execute("SELECT name FROM sqlite_master WHERE name LIKE 'ix_%'")}
        assert names == {*metadata.tables, "alembic_version"}
        assert indexes == {index.name for table in metadata.tables.values() for index in table.indexes}


def left_by_killed(old: sqlite3.Connection, state: str) -> None:
    """Bring an old database into the state in which a migration without transactions left it."""
    old.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) PRIMARY KEY NOT NULL)")
    old.execute("DROP INDEX ix_seats_identity")
    renamed = {"index dropped": 0, "renamed": 1}.get(state, 3)
    for name in ("events", "seats", "tables")[:renamed]:
        old.execute(f"ALTER TABLE {name} RENAME TO old_{name}")
    if state == "one made":
        old.execute(str(CreateTable(metadata.tables["tables"])))
    if state in ("not copied", "stamped"):
        engine = sql.create_engine("sqlite://", creator=lambda: old, poolclass=sql.StaticPool)
        metadata.create_all(engine, [metadata.tables[name] for name in ("tables", "seats", "journal")])
    if state == "stamped":
        old.execute("INSERT INTO alembic_version VALUES ('1')")
        plan = encode(Plan("two", "sixty-six", 2, 0, {}, "b" * 64, 6.0))
        old.execute("INSERT INTO tables VALUES ('two', 'sixty-six', 6.0, 0, 0, ?)", [plan])
