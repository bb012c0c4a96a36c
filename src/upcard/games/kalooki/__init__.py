"""Kalooki."""

from upcard.rules import Clauses, define_game
from upcard.rules.double_pack import HAND, SHOWN

from .rules import Opt, State
from .words import MOST_MOVES

GAME = define_game(
    __name__,
    title="Kalooki",
    family="Melding",
    summary="Nine deals, nine contracts of threes and fours. Lay down, tack on, call out of turn, bend the table.",
    length="one and a half to three hours; short matches by option",
    difficulty="hard",
    picture=("Ks Kh Kd", "4c 5c 6c 7c"),
    players=(3, 4, 5),
    default_players=4,
    short={"contracts": "1"},
    state=State,
    options=Opt,
    most_moves=MOST_MOVES,
    clauses=Clauses(event="KA-59", players="KA-1", dealer="KA-8", deal="KA-7", reshuffle="KA-24"),
    hand=HAND,
    shown=SHOWN,
)
