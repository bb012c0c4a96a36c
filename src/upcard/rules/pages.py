"""The pages of a game: the rulebook, whose clauses the rules cite, the rules in players' words, lessons and puzzles.

They are the files `rulebook.md`, `rules.en.md` (one for each language), `lesson.toml` and `lesson2.toml` (in another
language `lesson.de.toml`), and `puzzles.jsonl` next to the rules. All are optional.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from upcard.rules import cards
from upcard.rules.clause_numbers import numbers_in_words, with_changed_numbers
from upcard.rules.game import Game
from upcard.rules.lineage import differences, file_of, has_rules_of_its_own, root_of
from upcard.rules.placeholders import with_numbers
from upcard.rules.sentences import sentence

CLAUSE = r"[A-Z]{2,3}-\d+"
"""A pattern for the id of a clause."""
NO_PAGE = sentence("This game has no page of rules yet.")
_DRAWN = re.compile(r"\[((?:[2-9TJQKA][cdhs]|\*)(?: (?:[2-9TJQKA][cdhs]|\*))*)\]")


def page(game: type[Game[Any]]) -> str | None:
    """The rulebook page of a game, as Markdown; for a variant that of its root, preceded by the differences.

    The clauses have the numbers of the variant: see `upcard.rules.clause_numbers`.
    """
    text = with_changed_numbers(_read(game, "rulebook.md") or "", game)
    head = _told(game) or _differences(game)
    return "\n\n".join(filter(None, [head, text])) or None


def _told(game: type[Game[Any]]) -> str | None:
    """A variant's own description of the differences: `x.rulebook.md` next to its file `x.py`."""
    return _of_its_own(game, "rulebook.md") if game.base is not None else None


def _differences(game: type[Game[Any]]) -> str | None:
    changed = [with_numbers(line, game.unconstrained()) for line in differences(game)]
    lines = [f"# {game.title}", "", f"A variant of {root_of(game).title}. What differs:", ""]
    return "\n".join(lines + [f"- {line}" for line in changed]) if changed else None


def lesson_files(game: type[Game[Any]], language: str = "en") -> list[tuple[str, str]]:
    """The names and texts of a game's lessons in order: `lesson.toml`, `lesson2.toml` and so on; in another language
    `lesson.de.toml`, in English where that is not there.

    Those of a variant are `x.lesson.toml` next to its file `x.py`; it has none of its root's.
    """
    read = _read if game.base is None else _of_its_own
    files = []
    for number in count(1):
        name = f"lesson{number if number > 1 else ''}.toml"
        text = read(game, name)
        if text is None:
            break
        translated = f"{name.removesuffix('.toml')}.{language}.toml"
        if (words := read(game, translated)) is not None:
            name, text = translated, words
        files.append((name if game.base is None else f"{game.slug}.{name}", text))
    return files


def puzzle_file(game: type[Game[Any]]) -> tuple[str, str] | None:
    """The name and text of a game's file of puzzles, `puzzles.jsonl`; None if it has none.

    That of a variant is `x.puzzles.jsonl` next to its file `x.py`; it has none of its root's.
    """
    name = "puzzles.jsonl"
    text = _read(game, name) if game.base is None else _of_its_own(game, name)
    return None if text is None else (name if game.base is None else f"{game.slug}.{name}", text)


def written_rules(game: type[Game[Any]], language: str = "en") -> str | None:
    """The rules of a game in players' words, with front matter, placeholders, cards as `[Kh Qh]` and clauses as
    `[SS-5, SS-6]`; None if there are none in this language.

    Those of a variant are `x.rules.en.md` next to its file `x.py`, or those of its root if it changes only numbers and
    options.
    """
    name = f"rules.{language}.md"
    if game.base is None:
        return _read(game, name)
    return _of_its_own(game, name) or (None if has_rules_of_its_own(game) else _read(game, name))


def is_page_of(game: type[Game[Any]]) -> bool:
    """Whether the rules in players' words of a variant were written for its numbers: they are next to its file, and it
    was not made from the game of that file at run time."""
    return "_given" not in vars(game) and _of_its_own(game, "rules.en.md") is not None


