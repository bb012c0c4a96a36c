"""Finished matches over HTTP: replay them, save and open records, play on from the middle."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from upcard.server.at_tables import found
from upcard.server.failures import Asked
from upcard.server.identity import identified, identity_of
from upcard.server.limits import Doorkeeper, client_of
from upcard.server.live import Tables
from upcard.server.messages import NewFork, Replay, ScoreSheet
from upcard.server.replays import Replays, finished_deals
from upcard.table.errors import Refusal, Unacceptable
from upcard.table.eyes import Eyes
from upcard.table.messages import TableView
from upcard.table.seats import seat_of
from upcard.table.table import Table

LONGEST_RECORD = 1_000_000
"""Bytes."""
IN_PLAY = "The match is still in play: it can be watched again when it is over"


@get("/api/tables/{table_id:str}/score")
async def show_score(
    request: Asked,
    tables: NamedDependency[Tables],
    replays: NamedDependency[Replays],
    doorkeeper: NamedDependency[Doorkeeper],
    table_id: FromPath[str],
) -> ScoreSheet:
    """The scores of the finished deals, which are public."""
    table = await found(tables, table_id)
    seated = seat_of(table.places, identity_of(request.cookies)) is not None
    return await replays.score_sheet(table, lambda: doorkeeper.begin_work(client_of(request.scope), seated=seated))


@get("/api/tables/{table_id:str}/replay")
async def show_replay(
    request: Asked,
    tables: NamedDependency[Tables],
    replays: NamedDependency[Replays],
    doorkeeper: NamedDependency[Doorkeeper],
    table_id: FromPath[str],
    deal: FromQuery[int] = 1,
    seat: FromQuery[str | None] = None,
) -> Replay:
    """One deal of a finished match; somebody alone with computer players may also see finished deals of a match that is
    still in play."""
    table = await found(tables, table_id)
    told = table.summary(identity_of(request.cookies))
    alone = told.practice and told.you is not None
    if not table.is_over and not (alone and 0 < deal <= finished_deals(table.match)):
        raise Refusal(IN_PLAY)
    begin = lambda: doorkeeper.begin_work(client_of(request.scope), seated=told.you is not None)
    return await replays.replay(table, deal, _eyes(seat), told, begin)


def _eyes(seat: str | None) -> Eyes:
    if seat is None or seat == "all":
        return seat  # type: ignore[return-value]
    if not (seat.isascii() and seat.isdigit() and len(seat) < 3):
        raise Unacceptable(f"There is no seat {seat[:10]!r}")
    return int(seat)


@get("/api/tables/{table_id:str}/record")
async def show_record(tables: NamedDependency[Tables], table_id: FromPath[str]) -> Response[bytes]:
    """The match record of a finished match, as a file."""
    table = await _finished(tables, table_id)
    name = f"{table.plan.game}-{table.plan.id}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(msgspec.json.encode(table.record()), media_type="application/json", headers=headers)


@post("/api/records", request_max_body_size=LONGEST_RECORD)
async def bring_record(
    request: Asked,
    tables: NamedDependency[Tables],
    doorkeeper: NamedDependency[Doorkeeper],
    data: JSONBody[dict[str, Any]],
) -> Response[TableView]:
    """Open a match record as a finished table."""
    identity, cookie = identified(request)
    doorkeeper.table(client_of(request.scope))
    table = await tables.bring(data, identity)
    return Response(table.summary(identity), status_code=201, cookies=[cookie])


@post("/api/tables/{table_id:str}/fork")
async def fork(
    request: Asked,
    tables: NamedDependency[Tables],
    doorkeeper: NamedDependency[Doorkeeper],
    table_id: FromPath[str],
    data: JSONBody[NewFork],
) -> Response[TableView]:
    """Open a new table that plays on from the middle of a finished match, against computer players."""
    old = await _finished(tables, table_id)
    identity, cookie = identified(request)
    doorkeeper.table(client_of(request.scope))
    table = await tables.fork(old, data, identity)
    return Response(table.summary(identity), status_code=201, cookies=[cookie])


async def _finished(tables: Tables, table_id: str) -> Table:
    """A table whose match is over. Raises Refusal while it is in play, as its hidden cards must stay hidden."""
    table = await found(tables, table_id)
    if not table.is_over:
        raise Refusal(IN_PLAY)
    return table


HANDLERS = [show_score, show_replay, show_record, bring_record, fork]
