"""Experiments: many deals and matches between computer players, what they say and how sure, and how fast the rules run.

>>> from upcard import Setup, lab
>>> played = lab.deals(Setup("roundup", 3), 1000, by="heuristic")
>>> played["points"].reshape(-1, 3).shape
(1000, 3)
"""

from upcard.lab.columns import Deals
from upcard.lab.comparison import Comparison, compare
from upcard.lab.dealing import deals

__all__ = ["Comparison", "Deals", "compare", "deals"]
