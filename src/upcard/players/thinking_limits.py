"""Limits on how long a searching player may think."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

SHORTEST = 1e-4
"""The shortest time in seconds that counts, to avoid dividing by 0."""


class Limit(Protocol):
    """A limit on thinking."""

    def left(self, started: float, rollouts: int, part: float) -> float:
        """The number of rollouts that may be played before this fraction of the limit is used up; 0 or less if it is.

        `rollouts` have been played since `started`, a value of `time.perf_counter`.
        """
        ...

    def without(self, seconds: float) -> Limit:
        """The limit that is left for the rollouts if something else needs this many seconds."""
        ...


@dataclass(frozen=True)
class Seconds:
    """A time for each move, in seconds."""

    seconds: float

    def left(self, started: float, rollouts: int, part: float) -> float:
        used = max(time.perf_counter() - started, SHORTEST)
        return rollouts * (self.seconds * part / used - 1)

    def without(self, seconds: float) -> Seconds:
        return Seconds(max(self.seconds - seconds, SHORTEST))


@dataclass(frozen=True)
class Deadline:
    """A time for one move, in seconds from `begun` on, a value of `time.perf_counter`. Unlike with `Seconds`, what
    comes before the rollouts counts, such as dealing and weighing worlds, which a browser does slowly."""

    begun: float
    seconds: float

    def left(self, started: float, rollouts: int, part: float) -> float:
        used = max(time.perf_counter() - started, SHORTEST)
        return rollouts * (max(self.begun + self.seconds - started, SHORTEST) * part / used - 1)

    def without(self, seconds: float) -> Deadline:
        to_come = seconds - (time.perf_counter() - self.begun)
        return Deadline(self.begun, self.seconds - max(to_come, 0.0))


@dataclass(frozen=True)
class Rollouts:
    """A number of rollouts for each move: the same view and generator then give the same move on every machine."""

    number: int

    def left(self, started: float, rollouts: int, part: float) -> float:
        return self.number * part - rollouts

    def without(self, seconds: float) -> Rollouts:
        return self
