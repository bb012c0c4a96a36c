"""Sixty-Six."""

from upcard.rules import Clauses, define_game

from .rules import Opt, State

GAME = define_game(
    __name__,
    title="Sixty-Six",
    family="Marriages and tricks",
    summary="Be the first to have 66 points and say so. Close the stock if you dare.",
    length="10 to 20 minutes",
    difficulty="easy",
    picture=("Kh Qh", "As Ts"),
    players=(2,),  # SS-1
    state=State,
    options=Opt,
    most_moves=16,
    clauses=Clauses(event="SS-48", dealer="SS-6", players="SS-1", deal="SS-10"),
)
