"""The web application: docs/protocol.md over HTTP and WebSocket."""

from __future__ import annotations

import hashlib
import logging
import re
import secrets
import traceback
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Response, WebSocket, get, post, websocket
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException, NotFoundException, ValidationException, WebSocketDisconnect
from litestar.params import FromPath, JSONBody
from litestar.types import ASGIApp

from upcard import games
from upcard.engine.errors import BadRecord
from upcard.players import LEVELS
from upcard.rules.game import Game
from upcard.rules.options import Option
from upcard.server.guard import Guard
from upcard.server.live import Line, Tables
from upcard.server.messages import Fill, NewTable, Sit
from upcard.server.pages import NOT_BUILT, Asset, built_page
from upcard.server.rules import learn_page, rules_page
from upcard.server.storage import Store
from upcard.server.thinking import Thinkers
from upcard.table.table import Forbidden, NotWritten, Refusal, Table, Taken, Unacceptable

COOKIE = "upcard"
A_YEAR = 365 * 24 * 3600
MOST_POSTED = 64 * 1024

log = logging.getLogger("upcard.server")
Asked = Request[Any, Any, Any]
Answer = Response[dict[str, Any]]

# ----------------------------------------------------------------------------------------------------------- identity


def secret_of(cookies: Mapping[str, str]) -> str | None:
    """The secret that a browser has been given, if it has one."""
    secret = cookies.get(COOKIE, "")
    return secret if re.fullmatch(r"[\w-]{32}", secret, re.ASCII) else None


def identity_of(cookies: Mapping[str, str]) -> str | None:
    """Who somebody is: known from the secret, which itself is kept nowhere."""
    secret = secret_of(cookies)
    return hashlib.sha256(secret.encode()).hexdigest() if secret else None


def _identified(asked: ASGIConnection[Any, Any, Any, Any]) -> tuple[str, list[Cookie]]:
    """Who asks; the cookie gives a secret to who has none and lasts a year from now."""
    secret = secret_of(asked.cookies) or secrets.token_urlsafe(24)
    safe = asked.url.scheme in ("https", "wss")
    cookie = Cookie(COOKIE, value=secret, path="/", max_age=A_YEAR, httponly=True, samesite="lax", secure=safe)
    return identity_of({COOKIE: secret}) or "", [cookie]


# -------------------------------------------------------------------------------------------------------------- games


@get("/api/games", sync_to_thread=False)
def list_games() -> list[dict[str, Any]]:
    """What can be played here."""
    return [_game(games.load(slug)) for slug in games.names()]


def _game(game: Game[Any]) -> dict[str, Any]:
    return {
        "slug": game.slug,
        "title": game.title,
        "family": game.family,
        "players": list(game.players),
        "default_players": game.default_players,
        "summary": game.summary,
        "length": game.length,
        "short": None if game.short is None else dict(game.short),
        "options": [_option(game, name, option) for name, option in game.options.options.items()],
    }


def _option(game: Game[Any], name: str, option: Option) -> dict[str, Any]:
    usual = _bounds(option, game.default_players)
    other = {str(players): _bounds(option, players) for players in game.players}
    other = {players: bounds for players, bounds in other.items() if bounds != usual}
    told = {
        "name": name,
        "kind": option.kind,
        **usual,
        "values": list(option.values) or None,
        "help": option.help,
        "clause": option.clause,
    }
    return told | ({"by_players": other} if other else {})


def _bounds(option: Option, players: int) -> dict[str, Any]:
    low, high = option.bounds(players) if option.kind in ("whole", "digits") else (None, None)
    return {"default": option.default_for(players), "low": low, "high": high}


@get("/api/games/{slug:str}/rules", sync_to_thread=False)
def show_rules(slug: FromPath[str]) -> dict[str, Any]:
    """A page of the rulebook."""
    if slug not in games.names():
        raise NotFoundException("There is no such game")
    return rules_page(slug)


@get("/api/games/{slug:str}/learn", sync_to_thread=False)
def show_learn(slug: FromPath[str]) -> dict[str, Any]:
    """A game in two minutes."""
    if slug not in games.names():
        raise NotFoundException("There is no such game")
    return learn_page(slug)


@get("/api/levels", sync_to_thread=False)
def list_levels() -> list[dict[str, str]]:
    """The computer players to choose from."""
    return [{"name": name, "title": kind.title, "help": kind.help} for name, kind in LEVELS.items()]


# ------------------------------------------------------------------------------------------------------------- tables


@get("/api/tables")
async def list_tables(request: Asked, tables: NamedDependency[Tables]) -> list[dict[str, Any]]:
    """The tables at which this browser sits."""
    identity = identity_of(request.cookies)
    return await tables.of(identity) if identity else []


@post("/api/tables")
async def open_table(request: Asked, tables: NamedDependency[Tables], data: JSONBody[NewTable]) -> Answer:
    """Make a table."""
    identity, cookies = _identified(request)
    table = await tables.open(data, identity)
    return Response(table.summary(identity), status_code=201, cookies=cookies)


@get("/api/tables/{table_id:str}")
async def show_table(request: Asked, tables: NamedDependency[Tables], table_id: FromPath[str]) -> Answer:
    """One table. Whoever comes to a table is known from here on, so that the line they open now can take a seat."""
    table = await _found(tables, table_id)
    identity, cookies = _identified(request)
    return Response(table.summary(identity), cookies=cookies)


