"""Where tables are kept: SQLAlchemy Core on SQLite, or on any other database that SQLAlchemy speaks to.

One thread writes. It takes all writes that have come in meanwhile into one transaction, so that many tables share the
cost of one safe write; whoever asked for a write goes on when that transaction is on the disk, not before.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sql
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from upcard.table.table import Entry, NotWritten, Place, Plan

MOST_AT_ONCE = 500
"""Writes in one transaction."""
LOCK_TIMEOUT = 3.0
"""Seconds to wait for another program that has locked the database."""

metadata = sql.MetaData()
tables = sql.Table(
    "tables",
    metadata,
    sql.Column("id", sql.String(16), primary_key=True),
    sql.Column("game", sql.String(40), nullable=False),
    sql.Column("players", sql.Integer, nullable=False),
    sql.Column("dealer", sql.Integer, nullable=False),
    sql.Column("options", sql.Text, nullable=False),
    sql.Column("host", sql.String(64), nullable=False),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("done", sql.Boolean, nullable=False),
)
seats = sql.Table(
    "seats",
    metadata,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("seat", sql.Integer, primary_key=True),
    sql.Column("who", sql.String(10), nullable=False),
    sql.Column("name", sql.String(60)),
    sql.Column("level", sql.String(20)),
    sql.Column("identity", sql.String(64), index=True),
)
events = sql.Table(
    "events",
    metadata,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("seq", sql.Integer, primary_key=True),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("move_id", sql.String(64)),
    sqlite_with_rowid=False,
)

T = TypeVar("T")
Write = Callable[[Connection], None]


class _Overtaken(Exception):
    """Somebody else has written what was to be written here."""


@dataclass(frozen=True)
class Kept:
    """A table as it was kept, without its events."""

    plan: Plan
    places: list[Place]
    done: bool


def url_of(folder: Path) -> str:
    """The database in a data directory."""
    return f"sqlite:///{folder / 'upcard.sqlite3'}"


class Store:
    """The journal of all tables. Raises SQLAlchemyError if the database cannot be opened at all."""

    def __init__(self, url: str) -> None:
        self._engine = sql.create_engine(url)
        if self._engine.dialect.name == "sqlite":
            sql.event.listen(self._engine, "connect", _prepare_sqlite)
            with self._engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        metadata.create_all(self._engine)
        self._waiting: queue.SimpleQueue[tuple[Write, asyncio.Future[None]] | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="journal", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write what is waiting and let go of the database."""
        self._waiting.put(None)
        self._writer.join()
        self._engine.dispose()

    # --------------------------------------------------------------------------------------------------------- writing

    async def write_table(self, plan: Plan, places: Sequence[Place]) -> None:
        row = {
            "id": plan.id,
            "game": plan.game,
            "players": plan.players,
            "dealer": plan.dealer,
            "options": json.dumps(dict(plan.options)),
            "host": plan.host,
            "created": plan.created,
            "done": False,
        }

        def write(connection: Connection) -> None:
            connection.execute(tables.insert(), row)
            connection.execute(seats.insert(), [_seat_row(plan.id, i, place) for i, place in enumerate(places)])

        await self._safely(write)

    async def write_place(self, table: str, seat: int, place: Place) -> None:
        here = (seats.c.table_id == table) & (seats.c.seat == seat) & (seats.c.who == "open")

        def write(connection: Connection) -> None:
            if connection.execute(seats.update().where(here).values(_seat_row(table, seat, place))).rowcount != 1:
                raise _Overtaken

        await self._safely(write)

    async def write_event(self, table: str, entry: Entry, done: bool) -> None:
        row = {"table_id": table, "seq": entry.seq, "text": entry.text, "move_id": entry.move_id}

        def write(connection: Connection) -> None:
            connection.execute(events.insert(), row)
            if done:
                connection.execute(tables.update().where(tables.c.id == table).values(done=True))

        await self._safely(write)

    async def _safely(self, write: Write) -> None:
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put((write, written))
        await written

    def _write_all(self) -> None:
        going_on = True
        while going_on:
            jobs = [self._waiting.get()]
            while len(jobs) < MOST_AT_ONCE and not self._waiting.empty():
                jobs.append(self._waiting.get())
            going_on = None not in jobs
            self._write_together([job for job in jobs if job is not None])

    def _write_together(self, jobs: Sequence[tuple[Write, asyncio.Future[None]]]) -> None:
        """All in one transaction; if that fails each alone, so that nobody's write fails for another's sake."""
        error: Exception | None = None
        try:
            with self._engine.begin() as connection:
                for write, _ in jobs:
                    write(connection)
        except Exception as failed:
            error = failed
        if error is not None and len(jobs) > 1:
            for job in jobs:
                self._write_together([job])
            return
        for _, written in jobs:
            _settle(written, error)

    # --------------------------------------------------------------------------------------------------------- reading

    async def load(self, table: str) -> tuple[Kept, list[Entry]] | None:
        """A table with all its events; None if there is none. Raises NotWritten if the database cannot be read."""

        def read(connection: Connection) -> tuple[Kept, list[Entry]] | None:
            found = _kept(connection, [table])
            if not found:
                return None
            rows = connection.execute(
                sql.select(events.c.seq, events.c.text, events.c.move_id)
                .where(events.c.table_id == table)
                .order_by(events.c.seq)
            )
            return found[0], [Entry(*row) for row in rows]

        return await self._read(read)

    async def of(self, identity: str, most: int = 50) -> list[Kept]:
        """The tables at which somebody sits, newest first."""

        def read(connection: Connection) -> list[Kept]:
            mine = sql.select(seats.c.table_id).where(seats.c.identity == identity)
            newest = sql.select(tables.c.id).where(tables.c.id.in_(mine)).order_by(tables.c.created.desc()).limit(most)
            return _kept(connection, list(connection.scalars(newest)))

        return await self._read(read)

    async def _read(self, read: Callable[[Connection], T]) -> T:
        def alone() -> T:
            with self._engine.connect() as connection:
                return read(connection)

        try:
            return await asyncio.to_thread(alone)
        except SQLAlchemyError as error:
            raise NotWritten(f"The tables cannot be read just now ({_reason(error)})") from None


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {int(LOCK_TIMEOUT * 1000)}")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _settle(written: asyncio.Future[None], error: Exception | None) -> None:
    """Tell the event loop of a future what came of its write; whoever waited may be gone, and its loop too."""

    def settle() -> None:
        if written.cancelled():
            return
        if error is None:
            written.set_result(None)
        elif isinstance(error, (IntegrityError, _Overtaken)):
            written.set_exception(NotWritten("Another server plays on at this table: open it again"))
        else:
            written.set_exception(NotWritten(f"This could not be written down, so it was not done ({_reason(error)})"))

    with contextlib.suppress(RuntimeError):  # the loop is closed
        written.get_loop().call_soon_threadsafe(settle)


def _reason(error: Exception) -> str:
    return " ".join(str(getattr(error, "orig", None) or error).split())[:100]


def _seat_row(table: str, seat: int, place: Place) -> dict[str, Any]:
    return {
        "table_id": table,
        "seat": seat,
        "who": place.who,
        "name": place.name,
        "level": place.level,
        "identity": place.identity,
    }


def _kept(connection: Connection, ids: Sequence[str]) -> list[Kept]:
    """These tables, newest first."""
    places: dict[str, list[Place]] = {table: [] for table in ids}
    for row in connection.execute(seats.select().where(seats.c.table_id.in_(ids)).order_by(seats.c.seat)):
        places[row.table_id].append(Place(row.who, row.name, row.level, row.identity))
    rows = connection.execute(tables.select().where(tables.c.id.in_(ids)).order_by(tables.c.created.desc()))
    return [
        Kept(
            Plan(row.id, row.game, row.players, row.dealer, json.loads(row.options), row.host, row.created),
            places[row.id],
            row.done,
        )
        for row in rows
    ]
