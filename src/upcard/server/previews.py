"""Link previews for chat programs: they name the house, the game and whether it is a table, and nothing else."""

from __future__ import annotations

from html import escape

from upcard import games
from upcard.server.static_files import Asset


def page_of(path: str) -> str | None:
    """The part of the page that a path leads to: "lobby", "game" or "table"; None if it does not lead to the page."""
    kind, _, rest = path.strip("/").partition("/")
    if kind in ("", "index.html") and not rest:
        return "lobby"
    return {"g": "game", "t": "table"}.get(kind) if rest else None


def game_of(path: str) -> str | None:
    """The game named by a path such as `/g/oh-hell`; None if there is no such game."""
    slug = path.strip("/").split("/")[1]
    return slug if slug in games.names() else None


def with_preview_tags(page: Asset, house: str, address: str, path: str, slug: str | None) -> Asset:
    """The page with the preview tags for this path; `slug` is its game, `address` the public URL of the house."""
    title, description = house, "Card games with hidden cards, against friends and computer players."
    if slug is not None:
        game = games.load(slug)
        title, description = f"{game.title} · {house}", game.summary
    if path.strip("/").startswith("t/"):
        description = f"A table of cards. {description}" if slug is None else f"A table of {game.title}. {description}"
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
