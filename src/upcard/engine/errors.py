"""The errors of the engine. The message of each is one line for people to read."""

from __future__ import annotations

from upcard.rules.errors import UpcardError
from upcard.rules.sentences import joined_by, sentence


class IllegalMove(UpcardError):
    """An event is not legal here. The match is unchanged."""

    def __init__(self, clause: str, reason: str, index: int) -> None:
        super().__init__(f"event {index}: {reason}" + (f" ({clause})" if clause else ""))
        self.clause = clause
        """The id of the rulebook clause that the event breaks; empty if the game declares none."""
        self.index = index
        """The index that the event would have had in the match, from 0."""
        self.reason = reason
        """The message without index and clause."""

    def __reduce__(self) -> tuple[object, ...]:
        return IllegalMove, (self.clause, self.reason, self.index)


class BadRecord(UpcardError):
    """Not a match record, or one whose header is invalid."""

    def __init__(self, message: str, clause: str | None = None) -> None:
        super().__init__(_citing(sentence("this is not a match record: {fault}", fault=message), clause))
        self.clause = clause
        """The id of the rulebook clause that the header breaks, or None."""
        self.reason = message
        """The message alone, which can be a sentence for a reader of any language."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.reason, self.clause)


class NoGame(BadRecord):
    """The game of a record is unknown here. It may be a game of the user's own, outside Upcard."""

    def __init__(self, message: str, clause: str | None = None) -> None:
        super().__init__(message, clause)
        self.args = (f"{self}: pass a game of your own as game=",)


class BadSetup(BadRecord):
    """A game, number of players, dealer or option does not exist. Also raised outside records, with its own message."""

    def __init__(self, message: str, clause: str | None = None) -> None:
        super().__init__(message, clause)
        self.args = (_citing(message, clause),)


def _citing(message: str, clause: str | None) -> str:
    """A message with the clause that explains it, if there is one."""
    return joined_by(" ", [message, f"({clause})" if clause else ""])


__all__ = ["BadRecord", "BadSetup", "IllegalMove", "NoGame", "UpcardError"]
