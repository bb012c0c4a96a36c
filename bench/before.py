"""Strong players as they were before anything was learned, for measuring what has been gained since.

upcard arena klaberjass bench/before.py:Strong,expert:1000 --unit deal --number 400
"""

from upcard.compiled import loops
from upcard.players.limits import Rollouts
from upcard.players.search import Search


class Strong(Search):
    """Tries its moves in 200 rollouts in which everybody plays by rules of thumb, with worlds that are all alike."""

    def __init__(self) -> None:
        super().__init__(Rollouts(200), loops.HEURISTIC)