_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n+", re.DOTALL)
CITED = re.compile(rf"[ \n]*\[({CLAUSE}(?:, {CLAUSE})*)\]")
"""A mark in the rules in players' words that names the clauses of a sentence: `[SS-5, SS-6]`."""


def front_matter(text: str) -> dict[str, str]:
    """The fields of a page's front matter: `{"source": "rulebook.md 1f3b…"}`; empty if it has none."""
    head = _FRONT_MATTER.match(text)
    lines = [line.partition(": ") for line in head[1].splitlines()] if head else []
    return {name: value for name, _, value in lines}


def without_front_matter(text: str) -> str:
    """A page from its title on."""
    return _FRONT_MATTER.sub("", text)


def version_of(text: str) -> str:
    """A short hash of a page, which a page made from it names as its source."""
    return sha256(text.encode()).hexdigest()[:12]


def _of_its_own(game: type[Game[Any]], name: str) -> str | None:
    """The page of a variant that has its own file; None if there is none."""
    file = file_of(game)
    if file is None or file == file_of(root_of(game)):
        return None
    return _text(file.with_suffix(f".{name}"))


def _read(game: type[Game[Any]], name: str) -> str | None:
    """A page next to the rules of a game, or `x.rulebook.md` for a game in a single file `x.py`."""
    home = file_of(root_of(game))
    if home is None:
        return None
    return _text(home.with_name(name) if home.name == "__init__.py" else home.with_suffix(f".{name}"))


@cache
def _text(file: Path) -> str | None:
    return file.read_text(encoding="utf-8") if file.is_file() else None


_WRITTEN = re.compile(r"(?<![\w(])(?:10|[2-9TJQKA])[cdhs](?!\w)|(?<![\w*])\*(?![\w*])")


def in_signs(text: str) -> str:
    """A text with cards in notation (`Kh`, `*`) replaced by their signs (`K♥`, `Joker`)."""

    def sign(name: re.Match[str]) -> str:
        card = cards.read(name[0])
        return name[0] if card is None else cards.sign(card)

    return _WRITTEN.sub(sign, text)


def _signs(shown: list[cards.Card]) -> str:
    return " ".join(map(cards.sign, shown))


def draw(text: str, picture: Callable[[list[cards.Card]], str] = _signs) -> str:
    """A text with each `[Kh Qh]` replaced by a picture, by default `K♥ Q♥`."""

    def drawn(names: re.Match[str]) -> str:
        return picture([card for card in map(cards.read, names[1].split()) if card is not None])

    return _DRAWN.sub(drawn, text)


@lru_cache(maxsize=64)
def clauses(game: type[Game[Any]]) -> dict[str, str]:
    """The clauses of a game's page by id, without markup: {"SS-17": "From then on the second player must …"}."""
    return _clauses(with_changed_numbers(_read(game, "rulebook.md") or "", game))


@cache
def _clauses(text: str) -> dict[str, str]:
    clauses = re.findall(rf"^- \*\*({CLAUSE})\*\*(.*(?:\n  .*|\n(?=  ))*)", text, re.MULTILINE)
    return {clause: _plain(body) for clause, body in clauses}


def _plain(body: str) -> str:
    unmarked = re.sub(r"\[(?:source|ruling)[^\]]*\]", "", body)
    return re.sub(r"\s+", " ", unmarked.replace("**", "").replace("`", "")).strip()


def gist(table: Game[Any], clause: str) -> str:
    """The first sentence of a clause, for a refusal; empty if there is no such clause. If a variant changes a number in
    it, the game's words for such a refusal, or else the sentence with that number, or the number in words."""
    game = table.game
    body, words = clauses(game).get(clause, ""), numbers_in_words(game).get(clause, "")
    if words and (clause in game.why or body.startswith("Here ")):
        return with_numbers(game.why.get(clause, words), table)
    return re.split(r"(?<=[.;])\s", body, maxsplit=1)[0].rstrip(":;.")
