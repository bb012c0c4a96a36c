"""The two-minute introductions to the games: they show real deals, and what they cite exists."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playing import GAMES

from upcard import games
from upcard.engine import records
from upcard.rules import cards, pages
from upcard.rules.game import Game
from upcard.rules.lineage import root_of

GAMES_TESTED = Path(__file__).parent / "games"
PARTS = ["The aim", "One deal", "Three things beginners get wrong"]
TOLD = GAMES + [variant for variant in map(games.load, games.VARIANTS) if root_of(variant) in GAMES]


@pytest.fixture(params=TOLD, ids=lambda game: game.slug)
def game(request: pytest.FixtureRequest) -> type[Game]:
    """Each game in turn, variants that come with Upcard as well."""
    chosen: type[Game] = request.param
    return chosen


def learn_page(game: type[Game]) -> str:
    page = pages.introduction(game)
    assert page is not None
    return page


@pytest.fixture
def parts(game: type[Game]) -> dict[str, str]:
    """The page by its headings, on one line each, but for paragraphs."""
    title, *found = re.split(r"^## (.*)$", learn_page(game), flags=re.MULTILINE)
    assert title.strip() == f"# {game.title} in two minutes"
    return dict(zip(found[::2], found[1::2], strict=True))


def shown(text: str) -> list[str]:
    """The cards of a text that are drawn as pictures."""
    found: list[cards.Card] = []

    def picture(drawn: list[cards.Card]) -> str:
        found.extend(drawn)
        return ""

    pages.draw(text, picture)
    return list(map(cards.text, found))


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def test_a_page_has_its_parts_and_is_short(game: type[Game], parts: dict[str, str]) -> None:
    assert list(parts) == PARTS
    assert len(re.findall(r"^\d\. \*\*", parts[PARTS[2]], re.MULTILINE)) == 3
    words = pages.draw(learn_page(game), lambda _: "cards").split()
    assert 250 <= len(words) <= 400


def test_every_clause_cited_is_on_the_page_of_rules(game: type[Game], parts: dict[str, str]) -> None:
    for mistake in re.split(r"^\d\. ", parts[PARTS[2]], flags=re.MULTILINE)[1:]:
        cited = re.findall(rf"\b{pages.CLAUSE}\b", mistake)
        assert cited, mistake
        assert set(cited) <= set(pages.clauses(game))


def test_every_card_is_drawn(game: type[Game], parts: dict[str, str]) -> None:
    """A slip in the notation would stay on the page as it was typed, or be no card of this game."""
    page = learn_page(game)
    assert "[" not in pages.draw(page, lambda _: "")
    assert not re.search(r"\b[2-9TJQKA][cdhs]\b", pages.draw(page, lambda _: ""))
    deal = told(game)["record"]["events"][0].split()
    assert set(shown(page)) <= set(deal)


# ------------------------------------------------------------------------------------------------------ the told deal


def told(game: type[Game]) -> dict[str, Any]:
    """The record of the told deal; `told` holds sentences of it against the report.

    Each has the text, the index of the event after which it is true (or "end"), and fields of the report.
    """
    name = "learn.json" if game.base is None else f"{game.slug}.learn.json"
    place = GAMES_TESTED / root_of(game).slug.replace("-", "_") / name
    found: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    assert found.keys() == {"record", "told"}
    found["record"]["about"] = {"rules": game.identity}  # it is told by the rules of today
    return found


def test_the_deal_happened_as_it_is_told(game: type[Game], parts: dict[str, str]) -> None:
    story = told(game)
    events = story["record"]["events"]
    reports = [match.report() for match in records.steps(story["record"])][1:]
    text, place, before, now = on_one_line(parts["One deal"]), 0, 0, 0
    for one in story["told"]:
        at = len(events) - 1 if one["at"] == "end" else one["at"]
        report = reports[at]
        place = text.find(one["says"], place)
        assert place >= 0, f"not told, or not here: {one['says']}"
        wrong = {name: (report[name], wanted) for name, wanted in one["report"].items() if report[name] != wanted}
        assert not wrong, f"{one['says']}: {wrong}"
        if at > now:
            before, now = now, at
        known = " ".join(events[before + 1 : at + 1]).split() + on_the_table(report)
        assert set(shown(one["says"])) <= set(known), one["says"]


def on_the_table(report: dict[str, Any]) -> list[str]:
    """The cards that somebody holds, and those turned up."""
    return [card for hand in report["hands"] for card in hand] + [report["upcard"], *report.get("pile", [])]


def test_every_paragraph_of_the_deal_is_held_against_the_record(game: type[Game], parts: dict[str, str]) -> None:
    said = [one["says"] for one in told(game)["told"]]
    for paragraph in re.split(r"\n\s*\n", parts["One deal"].strip()):
        assert any(one in on_one_line(paragraph) for one in said), paragraph
