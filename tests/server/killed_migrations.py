"""Kill a server at every statement of the migration of an old database, and check that the next start has everything.

A program of its own, as it forks: `killed_migrations.py URL SCRIPT` prints how often it killed. The SQL script makes
the old database.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import sqlalchemy as sql

from upcard.house.stores import StoredTable
from upcard.server.migrations import migrate
from upcard.server.storage import Store, engine_of, sqlite_file


def make_old(url: str, script: str) -> None:
    """Replace the database by an old one."""
    file = sqlite_file(url)
    if file is None:
        with engine_of(url).begin() as connection:
            connection.exec_driver_sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
            connection.exec_driver_sql(script)
        return
    for old in file.parent.glob(f"{file.name}*"):
        old.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)


def migrate_until(url: str, statement: int) -> None:
    """Migrate, and die just after this statement; the last is the commit."""
    engine, executed = engine_of(url), count(1)

    def die(*_arguments: Any) -> None:
        if next(executed) == statement:
            os.kill(os.getpid(), signal.SIGKILL)

    sql.event.listen(engine, "after_cursor_execute", die)
    sql.event.listen(engine, "commit", die)
    migrate(engine)


def is_killed(url: str, statement: int) -> bool:
    """Whether a process that migrates gets as far as this statement, which kills it."""
    child = os.fork()
    if child == 0:
        try:
            migrate_until(url, statement)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGKILL), status
    return status != 0


def stored(url: str) -> StoredTable | None:
    """The table of the old database, as the next server reads it."""

    async def read() -> StoredTable | None:
        store = Store(url)
        try:
            assert [kept.plan.id for kept in await store.of("a" * 64, ["sixty-six"])] == ["one"]
            return await store.load("one")
        finally:
            store.close()

    return asyncio.run(read())


def main(url: str, script: str) -> None:
    make_old(url, script)
    whole = stored(url)
    assert whole is not None
    for statement in count(1):
        make_old(url, script)
        killed = is_killed(url, statement)
        assert stored(url) == whole, f"killed after statement {statement}"
        if not killed:
            print(statement - 1)
            return


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]).read_text())
