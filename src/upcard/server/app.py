"""The web application: the protocol in docs/protocol.md over HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from litestar import Litestar, Response, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.types import Receive, Scope, Send

from upcard import games
from upcard.engine.errors import UpcardError
from upcard.server import about_games, at_advice, at_records, at_tables, club, failures, previews
from upcard.server.failures import Asked
from upcard.server.guard import Guard
from upcard.server.hosting import Hosting
from upcard.server.limits import Doorkeeper
from upcard.server.live import Tables, is_id
from upcard.server.pages import NO_SUCH_PAGE, NOT_BUILT, Asset, built_page
from upcard.server.replays import Replays
from upcard.server.reviews import Reviews
from upcard.server.storage import Store
from upcard.server.thinking import Thinkers
from upcard.table.errors import NotWritten
from upcard.table.messages import Notice

if TYPE_CHECKING:
    from upcard.server.neighbours import Neighbours

log = logging.getLogger("upcard.server")
MOST_POSTED = 64 * 1024
PRESSED = CompressionConfig(backend="gzip", minimum_size=1000, gzip_compress_level=5, exclude_opt_key="zipped")
"""Answers of the API are compressed on the way out; the page's files are compressed already."""
A_DAY = 86_400.0
FORGETTING = 3600.0
"""Seconds between two searches for expired tables."""
NOTICING = 2.0
"""Seconds between two checks of the database, and for tables that an administrator has closed."""


