"""Open the listening socket, and find the URL at which browsers reach it."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys

from upcard.engine.errors import UpcardError

EVERYWHERE = "0.0.0.0"
WANTED_FILES = 16_384
"""The limit on open files that a server asks for; each connection is one."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on this host and port. Raises UpcardError if it cannot."""
    try:
        family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with contextlib.ExitStack() as unless_it_listens:
            listening = unless_it_listens.enter_context(socket.socket(family, socket.SOCK_STREAM))
            if os.name == "posix":  # on other systems two servers could then share a port
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(place)
            listening.listen(1024)
            unless_it_listens.pop_all()
            return listening
    except UnicodeError:
        raise UpcardError(f"cannot listen on {host[:60]!r}: that is not a host name") from None
    except (OSError, OverflowError) as error:
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            raise UpcardError(f"port {port} is in use already: choose another with --port") from None
        reason = getattr(error, "strerror", None) or error
        raise UpcardError(f"cannot listen on {host}, port {port}: {reason}") from None


def address(host: str, port: int) -> str:
    """The URL to type into a browser. A server that listens on all interfaces is named by this machine's address."""
    if host in (EVERYWHERE, "::", ""):
        host = own_address() or "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_private(host: str) -> bool:
    """Whether a server that listens there can be reached from this machine only."""
    return host == "localhost" or host == "::1" or host.startswith("127.")


def own_address() -> str | None:
    """This machine's address in its network; None if it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            return None


def allow_open_files() -> int:
    """Raise the limit on open files to `WANTED_FILES`, or as far as the system allows; returns the limit."""
    if sys.platform == "win32":
        return WANTED_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(soft, wanted)
