"""What those who run a house look up in its database, while the server goes on."""

from __future__ import annotations

import json
import time

import sqlalchemy as sql

from upcard.engine.errors import UpcardError
from upcard.server.old_rules import record
from upcard.server.storage import Kept, engine_of, read_tables
from upcard.table.standing import Seating


def overview(url: str, most: int) -> list[str]:
    """A line for each of the newest tables. Raises UpcardError."""
    return [_line(kept) for kept in _read(url, most=most)]


def _line(kept: Kept) -> str:
    places = Seating(kept.plan, kept.entries).places
    made = time.strftime("%Y-%m-%d %H:%M", time.localtime(kept.plan.created))
    names = ", ".join(place.name or "–" for place in places)
    return f"{kept.plan.id:<12} {made}  {'over' if kept.done else 'open'}  {kept.plan.game:<14} {names}"


def export(url: str, table: str) -> str:
    """The match record of a table, finished or not. Raises UpcardError."""
    found = _read(url, table)
    if not found:
        raise UpcardError(f"there is no table {table[:20]!r}")
    return json.dumps(record(found[0]))


def _read(url: str, table: str | None = None, most: int = 1) -> list[Kept]:
    engine = engine_of(url)
    try:
        with engine.connect() as connection:
            return read_tables(connection, table, most)
    except sql.exc.SQLAlchemyError as error:
        raise UpcardError(f"the tables in {url} cannot be read: {getattr(error, 'orig', None) or error}") from None
    finally:
        engine.dispose()
