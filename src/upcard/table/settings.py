"""The settings of a table besides its game: who may come, and how long players wait for each other."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

USUAL_PATIENCE = 60


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """The time that each person has. When it is up, a computer player moves for them until they come back."""

    per_move: Annotated[int, Meta(ge=5, le=600)] = 30
    """Seconds for each move; unused seconds are not saved up."""
    bank: Annotated[int, Meta(ge=0, le=7200)] = 300
    """Seconds for the whole match, used by moves that take longer."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a table."""

    listed: bool = False
    """Whether strangers find it in the lobby and may sit down."""
    watchers: bool = True
    """Whether people without a seat may watch."""
    clock: Clock | None = None
    """Fixed when play begins."""
    patience: Annotated[int, Meta(ge=10, le=3600)] = USUAL_PATIENCE
    """The seconds that everybody waits for an absent person before a computer player may step in."""
    knock: bool = False
    """Whether newcomers must ask the host before they sit down."""
    chat: bool = False
    """Whether people may write to each other in their own words; never at a listed table, which has phrases only."""
    invite_in_address: bool = True
    """Whether the address in the browsers of people with a seat is the invitation link."""
