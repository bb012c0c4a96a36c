"""The house over HTTP: its name, its passphrase, what it stores about people, and its health."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from markdown_it import MarkdownIt

from upcard import __version__
from upcard.house.bodies import Abilities, Club, Enter, Health, Page
from upcard.house.game_info import languages_here
from upcard.languages.catalogs import page_texts
from upcard.rules.phrases import counted
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
PRIVACY = """
This house recognises people by a secret in a cookie of their browser, which lasts a year. It asks for no account,
address or password.

**Kept:** for every table, its game, the names of the people who sat down there or asked for a seat, every move with its
time, and a number computed from the secret, by which a browser finds its seat again. The secret itself is not kept. The
only other cookie, where the house has a passphrase, records that it was given. There are no images, scripts or trackers
of third parties. Your browser itself keeps your name and settings, how far you are in which lessons, which puzzles you
have solved and for how many days in a row, and your share of the shuffles of matches in play. Where the house has a
passphrase, it also keeps the times when this browser gave it and last visited, and a number computed from the secret in
that cookie, until a year has passed without a visit.

For people who use several devices, for each of them a number computed from its secret, its browser ("Firefox on
Android") and when it was last used; if it was removed, the number stays, so that it can never come back by itself. A
link to another device is kept until it is used, or for ten minutes to an hour, with the name and settings that it
carries, and without its secret.

For every room, the names of the people in it, who is its host, which matches were played and who won, and the same
number for each of them. A room is deleted {room_days} days after its last change.

For the deal of a day, the name and the score of everybody who has played it to the end, for a week. Others who have
finished the same deal see them.

**Seen by others:** the people at a table see its names and moves. So does anyone who has the link, where watchers are
allowed. Anyone who has the link can watch a finished match again.

The people of a room see its names and results, and who of them is here just now.

**Words:** the server has the latest words that people send each other at a table in its memory, for thirty days at
most, and never writes them down.

**Log:** addresses are counted in memory, against floods, and then forgotten. An access log is written only if the
operator of the house has asked for it.

**Results:** all other results of your finished matches are computed from the tables when you ask for them, and shown
only to you.

**How long:** {long}. Delete the cookie and the house no longer recognises this browser.
"""


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
    long = "until the operator of the house deletes it"
    if days is not None:
        long = f"a table is deleted {counted(days, 'day')} after it was opened, or after the last move if that is later"
    text = PRIVACY.replace("{long}", long).replace("{room_days}", str(room_days(days)))
    return Page("What is kept about you", MarkdownIt("commonmark", {"html": False}).render(text))


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
