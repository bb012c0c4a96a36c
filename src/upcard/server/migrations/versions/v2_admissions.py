"""The passphrase's hash, and the browsers that have given it."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    op.create_table(
        "passphrases",
        sql.Column("salt", sql.String(32), primary_key=True),
        sql.Column("hash", sql.String(128), nullable=False),
    )
    op.create_table(
        "admissions",
        sql.Column("digest", sql.String(64), primary_key=True),
        sql.Column("salt", sql.String(32), nullable=False),
        sql.Column("admitted", sql.Float, nullable=False),
        sql.Column("used", sql.Float, nullable=False),
        sql.Column("identity", sql.String(64)),
    )
