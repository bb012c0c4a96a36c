"""Middleware in front of every request: forwarding, host names, cross-site checks, rate limits, the passphrase, and
security headers."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import socket
from collections.abc import Awaitable, Callable
from functools import cache
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from litestar.utils.path import normalize_path

from upcard.house.bodies import Failure
from upcard.languages.answers import encoder_for
from upcard.languages.catalogs import best_language
from upcard.languages.localizing import reader
from upcard.rules.sentences import Sentence, as_sentence, sentence
from upcard.server.hosting import Hosting
from upcard.server.limits import Doorkeeper, client_of
from upcard.server.live import REFUSED, close_reason
from upcard.server.routes import house
from upcard.server.visitor import PERSON, device_of
from upcard.table.errors import NotWritten, TooMany

if TYPE_CHECKING:
    from upcard.server.admissions import Admissions

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
SECURE = (b"strict-transport-security", b"max-age=31536000")
"""Makes browsers use HTTPS only; sent in answers over HTTPS."""
FORWARDING = {
    b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip", b"x-client-ip",
    b"cf-connecting-ip", b"true-client-ip", b"fly-client-ip", b"tailscale-user-login",
}  # fmt: skip
"""Headers that only proxies and tunnels add."""
PEER = "upcard.peer"
"""In a request's scope, the address at the other end of the connection: a proxy's, if it came through one."""
BODY_TIME = 20.0
"""Seconds allowed for each part of a request's body to arrive."""
FOREIGN = 4403
"""The close code of a WebSocket opened by another site's page, which is not to try again."""
ANOTHER_SITE = sentence(
    "This page looked like another site's: the operator of this house must set its address (--public-url)"
)
PORT_LOST = sentence(
    "The proxy in front of this house drops the port of its address: let it pass the header Host on unchanged"
)
UNNAMED_PROXY = "This came through a proxy or tunnel that was not named: start the server with --proxy {}"
WRONG_NAME = "This house does not know the name {}: open it by its address, or start it with --public-url http://{}"
PLACES = ("tables", "rooms")
"""The parts of a path after which the id of a table or room follows."""
IsKnown = Callable[[str, str, str | None], bool]
"""Whether somebody, by their identity, sits at the table or is in the room with this kind and id."""
WhoIs = Callable[[str], Awaitable[str]]
"""Returns the identity of the person to whom a device belongs. Raises NotWritten."""
access = logging.getLogger("upcard.access")
log = logging.getLogger("upcard.server")
TOO_OFTEN = sentence("Too many requests came from your address: wait a moment")
TOO_MANY = sentence(
    "There are too many open windows just now: close some of yours, or wait until this one opens by itself"
)


