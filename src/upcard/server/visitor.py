"""Identify browsers by a secret in a cookie. There are no accounts, and the server never stores the secret itself.

A browser is a device, named by the SHA-256 of its secret. A device is its own person, unless it was joined to another
one (`upcard.server.devices`); the guard looks that up and notes it in the request's scope.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from upcard.house.services import Visitor
from upcard.languages.localizing import reader
from upcard.server.limits import client_of

COOKIE = "upcard"
A_YEAR = 365 * 24 * 3600
PERSON = "upcard.person"
"""In a request's scope, the identity of the person whose device sent it; missing if the browser has no secret."""


def secret_of(cookies: Mapping[str, str]) -> str | None:
    """The browser's secret; None if it has none or a malformed one."""
    secret = cookies.get(COOKIE, "")
    return secret if re.fullmatch(r"[\w-]{32}", secret, re.ASCII) else None


def device_of(cookies: Mapping[str, str]) -> str | None:
    """The device that a browser is, which is the SHA-256 of its secret; None if it has no secret."""
    secret = secret_of(cookies)
    return hashlib.sha256(secret.encode()).hexdigest() if secret else None


def visitor_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Visitor:
    """The visitor that a request comes from."""
    person: Any = connection.scope.get(PERSON)
    return Visitor(person, client_of(connection.scope), reader.get())


def identified(connection: ASGIConnection[Any, Any, Any, Any]) -> tuple[Visitor, Cookie]:
    """The visitor, who has an identity from now on, and the cookie to answer with, which contains a new secret if the
    browser had none, and lasts a year from now."""
    secret = secret_of(connection.cookies) or secrets.token_urlsafe(24)
    cookie = Cookie(
        COOKIE, value=secret, path="/", max_age=A_YEAR, httponly=True, samesite="lax", secure=is_safe(connection)
    )
    known = visitor_of(connection)
    return (known if known.identity else replace(known, identity=device_of({COOKIE: secret}))), cookie


def is_safe(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Whether the connection is encrypted, so that a cookie set now can be marked as secure."""
    return connection.url.scheme in ("https", "wss") or bool(connection.app.state.behind_tls)
