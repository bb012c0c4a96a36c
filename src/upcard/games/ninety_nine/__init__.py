"""Ninety-Nine."""

from upcard.rules import Clauses

from .heuristic import NinetyNineHeuristic
from .rules import S
from .words import NinetyNineWords


class NinetyNine(NinetyNineHeuristic[S], NinetyNineWords[S]):
    """The game of exact bids, each made with three cards laid aside; a bid can be secret, declared or revealed."""

    title = "Ninety-Nine"
    family = "Exact bids"
    summary = "Bid with three cards laid aside, in secret or boldly declared, and win exactly that many tricks."
    length = "about an hour"
    minutes = 60
    difficulty = "medium"
    picture = ("As Ks 9s 6h", "Td 9d Kc")
    player_counts = (2, 3, 4)  # NN-1; each for themselves
    default_players = 3
    short = {"target": 50}
    author = {}
    author_clause = "NN-54"
    most_moves = 286
    clauses = Clauses(event="NN-52", players="NN-1", dealer="NN-7", deal="NN-6")
