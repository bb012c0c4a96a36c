"""The rules in players' words, filled in for one table, so that what a player reads is true where they sit."""

from __future__ import annotations

import re
from typing import Any

from upcard.languages.catalogs import translation
from upcard.rules import pages
from upcard.rules.game import Game
from upcard.rules.placeholders import fill, has_usual_numbers, values_of, with_numbers

_EXAMPLE = re.compile(r"^(?:>.*\n?)+", re.MULTILINE)


def players_rules(setup: Game[Any], language: str = "en") -> str | None:
    """The rules of a table as Markdown, with cards as `[Kh Qh]` and clauses as `[SS-5]`; None if nobody has written
    them.

    Examples, which are block quotes, calculate with the numbers of the game; a variant that changes one has none of
    them. Raises BadPlaceholder.
    """
    text = pages.written_rules(setup.game, language)
    if text is None:
        return None
    body = fill(pages.without_front_matter(text), values_of(setup), translation(language))
    if setup.game.base is not None:
        body = re.sub(r"\A# .*", lambda _: f"# {setup.game.title}", body)
    return re.sub(r"\n{3,}", "\n\n", body if has_usual_numbers(setup.game) else _EXAMPLE.sub("", body))


def plain_rules(setup: Game[Any], language: str = "en") -> str | None:
    """The same for a terminal: cards as signs, and no marks of clauses. In English if they are not written in this
    language."""
    text = players_rules(setup, language) or players_rules(setup)
    return None if text is None else pages.draw(pages.CITED.sub("", text))


def summary_of(game: type[Game[Any]]) -> str:
    """The summary of a game for the lobby, with the numbers of its usual table."""
    return with_numbers(game.summary, game.unconstrained())
