"""The files of the built page, read once and kept in memory; no other path is served."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable

NOT_BUILT = "The page has not been built. In a checkout: cd page && npm ci && npm run build. Or install Upcard again.\n"
NO_SUCH_PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <title>No such page</title>
    <link rel="stylesheet" href="/no-such-page.css" />
  </head>
  <body>
    <p>There is no such page here. <a href="/">To the lobby</a></p>
  </body>
</html>
"""
"""Shown for a mistyped URL."""


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
    root = files(__package__).joinpath("static")
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
