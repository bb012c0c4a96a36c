"""The secrets of days, whose deal is the same for everybody, and everybody's scores."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision = "5"
down_revision = "4"


def upgrade() -> None:
    op.create_table(
        "days",
        sql.Column("day", sql.String(10), primary_key=True),
        sql.Column("secret", sql.String(128), nullable=False),
    )
    op.create_table(
        "day_scores",
        sql.Column("day", sql.String(10), primary_key=True),
        sql.Column("table_id", sql.String(16), primary_key=True),
        sql.Column("name", sql.String(80), nullable=False),
        sql.Column("score", sql.Integer, nullable=False),
        sql.Column("ahead", sql.Integer, nullable=False),
        sql.Column("won", sql.Boolean, nullable=False),
        sql.ForeignKeyConstraint(["day"], ["days.day"]),
    )
