"""Klaberjass."""

from upcard.rules import Clauses, define_game

from .rules import Opt, State

GAME = define_game(
    __name__,
    title="Klaberjass",
    family="Marriages and tricks",
    summary="Jack and nine are the best trumps. Whoever makes trump must outscore the other or lose everything.",
    length="20 to 40 minutes",
    difficulty="medium",
    picture=("Jh 9h", "Kh Qh"),
    players=(2,),
    short={"target": 251},
    state=State,
    options=Opt,
    most_moves=11,
    clauses=Clauses(event="KJ-66", players="KJ-1", dealer="KJ-8", deal="KJ-12"),
)
