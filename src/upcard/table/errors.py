"""What a table says when something that was asked of it cannot be; nothing has changed then."""

from __future__ import annotations

from upcard.engine.errors import UpcardError


class Refusal(UpcardError):
    """Something that was asked of a table and cannot be."""

    def __init__(self, message: str, clause: str | None = None) -> None:
        super().__init__(message)
        self.clause = clause


class Unacceptable(Refusal):
    """It makes no sense: a name without letters, a level that does not exist."""


class Forbidden(Refusal):
    """Only somebody else may do this."""


class Taken(Refusal):
    """The seat, or the place in the match, is no longer free."""


class TooMany(Refusal):
    """There are so many already that one more would be at the cost of the others."""


class NotWritten(Refusal):
    """The journal could not write it."""


class Overtaken(NotWritten):
    """Somebody else has written what was to be written here: whoever holds the table must read it again."""
