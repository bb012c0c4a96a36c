"""Plain Tricks: its name and player counts, and the clauses for errors that are found before a rule is applied."""

from upcard.rules import Clauses

from .heuristic import PlainTricksHeuristic
from .words import PlainTricksWords


class PlainTricks(PlainTricksHeuristic, PlainTricksWords):
    """A small but complete trick-taking game."""

    title = "Plain Tricks"
    slug = "plain-tricks"
    family = "Tricks"
    summary = "Follow suit, win tricks, and do not miss the last one."
    length = "5 to 10 minutes"
    minutes = 5
    player_counts = (2, 3, 4, 5)  # PT-1
    default_players = 4
    most_moves = 10
    clauses = Clauses(
        event="PT-17",
        players="PT-1",
        dealer="PT-3",
        options="PT-18",
        over="PT-15",
        chance="PT-17",
        deal="PT-16",
    )
