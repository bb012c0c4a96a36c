"""Rooms over HTTP and WebSocket, a route for each method of `Rooms`; see docs/protocol.md."""

from __future__ import annotations

from typing import Any

from litestar import Response, WebSocket, get, post, websocket
from litestar.connection.base import empty_receive, empty_send
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, JSONBody

from upcard.house.house import House
from upcard.house.room_bodies import AnyRoomAction, NewRoom, NextMatch, RoomInfo, RoomView
from upcard.house.statuses import NotHere
from upcard.server.limits import Doorkeeper
from upcard.server.live import REFUSED, close_reason
from upcard.server.live_rooms import LiveRooms
from upcard.server.routes.failures import AnyRequest
from upcard.server.visitor import COOKIE, device_of, identified, visitor_of
from upcard.table.errors import Refusal
from upcard.table.messages import TableView


@get("/api/rooms")
async def list_rooms(request: AnyRequest, house: NamedDependency[House]) -> list[RoomInfo]:
    """The rooms to which this browser belongs."""
    return await house.rooms.mine(visitor_of(request))


@post("/api/rooms")
async def open_room(request: AnyRequest, house: NamedDependency[House], data: JSONBody[NewRoom]) -> Response[RoomView]:
    """Open a room."""
    visitor, cookie = identified(request)
    return Response(await house.rooms.open(visitor, data), status_code=201, cookies=[cookie])


@get("/api/rooms/{room_id:str}")
async def show_room(request: AnyRequest, house: NamedDependency[House], room_id: FromPath[str]) -> RoomView:
    """One room."""
    return await house.rooms.show(visitor_of(request), room_id)


@post("/api/rooms/{room_id:str}/actions", status_code=200)
async def act_in_room(
    request: AnyRequest, house: NamedDependency[House], room_id: FromPath[str], data: JSONBody[AnyRoomAction]
) -> Response[RoomView]:
    """Perform an action in a room."""
    visitor, cookie = identified(request)
    return Response(await house.rooms.act(visitor, room_id, data), cookies=[cookie])


@post("/api/rooms/{room_id:str}/tables")
async def open_next_table(
    request: AnyRequest, house: NamedDependency[House], room_id: FromPath[str], data: JSONBody[NextMatch]
) -> Response[TableView]:
    """Open the table of the next match in a room."""
    visitor, cookie = identified(request)
    return Response(await house.rooms.play(visitor, room_id, data), status_code=201, cookies=[cookie])


@websocket("/api/rooms/{room_id:str}/live")
async def room_socket(
    socket: WebSocket[Any, Any, Any],
    rooms: NamedDependency[LiveRooms],
    doorkeeper: NamedDependency[Doorkeeper],
    room_id: FromPath[str],
) -> None:
    """The WebSocket between one browser window and a room."""
    visitor, cookie = identified(socket)
    await socket.accept(headers={"set-cookie": cookie.to_header(header="")})
    try:
        await rooms.connect(socket, room_id, visitor.person, device_of({COOKIE: cookie.value or ""}))
    except (WebSocketDisconnect, OSError):
        return
    except Refusal as refusal:
        if isinstance(refusal, NotHere):
            doorkeeper.wrong_guess(visitor.address)
        await socket.close(REFUSED, close_reason(refusal.sentence))
    finally:
        socket.receive, socket.send = empty_receive, empty_send  # they refer back to it


HANDLERS = [list_rooms, open_room, show_room, act_in_room, open_next_table, room_socket]
