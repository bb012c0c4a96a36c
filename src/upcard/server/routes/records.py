"""Finished matches over HTTP: replay them, save and open records, play on from the middle."""

from __future__ import annotations

import time

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import ClientException
from litestar.params import FromPath, FromQuery, JSONBody

from upcard.server.bodies import NewFork, Replay
from upcard.server.failures import AnyRequest
from upcard.server.limits import Doorkeeper, client_of
from upcard.server.live import Tables
from upcard.server.replays import Replays, finished_deals, read_record
from upcard.server.routes.tables import table_with_id
from upcard.server.visitor import identified, visitor_identity
from upcard.table.errors import Refusal, Unacceptable
from upcard.table.messages import TableView
from upcard.table.scene import Viewpoint
from upcard.table.seats import seat_of
from upcard.table.table import Table
from upcard.table.workers import Requester, WorkerPool

LONGEST_RECORD = 1_000_000
"""The largest match record that can be opened, in bytes."""
IN_PLAY = "The match is still in play: it can be watched again when it is over"


@get("/api/tables/{table_id:str}/score")
async def show_score(
    request: AnyRequest,
    tables: NamedDependency[Tables],
    replays: NamedDependency[Replays],
    table_id: FromPath[str],
) -> Response[bytes]:
    """The scores of the finished deals, which are public."""
    table = await table_with_id(tables, table_id, request)
    return Response(await replays.score_sheet(table, _requester(request, table)), media_type="application/json")


@get("/api/tables/{table_id:str}/replay")
async def show_replay(
    request: AnyRequest,
    tables: NamedDependency[Tables],
    replays: NamedDependency[Replays],
    table_id: FromPath[str],
    deal: FromQuery[int] = 1,
    seat: FromQuery[str | None] = None,
) -> Replay:
    """One deal of a finished match; a person alone with computer players may also see the finished deals of a match
    that is still in play."""
    table = await table_with_id(tables, table_id, request)
    summary = table.summary(visitor_identity(request.cookies))
    alone = summary.practice and summary.you is not None
    if not table.is_over and not (alone and 0 < deal <= finished_deals(table.match)):
        raise Refusal(IN_PLAY)
    return await replays.replay(table, deal, _viewpoint(seat), summary, _requester(request, table))


def _requester(request: AnyRequest, table: Table) -> Requester:
    return Requester(client_of(request.scope), seat_of(table.places, visitor_identity(request.cookies)) is not None)


def _viewpoint(seat: str | None) -> Viewpoint:
    if seat is None or seat == "all":
        return seat  # type: ignore[return-value]
    if not (seat.isascii() and seat.isdigit() and len(seat) < 3):
        raise Unacceptable(f"There is no seat {seat[:10]!r}")
    return int(seat)


@get("/api/tables/{table_id:str}/record")
async def show_record(
    request: AnyRequest,
    tables: NamedDependency[Tables],
    doorkeeper: NamedDependency[Doorkeeper],
    table_id: FromPath[str],
) -> Response[bytes]:
    """The match record of a finished match, as a file. It is encoded here, as sending it to another process would take
    as long, but the time is charged all the same."""
    table = await _finished(tables, table_id, request)
    requester, began = _requester(request, table), time.thread_time()
    doorkeeper.begin_work(requester.address, seated=requester.seated)
    record = msgspec.json.encode(table.record())
    doorkeeper.end_work(requester.address, time.thread_time() - began)
    name = f"{table.plan.game}-{table.plan.id}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(record, media_type="application/json", headers=headers)


@post("/api/records", request_max_body_size=LONGEST_RECORD)
async def bring_record(
    request: AnyRequest,
    tables: NamedDependency[Tables],
    doorkeeper: NamedDependency[Doorkeeper],
    workers: NamedDependency[WorkerPool],
) -> Response[TableView]:
    """Open a match record as a finished table."""
    identity, cookie = identified(request)
    requester = Requester(client_of(request.scope))
    text = await request.body()
    workers.admit(requester)
    doorkeeper.table(requester.address)
    try:
        record = await workers.run(requester, read_record, text, admitted=True)
    except msgspec.DecodeError:
        raise ClientException("This is not JSON") from None
    return Response(await tables.bring(record, identity), status_code=201, cookies=[cookie])


@post("/api/tables/{table_id:str}/fork")
async def fork(
    request: AnyRequest,
    tables: NamedDependency[Tables],
    doorkeeper: NamedDependency[Doorkeeper],
    table_id: FromPath[str],
    data: JSONBody[NewFork],
) -> Response[TableView]:
    """Open a new table that plays on from the middle of a finished match, against computer players."""
    old = await _finished(tables, table_id, request)
    identity, cookie = identified(request)
    requester = _requester(request, old)
    doorkeeper.begin_work(requester.address, seated=requester.seated)
    doorkeeper.table(requester.address)
    table = await tables.fork(old, data, identity)
    return Response(table.summary(identity), status_code=201, cookies=[cookie])


async def _finished(tables: Tables, table_id: str, request: AnyRequest) -> Table:
    """A table whose match is over. Raises Refusal while it is in play, as its hidden cards must stay hidden."""
    table = await table_with_id(tables, table_id, request)
    if not table.is_over:
        raise Refusal(IN_PLAY)
    return table


HANDLERS = [show_score, show_replay, show_record, bring_record, fork]
