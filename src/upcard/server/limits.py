"""Rate limits and budgets per IP address, and larger ones for the network around it."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from litestar.types import Scope

from upcard.server.hosting import Limits
from upcard.table.errors import TooMany

PREFIXES = {4: (32, 24), 6: (128, 64, 48)}
"""By IP version, the lengths of the prefixes under which an address is counted. A household with IPv6 has a /64 or
more, a customer of a provider up to a /48."""
WIDER = 8.0
"""The limit of a network is this many times that of an address or of the next narrower network: one neighbour cannot
use it all up."""
BURST = 6.0
"""The seconds' worth of requests that may come in one burst."""
ENTRIES, MOST_ENTRIES = 0.1, 10.0
"""Passphrases that one address may try: per second in the long run, and at once."""
GUESSES, MOST_GUESSES = 0.2, 30.0
"""Wrong invitations, seat links, ids of tables and rooms, and admissions from one address: per second in the long run,
and at once."""
LOOP_SHARE, MOST_LOOP, WIDER_LOOP = 0.1, 0.2, 4.0
"""Seconds of the event loop that the messages of one address may take: per second in the long run, and at once; and how
many times that a network may take."""
WORK_SHARE, MOST_WORK = 0.2, 60.0
"""Seconds of processor time that replays, records, hints and reviews for one address may take: per second in the long
run, and at once."""
LEAST_WORK = 0.1
"""Seconds of processor time that must be left to begin another piece of work; they are charged until it is done."""
RESERVE = 0.5
"""The share of these two budgets that only people who sit at a table may use."""
REMEMBERED = 20_000
"""The number of addresses and networks remembered; those that have been silent longest are forgotten first."""


class Bucket:
    """A token bucket: it fills at a constant rate, and every request takes tokens."""

    __slots__ = ("left", "since")

    def __init__(self, left: float, since: float) -> None:
        self.left = left
        self.since = since


class Rate:
    """A rate limit for each address and network separately: `rate` per second, `most` in a burst."""

    def __init__(
        self, rate: float, most: float, clock: Callable[[], float] = time.monotonic, *, wider: float = WIDER
    ) -> None:
        """`wider` is how many times as much a network may do as an address or a narrower network."""
        self._rate = rate
        self._most = most
        self._wider = wider
        self._clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str | None, cost: float = 1.0, *, reserve: float = 0.0) -> float:
        """Take `cost` tokens and return 0, or, if there are too few, take none and return the seconds until there are
        enough.

        `reserve` is the share of a full bucket that must be left.
        """
        buckets = [(self._bucket(network, times), times) for network, times in self._counted(client)]
        if wait := self._missing(buckets, cost, reserve) / self._rate:
            return wait
        for bucket, times in buckets:
            bucket.left = max(-self._most * times, bucket.left - cost)
        return 0.0

    def wait(self, client: str | None, cost: float = 1.0, *, reserve: float = 0.0) -> float:
        """The seconds until there are `cost` tokens beyond the reserve; 0 if there are now."""
        buckets = [(self._bucket(network, times), times) for network, times in self._counted(client)]
        return self._missing(buckets, cost, reserve) / self._rate

    def _missing(self, buckets: Sequence[tuple[Bucket, float]], cost: float, reserve: float) -> float:
        """The most tokens that are missing in these buckets, each with its multiple of the limit, as seen from the
        narrowest; 0 if there are enough."""
        return max(0.0, *((cost + reserve * self._most * times - bucket.left) / times for bucket, times in buckets))

    def spend(self, client: str | None, cost: float) -> None:
        """Take `cost` tokens even if there are too few; a debt is at most one full bucket. A negative cost gives tokens
        back."""
        for network, times in self._counted(client):
            bucket = self._bucket(network, times)
            bucket.left = max(-self._most * times, bucket.left - cost)

    def _counted(self, client: str | None) -> Iterator[tuple[str, float]]:
        """An address and its networks, each with its multiple of the limit."""
        return ((network, self._wider**level) for level, network in enumerate(networks(client)))

    def _bucket(self, network: str, times: float) -> Bucket:
        """The bucket of an address or network, filled up to this moment."""
        now, most = self._clock(), self._most * times
        bucket = self._buckets.get(network)
        if bucket is None:
            bucket = self._buckets[network] = Bucket(most, now)
            if len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(network)
        bucket.left = min(most, bucket.left + (now - bucket.since) * self._rate * times)
        bucket.since = now
        return bucket


