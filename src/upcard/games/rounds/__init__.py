"""Rounds."""

from upcard.rules import Clauses

from .heuristic import RoundsHeuristic
from .rules import S
from .words import RoundsWords


class Rounds(RoundsHeuristic[S], RoundsWords[S]):
    """The game for two in which upcards make a trump suit and a trump rank, and the last round is played with kept
    cards."""

    title = "Rounds"
    family = "Tricks"
    summary = (
        "Each turned-up card makes a trump suit and a trump rank. "
        "Keep the right {if usual}four {end}cards for the last round."
    )
    length = "25 to 40 minutes"
    minutes = 25
    difficulty = "hard"
    picture = ("7d", "7h 7c Ah 8h")
    player_counts = (2,)
    short = {"target": 100}
    author = {"revokes": "allowed"}
    author_clause = "RD-60"
    most_moves = 20
    clauses = Clauses(event="RD-56", players="RD-1", dealer="RD-3", options="RD-59", deal="RD-10", unknown_card="RD-56")
