"""Cinch, also called High Five or Double Pedro."""

from upcard.rules import Clauses, define_game

from .rules import SEATS, Opt, State

GAME = define_game(
    __name__,
    title="Cinch",
    family="Bidding for points in partnership",
    summary="Bid with your partner, name trumps, draw to them, and catch the two fives.",
    length="20 to 40 minutes",
    difficulty="hard",
    picture=("Ah Jh 5h 5d",),
    players=(SEATS,),
    default_players=SEATS,
    short={"target": 21},
    state=State,
    options=Opt,
    most_moves=84,
    clauses=Clauses(event="CI-47", players="CI-1", dealer="CI-6", deal="CI-2"),
)
