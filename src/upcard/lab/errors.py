"""Errors of experiments."""

from upcard.engine.errors import UpcardError


class Lost(UpcardError):
    """Workers are lost for good. What they have done so far stands."""


class NoColumn(UpcardError, KeyError):
    """There is no such column: to mappings, a missing key."""

    __str__ = Exception.__str__  # that of KeyError would put quotes round the message
