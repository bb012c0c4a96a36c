"""uvicorn's protocols, extended: HTTP with a deadline for each request and limits on connections, and WebSockets whose
writes within one turn of the event loop become one system call.

An acknowledgement, the event and the answers of computer players often come together. These classes override methods of
uvicorn that are no public interface: `pyproject.toml` names the versions that they fit, and `tests/test_libraries.py`
fails where uvicorn has changed. uvicorn's own classes, `http="auto", ws="websockets-sansio"` in `configure`, could take
their place; without these, a connection that sends half a request stays open, one address can take all connections,
large or many frames delay everybody, every message is a system call, and a page that closes is noticed late.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar, cast

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from upcard.server.hosting import Hosting
from upcard.server.limits import household

REQUEST_TIME = 10.0
"""Seconds allowed for the head of a request to arrive."""
GONE = "upcard.gone"
"""The extension of a WebSocket's scope with an event that is set as soon as the connection is lost. The application
itself learns of it only after it has received all earlier messages."""
WRITE = "upcard.write"
"""The extension of a WebSocket's scope with a function that sends a message at once, without a task. It takes the whole
frame, and returns False if that has to wait: the browser does not read, or the connection is closing."""
MOST_UNSENT = 32 * 1024
"""Bytes that the system has not accepted, because a browser does not read, beyond which the next message has to
wait."""

SHORT, LONG = 126, 1 << 16
"""The lengths from which a frame needs two and eight more bytes for its length."""

AT_A_TIME = 512
"""Bytes of one connection that are parsed in one turn of the loop: they may contain a hundred small frames."""
MOST_FRAMES, SPELL = 20, 10.0
"""Pings and fragments of messages that a browser may send in this many seconds; usually it sends none."""


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
        if self.hosting is None or not (self.hosting.believes(address) or self.hosting.is_shared(self.server)):
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


def text_frame(data: bytes) -> bytes:
    """A whole text message, in UTF-8, as one frame from a server (RFC 6455, section 5.2)."""
    size = len(data)
    if size < SHORT:
        return b"\x81%c%b" % (size, data)
    if size < LONG:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), data)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), data)


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
        if self._waiting and not self._transport.is_closing():  # it may be lost in the turn in which it was written to
            self._transport.write(b"".join(self._waiting))
        self._waiting.clear()


class GatheringProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol on a `Gathering` transport.

    Pings only connections that have been silent for a while: people who play send something all the time.
    """

    _heard_at = -math.inf
    _gone: asyncio.Event | None = None
    _is_answered = False
    _unread = b""
    """Bytes that have arrived but are not parsed yet."""
    _is_held = False
    """Whether the transport is paused until they are parsed."""
    _frames = 0
    _counted_since = -math.inf

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self._gone = asyncio.Event()
            own = {GONE: self._gone, WRITE: self._write}
            self.scope["extensions"] = {**(self.scope["extensions"] or {}), **own}  # type: ignore[dict-item]

    def _write(self, frame: bytes) -> bool:
        if not self.writable.is_set() or self.close_sent or self.disconnected or not self.handshake_complete:
            return False
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = cast(asyncio.Transport, transport)
        transport.set_write_buffer_limits(MOST_UNSENT)
        gathering = Gathering(transport, self.loop.call_soon)
        super().connection_made(cast(asyncio.Transport, gathering))

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._leave()
        self._forget()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self._is_answered = True
        self._forget()

    def _forget(self) -> None:
        """Drop what refers back to this connection, once it is lost and the application is done with it: otherwise only
        the collector, which seldom runs, would free its memory."""
        if self.disconnected and self._is_answered:
            self.conn.parser.close()
            self.scope.clear()  # type: ignore[attr-defined]

    def shutdown(self) -> None:
        super().shutdown()
        self._leave()

    def _leave(self) -> None:
        if self._gone is not None:
            self._gone.set()

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True  # refused: otherwise uvicorn logs that it was never answered
        if self.close_sent and self._unread:  # up to the browser's answer
            self._read_on()

    def data_received(self, data: bytes) -> None:
        self._heard_at = self.loop.time()
        self._unread += data
        if len(self._unread) == len(data):  # otherwise it is being parsed already
            self._read_on()

    def _read_on(self) -> None:
        """Parse the next few bytes that have arrived, and continue in the next turn of the loop, unless there is a
        message, which is received first. So a browser that sends much at once delays nobody, and little waits here."""
        if self.read_paused or self.transport.is_closing():
            return
        data, self._unread = self._unread[:AT_A_TIME], self._unread[AT_A_TIME:]
        super().data_received(data)
        if self._unread and not self.read_paused:
            self._is_held = True
            self.transport.pause_reading()
            self.loop.call_soon(self._read_on)
        elif self._is_held and not self.read_paused:
            self._is_held = False
            self.transport.resume_reading()

    async def receive(self) -> ASGIReceiveEvent:
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused, self._is_held = False, True
            self._read_on()
        return message

    def handle_ping(self) -> None:
        super().handle_ping()
        self._count_frame()

    def handle_pong(self, event: Frame) -> None:
        if self.pending_ping_payload is None:
            self._count_frame()
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        self._count_frame()

    def _count_frame(self) -> None:
        """Close a connection that sends many frames that are not messages."""
        now = self.loop.time()
        if now - self._counted_since > SPELL:
            self._counted_since, self._frames = now, 0
        self._frames += 1
        if self._frames > MOST_FRAMES and not self.close_sent:
            self.conn.fail(1008, "This page sent too many frames that are not messages: reload it")
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()

    def send_keepalive_ping(self) -> None:
        left = self._heard_at + (self.ping_interval or 0.0) - self.loop.time()
        if left > 0:
            self.ping_timer = self.loop.call_later(left, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        if self.read_paused:  # the answer may have arrived, behind a message that waits for its turn
            self.pong_timer = None
            super().send_keepalive_ping()  # if nobody is there any more, the system refuses to send it
        else:
            super().keepalive_timeout()
