"""Tables over HTTP and WebSocket; see docs/protocol.md."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from collections.abc import Iterator
from typing import Any

from litestar import Response, WebSocket, delete, get, post, websocket
from litestar.connection import ASGIConnection
from litestar.connection.base import empty_receive, empty_send
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException, WebSocketDisconnect
from litestar.params import FromPath, FromQuery, JSONBody

from upcard.server.bodies import LinkedSeat, NewTable, Redeem, SeatLink, Statistic
from upcard.server.failures import AnyRequest
from upcard.server.limits import Doorkeeper, client_of
from upcard.server.live import REFUSED, Tables, close_reason, is_id
from upcard.server.thinking import Thinkers
from upcard.server.visitor import identified, visitor_identity
from upcard.table.actions import AnyAction, Rematch
from upcard.table.errors import Refusal, WrongSecret
from upcard.table.messages import TableView
from upcard.table.table import Table


@get("/api/tables")
async def list_tables(
    request: AnyRequest, tables: NamedDependency[Tables], before: FromQuery[float | None] = None
) -> list[TableView]:
    """The tables at which this browser sits."""
    identity = visitor_identity(request.cookies)
    return await tables.of(identity, before) if identity else []


@get("/api/statistics")
async def show_statistics(request: AnyRequest, tables: NamedDependency[Tables]) -> list[Statistic]:
    """Wins and losses in the finished matches of this browser."""
    identity = visitor_identity(request.cookies)
    return await tables.statistics(identity, client_of(request.scope)) if identity else []


@get("/api/lobby")
async def show_lobby(request: AnyRequest, tables: NamedDependency[Tables]) -> list[TableView]:
    """The tables that are publicly listed."""
    return await tables.listed(visitor_identity(request.cookies))


@post("/api/tables")
async def open_table(
    request: AnyRequest,
    tables: NamedDependency[Tables],
    thinkers: NamedDependency[Thinkers],
    doorkeeper: NamedDependency[Doorkeeper],
    data: JSONBody[NewTable],
) -> Response[TableView]:
    """Open a new table."""
    identity, cookie = identified(request)
    doorkeeper.table(client_of(request.scope))
    table = await tables.open(data, identity)
    summary = table.summary(identity)
    if summary.practice and summary.settings.clock is None:
        thinkers.expect(table.match.setup)
    return Response(summary, status_code=201, cookies=[cookie])


@get("/api/tables/{table_id:str}")
async def show_table(
    request: AnyRequest, tables: NamedDependency[Tables], table_id: FromPath[str]
) -> Response[TableView]:
    """One table. Sets the identity cookie, so that the WebSocket opened next can already take a seat."""
    table = await table_with_id(tables, table_id, request)
    identity, cookie = identified(request)
    return Response(table.summary(identity), cookies=[cookie])


@post("/api/tables/{table_id:str}/actions", status_code=200)
async def act(
    request: AnyRequest,
    tables: NamedDependency[Tables],
    doorkeeper: NamedDependency[Doorkeeper],
    table_id: FromPath[str],
    data: JSONBody[AnyAction],
) -> Response[TableView]:
    """Perform an action at a table."""
    table = await table_with_id(tables, table_id, request)
    identity, cookie = identified(request)
    if isinstance(data, Rematch):
        await tables.follow_up(table, identity, data.pledge)
    else:
        with _guesses_counted(doorkeeper, request):
            await table.ask(identity, data)
    return Response(table.summary(identity), cookies=[cookie])


@post("/api/tables/{table_id:str}/link", status_code=200)
async def link_seat(request: AnyRequest, tables: NamedDependency[Tables], table_id: FromPath[str]) -> SeatLink:
    """Make a single-use link that moves your seat to another device; any earlier link stops working."""
    table = await table_with_id(tables, table_id, request)
    secret = secrets.token_urlsafe(24)
    await table.link(visitor_identity(request.cookies), _digest(secret))
    return SeatLink(secret)


@delete("/api/tables/{table_id:str}/link", status_code=204)
async def unlink_seat(request: AnyRequest, tables: NamedDependency[Tables], table_id: FromPath[str]) -> None:
    """Revoke that link."""
    table = await table_with_id(tables, table_id, request)
    await table.link(visitor_identity(request.cookies), "")


@post("/api/tables/{table_id:str}/linked", status_code=200)
async def show_linked_seat(
    request: AnyRequest,
    tables: NamedDependency[Tables],
    doorkeeper: NamedDependency[Doorkeeper],
    table_id: FromPath[str],
    data: JSONBody[Redeem],
) -> LinkedSeat:
    """The seat that a link would move to this device."""
    table = await table_with_id(tables, table_id, request)
    with _guesses_counted(doorkeeper, request):
        return LinkedSeat(table.linked(_digest(data.secret)))


@post("/api/tables/{table_id:str}/redeem", status_code=200)
async def redeem_seat(
    request: AnyRequest,
    tables: NamedDependency[Tables],
    doorkeeper: NamedDependency[Doorkeeper],
    table_id: FromPath[str],
    data: JSONBody[Redeem],
) -> Response[TableView]:
    """Move the seat of a link to this device."""
    table = await table_with_id(tables, table_id, request)
    identity, cookie = identified(request)
    with _guesses_counted(doorkeeper, request):
        await table.redeem(identity, _digest(data.secret))
    return Response(table.summary(identity), cookies=[cookie])


@contextlib.contextmanager
def _guesses_counted(doorkeeper: Doorkeeper, request: AnyRequest) -> Iterator[None]:
    """Count a wrong guess if a link turns out to be wrong."""
    try:
        yield
    except WrongSecret:
        doorkeeper.wrong_guess(client_of(request.scope))
        raise


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


async def table_with_id(tables: Tables, table_id: str, connection: ASGIConnection[Any, Any, Any, Any]) -> Table:
    """Return the table with this id. Loading it is charged to the requester. Raises NotFoundException, Refusal."""
    requester = client_of(connection.scope), visitor_identity(connection.cookies)
    table = await tables.get(table_id, *requester) if is_id(table_id) else None
    if table is None:
        raise NotFoundException("There is no such table here: its link may be incomplete, or the table was deleted")
    return table


@websocket("/api/tables/{table_id:str}/play")
async def table_socket(
    socket: WebSocket[Any, Any, Any],
    tables: NamedDependency[Tables],
    doorkeeper: NamedDependency[Doorkeeper],
    table_id: FromPath[str],
) -> None:
    """The WebSocket between one browser window and a table."""
    identity, cookie = identified(socket)
    opened = {"set-cookie": cookie.to_header(header="")}
    try:
        table = await table_with_id(tables, table_id, socket)
        table.admit(identity)
    except NotFoundException as missing:
        doorkeeper.wrong_guess(client_of(socket.scope))
        await socket.close(REFUSED, missing.detail)
        return
    except Refusal as refusal:  # pages can read the reason of a close, but not that of a refused handshake
        await socket.accept(headers=opened)
        await socket.close(REFUSED, close_reason(str(refusal)))
        return
    await socket.accept(headers=opened)
    try:
        await tables.connect(socket, table, identity)
    except (WebSocketDisconnect, OSError):
        return
    except Refusal as refusal:  # the last place may have been taken meanwhile
        await socket.close(REFUSED, close_reason(str(refusal)))
    finally:
        socket.receive, socket.send = empty_receive, empty_send  # they refer back to it


HANDLERS = [
    list_tables,
    show_statistics,
    show_lobby,
    open_table,
    show_table,
    act,
    link_seat,
    unlink_seat,
    show_linked_seat,
    redeem_seat,
    table_socket,
]
