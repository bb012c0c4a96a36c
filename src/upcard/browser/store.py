"""Tables in a browser's database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

import msgspec
from msgspec import Struct

from upcard.house.stores import StoredTable, is_over, own_tables
from upcard.rules.sentences import sentence
from upcard.table.errors import NotWritten
from upcard.table.journal import AnyEntry, Happened, Plan, encode
from upcard.table.stores import overtaken

PAGE_SIZE = 50
"""The number of tables in one answer, and of rows read at once."""
TAKEN = "taken"


class BrowserDatabase(Protocol):
    """The database, as the worker's script reads and writes it: a row for each table with its number of entries, and
    the entries under their numbers. Everything is passed as text, for JavaScript and Python to share.

    Reading raises an exception of any type if the database cannot be read.
    """

    async def write(self, table: str, created: float, first: int, entries: str, row: str) -> str:
        """Store entries (a JSON list of texts) from number `first` on, and the row of their table, in one transaction.

        Returns an empty text when they are stored, `TAKEN` if the table does not have exactly `first - 1` entries, and
        otherwise the reason why it failed. Nothing is stored then.
        """
        ...

    async def row(self, table: str) -> str:
        """The row of a table; empty if there is none."""
        ...

    async def rows(self, created_before: float, most: int) -> str:
        """A JSON list of the rows of tables created before a time, the newest first."""
        ...

    async def entries(self, table: str, after: int) -> str:
        """A JSON list of a table's entries after this number, in order."""
        ...


class TableRow(Struct, frozen=True):
    """A table without its moves, which lists and statistics are made from."""

    plan: Plan
    done: bool
    count: int
    """The number of all its entries."""
    entries: list[AnyEntry]
    """Its entries, with only the last event of the match."""

    def table(self) -> StoredTable:
        return StoredTable(self.plan, self.done, self.entries)

    def followed_by(self, entries: Sequence[AnyEntry], done: bool) -> TableRow:
        return TableRow(self.plan, done, self.count + len(entries), _without_moves([*self.entries, *entries]))


_row = msgspec.json.Decoder(TableRow)
_rows = msgspec.json.Decoder(list[TableRow])
_entries = msgspec.json.Decoder(list[AnyEntry])


class BrowserStore:
    """Tables in a browser's database. Every entry is stored in a transaction of its own before anybody sees it; where
    several programs share the database, entries whose numbers are taken raise Overtaken."""

    def __init__(self, database: BrowserDatabase) -> None:
        self._database = database
        self._rows: dict[str, TableRow] = {}
        """The rows of the tables that were written here, as last stored."""

    async def begin(self, plan: Plan, entries: Sequence[AnyEntry], *, done: bool = False) -> None:
        await self._write(TableRow(plan, done, 0, []), entries, done)

    async def append(self, table: str, first: int, entries: Sequence[AnyEntry], *, done: bool) -> None:
        row = self._rows.get(table)
        if row is None or row.count != first - 1:
            row = await self._row(table)
        if row is None or row.count != first - 1:
            raise overtaken()
        await self._write(row, entries, is_over(entries, done))

    async def _write(self, row: TableRow, entries: Sequence[AnyEntry], done: bool) -> None:
        plan, after = row.plan, row.followed_by(entries, done)
        texts = msgspec.json.encode([encode(entry) for entry in entries]).decode()
        encoded = msgspec.json.encode(after).decode()
        trouble = await self._database.write(plan.id, plan.created, row.count + 1, texts, encoded)
        if trouble:
            self._rows.pop(plan.id, None)
            raise (
                overtaken()
                if trouble == TAKEN
                else NotWritten(sentence("This could not be saved, so it was not done ({reason})", reason=trouble))
            )
        self._rows[plan.id] = after

    async def since(self, table: str, seq: int) -> list[AnyEntry]:
        return _entries.decode(await self._database.entries(table, seq))

    async def load(self, table: str) -> StoredTable | None:
        row = await self._row(table)
        return None if row is None else StoredTable(row.plan, row.done, await self.since(table, 0))

    async def of(self, identity: str, among: Sequence[str], created_before: float | None = None) -> list[StoredTable]:
        tables: list[StoredTable] = []
        async for page in self._pages(float("inf") if created_before is None else created_before):
            tables += own_tables(page, identity, among)
            if len(tables) >= PAGE_SIZE:
                break
        return tables[:PAGE_SIZE]

    async def finished(self, identity: str) -> list[StoredTable]:
        pages = [page async for page in self._pages(float("inf"))]
        return own_tables((stored for page in pages for stored in page if stored.done), identity)

    async def listed(self, among: Sequence[str]) -> list[StoredTable]:
        """None: nobody else comes here."""
        return []

    async def all(self) -> list[StoredTable]:
        """All tables with all their entries, the newest first."""
        pages = [page async for page in self._pages(float("inf"))]
        loaded = [await self.load(stored.plan.id) for page in pages for stored in page]
        return [stored for stored in loaded if stored is not None]

    async def _row(self, table: str) -> TableRow | None:
        text = await self._database.row(table)
        return _row.decode(text) if text else None

    async def _pages(self, before: float) -> AsyncIterator[list[StoredTable]]:
        """All tables created before a time, the newest first, without most of their events."""
        rows = await self._read_rows(before)
        while rows:
            yield [row.table() for row in rows]
            rows = await self._read_rows(rows[-1].plan.created) if len(rows) == PAGE_SIZE else []

    async def _read_rows(self, before: float) -> list[TableRow]:
        return _rows.decode(await self._database.rows(before, PAGE_SIZE))


def _without_moves(entries: Sequence[AnyEntry]) -> list[AnyEntry]:
    """The entries that are not events of the match, and the last event, in order."""
    last = max((number for number, entry in enumerate(entries) if isinstance(entry, Happened)), default=-1)
    return [entry for number, entry in enumerate(entries) if number == last or not isinstance(entry, Happened)]
