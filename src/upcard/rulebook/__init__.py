"""The rulebook: one page per game, the authority that the rules cite, and the text that players read on screen."""

import re
from functools import cache
from importlib.resources import files


@cache
def page(slug: str) -> str:
    """The rulebook page of a game, as Markdown."""
    return files(__name__).joinpath(f"{slug}.md").read_text(encoding="utf-8")


@cache
def clauses(slug: str) -> dict[str, str]:
    """Every clause of a page by its id, without its marks: {"SS-17": "From then on the second player must …"}."""
    found = re.findall(r"^- \*\*([A-Z]{2}-\d+)\*\*(.*(?:\n  .*|\n(?=  ))*)", page(slug), re.MULTILINE)
    return {clause: _plain(body) for clause, body in found}


def _plain(body: str) -> str:
    unmarked = re.sub(r"\[(?:source|ruling)[^\]]*\]", "", body)
    return re.sub(r"\s+", " ", unmarked.replace("**", "").replace("`", "")).strip()


def gist(slug: str, clause: str) -> str:
    """The first sentence of a clause, for a refusal; empty when there is no such clause."""
    body = clauses(slug).get(clause, "")
    return re.split(r"(?<=[.;])\s", body, maxsplit=1)[0].rstrip(":;.")
