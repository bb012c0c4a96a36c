"""What was measured to make experts stronger at a game: flags in its heuristic module, figures in docs/strength.md.

- `INFERS = True`: they weigh worlds by how likely the others would have done in them what they did;
- `ANSWERED = True`: they try moves that lay cards open once more, against players who look ahead.
"""

from __future__ import annotations

import sys
from typing import Any

from upcard.rules.game import Game

INFERS, ANSWERED = "INFERS", "ANSWERED"


def gains_by(game: Game[Any], what: str) -> bool:
    """Whether experts gain by this at a game."""
    return game.heuristic is not None and bool(getattr(sys.modules[game.heuristic.__module__], what, False))
