"""Migrations of databases from earlier versions, one step for every earlier schema."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sql
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from upcard.engine.errors import UpcardError
from upcard.server.migrations.versions import v1_journal

MIGRATING = 0x75706361
"""The number of the advisory lock that a server holds while it migrates."""


def migrate(engine: sql.Engine) -> bool:
    """Migrate a database to this version's schema in one transaction; returns whether it was empty.

    Raises UpcardError if it is newer, SQLAlchemyError if that fails.
    """
    config = _config()
    with _exclusive(engine) as connection:
        check_version(connection)
        there = sql.inspect(connection).get_table_names()
        config.attributes["connection"] = connection
        if _version(connection) == v1_journal.revision and v1_journal.is_unfinished(there):
            command.stamp(config, "base")
        command.upgrade(config, "head")
    return not {*there} - {"alembic_version"}


@contextlib.contextmanager
def _exclusive(engine: sql.Engine) -> Iterator[sql.Connection]:
    """A connection with one transaction in which no other server migrates, committed at the end.

    SQLite's driver begins a transaction only before the first change of a row, not before a change of the schema.
    """
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN EXCLUSIVE")
        elif engine.dialect.name == "postgresql":
            connection.execute(sql.select(sql.func.pg_advisory_xact_lock(MIGRATING)))
        yield connection


def check_version(connection: sql.Connection) -> None:
    """Raise UpcardError if the database is of a newer version than this one."""
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    version = _version(connection)
    if version is not None and version not in known:
        name = connection.engine.url.database
        raise UpcardError(f"the tables in {name} were written by a newer Upcard: upgrade this one")


def _version(connection: sql.Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config
