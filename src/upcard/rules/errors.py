"""The error of which all are: each is one line for a person to read."""

from __future__ import annotations


class UpcardError(ValueError):
    """Something that was asked cannot be."""
