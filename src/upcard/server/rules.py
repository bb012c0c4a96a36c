"""The rulebook as the page shows it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from markdown_it import MarkdownIt

from upcard import games, rulebook

_CLAUSE = re.compile(r"[A-Z]{2}-\d+")


@cache
def rules_page(slug: str) -> dict[str, Any]:
    """A game's rules as HTML; every clause stands in an element whose id it is."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(rulebook.page(slug))
    item = None
    for token in tokens:
        if token.type == "list_item_open":
            item = token
        elif token.type == "inline" and item is not None:
            clause = _clause(token.children or [])
            if clause:
                item.attrSet("id", clause)
            item = None
    return {"title": games.load(slug).title, "html": markdown.renderer.render(tokens, markdown.options, {})}


def _clause(inline: list[Any]) -> str | None:
    """The clause that a list item states: it begins with its number in bold."""
    words = [token for token in inline if token.content or token.type == "strong_open"][:2]
    bold = len(words) == 2 and words[0].type == "strong_open" and _CLAUSE.fullmatch(words[1].content)
    return str(words[1].content) if bold else None
