"""Former name of upcard.games.kalooki.melds, for one more version."""

from upcard.rules.renamed import former_module

__getattr__ = former_module(__name__, "upcard.games.kalooki.melds")
