"""Upcard: card games with hidden cards, for players, game designers and researchers."""

from upcard.engine.chance import shuffler
from upcard.engine.errors import BadRecord, IllegalMove, UpcardError
from upcard.engine.match import Match
from upcard.engine.records import replay
from upcard.engine.setup import Setup
from upcard.engine.views import View
from upcard.games import SLUGS

__version__ = "0.1.0"
__all__ = ["SLUGS", "BadRecord", "IllegalMove", "Match", "Setup", "UpcardError", "View", "replay", "shuffler"]
