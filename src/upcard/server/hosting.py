"""The settings of a house, as given to `upcard serve`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from upcard.engine.errors import UpcardError
from upcard.house.bodies import LONGEST_PASSPHRASE


@dataclass(frozen=True)
class Limits:
    """Rate limits per IP address, including this machine's own."""

    requests: float = 20.0
    """Requests per second in the long run; six times as many in a burst."""
    sockets: int = 500
    """Open WebSockets; a whole club may share one address."""
    tables: int = 120
    """New tables per hour."""
    all_sockets: int = 10_000
    """Open WebSockets of all addresses together."""


@dataclass(frozen=True)
class SharedLink:
    """A public link, which leads through a tunnel to a listener of its own."""

    port: int
    """The port of the listener: everything that arrives there came through the tunnel."""
    link: str
    """The public address: `https://cards.example`."""
    passphrase: str | None = None
    """The passphrase of the house, if it was made for this run."""


@dataclass(frozen=True)
class Hosting:
    """All settings of a house. Raises UpcardError for an invalid address of a proxy, public URL or passphrase."""

    database: str
    """Its SQLAlchemy URL."""
    title: str = "Upcard"
    public_url: str | None = None
    """The URL that people use, if that is not where the server listens: `https://cards.example`."""
    address: str | None = None
    """The URL at which others reach it when there is no public one; None if only this machine can."""
    share: SharedLink | None = None
    """The tunnel of `--share`; None if there is none."""
    proxies: tuple[str, ...] = ()
    """The addresses of reverse proxies whose forwarding headers are trusted."""
    names: tuple[str, ...] = ()
    """Further host names by which browsers may address it without a proxy, besides those of this machine."""
    passphrase: str | None = None
    """The passphrase that people need to come in; None if the house is open."""
    metrics: tuple[str, int] | None = None
    """The address and port at which metrics are served; None if they are not."""
    limits: Limits = field(default_factory=Limits)
    keep_days: int | None = None
    """Tables are deleted this many days after they were made or last changed; None: never."""
    warm: bool = False
    """Whether games are compiled for the strong players in advance."""

    def __post_init__(self) -> None:
        for proxy in self.proxies:
            if not _is_address(proxy):
                raise UpcardError(
                    f"a proxy is named by its address, such as 127.0.0.1 or 10.0.0.0/8, not {proxy[:60]!r}"
                )
        if self.passphrase is not None and not 0 < len(self.passphrase) <= LONGEST_PASSPHRASE:
            raise UpcardError(f"a passphrase has 1 to {LONGEST_PASSPHRASE} characters, not {len(self.passphrase)}")
        if self.public_url is None:
            return
        try:
            parts = urlsplit(self.public_url)
            good = parts.scheme in ("http", "https") and parts.netloc and not parts.path.strip("/")
        except ValueError:
            good = False
        if not good:
            raise UpcardError(f"a public address is like https://cards.example, not {self.public_url[:60]!r}")

    @property
    def origin(self) -> str | None:
        """The public URL as browsers send it in `Origin`: scheme and host."""
        return self.public_url.rstrip("/").lower() if self.public_url else None

    def is_shared(self, server: Sequence[object] | None) -> bool:
        """Whether requests to this address of the server (host and port) came through the tunnel of `--share`."""
        return self.share is not None and server is not None and server[1] == self.share.port

    def origin_at(self, server: Sequence[object] | None) -> str | None:
        """The public URL of requests to this address of the server: that of the tunnel, or of the house."""
        return self.share.link if self.share is not None and self.is_shared(server) else self.origin

    @property
    def is_behind_tls(self) -> bool:
        """Whether people reach the house by HTTPS, whatever the proxy says."""
        return (self.origin or "").startswith("https:")

    @cached_property
    def _proxies(self) -> list[IPv4Network | IPv6Network]:
        return [ip_network(proxy) for proxy in self.proxies]

    def believes(self, peer: str) -> bool:
        """Whether the forwarding headers of requests from this address are trusted."""
        try:
            address = ip_address(peer)
        except ValueError:
            return False
        return any(address in network for network in self._proxies)


def metrics_place(text: str) -> tuple[str, int]:
    """The address and port where metrics are served, given as `PORT` or `ADDRESS:PORT`. Raises UpcardError."""
    address, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536):
        raise UpcardError(f"metrics have a port such as 9018, or an address and a port, not {text[:60]!r}")
    return address.strip("[]") or "127.0.0.1", int(port)


def _is_address(text: str) -> bool:
    """Whether a text is an IP address or a network, but neither `*` nor the network of all addresses: if every address
    were trusted, anyone could put a false address into the header to which a proxy appends theirs."""
    try:
        return ip_network(text).prefixlen > 0
    except ValueError:
        return False
