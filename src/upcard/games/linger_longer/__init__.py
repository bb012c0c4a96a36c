"""Linger Longer."""

from upcard.rules import Clauses

from .heuristic import LingerLongerHeuristic
from .rules import S
from .words import LingerLongerWords


class LingerLonger(LingerLongerHeuristic[S], LingerLongerWords[S]):
    """The game in which only the winner of a trick draws a card, and the last player with cards wins."""

    title = "Linger Longer"
    family = "Staying in by tricks"
    summary = "Only the winner of a trick draws a card. Be the last to hold any."
    length = "4 to 15 minutes"
    minutes = 4
    difficulty = "easy"
    picture = ("9c Jc Ac", "7h")
    player_counts = (3, 4, 5, 6)  # LL-1; each for themselves
    default_players = 4
    author = {}
    author_clause = "LL-39"
    most_moves = 17
    clauses = Clauses(
        event="LL-35",
        players="LL-1",
        dealer="LL-3",
        options="LL-37",
        over="LL-31",
        chance="LL-32",
        deal="LL-33",
        reshuffle="LL-21",
    )
