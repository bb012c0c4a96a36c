"""Strong players from before anything was learned, for measuring progress.

upcard arena klaberjass bench/before.py:Strong,expert:1000 --unit deal --number 400
"""

from upcard.compiled import loops
from upcard.players.search import Search
from upcard.players.thinking_limits import Rollouts


class Strong(Search):
    """Search with 200 rollouts in which all seats play by the heuristic, in equally likely worlds."""

    def __init__(self) -> None:
        super().__init__(Rollouts(200), loops.HEURISTIC)
