"""The base class of the computer players."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any

from upcard.engine.chance import check_luck
from upcard.engine.errors import UpcardError
from upcard.engine.views import View, check_view


class Computer(ABC):
    """A computer player: `choose` returns a move as text, and subclasses implement `move`, which returns its number."""

    def choose(self, view: View[Any], rng: Random) -> str:
        """See `Player`. Raises UpcardError if the view's seat is not to act, and for wrong arguments."""
        check_view(view)
        check_luck(rng)
        if not view.legal_moves():
            who = "a spectator" if view.seat is None else f"seat {view.seat}"
            raise UpcardError(f"{who} is not to act")
        return view.game.notation.text(self.move(view, rng))

    @abstractmethod
    def move(self, view: View[Any], rng: Random) -> int:
        """Choose one of the legal moves of the view's seat, which is to act."""
