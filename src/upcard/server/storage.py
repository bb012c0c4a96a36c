"""The storage of tables: SQLAlchemy Core on SQLite, or on any other database that SQLAlchemy supports.

One append-only journal contains every entry of every table. Two more relations contain the plans of the tables, and who
sits where, so that a person's tables can be found.

One thread writes (`upcard.server.writing`), a few read (`upcard.server.reading`), and another one checkpoints SQLite's
log from time to time, so that no write has to wait for that. A timekeeper refuses reads and writes that take too long.
"""

from __future__ import annotations

import io
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sql
from filelock import FileLock, Timeout
from sqlalchemy.engine import Connection
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from upcard.engine.errors import UpcardError
from upcard.house.stores import StoredTable
from upcard.rules.sentences import sentence
from upcard.server.heartbeats import Heartbeat, Timekeeper, Vital
from upcard.server.metrics import Metrics
from upcard.server.migrations import migrate
from upcard.server.reading import ReaderPool
from upcard.server.sessions import DEADLINE, Damaged, DatabaseSession, connecting, is_damage, is_of_database
from upcard.server.troubles import Trouble, Troubles
from upcard.server.writing import JournalWriter, PendingWrite, WriteStep
from upcard.table import journal as entries_of
from upcard.table.errors import NotWritten, Overtaken
from upcard.table.journal import AnyEntry, Plan, decode_entry, encode, kind, read_plan
from upcard.table.seats import seat_of
from upcard.table.state import Seating
from upcard.table.stores import LOCK_TIMEOUT, not_written, reason, told_reason

MOST_FOUND = 50
"""The most tables in one answer."""
MOST_COUNTED = 500
"""The most tables counted in a person's statistics."""
MOST_FORGOTTEN = 500
"""The most tables that are deleted in one transaction."""
CHECKPOINTS = 5.0
"""Seconds between two checkpoints."""
FORGETTING_TIME = 60.0
"""Seconds that the search for expired tables may take."""
DOUBTS = 15.0
"""Seconds after a failure during which a write that was given up may still be committed: longer than PostgreSQL lets a
transaction wait."""
PROBED = 100
"""The number of entries that one probe reads; the next probe continues from there."""
MAGIC = b"SQLite format 3\0"
"""The first bytes of every database of SQLite."""
MOST_AHEAD = 10_000
"""The number of pages in SQLite's log at which the writing thread itself makes a checkpoint: 40 MB."""

log = logging.getLogger("upcard.server")

metadata = sql.MetaData()
tables = sql.Table(
    "tables",
    metadata,
    sql.Column("id", sql.String(16), primary_key=True),
    sql.Column("game", sql.String(80), nullable=False),
    sql.Column("created", sql.Float, nullable=False, index=True),
    sql.Column("done", sql.Boolean, nullable=False),
    sql.Column("listed", sql.Boolean, nullable=False),
    sql.Column("plan", sql.Text, nullable=False),
)
seats = sql.Table(
    "seats",
    metadata,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("seat", sql.Integer, primary_key=True),
    sql.Column("identity", sql.String(64), nullable=False, index=True),
)
journal = sql.Table(
    "journal",
    metadata,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("seq", sql.Integer, primary_key=True),
    sql.Column("kind", sql.String(16), nullable=False),
    sql.Column("entry", sql.Text, nullable=False),
    sqlite_with_rowid=False,
)

JOURNAL_COLUMNS = [column.name for column in journal.columns]
MOST_ROWS = 100
"""The most rows that are inserted into SQLite's journal by one statement."""

T = TypeVar("T")


def url_of(folder: Path) -> str:
    """The URL of the SQLite database in a data directory."""
    return sql.URL.create("sqlite", database=str(folder / "upcard.sqlite3")).render_as_string()


def sqlite_file(url: str) -> Path | None:
    """The file of a SQLite database; None for any other database. Raises UpcardError for an invalid URL."""
    address = engine_of(url).url
    return Path(address.database) if address.get_backend_name() == "sqlite" and address.database else None


def place_of(url: str) -> str:
    """A database's name for messages, without its password."""
    return str(sqlite_file(url) or engine_of(url).url)


