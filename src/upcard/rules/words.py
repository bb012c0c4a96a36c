"""Former name of upcard.rules.enums and upcard.rules.phrases, for one more version."""

from upcard.rules.renamed import former_module

__getattr__ = former_module(__name__, "upcard.rules.enums", "upcard.rules.phrases")
