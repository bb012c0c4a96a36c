"""Migrations of databases from earlier versions, one step for every earlier schema."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sql
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from upcard.engine.errors import UpcardError

MIGRATING = 0x75706361
"""The number of the advisory lock that a server holds while it migrates."""


def migrate(engine: sql.Engine) -> None:
    """Migrate a database to this version's schema. Raises UpcardError if it is newer, SQLAlchemyError if that fails."""
    config = _config()
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":  # one server at a time
            connection.execute(sql.select(sql.func.pg_advisory_xact_lock(MIGRATING)))
        check_version(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def check_version(connection: sql.Connection) -> None:
    """Raises UpcardError if the database is of a newer version than this one."""
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    version = MigrationContext.configure(connection).get_current_revision()
    if version is not None and version not in known:
        name = connection.engine.url.database
        raise UpcardError(f"the tables in {name} were kept by a newer Upcard: upgrade this one")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config