class Doorkeeper:
    """All rate limits and budgets of a house."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._requests = Rate(limits.requests, max(1.0, BURST * limits.requests), clock)
        self._tables = Rate(limits.tables / 3600, limits.tables, clock)
        self._entries = Rate(ENTRIES, MOST_ENTRIES, clock)
        self._guesses = Rate(GUESSES, MOST_GUESSES, clock)
        self._loop = Rate(LOOP_SHARE, MOST_LOOP, clock, wider=WIDER_LOOP)
        self._work = Rate(WORK_SHARE, MOST_WORK, clock)
        self._sockets: Counter[str] = Counter()
        self._open_sockets = 0

    # ----------------------------------------------------------------------------------------------- requests, guesses

    def request(self, client: str | None) -> float:
        """Count one request: returns 0, or the seconds to wait."""
        return self._requests.take(client)

    def table(self, client: str | None) -> None:
        """Count one new table or room. Raises TooMany."""
        if self._tables.take(client):
            raise TooMany("Many tables were opened from your address: try again in a few minutes")

    def entry(self, client: str | None) -> None:
        """Count one attempt at the passphrase, right or wrong. Raises TooMany."""
        if self._entries.take(client):
            raise TooMany("There were too many tries: wait a minute")

    def check_guesses(self, client: str | None) -> None:
        """Check that this address has not tried too many wrong links. Raises TooMany."""
        if self._guesses.wait(client):
            raise TooMany("Your address tried too many links that do not exist: wait a minute")

    def wrong_guess(self, client: str | None) -> None:
        """Count one wrong invitation, seat link, table id or admission."""
        self._guesses.spend(client, 1.0)

    # --------------------------------------------------------------------------------------------------------- budgets

    def loop_time(self, client: str | None, seconds: float, *, seated: bool) -> float:
        """Charge this much of the event loop's time for a message and return 0, or charge nothing and return the
        seconds to wait. Part of the budget is reserved for messages to a table at which their sender sits."""
        return self._loop.take(client, seconds, reserve=0.0 if seated else RESERVE)

    def begin_work(self, client: str | None, *, seated: bool) -> None:
        """Charge the least time for a piece of work in another process. Part of the budget is reserved for people who
        sit at the table concerned. Raises TooMany if too little is left."""
        if self._work.take(client, LEAST_WORK, reserve=0.0 if seated else RESERVE):
            raise TooMany("Too much was worked out for your address: try again in a few minutes")

    def end_work(self, client: str | None, seconds: float) -> None:
        """Charge the processor time that a piece of work took, instead of the least."""
        self._work.spend(client, seconds - LEAST_WORK)

    # --------------------------------------------------------------------------------------------------------- sockets

    @property
    def sockets(self) -> int:
        """The number of open WebSockets."""
        return self._open_sockets

    def open_socket(self, client: str | None) -> bool:
        """Count one more WebSocket, unless there are too many; if true, call `close_socket` when it closes."""
        counted, most = networks(client), self._limits.sockets
        if self._open_sockets >= self._limits.all_sockets:
            return False
        if any(self._sockets[network] >= most * WIDER**level for level, network in enumerate(counted)):
            return False
        self._open_sockets += 1
        self._sockets.update(counted)
        return True

    def close_socket(self, client: str | None) -> None:
        self._open_sockets -= 1
        for network in networks(client):
            self._sockets[network] -= 1
            if not self._sockets[network]:
                del self._sockets[network]


def client_of(scope: Scope) -> str | None:
    """The IP address that a request comes from."""
    client = scope.get("client")
    return client[0] if client else None


@lru_cache(maxsize=4096)
def networks(client: str | None) -> tuple[str, ...]:
    """An address and the networks around it, under which it is counted, the narrowest first.

    An address of this machine counts like any other, as it may be that of a proxy or tunnel.
    """
    try:
        address = ipaddress.ip_address((client or "").partition("%")[0])  # without the name of an interface
    except ValueError:
        return (client or "",)
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address  # how a dual-stack socket names an IPv4 address
    return tuple(str(ipaddress.ip_network((address, length), strict=False)) for length in PREFIXES[address.version])


def household(client: str | None) -> str:
    """The key under which a household is counted: an IPv4 address, or the /64 around an IPv6 address."""
    return networks(client)[-2:][0]
