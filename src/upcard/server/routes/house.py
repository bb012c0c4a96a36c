"""The house over HTTP: its name, its passphrase, what it stores about people, and its health."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody

from upcard import __version__
from upcard.house.bodies import Abilities, Club, Enter, Health, Page
from upcard.house.game_info import languages_here
from upcard.house.privacy import server_privacy
from upcard.languages.catalogs import page_texts
from upcard.languages.localizing import reader
from upcard.rules.sentences import sentence
from upcard.server.limits import client_of
from upcard.server.live_rooms import room_days
from upcard.server.routes.failures import AnyRequest
from upcard.server.visitor import A_YEAR, is_safe

if TYPE_CHECKING:
    from upcard.server.app import Application

COOKIE = "upcard_club"
OPEN_PATHS = ("/api/club", "/api/club/enter", "/api/club/privacy")
"""The paths that are open before the passphrase is given, besides those of languages."""
SERVER_CAN = Abilities(
    invite=True,
    listed=True,
    devices=True,
    reviews=True,
    hints=True,
    proofs=True,
    matches=False,
    rooms=True,
    daily=True,
)


@get("/api/club")
async def show_club(request: AnyRequest, application: NamedDependency[Application]) -> Response[Club]:
    """The house, as a new visitor sees it. The cookie of an admission that has ended is deleted."""
    admitted = await application.admits(request)
    ended = [] if admitted or COOKIE not in request.cookies else [_cookie(request, "", 0)]
    return Response(_club(application, admitted), cookies=ended)


def _club(application: Application, admitted: bool) -> Club:
    hosting = application.hosting
    address = hosting.public_url or (hosting.share.link if hosting.share else hosting.address)
    locked = hosting.passphrase is not None
    return Club(
        hosting.title, __version__, locked, admitted, address, application.closing, SERVER_CAN, languages_here()
    )


@post("/api/club/enter", status_code=200)
async def enter(
    request: AnyRequest, application: NamedDependency[Application], data: JSONBody[Enter]
) -> Response[Club]:
    """Check the passphrase and admit this browser."""
    application.doorkeeper.entry(client_of(request.scope))
    if application.admissions is None:
        return Response(_club(application, True))
    secret = await application.admissions.enter(data.passphrase)
    return Response(_club(application, True), cookies=[_cookie(request, secret, A_YEAR)])


def _cookie(request: AnyRequest, secret: str, seconds: int) -> Cookie:
    return Cookie(COOKIE, value=secret, max_age=seconds, httponly=True, samesite="lax", secure=is_safe(request))


@get("/api/club/privacy", sync_to_thread=False)
def show_privacy(application: NamedDependency[Application]) -> Page:
    """The list of everything that the house stores about people."""
    days = application.hosting.keep_days
    return server_privacy(days, room_days(days), reader.get())


@get("/health", sync_to_thread=False)
def show_health(application: NamedDependency[Application]) -> Response[Health]:
    """The health of the server, for monitoring: 503 when it is closing or failing."""
    status: Literal["ok", "closing", "failing"] = (
        "closing" if application.closing else "ok" if application.store.is_well else "failing"
    )
    worst = application.store.troubles.worst
    ages = {vital.name: round(vital.heartbeat.age, 1) for vital in application.vitals}
    trouble = worst.value if worst is not None else None
    health = Health(status, __version__, len(application.tables), application.doorkeeper.sockets, trouble, ages)
    return Response(health, status_code=200 if status == "ok" else 503)


@get("/api/languages/{tag:str}", sync_to_thread=False)
def show_language(tag: FromPath[str]) -> Response[bytes]:
    """The translations of the page's own texts; see docs/protocol.md."""
    texts = page_texts(tag)
    if texts is None:
        raise NotFoundException(sentence("There is no such language here"))
    return Response(texts, media_type="application/json")


HANDLERS = [show_club, enter, show_privacy, show_language, show_health]
