"""Former name of upcard.games.kalooki.making, for one more version."""

from upcard.rules.renamed import former_module

__getattr__ = former_module(__name__, "upcard.games.kalooki.making")
