"""Sixty-Six: its rules of thumb follow the numbers of the table."""

from upcard import Match, Setup, games
from upcard.games.sixty_six.rules import BAD_CLOSE
from upcard.laws.compiled import PlainPlay
from upcard.rules.state import NOBODY

DEALS = 25


def closed_deals(enough: int) -> list[int]:
    """How the deals ended in which two casual players closed the stock."""
    game = games.load("sixty-six").variant("other", numbers={"enough": enough, "schneider": enough // 2})
    ends = []
    for seed in range(DEALS):
        match = Match(Setup(game))
        PlainPlay(match, ("heuristic", "heuristic"), seed).play(1)
        if match.state.closer != NOBODY:
            ends.append(match.state.last_how)
    return ends


def test_the_stock_is_closed_on_as_many_points_as_this_table_asks_for() -> None:
    assert len(closed_deals(66)) > 5
    assert BAD_CLOSE not in closed_deals(110)
