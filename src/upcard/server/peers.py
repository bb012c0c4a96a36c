"""Messages between servers on one database about what is not stored there: above all, who looks at which table.

A server announces all its people when it starts, and after that only those who come and go. When a server falls silent,
its people count as gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from upcard.table.messages import Aside

BEAT = 1.5
"""Seconds between two messages of a server at most; it sends a sign of life if there is nothing else."""
LAPSE = 5.0
"""Seconds of silence after which a server counts as gone."""
MOST_NAMED = 80
"""The most people in one message: a PostgreSQL notification carries 8,000 bytes."""

Attendance = tuple[str, str]
"""A table id, and the identity of somebody who looks at that table."""


class Beat(Struct, tag="beat", array_like=True):
    """A sign of life."""


class Hello(Struct, tag="hello", array_like=True):
    """Asks the other servers for all their people. Sent by a server that has just begun to listen, or has heard from
    one it did not know."""


class People(Struct, tag="people", array_like=True):
    """Who has arrived at a server, and who has left it."""

    came: Sequence[Attendance]
    went: Sequence[Attendance] = ()
    anew: bool = False
    """Whether this replaces everything the server has announced before."""


class Relayed(Struct, tag="said", array_like=True):
    """A message for the person `to` who looks at a table, or for everybody who does if `to` is None."""

    table: str
    to: str | None
    message: Aside


class DeviceNews(Struct, tag="device", array_like=True):
    """A device has become another person's."""

    device: str
    person: str
    """Whose it is now."""
    to: str
    """The person whose windows are told of it."""
    browser: str
    """The device's name, as it is stored."""
    joined: bool
    """Whether it has become theirs, and not somebody else's."""


PeerMessage = Beat | Hello | People | Relayed | DeviceNews
_reader: msgspec.json.Decoder[PeerMessage] = msgspec.json.Decoder(PeerMessage)


def read_peer_message(text: str) -> PeerMessage:
    """Parse a message from another server. Raises ValueError."""
    return _reader.decode(text)


class Here:
    """The people at this server, and the changes among them that were not sent to the other servers yet."""

    def __init__(self) -> None:
        self._windows: Counter[Attendance] = Counter()
        self._stirred: set[Attendance] = set()
        self._anew = True

    def came(self, look: Attendance) -> bool:
        """Count one more window; returns whether that is news for the other servers."""
        self._windows[look] += 1
        return self._stir(look, self._windows[look] == 1)

    def went(self, look: Attendance) -> bool:
        """Count one window less; returns whether that is news for the other servers."""
        self._windows[look] -= 1
        gone = not self._windows[look]
        if gone:
            del self._windows[look]
        return self._stir(look, gone)

    def _stir(self, look: Attendance, stirred: bool) -> bool:
        if stirred:
            self._stirred.add(look)
        return stirred

    def name_all(self) -> None:
        """Include everybody in the next news."""
        self._anew = True

    def news(self) -> list[PeerMessage]:
        """The messages to send to the other servers now; they then count as sent."""
        anew, stirred = self._anew, sorted(self._windows if self._anew else self._stirred)
        self._anew, self._stirred = False, set()
        messages: list[PeerMessage] = []
        for first in range(0, max(len(stirred), anew), MOST_NAMED):
            some = stirred[first : first + MOST_NAMED]
            came = [look for look in some if look in self._windows]
            went = [look for look in some if look not in self._windows]
            messages.append(People(came, went, anew and first == 0))
        return messages


@dataclass
class _Server:
    """Another server."""

    heard: float
    """When it was last heard, on the monotonic clock."""
    people: dict[str, set[str]] = field(default_factory=dict)
    """Who looks at each table."""


class PeerPresence:
    """The people at all other servers."""

    def __init__(self) -> None:
        self._servers: dict[str, _Server] = {}

    def at(self, table: str) -> frozenset[str]:
        """The identities of the people who look at a table through other servers."""
        return frozenset().union(*(server.people.get(table, ()) for server in self._servers.values()))

    def heard(self, server: str, now: float) -> bool:
        """Note that a server was heard; returns whether it was known already."""
        if server not in self._servers:
            return False
        self._servers[server].heard = now
        return True

    def follow(self, server: str, people: People, now: float) -> set[str]:
        """Apply a server's news about its people; returns the tables where something may have changed."""
        stirred = {table for table, _ in [*people.came, *people.went]}
        if people.anew:
            stirred |= self._forget(server)
            self._servers[server] = _Server(now)
        known = self._servers.get(server)
        if known is None:  # `Neighbours` will ask it for all its people
            return set()
        for table, who in people.came:
            known.people.setdefault(table, set()).add(who)
        for table, who in people.went:
            known.people.get(table, set()).discard(who)
            if not known.people.get(table):
                known.people.pop(table, None)
        return stirred

    def lapse(self, now: float) -> set[str]:
        """Forget servers that have fallen silent; returns the tables where something may have changed."""
        gone = [server for server, known in self._servers.items() if known.heard < now - LAPSE]
        return set().union(*[self._forget(server) for server in gone])

    def _forget(self, server: str) -> set[str]:
        known = self._servers.pop(server, None)
        return set() if known is None else {*known.people}

    def wait_for_all(self, now: float) -> None:
        """Restart the clock of every server: while this one could not listen, their silence meant nothing."""
        for server in self._servers.values():
            server.heard = now
