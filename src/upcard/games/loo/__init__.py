"""Loo, with five cards and Pam."""

from upcard.rules import Clauses

from .heuristic import LooHeuristic
from .rules import S
from .words import LooWords


class Loo(LooHeuristic[S], LooWords[S]):
    """The staking game in which every trick wins a fifth of the pot, and players who stay in but take none pay."""

    title = "Loo"
    family = "Staking on tricks"
    summary = (
        "Stay in only if you will take a trick. "
        "Every trick is {if size == 5}a fifth{else}one of {size:word} parts{end} of "
        "the pot; none at all costs {if penalty == 'pot'}as much as was in it{else}{looed:word} chips{end}."
    )
    length = "25 to 45 minutes; half of that with the option rounds at 1"
    minutes = 25
    difficulty = "medium"
    picture = ("Ah Ks Qs 9c 2c",)
    player_counts = (5, 6, 7, 8, 9, 10)  # LO-1
    default_players = 6
    short = {"rounds": 1}
    author = {"flush_pays": "all"}
    author_clause = "LO-51"
    most_moves = 32
    clauses = Clauses(event="LO-49", players="LO-1", dealer="LO-5", deal="LO-2", reshuffle="LO-24")
