"""What servers on one database tell each other beside what is written there: above all, who looks at which table.

A server names its people when it begins, then those who come and go. One that is not heard of any more takes its people
with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from upcard.table.messages import Aside

BEAT = 1.5
"""Seconds between two words of one server, if only to say that it is there."""
LAPSE = 5.0
"""Seconds of silence after which a server is gone."""
MOST_NAMED = 80
"""People in one word: the database carries 8,000 bytes."""

Look = tuple[str, str]
"""A table, and the identity of somebody who looks at it."""


class Beat(Struct, tag="beat", array_like=True):
    """A server is there."""


class Hello(Struct, tag="hello", array_like=True):
    """A server asks the others to name their people: it has just begun to listen, or has heard of one it did not
    know."""


class People(Struct, tag="people", array_like=True):
    """Who has come to a server, and who has gone from it."""

    came: Sequence[Look]
    went: Sequence[Look] = ()
    anew: bool = False
    """Whether those whom it named before do not count any more."""


class Said(Struct, tag="said", array_like=True):
    """What people who look at a table are told, if `to` is None all of them."""

    table: str
    to: str | None
    message: Aside


Word = Beat | Hello | People | Said
_reader: msgspec.json.Decoder[Word] = msgspec.json.Decoder(Word)


def read_word(text: str) -> Word:
    """A word of another server. Raises ValueError."""
    return _reader.decode(text)


class Here:
    """The people at this server, and what of them the others have not been told."""

    def __init__(self) -> None:
        self._windows: Counter[Look] = Counter()
        self._stirred: set[Look] = set()
        self._anew = True

    def came(self, look: Look) -> bool:
        """One more window; whether the others should know."""
        self._windows[look] += 1
        return self._stir(look, self._windows[look] == 1)

    def went(self, look: Look) -> bool:
        """A window less; whether the others should know."""
        self._windows[look] -= 1
        gone = not self._windows[look]
        if gone:
            del self._windows[look]
        return self._stir(look, gone)

    def _stir(self, look: Look, stirred: bool) -> bool:
        if stirred:
            self._stirred.add(look)
        return stirred

    def name_all(self) -> None:
        """With the next news all are named."""
        self._anew = True

    def news(self) -> list[Word]:
        """What the others should be told now."""
        anew, stirred = self._anew, sorted(self._windows if self._anew else self._stirred)
        self._anew, self._stirred = False, set()
        words: list[Word] = []
        for first in range(0, max(len(stirred), anew), MOST_NAMED):
            some = stirred[first : first + MOST_NAMED]
            came = [look for look in some if look in self._windows]
            went = [look for look in some if look not in self._windows]
            words.append(People(came, went, anew and first == 0))
        return words


@dataclass
class _Server:
    """Another server."""

    heard: float
    """When."""
    people: dict[str, set[str]] = field(default_factory=dict)
    """Who looks at each table."""


class Elsewhere:
    """The people at all other servers."""

    def __init__(self) -> None:
        self._servers: dict[str, _Server] = {}

    def at(self, table: str) -> frozenset[str]:
        """Who looks at a table."""
        return frozenset().union(*(server.people.get(table, ()) for server in self._servers.values()))

    def heard(self, server: str, now: float) -> bool:
        """A server is there; whether it was known already."""
        if server not in self._servers:
            return False
        self._servers[server].heard = now
        return True

    def follow(self, server: str, people: People, now: float) -> set[str]:
        """A server has told of its people; the tables where something may have changed."""
        stirred = {table for table, _ in [*people.came, *people.went]}
        if people.anew:
            stirred |= self._forget(server)
            self._servers[server] = _Server(now)
        known = self._servers.get(server)
        if known is None:  # it is asked to name them all
            return set()
        for table, who in people.came:
            known.people.setdefault(table, set()).add(who)
        for table, who in people.went:
            known.people.get(table, set()).discard(who)
            if not known.people.get(table):
                known.people.pop(table, None)
        return stirred

    def lapse(self, now: float) -> set[str]:
        """Forget the servers that are gone; the tables where something has changed."""
        gone = [server for server, known in self._servers.items() if known.heard < now - LAPSE]
        return set().union(*[self._forget(server) for server in gone])

    def _forget(self, server: str) -> set[str]:
        known = self._servers.pop(server, None)
        return set() if known is None else {*known.people}

    def wait_for_all(self, now: float) -> None:
        """Nothing could be heard for a while: that nobody was heard means nothing."""
        for server in self._servers.values():
            server.heard = now
