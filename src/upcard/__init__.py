"""Upcard: card games with hidden cards, for players, game designers and researchers."""

from upcard.games import SLUGS
from upcard.match import BadRecord, IllegalMove, Match, UpcardError, shuffler
from upcard.records import replay
from upcard.views import View

__version__ = "0.1.0"
__all__ = ["SLUGS", "BadRecord", "IllegalMove", "Match", "UpcardError", "View", "replay", "shuffler"]
