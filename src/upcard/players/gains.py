"""What makes experts stronger at a game: names in its heuristic module. The measured gains are in docs/strength.md.

- `INFERS = 1.0`: the fraction of worlds drawn by inference, that is, by how likely the others' actions are in them; the
  rest are drawn uniformly. Where a game has learned what hands are like (see `upcard.engine.hands`), it goes by that;
- `lasting(s, opt)`: the cards that a seat never discards, in games where cards are discarded and new ones drawn; with
  it, inference finds the deal behind a world more easily;
- `ANSWERED = True`: moves that show cards are tried again, against players who look ahead;
- `IDLE`: the fields whose cards are out of play during the tricks; proofs disregard them;
- `DRAWN = 4`: the most cards that proofs draw from a face-down pile in play; they disregard the cards below;
- `apart(s, opt)`: the cards that are equivalent to no other; proofs treat all other neighbours in a suit as equivalent.
"""

from __future__ import annotations

from typing import Any

from upcard.engine.weights import defined
from upcard.rules.game import Game

INFERS, LASTING, ANSWERED = "INFERS", "lasting", "ANSWERED"
IDLE, DRAWN, APART = "IDLE", "DRAWN", "apart"


def gains_by(game: Game[Any], what: str) -> bool:
    """Whether experts use this technique in a game."""
    return bool(said(game, what, False))


def inferred_share(game: Game[Any]) -> float:
    """The fraction of an expert's worlds that is drawn by inference."""
    return float(said(game, INFERS, 0.0))


def said(game: Game[Any], what: str, otherwise: Any) -> Any:
    """The value of a name in a game's heuristic module, or `otherwise`."""
    found = defined(game, what)
    return otherwise if found is None else found
