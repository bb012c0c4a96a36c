"""Every clause of every page is implemented where it can be found, and protected by a test that names it."""

import re
from pathlib import Path

import pytest
from playing import GAMES

import upcard
from upcard.rules import Game, pages

SOURCE = Path(upcard.__file__).parent
TESTS = Path(__file__).parent / "games"


def room(game: Game) -> str:
    """The name of a game's folder."""
    return game.slug.replace("-", "_")


def named(text: str, prefix: str) -> set[str]:
    """Every clause id in a text; `SS-19 to SS-21` names three."""
    found = set(re.findall(rf"\b{prefix}-\d+\b", text))
    for first, last in re.findall(rf"\b{prefix}-(\d+) to {prefix}-(\d+)\b", text):
        found |= {f"{prefix}-{number}" for number in range(int(first), int(last) + 1)}
    return found


def test_every_clause_is_cited_in_the_game_file(game: Game) -> None:
    code = "".join(path.read_text() for path in (SOURCE / "games" / room(game)).glob("*.py"))
    missing = set(pages.clauses(game)) - named(code, game.prefix)
    assert not missing, sorted(missing)


def test_no_unknown_clause_is_cited(game: Game) -> None:
    code = "".join(path.read_text() for path in [*SOURCE.rglob("*.py"), *TESTS.rglob("*.py")])
    assert named(code, game.prefix) <= set(pages.clauses(game))


def test_every_clause_has_a_test_that_names_it(game: Game) -> None:
    tests = "".join(path.read_text() for path in (TESTS / room(game)).glob("test_*.py"))
    marks = "".join(re.findall(r"@pytest\.mark\.clause\(([^)]*)\)", tests))
    missing = set(pages.clauses(game)) - named(marks, game.prefix)
    assert not missing, sorted(missing)


def test_clauses_are_numbered_without_gaps(game: Game) -> None:
    numbers = [int(clause.partition("-")[2]) for clause in pages.clauses(game)]
    assert sorted(numbers) == list(range(1, max(numbers) + 1))
