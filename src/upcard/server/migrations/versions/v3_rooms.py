"""Rooms, and who belongs to them."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    op.create_table(
        "rooms",
        sql.Column("id", sql.String(16), primary_key=True),
        sql.Column("version", sql.Integer, nullable=False),
        sql.Column("changed", sql.Float, nullable=False, index=True),
        sql.Column("room", sql.Text, nullable=False),
    )
    op.create_table(
        "members",
        sql.Column("room_id", sql.String(16), primary_key=True),
        sql.Column("number", sql.Integer, primary_key=True),
        sql.Column("identity", sql.String(64), nullable=False, index=True),
        sql.ForeignKeyConstraint(["room_id"], ["rooms.id"]),
    )
