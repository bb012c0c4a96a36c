"""A TCP proxy before PostgreSQL that can hold back or lose what it is to pass on, while it accepts everything."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Iterator

UP, DOWN = "up", "down"
"""From the server of Upcard to PostgreSQL, and back."""


class Stalling:
    """The proxy. Its connections acknowledge every packet, whatever becomes of it."""

    def __init__(self, target: str) -> None:
        """`target` is the file of PostgreSQL's socket."""
        self._target = target
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open = threading.Condition()
        self._held: set[str] = set()
        self._lost: set[str] = set()
        self._ends: list[socket.socket] = []
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def hold(self, *ways: str) -> None:
        """Pass on nothing more in these directions, until it is released."""
        with self._open:
            self._held |= {*ways}

    def lose(self, *ways: str) -> None:
        """The same, but what comes meanwhile is lost."""
        with self._open:
            self._lost |= {*ways}

    def release(self) -> None:
        """Pass on everything again, what was held back first."""
        with self._open:
            self._held, self._lost = set(), set()
            self._open.notify_all()

    def close(self) -> None:
        self.release()
        for end in [self._listening, *self._ends]:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._target)
                self._ends += [client, server]
                for way, source, sink in ((UP, client, server), (DOWN, server, client)):
                    threading.Thread(target=self._pump, args=(way, source, sink), daemon=True).start()

    def _pump(self, way: str, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                with self._open:
                    if way in self._lost:
                        continue
                    self._open.wait_for(lambda: way not in self._held, 120)
                sink.sendall(data)
            with self._open:  # the end of a connection does not get through either
                self._open.wait_for(lambda: way not in self._held | self._lost, 120)
            sink.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def stalling(url: str) -> Iterator[tuple[Stalling, str]]:
    """A proxy before the PostgreSQL at this URL, and the URL through it."""
    parts = re.fullmatch(r"postgresql://upcard@/(\w+)\?host=(.+)", url)
    assert parts is not None
    proxy = Stalling(f"{parts[2]}/.s.PGSQL.5432")
    try:
        yield proxy, f"postgresql://upcard@127.0.0.1:{proxy.port}/{parts[1]}"
    finally:
        proxy.close()
