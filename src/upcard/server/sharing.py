"""`upcard serve --share`: a link for people in other houses, through a tunnel program that this machine has.

Nothing is downloaded. The tunnel leads to a listener of its own, whose forwarding headers alone are believed, and ends
with the server, however that ends.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import segno

from upcard.engine.errors import UpcardError
from upcard.server.hosting import Hosting, SharedLink
from upcard.server.listening import listen

START_TIME = 40.0
"""Seconds that a tunnel program may take to print its link."""
CHECK_TIME = 90.0
"""Seconds after which a link that does not answer is reported: the name of a new tunnel takes a while to spread."""
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters and digits that nobody confuses when a passphrase is read out."""
NONE_HERE = """no tunnel program is installed, and Upcard downloads none. Install one of these, then try again:
  cloudflared (no account needed): https://github.com/cloudflare/cloudflared
  tailscale, with Funnel allowed: https://tailscale.com/download, or ngrok: https://ngrok.com/download"""
KEEPER = """
import subprocess, sys, threading
program = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
threading.Thread(target=lambda: (sys.stdin.read(), program.terminate()), daemon=True).start()
sys.exit(program.wait())
"""
"""A process that runs a program until its own standard input is closed, which the system does when the server ends,
even if it is killed."""


@dataclass(frozen=True)
class TunnelProgram:
    """A program that makes a port of this machine reachable from everywhere."""

    name: str
    arguments: tuple[str, ...]
    """Its arguments; `{port}` stands for the port."""
    link: re.Pattern[str]
    """Finds the public address in what it prints, as the first group."""

    def command(self, port: int) -> list[str] | None:
        """The command that opens a tunnel to this port; None if the program is not installed."""
        path = shutil.which(self.name)
        return None if path is None else [path, *(argument.format(port=port) for argument in self.arguments)]


TUNNEL_PROGRAMS = (
    TunnelProgram(
        "cloudflared",
        ("tunnel", "--no-autoupdate", "--url", "http://127.0.0.1:{port}"),
        re.compile(r"(https://(?!api\.)[a-z0-9-]+\.trycloudflare\.com)"),
    ),
    TunnelProgram("tailscale", ("funnel", "--yes", "{port}"), re.compile(r"(https://[a-z0-9.-]+\.ts\.net(?::\d+)?)")),
    TunnelProgram(
        "ngrok",
        ("http", "{port}", "--log", "stdout", "--log-format", "json"),
        re.compile(r'"url":"(https://[a-z0-9.-]+)"'),
    ),
)
"""In the order in which they are tried. All of them tell the server the address of each visitor."""


class Tunnel:
    """A running tunnel program."""

    def __init__(self, program: TunnelProgram, command: list[str]) -> None:
        """Start it. Raises UpcardError, with the program's last words, if it prints no link within `START_TIME`."""
        self.name = program.name
        self.link = ""
        self._last_lines: deque[str] = deque(maxlen=3)
        self._is_known = threading.Event()
        self._is_closed = False
        self._process = subprocess.Popen(
            [sys.executable, "-c", KEEPER, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # Ctrl-C reaches the server alone, which says goodbye through the tunnel
        )
        threading.Thread(target=self._follow, args=(program.link,), daemon=True).start()
        self._is_known.wait(START_TIME)
        if not self.link:
            self.close()
            words = " ".join(" / ".join(self._last_lines).split()) or "it printed nothing"
            raise UpcardError(f"{self.name} opened no tunnel: {words[:400]}")

    def _follow(self, pattern: re.Pattern[str]) -> None:
        """Read what the program prints until it ends, so that it never waits for a reader."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._last_lines.append(line)
            if not self.link and (match := pattern.search(line)):
                self.link = match[1]
                self._is_known.set()
        was_open = bool(self.link) and not self._is_closed
        self._is_known.set()
        if was_open:
            print(f"The tunnel of {self.name} has ended: {self.link} leads nowhere now", file=sys.stderr, flush=True)

    def close(self) -> None:
        """End the program."""
        self._is_closed = True
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()


def open_tunnel(port: int) -> Tunnel:
    """A tunnel to a port of this machine, by the first program here that opens one. Raises UpcardError if none does."""
    failures: list[str] = []
    for program in TUNNEL_PROGRAMS:
        if (command := program.command(port)) is not None:
            try:
                return Tunnel(program, command)
            except UpcardError as failure:
                failures.append(str(failure))
    raise UpcardError("; ".join(failures) or NONE_HERE)


def new_passphrase() -> str:
    """A passphrase that can be read out, with 39 random bits; the server allows each address a few tries a minute."""
    letters = "".join(secrets.choice(ALPHABET) for _ in range(8))
    return f"{letters[:4]}-{letters[4:]}"


def with_passphrase(address: str, passphrase: str | None) -> str:
    """A link that admits anyone who opens it, if the passphrase is given. Browsers send what follows # to no server."""
    return address if passphrase is None else f"{address}/#enter={passphrase}"


@contextmanager
def shared(hosting: Hosting) -> Iterator[tuple[Hosting, socket.socket]]:
    """Open a tunnel: yields the settings of the house that is reachable through it, and the listener to which it leads.
    A house without a passphrase gets one. Raises UpcardError if no program opens a tunnel."""
    behind_tunnel = listen("127.0.0.1", 0)
    port = behind_tunnel.getsockname()[1]
    passphrase = new_passphrase() if hosting.passphrase is None else None
    tunnel = open_tunnel(port)
    try:
        share = SharedLink(port, tunnel.link, passphrase)
        yield replace(hosting, share=share, passphrase=passphrase or hosting.passphrase), behind_tunnel
    finally:
        tunnel.close()


def announce(share: SharedLink) -> None:
    """Print what a host passes on: the link, its QR code, and the passphrase if it was made for this run. Whether the
    link works follows as soon as that is known."""
    whole = with_passphrase(share.link, share.passphrase)
    print("\n".join(_qr_lines(whole)))
    print(f"Friends anywhere come in by {whole}")
    if share.passphrase is None:
        print("They need the passphrase of your house", flush=True)
    else:
        print(f"Anyone who has this link can come in. The passphrase of this run: {share.passphrase}", flush=True)
    threading.Thread(target=_report, args=(share.link,), daemon=True).start()


def _qr_lines(text: str) -> list[str]:
    """A QR code in half blocks, dark on light where the terminal is dark, as readers expect it."""
    rows = [list(row) for row in segno.make(text, error="l").matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    return [
        "".join(blocks[bool(above), bool(below)] for above, below in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    ]


def _check_link(link: str, patience: float = CHECK_TIME) -> str | None:
    """Open the link as a visitor would, until this house answers; returns why it did not within `patience` seconds."""
    ends = time.monotonic() + patience
    while True:
        reason = _why_not(link)
        if reason is None or time.monotonic() > ends:
            return reason
        time.sleep(2)


def _why_not(link: str) -> str | None:
    """Why the link does not lead to this house at present; None if it does."""
    request = urllib.request.Request(f"{link}/api/club", headers={"User-Agent": "Upcard"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            club = json.load(answer)
        return None if club.get("address") == link else "something else answers there"
    except urllib.error.HTTPError as error:
        return f"it answers with status {error.code}"
    except (OSError, ValueError) as error:
        return str(getattr(error, "reason", None) or error)


def _report(link: str) -> None:
    """Print whether the link works from outside, as far as this machine can tell."""
    reason = _check_link(link)
    if reason is None:
        print("The link was opened from outside, and works", flush=True)
    else:
        print(f"The link could not be opened from here ({reason}): try it on a phone without Wi-Fi", flush=True)
