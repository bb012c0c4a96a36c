"""Roundup! The numbers RU-… are the clauses of rulebook/roundup.md.."""

from upcard.rules import Clauses, define_game

from .rules import MOST_MOVES, PLAYERS, Opt, State

GAME = define_game(
    __name__,
    title="Roundup!",
    family="Building stacks",
    summary="Guess which suit is completed last and bring it about, with an open hand and a hidden one.",
    length="6 to 10 rounds, about an hour",
    players=PLAYERS,
    default_players=4,
    short={"target": 5},
    state=State,
    options=Opt,
    most_moves=MOST_MOVES,
    clauses=Clauses(
        event="RU-51", players="RU-1", dealer="RU-3", options="RU-54", deal="RU-4", draw="RU-35", unreadable="RU-51"
    ),
)
