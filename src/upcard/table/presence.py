"""The people at a table, and those who are away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass

from upcard.table.messages import AnyMessage
from upcard.table.seats import Occupant

REMEMBERED = 1000
"""The number of absent people whose times of leaving are stored; those who left first are dropped first."""
Send = Callable[[AnyMessage], None]
"""Sends a message to one client; must return at once and never raise."""


@dataclass(frozen=True, eq=False)
class Client:
    """One connection to the table: a browser window, a terminal."""

    identity: str | None
    send: Send
    let_go: Callable[[str], None] = lambda why: None
    """Disconnects it for the given reason; must return at once and never raise."""


class Presence:
    """The clients of one table. People may have several windows, and may be connected to other servers."""

    def __init__(self, elsewhere: Set[str] = frozenset()) -> None:
        self._observers: dict[Client, None] = {}
        self._windows: Counter[str | None] = Counter()
        self._elsewhere = elsewhere
        """The identities of people connected to other servers."""
        self._away: dict[str, float] = {}

    def __iter__(self) -> Iterator[Client]:
        return iter(self._observers)

    def __len__(self) -> int:
        return len(self._observers)

    def join(self, client: Client) -> bool:
        """Add a window; return whether its person was not here before."""
        self._observers[client] = None
        self._windows[client.identity] += 1
        if client.identity is None:
            return True
        self._away.pop(client.identity, None)
        return self._windows[client.identity] == 1 and client.identity not in self._elsewhere

    def leave(self, client: Client, now: float) -> bool:
        """Remove a window; return whether its person is gone now."""
        if client not in self._observers:
            return False
        del self._observers[client]
        self._windows[client.identity] -= 1
        if self._windows[client.identity]:
            return client.identity is None
        del self._windows[client.identity]
        return self._gone(client.identity, now)

    def elsewhere(self, identities: Set[str], now: float) -> set[str]:
        """Set the identities connected to other servers; return those that have come or gone by that."""
        were, self._elsewhere = self._elsewhere, identities
        came = {identity for identity in identities - were if not self._windows[identity]}
        for identity in came:
            self._away.pop(identity, None)
        return came | {identity for identity in were - identities if self._gone(identity, now)}

    def _gone(self, identity: str | None, now: float) -> bool:
        """Whether somebody who has left one server is connected to none now."""
        if identity is not None and self._is_anywhere(identity):
            return False
        if identity is not None:
            self._away.pop(identity, None)
            self._away[identity] = now
            if len(self._away) > REMEMBERED:
                del self._away[next(iter(self._away))]
        return True

    def _is_anywhere(self, identity: str | None) -> bool:
        return self._windows[identity] > 0 or identity in self._elsewhere

    def of(self, identity: str | None) -> list[Client]:
        """The windows of one person."""
        return [client for client in self._observers if client.identity == identity]

    def is_here(self, place: Occupant) -> bool:
        return place.who == "computer" or (place.who == "person" and self._is_anywhere(place.identity))

    def away_since(self, place: Occupant, otherwise: float) -> float | None:
        """The time since when a person has been away; `otherwise` if they have not been seen since the program started,
        or their time is no longer stored."""
        if place.who != "person" or self.is_here(place):
            return None
        return self.gone_since(place.identity or "", otherwise)

    def gone_since(self, identity: str, otherwise: float) -> float | None:
        """The time since when this person, with a seat or without, has not been connected; None while they are.
        `otherwise` as in `away_since`."""
        return None if self._is_anywhere(identity) else self._away.get(identity, otherwise)

    def watching(self, places: Sequence[Occupant]) -> int:
        """The number of spectators."""
        seated = {place.identity for place in places if place.who == "person"}
        return len((self._windows.keys() | self._elsewhere) - seated - {None}) + self._windows[None]
