"""The web application: docs/protocol.md over HTTP and WebSocket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar, Response, get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.types import ASGIApp

from upcard.server import about_games, at_tables, failures
from upcard.server.failures import Asked
from upcard.server.guard import Guard
from upcard.server.live import Tables
from upcard.server.pages import NOT_BUILT, Asset, built_page
from upcard.server.storage import Store
from upcard.server.thinking import Thinkers

MOST_POSTED = 64 * 1024


@get(["/", "/{path:path}"], sync_to_thread=False)
def show_page(request: Asked, assets: NamedDependency[dict[str, Asset]]) -> Response[bytes]:
    """The page and its pictures; the lobby and every table are the same page."""
    wanted = request.url.path.strip("/")
    is_page = wanted in ("", "index.html") or wanted.startswith("t/")
    asset = assets.get("index.html" if is_page else wanted)
    if asset is None and is_page:
        return Response(NOT_BUILT.encode(), status_code=503, media_type="text/plain; charset=utf-8")
    if asset is None:
        raise NotFoundException("There is no such page")
    lasting = "public, max-age=31536000, immutable" if asset.lasting else "no-cache"
    headers = {"etag": asset.etag, "cache-control": lasting, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == asset.etag:
        return Response(b"", status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(asset.content, media_type=asset.media_type, headers=headers)
    return Response(asset.zipped, media_type=asset.media_type, headers=headers | {"content-encoding": "gzip"})


def create_app(url: str) -> ASGIApp:
    """The application over the database at this URL. Raises SQLAlchemyError if that cannot be opened."""
    store = Store(url)
    thinkers = Thinkers()
    tables = Tables(store, thinkers)
    page = built_page()

    @asynccontextmanager
    async def alive(_app: Litestar) -> AsyncIterator[None]:
        try:
            yield
        finally:
            thinkers.close()
            store.close()

    return Guard(
        Litestar(
            [*about_games.HANDLERS, *at_tables.HANDLERS, show_page],
            dependencies={
                "tables": Provide(lambda: tables, sync_to_thread=False, use_cache=True),
                "assets": Provide(lambda: page, sync_to_thread=False, use_cache=True),
            },
            exception_handlers=failures.HANDLERS,
            lifespan=[alive],
            request_max_body_size=MOST_POSTED,
            openapi_config=None,
            logging_config=None,
        )
    )
