"""Who asks: a secret that a browser keeps in a cookie. No account is needed, and the secret itself is kept nowhere."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

COOKIE = "upcard"
A_YEAR = 365 * 24 * 3600


def secret_of(cookies: Mapping[str, str]) -> str | None:
    """The secret that a browser has been given, if it has one."""
    secret = cookies.get(COOKIE, "")
    return secret if re.fullmatch(r"[\w-]{32}", secret, re.ASCII) else None


def identity_of(cookies: Mapping[str, str]) -> str | None:
    """Who somebody is: known from the secret."""
    secret = secret_of(cookies)
    return hashlib.sha256(secret.encode()).hexdigest() if secret else None


def identified(asked: ASGIConnection[Any, Any, Any, Any]) -> tuple[str, Cookie]:
    """Who asks; the cookie gives a secret to whoever has none and lasts a year from now."""
    secret = secret_of(asked.cookies) or secrets.token_urlsafe(24)
    cookie = Cookie(
        COOKIE, value=secret, path="/", max_age=A_YEAR, httponly=True, samesite="lax", secure=is_safe(asked)
    )
    return identity_of({COOKIE: secret}) or "", cookie


def is_safe(asked: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Whether nobody can read on the way: a cookie that is given now need never go over plain HTTP."""
    return asked.url.scheme in ("https", "wss") or bool(asked.app.state.behind_tls)
