"""How databases of earlier versions become those of this one: a step for every schema there was."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sql
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from upcard.engine.errors import UpcardError

MIGRATING = 0x75706361
"""The advisory lock of whoever changes the schema."""


def migrate(engine: sql.Engine) -> None:
    """Bring a database to the schema of this version. Raises UpcardError if it is of a newer one, SQLAlchemyError."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":  # one server after the other
            connection.execute(sql.select(sql.func.pg_advisory_xact_lock(MIGRATING)))
        found = MigrationContext.configure(connection).get_current_revision()
        if found is not None and found not in known:
            raise UpcardError(f"the tables in {engine.url.database} were kept by a newer Upcard: upgrade this one")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
