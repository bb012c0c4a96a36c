"""One journal of entries for every table, instead of its events and its seats."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

import sqlalchemy as sql
from alembic import op
from sqlalchemy.engine import Connection

revision = "1"
down_revision = None

OLD = ("events", "seats", "tables")
"""The tables of version 0.1, each after those that refer to it."""


def upgrade() -> None:
    """Also finish a migration during which an earlier server was killed, when this was not a single transaction."""
    connection = op.get_bind()
    there = set(sql.inspect(connection).get_table_names())
    if "events" in there or any(_aside(name) in there for name in OLD):
        there = _put_aside(there)
    _create(there)
    if {_aside(name) for name in OLD} <= there:
        _copy(connection)
    for name in OLD:
        if _aside(name) in there:
            op.drop_table(_aside(name))


def is_unfinished(there: Collection[str]) -> bool:
    """Whether tables of version 0.1 are left in a database with these tables that counts as migrated."""
    return any(_aside(name) in there for name in OLD)


def _aside(name: str) -> str:
    """The name of an old table while it is copied."""
    return f"old_{name}"


def _put_aside(there: Collection[str]) -> set[str]:
    """Rename the old tables that are not yet renamed; returns the names of all tables."""
    new = {name for name in there if name not in OLD or _aside(name) in there}
    if "seats" not in new:
        op.drop_index("ix_seats_identity", "seats", if_exists=True)
    for name in OLD:
        if name in there and name not in new:
            op.rename_table(name, _aside(name))
            new.add(_aside(name))
    return new


def _create(there: Collection[str]) -> None:
    """Create the missing tables and indexes."""
    if "tables" not in there:
        op.create_table(
            "tables",
            sql.Column("id", sql.String(16), primary_key=True),
            sql.Column("game", sql.String(80), nullable=False),
            sql.Column("created", sql.Float, nullable=False),
            sql.Column("done", sql.Boolean, nullable=False),
            sql.Column("listed", sql.Boolean, nullable=False),
            sql.Column("plan", sql.Text, nullable=False),
        )
    if "seats" not in there:
        op.create_table(
            "seats",
            sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
            sql.Column("seat", sql.Integer, primary_key=True),
            sql.Column("identity", sql.String(64), nullable=False),
        )
    if "journal" not in there:
        op.create_table(
            "journal",
            sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
            sql.Column("seq", sql.Integer, primary_key=True),
            sql.Column("kind", sql.String(16), nullable=False),
            sql.Column("entry", sql.Text, nullable=False),
            sqlite_with_rowid=False,
        )
    op.create_index("ix_tables_created", "tables", ["created"], if_not_exists=True)
    op.create_index("ix_seats_identity", "seats", ["identity"], if_not_exists=True)


def _copy(connection: Connection) -> None:
    """Copy every table with its seats and events."""
    missing = sql.text("SELECT * FROM old_tables WHERE id NOT IN (SELECT id FROM tables)")
    for table in connection.execute(missing).mappings().all():
        plan = {name: table[name] for name in ("id", "game", "players", "dealer", "host", "created")}
        plan["options"] = json.loads(table["options"])
        row = {name: table[name] for name in ("id", "game", "created")}
        row |= {"done": bool(table["done"]), "listed": False, "plan": json.dumps(plan)}
        _insert(connection, "tables", row)
        for seq, entry in enumerate(_entries(connection, table), 1):
            known = {"table_id": table["id"], "seq": seq, "kind": entry["kind"], "entry": json.dumps(entry)}
            _insert(connection, "journal", known)


def _entries(connection: Connection, table: Any) -> Iterator[dict[str, Any]]:
    at = {"at": table["created"]}
    of_table = {"id": table["id"]}
    seats = sql.text("SELECT * FROM old_seats WHERE table_id = :id AND who != 'open' ORDER BY seat")
    for seat in connection.execute(seats, of_table).mappings().all():
        place = {name: seat[name] for name in ("who", "name", "level", "identity") if seat[name] is not None}
        yield {"kind": "seated", **at, "seat": seat["seat"], "place": place}
        if seat["identity"]:
            _insert(connection, "seats", {"table_id": table["id"], "seat": seat["seat"], "identity": seat["identity"]})
    events = sql.text("SELECT * FROM old_events WHERE table_id = :id ORDER BY seq")
    for event in connection.execute(events, of_table).mappings().all():
        yield {"kind": "event", **at, "text": event["text"]} | (
            {"move_id": event["move_id"]} if event["move_id"] is not None else {}
        )


def _insert(connection: Connection, name: str, row: dict[str, Any]) -> None:
    columns = ", ".join(row)
    values = ", ".join(f":{column}" for column in row)
    connection.execute(sql.text(f"INSERT INTO {name} ({columns}) VALUES ({values})"), row)
