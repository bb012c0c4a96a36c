"""The pages of a game: its rulebook, the authority that its rules cite, and the game told in two minutes.

Both stand beside the rules, as `rulebook.md` and `learn.md`. A game may do without: then there is nothing to cite.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from upcard.rules import cards
from upcard.rules.game import Game
from upcard.rules.variants import differences

_DRAWN = re.compile(r"\[((?:[2-9TJQKA][cdhs]|\*)(?: (?:[2-9TJQKA][cdhs]|\*))*)\]")


def page(game: Game[Any]) -> str | None:
    """The rulebook page of a game, as Markdown; of a variant that of its base, with what differs at its head."""
    text = _read(game, "rulebook.md")
    head = _told(game) or _differences(game)
    return text if head is None else f"{head}\n\n{text}" if text else head


def _told(game: Game[Any]) -> str | None:
    """What the page of a variant says itself of what differs: `x.rulebook.md` beside its file `x.py`."""
    return _of_its_own(game, "rulebook.md") if game.base is not None else None


def _differences(game: Game[Any]) -> str | None:
    changed = differences(game)
    lines = [f"# {game.title}", "", f"A variant of {game.root.title}. What differs:", ""]
    return "\n".join(lines + [f"- {line}" for line in changed]) if changed else None


def learn(game: Game[Any]) -> str | None:
    """The game told in two minutes, as Markdown. Cards stand in it as `[Kh Qh]`, for `draw` to turn into pictures.

    A variant is told by `x.learn.md` beside its file `x.py`, or not at all.
    """
    return _read(game, "learn.md") if game.base is None else _of_its_own(game, "learn.md")


def _of_its_own(game: Game[Any], name: str) -> str | None:
    """A page of a variant alone, where it has a file of its own."""
    if game.file is None or game.file == game.root.file:
        return None
    return _text(game.file.with_suffix(f".{name}"))


def _read(game: Game[Any], name: str) -> str | None:
    """A page that stands beside the rules of a game; of a game in a single file `x.py`, as `x.rulebook.md`."""
    home = game.root.file
    if home is None:
        return None
    return _text(home.with_name(name) if home.name == "__init__.py" else home.with_suffix(f".{name}"))


@cache
def _text(file: Path) -> str | None:
    return file.read_text(encoding="utf-8") if file.is_file() else None


_WRITTEN = re.compile(r"(?<![\w(])(?:10|[2-9TJQKA])[cdhs](?!\w)|(?<![\w*])\*(?![\w*])")


def in_signs(text: str) -> str:
    """A text in which cards as they are written (`Kh`, `*`) have their signs (`K♥`, `Joker`)."""

    def sign(found: re.Match[str]) -> str:
        card = cards.read(found[0])
        return found[0] if card is None else cards.sign(card)

    return _WRITTEN.sub(sign, text)


def _signs(shown: list[cards.Card]) -> str:
    return " ".join(map(cards.sign, shown))


def draw(text: str, picture: Callable[[list[cards.Card]], str] = _signs) -> str:
    """The text with a picture in place of every `[Kh Qh]`; with `K♥ Q♥` where a face has no pictures."""

    def drawn(found: re.Match[str]) -> str:
        return picture([card for card in map(cards.read, found[1].split()) if card is not None])

    return _DRAWN.sub(drawn, text)


def clauses(game: Game[Any]) -> dict[str, str]:
    """Every clause of a page by its id, without its marks: {"SS-17": "From then on the second player must …"}."""
    return _clauses(_read(game, "rulebook.md") or "")


@cache
def _clauses(text: str) -> dict[str, str]:
    found = re.findall(r"^- \*\*([A-Z]{2,3}-\d+)\*\*(.*(?:\n  .*|\n(?=  ))*)", text, re.MULTILINE)
    return {clause: _plain(body) for clause, body in found}


def _plain(body: str) -> str:
    unmarked = re.sub(r"\[(?:source|ruling)[^\]]*\]", "", body)
    return re.sub(r"\s+", " ", unmarked.replace("**", "").replace("`", "")).strip()


def gist(game: Game[Any], clause: str) -> str:
    """The first sentence of a clause, for a refusal; empty when there is no such clause."""
    body = clauses(game).get(clause, "")
    return re.split(r"(?<=[.;])\s", body, maxsplit=1)[0].rstrip(":;.")
