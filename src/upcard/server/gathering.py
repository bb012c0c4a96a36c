"""Join what is written to a WebSocket within one turn of the event loop into one system call: an acknowledgement, the
event and the answers of computer players often come together."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class Gathering:
    """Wraps a transport and delays writes to the end of the loop's turn, or until it is closed."""

    def __init__(self, transport: asyncio.Transport, soon: Callable[[Callable[[], None]], object]) -> None:
        """`soon` schedules a call for the end of this turn, as `loop.call_soon` does."""
        self._transport = transport
        self._soon = soon
        self._waiting: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._waiting:
            self._soon(self._flush)
        self._waiting.append(data)

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._waiting:
            self._transport.write(b"".join(self._waiting))
            self._waiting.clear()


class GatheringProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol on a `Gathering` transport.

    Pings only connections that have been silent for a while: people who play send something all the time.
    """

    _heard_at = -math.inf

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        gathering = Gathering(cast(asyncio.Transport, transport), self.loop.call_soon)
        super().connection_made(cast(asyncio.Transport, gathering))

    def data_received(self, data: bytes) -> None:
        self._heard_at = self.loop.time()
        super().data_received(data)

    def send_keepalive_ping(self) -> None:
        left = self._heard_at + (self.ping_interval or 0.0) - self.loop.time()
        if left > 0:
            self.ping_timer = self.loop.call_later(left, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()
