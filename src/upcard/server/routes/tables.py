"""Tables over HTTP and WebSocket, a route for each method of the house; see docs/protocol.md."""

from __future__ import annotations

from typing import Any

from litestar import Response, WebSocket, delete, get, post, websocket
from litestar.connection.base import empty_receive, empty_send
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, FromQuery, JSONBody

from upcard.house.bodies import GettingReady, LinkedSeat, NewFork, NewTable, Redeem, Replay, Review, SeatLink, Statistic
from upcard.house.house import House
from upcard.house.statuses import NotHere
from upcard.server.limits import Doorkeeper
from upcard.server.live import REFUSED, LiveTables, close_reason
from upcard.server.routes.failures import AnyRequest
from upcard.server.visitor import COOKIE, device_of, identified, visitor_of
from upcard.table.actions import AnyAction
from upcard.table.advising import Hint
from upcard.table.errors import Refusal
from upcard.table.messages import TableView

LONGEST_RECORD = 1_000_000
"""The largest match record that can be opened, in bytes."""

# ------------------------------------------------------------------------------------------------------------- tables


@get("/api/tables")
async def list_tables(
    request: AnyRequest, house: NamedDependency[House], before: FromQuery[float | None] = None
) -> list[TableView]:
    """The tables at which this browser sits."""
    return await house.mine(visitor_of(request), before)


@get("/api/statistics")
async def show_statistics(request: AnyRequest, house: NamedDependency[House]) -> list[Statistic]:
    """Wins and losses in the finished matches of this browser."""
    return await house.statistics(visitor_of(request))


@get("/api/lobby")
async def show_lobby(request: AnyRequest, house: NamedDependency[House]) -> list[TableView]:
    """The tables that are publicly listed."""
    return await house.listed(visitor_of(request))


@post("/api/tables")
async def open_table(
    request: AnyRequest, house: NamedDependency[House], data: JSONBody[NewTable]
) -> Response[TableView]:
    """Open a new table."""
    visitor, cookie = identified(request)
    return Response(await house.open(visitor, data), status_code=201, cookies=[cookie])


@get("/api/tables/{table_id:str}")
async def show_table(
    request: AnyRequest, house: NamedDependency[House], table_id: FromPath[str]
) -> Response[TableView]:
    """One table. Sets the identity cookie, so that the WebSocket opened next can already take a seat."""
    visitor, cookie = identified(request)
    return Response(await house.show(visitor, table_id), cookies=[cookie])


@post("/api/tables/{table_id:str}/actions", status_code=200)
async def act(
    request: AnyRequest, house: NamedDependency[House], table_id: FromPath[str], data: JSONBody[AnyAction]
) -> Response[TableView]:
    """Perform an action at a table."""
    visitor, cookie = identified(request)
    return Response(await house.act(visitor, table_id, data), cookies=[cookie])


@post("/api/tables/{table_id:str}/link", status_code=200)
async def link_seat(request: AnyRequest, house: NamedDependency[House], table_id: FromPath[str]) -> SeatLink:
    """Make a single-use link that moves your seat to another device; any earlier link stops working."""
    return await house.link(visitor_of(request), table_id)


@delete("/api/tables/{table_id:str}/link", status_code=204)
async def unlink_seat(request: AnyRequest, house: NamedDependency[House], table_id: FromPath[str]) -> None:
    """Revoke that link."""
    await house.unlink(visitor_of(request), table_id)


@post("/api/tables/{table_id:str}/linked", status_code=200)
async def show_linked_seat(
    request: AnyRequest, house: NamedDependency[House], table_id: FromPath[str], data: JSONBody[Redeem]
) -> LinkedSeat:
    """The seat that a link would move to this device."""
    return await house.linked(visitor_of(request), table_id, data.secret)


@post("/api/tables/{table_id:str}/redeem", status_code=200)
async def redeem_seat(
    request: AnyRequest, house: NamedDependency[House], table_id: FromPath[str], data: JSONBody[Redeem]
) -> Response[TableView]:
    """Move the seat of a link to this device."""
    visitor, cookie = identified(request)
    return Response(await house.redeem(visitor, table_id, data.secret), cookies=[cookie])


