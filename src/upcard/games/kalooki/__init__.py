"""Kalooki."""

from upcard.games.kalooki.double_pack import HAND, SHOWN
from upcard.rules import Clauses

from .heuristic import KalookiHeuristic
from .rules import MOST_MELDS, S
from .words import KalookiWords


class Kalooki(KalookiHeuristic[S], KalookiWords[S]):
    """The game of nine contracts, in which players may call the upcard out of turn."""

    title = "Kalooki"
    family = "Melding"
    summary = (
        "{if contracts == '123456789'}Nine deals, nine contracts{else}Contracts{end} of threes and fours. "
        "Lay down, tack on, call out of turn, bend the table."
    )
    length = "one and a half to three hours; short matches by option"
    minutes = 90
    difficulty = "hard"
    picture = ("Ks Kh Kd", "4c 5c 6c 7c")
    player_counts = (3, 4, 5)  # KA-1
    default_players = 4
    short = {"contracts": "1"}
    author = {"overcall": "penalty"}
    author_clause = "KA-60"
    clauses = Clauses(event="KA-59", players="KA-1", dealer="KA-8", deal="KA-7", reshuffle="KA-24")
    hand = HAND
    shown = SHOWN
    # A hand has at most 29 cards: 16 dealt, two for each of six calls, and one drawn. So there are at most 29 discards.
    # The eight cards of a rank make 26 threes, and fewer cards make no more per card: at most 29 * 26 / 8 threes. A
    # suit makes at most 88 fours. A natural card fits on at most five fours and four threes, a joker on every meld.
    most_moves = 29 + 94 + 4 * 88 + 28 * 9 + MOST_MELDS
