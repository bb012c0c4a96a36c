"""Docstrings and pages avoid a few words and openings that a native writer would not choose."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import upcard

ROOT = Path(__file__).parents[1]
SOURCES = Path(upcard.__file__).parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(
    (ROOT / "docs").glob("*.md")
)

OPENINGS = re.compile(r"(?:What|Of|Whoever) ")
"""A docstring names the thing ("The texts of a verb"), or begins with a verb ("Return …")."""
WORDS = re.compile(r"\b(?:whoever|so many|one's|in the place of)\b", re.IGNORECASE)
"""Better: anyone who, this many, your, instead of."""


def docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The strings that stand alone as statements, each with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


@pytest.mark.parametrize("package", sorted({file.relative_to(SOURCES).parts[0] for file in SOURCES.rglob("*.py")}))
def test_docstrings_read_well(package: str) -> None:
    files = [file for file in SOURCES.rglob("*.py") if file.relative_to(SOURCES).parts[0] == package]
    clumsy = [
        f"{file.relative_to(SOURCES)}, line {line}: {text[:60]}"
        for file in files
        for line, text in docstrings(ast.parse(file.read_text(encoding="utf-8")))
        if OPENINGS.match(text) or WORDS.search(text)
    ]
    assert clumsy == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_read_well(page: Path) -> None:
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert [line for line in prose.splitlines() if WORDS.search(line)] == []
