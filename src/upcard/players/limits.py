"""How long a searching player may think."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol


class Limit(Protocol):
    """Something that is used up by thinking."""

    def used(self, started: float, rollouts: int) -> float:
        """Which part of it is gone, 1 for all, when so many rollouts were played since `started` (perf_counter)."""
        ...


@dataclass(frozen=True)
class Seconds:
    """A time for each move."""

    seconds: float = 0.8

    def used(self, started: float, rollouts: int) -> float:
        return (time.perf_counter() - started) / self.seconds


@dataclass(frozen=True)
class Rollouts:
    """A number of rollouts for each move: the same view and generator then give the same move on every machine."""

    number: int

    def used(self, started: float, rollouts: int) -> float:
        return rollouts / self.number
