"""What makes experts stronger at a game: words in its heuristic module, figures in docs/strength.md.

- `INFERS = 1.0`: so large a part of their worlds is drawn by how likely the others would have done in them what they
  did, the others being equally likely;
- `lasting(s, opt)`: the cards that are kept by whoever is dealt them, where the others are thrown away and new ones
  drawn: inference finds the deal sooner that led to a world;
- `ANSWERED = True`: they try moves that lay cards open once more, against players who look ahead;
- `IDLE`: the fields with cards that are out of play once tricks are played; proofs pay no heed to what lies there;
- `DRAWN = 4`: proofs may draw so many cards from a face-down pile that is in play, and pay no heed to what lies below;
- `apart(s, opt)`: the cards of which each counts for itself; of the others neighbours in a suit are alike to proofs.
"""

from __future__ import annotations

import sys
from typing import Any

from upcard.rules.game import Game

INFERS, LASTING, ANSWERED = "INFERS", "lasting", "ANSWERED"
IDLE, DRAWN, APART = "IDLE", "DRAWN", "apart"


def gains_by(game: Game[Any], what: str) -> bool:
    """Whether experts gain by this at a game."""
    return bool(said(game, what, False))


def inferred_share(game: Game[Any]) -> float:
    """How large a part of an expert's worlds is drawn by inference."""
    return float(said(game, INFERS, 0.0))


def said(game: Game[Any], what: str, otherwise: Any) -> Any:
    """What the heuristic module of a game has under this name."""
    if game.heuristic is None:
        return otherwise
    return getattr(sys.modules[game.heuristic.__module__], what, otherwise)