@websocket("/api/tables/{table_id:str}/play")
async def table_socket(
    socket: WebSocket[Any, Any, Any],
    house: NamedDependency[House],
    tables: NamedDependency[LiveTables],
    doorkeeper: NamedDependency[Doorkeeper],
    table_id: FromPath[str],
) -> None:
    """The WebSocket between one browser window and a table."""
    visitor, cookie = identified(socket)
    opened = {"set-cookie": cookie.to_header(header="")}
    try:
        table = await house.table(visitor, table_id)
        table.admit(visitor.identity)
    except NotHere as missing:
        doorkeeper.wrong_guess(visitor.address)
        await socket.close(REFUSED, close_reason(missing.sentence))
        return
    except Refusal as refusal:  # pages can read the reason of a close, but not that of a refused handshake
        await socket.accept(headers=opened)
        await socket.close(REFUSED, close_reason(refusal.sentence))
        return
    await socket.accept(headers=opened)
    try:
        await tables.connect(socket, table, visitor.person, device_of({COOKIE: cookie.value or ""}))
    except (WebSocketDisconnect, OSError):
        return
    except Refusal as refusal:  # the last place may have been taken meanwhile
        await socket.close(REFUSED, close_reason(refusal.sentence))
    finally:
        socket.receive, socket.send = empty_receive, empty_send  # they refer back to it


# --------------------------------------------------------------------------------------------------- finished matches


@get("/api/tables/{table_id:str}/score")
async def show_score(request: AnyRequest, house: NamedDependency[House], table_id: FromPath[str]) -> Response[bytes]:
    """The scores of the finished deals, which are public."""
    return Response(await house.score(visitor_of(request), table_id), media_type="application/json")


@get("/api/tables/{table_id:str}/replay")
async def show_replay(
    request: AnyRequest,
    house: NamedDependency[House],
    table_id: FromPath[str],
    deal: FromQuery[int] = 1,
    seat: FromQuery[str | None] = None,
) -> Replay:
    """One deal of a finished match, or a finished deal of a match that a person plays alone."""
    return await house.replay(visitor_of(request), table_id, deal, seat)


@get("/api/tables/{table_id:str}/record")
async def show_record(request: AnyRequest, house: NamedDependency[House], table_id: FromPath[str]) -> Response[bytes]:
    """The match record of a finished match, as a file."""
    name, record = await house.record(visitor_of(request), table_id)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(record, media_type="application/json", headers=headers)


@post("/api/records", request_max_body_size=LONGEST_RECORD)
async def bring_record(request: AnyRequest, house: NamedDependency[House]) -> Response[TableView]:
    """Open a match record as a finished table."""
    visitor, cookie = identified(request)
    return Response(await house.open_record(visitor, await request.body()), status_code=201, cookies=[cookie])


@post("/api/tables/{table_id:str}/fork")
async def fork(
    request: AnyRequest, house: NamedDependency[House], table_id: FromPath[str], data: JSONBody[NewFork]
) -> Response[TableView]:
    """Open a new table that plays on from the middle of a finished match, against computer players."""
    visitor, cookie = identified(request)
    return Response(await house.fork(visitor, table_id, data), status_code=201, cookies=[cookie])


# ------------------------------------------------------------------------------------------------------------- advice


@post("/api/tables/{table_id:str}/hint", status_code=200)
async def give_hint(
    request: AnyRequest, house: NamedDependency[House], table_id: FromPath[str]
) -> Response[Hint | GettingReady]:
    """A hint on the current decision; 202 while it is not ready."""
    hint = await house.hint(visitor_of(request), table_id)
    return Response(hint, status_code=202 if isinstance(hint, GettingReady) else 200)


@post("/api/tables/{table_id:str}/review", status_code=200)
async def review_match(
    request: AnyRequest, house: NamedDependency[House], table_id: FromPath[str], seat: FromQuery[int | None] = None
) -> Review:
    """How good your decisions in a finished match were. The first request starts the review; each returns the results
    so far."""
    return await house.review(visitor_of(request), table_id, seat)


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
    show_score,
    show_replay,
    show_record,
    bring_record,
    fork,
    give_hint,
    review_match,
]
