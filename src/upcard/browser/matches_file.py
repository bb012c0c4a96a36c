"""All matches of a browser in one file, to keep them elsewhere or to take them to another browser."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from upcard.browser.store import BrowserStore
from upcard.house.bodies import OpenedMatches
from upcard.house.stores import StoredTable
from upcard.house.tables import is_id
from upcard.table.errors import Overtaken, Unacceptable
from upcard.table.journal import AnyEntry, Plan
from upcard.table.state import Seating

FORMAT = "upcard matches 1"


class SavedTable(Struct):
    """A table with all its entries."""

    plan: Plan
    done: bool
    entries: list[AnyEntry]


class MatchesFile(Struct):
    """The contents of the file."""

    format: str
    tables: list[SavedTable]


async def save_matches(store: BrowserStore) -> bytes:
    """The file with all tables."""
    tables = [SavedTable(stored.plan, stored.done, stored.entries) for stored in await store.all()]
    return msgspec.json.encode(MatchesFile(FORMAT, tables))


async def open_matches(store: BrowserStore, text: bytes | str) -> OpenedMatches:
    """Store the tables of a file. A table that is here already gets the entries that it has only in the file, if
    everything before them is the same; otherwise it stays as it is. Raises Unacceptable for another file, NotWritten.
    """
    counts = OpenedMatches(0, [], 0)
    for saved in _read(text):
        here = await store.load(saved.plan.id)
        with contextlib.suppress(Overtaken):  # written meanwhile by another window: it stays as it is
            if here is None:
                await store.begin(saved.plan, saved.entries, done=saved.done)
                counts.new += 1
                continue
            if more := _continuation(here, saved):
                await store.append(saved.plan.id, len(here.entries) + 1, more, done=saved.done)
                counts.continued.append(saved.plan.id)
                continue
        counts.known += 1
    return counts


def _read(text: bytes | str) -> list[SavedTable]:
    """The tables of a file. Raises Unacceptable."""
    try:
        saved = msgspec.json.decode(text, type=MatchesFile)
    except (ValueError, RecursionError):
        raise Unacceptable(
            "This file does not have saved matches: choose one that “Save all matches” has made"
        ) from None
    if saved.format != FORMAT:
        raise Unacceptable("This file is from another version of Upcard")
    if not all(_is_sound(table) for table in saved.tables):
        raise Unacceptable("This file is damaged: it has a table without seats")
    return saved.tables


def _is_sound(saved: SavedTable) -> bool:
    """Whether a table can be listed; its moves are judged when it is opened."""
    try:
        return is_id(saved.plan.id) and bool(saved.entries) and bool(Seating(saved.plan, saved.entries).places)
    except (LookupError, ValueError, TypeError):
        return False


def _continuation(here: StoredTable, saved: SavedTable) -> Sequence[AnyEntry]:
    """The entries of a saved table that follow those that are here; none if they differ."""
    count = len(here.entries)
    same = here.plan == saved.plan and saved.entries[:count] == here.entries
    return saved.entries[count:] if same else ()
