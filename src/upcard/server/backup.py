"""Back up all tables while the server keeps running."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from upcard.engine.errors import UpcardError
from upcard.server.storage import journal, sqlite_file


def back_up(url: str, file: Path) -> None:
    """Copy a SQLite database into `file` as a consistent snapshot. Raises UpcardError, also for other databases."""
    database = sqlite_file(url)
    if database is None:
        raise UpcardError("this database is backed up by its own tools, such as pg_dump")
    if not database.is_file():
        raise UpcardError(f"there are no tables in {database}")
    if file.exists() and file.samefile(database):
        raise UpcardError(f"{file} is the database itself: name another file for its copy")
    unfinished = file.with_name(f"{file.name}.part")
    try:
        unfinished.unlink(missing_ok=True)
        unfinished.touch(mode=0o600)  # anyone who can read it knows all cards
        if not _copy(database, unfinished):
            raise UpcardError(f"there are no tables in {database}")
        os.replace(unfinished, file)
    except (OSError, sqlite3.Error) as error:
        raise UpcardError(f"{file} could not be written: {getattr(error, 'strerror', None) or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _copy(database: Path, file: Path) -> bool:
    """Copy a database; returns whether the copy has a journal. Raises UpcardError if the database cannot be read or is
    damaged."""
    with (
        closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(file)) as copy,
    ):
        try:
            source.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.Error as error:
            raise UpcardError(f"the tables in {database} cannot be read: {error}") from None
        try:
            source.backup(copy)
            checked = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
        except sqlite3.DatabaseError as error:
            checked = str(error)
        if checked != "ok":
            raise UpcardError(f"the tables in {database} are damaged, so no copy was made: {' '.join(checked.split())}")
        copy.execute("PRAGMA journal_mode = DELETE")  # a single file, without a separate log
        return copy.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [journal.name]).fetchone() is not None
