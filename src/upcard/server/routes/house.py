"""The house over HTTP: its name, its passphrase, what it stores about people, and its health."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import JSONBody
from markdown_it import MarkdownIt

from upcard import __version__
from upcard.rules.text import counted
from upcard.server.bodies import Club, Enter, Health, Page
from upcard.server.failures import AnyRequest
from upcard.server.limits import client_of
from upcard.server.visitor import A_YEAR, is_safe

if TYPE_CHECKING:
    from upcard.server.app import House

COOKIE = "upcard_club"
OPEN_PATHS = ("/api/club", "/api/club/enter", "/api/club/privacy")
"""The paths that are open before the passphrase is given."""
PRIVACY = """
This house knows people by a secret in a cookie of their browser, which lasts a year. No account, address or password
is asked for.

**Kept:** of every table its game, the names of the people who sat down there or asked for a seat, every move with its
time, and a number computed from the secret by which a browser finds its seat again. The secret itself is not kept.
There are no other cookies than this one and, where the club has a passphrase, one that says that it was given; no
images, scripts or trackers of third parties. The browser itself keeps your name and settings, which introductions you
have read, and your share of the shuffles of matches in play. Where the club has a passphrase, also kept: when this
browser gave it and last came, and a number computed from the secret in its cookie; that is deleted after a year without
a visit.

**Seen by others:** at a table names and moves, each by those who sit there and, where watchers are allowed, by
whoever has the link. A finished match can be watched again by whoever has the link.

**Log:** addresses are counted in memory, against floods, and forgotten. An access log is written only where whoever
runs the house has asked for it.

**Results:** what your finished matches came to is worked out from the tables when you ask for it, and told to you only.

**How long:** {long}. Delete the cookie to be nobody again.
"""


@get("/api/club")
async def show_club(request: AnyRequest, house: NamedDependency[House]) -> Response[Club]:
    """The house, as a new visitor sees it. An admission that has ended is taken from the browser."""
    admitted = await house.admits(request)
    ended = [] if admitted or COOKIE not in request.cookies else [_cookie(request, "", 0)]
    return Response(_club(house, admitted), cookies=ended)


def _club(house: House, admitted: bool) -> Club:
    hosting = house.hosting
    address = hosting.public_url or hosting.address
    return Club(hosting.title, __version__, hosting.passphrase is not None, admitted, address, house.closing)


@post("/api/club/enter", status_code=200)
async def enter(request: AnyRequest, house: NamedDependency[House], data: JSONBody[Enter]) -> Response[Club]:
    """Check the passphrase and admit this browser."""
    house.doorkeeper.entry(client_of(request.scope))
    if house.admissions is None:
        return Response(_club(house, True))
    secret = await house.admissions.enter(data.passphrase)
    return Response(_club(house, True), cookies=[_cookie(request, secret, A_YEAR)])


def _cookie(request: AnyRequest, secret: str, seconds: int) -> Cookie:
    return Cookie(COOKIE, value=secret, max_age=seconds, httponly=True, samesite="lax", secure=is_safe(request))


@get("/api/club/privacy", sync_to_thread=False)
def show_privacy(house: NamedDependency[House]) -> Page:
    """What the house stores about people."""
    days = house.hosting.keep_days
    long = "until whoever runs the house deletes it"
    if days is not None:
        long = f"a table is deleted {counted(days, 'day')} after it was made, or after the last move if that is later"
    text = PRIVACY.replace("{long}", long)
    return Page("What is kept about you", MarkdownIt("commonmark", {"html": False}).render(text))


@get("/health", sync_to_thread=False)
def show_health(house: NamedDependency[House]) -> Response[Health]:
    """The health of the server, for monitoring: 503 when it is closing or failing."""
    status: Literal["ok", "closing", "failing"] = (
        "closing" if house.closing else "ok" if house.store.is_well else "failing"
    )
    worst = house.store.troubles.worst
    ages = {vital.name: round(vital.heartbeat.age, 1) for vital in house.vitals}
    trouble = worst.value if worst is not None else None
    health = Health(status, __version__, len(house.tables), house.doorkeeper.sockets, trouble, ages)
    return Response(health, status_code=200 if status == "ok" else 503)


HANDLERS = [show_club, enter, show_privacy, show_health]
