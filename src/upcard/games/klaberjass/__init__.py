"""Klaberjass."""

from upcard.rules import Clauses

from .heuristic import KlaberjassHeuristic
from .rules import S
from .words import KlaberjassWords


class Klaberjass(KlaberjassHeuristic[S], KlaberjassWords[S]):
    """The game for two in which the player who makes trump must outscore the other or lose everything."""

    title = "Klaberjass"
    family = "Marriages and tricks"
    summary = (
        "{if usual}Jack and nine are the best trumps. {end}"
        "Whoever makes trump must outscore the other or lose everything."
    )
    length = "20 to 40 minutes"
    minutes = 20
    difficulty = "medium"
    picture = ("Jh 9h", "Kh Qh")
    player_counts = (2,)
    short = {"target": 251}
    author = {}
    author_clause = "KJ-67"
    most_moves = 11
    clauses = Clauses(event="KJ-66", players="KJ-1", dealer="KJ-8", deal="KJ-12")
