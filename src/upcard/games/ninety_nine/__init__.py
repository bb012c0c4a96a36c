"""Ninety-Nine."""

from upcard.rules import Clauses, define_game

from .rules import Opt, State

GAME = define_game(
    __name__,
    title="Ninety-Nine",
    family="Exact bids",
    summary="Bid with three cards laid aside, in secret or boldly declared, and win exactly that many tricks.",
    length="about an hour",
    difficulty="medium",
    picture=("As Ks 9s 6h", "Td 9d Kc"),
    players=(2, 3, 4),  # NN-1; each for themselves
    default_players=3,
    short={"target": 50},
    state=State,
    options=Opt,
    most_moves=286,
    clauses=Clauses(event="NN-52", players="NN-1", dealer="NN-7", deal="NN-6"),
)
