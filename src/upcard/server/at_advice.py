"""Hints and reviews over HTTP: what to do now, and how good one's decisions in a finished match were."""

from __future__ import annotations

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from upcard.server.at_tables import found
from upcard.server.failures import Asked
from upcard.server.identity import identity_of
from upcard.server.limits import Doorkeeper, client_of
from upcard.server.live import Tables
from upcard.server.messages import GettingReady, Review
from upcard.server.reviews import Reviews
from upcard.server.thinking import Thinkers
from upcard.table.advising import Hint, Wording
from upcard.table.errors import Forbidden, Refusal, Unacceptable
from upcard.table.seats import seat_of
from upcard.table.table import Table


@post("/api/tables/{table_id:str}/hint", status_code=200)
async def give_hint(
    request: Asked,
    tables: NamedDependency[Tables],
    thinkers: NamedDependency[Thinkers],
    doorkeeper: NamedDependency[Doorkeeper],
    table_id: FromPath[str],
) -> Response[Hint | GettingReady]:
    """A hint on what to do now, for somebody who plays alone against computer players; 202 while it is not ready."""
    table, identity = await found(tables, table_id), identity_of(request.cookies)
    if "hint" in table.summary(identity).may and not thinkers.is_ready(table.match.setup):
        return Response(GettingReady("Hints are being prepared: this takes up to a minute, once"), status_code=202)
    doorkeeper.begin_work(client_of(request.scope), seated=True)
    seen, seq = await table.hint(identity)
    return Response(Wording(seen, table.names).hint(await thinkers.advise(seen), seq), status_code=200)


@post("/api/tables/{table_id:str}/review", status_code=200)
async def review(
    request: Asked,
    tables: NamedDependency[Tables],
    reviews: NamedDependency[Reviews],
    doorkeeper: NamedDependency[Doorkeeper],
    table_id: FromPath[str],
    seat: FromQuery[int | None] = None,
) -> Review:
    """How good one's decisions in a finished match were. The first request starts the review; each returns what is
    known so far."""
    table = await found(tables, table_id)
    whose = _own_seat(table, identity_of(request.cookies), seat)
    if not table.is_over:
        raise Refusal("The match is still in play: it can be reviewed when it is over")
    known = reviews.of(table, whose)
    if known is not None and known.state != "failed":
        return known
    doorkeeper.begin_work(client_of(request.scope), seated=True)
    return reviews.start(table, whose)


def _own_seat(table: Table, identity: str | None, seat: int | None) -> int:
    """The seat to review: in a match one has played only one's own, in a record one has opened any.

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


HANDLERS = [give_hint, review]
