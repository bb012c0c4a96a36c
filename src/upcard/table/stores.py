"""Shared by all stores of tables: ids, the lock timeout and error messages.

Errors of SQLite are recognized by name, as not every Python has that module.
"""

from __future__ import annotations

import secrets

from upcard.rules.sentences import sentence
from upcard.table.errors import NotWritten, Overtaken

ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""The characters of ids, no two of which look alike."""
LOCK_TIMEOUT = 3.0
"""Seconds to wait for another program that has locked the database."""


def new_id(length: int) -> str:
    """A random id."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(length))


def reason(error: Exception) -> str:
    """The reason why a database failed, on one line."""
    message = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
    return " ".join(str(message).split())[:200]


def told_reason(error: Exception) -> str:
    """The same, for showing to users; empty if it might reveal the address of a database server."""
    cause = getattr(error, "orig", None) or error
    is_of_a_file = isinstance(cause, OSError) or any(kind.__module__ == "sqlite3" for kind in type(cause).__mro__)
    return reason(error) if is_of_a_file else ""


def overtaken() -> Overtaken:
    """The refusal of entries whose numbers are already in use."""
    return Overtaken("Somebody else was quicker: look again")


def not_written(error: Exception) -> NotWritten:
    """The refusal of entries that the database did not store."""
    if reason_given := told_reason(error):
        return NotWritten(sentence("This could not be saved, so it was not done ({reason})", reason=reason_given))
    return NotWritten("This could not be saved, so it was not done")
