"""Rounds."""

from upcard.rules import Clauses, define_game

from .rules import Opt, State

GAME = define_game(
    __name__,
    title="Rounds",
    family="Tricks",
    summary="Each turned-up card makes a trump suit and a trump rank. Keep the right four cards for the last round.",
    length="25 to 40 minutes",
    difficulty="hard",
    picture=("7d", "7h 7c Ah 8h"),
    players=(2,),
    short={"target": 100},
    state=State,
    options=Opt,
    most_moves=20,
    clauses=Clauses(event="RD-56", players="RD-1", dealer="RD-3", options="RD-59", deal="RD-10", unknown_card="RD-56"),
)
