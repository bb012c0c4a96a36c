"""The errors by which a table refuses a request. They leave the table unchanged."""

from __future__ import annotations

from upcard.engine.errors import UpcardError
from upcard.rules.sentences import as_sentence


class Refusal(UpcardError):
    """A request that the table refuses. `clause` names the clause of the rulebook that forbids it, if one does."""

    def __init__(self, message: str, clause: str | None = None) -> None:
        super().__init__(message)
        self.sentence = as_sentence(message, None)
        """The message, for a reader of any language."""
        self.clause = clause


class Unacceptable(Refusal):
    """The request makes no sense: a name without letters, an unknown level."""


class Forbidden(Refusal):
    """This person may not do this."""


class WrongSecret(Forbidden):
    """The secret of a link is not the right one."""


class Taken(Refusal):
    """The seat, or the place in the match, is no longer free."""


class TooMany(Refusal):
    """A limit is reached: exceeding it would be at the expense of everybody else."""


class NotWritten(Refusal):
    """The journal could not be written or read."""


class Overtaken(NotWritten):
    """Somebody else has already written these entries: the table must catch up with the journal."""
