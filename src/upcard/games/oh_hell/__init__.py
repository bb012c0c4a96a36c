"""Oh Hell."""

from upcard.rules import Clauses

from .heuristic import OhHellHeuristic
from .rules import S
from .words import OhHellWords


class OhHell(OhHellHeuristic[S], OhHellWords[S]):
    """The game of secret bids, which score only if a player takes exactly as many tricks as bid."""

    title = "Oh Hell"
    family = "Exact bids"
    summary = "Bid in secret how many tricks you will take, then take exactly that many."
    length = "45 to 60 minutes"
    minutes = 45
    difficulty = "easy"
    picture = ("Kh 9h 4s", "7h")
    player_counts = (3, 4, 5, 6, 7)  # OH-1; each for themselves
    default_players = 5
    short = {"max_cards": 5}
    author = {}
    author_clause = "OH-47"
    most_moves = 11
    clauses = Clauses(
        event="OH-41",
        players="OH-1",
        dealer="OH-6",
        options="OH-43",
        over="OH-37",
        chance="OH-38",
        deal="OH-39",
    )
