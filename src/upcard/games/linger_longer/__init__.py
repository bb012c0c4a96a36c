"""Linger Longer."""

from upcard.rules import Clauses, define_game

from .rules import PLAYERS, Opt, State

GAME = define_game(
    __name__,
    title="Linger Longer",
    family="Staying in by tricks",
    summary="Only the winner of a trick draws a card. Be the last to hold any.",
    length="4 to 15 minutes",
    difficulty="easy",
    picture=("9c Jc Ac", "7h"),
    players=PLAYERS,
    default_players=4,
    state=State,
    options=Opt,
    most_moves=17,
    clauses=Clauses(
        event="LL-35",
        players="LL-1",
        dealer="LL-3",
        options="LL-37",
        over="LL-31",
        chance="LL-32",
        deal="LL-33",
        reshuffle="LL-21",
    ),
)
