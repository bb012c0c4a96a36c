"""A test that waits for something gives up after a while, and its failure says which wait it was; none is hasty."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def open_waits(node: ast.AST, limited: bool = False) -> Iterator[int]:
    """The lines of loops that await something until it is so, outside of `asyncio.timeout`."""
    for child in ast.iter_child_nodes(node):
        within = limited or (isinstance(child, ast.AsyncWith) and "asyncio.timeout(" in ast.unparse(child.items[0]))
        awaits = any(isinstance(inner, ast.Await) for inner in ast.walk(child))
        if isinstance(child, ast.While) and awaits and not within and ast.unparse(child.test) != "True":
            yield child.lineno
        yield from open_waits(child, within)


def test_every_wait_has_a_deadline() -> None:
    files = {file: ast.parse(file.read_text()) for file in HERE.rglob("*.py")}
    assert [f"{file.relative_to(HERE)}, line {line}" for file, tree in files.items() for line in open_waits(tree)] == []


def test_an_open_wait_is_seen() -> None:
    source = "async def f():\n    while not ready():\n        await sleep(1)\n"
    assert [*open_waits(ast.parse(source))] == [2]
    inside = (
        "async def f():\n    async with asyncio.timeout(9):\n        while not ready():\n            await sleep(1)\n"
    )
    assert [*open_waits(ast.parse(inside))] == []


AT_ONCE = {"count", "is_checked", "is_disabled", "is_enabled", "is_hidden", "is_visible", "title"}
"""What Playwright answers without waiting; `expect` waits for the same."""


def hasty_asserts(tree: ast.AST) -> Iterator[int]:
    """The lines that assert something of a page as it is at that moment."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and any(map(is_at_once, ast.walk(node.test))):
            yield node.lineno


def is_at_once(node: ast.AST) -> bool:
    """Whether this calls something of AT_ONCE, or reads the address of a page."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr in AT_ONCE and not node.args
    return isinstance(node, ast.Attribute) and ast.unparse(node).endswith("page.url")


def test_the_tests_of_the_page_wait_for_what_they_assert() -> None:
    files = {file: ast.parse(file.read_text()) for file in (HERE / "browser").glob("test_*.py")}
    assert [f"{file.name}, line {line}" for file, tree in files.items() for line in hasty_asserts(tree)] == []


@pytest.mark.parametrize("hasty", ["ann.page.url == link", "not ann.see('x').is_visible()", "one.count() > 2"])
def test_a_hasty_assert_is_seen(hasty: str) -> None:
    assert [*hasty_asserts(ast.parse(f"assert {hasty}"))] == [1]
    assert [*hasty_asserts(ast.parse("assert ann.server.url in text and hand.count(card) == 1"))] == []
