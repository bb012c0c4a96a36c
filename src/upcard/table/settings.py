"""What a table agrees on beside its game: who may come, how long one waits for whom."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

USUAL_PATIENCE = 60


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is kept."""

    listed: bool = False
    """Whether strangers find it in the lobby and may sit down."""
    watchers: bool = True
    """Whether people without a seat may look on."""
    patience: Annotated[int, Meta(ge=10, le=3600)] = USUAL_PATIENCE
    """So many seconds everybody waits for somebody who is away before a computer player may step in."""
