"""Errors of experiments."""

from upcard.engine.errors import UpcardError


class Lost(UpcardError):
    """Workers are lost for good. What they have done so far stands."""
