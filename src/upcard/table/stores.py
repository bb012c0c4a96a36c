"""What the stores of tables, the server's and the terminal's, have in common: ids, patience, and words for failures."""

from __future__ import annotations

import secrets
import sqlite3

from upcard.table.errors import NotWritten, Overtaken

ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""The characters of ids, none of which looks like another."""
LOCK_TIMEOUT = 3.0
"""Seconds to wait for another program that has locked the database."""


def new_id(length: int) -> str:
    """A random id."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(length))


def reason(error: Exception) -> str:
    """Why a database failed, on one line."""
    message = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
    return " ".join(str(message).split())[:200]


def told_reason(error: Exception) -> str:
    """The same in brackets, as people are told it: nothing where it may name the address of a database server."""
    is_of_a_file = isinstance(getattr(error, "orig", None) or error, (sqlite3.Error, OSError))
    return f" ({reason(error)})" if is_of_a_file else ""


def overtaken() -> Overtaken:
    """The refusal of entries whose numbers are taken."""
    return Overtaken("Somebody else was quicker: look again")


def not_written(error: Exception) -> NotWritten:
    """The refusal of entries that the database did not take."""
    return NotWritten(f"This could not be written down, so it was not done{told_reason(error)}")
