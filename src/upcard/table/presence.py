"""Who looks at a table, and who is away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from upcard.table.messages import AnyMessage
from upcard.table.seats import Place

Send = Callable[[AnyMessage], None]
"""Takes a message for one observer; must return at once and never raise."""


@dataclass(frozen=True, eq=False)
class Observer:
    """Somebody who looks at the table: a browser window, a terminal."""

    identity: str | None
    send: Send


class Presence:
    """The observers of one table. People may look through several windows."""

    def __init__(self) -> None:
        self._observers: dict[Observer, None] = {}
        self._windows: Counter[str | None] = Counter()
        self._away: dict[str, float] = {}

    def __iter__(self) -> Iterator[Observer]:
        return iter(self._observers)

    def __len__(self) -> int:
        return len(self._observers)

    def join(self, observer: Observer) -> bool:
        """One more window; whether somebody came with it who was not here."""
        self._observers[observer] = None
        self._windows[observer.identity] += 1
        if observer.identity is None:
            return True
        self._away.pop(observer.identity, None)
        return self._windows[observer.identity] == 1

    def leave(self, observer: Observer, now: float) -> bool:
        """A window less; whether somebody went with it."""
        if observer not in self._observers:
            return False
        del self._observers[observer]
        self._windows[observer.identity] -= 1
        if self._windows[observer.identity]:
            return observer.identity is None
        del self._windows[observer.identity]
        if observer.identity is not None:
            self._away[observer.identity] = now
        return True

    def of(self, identity: str | None) -> list[Observer]:
        """The windows of one person."""
        return [observer for observer in self._observers if observer.identity == identity]

    def is_here(self, place: Place) -> bool:
        return place.who == "computer" or (place.who == "person" and self._windows[place.identity] > 0)

    def away_since(self, place: Place, otherwise: float) -> float | None:
        """Since when a person is away; `otherwise` if they were not seen since the program began."""
        if place.who != "person" or self.is_here(place):
            return None
        return self._away.get(place.identity or "", otherwise)

    def watching(self, places: Sequence[Place]) -> int:
        """How many people without a seat look on."""
        seated = {place.identity for place in places if place.who == "person"}
        known = sum(1 for identity in self._windows if identity is not None and identity not in seated)
        return known + self._windows[None]
