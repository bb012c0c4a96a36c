"""Middleware in front of every request: cross-site checks, rate limits, the passphrase, and security headers."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from litestar.utils.path import normalize_path

from upcard.server import club
from upcard.server.limits import Doorkeeper, client_of
from upcard.server.live import REFUSED
from upcard.server.messages import Failure

HEADERS = [
    (b"content-security-policy", b"default-src 'self'; style-src 'self'; object-src 'none'; "
     b"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"),
    (b"permissions-policy", b"accelerometer=(), camera=(), display-capture=(), encrypted-media=(), geolocation=(), "
     b"gyroscope=(), hid=(), idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), "
     b"serial=(), usb=(), window-management=(), xr-spatial-tracking=()"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]  # fmt: skip
BODY_TIME = 20.0
"""Seconds allowed for each part of a request's body to arrive."""
FOREIGN = 4403
"""The close code of a WebSocket that another site's page has opened; it tells the page not to try again."""
ANOTHER_SITE = "This page was taken for another site's: whoever runs the house must name its address (--public-url)"
access = logging.getLogger("upcard.access")
TOO_OFTEN = "Too many requests came from your address: wait a moment"
TOO_MANY = "There are too many open windows just now: close some of yours, or wait until this one opens by itself"


class Guard:
    """Refuses requests that are cross-site, too frequent or without the passphrase; adds the headers."""

    def __init__(
        self, app: ASGIApp, doorkeeper: Doorkeeper, origin: str | None, admits: Callable[[str | None], bool]
    ) -> None:
        """`origin` is the public origin of the house, if it has one; `admits` says whether a key lets its owner in."""
        self._admits = admits
        self._app = app
        self._doorkeeper = doorkeeper
        self._origin = origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind: str = scope["type"]
        if kind in ("http", "websocket") and access.isEnabledFor(logging.INFO):
            send = _noting(scope, send)
        if kind == "http":
            await self._http(scope, receive, send)
        elif kind == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_of(scope)
        if self._doorkeeper.request(client):
            await _refuse_socket(send, TOO_OFTEN)
        elif is_foreign(scope, self._origin):
            await _close_socket(send, FOREIGN, ANOTHER_SITE)
        elif not self._admits(_key(scope)):
            await send({"type": "websocket.close", "code": REFUSED, "reason": "passphrase needed"})
        elif not self._doorkeeper.open_socket(client):
            await _close_socket(send, REFUSED, TOO_MANY)
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
            await _fail(guarded, 429, TOO_OFTEN, wait)
        elif scope["method"] != "GET" and is_foreign(scope, self._origin):  # type: ignore[typeddict-item]
            await _fail(guarded, 403, ANOTHER_SITE)
        elif _is_locked(scope["path"]) and not self._admits(_key(scope)):
            await _fail(guarded, 401, "This house has a passphrase")
        else:
            await self._app(scope, soon if scope["method"] != "GET" else receive, guarded)  # type: ignore[typeddict-item]


def _noting(scope: Scope, send: Send) -> Send:
    """`send`, with a line in the access log for the beginning of the answer: address, method, path without what
    follows a question mark, and status."""
    method = scope.get("method", "WEBSOCKET")
    path = scope.get("raw_path", b"").decode("latin-1")
    has_begun = False

    async def noted(message: Message) -> None:
        nonlocal has_begun
        status = message.get("status") or {"websocket.accept": 101, "websocket.close": 403}.get(message["type"])
        if status and not has_begun:
            has_begun = True
            access.info("%s %s %s %s", client_of(scope) or "-", method, path, status)
        await send(message)

    return noted


async def _fail(send: Send, status: int, message: str, wait: float = 0.0) -> None:
    headers = [(b"content-type", b"application/json")]
    if wait:
        headers.append((b"retry-after", str(math.ceil(wait)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    body = msgspec.json.encode(Failure(message, None))
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _refuse_socket(send: Send, message: str) -> None:
    """Refuse the handshake: the cheapest way. Pages cannot read why, so they ask over HTTP."""
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "websocket.http.response.start", "status": 429, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": message.encode()})  # type: ignore[arg-type]


async def _close_socket(send: Send, code: int, reason: str) -> None:
    """Accept a WebSocket only to close it: browsers show pages the reason of a close, not of a refused handshake."""
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    await send({"type": "websocket.close", "code": code, "reason": reason})


def _is_locked(path: str) -> bool:
    """Whether a path, however it is written, leads to what needs the passphrase."""
    path = normalize_path(path)  # as the router does
    return path.startswith("/api/") and path not in club.OPEN_PATHS


def _key(scope: Scope) -> str | None:
    """The key from the browser's cookie; None if it has not given the passphrase."""
    return ASGIConnection[Any, Any, Any, Any](scope).cookies.get(club.COOKIE)


def is_foreign(scope: Scope, public: str | None = None) -> bool:
    """Whether a request comes from another site's page, by its `Origin` or `Sec-Fetch-Site`, which browsers send.

    `public` is the public origin of the house, if it has one. Requests without either header are not foreign.
    """
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
