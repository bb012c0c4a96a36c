"""The rulebook: one page per game, the authority that the rules cite, and the text that players read on screen.

Beside it, in `learn/`, a short page per game for people who have never played it.
"""

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from upcard import cards

_DRAWN = re.compile(r"\[((?:[2-9TJQKA][cdhs]|\*)(?: (?:[2-9TJQKA][cdhs]|\*))*)\]")


@cache
def page(slug: str) -> str:
    """The rulebook page of a game, as Markdown."""
    return files(__name__).joinpath(f"{slug}.md").read_text(encoding="utf-8")


@cache
def learn(slug: str) -> str:
    """The game told in two minutes, as Markdown. Cards stand in it as `[Kh Qh]`, for `draw` to turn into pictures."""
    return files(__name__).joinpath("learn", f"{slug}.md").read_text(encoding="utf-8")


def _signs(shown: list[cards.Card]) -> str:
    return " ".join(map(cards.sign, shown))


def draw(text: str, picture: Callable[[list[cards.Card]], str] = _signs) -> str:
    """The text with a picture in place of every `[Kh Qh]`; with `K♥ Q♥` where a face has no pictures."""

    def drawn(found: re.Match[str]) -> str:
        return picture([card for card in map(cards.read, found[1].split()) if card is not None])

    return _DRAWN.sub(drawn, text)


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
