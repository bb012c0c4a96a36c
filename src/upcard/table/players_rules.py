"""The rules in players' words, filled in for one table, so that what a player reads is true where they sit."""

from __future__ import annotations

import re
from typing import Any

from upcard.languages.catalogs import translation
from upcard.rules import pages
from upcard.rules.game import Game
from upcard.rules.placeholders import fill, has_usual_numbers, values_of, with_numbers
from upcard.rules.sentences import as_sentence

_EXAMPLE = re.compile(r"^(?:>.*\n?)+", re.MULTILINE)


def players_rules(setup: Game[Any], language: str = "en") -> str | None:
    """The rules of a table as Markdown, with cards as `[Kh Qh]` and clauses as `[SS-5]`; None if nobody has written
    them.

    Examples, which are block quotes, calculate with the numbers of the game whose page it is; a variant that changes
    one of them has no examples. Raises BadPlaceholder.
    """
    text = pages.written_rules(setup.game, language)
    if text is None:
        return None
    game, reader = setup.game, translation(language)
    body = fill(pages.without_front_matter(text), values_of(setup), reader)
    if game.base is not None:
        body = re.sub(r"\A# .*", lambda _: f"# {as_sentence(game.title, game).words(reader)}", body)
    keeps_examples = has_usual_numbers(game) or pages.is_page_of(game)
    return re.sub(r"\n{3,}", "\n\n", body if keeps_examples else _EXAMPLE.sub("", body))


def plain_rules(setup: Game[Any], language: str = "en") -> str | None:
    """The same for a terminal: cards as signs, and no marks of clauses. In English if they are not written in this
    language."""
    text = players_rules(setup, language) or players_rules(setup)
    return None if text is None else pages.draw(pages.CITED.sub("", text))


def summary_of(game: type[Game[Any]]) -> str:
    """The summary of a game for the lobby, with the numbers of its usual table."""
    return with_numbers(game.summary, game.unconstrained())
