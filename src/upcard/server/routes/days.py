"""The deal of the day over HTTP, a route for each method of the house; see docs/protocol.md."""

from __future__ import annotations

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from upcard.house.bodies import PlayToday, TodaysDeal
from upcard.house.house import House
from upcard.server.routes.failures import AnyRequest
from upcard.server.visitor import identified, visitor_of
from upcard.table.messages import TableView


@get("/api/today")
async def show_today(request: AnyRequest, house: NamedDependency[House]) -> TodaysDeal:
    """The deal of the day, with everybody's results once yours is there."""
    return await house.today(visitor_of(request))


@post("/api/today", status_code=200)
async def play_today(
    request: AnyRequest, house: NamedDependency[House], data: JSONBody[PlayToday]
) -> Response[TableView]:
    """Your table of the deal of the day, opened if there is none yet."""
    visitor, cookie = identified(request)
    return Response(await house.play_today(visitor, data), cookies=[cookie])


HANDLERS = [show_today, play_today]