@get(["/", "/{path:path}"], zipped=True)
async def show_page(
    request: Asked,
    assets: NamedDependency[dict[str, Asset]],
    house: NamedDependency[House],
    tables: NamedDependency[Tables],
) -> Response[bytes]:
    """The page and its assets; the lobby, every game and every table are the same page."""
    path = request.url.path
    kind = previews.page_of(path)
    asset = assets.get("index.html" if kind else path.strip("/"))
    if asset is None and kind:
        return Response(NOT_BUILT.encode(), status_code=503, media_type="text/plain; charset=utf-8")
    if asset is None and "text/html" in request.headers.get("accept", ""):
        return Response(NO_SUCH_PAGE.encode(), status_code=404, media_type="text/html")
    if asset is None:
        raise NotFoundException("There is no such page")
    if kind:
        slug = await _game_at(path, kind, tables) if house.admits(request.cookies.get(club.COOKIE)) else None
        address = house.hosting.public_url or str(request.base_url)
        asset = previews.described(asset, house.hosting.title, address.rstrip("/"), path, slug)
    lasting = "public, max-age=31536000, immutable" if asset.lasting else "no-cache"
    headers = {"etag": asset.etag, "cache-control": lasting, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == asset.etag:
        return Response(b"", status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(asset.content, media_type=asset.media_type, headers=headers)
    return Response(asset.zipped, media_type=asset.media_type, headers=headers | {"content-encoding": "gzip"})


async def _game_at(path: str, kind: str, tables: Tables) -> str | None:
    """The game that a page is about, for its preview; None if it is about none."""
    if kind == "game":
        return previews.game_of(path)
    table_id = path.strip("/").split("/")[1] if kind == "table" else ""
    table = None
    with contextlib.suppress(UpcardError):  # a page without a preview is better than none
        table = await tables.get(table_id) if is_id(table_id) else None
    return table.plan.game if table is not None and table.plan.game in games.names() else None


class House:
    """The whole application: an ASGI app that speaks the protocol in `docs/protocol.md`."""

    def __init__(self, hosting: Hosting) -> None:
        """Raises SQLAlchemyError or UpcardError if the database cannot be opened."""
        self.hosting = hosting
        self.closing = False
        self.store = Store(hosting.database)
        self._thinkers = Thinkers()
        self._replays = Replays()
        self._reviews = Reviews()
        self._warm = hosting.warm
        self.doorkeeper = Doorkeeper(hosting.limits)
        self.tables = Tables(self.store, self._thinkers, self.doorkeeper)
        self._count()
        behind_tls = (hosting.origin or "").startswith("https:")
        self._app = Guard(
            self._litestar(State({"behind_tls": behind_tls})), self.doorkeeper, hosting.origin, self.admits
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    def admits(self, key: str | None) -> bool:
        """Whether a browser with this key may come in; always true in a house without a passphrase."""
        passphrase = self.hosting.passphrase
        return passphrase is None or hmac.compare_digest(club.key_of(passphrase).encode(), (key or "").encode())

    async def say_goodbye(self) -> None:
        """Tell everybody that the server is about to shut down, and give the message a moment to reach them."""
        self.closing = True
        self.tables.tell_all(Notice("closing", "The house is closed for a moment: back in a minute."))
        await asyncio.sleep(0.05)

    @asynccontextmanager
    async def _alive(self, _app: Litestar) -> AsyncIterator[None]:
        if self._warm:
            self._thinkers.warm_all()
        neighbours = self._meet_neighbours()
        rounds = [asyncio.create_task(self._forget()), asyncio.create_task(self._notice())]
        try:
            yield
        finally:
            for one in rounds:
                one.cancel()
            self._thinkers.close()
            self._reviews.close()
            if neighbours is not None:
                await neighbours.close()
            self.store.close()

    async def _forget(self) -> None:
        """Delete expired tables, again and again."""
        while self.hosting.keep_days is not None:
            try:
                while await self.tables.forget(time.time() - self.hosting.keep_days * A_DAY):
                    await asyncio.sleep(0.1)
            except NotWritten as error:
                log.error("old tables are not deleted: %s", error)
            await asyncio.sleep(FORGETTING)

    async def _notice(self) -> None:
        """Notice soon that the database fails or is back, and tell people whose table an administrator has closed."""
        while True:
            await asyncio.sleep(NOTICING)
            with contextlib.suppress(NotWritten):  # it is in the log
                await self.store.probe()
                await self.tables.notice_closed()

    def _count(self) -> None:
        follow = self.store.metrics.follow
        follow("upcard_tables", "Tables in memory.", lambda: len(self.tables))
        follow("upcard_sockets", "Browser windows that look at a table.", lambda: self.doorkeeper.sockets)
        follow("upcard_thinking", "Moves that computer players think about.", lambda: self._thinkers.waiting)

    def _meet_neighbours(self) -> Neighbours | None:
        """Connect with the other servers on the same database; None if the database cannot be shared."""
        if self.store.shared is None:
            return None
        from upcard.server.neighbours import Neighbours

        neighbours = Neighbours(self.store.shared, self.tables)
        self.tables.meet(neighbours)
        return neighbours

    def _litestar(self, state: State) -> Litestar:
        page = built_page()
        return Litestar(
            [
                *club.HANDLERS,
                *about_games.HANDLERS,
                *at_tables.HANDLERS,
                *at_records.HANDLERS,
                *at_advice.HANDLERS,
                show_page,
            ],
            dependencies={
                "house": Provide(lambda: self, sync_to_thread=False, use_cache=True),
                "tables": Provide(lambda: self.tables, sync_to_thread=False, use_cache=True),
                "thinkers": Provide(lambda: self._thinkers, sync_to_thread=False, use_cache=True),
                "replays": Provide(lambda: self._replays, sync_to_thread=False, use_cache=True),
                "reviews": Provide(lambda: self._reviews, sync_to_thread=False, use_cache=True),
                "doorkeeper": Provide(lambda: self.doorkeeper, sync_to_thread=False, use_cache=True),
                "assets": Provide(lambda: page, sync_to_thread=False, use_cache=True),
            },
            signature_namespace={"House": House},
            exception_handlers=failures.HANDLERS,
            lifespan=[self._alive],
            state=state,
            compression_config=PRESSED,
            request_max_body_size=MOST_POSTED,
            openapi_config=None,
            logging_config=None,
        )
