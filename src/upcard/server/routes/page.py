"""The page over HTTP: its built files, read once and kept in memory; no other path is served. Link previews for chat
programs name the house, the game and whether it is a table, and nothing else."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cached_property
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException

from upcard import games
from upcard.engine.errors import UpcardError
from upcard.house.tables import is_id
from upcard.languages.catalogs import translation
from upcard.languages.localizing import localized, reader, text_for_reader
from upcard.rules.sentences import as_sentence, sentence
from upcard.server.limits import client_of
from upcard.server.routes.failures import AnyRequest
from upcard.table.players_rules import summary_of

if TYPE_CHECKING:
    from upcard.server.app import Application

NOT_BUILT = "The page has not been built. In a checkout: cd page && npm ci && npm run build. Or install Upcard again.\n"
NO_SUCH_PAGE = """<!doctype html>
<html lang="{language}" dir="auto">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <title>{title}</title>
    <link rel="stylesheet" href="/no-such-page.css" />
  </head>
  <body>
    <p>{explanation} <a href="/">{lobby}</a></p>
  </body>
</html>
"""


def no_such_page(language: str) -> bytes:
    """The page for a mistyped URL."""
    texts = {
        "title": sentence("No such page"),
        "explanation": sentence("There is no such page here."),
        "lobby": sentence("To the lobby"),
    }
    words = {name: escape(text.words(translation(language))) for name, text in texts.items()}
    return NO_SUCH_PAGE.format(language=language, **words).encode()


@dataclass(frozen=True)
class Asset:
    """One file of the page."""

    content: bytes
    media_type: str
    lasting: bool
    """Whether its name changes with its content, so that browsers may cache it for good."""

    @cached_property
    def etag(self) -> str:
        return f'"{hashlib.sha256(self.content).hexdigest()[:20]}"'

    @cached_property
    def zipped(self) -> bytes:
        return gzip.compress(self.content, 6, mtime=0)


def built_page() -> dict[str, Asset]:
    """All files of the page by path, such as `index.html`; empty if the page has not been built."""
    root = files("upcard.server").joinpath("static")
    return dict(_walk(root, "")) if root.is_dir() else {}


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, Asset]]:
    files: list[tuple[str, Asset]] = []
    for entry in folder.iterdir():
        path = prefix + entry.name
        if entry.is_dir():
            files += _walk(entry, f"{path}/")
        else:
            kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
            kind = "text/javascript" if kind == "application/javascript" else kind
            files.append((path, Asset(entry.read_bytes(), kind, prefix == "assets/")))
    return files


def page_of(path: str) -> str | None:
    """The part of the page that a path leads to: "lobby", "puzzle" (of the day), "game", "table" or "room"; None if it
    leads elsewhere."""
    kind, _, rest = path.strip("/").partition("/")
    if not rest and kind in ("", "index.html", "puzzle"):
        return "puzzle" if kind == "puzzle" else "lobby"
    return {"g": "game", "t": "table", "r": "room"}.get(kind) if rest else None


def game_of(path: str) -> str | None:
    """The game named by a path such as `/g/oh-hell`; None if there is no such game."""
    slug = path.strip("/").split("/")[1]
    return slug if slug in games.names() else None


def with_preview_tags(page: Asset, house: str, address: str, path: str, slug: str | None) -> Asset:
    """The page with the preview tags for this path, in the language of `reader`; `slug` is its game, `address` the
    public URL of the house."""
    title, description = house, localized("Card games with hidden cards, against friends and computer players.")
    begins = {"t": localized("A table of cards."), "r": localized("An evening of cards.")}
    if slug is not None:
        game = games.load(slug)
        name = as_sentence(game.title, game)
        title, description = f"{text_for_reader(name)} · {house}", text_for_reader(summary_of(game))
        begins["t"] = localized("A table of {game}.", game=as_sentence(game.title.rstrip("!"), game))
    if begin := begins.get(path.strip("/").partition("/")[0]):
        description = f"{begin} {description}"
    properties = {
        "og:type": "website",
        "og:site_name": house,
        "og:title": title,
        "og:description": description,
        "og:url": f"{address}{path}",
        "og:image": f"{address}/preview.jpg",
    }
    tags = [f'<meta property="{name}" content="{escape(text)}" />' for name, text in properties.items()]
    tags.append(f'<meta name="description" content="{escape(description)}" />')
    tags.append('<meta name="twitter:card" content="summary_large_image" />')
    head = "\n    ".join([*tags, "</head>"])
    return Asset(page.content.replace(b"</head>", head.encode(), 1), page.media_type, lasting=False)


@get(["/", "/{path:path}"], zipped=True)
async def show_page(
    request: AnyRequest,
    assets: NamedDependency[dict[str, Asset]],
    application: NamedDependency[Application],
) -> Response[bytes]:
    """The page and its assets; the lobby, every game and every table are the same page."""
    path = request.url.path
    kind = page_of(path)
    asset = assets.get("index.html" if kind else path.strip("/"))
    if asset is None and kind:
        return Response(NOT_BUILT.encode(), status_code=503, media_type="text/plain; charset=utf-8")
    if asset is None and "text/html" in request.headers.get("accept", ""):
        return Response(no_such_page(reader.get()), status_code=404, media_type="text/html")
    if asset is None:
        raise NotFoundException("There is no such page")
    if kind:
        slug = await _game_at(request, application, kind)
        address = application.hosting.public_url or str(request.base_url)
        asset = with_preview_tags(asset, application.hosting.title, address.rstrip("/"), path, slug)
    lasting = "public, max-age=31536000, immutable" if asset.lasting else "no-cache"
    headers = {
        "etag": asset.etag,
        "cache-control": lasting,
        "vary": "accept-encoding, accept-language" if kind else "accept-encoding",
    }
    if request.headers.get("if-none-match") == asset.etag:
        return Response(b"", status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(asset.content, media_type=asset.media_type, headers=headers)
    return Response(asset.zipped, media_type=asset.media_type, headers=headers | {"content-encoding": "gzip"})


async def _game_at(request: AnyRequest, application: Application, kind: str) -> str | None:
    """The game to name in a page's preview; None if there is none, or if this browser may not know it."""
    names, client = request.url.path.strip("/").split("/"), client_of(request.scope)
    with contextlib.suppress(UpcardError):  # a page without a preview is better than none
        if not await application.admits(request):
            return None
        if kind == "game":
            return game_of(request.url.path)
        if kind == "table" and is_id(names[1]):
            application.doorkeeper.check_guesses(client)
            if (game := await application.tables.game_of(names[1])) in games.names():
                return game
            application.doorkeeper.wrong_guess(client)
    return None


HANDLERS = [show_page]
