"""Connections that send no whole request in good time are closed, and no more are taken than there is room for."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.auto import AutoHTTPProtocol

REQUEST_TIME = 10.0
"""Seconds for the head of a request."""


class Punctual(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """uvicorn's HTTP, with a time for each request's head."""

    most: ClassVar[int] = 10_000
    """So many connections are open at most; one more is closed at once."""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.abort()
        else:
            self._expect()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self or self._is_answering():
            self._forget()
        else:
            self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        """Whether the head of a request has come and its answer has not gone out."""
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _expect(self) -> None:
        if self._deadline is None:
            self._deadline = asyncio.get_running_loop().call_later(REQUEST_TIME, self._expire)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _expire(self) -> None:
        self._deadline = None
        if self.transport.get_protocol() is self and not self._is_answering():
            self.transport.abort()
