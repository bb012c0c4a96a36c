"""The matches saved on this machine: the journals of their tables in one SQLite file.

Entries are the same as in the server's database, and one test covers both journals. It uses SQLite directly, so that
playing in a terminal does not require the server's dependencies.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import platformdirs

from upcard.engine.errors import UpcardError
from upcard.house.stores import StoredTable, is_over, listed_tables, own_tables
from upcard.rules.phrases import brief
from upcard.rules.sentences import Sentence, sentence
from upcard.table.errors import NotWritten
from upcard.table.journal import AnyEntry, Plan, decode_entry, encode, read_plan
from upcard.table.stores import LOCK_TIMEOUT, new_id, not_written, overtaken, reason

VERSION = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY, played REAL NOT NULL, done INTEGER NOT NULL, plan TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS journal (
    match_id TEXT NOT NULL REFERENCES matches, seq INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (match_id, seq)
) WITHOUT ROWID;
"""


class LocalStore:
    """The tables of one person, whose writes are on disk before they return. Raises UpcardError if it cannot be
    opened."""

    def __init__(self, file: Path | None) -> None:
        """Open this file, which is created if it is missing. Without a file the journal is in memory only."""
        try:
            if file is not None:
                file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._base = sqlite3.connect(file or ":memory:", timeout=LOCK_TIMEOUT, isolation_level=None)
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = FULL")
            version = self._base.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise UpcardError(
                    sentence("the matches in {file} were saved by a newer version of Upcard", file=str(file))
                )
            self._base.executescript(f"{SCHEMA} PRAGMA user_version = {VERSION}")
        except (OSError, sqlite3.Error) as error:
            raise UpcardError(
                sentence("matches cannot be saved in {file}: {reason}", file=str(file), reason=reason(error))
            ) from None

    def close(self) -> None:
        self._base.close()

    # ----------------------------------------------------------------------------------------- as a house's store

    async def begin(self, plan: Plan, entries: Sequence[AnyEntry], *, done: bool = False) -> None:
        """Save a new match with its first entries; `done` if they end it. Raises NotWritten."""

        def insert() -> None:
            row = plan.id, plan.created, done, encode(plan)
            self._base.execute("INSERT INTO matches (id, played, done, plan) VALUES (?, ?, ?, ?)", row)
            self._insert(plan.id, 1, entries)

        self._safely(insert)

    async def append(self, table: str, first: int, entries: Sequence[AnyEntry], *, done: bool) -> None:
        """Append entries to a match, all or none. Raises NotWritten, or Overtaken if the numbers are taken already."""

        def insert() -> None:
            self._insert(table, first, entries)
            row = entries[-1].at, is_over(entries, done), table
            self._base.execute("UPDATE matches SET played = ?, done = ? WHERE id = ?", row)

        self._safely(insert)

    async def since(self, table: str, seq: int) -> list[AnyEntry]:
        """The entries of a match after number `seq`. Raises NotWritten if they cannot be read."""
        return self._entries(table, seq)

    async def load(self, table: str) -> StoredTable | None:
        """A match with all its entries; None if there is none. Raises NotWritten if it cannot be read."""
        return self.find(table)

    async def of(self, identity: str, among: Sequence[str], created_before: float | None = None) -> list[StoredTable]:
        """The matches of these games at which somebody sits, the newest first. Raises NotWritten."""
        return own_tables(map(self._whole, self.all()), identity, among, created_before)

    async def finished(self, identity: str) -> list[StoredTable]:
        """The finished matches at which somebody sits, the newest first. Raises NotWritten."""
        return own_tables((self._whole(match) for match in self.all() if match.done), identity)

    async def listed(self, among: Sequence[str]) -> list[StoredTable]:
        """The listed matches of these games, the newest first. Raises NotWritten."""
        return listed_tables(map(self._whole, self.all()), among)

    def _insert(self, match: str, first: int, entries: Sequence[AnyEntry]) -> None:
        rows = [(match, first + i, encode(entry)) for i, entry in enumerate(entries)]
        self._base.executemany("INSERT INTO journal (match_id, seq, entry) VALUES (?, ?, ?)", rows)

    def _safely(self, step: Callable[[], None]) -> None:
        """Run a step in one transaction."""
        try:
            self._base.execute("BEGIN IMMEDIATE")
            try:
                step()
                self._base.execute("COMMIT")
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
        except sqlite3.IntegrityError:
            raise overtaken() from None
        except sqlite3.Error as error:
            raise not_written(error) from None

    # ------------------------------------------------------------------------------------------------------ look-up

    def new_id(self) -> str:
        """A new, unused id for a match."""
        while True:
            name = new_id(5)
            if not name.isdigit() and not self._select("WHERE id = ?", name):
                return name

    def all(self, most: int = 1000) -> list[StoredTable]:
        """The saved matches without their entries, at most `most`, the most recently played first. Raises NotWritten if
        they cannot be read."""
        return self._select("ORDER BY played DESC LIMIT ?", most)

    def find(self, wanted: str) -> StoredTable | None:
        """The match with this id; None if there is none."""
        return self._first("WHERE id = ?", wanted)

    def wanted(self, name: str | None) -> StoredTable:
        """The match with this id; for None, the most recently played match that is not over. Raises UpcardError if
        there is none."""
        return self._named(name, "WHERE NOT done ORDER BY played DESC", sentence("there is no match to continue"))

    def played_last(self, name: str | None) -> StoredTable:
        """The match with this id; for None, the most recently played one. Raises UpcardError if there is none."""
        return self._named(name, "ORDER BY played DESC", sentence("there are no saved matches yet"))

    def _named(self, name: str | None, otherwise: str, none: Sentence) -> StoredTable:
        match = self._first(otherwise) if name is None else self.find(name)
        if match is not None:
            return match
        missing = sentence("there is no saved match {name}; `upcard play --list` lists them", name=brief(name))
        raise UpcardError(none if name is None else missing)

    def _first(self, which: str, *values: Any) -> StoredTable | None:
        for saved in self._select(f"{which} LIMIT 1", *values):
            return self._whole(saved)
        return None

    def _whole(self, saved: StoredTable) -> StoredTable:
        """A saved match with its entries."""
        return replace(saved, entries=self._entries(saved.plan.id))

    def _select(self, which: str, *values: Any) -> list[StoredTable]:
        try:
            rows = self._base.execute(f"SELECT plan, played, done FROM matches {which}", values)
            return [StoredTable(read_plan(plan), bool(done), played=played) for plan, played, done in rows]
        except (sqlite3.Error, ValueError) as error:
            raise NotWritten(f"The matches cannot be read just now ({reason(error)})") from None

    def _entries(self, match: str, after: int = 0) -> list[AnyEntry]:
        wanted = "SELECT entry FROM journal WHERE match_id = ? AND seq > ? ORDER BY seq"
        try:
            return [decode_entry(entry) for (entry,) in self._base.execute(wanted, (match, after))]
        except (sqlite3.Error, ValueError) as error:
            raise NotWritten(f"The matches cannot be read just now ({reason(error)})") from None


def usual_file() -> Path:
    """The default file for saved matches."""
    return Path(platformdirs.user_data_dir("upcard")) / "terminal.sqlite3"
