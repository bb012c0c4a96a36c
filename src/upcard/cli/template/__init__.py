"""Plain Tricks: what the game is called, who can play it, and which clauses are named for what goes wrong."""

from upcard.rules import Clauses, define_game

from .rules import Opt, State

GAME = define_game(
    __name__,
    title="Plain Tricks",
    family="Tricks",
    summary="Follow suit, win tricks, and do not miss the last one.",
    length="5 to 10 minutes",
    players=(2, 3, 4, 5),  # PT-1
    default_players=4,
    state=State,
    options=Opt,
    most_moves=10,
    clauses=Clauses(
        event="PT-17",
        players="PT-1",
        dealer="PT-3",
        options="PT-18",
        over="PT-15",
        chance="PT-17",
        deal="PT-16",
    ),
)
