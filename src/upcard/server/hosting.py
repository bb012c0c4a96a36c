"""How a house is run: what `upcard serve` was told."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_network
from urllib.parse import urlsplit

from upcard.engine.errors import UpcardError


@dataclass(frozen=True)
class Limits:
    """How much one address may ask for. Requests from this machine itself are not counted."""

    requests: float = 20.0
    """A second, in the long run; six times as many at once."""
    sockets: int = 500
    """A whole club may come from one address."""
    tables: int = 120
    """New tables an hour."""
    all_sockets: int = 10_000
    """Of all addresses together."""


@dataclass(frozen=True)
class Hosting:
    """Everything that can be said about a house. Raises UpcardError for an address that is none."""

    database: str
    """As SQLAlchemy names it."""
    title: str = "Upcard"
    public_url: str | None = None
    """Where people find it, if that is not where it listens: `https://cards.example`."""
    address: str | None = None
    """Where others can reach it, if not at the public address; None if only this machine can."""
    proxies: tuple[str, ...] = ()
    """The addresses of reverse proxies whose word about the people behind them is believed."""
    passphrase: str | None = None
    """What people must know to come in."""
    limits: Limits = field(default_factory=Limits)
    keep_days: int | None = None
    """Tables are deleted so long after they were made and nothing happens at them any more; None: never."""
    warm: bool = False
    """Whether strong players are made ready before anybody asks for one."""

    def __post_init__(self) -> None:
        for proxy in self.proxies:
            if not _is_address(proxy):
                raise UpcardError(
                    f"a proxy is named by its address, such as 127.0.0.1 or 10.0.0.0/8, not {proxy[:60]!r}"
                )
        if self.public_url is None:
            return
        try:
            found = urlsplit(self.public_url)
            good = found.scheme in ("http", "https") and found.netloc and not found.path.strip("/")
        except ValueError:
            good = False
        if not good:
            raise UpcardError(f"a public address is like https://cards.example, not {self.public_url[:60]!r}")

    @property
    def origin(self) -> str | None:
        """The public address as a browser names it: scheme and host."""
        return self.public_url.rstrip("/").lower() if self.public_url else None


def _is_address(text: str) -> bool:
    """Whether this is an address, a network of them, or `*` for any."""
    try:
        ip_network(text)
    except ValueError:
        return text == "*"
    return True
