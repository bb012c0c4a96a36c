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
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":  # one server at a time
            connection.execute(sql.select(sql.func.pg_advisory_xact_lock(MIGRATING)))
        found = MigrationContext.configure(connection).get_current_revision()
        if found is not None and found not in known:
            raise UpcardError(f"the tables in {engine.url.database} were kept by a newer Upcard: upgrade this one")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