class Guard:
    """Refuses requests that are cross-site, too frequent or without the passphrase; adds the headers."""

    def __init__(
        self,
        app: ASGIApp,
        hosting: Hosting,
        doorkeeper: Doorkeeper,
        is_known: IsKnown,
        who_is: WhoIs,
        admissions: Admissions | None,
    ) -> None:
        """`admissions` are those of a house with a passphrase."""
        self._app = app
        self._hosting = hosting
        self._doorkeeper = doorkeeper
        self._is_known = is_known
        self._who_is = who_is
        self._admissions = admissions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind: str = scope["type"]
        if kind in ("http", "websocket") and access.isEnabledFor(logging.INFO):
            send = _noting(scope, send)
        if kind in ("http", "websocket"):
            reader.set(language_of(scope))
        if kind == "http":
            await self._http(scope, receive, send)
        elif kind == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _misdirected(self, scope: Scope) -> str | None:
        """The reason to refuse a request that came through an unnamed proxy or for an unknown host name; None if there
        is none."""
        peer = str(scope.get(PEER) or "")
        if self._hosting.is_shared(scope.get("server")):  # only the tunnel leads there
            return None
        if self._hosting.believes(peer):  # a named proxy is responsible for its host names
            return None
        headers = dict(scope["headers"])
        if not headers.keys().isdisjoint(FORWARDING):
            if _is_loopback(peer):
                return UNNAMED_PROXY.format(peer)
            log.warning("%s forwards requests, but --proxy does not name it: they all count as its own", peer)
        name = _host_name(headers.get(b"host", b"").decode("latin-1"))
        return None if self._is_own(name) else WRONG_NAME.format(name[:60], name[:60])

    def _is_own(self, name: str) -> bool:
        """Whether this server answers to a host name. Otherwise another site could point a name of its own to this
        machine's address (DNS rebinding), and its page would be a page of this house to the browser."""
        own = {_host_name(self._hosting.origin or ""), *self._hosting.names, *_names_of_machine()}
        return name in own or name.endswith(".localhost") or _is_address(name)

    async def admit(self, scope: Scope) -> bool:
        """Whether a browser may come in. Raises TooMany after too many wrong admissions, NotWritten."""
        client, cookies = client_of(scope), _cookies(scope)
        secret = cookies.get(house.COOKIE)
        if self._admissions is None or self._admissions.knows(secret):
            return self._admissions is None or await self._admissions.admits(secret, device_of(cookies))
        if not secret:
            return False
        self._doorkeeper.check_guesses(client)
        if await self._admissions.admits(secret, device_of(cookies)):
            return True
        self._doorkeeper.wrong_guess(client)
        return False

    async def _identify(self, scope: Scope) -> None:
        """Note in the scope whose device a browser is. Raises NotWritten."""
        if (device := device_of(_cookies(scope))) is not None:
            scope[PERSON] = await self._who_is(device)  # type: ignore[literal-required]

    def _check_guesses(self, scope: Scope, client: str | None) -> None:
        """Refuse the tables and rooms of others to an address that has tried too many wrong links. Raises TooMany."""
        place = _named_place(scope["path"])
        if place is not None and not self._is_known(*place, scope.get(PERSON)):  # type: ignore[arg-type]
            self._doorkeeper.check_guesses(client)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_of(scope)
        if self._doorkeeper.request(client):
            await _refuse_socket(send, TOO_OFTEN)
            return
        if astray := self._misdirected(scope):
            await _close_socket(send, FOREIGN, astray)
            return
        if is_foreign(scope, self._hosting.origin_at(scope.get("server"))):
            await _close_socket(send, FOREIGN, _why_foreign(scope))
            return
        try:
            if is_admitted := await self.admit(scope):
                await self._identify(scope)
            self._check_guesses(scope, client)
        except (TooMany, NotWritten) as refusal:
            await _close_socket(send, REFUSED, refusal.sentence)
            return
        if not is_admitted:
            await send({"type": "websocket.close", "code": REFUSED, "reason": "passphrase needed"})
        elif not self._doorkeeper.open_socket(client):
            await _close_socket(send, REFUSED, TOO_MANY)
        else:
            try:
                await self._while_admitted(scope, receive, send)
            finally:
                self._doorkeeper.close_socket(client)

    async def _while_admitted(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a WebSocket until it is closed, or its browser's admission ends."""
        if self._admissions is None:
            await self._app(scope, receive, send)
            return
        serving = asyncio.ensure_future(self._app(scope, receive, send))
        try:
            with self._admissions.window(_cookies(scope).get(house.COOKIE), serving.cancel):
                await asyncio.wait([serving])
        finally:
            serving.cancel()
        if serving.cancelled():
            await send({"type": "websocket.close", "code": REFUSED, "reason": "passphrase needed"})
        else:
            serving.result()

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_head = scope["method"] == "HEAD"  # type: ignore[typeddict-item]

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                secure = [SECURE] if self._hosting.is_behind_tls or scope["scheme"] == "https" else []
                message["headers"] = [*message.get("headers", ()), *HEADERS, *secure]
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
        client = client_of(scope)
        wait = self._doorkeeper.request(client)
        if wait:
            await _fail(guarded, 429, TOO_OFTEN, wait)
        elif astray := self._misdirected(scope):
            await _fail(guarded, 421, astray, in_words=not scope["path"].startswith("/api/"))
        elif scope["method"] != "GET" and is_foreign(scope, self._hosting.origin_at(scope.get("server"))):  # type: ignore[typeddict-item]
            await _fail(guarded, 403, _why_foreign(scope))
        else:
            await self._admitted(scope, soon if scope["method"] != "GET" else receive, guarded, client)  # type: ignore[typeddict-item]

    async def _admitted(self, scope: Scope, receive: Receive, send: Send, client: str | None) -> None:
        """Answer an HTTP request if its browser has given the passphrase, and count links to tables and rooms that
        do not exist."""
        try:
            is_locked = _is_locked(scope["path"])
            is_admitted = not is_locked or await self.admit(scope)
            if is_locked and is_admitted:
                await self._identify(scope)
            self._check_guesses(scope, client)
        except TooMany as refusal:
            await _fail(send, 429, str(refusal), 60.0)
            return
        except NotWritten as refusal:
            await _fail(send, 503, str(refusal))
            return
        if not is_admitted:
            await _fail(send, 401, "This house has a passphrase")
            return

        async def counting(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 404 and _named_place(scope["path"]):
                self._doorkeeper.wrong_guess(client)
            await send(message)

        await self._app(scope, receive, counting)


def language_of(scope: Scope) -> str:
    """The language of the reader who sent a request: that of the parameter `language`, or the best of those that the
    browser accepts."""
    asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("language", [])
    accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    return best_language(asked[0] if asked else accepted)


def _noting(scope: Scope, send: Send) -> Send:
    """Wrap `send` to write a line to the access log when the answer begins: address, method, path without its query,
    and status."""
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


async def _fail(send: Send, status: int, message: str, wait: float = 0.0, *, in_words: bool = False) -> None:
    """Answer with a failure; `in_words` as plain text, for a person who has typed the address into a browser."""
    headers = [(b"content-type", b"text/plain; charset=utf-8" if in_words else b"application/json")]
    if wait:
        headers.append((b"retry-after", str(math.ceil(wait)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    body = message.encode() if in_words else encoder_for(reader.get()).encode(Failure(as_sentence(message, None), None))
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _refuse_socket(send: Send, message: str) -> None:
    """Refuse the handshake, the cheapest way. Pages cannot read the reason, so they ask over HTTP."""
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "websocket.http.response.start", "status": 429, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": message.encode()})  # type: ignore[arg-type]


async def _close_socket(send: Send, code: int, reason: str) -> None:
    """Accept a WebSocket only to close it: pages can read the reason of a close, but not that of a refused
    handshake."""
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    await send({"type": "websocket.close", "code": code, "reason": close_reason(as_sentence(reason, None))})


def _is_locked(path: str) -> bool:
    """Whether a path, however it is written, needs the passphrase."""
    path = normalize_path(path)  # as the router does
    return path.startswith("/api/") and path not in house.OPEN_PATHS and not path.startswith("/api/languages/")


def _cookies(scope: Scope) -> dict[str, str]:
    return ASGIConnection[Any, Any, Any, Any](scope).cookies


def _named_place(path: str) -> tuple[str, str] | None:
    """The kind, "tables" or "rooms", and the id of what a path of the API leads to; None if it leads elsewhere."""
    parts = normalize_path(path).split("/")
    return (parts[2], parts[3]) if len(parts) > 3 and parts[1] == "api" and parts[2] in PLACES else None


@cache
def _names_of_machine() -> frozenset[str]:
    """The names by which browsers here and in the same network may know this machine."""
    name = socket.gethostname().lower()
    return frozenset({"", "localhost", name, name.partition(".")[0], f"{name.partition('.')[0]}.local"})


def _host_name(host: str) -> str:
    """The name in a `Host` header or an origin, in lower case and without the port."""
    try:
        return (urlsplit(host if "//" in host else f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return "?"


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(peer: str) -> bool:
    return _is_address(peer) and ip_address(peer).is_loopback


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


def _why_foreign(scope: Scope) -> Sentence:
    """The reason to refuse a request that seems to come from another site's page."""
    headers = {name: value.decode("latin-1").lower() for name, value in scope["headers"]}
    host, origin = headers.get(b"host", ""), headers.get(b"origin", "")
    _, _, address = origin.partition("://")
    return PORT_LOST if host and re.fullmatch(rf"{re.escape(host)}:\d+", address) else ANOTHER_SITE
