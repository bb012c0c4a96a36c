"""What stands before every request: who may ask from where, and what browsers are told to keep to."""

from __future__ import annotations

from urllib.parse import urlsplit

from litestar.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = [
    (b"content-security-policy", b"default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
     b"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]  # fmt: skip


class Guard:
    """Refuses what another site's page asks in the name of its visitor, and adds the security headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind: str = scope["type"]
        if kind == "http":
            await self._http(scope, receive, send)
        elif kind == "websocket" and is_foreign(scope):
            await send({"type": "websocket.close", "code": 1008, "reason": "foreign origin"})
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        if scope["method"] in ("GET", "HEAD") or not is_foreign(scope):  # type: ignore[typeddict-item]
            await self._app(scope, receive, guarded)
            return
        headers = [(b"content-type", b"application/json")]
        await guarded({"type": "http.response.start", "status": 403, "headers": headers})
        body = b'{"error":"This came from another site","clause":null}'
        await guarded({"type": "http.response.body", "body": body, "more_body": False})


def is_foreign(scope: Scope) -> bool:
    """Whether a browser says that a page of another site asks. Programs that are no browsers say nothing."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    origin = headers.get(b"origin")
    if origin is None:
        return headers.get(b"sec-fetch-site", "none") not in ("none", "same-origin")
    try:
        return urlsplit(origin).netloc.lower() != headers.get(b"host", "").lower() or origin == "null"
    except ValueError:
        return True
