"""Former name of upcard.lab.card_values, for one more version."""

from upcard.rules.renamed import former_module

__getattr__ = former_module(__name__, "upcard.lab.card_values")
