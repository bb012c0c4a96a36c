"""Hints and reviews over HTTP: advice on the current decision, and how good your decisions in a finished match were."""

from __future__ import annotations

import secrets
from random import Random
from typing import TYPE_CHECKING, Any

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from upcard.engine.views import View
from upcard.server.bodies import GettingReady, Review
from upcard.server.failures import AnyRequest
from upcard.server.limits import client_of
from upcard.server.live import Tables
from upcard.server.reviews import Reviews
from upcard.server.routes.tables import table_with_id
from upcard.server.thinking import Thinkers
from upcard.server.visitor import visitor_identity
from upcard.table.advising import Hint, Wording
from upcard.table.errors import Forbidden, Refusal, Unacceptable
from upcard.table.seats import seat_of
from upcard.table.table import Table
from upcard.table.workers import Requester, WorkerPool

if TYPE_CHECKING:
    from upcard.players.advice import Advice


@post("/api/tables/{table_id:str}/hint", status_code=200)
async def give_hint(
    request: AnyRequest,
    tables: NamedDependency[Tables],
    thinkers: NamedDependency[Thinkers],
    workers: NamedDependency[WorkerPool],
    table_id: FromPath[str],
) -> Response[Hint | GettingReady]:
    """A hint on the current decision, for a person who plays alone against computer players; 202 while it is not
    ready."""
    table, identity = await table_with_id(tables, table_id, request), visitor_identity(request.cookies)
    if "hint" in table.summary(identity).may and not thinkers.is_ready(table.match.setup):
        return Response(GettingReady("Hints are being prepared: this takes up to a minute, once"), status_code=202)
    requester = Requester(client_of(request.scope), seat_of(table.places, identity) is not None)
    workers.admit(requester)  # before the hint is recorded in the journal
    seen, seq = await table.hint(identity)
    advice = await workers.run(requester, _advise, seen, secrets.randbits(64), admitted=True)
    return Response(Wording(seen, table.names).hint(advice, seq), status_code=200)


def _advise(seen: View[Any], seed: int) -> Advice:
    """Advise the seat that has this view. Runs in a worker's process."""
    from upcard.players.advice import HINT, advise

    return advise(seen, HINT, Random(seed))


@post("/api/tables/{table_id:str}/review", status_code=200)
async def review_match(
    request: AnyRequest,
    tables: NamedDependency[Tables],
    reviews: NamedDependency[Reviews],
    table_id: FromPath[str],
    seat: FromQuery[int | None] = None,
) -> Review:
    """How good your decisions in a finished match were. The first request starts the review; each returns the results
    so far."""
    table, identity = await table_with_id(tables, table_id, request), visitor_identity(request.cookies)
    whose = _own_seat(table, identity, seat)
    if not table.is_over:
        raise Refusal("The match is still in play: it can be reviewed when it is over")
    known = reviews.of(table, whose)
    if known is not None and known.state != "failed":
        return known
    requester = Requester(client_of(request.scope), seat_of(table.places, identity) is not None)
    return reviews.start(table, whose, requester)


def _own_seat(table: Table, identity: str | None, seat: int | None) -> int:
    """Return the seat to review: your own in a match that you played, any in a record that you opened.

    Raises Unacceptable if there is no such seat, Forbidden if it is somebody else's.
    """
    own, origin = seat_of(table.places, identity), table.plan.origin
    if seat is not None and seat not in range(table.plan.players):
        raise Unacceptable(f"There is no seat {seat}")
    brought = origin is not None and origin.table is None and table.plan.host == identity
    if brought and identity is not None:
        return seat if seat is not None else 0
    if own is None or seat not in (None, own):
        raise Forbidden("You can have your own moves reviewed, and those of a record that you have opened")
    return own


HANDLERS = [give_hint, review_match]
