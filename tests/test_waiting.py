"""A test that waits for something gives up after a while, and its failure says which wait it was."""

import ast
from collections.abc import Iterator
from pathlib import Path

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
