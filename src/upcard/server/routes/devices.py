"""A person's devices over HTTP and WebSocket, a route for each method of `Devices`; see docs/protocol.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar import Response, WebSocket, delete, get, post, websocket
from litestar.connection.base import empty_receive, empty_send
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, JSONBody

from upcard.house.device_bodies import (
    DeviceInfo,
    DeviceLink,
    JoinDevice,
    JoinedPerson,
    LinkedPerson,
    LinkSecret,
    NewDeviceLink,
)
from upcard.house.services import guesses_counted
from upcard.server.devices import Devices, browser_name
from upcard.server.live import REFUSED, close_reason
from upcard.server.routes.failures import AnyRequest
from upcard.server.visitor import COOKIE, device_of, identified, visitor_of
from upcard.table.errors import Refusal

if TYPE_CHECKING:
    from upcard.server.app import Application


@get("/api/devices")
async def list_devices(request: AnyRequest, devices: NamedDependency[Devices]) -> list[DeviceInfo]:
    """The devices of the person whose device this browser is; none if it is nobody's yet."""
    visitor, device = visitor_of(request), device_of(request.cookies)
    return await devices.mine(visitor.person, device, _name(request)) if device is not None else []


@post("/api/devices/link", status_code=200)
async def link_person(
    request: AnyRequest, devices: NamedDependency[Devices], data: JSONBody[NewDeviceLink]
) -> Response[DeviceLink]:
    """Make a single-use link that makes another browser one of your devices; any earlier one ends."""
    visitor, cookie = identified(request)
    device = device_of({COOKIE: cookie.value or ""}) or ""
    link = await devices.link(visitor.person, device, _name(request), data.settings)
    return Response(link, cookies=[cookie])


@delete("/api/devices/link", status_code=204)
async def unlink_person(request: AnyRequest, devices: NamedDependency[Devices]) -> None:
    """End that link."""
    await devices.unlink(visitor_of(request).person)


@post("/api/devices/linked", status_code=200)
async def show_linked_person(
    request: AnyRequest,
    application: NamedDependency[Application],
    devices: NamedDependency[Devices],
    data: JSONBody[LinkSecret],
) -> LinkedPerson:
    """The person whose device this browser would become by a link, and what becomes of the one that it is."""
    visitor = visitor_of(request)
    application.doorkeeper.check_guesses(visitor.address)
    with guesses_counted(application.doorkeeper, visitor):
        return await devices.linked(device_of(request.cookies) or "", data.secret)


@post("/api/devices/join", status_code=200)
async def join_person(
    request: AnyRequest,
    application: NamedDependency[Application],
    devices: NamedDependency[Devices],
    data: JSONBody[JoinDevice],
) -> Response[JoinedPerson]:
    """Make this browser a device of the person who made a link."""
    visitor, cookie = identified(request)
    device = device_of({COOKIE: cookie.value or ""}) or ""
    application.doorkeeper.check_guesses(visitor.address)
    if data.bring:  # which may rewrite many seats
        application.doorkeeper.table(visitor.address)
    with guesses_counted(application.doorkeeper, visitor):
        settings = await devices.join(device, _name(request), data.secret, bring=data.bring)
    return Response(JoinedPerson(settings), cookies=[cookie])


@delete("/api/devices/{device_id:str}", status_code=204)
async def remove_one_device(request: AnyRequest, devices: NamedDependency[Devices], device_id: FromPath[str]) -> None:
    """Remove one of your devices, which is signed out at once."""
    await devices.remove(visitor_of(request).person, device_of(request.cookies) or "", device_id)


@websocket("/api/devices/news")
async def device_socket(socket: WebSocket[Any, Any, Any], devices: NamedDependency[Devices]) -> None:
    """The WebSocket over which a window hears of changes of its person's devices."""
    visitor, device = visitor_of(socket), device_of(socket.cookies)
    await socket.accept()
    try:
        if visitor.identity is None or device is None:
            await socket.close(1000, "no other device")
        else:
            await devices.tell(socket, visitor.identity, device)
    except (WebSocketDisconnect, OSError):
        return
    except Refusal as refusal:
        await socket.close(REFUSED, close_reason(refusal.sentence))
    finally:
        socket.receive, socket.send = empty_receive, empty_send  # they refer back to it


def _name(request: AnyRequest) -> str:
    return browser_name(request.headers.get("user-agent", ""))


HANDLERS = [
    list_devices,
    link_person,
    unlink_person,
    show_linked_person,
    join_person,
    remove_one_device,
    device_socket,
]
