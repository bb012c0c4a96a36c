"""Experiments: many deals and matches between computer players, statistics with confidence intervals, and benchmarks.

>>> from upcard import Setup, lab
>>> played = lab.deals(Setup("roundup", 3), 1000, by="heuristic")
>>> played["points"].reshape(-1, 3).shape
(1000, 3)
"""

from upcard.lab.arena import Arena, arena
from upcard.lab.best_reply import Replies, replies
from upcard.lab.card_values import CardValue, CardValues, card_values, cards
from upcard.lab.columns import Played
from upcard.lab.comparison import Comparison, compare
from upcard.lab.deal_predicates import DealShare, deal_share
from upcard.lab.dealing import deals, matches
from upcard.lab.intervals import Interval, bootstrap
from upcard.lab.measures import Measured, measure
from upcard.lab.study import Arm, Study, study
from upcard.lab.variance import LuckShares, luck
from upcard.rules.renamed import former_modules, former_names

__all__ = [
    "Arena",
    "Arm",
    "CardValue",
    "CardValues",
    "Comparison",
    "DealShare",
    "Interval",
    "LuckShares",
    "Measured",
    "Played",
    "Replies",
    "Study",
    "arena",
    "bootstrap",
    "card_values",
    "cards",
    "compare",
    "deal_share",
    "deals",
    "luck",
    "matches",
    "measure",
    "replies",
    "study",
]

__getattr__ = former_names(__name__, Cards="CardValues", Luck="LuckShares")
former_modules(
    __name__,
    dominance="upcard.lab.best_reply",
    duplicate="upcard.lab.arena",
    skill="upcard.lab.variance",
    values="upcard.lab.card_values",
)
