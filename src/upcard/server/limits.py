"""Rate limits per IP address."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from litestar.types import Scope

from upcard.server.hosting import Limits
from upcard.table.errors import TooMany

BURST = 6.0
"""The seconds' worth of requests that may come in one burst."""
ENTRIES = 0.1
"""Passphrases per second that one address may try, in the long run."""
HINTS = 0.5
"""Hints per second that one address may ask for, in the long run."""
REVIEWS = 1 / 60
"""Reviews per second that one address may start, in the long run."""
MOST_REPLAYS = 8
"""The most replays and score sheets that are worked out, or wait for it, for one address."""
REMEMBERED = 20_000
"""The number of addresses remembered; those that have been quiet longest are forgotten first."""


class Bucket:
    """A token bucket: it fills at a constant rate, and every request takes one token."""

    __slots__ = ("left", "since")

    def __init__(self, left: float, since: float) -> None:
        self.left = left
        self.since = since


class Rate:
    """A rate limit that holds for each address separately: `rate` per second, `most` in a burst."""

    def __init__(self, rate: float, most: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._most = most
        self._clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> float:
        """Take one token: returns 0 if there was one, or the seconds until there will be, and then takes none."""
        now = self._clock()
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._most, now)
            if len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        bucket.left = min(self._most, bucket.left + (now - bucket.since) * self._rate)
        bucket.since = now
        if bucket.left < 1:
            return (1 - bucket.left) / self._rate
        bucket.left -= 1
        return 0.0


class Doorkeeper:
    """All rate limits of a house."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._requests = Rate(limits.requests, max(1.0, BURST * limits.requests))
        self._tables = Rate(limits.tables / 3600, limits.tables)
        self._entries = Rate(ENTRIES, 10.0)
        self._hints = Rate(HINTS, 20.0)
        self._reviews = Rate(REVIEWS, 10.0)
        self._sockets: Counter[str] = Counter()
        self._replays: Counter[str] = Counter()

    @property
    def sockets(self) -> int:
        """How many WebSockets are open."""
        return self._sockets.total()

    def request(self, client: str | None) -> float:
        """Count one request: returns 0, or the seconds to wait."""
        address = counted(client)
        return 0.0 if address is None else self._requests.take(address)

    def table(self, client: str | None) -> None:
        """Count one new table. Raises TooMany."""
        _take(self._tables, counted(client), "Many tables were opened from your address: try again in some minutes")

    def hint(self, client: str | None) -> None:
        """Count one hint. Raises TooMany."""
        _take(self._hints, counted(client), "Many hints were asked for from your address: try again in a moment")

    def review(self, client: str | None) -> None:
        """Count one review. Raises TooMany."""
        _take(self._reviews, counted(client), "Many matches were reviewed for your address: try again in some minutes")

    @contextmanager
    def replay(self, client: str | None) -> Iterator[None]:
        """Count a replay or score sheet until it is worked out. Raises TooMany."""
        address = counted(client)
        if address is not None and self._replays[address] >= MOST_REPLAYS:
            raise TooMany("Many matches are looked at from your address: try again in a moment")
        self._replays[address or ""] += 1
        try:
            yield
        finally:
            self._replays -= Counter([address or ""])

    def entry(self, client: str | None) -> None:
        """Count one attempt at the passphrase, also from this machine. Raises TooMany."""
        _take(self._entries, counted(client) or "", "That was tried too often: wait a minute")

    def open_socket(self, client: str | None) -> bool:
        """Count one more WebSocket, unless there are too many; if true, call `close_socket` when it closes."""
        address = counted(client)
        full = self.sockets >= self._limits.all_sockets
        if full or (address is not None and self._sockets[address] >= self._limits.sockets):
            return False
        self._sockets[address or ""] += 1
        return True

    def close_socket(self, client: str | None) -> None:
        address = counted(client) or ""
        self._sockets[address] -= 1
        if not self._sockets[address]:
            del self._sockets[address]


def _take(rate: Rate, address: str | None, refusal: str) -> None:
    if address is not None and rate.take(address):
        raise TooMany(refusal)


def client_of(scope: Scope) -> str | None:
    """The IP address that a request comes from."""
    client = scope.get("client")
    return client[0] if client else None


@lru_cache(maxsize=4096)
def counted(client: str | None) -> str | None:
    """The key under which an address is counted: itself, or for IPv6 its /64 network. None for this machine."""
    try:
        address = ipaddress.ip_address(client or "")
    except ValueError:
        return client
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address  # how a socket for both versions names an IPv4 address
    if address.is_loopback:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
