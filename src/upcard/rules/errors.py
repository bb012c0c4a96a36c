"""The base class of Upcard's errors."""

from __future__ import annotations


class UpcardError(ValueError):
    """The base class of all errors that Upcard raises for wrong input. The message is one line."""


class BadGame(UpcardError, TypeError):
    """A declaration is wrong. The message is one line and says how to fix it."""
