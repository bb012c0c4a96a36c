"""What the engine says when something cannot be: each error is one line for a person to read."""

from __future__ import annotations

from upcard.rules.errors import UpcardError


class IllegalMove(UpcardError):
    """An event that the rules do not allow here. Nothing has changed."""

    def __init__(self, clause: str, reason: str, index: int) -> None:
        super().__init__(f"event {index}: {reason}" + (f" ({clause})" if clause else ""))
        self.clause = clause
        """The clause of the rulebook that it breaks; empty for a game without clauses."""
        self.index = index
        """Its place among the events of the match, from 0."""
        self.reason = reason

    def __reduce__(self) -> tuple[object, ...]:
        return IllegalMove, (self.clause, self.reason, self.index)


class BadRecord(UpcardError):
    """A text that is no match record, or a header that the game refuses."""

    def __init__(self, message: str, clause: str | None = None) -> None:
        super().__init__(f"this is not a match record: {message}" + (f" ({clause})" if clause else ""))
        self.clause = clause
        self.reason = message

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.reason, self.clause)


class BadSetup(BadRecord):
    """A game, a number of players, a dealer or an option that cannot be; the same error where it does not stand in a
    record."""

    def __init__(self, message: str, clause: str | None = None) -> None:
        super().__init__(message, clause)
        self.args = (message + (f" ({clause})" if clause else ""),)


__all__ = ["BadRecord", "BadSetup", "IllegalMove", "UpcardError"]
