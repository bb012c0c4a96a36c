"""The base class of Upcard's errors."""

from __future__ import annotations


class UpcardError(ValueError):
    """The base class of all errors that Upcard raises for wrong input. The message is one line."""


class BadGame(UpcardError, TypeError):
    """Raised for an invalid declaration. The message is one line and includes the remedy."""
