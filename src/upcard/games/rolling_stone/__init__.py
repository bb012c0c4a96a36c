"""Rolling Stone."""

from upcard.rules import Clauses, define_game

from .rules import PLAYERS, Opt, State

GAME = define_game(
    __name__,
    title="Rolling Stone",
    family="Shedding cards in tricks",
    summary="Be the first to run out of cards. If you cannot follow suit, you take up the trick.",
    length="5 to 20 minutes",
    difficulty="easy",
    picture=("Kd Jd Ad", "9s"),
    players=PLAYERS,
    default_players=4,
    state=State,
    options=Opt,
    most_moves=48,
    clauses=Clauses(
        event="RS-32", players="RS-1", dealer="RS-5", options="RS-34", over="RS-28", chance="RS-29", deal="RS-30"
    ),
)