@post("/api/tables/{table_id:str}/sit", status_code=200)
async def sit_down(
    request: Asked, tables: NamedDependency[Tables], table_id: FromPath[str], data: JSONBody[Sit]
) -> Answer:
    """Take a seat."""
    table = await _found(tables, table_id)
    identity, cookies = _identified(request)
    await table.sit(identity, data.name, data.seat)
    return Response(table.summary(identity), cookies=cookies)


@post("/api/tables/{table_id:str}/fill", status_code=200)
async def fill_seat(
    request: Asked, tables: NamedDependency[Tables], table_id: FromPath[str], data: JSONBody[Fill]
) -> dict[str, Any]:
    """Let a computer player take a seat."""
    table = await _found(tables, table_id)
    identity = identity_of(request.cookies)
    await table.fill(identity, data.seat, data.level)
    return table.summary(identity)


async def _found(tables: Tables, table_id: str) -> Table:
    table = await tables.get(table_id)
    if table is None:
        raise NotFoundException("There is no such table")
    return table


@websocket("/api/tables/{table_id:str}/play")
async def play(socket: WebSocket[Any, Any, Any], tables: NamedDependency[Tables], table_id: FromPath[str]) -> None:
    """The line between one browser window and a table."""
    table = await tables.get(table_id)
    if table is None:
        await socket.close(1008)
        return
    identity, (cookie,) = _identified(socket)
    await socket.accept(headers={"set-cookie": cookie.to_header(header="")})
    try:
        await Line(socket, table, identity).talk()
    except (WebSocketDisconnect, OSError):
        return


# -------------------------------------------------------------------------------------------------------- page, errors


@get(["/", "/{path:path}"], sync_to_thread=False)
def show_page(request: Asked, assets: NamedDependency[dict[str, Asset]]) -> Response[bytes]:
    """The page and its pictures; the lobby and every table are the same page."""
    wanted = request.url.path.strip("/")
    is_page = wanted in ("", "index.html") or wanted.startswith("t/")
    asset = assets.get("index.html" if is_page else wanted)
    if asset is None and is_page:
        return Response(NOT_BUILT.encode(), status_code=503, media_type="text/plain; charset=utf-8")
    if asset is None:
        raise NotFoundException("There is no such page")
    lasting = "public, max-age=31536000, immutable" if asset.lasting else "no-cache"
    headers = {"etag": asset.etag, "cache-control": lasting, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == asset.etag:
        return Response(b"", status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(asset.content, media_type=asset.media_type, headers=headers)
    return Response(asset.zipped, media_type=asset.media_type, headers=headers | {"content-encoding": "gzip"})


def _failed(status: int, message: str, clause: str | None = None) -> Answer:
    return Response({"error": message, "clause": clause}, status_code=status)


def _refused(_request: Asked, error: Refusal) -> Answer:
    status = {Unacceptable: 422, Forbidden: 403, Taken: 409, NotWritten: 503}.get(type(error), 409)
    return _failed(status, str(error), error.clause)


def _bad_table(_request: Asked, error: BadRecord) -> Answer:
    return _failed(422, error.reason, error.clause)


def _http_error(_request: Asked, error: HTTPException) -> Answer:
    if not isinstance(error, ValidationException):
        return _failed(error.status_code, error.detail)
    extra = error.extra if isinstance(error.extra, list) else []
    faults = [f"{one['key']}: {one['message']}" if one.get("key") else str(one.get("message")) for one in extra]
    return _failed(422, "; ".join(faults) or error.detail)


def _too_deep(_request: Asked, _error: RecursionError) -> Answer:
    return _failed(422, "This is nested too deeply")


def _bug(request: Asked, error: Exception) -> Answer:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    log.error("%s: %r at %s:%s", request.url.path, error, frame.filename, frame.lineno)
    return _failed(500, "Something went wrong here; nothing was changed")


# ---------------------------------------------------------------------------------------------------------------- app


def create_app(url: str) -> ASGIApp:
    """The application over the database at this URL. Raises SQLAlchemyError if that cannot be opened."""
    store = Store(url)
    thinkers = Thinkers()
    tables = Tables(store, thinkers)
    page = built_page()

    @asynccontextmanager
    async def alive(_app: Litestar) -> AsyncIterator[None]:
        try:
            yield
        finally:
            thinkers.close()
            store.close()

    return Guard(
        Litestar(
            [
                list_games,
                show_rules,
                show_learn,
                list_levels,
                list_tables,
                open_table,
                show_table,
                sit_down,
                fill_seat,
                play,
                show_page,
            ],
            dependencies={
                "tables": Provide(lambda: tables, sync_to_thread=False, use_cache=True),
                "assets": Provide(lambda: page, sync_to_thread=False, use_cache=True),
            },
            exception_handlers={
                Refusal: _refused,
                BadRecord: _bad_table,
                HTTPException: _http_error,
                RecursionError: _too_deep,
                Exception: _bug,
            },
            lifespan=[alive],
            request_max_body_size=MOST_POSTED,
            openapi_config=None,
            logging_config=None,
        )
    )
