"""What stands before every request: who may ask from where and how often, and what browsers are told to keep to."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar._parsers import parse_cookie_string
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from upcard.server import club
from upcard.server.limits import Doorkeeper
from upcard.server.messages import Failure

HEADERS = [
    (b"content-security-policy", b"default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
     b"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]  # fmt: skip
BODY_TIME = 20.0
"""Seconds that a request may take to arrive."""


class Guard:
    """Refuses what another site's page asks in the name of its visitor and what comes too often; adds the headers."""

    def __init__(
        self, app: ASGIApp, doorkeeper: Doorkeeper, origin: str | None, admits: Callable[[str | None], bool]
    ) -> None:
        """`origin` is the public address of the house, where it has one; `admits` knows who may come in."""
        self._admits = admits
        self._app = app
        self._doorkeeper = doorkeeper
        self._origin = origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind: str = scope["type"]
        if kind == "http":
            await self._http(scope, receive, send)
        elif kind == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_of(scope)
        if is_foreign(scope, self._origin):
            await send({"type": "websocket.close", "code": 1008, "reason": "foreign origin"})
        elif not self._admits(_key(scope)):
            await send({"type": "websocket.close", "code": 1008, "reason": "passphrase needed"})
        elif self._doorkeeper.request(client) or not self._doorkeeper.open_socket(client):
            await _refuse_socket(send, "Too many windows are open from your address: close some, or try again later")
        else:
            try:
                await self._app(scope, receive, send)
            finally:
                self._doorkeeper.close_socket(client)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_head = scope["method"] == "HEAD"  # type: ignore[typeddict-item]

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            elif is_head:
                message["body"] = b""  # type: ignore[typeddict-unknown-key]
            await send(message)

        async def soon() -> Any:
            try:
                return await asyncio.wait_for(receive(), BODY_TIME)
            except TimeoutError:
                raise HTTPException(status_code=408, detail="This took too long to arrive") from None

        if is_head:
            scope["method"] = "GET"  # type: ignore[typeddict-unknown-key]
        wait = self._doorkeeper.request(client_of(scope))
        if wait:
            await _fail(guarded, 429, "Too many requests came from your address: wait a moment", wait)
        elif scope["method"] != "GET" and is_foreign(scope, self._origin):  # type: ignore[typeddict-item]
            await _fail(guarded, 403, "This came from another site")
        elif _is_locked(scope["path"]) and not self._admits(_key(scope)):
            await _fail(guarded, 401, "This house has a passphrase")
        else:
            await self._app(scope, soon if scope["method"] != "GET" else receive, guarded)  # type: ignore[typeddict-item]


async def _fail(send: Send, status: int, message: str, wait: float = 0.0) -> None:
    headers = [(b"content-type", b"application/json")]
    if wait:
        headers.append((b"retry-after", str(math.ceil(wait)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    body = msgspec.json.encode(Failure(message, None))
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _refuse_socket(send: Send, message: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "websocket.http.response.start", "status": 429, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": message.encode()})  # type: ignore[arg-type]


def _is_locked(path: str) -> bool:
    """Whether this is told only to those who have come in."""
    return path.startswith("/api/") and path.rstrip("/") not in club.OPEN_PATHS


def _key(scope: Scope) -> str | None:
    """What a browser was given for the passphrase."""
    cookies = (value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie")
    return next((key for line in cookies if (key := parse_cookie_string(line).get(club.COOKIE))), None)


def client_of(scope: Scope) -> str | None:
    """The address of whoever asks."""
    client = scope.get("client")
    return client[0] if client else None


def is_foreign(scope: Scope, public: str | None = None) -> bool:
    """Whether a browser says that a page of another site asks. Programs that are no browsers say nothing."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    origin = headers.get(b"origin")
    if origin is None:
        return headers.get(b"sec-fetch-site", "none") not in ("none", "same-origin")
    if public is not None and origin.lower() == public:
        return False
    try:
        return urlsplit(origin).netloc.lower() != headers.get(b"host", "").lower() or origin == "null"
    except ValueError:
        return True
