"""Administration: list, export, close and back up tables directly in the database, while the server keeps running."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import sqlalchemy as sql
from msgspec import MsgspecError
from sqlalchemy.engine import Connection

from upcard.engine.errors import UpcardError
from upcard.house.old_rules import record
from upcard.house.stores import StoredTable
from upcard.server.admissions import admissions
from upcard.server.device_storage import device_owner, devices, dismiss
from upcard.server.migrations import check_version
from upcard.server.storage import engine_of, journal, name_of, notify_peers, place_of, read_tables, sqlite_file, tables
from upcard.table.journal import Ended, encode, kind
from upcard.table.state import Seating
from upcard.table.stores import reason

ID = 12
"""The number of hexadecimal digits that name an admission or a device."""
BROUGHT = {
    "record": "a record that somebody brought, not a match played here",
    "played on": "played on from a record that somebody brought",
    "set up": "a deal that somebody set up",
}


def overview(url: str, most: int) -> list[str]:
    """One line for each of the `most` newest tables. Raises UpcardError."""
    return [_line(stored) for stored in _read(url, most=most)]


def _line(stored: StoredTable) -> str:
    plan, places = stored.plan, Seating(stored.plan, stored.entries).places
    names = ", ".join(place.name or "–" for place in places)
    line = f"{plan.id:<12} {_date(plan.created)}  {'over' if stored.done else 'open'}  {plan.game:<14} {names}"
    return line + (f"  ({BROUGHT[plan.brought]})" if plan.brought else "")


def _date(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))


def export(url: str, table: str) -> str:
    """The match record of a table, finished or not. Raises UpcardError."""
    try:
        stored = _read(url, table)
    except MsgspecError as error:
        raise UpcardError(f"the stored table {table[:20]} is damaged: {reason(error)}") from None
    if not stored:
        raise UpcardError(f"there is no table {table[:20]!r}")
    return json.dumps(record(stored[0]))


def close(url: str, table: str) -> None:
    """End the match of a table without a winner. Raises UpcardError if there is no such table or its match is over.

    A running server notices when it polls the database; on PostgreSQL all servers are notified at once.
    """
    with _connected(url) as connection:
        row = connection.execute(tables.select().where(tables.c.id == table)).one_or_none()
        if row is None:
            raise UpcardError(f"there is no table {table[:20]!r}")
        if row.done:
            raise UpcardError(f"the match of table {table} is over already")
        end = Ended(why="closed")
        seq = connection.scalar(sql.select(sql.func.max(journal.c.seq)).where(journal.c.table_id == table)) or 0
        connection.execute(journal.insert().values(table_id=table, seq=seq + 1, kind=kind(end), entry=encode(end)))
        connection.execute(tables.update().where(tables.c.id == table).values(done=True))
        notify_peers(connection, [table])


def admitted(url: str) -> list[str]:
    """One line for each browser that has given the passphrase, the latest visitor first. Raises UpcardError."""
    with _connected(url) as connection:
        rows = connection.execute(admissions.select().order_by(admissions.c.used.desc())).all()
        return [
            f"{row.digest[:ID]}  admitted {_date(row.admitted)}  last here {_date(row.used)}  "
            f"{_name_of(connection, row.identity)}"
            for row in rows
        ]


def _name_of(connection: Connection, device: str | None) -> str:
    """The name of the person whose device this is, at their newest table; a dash if there is none."""
    return (device and name_of(connection, device_owner(connection, device))) or "–"


def revoke(url: str, admission: str | None) -> int:
    """End the admission whose id begins with `admission`, or all for None; returns how many have ended. A running
    server notices when it polls the database. Raises UpcardError if there is no such admission, or several."""
    with _connected(url) as connection:
        if admission is None:
            return connection.execute(admissions.delete()).rowcount
        is_id = admissions.c.digest.startswith(admission.lower(), autoescape=True)
        matching = connection.scalars(sql.select(admissions.c.digest).where(is_id)).all()
        if len(matching) != 1 or not admission:
            few = "there is no admission" if not matching else "several admissions begin with"
            raise UpcardError(f"{few} {admission[:20]!r}: see `upcard admin admissions`")
        return connection.execute(admissions.delete().where(admissions.c.digest == matching[0])).rowcount


def shared_devices(url: str) -> list[str]:
    """One line for each device of those people who have several, a person's devices together. Raises UpcardError."""
    several = sql.select(devices.c.person).group_by(devices.c.person).having(sql.func.count() > 1)
    query = devices.select().where(devices.c.person.in_(several)).order_by(devices.c.person, devices.c.used.desc())
    with _connected(url) as connection:
        rows = connection.execute(query).all()
        names = {row.person: name_of(connection, row.person) or "–" for row in rows}
        return [f"{row.digest[:ID]}  last used {_date(row.used)}  {row.name}  {names[row.person]}" for row in rows]


def dismiss_device(url: str, device: str) -> str:
    """Remove the device whose id begins with `device` from its person's devices; returns its name. A running server
    notices when it polls the database. Raises UpcardError if there is no such device, or several."""
    with _connected(url) as connection:
        begins = devices.c.digest.startswith(device.lower(), autoescape=True)
        several = sql.select(devices.c.person).group_by(devices.c.person).having(sql.func.count() > 1)
        matching = connection.execute(devices.select().where(begins, devices.c.person.in_(several))).all()
        if len(matching) != 1 or not device:
            few = "there is no device" if not matching else "several devices begin with"
            raise UpcardError(f"{few} {device[:20]!r}: see `upcard admin devices`")
        dismiss(connection, matching[0])
        return str(matching[0].name)


@contextlib.contextmanager
def _connected(url: str) -> Iterator[Connection]:
    """A connection to the database with one transaction, committed at the end. Raises UpcardError."""
    file, engine = sqlite_file(url), engine_of(url)
    if file is not None and not file.is_file():
        raise UpcardError(f"there are no tables in {file}")
    try:
        with engine.begin() as connection:
            check_version(connection)
            if not sql.inspect(connection).has_table(tables.name):
                raise UpcardError(f"there are no tables in {place_of(url)}: no server has used it yet")
            yield connection
    except sql.exc.IntegrityError:
        raise UpcardError("something was played there at the same moment: try again") from None
    except sql.exc.SQLAlchemyError as error:
        raise UpcardError(
            f"the tables in {place_of(url)} cannot be read: {getattr(error, 'orig', None) or error}"
        ) from None
    finally:
        engine.dispose()


def _read(url: str, table: str | None = None, most: int = 1) -> list[StoredTable]:
    with _connected(url) as connection:
        return read_tables(connection, table, most)


# ------------------------------------------------------------------------------------------------------------ backup


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
