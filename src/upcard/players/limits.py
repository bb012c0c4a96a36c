"""How long a searching player may think."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

SHORTEST = 1e-4
"""Seconds; less cannot be told from none."""


class Limit(Protocol):
    """Something that is used up by thinking."""

    def left(self, started: float, rollouts: int, part: float) -> float:
        """How many rollouts may still be played until this part of it is used, 1 for all, when so many were played
        since `started` (perf_counter); 0 or less when it is."""
        ...


@dataclass(frozen=True)
class Seconds:
    """A time for each move."""

    seconds: float

    def left(self, started: float, rollouts: int, part: float) -> float:
        used = max(time.perf_counter() - started, SHORTEST)
        return rollouts * (self.seconds * part / used - 1)


@dataclass(frozen=True)
class Rollouts:
    """A number of rollouts for each move: the same view and generator then give the same move on every machine."""

    number: int

    def left(self, started: float, rollouts: int, part: float) -> float:
        return self.number * part - rollouts
