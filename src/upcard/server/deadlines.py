"""Close connections that do not send a complete request head in time, and those beyond the limits on their number."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from upcard.server.hosting import Hosting
from upcard.server.limits import household

REQUEST_TIME = 10.0
"""Seconds allowed for the head of a request to arrive."""


class Punctual(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """uvicorn's HTTP protocol with a deadline for the head of each request."""

    most: ClassVar[int] = 10_000
    """The most connections open at once; any further one is closed immediately."""
    most_of_one: ClassVar[int] = 1_000
    """The most of them from one address, not counting WebSockets: closing many at once takes a while."""
    hosting: ClassVar[Hosting | None] = None
    """Names the proxies, whose connections are not counted by address because they serve many people."""
    _of: ClassVar[Counter[str]] = Counter()
    _counted: str | None = None
    """The address under which this connection is counted; None if it is not, or no longer."""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if self.hosting is None or not self.hosting.believes(address):
            self._counted = household(address)
            self._of[self._counted] += 1
        if len(self.connections) > self.most or self._of[self._counted or ""] > self.most_of_one:
            transport.abort()
        else:
            self._expect()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # it is a WebSocket now
            self._uncount()
            self._forget()
        elif self._is_answering():
            self._forget()
        else:
            self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        self._uncount()
        super().connection_lost(exc)

    def _uncount(self) -> None:
        if self._counted is not None:
            self._of[self._counted] -= 1
            if not self._of[self._counted]:
                del self._of[self._counted]
            self._counted = None

    def _is_answering(self) -> bool:
        """Whether the head of a request has arrived and its answer is not yet complete."""
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
