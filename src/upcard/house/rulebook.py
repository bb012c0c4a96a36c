"""The pages of a game as HTML: the rules in players' words, and the rulebook."""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from typing import Any

from markdown_it import MarkdownIt

from upcard import games
from upcard.house.bodies import Page
from upcard.languages.catalogs import DEFAULT, translation
from upcard.rules import cards, pages
from upcard.rules.game import Game
from upcard.rules.placeholders import BadPlaceholder
from upcard.rules.sentences import as_sentence, sentence
from upcard.table.players_rules import players_rules

_EMPTY_HEAD = re.compile(r"<thead>\n<tr>\n(?:<th></th>\n)+</tr>\n</thead>\n")
_CLAUSE = re.compile(pages.CLAUSE)


@lru_cache(256)
def rules_page(setup: Game[Any], language: str = DEFAULT) -> Page:
    """The rules of a table in players' words as HTML, in English if they are not written in this language; small marks
    link to the clauses. The page of the rulebook for a game without such rules, or with faulty ones."""
    for tag in dict.fromkeys([language, DEFAULT]):
        try:
            text = players_rules(setup, tag)
        except BadPlaceholder:
            text = None
        if text is not None:
            page = _page(setup.slug, text)
            html = pages.draw(page.html, partial(_pictures, tag))
            return Page(page.title, pages.CITED.sub(partial(_marks, tag), html), tag)
    return rulebook_page(setup.slug)


def _marks(language: str, cited: re.Match[str]) -> str:
    """The clauses of a sentence as small links, each showing its number."""
    named = {clause: sentence("clause {clause}", clause=clause) for clause in cited[1].split(", ")}
    links = [
        f'<a class="clause" href="#{clause}" aria-label="{name.words(translation(language))}">'
        f"{clause.partition('-')[2]}</a>"
        for clause, name in named.items()
    ]
    return f'<sup class="clauses">{" ".join(links)}</sup>'


@cache
def rulebook_page(slug: str) -> Page:
    """A game's page of the rulebook, unabridged, as HTML; clause numbers link to their clauses."""
    page = _page(slug, pages.page(games.load(slug)) or pages.NO_PAGE)
    html = re.sub(rf"<strong>({_CLAUSE.pattern})</strong>", r"\1", page.html)
    return Page(
        page.title, re.sub(rf'(?<!")\b{_CLAUSE.pattern}\b', r'<a class="clause" href="#\g<0>">\g<0></a>', html), DEFAULT
    )


def _page(slug: str, text: str) -> Page:
    """Markdown as HTML; the element of each clause has the clause's number as its id."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    item = None
    for token in tokens:
        if token.type == "list_item_open":
            item = token
        elif token.type == "inline" and item is not None:
            clause = _clause(token.children or [])
            if clause:
                item.attrSet("id", clause)
            item = None
        elif alignment := token.attrs.pop("style", None):  # the page's security policy forbids it
            token.attrSet("class", str(alignment).removeprefix("text-align:"))
    html = markdown.renderer.render(tokens, markdown.options, {})
    game = games.load(slug)
    return Page(as_sentence(game.title, game), _EMPTY_HEAD.sub("", html), DEFAULT)


def _pictures(language: str, shown: list[cards.Card]) -> str:
    """Cards as one labelled image, with their signs as text where images are not drawn."""
    named = ", ".join(cards.spoken(card).words(translation(language)) for card in shown)
    each = " ".join(f'<span data-face="{cards.text(card)}">{cards.sign(card)}</span>' for card in shown)
    return f'<span class="cards" role="img" aria-label="{named}">{each}</span>'


def _clause(inline: list[Any]) -> str | None:
    """The number of the clause that a list item states, in bold at its start; None if it states none."""
    words = [token for token in inline if token.content or token.type == "strong_open"][:2]
    bold = len(words) == 2 and words[0].type == "strong_open" and _CLAUSE.fullmatch(words[1].content)
    return str(words[1].content) if bold else None
