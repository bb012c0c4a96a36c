"""The laws of the rulebook: every clause is cited in the code, and covered by a test."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from upcard.laws.law import Broken, NotTried, Trial
from upcard.rules import pages
from upcard.rules.game import Game
from upcard.rules.lineage import file_of

CHECKOUT = Path(__file__).parents[3]
"""The checkout with the tests of the shipped games, unless this is an installed copy."""


def clauses_are_cited(trial: Trial) -> None:
    """The code cites every clause of the rulebook, and no others."""
    known = _clauses(trial.game)
    cited = clause_ids(_code(_files(trial.game)), trial.game.clauses.prefix)
    if missing := sorted(known - cited, key=_number):
        raise Broken(f"no line of its code cites {_some(missing)}", missing[0])
    if unknown := sorted(cited - known, key=_number):
        raise Broken(f"its code cites {_some(unknown)}, but the rulebook has no such clause")
    numbers = sorted(map(_number, known))
    if gaps := sorted(set(range(1, numbers[-1])) - set(numbers)):
        raise Broken(
            f"the rulebook has {trial.game.clauses.prefix}-{numbers[-1]}, but no {trial.game.clauses.prefix}-{gaps[0]}"
        )


def clauses_are_tested(trial: Trial) -> None:
    """Every clause of the rulebook is named by a test: @pytest.mark.clause(…)."""
    known, tests = _clauses(trial.game), _tests(trial.game)
    if not tests:
        raise NotTried("it has no tests (test_*.py next to its rules, or in a folder `tests` there)")
    text = _code(tests)
    marked = clause_ids("".join(re.findall(r"@pytest\.mark\.clause\(([^)]*)\)", text)), trial.game.clauses.prefix)
    if missing := sorted(known - marked, key=_number):
        raise Broken(f"no test is marked with {_some(missing)}", missing[0])
    if unknown := sorted(clause_ids(text, trial.game.clauses.prefix) - known, key=_number):
        raise Broken(f"its tests name {_some(unknown)}, but the rulebook has no such clause")


def clause_ids(text: str, prefix: str) -> set[str]:
    """All clause ids in a text; `SS-19 to SS-21` names three."""
    clauses = set(re.findall(rf"\b{prefix}-\d+\b", text))
    for first, last in re.findall(rf"\b{prefix}-(\d+) to {prefix}-(\d+)\b", text):
        clauses |= {f"{prefix}-{number}" for number in range(int(first), int(last) + 1)}
    return clauses


def _clauses(game: type[Game[Any]]) -> set[str]:
    """The clauses of a game's rulebook. Raises NotTried if it has none, and for a variant."""
    known = set(pages.clauses(game))
    if not known:
        raise NotTried("it has no rulebook with clauses (rulebook.md)")
    if game.base is not None:
        raise NotTried("it is a variant, which uses the rulebook of its base")
    return known


def _home(game: type[Game[Any]]) -> Path:
    file = file_of(game)
    if file is None:
        raise NotTried("it is not defined in a file")
    return file


def _files(game: type[Game[Any]]) -> list[Path]:
    """The code of a game: its file, or all files of its folder."""
    file = _home(game)
    if file.name != "__init__.py":
        return [file]
    return [one for one in sorted(file.parent.glob("*.py")) if not one.name.startswith("test")]


def _tests(game: type[Game[Any]]) -> list[Path]:
    """The tests of a game: next to it, in its folder `tests`, or in the tests of the checkout."""
    file = _home(game)
    places = [file.parent, file.parent / "tests", CHECKOUT / "tests" / "games" / file.parent.name]
    return [test for place in places for test in sorted(place.glob("test_*.py"))]


def _code(files: Iterable[Path]) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def _number(clause: str) -> int:
    return int(clause.partition("-")[2])


def _some(clauses: list[str]) -> str:
    return ", ".join(clauses[:5]) + (f" and {len(clauses) - 5} more" if len(clauses) > 5 else "")
