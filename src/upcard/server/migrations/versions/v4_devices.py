"""The devices of people who have several, and the links that make another one."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    op.create_table(
        "devices",
        sql.Column("digest", sql.String(64), primary_key=True),
        sql.Column("person", sql.String(64), nullable=False, index=True),
        sql.Column("former", sql.String(64)),
        sql.Column("name", sql.String(60), nullable=False),
        sql.Column("used", sql.Float, nullable=False),
        sql.Column("changed", sql.Float, nullable=False, index=True),
    )
    op.create_table(
        "device_links",
        sql.Column("digest", sql.String(64), primary_key=True),
        sql.Column("person", sql.String(64), nullable=False, index=True),
        sql.Column("until", sql.Float, nullable=False),
        sql.Column("settings", sql.Text, nullable=False),
    )
