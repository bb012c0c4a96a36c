"""Cinch, also called High Five or Double Pedro."""

from upcard.rules import Clauses

from .heuristic import CinchHeuristic
from .rules import SEATS, S
from .words import CinchWords


class Cinch(CinchHeuristic[S], CinchWords[S]):
    """The game of two sides that bid for the points of fourteen trumps, two of which are fives."""

    title = "Cinch"
    family = "Bidding for points in partnership"
    summary = "Bid with your partner, name trumps, draw to them, and catch the two fives."
    length = "20 to 40 minutes"
    minutes = 20
    difficulty = "hard"
    picture = ("Ah Jh 5h 5d",)
    player_counts = (SEATS,)
    short = {"target": 21}
    author = {"bury": "free"}
    author_clause = "CI-48"
    most_moves = 84
    clauses = Clauses(event="CI-47", players="CI-1", dealer="CI-6", deal="CI-2")