class Store:
    """The journal of all tables.

    Raises SQLAlchemyError if the database cannot be opened, UpcardError if another server has exclusive use of it, if
    it was made by a newer version, if its driver is not installed, or if its file cannot be written.
    """

    def __init__(self, url: str) -> None:
        self._engine = engine_of(url)
        self._file = sqlite_file(url)
        _check_access(self._file)
        self._lock = _lock(self._engine)
        self.metrics = Metrics()
        self._is_sqlite = self._engine.dialect.name == "sqlite"
        self._notify = None if self.shared is None else _notify()
        self.is_new = migrate(self._engine)
        """Whether the database was empty until now."""
        if self._is_sqlite:
            with self._engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        self._inode = _inode(self._file)
        self._bytes = _opened(self._file)
        self._insert = str(journal.insert().compile(dialect=self._engine.dialect))
        self.troubles = Troubles()
        self._doubtful: dict[str, float] = {}
        """The tables with a refused write that may be committed all the same, and until when that may show."""
        self._doubting = threading.Lock()
        self._probed = ("", 0)
        """The last entry that a probe has read."""
        self.timekeeper = Timekeeper()
        self._session = DatabaseSession(self._engine)
        self._writer = JournalWriter(self._session, self.timekeeper, self._put_down, self._report)
        self._readers = ReaderPool(self._engine, self.timekeeper)
        self._closed = threading.Event()
        self._checkpointer = threading.Thread(target=self._keep_up, name="checkpoints", daemon=True)
        self._checked = Heartbeat(self.timekeeper)
        self.vitals = [self._writer.vital, self._readers.vital]
        """The parts without which the store cannot work."""
        if self._is_sqlite:
            self._checkpointer.start()
            self.vitals.append(Vital("checkpoints", self._checked, self._checkpointer.is_alive))
        self.timekeeper.add(self._refuse_late)
        self.metrics.follow("upcard_waiting_writes", "Writes that wait for the database.", lambda: len(self._writer))
        self.metrics.follow("upcard_waiting_reads", "Reads that wait for the database.", lambda: len(self._readers))

    def at_start(self, step: Callable[[Connection], T]) -> T:
        """Run a step in a transaction of its own, before anybody is served. Raises SQLAlchemyError."""
        with self._engine.begin() as connection:
            return step(connection)

    def close(self) -> None:
        """Write everything pending and disconnect from the database, once; leave a damaged one as it is."""
        if self._closed.is_set():
            return
        self._closed.set()
        is_free = self._writer.close()
        if self._is_sqlite:
            self._checkpointer.join(DEADLINE)
        self._readers.close()
        self.timekeeper.close()
        if self.is_damaged or not is_free:  # SQLite makes a checkpoint when the last connection is closed
            return
        self._readers.disconnect()
        self._session.close()
        self._checkpoint()
        if self._bytes is not None:
            self._bytes.close()
        if self._lock is not None:
            self._lock.release()

    def _checkpoint(self) -> None:
        """Move SQLite's log into the main file, so that a copy of that file alone is nearly complete."""
        if self._is_sqlite and self._look_for_file():
            try:
                with self._engine.connect() as connection:
                    connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")
            except SQLAlchemyError as error:
                self._note_damage(error)

    def _keep_up(self) -> None:
        while not self._closed.wait(CHECKPOINTS):
            self._checkpoint()
            self._checked.beat()

    def _look_for_file(self) -> bool:
        """Whether the database file is still in place and begins like one, which SQLite with a write-ahead log does not
        check."""
        if self._file is None:
            return True
        if _inode(self._file) != self._inode:
            if self.troubles.begin(Trouble.MISSING):
                until = "until this very file is back, or the server is restarted"
                log.error("%s was deleted or replaced: nothing is written %s", self._file, until)
            return False
        self.troubles.end(Trouble.MISSING)
        if self._bytes is not None and os.pread(self._bytes.fileno(), len(MAGIC), 0) != MAGIC:
            self._note_damage(Damaged("its first bytes were overwritten"))
        return not self.is_damaged

    def _note_damage(self, error: Exception) -> None:
        """Note that the database is damaged, if this error shows it: then nothing is written any more."""
        if is_damage(error) and self.troubles.begin(Trouble.DAMAGED):
            until = "until the server is restarted, best with a backup"
            log.critical("%s is damaged (%s): nothing is written %s", self._place, reason(error), until)

    # --------------------------------------------------------------------------------------------------------- writing

    async def begin(self, plan: Plan, entries: Sequence[AnyEntry], *, done: bool = False) -> None:
        """Store a new table with its first entries; `done` if they end its match. Raises NotWritten."""
        row = {
            "id": plan.id,
            "game": plan.game,
            "created": plan.created,
            "done": done,
            "listed": plan.settings.listed,
            "plan": encode(plan),
        }

        def new_table(connection: Connection) -> None:
            connection.execute(tables.insert(), row)

        await self.safely(_rows(plan.id, 1, entries), new_table, _index(plan.id, entries))

    async def append(self, table: str, first: int, entries: Sequence[AnyEntry], *, done: bool) -> None:
        """Append entries to a table, all or none; `first` is the number of the first.

        Raises NotWritten; Overtaken if another server has already written entries with these numbers.
        """
        await self.safely(_rows(table, first, entries), after=_index(table, entries, done))

    async def safely(
        self, rows: Sequence[dict[str, Any]] = (), before: WriteStep | None = None, after: WriteStep | None = None
    ) -> None:
        """Write in one transaction; returns when it is on disk. Raises NotWritten, Overtaken."""
        for trouble in (Trouble.DAMAGED, Trouble.SILENT, Trouble.UNREADABLE):
            if trouble in self.troubles:
                self.metrics.failures.inc()
                raise not_written(OSError(trouble.value))
        began = time.monotonic()
        await self._writer.write(rows, before, after)
        self.metrics.latency.observe(time.monotonic() - began)
        self.metrics.moves.inc(sum(row["kind"] == "event" for row in rows))

    async def probe(self) -> None:
        """Check that the database can be written and read, even if nobody plays. Raises NotWritten if it cannot."""
        if self.is_damaged or self._writer.is_stuck:
            raise not_written(OSError((Trouble.DAMAGED if self.is_damaged else Trouble.SILENT).value))
        await self._writer.write(before=self._try)
        try:
            await self.read(self._read_on, is_fresh=self._is_sqlite, is_probe=True)
        except NotWritten:
            self.troubles.begin(Trouble.UNREADABLE)
            raise
        self.troubles.end(Trouble.UNREADABLE)
        if self.troubles.end(Trouble.SILENT):
            log.warning("the database at %s answers again", self._place)

    def _try(self, connection: Connection) -> None:
        """Run a query; after a failure, an update, as only that shows whether writing works again."""
        again = "UPDATE alembic_version SET version_num = version_num"
        connection.exec_driver_sql(again if self.troubles else "SELECT 1")

    def _read_on(self, connection: Connection) -> None:
        """Read the newest table, which is being written, and the next `PROBED` entries of all."""
        newest = connection.execute(tables.select().order_by(tables.c.created.desc()).limit(1)).first()
        if newest is not None:
            last = journal.select().where(journal.c.table_id == newest.id).order_by(journal.c.seq.desc())
            connection.execute(last.limit(1)).all()
        table, seq = self._probed
        beyond = sql.tuple_(journal.c.table_id, journal.c.seq) > sql.tuple_(table, seq)
        following = journal.select().where(beyond).order_by(journal.c.table_id, journal.c.seq).limit(PROBED)
        rows = connection.execute(following).all()
        self._probed = (rows[-1].table_id, rows[-1].seq) if rows else ("", 0)

    def _refuse_late(self) -> None:
        """Refuse reads that have waited too long; if a write or a probe has, refuse everything else too."""
        self._readers.refuse_late()
        if self._writer.is_late():
            self._give_up()
        elif self._writer.is_stuck:
            self._writer.refuse_all(_silent())

    def _give_up(self) -> None:
        if self.troubles.begin(Trouble.SILENT):  # first, as a caller that is refused may look for it at once
            log.error("the database at %s does not answer: nothing is written or read until it does", self._place)
        self._doubt(self._writer.refuse_all(_silent()))
        self._readers.refuse_all()

    def _report(self, jobs: Sequence[PendingWrite], error: Exception | None) -> None:
        """Note how a transaction ended."""
        if error is None or isinstance(error, (IntegrityError, Overtaken)):
            self.troubles.end(Trouble.UNWRITABLE)
            return
        self.metrics.failures.inc(len(jobs))
        self._note_damage(error)
        if not (Trouble.MISSING in self.troubles or self.is_damaged):  # which are logged already
            log.error("the tables cannot be written: %s", reason(error))
        if is_of_database(error):
            self._doubt(jobs)
            self.troubles.begin(Trouble.UNWRITABLE)

    def _doubt(self, jobs: Sequence[PendingWrite]) -> None:
        until = self.timekeeper.now() + DOUBTS
        with self._doubting:
            self._doubtful |= {row["table_id"]: until for job in jobs for row in job.rows}

    def doubtful(self) -> list[str]:
        """The tables with a refused write that may have been committed all the same; none while there is trouble. They
        are listed for a while, as it may only show later."""
        now = self.timekeeper.now()
        with self._doubting:
            if self.troubles:
                self._doubtful = dict.fromkeys(self._doubtful, now + DOUBTS)
                return []
            self._doubtful = {table: until for table, until in self._doubtful.items() if until > now}
            return [*self._doubtful]

    async def forget(self, before: float) -> list[str]:
        """Delete tables made before this time and unchanged since; returns their ids. Raises NotWritten.

        One call deletes at most `MOST_FORGOTTEN` tables. A reader searches for them; they are checked once more when
        they are deleted.
        """
        forgotten: list[str] = []
        old = await self.read(lambda connection: _forgettable(connection, before), deadline=FORGETTING_TIME)

        def delete(connection: Connection) -> None:
            forgotten[:] = _forgettable(connection, before, old)  # it may be tried twice: see `JournalWriter`
            for table, column in ((journal, journal.c.table_id), (seats, seats.c.table_id), (tables, tables.c.id)):
                connection.execute(table.delete().where(column.in_(forgotten)))

        if old:
            await self.safely(before=delete)
        return forgotten

    def _put_down(self, connection: Connection, jobs: Sequence[PendingWrite]) -> None:
        for step in (job.before for job in jobs if job.before):
            step(connection)
        if rows := sorted((row for job in jobs for row in job.rows), key=_place):
            self._insert_rows(connection, rows)
        for step in (job.after for job in jobs if job.after):
            step(connection)
        self.announce(connection, {row["table_id"] for row in rows})
        if not self._look_for_file():
            raise FileNotFoundError((Trouble.DAMAGED if self.is_damaged else Trouble.MISSING).value)

    def _insert_rows(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
        """Insert rows into the journal. SQLite takes many in one step: between two, this thread would have to wait for
        its turn in the interpreter."""
        if not self._is_sqlite:
            connection.exec_driver_sql(self._insert, rows)
            return
        for first in range(0, len(rows), MOST_ROWS):
            some = rows[first : first + MOST_ROWS]
            values = tuple([row[name] for row in some for name in JOURNAL_COLUMNS])
            connection.exec_driver_sql(_insertion(len(some)), values)

    def announce(self, connection: Connection, places: Iterable[str]) -> None:
        """Notify the other servers, once this transaction commits, that these tables or rooms have changed."""
        if self._notify is not None:
            self._notify(connection, places)

    # --------------------------------------------------------------------------------------------------------- reading

    async def load(self, table: str) -> StoredTable | None:
        """A table with all its entries; None if there is none. Raises NotWritten if the database cannot be read."""

        def read_one(connection: Connection) -> StoredTable | None:
            return next(iter(read_tables(connection, table, 1)), None)

        return await self.read(read_one)

    async def game_of(self, table: str) -> str | None:
        """The game that is played at a table; None if there is none. Raises NotWritten."""
        query = sql.select(tables.c.game).where(tables.c.id == table)
        return await self.read(lambda connection: connection.scalar(query))

    async def since(self, table: str, seq: int) -> list[AnyEntry]:
        """The entries of a table after number `seq`. Raises NotWritten if the database cannot be read."""
        return await self.read(lambda connection: _entries(connection, table, seq))

    async def of(self, identity: str, among: Sequence[str], created_before: float | None = None) -> list[StoredTable]:
        """The tables of these games at which somebody sits, newest first, without the events of their matches."""
        newest = _newest_of(identity).where(tables.c.game.in_(among))
        if created_before is not None:
            newest = newest.where(tables.c.created < created_before)
        return await self.read(lambda connection: _summaries(connection, newest.limit(MOST_FOUND)))

    async def finished(self, identity: str) -> list[StoredTable]:
        """The finished tables at which somebody sits, newest first, with only the last event of each match."""
        newest = _newest_of(identity).where(tables.c.done)
        return await self.read(lambda connection: _summaries(connection, newest.limit(MOST_COUNTED), last=True))

    async def listed(self, among: Sequence[str]) -> list[StoredTable]:
        """The tables of these games that are listed and in play, newest first, without the events of their matches."""
        going = tables.select().where(tables.c.listed, sql.not_(tables.c.done), tables.c.game.in_(among))
        newest = going.order_by(tables.c.created.desc())
        return await self.read(lambda connection: _summaries(connection, newest.limit(MOST_FOUND)))

    async def over(self, among: Sequence[str]) -> list[str]:
        """Which of these tables have finished matches. Raises NotWritten if the database cannot be read."""
        query = sql.select(tables.c.id).where(tables.c.id.in_(among), tables.c.done)
        return await self.read(lambda connection: [*connection.scalars(query)]) if among else []

    @property
    def shared(self) -> sql.URL | None:
        """The URL of the database if several servers can share it, otherwise None."""
        return self._engine.url if self._engine.dialect.name == "postgresql" else None

    @property
    def is_well(self) -> bool:
        """Whether the last write and the last probe succeeded, and the database file is still in place and whole."""
        return not self.troubles

    @property
    def is_damaged(self) -> bool:
        """Whether what is stored has turned out to be damaged."""
        return Trouble.DAMAGED in self.troubles

    @property
    def _place(self) -> str:
        return str(self._file or self._engine.url)

    async def read(
        self,
        read: Callable[[Connection], T],
        *,
        deadline: float = DEADLINE,
        is_fresh: bool = False,
        is_probe: bool = False,
    ) -> T:
        """Return what a query of the database returns. Raises NotWritten if the database cannot be read."""
        if Trouble.SILENT in self.troubles and not is_probe:
            raise _unreadable(OSError(Trouble.SILENT.value))
        if self._readers.is_full and not is_probe:
            raise _unreadable(OSError("too many are waiting for that"))
        try:
            return await self._readers.read(read, deadline=deadline, is_fresh=is_fresh)
        except (SQLAlchemyError, OSError, RuntimeError) as error:
            self.metrics.failed_reads.inc()
            self._note_damage(error)
            log.error("the tables cannot be read: %s", reason(error))
            if is_probe and isinstance(error, TimeoutError):
                self._give_up()
            raise _unreadable(error) from None
        except ValueError as error:
            self.metrics.failed_reads.inc()
            log.error("a table is damaged: %s", reason(error))
            raise NotWritten("The stored entries of this table are damaged") from None


def _silent() -> TimeoutError:
    return TimeoutError("the database did not answer in time")


def _unreadable(error: Exception) -> NotWritten:
    if reason_given := told_reason(error):
        return NotWritten(sentence("The tables cannot be read just now ({reason})", reason=reason_given))
    return NotWritten("The tables cannot be read just now")


def engine_of(url: str) -> sql.Engine:
    """The SQLAlchemy engine for a URL. Raises UpcardError if its driver is not installed or the URL is invalid."""
    try:
        address = _known(url)
        is_sqlite = address.get_backend_name() == "sqlite"
        named: dict[str, Any] = {"paramstyle": "named"} if is_sqlite else {}
        engine = sql.create_engine(address, poolclass=sql.NullPool, connect_args=connecting(address), **named)
    except (ImportError, NoSuchModuleError) as error:
        get = ": pip install 'psycopg[binary]'" if url.startswith("postgresql") else ""
        raise UpcardError(f"this database needs a package that is not installed ({reason(error)}){get}") from None
    except ArgumentError as error:
        raise UpcardError(f"this is not the URL of a database: {reason(error)}") from None
    if engine.dialect.name == "sqlite":
        sql.event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _known(url: str) -> sql.URL:
    """The URL, with psycopg as the driver for PostgreSQL if it names none."""
    address = sql.make_url(url)
    return address.set(drivername="postgresql+psycopg") if address.drivername == "postgresql" else address


def _lock(engine: sql.Engine) -> FileLock | None:
    """A lock on a SQLite file, which only one server may have open. Raises UpcardError if it is taken."""
    if engine.dialect.name != "sqlite" or not engine.url.database:
        return None
    lock = FileLock(f"{engine.url.database}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise UpcardError(
            f"another server has {engine.url.database} open: end it first, or use another --data"
        ) from None
    return lock


def _check_access(file: Path | None) -> None:
    """Raise UpcardError if this user cannot write the file, as SQLite would open it all the same, read-only."""
    if file is not None and file.is_file() and not os.access(file, os.R_OK | os.W_OK):
        raise UpcardError(f"{file} cannot be written by this user: give it to the user who runs the server")


def _inode(file: Path | None) -> tuple[int, int] | None:
    """The device and inode that identify a file; None if it does not exist."""
    try:
        status = os.stat(file or "")
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _opened(file: Path | None) -> io.FileIO | None:
    """The file, opened to read its bytes directly. It stays open, as closing it would release SQLite's locks on it."""
    return io.FileIO(file) if file is not None and hasattr(os, "pread") else None


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {int(LOCK_TIMEOUT * 1000)}")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute(f"PRAGMA wal_autocheckpoint = {MOST_AHEAD}")
    cursor.close()


def _notify() -> Callable[[Connection, Iterable[str]], None]:
    """The function that notifies other servers, imported only here as its driver is optional."""
    from upcard.server.peer_channel import notify

    return notify


@cache
def _insertion(rows: int) -> str:
    """The statement that inserts this many rows into SQLite's journal."""
    places = f"({', '.join('?' * len(JOURNAL_COLUMNS))})"
    return f"INSERT INTO journal ({', '.join(JOURNAL_COLUMNS)}) VALUES {', '.join([places] * rows)}"


def _place(row: dict[str, Any]) -> tuple[str, int]:
    """The sort key of rows: every server writes in this order, so that two never deadlock."""
    return row["table_id"], row["seq"]


def _rows(table: str, first: int, entries: Sequence[AnyEntry]) -> list[dict[str, Any]]:
    return [
        {"table_id": table, "seq": first + i, "kind": kind(entry), "entry": encode(entry)}
        for i, entry in enumerate(entries)
    ]


def _index(table: str, entries: Sequence[AnyEntry], done: bool = False) -> WriteStep | None:
    """The step that updates `tables` and `seats` for these entries; None if they change nothing there."""
    steps = [*_found_by(table, entries)]
    if done:
        steps.append(tables.update().where(tables.c.id == table).values(done=True))

    def index(connection: Connection) -> None:
        for step in steps:
            connection.execute(step)

    return index if steps else None


def _found_by(table: str, entries: Sequence[AnyEntry]) -> Iterator[sql.Executable]:
    for entry in entries:
        if isinstance(entry, (entries_of.Seated, entries_of.Left)):
            yield from _sits(table, entry.seat, entry.place.identity)
        elif isinstance(entry, entries_of.Moved):
            yield from _sits(table, entry.seat, entry.identity)
        elif isinstance(entry, entries_of.Swapped):
            one, two = entry.seats
            for old, new in ((one, -1), (two, one), (-1, two)):
                yield seats.update().where(seats.c.table_id == table, seats.c.seat == old).values(seat=new)
        elif isinstance(entry, entries_of.Changed):
            yield tables.update().where(tables.c.id == table).values(listed=entry.settings.listed)


def _sits(table: str, seat: int, identity: str | None) -> Iterator[sql.Executable]:
    yield seats.delete().where(seats.c.table_id == table, seats.c.seat == seat)
    if identity:
        yield seats.insert().values(table_id=table, seat=seat, identity=identity)


def _entries(connection: Connection, table: str, after: int = 0) -> list[AnyEntry]:
    query = sql.select(journal.c.entry).where(journal.c.table_id == table, journal.c.seq > after)
    return [decode_entry(text) for text in connection.scalars(query.order_by(journal.c.seq))]


def _forgettable(connection: Connection, before: float, among: Sequence[str] | None = None) -> list[str]:
    """The oldest tables made before this time and unchanged since, of all or of some, at most `MOST_FORGOTTEN`."""
    every = journal.alias()
    last = sql.select(sql.func.max(every.c.seq)).where(every.c.table_id == tables.c.id).scalar_subquery()
    of_last = sql.and_(journal.c.table_id == tables.c.id, journal.c.seq == last)
    both = tables.outerjoin(journal, of_last)
    old = sql.select(tables.c.id, journal.c.entry).select_from(both)
    if among is not None:
        old = old.where(tables.c.id.in_(among))
    rows = connection.execute(old.where(tables.c.created < before).order_by(tables.c.created)).all()
    unneeded = (row.id for row in rows if row.entry is None or _is_before(before, row.entry, row.id))
    return [*islice(unneeded, MOST_FORGOTTEN)]


def _is_before(moment: float, entry: str, table: str) -> bool:
    last = _readable(decode_entry, entry, table)
    return last is not None and last.at < moment


def _readable(decode: Callable[[str], T], text: str, table: str) -> T | None:
    """Decode a part of a table; returns None and logs it if it is damaged, so that other tables are shown all the
    same."""
    try:
        return decode(text)
    except ValueError as error:
        log.error("the table %s is damaged: %s", table, reason(error))
        return None


def read_tables(connection: Connection, table: str | None, most: int) -> list[StoredTable]:
    """The table with this id and all its entries, if it exists; for None, the `most` newest tables without the events
    of their matches."""
    if table is None:
        return _summaries(connection, tables.select().order_by(tables.c.created.desc()).limit(most))
    row = connection.execute(tables.select().where(tables.c.id == table)).one_or_none()
    return [] if row is None else [StoredTable(read_plan(row.plan), row.done, _entries(connection, table))]


def name_of(connection: Connection, identity: str) -> str | None:
    """The name of a person at their newest table; None if there is none."""
    for table in _summaries(connection, _newest_of(identity).limit(1)):
        places = Seating(table.plan, table.entries).places
        if (seat := seat_of(places, identity)) is not None:
            return places[seat].name
    return None


def notify_peers(connection: Connection, among: Sequence[str]) -> None:
    """Notify all servers, once this transaction commits, that these tables have new entries, if they can be shared."""
    if connection.dialect.name == "postgresql" and among:
        _notify()(connection, among)


def _newest_of(identity: str) -> sql.Select[Any]:
    """The tables at which somebody sits, newest first."""
    mine = sql.select(seats.c.table_id).where(seats.c.identity == identity)
    return tables.select().where(tables.c.id.in_(mine)).order_by(tables.c.created.desc())


def _summaries(connection: Connection, chosen: sql.Select[Any], *, last: bool = False) -> list[StoredTable]:
    """The chosen tables without the events of their matches, or with only the last one of each match; without damaged
    tables."""
    by_id: dict[str, StoredTable] = {}
    for row in connection.execute(chosen):
        if plan := _readable(read_plan, row.plan, row.id):
            by_id[row.id] = StoredTable(plan, row.done)
    of_these, is_event = journal.c.table_id.in_(list(by_id)), journal.c.kind == "event"
    wanted = sql.not_(is_event)
    if last:
        ends = sql.select(journal.c.table_id, sql.func.max(journal.c.seq)).where(of_these, is_event)
        wanted |= sql.tuple_(journal.c.table_id, journal.c.seq).in_(ends.group_by(journal.c.table_id))
    entries = sql.select(journal.c.table_id, journal.c.entry).where(of_these, wanted)
    for row in connection.execute(entries.order_by(journal.c.table_id, journal.c.seq)):
        if row.table_id in by_id:
            entry = _readable(decode_entry, row.entry, row.table_id)
            if entry is None:
                del by_id[row.table_id]
            else:
                by_id[row.table_id].entries.append(entry)
    return [*by_id.values()]
