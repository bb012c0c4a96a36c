"""Rolling Stone."""

from upcard.rules import Clauses

from .heuristic import RollingStoneHeuristic
from .rules import S
from .words import RollingStoneWords


class RollingStone(RollingStoneHeuristic[S], RollingStoneWords[S]):
    """The game of shedding cards in tricks: a player who cannot follow suit takes up the trick."""

    title = "Rolling Stone"
    family = "Shedding cards in tricks"
    summary = "Be the first to run out of cards. If you cannot follow suit, you take up the trick."
    length = "5 to 20 minutes"
    minutes = 5
    difficulty = "easy"
    picture = ("Kd Jd Ad", "9s")
    player_counts = (4, 5, 6)  # RS-1; each for themselves
    default_players = 4
    author = {"limit": 1000}
    author_clause = "RS-36"
    most_moves = 52
    clauses = Clauses(
        event="RS-32", players="RS-1", dealer="RS-5", options="RS-34", over="RS-28", chance="RS-29", deal="RS-30"
    )
