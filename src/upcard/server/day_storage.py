"""The storage of the deals of days in the database of the tables: the secret of each day, and everybody's scores."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import date, timedelta

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from upcard.house.stores import DayScore
from upcard.server.storage import Store, metadata
from upcard.table.errors import Overtaken

KEPT_DAYS = 7
"""The number of days for which the scores of a day are stored."""

days = sql.Table(
    "days",
    metadata,
    sql.Column("day", sql.String(10), primary_key=True),
    sql.Column("secret", sql.String(128), nullable=False),
)
day_scores = sql.Table(
    "day_scores",
    metadata,
    sql.Column("day", sql.ForeignKey("days.day"), primary_key=True),
    sql.Column("table_id", sql.String(16), primary_key=True),
    sql.Column("name", sql.String(80), nullable=False),
    sql.Column("score", sql.Integer, nullable=False),
    sql.Column("ahead", sql.Integer, nullable=False),
    sql.Column("won", sql.Boolean, nullable=False),
)


class DayStorage:
    """The days of all servers on one database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def secret_of_day(self, day: str) -> str | None:
        """The secret of a day; None if nobody has played its deal. Raises NotWritten if the database cannot be read."""
        query = sql.select(days.c.secret).where(days.c.day == day)
        return await self._store.read(lambda connection: connection.scalar(query))

    async def begin_day(self, day: str, secret: str) -> str:
        """Store the secret of a day unless it has one, and delete what is old; returns the secret that it has. Raises
        NotWritten."""
        old = (date.fromisoformat(day) - timedelta(KEPT_DAYS)).isoformat()

        def begin(connection: Connection) -> None:
            if connection.scalar(sql.select(days.c.secret).where(days.c.day == day)) is None:
                connection.execute(day_scores.delete().where(day_scores.c.day < old))
                connection.execute(days.delete().where(days.c.day < old))
                connection.execute(days.insert().values(day=day, secret=secret))

        with contextlib.suppress(Overtaken):  # another server has begun it
            await self._store.safely(before=begin)
        present = await self.secret_of_day(day)
        assert present is not None
        return present

    async def note_day_score(self, day: str, score: DayScore) -> None:
        """Store a score. Raises NotWritten; Overtaken if there is one of the same table."""
        row = {"day": day, "table_id": score.table, "name": score.name, "score": score.score}

        def note(connection: Connection) -> None:
            connection.execute(day_scores.insert().values(row | {"ahead": score.lead, "won": score.won}))

        await self._store.safely(before=note)

    async def day_scores(self, day: str) -> Sequence[DayScore]:
        """All scores of a day, in no particular order. Raises NotWritten if the database cannot be read."""
        query = day_scores.select().where(day_scores.c.day == day)
        rows = await self._store.read(lambda connection: connection.execute(query).all())
        return [DayScore(row.table_id, row.name, row.score, row.ahead, row.won) for row in rows]
