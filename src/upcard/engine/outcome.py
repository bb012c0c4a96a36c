"""The result of a match for a seat."""

from __future__ import annotations

from typing import Any

from upcard.rules.cards import count
from upcard.rules.state import NOTHING


def share_of_match(s: Any, me: int) -> float:
    """The result of the match for a seat: 1 if it alone has won, less if others have won too, -1 if it has lost; 0
    while the match continues. `s` is a state, plain or in compiled code."""
    if s.awaiting != NOTHING:
        return 0.0
    return 2.0 / count(s.winners) - 1.0 if s.winners >> me & 1 else -1.0
