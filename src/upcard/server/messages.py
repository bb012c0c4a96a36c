"""What browsers send, as types: anything else is refused before it is looked at."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Word = Annotated[str, Meta(max_length=40)]
Name = Annotated[str, Meta(max_length=120)]


class Message(Struct, forbid_unknown_fields=True):
    """The base of all of them: no unknown fields."""


class Me(Message, tag_field="who", tag="me"):
    """A seat for whoever makes the table."""


class Computer(Message, tag_field="who", tag="computer"):
    """A seat for a computer player."""

    level: Word


class Open(Message, tag_field="who", tag="open"):
    """A seat for whoever comes."""


class NewTable(Message):
    """`POST /api/tables`."""

    game: Word
    players: int
    options: dict[Word, Name | int | bool]
    name: Name
    seats: Annotated[list[Me | Computer | Open], Meta(max_length=10)]


class Sit(Message):
    """`POST /api/tables/{id}/sit`."""

    name: Name
    seat: int | None = None


class Fill(Message):
    """`POST /api/tables/{id}/fill`."""

    seat: int
    level: Word


class Move(Message, tag_field="type", tag="move"):
    """The only thing that a page says over the WebSocket."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    seq: Annotated[int, Meta(ge=0)]
    text: Annotated[str, Meta(max_length=200)]
