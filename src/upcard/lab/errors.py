"""Errors of experiments."""

from upcard.engine.errors import UpcardError


class Lost(UpcardError):
    """All workers are permanently lost. Results that they have returned remain valid."""


class NoColumn(UpcardError, KeyError):
    """There is no such column; as in any mapping, also a KeyError."""

    __str__ = Exception.__str__  # KeyError's own would put the message in quotes
