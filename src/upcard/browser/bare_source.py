"""Python modules without comments and docstrings, which a browser need not fetch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

EMPTY = b'""'
"""The substitute for a docstring, which still is a text and the body of its function."""
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@lru_cache(1 << 11)
def without_comments(module: bytes) -> bytes:
    """The same module without docstrings, and without lines that are only comments. All other lines keep their numbers.

    A module that this version of Python cannot read stays as it is.
    """
    try:
        nodes = [*ast.walk(ast.parse(module))]
    except (SyntaxError, ValueError):
        return module
    lines = module.split(b"\n")
    inside = _lines_in_texts(nodes)
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith(b"#") and number not in inside and not _is_declaration(number, line):
            lines[number - 1] = b""
    for text in sorted(_docstrings(nodes), key=lambda text: -text.lineno):
        _empty(lines, text)
    return b"\n".join(lines)


def _lines_in_texts(nodes: list[ast.AST]) -> set[int]:
    """The lines within texts of several lines, from the second on."""
    return {
        number
        for node in nodes
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno is not None
        for number in range(node.lineno + 1, node.end_lineno + 1)
    }


def _is_declaration(number: int, line: bytes) -> bool:
    """Whether a comment declares the encoding of its module."""
    return number <= 2 and b"coding" in line


def _docstrings(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """The docstrings of a module, its classes and functions, and the texts that stand below attributes."""
    for node in nodes:
        for statement in node.body if isinstance(node, DOCUMENTED) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                if isinstance(statement.value.value, str):
                    yield statement.value


def _empty(lines: list[bytes], text: ast.expr) -> None:
    """Replace a text by an empty one; a text of several lines leaves empty lines behind."""
    first, last, end = text.lineno - 1, (text.end_lineno or text.lineno) - 1, text.end_col_offset or 0
    rest = lines[last][end:]
    lines[first] = lines[first][: text.col_offset] + EMPTY
    for number in range(first + 1, last + 1):
        lines[number] = b""
    lines[last] += rest
