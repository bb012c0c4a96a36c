"""Roundup!"""

from upcard.rules import Clauses

from .heuristic import RoundupHeuristic
from .rules import S
from .words import RoundupWords


class Roundup(RoundupHeuristic[S], RoundupWords[S]):
    """The game of building stacks with an open hand and a hidden one, in which each player bids on the suit that is
    closed last."""

    title = "Roundup!"
    family = "Building stacks"
    summary = "Guess which suit is completed last and bring it about, with an open hand and a hidden one."
    length = "6 to 10 rounds, about an hour"
    minutes = 60
    difficulty = "hard"
    picture = ("4h 5h 6h", "Js Qs Ks")
    player_counts = (2, 3, 4, 5, 6)  # RU-1; each for themselves
    default_players = 4
    short = {"target": 5}
    author = {}
    author_clause = "RU-55"
    # Nine face cards at a table of six, including all Kings and Queens: on each of five other seats a King makes 10
    # moves, a Queen 4, a Jack 1. Each card is also a pass, as there is no number card; one of them makes two at most.
    most_moves = 294
    clauses = Clauses(
        event="RU-51", players="RU-1", dealer="RU-3", options="RU-54", deal="RU-4", draw="RU-35", unreadable="RU-51"
    )
