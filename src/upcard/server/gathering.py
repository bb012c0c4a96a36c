"""What is written to a WebSocket within one turn of the event loop goes to the system in one call: an acknowledgement,
the event and the answers of computer players often come together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class Gathering:
    """A transport that writes at the end of the turn, or when it is closed. All else is as the transport does it."""

    def __init__(self, transport: asyncio.Transport, soon: Callable[[Callable[[], None]], object]) -> None:
        """`soon` has something done at the end of this turn."""
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
    """uvicorn's WebSocket on such a transport."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        gathering = Gathering(cast(asyncio.Transport, transport), self.loop.call_soon)
        super().connection_made(cast(asyncio.Transport, gathering))
