"""Databases of earlier versions are migrated, those of later ones are left alone."""

import json
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sql

from upcard import Match
from upcard.engine.errors import UpcardError
from upcard.players import LEVELS, choose
from upcard.server.storage import Store, metadata, url_of
from upcard.table.seats import Place
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
"""
"""The schema of version 0.1."""


def first_version(folder: Path) -> Match[Any]:
    """A database of version 0.1 with one table; its match."""
    match: Match[Any] = Match("sixty-six", dealer=1, chance=Random(3))
    for _ in range(5):
        match.play(match.to_act[0], choose("casual", match.view(match.to_act[0])))
    with sqlite3.connect(folder / "upcard.sqlite3") as old:
        old.executescript(FIRST)
        row = ["one", "sixty-six", 2, 1, json.dumps({}), "a" * 64, 5.0, False]
        old.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        old.execute("INSERT INTO seats VALUES ('one', 0, 'person', 'Ann', NULL, ?)", ["a" * 64])
        old.execute("INSERT INTO seats VALUES ('one', 1, 'computer', 'Ada', 'casual', NULL)")
        for seq, event in enumerate(match.events, 1):
            old.execute("INSERT INTO events VALUES ('one', ?, ?, ?)", [seq, event.text, f"move {seq}"])
    old.close()
    return match


async def think(level: str, seen: object) -> str:
    raise AssertionError


async def test_a_table_of_the_first_version_is_played_on(tmp_path: Path) -> None:
    match = first_version(tmp_path)
    store = Store(url_of(tmp_path))
    kept = await store.load("one")
    assert kept is not None
    table = Table(kept.plan, store, think, list(LEVELS), entries=kept.entries)
    assert [event.text for event in table.match.events] == [event.text for event in match.events]
    assert table.places == [Place("person", "Ann", None, "a" * 64), Place("computer", "Ada", "casual")]
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
