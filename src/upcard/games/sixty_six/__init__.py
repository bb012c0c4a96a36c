"""Sixty-Six."""

from upcard.rules import Clauses

from .heuristic import SixtySixHeuristic
from .rules import S
from .words import SixtySixWords


class SixtySix(SixtySixHeuristic[S], SixtySixWords[S]):
    """The game of marriages and tricks for two, in which a player must claim in time to have 66 points."""

    title = "Sixty-Six"
    family = "Marriages and tricks"
    summary = "Be the first to have {enough} points and say so. Close the stock if you dare."
    length = "10 to 20 minutes"
    minutes = 10
    difficulty = "easy"
    picture = ("Kh Qh", "As Ts")
    player_counts = (2,)  # SS-1
    author = {}
    author_clause = "SS-50"
    most_moves = 16
    clauses = Clauses(event="SS-48", dealer="SS-6", players="SS-1", deal="SS-10")
