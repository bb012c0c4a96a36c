"""Loo, with five cards and Pam."""

from upcard.rules import Clauses, define_game

from .rules import Opt, State

GAME = define_game(
    __name__,
    title="Loo",
    family="Staking on tricks",
    summary="Stay in only if you will take a trick. Every trick is a fifth of the pot; none at all costs five chips.",
    length="25 to 45 minutes; half of that with the option rounds at 1",
    difficulty="medium",
    picture=("Ah Ks Qs 9c 2c",),
    players=(5, 6, 7, 8, 9, 10),  # LO-1
    default_players=6,
    short={"rounds": 1},
    state=State,
    options=Opt,
    most_moves=32,
    clauses=Clauses(event="LO-49", players="LO-1", dealer="LO-5", deal="LO-2", reshuffle="LO-24"),
)
